// The tables of this device: persons take turns at it, or one plays with computer players. It runs in the worker, and in
// node for tests: whoever makes a room gives it the engine, somebody who thinks, a place to keep games, and ears.
//
// A game is its terms and its inputs (gral/host.h), so that is what is kept, after every input; opening it again plays
// them anew.
import type { Decision, Engine, Live } from "$engine/engine.mjs";
import { TableError, type Hint, type TablePush } from "../lib/protocol";
import type { WorkerEvent } from "../lib/engine";
import { patience, type Thinking } from "./thinkers";

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

export interface StoredGame extends SavedGame {
    game: NewGame;
    terms: string;
    inputs: [input: string, time: number][];
}

/** See store.ts; a room's never fails to put. */
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

/** Ids of games on this device begin with this; a server's do not. */
export const localPrefix = "here-";

function random(bytes: number): string {
    const drawn = crypto.getRandomValues(new Uint8Array(bytes));
    return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const newSalt = (): string => random(32);

export function termsOf(game: NewGame, id: string): string {
    const yes = (value = true) => (value ? "yes" : "no");
    const seed = BigInt(game.seed ?? `0x${random(7)}`);
    const first = game.first ?? 1 + Number(seed % BigInt(game.players));
    return [
        `players=${game.players} rules=${game.rules ?? "standard"} first=${first} limit=${game.limit ?? 0}`,
        game.rules === "original" ? `hq=${game.hq ?? "TAIR"}` : "",
        `game=${id} seed=${seed}`,
        game.clock ? `clock=move time=${game.clock}` : "clock=none",
        `pace=${game.pace ?? 700} listed=no notepad=${yes(game.notepad)} talk=${yes(game.talk)}`,
        ...game.seats.map((seat, index) => ("computer" in seat ? `seat${index + 1}=${seat.computer}` : "")),
    ].filter((word) => word !== "").join(" ");
}

interface OpenGame {
    readonly stored: StoredGame;
    readonly live: Live;
    viewer: number;
    version: number;
    /** What computer players have decided and not yet said; null: one still thinks. Another question, another map. */
    decided: Map<number, Decision | null>;
    /** When the last of them was ready. */
    ready: number;
    cancel: () => void;
}

const openGame = (stored: StoredGame, live: Live): OpenGame => (
    { stored, live, viewer: 0, version: 0, decided: new Map(), ready: 0, cancel: () => {} });

export class Room {
    #games = new Map<string, OpenGame>();

    constructor(
        readonly engine: Engine,
        readonly thinkers: Thinking,
        readonly store: GameStore,
        readonly tell: (event: WorkerEvent) => void,
        readonly clock: RoomClock = systemClock,
    ) {}

    // --- games ---

    async newGame(game: NewGame): Promise<string> {
        const { players, seats } = game;
        if (seats.length !== players) throw new TableError("member", "there is one seat for every player");
        const id = localPrefix + random(8);
        const began = this.clock.now();
        const stored: StoredGame = {
            id, game, players, seats, rules: game.rules ?? "standard", terms: termsOf(game, id), inputs: [], began,
            updated: began, turn: 0, over: false, result: null,
        };
        const live = this.engine.openLive(stored.terms, began);
        this.#games.set(id, openGame(stored, live));
        seats.forEach((seat, index) => {
            if (!("person" in seat)) return;
            live.name(index + 1, seat.person);
            this.#apply(id, `sit ${index + 1} ${index + 1}`);
        });
        await this.#keep(stored);
        return id;
    }

    /** Opens a kept game, or one that is open, and lets its computer players go on. */
    async openGame(id: string): Promise<void> {
        if (!this.#games.has(id)) {
            const stored = await this.store.get(id);
            if (!stored) throw new TableError("table", "there is no such table");
            const live = this.engine.openLive(stored.terms, stored.began);
            stored.seats.forEach((seat, index) => "person" in seat && live.name(index + 1, seat.person));
            try {
                for (const [input, time] of stored.inputs) live.input(input, time);
            } catch {
                live.close();
                throw new TableError("storage", "this game was kept by another version and cannot go on");
            }
            this.#games.set(id, openGame(stored, live));
            if (stored.game.clock && !stored.over) this.#apply(id, "resume");
        }
        this.#showAsked(this.#at(id));
        this.#goOn(id);
    }

    closeGame(id: string): void {
        const game = this.#games.get(id);
        game?.cancel();
        game?.live.close();
        this.#games.delete(id);
    }

    async deleteGame(id: string): Promise<void> {
        this.closeGame(id);
        await this.store.delete(id);
    }

    async savedGames(): Promise<SavedGame[]> {
        const all = await this.store.all();
        return all
            .sort((one, other) => other.updated - one.updated)
            .map(({ id, players, rules, seats, began, updated, turn, over, result }) => (
                { id, players, rules, seats, began, updated, turn, over, result }));
    }

    /** The same people at a new table. */
    async rematch(id: string): Promise<string> {
        const stored = this.#games.get(id)?.stored ?? (await this.store.get(id));
        if (!stored) throw new TableError("table", "there is no such table");
        const { seed: _, ...game } = stored.game;
        return this.newGame(game);
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
        this.#goOn(id);
        await this.#keep(this.#at(id).stored);
    }

    hint(id: string, seat: number, adviser: string): Promise<Hint> {
        return this.thinkers.advise(this.#at(id).live.question(seat, adviser));
    }

    record(id: string): string {
        const { live, stored } = this.#at(id);
        return live.record(new Date(stored.began).toISOString().slice(0, 10));
    }

    #at(id: string): OpenGame {
        const game = this.#games.get(id);
        if (!game) throw new TableError("table", "there is no such table");
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
        if (game.version !== version) game.decided = new Map(); // it was another question
        this.#showAsked(game);
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

    /** Computer players think, and what comes by itself is waited for. */
    #goOn(id: string): void {
        const game = this.#games.get(id);
        if (!game) return;
        game.cancel();
        const { live, decided } = game;
        const wanted = live.thinking();
        const asked = wanted.filter((seat) => !decided.has(seat));
        for (const seat of asked) void this.#think(game, seat, asked.length);
        const all = wanted.length > 0 && wanted.every((seat) => decided.get(seat));
        const due = live.due();
        const said = all ? live.tellTime(game.ready) : Infinity;
        const at = Math.min(said, due?.time ?? Infinity);
        if (at === Infinity) return;
        game.cancel = this.clock.later(() => {
            if (due && due.time <= at) this.#apply(id, due.kind === "late" ? `late salt=${newSalt()}` : "speak");
            else this.#sayDecided(id, wanted);
            void this.#keep(game.stored);
            this.#goOn(id);
        }, Math.max(0, at - this.clock.now()));
    }

    async #think(game: OpenGame, seat: number, together: number): Promise<void> {
        const { decided } = game;
        decided.set(seat, null);
        const question = game.live.question(seat);
        // Where nobody can be found to think, the table does.
        const decision = await this.thinkers.decide(question, together).catch(() => this.engine.think(question, patience));
        // Meanwhile the table may have got another question, or was closed.
        if (this.#games.get(game.stored.id) !== game || game.decided !== decided) return;
        decided.set(seat, decision);
        game.ready = this.clock.now();
        this.#goOn(game.stored.id);
    }

    #sayDecided(id: string, seats: readonly number[]): void {
        const game = this.#at(id);
        const { decided } = game;
        const sayings = seats.flatMap((seat) => {
            const saying = decided.get(seat);
            return saying ? [{ seat, ...saying }] : [];
        });
        game.decided = new Map();
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
