// The engine in its workers, as promises. There are two, each started when it is first needed: one keeps tables and has
// workers of its own that think (worker/thinkers.ts), the other answers questions about what any table has told. The engine
// is loaded and compiled here, beside the script of the worker, and once for all of them.
import wasm from "$engine/gral.wasm?url";
import type { WorkerCalls, WorkerEvent, WorkerMessage, WorkerTrouble } from "./calls";
import { N_, t } from "./i18n";
import { complain } from "./notices.svelte";
import { TableError } from "./protocol";

type Call = keyof WorkerCalls;
const tableCalls: ReadonlySet<Call> = new Set<Call>([
    "newGame",
    "openGame",
    "goOn",
    "closeGame",
    "viewer",
    "input",
    "hint",
    "record",
    "savedGames",
    "deleteGame",
    "rematch",
]);

let module: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
    try {
        return await WebAssembly.compileStreaming(fetch(wasm));
    } catch {
        // Some web hosts do not know what a .wasm is.
        return WebAssembly.compile(await (await fetch(wasm)).arrayBuffer());
    }
}

/** What could not be loaded is tried again with the next call. */
function compiled(): Promise<WebAssembly.Module> {
    if (module) return module;
    module = compile();
    module.catch(() => (module = undefined));
    return module;
}

class EngineWorker {
    #worker: Worker;
    #calls = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
    #last = 0;
    #started: Promise<void> | undefined;

    /** `broken`: nobody will answer here any more. */
    constructor(heard: (event: WorkerEvent) => void, broken: () => void) {
        this.#worker = new Worker(new URL("../worker/engine.worker.ts", import.meta.url), { type: "module" });
        this.#worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
            if ("event" in data) {
                if (data.event === "unkept" || data.event === "stuck") return complain(sayTrouble(data));
                return heard(data);
            }
            const call = this.#calls.get(data.call);
            this.#calls.delete(data.call);
            if ("error" in data) call?.reject(new TableError(data.error, data.text));
            else call?.resolve(data.value as never);
        };
        this.#worker.onerror = (event) => {
            this.#worker.terminate();
            broken();
            const reason = event.message || N_("the game engine couldn't be started");
            for (const { reject } of this.#calls.values()) reject(new TableError("engine", reason));
            complain(sayTrouble({ event: "stuck", reason }));
        };
    }

    /** The worker gets its engine. */
    start(): Promise<void> {
        this.#started ??= compiled().then(
            (engine) => this.#worker.postMessage(engine),
            () => {
                this.#started = undefined;
                throw new TableError("engine", N_("the game engine couldn't be started"));
            },
        );
        return this.#started;
    }

    ask(name: Call, args: readonly unknown[]): Promise<never> {
        const call = ++this.#last;
        return new Promise((resolve, reject) => {
            this.#calls.set(call, { resolve, reject });
            this.start().then(
                () => this.#worker.postMessage({ call, name, args }),
                (error: Error) => {
                    this.#calls.delete(call);
                    reject(error);
                },
            );
        });
    }
}

const listeners = new Map<string, (event: WorkerEvent) => void>();
let tables: EngineWorker | undefined;
let tools: EngineWorker | undefined;

const tableWorker = () =>
    (tables ??= new EngineWorker(
        (event) => listeners.get(event.id)?.(event),
        () => (tables = undefined),
    ));
const toolWorker = () =>
    (tools ??= new EngineWorker(
        () => {},
        () => (tools = undefined),
    ));

/** There will be a table soon: its workers start while the page is still being loaded. */
export function prepare(): void {
    for (const worker of [tableWorker(), toolWorker()]) worker.start().catch(() => {}); // whoever asks will hear of it
}

/** Asks the worker whose business it is; throws a TableError if it refuses. */
export function ask<Name extends Call>(name: Name, ...args: Parameters<WorkerCalls[Name]>): Promise<ReturnType<WorkerCalls[Name]>> {
    return (tableCalls.has(name) ? tableWorker() : toolWorker()).ask(name, plain(args));
}

/** Hears of a table in the worker; returns how to stop that. */
export function listen(id: string, heard: (event: WorkerEvent) => void): () => void {
    listeners.set(id, heard);
    return () => void (listeners.get(id) === heard && listeners.delete(id));
}

function sayTrouble(trouble: WorkerTrouble): string {
    return trouble.event === "unkept"
        ? t(
              "This browser can't save games right now: it's a private window, or storage is full. You can still play, but your game will be lost when you close this page.",
          )
        : t("The game engine stopped: {reason}. Reload this page; your games on this device are safe.", { reason: t(trouble.reason) });
}

/** Reactive proxies cannot be sent to a worker. */
function plain<T>(value: T): T {
    return JSON.parse(JSON.stringify(value)) as T;
}

/** For TableState. */
export const teller = {
    story: (...args: Parameters<WorkerCalls["story"]>) => ask("story", ...args),
};
