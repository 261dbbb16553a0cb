import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { blake2b } from "@noble/hashes/blake2.js";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadEngine, type Engine } from "../../engine/engine.mjs";
import { parseAction, parseLegal } from "./actions";
import { speak } from "./language.svelte";
import { TableError, type Seat, type TablePush, type View } from "./protocol";
import { isAction, TableState } from "./table.svelte";
import { computerOf, names, sayAction, sayAdvice, sayEntry, sayOffer, sayOrder, sayReason, sayResult, sayStatus } from "./words";
import { Room, type GameStore, type NewGame, type RoomClock, type StoredGame } from "../worker/room";
import { timeFor, Thinkers, type FromThinker, type Thinker, type Thinking, type ToThinker } from "../worker/thinkers";
import type { WorkerEvent, WorkerTrouble } from "./engine";

const wasm = new URL("../../../build/wasm/web/engine/gral.wasm", import.meta.url);
let engine: Engine;
beforeAll(async () => {
    engine = await loadEngine(await WebAssembly.compile(readFileSync(wasm)), (bytes) => blake2b(bytes, { dkLen: 32 }));
});

afterEach(() => speak("en"));

const nothing = () => [0, 0, 0, 0, 0, 0, 0, 0];
const view = (parts: Partial<View> = {}): View => ({
    phase: "turn",
    actor: 1,
    turn: 1,
    active: 1,
    pawns: ["a1", "a1", "e1", "e1", "e5", "e5", "a5", "a5"],
    grail: "c3",
    proposal: null,
    claim: 0,
    objection: null,
    rejected: [],
    known: [nothing(), nothing()],
    paid: [nothing(), nothing()],
    result: null,
    ...parts,
});
const introduction = (parts: Partial<TablePush> = {}): TablePush => ({
    push: "table",
    table: "t",
    stage: "playing",
    version: 2,
    round: { asked: 1, answered: 0, hidden: false },
    view: view(),
    terms: { players: 2, rules: "standard", first: 1, limit: 0, clock: null, pace: 20, listed: true, notepad: true, talk: true },
    seats: [{ name: "Ann", present: true }, { computer: "thinker:level=3,as=fox" }],
    from: 0,
    happened: [],
    ...parts,
});
const you = { seat: 1, influence: nothing(), units: [4, 4, 4, 4, 4, 4], asked: true, orders: [], muted: [] };

describe("actions", () => {
    test("fall into their parts", () => {
        expect(parseAction("step A2 d3 x T1")).toEqual({ verb: "step", pawn: "A2", field: "d3", target: "T1" });
        expect(parseAction("uncover T1 T2")).toEqual({ verb: "uncover", pawn: "T1", target: "T2" });
        expect(parseAction("place 10 T1")).toEqual({ verb: "place", pawn: "T1", points: 10 });
        expect(parseAction("object 3")).toEqual({ verb: "object", points: 3 });
        expect(parseAction("yield")).toEqual({ verb: "yield" });
    });

    test("that are legal become fields, targets, figures and words", () => {
        const legal = parseLegal(["step T1 b1", "step T1 a2", "step T1 a2 x R1", "step A1 e2 x I1", "uncover T1 T2", "assign"]);
        expect(legal.pawns.get("T1")).toEqual({
            steps: [
                { field: "b1", plain: true, targets: [] },
                { field: "a2", plain: true, targets: ["R1"] },
            ],
            uncover: ["T2"],
        });
        expect(legal.pawns.get("A1")?.steps).toEqual([{ field: "e2", plain: false, targets: ["I1"] }]);
        expect([...legal.verbs]).toEqual(["assign"]);
        expect(legal.count).toBe(6);
        const answer = parseLegal(["pass", "object 3..17"]);
        expect(answer.points).toEqual({ verb: "object", least: 3, most: 17 });
        expect(answer.count).toBe(16);
        expect(parseLegal(["pass"]).onlyPass).toBe(true);
        expect(answer.onlyPass).toBe(false);
        expect(parseLegal(["yield", "claim 4..4"]).points).toEqual({ verb: "claim", least: 4, most: 4 });
        expect(parseLegal(["place 10 T1", "place 10 A1", "place 5 T1", "done"]).place).toEqual(
            new Map([
                [10, ["T1", "A1"]],
                [5, ["T1"]],
            ]),
        );
        expect(parseLegal(undefined).count).toBe(0);
    });
});

