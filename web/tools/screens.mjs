// The pictures of docs/screens, taken in real games against `gral serve` (`make screens`).
//
// Which scenes come up is the computer players' choice, so games are played until every scene was there.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { serve } from "../bench/serve.mjs";

const from = async (/** @type {string} */ path) => (await runnerImport(fileURLToPath(new URL(path, import.meta.url)))).module;
const { openBrowser } = await from("../tests/browser.ts");
const { begin, byClicking, dice, playOn } = await from("../tests/player.ts");

const server = await serve();
const browser = await openBrowser();
const folder = fileURLToPath(new URL("../../docs/screens", import.meta.url));
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 800 };

/** @param {string} place @param {import("playwright-core").BrowserContextOptions} options */
async function open(place, options) {
    const context = await browser.newContext({ locale: "en-GB", viewport: desk, colorScheme: "light", ...options });
    await context.addInitScript(() => localStorage.setItem("gral.settings", JSON.stringify({ animation: "off", tempo: "instant" })));
    const page = await context.newPage();
    await page.goto(`${server.url}${place}`);
    return page;
}

const settled = 900; // what is loaded later is there
const taken = new Set();

async function take(page, name, language = "") {
    if (taken.has(name)) return;
    const speak = (/** @type {string} */ spoken) => page.locator("header select").selectOption(spoken);
    if (language) await speak(language);
    await page.waitForTimeout(settled);
    await page.screenshot({ path: `${folder}/${name}.png` });
    if (language) await speak("en");
    taken.add(name);
    console.log(name);
}

/** Plays a game to its end. What the player of the tests presses is English; the pictures need not be. */
async function play({ kind, language, options }, seed) {
    const page = await open(`#/play?seed=${seed}`, options);
    const picture = (scene) => take(page, `${kind}-${scene}`, language);
    const place = async (pawn, keys) => {
        await page.locator(`.sheet-place [data-drop=${pawn}] .portrait`).focus();
        for (const key of keys) await page.keyboard.press(key);
    };
    const hand = async (_, phase, roll) => {
        if (phase === "opening") {
            if (kind === "phone") await picture("opening");
            await place("T1", "005");
            await place("R2", "04");
            await place("A1", "53");
            if (kind === "desk") await picture("sheet");
            return page.locator(".sheet-place .done").click();
        }
        if (phase === "turn") {
            await page.keyboard.press("t");
            if ((await page.locator(".cell.target").count()) > 2) await picture("turn");
            await page.keyboard.press("Escape");
        } else if (phase !== "grail" && (await page.locator(".dispute [aria-keyshortcuts=M]").count())) await picture("dispute");
        return byClicking(page, phase, roll);
    };
    await begin(page, { players: 3, level: 3 });
    await playOn(page, hand, dice(seed), true);
    if (!(await page.locator(".status").innerText()).includes("draw")) {
        await page.waitForSelector(".end .card");
        // Below the panel that stays in sight on a phone.
        await page
            .locator(".end")
            .first()
            .evaluate((node, above) => scrollTo(0, node.getBoundingClientRect().top + scrollY - above), kind === "phone" ? 72 : 0);
        await picture("end");
    }
    await page.context().close();
}

await take(await open("", { colorScheme: "dark" }), "desk-start");
await take(await open("#/learn/objecting", { viewport: phone, locale: "it" }), "phone-learn");
for (const device of [
    { kind: "desk", language: "", options: { colorScheme: "dark" } },
    { kind: "phone", language: "de", options: { viewport: phone, hasTouch: true } },
])
    for (let seed = 1; !["turn", "dispute", "end"].every((scene) => taken.has(`${device.kind}-${scene}`)); seed++) await play(device, seed);

const replay = await open("#/replay", { colorScheme: "dark", locale: "fr" });
await replay.locator("button.card").last().click();
await replay.waitForSelector(".viewer");
for (let step = 0; step < 80; step++) await replay.keyboard.press("ArrowRight");
await replay.locator(".lens select").selectOption({ index: 2 });
await take(replay, "desk-replay");

const ann = await open("#/online");
await ann.getByLabel("Name", { exact: true }).fill("Ann");
await ann.getByRole("button", { name: "Continue" }).click();
await ann.getByRole("button", { name: "New table" }).click();
await ann.getByRole("button", { name: "Open the table" }).click();
await ann.getByRole("button", { name: "QR code" }).click();
await take(ann, "desk-online");
await browser.close();
await server.close();
