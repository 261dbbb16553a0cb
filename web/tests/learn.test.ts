// The whole course, from the first lesson to the last: by clicking on a phone and by keys alone at a desk. It does what each
// step asks for (`way` of src/learn/course.ts).
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { course, lessonIds, type Step } from "../src/learn/course.ts";
import { cutOff } from "./browser.ts";
import { website, type Entering, type Visitor } from "./website.ts";

const site = website();

const enter = (entering: Entering = {}): Promise<Visitor> => site.enter({ locale: "en", reducedMotion: "reduce", ...entering });

type Hand = (page: Page, actions: readonly string[]) => Promise<void>;

const placements = (actions: readonly string[]) =>
    actions.filter((action) => action.startsWith("place ")).map((action) => action.split(" ").slice(1) as [string, string]);
const isSheet = (actions: readonly string[]) => actions.at(-1) === "done";
const letter: Readonly<Record<string, string>> = { pass: "P", yield: "Y", object: "M", claim: "M", keep: "K", drop: "D", leave: "L" };

/** What is asked about a step; the grail comes later, and has letters. */
const question = ".menu .button:not([aria-keyshortcuts])";

const byClicking: Hand = async (page, actions) => {
    const stage = page.locator(".stage");
    if (isSheet(actions)) {
        if (actions.join() === "assign,done") await stage.locator(".sheet input[type=radio]").last().click();
        for (const [points, pawn] of placements(actions)) {
            await stage.getByRole("button", { name: new RegExp(`^Units? of ${points},`) }).click();
            await stage.locator(`[data-drop=${pawn}] .portrait`).click();
            await stage.locator(`[data-drop=${pawn}] .coin[data-points="${points}"]`).first().waitFor({ state: "attached" });
            const held = stage.locator(".tray .stack[aria-pressed=true]");
            if ((await held.count()) > 0) await held.click(); // lets it go
        }
        await stage.locator(".sheet .done").click();
        return;
    }
    const [verb = "", pawn = "", field = "", , target] = actions[0]!.split(" ");
    if (verb !== "step" && verb !== "uncover") return stage.locator(`[aria-keyshortcuts=${letter[verb]}]`).click();
    const choice = stage.locator(question);
    const figure = stage.locator(`.piece[data-pawn=${pawn}]`);
    await figure.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await figure.boundingBox())!;
    await page.mouse.click(x + width / 2, y + height * 0.6);
    if (verb === "uncover") {
        await page.mouse.click(x + width / 2, y + height * 0.6);
        return choice.first().click();
    }
    await stage.locator(`[data-field=${field}]`).click();
    if (target) await choice.last().click();
    else if ((await choice.count()) > 0) await choice.first().click(); // the step only
};

async function tabTo(page: Page, selector: string): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
        await page.keyboard.press("Tab");
    }
    throw new Error(`no way to ${selector} by keys`);
}

/** What a key has changed can be seen, as people wait for it. */
const drawn = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))));

const byKeys: Hand = async (page, actions) => {
    const press = (key: string) => page.keyboard.press(key);
    if (isSheet(actions)) {
        if (actions.join() === "assign,done") {
            await tabTo(page, ".sheet input[type=radio]");
            await press("ArrowDown");
        }
        for (const [points, pawn] of placements(actions)) {
            await tabTo(page, ".sheet .portrait");
            const at = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-drop]")?.dataset.drop ?? "");
            while ((await at()) !== pawn) await press("ArrowRight");
            await press(points.at(-1)!); // 0 for ten
        }
        await tabTo(page, ".sheet .done");
        return press("Enter");
    }
    const [verb = "", pawn = "", field = "", , target] = actions[0]!.split(" ");
    if (verb !== "step" && verb !== "uncover") return press(letter[verb]!.toLowerCase());
    const chosen = page.locator(`.cell[aria-selected=true][aria-label*="${pawn} "]`);
    do {
        await press(pawn[0]!.toLowerCase());
        await drawn(page);
    } while ((await chosen.count()) === 0);
    const from = (await chosen.getAttribute("data-field"))!;
    if (verb === "step") await press(field[0]! > from[0]! ? "ArrowRight" : field[0]! < from[0]! ? "ArrowLeft" : field[1]! > from[1]! ? "ArrowUp" : "ArrowDown");
    await drawn(page);
    await press("Enter");
    await drawn(page);
    if ((await page.locator(question).count()) === 0) return;
    if (target) await press("ArrowUp"); // the last one
    await press("Enter");
};

