// Prepared inputs: "2 step T1 b1" is what seat 2 says. They go to the real engine, so a slip is refused like anybody's.

export interface Prepared {
    readonly players: 2 | 3 | 4;
    readonly first: number;
    readonly original?: true;
    /** What is said before the learner comes. */
    readonly before: readonly string[];
}

type Move = string | readonly [proposal: string, grail: string];

/** Everybody's placements in the opening: "10 T1, 5 T1"; the seats in their order. */
export const opening = (...sheets: readonly string[]): string[] =>
    sheets.map((sheet, seat) => {
        const units = sheet === "" ? [] : sheet.split(", ").map((unit) => `place ${unit}`);
        return `${seat + 1} ${[...units, "done"].join("; ")}`;
    });

/** Everybody but these says nothing against it. */
export const passes = (players: number, ...but: readonly number[]): string[] =>
    Array.from({ length: players }, (_, seat) => seat + 1)
        .filter((seat) => !but.includes(seat))
        .map((seat) => `${seat} pass`);

/** Turns in which proposals are carried out unopposed, beginning with seat `first`; a move may say what becomes of the grail. */
export const turns = (players: number, first: number, ...moves: readonly Move[]): string[] =>
    moves.flatMap((move, index) => {
        const seat = ((first - 1 + index) % players) + 1;
        const [proposal, grail] = typeof move === "string" ? [move] : move;
        return [`${seat} ${proposal}`, ...passes(players, seat), ...(grail === undefined ? [] : [`${seat} ${grail}`])];
    });

/** Does what somebody wants to do count as what the lesson asks for? Actions as they go to the table. */
export type Want = (actions: readonly string[]) => boolean;

/** One of these words, and nothing else. */
export const says =
    (...words: readonly string[]): Want =>
    (actions) =>
        actions.length === 1 && words.includes(actions[0]!);

export const proposesAnyStep: Want = (actions) => actions.length === 1 && /^step \w\d \w\d$/.test(actions[0]!);

/** An opening or an assignment that puts just so many points on these initiates. */
export const places =
    (sums: Readonly<Record<string, number>>): Want =>
    (actions) => {
        if (actions.at(-1) !== "done") return false;
        const placed: Record<string, number> = {};
        for (const action of actions) {
            const [verb, points, pawn] = action.split(" ");
            if (verb === "place") placed[pawn!] = (placed[pawn!] ?? 0) + Number(points);
        }
        const all = [...new Set([...Object.keys(placed), ...Object.keys(sums)])];
        return all.every((pawn) => placed[pawn] === sums[pawn]);
    };

/** What kind of answer somebody gives who is not asked for it; "uncovering": the right step, but with an uncovering. */
export type Slip = "silent" | "points" | "move" | "uncovering" | "sheet" | "grail";

const slips: Readonly<Record<string, Slip>> = {
    pass: "silent",
    yield: "silent",
    object: "points",
    claim: "points",
    step: "move",
    uncover: "move",
    assign: "sheet",
    place: "sheet",
    done: "sheet",
    keep: "grail",
    drop: "grail",
    leave: "grail",
};

export const slipOf = (action: string, way: readonly string[] = []): Slip => (action.startsWith(`${way[0]} x `) ? "uncovering" : slips[action.split(" ")[0]!]!);
