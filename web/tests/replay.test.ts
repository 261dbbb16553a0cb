// Looking back at games: lenses, keys, addresses, records in and out, and seals.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { StoredGame } from "../src/worker/room.ts";
import { website, type Visitor } from "./website.ts";

const record = (name: string) => readFile(fileURLToPath(new URL(`../../tests/data/records/${name}.gral`, import.meta.url)), "utf8");

const site = website();

/** A page of a server that has these records under r/NAME.gral. */
async function visit(address: string, records: Record<string, string> = {}): Promise<Visitor> {
    const visitor = await site.enter();
    for (const [name, body] of Object.entries(records))
        await visitor.page.route(`**/r/${name}.gral`, (route) => route.fulfill({ body, contentType: "text/plain" }));
    await visitor.page.goto(site.url + address);
    await visitor.page.waitForSelector("h1");
    return visitor;
}

const now = (page: Page) => page.locator("[data-now]").innerText();
const hash = (page: Page) => page.evaluate(() => location.hash);
const seal = (page: Page) => page.locator("[data-seal]");
const lens = (page: Page) => page.getByLabel("View");
const cell = (page: Page, who: string, pawn: string) => page.getByRole("grid").getByRole("button", { name: new RegExp(`^${who}, ${pawn} `) });
const figures = async (page: Page, who: string, pawn: string) => (await cell(page, who, pawn).locator(".figures").innerText()).trim();

test("a record of the server is stepped through by keys, and the address follows", async () => {
    const { context, page, heard } = await visit("#/r/one", { one: await record("example") });
    await page.getByRole("heading", { name: "The example of the rulebook", level: 1 }).waitFor();
    expect(await now(page)).toContain("The game begins.");
    // Placements are not heard through the public lens: three players finish, then the first step.
    for (let at = 0; at < 4; at++) await page.keyboard.press("ArrowRight");
    await expect.poll(() => now(page)).toContain("Player 1 proposes: T1 Alberto Castellano moves from Tomar a1 to Granada b1.");
    expect(await hash(page)).toBe("#/r/one?move=11&lens=0");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => now(page)).toContain("Player 3 has finished placing units.");
    await page.keyboard.press("End");
    await expect.poll(() => now(page)).toContain("T1 Alberto Castellano is uncovered and leaves the game.");
    await page.keyboard.press("Home");
    await expect.poll(() => now(page)).toContain("The game begins.");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => now(page)).toContain("Turn 1");
    const turn = await hash(page);
    await page.getByRole("button", { name: "Forward one turn" }).click();
    await expect.poll(() => now(page)).toContain("Turn 2");
    await page.getByRole("button", { name: "Back one turn" }).click();
    expect(await hash(page)).toBe(turn);
    await page.getByRole("heading", { level: 1 }).click(); // on a button the space bar would press it
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await expect.poll(() => now(page)).toContain("Turn 3");
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Start playback" }).waitFor();
    expect(heard).toEqual([]);
    await context.close();
});

test("an address leads to its move and lens", async () => {
    const { context, page } = await visit("#/r/one?move=43&lens=2", { one: await record("example") });
    await expect.poll(() => now(page)).toContain("Player 1 insists and reveals 5 influence points on T1 Alberto Castellano.");
    expect(await lens(page).inputValue()).toBe("2");
    await context.close();
});

test("each lens shows what could be known through it", async () => {
    const { context, page } = await visit("#/r/one?move=43", { one: await record("example") });
    await expect.poll(() => figures(page, "Player 1", "T1")).toBe("5–100");
    expect(await figures(page, "Player 2", "T1")).toBe("5–100");
    expect(await cell(page, "Player 1", "T1").getAttribute("aria-label")).toContain("Player 1 showed 5 on Alberto Castellano in turn 10.");
    await lens(page).selectOption({ label: "What Player 2 knew" });
    await expect.poll(() => figures(page, "Player 2", "T1")).toBe("12");
    expect(await figures(page, "Player 1", "T1")).toBe("5–100");
    expect(await hash(page)).toBe("#/r/one?move=43&lens=2");
    await lens(page).selectOption({ label: "Everything" });
    await expect.poll(() => figures(page, "Player 1", "T1")).toBe("15");
    expect(await figures(page, "Player 3", "A2")).toBe("13");
    await page.getByRole("img", { name: /^Influence on T1/ }).waitFor();
    // Through this lens placements are heard.
    await lens(page).focus();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Go to the beginning" }).click();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => now(page)).toContain("Player 1 places 10 influence points on T1 Alberto Castellano.");
    await lens(page).selectOption({ label: "What everyone knew" });
    await expect.poll(() => now(page)).not.toContain("places");
    await context.close();
});