/** What leads on: at the beginning, from step to step, and to the next lesson. */
const onward = ":is(.panel, .lead + .row) .button.primary";
const goOn = {
    byClicking: (page: Page) => page.locator(onward).click(),
    byKeys: async (page: Page) => {
        await page.waitForSelector(onward);
        await tabTo(page, onward);
        await page.keyboard.press("Enter");
    },
};

test.each([
    ["by clicking, on a phone", "byClicking", { width: 360, height: 780 }],
    ["by keys alone, at a desk", "byKeys", { width: 1440, height: 900 }],
] as const)("the whole course %s", { timeout: 180_000 }, async (_, way, viewport) => {
    const { context, page, heard } = await enter({ viewport });
    const hand = { byClicking, byKeys }[way];
    await page.goto(`${site.url}#/learn`);
    await goOn[way](page);
    for (const lesson of lessonIds) {
        for (const [index, step] of (course[lesson].steps as readonly Step[]).entries()) {
            const asked = `${lesson}, step ${step.id}`;
            await page
                .waitForFunction(
                    ([id, at]) =>
                        location.hash === `#/learn/${id}` &&
                        document.querySelector("progress")?.value === at &&
                        document.querySelector(".panel .task, .panel .button.primary"),
                    [lesson, index] as const,
                )
                .catch(() => expect.fail(`${asked} is not reached`));
            expect(await cutOff(page), asked).toEqual([]);
            await (step.way ? hand(page, step.way) : goOn[way](page));
        }
        await page.locator(".panel .closing").waitFor();
        await goOn[way](page); // to the next lesson; from the last one to a game
    }
    await page.waitForFunction(() => location.hash.startsWith("#/play") || location.hash.startsWith("#/t/"));
    await page.goto(`${site.url}#/learn`);
    await page.locator("a.done").first().waitFor();
    expect(await page.locator("a.done").count()).toBe(lessonIds.length);
    expect(heard).toEqual([]);
    await context.close();
});

