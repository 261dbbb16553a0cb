// The net that computer players have learned is a file of its own: a table can be seen without it, and it is larger than the
// engine. Whoever starts to think brings it.
import type { Engine } from "$engine/engine.mjs";
import file from "$engine/learned.net?url";

let learned: Promise<void> | undefined;

async function bring(engine: Engine): Promise<void> {
    const answer = await fetch(file);
    if (!answer.ok) throw new Error("the game engine couldn't be started");
    engine.learn(new Uint8Array(await answer.arrayBuffer()));
}

/** The one engine of this worker learns; what could not be loaded is tried again. */
export function learn(engine: Engine): Promise<void> {
    if (learned) return learned;
    learned = bring(engine);
    learned.catch(() => (learned = undefined));
    return learned;
}
