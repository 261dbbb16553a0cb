// What made a game that was played: the biggest bluff, the best kept secret, the turning point. All of it is read off the record:
// when which unit was placed (R10.4), who let what pass, and what a careful player could believe at the time.
import { N_, t } from "./i18n";
import { pawns, type Pawn } from "./initiates";
import { pawnCalled } from "./names";
import type { Beliefs, ReplayInfo, TimelinePoint, View } from "./protocol";
import { endOf, openLens, publicLens, type PlayedGame } from "./records";
import { points, range, ts, type Names } from "./words";

/** Where something happened: so many actions have been played. */
interface Where {
    readonly turn: number;
    readonly index: number;
}

// --- what could be believed, turn by turn ---

export interface Moment extends Where {
    /** Everybody's influence then. */
    readonly truth: readonly (readonly number[])[];
    /** What somebody could believe who has seen no sheet at all. */
    readonly believed: Beliefs;
}

const mostMoments = 48;

/** The ends of turns that are looked at, in the order of the game: all, or evenly many of a long one. */
export function momentsOf({ timeline, lastHidden }: Pick<PlayedGame, "timeline" | "lastHidden">): Where[] {
    const stride = Math.ceil(timeline.length / mostMoments);
    return timeline
        .filter((_, at) => (timeline.length - 1 - at) % stride === 0 || at === 0)
        .map(({ turn, index }) => ({ turn, index: Math.min(index, lastHidden) }));
}

export async function lookAt(game: PlayedGame, { turn, index }: Where): Promise<Moment> {
    const [open, believed] = await Promise.all([game.at(index, openLens), game.beliefs(index, publicLens)]);
    return { turn, index, truth: (open.all ?? []).map(({ influence }) => influence), believed };
}

// --- the best kept secret ---

export interface Secret extends Where {
    readonly seat: number;
    readonly pawn: Pawn;
    readonly held: number;
    /** What the others could believe: likely least, middle, likely most. */
    readonly guess: readonly [low: number, middle: number, high: number];
}

/** What was furthest above everything that the others could think likely. */
export function bestSecret(moments: readonly Moment[]): Secret | null {
    let best: Secret | null = null;
    for (const { turn, index, truth, believed } of moments)
        truth.forEach((row, at) =>
            row.forEach((held, column) => {
                const [low, middle, high] = believed[at]![column]!;
                if (held - high > (best ? best.held - best.guess[2] : 0))
                    best = { turn, index, seat: at + 1, pawn: pawns[column]!, held, guess: [low, middle, high] };
            }),
        );
    return best;
}

// --- the turning point ---

export interface TurningPoint extends Where {
    readonly seat: number;
    readonly pawn: Pawn;
    /** lead: from then on he held the most on whom he won with; grail: from then on that one carried it. */
    readonly kind: "lead" | "grail";
    /** For a lead: what he placed to get it, and who was ahead before, if somebody was. */
    readonly placed: number;
    readonly rival: number;
}

type Course = Pick<ReplayInfo, "actions" | "placements" | "settings" | "result" | "tags">;

function leadTaken(info: Course, timeline: readonly TimelinePoint[], winner: number, pawn: Pawn): TurningPoint | null {
    const column = pawns.indexOf(pawn);
    const held = (at: number, seat: number) => timeline[at]!.influence[seat - 1]![column]!;
    const seats = timeline[0]!.influence.map((_, at) => at + 1);
    const others = seats.filter((seat) => seat !== winner);
    const leads = (at: number) => others.every((seat) => held(at, winner) > held(at, seat));
    const at = timeline.findLastIndex((_, place) => !leads(place)) + 1;
    if (at === 0 || at === timeline.length) return null; // from the beginning, or never
    const { turn, index } = timeline[at]!;
    const ahead = others.reduce((best, seat) => (held(at - 1, seat) > held(at - 1, best) ? seat : best));
    const placed = info.placements.filter((one) => one.turn === turn && one.seat === winner && one.pawn === pawn).reduce((sum, { points }) => sum + points, 0);
    return { kind: "lead", turn, index, seat: winner, pawn, placed, rival: held(at - 1, ahead) > 0 ? ahead : 0 };
}

