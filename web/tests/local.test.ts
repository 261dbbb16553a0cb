// Games on this device and the shell around them: leaving a game, sounds, storage that fails, notices, names, settings.
import { readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { finish } from "./player.ts";
import { accessibility, cutOff } from "./browser.ts";
import { calm, desk, phone, website, type Entering } from "./website.ts";

const site = website();

const visit = (address: string, { settings, ...entering }: Entering = {}) => site.visit(address, { settings: { ...calm, ...settings }, ...entering });

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const status = (page: Page, phase: string) => page.waitForSelector(`.status[data-phase=${phase}][data-asked=true]`);
const story = (page: Page, text: string | RegExp) => page.locator("ol li", { hasText: text }).first();
const menu = async (page: Page) => {
    await button(page, "This game").click();
    return page.getByRole("dialog", { name: "This game" });
};

/** Two people at one device; the opening is Ann's 10 on T1 and Ben's on T1 as well, and Ann begins. */
async function twoPeople(visiting: Entering = {}) {
    const found = await visit("#/play?people=2", visiting);
    const { page } = found;
    await page.getByLabel(/^Players/).selectOption("2");
    await page.getByLabel("Who starts").selectOption("1");
    for (const [index, name] of ["Ann", "Ben"].entries()) await page.getByLabel("Name", { exact: true }).nth(index).fill(name);
    await button(page, "Start").click();
    for (const name of ["Ann", "Ben"]) {
        await button(page, `I'm ${name}`).click();
        await page.getByRole("switch", { name: "Show" }).click();
        await button(page, /^Units? of 10, /).click();
        await page.locator(".sheet-place [data-drop=T1]").click();
        await finish(page);
    }
    await button(page, "I'm Ann").click();
    await status(page, "turn");
    return found;
}

async function stepT1(page: Page) {
    await page.keyboard.press("t");
    await page.waitForFunction(() => document.activeElement?.classList.contains("cell"));
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset.field === "b1");
    await page.keyboard.press("Enter");
}

describe("leaving a game", () => {
    test.each([phone, desk])("whoever gives up alone ends it, at $width px", async (viewport) => {
        const { context, page, heard } = await visit("#/play?now=1", { viewport });
        await finish(page);
        await status(page, "turn");
        const dialog = await menu(page);
        expect(await accessibility(page)).toEqual([]);
        expect(await cutOff(page)).toEqual([]);
        expect(await dialog.getByRole("button", { name: /draw/ }).count()).toBe(0); // computer players agree to none
        await dialog.getByRole("button", { name: "Abandon game" }).click();
        await page.getByRole("dialog", { name: "Abandon this game?" }).getByRole("button", { name: "Abandon game" }).click();
        await page.getByRole("heading", { name: "The game was abandoned." }).waitFor();
        await page.getByRole("heading", { name: "All sheets" }).waitFor();
        await button(page, "Rematch").click({ trial: true }); // nothing lies above it
        expect(await accessibility(page)).toEqual([]);
        await page.goto(`${site.url}#/play`);
        await button(page, "Play now").waitFor();
        expect(await page.getByRole("link", { name: /^Continue/ }).count()).toBe(0);
        expect(heard).toEqual([]);
        await context.close();
    });

    test("in the opening it can be given up as well", async () => {
        const { context, page, heard } = await visit("#/play?now=1");
        await status(page, "opening");
        await (await menu(page)).getByRole("button", { name: "Abandon game" }).click();
        await page.getByRole("dialog", { name: "Abandon this game?" }).getByRole("button", { name: "Abandon game" }).click();
        await page.getByRole("heading", { name: "All sheets" }).waitFor();
        expect(heard).toEqual([]);
        await context.close();
    });

    test("who shares the device hands the seat to a computer player, and is not asked again", async () => {
        const { context, page, heard } = await twoPeople();
        await (await menu(page)).getByRole("button", { name: "Resign" }).click();
        await page.getByRole("dialog", { name: "Resign?" }).getByRole("button", { name: "Resign" }).click();
        await page.locator("#curtain").waitFor();
        expect(await page.locator(".sheet-place").count()).toBe(0);
        const ben = page.locator(".curtain .button").last();
        expect(await ben.textContent()).toContain("Ben");
        await ben.click();
        const told = story(page, "A computer is now playing for Ann.");
        const there = button(page, "I'm Ben"); // if the computer's turn asks him, he says first that he objects
        await told.or(there).first().waitFor();
        if (await there.count()) await there.click();
        await told.waitFor();
        expect(heard).toEqual([]);
        await context.close();
    });

    test.each([phone, desk])("a draw is agreed on by all at the device, at $width px", async (viewport) => {
        const { context, page, heard } = await twoPeople({ viewport });
        await (await menu(page)).getByRole("button", { name: "Offer a draw" }).click();
        await page.getByRole("heading", { name: "A draw?" }).waitFor();
        expect(await accessibility(page)).toEqual([]);
        expect(await cutOff(page)).toEqual([]);
        await button(page, "Ben plays on").click();
        await button(page, "I'm Ann").click(); // whoever has the device now does not see her sheet
        await (await menu(page)).getByRole("button", { name: "Offer a draw" }).click();
        await button(page, "Ben agrees").click();
        await page.getByRole("heading", { name: "The game is a draw." }).waitFor();
        expect(heard).toEqual([]);
        await context.close();
    });

    test("the record so far has nobody's sheet in it, and a game that was left goes on", async () => {
        const { context, page, heard } = await visit("#/play?now=1", { acceptDownloads: true });
        await status(page, "opening");
        await button(page, /^Units? of 10, /).click();
        await page.locator(".sheet-place [data-drop=T1]").click();
        await finish(page);
        await status(page, "turn");
        const download = page.waitForEvent("download");
        await (await menu(page)).getByRole("button", { name: /^Save the record so far/ }).click();
        const record = await readFile(await (await download).path(), "utf8");
        expect(record).toContain('View "public"');
        expect(record).toContain("1: done");
        expect(record).not.toContain("place ");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
        await (await menu(page)).getByRole("link", { name: /^Leave/ }).click();
        await page.getByRole("link", { name: /^Continue/ }).click();
        await status(page, "turn");
        expect(heard).toEqual([]);
        await context.close();
    });
});

