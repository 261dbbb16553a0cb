// Where computer players and advisers think: workers that do nothing else, so that the table answers at once whoever
// acts meanwhile. A question holds what its seat may know and nothing more (think.h), and nothing else is sent.
import type { Decision } from "$engine/engine.mjs";
import { TableError, type Hint } from "../lib/protocol";

/** How long a person waits for everybody who is asked at once; a second, with all that comes with it. */
export const patience = 800;

export interface Thinking {
    /** `together`: how many are asked at the same time. */
    decide(question: Uint8Array, together: number): Promise<Decision>;
    advise(question: Uint8Array): Promise<Hint>;
}

/** What a thinker is told: first the module, then one question after the other. */
export type ToThinker = WebAssembly.Module | { kind: "think" | "advise"; question: Uint8Array; milliseconds: number };
export type FromThinker = { value: Decision | Hint } | { code: string; text: string };

/** A worker, or whatever stands in for one. */
export type Thinker = Pick<Worker, "postMessage" | "onmessage" | "onerror">;

interface Job {
    message: ToThinker;
    done: (answer: FromThinker) => void;
}

export class Thinkers implements Thinking {
    #waiting: Job[] = [];
    #idle: Thinker[] = [];
    #started = 0;

    /** One core is left for the page. */
    constructor(
        readonly start: () => Thinker,
        readonly most = Math.min(4, Math.max(1, (navigator.hardwareConcurrency || 2) - 1)),
    ) {}

    decide(question: Uint8Array, together: number): Promise<Decision> {
        const milliseconds = Math.ceil(patience * Math.min(1, this.most / together));
        return this.#ask({ kind: "think", question, milliseconds }, "after the others");
    }

    /** Who asks for advice waits for it, so it comes first. */
    advise(question: Uint8Array): Promise<Hint> {
        return this.#ask({ kind: "advise", question, milliseconds: patience }, "first");
    }

    #ask<Answer>(message: ToThinker, place: "first" | "after the others"): Promise<Answer> {
        return new Promise((resolve, reject) => {
            const done = (answer: FromThinker) =>
                "value" in answer ? resolve(answer.value as Answer) : reject(new TableError(answer.code, answer.text));
            if (place === "first") this.#waiting.unshift({ message, done });
            else this.#waiting.push({ message, done });
            this.#next();
        });
    }

    #next(): void {
        const thinker = this.#idle.pop() ?? (this.#waiting.length > 0 && this.#started < this.most ? this.#startOne() : undefined);
        if (!thinker) return;
        const job = this.#waiting.shift();
        if (!job) return void this.#idle.push(thinker);
        const answered = (answer: FromThinker) => {
            job.done(answer);
            this.#idle.push(thinker);
            this.#next();
        };
        thinker.onmessage = ({ data }: MessageEvent<FromThinker>) => answered(data);
        thinker.onerror = () => answered({ code: "engine", text: "a thinker could not be started" });
        thinker.postMessage(job.message);
    }

    #startOne(): Thinker {
        this.#started++;
        return this.start();
    }
}
