// Everything about a server: who one is, the lobby, and tables that others share. One Online is enough for a page:
//
//   const online = new Online();               // this page's server; connects when something is asked of it
//   await online.guest("Ann");                 // online.me is { name, guest }
//   await online.enterLobby();                 // online.tables, online.own follow by themselves
//   const id = await online.create({ players: 3 });
//   const table = await online.open(id);       // an OnlineConnection; table.state is fed from now on
//
// The socket is made anew when it breaks, with growing pauses; what was watched is watched again from where it was, and
// requests without an answer are sent again with the same id, which the server does once. Refusals are TableErrors.
import { deviceName } from "./device";
import { sayError, unreachable } from "./errors";
import { t } from "./i18n";
import { remember } from "./person.svelte";
import { complain, notice, toast } from "./notices.svelte";
import { address, go } from "./router.svelte";
import { times } from "./tempo";
import { OnlineConnection } from "./onlineTable.svelte";
import {
    TableError,
    type AnnounceOptions,
    type Company,
    type CreateOptions,
    type Here,
    type LobbyRow,
    type Me,
    type ClientRequest,
    type Push,
    type Played,
    type Profile,
    type ProfilePart,
    type Ranked,
    type RatedGame,
    type RatingClass,
    type Reply,
    type Session,
    type SeenBy,
    type Wish,
} from "./protocol";

export type Status = "idle" | "connecting" | "open" | "waiting";

/** Somebody waits for a quick game: so many people are there of so many, and computers come at that time, if at all. */
export interface Waiting {
    readonly wish: Wish;
    readonly people: number;
    readonly players: number;
    readonly until: number | null;
}

type Followed = Extract<ClientRequest, { do: "tournaments" | "tournament" }>;

interface LobbyAnswer {
    here?: Here;
    tables?: LobbyRow[];
    own?: (LobbyRow | { table: string; stage: "over" })[];
}

interface Pending {
    text: string;
    resolve: (reply: Record<string, unknown>) => void;
    reject: (error: Error) => void;
}

const pauses = [250, 500, 1000, 2000, 4000, 8000, 15000];
/** The status with which a server closes that stops while others take over, and until when everybody has come to one of them. */
const elsewhere = 1012;
const moving = 500;

export class Online {
    /** "waiting": the connection broke, and the next try is at `retryAt`. */
    status: Status = $state("idle");
    retryAt: number = $state(0);
    /** Null as long as one is nobody; undefined until it is known. */
    me: Me | null | undefined = $state.raw(undefined);
    tables: readonly LobbyRow[] = $state.raw([]);
    own: readonly LobbyRow[] = $state.raw([]);
    /** The server was asked something and has not answered for a while; nobody knows yet whether it is gone. */
    silent: boolean = $state(false);
    /** Tables that wait for me. */
    waiting: ReadonlySet<string> = $state.raw(new Set());
    here: Here | null = $state.raw(null);
    quick: Waiting | null = $state.raw(null);
    /** Friends, invitations and so on; null until somebody has asked for them. */
    company: Company | null = $state.raw(null);
    /** Where a quick game has begun. */
    found: (table: string) => void = () => {};

    readonly base: URL;
    #socket: WebSocket | null = null;
    #pending = new Map<string, Pending>();
    #open = new Map<string, OnlineConnection>();
    #inLobby = false;
    /** What somebody looks at besides tables and the lobby, and who takes what comes of it. */
    #followed = new Map<Followed["do"], { request: Followed; take: (news: unknown) => void }>();
    #tries = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #silence: ReturnType<typeof setTimeout> | undefined;
    #quiet: ReturnType<typeof setTimeout> | undefined;
    /** No two pages use the same ids. */
    #prefix = crypto.getRandomValues(new Uint32Array(2)).join("-");
    #last = 0;
    /** Whom the server greeted last: somebody else hears of other things, and everything is told him anew. */
    #greetedAs: string | null | undefined;
    /** Takes away what is said to somebody who was logged out elsewhere. */
    #outside: (() => void) | undefined;

