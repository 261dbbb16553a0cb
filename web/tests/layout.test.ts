// Everything at a table has its place: it is on the screen, whole, and stays where it is.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cutOff } from "./browser.ts";
import { againstComputer, house, leave } from "./people.ts";
import { begin, byClicking, dice, finish, playOn } from "./player.ts";
import { calm, desk, phone, website } from "./website.ts";

const site = website();
const home = house();

/** What the browser has seen move by itself, as "how much: what"; what somebody did a moment before does not count. */
const shifts = (page: Page) =>
    page.addInitScript(() => {
        const moved: string[] = [];
        Object.assign(globalThis, { moved });
        interface Shift extends PerformanceEntry {
            value: number;
            hadRecentInput: boolean;
            sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        }
        new PerformanceObserver((list) => {
            for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
                if (hadRecentInput || document.querySelector(".end, .status[data-phase=over]") || !document.querySelector(".table")) continue;
                const what = sources.map(({ node, previousRect, currentRect }) => {
                    const element = node instanceof Element ? node : node?.parentElement;
                    const at = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(",");
                    return `${element?.tagName}.${element?.getAttribute("class")} ${at(previousRect)} > ${at(currentRect)}`;
                });
                moved.push(`${value.toFixed(4)}: ${what.join("; ")}`);
            }
        }).observe({ type: "layout-shift" });
    });

// Side by side: at the table's tempo nearly all of it is waiting.
test.concurrent.each([
    { width: 1366, height: 768 },
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
])("nothing jumps in ten rounds, at $width × $height", { timeout: 400_000 }, async (viewport) => {
    const { context, page, heard } = await site.enter({
        viewport,
        settings: { ...calm, tempo: "brisk", automaticPasses: true },
        hasTouch: viewport.width < 600,
    });
    await shifts(page);
    await page.goto(`${site.url}#/play?seed=3`);
    await begin(page, { players: 3 });
    await playOn(page, byClicking, dice(3), true, 30);
    expect(await moved(page)).toEqual([]);
    expect(heard).toEqual([]);
    await context.close();
});

const sizes = [
    [360, 640],
    [390, 844],
    [820, 1180],
    [1366, 768],
    [1440, 900],
    [1920, 1080],
    [2560, 1440],
] as const;

const moved = (page: Page) => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);

test.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
])("nothing jumps at $width × $height when an opening is handed in, however late the server's answer is", async (viewport) => {
    const ann = await home.guest(`Ann ${viewport.width}`, undefined, { viewport, hasTouch: viewport.width < 600 });
    await ann.page.routeWebSocket(/\/ws$/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((message) => void setTimeout(() => server.send(message), 700)); // half a second after a click a browser counts
    });
    await shifts(ann.page);
    await ann.page.reload();
    await againstComputer(ann);
    await ann.page.waitForTimeout(1000);
    const before = (await moved(ann.page)).length;
    await finish(ann.page);
    await ann.page.getByText(/It's your turn/).waitFor();
    await ann.page.waitForTimeout(1000);
    expect((await moved(ann.page)).slice(before)).toEqual([]);
    await leave(ann);
});

test("what somebody is about to place stays while he looks at the board on a phone", async () => {
    const { context, page, heard } = await site.visit("#/play?seed=3", { viewport: phone, settings: calm });
    await begin(page, { players: 3 });
    await page.getByRole("button", { name: /^Units? of 10,/ }).click();
    await page.locator(".sheet-place [data-drop=R1]").click();
    await page.getByRole("tab", { name: "Board" }).click();
    await page.locator(".sheet-place").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Sheet" }).click();
    await page.getByRole("button", { name: "R1 Frater Valentinus: you hold 0, then 10" }).waitFor();
    expect(heard).toEqual([]);
    await context.close();
});

/** Those of these that are not on the screen, or not whole. */
const offScreen = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((all) =>
        all.flatMap((element) => {
            const { left, top, right, bottom, width } = element.getBoundingClientRect();
            const whole = width > 0 && left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
            return whole ? [] : [`${element.className} ${element.textContent?.trim()}`];
        }),
    );

/** Words of the question that lie behind its buttons or beyond the edge of the card. */
const covered = (page: Page) =>
    page.evaluate(() => {
        const card = document.querySelector(".now")!.getBoundingClientRect();
        const foot = document.querySelector(".dispute .acts")?.getBoundingClientRect().top ?? card.bottom;
        return [...document.querySelectorAll(".now .status p, .dispute .mine")].flatMap((words) => {
            const { top, bottom } = words.getBoundingClientRect();
            return top >= card.top && bottom <= foot + 1 ? [] : [words.textContent.trim()];
        });
    });

