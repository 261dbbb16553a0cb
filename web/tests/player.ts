// A person at a table of this device, played by the tests with the mouse or with keys alone. He wants to bring Castellano
// home with the grail, insists whenever he can, objects now and then, and does something else when he is refused.
import type { Page } from "playwright-core";

export interface Game {
    players: number;
    /** Persons on this device; the others are computer players. */
    people?: number;
    original?: boolean;
    /** Of the computer players; left out: the weakest. */
    level?: number;
}

/** Fills in the form of `#/play` and begins; a draw after 50 turns, for games shall end. */
export async function begin(page: Page, { players, people = 1, original = false, level = 1 }: Game): Promise<void> {
    await page.getByLabel(/^Players/).selectOption(String(players));
    await page.getByLabel("Draw after").selectOption("50");
    if (original) await page.getByLabel(/The Original/).check();
    for (let seat = 1; seat <= players; seat++) {
        const row = page.getByRole("group", { name: `Seat ${seat}`, exact: false }).first();
        await row.getByLabel("Player in this seat").selectOption(seat <= people ? "person" : "computer");
        if (seat <= people) await row.getByLabel("Name", { exact: true }).fill(["Ann", "Ben", "Cleo", "Dan"][seat - 1]!);
        else await row.getByLabel("Level").selectOption(String(level));
    }
    await page.getByRole("button", { name: "Start" }).click();
}

/** Ends an opening or an assignment; if nothing is placed, that is asked. */
export async function finish(page: Page): Promise<void> {
    await page.getByRole("button", { name: /^Done/ }).click();
    // Its answer comes, or what comes next: that can be one's own turn, with a sheet to announce something on.
    await page.waitForFunction(() => {
        const done = document.querySelector(".sheet-place .done")?.textContent.trim().startsWith("Done");
        return document.querySelector("dialog[open]") || !done;
    });
    const asked = page.getByRole("button", { name: "Place nothing", exact: true });
    if (await asked.count()) await asked.click();
}

/** Dice that fall the same every time. */
export type Dice = (sides: number) => number;

export function dice(seed: number): Dice {
    let state = seed;
    return (sides) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * sides);
    };
}

interface Question {
    phase: string;
    version: string;
}

/** Where each phase takes an answer. */
const answers: Readonly<Record<string, string>> = {
    opening: ".sheet-place .done:enabled",
    turn: ".cell.grab, .now [aria-keyshortcuts=S]",
    objection: ".dispute .acts button:enabled",
    answer: ".dispute .acts button:enabled",
    grail: ".menu button",
};

/** Waits for the next question that somebody at this device can answer: a phase of the game, "curtain" or "over". */
async function question(page: Page, { version }: Question, places: typeof answers): Promise<Question> {
    const found = await page.waitForFunction(
        ([before, wanted]) => {
            if (document.getElementById("curtain")?.parentElement!.querySelector(":enabled")) return { phase: "curtain", version: "" };
            document.querySelector<HTMLElement>(".status .ways .primary")?.click(); // a newcomer is told something, and goes on
            const { phase = "", asked, version: now = "" } = document.querySelector<HTMLElement>(".status")?.dataset ?? {};
            if (phase === "over") return { phase, version: now };
            return asked === "true" && now !== before && document.querySelector(wanted[phase] ?? "none") ? { phase, version: now } : null;
        },
        [version, places] as const,
        { timeout: 120_000 }, // others are shown first
    );
    return (await found.jsonValue())!;
}

/** What is asked about a step; the grail comes later, and has letters. */
const choices = ".menu button:not([aria-keyshortcuts])";

export type Hand = (page: Page, phase: string, roll: Dice) => Promise<void>;

interface Board {
    /** Where those stand whom he has influence on. */
    heroes: Record<string, string>;
    grail: string;
    carried: boolean;
    rejected: boolean;
}

const readBoard = (page: Page): Promise<Board> =>
    page.evaluate(() => {
        const board: Board = { heroes: {}, grail: "", carried: false, rejected: document.querySelector(".status")!.textContent.includes("rejected") };
        const names = { "Alberto Castellano": "T1", "Adam zu Weisenheym": "I2" };
        for (const cell of document.querySelectorAll<HTMLElement>(".cell")) {
            const said = cell.ariaLabel ?? "";
            for (const [name, pawn] of Object.entries(names)) if (said.includes(name)) board.heroes[pawn] = cell.dataset.field!;
            if (said.includes("grail")) board.grail = cell.dataset.field!;
            if (said.includes("carrying the grail")) board.carried = true;
        }
        return board;
    });

/** The field to go to next, of those that are lit. */
function nearest(targets: readonly string[], goal: string): string {
    const far = (field: string) => Math.abs(field.charCodeAt(0) - goal.charCodeAt(0)) + Math.abs(Number(field[1]) - Number(goal[1]));
    return [...targets].sort((one, other) => far(one) - far(other))[0]!;
}

/** Fields that are lit; where the figure stands only if all steps were rejected and it must uncover somebody there. */
const targets = (page: Page) =>
    page.locator(".cell.target").evaluateAll((cells) => {
        const steps = cells.filter((cell) => cell.ariaSelected !== "true");
        return (steps.length > 0 ? steps : cells).map((cell) => (cell as HTMLElement).dataset.field!);
    });

