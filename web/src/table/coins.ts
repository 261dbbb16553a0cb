// Which units make up an amount. What may be placed is the engine's word; this only counts.
import { unitValues } from "../lib/protocol";

/** The fewest units that make exactly this, largest first; null if none of those at hand do. `counts` is how many there are of each of `unitValues`. */
export function unitsFor(amount: number, counts: readonly number[]): number[] | null {
    // made[sum]: the fewest units that make it
    const made: (readonly number[] | undefined)[] = [[]];
    unitValues.forEach((value, kind) => {
        for (let copy = 0; copy < (counts[kind] ?? 0); copy++)
            for (let sum = amount; sum >= value; sum--) {
                const before = made[sum - value];
                if (before && (made[sum]?.length ?? Infinity) > before.length + 1) made[sum] = [...before, value];
            }
    });
    return made[amount] ? [...made[amount]] : null;
}

/** The nearest amount that can be made of these units: of two, the one on the side of `towards` (1 or -1). */
export function nearestAmount(wanted: number, counts: readonly number[], towards = -1): number {
    const most = unitValues.reduce((sum, value, kind) => sum + value * (counts[kind] ?? 0), 0);
    const fits = (amount: number) => amount >= 0 && amount <= most && unitsFor(amount, counts) !== null;
    for (let off = 0; off <= most; off++) {
        if (fits(wanted + off * towards)) return wanted + off * towards;
        if (fits(wanted - off * towards)) return wanted - off * towards;
    }
    return wanted > most ? most : 0;
}
