// Where computer players and advisers think: workers that do nothing else, so that the table answers at once whoever
// acts meanwhile. A question holds what its seat may know and nothing more (think.h), and nothing else is sent.
import type { Decision } from "$engine/engine.mjs";
import { TableError, type Hint } from "../lib/protocol";

/** The longest a person waits, for advice or for everybody who is asked at once: a usual pace. */
export const patience = 700;

/** How long players who may think for so many milliseconds each (Engine.thinkingTime), asked at the same time, are waited for, and
 *  how long each has. It depends on who they are alone: who can only pass is waited for as long as who could object, else the
 *  time would tell who can (R10.2). A third more than the thinking is for what comes with it. */
export function timeFor(times: readonly number[], sideBySide: number): { wait: number; each: number } {
    const shifts = Math.ceil(times.length / sideBySide);
    const wait = Math.min(patience, shifts * Math.ceil((4 * Math.max(...times)) / 3));
    return { wait, each: Math.floor((0.75 * wait) / shifts) };
}

export interface Thinking {
    /** How many can think at the same time. */
    readonly sideBySide: number;
    /** Whoever no longer wants to know aborts the signal. */
    decide(question: Uint8Array, milliseconds: number, signal: AbortSignal): Promise<Decision>;
    advise(question: Uint8Array): Promise<Hint>;
}

export interface Question {
    kind: "think" | "advise";
    question: Uint8Array;
    milliseconds: number;
}
/** What a thinker is told: first the module, then one question after the other. */
export type ToThinker = WebAssembly.Module | Question;
export type FromThinker = { value: Decision | Hint } | { code: string; text: string };

/** A worker, or whatever stands in for one. */
export type Thinker = Pick<Worker, "postMessage" | "onmessage" | "onerror" | "terminate">;

interface Job {
    message: ToThinker;
    done: (answer: FromThinker) => void;
}

const nobodyThinks: FromThinker = { code: "engine", text: "a thinker could not be started" };

export class Thinkers implements Thinking {
    #waiting: Job[] = [];
    #idle: Thinker[] = [];
    #started = 0;
    /** One has failed: no more are started. */
    #failed = false;

    /** One core is left for the page. */
    constructor(
        readonly start: () => Thinker,
        readonly sideBySide = Math.min(4, Math.max(1, (navigator.hardwareConcurrency || 2) - 1)),
    ) {}

    decide(question: Uint8Array, milliseconds: number, signal: AbortSignal): Promise<Decision> {
        return new Promise((resolve, reject) => {
            const job = this.#job({ kind: "think", question, milliseconds }, resolve, reject);
            signal.addEventListener("abort", () => {
                this.#waiting = this.#waiting.filter((other) => other !== job);
                reject(signal.reason as Error);
            });
            this.#waiting.push(job);
            this.#next();
        });
    }

    /** Who asks for advice waits for it, so it comes first. */
    advise(question: Uint8Array): Promise<Hint> {
        return new Promise((resolve, reject) => {
            this.#waiting.unshift(this.#job({ kind: "advise", question, milliseconds: patience }, resolve, reject));
            this.#next();
        });
    }

    #job<Answer>(message: ToThinker, resolve: (value: Answer) => void, reject: (error: Error) => void): Job {
        const done = (answer: FromThinker) => ("value" in answer ? resolve(answer.value as Answer) : reject(new TableError(answer.code, answer.text)));
        return { message, done };
    }

    #next(): void {
        if (this.#waiting.length === 0) return;
        const thinker = this.#idle.pop() ?? this.#startOne();
        if (!thinker) {
            if (this.#started === 0) for (const { done } of this.#waiting.splice(0)) done(nobodyThinks);
            return;
        }
        const job = this.#waiting.shift()!;
        thinker.onmessage = ({ data }: MessageEvent<FromThinker>) => {
            job.done(data);
            this.#idle.push(thinker);
            this.#next();
        };
        thinker.onerror = () => {
            thinker.terminate();
            this.#idle = this.#idle.filter((other) => other !== thinker);
            this.#started--;
            this.#failed = true;
            job.done(nobodyThinks);
            this.#next();
        };
        thinker.postMessage(job.message);
    }

    #startOne(): Thinker | undefined {
        if (this.#failed || this.#started === this.sideBySide) return undefined;
        try {
            const thinker = this.start();
            this.#started++;
            return thinker;
        } catch {
            this.#failed = true;
            return undefined;
        }
    }
}
