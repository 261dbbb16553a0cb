// What the table's parts say besides words.ts: names of figures and cells, the dispute so far, the last move.
import { parseAction, type Legal } from "../lib/actions";
import { N_, t } from "../lib/i18n";
import { isPawn, pawnNames, pawns, societyAt, type Pawn } from "../lib/initiates";
import { fieldName, societyNames } from "../lib/names";
import type { Field, View } from "../lib/protocol";
import { isAction, type LogEntry } from "../lib/table.svelte";

const kinds: Readonly<Record<Pawn, string>> = {
    T1: N_("tall Templar"),
    T2: N_("short Templar"),
    A1: N_("tall Assassin"),
    A2: N_("short Assassin"),
    I1: N_("tall Illuminate"),
    I2: N_("short Illuminate"),
    R1: N_("tall Rosicrucian"),
    R2: N_("short Rosicrucian"),
};

/** "tall Templar" */
export const kindOf = (pawn: Pawn): string => t(kinds[pawn]);

/** "Alberto Castellano, tall Templar" */
export const describePawn = (pawn: Pawn): string => t("{name}, {kind}", { name: pawnNames[pawn], kind: kindOf(pawn) });

export const fieldOf = (view: View, pawn: Pawn): Field | "-" => view.pawns[pawns.indexOf(pawn)] ?? "-";
export const pawnsOn = (view: View, field: Field): Pawn[] => pawns.filter((_, index) => view.pawns[index] === field);

/** "d3 Akkon: Alberto Castellano, tall Templar, carries the grail" */
export function describeField(view: View, field: Field, owner?: string): string {
    const society = societyAt(field);
    const there = pawnsOn(view, field).map((pawn) =>
        view.grail === pawn ? t("{figure}, carrying the grail", { figure: describePawn(pawn) }) : describePawn(pawn),
    );
    if (view.grail === field) there.push(t("the grail is free"));
    const place = [`${field} ${fieldName(field)}`];
    if (society) place.push(t("headquarters of the {society}", { society: t(societyNames[society]) }));
    if (owner) place.push(t("owned by {player}", { player: owner }));
    return `${place.join(", ")}: ${there.length > 0 ? there.join("; ") : t("empty")}`;
}

export interface Rung {
    seat: number;
    points: number;
    kind: "announced" | "object" | "claim";
}

/** What was revealed in the dispute that goes on, or went on when the log was this long. */
export function ladder(log: readonly LogEntry[]): Rung[] {
    const rungs: Rung[] = [];
    for (let at = log.length - 1; at >= 0; at--) {
        const { happening } = log[at]!;
        if (!isAction(happening)) continue;
        const { verb, points = 0, target } = parseAction(happening.action);
        if (verb === "object" || verb === "claim") rungs.unshift({ seat: happening.seat, points, kind: verb });
        if (verb === "step" || verb === "uncover") {
            if (target !== undefined) rungs.unshift({ seat: happening.seat, points: 10, kind: "announced" });
            break;
        }
    }
    return rungs;
}

/** From where to where the last figure went. */
export function lastMove(log: readonly LogEntry[]): { from: Field; to: Field } | null {
    for (let at = log.length - 1; at >= 0; at--) {
        const { before, after } = log[at]!;
        if (!before || !after) continue;
        const moved = pawns.findIndex((_, index) => before.pawns[index] !== after.pawns[index] && after.pawns[index] !== "-");
        if (moved >= 0) return { from: before.pawns[moved]!, to: after.pawns[moved]! };
    }
    return null;
}

/** Who acts and who is threatened by the proposal on the table. */
export function proposalOf(view: View): { who: Pawn; from: Field; to: Field; victim?: Pawn } | null {
    if (!view.proposal) return null;
    const { pawn, field, target } = parseAction(view.proposal);
    const from = pawn ? fieldOf(view, pawn) : "-";
    if (!pawn || !isPawn(pawn) || from === "-") return null;
    return { who: pawn, from, to: field ?? from, ...(target ? { victim: target } : {}) };
}

/** Whether the legal actions have a choice for the grail. */
export const grailChoices = (legal: Legal): ("keep" | "drop" | "leave")[] => (["keep", "drop", "leave"] as const).filter((verb) => legal.verbs.has(verb));
