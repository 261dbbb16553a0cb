// Every page and every phase of a game: in each language no text is missing, narrow or wide nothing is cut off, and in light
// and dark axe-core finds nothing wrong.
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { po } from "gettext-parser";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lessonIds } from "../src/learn/course.ts";
import { opening, turns } from "../src/learn/script.ts";
import type { NewGame } from "../src/lib/calls.ts";
import { characterName, characters } from "../src/lib/characters.ts";
import { pawnNames } from "../src/lib/initiates.ts";
import { termsOf, type StoredGame } from "../src/worker/room.ts";
import { accessibility, askedFor, cutOff, markTexts, unmarked } from "./browser.ts";
import { serve, type Served } from "./server.ts";
import { calm, desk, phone, website, type Visitor } from "./website.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const site = website();
let server: Served;
/** Files that bring texts of a language. */
let catalogues: string[];
/** English texts that the pages wanted in another language. */
const asked = new Set<string>();

const languages = ["en", "de", "fr", "it"];
const sizes = [desk, phone];
/** They are called the same in every language. */
const names = [
    ...characters.map(characterName),
    ...Object.values(pawnNames).flatMap((name) => [name, ...name.split(/ |(?<=-)/)]),
    ...["Ann", "Ben", "Vera", "Clara", "Leon", "Nora", "gral", "The example of the rulebook"],
];

beforeAll(async () => {
    server = await serve();
    catalogues = (await readdir(here("../../build/web/assets"))).filter((name) => /^(en|de|fr|it)-[\w-]+\.js$/.test(name));
});
afterAll(() => server?.close());

// --- scenes ---

type Open = (page: Page) => Promise<unknown>;
const scenes: [name: string, open: Open][] = [];

const go = async (page: Page, address: string, ready = "main :is(h1, #curtain)") => {
    await page.goto(server.url + address);
    await page.waitForSelector(ready, { state: "attached" });
};
const at =
    (address: string, ready?: string): Open =>
    (page) =>
        go(page, address, ready);

scenes.push(
    ["the start", at("")],
    ["the form of a new game", at("#/play")],
    [
        "the form of The Original, with four persons",
        async (page) => {
            await go(page, "#/play?people=4");
            await page.getByLabel(/The Original/).check();
        },
    ],
    ["the settings", at("#/settings")],
    ["the rules", at("#/rules", "main h2")],
    ["a clause of the rules", at("#/rules/R4.6", "main h2")],
    ["print", at("#/print")],
    ["no page", at("#/nowhere")],
    ["no table", at("#/t/here-0000000000000000", "main p")],
    ["the list of lessons", at("#/learn", "ol.grid")],
    ...lessonIds.map((id): [string, Open] => [`the lesson ${id}`, at(`#/learn/${id}`, ".stage")]),
);

// --- games on this device ---

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

scenes.push(
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
);

// --- records ---

const record = (name: string) => readFile(here(`../../tests/data/records/${name}.gral`), "utf8");
const replay =
    (lens: string): Open =>
    async (page) => {
        await page.route("**/r/one.gral", async (route) => route.fulfill({ body: await record("sealed"), contentType: "text/plain" }));
        await go(page, `#/r/one?move=36&lens=${lens}`, "[data-seal]");
    };

scenes.push(
    ["no record", at("#/replay")],
    ["a record, publicly", replay("0")],
    ["a record, as a seat knew it", replay("2")],
    ["a record, with everything", replay("all")],
    ["a record that cannot be read", at("#/r/nobody", "[role=alert]")],
);

// --- with others ---