    /** `nobody`: whoever this browser knows, it is not he who asks; what everybody may see is all that comes. */
    constructor(
        base: string | URL = document.baseURI,
        readonly nobody = false,
    ) {
        this.base = new URL("./", base);
        globalThis.addEventListener?.("online", this.#retryNow);
        globalThis.addEventListener?.("offline", this.#giveUp);
        globalThis.document?.addEventListener("visibilitychange", this.#askIfThere);
        globalThis.document?.addEventListener("visibilitychange", this.#sayWhetherLooking);
    }

    // --- who one is ---

    async #http<T>(method: string, path: string, body?: object): Promise<T> {
        return (await (await this.#fetch(method, path, body)).json().catch(() => null)) as T;
    }

    async #fetch(method: string, path: string, body?: object): Promise<Response> {
        let response: Response;
        try {
            response = await fetch(new URL(path, this.base), {
                method,
                credentials: "same-origin",
                ...(body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {}),
            });
        } catch {
            throw new TableError("network", unreachable);
        }
        if (!response.ok) {
            const answer: unknown = await response.json().catch(() => null);
            const { error = "network", text = unreachable } = (answer ?? {}) as { error?: string; text?: string };
            throw new TableError(error, text);
        }
        return response;
    }

    /** Identity is read when the socket opens, so it is opened anew. */
    async #become(path: string, body?: object): Promise<Me | null> {
        const answer = await this.#http<Partial<Me> | null>("POST", path, body);
        this.me = answer?.name != null ? { name: answer.name, guest: answer.guest ?? false } : null;
        if (this.#socket) this.#reconnect();
        return this.me;
    }

    guest = (name: string) => this.#become("api/guest", { name, label: deviceName() });
    register = (name: string, password: string) => this.#become("api/register", { name, password, label: deviceName() });
    login = (name: string, password: string) => this.#become("api/login", { name, password, label: deviceName() });
    /** Nobody else who uses this browser gets his messages. */
    logout = async () => {
        const registration = await globalThis.navigator?.serviceWorker?.getRegistration().catch(() => undefined);
        const subscription = await registration?.pushManager?.getSubscription().catch(() => null);
        await subscription?.unsubscribe().catch(() => false);
        return this.#become("api/logout");
    };
    delete = (name: string, password?: string) => this.#become("api/delete", password === undefined ? { name } : { name, password });
    /** The socket stays: who one is does not change, and others are told by the server. */
    rename = async (name: string) => {
        this.me = await this.#http<Me>("POST", "api/name", { name });
        this.#greetedAs &&= this.me.name;
    };
    changePassword = (password: string, to: string) => this.#http<unknown>("POST", "api/password", { password, new: to });
    sessions = async () => (await this.#http<{ sessions: Session[] }>("GET", "api/session")).sessions;
    /** Of a browser or a program; without an id all other browsers. */
    endSession = (id?: string) => this.#http<unknown>("DELETE", id ? `api/session/${id}` : "api/session");
    tokens = async () => (await this.#http<{ tokens: Session[] }>("GET", "api/token")).tokens;
    token = async (label: string, days: number) => (await this.#http<{ token: string }>("POST", "api/token", { label, days })).token;
    dropTokens = () => this.#http<unknown>("DELETE", "api/token");

    /** What other files ask of the server over HTTP. */
    ask = <T>(method: string, path: string, body?: object): Promise<T> => this.#http<T>(method, path, body);

    /** Everything the server knows about one, as an archive. */
    export = async () => (await this.#fetch("GET", "api/export")).blob();

    /** Who one is, asked anew; null for nobody. Throws "network" where there is no server. */
    async who(): Promise<Me | null> {
        try {
            const { name, guest } = await this.#http<Partial<Me>>("GET", "api/me");
            this.me = name == null ? null : { name, guest: guest ?? false };
        } catch (error) {
            if (!(error instanceof TableError) || error.code === "network") throw error;
            this.me = null;
        }
        return this.me;
    }

    /** The record of any table or finished game. */
    async record(id: string): Promise<string> {
        const response = await fetch(new URL(`r/${id}.gral`, this.base)).catch(() => null);
        if (!response?.ok) throw new TableError("table", "this table does not exist");
        return response.text();
    }

    // --- lobby ---

    async enterLobby(): Promise<void> {
        this.#inLobby = true;
        await this.#readLobby();
    }

    async leaveLobby(): Promise<void> {
        this.#inLobby = false;
        if (this.status === "open") await this.send({ do: "lobby", on: false });
    }

    async #readLobby(on = true): Promise<void> {
        const { tables = [], own = [], here } = (await this.send({ do: "lobby", on })) as LobbyAnswer;
        this.here = here ?? null;
        this.tables = tables;
        this.own = own.filter((row): row is LobbyRow => row.stage !== "over");
        this.waiting = new Set(this.own.flatMap(({ table, asked }) => (asked ? [table] : [])));
    }

    /** My tables, without following the lobby. */
    async readOwn(): Promise<void> {
        if (!this.#inLobby) await this.#readLobby(false);
    }

    /** `own` are the tables where my name is; they may be listed too. One that is listed no more may be over, or played by people
        who are elsewhere now: of one's own tables the server is asked. */
    #lobby({ tables, gone }: { tables: LobbyRow[]; gone: string[] }): void {
        const mine = ({ seats }: LobbyRow) => this.me != null && seats.some((seat) => seat?.name === this.me!.name);
        const merged = (rows: readonly LobbyRow[], news: readonly LobbyRow[]) => [...new Map([...rows, ...news].map((row) => [row.table, row])).values()];
        const known = new Set(this.own.map(({ table }) => table));
        this.own = merged(
            this.own,
            tables.filter((row) => mine(row) || known.has(row.table)),
        ).filter(mine);
        this.tables = merged(this.tables, tables).filter(({ table }) => !gone.includes(table));
        if (gone.some((table) => known.has(table))) void this.#readLobby().catch(() => {});
    }

    #asked(table: string, asked: boolean): void {
        if (this.waiting.has(table) === asked) return;
        this.waiting = new Set(asked ? [...this.waiting, table] : [...this.waiting].filter((one) => one !== table));
    }

    // --- a game at once ---

    /** By days one has a seat when this resolves; else one waits, and `found` is called when the game begins. */
    async play(wish: Wish): Promise<void> {
        if (!wish.days) this.quick = { wish, people: 1, players: 0, until: wish.wait > 0 ? Date.now() + wish.wait * 1000 : null };
        try {
            const { table } = await this.send({ do: "quick", ...wish });
            if (wish.days) this.found(table as string);
        } catch (error) {
            this.quick = null;
            throw error;
        }
    }

    async stopPlaying(): Promise<void> {
        this.quick = null;
        await this.send({ do: "unquick" });
    }

    #quick(news: Extract<Push, { push: "quick" }>): void {
        if ("people" in news) {
            const { people, players, left } = news;
            if (this.quick) this.quick = { wish: this.quick.wish, people, players, until: left === undefined ? null : Date.now() + left };
            return;
        }
        this.quick = null;
        if ("table" in news) this.found(news.table);
        else complain(sayError(new TableError(news.error, news.text)));
    }

    // --- other people ---

    async readCompany(): Promise<void> {
        this.company = (await this.send({ do: "friends" })) as unknown as Company;
    }

    async #tell(request: ClientRequest): Promise<void> {
        await this.send(request);
        await this.readCompany();
    }

    befriend = (name: string) => this.#tell({ do: "befriend", name });
    unfriend = (name: string) => this.#tell({ do: "unfriend", name });
    async block(name: string): Promise<void> {
        await this.#tell({ do: "block", name });
        if (this.#inLobby) await this.#readLobby();
    }
    unblock = (name: string) => this.#tell({ do: "unblock", name });
    decline = (table: string) => this.#tell({ do: "decline", table });
    beSeen = (by: SeenBy) => this.#tell({ do: "seen", by });
    invite = (table: string, name: string) => this.send({ do: "invite", table, name });

    #company(news: Extract<Push, { push: "friend" | "invited" }>): void {
        if (!this.company) return;
        if (news.push === "friend")
            this.company = { ...this.company, friends: this.company.friends.map((one) => (one.name === news.name ? { ...one, here: news.here } : one)) };
        else
            this.company = {
                ...this.company,
                invitations: [{ table: news.table, by: news.by }, ...this.company.invitations.filter(({ table }) => table !== news.table)],
            };
    }

    /** Asks for a tournament or the list of them, and for what changes there, until the function that is returned is called. One of
        each kind at a time. */
    async follow(request: Followed, take: (news: unknown) => void): Promise<() => void> {
        const followed = { request, take };
        this.#followed.set(request.do, followed);
        await this.#askAgain(followed);
        return () => {
            if (this.#followed.get(request.do) !== followed) return;
            this.#followed.delete(request.do);
            if (this.status === "open") void this.send({ ...request, on: false }).catch(() => {});
        };
    }

    async #askAgain({ request, take }: { request: Followed; take: (news: unknown) => void }): Promise<void> {
        take(await this.send({ ...request, on: true }));
    }

    announce = async (options: AnnounceOptions): Promise<string> => (await this.send({ do: "announce", ...options }))["tournament"] as string;
    create = async (options: CreateOptions): Promise<string> => (await this.send({ do: "create", ...options }))["table"] as string;
    ratings = async (name: string, of: RatingClass): Promise<RatedGame[]> => (await this.send({ do: "ratings", name, class: of }))["games"] as RatedGame[];
    ranking = async (of: RatingClass): Promise<Ranked[]> => (await this.send({ do: "ranking", class: of }))["players"] as Ranked[];
    profile = async (name: string): Promise<Profile> => (await this.send({ do: "stats", name })) as unknown as Profile;
    /** Somebody's finished games, the newest first; with `after`, those before that one. */
    games = async (name: string, after?: string): Promise<{ games: Played[]; more: boolean }> =>
        (await this.send({ do: "games", name, ...(after === undefined ? {} : { after }) })) as unknown as { games: Played[]; more: boolean };
    show = (part: ProfilePart, to: SeenBy) => this.send({ do: "show", [part]: to });

    /** Watches a table; the connection's state is complete when this resolves. */
    async open(id: string): Promise<OnlineConnection> {
        let table = this.#open.get(id);
        if (!table) {
            table = new OnlineConnection(this, id);
            this.#open.set(id, table);
        }
        table.users++;
        try {
            await this.#watch(table, table.state.have);
            await table.introduced;
        } catch (error) {
            if (--table.users === 0) this.#open.delete(id);
            throw error;
        }
        return table;
    }

    /** Whoever has the table open already learns, too, that it is refused: nothing more will come. */
    async #watch(table: OnlineConnection, have: number): Promise<void> {
        try {
            await this.send({ do: "watch", table: table.id, have });
            table.refused = null;
        } catch (error) {
            table.refused = error;
            throw error;
        }
    }

    /** For OnlineConnection. */
    forget(id: string): void {
        const table = this.#open.get(id);
        if (!table || --table.users > 0) return;
        this.#open.delete(id);
        if (this.status === "open") void this.send({ do: "unwatch", table: id }).catch(() => {});
    }

    // --- the socket ---

    /** Sends a request; resolves with what came with `ok`. */
    send(request: ClientRequest): Promise<Record<string, unknown>> {
        const id = `${this.#prefix}-${++this.#last}`;
        const text = JSON.stringify({ id, ...request });
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { text, resolve, reject });
            if (this.status === "open") {
                this.#socket!.send(text);
                this.#expectAnswer();
            } else this.connect();
        });
    }