describe("sounds", () => {
    /** What was played: the lowest partial of each tells the sounds apart. */
    const listening = async (context: BrowserContext) =>
        context.addInitScript(() => {
            const played: number[] = [];
            Object.assign(globalThis, { played });
            const suspend = AudioContext.prototype.suspend;
            AudioContext.prototype.suspend = function () {
                document.documentElement.dataset["rests"] = "yes";
                return suspend.call(this);
            };
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...given) {
                played.push(Math.round(this.frequency.value));
                start.apply(this, given);
            };
        });
    const played = (page: Page) => page.evaluate(() => (globalThis as unknown as { played: number[] }).played);
    const [turn, objection, end] = [659, 392, 262];

    test("tell of my turn, of an objection and of the end", async () => {
        const { context, page } = await twoPeople({ before: listening });
        expect(await played(page)).toContain(turn);
        await stepT1(page);
        await page.locator(".curtain").getByRole("button", { name: "Ben" }).click();
        await button(page, "I'm Ben").click();
        expect(await played(page)).not.toContain(objection);
        await button(page, /^Object with/).click();
        await expect.poll(() => played(page)).toContain(objection);
        expect(await played(page)).not.toContain(end);
        await button(page, "I'm Ann").click();
        await (await menu(page)).getByRole("button", { name: "Offer a draw" }).click();
        await button(page, "Ben agrees").click();
        await expect.poll(() => played(page)).toContain(end);
        await page.locator("html[data-rests]").waitFor(); // and then cost nothing
        await context.close();
    });

    test("are silent when they are switched off at the table", async () => {
        const { context, page } = await visit("#/play?now=1", { before: listening });
        await expect.poll(() => played(page)).toContain(turn);
        await (await menu(page)).getByLabel("Sounds").uncheck();
        await page.keyboard.press("Escape");
        const before = await played(page);
        await finish(page);
        await status(page, "turn");
        await (await menu(page)).getByRole("button", { name: "Abandon game" }).click();
        await page.getByRole("dialog", { name: "Abandon this game?" }).getByRole("button", { name: "Abandon game" }).click();
        await page.getByRole("heading", { name: "The game was abandoned." }).waitFor();
        expect(await played(page)).toEqual(before);
        await context.close();
    });
});

