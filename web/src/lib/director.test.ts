// The director, with a clock that stands until it is moved.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { beatsOf, caption, digest, sayBeat, saySecret } from "./beats";
import { Director, holdOf, type DirectorClock } from "./director.svelte";
import { speak } from "./language.svelte";
import type { Happening, TablePush, View } from "./protocol";
import { defaults, settings } from "./settings.svelte";
import { TableState, type LogEntry } from "./table.svelte";
import { names } from "./words";

beforeEach(() => Object.assign(settings, defaults, { tips: false }));
afterEach(() => speak("en"));

const nothing = () => [0, 0, 0, 0, 0, 0, 0, 0];
const atFirst: View = {
    phase: "turn",
    actor: 2,
    turn: 1,
    active: 2,
    pawns: ["a1", "a1", "e1", "e1", "e5", "e5", "a5", "a5"],
    grail: "c3",
    proposal: null,
    claim: 0,
    objection: null,
    rejected: [],
    known: [nothing(), nothing(), nothing()],
    paid: [nothing(), nothing(), nothing()],
    result: null,
};

/** What everybody knew after each thing that was done; Ann is seat 1, Renard 2 and Odile 3. */
class Story {
    log: LogEntry[] = [];
    constructor(public view: View = atFirst) {}

    does(seat: number, action: string, change: Partial<View> = {}): this {
        const before = this.view;
        this.view = { ...before, ...change };
        this.log.push({ index: this.log.length, happening: { seat, action }, before, after: this.view });
        return this;
    }

    happens(happening: Happening): this {
        this.log.push({ index: this.log.length, happening, before: null, after: null });
        return this;
    }

    /** Renard proposes, and nobody objects. */
    moves(seat: number, to: string, turn: number): this {
        const pawns = [to, ...this.view.pawns.slice(1)];
        return this.does(seat, `step T1 ${to}`, { phase: "objection", active: seat, proposal: `step T1 ${to}` })
            .does(1, "pass")
            .does(seat === 2 ? 3 : 2, "pass", { phase: "turn", proposal: null, pawns, turn, active: (seat % 3) + 1, actor: (seat % 3) + 1 });
    }

    /** Odile objects to what Renard proposes, and Renard yields in the end. */
    disputes(): this {
        const proposal = "step T1 b1";
        return this.does(2, proposal, { phase: "objection", active: 2, proposal })
            .does(1, "pass")
            .does(3, "object 2", { phase: "answer", actor: 2, objection: { points: 2, by: 3 } })
            .does(2, "claim 4", { phase: "objection", claim: 4, objection: null })
            .does(1, "pass")
            .does(3, "object 5", { phase: "answer", objection: { points: 5, by: 3 } })
            .does(2, "yield", { phase: "turn", proposal: null, objection: null, claim: 0, rejected: [proposal] });
    }
}

const seats = [{ name: "Ann" }, { computer: "thinker:level=3,as=fox" }, { computer: "thinker:level=3,as=owl" }];
const called = names({ seats, seat: 1 });
const kinds = (story: Story) => beatsOf(story.log).map(({ kind }) => kind);

