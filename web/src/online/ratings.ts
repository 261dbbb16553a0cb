// Ratings as people read them (docs/ratings.md).
import { N_, t, tn } from "../lib/i18n";
import type { RatedGame, RatingClass } from "../lib/protocol";

export const ratingSizes = ["2", "3-4", "5+"] as const;
export const ratingKinds = { live: N_("live"), days: N_("by days"), computers: N_("against computers") } as const;
export const ratingClasses: readonly RatingClass[] = (["live", "days", "computers"] as const).flatMap((kind) =>
    ratingSizes.map((size): RatingClass => `${size}-${kind}`),
);

/** "2 players, live" */
export function sayRatingClass(of: RatingClass): string {
    const at = of.lastIndexOf("-");
    const size = of.slice(0, at),
        kind = of.slice(at + 1) as keyof typeof ratingKinds;
    const players = size === "2" ? tn("{n} player", "{n} players", 2) : t("{size} players", { size: size.replace("-", "–") });
    return t("{players}, {kind}", { players, kind: t(ratingKinds[kind]) });
}

/** "+12", "−3", "±0" */
export const sayChange = (change: number): string => (change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "±0");

type Rated = Pick<RatedGame, "time" | "points" | "margin">;

export interface Plot {
    /** Through the ratings; and around where they may be off, which may go beyond the box. */
    readonly line: string;
    readonly band: string;
    /** Round figures with their heights. */
    readonly ticks: readonly { points: number; y: number }[];
    readonly last: { x: number; y: number };
}

/** Round steps, of which at most six fit. */
const stepFor = (range: number): number => [20, 50, 100, 200, 500].find((step) => range / step <= 5) ?? 1000;

/** A rating over time in a box of this size, the oldest first; the figures fill the height, with a little room above and below. */
export function plotOf(games: readonly Rated[], width: number, height: number): Plot {
    const figures = games.map(({ points }) => points);
    const middle = (Math.min(...figures) + Math.max(...figures)) / 2;
    const half = Math.max(40, 0.6 * (Math.max(...figures) - Math.min(...figures)));
    const [begin, end] = [games[0]!.time, games.at(-1)!.time];
    const x = (time: number) => (end > begin ? (width * (time - begin)) / (end - begin) : width / 2);
    const y = (points: number) => (height * (middle + half - points)) / (2 * half);
    const at = (time: number, points: number) => `${x(time).toFixed(1)},${y(points).toFixed(1)}`;
    const step = stepFor(2 * half);
    const lowest = Math.ceil((middle - half) / step);
    return {
        line: games.map(({ time, points }) => at(time, points)).join(" "),
        band: [
            ...games.map(({ time, points, margin }) => at(time, points + margin)),
            ...games.map(({ time, points, margin }) => at(time, points - margin)).reverse(),
        ].join(" "),
        ticks: Array.from({ length: Math.floor((middle + half) / step) - lowest + 1 }, (_, index) => ({
            points: (lowest + index) * step,
            y: y((lowest + index) * step),
        })),
        last: { x: x(end), y: y(games.at(-1)!.points) },
    };
}
