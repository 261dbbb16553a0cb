import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/engine.mjs";
import { characters } from "../lib/characters";
import { Thinkers, timeFor, type FromThinker, type Thinker, type ToThinker } from "./thinkers";

const wasm = new URL("../../../build/wasm/web/engine/gral.wasm", import.meta.url);

describe("thinkers", () => {
    /** Answers when it is told to. */
    class Slow implements Thinker {
        onmessage: Thinker["onmessage"] = null;
        onerror: Thinker["onerror"] = null;
        asked: ToThinker[] = [];
        postMessage(message: ToThinker) {
            this.asked.push(message);
        }
        answer(data: FromThinker) {
            this.onmessage!.call(this as never, { data } as MessageEvent<FromThinker>);
        }
        terminated = false;
        terminate() {
            this.terminated = true;
        }
        fail() {
            this.onerror!.call(this as never, {} as ErrorEvent);
        }
    }
    const { signal } = new AbortController();
    const question = new Uint8Array(1);
    const decision = { actions: ["pass"], offer: null };

    test("think side by side, advice first", async () => {
        const started: Slow[] = [];
        const thinkers = new Thinkers(() => (started.push(new Slow()), started.at(-1)!), 2);
        const decisions = [1, 2, 3, 4].map(() => thinkers.decide(question, 400, signal));
        const advice = thinkers.advise(question);
        expect(started.map(({ asked }) => asked)).toEqual([[{ kind: "think", question, milliseconds: 400 }], [{ kind: "think", question, milliseconds: 400 }]]);
        started[0]!.answer({ value: decision });
        expect(started[0]!.asked[1]).toMatchObject({ kind: "advise" });
        started[0]!.answer({ code: "member", text: "expected a player" });
        await expect(advice).rejects.toMatchObject({ code: "member" });
        for (const thinker of [started[0]!, started[1]!, started[0]!]) thinker.answer({ value: decision });
        expect(await Promise.all(decisions)).toEqual([decision, decision, decision, decision]);
    });

    test("are given up when they fail: the others go on, and when there are none nobody waits", async () => {
        const started: Slow[] = [];
        const thinkers = new Thinkers(() => (started.push(new Slow()), started.at(-1)!), 2);
        const [first, second, third] = [1, 2, 3].map(() => thinkers.decide(question, 400, signal));
        started[0]!.fail();
        await expect(first).rejects.toMatchObject({ code: "engine" });
        expect(started[0]!.terminated).toBe(true);
        started[1]!.answer({ value: decision });
        expect(await second).toEqual(decision);
        const advice = thinkers.advise(question);
        started[1]!.fail();
        await expect(third).rejects.toMatchObject({ code: "engine" });
        await expect(advice).rejects.toMatchObject({ code: "engine" });
        await expect(thinkers.decide(question, 400, signal)).rejects.toMatchObject({ code: "engine" });
        expect(started.length).toBe(2);
    });

    test("are not waited for where there can be none", async () => {
        const thinkers = new Thinkers(() => {
            throw new Error("forbidden");
        }, 2);
        await expect(thinkers.decide(question, 400, signal)).rejects.toMatchObject({ code: "engine" });
        await expect(thinkers.advise(question)).rejects.toMatchObject({ code: "engine" });
    });

    test("do not think about what nobody wants to know any more", async () => {
        const slow = new Slow();
        const thinkers = new Thinkers(() => slow, 1);
        const [left, here] = [new AbortController(), new AbortController()];
        const stale = [1, 2].map(() => thinkers.decide(question, 100, left.signal));
        const wanted = thinkers.decide(question, 200, here.signal);
        left.abort();
        expect((await Promise.allSettled(stale)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
        slow.answer({ value: decision });
        expect(slow.asked).toMatchObject([{ milliseconds: 100 }, { milliseconds: 200 }]);
        slow.answer({ value: decision });
        expect(await wanted).toEqual(decision);
    });

    test("every character that the client shows is one of the engine's", async () => {
        const engine = await loadEngine(await WebAssembly.compile(readFileSync(wasm)));
        const time = (as: string) => engine.thinkingTime(`thinker:level=1,as=${as}`);
        expect(characters.map(time)).toEqual(characters.map(() => time("plain")));
        expect(time("nobody")).not.toBe(time("plain"));
    });

    test("share the time when many are asked, and the slowest sets it", async () => {
        const engine = await loadEngine(await WebAssembly.compile(readFileSync(wasm)));
        const [quick, slow] = ["thinker:level=1,as=fox", "rollout"].map((player) => engine.thinkingTime(player)) as [number, number];
        expect(engine.thinkingTime("thinker:level=5")).toBe(quick);
        expect(timeFor([quick], 1)).toEqual({ wait: 27, each: 20 });
        expect(timeFor([quick, quick, quick], 2)).toEqual({ wait: 54, each: 20 });
        expect(timeFor([quick, slow], 2)).toEqual({ wait: 700, each: 525 });
        expect(timeFor([quick, slow, quick, quick], 2)).toEqual({ wait: 700, each: 262 });
    });
});
