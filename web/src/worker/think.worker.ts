// A worker that only thinks; see thinkers.ts.
import { loadEngine, Refused, type Engine } from "$engine/engine.mjs";
import { learn } from "./net";
import type { FromThinker, Question, ToThinker } from "./thinkers";

let engine: Promise<Engine> | undefined;

async function answer({ kind, question, milliseconds }: Question): Promise<FromThinker> {
    try {
        const thinking = await engine!;
        await learn(thinking);
        return { value: thinking[kind](question, milliseconds) };
    } catch (error) {
        return { code: error instanceof Refused ? error.code : "engine", text: error instanceof Error ? error.message : String(error) };
    }
}

addEventListener("message", ({ data }: MessageEvent<ToThinker>) => {
    if (data instanceof WebAssembly.Module) engine = loadEngine(data);
    else void answer(data).then((said) => postMessage(said));
});
