// Walks through the whole course by clicking, in Debian's Chromium: node tests/learn.mjs [--shots DIR] [LANGUAGE …]
// It does what each lesson's step asks for (`way` of src/learn/course.ts), once something else first.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "vite";

const given = process.argv.slice(2);
const shots = given[0] === "--shots" ? given.splice(0, 2)[1] : null;
const languages = given.length > 0 ? given : ["en"];
if (shots) mkdirSync(shots, { recursive: true });

// Vite reads the TypeScript of the tests' browser and of the course.
const vite = await createServer({ server: { middlewareMode: true }, appType: "custom", logLevel: "error" });
const { accessibility, cutOff, host, openBrowser } = await vite.ssrLoadModule("/tests/browser.ts");
const { course, lessonIds } = await vite.ssrLoadModule("/src/learn/course.ts");

const site = await host();
const browser = await openBrowser();
const problems = [];

/** A step's way, by clicking. */
async function click(page, actions) {
    const stage = page.locator(".stage");
    if (actions.some((action) => action.startsWith("place ") || action === "done")) {
        if (actions.length === 2 && actions[0] === "assign") await stage.locator(".sheet input[type=radio]").last().click();
        for (const action of actions) {
            const [verb, points, pawn] = action.split(" ");
            if (verb !== "place") continue;
            await stage.locator(".tray .stack").nth(["10", "5", "4", "3", "2", "1"].indexOf(points)).click();
            await stage.locator(`[data-drop="${pawn}"] .portrait`).click();
            await stage.locator(`[data-drop="${pawn}"] .pile .coin`).first().waitFor();
            const chosen = stage.locator(".tray .stack[aria-pressed=true]");
            if ((await chosen.count()) > 0) await chosen.click();
        }
        await stage.locator(".sheet .done").click();
        return;
    }
    const [verb, first, second, , target] = actions[0].split(" ");
    const cell = (field) => stage.locator(`[data-field="${field}"]`);
    const figure = stage.locator(`.piece[data-pawn="${first}"]`);
    const choice = stage.locator(".menu .button:not([aria-keyshortcuts])"); // not the grail's
    if (verb === "step" || verb === "uncover") {
        await figure.scrollIntoViewIfNeeded();
        const box = await figure.boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.6);
        if (verb === "uncover") {
            await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.6);
            await choice.first().click();
            return;
        }
        await cell(second).click();
        if (target) await choice.last().click();
        else if ((await choice.count()) > 0) await choice.first().click(); // the step only
    } else if (verb === "keep" || verb === "drop" || verb === "leave") {
        await stage.locator(`.menu [aria-keyshortcuts="${verb[0].toUpperCase()}"]`).click();
    } else {
        await stage.locator(`.dispute [aria-keyshortcuts="${{ pass: "P", yield: "Y", object: "M", claim: "M" }[verb]}"]`).click();
    }
}

async function walk(page, language, size) {
    for (const lesson of lessonIds) {
        await page.goto(`${site.url}#/learn/${lesson}`);
        for (const [index, step] of course[lesson].steps.entries()) {
            const name = `${language} ${size} ${lesson}.${step.id}`;
            try {
                await page.waitForFunction((at) => {
                    const bar = document.querySelector("progress");
                    return bar?.value === at && document.querySelector(".panel .task, .panel .button.primary");
                }, index, { timeout: 8000 });
                if (shots) await page.screenshot({ path: join(shots, `${language}-${size}-${lesson}-${String(index).padStart(2, "0")}-${step.id}.png`) });
                const cut = (await cutOff(page)).filter((what) => /sideways|panel|task|text|foot|now/.test(what));
                problems.push(...cut.map((what) => `${name}: cut off: ${what}`));
                // The sheet has a test of its own.
                if (index < 2 && language === languages[0] && step.way?.at(-1) !== "done") problems.push(...(await accessibility(page)).map((what) => `${name}: ${what}`));
                if (step.want) await click(page, step.way);
                else await page.locator(".panel .button.primary").click();
            } catch (error) {
                const told = await page.locator(".panel").innerText().catch(() => "");
                problems.push(`${name}: ${String(error).split("\n")[0]}\n    panel: ${told.replace(/\s+/g, " ").slice(0, 300)}`);
                if (shots) await page.screenshot({ path: join(shots, `failed-${language}-${size}-${lesson}-${step.id}.png`), fullPage: true });
                break;
            }
        }
        await page.locator(".panel .closing").waitFor({ timeout: 8000 }).catch(() => problems.push(`${language} ${size} ${lesson}: no end`));
        if (shots) await page.screenshot({ path: join(shots, `${language}-${size}-${lesson}-closing.png`), fullPage: true });
    }
    await page.goto(`${site.url}#/learn`);
    await page.locator("ol.grid").waitFor();
    const done = await page.locator("a.done").count();
    if (done !== lessonIds.length) problems.push(`${language} ${size}: ${done} lessons are marked as done`);
}

/** Something forbidden is refused by its clause, something else met with a hint, and "show me" shows it. */
async function stray(page) {
    await page.goto(`${site.url}#/learn/moving`);
    await page.locator(".panel .button.primary").click();
    await page.locator(".task").waitFor();
    await click(page, ["step T1 c3"]);
    await page.locator(".feedback .refused a", { hasText: "R4.1" }).waitFor();
    await click(page, ["step T1 a2"]);
    await page.waitForFunction(() => document.querySelector(".feedback p") && !document.querySelector(".feedback .refused"));
    await page.reload();
    await page.locator(".task").waitFor(); // it goes on where one was
    if (await page.locator("progress").evaluate((bar) => bar.value) !== 1) problems.push("the step is not remembered");
    await click(page, ["step T1 a2"]);
    await page.locator(".feedback p").waitFor();
    await page.locator(".panel .row .button").first().click();
    await page.waitForFunction(() => document.querySelector("progress")?.value === 2);
}

for (const language of languages) {
    for (const [size, viewport] of [["desktop", { width: 1440, height: 900 }], ["phone", { width: 360, height: 780 }]]) {
        const context = await browser.newContext({ viewport, locale: language, reducedMotion: "reduce", serviceWorkers: "block" });
        const page = await context.newPage();
        page.on("pageerror", (error) => problems.push(`${language} ${size}: ${error.message}`));
        page.on("console", (message) => message.type() === "error" && problems.push(`${language} ${size}: ${message.text()}`));
        await walk(page, language, size);
        await context.close();
    }
}
const context = await browser.newContext({ locale: "en", reducedMotion: "reduce", serviceWorkers: "block" });
await stray(await context.newPage()).catch((error) => problems.push(`a stray step: ${error}`));

await browser.close();
await site.close();
await vite.close();
console.log(problems.length === 0 ? "the whole course was done by clicking" : problems.join("\n"));
process.exit(problems.length === 0 ? 0 : 1);
