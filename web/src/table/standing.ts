// Where figures and grail stand on the picture of the board, in its units.
import { cornerOf, crowd, FIELDS } from "../art";
import { isPawn, type Pawn } from "../lib/initiates";
import type { View } from "../lib/protocol";
import { pawnsOn } from "./said";

/** The upper left corner of a figure, and how much smaller than `tall` it is. */
export interface Standing {
    x: number;
    y: number;
    scale: number;
    depth: number;
}

/** How high a figure is that stands alone. */
export const tall = 72;

const roomForGrail = (count: number) => (count === 0 ? 0 : count < 4 ? 22 : 12);

export function standingOf(view: View): ReadonlyMap<Pawn, Standing> {
    const found = new Map<Pawn, Standing>();
    for (const field of FIELDS) {
        const here = pawnsOn(view, field);
        const [left, top] = cornerOf(field);
        for (const { who, x, y, height } of crowd(here, view.grail === field ? roomForGrail(here.length) : 0))
            found.set(who, { x: left + x - height * 0.32, y: top + y - height * 0.92, scale: height / tall, depth: Math.round(y) });
    }
    return found;
}

/** A grail that nobody carries. */
export function grailOf(view: View): { x: number; y: number; size: number } | null {
    if (isPawn(view.grail)) return null;
    const [left, top] = cornerOf(view.grail);
    const count = pawnsOn(view, view.grail).length;
    if (count === 0) return { x: left + 14, y: top + 8, size: 72 };
    return count < 4 ? { x: left + 60, y: top + 43, size: 42 } : { x: left + 69, y: top + 52, size: 34 };
}
