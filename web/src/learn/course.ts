// The course: lessons at a real table. A lesson is data: positions that prepared inputs lead to, and steps. A step tells
// something; it may ask the learner for something (`want`), and then others act (`then`). The words are in en.ts and
// the other languages; a step without its words there is an error of the compiler.
import { opening, passes, places, proposesAnyStep, says, turns, type Prepared, type Slip, type Want } from "./script";

export interface Step {
    readonly id: string;
    /** From here on at this table. */
    readonly table?: Prepared;
    /** Whose eyes the learner has from here on; seat 1 until said otherwise. */
    readonly seat?: number;
    /** What he must do to go on; a step without it is only told. */
    readonly want?: Want;
    /** How it could be done: for tests, and for "show me". */
    readonly way?: readonly string[];
    /** What happens after it. */
    readonly then?: readonly string[];
    /** Initiates and fields to look at. */
    readonly show?: readonly string[];
    /** Clauses behind it. */
    readonly rules?: readonly import("../rules/clauses").Clause[];
}

export interface Lesson {
    readonly steps: readonly Step[];
}

const twoAtTheStart: Prepared = { players: 2, first: 1, before: opening("", "") };

const nearTheGrail: Prepared = {
    players: 2,
    first: 1,
    before: [...opening("", ""), ...turns(2, 1, "step T1 b1", "step T1 c1", "step T1 c2", "step A1 e2")],
};

const beforeTheOpening: Prepared = { players: 3, first: 1, before: [] };

const claraProposes: Prepared = {
    players: 3,
    first: 2,
    before: [...opening("10 T1, 5 T1", "5 T1, 3 T1, 4 R1", "3 T1, 10 I1"), "2 step T1 a2"],
};

const bearerInSight: Prepared = {
    players: 3,
    first: 3,
    before: [
        ...opening("10 A1, 2 A1", "10 T1, 4 T1", "3 A1, 10 R1"),
        ...turns(3, 3, "step T1 b1", "step A1 e2", "step T1 c1", "step A1 e3", "step A1 d3", "step T1 c2", ["step T1 c3", "keep"]),
    ],
};

const wayHome = [
    "step T1 b1",
    "step T1 c1",
    "step T1 c2",
    ["step T1 c3", "keep"],
    ["step T1 c2", "keep"],
    ["step T1 c1", "keep"],
    ["step T1 b1", "keep"],
] as const;

const claraBringsItHome: Prepared = {
    players: 2,
    first: 1,
    before: [...opening("10 T1, 5 T1", "10 T1, 2 T1"), ...turns(2, 1, ...wayHome), "2 step T1 a1"],
};

const evenHands: Prepared = {
    players: 2,
    first: 2,
    before: [...opening("5 T1, 5 T1", "10 T1"), ...turns(2, 2, ...wayHome)],
};

// The prologue: stopped, stopping, and winning by a point.
const claraMinds: Prepared = { players: 2, first: 1, before: opening("2 A1", "10 A1") };

const claraLeadsHimAway: Prepared = {
    players: 2,
    first: 1,
    before: [
        ...opening("5 A1, 3 A1", "5 A1, 10 I1"),
        ...turns(
            2,
            1,
            "step A1 e2",
            "step A1 e3",
            "step A1 d3",
            ["step A1 c3", "keep"],
            ["step A1 d3", "keep"],
            ["step A1 e3", "keep"],
            ["step A1 e2", "keep"],
        ),
        "2 step A1 e3",
    ],
};

// Nobody waits at home who could be uncovered: a newcomer has not heard of that.
const byAPoint: Prepared = {
    players: 2,
    first: 2,
    before: [...opening("10 T1, 1 T1", "10 T1"), ...turns(2, 2, "step T2 a2", "step T2 a3", ...wayHome)],
};

const fourPlayers: Prepared = {
    players: 4,
    first: 2,
    before: [...opening("10 A1, 2 A1", "10 T1, 3 T1", "10 R1", "4 A1, 10 I2"), ...turns(4, 2, "step T1 b1", "step T1 c1", "step A1 d1")],
};

const threatToKassel: Prepared = {
    players: 4,
    first: 1,
    original: true,
    before: [
        ...opening("5 R1, 1 R1", "10 T1", "10 I1", "4 R1"),
        ...turns(
            4,
            1,
            "step R1 a4",
            "step R1 a3",
            "step R1 b3",
            ["step R1 c3", "keep"],
            ["step R1 b3", "keep"],
            ["step R1 a3", "keep"],
            ["step R1 a4", "keep"],
        ),
        "4 step R1 a5",
    ],
};

