import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ask } from "./engine";
import { notices } from "./notices.svelte";

/** A worker that does what it is told to. */
class FakeWorker {
    static started: FakeWorker[] = [];
    onmessage?: (event: { data: unknown }) => void;
    onerror?: (event: { message: string }) => void;
    asked: { call: number }[] = [];
    terminate = vi.fn();
    postMessage = (message: { call: number }) => void this.asked.push(message);
    constructor() {
        FakeWorker.started.push(this);
    }
}

beforeEach(() => void vi.stubGlobal("Worker", FakeWorker));
afterEach(() => {
    FakeWorker.started = [];
    vi.unstubAllGlobals();
});

const complaint = () => notices.toasts.at(-1)?.text;

test.each(["savedGames", "audit"] as const)("a worker that breaks is started anew with the next question: %s", async (name) => {
    const broken = ask(name, "");
    const [first] = FakeWorker.started;
    first!.onerror!({ message: "" });
    await expect(broken).rejects.toMatchObject({ code: "engine", message: "the game engine couldn't be started" });
    expect(first!.terminate).toHaveBeenCalled();
    expect(complaint()).toBe("The game engine stopped: the game engine couldn't be started. Reload this page; your games on this device are safe.");
    const answered = ask(name, "");
    const second = FakeWorker.started[1]!;
    second.onmessage!({ data: { call: second.asked[0]!.call, value: [] } });
    expect(await answered).toEqual([]);
    second.onerror!({ message: "over" });
});

test("what goes wrong in a worker by itself is said", () => {
    void ask("savedGames").catch(() => {});
    const [worker] = FakeWorker.started;
    worker!.onmessage!({ data: { event: "stuck", reason: "out of memory" } });
    expect(complaint()).toContain("out of memory");
    worker!.onerror!({ message: "over" });
});