describe("a table", () => {
    test("keeps the parts that did not come anew", () => {
        const state = new TableState();
        state.feed(introduction({ you: { ...you, legal: ["step T1 b1", "assign"] } }));
        expect([state.seat, state.asked, state.myTurn, state.waitingFor]).toEqual([1, true, true, 0]);
        state.feed({ push: "table", table: "t", round: { asked: 1, answered: 0, hidden: false, left: 5000 } }, 1000);
        expect(state.deadline).toBe(6000);
        expect(state.view?.turn).toBe(1);
        state.feed({ push: "table", table: "t", you: { ...you, asked: false } });
        expect([state.asked, state.waitingFor, state.legal.count]).toEqual([false, 1, 0]);
    });

    test("hears everything once, also when it is told again", () => {
        const state = new TableState();
        state.feed(introduction({ happened: [{ seat: 1, sat: true }, { began: true }] }));
        state.feed({ push: "table", table: "t", from: 1, happened: [{ began: true }, { seat: 1, talk: "Hi", at: 1 }] });
        expect(state.log.map(({ index, happening }) => [index, Object.keys(happening).at(-1)])).toEqual([
            [0, "sat"],
            [1, "began"],
            [2, "at"],
        ]);
        expect(state.have).toBe(3);
    });

    test("of somebody who got up is a spectator's", () => {
        const state = new TableState();
        state.feed(introduction({ you }));
        state.feed(introduction());
        expect(state.you).toBeNull();
    });

    test("knows where the grail is and how it ended", () => {
        const state = new TableState();
        state.feed(introduction({ view: view({ grail: "A1" }) }));
        expect([state.bearer, state.grailField, state.result]).toEqual(["A1", "e1", null]);
        state.feed({ push: "table", table: "t", stage: "over", view: view({ phase: "over", result: "win 2 with T1" }) });
        expect(state.result).toEqual({ winner: 2, pawn: "T1" });
        expect(state.over).toBe(true);
    });
});

