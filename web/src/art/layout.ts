import type { Initiate } from "./model";
import { isTall } from "./model";

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
const CROWDS: readonly (readonly [height: number, feet: readonly (readonly [x: number, y: number])[]])[] = [
    [0, []],
    [76, [[50, 84]]],
    [70, [[30, 82], [70, 84]]],
    [62, [[50, 68], [24, 84], [76, 84]]],
    [58, [[35, 66], [74, 66], [23, 85], [62, 85]]],
    [54, [[33, 63], [67, 63], [17, 85], [50, 85], [83, 85]]],
    [52, [[22, 62], [52, 62], [82, 62], [17, 85], [48, 85], [79, 85]]],
    [50, [[25, 61], [51, 61], [77, 61], [14, 85], [38, 85], [62, 85], [86, 85]]],
    [49, [[19, 60], [43, 60], [67, 60], [91, 60], [11, 85], [35, 85], [59, 85], [83, 85]]],
];

export interface Spot { who: Initiate; x: number; y: number; height: number }

/** Feet and height of each figure, in painting order. Tall figures stand behind, so that nobody is hidden. */
export function crowd(who: readonly Initiate[], room = 0): Spot[] {
    const [height, feet] = CROWDS[Math.min(who.length, 8)]!;
    const sorted = who.length > 2 ? [...who].sort((a, b) => Number(isTall(b)) - Number(isTall(a))) : [...who];
    return sorted.map((w, i) => ({ who: w, x: feet[i]![0] * (1 - room / 100), y: feet[i]![1], height }));
}
