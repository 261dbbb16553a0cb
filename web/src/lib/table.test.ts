import { afterEach, describe, expect, test } from "vitest";
import { parseAction, parseLegal } from "./actions";
import { speak } from "./language.svelte";
import type { Seat, TablePush, View } from "./protocol";
import { TableState } from "./table.svelte";
import { computerOf, names, sayAction, sayAdvice, sayEntry, sayOffer, sayOrder, sayReason, sayResult, sayStatus } from "./words";

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
        expect(sayReason(reason, called)).toBe("The chance that Bob holds 5 influence points or more on T1 Alberto Castellano is 41%.");
        expect(sayAdvice({ simulations: 0, actions: [], reasons: [] })).toBe("There is no hint.");
        expect(computerOf("thinker:level=3,as=fox")).toEqual({ kind: "thinker", level: 3, as: "renard" });
        expect(say({ ended: "abandoned" })).toEqual(["The game was abandoned."]);
    });

    test("number computer players only where the name alone would not say who is meant", () => {
        const fox = { computer: "thinker:level=3,as=fox" };
        const all = (...seats: Seat[]) => seats.map((_, index) => names({ seats })(index + 1));
        expect(all({ name: "Ann" }, fox, { computer: "rules" })).toEqual(["Ann", "Renard", "Computer"]);
        expect(all({ name: "Ann" }, fox, fox)).toEqual(["Ann", "Renard 2", "Renard 3"]);
        expect(all({ name: "Renard" }, fox)).toEqual(["Renard", "Renard 2"]);
        expect(all({ name: "Ann", ...fox }, fox)).toEqual(["Ann", "Renard"]);
    });

    test("say the status at every moment", async () => {
        const state = new TableState();
        const status = () => sayStatus(state, names(state));
        state.feed({ ...introduction({ stage: "gathering", seats: [{ name: "Ann" }, null] }), view: undefined } as never);
        expect(status()).toBe("Waiting for players: 1 of 2 seats taken.");
        state.feed(introduction({ you: { ...you, legal: ["step T1 b1", "assign"] } }));
        expect(status()).toBe("It's your turn: propose a move or assign influence.");
        state.feed(introduction({ you: { ...you, asked: false }, view: view({ actor: 2, active: 2 }) }));
        expect(status()).toBe("Waiting for Renard.");
        const objection = view({ phase: "objection", actor: 0, active: 2, proposal: "step T1 b1" });
        state.feed(introduction({ you: { ...you, legal: ["pass", "object 1..4"] }, view: objection, round: { asked: 3, answered: 1, hidden: true } }));
        expect(status()).toMatch(/^Renard proposes: .* You can object with 1 to 4 points, or pass\.$/);
        state.feed({ push: "table", table: "t", you: { ...you, asked: false }, round: { asked: 3, answered: 2, hidden: true } });
        expect(status()).toMatch(/ 2 of 3 have answered\.$/);
        state.feed({ push: "table", table: "t", round: { asked: 1, answered: 0, hidden: true } });
        expect(status()).toMatch(/ Waiting for Ann\.$/);
        state.feed({ push: "table", table: "t", stage: "over", view: view({ phase: "over", result: "win 1 with T1" }) });
        expect(sayResult(state, names(state))).toBe("You win with T1 Alberto Castellano.");
        await speak("de");
        expect(status()).toBe("Du gewinnst mit T1 Alberto Castellano.");
    });
});
