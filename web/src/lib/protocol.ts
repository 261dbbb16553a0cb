// What a table says and hears, whether it is the server's or the worker's: docs/protocol.md as types.
// Seats count from 1; 0 is nobody. Initiates are always in the order of `pawns`.
import type { Pawn } from "./initiates";

export const unitValues = [10, 5, 4, 3, 2, 1] as const;

/** "a1" to "e5". */
export type Field = string;
export type Phase = "opening" | "turn" | "placing" | "objection" | "answer" | "grail" | "over";
export type Stage = "gathering" | "playing" | "over";
/** An action in the notation: "step T1 b1", "object 3". */
export type Action = string;

// --- the parts of a push ---

/** In milliseconds; `opening` where the opening has a time of its own. */
export type Clock = ({ kind: "move"; time: number } | { kind: "bank"; time: number; increment: number; answer: number }) & { opening?: number };

export interface Terms {
    players: number;
    rules: "standard" | "original";
    /** The Original: the owners of the headquarters, the letter of a society for each seat. */
    hq?: string;
    first: number;
    limit: number;
    clock: Clock | null;
    pace: number;
    listed: boolean;
    notepad: boolean;
    talk: boolean;
    rated?: true;
    /** Its people sit around one screen that shows it. */
    room?: true;
    /** Whose table it is. */
    tournament?: string;
}

/** A taken seat. `name` is a person's, `computer` the text of the computer player that acts here now. */
export interface Seat {
    name?: string;
    present?: boolean;
    computer?: string;
    /** Before the game: fills free seats, and asks others to leave. */
    host?: boolean;
    resigned?: boolean;
    draw?: boolean;
    /** Seats that it votes to replace. */
    replace?: number[];
    /** Milliseconds left when its clock last stopped. */
    bank?: number;
}

export interface Round {
    asked: number;
    answered: number;
    hidden: boolean;
    /** Milliseconds, where there is a clock. */
    left?: number;
}

export interface View {
    phase: Phase;
    actor: number;
    turn: number;
    active: number;
    pawns: (Field | "-")[];
    /** A field, or the initiate who carries it. */
    grail: Field | Pawn;
    proposal: Action | null;
    claim: number;
    objection: { points: number; by: number } | null;
    /** With whom the game ends if this is carried out and the active player then wants the grail. */
    ends?: Pawn | null;
    rejected: Action[];
    known: number[][];
    paid: number[][];
    /** When the game is over: everybody's influence. */
    sheets?: number[][];
    /** "draw", "win 2 with T1". */
    result: string | null;
}

export interface You {
    seat: number;
    influence?: number[];
    units?: number[];
    asked?: boolean;
    legal?: string[];
    orders?: string[];
    muted?: number[];
    /** Of an opening that others have yet to end: only its owner has it. */
    seal?: string;
}

// --- happenings ---

export type End = "game" | "agreed" | "abandoned" | "closed";

export type Happening =
    | { seat: number; action: Action }
    | { seat: number; seal: string; number: number }
    | { seat: number; sat: true }
    | { seat: number; rose: true }
    | { seat: number; dismissed: number }
    | { began: true }
    | { seat: number; late: true }
    | { seat: number; handed: true }
    | { seat: number; back: true }
    | { seat: number; replace: number }
    | { seat: number; draw: true }
    | { seat: number; nodraw: true }
    | { seat: number; talk: string; to?: number[]; at: number }
    | { seat: number; offer: string; to?: number[]; at: number }
    | { ended: End };

// --- what comes ---

export interface TablePush {
    push: "table";
    table: string;
    terms?: Terms;
    stage?: Stage;
    version?: number;
    seats?: (Seat | null)[];
    round?: Round | null;
    view?: View;
    you?: You;
    from?: number;
    happened?: Happening[];
}

export interface LobbyRow {
    table: string;
    stage: Stage;
    players: number;
    rules: "standard" | "original";
    clock: Clock | null;
    talk: boolean;
    rated?: true;
    notepad: boolean;
    seats: (Seat | null)[];
    /** A table of mine where I was waited for when I asked for the list. */
    asked?: true;
}

export type Push =
    | { push: "hello"; gral: string; name: string | null; guest?: boolean; asked?: string[] }
    | TablePush
    | { push: "lobby"; tables: LobbyRow[]; gone: string[] }
    | { push: "asked"; table: string; asked: boolean }
    | { push: "rematch"; table: string; next: string }
    | ({ push: "quick" } & ({ table: string } | { error: string; text: string } | { people: number; players: number; left?: number }))
    | ({ push: "here" } & Here)
    | { push: "friends" }
    | { push: "friend"; name: string; here: boolean }
    | { push: "invited"; table: string; by: string }
    | { push: "tournaments"; tournaments: TournamentRow[] }
    | ({ push: "tournament" } & Tournament)
    | { push: "off"; tournament: string; title: string }
    | { push: "rated"; table: string; class: RatingClass; ratings: RatingAfter[] }
    | { push: "notice"; text: string };

/** How many are connected, and the names of those who want everyone to know. */
export interface Here {
    count: number;
    names: string[];
}

