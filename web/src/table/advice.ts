// Why a hint is one: the engine's reasons, each told so that it fits the advice. Some of what the engine tells of an action
// speaks against it, and is told as that; what everybody can see, or what is no reason for this action, is not told.
import { indexOf, parseAction } from "../lib/actions";
import { t } from "../lib/i18n";
import { pawnCalled } from "../lib/names";
import { headquarters, isPawn, pawns, societyOf, type Pawn } from "../lib/initiates";
import type { Action, Hint, Reason } from "../lib/protocol";
import type { TableState } from "../lib/table.svelte";
import { points as sayPoints, sayAction, sayReason, type Names } from "../lib/words";

export type Group = "fact" | "belief" | "whatIf" | "against";
export interface Told {
    readonly group: Group;
    readonly said: string;
}

type Shown = Pick<TableState, "view" | "you" | "seat" | "terms" | "legal">;

/** Chances that differ by less are the same to a person, and to the engine's next attempt. */
const near = 0.03;

/** How many of the actions are shown. */
export const mostShown = 4;

/** All that is to be done. */
export const planOf = ({ actions, plan }: Hint): readonly Action[] => plan ?? actions.slice(0, 1).map(({ action }) => action);

/** Why an opening is one: there is nothing on the board yet to tell it by, but what it leaves open and what it makes possible. */
function sayOpening(hint: Hint): Told[] {
    const sums = new Map<Pawn, number>();
    for (const { pawn, points = 0 } of planOf(hint).map(parseAction)) if (pawn) sums.set(pawn, (sums.get(pawn) ?? 0) + points);
    const listed = (all: readonly Pawn[]) => all.map(pawnCalled).join(", ");
    const [on, placed] = [[...sums.keys()], [...sums.values()].reduce((sum, points) => sum + points, 0)];
    const uncovering = on.filter((pawn) => sums.get(pawn)! >= 10);
    const left = 100 - placed;
    return [
        ...(on.length > 1 ? [{ group: "whatIf" as const, said: t("You can win with any of them, and nobody knows which one you favour.") }] : []),
        ...(on.length === 1 ? [{ group: "against" as const, said: t("It is all on one initiate: the others only have to stop him.") }] : []),
        ...(uncovering.length > 0
            ? [{ group: "fact" as const, said: t("With 10 points or more you can uncover others: {pawns}.", { pawns: listed(uncovering) }) }]
            : []),
        ...(on.length === 0
            ? [
                  { group: "whatIf" as const, said: t("You keep all your points for later, when you know where they are needed.") },
                  { group: "against" as const, said: t("Until you place something, you can't object to anything.") },
              ]
            : []),
        ...(left > 0 && on.length > 0
            ? [{ group: "whatIf" as const, said: t("You keep {points} for later, when you know where they are needed.", { points: sayPoints(left) }) }]
            : []),
        ...(left <= 0 ? [{ group: "against" as const, said: t("You'll have nothing left to add later.") }] : []),
    ];
}

/** A proposal that somebody else can probably stop: whoever holds more on the initiate (R4.5). Null for anything else. */
export function sayStopped({ actions, reasons }: Hint): string | null {
    if (!/^(step|uncover) /.test(actions[0]?.action ?? "")) return null;
    const leads = reasons.find(({ kind }) => kind === "strongest" || kind === "may-win-now");
    return leads && leads.chance < 0.5 ? t("It can probably be stopped ({chance}%).", { chance: Math.round(100 * (1 - leads.chance)) }) : null;
}

const stepsBetween = (from: string, to: string): number => Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) + Math.abs(Number(from[1]) - Number(to[1]));

/** Whoever leads the bearer of the grail away from home wants to hear why. */
function sayAway(action: Action, { view, terms }: Shown, theirs: (pawn: Pawn) => boolean): Told[] {
    const { verb, pawn, field } = parseAction(action);
    if (verb !== "step" || !view || view.grail !== pawn || !isPawn(pawn) || terms?.rules === "original") return [];
    const home = headquarters[societyOf(pawn)];
    if (stepsBetween(field!, home) < stepsBetween(view.pawns[pawns.indexOf(pawn)]!, home)) return [];
    const gaps = { pawn: pawnCalled(pawn) };
    return theirs(pawn)
        ? [{ group: "whatIf", said: t("Further from home, {pawn} can't soon win for someone else.", gaps) }]
        : [{ group: "against", said: t("It takes {pawn} with the grail further from home.", gaps) }];
}

