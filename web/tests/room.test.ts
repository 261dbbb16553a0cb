// One screen in the middle of a room and four phones around it, at a real server; the phones come over the network, as in a
// house without any certificate.
import { networkInterfaces } from "node:os";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaints, leaveBrowser, openBrowser, type Host } from "./browser.ts";
import { figures } from "./people.ts";
import { byClicking, dice, finish, playOn } from "./player.ts";
import { serveWhole } from "./server.ts";
import { calm } from "./website.ts";

let browser: Browser;
let server: Host;
beforeAll(async () => {
    browser = await openBrowser();
    server = await serveWhole("--address", "*");
});
afterAll(async () => {
    await leaveBrowser();
    await server?.close();
});

/** By which other machines reach this one; its own, if it is in no network. */
const outside =
    Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .find(({ internal, family }) => !internal && family === "IPv4")?.address ?? "127.0.0.1";

interface Window {
    page: Page;
    heard: string[];
    /** What has come over its sockets, and their addresses. */
    frames: string[];
    sockets: string[];
}

async function show(address: string, options: BrowserContextOptions = {}): Promise<Window> {
    const context = await browser.newContext({ locale: "en-GB", ...options });
    await context.addInitScript((text) => {
        if (location.protocol !== "about:" && !localStorage.getItem("gral.settings")) localStorage.setItem("gral.settings", text);
    }, JSON.stringify(calm));
    const page = await context.newPage();
    const [frames, sockets]: [string[], string[]] = [[], []];
    page.on("websocket", (socket) => {
        sockets.push(socket.url());
        socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
    });
    const heard = complaints(page);
    await page.goto(address);
    return { page, heard, frames, sockets };
}

const television = { viewport: { width: 1920, height: 1080 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const own = () => server.url.replace("127.0.0.1", "localhost");

/** The address on the screen, as somebody types it. */
const typed = async (page: Page) => `http://${(await page.locator(".gathering .typed").innerText()).replace(/\s/g, "")}`;

async function sit(address: string, name: string): Promise<Window> {
    const window = await show(address, phone);
    await window.page.getByLabel("Name", { exact: true }).fill(name);
    await window.page.getByRole("button", { name: "Take a seat" }).click();
    return window;
}

/** The smallest letters there, as a part of the screen's height. */
const smallest = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((all) => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize))) / innerHeight);

test("four people play a whole game on their phones, around a screen that knows nothing of their sheets", async () => {
    const screen = await show(own(), television);
    const { page } = screen;
    await page.getByRole("link", { name: /^Play together in one room/ }).click();
    await page.getByLabel(/^Players/).selectOption("4");
    await page.getByText("More options", { exact: true }).click();
    await page.getByLabel("Computer speed").selectOption({ label: "fast" });
    await page.getByLabel("Who starts").selectOption({ label: "Seat 1" });
    await page.getByRole("button", { name: "Show the table" }).click();

    // The screen is on the server's own machine, and shows where phones find it.
    await page.getByRole("img", { name: "QR code of the link" }).waitFor();
    await page.locator(".typed b").waitFor();
    const address = await typed(page);
    expect(address).toMatch(new RegExp(`^http://${outside.replaceAll(".", "\\.")}:\\d+/[A-Z]{5}$`));
    expect(await smallest(page, ".gathering p, .gathering .name")).toBeGreaterThan(1 / 32);

    const names = ["Ann", "Ben", "Cleo", "Dan"];
    const phones: Window[] = [];
    for (const name of names) {
        phones.push(await sit(name === "Ben" ? address.toLowerCase() : address, name));
        if (name !== "Dan") await page.locator(".seats li", { hasText: name }).waitFor(); // it is seen who comes
    }
    await page.locator(".playing").waitFor();
    expect(await smallest(page, ".said, tbody .name, tbody td")).toBeGreaterThan(1 / 32);

    // A phone that was away, and a screen that is loaded anew, are where they were.
    await phones[1]!.page.goto("about:blank");
    await page.locator("tr", { hasText: "Ben" }).getByRole("img", { name: "away" }).waitFor();
    await phones[1]!.page.goto(address);
    await phones[1]!.page.getByRole("group", { name: "The eight initiates" }).waitFor();
    await page.reload();
    await page.locator(".playing").waitFor();

    // It can be dark, and whoever touches it sees it again.
    await page.getByRole("button", { name: "Dark screen" }).click();
    const dark = page.getByRole("button", { name: "Show the table" });
    expect(await dark.boundingBox()).toEqual({ x: 0, y: 0, width: 1920, height: 1080 });

    await Promise.all(phones.map(({ page }, index) => playOn(page, byClicking, dice(index + 5))));
    await dark.click();
    await page.locator(".ending").waitFor();
    await page.getByRole("heading", { name: /wins with T1/ }).waitFor();

    // Until all was turned over it was sent nothing that not everybody knows: no sheet, and no figure that nobody has shown.
    const told = screen.frames.map(
        (frame) => JSON.parse(frame) as { push?: string; you?: unknown; stage?: string; view?: { phase: string; known: number[][] } },
    );
    expect(told.filter(({ you }) => you)).toEqual([]);
    const before = told.filter(({ push, view }) => push === "table" && view && view.phase !== "over");
    expect(before.length).toBeGreaterThan(10);
    const shown = Math.max(...before.flatMap(({ view }) => view!.known.flat()));
    for (const { view } of before) expect(Math.max(0, ...figures(view!.known))).toBeLessThanOrEqual(shown);
    expect(before.some(({ view }) => "sheets" in view!)).toBe(false);
    expect(screen.frames.join("").includes('"place ')).toBe(false);
    expect(screen.sockets.length).toBeGreaterThan(0);
    for (const socket of screen.sockets) expect(socket).toMatch(/\/ws\?nobody$/);

    // Once more: the screen asks for it, everybody taps once, and has the old seat.
    await page.getByRole("button", { name: "Rematch" }).click();
    await page.locator(".gathering").waitFor();
    expect(await typed(page)).toBe(address);
    for (const { page } of phones) await page.getByRole("button", { name: "Join it" }).click();
    await page.locator(".playing").waitFor();
    expect(await page.locator("tbody .name").allInnerTexts()).toEqual(names);

    // Without TLS some things are missing in a browser; nothing complains about it.
    expect(await phones[0]!.page.evaluate(() => isSecureContext)).toBe(outside === "127.0.0.1");
    for (const { heard, page } of [screen, ...phones]) {
        expect(heard).toEqual([]);
        await page.context().close();
    }
}, 240_000);

