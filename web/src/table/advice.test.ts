import { expect, test } from "vitest";
import { parseLegal } from "../lib/actions";
import { pawns, type Pawn } from "../lib/initiates";
import type { Hint, Reason, ReasonKind, Terms, View, You } from "../lib/protocol";
import { sayReasons, sayStopped } from "./advice";

const on = (pawn: Pawn, points: number) => pawns.map((one) => (one === pawn ? points : 0));
const reason = (kind: ReasonKind, parts: Partial<Reason> = {}): Reason => ({ kind, seat: 2, pawn: "T1", points: 0, chance: 0, ...parts });
const hint = (actions: Record<string, number>, reasons: Reason[], plan?: string[]): Hint => ({
    simulations: 100,
    actions: Object.entries(actions).map(([action, chance]) => ({ action, chance, weight: 0 })),
    reasons,
    ...(plan ? { plan } : {}),
});

/** What is told to seat 1, who holds 12 on T1, when Bob is known to hold so much on him. */
const told = (
    hint: Hint,
    known = 0,
    {
        mine = 0,
        original = false,
        legal = ["pass", "object 1..12"],
        view = {},
    }: { mine?: number; original?: boolean; legal?: string[]; view?: Partial<View> } = {},
) =>
    sayReasons(
        hint,
        {
            seat: 1,
            view: { known: [on("T1", mine), on("T1", known)], ...view } as View,
            you: { influence: on("T1", 12) } as You,
            legal: parseLegal(legal),
            terms: { rules: original ? "original" : "standard" } as Terms,
        },
        (seat) => ["", "Ann", "Bob"][seat]!,
    ).map(({ group, said }) => `${group}: ${said}`);

test("a difference that is none is told as that", () => {
    const next = [reason("better-than", { chance: 0.6 })];
    expect(told(hint({ "step T1 b1": 0.61, pass: 0.6, assign: 0.5 }, next))).toEqual(["whatIf: About as good: Pass."]);
    expect(told(hint({ "step T1 b1": 0.7, pass: 0.6 }, next))).toEqual(["whatIf: The next best action wins only 60% of the time."]);
});

test("who can probably go on speaks against standing up, and for giving in", () => {
    const holds = (chance: number) => [reason("holds-at-least", { points: 5, chance })];
    expect(told(hint({ "object 5": 0.6 }, holds(0.8)))).toEqual([
        "against: The chance that Bob holds 5 influence points or more on T1 Alberto Castellano is 80%.",
    ]);
    expect(told(hint({ "object 5": 0.6 }, holds(0.2)))).toEqual([
        "belief: The chance that Bob holds less than 5 influence points on T1 Alberto Castellano is 80%.",
    ]);
    expect(told(hint({ pass: 0.6 }, holds(0.8)))[0]).toMatch(/^belief: The chance that Bob holds 5 .* or more .* is 80%/);
    expect(told(hint({ pass: 0.6 }, holds(0.2)))[0]).toMatch(/^against: The chance that Bob holds less than 5 .* is 80%/);
});

test("what was shown is known, not likely", () => {
    const holds = [reason("holds-at-least", { points: 5, chance: 1 })];
    expect(told(hint({ pass: 0.6 }, holds), 8)).toEqual(["fact: Bob has shown 8 influence points on T1 Alberto Castellano."]);
    expect(told(hint({ "claim 5": 0.6 }, holds), 8)[0]).toMatch(/^against: Bob has shown 8/);
    expect(told(hint({ yield: 0.6 }, holds), 5)).toEqual([]);
});

test("a secret that is none is not saved, nor is it worth much when something else is as good", () => {
    const saves = [reason("saves-secrets")];
    expect(told(hint({ pass: 0.6, "object 1": 0.5 }, saves))).toEqual(["whatIf: Going on would reveal more than it is worth."]);
    expect(told(hint({ pass: 0.6, "object 1": 0.59 }, saves))).toEqual(["whatIf: It keeps your influence on T1 Alberto Castellano secret."]);
    expect(told(hint({ pass: 0.6 }, saves), 0, { mine: 12 })).toEqual([]);
});

test("somebody else's initiate speaks against bringing him on, and for leading him away", () => {
    const weak = reason("strongest", { chance: 0.1 });
    const said = "The chance that someone else holds more influence on T1 Alberto Castellano than you is 90%.";
    expect(told(hint({ "step T1 b1": 0.6 }, [reason("towards-grail", { points: 2 }), weak]))).toContain(`against: ${said}`);
    expect(told(hint({ "step T1 b1": 0.6 }, [weak]))).toEqual([`belief: ${said}`]);
    const strong = reason("strongest", { chance: 0.9 });
    expect(told(hint({ keep: 0.6 }, [strong]))[0]).toMatch(/^belief: The chance that you hold the most .* is 90%/);
    expect(told(hint({ leave: 0.6 }, [strong]))[0]).toMatch(/^against: The chance that you hold the most .* is 90%/);
    expect(told(hint({ "step A1 e2": 0.6 }, [{ ...strong, pawn: "A1" }]))).toEqual([]); // nobody holds anything
});

