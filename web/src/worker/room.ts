// The tables of this device: persons take turns at it, or one plays with computer players. It runs in the worker, and in
// node for tests: whoever makes a room gives it the engine, somebody who thinks, a place to keep games, and ears.
//
// A game is its terms and its inputs (gral/host.h), so that is what is kept, after every input; opening it again plays
// them anew.
import type { Decision, Engine, Live } from "$engine/engine.mjs";
import { localPrefix, newSalt, random, type NewGame, type SavedGame, type WorkerEvent, type WorkerTrouble } from "../lib/calls";
import { usualOwners } from "../lib/initiates";
import { TableError, type Hint, type TablePush } from "../lib/protocol";
import type { Hold } from "./locks";
import { patience, timeFor, type Thinking } from "./thinkers";

export interface StoredGame extends SavedGame {
    game: NewGame;
    terms: string;
    inputs: [input: string, time: number][];
}

/** See store.ts; a room's refuses to put only what is behind what is kept. */
export interface GameStore {
    get(id: string): Promise<StoredGame | undefined>;
    put(game: StoredGame): Promise<void>;
    delete(id: string): Promise<void>;
    all(): Promise<StoredGame[]>;
}

export interface RoomClock {
    now(): number;
    /** Returns how to call it off. */
    later(run: () => void, milliseconds: number): () => void;
}

export const systemClock: RoomClock = {
    now: () => Date.now(),
    later: (run, milliseconds) => {
        const timer = setTimeout(run, milliseconds);
        return () => clearTimeout(timer);
    },
};

export function termsOf(game: NewGame, id: string): string {
    const yes = (value = true) => (value ? "yes" : "no");
    const seed = BigInt(game.seed ?? `0x${random(7)}`);
    const first = game.first ?? 1 + Number(seed % BigInt(game.players));
    return [
        `players=${game.players} rules=${game.rules ?? "standard"} first=${first} limit=${game.limit ?? 0}`,
        game.rules === "original" ? `hq=${game.hq ?? usualOwners}` : "",
        `game=${id} seed=${seed}`,
        game.clock ? `clock=move time=${game.clock}` : "clock=none",
        `pace=${game.pace ?? 700} listed=no notepad=${yes(game.notepad)} talk=${yes(game.talk)}`,
        ...game.seats.map((seat, index) => ("computer" in seat ? `seat${index + 1}=${seat.computer}` : "")),
    ]
        .filter((word) => word !== "")
        .join(" ");
}

/** A person who has resigned is stood in for by the host's own. */
function computerAt({ seats }: StoredGame, seat: number): string {
    const sits = seats[seat - 1]!;
    return "computer" in sits ? sits.computer : "level=3";
}

interface OpenGame {
    readonly stored: StoredGame;
    readonly live: Live;
    viewer: number;
    version: number;
    question: Question;
    cancel: () => void;
    /** Other windows may open it. */
    release: () => void;
}

/** What computer players are asked now. */
class Question {
    /** What they have decided and not yet said; null: one still thinks. */
    readonly decided = new Map<number, Decision | null>();
    /** Aborted when it is asked no longer. */
    readonly over = new AbortController();
    /** When the last of them was ready. */
    ready = 0;

    constructor(readonly began: number) {}
}

export class Room {
    #games = new Map<string, OpenGame>();
    /** How many look at a game, and its opening, which they share. */
    #visits = new Map<string, { users: number; readonly opened: Promise<void> }>();

    constructor(
        readonly engine: Engine,
        readonly thinkers: Thinking,
        /** Before the engine thinks itself, where nobody else can. */
        readonly learn: () => Promise<void>,
        readonly store: GameStore,
        readonly tell: (event: WorkerEvent | WorkerTrouble) => void,
        readonly hold: Hold,
        readonly clock: RoomClock = systemClock,
    ) {}

    // --- games ---