describe("words", () => {
    const called = (seat: number) => ["", "Ann", "Bob", "Eve"][seat]!;
    const say = (happening: Parameters<typeof sayEntry>[0]["happening"], before: View | null = null, after: View | null = null) =>
        sayEntry({ happening, before, after }, called);

    test("tell what was done and what came of it, as the terminal does", () => {
        expect(say({ seat: 1, action: "step T1 b1" }, view(), view({ phase: "objection", proposal: "step T1 b1" }))).toEqual([
            "Ann proposes: T1 Alberto Castellano moves from Tomar a1 to Granada b1.",
        ]);
        const proposed = view({ phase: "objection", actor: 2, proposal: "step T1 b1" });
        const moved = view({ turn: 2, active: 2, actor: 2, pawns: ["b1", "a1", "e1", "e1", "e5", "e5", "a5", "a5"] });
        expect(say({ seat: 2, action: "pass" }, proposed, moved)).toEqual([
            "Bob does not object.",
            "The proposal is accepted.",
            "T1 Alberto Castellano is now in Granada b1.",
            "Turn 2: Bob.",
        ]);
        expect(say({ seat: 2, action: "object 1" }, proposed, { ...proposed, phase: "answer" })).toEqual([
            "Bob objects and reveals 1 influence point on T1 Alberto Castellano.",
        ]);
    });

    test("tell an uncovering with its losses, its payment and the grail it frees", () => {
        const before = view({ phase: "objection", proposal: "uncover T1 T2", grail: "T2" });
        const after = view({
            phase: "grail",
            proposal: "uncover T1 T2",
            grail: "a1",
            pawns: ["a1", "-", "e1", "e1", "e5", "e5", "a5", "a5"],
            known: [
                [0, 3, 0, 0, 0, 0, 0, 0],
                [0, 10, 0, 0, 0, 0, 0, 0],
            ],
            paid: [[10, 0, 0, 0, 0, 0, 0, 0], nothing()],
        });
        expect(say({ seat: 2, action: "pass" }, before, after)).toEqual([
            "Bob does not object.",
            "The proposal is accepted.",
            "T2 Jacques de Barruel is uncovered and leaves the game.",
            "Ann loses 3 influence points on T2 Jacques de Barruel.",
            "Bob loses 10 influence points on T2 Jacques de Barruel.",
            "Ann pays 10 influence points on T1 Alberto Castellano.",
            "The grail is now free in Tomar a1.",
        ]);
        expect(say({ seat: 1, action: "keep" }, after, null)).toEqual(["T1 Alberto Castellano takes the grail."]);
    });

    test("tell the rest", () => {
        expect(say({ seat: 1, talk: "Hi {player}", at: 0 })).toEqual(["Ann: Hi {player}"]);
        expect(say({ seat: 1, offer: "stop 3", to: [2, 3], at: 0 })).toEqual(["Ann to Bob, Eve: Let's stop Eve."]);
        expect(say({ ended: "agreed" })).toEqual(["Everyone agrees: the game is a draw."]);
        expect(say({ seat: 1, replace: 2 })).toEqual(["Ann wants to replace Bob with a computer."]);
        expect(sayOffer("hold 10 T1", called)).toBe("I have at least 10 influence points on T1 Alberto Castellano.");
        expect(sayOrder("pass until mine")).toBe("Pass until it's my turn.");
        expect(sayOrder("pass until T1")).toBe("Pass until T1 Alberto Castellano would act or be uncovered.");
        expect(sayOrder("object T1 d3 12")).toContain("closer to Akkon d3");
        expect(sayAction("step T1 b1")).toBe("T1 Alberto Castellano to Granada b1");
        const reason = { kind: "holds-at-least", seat: 2, pawn: "T1", points: 5, chance: 0.412 } as const;
        expect(sayReason(reason, called)).toBe("It is 41 % likely that Bob holds 5 influence points or more on T1 Alberto Castellano.");
        expect(sayAdvice({ simulations: 0, actions: [], reasons: [] })).toBe("There is no hint.");
        expect(computerOf("thinker:level=3,as=fox")).toEqual({ kind: "thinker", level: 3, as: "fox" });
        expect(say({ ended: "abandoned" })).toEqual(["The game was abandoned: nobody wins."]);
    });

    test("number computer players only where the name alone would not say who is meant", () => {
        const fox = { computer: "thinker:level=3,as=fox" };
        const all = (...seats: Seat[]) => seats.map((_, index) => names({ seats })(index + 1));
        expect(all({ name: "Ann" }, fox, { computer: "rules" })).toEqual(["Ann", "Fox", "Computer"]);
        expect(all({ name: "Ann" }, fox, fox)).toEqual(["Ann", "Fox 2", "Fox 3"]);
        expect(all({ name: "Fox" }, fox)).toEqual(["Fox", "Fox 2"]);
        expect(all({ name: "Ann", ...fox }, fox)).toEqual(["Ann", "Fox"]);
    });

    test("say the status at every moment", async () => {
        const state = new TableState();
        const status = () => sayStatus(state, names(state));
        state.feed({ ...introduction({ stage: "gathering", seats: [{ name: "Ann" }, null] }), view: undefined } as never);
        expect(status()).toBe("Waiting for players: 1 of 2 seats taken.");
        state.feed(introduction({ you: { ...you, legal: ["step T1 b1", "assign"] } }));
        expect(status()).toBe("It's your turn: propose a move or assign influence.");
        state.feed(introduction({ you: { ...you, asked: false }, view: view({ actor: 2, active: 2 }) }));
        expect(status()).toBe("Waiting for Fox.");
        const objection = view({ phase: "objection", actor: 0, active: 2, proposal: "step T1 b1" });
        state.feed(introduction({ you: { ...you, legal: ["pass", "object 1..4"] }, view: objection, round: { asked: 3, answered: 1, hidden: true } }));
        expect(status()).toMatch(/^Fox proposes: .* You can object with 1 to 4 points, or pass\.$/);
        state.feed({ push: "table", table: "t", you: { ...you, asked: false }, round: { asked: 3, answered: 2, hidden: true } });
        expect(status()).toMatch(/ 2 of 3 have answered\.$/);
        state.feed({ push: "table", table: "t", stage: "over", view: view({ phase: "over", result: "win 1 with T1" }) });
        expect(sayResult(state, names(state))).toBe("You win with T1 Alberto Castellano.");
        await speak("de");
        expect(status()).toBe("Du gewinnst mit T1 Alberto Castellano.");
    });
});

// --- the worker's room, with a clock that stands until it is moved ---

