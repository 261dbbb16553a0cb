// The worker's room, with a clock that stands until it is moved.
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { blake2b } from "@noble/hashes/blake2.js";
import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine, type Engine } from "../../engine/engine.mjs";
import type { NewGame, WorkerEvent, WorkerTrouble } from "../lib/calls";
import { Director } from "../lib/director.svelte";
import { TableError } from "../lib/protocol";
import { settings } from "../lib/settings.svelte";
import { isAction, TableState } from "../lib/table.svelte";
import { names, sayEntry } from "../lib/words";
import { Room, type GameStore, type RoomClock, type StoredGame } from "./room";
import type { Thinking } from "./thinkers";

const wasm = new URL("../../../build/wasm/web/engine/gral.wasm", import.meta.url);
let engine: Engine;
beforeAll(async () => {
    engine = await loadEngine(await WebAssembly.compile(readFileSync(wasm)), (bytes) => blake2b(bytes, { dkLen: 32 }));
    engine.learn(readFileSync(new URL("../../../src/players/learned.net", import.meta.url)));
});

const nothing = () => [0, 0, 0, 0, 0, 0, 0, 0];

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
            async () => {},
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
        do await setImmediate();
        while (this.thinking.size > 0);
        this.timers.sort((one, other) => one.at - other.at);
        const timer = this.timers.shift();
        if (timer) this.now = Math.max(this.now, timer.at);
        timer?.run();
        return timer !== undefined;
    }

    async open(game: NewGame): Promise<string> {
        const id = await this.room.newGame(game);
        await this.room.openGame(id);
        this.room.goOn(id);
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
        again.room.goOn(id);
        await again.tick(); // a computer player may have begun to think before anybody looks
        again.room.viewer(id, 1);
        expect(JSON.stringify({ view: again.state.view, you: again.state.you, log: again.state.log.map(({ happening }) => happening) })).toBe(
            JSON.stringify(before),
        );
        await again.play(id);
        expect(again.state.over).toBe(true);
        await expect(again.room.openGame("here-nowhere")).rejects.toMatchObject({ code: "table" });
    });

    test("asks nobody who has resigned", async () => {
        const bench = new Bench();
        const id = await bench.open({ players: 3, first: 1, pace: 100, seats: [person("Ann"), person("Bob"), computer()] });
        bench.room.viewer(id, 1);
        expect(bench.state.you?.asked).toBe(true);
        await bench.room.input(id, "resign 1");
        expect(bench.state.seats[0]?.resigned).toBe(true);
        expect(bench.state.you?.asked).toBe(false);
        expect(bench.state.legal.pawns.size).toBe(0);
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

    test("with eleven computers takes at most 25 seconds a round at the usual tempo, and every proposal a second", { timeout: 120_000 }, async () => {
        settings.tips = false;
        const bench = new Bench();
        const eleven = Array.from({ length: 11 }, (_, index) => computer(`thinker:level=1,as=${["fox", "owl", "wolf", "ox"][index % 4]}`));
        const id = await bench.open({ players: 12, first: 1, seed: 3, limit: 200, pace: 0, seats: [person("Ann"), ...eleven] });
        bench.room.viewer(id, 1);
        const mine = () => bench.state.over || (bench.asked.includes(1) && bench.state.view?.phase === "turn" && bench.state.view.active === 1);
        const rounds: number[] = [];
        await bench.play(id, mine);
        while (rounds.length < 4 && !bench.state.over) {
            let [time, next] = [0, null as { at: number; run: () => void } | null];
            const clock = {
                now: () => time,
                later: (run: () => void, milliseconds: number) => {
                    const timer = { at: time + milliseconds, run };
                    next = timer;
                    return () => {
                        if (next === timer) next = null;
                    };
                },
            };
            const [before, { turn }] = [bench.state.log.length, bench.state.view!];
            await bench.play(id, () => mine() && (bench.state.over || bench.state.view!.turn > turn));
            await new Promise((resolve) => setTimeout(resolve, 20));
            const director = new Director(bench.state, { online: false }, clock);
            director.rewind(before);
            const held: Record<string, number[]> = {};
            let began = 0; // their turns, after mine
            while (next !== null) {
                const { at, run } = next as { at: number; run: () => void }; // eslint-disable-line @typescript-eslint/no-unnecessary-type-assertion
                if (director.beat!.seat === 1 && Object.keys(held).length === 0) began = at;
                if (director.beat!.seat !== 1) (held[director.beat!.kind] ??= []).push(director.held!.time);
                next = null;
                time = at;
                run();
            }
            expect(Math.min(...held["proposal"]!)).toBeGreaterThanOrEqual(1000);
            rounds.push(time - began);
        }
        expect(Math.max(...rounds), String(rounds)).toBeLessThan(25_000);
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
        expect(told.at(-1)).toMatch(/ wins?\.$/);
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

    test("has nobody think before the table is seen, nor for somebody who only reads the record", async () => {
        const bench = new Bench();
        const id = await bench.room.newGame({ players: 2, first: 1, seats: [person("Ann"), computer()] });
        await bench.room.openGame(id);
        bench.room.viewer(id, 1);
        expect(bench.room.record(id)).toContain("Ann");
        await setImmediate();
        expect(bench.signals).toEqual([]);
        bench.room.goOn(id);
        bench.room.goOn(id);
        await setImmediate();
        expect(bench.signals).toHaveLength(1);
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
