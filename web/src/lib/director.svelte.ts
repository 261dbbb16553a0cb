// The director decides how fast a table is shown, wherever it is kept. The truth (a TableState that its connection feeds) may be
// far ahead: computer players decide at once. `shown` is a table, too, and what a page shows: it follows beat by beat (beats.ts),
// each held as long as its words take to read, and longer if it matters.
//
// On this device nobody is asked before he has seen what he is asked about. Online nothing is delayed that one could act on: who
// is asked is shown the truth at once, and what he has not seen is in `digest`. So is what somebody has skipped.
import { untrack } from "svelte";
import { beatsOf, caption, condense, isDecisive, isSaid, type Beat, type BeatKind } from "./beats";
import { pawns } from "./initiates";
import type { View, You } from "./protocol";
import { settings } from "./settings.svelte";
import { play, type Sound } from "./sounds";
import { isAction, TableState, type LogEntry } from "./table.svelte";
import { round, speeds, times, toRead, usualTurn } from "./tempo";
import { names, sayOffer } from "./words";

interface Manner {
    /** How much longer than its words take to read, at leisure and at a table in a hurry. */
    readonly weight: number;
    readonly least: number;
    readonly sound?: Sound;
    /** A newcomer meets it for the first time, and goes on when he has understood. */
    readonly isNews?: true;
}

const manners: Readonly<Record<BeatKind, Manner>> = {
    opening: { weight: 0.7, least: 700 },
    proposal: { weight: 1, least: 1000, isNews: true },
    objection: { weight: 1.25, least: 750, sound: "objection", isNews: true },
    answer: { weight: 1.25, least: 750, sound: "answer", isNews: true },
    stopped: { weight: 1.1, least: 450, sound: "veto", isNews: true },
    accepted: { weight: 0.6, least: 300 },
    step: { weight: 0.7, least: 350, sound: "step", isNews: true },
    grail: { weight: 1.2, least: 900, sound: "grail", isNews: true },
    uncovering: { weight: 1.6, least: 1800, sound: "uncovering", isNews: true },
    assignment: { weight: 0.9, least: 700, sound: "seal", isNews: true },
    end: { weight: 1, least: 2500, sound: "victory" },
    speech: { weight: 0, least: 0 },
    people: { weight: 0, least: 0 },
};

/** Of what somebody does himself he knows before it is shown. */
const own = 0.35;
const decisive = 1.4;
/** At a table in a hurry nothing is shorter than this part of its time, but for `least`. */
const hurry = 0.2;
/** Below this part of the time not everything can be told. */
const tight = 0.8;

/** How long a beat is held at the tempo that is set, where a table with much to tell takes only a part of the time. */
export function holdOf(beat: Beat, words: string, me: number, part = 1): number {
    const { weight, least } = manners[beat.kind];
    if (weight === 0) return 0;
    const mine = beat.seat === me && me > 0 && ["proposal", "objection", "answer", "stopped", "assignment", "opening"].includes(beat.kind);
    const wanted = toRead(words) * weight * (isDecisive(beat) ? decisive : 1) * (mine ? own : 1) * Math.min(1, part);
    const speed = speeds[settings.tempo];
    return speed === 0 ? 0 : Math.max(mine ? least * own : least, wanted * speed);
}

export interface DirectorClock {
    now(): number;
    /** Returns how to call it off. */
    later(run: () => void, milliseconds: number): () => void;
}

const systemClock: DirectorClock = {
    now: () => Date.now(),
    later: (run, milliseconds) => {
        const timer = setTimeout(run, milliseconds);
        return () => clearTimeout(timer);
    },
};

export interface Speech {
    readonly key: number;
    readonly seat: number;
    readonly words: string;
    /** It is an offer, which can be answered with a word. */
    readonly isOffer: boolean;
    /** It was whispered to these seats. */
    readonly to?: readonly number[] | undefined;
}

/** What everybody hears of; placements are heard by one seat only. */
const publicActions = (log: readonly LogEntry[]) => log.filter(({ happening }) => isAction(happening) && !happening.action.startsWith("place "));

