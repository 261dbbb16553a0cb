import { describe, expect, test } from "vitest";
import { bestSecret, biggestBluff, sayBluff, saySecret, sayTurningPoint, turningPoint, type Moment } from "./highlights";
import type { ReplayInfo, TimelinePoint, View } from "./protocol";

const row = (t1 = 0, a1 = 0) => [t1, 0, a1, 0, 0, 0, 0, 0];
const point = (turn: number, index: number, ...influence: number[][]): TimelinePoint => ({ turn, index, influence });
const names = (seat: number) => ["Ann", "Bob", "Cleo"][seat - 1]!;
const readBy = (me: number) => Object.assign((seat: number) => names(seat), { me });
const said = (...words: string[]) =>
    words.map((line) => {
        const [turn, seat, action] = line.split(": ") as [string, string, string];
        return { turn: Number(turn), seat: Number(seat), action };
    });
const course = (over: Partial<ReplayInfo> = {}) => ({
    settings: { players: 2, rules: "standard", first: 1, limit: 0 } as ReplayInfo["settings"],
    tags: {},
    result: "win 1 with T1",
    actions: [],
    placements: [],
    ...over,
});
const views = (...grails: string[]) => grails.map((grail) => ({ grail })) as View[];

describe("the turning point", () => {
    const timeline = [point(0, 2, row(3), row(5)), point(1, 4, row(3), row(5)), point(2, 6, row(13), row(5)), point(3, 8, row(13), row(5))];

    test("is where the winner took the lead for good, with what he placed and whom he passed", () => {
        const info = course({ placements: [{ turn: 2, seat: 1, pawn: "T1", points: 10 }] });
        const found = turningPoint(info, timeline, [])!;
        expect(found).toEqual({ kind: "lead", turn: 2, index: 6, seat: 1, pawn: "T1", placed: 10, rival: 2 });
        expect(sayTurningPoint(found, names)).toBe("Ann secretly placed 10 influence points on T1 Alberto Castellano and overtook Bob.");
        expect(sayTurningPoint(found, readBy(1))).toBe("You secretly placed 10 influence points on T1 Alberto Castellano and overtook Bob.");
        expect(sayTurningPoint(found, readBy(2))).toBe("Ann secretly placed 10 influence points on T1 Alberto Castellano and overtook you.");
    });

    test("is where the initiate took the grail, if the winner always led or influence does not count", () => {
        const info = course({ actions: said("1: 1: step T1 b1", "1: 2: pass", "1: 1: keep", "2: 2: assign", "2: 2: done") });
        const led = [point(0, 2, row(9), row(5)), point(1, 5, row(9), row(5))];
        const seen = views("c3", "c3", "c3", "T1", "T1", "T1");
        expect(turningPoint(info, led, seen)).toMatchObject({ kind: "grail", turn: 1, index: 3 });
        const original = course({ ...info, settings: { ...info.settings, rules: "original" } });
        expect(turningPoint(original, timeline, seen)).toMatchObject({ kind: "grail", turn: 1, index: 3 });
    });

    test("is nowhere in a draw", () => {
        expect(turningPoint(course({ result: "draw" }), timeline, [])).toBeNull();
    });
});

const believe = (low: number, middle: number, high: number) => Array.from({ length: 8 }, () => [low, middle, high, 50]);
const moment = (turn: number, held: number, [low, middle, high] = [0, 4, 10]): Moment => ({
    turn,
    index: turn,
    truth: [[held, 4, 4, 4, 4, 4, 4, 4]],
    believed: [believe(low, middle, high)] as never,
});

describe("the biggest bluff", () => {
    test("is where the others' best guess was furthest above the truth", () => {
        const found = biggestBluff(course(), [moment(1, 3, [2, 5, 9]), moment(2, 1, [8, 20, 30]), moment(3, 12)])!;
        expect(found).toEqual({ turn: 2, index: 2, seat: 1, on: { pawn: "T1", held: 1, guess: 20 } });
        expect(sayBluff(found, names)).toBe("The others credited Ann with about 20 on T1 Alberto Castellano. In truth it was 1.");
        expect(sayBluff(found, readBy(1))).toBe("The others credited you with about 20 on T1 Alberto Castellano. In truth it was 1.");
    });

    test("is an announcement with nothing behind it, if nobody was overrated", () => {
        const look = (...words: string[]) => biggestBluff(course({ actions: said(...words) }), [moment(1, 3)]);
        const found = look("1: 1: step T1 b1", "1: 2: object 3", "1: 1: yield", "2: 1: assign", "2: 1: done")!;
        expect(found).toEqual({ turn: 2, index: 5, seat: 1, on: null });
        expect(sayBluff(found, names)).toBe("Ann announced influence and placed nothing.");
        expect(look("1: 1: assign", "1: 1: place 5 T1", "1: 1: done")).toBeNull();
    });
});

test("the best kept secret is what was furthest above everything likely", () => {
    const found = bestSecret([moment(1, 12), moment(2, 30), moment(3, 11)])!;
    expect(found).toMatchObject({ turn: 2, seat: 1, pawn: "T1", held: 30 });
    expect(saySecret(found, names)).toBe("Ann held 30 on T1 Alberto Castellano; the others' best guess was about 4 (0–10).");
    expect(saySecret(found, readBy(1))).toBe("You held 30 on T1 Alberto Castellano; the others' best guess was about 4 (0–10).");
    expect(bestSecret([moment(1, 9)])).toBeNull();
});
