import { afterEach, describe, expect, test } from "vitest";
import { fill, t, tn } from "./i18n";
import { language, languages, localeOf, preferred, speak } from "./language.svelte";

afterEach(() => speak("en"));

describe("gaps", () => {
    test("are filled by name, as often as they occur", () => {
        expect(fill("{a} and {b}, {a}", { a: "Ann", b: 2 })).toBe("Ann and 2, Ann");
    });
    test("without a word stay to be seen", () => {
        expect(fill("{who} waits for {toString}", {})).toBe("{who} waits for {toString}");
    });
    test("take words as they are", () => {
        expect(fill("{name} joins", { name: "$& {name}" })).toBe("$& {name} joins");
    });
    test("merge with the word before them where the language does so", async () => {
        const said = (text: string, ...names: string[]) => names.map((name) => fill(text, { name }));
        await speak("fr");
        expect(said("de {name}", "Anna", "Bob", "Le Caire d1")).toEqual(["d'Anna", "de Bob", "du Caire d1"]);
        expect(said("à {name}", "Anna", "Le Caire d1")).toEqual(["à Anna", "au Caire d1"]);
        await speak("it");
        expect(said("da {name}", "Akkon d3", "Il Cairo d1")).toEqual(["da Akkon d3", "dal Cairo d1"]);
        expect(said("a {name}", "Akkon d3", "Tomar a1", "Il Cairo d1")).toEqual(["ad Akkon d3", "a Tomar a1", "al Cairo d1"]);
        await speak("de");
        expect(said("de {name}", "Anna")).toEqual(["de Anna"]);
    });
});

describe("languages", () => {
    test("are those of po/, each under its own name", () => {
        expect([...languages]).toEqual([
            ["en", "English"],
            ["de", "Deutsch"],
            ["fr", "Français"],
            ["it", "Italiano"],
        ]);
    });
    test("the first one of the reader's that we speak is taken", () => {
        expect(preferred(["rm-CH", "fr-CH", "de"])).toBe("fr");
        expect(preferred(["ja"])).toBe("en");
    });
    test("dates and times are written as where the reader lives", () => {
        expect(localeOf("en", ["en-GB", "en"])).toBe("en-GB");
        expect(localeOf("en", ["de-CH", "de"])).toBe("en-CH");
        expect(localeOf("fr", ["ja"])).toBe("fr");
    });
    test("a text follows the language", async () => {
        expect(t("Play now")).toBe("Play now");
        await speak("de");
        expect(language.code).toBe("de");
        expect(t("Play now")).toBe("Jetzt spielen");
    });
    test("a text that nobody translated is English", async () => {
        await speak("it");
        expect(t("xyzzy {n}", { n: 3 })).toBe("xyzzy 3");
    });
    test("the last one asked for wins, in whatever order they arrive", async () => {
        await Promise.all([speak("fr"), speak("it"), speak("en")]);
        expect(language.code).toBe("en");
    });
});

describe("plurals", () => {
    test("in English: one, or any other number", () => {
        expect([0, 1, 2].map((n) => tn("{n} game", "{n} games", n))).toEqual(["0 games", "1 game", "2 games"]);
    });
    test("the formula is the language's own: nothing is one in French, not in German", async () => {
        await speak("fr");
        expect([0, 1, 2].map((n) => language.plural(n))).toEqual([0, 0, 1]);
        await speak("de");
        expect([0, 1, 2].map((n) => language.plural(n))).toEqual([1, 0, 1]);
    });
});
