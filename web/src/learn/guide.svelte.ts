// Leads through one lesson: sets up its tables in the worker, lets the others act, and looks at what the learner wants
// to do before it goes to the table. What is not allowed the engine refuses; what is allowed but not the lesson's
// task is met with a hint.
import { newSalt } from "../lib/calls";
import { ask } from "../lib/engine";
import { LocalConnection } from "../lib/local.svelte";
import { TableError, type Action } from "../lib/protocol";
import { still } from "../lib/settings.svelte";
import type { TableConnection, TableState } from "../lib/table.svelte";
import { tempo } from "../lib/tempo";
import { course, people, type LessonId, type Step } from "./course";
import { progress } from "./progress.svelte";
import { slipOf, type Prepared, type Slip } from "./script";

export type Feedback = { readonly kind: "hint"; readonly slip: Slip } | { readonly kind: "refused"; readonly error: unknown };

const wait = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

export class Guide {
    /** The step that is told now; past the last when the lesson is done. */
    at: number = $state(0);
    /** Others act, or a table is being set up. */
    busy: boolean = $state(true);
    feedback: Feedback | null = $state.raw(null);
    /** As the table's pages want it; what is done through it goes by the guide. */
    table: TableConnection | null = $state.raw(null);
    readonly steps: readonly Step[];

    #local: LocalConnection | null = null;
    #seat = 1;
    #closed = false;

    constructor(readonly lesson: LessonId) {
        this.steps = course[lesson].steps;
    }

    get step(): Step | undefined {
        return this.steps[this.at];
    }

    get done(): boolean {
        return this.at >= this.steps.length;
    }

    /** Begins, or goes on where somebody has left: what was done before is done again, unseen. */
    async start(from = 0): Promise<void> {
        this.busy = true;
        this.feedback = null;
        let table: Prepared | undefined;
        let said: string[] = [];
        this.#seat = 1;
        for (const { table: fresh, seat, way, then } of this.steps.slice(0, from)) {
            if (fresh) [table, said] = [fresh, [...fresh.before]];
            this.#seat = seat ?? this.#seat;
            if (way) said.push(`${this.#seat} ${way.join("; ")}`);
            said.push(...(then ?? []));
        }
        if (table && !this.steps[from]?.table) await this.#open({ ...table, before: said });
        await this.#tell(from);
    }

    /** From a step that is only told to the next. */
    async goOn(): Promise<void> {
        if (this.busy || !this.step || this.step.want) return;
        this.busy = true;
        await this.#others(this.step.then);
        await this.#tell(this.at + 1);
    }

    /** What the learner wants to do. */
    async act(actions: readonly Action[]): Promise<void> {
        const step = this.step;
        if (this.busy || !this.#local || !step) return;
        if (!step.want?.(actions)) {
            this.feedback = await this.#objection(this.#local, actions);
            return;
        }
        this.busy = true;
        this.feedback = null;
        try {
            await this.#local.act(actions);
        } catch (error) {
            this.feedback = { kind: "refused", error };
            this.busy = false;
            return;
        }
        await this.#others(step.then);
        await this.#tell(this.at + 1);
    }

    /** Does for the learner what is asked of him. */
    async showMe(): Promise<void> {
        if (this.step?.way) await this.act(this.step.way);
    }

    close(): void {
        this.#closed = true;
        this.#leave();
    }

    #leave(): void {
        this.#local?.close();
        this.#local = null;
        this.table = null;
    }

    async #tell(at: number): Promise<void> {
        if (this.#closed) return;
        const step = this.steps[at];
        this.busy = true;
        if (step) progress.reach(this.lesson, at);
        else progress.finish(this.lesson);
        this.#seat = step?.seat ?? this.#seat;
        if (step?.table) await this.#open(step.table);
        else if (this.#local && this.#local.seat !== this.#seat) await this.#local.sitDown(this.#seat);
        if (this.#closed) return this.#leave();
        this.at = at;
        this.busy = false;
    }

    async #open({ players, first, original, before }: Prepared): Promise<void> {
        this.#leave();
        const id = await ask("newGame", {
            players,
            first,
            ...(original ? { rules: "original" } : {}),
            seats: people.slice(0, players).map((person) => ({ person })),
            pace: 0, // nobody has to guess here who can object
            talk: false,
            keep: false,
        });
        for (const words of before) await this.#say(id, words);
        const local = await LocalConnection.open(id);
        await local.sitDown(this.#seat);
        if (this.#closed) return local.close();
        local.goOn();
        this.#local = local;
        this.table = this.#guided(local);
    }

    /** The others act, with time to see it. */
    async #others(lines: readonly string[] = []): Promise<void> {
        for (const words of lines) {
            if (!still()) await wait(tempo("lesson") / (words.endsWith(" pass") ? 4 : 1));
            if (this.#closed || !this.#local) return;
            await this.#say(this.#local.id, words);
        }
        if (lines.length > 0 && !still()) await wait(tempo("lesson") / 2);
    }

    #say(id: string, words: string): Promise<void> {
        const [seat, ...actions] = words.split(" ");
        return ask("input", id, `do ${seat} salt=${newSalt()} ${actions.join(" ")}`);
    }

    /** Why this is not what is wanted: the rules, if they forbid it, else only the lesson. */
    async #objection(local: LocalConnection, actions: readonly Action[]): Promise<Feedback> {
        try {
            if (actions.length > 1) await local.draft(actions.filter((action) => action.startsWith("place ")));
            else if (!isLegal(local.state, actions[0] ?? "")) await local.act(actions);
        } catch (error) {
            if (error instanceof TableError) return { kind: "refused", error };
            throw error;
        }
        return { kind: "hint", slip: slipOf(actions[0] ?? "done", this.step?.way) };
    }

    #guided(local: LocalConnection): TableConnection {
        const act = (actions: readonly Action[]) => this.act(actions);
        return new Proxy<TableConnection>(local, {
            get: (_, name) => {
                if (name === "act") return act;
                const value: unknown = Reflect.get(local, name, local);
                return typeof value === "function" ? (value.bind(local) as unknown) : value;
            },
        });
    }
}

/** What the table has said may be done; figures are folded there: "object 3..17". */
function isLegal(state: TableState, action: Action): boolean {
    const [verb, figure] = action.split(" ");
    const { points } = state.legal;
    if (points && verb === points.verb) return Number(figure) >= points.least && Number(figure) <= points.most;
    return state.you?.legal?.includes(action) ?? false;
}