describe("storage that is not there", () => {
    const faults = {
        forbidden: 'Object.defineProperty(self, "indexedDB", { get() { throw new DOMException("no", "SecurityError"); } });',
        missing: 'Object.defineProperty(self, "indexedDB", { value: undefined });',
        full: 'IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };',
    };
    test.each(Object.keys(faults) as (keyof typeof faults)[])("%s: it is said once, and the game is played", async (fault) => {
        const { context, page, heard } = await visit("#/play?now=1", {
            before: (context) =>
                context.route(/engine\.worker/, async (route) => {
                    const answer = await route.fetch();
                    await route.fulfill({ response: answer, body: `${faults[fault]}\n${await answer.text()}` });
                }),
        });
        const notice = page.getByRole("region", { name: "Notifications" }).getByText("This browser can't save games right now");
        await notice.waitFor();
        await button(page, "Close").click();
        await finish(page);
        await status(page, "turn");
        await stepT1(page);
        await story(page, "T1 Alberto Castellano moves from Tomar a1 to Granada b1").waitFor();
        // It lasts as long as the page.
        await (await menu(page)).getByRole("link", { name: /^Leave/ }).click();
        await page.getByRole("link", { name: /^Continue/ }).click();
        await story(page, "T1 Alberto Castellano moves from Tomar a1 to Granada b1").waitFor();
        expect(await notice.count()).toBe(0);
        expect(heard).toEqual([]);
        await context.close();
    });
});

describe("a game to go on with", () => {
    test("asks no server for anything when it is left", async () => {
        const { context, page, heard } = await visit("#/play?now=1");
        const sockets: string[] = [];
        page.on("websocket", (socket) => sockets.push(socket.url()));
        await status(page, "opening");
        await page.evaluate(() => (location.hash = "#/rules"));
        await page.getByRole("heading", { name: "Rules", level: 1 }).waitFor();
        expect(sockets).toEqual([]);
        expect(heard).toEqual([]);
        await context.close();
    });

    test("is deleted when that is confirmed, and its notes with it", async () => {
        const { context, page, heard } = await visit("#/play?now=1");
        await status(page, "opening");
        await page.getByRole("tab", { name: /^Notepad/ }).click();
        await page.getByRole("textbox").fill("The fox bluffs.");
        await page.getByRole("textbox").blur();
        const notes = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("gral.notes.")).length);
        await expect.poll(notes).toBe(1);
        await (await menu(page)).getByRole("link", { name: /^Leave/ }).click();
        const goOn = page.getByRole("link", { name: /^Continue/ });
        const dialog = page.getByRole("dialog", { name: "Delete this game?" });
        await button(page, /^Delete this game: /).click();
        expect(await accessibility(page)).toEqual([]);
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await goOn.waitFor();
        expect(await notes()).toBe(1);
        await button(page, /^Delete this game: /).click();
        await dialog.getByRole("button", { name: "Delete permanently" }).click();
        await goOn.waitFor({ state: "detached" });
        expect(await notes()).toBe(0);
        expect(heard).toEqual([]);
        await context.close();
    });
});

test("a game that cannot begin says so, and does not begin again and again", async () => {
    let wanted = 0;
    const { context, page } = await visit("#/play?now=1", {
        before: (context) => context.route("**/*.wasm", (route) => (wanted++, route.fulfill({ status: 404 }))),
    });
    await page.locator(".toast.problem").waitFor();
    await page.getByRole("heading", { name: "New game" }).waitFor();
    await page.waitForTimeout(500);
    const first = wanted;
    await page.waitForTimeout(500);
    expect(wanted).toBe(first);
    await button(page, "Play now").click();
    await expect.poll(() => wanted).toBeGreaterThan(first);
    await context.close();
});

test.each(["en", "de", "fr", "it"])("who a computer player is and what it is like can be read whole, in %s", async (locale) => {
    for (const viewport of [desk, phone]) {
        const { context, page } = await visit("#/play", { locale, viewport });
        const choices = page.locator(".opponent select");
        await choices.first().waitFor();
        const missing = await choices.evaluateAll((selects) =>
            (selects as HTMLElement[]).map((select) => {
                const given = select.offsetWidth;
                select.style.cssText = "justify-self: start; inline-size: max-content";
                return Math.max(select.offsetWidth - given, 0);
            }),
        );
        expect(missing, `at ${viewport.width}`).toEqual([0, 0, 0, 0]);
        expect(await page.locator(".opponent span[id]").allTextContents()).not.toContain("");
        expect(await cutOff(page)).toEqual([]);
        await context.close();
    }
});

test("a slider keeps the keys that move it, and leaves the letters to the table", async () => {
    const { context, page, heard } = await twoPeople();
    await stepT1(page);
    await page.locator("#curtain").waitFor();
    await page.locator(".curtain").getByRole("button", { name: "Ben" }).click();
    expect(await page.locator(".dispute").count(), "what he holds is not shown before he is there").toBe(0);
    await button(page, "Back").click();
    await page.locator(".curtain").getByRole("button", { name: "Ben" }).click();
    await button(page, "I'm Ben").click();
    await status(page, "objection");
    await page.keyboard.press("r");
    const slider = page.getByRole("slider");
    await page.waitForSelector(".raise input:focus");
    await page.keyboard.press("End");
    expect(await slider.evaluate((input: HTMLInputElement) => [input.value, input.value === input.min])).toEqual([await slider.getAttribute("max"), false]);
    await page.keyboard.press("Home");
    expect(await slider.inputValue()).toBe(await slider.getAttribute("min"));
    expect(await page.locator(".pastline").count()).toBe(0);
    await slider.blur();
    await page.keyboard.press("Home");
    await page.locator(".pastline").waitFor();
    expect(heard).toEqual([]);
    await context.close();
});

