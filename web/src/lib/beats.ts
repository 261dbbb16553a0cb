// What happened at a table, gathered into moments worth a look: a proposal, an objection, its answer, what became of it. The
// story, those who listen and the director (director.svelte.ts) all have it from here. Passes are in no list of their own:
// they belong to what came of them.
import { parseAction, type Verb } from "./actions";
import { N_, t } from "./i18n";
import { isPawn, pawns, societyAt, type Pawn } from "./initiates";
import { pawnCalled } from "./names";
import type { Action, Field, Happening, View } from "./protocol";
import { isAction, type LogEntry } from "./table.svelte";
import { listed, points, sayAction, sayConsequences, sayEntry, ts, type Names } from "./words";

export type BeatKind =
    | "opening"
    | "proposal"
    | "objection"
    | "answer"
    | "stopped"
    /** Nobody objects, and the grail is yet to be decided on. */
    | "accepted"
    | "step"
    | "grail"
    | "uncovering"
    | "assignment"
    | "end"
    /** What takes no time: words, and people who come and go. */
    | "speech"
    | "people";

export type Entry = Pick<LogEntry, "happening" | "before" | "after">;

/** A proposal that met an objection: who contends, and what each has revealed in it. */
export interface Duel {
    readonly pawn: Pawn;
    readonly from: Field;
    readonly to: Field;
    readonly victim: Pawn | null;
    readonly proposer: number;
    readonly objector: number;
    readonly claim: number;
    readonly objection: number;
    readonly outcome: "stopped" | "carried" | null;
}

export interface Beat<E extends Entry = Entry> {
    readonly kind: BeatKind;
    /** Whoever did it; 0 for nobody in particular. */
    readonly seat: number;
    readonly entries: readonly E[];
    /** How much of the log has been told with it. */
    readonly end: number;
    /** What everybody knew before and after it; null where nothing changed. */
    readonly before: View | null;
    readonly after: View | null;
    readonly duel: Duel | null;
    /** How many rejections of the same turn it stands for. */
    readonly times?: number;
    /** More of it is to come, or its views are. */
    readonly open: boolean;
}

const verbOf = ({ happening }: Entry): Verb | null => (isAction(happening) ? parseAction(happening.action).verb : null);
const isUntold = (entry: Entry) => isAction(entry.happening) && verbOf(entry) !== "place" && entry.after === null;

/** The field where the grail is. */
export const grailAt = ({ grail, pawns: fields }: View): Field | "-" => (isPawn(grail) ? fields[pawns.indexOf(grail)]! : grail);
export const uncoveredBy = ({ before, after }: Pick<Beat, "before" | "after">): Pawn | null =>
    pawns.find((_, index) => before && after && before.pawns[index] !== "-" && after.pawns[index] === "-") ?? null;
const hasMoved = ({ before, after }: Pick<Beat, "before" | "after">) =>
    before !== null && after !== null && pawns.some((_, index) => before.pawns[index] !== after.pawns[index]);

/** What an action that carries something out has come to. */
function outcome(verb: Verb, seen: Pick<Beat, "before" | "after">): BeatKind {
    if (seen.after?.phase === "over") return "end";
    if (uncoveredBy(seen)) return "uncovering";
    if (verb !== "pass") return seen.before?.grail === seen.after?.grail && verb === "keep" ? "step" : "grail";
    return hasMoved(seen) ? "step" : "accepted";
}

function kindOf(entry: Entry, verb: Verb): BeatKind {
    switch (verb) {
        case "step":
        case "uncover":
            return "proposal";
        case "object":
            return "objection";
        case "claim":
            return "answer";
        case "yield":
            return "stopped";
        case "done":
        case "assign":
        case "place":
            return entry.before?.phase === "opening" ? "opening" : "assignment";
        default:
            return outcome(verb, entry);
    }
}

/** More is to come before it can be told. */
function isUnfinished({ after }: Entry, verb: Verb): boolean {
    if (verb === "done") return after?.phase === "opening";
    if (verb === "pass") return after === null || after.phase === "objection";
    return verb === "place" || verb === "assign";
}

const otherKinds = ({ happening }: Entry): BeatKind | null =>
    "seal" in happening
        ? null
        : "ended" in happening
          ? happening.ended === "game"
              ? null
              : "end"
          : "talk" in happening || "offer" in happening
            ? "speech"
            : "people";

function duelOf(action: Action, seat: number, before: View | null): Duel | null {
    const { pawn, field, target } = parseAction(action);
    const from = before?.pawns[pawns.indexOf(pawn!)];
    if (!from) return null;
    const victim = target ?? null;
    return { pawn: pawn!, from, to: field ?? from, victim, proposer: seat, objector: 0, claim: victim ? 10 : 0, objection: 0, outcome: null };
}