describe("beats", () => {
    test("gather the passes: who kept silent is in no list", () => {
        const story = new Story().moves(2, "b1", 2);
        expect(kinds(story)).toEqual(["proposal", "step"]);
        const [proposal, step] = beatsOf(story.log);
        expect(caption(proposal!, called)).toBe("Renard proposes: T1 Alberto Castellano to Granada b1.");
        expect(sayBeat(step!, called)).toEqual(["Nobody objects.", "T1 Alberto Castellano is now in Granada b1.", "Turn 2: Odile."]);
        expect(caption(step!, called)).toBe("Nobody objects.");
        expect(step!.seat).toBe(2);
    });

    test("show a dispute as a duel: who contends, what each has shown, how it ended", () => {
        const beats = beatsOf(new Story().disputes().log);
        expect(beats.map(({ kind }) => kind)).toEqual(["proposal", "objection", "answer", "objection", "stopped"]);
        expect(beats.map(({ duel }) => duel && [duel.proposer, duel.claim, duel.objector, duel.objection, duel.outcome])).toEqual([
            null,
            [2, 0, 3, 2, null],
            [2, 4, 3, 2, null],
            [2, 4, 3, 5, null],
            [2, 4, 3, 5, "stopped"],
        ]);
    });

    test("wait for what comes of a pass, and for the story", () => {
        const story = new Story();
        story.does(2, "step T1 b1", { phase: "objection", proposal: "step T1 b1" }).does(1, "pass");
        expect(beatsOf(story.log).map(({ open }) => open)).toEqual([false, true]);
        const untold = story.log.map((entry) => ({ ...entry, before: null, after: null }));
        expect(beatsOf(untold).every(({ open }) => open)).toBe(true);
    });

    test("say what somebody has placed to himself alone, in one line", () => {
        const story = new Story({ ...atFirst, active: 1 });
        story.does(1, "assign", { phase: "placing" });
        for (const action of ["place 10 T1", "place 5 T1", "place 3 A2"]) story.happens({ seat: 1, action });
        story.does(1, "done", { phase: "turn", turn: 2, active: 2 });
        const [beat] = beatsOf(story.log);
        expect(sayBeat(beat!, called)).toEqual(["You assign influence.", "Turn 2: Renard."]);
        expect(saySecret(beat!, called)).toBe("You place 15 on T1 Alberto Castellano, 3 on A2 Mansur Al-\u2060Jallah.");
        expect(saySecret(beat!, names({ seats, seat: 0 }))).toBeNull();
        expect(sayBeat(beat!, names({ seats, seat: 0 }))[0]).toBe("Ann assigns influence.");
    });

    test("never say that somebody loses nothing", () => {
        const story = new Story();
        story.does(2, "uncover T1 T2", { phase: "objection", proposal: "uncover T1 T2" }).does(1, "pass");
        story.does(3, "pass", {
            phase: "turn",
            proposal: null,
            turn: 2,
            active: 3,
            pawns: ["a1", "-", "e1", "e1", "e5", "e5", "a5", "a5"],
            known: [[10, 7, 0, 0, 0, 0, 0, 0], nothing(), nothing()],
            paid: [nothing(), [10, 0, 0, 0, 0, 0, 0, 0], nothing()],
        });
        const [, uncovering] = beatsOf(story.log);
        expect(uncovering!.kind).toBe("uncovering");
        const said = sayBeat(uncovering!, called);
        expect(said).toContain("You lose 7 influence points on T2 Jacques de Barruel.");
        expect(said.filter((sentence) => sentence.includes(" lose"))).toHaveLength(1);
    });

    test("have a digest of a line for each turn", () => {
        const story = new Story().disputes().does(2, "assign", { phase: "placing" }).does(2, "done", { phase: "turn", turn: 2, active: 3 });
        expect(digest(beatsOf(story.log), called)).toEqual([
            "Renard: T1 Alberto Castellano to Granada b1; stopped by Odile with 5",
            "Renard: Assign influence",
        ]);
        const asOdile = names({ seats, seat: 3 });
        expect(digest(beatsOf(story.log), asOdile)[0], "and speak to whoever reads it").toBe(
            "Renard: T1 Alberto Castellano to Granada b1; you stopped it with 5",
        );
    });
});

describe("holding times", () => {
    const [proposal, step] = beatsOf(new Story().moves(2, "b1", 2).log);

    test("are those of the words, never under a second for a proposal unless nothing is held", () => {
        const long = "Renard proposes: T1 Alberto Castellano to Granada b1.";
        expect(holdOf(proposal!, long, 1)).toBeGreaterThan(2500);
        expect(holdOf(proposal!, `${long} ${long}`, 1)).toBeGreaterThan(holdOf(proposal!, long, 1));
        for (const tempo of ["calm", "normal", "brisk"] as const) {
            settings.tempo = tempo;
            expect(holdOf(proposal!, "?", 1, 0.1)).toBeGreaterThanOrEqual(1000);
        }
        settings.tempo = "instant";
        expect(holdOf(proposal!, long, 1)).toBe(0);
    });

    test("are longer for what matters, and at a calm tempo", () => {
        const [, objection] = beatsOf(new Story().disputes().log);
        const words = "These are words.";
        expect(holdOf(objection!, words, 1)).toBeGreaterThan(holdOf(proposal!, words, 1));
        expect(holdOf(step!, words, 1)).toBeLessThan(holdOf(proposal!, words, 1));
        const home = beatsOf(
            new Story({ ...atFirst, grail: "T1", pawns: ["b1", "a1", "e1", "e1", "e5", "e5", "a5", "a5"] }).does(2, "step T1 a1", { phase: "objection" }).log,
        );
        expect(holdOf(home[0]!, words, 1), "a step that can end the game").toBeGreaterThan(holdOf(proposal!, words, 1));
        const normal = holdOf(proposal!, words, 1);
        settings.tempo = "calm";
        expect(holdOf(proposal!, words, 1)).toBeGreaterThan(normal);
    });

    test("are the same where nothing moves", () => {
        const words = "These are words that take a while.";
        const moving = holdOf(proposal!, words, 1);
        settings.animation = "off";
        expect(holdOf(proposal!, words, 1)).toBe(moving);
    });
});

