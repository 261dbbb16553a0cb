// The pictures of docs/screens, taken in real games against `gral serve` (`make screens`).
//
// Which scenes come up is the computer players' choice, so games are played until every scene was there.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../bench/serve.mjs";

const server = await serve();
const folder = fileURLToPath(new URL("../../docs/screens", import.meta.url));
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 800 };

const browser = await chromium.launch({
    executablePath: execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim(),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/** @param {string} place @param {import("playwright-core").BrowserContextOptions} options */
async function open(place, options) {
    const context = await browser.newContext({ locale: "en-GB", viewport: desk, colorScheme: "light", ...options });
    const page = await context.newPage();
    await page.goto(`${server.url}${place}`);
    return page;
}

const settled = 900; // what moves has come to rest
const taken = new Set();
const wanted = { desk: ["sheet", "turn", "dispute", "end"], phone: ["opening", "turn", "dispute", "end"] };
let playing = false;
async function take(page, name) {
    const [kind, scene] = name.split("-");
    if (taken.has(name) || (playing && !wanted[kind].includes(scene))) return;
    await page.waitForTimeout(settled);
    await page.screenshot({ path: `${folder}/${name}.png` });
    taken.add(name);
    console.log(name);
}

/** Plays a game to its end; `kind` begins the pictures' names. */
async function play(kind, options) {
    const page = await open("#/play?now=1", options);
    page.setDefaultTimeout(4000);
    await page.waitForSelector(".status[data-phase=opening][data-asked=true]", { timeout: 30_000 });
    await take(page, `${kind}-opening`);
    const place = async (pawn, keys) => {
        await page.locator(`.sheet-place [data-drop=${pawn}] .portrait`).focus();
        for (const key of keys) await page.keyboard.press(key);
    };
    await place("T1", "005");
    await place("R2", "04");
    await place("A1", "53");
    await take(page, `${kind}-sheet`);
    await page.locator(".sheet-place .done").click();
    for (let step = 0; step < 600; step++) {
        const status = await page.waitForSelector(".status[data-asked=true], .status[data-phase=over]", { timeout: 60_000 });
        const phase = await status.evaluate((node) => node.dataset.phase);
        try {
            if (phase === "over") {
                await page.waitForSelector(".end .card");
                await page.locator(".end").first().evaluate((node) => scrollTo(0, node.getBoundingClientRect().top + scrollY));
                await take(page, `${kind}-end`);
                break;
            } else if (phase === "turn") {
                const cells = await page.locator(".cell.grab").evaluateAll((nodes) => nodes.map((node) => node.dataset.field));
                const hero = page.locator(".cell.grab[aria-label*=Castellano]");
                await (step % 3 && (await hero.count()) ? hero : page.locator(`[data-field=${cells[step % cells.length]}]`)).click();
                const menu = page.locator(".menu button").first();
                if (await menu.count()) await menu.click();
                await page.waitForSelector(".cell.target");
                await take(page, `${kind}-turn`);
                await page.locator(".cell.target:not([aria-selected=true])").nth(step % 2).click();
                if (await menu.count()) await menu.click();
            } else if (phase === "objection" || phase === "answer") {
                const reveal = page.locator("button[aria-keyshortcuts=M]");
                if (await reveal.count()) await take(page, `${kind}-dispute`);
                if ((await reveal.count()) && step % 2) await reveal.click();
                else await page.keyboard.press(phase === "answer" ? "y" : "p");
            } else if (phase === "grail") await page.locator(".menu button").first().click();
            else await page.locator(".sheet-place .done").click();
        } catch {
            await page.keyboard.press("Escape"); // the table was quicker
        }
        await page.waitForTimeout(50);
    }
    await page.context().close();
}

await take(await open("", { colorScheme: "dark" }), "desk-start");
await take(await open("#/learn/objecting", { viewport: phone, locale: "it" }), "phone-learn");
playing = true;
for (const [kind, options] of [["desk", { colorScheme: "dark" }], ["phone", { viewport: phone, hasTouch: true, locale: "de" }]])
    while (!wanted[kind].every((scene) => taken.has(`${kind}-${scene}`))) await play(kind, options);
playing = false;

const replay = await open("#/replay", { colorScheme: "dark", locale: "fr" });
await replay.locator("button.card").last().click();
await replay.waitForSelector(".viewer");
for (let step = 0; step < 80; step++) await replay.keyboard.press("ArrowRight");
await replay.locator(".lens select").selectOption({ index: 2 });
await take(replay, "desk-replay");

const ann = await open("#/online");
await ann.getByLabel("Name").fill("Ann");
await ann.getByRole("button", { name: "That is me" }).click();
await ann.getByRole("button", { name: "New table" }).click();
await ann.getByRole("button", { name: "Open the table" }).click();
await ann.getByRole("button", { name: "QR code" }).click();
await take(ann, "desk-online");
await browser.close();
await server.close();