/** The dispute after one more action. */
function disputed(duel: Duel | null, action: Action, seat: number, before: View | null): Duel | null {
    const { verb, points: figure = 0 } = parseAction(action);
    if (verb === "step" || verb === "uncover") return duelOf(action, seat, before);
    if (!duel) return null;
    if (verb === "object") return { ...duel, objector: seat, objection: figure };
    if (verb === "claim") return { ...duel, claim: figure };
    if (verb === "yield") return { ...duel, outcome: "stopped" };
    return { ...duel, outcome: "carried" };
}

/** All that a log has to tell. The last may be `open`. */
export function beatsOf<E extends Entry>(log: readonly E[]): Beat<E>[] {
    const beats: Beat<E>[] = [];
    let gathered: E[] = [];
    let duel: Duel | null = null;
    const tell = (kind: BeatKind, seat: number, entries: readonly E[], end: number, open: boolean) => {
        const told = entries.filter(({ after }) => after !== null);
        const shown = duel !== null && duel.objector > 0 && ["objection", "answer", "stopped"].includes(kind);
        const carried = duel?.objector && duel.outcome === "carried";
        beats.push({
            kind,
            seat,
            entries,
            end,
            before: told[0]?.before ?? null,
            after: told.at(-1)?.after ?? null,
            duel: shown || carried ? duel : null,
            open: open || entries.some(isUntold),
        });
    };
    log.forEach((entry, index) => {
        const { happening } = entry;
        if (!isAction(happening)) {
            const kind = otherKinds(entry);
            if (kind) tell(kind, "seat" in happening ? happening.seat : 0, [entry], index + 1, false);
            return;
        }
        const verb = verbOf(entry)!;
        gathered.push(entry);
        if (isUnfinished(entry, verb)) return;
        duel = disputed(duel, happening.action, happening.seat, entry.before);
        const kind = kindOf(entry, verb);
        // Whoever was the last to pass has not done it.
        tell(kind, verb === "pass" ? (entry.before?.active ?? 0) : kind === "opening" ? 0 : happening.seat, gathered, index + 1, false);
        gathered = [];
        if (verb === "done" || entry.after?.proposal === null) duel = null;
    });
    const last = gathered.at(-1);
    if (last) tell(kindOf(last, verbOf(last)!), 0, gathered, log.length, true);
    return beats;
}

/** For a table with more to tell than there is time for: of what was rejected in a turn the last stands for all, and of a dispute how
 *  it ended. What is not yet decided stays as it is. */
export function condense<E extends Entry>(beats: readonly Beat<E>[]): Beat<E>[] {
    const told: Beat<E>[] = [];
    let attempt: Beat<E>[] = [];
    let rejected = null as Beat<E> | null;
    for (const beat of beats) {
        if (beat.kind === "proposal") attempt = [beat];
        else if (beat.kind === "objection" || beat.kind === "answer") attempt.push(beat);
        else if (beat.kind === "stopped") {
            rejected = { ...beat, times: (rejected?.times ?? 0) + 1 };
            attempt = [];
        } else if (beat.kind === "speech" || beat.kind === "people") told.push(beat);
        else {
            if (rejected) told.push(rejected);
            told.push(...attempt.filter(({ kind }) => kind === "proposal"), beat);
            [rejected, attempt] = [null, []];
        }
    }
    if (rejected) told.push(rejected);
    return [...told, ...attempt];
}

/** Whether it may decide the game: the grail is at hand, and the way leads to a headquarters or begins at one. */
export function isDecisive({ kind, before, entries }: Beat): boolean {
    const last = entries.at(-1)?.happening;
    const proposed = kind === "proposal" && last && isAction(last) ? last.action : before?.proposal;
    if (!proposed || !before) return false;
    const { pawn, field } = parseAction(proposed);
    const from = before.pawns[pawns.indexOf(pawn!)]!;
    const grail = grailAt(before);
    const atHand = before.grail === pawn || (!isPawn(before.grail) && (grail === from || grail === field));
    return atHand && (societyAt(field ?? from) !== undefined || (grail === from && societyAt(from) !== undefined));
}

// --- in words ---

const ownPlacements = ({ entries }: Beat): string[] => {
    const sums = new Map<Pawn, number>();
    for (const { happening } of entries) {
        const { verb, pawn, points = 0 } = isAction(happening) ? parseAction(happening.action) : {};
        if (verb === "place") sums.set(pawn!, (sums.get(pawn!) ?? 0) + points);
    }
    return pawns.filter((pawn) => sums.has(pawn)).map((pawn) => sayAction(`place ${sums.get(pawn)} ${pawn}`));
};

