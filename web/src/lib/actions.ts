// Actions as texts, taken apart, and what is legal as a structure to build a page on. No rule is here: what may be
// done is what the table said (`you.legal`).
import { isPawn, pawns, type Pawn } from "./initiates";
import type { Action, Field } from "./protocol";

export type Verb = "place" | "done" | "assign" | "step" | "uncover" | "object" | "pass" | "claim" | "yield" | "keep" | "drop" | "leave";

export interface ParsedAction {
    verb: Verb;
    pawn?: Pawn;
    field?: Field;
    target?: Pawn;
    points?: number;
}

/** An action's parts; what comes from a table is well-formed. */
export function parseAction(action: Action): ParsedAction {
    const [verb, first = "", second = "", , fourth = ""] = action.split(" ") as [Verb, string?, string?, string?, string?];
    switch (verb) {
        case "place":
            return { verb, points: Number(first), pawn: second as Pawn };
        case "step":
            return { verb, pawn: first as Pawn, field: second, ...(isPawn(fourth) ? { target: fourth } : {}) };
        case "uncover":
            return { verb, pawn: first as Pawn, target: second as Pawn };
        case "object":
        case "claim":
            return { verb, points: Number(first) };
        default:
            return { verb };
    }
}

/** Where an initiate may be proposed to step to. */
export interface StepOption {
    field: Field;
    /** A step alone may be proposed. */
    plain: boolean;
    /** Who can be uncovered there in the same proposal. */
    targets: Pawn[];
}

export interface PawnOptions {
    steps: StepOption[];
    /** Who can be uncovered where they stand. */
    uncover: Pawn[];
}

export interface Legal {
    /** Words that need no more: pass, yield, assign, done, keep, drop, leave. */
    verbs: ReadonlySet<Verb>;
    /** Proposals by acting initiate; without those who can do nothing. */
    pawns: ReadonlyMap<Pawn, PawnOptions>;
    /** Figures for an objection or a claim. */
    points: { verb: "object" | "claim"; least: number; most: number } | null;
    /** Units that may be placed, and the initiates each may go to. */
    place: ReadonlyMap<number, Pawn[]>;
    /** How many different things can be said. 0: nothing, or one is not asked. */
    count: number;
    /** Nothing but passing is possible. */
    onlyPass: boolean;
}

export function parseLegal(lines: readonly string[] = []): Legal {
    const verbs = new Set<Verb>();
    const options = new Map<Pawn, PawnOptions>();
    const place = new Map<number, Pawn[]>();
    let points: Legal["points"] = null;
    let count = 0;
    const of = (pawn: Pawn) => {
        let found = options.get(pawn);
        if (!found) options.set(pawn, (found = { steps: [], uncover: [] }));
        return found;
    };
    for (const line of lines) {
        const range = /^(object|claim) (\d+)(?:\.\.(\d+))?$/.exec(line);
        if (range) {
            points = { verb: range[1] as "object" | "claim", least: Number(range[2]), most: Number(range[3] ?? range[2]) };
            count += points.most - points.least + 1;
            continue;
        }
        count++;
        const action = parseAction(line);
        if (action.verb === "step") {
            const { steps } = of(action.pawn!);
            let step = steps.find(({ field }) => field === action.field);
            if (!step) steps.push((step = { field: action.field!, plain: false, targets: [] }));
            if (action.target) step.targets.push(action.target);
            else step.plain = true;
        } else if (action.verb === "uncover") {
            of(action.pawn!).uncover.push(action.target!);
        } else if (action.verb === "place") {
            place.set(action.points!, [...(place.get(action.points!) ?? []), action.pawn!]);
        } else {
            verbs.add(action.verb);
        }
    }
    return { verbs, pawns: options, points, place, count, onlyPass: count === 1 && verbs.has("pass") };
}

export const stepAction = (pawn: Pawn, field: Field, target?: Pawn): Action => `step ${pawn} ${field}${target ? ` x ${target}` : ""}`;
export const uncoverAction = (pawn: Pawn, target: Pawn): Action => `uncover ${pawn} ${target}`;
export const placeAction = (points: number, pawn: Pawn): Action => `place ${points} ${pawn}`;
export const indexOf = (pawn: Pawn): number => pawns.indexOf(pawn);
