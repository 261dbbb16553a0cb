// Why the notepad says what it says: what somebody has shown, announced, paid or lost, read off what everybody knew
// before and after each action.
import { parseAction } from "../lib/actions";
import { t } from "../lib/i18n";
import { pawns, type Pawn } from "../lib/initiates";
import { pawnName } from "../lib/names";
import type { Happening, View } from "../lib/protocol";
import type { Names } from "../lib/words";

export interface Told {
    readonly happening: Happening;
    readonly before: View | null;
    readonly after: View | null;
}

/** Sentences about this seat and initiate, the newest first. */
export function reasonsFor(log: readonly Told[], seat: number, pawn: Pawn, names: Names): string[] {
    const index = pawns.indexOf(pawn);
    const said: string[] = [];
    for (const { happening, before, after } of log) {
        if (!before || !after || !("action" in happening)) continue;
        const gaps = { player: names(seat), pawn: pawnName(pawn), turn: before.turn };
        const { verb, points, target } = parseAction(happening.action);
        const acting = verb === "step" || verb === "uncover" ? happening.action.split(" ")[1] : before.proposal?.split(" ")[1];
        const known = after.known[seat - 1]?.[index] ?? 0;
        if (after.pawns[index] === "-" && before.pawns[index] !== "-") {
            said.push(t("{pawn} was uncovered in turn {turn}: {player} lost {points} there.", { ...gaps, points: known }));
        } else if (happening.seat === seat && acting === pawn) {
            if (points !== undefined && known !== before.known[seat - 1]?.[index])
                said.push(t("{player} showed {points} on {pawn} in turn {turn}.", { ...gaps, points }));
            else if (target !== undefined && known !== before.known[seat - 1]?.[index])
                said.push(t("{player} announced an uncovering by {pawn} in turn {turn}, which takes 10 points.", gaps));
        }
        if (after.paid[seat - 1]?.[index] !== before.paid[seat - 1]?.[index]) said.push(t("{player} paid 10 points on {pawn} in turn {turn}.", gaps));
    }
    return said.reverse();
}

/** The same, and something to say where nothing was shown. */
export function explainCell(log: readonly Told[], seat: number, pawn: Pawn, [low, high]: readonly [number, number], names: Names): string[] {
    const said = reasonsFor(log, seat, pawn, names);
    const gaps = { player: names(seat), pawn: pawnName(pawn), high };
    if (said.length === 0 && high < 100) return [t("{player} has shown nothing on {pawn}; given what is known elsewhere, it can be at most {high}.", gaps)];
    if (said.length === 0) return [t("{player} has shown nothing on {pawn} yet.", gaps)];
    if (low !== high) return [...said, t("At most {high}, given the units left.", gaps)];
    return said;
}