// --- the director ---

class Clock implements DirectorClock {
    time = 0;
    timers: { at: number; run: () => void }[] = [];
    now = () => this.time;
    later = (run: () => void, milliseconds: number) => {
        const timer = { at: this.time + milliseconds, run };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((other) => other !== timer));
    };
    /** To the next thing that comes by itself; false if there is none. */
    tick(): boolean {
        const next = this.timers.sort((one, other) => one.at - other.at)[0];
        if (!next) return false;
        this.timers = this.timers.filter((timer) => timer !== next);
        this.time = next.at;
        next.run();
        return true;
    }
}

const you = { seat: 1, influence: nothing(), units: [4, 4, 4, 4, 4, 4], asked: false };

function table(online = false) {
    const truth = new TableState();
    const introduction: TablePush = {
        push: "table",
        table: "t",
        stage: "playing",
        version: 1,
        view: atFirst,
        terms: { players: 3, rules: "standard", first: 1, limit: 0, clock: null, pace: 0, listed: false, notepad: true, talk: true },
        seats,
        you,
        from: 0,
        happened: [{ began: true }],
    };
    truth.feed(introduction);
    const clock = new Clock();
    const passed: number[] = [];
    const pass = async () => void passed.push(truth.version);
    const director = new Director(truth, online ? { online } : { online, pass }, clock);
    /** All that a story tells has happened. */
    const hear = (story: Story, asked = false, legal = ["step T1 b1", "assign"]) => {
        truth.version++;
        truth.view = story.view;
        truth.log = [truth.log[0]!, ...story.log.map((entry) => ({ ...entry, index: entry.index + 1 }))];
        truth.you = { ...you, asked, ...(asked ? { legal } : {}) };
        director.follow();
    };
    return { truth, clock, director, hear, passed };
}

