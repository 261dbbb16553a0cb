import { expect, test } from "vitest";
import type { TournamentRow } from "../lib/protocol";
import { sayPoints, sayStage } from "./tournaments";

test.each([
    [0, "0"],
    [6, "½"],
    [12, "1"],
    [18, "1½"],
    [28, "2⅓"],
    [33, "2¾"],
    [19, "1.58"],
])("%i twelfths are %s points", (twelfths, points) => expect(sayPoints(twelfths, "en")).toBe(points));

test("a tournament says when it begins, how far it is, and that it does not take place", () => {
    const row: TournamentRow = {
        ...{ tournament: "a", title: "Friday", by: "Ann", stage: "open", system: "swiss", players: 2, clock: null },
        ...{ joined: 3, people: 8, round: 3_600_000 },
    };
    expect(sayStage(row, "en")).toBe("3 of 8 players have joined. It begins when all are there.");
    expect(sayStage({ ...row, joined: 1 }, "en")).toBe("1 of 8 players has joined. It begins when all are there.");
    expect(sayStage({ ...row, stage: "running", current: 2, rounds: 3 }, "en")).toBe("Round 2 of 3");
    expect(sayStage({ ...row, stage: "off" }, "en")).toBe("This tournament was called off.");
    const { people: _, ...dated } = row;
    expect(sayStage({ ...dated, begins: 1_794_787_200 }, "en")).toMatch(/^Begins .*2026|^Begins .*\d+.* 3 players have joined\.$/);
});