test("a notice is seen, heard and closed over an open dialog", async () => {
    const { context, page } = await visit("#/play?now=1");
    const dialog = await menu(page);
    await page.evaluate(() => void Promise.reject(new Error("a mishap")));
    await dialog.getByRole("log").getByText("a mishap").waitFor({ state: "attached" });
    const notice = dialog.getByRole("region", { name: "Notifications" });
    await notice.getByText("a mishap").waitFor();
    expect(await accessibility(page)).toEqual([]);
    await notice.getByRole("button", { name: "Close" }).click(); // fails if something lies above it
    await notice.getByText("a mishap").waitFor({ state: "detached" });
    await page.evaluate(() => void Promise.reject(new Error("another")));
    await notice.getByText("another").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("body > #app > section").getByText("another").waitFor(); // it stays when the dialog is gone
    await context.close();
});

test("the installed game is called in the language that is spoken", async () => {
    const { context, page, heard } = await visit("", { locale: "de" });
    const devtools = await context.newCDPSession(page);
    const manifest = async () => {
        const { data, errors } = await devtools.send("Page.getAppManifest");
        expect(errors).toEqual([]);
        const { name, lang, id } = JSON.parse(data ?? "{}") as Record<string, string>;
        return { name, lang, id };
    };
    await page.getByRole("link", { name: "Jetzt spielen" }).waitFor();
    expect(await manifest()).toEqual({ name: "Die Jagd nach dem Gral", lang: "de", id: "./" });
    await page.getByLabel("Sprache").selectOption("en");
    await page.getByRole("link", { name: "Play now" }).waitFor();
    expect(await manifest()).toEqual({ name: "The Hunt for the Grail", lang: "en", id: "./" });
    expect(heard).toEqual([]);
    await context.close();
});

