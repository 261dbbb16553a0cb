import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TablePush } from "./protocol";
import { Online } from "./online.svelte";

/** A server's end of every socket that was opened. */
class FakeSocket {
    static all: FakeSocket[] = [];
    static get last() {
        return FakeSocket.all.at(-1)!;
    }
    sent: Record<string, unknown>[] = [];
    onmessage?: (event: { data: string }) => void;
    onclose?: (event: { code: number }) => void;

    constructor(readonly url: URL) {
        FakeSocket.all.push(this);
    }
    send(text: string) {
        this.sent.push(JSON.parse(text) as Record<string, unknown>);
    }
    close() {}
    say(message: object) {
        this.onmessage?.({ data: JSON.stringify(message) });
    }
    hello(name: string | null = "Ann") {
        this.say({ push: "hello", gral: "1", name, ...(name ? { guest: true } : {}) });
    }
    answer(request: Record<string, unknown>, more: object = {}) {
        this.say({ re: request["id"], ok: true, ...more });
    }
}

const push = (parts: Partial<TablePush>): TablePush => ({ push: "table", table: "T", ...parts });
const introduction = push({
    terms: { players: 2, rules: "standard", first: 1, limit: 0, clock: null, pace: 20, listed: true, notepad: true, talk: true },
    stage: "gathering",
    seats: [{ name: "Ann", present: true }, null],
    you: { seat: 1 },
    from: 0,
    happened: [{ seat: 1, sat: true }],
});

let online: Online;
beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", FakeSocket);
    FakeSocket.all = [];
    online = new Online("https://gral.example/some/folder/#/online");
});
afterEach(() => {
    online.close();
    vi.unstubAllGlobals();
    vi.useRealTimers();
});

async function opened() {
    const table = online.open("T");
    FakeSocket.last.hello();
    FakeSocket.last.answer(FakeSocket.last.sent[0]!);
    FakeSocket.last.say(introduction);
    return table;
}

