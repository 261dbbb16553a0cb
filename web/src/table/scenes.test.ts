import { expect, test } from "vitest";
import type { PlayedGame } from "../lib/records";
import { sayMargin, scenesOf } from "./scenes";

const called = (seat: number) => ["Ann", "Ben", "Cleo", "Dan"][seat - 1]!;
const readBy = (me: number, winner: number, ...points: number[]) =>
    sayMargin(
        {
            info: { settings: { players: points.length, rules: "standard" }, tags: {}, result: `win ${winner} with T1` } as PlayedGame["info"],
            timeline: [{ turn: 9, index: 40, influence: points.map((held) => [held, 0, 0, 0, 0, 0, 0, 0]) }],
            names: called,
        },
        Object.assign((seat: number) => called(seat), { me }),
    );
const margin = (winner: number, ...points: number[]) => readBy(0, winner, ...points);

test("how far the winner is ahead, and in a tie of whom: of all who have as much (R7.3)", () => {
    expect(margin(2, 12, 20, 3)).toBe("8 points ahead of Ann.");
    expect(margin(1, 20, 20)).toBe("A tie with Ben: whoever moved wins.");
    expect(margin(1, 20, 20, 7, 20)).toBe("A tie with Ben and Dan: whoever moved wins.");
    expect(margin(3, 5, 5, 5, 5)).toBe("A tie with Ann, Ben, and Dan: whoever moved wins.");
    expect(readBy(1, 2, 12, 20, 3)).toBe("8 points ahead of you.");
    expect(readBy(4, 1, 20, 20, 7, 20)).toBe("You had just as many points: whoever moved wins.");
});

test("a story is told as it happened", () => {
    const game = {
        info: { names: ["Ann", "Ben"], settings: { players: 2, rules: "standard" }, tags: {}, result: "win 1 with T1" },
        timeline: [
            { turn: 0, index: 2, influence: [20, 3].map((held) => [held, 0, 0, 0, 0, 0, 0, 0]) },
            { turn: 9, index: 40, influence: [20, 3].map((held) => [held, 0, 0, 0, 0, 0, 0, 0]) },
        ],
        names: (seat: number) => ["Ann", "Ben"][seat - 1]!,
        length: 40,
    } as unknown as PlayedGame;
    const bluff = { turn: 7, index: 30, seat: 2, on: null };
    const secret = { turn: 5, index: 20, seat: 1, pawn: "T1", held: 20, guess: [0, 1, 2] } as const;
    const turning = { turn: 2, index: 10, seat: 1, pawn: "T1", kind: "lead", placed: 17, rival: 0 } as const;
    expect(scenesOf(game, { bluff, secret, turning }).map(({ title }) => title)).toEqual([
        "Ann · Ben",
        "What everyone wanted",
        "The turning point · Turn 2",
        "The best-kept secret · Turn 5",
        "The biggest bluff · Turn 7",
        "Ann wins with T1 Alberto Castellano.",
    ]);
});