export const tournamentSystems = ["swiss", "round-robin", "fours"] as const;
export type TournamentSystem = (typeof tournamentSystems)[number];

/** A tournament in a few words: docs/protocol.md says what they mean. */
export interface TournamentRow {
    tournament: string;
    title: string;
    by: string;
    stage: "open" | "running" | "over" | "off";
    system: TournamentSystem;
    players: number;
    clock: Clock | null;
    rated?: true;
    joined: number;
    people?: number;
    /** In seconds since 1970. */
    begins?: number;
    /** Milliseconds that a round may take. */
    round: number;
    rounds?: number;
    current?: number;
    in?: true;
}

/** Entrants count from 1, points are twelfths. */
export interface TournamentTable {
    /** Missing: somebody has a bye. */
    table?: string;
    entrants: number[];
    /** Once it is over. */
    points?: number[];
}

export interface Tournament extends TournamentRow {
    left?: number;
    pause?: number;
    entrants: { name: string; left?: true }[];
    standings: { entrant: number; place: number; points: number; met: number; against: number; annulled?: true }[];
    /** By round. */
    tables: TournamentTable[][];
}

export interface AnnounceOptions extends Pick<CreateOptions, "limit" | "clock" | "pace" | "notepad" | "talk" | "rated"> {
    title: string;
    system: TournamentSystem;
    people?: number;
    begins?: number;
    rounds?: number;
    round?: number;
}

export type Size = "2" | "3" | "4" | "5+" | "any";

/** What game one wants at once; `wait` in seconds until computers come, 0 for never. */
export interface Wish {
    size: Size;
    days: boolean;
    rated: boolean;
    wait: number;
}

export type SeenBy = "nobody" | "friends" | "everyone";

/** `since` in seconds since 1970. */
export interface Known {
    name: string;
    since: number;
    here?: boolean;
}

export interface Invitation {
    table: string;
    by: string;
}

export interface Company {
    friends: Known[];
    asked: Known[];
    asking: Known[];
    blocked: Known[];
    invitations: Invitation[];
    seen: SeenBy;
}

export type Reply = { re: string } & ({ ok: true; [member: string]: unknown } | { error: string; text: string; wait?: number });

export interface Me {
    name: string;
    guest: boolean;
}

export interface Tally {
    games: number;
    won: number;
    drawn: number;
}

/** What somebody's games say of him: in parts, each of which he shows to whom he wants. */
export const profileParts = ["ratings", "results", "games", "manner"] as const;
export type ProfilePart = (typeof profileParts)[number];

export interface Results extends Tally {
    classes: Partial<Record<RatingClass, Tally>>;
    /** Those met most often. */
    opponents: (Tally & { name: string })[];
}

/** Points placed on each initiate; proposals that could have been stopped, and how many were carried out. */
export interface Manner {
    placed: Record<Pawn, number>;
    bluffs: number;
    worked: number;
}

export interface Profile extends Partial<Results> {
    name: string;
    ratings?: Partial<Record<RatingClass, Standing>>;
    manner?: Manner;
    sees: ProfilePart[];
    /** One's own. */
    shown?: Record<ProfilePart, SeenBy>;
}

export type Outcome = "won" | "drawn" | "lost";

/** A finished game of somebody; `with` are the other people, `time` is in seconds since 1970. */
export interface Played {
    table: string;
    time: number;
    class: RatingClass;
    rules: "standard" | "original";
    players: number;
    result: Outcome;
    with: { name: string; result: Outcome }[];
}

export type RatingClass = `${"2" | "3-4" | "5+"}-${"live" | "days" | "computers"}`;

/** A rating, and how far off it may be (docs/ratings.md). */
export interface Standing {
    points: number;
    margin: number;
    games: number;
}

/** What a rating was after a game; the table is told only to whose it is. `time` in seconds since 1970. */
export interface RatedGame extends Omit<Standing, "games"> {
    time: number;
    table?: string;
}

/** What a game has made of it. */
export interface RatingAfter extends Omit<Standing, "games"> {
    seat: number;
    before: number;
}

export interface Ranked extends Standing {
    name: string;
}

/** A program's. `made` in seconds since 1970. */
/** By what somebody is known, a browser's session or a program's token; times in seconds since 1970. */
export interface Session {
    id: string;
    label: string;
    made: number;
    used: number;
    ends?: number;
    this?: boolean;
}

/** In which ways a server can reach people; `push` is its key for browsers. */
export interface Offers {
    mail: boolean;
    push: string | null;
}

export const newsEvents = ["turn", "clock", "invited", "over", "round"] as const;
export type NewsEvent = (typeof newsEvents)[number];

/** How somebody can be reached, and what for. */
export interface Way {
    id: string;
    way: "mail" | "push";
    address: string;
    label: string;
    confirmed: boolean;
    events: NewsEvent[];
    /** Hours in which messages are gathered. */
    digest: number;
}

// --- what is sent ---

