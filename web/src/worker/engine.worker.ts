// The engine's worker: answers the calls of lib/engine.ts one after the other.
import { blake2b } from "@noble/hashes/blake2.js";
import { loadEngine, Refused, type Replay } from "$engine/engine.mjs";
import { TableError } from "../lib/protocol";
import type { WorkerCalls, WorkerMessage } from "../lib/calls";
import { holdIn } from "./locks";
import { learn } from "./net";
import { Room } from "./room";
import { keptGames, remembering } from "./store";
import { Thinkers } from "./thinkers";

const say = (message: WorkerMessage) => postMessage(message);

type Answers = { [Name in keyof WorkerCalls]: (...args: Parameters<WorkerCalls[Name]>) => unknown };

async function start(module: WebAssembly.Module): Promise<Answers> {
    const engine = await loadEngine(module, (bytes) => blake2b(bytes, { dkLen: 32 }));
    const thinkers = new Thinkers(() => {
        const thinker = new Worker(new URL("./think.worker.ts", import.meta.url), { type: "module" });
        thinker.postMessage(module);
        return thinker;
    });
    const learned = () => learn(engine);
    const room = new Room(
        engine,
        thinkers,
        learned,
        remembering(keptGames(), () => say({ event: "unkept" })),
        say,
        holdIn(navigator.locks),
    );
    const replays = new Map<number, Replay>();
    let last = 0;
    const replay = (handle: number) => {
        const found = replays.get(handle);
        if (!found) throw new TableError("table", "this table does not exist");
        return found;
    };
    return {
        notepad: (view, you) => engine.notepad(view, you),
        draft: (view, you, placed) => engine.draft(view, you, placed),
        story: (terms, view, actions, from) => engine.story(terms, view, actions, from),
        audit: (record) => engine.audit(record),
        openReplay: (record) => {
            const opened = engine.openReplay(record);
            replays.set(++last, opened);
            return { handle: last, info: opened.info(), timeline: opened.timeline() };
        },
        replayAt: (handle, index, lens) => replay(handle).at(index, lens),
        replayNotepad: (handle, index, lens) => replay(handle).notepad(index, lens),
        replayBeliefs: async (handle, index, lens) => {
            await learned();
            return replay(handle).beliefs(index, lens);
        },
        closeReplay: (handle) => {
            replays.get(handle)?.close();
            replays.delete(handle);
        },
        newGame: (game) => room.newGame(game),
        openGame: (id) => room.openGame(id),
        goOn: (id) => room.goOn(id),
        closeGame: (id) => room.closeGame(id),
        viewer: (id, seat) => room.viewer(id, seat),
        input: (id, input) => room.input(id, input),
        hint: (id, seat, adviser) => room.hint(id, seat, adviser),
        record: (id) => room.record(id),
        savedGames: () => room.savedGames(),
        deleteGame: (id) => room.deleteGame(id),
        rematch: (id, pace) => room.rematch(id, pace),
    };
}

let started: Promise<Answers> | undefined;

interface Call {
    call: number;
    name: keyof WorkerCalls;
    args: unknown[];
}

async function answer({ call, name, args }: Call): Promise<void> {
    try {
        const answers = await started!;
        say({ call, value: await (answers[name] as (...args: unknown[]) => unknown)(...args) });
    } catch (error) {
        const code = error instanceof Refused || error instanceof TableError ? error.code : "engine";
        say({ call, error: code, text: error instanceof Error ? error.message : String(error) });
    }
}

/** First the module, then one call after the other. */
addEventListener("message", ({ data }: MessageEvent<WebAssembly.Module | Call>) => {
    if (data instanceof WebAssembly.Module) started = start(data);
    else void answer(data);
});