let guests = 0;
const guest: Open = async (page) => {
    await go(page, "#/online");
    await page.getByLabel("Name", { exact: true }).fill(`Ann${++guests}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "New table" }).waitFor();
};
const newTable: Open = async (page) => {
    await guest(page);
    await page.getByRole("button", { name: "New table" }).click();
};
const gathering: Open = async (page) => {
    await newTable(page);
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.getByLabel("Link to this table").waitFor();
};

/** Gives orders to the server beside the page; resolves with the last answer. */
const order = (page: Page, ...orders: object[]) =>
    page.evaluate(
        (orders) =>
            new Promise<{ table: string }>((done, refused) => {
                const socket = new WebSocket(new URL("ws", document.baseURI.replace("http", "ws")));
                let at = 0;
                socket.onmessage = ({ data }) => {
                    const message = JSON.parse(String(data)) as { push?: string; re?: string; error?: string; table: string };
                    if (message.error) refused(new Error(String(data)));
                    if (message.push !== "hello" && message.re === undefined) return;
                    if (at < orders.length) return socket.send(JSON.stringify({ id: `by hand ${at}`.replaceAll(" ", "-"), ...orders[at++] }));
                    socket.close();
                    done(message);
                };
            }),
        orders,
    );
const account: Open = async (page) => {
    await go(page, "#/settings");
    const other = await (await site.browser.newContext({ locale: "en" })).newPage();
    await guest(other);
    await page.evaluate(
        (name) =>
            fetch("api/register", {
                method: "POST",
                body: JSON.stringify({ name, password: "behind the stairs" }),
                headers: { "Content-Type": "application/json" },
            }),
        `Vera${++guests}`,
    );
    const { table } = await order(page, { do: "create", players: 2, first: 1 });
    await order(other, { do: "sit", table }, { do: "draw", table });
    await order(page, { do: "draw", table });
    await go(page, "#/account", ".games li");
    await page.getByText("Your opponents").waitFor();
    await other.context().close();
};

scenes.push(
    ["an account with a finished game", account],
    [
        "playing online without a server",
        async (page) => {
            await page.goto(`${site.url}#/online`);
            await page.getByText("No game server here").waitFor();
        },
    ],
    [
        "playing online, before somebody has a name",
        async (page) => {
            await go(page, "#/online");
            await page.getByLabel("Name", { exact: true }).waitFor();
        },
    ],
    ["the lobby", guest],
    ["the form of a new table", newTable],
    ["a table that gathers", gathering],
    [
        "an online game",
        async (page) => {
            await gathering(page);
            const other = await site.browser.newContext({ locale: "en" });
            const second = await other.newPage();
            await guest(second);
            await second.goto(`${server.url}#/t/${/\/t\/([\w-]+)/.exec(await page.getByLabel("Link to this table").inputValue())![1]}`);
            await second
                .getByRole("button", { name: /Sit here/ })
                .first()
                .click();
            const third = await (await site.browser.newContext({ locale: "en" })).newPage();
            await guest(third);
            await third.goto(second.url());
            await third
                .getByRole("button", { name: /Sit here/ })
                .first()
                .click();
            await page.waitForSelector(".status[data-phase=opening]");
        },
    ],
);

// --- what is looked at ---

/** Changes settings as another window of the same person would. */
async function change(page: Page, settings: Record<string, string>): Promise<void> {
    await page.evaluate(
        async ([next, language]) => {
            const text = JSON.stringify({ ...(JSON.parse(localStorage.getItem("gral.settings") ?? "{}") as object), ...next });
            localStorage.setItem("gral.settings", text);
            dispatchEvent(new StorageEvent("storage", { key: "gral.settings", newValue: text }));
            const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            do await drawn();
            while (language && document.documentElement.lang !== language);
            await drawn(); // what a page loads for itself
        },
        [settings, settings["language"]] as const,
    );
}

/** In English and without animation; catalogues are here before they are wanted, so that a language changes at once. */
async function visit(open: Open, prepare?: (context: BrowserContext) => Promise<void>): Promise<Visitor> {
    const visitor = await site.enter({ locale: "en", colorScheme: "light", settings: calm, before: prepare });
    const { page } = visitor;
    page.setDefaultTimeout(10_000);
    await open(page);
    await page.evaluate(
        `Promise.all(${JSON.stringify(catalogues)}.map((name) => import(new URL("assets/" + name, location.href).href))).then(() => undefined)`,
    );
    return visitor;
}

describe.each(scenes)("%s", (_, open) => {
    test("is whole in every language, and easy to use in light and dark", async () => {
        const { context, page, heard } = await visit(open);
        const faults: string[] = [];
        for (const size of sizes) {
            await page.setViewportSize(size);
            for (const theme of ["light", "dark"]) {
                await change(page, { theme });
                faults.push(...(await accessibility(page)).map((fault) => `${size.width} ${theme}: ${fault}`));
            }
            for (const language of languages) {
                await change(page, { language });
                faults.push(...(await cutOff(page)).map((fault) => `${size.width} ${language}: ${fault}`));
            }
            await change(page, { language: "en" });
        }
        expect(faults).toEqual([]);
        expect(heard).toEqual([]);
        await context.close();
    });

    test("says nothing that is not translated", async () => {
        const { context, page } = await visit(open, markTexts);
        const faults: string[] = [];
        await change(page, { language: "de" });
        for (const size of sizes) {
            await page.setViewportSize(size);
            faults.push(...(await unmarked(page, names)).map((fault) => `${size.width}: ${fault}`));
        }
        for (const text of await askedFor(page)) asked.add(text);
        expect(faults).toEqual([]);
        await context.close();
    });
});

test("every text that was asked for there is translated", async () => {
    for (const code of languages.slice(1)) {
        const { translations } = po.parse(await readFile(here(`../../po/${code}.po`)));
        const there = (text: string) => translations[""]?.[text]?.msgstr[0] && !translations[""][text].comments?.flag?.includes("fuzzy");
        expect(
            [...asked].filter((text) => !there(text)),
            code,
        ).toEqual([]);
    }
});