test("a proposal that somebody else can probably stop is told as that; an answer is none", () => {
    const leads = (action: string, chance: number, kind: ReasonKind = "strongest") => sayStopped(hint({ [action]: 0.6 }, [reason(kind, { chance })]));
    expect(leads("step T1 b1", 0.2)).toBe("It can probably be stopped (80%).");
    expect(leads("step T1 b1", 0.2, "may-win-now")).toBe("It can probably be stopped (80%).");
    expect(leads("uncover T1 A1", 0.4)).toBe("It can probably be stopped (60%).");
    expect(leads("step T1 b1", 0.6)).toBeNull();
    expect(leads("keep", 0.2)).toBeNull();
});

test("where nothing else can be done, that is the reason", () => {
    const holds = [reason("holds-at-least", { points: 1, chance: 0.8 })];
    expect(told(hint({ pass: 0.9 }, holds), 0, { legal: ["pass"] })).toEqual(["fact: You can't object here; pass."]);
    expect(told(hint({ yield: 0.9 }, holds), 0, { legal: ["yield"] })).toEqual(["fact: You can't insist here; yield."]);
});

test("what is no reason for this action is not told", () => {
    const arrives = [reason("towards-grail", { points: 0 })];
    expect(told(hint({ "step T1 c3": 0.6 }, arrives))).toEqual(["whatIf: It brings T1 Alberto Castellano to the grail."]);
    expect(told(hint({ keep: 0.6 }, arrives))).toEqual([]);
    const carries = [reason("carries-home", { points: 2 })];
    expect(told(hint({ "step T1 c2": 0.6 }, carries))).toHaveLength(1);
    expect(told(hint({ "step T1 c2": 0.6 }, carries), 0, { original: true })).toEqual([]);
    expect(told(hint({ "uncover T1 A1": 0.6 }, [reason("uncovers", { pawn: "A1", points: 0 })]))).toEqual([]);
});

test("whoever uncovers somebody hears what he loses himself", () => {
    const uncovers = [reason("uncovers", { pawn: "T1", points: 7 })];
    expect(told(hint({ "uncover A1 T1": 0.6 }, uncovers))).toEqual([
        "whatIf: It removes T1 Alberto Castellano from the game; Bob loses about 7 influence points.",
        "against: You lose your own 12 influence points on T1 Alberto Castellano.",
    ]);
});

test("an assignment has the reason of all that is placed", () => {
    const builds = (...plan: string[]) => hint({ [plan[0]!]: 0.6 }, [reason("builds", { pawn: "T1" })], plan);
    const adds = (...said: string[]) => [`whatIf: It secretly adds to your influence on ${said.join(", ")}.`];
    expect(told(builds("assign", "place 5 T1", "done"))).toEqual(adds("T1 Alberto Castellano"));
    expect(told(builds("place 5 T1", "place 4 T1", "place 3 R2", "done"))).toEqual(adds("T1 Alberto Castellano", "R2 Frater Maleficus"));
});

test("an opening says what it makes possible and what it leaves open", () => {
    const opening = (...plan: string[]) => told(hint({ [plan[0]!]: 0.6 }, [reason("builds")], plan), 0, { view: { phase: "opening" } });
    expect(opening("place 10 T1", "place 5 T1", "place 5 R2", "done")).toEqual([
        "whatIf: You can win with any of them, and nobody knows which one you favour.",
        "fact: With 10 points or more you can uncover others: T1 Alberto Castellano.",
        "whatIf: You keep 80 influence points for later, when you know where they are needed.",
    ]);
    expect(opening("done")).toEqual([
        "whatIf: You keep all your points for later, when you know where they are needed.",
        "against: Until you place something, you can't object to anything.",
    ]);
    expect(opening("place 5 T1", "done")[0]).toBe("against: It is all on one initiate: the others only have to stop him.");
});

test("whoever leads the bearer away from home hears why, or that it speaks against it", () => {
    const bearer = { grail: "T1", pawns: ["b2", ...pawns.slice(1).map(() => "e5")] } as Partial<View>;
    const away = (chance: number, action = "step T1 c2") => told(hint({ [action]: 0.6 }, [reason("strongest", { chance })]), 0, { view: bearer });
    expect(away(0.1)).toContain("whatIf: Further from home, T1 Alberto Castellano can't soon win for someone else.");
    expect(away(0.9)).toContain("against: It takes T1 Alberto Castellano with the grail further from home.");
    expect(away(0.9, "step T1 a2")).toHaveLength(1);
    const unsaid = (known: number, grail: Pawn) =>
        told(hint({ [`step ${grail} c2`]: 0.6 }, []), known, { view: { ...bearer, grail, pawns: pawns.map(() => "d1") } });
    expect(unsaid(0, "A1")).toEqual(["whatIf: Further from home, A1 Hassan Al-\u2060Molk can't soon win for someone else."]); // I hold nothing
    expect(unsaid(12, "T1")).toEqual(["whatIf: Further from home, T1 Alberto Castellano can't soon win for someone else."]);
    expect(unsaid(11, "T1")).toEqual(["against: It takes T1 Alberto Castellano with the grail further from home."]);
});
