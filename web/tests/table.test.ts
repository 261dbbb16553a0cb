// Whole games at the table, as a person plays them: by clicking, by dragging, by keyboard alone.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibility, complaints, cutOff, host, openBrowser, type Host } from "./browser.ts";

let browser: Browser;
let server: Host;

beforeAll(async () => {
    browser = await openBrowser();
    server = await host();
});
afterAll(async () => {
    await browser?.close();
    await server?.close();
});

const phone = { width: 360, height: 740 };
const desk = { width: 1440, height: 900 };
const games = 240_000;

async function visit(address: string, options: BrowserContextOptions = {}, settings: object = { animation: "off", automaticPasses: false }) {
    const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block", viewport: desk, ...options });
    await context.addInitScript((text) => {
        if (!localStorage.getItem("gral.settings")) localStorage.setItem("gral.settings", text);
    }, JSON.stringify(settings));
    const page = await context.newPage();
    const heard = complaints(page);
    await page.goto(server.url + address);
    return { context, page, heard };
}

interface SetUp {
    players: number;
    people?: number;
    original?: boolean;
}

/** Fills in the form and begins. */
async function begin(page: Page, { players, people = 1, original = false }: SetUp) {
    await page.getByLabel(/^Players/).selectOption(String(players));
    await page.getByLabel("Draw after").selectOption("50");
    if (original) await page.getByLabel(/The Original/).check();
    for (let seat = 1; seat <= players; seat++) {
        const row = page.getByRole("group", { name: `Seat ${seat}`, exact: false }).first();
        await row.getByLabel("Who sits there").selectOption(seat <= people ? "person" : "computer");
        if (seat <= people) await row.getByLabel("Name").fill(["Ann", "Ben", "Cleo", "Dan"][seat - 1]!);
        else await row.getByLabel("Level").selectOption("1");
    }
    await page.getByRole("button", { name: "Begin" }).click();
    await page.waitForSelector(".status, #curtain");
}

type Question = { phase: string; version: string; legal: string[] } | "over" | "curtain";

/** Waits until somebody at this device is asked. */
async function question(page: Page): Promise<Question> {
    const found = await page.waitForSelector(".status[data-asked=true], .status[data-phase=over], #curtain", { timeout: 60_000 });
    const { id, phase } = await found.evaluate((node) => ({ id: node.id, phase: (node as HTMLElement).dataset.phase ?? "" }));
    if (id === "curtain") return "curtain";
    return phase === "over" ? "over" : { phase, version: "", legal: [] };
}

// A game is a little different each time; the dice are not ours to choose, but what is clicked is.
function dice(seed: number) {
    let state = seed;
    return (sides: number) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * sides);
    };
}

/** From where to where: Castellano fetches the grail and takes it home to a1; if that was rejected, somebody goes anywhere. */
async function plan(page: Page, roll: (sides: number) => number): Promise<[string, string]> {
    await page.waitForSelector(".cell.grab", { timeout: 2000 });
    const cells = await page.locator(".cell").evaluateAll((nodes) =>
        nodes.map((node) => ({ field: (node as HTMLElement).dataset.field!, name: node.ariaLabel ?? "", free: node.classList.contains("grab") })));
    const rejected = (await page.locator(".status").textContent())!.includes("rejected");
    const hero = cells.find(({ name }) => name.includes("Castellano"));
    const goal = hero && /Castellano, [^;]*carries/.test(hero.name) ? "a1" : cells.find(({ name }) => name.includes("grail"))!.field;
    if (hero && !rejected && goal !== hero.field) {
        const [column, row] = [hero.field.charCodeAt(0), Number(hero.field[1])];
        const [far, high] = [goal.charCodeAt(0) - column, Number(goal[1]) - row];
        if (far !== 0 || high !== 0)
            return [hero.field, far !== 0 ? `${String.fromCharCode(column + Math.sign(far))}${row}` : `${hero.field[0]}${row + Math.sign(high)}`];
    }
    const free = cells.filter((cell) => cell.free);
    return [free[roll(free.length)]!.field, `${"abcde"[roll(5)]}${1 + roll(5)}`];
}

const done = (page: Page) => page.getByRole("button", { name: /^Done/ });

