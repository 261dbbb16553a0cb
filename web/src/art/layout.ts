import { isTall, type Pawn } from "../lib/initiates";

/* The board is 568 × 568: a frame of 34 around 5 × 5 fields of 100. */
export const FRAME = 34;
export const FIELD = 100;
export const BOARD = 2 * FRAME + 5 * FIELD;

export const FIELDS: readonly string[] = [5, 4, 3, 2, 1].flatMap((row) => [..."abcde"].map((col) => col + row));

/** The north-west corner of a field such as "c3". */
export const cornerOf = (field: string): readonly [x: number, y: number] => [
    FRAME + FIELD * (field.charCodeAt(0) - 97),
    FRAME + FIELD * (5 - Number(field[1])),
];
export const centreOf = (field: string): readonly [x: number, y: number] => {
    const [x, y] = cornerOf(field);
    return [x + FIELD / 2, y + FIELD / 2];
};

/* Where 1 to 8 figures stand on a field of 100 × 100: their height, then the feet from back to front. */
// prettier-ignore
const CROWDS: readonly (readonly [height: number, feet: readonly (readonly [x: number, y: number])[]])[] = [
    [0, []],
    [72, [[50, 78]]],
    [66, [[29, 77], [71, 78]]],
    [58, [[50, 62], [23, 79], [77, 79]]],
    [55, [[33, 60], [73, 60], [24, 79], [64, 79]]],
    [52, [[33, 58], [67, 58], [17, 79], [50, 79], [83, 79]]],
    [50, [[22, 57], [53, 57], [84, 57], [16, 79], [47, 79], [78, 79]]],
    [48, [[25, 56], [51, 56], [77, 56], [14, 79], [38, 79], [62, 79], [86, 79]]],
    [47, [[18, 55], [42, 55], [66, 55], [90, 55], [10, 79], [34, 79], [58, 79], [82, 79]]],
];

export interface Spot {
    who: Pawn;
    x: number;
    y: number;
    height: number;
}

/** Feet and height of each figure, in painting order. Tall figures stand behind, so that nobody is hidden. */
export function crowd(who: readonly Pawn[], room = 0): Spot[] {
    const [height, feet] = CROWDS[Math.min(who.length, 8)]!;
    const sorted = who.length > 2 ? [...who].sort((a, b) => Number(isTall(b)) - Number(isTall(a))) : [...who];
    return sorted.map((w, i) => ({ who: w, x: feet[i]![0] * (1 - room / 100), y: feet[i]![1], height }));
}
