// One table as somebody sees it, wherever it is kept, and what he can do there.
//
// A TableState is fed with pushes (docs/protocol.md) and is read by pages; reading it in a component follows changes. A
// TableConnection feeds one and takes orders: LocalConnection (local.svelte.ts) has its table in a worker, OnlineConnection
// (online.svelte.ts) on a server. Orders resolve when they are done, and throw a TableError when they are refused.
import { parseLegal, type Legal } from "./actions";
import { isPawn, pawns, type Pawn } from "./initiates";
import type { Action, Draft, Happening, Hint, Notepad, Round, Seat, Stage, StoryTerms, TablePush, Terms, View, You } from "./protocol";
import { sayError } from "./errors";
import { complain } from "./notices.svelte";

/** A line of the log. `before` and `after` are what everybody knew; null until the story is told, and for what is no action. */
export interface LogEntry {
    readonly index: number;
    readonly happening: Happening;
    readonly before: View | null;
    readonly after: View | null;
}

/** What the engine works out of what a table has told; see engine.ts. */
export interface Teller {
    story(terms: StoryTerms, view: View, actions: readonly { seat: number; action: Action }[], from: number): Promise<View[]>;
}

export const isAction = (happening: Happening): happening is { seat: number; action: Action } => "action" in happening;
/** Placements are heard by one seat only; everybody's story goes without them. */
const isPublic = (happening: Happening) => isAction(happening) && !happening.action.startsWith("place ");

export class TableState {
    /** The table's id. */
    id: string = $state("");
    terms: Terms | null = $state.raw(null);
    stage: Stage = $state("gathering");
    version = $state(0);
    seats: readonly (Seat | null)[] = $state.raw([]);
    round: Round | null = $state.raw(null);
    view: View | null = $state.raw(null);
    /** Null for somebody who only watches. */
    you: You | null = $state.raw(null);
    log: readonly LogEntry[] = $state.raw([]);
    /** Date.now() by which the persons asked must have acted; null without a clock. */
    deadline: number | null = $state(null);
    /** The table where it goes on. */
    next: string | null = $state(null);

    // --- derived ---

    /** My seat, 0 for nobody. */
    readonly seat: number = $derived(this.you?.seat ?? 0);
    /** I have to act or answer. */
    readonly asked: boolean = $derived(this.you?.asked ?? false);
    readonly legal: Legal = $derived(parseLegal(this.you?.legal));
    /** It is my turn, whoever is asked now. */
    readonly myTurn: boolean = $derived(this.seat !== 0 && this.view?.active === this.seat);
    /** How many we wait for besides me. In a hidden round nobody knows who. */
    readonly othersMissing: number = $derived(this.round ? Math.max(0, this.round.asked - this.round.answered - (this.asked ? 1 : 0)) : 0);
    /** The seat we wait for where it is one that everybody knows, else 0. */
    readonly waitingFor: number = $derived(this.view && !this.round?.hidden && !this.asked ? this.view.actor : 0);
    readonly over: boolean = $derived(this.stage === "over");
    /** When it is over, null says that it was given up. */
    readonly result: { winner: number; pawn: Pawn } | "draw" | null = $derived(parseResult(this.view?.result ?? null));
    /** Who carries the grail, or where it lies. */
    readonly bearer: Pawn | null = $derived(this.view && isPawn(this.view.grail) ? this.view.grail : null);
    readonly grailField: string = $derived(this.view ? (this.bearer ? this.view.pawns[pawns.indexOf(this.bearer)]! : this.view.grail) : "c3");
    /** Seats that offer a draw. */
    readonly drawOffers: readonly number[] = $derived(seatsWhere(this.seats, (seat) => seat.draw === true));

    /** How often the story was asked for: only the last answer counts. */
    #telling = 0;

    constructor(readonly teller: Teller | null = null) {}

    /** How many happenings are known: `have` of `watch`. */
    get have(): number {
        return this.log.length;
    }

    /** Puts the parts that came in the place of those that were here. `now` is Date.now(). */
    feed(push: TablePush, now = Date.now()): void {
        const before = this.view;
        this.id = push.table;
        if (push.terms) {
            this.terms = push.terms;
            if (!push.you) this.you = null; // an introduction tells all there is
            if (push.stage === "gathering") this.view = this.round = null;
        }
        if (push.stage) this.stage = push.stage;
        if (push.version !== undefined) this.version = push.version;
        if (push.seats) this.seats = push.seats;
        if (push.round !== undefined) {
            this.round = push.round;
            this.deadline = push.round?.left === undefined ? null : now + push.round.left;
        }
        if (push.view) this.view = push.view;
        if (push.you) this.you = push.you;
        if (push.happened) this.#hear(push.from ?? 0, push.happened, before);
    }