/** Answers what is asked, with the mouse (or a finger). */
async function answerByClicking(page: Page, phase: string, roll: (sides: number) => number) {
    if (phase === "opening" || phase === "placing") {
        await page.getByRole("button", { name: /^Units? of 10, / }).click();
        for (const pawn of ["T1", "T1", "I2"]) await page.locator(`.sheet-place [data-drop=${pawn}]`).click();
        await done(page).click();
    } else if (phase === "turn") {
        const [from, to] = await plan(page, roll);
        await page.locator(`[data-field=${from}]`).click();
        const menu = page.locator(".menu button").first();
        if ((await page.locator(".cell.target").count()) === 0 && (await menu.count()) > 0) await menu.click();
        const wanted = page.locator(`.cell.target[data-field=${to}]`);
        if ((await wanted.count()) > 0) await wanted.click();
        else await page.locator(".cell.target:not([aria-selected=true])").first().click();
        if ((await menu.count()) > 0) await menu.click();
    } else if (phase === "objection") {
        const object = page.getByRole("button", { name: /^Object with/ });
        if (roll(3) === 0 && (await object.count()) > 0) await object.click();
        else await page.getByRole("button", { name: /^Pass/ }).click();
    } else if (phase === "answer") {
        const insist = page.getByRole("button", { name: /^Insist with/ });
        if ((await insist.count()) > 0 && roll(4) > 0) await insist.click();
        else await page.getByRole("button", { name: /^Yield/ }).click();
    } else if (phase === "grail") {
        await page.locator(".menu button").first().click();
    }
}

/** The same with keys only. */
async function answerByKeys(page: Page, phase: string, roll: (sides: number) => number) {
    const press = (key: string) => page.keyboard.press(key);
    if (phase === "opening" || phase === "placing") {
        await press("s");
        await page.waitForFunction(() => document.activeElement?.closest(".sheet-place"));
        for (const key of ["0", "5", "ArrowRight", "0"]) await press(key);
        for (let tries = 0; tries < 60; tries++) {
            if (/^Done/.test(await page.evaluate(() => document.activeElement?.textContent?.trim() ?? ""))) break;
            await press("Tab");
        }
        await press("Enter");
    } else if (phase === "turn") {
        const [from, to] = await plan(page, roll);
        const hero = (await page.locator(`[data-field=${from}]`).getAttribute("aria-label"))!.includes("Castellano");
        await press(hero ? "t" : "TAIR"[roll(4)]!);
        await page.waitForFunction(() => document.activeElement?.classList.contains("cell"), undefined, { timeout: 1000 });
        const ways = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
        const way = hero ? ways[to[1]! > from[1]! ? 0 : to[1]! < from[1]! ? 1 : to < from ? 2 : 3]! : ways[roll(4)]!;
        await press(way);
        await page.waitForTimeout(40);
        await press("Enter");
        if (await page.locator(".menu").count()) await press("Enter");
    } else {
        const may = async (key: string) => (await page.locator(`button[aria-keyshortcuts=${key.toUpperCase()}]`).count()) > 0;
        const keys = { objection: roll(5) ? ["p"] : ["m", "p"], answer: ["m", "y"], grail: ["k", "l"] }[phase] ?? [];
        for (const key of keys)
            if (await may(key)) {
                await press(key);
                break;
            }
    }
}

async function playOn(page: Page, answer: typeof answerByClicking, seed: number) {
    const roll = dice(seed);
    const phases = new Set<string>();
    let slips = 0;
    for (let step = 0; step < 3000; step++) {
        const asked = await question(page);
        if (asked === "over") return phases;
        if (asked === "curtain") {
            const nobody = page.getByRole("button", { name: "Nobody objects" });
            if ((await nobody.count()) > 0 && roll(3) > 0) await nobody.click({ timeout: 2000 }).catch(() => undefined);
            else await page.locator(".curtain .button:not([disabled])").last().click({ timeout: 2000 }).catch(() => undefined);
            continue;
        }
        phases.add(asked.phase);
        try {
            await answer(page, asked.phase, roll);
            slips = 0;
        } catch (error) {
            if (++slips > 3) throw error; // once or twice the table may be quicker
        }
    }
    throw new Error("the game does not end");
}

