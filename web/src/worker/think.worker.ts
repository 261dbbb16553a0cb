// A worker that only thinks; see thinkers.ts.
import { loadEngine, Refused, type Engine } from "$engine/engine.mjs";
import type { FromThinker, ToThinker } from "./thinkers";

let engine: Promise<Engine> | undefined;

addEventListener("message", async ({ data }: MessageEvent<ToThinker>) => {
    if (data instanceof WebAssembly.Module) return void (engine = loadEngine(data));
    let answer: FromThinker;
    try {
        answer = { value: (await engine!)[data.kind](data.question, data.milliseconds) };
    } catch (error) {
        answer = { code: error instanceof Refused ? error.code : "engine", text: error instanceof Error ? error.message : String(error) };
    }
    postMessage(answer);
});