    #hear(from: number, happened: readonly Happening[], before: View | null): void {
        const heard = happened.map((happening, index): LogEntry => ({ index: from + index, happening, before: null, after: null }));
        this.log = [...this.log.slice(0, from), ...heard];
        const actions = heard.filter(({ happening }) => isPublic(happening));
        if (actions.length === 0 || !this.view) return;
        const known = this.log.slice(0, from).every((entry) => !isPublic(entry.happening) || entry.after !== null);
        if (actions.length === 1 && known && before && from > 0) this.#tell(actions, [this.view], before);
        else void this.#tellStory();
    }

    /** Gives entries their views. */
    #tell(entries: readonly LogEntry[], after: readonly View[], before: View | null): void {
        const log = [...this.log];
        entries.forEach((entry, at) => {
            if (after[at] === undefined || log[entry.index]?.happening !== entry.happening) return;
            log[entry.index] = { ...entry, before: at === 0 ? before : after[at - 1]!, after: after[at] };
        });
        this.log = log;
    }

    /** Several things happened at once, and the push shows only how it came out: the engine knows what was in between. */
    async #tellStory(): Promise<void> {
        if (!this.teller || !this.terms || !this.view) return;
        const call = ++this.#telling;
        const all = this.log.filter(({ happening }) => isPublic(happening));
        const first = all.findIndex(({ after }) => after === null);
        if (first < 0) return;
        const actions = all.map(({ happening }) => happening as { seat: number; action: Action });
        let views: readonly View[];
        try {
            views = await this.teller.story({ ...this.terms }, this.view, actions, first);
        } catch (error) {
            return complain(sayError(error)); // what happens next asks again
        }
        if (call !== this.#telling) return; // somebody asked for more since
        this.#tell(all.slice(first), views, first > 0 ? all[first - 1]!.after : null);
    }
}

function seatsWhere(seats: readonly (Seat | null)[], holds: (seat: Seat) => boolean): number[] {
    return seats.flatMap((seat, index) => (seat && holds(seat) ? [index + 1] : []));
}

export function parseResult(result: string | null): { winner: number; pawn: Pawn } | "draw" | null {
    if (result === null || result === "draw") return result;
    const won = /^win (\d+) with (\w\d)$/.exec(result);
    return won && isPawn(won[2]!) ? { winner: Number(won[1]), pawn: won[2] } : null;
}

export interface TableConnection {
    readonly state: TableState;
    /** Where the table is kept. */
    readonly kind: "local" | "online";
    /** Several persons share this device: what one may see, the next must not find. */
    readonly shared: boolean;
    /** How much of the log each seat has been told aloud, where several come and go. */
    readonly told?: Map<number, number>;

    // Playing. Units are placed in one piece that ends with "done"; a salt is made where none is given.
    act(actions: readonly Action[], salt?: string): Promise<void>;
    order(order: string): Promise<void>;
    /** One standing order, or all. */
    cancel(order?: string): Promise<void>;

    // People.
    sit(seat?: number): Promise<void>;
    rise(): Promise<void>;
    draw(): Promise<void>;
    nodraw(): Promise<void>;
    resign(): Promise<void>;
    back(): Promise<void>;
    replace(seat: number): Promise<void>;
    talk(text: string, to?: readonly number[]): Promise<void>;
    offer(offer: string, to?: readonly number[]): Promise<void>;
    mute(seat: number): Promise<void>;
    /** Complains to whoever runs the server; a game on this device has nobody. */
    report?(seat: number, text: string): Promise<void>;
    unmute(seat: number): Promise<void>;
    /** The id of the table where it goes on. */
    rematch(): Promise<string>;

    /** Advice for me, where there is an adviser: not online. */
    hint?(adviser?: string): Promise<Hint>;
    /** What can be deduced; null if nothing can. */
    notepad(): Promise<Notepad | null>;
    /** My sheet with these placements ("place 10 T1"), and what may be placed then. */
    draft(placed: readonly Action[]): Promise<Draft>;
    /** The record, as far as everybody may know it. */
    record(): Promise<string>;
    close(): void;
}