describe("online", () => {
    test("the socket is beside the page, and nobody is somebody who watches", () => {
        online.connect();
        expect(String(FakeSocket.last.url)).toBe("wss://gral.example/some/folder/ws");
        FakeSocket.last.hello(null);
        expect([online.status, online.me]).toEqual(["open", null]);
    });

    test("a server that says nothing is noticed within five seconds and given up after eight, and what it was asked is sent again", async () => {
        const table = await opened();
        const first = FakeSocket.last;
        const acted = table.act(["pass"]);
        vi.advanceTimersByTime(5000);
        expect([online.status, online.silent]).toEqual(["open", true]);
        vi.advanceTimersByTime(3100);
        expect([online.status, online.silent]).toEqual(["waiting", false]);
        vi.advanceTimersByTime(10_000);
        expect(FakeSocket.last).not.toBe(first);
        FakeSocket.last.hello();
        const [again] = FakeSocket.last.sent;
        expect(again).toEqual(first.sent.at(-1));
        FakeSocket.last.answer(again!);
        await acted;
    });

    test("whoever looks at a table and does nothing notices it, too", async () => {
        await opened();
        vi.advanceTimersByTime(2600);
        const ping = FakeSocket.last.sent.at(-1)!;
        expect(ping).toMatchObject({ do: "ping" });
        FakeSocket.last.answer(ping);
        expect(online.silent).toBe(false);
        vi.advanceTimersByTime(5000);
        expect(online.silent).toBe(true);
        FakeSocket.last.say(push({ from: 1, happened: [{ seat: 1, talk: "Well?", at: 5 }] }));
        expect(online.silent).toBe(false); // it was only slow
    });

    test("tables that wait for me are known wherever I am", async () => {
        online.connect();
        FakeSocket.last.say({ push: "hello", gral: "1", name: "Ann", guest: true, asked: ["T", "U"] });
        expect([...online.waiting]).toEqual(["T", "U"]);
        FakeSocket.last.say({ push: "asked", table: "U", asked: false });
        FakeSocket.last.say({ push: "asked", table: "V", asked: true });
        expect([...online.waiting]).toEqual(["T", "V"]);
        void online.enterLobby();
        const row = {
            table: "V",
            stage: "playing",
            players: 2,
            rules: "standard",
            clock: null,
            talk: true,
            notepad: true,
            seats: [{ name: "Ann" }, { name: "Bob" }],
        };
        FakeSocket.last.answer(FakeSocket.last.sent.at(-1)!, { tables: [row], own: [{ ...row, asked: true }] });
        await Promise.resolve();
        FakeSocket.last.say({ push: "lobby", tables: [row], gone: [] }); // which says nothing of who is waited for
        expect([...online.waiting]).toEqual(["V"]);
        const asks = () => FakeSocket.last.sent.filter(({ do: what }) => what === "lobby");
        expect(asks()).toHaveLength(1);
        // It is listed no more, for nobody is there: one's own tables stay, and the server says which are over.
        FakeSocket.last.say({ push: "lobby", tables: [], gone: ["V"] });
        expect([online.tables, online.own.map(({ table }) => table), [...online.waiting]]).toEqual([[], ["V"], ["V"]]);
        expect(asks()).toHaveLength(2);
        FakeSocket.last.answer(asks()[1]!, { tables: [], own: [{ table: "V", stage: "over" }] });
        await Promise.resolve();
        expect([online.own, [...online.waiting]]).toEqual([[], []]);
    });

    test("a refusal says when it will be possible", async () => {
        const table = await opened();
        const voted = table.replace(2);
        FakeSocket.last.say({ re: FakeSocket.last.sent.at(-1)!["id"], error: "present", text: "this player was here a moment ago", wait: 5000 });
        await expect(voted).rejects.toMatchObject({ code: "present", wait: 5000 });
    });

    test("a request is answered or refused with its word", async () => {
        const table = await opened();
        expect(table.state.seat).toBe(1);
        const acted = table.act(["step T1 b1"]);
        const request = FakeSocket.last.sent.at(-1)!;
        expect(request).toMatchObject({ do: "act", table: "T", version: 0, actions: ["step T1 b1"] });
        expect(request["id"]).toMatch(/^[\w-]{1,40}$/);
        FakeSocket.last.say({ re: request["id"], error: "turn", text: "another player has to act first" });
        await expect(acted).rejects.toMatchObject({ code: "turn", message: "another player has to act first" });
    });

    test("after a lost connection everything goes on, and what has no answer is sent again", async () => {
        const table = await opened();
        const lost = FakeSocket.last;
        const talked = table.talk("Hello", [2]);
        const request = lost.sent.at(-1)!;
        lost.onclose?.({ code: 1006 });
        expect(online.status).toBe("waiting");
        vi.advanceTimersByTime(400);
        const found = FakeSocket.last;
        expect(found).not.toBe(lost);
        found.hello();
        expect(found.sent).toMatchObject([request, { do: "watch", table: "T", have: 1 }]);
        found.answer(request);
        await talked;
        found.say(push({ from: 1, happened: [{ seat: 1, talk: "Hello", to: [2], at: 5 }] }));
        expect(table.state.have).toBe(2);
    });

    test("tries are made at longer and longer intervals, and at once when the network is back", () => {
        online.connect();
        const waits = Array.from({ length: 9 }, () => {
            FakeSocket.last.onclose?.({ code: 1006 });
            const wait = online.retryAt - Date.now();
            vi.advanceTimersByTime(wait + 1);
            return wait;
        });
        expect(waits[0]!).toBeLessThan(400);
        expect(waits.at(-1)!).toBeGreaterThan(11000);
        expect(waits.at(-1)!).toBeLessThan(19000);
    });

    test("from a server that stops while others take over one goes on at once, but not all at the same moment", async () => {
        const table = await opened();
        const waits = Array.from({ length: 20 }, () => {
            const { sent } = FakeSocket.last;
            FakeSocket.last.onclose?.({ code: 1012 });
            const wait = online.retryAt - Date.now();
            vi.advanceTimersByTime(wait + 1);
            FakeSocket.last.hello();
            expect(FakeSocket.last.sent).not.toBe(sent);
            expect(FakeSocket.last.sent).toMatchObject([{ do: "watch", table: "T", have: 1 }]);
            return wait;
        });
        expect(Math.max(...waits)).toBeLessThanOrEqual(500);
        expect(new Set(waits).size).toBeGreaterThan(10);
        expect(table.state.have).toBe(1);
        FakeSocket.last.onclose?.({ code: 1012 });
        vi.advanceTimersByTime(500);
        FakeSocket.last.onclose?.({ code: 1012 }); // nobody is there after all
        expect(online.retryAt - Date.now()).toBeGreaterThan(300);
    });

    test("the lobby follows by itself, also after a lost connection", async () => {
        const row = (table: string, stage = "gathering") => ({
            table,
            stage,
            players: 2,
            rules: "standard",
            clock: null,
            talk: true,
            notepad: true,
            seats: [null, null],
        });
        const entered = online.enterLobby();
        FakeSocket.last.hello();
        FakeSocket.last.answer(FakeSocket.last.sent[0]!, { tables: [row("A"), row("B")], own: [{ ...row("C"), seats: [{ name: "Ann" }, null] }] });
        await entered;
        FakeSocket.last.say({ push: "lobby", tables: [row("A", "playing"), row("D")], gone: ["B"] });
        expect(online.tables.map(({ table, stage }) => `${table} ${stage}`)).toEqual(["A playing", "D gathering"]);
        expect(online.own.map(({ table }) => table)).toEqual(["C"]);
        FakeSocket.last.onclose?.({ code: 1006 });
        vi.advanceTimersByTime(400);
        FakeSocket.last.hello();
        expect(FakeSocket.last.sent).toMatchObject([{ do: "lobby", on: true }]);
    });

    test("a table that is refused after a lost connection says why, and is asked for again with the next one", async () => {
        const table = await opened();
        const reconnect = () => {
            FakeSocket.last.onclose?.({ code: 1006 });
            vi.advanceTimersByTime(20_000);
            FakeSocket.last.hello();
            return FakeSocket.last.sent[0]!;
        };
        const { id } = reconnect();
        FakeSocket.last.say({ re: id, error: "table", text: "this table does not exist" });
        await vi.waitFor(() => expect(table.refused).toMatchObject({ code: "table" }));
        const again = reconnect();
        expect(again).toMatchObject({ do: "watch", table: "T" });
        FakeSocket.last.answer(again);
        await vi.waitFor(() => expect(table.refused).toBeNull());
    });

    test("who comes second and is refused does not take the table from the first", async () => {
        const table = await opened();
        const second = online.open("T");
        FakeSocket.last.say({ re: FakeSocket.last.sent.at(-1)!["id"], error: "rate", text: "too many orders" });
        await expect(second).rejects.toMatchObject({ code: "rate" });
        FakeSocket.last.say(push({ stage: "playing" }));
        expect(table.state.stage).toBe("playing");
        table.close();
        expect(FakeSocket.last.sent.at(-1)).toMatchObject({ do: "unwatch", table: "T" });
    });

    test("games that are over are told by their ids alone, and are no tables of the lobby", async () => {
        const entered = online.enterLobby();
        FakeSocket.last.hello();
        FakeSocket.last.answer(FakeSocket.last.sent[0]!, { tables: [], own: [{ table: "Z", stage: "over" }] });
        await entered;
        expect(online.own).toEqual([]);
    });

    test("a new name opens the socket anew", async () => {
        online.connect();
        FakeSocket.last.hello(null);
        vi.stubGlobal(
            "fetch",
            vi.fn(async () => new Response('{"name":"Ann","guest":true}')),
        );
        expect(await online.guest("Ann")).toEqual({ name: "Ann", guest: true });
        expect(FakeSocket.all.length).toBe(2);
        vi.stubGlobal(
            "fetch",
            vi.fn(async () => new Response('{"error":"name-taken","text":"this name is taken"}', { status: 409 })),
        );
        await expect(online.guest("Ànn")).rejects.toMatchObject({ code: "name-taken" });
        vi.stubGlobal(
            "fetch",
            vi.fn(async () => Promise.reject(new TypeError())),
        );
        await expect(online.who()).rejects.toMatchObject({ code: "network" });
    });

    test("the other end may open the next table", async () => {
        const table = await opened();
        FakeSocket.last.say({ push: "rematch", table: "T", next: "N" });
        expect(table.state.next).toBe("N");
        table.close();
        expect(FakeSocket.last.sent.at(-1)).toMatchObject({ do: "unwatch", table: "T" });
    });
});
