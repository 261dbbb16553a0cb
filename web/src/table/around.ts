// Who sits where around the board.

export type Side = "far" | "near" | "all";

/** How many sit on the near side: I alone, or with those beside me where there are many. */
const nearSeats = (players: number): number => (players <= 7 ? 1 : players <= 9 ? 3 : 5);

/** The seats of one side from left to right. They go clockwise, as R2.1 has them: from me to the left, along the far side to
    the right, and back. Whoever only watches looks from the first seat. */
export function sideOf(side: Side, players: number, me: number): number[] {
    const from = Math.max(me, 1);
    const after = (steps: number) => ((from - 1 + steps + players) % players) + 1;
    const beside = (Math.min(nearSeats(players), players) - 1) / 2;
    if (side === "all") return Array.from({ length: players }, (_, at) => at + 1);
    if (side === "near") return Array.from({ length: 2 * beside + 1 }, (_, at) => after(beside - at));
    return Array.from({ length: players - 2 * beside - 1 }, (_, at) => after(beside + 1 + at));
}
