// The film of a dispute for the README, docs/screens/dispute.webp (`make film`): one of the recorded games, played back.
//
// The page's clock stands between two pictures, so it runs smoothly however slow the machine is. Chromium makes the pictures
// small; they are put together here, as https://developers.google.com/speed/webp/docs/riff_container says.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const from = async (/** @type {string} */ path) => (await runnerImport(fileURLToPath(new URL(path, import.meta.url)))).module;
const { host, openBrowser } = await from("../tests/browser.ts");

const step = 150; // milliseconds from picture to picture
const quality = 0.6;
const server = await host("/");
const browser = await openBrowser();

/** The dispute that goes highest: how many actions come before its proposal, and before what follows it. */
const record = await readFile(new URL("../src/games/three.gral", import.meta.url), "utf8");
const actions = record.split("\n").filter((line) => /^\d+: /.test(line));
const highest = actions.findIndex((action) => action.endsWith(" object 30"));
const first = actions.slice(0, highest).findLastIndex((action) => / (step|uncover) /.test(action));
const last = actions.findIndex((action, at) => at > highest && / (yield|pass)$/.test(action)) + 1;

/** Time passes on the page, for timers and for what moves. */
async function pass(page, milliseconds) {
    await page.clock.runFor(milliseconds);
    await page.evaluate((time) => {
        for (const animation of document.getAnimations()) {
            if (animation.playState === "finished") continue;
            animation.pause();
            const { endTime } = animation.effect.getComputedTiming();
            const next = (animation.currentTime ?? 0) + time;
            if (next >= endTime) animation.finish();
            else animation.currentTime = next;
        }
    }, milliseconds);
}

async function dispute() {
    const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 1120 }, colorScheme: "dark", serviceWorkers: "block" });
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${server.url}#/replay`);
    await page.locator("button.card").last().click();
    await page.waitForSelector(".viewer .board .piece");
    await page.evaluate((move) => (location.hash = location.hash.replace(/&move=\d+|$/, `&move=${move}`)), first);
    await page.waitForTimeout(2000);
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    const box = await page.locator(".viewer div.board").boundingBox();
    await page.keyboard.press(" ");
    const pictures = [];
    const at = () => page.evaluate(() => Number(/move=(\d+)/.exec(location.hash)?.[1] ?? 0));
    for (let more = 12; more > 0 && pictures.length < 220;) {
        await pass(page, step);
        if ((await at()) >= last) more--;
        if ((await at()) > first) pictures.push((await page.screenshot({ clip: box, animations: "allow" })).toString("base64"));
    }
    await context.close();
    return pictures;
}

/** One picture for each, as large as a README needs. */
async function small(pictures) {
    const page = await browser.newPage();
    const made = [];
    for (const picture of pictures)
        made.push(
            await page.evaluate(
                async ([data, quality]) => {
                    const image = new Image();
                    image.src = `data:image/png;base64,${data}`;
                    await image.decode();
                    const canvas = document.createElement("canvas");
                    canvas.width = 560;
                    canvas.height = Math.round((560 * image.height) / image.width) & ~1;
                    canvas.getContext("2d", { alpha: false }).drawImage(image, 0, 0, canvas.width, canvas.height);
                    const blob = await new Promise((take) => canvas.toBlob(take, "image/webp", quality));
                    const bytes = new Uint8Array(await blob.arrayBuffer());
                    return { width: canvas.width, height: canvas.height, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
                },
                [picture, quality],
            ),
        );
    return made;
}

function chunk(name, ...parts) {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.write(name, "latin1");
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

const numbers = (/** @type {[number, number][]} */ ...all) =>
    Buffer.concat(
        all.map(([value, bytes]) => {
            const made = Buffer.alloc(bytes);
            made.writeUIntLE(value, 0, bytes);
            return made;
        }),
    );

/** The picture itself, out of its file. */
function frameOf(file) {
    for (let at = 12; at < file.length;) {
        const length = file.readUInt32LE(at + 4);
        const end = at + 8 + length + (length % 2);
        if (file.toString("latin1", at, at + 4) === "VP8 ") return file.subarray(at, end);
        at = end;
    }
    throw new Error("no picture in it");
}

function film(pictures) {
    const { width, height } = pictures[0];
    const shown = [];
    for (const { data } of pictures) {
        if (shown.at(-1)?.data === data) shown.at(-1).time += step;
        else shown.push({ data, time: step });
    }
    shown.at(-1).time += 1500;
    const size = [
        [width - 1, 3],
        [height - 1, 3],
    ];
    const frames = shown.map(({ data, time }) => chunk("ANMF", numbers([0, 3], [0, 3], ...size, [time, 3], [2, 1]), frameOf(Buffer.from(data, "base64"))));
    const body = [Buffer.from("WEBP"), chunk("VP8X", numbers([2, 1], [0, 3], ...size)), chunk("ANIM", numbers([0xff10162e, 4], [0, 2])), ...frames];
    return chunk("RIFF", ...body);
}

const made = film(await small(await dispute()));
const path = fileURLToPath(new URL("../../docs/screens/dispute.webp", import.meta.url));
await writeFile(path, made);
console.log(path, made.length);
await browser.close();
await server.close();
