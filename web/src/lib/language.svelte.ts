// The language in use. English needs no catalogue; the others are loaded when they are wanted first.
import { settings } from "./settings.svelte";

type Catalogue = typeof import("*.po");

const catalogues: Record<string, () => Promise<Catalogue>> = Object.fromEntries(
    Object.entries(import.meta.glob<Catalogue>("../../../po/*.po")).map(([path, load]) => [path.slice(-5, -3), load]),
);
const english = { code: "en", plural: (n: number) => Number(n !== 1), texts: {} };

/** Codes of the languages there are, and what each calls itself. */
export const languages: ReadonlyMap<string, string> = new Map(
    ["en", ...Object.keys(catalogues)].map((code) => {
        const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
        return [code, name.charAt(0).toLocaleUpperCase(code) + name.slice(1)];
    }),
);

let current: Pick<Catalogue, "plural" | "texts"> & { code: string } = $state.raw(english);

export const language = {
    get code() {
        return current.code;
    },
    get texts() {
        return current.texts;
    },
    /** How dates and times are written. */
    get locale() {
        return localeOf(current.code, navigator.languages);
    },
    get plural() {
        return current.plural;
    },
};

/** The first of the reader's languages that we speak. */
export function preferred(wanted: readonly string[]): string {
    return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((code) => languages.has(code)) ?? "en";
}

/** A language as it is written where the reader lives: "en" is "en-GB" for one, "en-DE" for another. */
export function localeOf(code: string, wanted: readonly string[]): string {
    const locales = wanted.map((tag) => new Intl.Locale(tag));
    const [own, region] = [locales.find(({ language }) => language === code), locales.find(({ region }) => region)?.region];
    if (own) return own.toString();
    return region === undefined ? code : `${code}-${region}`;
}

/** The language that was chosen, else the browser's. */
export const wantedLanguage = () => (languages.has(settings.language) ? settings.language : preferred(navigator.languages));

let latest = 0;

/** Changes the language; the old one stays until the new one is here. */
export async function speak(code: string): Promise<void> {
    const call = ++latest;
    const load = catalogues[code];
    const catalogue = load === undefined ? english : { code, ...(await load()) };
    if (call === latest) current = catalogue;
}