export interface Direction {
    readonly online: boolean;
    /** Alone with computers: nobody can conclude anything from a pass that comes by itself, so it does. */
    readonly pass?: (() => Promise<void>) | undefined;
}

export class Director {
    readonly shown = new TableState();
    /** What is looked at now, or was last. */
    beat: Beat<LogEntry> | null = $state.raw(null);
    /** Everything has been shown. */
    settled: boolean = $state(true);
    /** When what is looked at has been read: from when, for how long. Null where nothing goes on by itself. */
    held: { readonly since: number; readonly time: number } | null = $state.raw(null);
    /** A kind of moment that is new to this person: it goes on when he has understood. */
    lesson: BeatKind | null = $state(null);
    /** What was not shown since my last decision. */
    digest: readonly Beat<LogEntry>[] = $state.raw([]);
    /** What is being said, the oldest first. */
    speech: readonly Speech[] = $state.raw([]);

    /** How much of the log has been shown, and how many actions of everybody's are in it. */
    #at = 0;
    #actions = 0;
    /** How much of it was there when the truth was shown last: no board goes back to what was before. */
    #seen = 0;
    #viewer = 0;
    #skipping = false;
    /** A pass that came by itself was refused: now the person is asked. */
    #refused = -1;
    #passing = -1;
    #cancel: (() => void) | null = null;
    #quiet: (() => void)[] = [];
    /** What may still be taken for turns that were begun. */
    #allowance = 0;
    #turn = -1;
    #stop: (() => void) | undefined;
    #speeches = 0;

    constructor(
        readonly truth: TableState,
        readonly direction: Direction,
        readonly clock: DirectorClock = systemClock,
    ) {
        this.#jump();
        this.#settle();
    }