test("a browser that knows somebody shows a whole room nothing of his", async () => {
    const screen = await show(`${own()}#/online`, television);
    await screen.page.getByLabel("Name", { exact: true }).fill("Hanna");
    await screen.page.getByRole("button", { name: "Continue" }).click();
    await screen.page.getByText("Hanna").first().waitFor();
    await screen.page.goto(`${own()}#/room`); // where it is set up, which is her own page still
    await screen.page.getByRole("button", { name: "Show the table" }).click();
    await screen.page.locator(".typed b").waitFor();
    const opened = screen.sockets.length;
    await screen.page.reload();
    await screen.page.locator(".typed b").waitFor();
    expect(screen.sockets.length).toBeGreaterThan(opened);
    expect(screen.sockets.slice(opened).filter((socket) => !socket.endsWith("?nobody"))).toEqual([]);
    expect(await screen.page.getByRole("banner").count()).toBe(0);
    await screen.page.context().close();
});

test("a long name can be read from afar, and whoever waits for a phone that is gone is told what can be done", async () => {
    const screen = await show(`${own()}#/room`, television);
    const { page } = screen;
    await page.getByLabel(/^Players/).selectOption("2");
    await page.getByRole("button", { name: "Show the table" }).click();
    await page.locator(".typed b").waitFor();
    const address = await typed(page);
    const patient = await sit(address, "Aunt Cleopatra the Great");
    const lost = await sit(address, "Nils");
    await page.locator(".playing").waitFor();
    expect(await smallest(page, "tbody .name")).toBeGreaterThan(1 / 36);
    const cut = (name: Element) => name.scrollHeight - name.clientHeight > parseFloat(getComputedStyle(name).lineHeight) / 2;
    expect(await page.locator("tbody .name").first().evaluate(cut)).toBe(false);
    expect(await page.locator("thead .mark").allInnerTexts()).toEqual(["T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"]);

    await finish(patient.page);
    await patient.page.clock.install();
    await lost.page.context().close();
    await page.locator("tr", { hasText: "Nils" }).getByRole("img", { name: "away" }).waitFor();
    const advice = patient.page.getByText("Nils has been away for a minute.");
    await patient.page.clock.fastForward(50_000);
    expect(await advice.count(), "not at once").toBe(0);
    await patient.page.clock.fastForward(12_000);
    await advice.waitFor();
    await patient.page.getByRole("button", { name: "Replace", exact: true }).click();
    await patient.page.getByRole("button", { name: "Vote to replace" }).click();
    await patient.page
        .getByText(/^Nils was here a moment ago and can be replaced in \d+ s/)
        .first()
        .waitFor(); // only here a minute has passed
    for (const { heard, page } of [screen, patient]) {
        expect(heard).toEqual([]);
        await page.context().close();
    }
});

const sizes = [
    [1920, 1080],
    [1280, 720],
    [2560, 1440],
    [1180, 820],
    [820, 1180],
] as const;

test("twelve players fit on televisions and tablets, upright too", async () => {
    const screen = await show(`${own()}#/room`, television);
    const { page } = screen;
    await page.getByLabel(/^Players/).selectOption("12");
    await page.getByLabel("Clock").selectOption({ label: "per decision" });
    for (let seat = 2; seat <= 12; seat++) await page.getByLabel(`Seat ${seat}`, { exact: true }).selectOption({ label: "computer" });
    await page.getByRole("button", { name: "Show the table" }).click();
    await page.locator(".typed b").waitFor();
    const outOfSight = async (last: string) => {
        const found: unknown[] = [];
        for (const [width, height] of sizes) {
            await page.setViewportSize({ width, height });
            const over = await page.locator(".screen").evaluate((one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]);
            const foot = (await page.locator(last).boundingBox())!;
            if (Math.max(...over) > 0 || foot.y + foot.height > height + 1) found.push([width, height, over, foot]);
        }
        return found;
    };
    expect(await outOfSight(".doings")).toEqual([]);
    const somebody = await sit(await typed(page), "Twelve");
    await page.locator(".playing").waitFor();
    expect(await outOfSight(".foot")).toEqual([]);
    for (const { page, heard } of [screen, somebody]) {
        expect(heard).toEqual([]);
        await page.context().close();
    }
});
