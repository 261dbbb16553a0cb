import { afterEach, beforeEach, expect, test, vi, type MockInstance } from "vitest";
import { ask } from "./engine";
import { notices } from "./notices.svelte";

/** A worker that does what it is told to. */
class FakeWorker {
    static started: FakeWorker[] = [];
    onmessage?: (event: { data: unknown }) => void;
    onerror?: (event: { message: string }) => void;
    asked: { call?: number }[] = [];
    terminate = vi.fn();
    postMessage = (message: { call?: number }) => void this.asked.push(message);
    constructor() {
        FakeWorker.started.push(this);
    }
}

let compile: MockInstance<typeof WebAssembly.compileStreaming>;

beforeEach(() => {
    compile = vi.spyOn(WebAssembly, "compileStreaming").mockResolvedValue({});
    vi.stubGlobal("Worker", FakeWorker);
    vi.stubGlobal("fetch", async () => ({ arrayBuffer: async () => new ArrayBuffer(0) }));
});
afterEach(() => {
    FakeWorker.started = [];
    vi.restoreAllMocks();
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
    await vi.waitFor(() => expect(second.asked).toHaveLength(2)); // the engine, and the call
    second.onmessage!({ data: { call: second.asked[1]!.call, value: [] } });
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

test("an engine that could not be loaded is loaded with the next question, and once for both workers", async () => {
    vi.resetModules();
    const { ask } = await import("./engine");
    compile.mockRejectedValueOnce(new Error("offline"));
    await expect(ask("savedGames")).rejects.toMatchObject({ code: "engine", message: "the game engine couldn't be started" });
    const again = [ask("savedGames"), ask("audit", "")];
    await vi.waitFor(() => expect(FakeWorker.started.map(({ asked }) => asked.length)).toEqual([2, 2]));
    for (const { onmessage, asked } of FakeWorker.started) onmessage!({ data: { call: asked[1]!.call, value: [] } });
    expect(await Promise.all(again)).toEqual([[], []]);
    expect(compile).toHaveBeenCalledTimes(2);
});