    /** Follows the truth by itself until it is closed. */
    begin(): this {
        this.#stop = $effect.root(() => {
            $effect.pre(() => {
                const { truth } = this;
                void [truth.terms, truth.stage, truth.version, truth.seats, truth.round, truth.view, truth.you, truth.log, truth.deadline, truth.next];
                void [settings.tempo, settings.automaticPasses];
                untrack(() => this.follow());
            });
        });
        return this;
    }

    close(): void {
        this.#stop?.();
        this.#cancel?.();
        for (const quiet of this.#quiet) quiet();
    }

    /** How many beats wait to be shown. */
    get waiting(): number {
        return this.#next().length;
    }

    /** From this place in the log on it is shown once more. */
    rewind(to: number): void {
        this.#at = this.#seen = to;
        this.#actions = publicActions(this.truth.log.slice(0, to)).length;
        this.follow();
    }

    /** The truth has changed. */
    follow(): void {
        const { truth, shown } = this;
        if (shown.asked && (!truth.asked || truth.version !== shown.version)) this.digest = [];
        if (this.truth.seat !== this.#viewer || this.truth.log.length < this.#at) this.#reposition();
        this.#passByItself();
        if (this.#isUrgent()) this.#catchUp();
        else if (!this.held && !this.lesson) this.#advance();
        else this.#copy();
    }

    /** Enough of this one. */
    next(): void {
        if (this.lesson) {
            settings.met = `${settings.met} ${this.lesson}`.trim();
            this.lesson = null;
        }
        this.#advance();
    }

    /** To my next decision, or to the end. */
    skip(): void {
        this.lesson = null;
        this.#skipping = true;
        this.#catchUp();
    }

    // --- where we are ---

    /** Everything that is there now is old. */
    #jump(): void {
        this.#at = this.#seen = this.truth.log.length;
        this.#actions = publicActions(this.truth.log).length;
        this.#viewer = this.truth.seat;
    }

    /** Somebody else looks: he has heard of his own placements, and nobody else's. */
    #reposition(): void {
        const { log } = this.truth;
        const next = publicActions(log)[this.#actions];
        this.#viewer = this.truth.seat;
        this.#at = this.#seen = next ? next.index : log.length;
    }

    /** What is to be shown next: all that has been heard, or what stands for it where time is short. Then turns are told whole. */
    #next(): Beat<LogEntry>[] {
        const { truth } = this;
        const beats = beatsOf(truth.log).filter(({ end }) => end > this.#at);
        const open = beats.findIndex((beat) => beat.open);
        const heard = open < 0 ? beats : beats.slice(0, open);
        const first = heard.find(({ before }) => before !== null);
        if (this.direction.online || !first || this.#time(first) >= tight) return heard;
        const turn = truth.asked || truth.over ? Infinity : (truth.view?.turn ?? 0);
        return condense(heard.filter(({ before }) => before === null || before.turn < turn));
    }

    /** Some of the log was heard of, and its story is still being told. */
    #waitsForStory(): boolean {
        return publicActions(this.truth.log).some(({ index, after }) => index >= this.#at && after === null);
    }

    /** Nothing may be delayed. */
    #isUrgent(): boolean {
        const givenUp = this.truth.over && this.truth.result === null;
        if (settings.tempo === "instant" || this.#skipping || givenUp || this.truth.stage === "gathering") return true;
        return this.direction.online && (this.truth.asked || globalThis.document?.hidden === true);
    }

    #passByItself(): void {
        const { truth, direction } = this;
        const { version } = truth;
        if (!direction.pass || !this.passes || this.#passing === version) return;
        this.#passing = version;
        void direction.pass().catch(() => {
            this.#refused = version;
            this.follow();
        });
    }

    /** I am asked and can only pass, and that comes by itself. */
    get passes(): boolean {
        const { truth } = this;
        if (!this.direction.pass || !settings.automaticPasses || this.#refused === truth.version) return false;
        return truth.asked && truth.view?.phase === "objection" && truth.legal.onlyPass;
    }

    // --- going on ---

    #advance = (): void => {
        this.#cancel?.();
        this.#cancel = null;
        this.held = null;
        for (let [beat] = this.#next(); beat; [beat] = this.#next()) if (this.#present(beat)) return;
        if (!this.#waitsForStory()) return this.#settle();
        this.settled = false;
        this.#awaitStory();
    };

    #awaitStory(): void {
        this.#cancel = this.clock.later(() => this.#settle(), times.story);
        this.#copy();
    }

    /** Shows a beat; false if the next may follow at once. */
    #present(beat: Beat<LogEntry>): boolean {
        this.#take(beat);
        if (beat.end <= this.#seen) {
            this.digest = [...this.digest, beat];
            return false;
        }
        const time = holdOf(beat, caption(beat, names(this.truth)), this.truth.seat, this.#part(beat));
        if (time === 0) return false;
        this.settled = false;
        this.beat = beat;
        this.#copy(beat.after);
        this.#sound(beat);
        if (this.#isNew(beat)) {
            this.lesson = beat.kind;
            return true;
        }
        this.#allowance -= time / speeds[settings.tempo];
        this.held = { since: this.clock.now(), time };
        this.#cancel = this.clock.later(this.#advance, time);
        return true;
    }

    #take(beat: Beat<LogEntry>): void {
        this.#at = Math.max(this.#at, beat.end);
        this.#actions = publicActions(this.truth.log.slice(0, this.#at)).length;
        if (beat.kind === "speech") this.#say(beat.entries[0]!);
    }

    /** A decision of my own. */
    #isMine = ({ kind, seat }: Beat) => seat > 0 && seat === this.truth.seat && kind !== "speech" && kind !== "people";

    /** Newcomers to this device have each kind of moment explained, once. */
    #isNew({ kind, seat }: Beat): boolean {
        if (this.direction.online || this.truth.seat === 0 || !settings.tips || !manners[kind].isNews) return false;
        return seat !== this.truth.seat && !settings.met.split(" ").includes(kind);
    }

    /** What part of its time a beat may take, so that a round of many turns takes no longer than one of few. */
    #time({ before }: Beat): number {
        const { seats, seat } = this.truth;
        const others = Math.max(1, seats.length - 1);
        const until = before && seat > 0 ? (seat - before.active + seats.length) % seats.length : others;
        const turns = Math.max(1, until);
        const begun = before && before.turn !== this.#turn ? round / others : 0;
        return (this.#allowance + begun + ((turns - 1) * round) / others) / (turns * usualTurn);
    }

    #part(beat: Beat): number {
        const { before } = beat;
        const part = this.#time(beat);
        if (before && before.turn !== this.#turn) {
            this.#turn = before.turn;
            this.#allowance += round / Math.max(1, this.truth.seats.length - 1);
        }
        // Online the others do not wait.
        const behind = this.direction.online ? 6 / Math.max(6, this.waiting) : 1;
        return Math.max(hurry, Math.min(1, part) * behind);
    }

    #catchUp(): void {
        this.#cancel?.();
        this.#cancel = null;
        this.lesson = null;
        let last: Beat<LogEntry> | undefined;
        const missed: Beat<LogEntry>[] = [...this.digest];
        for (const beat of this.#next()) {
            if (this.#isMine(beat)) missed.length = 0;
            else missed.push(beat);
            this.#take(beat);
            if (manners[beat.kind].weight > 0) last = beat;
        }
        this.digest = missed;
        if (last) {
            this.beat = last;
            this.#sound(last);
        }
        if (!this.settled && !this.direction.online && this.#waitsForStory()) return this.#awaitStory();
        this.#settle();
    }

    #settle(): void {
        const { truth } = this;
        this.#cancel?.();
        this.#cancel = null;
        if ((truth.asked && !this.passes) || truth.over) {
            this.#skipping = false;
            this.#allowance = 0;
        }
        this.#seen = truth.log.length;
        this.held = null;
        this.settled = true;
        this.#copy();
    }

    /** What is shown: the truth, or what everybody knew after a beat. */
    #copy(view: View | null = null): void {
        const { truth, shown, settled } = this;
        shown.id = truth.id;
        shown.terms = truth.terms;
        shown.seats = truth.seats;
        shown.next = truth.next;
        if (settled) {
            shown.stage = truth.stage;
            shown.version = truth.version;
            shown.round = truth.round;
            shown.deadline = truth.deadline;
            shown.view = truth.view;
            shown.log = truth.log;
            shown.you = this.passes ? silent(truth.you) : truth.you;
            return;
        }
        if (view) {
            shown.round = shown.deadline = null;
            shown.view = view;
        }
        shown.log = truth.log.slice(0, this.#at);
        shown.you = this.#sheetThen(silent(truth.you));
    }

    /** My own sheet is what it is, but for those whose uncovering is yet to be shown. */
    #sheetThen(you: You | null): You | null {
        const [then, now] = [this.shown.view, this.truth.view];
        const before = this.shown.you;
        if (!you?.influence || !then || !now || before?.seat !== you.seat || !before.influence) return you;
        const influence = pawns.map((_, at) => (now.pawns[at] === "-" && then.pawns[at] !== "-" ? before.influence![at]! : you.influence![at]!));
        return { ...you, influence };
    }

    // --- to the ear ---

    #sound(beat: Beat): void {
        const { sound } = manners[beat.kind];
        if (sound && !(beat.kind === "grail" && beat.before?.grail === beat.after?.grail)) play(sound);
    }

    #say({ happening, index }: LogEntry): void {
        if (!isSaid(happening) || happening.seat === this.truth.seat || settings.tempo === "instant") return;
        const words = "offer" in happening ? sayOffer(happening.offer, names(this.truth)) : happening.talk;
        const isOffer = "offer" in happening && !["agree", "refuse"].includes(happening.offer); // else it is an answer
        const { seat, to } = happening;
        const key = index * 1000 + (this.#speeches++ % 1000);
        this.speech = [...this.speech.filter((one) => one.seat !== seat).slice(-1), { key, seat, words, isOffer, to }];
        this.#quiet.push(this.clock.later(() => this.hush(key), 2000 + 2.5 * toRead(words)));
    }

    /** Somebody has heard it. */
    hush(key: number): void {
        this.speech = this.speech.filter((one) => one.key !== key);
    }
}

/** Not asked. */
function silent(you: You | null): You | null {
    if (!you?.asked) return you;
    const { legal: _, ...rest } = you;
    return { ...rest, asked: false };
}