    async newGame(game: NewGame): Promise<string> {
        const { players, seats } = game;
        if (seats.length !== players) throw new TableError("member", "each player needs exactly one seat");
        const id = localPrefix + random(8);
        const began = this.clock.now();
        const stored: StoredGame = {
            id,
            game,
            players,
            seats,
            rules: game.rules ?? "standard",
            terms: termsOf(game, id),
            inputs: [],
            began,
            updated: began,
            turn: 0,
            over: false,
            result: null,
        };
        this.#open(stored);
        seats.forEach((seat, index) => "person" in seat && this.#apply(id, `sit ${index + 1} ${index + 1}`));
        if (game.keep ?? true) {
            await this.store.put(stored);
            this.#close(id); // whichever window opens it has it
        }
        return id;
    }

    /** Opens a game, or one that is open. */
    async openGame(id: string): Promise<void> {
        const visit = this.#visits.get(id) ?? { users: 0, opened: this.#fetch(id) };
        this.#visits.set(id, visit);
        visit.users++;
        try {
            await visit.opened;
        } catch (error) {
            if (this.#visits.get(id) === visit) this.#visits.delete(id);
            throw error;
        }
        this.#showAsked(this.#at(id));
    }

    /** One who has opened it looks no longer. */
    closeGame(id: string): void {
        const visit = this.#visits.get(id);
        if (!visit || --visit.users === 0) this.#close(id);
    }

    async deleteGame(id: string): Promise<void> {
        this.#close(id);
        const release = await this.hold(id);
        await this.store.delete(id);
        release();
    }

    #open(stored: StoredGame, release = () => {}): OpenGame {
        const live = this.engine.openLive(stored.terms, stored.began);
        stored.seats.forEach((seat, index) => "person" in seat && live.name(index + 1, seat.person));
        const question = new Question(this.clock.now());
        const game: OpenGame = { stored, live, viewer: 0, version: 0, question, cancel: () => {}, release };
        this.#games.set(stored.id, game);
        return game;
    }

    /** Opens a kept game that no other window plays; one that is over everybody may look at. */
    async #fetch(id: string): Promise<void> {
        if (this.#games.has(id)) return; // a new one that is not kept
        const release = (await this.store.get(id))?.over ? () => {} : await this.hold(id);
        try {
            const stored = await this.store.get(id);
            if (!stored) throw new TableError("table", "this table does not exist");
            const { live } = this.#open(stored, release);
            for (const [input, time] of stored.inputs) live.input(input, time);
            if (stored.game.clock && !stored.over) this.#apply(id, "resume");
        } catch (error) {
            release();
            this.#close(id);
            if (error instanceof TableError) throw error;
            throw new TableError("storage", "this game was saved by another version and can't be continued");
        }
    }

    #close(id: string): void {
        const game = this.#games.get(id);
        this.#games.delete(id);
        this.#visits.delete(id);
        game?.cancel();
        game?.question.over.abort();
        game?.live.close();
        game?.release();
    }

    async savedGames(): Promise<SavedGame[]> {
        const all = await this.store.all();
        return all
            .sort((one, other) => other.updated - one.updated)
            .map(({ id, players, rules, seats, began, updated, turn, over, result }) => ({ id, players, rules, seats, began, updated, turn, over, result }));
    }

    /** The same people at a new table, whose pace is what they like now. */
    async rematch(id: string, pace: number): Promise<string> {
        const stored = this.#games.get(id)?.stored ?? (await this.store.get(id));
        if (!stored) throw new TableError("table", "this table does not exist");
        const { seed: _, ...game } = stored.game;
        return this.newGame({ ...game, pace });
    }

    // --- looking and acting ---

    /** From now on this seat looks (0: somebody who only watches); he is told everything. */
    viewer(id: string, seat: number): void {
        const game = this.#at(id);
        game.viewer = seat;
        const push = game.live.push(seat, true, this.clock.now());
        if (push) this.#pass(game, push);
    }

    /** An input's text, gral/host.h; resolves when it is kept. */
    async input(id: string, input: string): Promise<void> {
        this.#apply(id, input);
        this.goOn(id);
        await this.#keep(this.#at(id).stored);
    }

    async hint(id: string, seat: number, adviser: string): Promise<Hint> {
        const question = this.#at(id).live.question(seat, adviser);
        return this.thinkers.advise(question).catch(async () => {
            await this.learn();
            return this.engine.advise(question, patience);
        });
    }

    record(id: string): string {
        const { live, stored } = this.#at(id);
        return live.record(new Date(stored.began).toISOString().slice(0, 10));
    }