class Bench {
    now = 1794744000000;
    timers: { at: number; run: () => void }[] = [];
    kept = new Map<string, StoredGame>();
    events: WorkerEvent[] = [];
    troubles: WorkerTrouble[] = [];
    /** Games this window has; another one of the device may have more. */
    held = new Set<string>();
    state = new TableState({ story: async (...args) => engine.story(...args) });
    asked: number[] = [];
    room: Room;
    /** Who thinks at this moment; whoever moves the clock waits for them. */
    thinking = new Set<Promise<unknown>>();
    /** Of all who were asked. */
    signals: AbortSignal[] = [];

    constructor(readonly decide = async (question: Uint8Array) => engine.think(question)) {
        const clock: RoomClock = {
            now: () => this.now,
            later: (run, milliseconds) => {
                const timer = { at: this.now + milliseconds, run };
                this.timers.push(timer);
                return () => (this.timers = this.timers.filter((other) => other !== timer));
            },
        };
        const store: GameStore = {
            get: async (id) => structuredClone(this.kept.get(id)),
            put: async (game) => void this.kept.set(game.id, structuredClone(game)),
            delete: async (id) => void this.kept.delete(id),
            all: async () => [...this.kept.values()],
        };
        const thinkers: Thinking = {
            sideBySide: 1,
            decide: (question, _, signal) => {
                this.signals.push(signal);
                const thought = this.decide(question);
                this.thinking.add(thought);
                void thought.catch(() => {}).then(() => this.thinking.delete(thought));
                return thought;
            },
            advise: async (question) => engine.advise(question),
        };
        this.room = new Room(
            engine,
            thinkers,
            store,
            (event) => this.hear(event),
            (id) => this.hold(id),
            clock,
        );
    }

    hear(event: WorkerEvent | WorkerTrouble) {
        if (event.event === "unkept" || event.event === "stuck") return void this.troubles.push(event);
        this.events.push(event);
        if (event.event === "asked") this.asked = event.asked;
        else this.state.feed(event.push, this.now);
    }

    async hold(id: string) {
        if (this.held.has(id)) throw new TableError("elsewhere", "this game is open in another window");
        this.held.add(id);
        return () => void this.held.delete(id);
    }

    async tick(): Promise<boolean> {
        while (this.thinking.size > 0) await setImmediate();
        this.timers.sort((one, other) => one.at - other.at);
        const timer = this.timers.shift();
        if (timer) this.now = Math.max(this.now, timer.at);
        timer?.run();
        return timer !== undefined;
    }

    async open(game: NewGame): Promise<string> {
        const id = await this.room.newGame(game);
        await this.room.openGame(id);
        this.room.viewer(id, 0);
        return id;
    }

    /** Persons follow advice; the device goes round. */
    async play(id: string, until = () => this.state.over) {
        for (let count = 0; !until() && count < 5000; count++) {
            const [seat] = this.asked;
            if (seat === undefined) {
                if (!(await this.tick())) break;
                continue;
            }
            if (this.state.seat !== seat) this.room.viewer(id, seat);
            const { plan, actions } = await this.room.hint(id, seat, "rules");
            await this.room.input(id, `do ${seat} salt=${"ab".repeat(32)} ${(plan ?? [actions[0]!.action]).join("; ")}`);
        }
    }
}

const person = (name: string) => ({ person: name });
const computer = (text = "rules") => ({ computer: text });

