// The client as a whole: where it runs, in which language and colours, and without a network.
import { readdir, readFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { host } from "./browser.ts";
import { begin, byClicking, dice, playOn } from "./player.ts";
import { serveWhole } from "./server.ts";
import { website, type Entering, type Visitor } from "./website.ts";

const built = website({ redirects: true });

async function visit(url: string, entering: Entering = {}): Promise<Visitor> {
    const visitor = await built.enter({ offline: true, ...entering });
    await load(visitor.page, url);
    return visitor;
}

/** From scratch: another fragment alone would not load the page anew. */
async function load(page: Page, url: string) {
    await page.goto("about:blank");
    await page.goto(url);
    await page.waitForSelector("h1");
}

test("the language changes at once, and is remembered", async () => {
    const { context, page } = await visit(built.url);
    await page.getByLabel("Language").selectOption("fr");
    await page.getByRole("link", { name: "Jouer maintenant" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("fr");
    await page.reload();
    await page.getByRole("link", { name: "Jouer maintenant" }).waitFor();
    await context.close();
});

test("the theme changes at once, and is remembered", async () => {
    const { context, page } = await visit(built.url, { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.waitForSelector("h1");
    expect(await ground()).toBe(dark);
    await context.close();
});

test("a new page takes the focus and says its name", async () => {
    const { context, page } = await visit(built.url);
    await page
        .getByRole("main")
        .getByRole("link", { name: /^Rules/ })
        .click();
    await page.getByRole("heading", { name: "Rules", level: 1 }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await expect.poll(() => page.getByRole("log").textContent()).toContain("Rules");
    await page.goBack();
    await page.getByRole("link", { name: "Play now" }).waitFor();
    await context.close();
});

test("the keyboard skips to the content without leaving the page", async () => {
    const { context, page } = await visit(`${built.url}#/rules`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => [document.activeElement?.id, location.hash])).toEqual(["main", "#/rules"]);
    await context.close();
});

test("the short link to a table leads to it", async () => {
    const { context, page, heard } = await visit(`${built.url}t/Ab-9_`);
    expect(new URL(page.url()).hash).toBe("#/t/Ab-9_");
    expect(heard).toEqual([]);
    await context.close();
});

test.each(["/", "/some/folder/"])("it runs without a network after the first visit, at %s", async (folder) => {
    const site = await host(folder);
    const { context, page, heard } = await visit(site.url, { serviceWorkers: "allow" });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await site.close();
    await page.goto(`${site.url}t/Ab-9_`);
    await page.waitForSelector("h1");
    expect(page.url()).toBe(`${site.url}#/t/Ab-9_`);
    await page.goto(`${site.url}#/settings`);
    await page.getByLabel("Language").last().selectOption("it");
    await page.getByRole("heading", { name: "Impostazioni" }).waitFor();
    expect(heard).toEqual([]);
    await context.close();
});

test("gral serves all that is needed to play a whole game without a network, and to look back at it", { timeout: 240_000 }, async () => {
    const site = await serveWhole();
    const { context, page, heard } = await visit(site.url, { serviceWorkers: "allow" });
    await page.evaluate(() => localStorage.setItem("gral.settings", JSON.stringify({ animation: "off", tempo: "instant" })));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await site.close();
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("link", { name: "Play now" }).waitFor();
    await load(page, `${site.url}#/play?seed=3`);
    await begin(page, { players: 2 });
    await playOn(page, byClicking, dice(2), true);
    await page.getByRole("region", { name: "All sheets" }).waitFor();
    await page.getByRole("link", { name: "Replay", exact: true }).first().click();
    await page.getByRole("group", { name: "Replay" }).waitFor();
    expect(heard).toEqual([]);
    await context.close();
});

test("gral sends each file packed as the browser reads it, and plain to others", async () => {
    const site = await serveWhole();
    const assets = new URL("../../build/web/assets/", import.meta.url);
    const name = (await readdir(assets)).find((name) => name.endsWith(".wasm"))!;
    const plain = await readFile(new URL(name, assets));
    const sizes: number[] = [];
    for (const [accepted, encoding, unpack] of [
        ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
        ["gzip, abridged", "gzip", gunzipSync],
        ["deflate", undefined, Buffer.from],
    ] as const) {
        const answer = await new Promise<IncomingMessage>((found) => get(`${site.url}assets/${name}`, { headers: { "accept-encoding": accepted } }, found));
        const body = await buffer(answer);
        expect(answer.headers["content-encoding"], accepted).toBe(encoding);
        expect(Buffer.compare(unpack(body), plain), accepted).toBe(0);
        sizes.push(body.length);
    }
    expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
    await site.close();
});