function grailTaken(info: Course, views: readonly View[], winner: number, pawn: Pawn): TurningPoint | null {
    const index = views.findLastIndex(({ grail }) => grail !== pawn) + 1;
    const done = info.actions[index - 1];
    return index >= views.length || !done ? null : { kind: "grail", turn: done.turn, index, seat: winner, pawn, placed: 0, rival: 0 };
}

/** When the winner took the lead for good; where there was none to take, when the initiate took the grail for good. */
export function turningPoint(info: Course, timeline: readonly TimelinePoint[], views: readonly View[]): TurningPoint | null {
    const end = endOf(info);
    if (!end || end === "draw" || timeline.length === 0) return null;
    const lead = info.settings.rules === "original" ? null : leadTaken(info, timeline, end.winner, end.pawn);
    return lead ?? grailTaken(info, views, end.winner, end.pawn);
}

// --- the biggest bluff ---

export interface Bluff extends Where {
    readonly seat: number;
    /** On whom the others credited him with more than he had; null for an announcement with nothing behind it. */
    readonly on: { readonly pawn: Pawn; readonly held: number; readonly guess: number } | null;
}

/** The least that somebody must have been overrated by. */
const worthTelling = 5;

/** Where the others' best guess was furthest above the truth; else an announcement with nothing behind it. */
export function biggestBluff({ actions }: Pick<ReplayInfo, "actions">, moments: readonly Moment[]): Bluff | null {
    let best: Bluff | null = null;
    let most = worthTelling - 1;
    for (const { turn, index, truth, believed } of moments)
        truth.forEach((row, at) =>
            row.forEach((held, column) => {
                const guess = believed[at]![column]![1];
                if (guess - held <= most) return;
                most = guess - held;
                best = { turn, index, seat: at + 1, on: { pawn: pawns[column]!, held, guess } };
            }),
        );
    const empty = actions.findLastIndex(({ action }, at) => action === "assign" && actions[at + 1]?.action === "done");
    return best ?? (empty < 0 ? null : { turn: actions[empty]!.turn, index: empty + 2, seat: actions[empty]!.seat, on: null });
}

// --- all of it ---

export interface Highlights {
    readonly bluff: Bluff | null;
    readonly secret: Secret | null;
    readonly turning: TurningPoint | null;
}

export async function highlightsOf(game: PlayedGame): Promise<Highlights> {
    const views = await game.views();
    const moments: Moment[] = [];
    for (const where of momentsOf(game)) moments.push(await lookAt(game, where));
    return {
        bluff: biggestBluff(game.info, moments),
        secret: bestSecret(moments),
        turning: turningPoint(game.info, game.timeline, views),
    };
}

// --- in words ---

export const sayWhen = ({ turn }: Where): string => (turn === 0 ? t("Opening") : t("Turn {number}", { number: turn }));

export function saySecret({ seat, pawn, held, guess: [low, middle, high] }: Secret, names: Names): string {
    const gaps = { truth: held, pawn: pawnCalled(pawn), guess: middle, range: range(low, high) };
    return low === high
        ? ts(names, seat, N_("{player} held {truth} on {pawn}; the others' best guess was {guess}."), gaps)
        : ts(names, seat, N_("{player} held {truth} on {pawn}; the others' best guess was about {guess} ({range})."), gaps);
}

export function sayBluff({ seat, on }: Bluff, names: Names): string {
    if (!on) return ts(names, seat, N_("{player} announced influence and placed nothing."));
    const gaps = { pawn: pawnCalled(on.pawn), held: on.held, guess: on.guess };
    return ts(names, seat, N_("The others credited {player} with about {guess} on {pawn}. In truth it was {held}."), gaps);
}

export function sayTurningPoint({ seat, pawn, kind, placed, rival }: TurningPoint, names: Names): string {
    const gaps = { pawn: pawnCalled(pawn), points: points(placed), rival: rival > 0 ? names(rival) : "" };
    if (kind === "grail") return t("{pawn} took the grail and never gave it up.", gaps);
    if (placed === 0) return ts(names, seat, N_("{player} took the lead on {pawn} and kept it."), gaps);
    if (rival === 0) return ts(names, seat, N_("{player} secretly placed {points} on {pawn} and led from then on."), gaps);
    return rival === names.me
        ? t("{player} secretly placed {points} on {pawn} and overtook you.", { player: names(seat), ...gaps })
        : ts(names, seat, N_("{player} secretly placed {points} on {pawn} and overtook {rival}."), gaps);
}
