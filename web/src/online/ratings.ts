// Ratings as people read them (docs/ratings.md).
import { N_, t, tn } from "../lib/i18n";
import type { RatingClass } from "../lib/protocol";

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

/** The points of a line through these figures in a box of this size, the oldest first; a little room above and below. */
export function lineThrough(figures: readonly number[], width: number, height: number): string {
    const least = Math.min(...figures) - 20,
        most = Math.max(...figures) + 20;
    const step = width / Math.max(1, figures.length - 1);
    return figures.map((figure, at) => `${(at * step).toFixed(1)},${((height * (most - figure)) / (most - least)).toFixed(1)}`).join(" ");
}
