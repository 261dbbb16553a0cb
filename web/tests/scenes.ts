// Scenes to look at: pages and phases of a game. In each language no text is missing, narrow or wide nothing is cut off, and
// in light and dark axe-core finds nothing wrong.
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { po } from "gettext-parser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { characterName, characters } from "../src/lib/characters.ts";
import { pawnNames } from "../src/lib/initiates.ts";
import { keyOf } from "../src/lib/textkey.ts";
import { accessibility, askedFor, cutOff, mark, markTexts, unmarked } from "./browser.ts";
import { serve, type Served } from "./server.ts";
import { calm, desk, phone, website } from "./website.ts";

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const languages = ["en", "de", "fr", "it"];
const sizes = [desk, phone];
/** They are called the same in every language. */
const names = [
    ...characters.map(characterName),
    ...Object.values(pawnNames).flatMap((name) => [name, ...name.split(/ |(?<=-)/)]),
    ...["Ann", "Ben", "Vera", "Clara", "Leon", "Nora", "gral", "The example of the rulebook"],
];

/** How somebody comes to what is looked at. */
export type Open = (page: Page) => Promise<unknown>;

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

/** For the tests of a file: a server, a browser, and the ways to look at what they show. */
export function gallery() {
    const site = website();
    let server: Served;
    /** Files that bring texts of a language. */
    let catalogues: string[];
    /** Keys of the texts that the pages wanted in another language. */
    const asked = new Set<string>();

    beforeAll(async () => {
        server = await serve();
        catalogues = (await readdir(here("../../build/web/assets"))).filter((name) => /^(en|de|fr|it)-[\w-]+\.js$/.test(name));
    });
    afterAll(() => server?.close());

    const go = async (page: Page, address: string, ready = "main :is(h1, #curtain)") => {
        await page.goto(server.url + address);
        await page.waitForSelector(ready, { state: "attached" });
    };

    /** In English and without animation; catalogues are here before they are wanted, so that a language changes at once. */
    async function visit(open: Open) {
        const visitor = await site.enter({ locale: "en", colorScheme: "light", settings: calm, before: markTexts });
        const { page } = visitor;
        await open(page);
        await page.evaluate(
            `Promise.all(${JSON.stringify(catalogues)}.map((name) => import(new URL("assets/" + name, location.href).href))).then(() => undefined)`,
        );
        return visitor;
    }

    /** What is wrong with a page at any size, in any colours and language. */
    async function faultsOf(page: Page): Promise<string[]> {
        const faults: string[] = [];
        for (const size of sizes) {
            const note = (what: string, found: string[]) => faults.push(...found.map((fault) => `${size.width} ${what}: ${fault}`));
            await page.setViewportSize(size);
            await change(page, { theme: "light" });
            note("light", await accessibility(page));
            await change(page, { theme: "dark" });
            note("dark", await accessibility(page, { colours: true })); // theme.css: nothing else differs
            for (const language of languages) {
                await change(page, { language });
                note(language, await cutOff(page));
            }
            await change(page, { language: "en" });
        }
        return faults;
    }

    /** What a page says that is not translated. */
    async function untranslated(page: Page): Promise<string[]> {
        const faults: string[] = [];
        await mark(page);
        await change(page, { language: "de" });
        for (const size of sizes) {
            await page.setViewportSize(size);
            faults.push(...(await unmarked(page, names)).map((fault) => `${size.width}: ${fault}`));
        }
        for (const text of await askedFor(page)) asked.add(text);
        return faults;
    }

    return {
        site,
        get server() {
            return server;
        },
        go,
        at:
            (address: string, ready?: string): Open =>
            (page) =>
                go(page, address, ready),
        /** The tests: each scene, and in the end all texts that they wanted. */
        show(scenes: readonly (readonly [name: string, open: Open])[]) {
            test.each(scenes)("%s: whole in every language, easy to use in light and dark, and all of it is translated", async (_, open) => {
                const { context, page, heard } = await visit(open);
                expect(await faultsOf(page)).toEqual([]);
                expect(await untranslated(page)).toEqual([]);
                expect(heard).toEqual([]);
                await context.close();
            });

            test("every text that was asked for there is translated", async () => {
                for (const code of languages.slice(1)) {
                    const { translations } = po.parse(await readFile(here(`../../po/${code}.po`)));
                    const all = Object.values(translations[""] ?? {});
                    const there = new Set(
                        all.filter(({ msgstr, comments }) => msgstr[0] && !comments?.flag?.includes("fuzzy")).map(({ msgid }) => keyOf(msgid)),
                    );
                    const sentence = (key: string) => all.find(({ msgid }) => keyOf(msgid) === key)?.msgid ?? `a text that is not in po/${code}.po`;
                    expect([...asked].filter((key) => !there.has(key)).map(sentence), code).toEqual([]);
                }
            });
        },
    };
}
