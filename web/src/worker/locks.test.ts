import { expect, test } from "vitest";
import { holdIn } from "./locks";

/** A browser's, as far as we use them: whoever has a lock keeps it until his promise is fulfilled. */
function lockManager() {
    const last = new Map<string, Promise<unknown>>();
    const request = (name: string, { signal }: LockOptions, granted: LockGrantedCallback<unknown>) => {
        const free = last.get(name) ?? Promise.resolve();
        const aborted = new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason as Error)));
        const turn = Promise.race([free, aborted]).then(() => granted(null));
        last.set(name, Promise.allSettled([free, turn]));
        return turn;
    };
    return { request } as Pick<LockManager, "request">;
}

test("what one window has another is refused, until it is given back", async () => {
    const hold = holdIn(lockManager(), 50);
    const release = await hold("here-1");
    await expect(hold("here-1")).rejects.toMatchObject({ code: "elsewhere", message: "this game is open in another window" });
    (await hold("here-2"))();
    const waiting = hold("here-1"); // a page that is loaded anew: the old one goes a moment later
    release();
    (await waiting)();
});

test("where there are no locks nobody is refused", async () => {
    const forbidden = { request: () => Promise.reject(new DOMException("no", "SecurityError")) };
    for (const locks of [undefined, forbidden]) {
        await holdIn(locks)("here-1");
        await holdIn(locks)("here-1");
    }
});