test("the first Play now is a prologue, which can be skipped with one click and does not come again", async () => {
    const { context, page } = await enter();
    await page.goto(site.url);
    const play = page.getByRole("link", { name: "Play now" });
    expect(await play.getAttribute("href")).toBe("#/learn/prologue?play=1");
    await play.click();
    await page.locator(".panel .task").waitFor();
    await page.getByRole("link", { name: "Skip and play" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#/t/"));
    await page.goto(site.url);
    expect(await play.getAttribute("href")).toBe("#/play?now=1");
    await context.close();
});

test("on a phone the prologue asks nothing that it has not explained, names no keys and shows the board", async () => {
    const { context, page } = await enter({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    await page.goto(`${site.url}#/learn/prologue`);
    const step = (pawn: string, field: string) => async () => {
        const { x, y, width, height } = (await page.locator(`.piece[data-pawn=${pawn}]`).boundingBox())!;
        await page.touchscreen.tap(x + width / 2, y + height * 0.6);
        await page.locator(`.cell.target[data-field=${field}]`).tap();
    };
    const say = (name: string) => async () => {
        await page.getByRole("button", { name, exact: false }).tap();
    };
    const answers = [step("T1", "a2"), step("A1", "d1"), say("Yield"), say("Object with 1"), say("Object with 6"), step("T1", "a1"), say("Insist with 10")];
    for (const [done, answer] of answers.entries()) {
        await page.getByText(`Step ${done + 1} of 8`).waitFor();
        await page.locator(".cell.grab, .dispute .acts button:enabled").first().waitFor();
        expect(await page.locator("kbd:visible").count()).toBe(0);
        expect((await page.locator(".board").first().boundingBox())!.y, `step ${done + 1}`).toBeLessThan(660);
        await answer();
    }
    await page.getByText("Step 8 of 8").waitFor();
    await context.close();
});

/** Where an arrow upon the board lies over the grail that somebody carries. */
const coveredGrails = (page: Page) =>
    page.evaluate(() => {
        const arrow = document.querySelector<SVGPathElement>(".proposal .arrow");
        return [...document.querySelectorAll(".pieces .badge .disc")].flatMap((disc) => {
            const { left, top, width, height } = disc.getBoundingClientRect();
            const points = [0.5, 0.25, 0.75].flatMap((x) => [0.5, 0.25, 0.75].map((y) => [left + x * width, top + y * height] as const));
            return points.filter(([x, y]) => arrow?.isPointInFill(new DOMPoint(x, y).matrixTransform(arrow.getScreenCTM()!.inverse())));
        });
    });

test("in the prologue every answer is on the screen, the grail in sight and the board where it was", async () => {
    const viewport = { width: 1366, height: 768 };
    const { context, page } = await enter({ viewport });
    await page.goto(`${site.url}#/learn/prologue?play=1`);
    const step = (pawn: string, field: string) => async () => {
        const { x, y, width, height } = (await page.locator(`.piece[data-pawn=${pawn}]`).boundingBox())!;
        await page.mouse.click(x + width / 2, y + height * 0.6);
        await page.locator(`.cell.target[data-field=${field}]`).click();
    };
    const say = (name: string) => () => page.getByRole("button", { name, exact: false }).click();
    const answers = [
        step("T1", "a2"),
        step("A1", "d1"),
        say("Yield"),
        say("Object with 1"),
        say("Object with 6"),
        step("T1", "a1"),
        say("Insist with 10"),
        say("Keep"),
    ];
    const board = page.locator(".cell").first();
    await board.waitFor();
    const { y } = (await board.boundingBox())!;
    for (const [done, answer] of answers.entries()) {
        await page.getByText(`Step ${done + 1} of 8`).waitFor();
        await page.locator(".cell.grab, .dispute .acts button:enabled, .menu button").first().waitFor();
        const below = page.locator(".now button").evaluateAll((all) => all.filter((button) => button.getBoundingClientRect().bottom > innerHeight).length);
        expect(await below, `step ${done + 1}`).toBe(0);
        expect(await coveredGrails(page), `step ${done + 1}`).toEqual([]);
        await answer();
    }
    await page.locator(".closing").waitFor();
    expect((await board.boundingBox())!.y).toBe(y);
    await context.close();
});

test("letters are no keys where they are switched off", async () => {
    const { context, page } = await enter();
    const chosen = page.locator(".cell[aria-selected=true]");
    const turnOn = (letterKeys: boolean) =>
        page.evaluate((text) => {
            localStorage.setItem("gral.settings", text);
            dispatchEvent(new StorageEvent("storage", { key: "gral.settings", newValue: text }));
        }, JSON.stringify({ letterKeys }));
    await page.goto(`${site.url}#/learn/moving`);
    await goOn.byClicking(page);
    await page.locator(".task").waitFor();
    await page.keyboard.press("t");
    await chosen.waitFor();
    await page.keyboard.press("Escape");
    await chosen.waitFor({ state: "detached" });
    await turnOn(false);
    await page.keyboard.press("t");
    expect(await chosen.count()).toBe(0);
    await turnOn(true);
    await page.keyboard.press("t");
    await chosen.waitFor();
    await context.close();
});

test("something forbidden is refused by its clause, something else met with a hint, and shown on demand", async () => {
    const { context, page } = await enter();
    const at = (step: number) => page.waitForFunction((value) => document.querySelector("progress")?.value === value, step);
    await page.goto(`${site.url}#/learn/moving`);
    await goOn.byClicking(page);
    await page.locator(".task").waitFor();
    await byClicking(page, ["step T1 c3"]);
    await page.locator(".feedback .refused a", { hasText: "R4.1" }).waitFor();
    await byClicking(page, ["step T1 a2"]);
    await page.waitForFunction(() => document.querySelector(".feedback p") && !document.querySelector(".feedback .refused"));
    await page.reload();
    await page.locator(".task").waitFor();
    await at(1); // it goes on where one was
    await byClicking(page, ["step T1 a2"]);
    await page.getByRole("button", { name: "Show me how" }).click();
    await at(2);
    await page.goto(`${site.url}#/learn/objecting`);
    await page.locator(".task").waitFor();
    await page.keyboard.press("p");
    await page.locator(".feedback", { hasText: "If you pass" }).waitFor();
    await page.keyboard.press("r");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button").last().click(); // yes, that much
    await page.locator(".feedback", { hasText: "no more than needed" }).waitFor();
    await context.close();
});