const chanceForTomar: Prepared = {
    players: 4,
    first: 2,
    original: true,
    before: [
        ...opening("5 R1, 1 R1", "10 T1", "10 I1", "4 R1"),
        ...turns(
            4,
            2,
            "step R1 a4",
            "step R1 a3",
            "step R1 b3",
            ["step R1 c3", "keep"],
            ["step R1 b3", "keep"],
            ["step R1 a3", "keep"],
            ["step R1 a2", "keep"],
        ),
    ],
};

// RULES.md section 12.
const theExample: Prepared = {
    players: 3,
    first: 2,
    before: [
        ...opening("10 T1, 5 T1", "10 T1, 2 T1, 5 A2", "10 A2, 4 A2"),
        ...turns(3, 2, "step T1 b1", "step T1 c1", "step T1 d1", "step T1 d2", "step A2 e2", "step A2 e3", "step I2 e4", "step I2 d4"),
    ],
};

const theExampleWithFour: Prepared = {
    players: 4,
    first: 1,
    before: [
        ...opening("10 T1, 5 T1", "10 T1, 2 T1, 5 A2", "10 A2, 4 A2", "10 I1"),
        ...turns(4, 1, "step T1 b1", "step T1 c1", "step T1 d1", "step T1 d2", "step T1 d3", "step A2 e2", "step A2 e3"),
        "4 step A2 d3",
    ],
};