/** What only its owner sees; null for nothing. */
export function saySecret(beat: Beat, names: Names): string | null {
    const mine = beat.kind === "opening" || (beat.kind === "assignment" && beat.seat === names.me);
    if (!mine || !names.me) return null;
    const placed = ownPlacements(beat);
    if (placed.length > 0) return t("You place {placements}.", { placements: listed(placed) });
    return beat.open ? null : t("You place nothing.");
}

const withoutFirst = (said: readonly string[], first: string) => said.filter((sentence) => sentence !== first);

/** What happened and what came of it, without what is everybody's own secret. The last sentence names the next turn, if one begins. */
export function sayBeat(beat: Beat, names: Names): string[] {
    const { kind, seat, entries, before, after, duel } = beat;
    const last = entries.at(-1)!;
    const action = isAction(last.happening) ? last.happening.action : "";
    if (kind === "opening" || kind === "assignment") {
        if (beat.open) return [];
        const consequences = last.before && last.after ? sayConsequences(action, last.before, last.after, names) : [];
        return [kind === "opening" ? t("Everyone has finished the opening.") : ts(names, seat, N_("{player} assigns influence.")), ...consequences];
    }
    if (action === "pass") {
        if (beat.open || !before || !after) return [];
        const nobody = duel ? t("No more objections: the proposal is carried out.") : t("Nobody objects.");
        return [nobody, ...withoutFirst(sayConsequences(action, last.before!, after, names), t("The proposal is accepted."))];
    }
    return sayEntry(last, names);
}

/** Whether it ends with the sentence of the next turn. */
export const beginsTurn = ({ entries }: Beat): boolean => {
    const { before, after } = entries.at(-1)!;
    return before !== null && after !== null && before.turn !== after.turn && after.phase !== "over";
};

/** In few words, to be read while it is looked at. */
export function caption(beat: Beat, names: Names): string {
    const { kind, seat, entries } = beat;
    const { happening } = entries.at(-1)!;
    const action = isAction(happening) ? happening.action : "";
    const { points: figure = 0 } = action ? parseAction(action) : {};
    switch (kind) {
        case "proposal":
            return ts(names, seat, N_("{player} proposes: {action}."), { action: sayAction(action) });
        case "stopped":
            if ((beat.times ?? 1) > 1) return t("{player} is stopped {n} times.", { player: names(seat), n: beat.times! });
            return sayBeat(beat, names).join(" ");
        case "objection":
            return ts(names, seat, N_("{player} objects with {points}."), { points: points(figure) });
        case "answer":
            return ts(names, seat, N_("{player} insists with {points}."), { points: points(figure) });
        case "uncovering":
            return t("{pawn} is uncovered and leaves the game.", { pawn: pawnCalled(uncoveredBy(beat)!) });
        case "end":
            return sayBeat(beat, names).slice(-2).join(" "); // who brought the grail home, and who wins
        default: {
            const said = sayBeat(beat, names);
            if (beginsTurn(beat)) said.pop();
            // Where everybody sees who moves, it need not be said.
            return kind === "step" ? (said[0] ?? "") : said.join(" ");
        }
    }
}

/** Turns that were not looked at, a line each; and what became of the grail and of those uncovered. */
export function digest(beats: readonly Beat[], names: Names): string[] {
    const lines: string[] = [];
    const say = (seat: number, words: string) => lines.push(t("{player}: {words}", { player: names.me === seat ? t("You") : names(seat), words }));
    for (const beat of condense(beats)) {
        const { kind, seat, before, duel } = beat;
        const proposed = before?.proposal ? sayAction(before.proposal) : "";
        const gone = uncoveredBy(beat);
        if ((beat.times ?? 1) > 1) lines.push(caption(beat, names));
        else if (kind === "assignment") say(seat, t("Assign influence"));
        else if (kind === "stopped" && duel && duel.objector === names.me)
            say(seat, t("{action}; you stopped it with {points}", { action: proposed, points: duel.objection }));
        else if (kind === "stopped" && duel)
            say(seat, t("{action}; stopped by {player} with {points}", { action: proposed, player: names(duel.objector), points: duel.objection }));
        else if (kind === "uncovering" && gone) lines.push(t("{pawn} is uncovered and leaves the game.", { pawn: pawnCalled(gone) }));
        else if (kind === "step") say(seat, proposed);
        else if (kind === "grail") say(seat, [proposed, ...sayEntry(beat.entries.at(-1)!, names).slice(0, 1)].join(". "));
        else if (kind === "end") lines.push(...sayBeat(beat, names));
    }
    return lines;
}

/** Somebody's words, if it is speech. */
export const isSaid = (happening: Happening): happening is Extract<Happening, { at: number }> => "talk" in happening || "offer" in happening;