export interface CreateOptions {
    players: number;
    rules?: "standard" | "original";
    hq?: string;
    first?: number;
    limit?: number;
    computers?: { seat: number; level: number; as?: string }[];
    clock?: Clock;
    pace?: number;
    listed?: boolean;
    notepad?: boolean;
    talk?: boolean;
    rated?: boolean;
    room?: boolean;
}

export type ClientRequest =
    | { do: "ping" }
    | { do: "look"; on: boolean }
    | { do: "lobby"; on: boolean }
    | ({ do: "create" } & CreateOptions)
    | ({ do: "terms"; table: string } & CreateOptions)
    | { do: "watch"; table: string; have: number }
    | { do: "unwatch" | "rise" | "draw" | "nodraw" | "resign" | "back" | "rematch" | "code"; table: string }
    | { do: "sit"; table: string; seat?: number }
    | { do: "act"; table: string; version: number; actions: Action[]; salt?: string }
    | { do: "order"; table: string; order: string }
    | { do: "cancel"; table: string; order?: string }
    | { do: "fill"; table: string; seat: number; level: number; as?: string }
    | { do: "replace" | "dismiss" | "mute" | "unmute"; table: string; seat: number }
    | { do: "talk"; table: string; text: string; to?: number[] }
    | { do: "offer"; table: string; offer: string; to?: number[] }
    | ({ do: "quick" } & Partial<Wish>)
    | { do: "unquick" | "friends" }
    | ({ do: "announce" } & AnnounceOptions)
    | { do: "join" | "leave"; tournament: string }
    | { do: "tournaments"; on?: boolean }
    | { do: "tournament"; tournament: string; on?: boolean }
    | { do: "games"; name: string; after?: string }
    | ({ do: "show" } & Partial<Record<ProfilePart, SeenBy>>)
    | { do: "befriend" | "unfriend" | "block" | "unblock" | "stats"; name: string }
    | { do: "invite"; table: string; name: string }
    | { do: "decline"; table: string }
    | { do: "seen"; by: SeenBy }
    | { do: "ratings"; name: string; class: RatingClass }
    | { do: "ranking"; class: RatingClass }
    | { do: "report"; table: string; seat: number; text: string };

/** Something was refused. `code` is a word of docs/protocol.md, or "network"; the message is the key of its translation. */
export class TableError extends Error {
    constructor(
        readonly code: string,
        text: string,
        /** Milliseconds until it will be possible, where that is known. */
        readonly wait?: number,
    ) {
        super(text);
        this.name = "TableError";
    }
}

// --- what only the engine says ---

/** The least and the most influence of each seat on each initiate: notepad[seat - 1][pawn]. */
export type Notepad = [number, number][][];

/** What may be believed of somebody's influence: exceeded nine times in ten, as often as not, once in ten; and how likely it
 *  is, in percent, that he holds more than everybody else. */
export type Estimate = [low: number, middle: number, high: number, leads: number];

/** beliefs[seat - 1][pawn] */
export type Beliefs = Estimate[][];

export type ReasonKind =
    | "wins-now"
    | "may-win-now"
    | "stops-win"
    | "carries-home"
    | "towards-grail"
    | "shown"
    | "holds-at-least"
    | "strongest"
    | "uncovers"
    | "saves-secrets"
    | "builds"
    | "bluff"
    | "keeps-back"
    | "better-than";

export interface Reason {
    kind: ReasonKind;
    seat: number;
    pawn: Pawn | "-";
    points: number;
    /** 0 to 1. */
    chance: number;
}

export interface Hint {
    simulations: number;
    /** The best first; chance of winning and how likely the adviser would choose it, 0 to 1. */
    actions: { action: Action; chance: number; weight: number }[];
    reasons: Reason[];
    /** The whole of an assignment or opening, if the best action begins one. */
    plan?: Action[];
}

/** The sheet with what is only thought of so far, and what may be placed then ("place 5 T1", …, "done"). */
export interface Draft {
    influence: number[];
    units: number[];
    legal: string[];
}

export type StoryTerms = Pick<Terms, "players" | "rules" | "hq" | "first" | "limit">;

export interface ReplayInfo {
    settings: StoryTerms;
    tags: Record<string, string>;
    names: string[];
    computers: boolean[];
    result: string | null;
    /** `turn` in which it was said; `secret`: only its own seat heard it then. */
    actions: { seat: number; turn: number; action: Action; secret?: true }[];
    placements: { turn: number; seat: number; pawn: Pawn; points: number }[];
}

export interface OpenSheet {
    influence: number[];
    units: number[];
}

export interface ReplayMoment {
    index: number;
    view: View;
    you?: { seat: number } & OpenSheet;
    all?: OpenSheet[];
}

/** Influence of every seat at the end of the opening (turn 0) and of each turn; `index` counts the actions by then. */
export interface TimelinePoint {
    turn: number;
    index: number;
    influence: number[][];
}

/** A signature in hexadecimal, and what it is of (docs/fair.md). */
export interface Signed {
    signer: string;
    signature: string;
    statement: string;
}

export type AuditResult = { ok: true; checks: boolean; seals: number; signed?: Signed } | { ok: false; line: number; column: number; text: string };
