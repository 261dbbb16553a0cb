// The end of a game: what each player believed, beside the truth. The game was played elsewhere and is kept on this device.
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { loadEngine, type Engine } from "../engine/engine.mjs";
import type { StoredGame } from "../src/worker/room.ts";
import { accessibility, cutOff } from "./browser.ts";
import { website, type Entering, type Visitor } from "./website.ts";

const wasm = fileURLToPath(new URL("../../build/wasm/web/engine/gral.wasm", import.meta.url));
const shots = process.env.SHOTS; // a folder for pictures, to look at

const site = website();
let engine: Engine;

beforeAll(async () => {
    engine = await loadEngine(await WebAssembly.compile(await readFile(wasm)), (bytes) => createHash("sha256").update(bytes).digest());
    engine.learn(await readFile(new URL("../../src/players/learned.net", import.meta.url)));
    if (shots) await mkdir(shots, { recursive: true });
});

/** A whole game of Ann, who is well advised, with computer players; a draw if it takes too long. */
function played(players: number, rules: "standard" | "original" = "standard"): StoredGame {
    const id = `here-end${players}${rules}`;
    const began = 1794744000000;
    const seats = Array.from({ length: players }, (_, at) => (at === 0 ? { person: "Ann" } : { computer: "rules" }));
    const computers = seats
        .slice(1)
        .map((_, at) => `seat${at + 2}=rules`)
        .join(" ");
    const hq = rules === "original" ? " hq=TAIR" : "";
    const terms = `players=${players} rules=${rules}${hq} first=1 limit=60 game=${id} seed=8 clock=none pace=0 listed=no notepad=yes talk=no ${computers}`;
    const live = engine.openLive(terms, began);
    const stored: StoredGame = {
        id,
        game: { players, rules, seats },
        players,
        rules,
        seats,
        terms,
        inputs: [],
        began,
        updated: began,
        turn: 0,
        over: true,
        result: null,
    };
    const input = (words: string) => {
        live.input(words, began);
        stored.inputs.push([words, began]);
    };
    live.name(1, "Ann");
    input("sit 1 1");
    for (let count = 1; ; count++) {
        const salt = count.toString(16).padStart(64, "0");
        const [thinking] = live.thinking();
        if (thinking !== undefined) input(`do ${thinking} computer salt=${salt} ${engine.think(live.question(thinking)).actions.join("; ")}`);
        else if (live.due()) input("speak");
        else if (live.asked().includes(1)) {
            const { plan, actions } = engine.advise(live.question(1, "rules"));
            input(`do 1 salt=${salt} ${(plan ?? [actions[0]!.action]).join("; ")}`);
        } else break;
    }
    const { view } = live.push(0, true, began)!;
    live.close();
    return Object.assign(stored, { turn: view!.turn, result: view!.result });
}

async function visitEnd(stored: StoredGame, entering: Entering = {}): Promise<Visitor> {
    const visitor = await site.visit("icon.svg", entering); // of the same origin, and without a client that opens the store itself
    const { page } = visitor;
    await page.evaluate(async (game) => {
        const open = indexedDB.open("gral");
        open.onupgradeneeded = () => open.result.createObjectStore("games");
        await new Promise((done) => (open.onsuccess = done));
        const put = open.result.transaction("games", "readwrite").objectStore("games").put(game, game.id);
        await new Promise((done) => (put.onsuccess = done));
        open.result.close();
    }, stored);
    visitor.heard.length = 0; // a picture has no icon of its own
    await page.goto(`${site.url}#/t/${stored.id}`);
    await moment(page).waitFor();
    return visitor;
}

const moment = (page: Page) => page.getByRole("slider", { name: "Position" });
/** What is said about a player. */
const said = (page: Page, who: string) =>
    page
        .locator(".end li", { has: page.locator(`b:text("${who}")`) })
        .last()
        .innerText();
const guess = (words: string) => {
    const found = /best guess was (?:about )?(\d+)(?: \((\d+)–(\d+)\))?; in truth it was (\d+)\./.exec(words);
    if (!found) throw new Error(`no guess in: ${words}`);
    const [middle, low = middle, high = middle, truth] = found.slice(1).map((figure) => (figure === undefined ? undefined : Number(figure)));
    return { middle, low, high, truth };
};

