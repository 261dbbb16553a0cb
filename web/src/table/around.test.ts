import { expect, test } from "vitest";
import { sideOf } from "./around.ts";

test("three sit clockwise: I am near, the next is far to the left", () => {
    expect([sideOf("near", 3, 1), sideOf("far", 3, 1)]).toEqual([[1], [2, 3]]);
    expect([sideOf("near", 3, 3), sideOf("far", 3, 3)]).toEqual([[3], [1, 2]]);
    expect([sideOf("near", 2, 0), sideOf("far", 2, 0)]).toEqual([[1], [2]]);
});

test("twelve sit all around, each once", () => {
    expect(sideOf("near", 12, 1)).toEqual([3, 2, 1, 12, 11]);
    expect(sideOf("far", 12, 1)).toEqual([4, 5, 6, 7, 8, 9, 10]);
    for (let players = 2; players <= 12; players++)
        expect([...sideOf("near", players, 2), ...sideOf("far", players, 2)].sort((one, other) => one - other)).toEqual(
            Array.from({ length: players }, (_, at) => at + 1),
        );
});
