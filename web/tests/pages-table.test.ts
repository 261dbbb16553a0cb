// Every phase of a game on this device.
import type { Page } from "playwright-core";
import { opening, turns } from "../src/learn/script.ts";
import type { NewGame } from "../src/lib/calls.ts";
import { termsOf, type StoredGame } from "../src/worker/room.ts";
import { gallery, type Open } from "./scenes.ts";

const { go, show } = gallery();

/** Keeps a game of which this much has been said, "2 pass"; Ann (and Ben) play with a computer player. */
async function keep(page: Page, persons: readonly string[], said: readonly string[]): Promise<string> {
    const seats: NewGame["seats"] = [
        ...persons.map((person) => ({ person })),
        ...Array.from({ length: 3 - persons.length }, () => ({ computer: "thinker:level=1,as=fox" })),
    ];
    const id = "here-00000000000000aa";
    const game: NewGame = { players: 3, first: 1, seats, pace: 0 };
    const salt = "ab".repeat(32);
    const inputs = [
        ...persons.map((_, index) => `sit ${index + 1} ${index + 1}`),
        ...said.map((words) => words.replace(/^(\d)/, (seat) => `do ${seat}${Number(seat) > persons.length ? " computer" : ""} salt=${salt}`)),
    ];
    const began = Date.now();
    const stored: StoredGame = {
        id,
        game,
        seats,
        players: 3,
        rules: "standard",
        terms: termsOf(game, id),
        inputs: inputs.map((input) => [input, began]),
        began,
        updated: began,
        turn: 0,
        over: false,
        result: null,
    };
    await go(page, "#/settings"); // where nothing plays yet
    await page.evaluate(async (kept) => {
        const asked = indexedDB.open("gral");
        asked.onupgradeneeded = () => asked.result.createObjectStore("games");
        await new Promise((done) => (asked.onsuccess = done));
        const put = asked.result.transaction("games", "readwrite").objectStore("games").put(kept, kept.id);
        await new Promise((done) => (put.onsuccess = done));
        asked.result.close();
    }, stored);
    return id;
}

const table =
    (said: readonly string[], phase: string, then: Open = async () => undefined): Open =>
    async (page) => {
        const id = await keep(page, ["Ann"], said);
        await go(page, `#/t/${id}`, `.status[data-phase=${phase}]`);
        await then(page);
    };

const ready = opening("10 T1, 5 T1, 2 A1", "10 T1, 1 A1", "");
const toTheGrail = ["step T1 b1", "step T1 c1", "step T1 c2"];
const home = [
    ["step T1 c2", "keep"],
    ["step T1 c1", "keep"],
    ["step T1 b1", "keep"],
    ["step T1 a1", "keep"],
] as const;
const homecoming = [...ready, ...turns(3, 1, ...toTheGrail, ["step T1 c3", "keep"], ...home)];
const chooseT1: Open = (page) => page.keyboard.press("t").then(() => page.waitForSelector(".chosen"));

show([
    ["the opening", table([], "opening")],
    [
        "the opening, with coins placed",
        table([], "opening", async (page) => {
            for (const pawn of ["T1", "R2"]) {
                await page.getByRole("button", { name: /^Units? of 10, / }).click();
                await page.locator(`.sheet-place [data-drop=${pawn}]`).click();
            }
        }),
    ],
    ["a turn", table(ready, "turn")],
    [
        "a turn with the notepad",
        table([...ready, "1 step T1 b1", "2 object 3", "3 pass", "1 claim 4", "2 pass", "3 pass", ...turns(3, 2, "step R1 b5", "step I1 e4")], "turn", (page) =>
            page.getByRole("tab", { name: /^Notepad/ }).click(),
        ),
    ],
    [
        "a turn with a hint",
        table(ready, "turn", async (page) => {
            await page.getByRole("button", { name: "Hint" }).click();
            await page.getByRole("button", { name: "Why?" }).click();
        }),
    ],
    ["a chosen figure", table(ready, "turn", chooseT1)],
    [
        "a chosen figure that can uncover",
        table([...ready, ...turns(3, 1, "step A1 d1", "step A1 c1", "step T1 b1")], "turn", async (page) => {
            await chooseT1(page);
            await page.locator("[data-field=c1]").click();
            await page.waitForSelector(".menu");
        }),
    ],
    [
        "a dispute, as objector",
        table([...ready, ...turns(3, 1, "step R1 b5"), "2 step T1 b1"], "objection", (page) =>
            page.keyboard.press("r").then(() => page.waitForSelector(".raise")),
        ),
    ],
    [
        "a dispute about an uncovering",
        table([...ready, ...turns(3, 1, "step A1 d1", "step A1 c1", "step T1 b1", "step R1 b5"), "2 step T1 c1 x A1"], "objection"),
    ],
    ["a dispute, as the active player", table([...ready, "1 step T1 b1", "2 object 3", "3 pass"], "answer")],
    [
        "a dispute, and more than needed",
        table([...ready, "1 step T1 b1", "2 object 3", "3 pass"], "answer", async (page) => {
            await page.keyboard.press("r");
            await page.waitForSelector(".raise input:focus");
            await page.keyboard.press("Enter");
            await page.waitForSelector("dialog[open]");
        }),
    ],
    ["what becomes of the grail", table([...ready, ...turns(3, 1, ...toTheGrail, "step T1 c3")], "grail")],
    [
        "the past",
        table([...ready, ...turns(3, 1, ...toTheGrail)], "turn", async (page) => {
            await page.waitForSelector(".line:enabled");
            await page.keyboard.press("Home");
            await page.waitForSelector(".pastline");
        }),
    ],
    ["the end", table(homecoming, "over", (page) => page.waitForSelector(".end .frame"))],
    [
        "a game to go on with",
        async (page) => {
            await keep(page, ["Ann"], ready);
            await go(page, "#/play", ".saved");
        },
    ],
    ["a curtain", async (page) => go(page, `#/t/${await keep(page, ["Ann", "Ben"], [])}`, "#curtain")],
    ["a curtain before an objection", async (page) => go(page, `#/t/${await keep(page, ["Ann", "Ben"], [...ready, "1 step T1 b1", "3 pass"])}`, ".proposal")],
    [
        "a covered sheet",
        async (page) => {
            await go(page, `#/t/${await keep(page, ["Ann", "Ben"], [])}`, "#curtain");
            await page.getByRole("button", { name: "I'm Ann" }).click();
            await page.waitForSelector(".sheet-place");
        },
    ],
]);