    connect(): void {
        if (this.#socket || this.status === "waiting") return;
        this.status = "connecting";
        const address = new URL("ws", this.base);
        address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
        if (this.nobody) address.search = "nobody";
        const socket = new WebSocket(address);
        this.#socket = socket;
        socket.onmessage = ({ data }) => socket === this.#socket && this.#heard(JSON.parse(String(data)) as Push | Reply);
        socket.onclose = ({ code }) => socket === this.#socket && this.#lost(code === elsewhere);
    }

    /** Ends the connection for good, and everything that waits for an answer. */
    close(): void {
        clearTimeout(this.#timer);
        globalThis.removeEventListener?.("online", this.#retryNow);
        globalThis.removeEventListener?.("offline", this.#giveUp);
        globalThis.document?.removeEventListener("visibilitychange", this.#askIfThere);
        globalThis.document?.removeEventListener("visibilitychange", this.#sayWhetherLooking);
        this.#hush();
        const socket = this.#socket;
        this.#socket = null;
        socket?.close();
        this.status = "idle";
        for (const { reject } of this.#pending.values()) reject(new TableError("network", unreachable));
        this.#pending.clear();
    }

    /** A network that is gone closes no connection: only silence tells. */
    #expectAnswer(): void {
        this.#hush();
        if (this.#pending.size > 0)
            this.#silence = setTimeout(() => {
                this.silent = true;
                this.#silence = setTimeout(this.#giveUp, times.gone - times.silence);
            }, times.silence);
        else this.#quiet = setTimeout(this.#askIfThere, times.quiet);
    }

    #hush(): void {
        clearTimeout(this.#silence);
        clearTimeout(this.#quiet);
        this.silent = false;
    }

    /** Who has another page in front of this one is told in other ways when there is news. */
    #sayWhetherLooking = () => {
        if (this.status === "open" && this.me) void this.send({ do: "look", on: !globalThis.document?.hidden }).catch(() => {});
    };

    /** Whoever looks at a table or the lobby wants to know within seconds that nothing comes any more. */
    #askIfThere = () => {
        if (!globalThis.document?.hidden) this.#retryNow(); // a phone was locked
        const looks = this.#open.size > 0 || this.#inLobby || this.#followed.size > 0;
        if (this.status === "open" && looks && !globalThis.document?.hidden && this.#pending.size === 0) void this.send({ do: "ping" }).catch(() => {});
    };

    /** What has no answer is sent again over the next connection; the server knows what it has done already. */
    #giveUp = () => {
        const socket = this.#socket;
        if (!socket) return;
        this.#lost();
        socket.close();
    };

    #reconnect(): void {
        const socket = this.#socket;
        this.#socket = null;
        socket?.close();
        this.connect();
    }

    #retryNow = () => {
        if (this.status !== "waiting") return;
        clearTimeout(this.#timer);
        this.status = "idle";
        this.connect();
    };

    /** Somebody does not want to wait for `retryAt`, or for an answer. */
    retry(): void {
        if (this.silent) this.#giveUp();
        this.#retryNow();
    }

    /** `movedOn`: this server stops, and others are there. */
    #lost(movedOn = false): void {
        this.#socket = null;
        this.#hush();
        const pause = pauses[Math.min(this.#tries, pauses.length - 1)]!;
        // Not all at the same moment when a server comes back.
        const wait = movedOn && this.#tries === 0 ? moving * Math.random() : pause * (0.75 + Math.random() / 2);
        this.#tries++;
        this.status = "waiting";
        this.retryAt = Date.now() + wait;
        this.#timer = setTimeout(this.#retryNow, wait);
    }

    #greeted({ name, guest, asked: waiting = [] }: { name: string | null; guest?: boolean; asked?: string[] }): void {
        this.#tries = 0;
        const other = this.#greetedAs !== undefined && this.#greetedAs !== name;
        this.#greetedAs = name;
        // Whoever logs out here is nobody before the server says so.
        this.#outside?.();
        if (name === null && this.me)
            this.#outside = toast(t("You've been logged out on this device."), {
                label: t("Log in"),
                run: () => go(address("account", "", { login: 1 })),
            });
        this.me = name == null ? null : { name, guest: guest ?? false };
        this.waiting = new Set(waiting);
        if (other) this.company = null;
        if (name === null) this.quick = null;
        if (!this.nobody) remember(name !== null);
        this.status = "open";
        // Requests without an answer first, so that what they changed is in what we then see.
        const asked = new Set<string>();
        for (const { text } of this.#pending.values()) {
            this.#socket!.send(text);
            const request = JSON.parse(text) as { do: string; table?: string };
            asked.add(`${request.do} ${request.table ?? ""}`);
        }
        this.#expectAnswer();
        if (globalThis.document?.hidden) this.#sayWhetherLooking();
        for (const [id, table] of this.#open) {
            if (asked.has(`watch ${id}`)) continue;
            void this.#watch(table, other ? 0 : table.state.have).catch(() => {});
        }
        for (const one of this.#followed.values()) if (!asked.has(`${one.request.do} `)) void this.#askAgain(one).catch(() => {});
        if (this.#inLobby && !asked.has("lobby ")) void this.#readLobby().catch(() => {});
        // A place in the queue goes with the connection.
        if (this.quick && !asked.has("quick ")) void this.play(this.quick.wish).catch(() => {});
    }

    #heard(message: Push | Reply): void {
        if ("re" in message) {
            const pending = this.#pending.get(message.re);
            this.#pending.delete(message.re);
            if ("error" in message) pending?.reject(new TableError(String(message.error), String(message["text"]), message["wait"] as number | undefined));
            else pending?.resolve(message);
            return this.#expectAnswer();
        }
        if (message.push !== "hello") this.#expectAnswer();
        switch (message.push) {
            case "hello":
                return this.#greeted(message);
            case "table":
                if (message.you) this.#asked(message.table, message.you.asked === true);
                return this.#open.get(message.table)?.fed(message);
            case "asked":
                return this.#asked(message.table, message.asked);
            case "lobby":
                return this.#lobby(message);
            case "here":
                this.here = message;
                return;
            case "quick":
                return this.#quick(message);
            case "friends":
                if (this.company) void this.readCompany().catch(() => {});
                return;
            case "friend":
            case "invited":
                return this.#company(message);
            case "tournaments":
            case "tournament":
                return this.#followed.get(message.push)?.take(message);
            case "off":
                return notice(t("The tournament “{title}” will not take place.", { title: message.title }));
            case "notice":
                return notice(message.text);
            case "rematch": {
                const table = this.#open.get(message.table);
                if (table) table.state.next = message.next;
                return;
            }
            case "rated": {
                const table = this.#open.get(message.table);
                if (table) table.ratings = message.ratings;
            }
        }
    }
}