describe("at a table of this device", () => {
    test("one beat after the other is shown, and the question last", () => {
        const { clock, director, hear } = table();
        hear(new Story().moves(2, "b1", 2).moves(3, "c1", 3), true);
        const shown: unknown[] = [];
        do shown.push([director.beat?.kind, director.shown.view?.pawns[0], director.shown.asked, director.shown.legal.count]);
        while (clock.tick());
        expect(shown).toEqual([
            ["proposal", "a1", false, 0],
            ["step", "b1", false, 0],
            ["proposal", "b1", false, 0],
            ["step", "c1", false, 0],
            ["step", "c1", true, 2],
        ]);
        expect(director.digest).toEqual([]);
        expect(clock.time).toBeGreaterThan(5000);
    });

    test("the story grows with what is shown, and it is not over before it was seen", () => {
        const { truth, clock, director, hear } = table();
        truth.stage = "over";
        const story = new Story().moves(2, "b1", 2);
        story.view = { ...story.view, result: "draw" };
        hear(story);
        expect([director.shown.log.length, director.shown.over]).toEqual([2, false]);
        while (clock.tick());
        expect([director.shown.log.length, director.shown.over]).toEqual([4, true]);
    });

    test("a game that is given up is over at once", () => {
        const { truth, director, hear } = table();
        truth.stage = "over";
        hear(new Story().moves(2, "b1", 2));
        expect([director.shown.over, director.settled]).toEqual([true, true]);
    });

    test("an offer can be answered, an answer cannot, and what is whispered says to whom", () => {
        const { director, hear } = table();
        const story = new Story().happens({ seat: 2, offer: "stop 3", to: [1], at: 0 });
        hear(story);
        expect(director.speech).toMatchObject([{ seat: 2, isOffer: true, to: [1] }]);
        hear(story.happens({ seat: 3, offer: "agree", at: 0 }));
        expect(director.speech.at(-1)).toMatchObject({ seat: 3, isOffer: false, to: undefined });
    });

    test("what several did at once is shown when the engine has said what was in between", () => {
        const { clock, director, hear } = table();
        const story = new Story().moves(2, "b1", 2);
        const told = story.log;
        story.log = told.map((entry) => ({ ...entry, before: null, after: null }));
        hear(story, true);
        expect([director.shown.asked, director.shown.view?.pawns[0]], "nothing is given away").toEqual([false, "a1"]);
        story.log = told;
        hear(story, true);
        expect([director.beat?.kind, clock.timers.length]).toEqual(["proposal", 1]);
        clock.tick();
        expect(director.beat?.kind).toBe("step");
    });

    test("who skips comes to his next decision, and is told what happened", () => {
        const { director, hear } = table();
        hear(new Story().moves(2, "b1", 2));
        director.skip();
        expect(director.settled).toBe(true);
        const later = new Story().moves(2, "b1", 2).moves(3, "c1", 3);
        hear(later, true); // computers decide on while somebody skips
        expect([director.settled, director.shown.asked]).toEqual([true, true]);
        expect(digest(director.digest, called)).toEqual(["Renard: T1 Alberto Castellano to Granada b1", "Odile: T1 Alberto Castellano to Alexandria c1"]);
        hear(later.does(1, "step T1 b1", { phase: "objection", proposal: "step T1 b1", active: 1 }));
        expect(director.digest, "my own turn is no news").toEqual([]);
        expect(director.settled, "and what comes after it is shown again").toBe(false);
    });

    test("a pass that comes by itself asks nobody", () => {
        const { director, hear, passed } = table();
        const proposed = new Story().does(2, "step T1 b1", { phase: "objection", proposal: "step T1 b1" });
        hear(proposed, true, ["pass"]);
        expect([passed.length, director.shown.asked]).toEqual([1, false]);
        director.next();
        expect(director.shown.asked).toBe(false);
        settings.automaticPasses = false;
        director.follow();
        expect([passed.length, director.shown.asked]).toEqual([1, true]);
    });

    test("a newcomer goes on when he has understood, once for each kind of moment", () => {
        settings.tips = true;
        const { clock, director, hear } = table();
        const story = new Story().moves(2, "b1", 2);
        hear(story);
        expect([director.lesson, clock.timers.length]).toEqual(["proposal", 0]);
        director.next();
        expect(director.lesson).toBe("step");
        director.next();
        expect(director.settled).toBe(true);
        hear(story.moves(3, "c1", 3));
        expect([director.lesson, clock.timers.length]).toEqual([null, 1]);
    });

    test("a mask that is yet to fall has not cost me anything yet", () => {
        const { truth, clock, director, hear } = table();
        truth.you = { ...you, influence: [0, 7, 0, 0, 0, 0, 0, 0] };
        director.follow();
        const story = new Story().does(2, "uncover T1 T2", { phase: "objection", proposal: "uncover T1 T2" }).does(1, "pass");
        story.does(3, "pass", { phase: "turn", proposal: null, turn: 2, pawns: ["a1", "-", "e1", "e1", "e5", "e5", "a5", "a5"] });
        hear(story);
        expect(director.shown.you?.influence?.[1]).toBe(7);
        while (clock.tick());
        expect(director.shown.you?.influence?.[1]).toBe(0);
    });

    test("nothing is held at an instant tempo", () => {
        settings.tempo = "instant";
        const { clock, director, hear } = table();
        hear(new Story().moves(2, "b1", 2), true);
        expect([director.shown.asked, director.shown.view?.pawns[0], clock.timers.length]).toEqual([true, "b1", 0]);
    });
});

describe("online", () => {
    test("who is asked has the truth at once, and what he has not seen as a digest", () => {
        const { director, hear } = table(true);
        hear(new Story().moves(2, "b1", 2).moves(3, "c1", 3), true);
        expect([director.settled, director.shown.asked, director.shown.view?.pawns[0]]).toEqual([true, true, "c1"]);
        expect(digest(director.digest, called)).toHaveLength(2);
    });

    test("who is asked while something is shown has the truth at once", () => {
        const { director, hear } = table(true);
        const story = new Story().moves(2, "b1", 2);
        hear(story);
        expect([director.settled, director.beat?.kind]).toEqual([false, "proposal"]);
        hear(story.moves(3, "c1", 3), true);
        expect([director.settled, director.shown.asked, director.shown.view?.pawns[0]]).toEqual([true, true, "c1"]);
    });

    test("who is asked need not wait for the story, and no board goes back when it comes", () => {
        const { truth, director, hear } = table(true);
        const story = new Story().moves(2, "b1", 2);
        const told = story.log;
        story.log = told.map((entry) => ({ ...entry, before: null, after: null }));
        hear(story, true);
        expect([director.shown.asked, director.shown.view?.pawns[0]]).toEqual([true, "b1"]);
        truth.you = you;
        story.log = told;
        hear(story);
        expect([director.settled, director.shown.view?.pawns[0]]).toEqual([true, "b1"]);
    });

    test("nobody waits for a newcomer", () => {
        settings.tips = true;
        const { director, hear } = table(true);
        hear(new Story().moves(2, "b1", 2));
        expect([director.lesson, director.settled]).toEqual([null, false]);
    });
});