    #at(id: string): OpenGame {
        const game = this.#games.get(id);
        if (!game) throw new TableError("table", "this table does not exist");
        return game;
    }

    #apply(id: string, input: string): void {
        const game = this.#at(id);
        const { live, stored } = game;
        const time = Math.max(this.clock.now(), stored.inputs.at(-1)?.[1] ?? stored.began);
        live.input(input, time);
        stored.inputs.push([input, time]);
        stored.updated = time;
        const { version } = game;
        const push = live.push(game.viewer, false, time);
        if (push) this.#pass(game, push);
        if (game.version !== version) this.#askAnew(game, time);
        this.#showAsked(game);
    }

    #askAnew(game: OpenGame, began: number): void {
        game.question.over.abort();
        game.question = new Question(began);
    }

    #pass(game: OpenGame, push: TablePush): void {
        const { stored } = game;
        game.version = push.version ?? game.version;
        if (push.stage) stored.over = push.stage === "over";
        if (push.view) Object.assign(stored, { turn: push.view.turn, result: push.view.result });
        this.tell({ event: "push", id: stored.id, push });
    }

    #showAsked({ live, stored }: OpenGame): void {
        const thinking = new Set(live.thinking());
        this.tell({ event: "asked", id: stored.id, asked: live.asked().filter((seat) => !thinking.has(seat)) });
    }

    async #keep(stored: StoredGame): Promise<void> {
        if (stored.game.keep ?? true) await this.store.put(stored);
    }

    // --- what comes by itself ---

    /** Computer players think, and what comes by itself is waited for. Whoever opens a game says when: not before it is on the
     *  screen, for they need the net, which is large, and the processor. */
    goOn(id: string): void {
        const game = this.#games.get(id);
        if (!game) return;
        game.cancel();
        const { live, question, stored } = game;
        const { decided, began, ready } = question;
        const wanted = live.thinking();
        const asked = wanted.filter((seat) => !decided.has(seat));
        const { wait, each } = timeFor(
            wanted.map((seat) => this.engine.thinkingTime(computerAt(stored, seat))),
            this.thinkers.sideBySide,
        );
        for (const seat of asked) void this.#byItself(() => this.#think(game, seat, each));
        const all = wanted.length > 0 && wanted.every((seat) => decided.get(seat));
        const due = live.due();
        const said = all ? live.tellTime(began + wait * Math.max(1, Math.ceil((ready - began) / wait))) : Infinity;
        const at = Math.min(said, due?.time ?? Infinity);
        if (at === Infinity) return;
        game.cancel = this.clock.later(
            () =>
                void this.#byItself(async () => {
                    if (due && due.time <= at) this.#apply(id, due.kind === "late" ? `late salt=${newSalt()}` : "speak");
                    else this.#sayDecided(id, wanted);
                    const kept = this.#keep(stored);
                    this.goOn(id);
                    await kept;
                }),
            Math.max(0, at - this.clock.now()),
        );
    }

    /** Nobody waits for the answer of what nobody has asked for: what goes wrong there is told. */
    async #byItself(run: () => Promise<void>): Promise<void> {
        try {
            await run();
        } catch (error) {
            this.tell({ event: "stuck", reason: error instanceof Error ? error.message : String(error) });
        }
    }

    async #think(game: OpenGame, seat: number, milliseconds: number): Promise<void> {
        const { live, question } = game;
        const { signal } = question.over;
        question.decided.set(seat, null);
        const words = live.question(seat);
        const decision = await this.thinkers.decide(words, milliseconds, signal).catch(async () => {
            // Where nobody can be found to think, the table does.
            if (!signal.aborted) await this.learn();
            return signal.aborted ? null : this.engine.think(words, milliseconds);
        });
        // Meanwhile the table may have got another question, or was closed.
        if (signal.aborted) return;
        question.decided.set(seat, decision);
        question.ready = this.clock.now();
        this.goOn(game.stored.id);
    }

    #sayDecided(id: string, seats: readonly number[]): void {
        const game = this.#at(id);
        const { decided } = game.question;
        const sayings = seats.flatMap((seat) => {
            const saying = decided.get(seat);
            return saying ? [{ seat, ...saying }] : [];
        });
        this.#askAnew(game, this.clock.now());
        for (const { seat, actions, offer } of sayings) {
            this.#apply(id, `do ${seat} computer salt=${newSalt()} ${actions.join("; ")}`);
            if (offer === null) continue;
            try {
                this.#apply(id, `offer ${seat} computer ${offer}`);
            } catch {
                // Nobody listens any more.
            }
        }
    }
}