export function sayReasons(hint: Hint, shown: Shown, names: Names): Told[] {
    const { view, you, seat: me, terms, legal } = shown;
    const best = hint.actions[0];
    if (!best || !view) return [];
    const { verb } = parseAction(best.action);
    if (view.phase === "opening") return sayOpening(hint);
    if (legal.count === 1 && verb === "pass") return [{ group: "fact", said: t("You can't object here; pass.") }];
    if (legal.count === 1 && verb === "yield") return [{ group: "fact", said: t("You can't insist here; yield.") }];
    const standsUp = verb === "object" || verb === "claim";
    const lets = verb === "leave" || verb === "drop"; // the grail
    const nearer = verb === "keep" || hint.reasons.some(({ kind }) => kind === "towards-grail" || kind === "carries-home");
    const alike = hint.actions.slice(1, mostShown).filter(({ chance }) => best.chance - chance < near);
    const knownOf = (seat: number, pawn: string) => view.known[seat - 1]?.[indexOf(pawn as Pawn)] ?? 0;
    const held = (pawn: string) => you?.influence?.[indexOf(pawn as Pawn)] ?? 0;

    /** An initiate with whom somebody else would probably win; where the engine says nothing of it, what was shown does. */
    const theirs = (pawn: Pawn): boolean => {
        const leads = hint.reasons.find(({ kind, pawn: on }) => kind === "strongest" && on === pawn);
        return leads ? leads.chance < 0.5 : held(pawn) <= Math.max(0, ...view.known.map((_, at) => (at + 1 === me ? 0 : knownOf(at + 1, pawn))));
    };

    const tell = (reason: Reason): Told[] => {
        const { kind, seat, pawn, points, chance } = reason;
        const likely = chance >= 0.5;
        const as = (group: Group): Told[] => [{ group, said: sayReason(reason, names) }];
        switch (kind) {
            case "shown":
                return as("fact");
            case "may-win-now":
                return as(likely ? "belief" : "against");
            case "holds-at-least": {
                // Whoever can go on speaks for giving in, and against standing up.
                const known = knownOf(seat, pawn);
                if (known >= points) {
                    const said = sayReason({ ...reason, kind: "shown", points: known }, names);
                    if (verb === "yield" && known === points) return []; // the objection that is to be answered
                    return [{ group: standsUp ? "against" : "fact", said }];
                }
                return [{ group: likely === standsUp ? "against" : "belief", said: sayReason(reason, names, !likely) }];
            }
            case "strongest":
                if (likely) return held(pawn) > 0 ? as(lets ? "against" : "belief") : []; // the most of nothing
                return [{ group: nearer ? "against" : "belief", said: sayReason(reason, names, true) }];
            case "saves-secrets":
                if (knownOf(me, pawn) >= held(pawn)) return [];
                if (!alike.some(({ action }) => /^(object|claim) /.test(action))) return as("whatIf");
                return [{ group: "whatIf", said: t("It keeps your influence on {pawn} secret.", { pawn: pawnCalled(pawn) }) }];
            case "towards-grail":
                if (verb !== "step") return []; // he is there
                return points > 0 ? as("whatIf") : [{ group: "whatIf", said: t("It brings {pawn} to the grail.", { pawn: pawnCalled(pawn) }) }];
            case "carries-home":
                return terms?.rules === "original" ? [] : as("whatIf"); // where any headquarters will do
            case "uncovers": {
                const own = { points: sayPoints(held(pawn)), pawn: pawnCalled(pawn) };
                return [
                    ...(points > 0 ? as("whatIf") : []),
                    ...(held(pawn) > 0 ? [{ group: "against" as const, said: t("You lose your own {points} on {pawn}.", own) }] : []),
                ];
            }
            case "builds": {
                const on = new Set(planOf(hint).flatMap((action) => parseAction(action).pawn ?? [])); // an opening is for several
                return [{ group: "whatIf", said: sayReason(reason, names, false, [...on]) }];
            }
            case "better-than":
                if (alike.length === 0) return as("whatIf");
                return [
                    {
                        group: "whatIf",
                        said: t("About as good: {actions}.", {
                            actions: alike
                                .slice(0, 2)
                                .map(({ action }) => sayAction(action))
                                .join("; "),
                        }),
                    },
                ];
            default:
                return as("whatIf");
        }
    };
    return [...hint.reasons.flatMap(tell), ...sayAway(best.action, shown, theirs)];
}
