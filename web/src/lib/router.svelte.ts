// Which page is shown. The page is in the fragment of the address (vite.config.ts says why), so links are plain
// links, <a href={address("learn", "grail")}>, and the browser's history works by itself.
//
//   #/                     start            #/learn, #/learn/LESSON
//   #/play                 a game here      #/rules, #/rules/R4.6
//   #/online               the lobby        #/settings
//   #/account              who one is       #/print
//   #/room, #/room/ID      a screen for everybody in the room
//   #/player/NAME          how somebody plays
//   #/t/ID                 a table          #/r/ID, #/replay       a record
//   #/tournament           the tournaments  #/tournament/ID        one of them
//   #/confirm/TOKEN, #/recover/TOKEN, #/stop/TOKEN                  where links in mails lead
//
// A query may follow, for what can be passed on but is not a page: #/r/ID?move=12&lens=2

export type Page =
    | "start"
    | "play"
    | "online"
    | "room"
    | "tournament"
    | "account"
    | "player"
    | "table"
    | "replay"
    | "confirm"
    | "recover"
    | "stop"
    | "learn"
    | "rules"
    | "settings"
    | "print"
    | "lost";

export interface Route {
    readonly page: Page;
    /** The table or game, the lesson, the clause; empty where there is none. */
    readonly id: string;
    readonly query: Readonly<Record<string, string>>;
}

/** First word of an address, its page, and whether an id may (1) or must (2) follow. */
const words: Readonly<Record<string, readonly [Page, 0 | 1 | 2]>> = {
    "": ["start", 0],
    play: ["play", 0],
    online: ["online", 0],
    room: ["room", 1],
    tournament: ["tournament", 1],
    account: ["account", 0],
    player: ["player", 2],
    t: ["table", 2],
    r: ["replay", 2],
    replay: ["replay", 0],
    confirm: ["confirm", 2],
    recover: ["recover", 2],
    stop: ["stop", 2],
    learn: ["learn", 1],
    rules: ["rules", 1],
    settings: ["settings", 0],
    print: ["print", 0],
};

function decoded(part: string): string {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** The route of a fragment; "lost" if there is no such page. */
export function parse(fragment: string): Route {
    const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
    const [word = "", id = "", ...more] = path.replace(/\/$/, "").split("/").map(decoded);
    const [page, ids] = Object.hasOwn(words, word) ? words[word]! : (["lost", 1] as const);
    const wrong = more.length > 0 || (ids === 0 && id !== "") || (ids === 2 && id === "");
    return { page: wrong ? "lost" : page, id, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a page, to link to. */
export function address(page: Exclude<Page, "lost">, id = "", query: Readonly<Record<string, string | number>> = {}): string {
    const word = page === "start" ? "" : page === "table" ? "t" : page === "replay" && id !== "" ? "r" : page;
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
    return `#/${word}${id === "" ? "" : `/${encodeURIComponent(id)}`}${asked === "" ? "" : `?${asked}`}`;
}

/** The whole address of a page, to give to somebody; a table's and a record's is short. */
export function shareable(page: "table" | "replay", id: string, query: Readonly<Record<string, string | number>> = {}): string {
    const fragment = address(page, id, query);
    return new URL(Object.keys(query).length === 0 ? fragment.slice(2) : fragment, document.baseURI.replace(/#.*/s, "")).href;
}

let current: Route = $state.raw(parse(globalThis.location?.hash ?? ""));

export const router = {
    get route() {
        return current;
    },
};

// A fragment that is not a page's is a place on this one: "#main".
const isPage = (fragment: string) => fragment === "" || fragment.startsWith("#/");

globalThis.addEventListener?.("hashchange", () => {
    if (isPage(location.hash)) current = parse(location.hash);
});

/** Goes to an address made by `address`; `replace` leaves no trace in the history, for a move or a lens. */
export function go(to: string, { replace = false } = {}): void {
    if (!replace) {
        location.hash = to;
        return;
    }
    history.replaceState(history.state, "", to);
    current = parse(to);
}
