// The figures of the browser client, each with its aim: `make bench-web`. It looks at what `gral serve` really sends, in
// Debian's Chromium with an empty cache, and plays with computer players of the highest level.
//
//   node web/bench/figures.mjs [SECONDS]     of play at each table; 60 by default
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { serve } from "./serve.mjs";

const from = async (/** @type {string} */ path) => (await runnerImport(fileURLToPath(new URL(path, import.meta.url)))).module;
const { openBrowser } = await from("../tests/browser.ts");
const { begin, byClicking, dice, finish, playOn } = await from("../tests/player.ts");

const seconds = Number(process.argv[2] ?? 60);
const server = await serve();
const browser = await openBrowser();

// --- telling ---

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
const ms = (time) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
const sorted = (numbers) => [...numbers].sort((one, other) => one - other);
const part = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))] ?? NaN;
const median = (numbers) => part(numbers, 0.5);
const spread = (times) => `${ms(median(times))}, 95 % ${ms(part(times, 0.95))}, most ${ms(Math.max(...times))}`;

function tell(what, figure, aim = "") {
    console.log(`${what.padEnd(44)}  ${figure}${aim && `   (aim: ${aim})`}`);
}

/** A page in a browser that has never been here. `globalThis.seen` in it has what the browser notices. */
async function open(place, options = {}) {
    const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 }, serviceWorkers: "block", ...options });
    const page = await context.newPage();
    // Nobody is here who would read.
    if (place) await page.addInitScript(() => localStorage.setItem("gral.settings", JSON.stringify({ tempo: "instant", automaticPasses: true })));
    await page.addInitScript(() => {
        const seen = (globalThis.seen = { longTasks: [], frames: [], play: NaN, asked: NaN });
        new PerformanceObserver((list) => {
            for (const { startTime, duration } of list.getEntries()) seen.longTasks.push({ startTime, duration });
        }).observe({ type: "longtask", buffered: true });
        const look = (now) => {
            seen.frames.push(now);
            if (!(seen.play > 0) && document.querySelector("a.play")) seen.play = performance.now();
            if (!(seen.asked > 0) && document.querySelector(".status[data-asked=true]")) seen.asked = performance.now();
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    });
    await page.goto(server.url + place);
    return page;
}

const seenBy = (page) => page.evaluate(() => globalThis.seen);

// --- how much is loaded ---

/** As many connections as a browser has. */
const agent = new Agent({ maxSockets: 6 });

/** Bytes on the wire, and how they were packed. */
function load(path) {
    return new Promise((resolve, reject) => {
        request(new URL(path, server.url), { agent, headers: { "accept-encoding": "gzip, br" } }, (answer) => {
            let length = 0;
            answer.on("data", (chunk) => (length += chunk.length));
            answer.on("end", () => resolve({ path, length, packed: answer.headers["content-encoding"] !== undefined }));
        })
            .on("error", reject)
            .end();
    });
}

async function sizes() {
    const worker = readFileSync(new URL("../../build/web/service-worker.js", import.meta.url), "utf8");
    const names = JSON.parse(/\["assets\/[^\]]*\]/.exec(worker)[0]).map((name) => (name === "index.html" ? "" : name));
    const files = await Promise.all(names.map(load));
    const sum = (list) => list.reduce((all, { length }) => all + length, 0);
    const engine = files.filter(({ path }) => /\.(wasm|net)$/.test(path));
    const type = files.filter(({ path }) => path.endsWith(".woff2"));
    const loose = files.filter(({ path, length, packed }) => !packed && length > 150 && !/\.(png|woff2)$/.test(path)); // below, packing makes them larger
    const first = await firstLoad();
    tell("start page, what the browser got", `${kib(first.bytes)} in ${first.count} files`, "100 KiB");
    tell("all pages and languages, without engine and type", kib(sum(files) - sum(engine) - sum(type)), "300 KiB");
    tell("the type", kib(sum(type)), "50 KiB");
    tell("the engine", kib(sum(engine)), "300 KiB");
    tell("files that could be packed and are not", loose.map(({ path }) => path).join(", ") || "none", "none");
}

async function firstLoad() {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    await wire.send("Network.enable");
    let [bytes, count] = [0, 0];
    wire.on("Network.loadingFinished", ({ encodedDataLength }) => ((bytes += encodedDataLength), count++));
    await page.goto(server.url, { waitUntil: "networkidle" });
    await context.close();
    return { bytes, count };
}

// --- how soon it can be used ---

async function starts() {
    const [painted, ready, asked] = [[], [], []];
    for (let run = 0; run < 7; run++) {
        const page = await open("");
        await page.locator("a.play").waitFor();
        const paint = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime).then((time) => time.jsonValue());
        const { play, longTasks } = await seenBy(page);
        painted.push(paint);
        ready.push(Math.max(paint, play, ...longTasks.map(({ startTime, duration }) => startTime + duration)));
        await page.evaluate(() => document.addEventListener("click", () => (globalThis.clicked = performance.now()), { capture: true }));
        await page.locator("a.play").click();
        await page.locator(".status[data-asked=true]").waitFor();
        await page.waitForFunction(() => globalThis.seen.asked > 0);
        asked.push(await page.evaluate(() => globalThis.seen.asked - globalThis.clicked));
        await page.context().close();
    }
    tell("first contentful paint, empty cache", ms(median(painted)));
    tell("“Play now” is there and the page is quiet", ms(median(ready)), "1 s");
    tell("from “Play now” to the first question", ms(median(asked)));
}

// --- dragging ---

/** Frames while something goes to and fro between two places, by whoever moves it. */
async function framesWhile(page, places, move) {
    await page.evaluate(() => void (globalThis.seen.frames.length = 0));
    for (let step = 0; step <= 240; step++) {
        const along = (1 - Math.cos((step / 240) * 6 * Math.PI)) / 2;
        await move(places[0][0] + along * (places[1][0] - places[0][0]), places[0][1] + along * (places[1][1] - places[0][1]));
    }
    const { frames } = await seenBy(page);
    return frames.slice(1).map((frame, index) => frame - frames[index]);
}

function tellFrames(what, times) {
    const late = times.filter((time) => time > 20).length;
    tell(what, `${Math.round(1000 / median(times))} fps, 95 % within ${ms(part(times, 0.95))}, ${late} of ${times.length} later than 20 ms`, "60 fps");
}

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
const boxOf = async (page, selector) => await page.locator(selector).first().boundingBox();

async function dragging(touch) {
    const page = await open("#/play?now=1", touch ? { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } } : {});
    const wire = await page.context().newCDPSession(page);
    const finger = (type, points) => wire.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    const hand = touch
        ? { down: (x, y) => finger("touchStart", [{ x, y }]), move: (x, y) => finger("touchMove", [{ x, y }]), up: () => finger("touchEnd", []) }
        : { down: async (x, y) => (await page.mouse.move(x, y), page.mouse.down()), move: (x, y) => page.mouse.move(x, y), up: () => page.mouse.up() };
    const by = touch ? "with a finger" : "with the mouse";

    await page.locator(".sheet-place .done").waitFor();
    await page.locator(".stack").first().scrollIntoViewIfNeeded();
    const coin = middle(await boxOf(page, ".stack"));
    const portrait = middle(await boxOf(page, "[data-drop=T1]"));
    await hand.down(...coin);
    const coins = await framesWhile(page, [coin, portrait], hand.move);
    if ((await page.locator(".ghost").count()) !== 1) throw new Error("no coin is being dragged");
    await hand.up();
    tellFrames(`a coin dragged ${by}`, coins);

    await finish(page);
    for (const asked = page.locator(".status[data-asked=true]"); (await asked.getAttribute("data-phase")) !== "turn"; await page.waitForTimeout(50))
        if (await page.locator("[aria-keyshortcuts=P]").count()) await page.keyboard.press("p");
    await page.locator(".piece[data-pawn=T1]").scrollIntoViewIfNeeded();
    const figure = await boxOf(page, ".piece[data-pawn=T1]");
    const start = [figure.x + figure.width / 2, figure.y + figure.height * 0.6];
    await hand.down(...start);
    const figures = await framesWhile(page, [start, middle(await boxOf(page, "[data-field=c3]"))], hand.move);
    if ((await page.locator(".piece.dragged").count()) !== 1) throw new Error("no figure is being dragged");
    await hand.up();
    tellFrames(`a figure dragged ${by}`, figures);
    await page.context().close();
}

