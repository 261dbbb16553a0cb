import { expect, test } from "vitest";
import { nearestAmount, unitsFor } from "./coins.ts";

test("an amount is made of the fewest units there are", () => {
    expect(unitsFor(38, [4, 4, 4, 4, 4, 4])).toEqual([10, 10, 10, 4, 4]);
    expect(unitsFor(0, [4, 4, 4, 4, 4, 4])).toEqual([]);
    expect(unitsFor(100, [4, 4, 4, 4, 4, 4])).toHaveLength(24);
    expect(unitsFor(6, [0, 0, 1, 2, 0, 0])).toEqual([3, 3]); // not 4 and then nothing that fits
});

test("what cannot be made is not", () => {
    expect(unitsFor(7, [2, 0, 0, 0, 0, 0])).toBeNull();
    expect(unitsFor(101, [4, 4, 4, 4, 4, 4])).toBeNull();
});

test("instead of it there is the next amount that can, on the side one goes to", () => {
    expect(nearestAmount(7, [2, 0, 0, 0, 0, 0])).toBe(10);
    expect(nearestAmount(11, [2, 0, 0, 0, 0, 0], 1)).toBe(10);
    expect(nearestAmount(5, [1, 0, 0, 0, 0, 0], 1)).toBe(10);
    expect(nearestAmount(5, [1, 0, 0, 0, 0, 0], -1)).toBe(0);
    expect(nearestAmount(99, [1, 0, 0, 0, 0, 0])).toBe(10);
});
