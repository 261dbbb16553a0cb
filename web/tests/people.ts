// People at a table of a real server, each in a browser of his own; what they know is what the server has sent them.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { finish } from "./player.ts";
import { complaints, leaveBrowser, openBrowser } from "./browser.ts";
import { serve, type Served } from "./server.ts";

export interface Person {
    name: string;
    page: Page;
    /** Everything the server has sent, as it came. */
    frames: string[];
    heard: string[];
}

/** A server and a browser for the tests of a file, with the ways to come in. */
export function house(...options: string[]) {
    let browser: Browser;
    let server: Served;
    beforeAll(async () => {
        browser = await openBrowser();
        server = await serve(...options);
    });
    afterAll(async () => {
        await leaveBrowser();
        await server?.close();
    });

    async function person(name: string, address = "#/online", context: BrowserContextOptions = {}): Promise<Person> {
        const page = await (await browser.newContext({ locale: "en-GB", serviceWorkers: "block", ...context })).newPage();
        const frames: string[] = [];
        page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
        const heard = complaints(page, { offline: true });
        await page.goto(server.url + address);
        return { name, page, frames, heard };
    }

    async function guest(name: string, address?: string, context?: BrowserContextOptions): Promise<Person> {
        const somebody = await person(name, address, context);
        await beGuest(somebody.page, name);
        await expect.poll(() => somebody.frames.some((frame) => frame.includes(`"name":${JSON.stringify(name)}`))).toBe(true);
        return somebody;
    }

    return {
        get server() {
            return server;
        },
        person,
        guest,
    };
}

export async function beGuest(page: Page, name: string) {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Continue" }).click();
}

export const leave = async (...people: Person[]) => {
    for (const { page, heard, name } of people) {
        expect(heard, name).toEqual([]);
        await page.context().close();
    }
};

// --- a table as this person knows it, from what the server has sent ---

export interface Known {
    version: number;
    stage: string;
    view: { phase: string; active: number; actor: number; pawns: string[]; grail: string; turn: number } | null;
    you: { seat: number; asked?: boolean; legal?: string[]; influence?: number[]; orders?: string[] } | null;
    seats: ({ name?: string; present?: boolean; computer?: string; resigned?: boolean } | null)[];
    round: { asked: number; answered: number; hidden: boolean } | null;
}

export function known({ frames }: Person): Known {
    const found: Record<string, unknown> = { version: 0, stage: "", view: null, you: null, seats: [], round: null };
    for (const frame of frames) {
        const message = JSON.parse(frame) as Record<string, unknown>;
        if (message["push"] !== "table") continue;
        for (const part of Object.keys(found)) if (part in message) found[part] = message[part];
    }
    return found as unknown as Known;
}

/** Everything that a message tells as a figure of points; counts, times and the numbers of requests are none. */
export function figures(value: unknown, key = ""): number[] {
    if (["re", "from", "version", "turn", "at", "left", "bank", "number", "pace", "players", "seat"].includes(key)) return [];
    if (typeof value === "number") return [value];
    if (typeof value === "string") return key === "seal" || key === "table" ? [] : (value.match(/\d+/g) ?? []).map(Number);
    if (Array.isArray(value)) return value.flatMap((part) => figures(part, key));
    return value && typeof value === "object" ? Object.entries(value).flatMap(([name, part]) => figures(part, name)) : [];
}

export const press = async (page: Page, key: string) => {
    await page
        .locator("h1")
        .first()
        .evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press(key);
};

/** Waits for the server to tell everybody more than `before`. */
export async function settled(person: Person, before: number) {
    await expect.poll(() => known(person).version, { interval: 30 }).toBeGreaterThan(before);
}

export async function asked(person: Person, phase?: string) {
    await expect.poll(() => (known(person).you?.asked ? known(person).view?.phase : ""), { interval: 30 }).toBe(phase ?? known(person).view?.phase);
}

/** Places units by the keys of the sheet, and finishes. */
export async function open(person: Person, name: RegExp, keys: string) {
    const portrait = person.page.getByRole("group", { name: "The eight initiates" }).getByRole("button", { name });
    await portrait.focus();
    for (const key of keys) await portrait.press(key);
}

export async function step(person: Person, field: string) {
    await asked(person, "turn");
    const { version } = known(person);
    await person.page
        .getByText(/It's your turn|propose something else/)
        .first()
        .waitFor();
    await press(person.page, "t");
    await person.page.getByRole("button", { name: new RegExp(`→ .* ${field}`) }).click();
    await settled(person, version);
}

/** Opens a table with these terms, chosen in the form, and goes there. */
export async function newTable({ page }: Person, terms: () => Promise<unknown>): Promise<string> {
    await page.getByRole("button", { name: "New table" }).click();
    await page.getByText("More options", { exact: true }).click();
    await page.getByLabel("Who starts").selectOption({ label: "Seat 1" });
    await page.getByLabel("Computer speed").selectOption({ label: "fast" });
    await terms();
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.waitForURL(/#\/t\//);
    return page.url();
}

/** A game against a computer player that begins at once. */
export async function againstComputer(somebody: Person) {
    const { page } = somebody;
    await newTable(somebody, async () => {
        await page.getByLabel(/^Players/).selectOption("2");
        await page.getByLabel("Seat 2", { exact: true }).selectOption({ label: "computer" });
        await page.getByLabel("Level of seat 2").selectOption("1");
    });
    await page.getByRole("group", { name: "The eight initiates" }).waitFor();
}

/** Asks the server for something over a connection of its own; what it answers. */
export const request = ({ page }: Person, words: object) =>
    page.evaluate(
        (words) =>
            new Promise<{ table?: string; text?: string }>((answered) => {
                const socket = new WebSocket(new URL("ws", document.baseURI.replace("http", "ws")));
                socket.onmessage = ({ data }) => {
                    const message = JSON.parse(String(data)) as { push?: string; re?: string; table?: string; text?: string };
                    if (message.push === "hello") socket.send(JSON.stringify({ id: `r${Math.random().toString(36).slice(2)}`, ...words }));
                    if (message.re === undefined) return;
                    socket.close();
                    answered(message);
                };
            }),
        words,
    );

/** A table with terms that the form does not offer, such as a clock too short for people; its maker is there. */
export async function tableByHand(somebody: Person, terms: object): Promise<string> {
    const { table, text } = await request(somebody, { do: "create", first: 1, pace: 0, ...terms });
    await somebody.page.evaluate((table) => (location.hash = `#/t/${table}`), table ?? text!);
    return somebody.page.url();
}

/** Somebody joins the table at this address: the last who was waited for. */
export async function join(somebody: Person, link: string) {
    await somebody.page.goto(link);
    await somebody.page
        .getByRole("button", { name: /^Sit here/ })
        .first()
        .click();
}

export const finishOpening = async (...people: Person[]) => {
    for (const who of people) {
        await asked(who, "opening");
        await finish(who.page);
    }
};

/** From the end, which takes the stage, to the table with its tabs. */
export const backToTable = ({ page }: Person) => page.getByRole("button", { name: "Board", exact: true }).click();

/** Something about the game besides playing it. */
export async function chooseInMenu({ page }: Person, name: string) {
    await page.getByRole("button", { name: "This game" }).click();
    await page.getByRole("dialog", { name: "This game" }).getByRole("button", { name }).click();
}

export const tab = ({ page }: Person, name: RegExp) => page.getByRole("tab", { name }).click();