export const course = {
    prologue: {
        steps: [
            { id: "move", table: twoAtTheStart, want: proposesAnyStep, way: ["step T1 b1"], then: ["2 pass"], rules: ["R4.1"] },
            { id: "stopped", table: claraMinds, want: says("step A1 d1"), way: ["step A1 d1"], show: ["A1", "d1"], then: ["2 object 5"], rules: ["R4.4"] },
            { id: "yield", want: says("yield"), way: ["yield"], rules: ["R4.5"] },
            {
                id: "stop",
                table: claraLeadsHimAway,
                want: says("object 1"),
                way: ["object 1"],
                show: ["A1", "e3"],
                then: ["2 claim 5"],
                rules: ["R4.4", "R7.1"],
            },
            { id: "raise", want: says("object 6", "object 7", "object 8"), way: ["object 6"], then: ["2 yield"], rules: ["R4.6"] },
            { id: "win", table: byAPoint, want: says("step T1 a1"), way: ["step T1 a1"], show: ["T1", "a1"], then: ["2 object 10"], rules: ["R7.1"] },
            { id: "insist", want: says("claim 10", "claim 11"), way: ["claim 10"], then: ["2 pass"], rules: ["R4.5"] },
            { id: "home", want: says("keep"), way: ["keep"], rules: ["R7.3"] },
        ],
    },
    moving: {
        steps: [
            { id: "welcome", table: twoAtTheStart, rules: ["R1.1", "R1.2"] },
            { id: "first", want: says("step T1 b1"), way: ["step T1 b1"], show: ["T1", "b1"], then: ["2 pass", "2 step A1 e2"], rules: ["R4.1"] },
            { id: "answer", want: says("pass"), way: ["pass"], show: ["A1", "e2"], rules: ["R4.4"] },
            {
                id: "together",
                want: says("step T2 b1"),
                way: ["step T2 b1"],
                show: ["T2", "b1"],
                then: ["2 pass", ...turns(2, 2, "step R1 b5")],
                rules: ["R4.1"],
            },
            { id: "free", want: proposesAnyStep, way: ["step I1 e4"], then: ["2 pass"] },
        ],
    },
    grail: {
        steps: [
            { id: "near", table: nearTheGrail, want: says("step T1 c3"), way: ["step T1 c3"], show: ["T1", "c3"], then: ["2 pass"], rules: ["R4.3"] },
            { id: "take", want: says("keep"), way: ["keep"], then: turns(2, 2, "step A1 e3"), rules: ["R5.2", "R5.4"] },
            { id: "carry", want: says("step T1 b3"), way: ["step T1 b3"], show: ["T1", "b3"], then: ["2 pass"], rules: ["R5.1"] },
            { id: "drop", want: says("drop"), way: ["drop"], then: turns(2, 2, "step R1 a4"), rules: ["R5.1"] },
            { id: "again", want: says("step T1 b2"), way: ["step T1 b2"], show: ["T1", "b2"], then: ["2 pass"], rules: ["R5.1"] },
            { id: "along", want: says("keep"), way: ["keep"], then: turns(2, 2, "step R1 a3"), rules: ["R5.1"] },
            { id: "safe", rules: ["R5.3"] },
        ],
    },
    influence: {
        steps: [
            { id: "sheet", table: beforeTheOpening, rules: ["R1.4", "R2.2"] },
            {
                id: "opening",
                want: places({ T1: 15, R2: 3 }),
                way: ["place 10 T1", "place 5 T1", "place 3 R2", "done"],
                show: ["T1", "R2"],
                then: ["2 place 10 A1; done", "3 done"],
                rules: ["R2.2", "R3.2"],
            },
            {
                id: "assign",
                want: places({ T1: 10 }),
                way: ["assign", "place 10 T1", "done"],
                show: ["T1"],
                then: ["2 assign; done", "3 assign; place 10 I2; place 5 I2; done"],
                rules: ["R3.1", "R3.4"],
            },
            { id: "others", rules: ["R10.1"] },
            { id: "bluff", want: places({}), way: ["assign", "done"], then: turns(3, 2, "step A1 d1", "step I2 e4"), rules: ["R3.2", "Q3"] },
        ],
    },
    objecting: {
        steps: [
            {
                id: "proposal",
                table: claraProposes,
                want: says("object 1"),
                way: ["object 1"],
                show: ["T1", "a2"],
                then: ["3 pass", "2 claim 3"],
                rules: ["R4.4", "R4.8"],
            },
            { id: "raise", want: says("object 4"), way: ["object 4"], then: ["3 pass", "2 yield", "2 step A1 e2"], rules: ["R4.5", "R4.6"] },
            { id: "rejected", want: says("pass"), way: ["pass"], then: ["3 pass", "3 assign; done"], rules: ["R4.9"] },
            { id: "propose", want: says("step T1 b1"), way: ["step T1 b1"], show: ["T1", "b1"], then: ["2 object 5", "3 pass"], rules: ["R4.1"] },
            { id: "insist", want: says("claim 5"), way: ["claim 5"], then: ["2 object 8", "3 pass"], rules: ["R4.5", "Q6"] },
            { id: "match", want: says("claim 8"), way: ["claim 8"], then: ["2 pass", "3 pass"], rules: ["R4.5"] },
            { id: "known", rules: ["R4.7", "R4.8", "R10.3"] },
        ],
    },
    uncovering: {
        steps: [
            { id: "danger", table: bearerInSight, show: ["T1"], rules: ["R5.3", "R6.1"] },
            {
                id: "announce",
                want: says("step A1 c3 x T1"),
                way: ["step A1 c3 x T1"],
                show: ["A1", "T1", "c3"],
                then: ["2 pass", "3 object 3"],
                rules: ["R4.2", "R6.2"],
            },
            { id: "insist", want: says("claim 3"), way: ["claim 3"], then: ["2 pass", "3 pass"], rules: ["R4.4", "R4.5"] },
            { id: "freed", want: says("keep"), way: ["keep"], rules: ["R6.3", "R6.5"] },
            { id: "price", show: ["A1"], rules: ["R6.4"] },
        ],
    },
    end: {
        steps: [
            { id: "gift", table: claraBringsItHome, want: says("pass"), way: ["pass"], show: ["T1", "a1"], then: ["2 keep"], rules: ["R7.1"] },
            { id: "winner", rules: ["R7.3"] },
            { id: "even", table: evenHands, want: says("step T1 a1"), way: ["step T1 a1"], show: ["T1", "a1"], then: ["2 object 10"], rules: ["R7.3"] },
            { id: "insist", want: says("claim 10"), way: ["claim 10"], then: ["2 pass"], rules: ["R4.5"] },
            { id: "home", want: says("keep"), way: ["keep"], rules: ["R7.2"] },
            { id: "tie", rules: ["R7.3", "R7.4"] },
        ],
    },
    four: {
        steps: [
            {
                id: "one",
                table: fourPlayers,
                want: places({ A1: 9 }),
                way: ["assign", "place 5 A1", "place 4 A1", "done"],
                show: ["A1"],
                then: [...turns(4, 2, "step R1 b5", "step I1 e4"), "4 step A1 c1"],
                rules: ["R3.3"],
            },
            { id: "helper", want: says("pass"), way: ["pass"], show: ["A1", "c1"], then: passes(4, 1, 4), rules: ["R6.7"] },
            { id: "uncover", want: says("uncover A1 T1"), way: ["uncover A1 T1"], show: ["A1", "T1"], then: passes(4, 1), rules: ["R4.2", "R6.2"] },
            { id: "bill", rules: ["R6.4", "R6.7"] },
        ],
    },
    original: {
        steps: [
            { id: "homes", table: threatToKassel, show: ["a1"], rules: ["R8.1", "R8.2"] },
            { id: "threat", want: says("object 1"), way: ["object 1"], show: ["R1", "a5"], then: [...passes(4, 1, 4), "4 claim 4"], rules: ["R4.4", "R8.2"] },
            {
                id: "stop",
                want: says("object 5", "object 6"),
                way: ["object 5"],
                then: [...passes(4, 1, 4), "4 yield", "4 step T2 a2", ...passes(4, 4)],
                rules: ["R4.6"],
            },
            { id: "chance", table: chanceForTomar, want: says("step R1 a1"), way: ["step R1 a1"], show: ["R1", "a1"], then: passes(4, 1), rules: ["R8.2"] },
            { id: "keep", want: says("keep"), way: ["keep"], rules: ["R8.2"] },
            { id: "won", rules: ["R8.2", "R8.3"] },
        ],
    },
    example: {
        steps: [
            { id: "scene", table: theExample, show: ["T1", "A2", "I2"] },
            { id: "propose", want: says("step T1 d3"), way: ["step T1 d3"], show: ["T1", "d3"], then: ["2 object 1", "3 pass"], rules: ["R4.1"] },
            { id: "one", want: says("claim 1"), way: ["claim 1"], then: ["2 object 2", "3 pass"], rules: ["R4.5"] },
            { id: "two", want: says("claim 2"), way: ["claim 2"], then: ["2 object 5", "3 pass"] },
            { id: "five", want: says("claim 5"), way: ["claim 5"], then: ["2 object 10", "3 pass"] },
            { id: "ten", want: says("claim 10"), way: ["claim 10"], then: ["2 object 12", "3 pass"] },
            { id: "yield", want: says("yield"), way: ["yield"], rules: ["R4.5", "R4.8"] },
            {
                id: "instead",
                want: says("step I2 d5"),
                way: ["step I2 d5"],
                show: ["I2", "d5"],
                then: [...passes(3, 1), ...turns(3, 2, "step T1 d3")],
                rules: ["R4.9"],
            },
            {
                id: "third",
                seat: 3,
                want: says("step A2 d3 x T1"),
                way: ["step A2 d3 x T1"],
                show: ["A2", "T1", "d3"],
                then: ["1 pass", "2 pass"],
                rules: ["R4.2", "R6.2"],
            },
            { id: "lost", rules: ["R6.3", "R6.4"] },
            {
                id: "four",
                table: theExampleWithFour,
                seat: 2,
                want: says("object 1", "object 2", "object 3", "object 4", "object 5"),
                way: ["object 1"],
                show: ["A2", "d3"],
                then: ["1 pass", "3 pass", "4 yield", "4 step I1 e4", ...passes(4, 4)],
                rules: ["R6.7", "R4.4"],
            },
            { id: "plan", rules: ["R6.7", "R4.7"] },
        ],
    },
} as const satisfies Record<string, Lesson>;

export type LessonId = keyof typeof course;
export const lessonIds = Object.keys(course) as LessonId[];
export const isLesson = (id: string): id is LessonId => Object.hasOwn(course, id);

type StepOf<L extends LessonId> = (typeof course)[L]["steps"][number];
type StepId<L extends LessonId> = StepOf<L>["id"];
type AskId<L extends LessonId> = Extract<StepOf<L>, { want: unknown }>["id"];

/** For who does something else that is allowed, too: one sentence for all of it, or one for each kind. */
export type SlipText = string | Readonly<Partial<Record<Slip, string>>>;

/** What is told, what is to be done, and a hint if anything else could be. Gaps: {b1} fields, {T1} initiates. */
export type Task = readonly [text: string, task: string, hint?: SlipText];

export interface LessonText<L extends LessonId> {
    readonly title: string;
    readonly about: string;
    readonly steps: { readonly [I in StepId<L>]: I extends AskId<L> ? Task : string };
    readonly closing: string;
}

export type CourseText = { readonly [L in LessonId]: LessonText<L> };

/** How the players are called, by seat. The learner begins on the first. */
export const people = ["Vera", "Clara", "Leon", "Nora"] as const;
