// What is asked of the engine's workers and what they say, for both sides: lib/engine.ts asks, worker/engine.worker.ts answers.
import type { Engine } from "$engine/engine.mjs";
import type { AuditResult, Beliefs, Draft, Hint, Notepad, ReplayInfo, ReplayMoment, TablePush, TimelinePoint } from "./protocol";

export interface NewGame {
    players: number;
    rules?: "standard" | "original";
    hq?: string;
    /** The seat that begins; left out: by chance. */
    first?: number;
    limit?: number;
    /** Repeats the chance in who begins and in the computer players; left out: by chance. */
    seed?: number;
    /** Who sits where: a person's name, or the text of a computer player ("thinker:level=3,as=fox"). One for each seat. */
    seats: ({ person: string } | { computer: string })[];
    /** Milliseconds before computer players and standing orders speak; left out: 700. */
    pace?: number;
    notepad?: boolean;
    talk?: boolean;
    /** Milliseconds for every decision of a person; left out: no clock. */
    clock?: number;
    /** False: gone when it is closed; for lessons. Left out: true. */
    keep?: boolean;
}

/** A game on this device, for a list. */
export interface SavedGame {
    id: string;
    players: number;
    rules: "standard" | "original";
    seats: NewGame["seats"];
    /** Date.now() of its beginning and its last input. */
    began: number;
    updated: number;
    turn: number;
    over: boolean;
    result: string | null;
}

/** Everything a worker can be asked. */
export interface WorkerCalls {
    // tools
    notepad: (...args: Parameters<Engine["notepad"]>) => Notepad | null;
    draft: (...args: Parameters<Engine["draft"]>) => Draft;
    story: (...args: Parameters<Engine["story"]>) => ReturnType<Engine["story"]>;
    audit: (record: string) => AuditResult;
    // replays
    openReplay: (record: string) => { handle: number; info: ReplayInfo; timeline: TimelinePoint[] };
    replayAt: (handle: number, index: number, lens: number) => ReplayMoment;
    replayNotepad: (handle: number, index: number, lens: number) => Notepad;
    replayBeliefs: (handle: number, index: number, lens: number) => Beliefs;
    closeReplay: (handle: number) => void;
    // tables; see worker/room.ts
    newGame: (game: NewGame) => string;
    openGame: (id: string) => void;
    goOn: (id: string) => void;
    closeGame: (id: string) => void;
    viewer: (id: string, seat: number) => void;
    input: (id: string, input: string) => void;
    hint: (id: string, seat: number, adviser: string) => Hint;
    record: (id: string) => string;
    savedGames: () => SavedGame[];
    deleteGame: (id: string) => void;
    rematch: (id: string, pace: number) => string;
}

/** What a worker says of a table without being asked. */
export type WorkerEvent =
    | { event: "push"; id: string; push: TablePush }
    /** Seats of persons who have to act now. */
    | { event: "asked"; id: string; asked: number[] };

/** What went wrong in a worker when nobody had asked. */
export type WorkerTrouble =
    /** Games are not kept but remembered. */
    | { event: "unkept" }
    /** A table does not go on by itself. */
    | { event: "stuck"; reason: string };

export type WorkerMessage = { call: number; value: unknown } | { call: number; error: string; text: string } | WorkerTrouble | WorkerEvent;

/** Ids of games on this device begin with this; a server's do not. */
export const localPrefix = "here-";

export function random(bytes: number): string {
    const drawn = crypto.getRandomValues(new Uint8Array(bytes));
    return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const newSalt = (): string => random(32);
