// Whole games at the table, as a person plays them: by clicking, by dragging, by keyboard alone.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { begin, byClicking, byKeys, dice, finish, playOn } from "./player.ts";
import { calm, desk, phone, website, type Entering } from "./website.ts";

const site = website();

const games = 400_000;

const visit = (address: string, entering: Entering = {}) => site.visit(address, { settings: calm, ...entering });

/** Collects what the page says to those who listen. */
async function listening(page: Page): Promise<() => Promise<string[]>> {
    await page.waitForSelector("[role=log]", { state: "attached" });
    await page.evaluate(() => {
        const said: string[] = [];
        Object.assign(globalThis, { said });
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const node of addedNodes) if (node.textContent) said.push(node.textContent);
        }).observe(document.querySelector("[role=log]")!, { childList: true });
    });
    return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
}

/** The story from when the table was opened, a sentence each; what happened before has not been told. */
const story = async (page: Page, over: boolean) => {
    if (over) await page.getByRole("button", { name: "Board", exact: true }).click(); // the end has the stage
    await page.getByRole("tab", { name: "Story" }).click();
    const sentences = await page.locator(".log .words > span, .log .turn").allTextContents();
    return sentences.filter((sentence) => !/^You sit down|^The game begins/.test(sentence));
};

describe("a whole game by clicking, or a good part of a large one, and every event is told to those who listen", () => {
    test.each([
        { players: 2, viewport: desk },
        { players: 3, viewport: phone, automaticPasses: true },
        { players: 4, viewport: desk, automaticPasses: true },
        { players: 4, original: true, viewport: phone },
        { players: 8, viewport: desk, automaticPasses: true, most: 25 },
    ])("$players players, original: $original", { timeout: games }, async ({ viewport, automaticPasses = false, most, ...game }) => {
        const { context, page, heard } = await visit("#/play?seed=3", { viewport, settings: { ...calm, automaticPasses } });
        const said = await listening(page);
        await begin(page, game);
        const phases = await playOn(page, byClicking, dice(game.players), automaticPasses, most);
        expect(phases).toContain("turn");
        const heardByEar = (await said()).join(" ");
        expect((await story(page, most === undefined)).filter((sentence) => !heardByEar.includes(sentence))).toEqual([]);
        expect(await page.locator(".log .unread").count(), "who does not scroll has read it all").toBe(0);
        expect(heard).toEqual([]);
        await context.close();
    });
});

test("a whole game by keyboard alone", { timeout: games }, async () => {
    const { context, page, heard } = await visit("", { settings: { ...calm, newcomer: false } });
    await page.getByRole("link", { name: "Play now" }).waitFor();
    while ((await page.evaluate(() => document.activeElement?.textContent?.trim())) !== "Play now") await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await playOn(page, byKeys, dice(5), false, 150)).toContain("turn");
    expect(heard).toEqual([]);
    await context.close();
});

/** Notes every sheet that comes up although nobody has said since the last curtain that he is there. */
const watching = (page: Page) =>
    page.evaluate(() => {
        const found: string[] = [];
        Object.assign(globalThis, { found });
        let there = false;
        let fallen = false;
        addEventListener(
            "click",
            ({ target }) => {
                const pressed = (target as Element).closest(".curtain .button")?.textContent ?? "";
                if (pressed.trim().startsWith("I'm ")) there = true;
            },
            true,
        );
        new MutationObserver(() => {
            const status = document.querySelector<HTMLElement>(".status");
            const falls = document.getElementById("curtain") !== null;
            if (falls && !fallen) there = false;
            fallen = falls;
            if (!falls && !there && status?.dataset.phase !== "over" && document.querySelector(".sheet-place, .dispute .mine"))
                found.push(status?.textContent ?? "");
        }).observe(document.body, { childList: true, subtree: true });
    });

test("several people on one device: a curtain before every sheet, to the end", { timeout: games }, async () => {
    const { context, page, heard } = await visit("#/play?people=2&seed=3");
    await watching(page);
    await begin(page, { players: 3, people: 2 });
    await page.getByRole("button", { name: "I'm Ann" }).waitFor();
    expect(await page.locator(".sheet-place").count()).toBe(0);
    await page.getByRole("button", { name: "I'm Ann" }).click();
    await page.getByRole("switch", { name: "Show" }).click();
    await page.getByRole("button", { name: /^Units? of 10, / }).click();
    await page.locator(".sheet-place [data-drop=R2]").click();
    await finish(page);
    await page.getByRole("button", { name: "I'm Ben" }).waitFor();
    expect(await page.locator(".sheet-place").count()).toBe(0);
    await page.getByRole("button", { name: "I'm Ben" }).click();
    await page.getByRole("switch", { name: "Show" }).click();
    expect(await page.getByRole("button", { name: "R2 Frater Maleficus: you hold 0" }).count()).toBe(1);
    await finish(page);
    const phases = await playOn(page, byClicking, dice(9));
    expect(phases).toContain("curtain");
    expect(await page.evaluate(() => (globalThis as unknown as { found: string[] }).found)).toEqual([]);
    expect(heard).toEqual([]);
    await context.close();
});

test("a figure is dragged to its field", async () => {
    const { context, page, heard } = await visit("#/play?now=1");
    await finish(page);
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
    await page.locator(".line", { hasText: /T1 Alberto Castellano moves from Tomar a1 to Granada b1/ }).waitFor();
    expect(heard).toEqual([]);
    await context.close();
});

test("the log looks back, and is left by a key", async () => {
    const { context, page } = await visit("#/play?now=1");
    await finish(page);
    await page.waitForSelector(".status[data-phase=turn][data-asked=true]");
    await page.keyboard.press("t");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page
        .locator("button.line", { hasText: /Granada/ })
        .first()
        .waitFor();
    await page.keyboard.press("Home");
    await page.getByText("Looking back", { exact: false }).first().waitFor();
    await page.getByRole("grid", { name: "Board at that point" }).waitFor();
    expect(await page.locator("[data-field=a1]").getAttribute("aria-label")).toContain("Alberto Castellano, tall Templar");
    await page.keyboard.press("End");
    await page.getByRole("grid", { name: "Board", exact: true }).waitFor();
    await context.close();
});

test("the first question waits for nothing that only a table of the server needs, or the end", async () => {
    const { context, page } = await site.enter({ settings: calm });
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(/\/assets\/(\w+)[^/]*\.js$/.exec(request.url())?.[1] ?? ""));
    await page.goto(`${site.url}#/play?now=1`);
    await page.locator(".status[data-asked=true]").waitFor();
    expect(loaded).toContain("Table");
    expect(loaded.filter((name) => /^(OnlineTable|Create|Orders|End|Timeline|Tale)$/.test(name))).toEqual([]);
    await finish(page);
    await expect.poll(() => loaded, { message: "the end is there before it comes" }).toContain("End");
    await context.close();
});

test("a game goes on where it was", async () => {
    const { context, page } = await visit("#/play?now=1");
    await finish(page);
    await page.waitForSelector(".status[data-phase=turn][data-asked=true]");
    await page.goto(`${site.url}#/play`);
    await page.getByRole("link", { name: /^Continue/ }).click();
    await page.waitForSelector(".status[data-phase=turn][data-asked=true]");
    await context.close();
});
