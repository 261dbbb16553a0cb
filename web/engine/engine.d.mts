import type { AuditResult, Beliefs, Draft, Hint, Notepad, ReplayInfo, ReplayMoment, StoryTerms, TablePush, TimelinePoint, View, You } from "../src/lib/protocol.js";

export class Refused extends Error {
    code: string;
    constructor(message: string, code?: string);
}

/** live.h. Seats and viewers count from 1; viewer 0 only watches. What is refused throws `Refused`. */
export interface Live {
    name(seat: number, name: string): void;
    input(input: string, time: number): void;
    push(viewer: number, everything: boolean, time: number): TablePush | null;
    due(): { time: number; kind: "speak" | "late" } | null;
    asked(): number[];
    thinking(): number[];
    /** For `think`; or with an adviser's name, for `advise`. */
    question(seat: number, adviser?: string): Uint8Array;
    tellTime(ready: number): number;
    record(date?: string): string;
    close(): void;
}

/** What a computer player says: its actions, and what it offers to the table. */
export interface Decision {
    actions: string[];
    offer: string | null;
}

/** replay.h. Lens 0 is what everybody knew, a seat's number what it knew, 255 everything. */
export interface Replay {
    info(): ReplayInfo;
    at(index: number, lens: number): ReplayMoment;
    notepad(index: number, lens: number): Notepad;
    beliefs(index: number, lens: number): Beliefs;
    timeline(): TimelinePoint[];
    close(): void;
}

export interface Engine {
    openLive(terms: string, time: number): Live;
    /** think.h. How long the computer player of this text may think about a decision, in milliseconds. */
    thinkingTime(player: string): number;
    /** Takes in the net, learned.net, which `think`, `advise` and the beliefs of a replay need. */
    learn(net: Uint8Array): void;
    /** Within so many milliseconds; left out: however long it takes. */
    think(question: Uint8Array, milliseconds?: number): Decision;
    advise(question: Uint8Array, milliseconds?: number): Hint;
    openReplay(record: string): Replay;
    notepad(view: Pick<View, "pawns" | "known" | "paid" | "sheets">, you?: Pick<You, "seat" | "influence"> | null): Notepad | null;
    draft(view: View, you: You, placed: readonly string[]): Draft;
    story(terms: StoryTerms, view: View, actions: readonly { seat: number; action: string }[], from?: number): View[];
    audit(record: string): AuditResult;
}

export function loadEngine(module: WebAssembly.Module, hash?: (bytes: Uint8Array) => Uint8Array): Promise<Engine>;
