// What can be printed, on which paper, and how many pages of it a table needs.

/** Width and height in millimetres. Nothing is printed in the outer `MARGIN`, where many printers cannot. */
export const papers = { a4: [210, 297], letter: [215.9, 279.4] } as const;
export type PaperName = keyof typeof papers;
export const MARGIN = 10;

/** Each kind of page: how many of them there are for so many players. */
export const kinds = {
    board: () => 1,
    tiles: () => 6,
    figures: () => 1,
    sheets: (players: number) => Math.ceil(players / 2),
    sheet: (players: number) => players,
    screens: (players: number) => players,
    cards: (players: number) => Math.ceil(players / 4),
    leaflet: () => 2,
    twelve: () => 1,
} as const;
export type Kind = keyof typeof kinds;
export const allKinds = Object.keys(kinds) as Kind[];
export const usualKinds: readonly Kind[] = ["board", "figures", "sheets", "cards"];

/** The units of a sheet (R1.4): four of each. */
export const UNITS = [10, 5, 4, 3, 2, 1] as const;
export const FOUR = [0, 1, 2, 3] as const;

/** The board at table size, in millimetres, in two columns and three rows of parts. */
export const TABLE_SIZE = 500;
const columns = [250, 250];
const rows = [166, 168, 166];
export interface Tile {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}
const before = (sizes: readonly number[], index: number) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
export const tiles: readonly Tile[] = rows.flatMap((height, row) =>
    columns.map((width, column) => ({ x: before(columns, column), y: before(rows, row), width, height })),
);

/** What is printed here for nobody in particular is in these words; a language is one file beside this one. */
export interface PrintText {
    readonly intro: string;
    readonly paper: string;
    readonly letter: string;
    /** Instead of a number of players. */
    readonly once: string;
    readonly what: string;
    readonly lines: string;
    readonly pdf: string;
    readonly hint: string;
    /** Its name; what it is for; how it is cut and folded. */
    readonly kinds: Readonly<Record<Kind, readonly [name: string, about: string, how: string]>>;
    readonly part: string;
    readonly sheet: { readonly player: string; readonly units: string; readonly mine: string; readonly paid: string; readonly shown: string };
    /** The rules in short: a heading and a sentence or two each. */
    readonly card: { readonly title: string; readonly rules: readonly (readonly [heading: string, text: string])[] };
    readonly example: { readonly title: string; readonly text: readonly string[] };
    readonly twelve: { readonly assigned: string; readonly title: string; readonly advice: readonly string[] };
}