/** The figure and where it shall go; after a refusal somebody goes anywhere. */
async function plan(page: Page, roll: Dice): Promise<{ pawn: string; to: (lit: readonly string[]) => string }> {
    const { heroes, grail, carried, rejected } = await readBoard(page);
    const hero = ["T1", "I2"].find((pawn) => heroes[pawn] !== undefined);
    if (hero && !rejected) {
        const goal = carried && heroes[hero] === grail ? { T1: "a1", I2: "e5" }[hero]! : grail;
        return { pawn: hero, to: (lit) => nearest(lit, goal) };
    }
    const free = await page.locator(".piece.movable").evaluateAll((pieces) => pieces.map((piece) => (piece as HTMLElement).dataset.pawn!));
    return { pawn: free[roll(free.length)]!, to: (lit) => lit[roll(lit.length)]! };
}

/** How many figures he may propose something for: none when all that could be proposed was rejected (R4.10). */
const movable = (page: Page) => page.locator(".cell.grab").count();

/** With the mouse, or a finger. */
export const byClicking: Hand = async (page, phase, roll) => {
    const choice = page.locator(choices).first();
    if (phase === "opening") {
        await page.getByRole("button", { name: /^Units? of 10, / }).click();
        for (const pawn of ["T1", "T1", "I2"]) await page.locator(`.sheet-place [data-drop=${pawn}]`).click();
        await finish(page);
    } else if (phase === "turn" && (await movable(page)) === 0) {
        await page.getByRole("button", { name: "Assign influence" }).click();
        await page.getByRole("radio", { name: /^Bluff/ }).check();
        await page.getByRole("button", { name: "Announce and finish" }).click();
    } else if (phase === "turn") {
        const { pawn, to } = await plan(page, roll);
        const piece = page.locator(`.piece[data-pawn=${pawn}]`);
        await piece.scrollIntoViewIfNeeded();
        const { x, y, width, height } = (await piece.boundingBox())!;
        await page.mouse.click(x + width / 2, y + height * 0.6);
        await page.waitForSelector(".cell.target");
        await page.locator(`.cell[data-field=${to(await targets(page))}]`).click();
        while ((await choice.count()) > 0) await choice.click(); // the step only, or whoever is uncovered, and whether that is meant
    } else if (phase === "grail") {
        await page.locator(answers["grail"]!).first().click();
    } else {
        const reveal = page.locator(".dispute [aria-keyshortcuts=M]");
        const fight = (await reveal.count()) > 0 && (phase === "answer" || roll(6) === 0);
        await (fight ? reveal : page.locator(".dispute").locator("[aria-keyshortcuts=P], [aria-keyshortcuts=Y]")).click();
    }
};

/** Presses the key until the focus is where it shall be. */
async function until(page: Page, place: string, key: string): Promise<void> {
    while (!(await page.evaluate((place) => document.activeElement?.matches(place), place))) await page.keyboard.press(key);
}

/** With keys and nothing else. */
export const byKeys: Hand = async (page, phase, roll) => {
    const press = (key: string) => page.keyboard.press(key);
    if (phase === "opening") {
        await press("s");
        await page.waitForFunction(() => document.activeElement?.closest(".sheet-place"));
        for (const key of ["0", "5", "ArrowRight", "0"]) await press(key);
        await until(page, ".done", "Tab");
        await press("Enter");
    } else if (phase === "turn" && (await movable(page)) === 0) {
        await press("s");
        await page.waitForFunction(() => document.activeElement?.closest(".sheet-place"));
        await until(page, "[type=radio]", "Shift+Tab");
        await press("ArrowRight"); // bluff
        await until(page, ".done", "Tab");
        await press("Enter");
    } else if (phase === "turn") {
        const { pawn, to } = await plan(page, roll);
        const chosen = page.locator(".chosen", { hasText: pawn });
        do await press(pawn[0]!.toLowerCase());
        while ((await chosen.count()) === 0);
        const [from, field] = [await page.evaluate(() => (document.activeElement as HTMLElement).dataset.field!), to(await targets(page))];
        if (field !== from)
            await press(field[0]! > from[0]! ? "ArrowRight" : field[0]! < from[0]! ? "ArrowLeft" : field[1]! > from[1]! ? "ArrowUp" : "ArrowDown");
        await press("Enter");
        while ((await page.locator(choices).count()) > 0) await press("Enter");
    } else if (phase === "grail") {
        await press("k");
    } else {
        const may = (key: string) => page.locator(`.dispute [aria-keyshortcuts=${key}]`).count();
        await press((await may("M")) && (phase === "answer" || roll(6) === 0) ? "m" : (await may("P")) ? "p" : "y");
    }
};

/** Plays to the end, or `most` decisions of a game that goes on and on; returns the phases in which he was asked. Passes may come by themselves where nothing else is allowed. */
export async function playOn(page: Page, hand: Hand, roll: Dice, automaticPasses = false, most = Infinity): Promise<Set<string>> {
    const phases = new Set<string>();
    const places = automaticPasses ? { ...answers, objection: ".dispute [aria-keyshortcuts=M]:enabled" } : answers;
    let made = 0;
    for (let asked: Question = { phase: "", version: "" }; ; phases.add(asked.phase)) {
        asked = await question(page, asked, places);
        if (asked.phase === "over" || made++ === most) return phases;
        if (asked.phase !== "curtain") await hand(page, asked.phase, roll);
        else {
            const nobody = page.getByRole("button", { name: "Nobody objects" });
            await ((await nobody.count()) > 0 && roll(3) > 0 ? nobody : page.locator(".curtain .button").last()).click();
        }
    }
}