describe("a room", { timeout: 30_000 }, () => {
    test("plays a whole game with computer players, each after the table's pace", async () => {
        const bench = new Bench();
        const id = await bench.open({ players: 3, first: 2, seed: 1, limit: 40, seats: [person("Ann"), computer(), computer("thinker:20")] });
        bench.room.viewer(id, 1);
        const began = bench.now;
        await bench.play(id);
        expect(bench.state.result).not.toBeNull();
        expect(bench.now - began).toBeGreaterThan(700);
        for (const event of bench.events) {
            if (event.event !== "push") continue;
            for (const happening of event.push.happened ?? [])
                expect(!isAction(happening) || !happening.action.startsWith("place") || happening.seat === 1).toBe(true);
            expect(!event.push.view?.sheets || bench.state.over).toBe(true);
        }
        expect(engine.audit(bench.room.record(id))).toMatchObject({ ok: true, checks: true });
        const [saved] = await bench.room.savedGames();
        expect(saved).toMatchObject({ id, over: true, players: 3, result: bench.state.view!.result });
        const rematch = await bench.room.rematch(id, 300);
        expect(rematch).not.toBe(id);
        expect(bench.kept.get(rematch)!.terms).toContain(" pace=300 ");
    });

    test("repeats the chance of a seed, but not in a rematch", async () => {
        const moves = async (seed: number) => {
            const bench = new Bench();
            const id = await bench.open({ players: 3, seed, limit: 20, seats: [person("Ann"), computer("thinker:20"), computer("thinker:20")] });
            await bench.play(id);
            const done = bench.state.log.flatMap(({ happening }) => (isAction(happening) ? [`${happening.seat}: ${happening.action}`] : []));
            const rematch = bench.kept.get(await bench.room.rematch(id, 0))!;
            expect(rematch.terms).not.toContain(` seed=${seed} `);
            return done;
        };
        const once = await moves(7);
        expect(await moves(7)).toEqual(once);
        expect(await moves(8)).not.toEqual(once);
    });

    test("goes on where it was, with nothing lost", async () => {
        const bench = new Bench();
        const id = await bench.open({ players: 2, limit: 60, seats: [person("Ann"), computer()] });
        bench.room.viewer(id, 1);
        await bench.play(id, () => (bench.state.view?.turn ?? 0) >= 4 && bench.asked.length > 0);
        const before = { view: bench.state.view, you: bench.state.you, log: bench.state.log.map(({ happening }) => happening) };
        const again = new Bench();
        again.now = bench.now + 86400000;
        again.kept = bench.kept;
        await again.room.openGame(id);
        await again.tick(); // a computer player may have begun to think before anybody looks
        again.room.viewer(id, 1);
        expect(JSON.stringify({ view: again.state.view, you: again.state.you, log: again.state.log.map(({ happening }) => happening) })).toBe(
            JSON.stringify(before),
        );
        await again.play(id);
        expect(again.state.over).toBe(true);
        await expect(again.room.openGame("here-nowhere")).rejects.toMatchObject({ code: "table" });
    });

    test("passes the device round, and shows nobody another's sheet", async () => {
        const bench = new Bench();
        const id = await bench.open({ players: 3, first: 1, limit: 40, pace: 100, seats: [person("Ann"), person("Bob"), computer()] });
        expect(bench.asked).toEqual([1, 2]);
        bench.room.viewer(id, 1);
        await bench.room.input(id, `do 1 salt=${"ab".repeat(32)} place 10 T1; done`);
        expect(bench.asked).toEqual([2]);
        bench.room.viewer(id, 2);
        expect(bench.state.you?.influence).toEqual(nothing());
        expect(bench.state.log.some(({ happening }) => isAction(happening) && happening.action.startsWith("place"))).toBe(false);
        await bench.play(id);
        expect(bench.state.over).toBe(true);
    });

    test("gives every line of the log its before and after", async () => {
        const bench = new Bench();
        const id = await bench.open({ players: 4, rules: "original", seats: [person("Ann"), computer(), computer(), computer("greedy")] });
        bench.room.viewer(id, 1);
        await bench.play(id);
        await new Promise((resolve) => setTimeout(resolve, 20));
        const actions = bench.state.log.filter(({ happening }) => isAction(happening) && !happening.action.startsWith("place"));
        expect(actions.filter(({ after }) => after === null)).toEqual([]);
        expect(actions.slice(1).every(({ before }, index) => JSON.stringify(before) === JSON.stringify(actions[index]!.after))).toBe(true);
        const told = actions.flatMap((entry) => sayEntry(entry, names(bench.state)));
        expect(told.at(-1)).toMatch(/ wins\.$/);
        expect(told.join(" ")).not.toContain("{");
    });

    test("refuses what is not allowed, with the protocol's words", async () => {
        const bench = new Bench();
        const id = await bench.open({ players: 2, first: 1, seats: [person("Ann"), person("Bob")] });
        await expect(bench.room.input(id, "nodraw 1")).rejects.toMatchObject({ code: "no-draw", message: "nobody has offered a draw" });
        await expect(bench.room.input(id, "do 1 step T1 c3")).rejects.toMatchObject({ code: "rules" });
    });

    test("does what a person says while a computer player thinks", async () => {
        const bench = new Bench(() => new Promise(() => {}));
        const id = await bench.open({ players: 2, first: 1, seats: [person("Ann"), computer()] });
        bench.room.viewer(id, 1);
        await bench.room.input(id, `do 1 salt=${"ab".repeat(32)} place 10 T1; done`);
        expect(bench.state.you?.influence).toEqual([10, 0, 0, 0, 0, 0, 0, 0]);
        expect(bench.state.you?.asked).toBe(false);
    });

    test("thinks itself where nobody else can", async () => {
        const bench = new Bench(() => Promise.reject(new Error("no worker")));
        const id = await bench.open({ players: 2, limit: 6, seats: [person("Ann"), computer()] });
        bench.room.viewer(id, 1);
        const { actions } = await bench.room.hint(id, 1, "rules");
        expect(actions.length).toBeGreaterThan(0);
        await bench.play(id);
        expect(bench.state.over).toBe(true);
    });

    test("says when it cannot go on by itself", async () => {
        const bench = new Bench(async () => ({ actions: ["step T1 c3"], offer: null }));
        const id = await bench.open({ players: 2, first: 1, seats: [person("Ann"), computer()] });
        await bench.room.input(id, `do 1 salt=${"ab".repeat(32)} place 10 T1; done`);
        while (bench.troubles.length === 0 && (await bench.tick())) await setImmediate();
        expect(bench.troubles).toMatchObject([{ event: "stuck", reason: expect.stringMatching(/./) as string }]);
    });

    test("says when nobody can think, not even itself", async () => {
        const bench = new Bench(() => Promise.reject(new Error("no worker")));
        const { think } = engine;
        try {
            engine.think = () => {
                throw new Error("out of memory");
            };
            await bench.open({ players: 2, first: 1, seats: [person("Ann"), computer()] });
            await setImmediate();
        } finally {
            engine.think = think;
        }
        expect(bench.troubles).toEqual([{ event: "stuck", reason: "out of memory" }]);
    });

    test.each([
        [0, 27],
        [20, 27],
        [27, 27],
        [28, 54],
    ])("tells by the time of a decision nothing about what it could be: %i ms are %i", async (took, told) => {
        const bench: Bench = new Bench(async (question) => {
            bench.now += took;
            return engine.think(question);
        });
        const id = await bench.open({ players: 2, first: 2, pace: 0, seats: [person("Ann"), computer("thinker:level=2")] });
        await bench.play(id, () => bench.state.view?.phase === "turn");
        const began = bench.now - took; // it thinks already
        await bench.tick();
        expect(bench.now - began).toBe(told);
    });

    test("is in one window at a time, and is given back when the last who looks leaves", async () => {
        const bench = new Bench();
        const id = await bench.room.newGame({ players: 2, seats: [person("Ann"), computer()] });
        expect(bench.held).toEqual(new Set());
        await Promise.all([bench.room.openGame(id), bench.room.openGame(id)]);
        const other = new Bench();
        [other.kept, other.held] = [bench.kept, bench.held];
        await expect(other.room.openGame(id)).rejects.toMatchObject({ code: "elsewhere" });
        await expect(other.room.deleteGame(id)).rejects.toMatchObject({ code: "elsewhere" });
        bench.room.closeGame(id);
        expect(bench.room.record(id)).toContain("Ann");
        bench.room.closeGame(id);
        expect(() => bench.room.record(id)).toThrow("this table does not exist");
        expect(bench.timers).toEqual([]);
        await other.room.openGame(id);
        await other.room.deleteGame(id);
        expect(bench.held).toEqual(new Set());
        await expect(bench.room.openGame(id)).rejects.toMatchObject({ code: "table" });
        expect(bench.held).toEqual(new Set());
    });

    test("is open to every window when it is over", async () => {
        const bench = new Bench();
        const id = await bench.open({ players: 2, limit: 2, seats: [person("Ann"), computer()] });
        await bench.play(id);
        const other = new Bench();
        [other.kept, other.held] = [bench.kept, bench.held];
        await other.room.openGame(id);
        expect(other.room.record(id)).toBe(bench.room.record(id));
    });

    test("asks nobody any more when the question is over or the table is left", async () => {
        const bench = new Bench(() => new Promise(() => {}));
        const id = await bench.open({ players: 2, first: 1, seats: [person("Ann"), computer()] });
        await bench.room.openGame(id);
        expect(bench.signals.map(({ aborted }) => aborted)).toEqual([false]);
        bench.room.closeGame(id);
        bench.room.closeGame(id);
        expect(bench.signals.map(({ aborted }) => aborted)).toEqual([true]);
        await setImmediate();
        expect(bench.troubles).toEqual([]);
    });
});