describe("a whole game by clicking", () => {
    test.each([
        { players: 2, viewport: desk },
        { players: 3, viewport: phone },
        { players: 4, viewport: desk },
        { players: 4, original: true, viewport: phone },
    ])("with $players players, original: $original", { timeout: games }, async ({ viewport, ...setUp }) => {
        const { context, page, heard } = await visit("#/play", { viewport });
        page.setDefaultTimeout(2000);
        await begin(page, setUp);
        const phases = await playOn(page, answerByClicking, setUp.players);
        expect(phases.has("turn")).toBe(true);
        expect(await accessibility(page)).toEqual([]);
        // The wide tables of the end scroll in their frames.
        expect((await cutOff(page)).filter((line) => !/^(DIV frame|TABLE)/.test(line))).toEqual([]);
        expect(heard).toEqual([]);
        await context.close();
    });
});

test("a whole game by keyboard alone", { timeout: games }, async () => {
    const { context, page, heard } = await visit("");
    await page.getByRole("link", { name: "Play now" }).waitFor();
    for (let tries = 0; tries < 30; tries++) {
        if ((await page.evaluate(() => document.activeElement?.textContent?.trim())) === "Play now") break;
        await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.waitForSelector(".status");
    await playOn(page, answerByKeys, 5);
    expect(heard).toEqual([]);
    await context.close();
});

test("several people on one device: a curtain before every sheet, to the end", { timeout: games }, async () => {
    const { context, page, heard } = await visit("#/play?people=2");
    page.setDefaultTimeout(2000);
    await begin(page, { players: 3, people: 2 });
    await page.getByRole("button", { name: "I am Ann" }).waitFor();
    expect(await page.locator(".sheet-place").count()).toBe(0);
    await page.getByRole("button", { name: "I am Ann" }).click();
    await page.getByRole("switch", { name: "Look at it" }).click();
    await page.getByRole("button", { name: /^Units? of 10, / }).click();
    await page.locator(".sheet-place [data-drop=R2]").click();
    await done(page).click();
    await page.getByRole("button", { name: "I am Ben" }).waitFor();
    expect(await accessibility(page)).toEqual([]);
    expect(await page.locator(".sheet-place").count()).toBe(0);
    await page.getByRole("button", { name: "I am Ben" }).click();
    await page.getByRole("switch", { name: "Look at it" }).click();
    expect(await page.getByRole("button", { name: "R2 Frater Maleficus: you hold 0" }).count()).toBe(1);
    await done(page).click();
    await playOn(page, answerByClicking, 9);
    expect(heard).toEqual([]);
    await context.close();
});

test("a figure is dragged to its field", async () => {
    const { context, page, heard } = await visit("#/play?now=1");
    await done(page).click();
    await page.waitForSelector(".status[data-phase=turn][data-asked=true]");
    const at = async (field: string) => {
        const { x, y, width, height } = (await page.locator(`[data-field=${field}]`).boundingBox())!;
        return [x + width / 2, y + height / 2] as const;
    };
    const [fromX, fromY] = await at("a1");
    const [toX, toY] = await at("b1");
    await page.mouse.move(fromX - 20, fromY);
    await page.mouse.down();
    await page.mouse.move(toX, toY, { steps: 12 });
    expect(await page.locator(".piece.dragged").count()).toBe(1);
    expect(await page.locator(".cell.target").count()).toBe(2);
    await page.mouse.up();
    await page.locator(".line", { hasText: /T1 Alberto Castellano steps from Tomar a1 to Granada b1/ }).waitFor();
    expect(heard).toEqual([]);
    await context.close();
});

test("the log looks back, and is left by a key", async () => {
    const { context, page } = await visit("#/play?now=1");
    await done(page).click();
    await page.waitForSelector(".status[data-phase=turn][data-asked=true]");
    await page.keyboard.press("t");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator("button.line", { hasText: /Granada/ }).first().waitFor();
    await page.keyboard.press("Home");
    await page.getByText("The past", { exact: false }).first().waitFor();
    await page.getByRole("grid", { name: "Board, as it was" }).waitFor();
    expect(await page.locator("[data-field=a1]").getAttribute("aria-label")).toContain("Alberto Castellano, tall Templar");
    expect(await accessibility(page)).toEqual([]);
    await page.keyboard.press("End");
    await page.getByRole("grid", { name: "Board", exact: true }).waitFor();
    await context.close();
});

test("a game goes on where it was", async () => {
    const { context, page } = await visit("#/play?now=1");
    await done(page).click();
    await page.waitForSelector(".status[data-phase=turn][data-asked=true]");
    await page.goto(`${server.url}#/play`);
    await page.getByRole("link", { name: /^Go on/ }).click();
    await page.waitForSelector(".status[data-phase=turn][data-asked=true]");
    await context.close();
});
