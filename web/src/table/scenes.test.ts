import { expect, test } from "vitest";
import type { PlayedGame } from "../lib/records";
import { sayMargin } from "./scenes";

const margin = (winner: number, ...points: number[]) =>
    sayMargin({
        info: { settings: { players: points.length, rules: "standard" }, tags: {}, result: `win ${winner} with T1` } as PlayedGame["info"],
        timeline: [{ turn: 9, index: 40, influence: points.map((held) => [held, 0, 0, 0, 0, 0, 0, 0]) }],
        names: (seat) => ["Ann", "Ben", "Cleo", "Dan"][seat - 1]!,
    });

test("how far the winner is ahead, and in a tie of whom: of all who have as much (R7.3)", () => {
    expect(margin(2, 12, 20, 3)).toBe("8 points ahead of Ann.");
    expect(margin(1, 20, 20)).toBe("A tie with Ben: whoever moved wins.");
    expect(margin(1, 20, 20, 7, 20)).toBe("A tie with Ben and Dan: whoever moved wins.");
    expect(margin(3, 5, 5, 5, 5)).toBe("A tie with Ann, Ben, and Dan: whoever moved wins.");
});