describe("names", () => {
    const seats = (page: Page) => page.locator(".seats .name").allTextContents();

    test("are there without numbers, and mine is the one I chose", async () => {
        const { context, page } = await visit("#/play?now=1&seed=1");
        await status(page, "opening");
        expect(await seats(page)).toEqual(["Renard", "Odile", "Seeker(you)"]);
        await page.goto(`${site.url}#/settings`);
        await page.getByLabel("My name in games on this device").fill("Ann");
        await page.goto(`${site.url}#/play?seed=1`);
        expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ann");
        await button(page, "Play now").click();
        await status(page, "opening");
        expect(await seats(page)).toEqual(["Renard", "Odile", "Ann(you)"]);
        await context.close();
    });

    test("of two who are called the same one gets a number", async () => {
        const { context, page } = await visit("#/play?people=2");
        for (const index of [0, 1]) await page.getByLabel("Name", { exact: true }).nth(index).fill("Ann");
        await button(page, "Start").click();
        await button(page, /^I'm Ann$/).click();
        expect(await seats(page)).toEqual(["Ann 2", "Odile", "Ann(you)"]);
        await context.close();
    });
});

describe("settings", () => {
    const set = async (page: Page, change: (page: Page) => Promise<unknown>) => {
        await page.goto(`${site.url}#/settings`);
        await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
        await change(page);
    };
    const beginNow = async (page: Page) => {
        await page.goto(`${site.url}#/play?now=1`);
        await finish(page);
        await status(page, "turn");
    };

    test("theme: dark on a light system, and light on a dark one", async () => {
        for (const [colorScheme, theme] of [
            ["light", "dark"],
            ["dark", "light"],
        ] as const) {
            const { context, page } = await visit("#/settings", { colorScheme });
            const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
            const before = await ground();
            await page.getByRole("combobox", { name: "Theme" }).selectOption(theme);
            await expect.poll(ground).not.toBe(before);
            await context.close();
        }
    });

    test("animation: as slow as it is wanted, and none where the system wants none", async () => {
        const { context, page } = await visit("#/settings");
        const lasts = () => page.evaluate(() => parseFloat(getComputedStyle(document.querySelector(".button")!).transitionDuration));
        const durations: number[] = [];
        for (const speed of ["off", "fast", "normal", "slow"]) {
            await page.getByLabel("Animation").selectOption(speed);
            await page.waitForSelector(`:root[data-animation=${speed}]`);
            durations.push(await lasts());
        }
        expect(durations).toEqual([0, 0.1, 0.2, 0.4]);
        await page.emulateMedia({ reducedMotion: "reduce" });
        expect(await lasts()).toBe(0);
        await context.close();
    });

    test.each(["off", "slow"])("animation %s: so do the figures on the board go", async (animation) => {
        const { context, page } = await visit("#/play?now=1", { settings: { animation } });
        await finish(page);
        await status(page, "turn");
        const moves = await page
            .locator(".piece")
            .first()
            .evaluate((piece) => Math.max(...getComputedStyle(piece).transitionDuration.split(",").map(parseFloat)));
        expect(moves > 0).toBe(animation === "slow");
        await context.close();
    });

    test("notepad: off leaves only my own notes", async () => {
        const { context, page } = await visit("#/play?now=1");
        await page.getByRole("tab", { name: "Notepad" }).click();
        await page.getByRole("grid", { name: "What is known and possible" }).waitFor();
        await (await menu(page)).getByLabel("Notepad").uncheck();
        await page.keyboard.press("Escape");
        await page.getByText("The notepad is turned off in Settings").waitFor();
        expect(await page.getByRole("grid", { name: "What is known and possible" }).count()).toBe(0);
        await context.close();
    });

    test("hints: off offers none", async () => {
        const { context, page } = await visit("#/play?now=1");
        await button(page, "Hint").waitFor();
        await set(page, (settings) => settings.getByLabel("Hints in games on this device").uncheck());
        await beginNow(page);
        expect(await button(page, "Hint").count()).toBe(0);
        await context.close();
    });

    test("confirmation: a proposal is made when it was confirmed", async () => {
        const { context, page } = await visit("#/settings");
        await page.getByLabel("Confirm before making a proposal").check();
        await beginNow(page);
        await stepT1(page);
        const question = page.getByRole("group", { name: /\?$/ });
        await question.waitFor();
        expect(await page.locator(".status").getAttribute("data-phase")).toBe("turn");
        await question.getByRole("button").first().click();
        await story(page, "T1 Alberto Castellano moves from Tomar a1 to Granada b1").waitFor();
        await context.close();
    });

    test.each([true, false])("automatic passes: %s", async (automaticPasses) => {
        const { context, page } = await visit("#/play", { settings: { automaticPasses } });
        await page.getByLabel(/^Players/).selectOption("2");
        await page.getByLabel("Who starts").selectOption("2");
        await page.getByLabel("Level").selectOption("1");
        await button(page, "Start").click();
        await finish(page); // without influence nobody can object
        const passed = story(page, "Nobody objects.");
        const stop = automaticPasses ? passed : page.locator(".status[data-phase=objection][data-asked=true]");
        const turn = page.locator(".status[data-phase=turn][data-asked=true]");
        while ((await stop.or(turn).first().waitFor(), (await stop.count()) === 0)) {
            const version = await turn.getAttribute("data-version");
            await page.getByRole("radio", { name: /^Bluff/ }).check();
            await button(page, "Announce and finish").click();
            await page.locator(`.status:not([data-version="${version}"])`).waitFor(); // what is seen is not the turn that is over
        }
        if (!automaticPasses) {
            await page.waitForTimeout(600); // four times as long as it would take by itself
            expect(await passed.count()).toBe(0);
            await button(page, /^Pass/).click();
            await passed.waitFor();
        }
        await context.close();
    });
});

test("a game is open in one window at a time", async () => {
    const { context, page, heard } = await visit("#/play?now=1");
    await status(page, "opening");
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByText("That didn't work: this game is open in another window.").waitFor();
    await page.reload();
    await status(page, "opening");
    await page.close();
    await other.reload();
    await status(other, "opening");
    expect(heard).toEqual([]);
    await context.close();
});

test("computer players play on where no worker can think for them", async () => {
    const { context, page } = await visit("#/play?now=1", {
        before: (context) =>
            context.route(/engine\.worker/, async (route) => {
                const answer = await route.fetch();
                const script = await answer.text();
                expect(script).toContain("think.worker");
                await route.fulfill({ response: answer, body: script.replaceAll("think.worker", "nowhere") });
            }),
    });
    await status(page, "opening");
    await button(page, /^Units? of 10, /).click();
    await page.locator(".sheet-place [data-drop=T1]").click();
    await finish(page);
    await status(page, "turn");
    await context.close();
});