test.each(["de", "fr"])("whatever is asked, the answers are on the screen of every size, in %s", { timeout: 240_000 }, async (language) => {
    const { context, page, heard } = await site.visit("#/play?seed=3", { settings: calm });
    const speak = (code: string) => page.locator("header select").selectOption(code);
    const faults: string[] = [];
    const seen = new Set<string>();
    await begin(page, { players: 3, level: 1 }); // who objects often
    await playOn(
        page,
        async (_, phase, roll) => {
            if (phase !== "turn" && !seen.has(phase)) {
                await speak(language);
                for (const [width, height] of sizes) {
                    await page.setViewportSize({ width, height });
                    const found = async () => [
                        ...(await offScreen(
                            page,
                            ".sheet-place .done, .menu button, .dispute .acts :is([aria-keyshortcuts=P], [aria-keyshortcuts=M], [aria-keyshortcuts=Y])",
                        )),
                        ...(height > 640 ? await covered(page) : []), // a small phone has no room for all of it
                    ];
                    for (let at = 0; at < 20 && (await found()).length > 0; at++) await page.waitForTimeout(100); // it is laid out anew
                    faults.push(...(await found()).map((what) => `${width} ${phase}: ${what}`));
                }
                await page.setViewportSize(desk);
                await speak("en");
                seen.add(phase);
            }
            return byClicking(page, phase, roll);
        },
        dice(5),
        false,
        40,
    );
    expect([...seen].sort()).toEqual(["answer", "grail", "objection", "opening"]);
    expect(faults).toEqual([]);
    expect(heard).toEqual([]);
    await context.close();
});

test.each([
    { width: 360, height: 640, locale: "fr" },
    { width: 390, height: 844, locale: "de" },
    { width: 820, height: 1180, locale: "it" },
    { width: 1280, height: 800, locale: "fr" },
    { width: 1366, height: 768, locale: "de" },
    { width: 1920, height: 1080, locale: "fr" },
    { width: 2560, height: 1440, locale: "de" },
])("twelve players are all there, and so is the last button of the sheet, at $width × $height in $locale", async ({ locale, ...viewport }) => {
    const { context, page } = await site.visit("#/play", { viewport, settings: calm, locale });
    await page
        .locator("select", { has: page.locator("option[value='12']") })
        .first()
        .selectOption("12");
    await page.locator("main button.primary").last().click();
    await page.locator(".sheet-place .done").waitFor();
    expect(await offScreen(page, ".sheet-place .done, .sheet-place .portrait, .sheet-place .stack, .tabs [role=tab]")).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
    await page.locator(".sheet-place [data-drop=T1] .portrait").click();
    await page.getByRole("slider").fill("38");
    await page.locator(".sheet-place .done").click();
    await page.locator(".status[data-asked=true]:not([data-phase=opening])").waitFor({ timeout: 60_000 });
    expect(await page.locator(".seats li").count()).toBe(12);
    expect(await offScreen(page, ".seats li, .cell, .tabs [role=tab], .now .acts button")).toEqual([]);
    await page.locator("#tab-notepad").click();
    await page.locator("[role=grid] .player").last().scrollIntoViewIfNeeded();
    expect(await offScreen(page, "[role=grid] .player:last-child")).toEqual([]);
    await page.locator("#tab-talk").click();
    expect(await offScreen(page, "#panel .row button"), "one can answer without scrolling").toEqual([]);
    // Where the question is covered, the way to it says so.
    expect(await page.locator(".tabs .calls").count()).toBe(await page.locator("#tab-board").count());
    await context.close();
});

test.each([
    { width: 1366, height: 768 },
    { width: 390, height: 844 },
])("advice is in sight when it comes, and a tip is seen whole or not at all, at $width × $height", { timeout: 60_000 }, async (viewport) => {
    const { context, page, heard } = await site.visit("#/play?seed=3", { settings: calm, viewport, locale: "de-DE" });
    await page.getByRole("button", { name: "Los geht’s" }).click();
    await page.locator(".sheet-place .done:enabled").click();
    await page.getByRole("button", { name: "Nichts setzen", exact: true }).click();
    const within = (selector: string) =>
        page.evaluate((wanted) => {
            const card = document.querySelector(".now")!.getBoundingClientRect();
            const part = document.querySelector(wanted)!;
            const { top, bottom } = part.getBoundingClientRect();
            return !part.checkVisibility({ visibilityProperty: true }) || (top >= card.top && bottom <= card.bottom);
        }, selector);
    await page.getByRole("button", { name: "Tipp", exact: true }).waitFor();
    await expect.poll(() => within(".coach p")).toBe(true);
    await page.getByRole("button", { name: "Tipp", exact: true }).click();
    await page.getByRole("button", { name: "Warum?" }).waitFor({ timeout: 30_000 });
    await expect.poll(() => within(".hint .row")).toBe(true);
    await expect.poll(() => within(".coach p")).toBe(true);
    await page.getByRole("button", { name: "Warum?" }).click();
    await expect.poll(() => within(".hint dl")).toBe(true);
    await expect.poll(() => within(".hint li.first")).toBe(true);
    expect(heard).toEqual([]);
    await context.close();
});

test("no name is broken inside a word, whatever its language and the window's width", async () => {
    const { context, page } = await site.visit("#/play?now=1", { settings: calm });
    await page.locator(".sheet-place .done").waitFor();
    const broken = () =>
        page.locator(".sheet-place .name").evaluateAll((names) =>
            names.flatMap((name) => {
                const words = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
                const found: string[] = [];
                for (let node = words.nextNode(); node; node = words.nextNode())
                    for (const { index, 0: word } of node.textContent!.matchAll(/[^\s-]+/g)) {
                        const range = document.createRange();
                        range.setStart(node, index);
                        range.setEnd(node, index + word.length);
                        if (range.getClientRects().length > 1) found.push(word);
                    }
                return found;
            }),
        );
    for (const [width, height] of [
        [320, 568],
        [360, 640],
        [844, 390],
        [1200, 700],
        [1366, 768],
        [2560, 1440],
    ] as const) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(100);
        expect(await broken(), `${width}`).toEqual([]);
    }
    await finish(page);
    await context.close();
});