// --- thinking ---

/** In the engine's worker: notes how long each thought takes, and how long until all who were asked together are ready. */
function noteThoughts() {
    const post = Worker.prototype.postMessage;
    const thoughts = (globalThis.thoughts = { each: [], together: [] });
    let [thinking, began] = [0, 0];
    Worker.prototype.postMessage = function (message, ...more) {
        if (message.kind === "think") {
            const start = performance.now();
            if (thinking++ === 0) began = start;
            this.addEventListener(
                "message",
                () => {
                    thoughts.each.push(performance.now() - start);
                    // Whoever waits for this thinker is asked in this very moment.
                    setTimeout(() => --thinking === 0 && thoughts.together.push(performance.now() - began));
                },
                { once: true },
            );
        }
        return post.call(this, message, ...more);
    };
}

async function thinking(players) {
    const page = await open("#/play");
    const keeper = page.workers().find((worker) => worker.url().includes("engine.worker")) ?? (await page.waitForEvent("worker"));
    await keeper.evaluate(noteThoughts);
    await begin(page, { players, level: 5 });
    await page.locator(".status[data-asked=true]").waitFor();
    await browser.startTracing(page, { categories: ["-*", "disabled-by-default-devtools.timeline"] });
    const before = await page.evaluate(() => performance.now());
    const game = playOn(page, byClicking, dice(players), true).catch(() => {});
    await Promise.race([game, new Promise((resolve) => setTimeout(resolve, 1000 * seconds))]);
    const { each, together } = await keeper.evaluate(() => globalThis.thoughts);
    const { longTasks } = await seenBy(page);
    const worked = mainThreadTasks(JSON.parse((await browser.stopTracing()).toString()));
    await page.context().close();
    await game;
    const table = `level 5, table for ${players}`;
    tell(`${table}: a decision (${each.length})`, spread(each), "1 s");
    tell(`${table}: all who are asked`, spread(together), "1 s");
    const long = longTasks.filter(({ startTime }) => startTime > before).map(({ duration }) => duration);
    tell(`${table}: long tasks of the page`, long.length === 0 ? "none" : `${long.length}, ${spread(long)}`, "none over 50 ms");
    tell(`${table}: its longest work`, `${ms(Math.max(...worked))} of processor time`, "50 ms");
}

/** How long the page's own thread worked on each task. On a busy machine a task is long because others work. */
function mainThreadTasks({ traceEvents }) {
    const mains = new Set();
    for (const { name, args, pid, tid } of traceEvents) if (name === "thread_name" && args.name === "CrRendererMain") mains.add(`${pid} ${tid}`);
    return traceEvents.filter(({ name, pid, tid }) => name === "RunTask" && mains.has(`${pid} ${tid}`)).map(({ tdur = 0 }) => tdur / 1000);
}

try {
    await sizes();
    await starts();
    await dragging(false);
    await dragging(true);
    for (const players of [2, 4, 8]) await thinking(players);
} finally {
    await browser.close();
    await server.close();
}
