// What cannot be taken back any more once a proposal is carried out: the end of the game, an initiate and all influence on
// him. Whether it can end the game is the engine's word (`view.ends`).
import { parseAction } from "../lib/actions";
import { t } from "../lib/i18n";
import { pawns, type Pawn } from "../lib/initiates";
import { pawnCalled } from "../lib/names";
import type { Action, Field, View } from "../lib/protocol";
import { listed, points, type Names } from "../lib/words";

/** Whoever considers it: his seat (0: he only watches) and what he holds, where that may be shown. */
export interface Considering {
    seat: number;
    influence: readonly number[] | null;
    called: Names;
    /** The Original: whose a headquarters is. */
    owners: Readonly<Record<Field, string>>;
}

const shownOn = (view: View, pawn: Pawn, but: number) =>
    view.known.map((row, at) => ({ seat: at + 1, points: row[pawns.indexOf(pawn)] ?? 0 })).filter(({ seat, points }) => seat !== but && points > 0);

/** That the proposal on the table can end the game, and for whom. */
export function sayEnd(view: View, { seat, influence, called, owners }: Considering): string[] {
    if (!view.ends || !view.proposal || view.phase === "over") return [];
    const pawn = view.ends;
    const owner = owners[parseAction(view.proposal).field ?? ""];
    if (owner !== undefined) return [t("This can end the game: {player} would win.", { player: owner })];
    const said = [t("This can end the game: {pawn} would be home with the grail, and whoever has the most influence on him wins.", { pawn: pawnCalled(pawn) })];
    const most = shownOn(view, pawn, seat).sort((one, other) => other.points - one.points)[0];
    const mine = influence?.[pawns.indexOf(pawn)];
    if (mine === undefined) {
        if (most) said.push(t("{player} is known to hold at least {points}.", { player: called(most.seat), points: most.points }));
    } else if (most && most.points >= mine)
        said.push(t("You hold {mine}; {player} has shown {points}.", { mine, player: called(most.seat), points: most.points }));
    else said.push(t("You hold {mine}; nobody has shown more.", { mine }));
    return said;
}

/** What everybody loses with whoever is uncovered, I too; `own`: I would propose it, and pay for it. */
export function sayLosses(action: Action, view: View, { seat, influence, called }: Considering, own = false): string[] {
    const { pawn, target } = parseAction(action);
    if (!pawn || !target) return [];
    const said: string[] = [];
    if (own && influence)
        said.push(
            t("You pay 10 of the {points} you hold on {pawn}, if it is carried out.", { points: influence[pawns.indexOf(pawn)]!, pawn: pawnCalled(pawn) }),
        );
    const losses = shownOn(view, target, seat).map((loss) => t("{player} at least {points}", { player: called(loss.seat), points: loss.points }));
    if (influence) losses.unshift(t("you {points}", { points: influence[pawns.indexOf(target)]! }));
    const gaps = { pawn: pawnCalled(target), losses: listed(losses) };
    said.push(
        losses.length > 0
            ? t("{pawn} would leave the game, and everyone would lose all influence on him: {losses}.", gaps)
            : t("{pawn} would leave the game, and everyone would lose all influence on him.", gaps),
    );
    if (own) said.push(t("Everyone learns that you hold at least {points} on {pawn}.", { points: points(10), pawn: pawnCalled(pawn) }));
    return said;
}

/** All there is to consider before the proposal on the table is let through. */
export const sayStakes = (view: View, who: Considering): string[] => [...sayEnd(view, who), ...(view.proposal ? sayLosses(view.proposal, view, who) : [])];
