import { expect, test } from "vitest";
import { endOf } from "./records";

test.each([
    ["win 2 with T1", {}, { winner: 2, pawn: "T1" }],
    ["draw", {}, "draw"],
    [null, { Termination: "agreed" }, "draw"],
    [null, { Termination: "abandoned" }, null],
    [null, {}, undefined],
] as const)("a record with the result %s and the tags %o ended so: %o", (result, tags, end) => {
    expect(endOf({ result, tags })).toEqual(end);
});
