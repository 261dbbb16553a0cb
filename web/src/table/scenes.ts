// The story of a game in some thirty seconds: a few scenes, each a moment on the board with words under it; and as a picture.
import { sayBluff, saySecret, sayTurningPoint, sayWhen, type Highlights } from "../lib/highlights";
import { t, tn } from "../lib/i18n";
import { pawns, type Pawn } from "../lib/initiates";
import { language } from "../lib/language.svelte";
import { pawnCalled } from "../lib/names";
import { endOf, type PlayedGame } from "../lib/records";
import { faceOf, sayResult } from "../lib/words";
import type { Picture } from "./picture";

export interface Scene {
    readonly title: string;
    readonly text: string;
    /** So many actions have been played; before that for a while, so that the move is seen, if there was one. */
    readonly index: number;
    readonly before: number;
    /** Who it is about. */
    readonly seats: readonly number[];
    readonly pawn: Pawn | null;
}

/** How everybody stood on the initiate that decided it, the winner first; nobody where influence decides nothing. */
export function standingOf(game: Pick<PlayedGame, "info" | "timeline">): { seat: number; points: number; part: number; winner: boolean }[] {
    const end = endOf(game.info);
    const influence = game.timeline.at(-1)?.influence;
    if (!end || end === "draw" || !influence || game.info.settings.rules === "original") return [];
    const column = pawns.indexOf(end.pawn);
    const most = Math.max(1, ...influence.map((row) => row[column]!));
    return influence
        .map((row, at) => ({ seat: at + 1, points: row[column]!, part: row[column]! / most, winner: at + 1 === end.winner }))
        .sort((one, other) => Number(other.winner) - Number(one.winner) || other.points - one.points);
}

/** "12 points ahead of Ann.", or of you, if she reads it; empty where nobody won by influence. */
export function sayMargin(game: Pick<PlayedGame, "info" | "timeline" | "names">, names = game.names): string {
    const [first, ...others] = standingOf(game);
    const second = others[0];
    if (!first || !second) return "";
    const ahead = first.points - second.points;
    const equals = others.filter(({ points }) => points === second.points).map(({ seat }) => seat);
    const mine = equals.some((seat) => seat === names.me);
    if (ahead > 0)
        return mine
            ? tn("{n} point ahead of you.", "{n} points ahead of you.", ahead)
            : tn("{n} point ahead of {player}.", "{n} points ahead of {player}.", ahead, { player: names(second.seat) });
    return mine
        ? t("You had just as many points: whoever moved wins.")
        : t("A tie with {player}: whoever moved wins.", { player: new Intl.ListFormat(language.code).format(equals.map(names)) });
}

/** On whom each player staked the most; the largest stakes first. */
function stakes({ timeline, names }: PlayedGame): { text: string; seats: number[] } {
    const all = (timeline.at(-1)?.influence ?? [])
        .map((row, at) => ({ seat: at + 1, points: Math.max(...row), pawn: pawns[row.indexOf(Math.max(...row))]! }))
        .filter(({ points }) => points > 0)
        .sort((one, other) => other.points - one.points)
        .slice(0, 4);
    const said = all.map(({ seat, points, pawn }) => t("{player}: {points} on {pawn}", { player: names(seat), points, pawn: pawnCalled(pawn) }));
    return { text: `${said.join("; ")}.`, seats: all.map(({ seat }) => seat) };
}

export function scenesOf(game: PlayedGame, { bluff, secret, turning }: Highlights): Scene[] {
    const { names } = game;
    const seats = game.info.names.map((_, at) => at + 1);
    const end = endOf(game.info);
    const won = end && end !== "draw" ? end : null;
    const turns = game.timeline.at(-1)?.turn ?? 0;
    const staked = stakes(game);
    const scene = (title: string, text: string, index: number, more: Partial<Scene> = {}): Scene => ({
        title,
        text,
        index,
        before: index,
        seats: [],
        pawn: null,
        ...more,
    });
    return [
        scene(
            seats.map(names).join(" · "),
            tn("A hunt of {n} turn. Every sheet was secret; now they are open.", "A hunt of {n} turns. Every sheet was secret; now they are open.", turns),
            0,
            { seats },
        ),
        ...(staked.seats.length > 0 ? [scene(t("What everyone wanted"), staked.text, game.timeline[0]?.index ?? 0, { seats: staked.seats })] : []),
        ...[
            bluff &&
                scene(`${t("The biggest bluff")} · ${sayWhen(bluff)}`, sayBluff(bluff, names), bluff.index, {
                    seats: [bluff.seat],
                    pawn: bluff.on?.pawn ?? null,
                }),
            secret &&
                scene(`${t("The best-kept secret")} · ${sayWhen(secret)}`, saySecret(secret, names), secret.index, { seats: [secret.seat], pawn: secret.pawn }),
            turning &&
                scene(`${t("The turning point")} · ${sayWhen(turning)}`, sayTurningPoint(turning, names), turning.index, {
                    seats: [turning.seat, ...(turning.rival > 0 ? [turning.rival] : [])],
                    pawn: turning.pawn,
                }),
        ]
            .filter((one) => one !== null)
            .sort((one, other) => one.index - other.index), // as it happened
        ...(end === undefined
            ? []
            : [
                  scene(sayResult({ result: end, seat: 0 }, names), sayMargin(game), game.length, {
                      before: Math.max(0, game.length - 3),
                      seats: won ? [won.winner] : [],
                      pawn: won?.pawn ?? null,
                  }),
              ]),
    ];
}

export function pictureOf(game: PlayedGame, { bluff, secret, turning }: Highlights, where: string): Picture {
    const { names } = game;
    const end = endOf(game.info) ?? null;
    const face = (seat: number) => faceOf(game.info.computers[seat - 1] ? { computer: game.info.names[seat - 1]! } : null);
    return {
        game: t("The Hunt for the Grail"),
        headline: sayResult({ result: end, seat: 0 }, names),
        subtitle: sayMargin(game),
        pawn: end && end !== "draw" ? end.pawn : null,
        bars: standingOf(game).map(({ seat, ...bar }) => ({ ...bar, name: names(seat), face: face(seat) })),
        told: [
            ...(turning ? [{ title: `${t("The turning point")} · ${sayWhen(turning)}`, text: sayTurningPoint(turning, names) }] : []),
            ...(bluff ? [{ title: `${t("The biggest bluff")} · ${sayWhen(bluff)}`, text: sayBluff(bluff, names) }] : []),
            ...(secret ? [{ title: `${t("The best-kept secret")} · ${sayWhen(secret)}`, text: saySecret(secret, names) }] : []),
        ],
        where,
    };
}
