// Sheet, notepad, hint and end, at a table of their own (tests/parts).
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { finish } from "./player.ts";
import { build } from "vite";
import type { LocalConnection } from "../src/lib/local.svelte";
import { website, type Entering, type Visitor } from "./website.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
declare const table: LocalConnection;

beforeAll(async () => {
    await build({ configFile: here("parts/vite.config.ts"), logLevel: "error" });
}, 120_000);
const site = website({ root: here("../../build/parts") });

async function sitAt(terms: string, entering: Entering = {}): Promise<Visitor> {
    const visitor = await site.visit(`#${terms}`, entering);
    await visitor.page.waitForFunction(() => "table" in window);
    return visitor;
}

const portrait = (page: Page, pawn: string) => page.getByRole("button", { name: new RegExp(`^${pawn} .*you hold`) });
const coin = (page: Page, points: number) => page.getByRole("button", { name: new RegExp(`^Units? of ${points},`) });
const announce = (page: Page) => page.getByRole("button", { name: "Announce and finish" });
/** What I really hold, by the table. */
const held = (page: Page) => page.evaluate(() => table.state.you?.influence);
const heard = (page: Page, seat: number) =>
    page.evaluate((who) => table.state.log.flatMap(({ happening }) => ("action" in happening && happening.seat === who ? [happening.action] : [])), seat);
const myTurn = (page: Page) => page.waitForFunction(() => table.state.asked && table.state.view?.phase === "turn");

describe("the opening", () => {
    test("is filled by clicking, taken back in part, and done", async () => {
        const { context, page, heard: problems } = await sitAt("players=3");
        await coin(page, 10).click();
        await portrait(page, "T1").click();
        await portrait(page, "T1").click();
        await portrait(page, "A2").click();
        await page.getByRole("button", { name: "T1 Alberto Castellano: you hold 0, then 20" }).waitFor();
        // A click on a coin that lies there is one on the portrait: it places one more, and takes none back.
        await page.locator("[data-drop=A2] .coin").click();
        await page.getByRole("button", { name: "A2 Mansur Al-\u2060Jallah: you hold 0, then 20" }).waitFor();
        for (const amount of [10, 0]) {
            await page.getByRole("button", { name: "Take back", exact: true }).click();
            await page.getByRole("button", { name: `A2 Mansur Al-\u2060Jallah: you hold 0${amount > 0 ? ", then 10" : ""}`, exact: true }).waitFor();
        }
        await coin(page, 10).focus();
        await page.keyboard.press("Escape"); // lets it go
        await portrait(page, "R1").click();
        await page.getByRole("button", { name: "Place 5 on R1 Frater Valentinus; 4 left" }).click();
        await page.getByRole("button", { name: "Place 4 on R1 Frater Valentinus; 4 left" }).click();
        await page.getByRole("button", { name: "Take back", exact: true }).click();
        await page.getByRole("button", { name: "R1 Frater Valentinus: you hold 0, then 5" }).waitFor();
        expect(await held(page)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]); // nothing has left the sheet
        await finish(page);
        await myTurn(page);
        expect(await held(page)).toEqual([20, 0, 0, 0, 0, 0, 5, 0]);
        await page.getByRole("radio", { name: /Bluff/ }).waitFor({ state: "attached" });
        await expect.poll(() => page.locator(".coins .coin").count()).toBe(0); // the next one starts empty
        expect(problems).toEqual([]);
        await context.close();
    });

    test("takes four actions for 38 points: whom and how much, twice; the coins come by themselves", async () => {
        const { context, page } = await sitAt("players=3");
        const amount = page.getByRole("slider");
        await portrait(page, "T1").click();
        await amount.fill("25");
        await portrait(page, "I2").click();
        await amount.fill("13");
        await page.getByRole("button", { name: "I2 Adam zu Weisenheym: you hold 0, then 13" }).waitFor();
        expect(await page.locator("[data-drop=T1] .coin").count()).toBe(3); // 10, 10, 5
        await amount.fill("9"); // less, in other coins
        await page.getByRole("button", { name: "I2 Adam zu Weisenheym: you hold 0, then 9" }).waitFor();
        await amount.fill("13");
        await page.getByRole("button", { name: "I2 Adam zu Weisenheym: you hold 0, then 13" }).waitFor();
        await finish(page);
        await myTurn(page);
        expect(await held(page)).toEqual([25, 0, 0, 0, 0, 13, 0, 0]);
        await context.close();
    });

    test("with nothing placed is asked about once", async () => {
        const { context, page } = await sitAt("players=3");
        await page.getByRole("button", { name: "Done" }).click();
        await page.getByRole("button", { name: "Cancel" }).click();
        expect(await page.evaluate(() => table.state.asked)).toBe(true);
        await finish(page);
        await myTurn(page);
        await context.close();
    });

    test("is filled by the keyboard alone", async () => {
        const { context, page } = await sitAt("players=3");
        await portrait(page, "T1").focus();
        for (const key of ["0", "5", "5", "1", "Backspace", "ArrowRight", "ArrowDown", "3"]) await page.keyboard.press(key);
        await page.getByRole("button", { name: "I2 Adam zu Weisenheym: you hold 0, then 3" }).waitFor();
        expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("I2");
        while ((await page.evaluate(() => document.activeElement?.textContent?.trim())) !== "Done") await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await myTurn(page);
        expect(await held(page)).toEqual([20, 0, 0, 0, 0, 3, 0, 0]);
        await context.close();
    });

    test("is filled by dragging, and a coin can be dragged on and off again", async () => {
        const { context, page } = await sitAt("players=3");
        const drag = async (from: ReturnType<typeof coin>, to: ReturnType<typeof coin>) => {
            await from.hover();
            await page.mouse.down();
            await to.hover();
            await page.mouse.up();
        };
        await drag(coin(page, 10), portrait(page, "I1"));
        const placed = (pawn: string) => page.locator(`[data-drop=${pawn}] .coin[data-points="10"]`);
        await drag(placed("I1"), portrait(page, "R2"));
        await placed("R2").waitFor();
        await drag(coin(page, 4), portrait(page, "R2"));
        await drag(placed("R2"), coin(page, 1));
        await page.getByRole("button", { name: "R2 Frater Maleficus: you hold 0, then 4" }).waitFor();
        await finish(page);
        await myTurn(page);
        expect(await held(page)).toEqual([0, 0, 0, 0, 0, 0, 0, 4]);
        await context.close();
    });
});

