import { expect, test } from "vitest";
import { centreOf, cornerOf, crowd, FIELDS } from "./layout";
import { isTall, pawns } from "../lib/initiates";

test("a1 is in the south-west, and north is up", () => {
    expect(FIELDS).toHaveLength(25);
    expect(cornerOf("a1")).toEqual([34, 434]);
    expect(centreOf("c3")).toEqual([284, 284]);
    expect(cornerOf("e5")).toEqual([434, 34]);
});

test("any crowd stays on its field, nobody stands in another's place, and the tall stand behind", () => {
    for (let n = 1; n <= 8; n++) {
        const spots = crowd(pawns.slice(0, n));
        expect(spots.map((s) => s.who).sort()).toEqual(pawns.slice(0, n).sort());
        expect(new Set(spots.map((s) => `${s.x} ${s.y}`)).size).toBe(n);
        for (const s of spots) {
            expect(s.x).toBeGreaterThan(5);
            expect(s.x).toBeLessThan(95);
            expect(s.y - 0.92 * s.height).toBeGreaterThan(0);
            expect(s.y + 0.08 * s.height).toBeLessThan(86);
        }
        if (n > 2) expect(spots.findIndex((s) => !isTall(s.who))).toBe(Math.ceil(n / 2));
    }
});