describe("thinkers", () => {
    /** Answers when it is told to. */
    class Slow implements Thinker {
        onmessage: Thinker["onmessage"] = null;
        onerror: Thinker["onerror"] = null;
        asked: ToThinker[] = [];
        postMessage(message: ToThinker) {
            this.asked.push(message);
        }
        answer(data: FromThinker) {
            this.onmessage!.call(this as never, { data } as MessageEvent<FromThinker>);
        }
        terminated = false;
        terminate() {
            this.terminated = true;
        }
        fail() {
            this.onerror!.call(this as never, {} as ErrorEvent);
        }
    }
    const { signal } = new AbortController();
    const question = new Uint8Array(1);
    const decision = { actions: ["pass"], offer: null };

    test("think side by side, advice first", async () => {
        const started: Slow[] = [];
        const thinkers = new Thinkers(() => (started.push(new Slow()), started.at(-1)!), 2);
        const decisions = [1, 2, 3, 4].map(() => thinkers.decide(question, 400, signal));
        const advice = thinkers.advise(question);
        expect(started.map(({ asked }) => asked)).toEqual([[{ kind: "think", question, milliseconds: 400 }], [{ kind: "think", question, milliseconds: 400 }]]);
        started[0]!.answer({ value: decision });
        expect(started[0]!.asked[1]).toMatchObject({ kind: "advise" });
        started[0]!.answer({ code: "member", text: "expected a player" });
        await expect(advice).rejects.toMatchObject({ code: "member" });
        for (const thinker of [started[0]!, started[1]!, started[0]!]) thinker.answer({ value: decision });
        expect(await Promise.all(decisions)).toEqual([decision, decision, decision, decision]);
    });

    test("are given up when they fail: the others go on, and when there are none nobody waits", async () => {
        const started: Slow[] = [];
        const thinkers = new Thinkers(() => (started.push(new Slow()), started.at(-1)!), 2);
        const [first, second, third] = [1, 2, 3].map(() => thinkers.decide(question, 400, signal));
        started[0]!.fail();
        await expect(first).rejects.toMatchObject({ code: "engine" });
        expect(started[0]!.terminated).toBe(true);
        started[1]!.answer({ value: decision });
        expect(await second).toEqual(decision);
        const advice = thinkers.advise(question);
        started[1]!.fail();
        await expect(third).rejects.toMatchObject({ code: "engine" });
        await expect(advice).rejects.toMatchObject({ code: "engine" });
        await expect(thinkers.decide(question, 400, signal)).rejects.toMatchObject({ code: "engine" });
        expect(started.length).toBe(2);
    });

    test("are not waited for where there can be none", async () => {
        const thinkers = new Thinkers(() => {
            throw new Error("forbidden");
        }, 2);
        await expect(thinkers.decide(question, 400, signal)).rejects.toMatchObject({ code: "engine" });
        await expect(thinkers.advise(question)).rejects.toMatchObject({ code: "engine" });
    });

    test("do not think about what nobody wants to know any more", async () => {
        const slow = new Slow();
        const thinkers = new Thinkers(() => slow, 1);
        const [left, here] = [new AbortController(), new AbortController()];
        const stale = [1, 2].map(() => thinkers.decide(question, 100, left.signal));
        const wanted = thinkers.decide(question, 200, here.signal);
        left.abort();
        expect((await Promise.allSettled(stale)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
        slow.answer({ value: decision });
        expect(slow.asked).toMatchObject([{ milliseconds: 100 }, { milliseconds: 200 }]);
        slow.answer({ value: decision });
        expect(await wanted).toEqual(decision);
    });

    test("share the time when many are asked, and the slowest sets it", () => {
        const [quick, slow] = ["thinker:level=1,as=fox", "rollout"].map((player) => engine.thinkingTime(player)) as [number, number];
        expect(engine.thinkingTime("thinker:level=5")).toBe(quick);
        expect(timeFor([quick], 1)).toEqual({ wait: 27, each: 20 });
        expect(timeFor([quick, quick, quick], 2)).toEqual({ wait: 54, each: 20 });
        expect(timeFor([quick, slow], 2)).toEqual({ wait: 700, each: 525 });
        expect(timeFor([quick, slow, quick, quick], 2)).toEqual({ wait: 700, each: 262 });
    });
});