describe("an assignment", () => {
    test("is thought out first and told in one piece; a bluff is told the same", async () => {
        const { context, page } = await sitAt("players=2&people=2");
        const sit = (name: string) => page.getByRole("button", { name: `Sit down: ${name}` }).click();
        const look = () => page.getByRole("switch", { name: "Show" }).click();
        for (const name of ["Ann", "Ben"]) {
            await sit(name);
            await page.getByRole("switch", { name: "Show", checked: false }).waitFor();
            expect(await page.locator(".portrait").count()).toBe(0); // covered
            await look();
            await finish(page);
        }
        await sit("Ann");
        await look();
        expect(await announce(page).isDisabled()).toBe(true);
        await coin(page, 10).click();
        await portrait(page, "T1").click();
        await portrait(page, "R2").click();
        await page.getByRole("button", { name: /^R2 .*then 10/ }).waitFor();
        expect(await heard(page, 1)).toEqual(["done"]);
        await announce(page).click();
        await sit("Ben");
        await look();
        await page.getByRole("radio", { name: /Bluff/ }).check();
        await announce(page).click();
        await sit("Ann");
        await expect.poll(() => heard(page, 1)).toEqual(["done", "assign", "place 10 T1", "place 10 R2", "done"]);
        expect(await heard(page, 2)).toEqual(["done", "assign", "done"]);
        expect(await held(page)).toEqual([10, 0, 0, 0, 0, 0, 0, 10]);
        await context.close();
    });

    test("of four players goes to one initiate, and all of it can go to another (R3.3)", async () => {
        const { context, page } = await sitAt("players=4");
        await finish(page);
        await myTurn(page);
        await page.getByText("All units of this assignment go to one initiate: your first coin decides which.").waitFor();
        await coin(page, 5).click();
        await portrait(page, "A1").click();
        await page.getByText("Everything you place now goes to A1 Hassan Al-\u2060Molk.").waitFor();
        await portrait(page, "A2").click();
        await page.getByRole("button", { name: "Put all on Mansur Al-\u2060Jallah" }).click();
        await page.getByText("Everything you place now goes to A2 Mansur Al-\u2060Jallah.").waitFor();
        await announce(page).click();
        await page.waitForFunction(() => table.state.you?.influence?.[3] === 5);
        await context.close();
    });
});

