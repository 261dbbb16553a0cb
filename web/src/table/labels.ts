// What is said under each figure on the board: what I hold, and the most that somebody else has shown.
import { t } from "../lib/i18n";
import { pawns, type Pawn } from "../lib/initiates";
import { pawnCalled } from "../lib/names";
import type { View } from "../lib/protocol";
import type { Names } from "../lib/words";

export interface Label {
    /** Mine; null where I may not see it, or have none. */
    mine: number | null;
    /** The most that another has shown, and who did. */
    shown: number;
    by: number;
    /** All of it in words. */
    said: string[];
}

export function labelsOf(view: View, me: number, influence: readonly number[] | null, called: Names): ReadonlyMap<Pawn, Label> {
    return new Map(
        pawns.map((pawn, index) => {
            const others = view.known
                .map((row, at) => ({ seat: at + 1, points: row[index] ?? 0 }))
                .filter(({ seat, points }) => seat !== me && points > 0)
                .sort((one, other) => other.points - one.points);
            const mine = influence?.[index] ?? null;
            const name = pawnCalled(pawn);
            return [
                pawn,
                {
                    mine,
                    shown: others[0]?.points ?? 0,
                    by: others[0]?.seat ?? 0,
                    said: [
                        ...(mine ? [t("{pawn}: you hold {now}", { pawn: name, now: mine })] : []),
                        ...others.map(({ seat, points }) => t("{player} has shown {points} on {pawn}", { player: called(seat), points, pawn: name })),
                    ],
                },
            ];
        }),
    );
}