/** All moments are there. */
const whole = (page: Page) => page.getByText("The best-kept secret").waitFor();

test("what the others could guess about a player stands beside the truth, for every moment", async () => {
    const stored = played(3);
    const { context, page, heard } = await visitEnd(stored);
    await whole(page);
    expect(await moment(page).getAttribute("aria-valuetext")).toBe("Just before the end");
    const pawn = /with (\w\d)/.exec(stored.result!)![1]!;
    const held = Number(
        await page
            .getByRole("region", { name: "All sheets" })
            .getByRole("row", { name: /^Ann/ })
            .getByRole("cell")
            .nth(["T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"].indexOf(pawn))
            .locator("b")
            .innerText(),
    );
    const { low, middle, high, truth } = guess(await said(page, "Ann"));
    expect(truth).toBe(held);
    expect(low! <= middle! && middle! <= high!).toBe(true);
    expect(await said(page, "Ann")).toMatch(/Who looked strongest to Ann: .* \(\d+%\)/);
    // In the opening that was another story.
    await moment(page).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => moment(page).getAttribute("aria-valuetext")).toBe("Opening");
    const early = guess(await said(page, "Ann"));
    expect(early).not.toEqual({ low, middle, high, truth });
    expect(heard).toEqual([]);
    await context.close();
});

test("the best kept secret is shown where it was kept", async () => {
    const { context, page } = await visitEnd(played(3));
    await whole(page);
    const words = await page.locator(".secret p").innerText();
    const [, when, who, held, pawn, guessed] = /\n(.*): (.*) held (\d+) on (\w\d) .* best guess was (?:about )?(\d+)/.exec(words)!;
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("img", { name: new RegExp(`^Influence on ${pawn}`) }).waitFor();
    expect(await moment(page).getAttribute("aria-valuetext")).toBe(when);
    expect(guess(await said(page, who!))).toMatchObject({ truth: Number(held), middle: Number(guessed) });
    await context.close();
});

test("all players and initiates are in one table, with what was possible, likely and true", async () => {
    const { context, page } = await visitEnd(played(4, "original"));
    await page.getByText("All players and initiates at this point").click();
    const cells = page.getByRole("grid", { name: "All players and initiates at this point" }).getByRole("button");
    await expect.poll(() => cells.count()).toBe(4 * 8);
    const label = await cells.filter({ hasText: "≈" }).first().getAttribute("aria-label");
    expect(label).toMatch(/: \d+–\d+ ≈ \d+\. Likely \d+(–\d+)?, about \d+\. Actually \d+\./);
    await context.close();
});

test("a player's lens in the replay has his guesses, too, and none where he is sure", async () => {
    const stored = played(3);
    const { context, page } = await visitEnd(stored);
    await page.goto(`${site.url}#/r/${stored.id}?move=40&lens=1`);
    const cell = (who: string) => page.getByRole("grid").getByRole("button", { name: new RegExp(`^${who}.*, T1 `) });
    await expect.poll(() => cell("Computer 2").innerText()).toMatch(/\d+–\d+\s+≈ \d+/);
    expect(await cell("Ann").innerText()).toMatch(/^\d+$/);
    await context.close();
});

test.each([
    { width: 360, height: 740, colorScheme: "dark" },
    { width: 1440, height: 900, colorScheme: "light" },
] as const)(
    "the end of a large game is accessible and whole at $width px in $colorScheme colours",
    async ({ width, height, colorScheme }) => {
        const { context, page } = await visitEnd(played(8), { viewport: { width, height }, colorScheme });
        await whole(page);
        await page.getByText("All players and initiates at this point").click();
        await page.getByRole("grid", { name: "All players and initiates at this point" }).waitFor();
        if (shots) await page.locator("section.end").screenshot({ path: `${shots}/end-${width}-${colorScheme}.png` });
        expect(await accessibility(page)).toEqual([]);
        expect((await cutOff(page)).filter((line) => !/^(DIV frame|TABLE)/.test(line))).toEqual([]);
        await context.close();
    },
    120_000,
);
