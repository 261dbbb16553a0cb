// The engine's worker: answers the calls of lib/engine.ts one after the other.
import { blake2b } from "@noble/hashes/blake2.js";
import { loadEngine, Refused, type Replay } from "$engine/engine.mjs";
import wasm from "$engine/gral.wasm?url";
import { TableError } from "../lib/protocol";
import type { WorkerCalls, WorkerMessage } from "../lib/calls";
import { holdIn } from "./locks";
import { Room } from "./room";
import { keptGames, remembering } from "./store";
import { Thinkers } from "./thinkers";

async function compile(): Promise<WebAssembly.Module> {
    try {
        return await WebAssembly.compileStreaming(fetch(wasm));
    } catch {
        // Some web hosts do not know what a .wasm is.
        return WebAssembly.compile(await (await fetch(wasm)).arrayBuffer());
    }
}

const say = (message: WorkerMessage) => postMessage(message);

type Answers = { [Name in keyof WorkerCalls]: (...args: Parameters<WorkerCalls[Name]>) => unknown };

async function start(): Promise<Answers> {
    const module = await compile().catch(() => {
        throw new TableError("engine", "the game engine couldn't be started");
    });
    const engine = await loadEngine(module, (bytes) => blake2b(bytes, { dkLen: 32 }));
    const thinkers = new Thinkers(() => {
        const thinker = new Worker(new URL("./think.worker.ts", import.meta.url), { type: "module" });
        thinker.postMessage(module);
        return thinker;
    });
    const room = new Room(
        engine,
        thinkers,
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
        replayBeliefs: (handle, index, lens) => replay(handle).beliefs(index, lens),
        closeReplay: (handle) => {
            replays.get(handle)?.close();
            replays.delete(handle);
        },
        newGame: (game) => room.newGame(game),
        openGame: (id) => room.openGame(id),
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

let ready: Promise<Answers> | undefined;

/** What could not be loaded is tried again with the next call. */
function started(): Promise<Answers> {
    if (ready) return ready;
    ready = start();
    ready.catch(() => (ready = undefined));
    return ready;
}

void started().catch(() => {}); // whoever calls will hear of it

interface Call {
    call: number;
    name: keyof WorkerCalls;
    args: unknown[];
}

async function answer({ call, name, args }: Call): Promise<void> {
    try {
        const answers = await started();
        say({ call, value: await (answers[name] as (...args: unknown[]) => unknown)(...args) });
    } catch (error) {
        const code = error instanceof Refused || error instanceof TableError ? error.code : "engine";
        say({ call, error: code, text: error instanceof Error ? error.message : String(error) });
    }
}

addEventListener("message", ({ data }: MessageEvent<Call>) => void answer(data));