/** Two persons on one device: Ann brings Alberto home with the grail; Ben objects once. */
async function playOut(page: Page, until = Infinity) {
    await page.evaluate(async (last) => {
        const route = ["b1", "c1", "c2", "c3", "c2", "c1", "b1", "a1"];
        let objected = false;
        for (let guard = 0; guard < 200 && !table.state.over; guard++) {
            const seat = table.asked[0];
            if (seat === undefined) break;
            if (table.seat !== seat) await table.sitDown(seat);
            const { view, legal } = table.state;
            if (view!.turn >= last && view!.phase === "turn") return;
            const act = (...actions: string[]) => table.act(actions);
            if (view!.phase === "opening") await (seat === 1 ? act("place 10 T1", "place 5 T1", "done") : act("place 4 T1", "place 10 A1", "done"));
            else if (view!.phase === "turn" && seat === 1) await act(`step T1 ${route[(view!.turn - 1) / 2]}`);
            else if (view!.phase === "turn")
                await (view!.turn === 4 ? act("assign", "place 3 T1", "done") : act(`step R1 ${view!.pawns[6] === "a5" ? "a4" : "a5"}`));
            else if (view!.phase === "objection") {
                const object: boolean = seat === 2 && !objected && legal.points !== null && view!.turn === 3;
                objected ||= object;
                await act(object ? "object 2" : "pass");
            } else if (view!.phase === "answer") await act("claim 6");
            else if (view!.phase === "grail") await act(legal.verbs.has("keep") ? "keep" : "leave");
        }
    }, until);
}

test("the notepad says what is known, what is new, and why", async () => {
    const { context, page } = await sitAt("players=2&people=2");
    await playOut(page, 4);
    await page.evaluate(() => table.sitDown(2));
    const cell = page.getByRole("button", { name: /^Ann, T1/ });
    await expect.poll(() => cell.getAttribute("aria-label")).toContain("6–100. New; before: 0–100. Ann showed 6 on Alberto Castellano in turn 3.");
    await cell.hover();
    await page.getByText("Ann showed 6 on Alberto Castellano in turn 3.").first().waitFor({ state: "visible" });
    // On a shared device the own row tells no more than the others know.
    await page.getByRole("button", { name: /^Ben, T1 Alberto Castellano: 2–100\./ }).focus();
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^Ann, T1/);
    await page.getByLabel("My own notes").fill("Ann wants Alberto");
    // Another person's notes are another's.
    await page.evaluate(() => table.sitDown(1));
    await expect.poll(() => page.getByLabel("My own notes").inputValue()).toBe("");
    await page.evaluate(() => table.sitDown(2));
    await expect.poll(() => page.getByLabel("My own notes").inputValue()).toBe("Ann wants Alberto");
    await context.close();
});

test("a table that plays from memory has own notes only", async () => {
    const { context, page } = await sitAt("players=3&notepad=no");
    await page.getByText("Memory mode").waitFor();
    expect(await page.getByRole("grid").count()).toBe(0);
    await context.close();
});

test("a hint tells what to do and why, and opens the sheet for it", async () => {
    const { context, page } = await sitAt("players=3");
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByRole("button", { name: "Why?" }).click();
    expect(await page.locator(".hint dd").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Do this" }).click();
    const advised = page.locator(".coins .coin").first(); // or to begin with nothing
    await advised
        .or(page.getByRole("button", { name: "Done" }))
        .first()
        .waitFor();
    await context.close();
});

test("the end shows who won, all sheets, how it came about, and what could be known", async () => {
    const { context, page, heard: problems } = await sitAt("players=2&people=2");
    await playOut(page);
    await page
        .getByRole("heading", { name: "Ann wins with T1 Alberto Castellano." })
        .or(page.getByRole("heading", { name: "You win with T1 Alberto Castellano." }))
        .waitFor();
    const sheets = page.getByRole("region", { name: "All sheets" });
    await sheets.getByRole("row", { name: /^Ben/ }).waitFor();
    expect(await sheets.getByRole("row", { name: /^Ben/ }).getByRole("cell").first().textContent()).toMatch(/7.*4.*0.*3.*4/s);
    await page.getByRole("img", { name: "Influence on T1 Alberto Castellano, turn by turn" }).waitFor();
    await page.getByText("All players and initiates at this point").click();
    expect(await page.getByRole("button", { name: /^Ben, T1.*Actually 7/ }).getAttribute("aria-label")).toContain("2–");
    await page.getByRole("group", { name: "Show influence on" }).getByRole("button", { name: /^A1/ }).click();
    await page.getByRole("img", { name: "Influence on A1 Hassan Al-\u2060Molk, turn by turn" }).waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the record" }).click()]);
    expect(saved.suggestedFilename()).toMatch(/^here-.*\.gral$/);
    expect(problems).toEqual([]);
    await context.close();
});
