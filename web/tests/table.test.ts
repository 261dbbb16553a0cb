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
    await page.getByLabel("Draw after").selectOption("100");
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

const done = (page: Page) => page.getByRole("button", { name: /^Done/ });

/** Answers what is asked, with the mouse (or a finger). */
async function answerByClicking(page: Page, phase: string, roll: (sides: number) => number) {
    if (phase === "opening" || phase === "placing") {
        for (const pawn of ["T1", "I2", "R1"]) {
            await page.getByRole("button", { name: /^Units? of 10, / }).click();
            await page.locator(`.sheet-place [data-drop=${pawn}]`).click();
        }
        await done(page).click();
    } else if (phase === "turn") {
        const cells = page.locator(".cell.grab");
        const cell = cells.nth(roll(await cells.count()));
        await cell.click();
        const targets = page.locator(".cell.target:not([aria-selected=true])");
        const count = await targets.count();
        if (count === 0) return;
        await targets.nth(roll(count)).click();
        const menu = page.locator(".menu button").first();
        if (await menu.count()) await menu.click({ timeout: 1000 }).catch(() => undefined);
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

const keyOf: Record<string, string[]> = { objection: ["m", "p"], answer: ["m", "y"], grail: ["k", "l"] };

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
        await press("TAIR"[roll(4)]!);
        if (roll(2)) await press(await page.evaluate(() => document.querySelector(".cell[aria-selected=true]") ? "Shift" : "t"));
        await press(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"][roll(4)]!);
        await page.waitForTimeout(30);
        await press("Enter");
        if (await page.locator(".menu").count()) await press("Enter");
    } else {
        const keys = keyOf[phase]!;
        await press(keys[roll(2)]!);
        await page.waitForTimeout(30);
        await press(keys[1]!);
    }
}

async function playOn(page: Page, answer: typeof answerByClicking, seed: number) {
    const roll = dice(seed);
    const phases = new Set<string>();
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
        await answer(page, asked.phase, roll).catch((error: Error) => {
            if (!/Timeout|detached|not attached/.test(error.message)) throw error; // the table was quicker
        });
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
        expect(await cutOff(page)).toEqual([]);
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

test("several people on one device: the curtain hides every sheet", { timeout: games }, async () => {
    const { context, page, heard } = await visit("#/play?people=2");
    page.setDefaultTimeout(2000);
    await begin(page, { players: 2, people: 2 });
    expect(await page.locator(".sheet-place").count()).toBe(0);
    await page.getByRole("button", { name: "I am Ann" }).waitFor();
    await context.close();
    expect(heard).toEqual([]);
});