test("a game of this device can be looked at once it is over", async () => {
    const { context, page } = await visit("#/play");
    await page.locator("main .button.primary").first().click();
    await page.waitForFunction(() => location.hash.startsWith("#/t/here-"));
    const id = (await hash(page)).slice(4);
    await page.goto(`${site.url}#/r/${id}`);
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("once the game is over");
    // All agree on a draw: the input that is kept with the game.
    await page.evaluate(async (game) => {
        const open = indexedDB.open("gral");
        await new Promise((done) => (open.onsuccess = done));
        const games = open.result.transaction("games", "readwrite").objectStore("games");
        const found = games.get(game);
        await new Promise((done) => (found.onsuccess = done));
        const stored = found.result as StoredGame;
        const [, time] = stored.inputs.at(-1)!;
        stored.inputs.push(["draw 1", time]);
        stored.over = true;
        stored.result = "draw";
        const put = games.put(stored, game);
        await new Promise((done) => (put.onsuccess = done));
    }, id);
    await page.goto("about:blank");
    await page.goto(`${site.url}#/replay`);
    await page.getByRole("link", { name: /The game is a draw/ }).click();
    await page.getByRole("button", { name: "Start playback" }).waitFor();
    expect(await hash(page)).toContain(`#/r/${id}`);
    expect(await now(page)).toContain("The game begins.");
    await context.close();
});

describe("records", () => {
    test("come in by choosing a file, and go out again as they were", async () => {
        const sealed = await record("sealed");
        const { context, page, heard } = await visit("#/replay");
        await page.locator("input[type=file]").setInputFiles({ name: "x.gral", mimeType: "text/plain", buffer: Buffer.from(sealed) });
        await page.getByText("Sealed", { exact: true }).waitFor();
        expect(await seal(page).getAttribute("data-seal")).toBe("sealed");
        expect(await seal(page).innerText()).toContain("4 seals were opened and match their sheets. It isn't signed");
        const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
        expect(saved.suggestedFilename()).toBe("The-example-of-the-rulebook.gral");
        expect(await readFile(await saved.path(), "utf8")).toBe(sealed);
        // The address has the game in it.
        await page.keyboard.press("End");
        const address = await hash(page);
        await page.goto("about:blank");
        await page.goto(site.url + address);
        await page.getByText("Sealed", { exact: true }).waitFor();
        await expect.poll(() => now(page)).toContain("leaves the game");
        expect(heard).toEqual([]);
        await context.close();
    });

    // The mark depends on the browser too: one without Ed25519 must say that it has not looked.
    test.each([
        ["a key of this server", true, "right", /^Signed and valid.*signed by this server\.$|can't be checked here/s],
        ["another key", false, "sealed", /^Sealed.*signed, but not with this server's key\.$|could not be checked here/s],
    ])("say whether they are signed, and by whom: %s", async (_, own, mark, words) => {
        const { context, page } = await visit("#/replay");
        const keys = await readFile(fileURLToPath(new URL("../../tests/data/records/signed_keys", import.meta.url)), "utf8");
        if (own) await page.route("**/keys", (route) => route.fulfill({ body: keys, contentType: "text/plain" }));
        await page.locator("input[type=file]").setInputFiles({ name: "x.gral", mimeType: "text/plain", buffer: Buffer.from(await record("signed")) });
        await expect.poll(() => seal(page).innerText()).toMatch(words);
        const looked = !(await seal(page).innerText()).includes("could not be checked");
        expect(await seal(page).getAttribute("data-seal")).toBe(looked ? mark : "sealed");
        await context.close();
    });

    test("come in by pasting and by dropping", async () => {
        const { context, page } = await visit("#/replay");
        const example = await record("example");
        await page.getByText("Paste a record as text").click();
        await page.getByLabel("Text of the record").fill(example);
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await page.getByText("Not sealed").waitFor();
        await page.goto(`${site.url}#/replay`);
        await page.getByText("Drop a record").waitFor();
        await page.evaluate(
            (text) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([text], "x.gral"));
                document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
            },
            await record("sealed"),
        );
        await page.getByText("Sealed", { exact: true }).waitFor();
        await context.close();
    });

    test.each([
        ["a line that was changed", (text: string) => text.replace("2: object 12", "2: object 11"), "wrong"],
        ["a salt that was changed", (text: string) => text.replace("2122232425", "2122232426"), "wrong"],
        ["a sheet that was changed", (text: string) => text.replace("1: place 5 T1", "1: place 5 R1"), "wrong"],
    ])("with %s are marked", async (_, damage, kind) => {
        const { context, page } = await visit("#/r/bad", { bad: damage(await record("sealed")) });
        await expect.poll(async () => (await seal(page).count()) > 0 || (await page.getByRole("alert").count()) > 0).toBe(true);
        if ((await seal(page).count()) > 0) expect(await seal(page).getAttribute("data-seal")).toBe(kind);
        expect(await page.locator("main").innerText()).toMatch(/line \d+/);
        await context.close();
    });

    test("that are none say where and why", async () => {
        const { context, page } = await visit("#/r/bad", { bad: '[Players "3"]\n\n1: dance\n' });
        expect(await page.getByRole("alert").innerText()).toContain("3");
        await page.goto(`${site.url}#/r/nobody`);
        await expect.poll(() => page.getByRole("alert").innerText()).toContain("this table does not exist");
        await page.goto(`${site.url}#/replay?game=xx`);
        await expect.poll(() => page.getByRole("alert").innerText()).toContain("complete record");
        await context.close();
    });
});
