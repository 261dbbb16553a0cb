// Every text of the client goes through here: t("It is {player}'s turn", {player: "Ann"}).
//
// The English sentence is the key, as with gettext, and the catalogues are those of the terminal (po/). Reading a text
// in a component or an effect makes it follow the language; language.svelte.ts says which one it is.
// tools/texts.mjs finds the texts by the names t, tn and N_: give them the sentence itself, never one put together.
import { language } from "./language.svelte";
import { keyOf } from "./textkey";

export type Gaps = Readonly<Record<string, string | number>>;

/** How a word and the name after it merge: "de Anna" is "d'Anna", "a Il Cairo" is "al Cairo". */
const merging: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
    fr: [
        [/^(d|qu)e (?=[aeiouàâäéèêëîïôöùûüœæ])/i, "$1'"],
        [/^(d)e Le (?=Caire\b)/i, "$1u "],
        [/^à Le (?=Caire\b)/i, "au "],
    ],
    it: [
        [/^(a) (?=a)/i, "$1d "],
        [/^(d?a) Il (?=Cairo\b)/i, "$1l "],
    ],
};

/** Puts words into the gaps; one for which there is no word stays as it is, to be seen. */
export function fill(text: string, gaps: Gaps = {}): string {
    return text.replace(/(?:(\p{L}+) )?\{(\w+)\}/gu, (whole, before: string | undefined, name: string) => {
        if (!Object.hasOwn(gaps, name)) return whole;
        if (before === undefined) return String(gaps[name]);
        const joined = `${before} ${gaps[name]}`;
        const [pattern, merged] = merging[language.code]?.find(([pattern]) => pattern.test(joined)) ?? [];
        return pattern ? joined.replace(pattern, merged!) : joined;
    });
}

/** The text in the language of the reader. */
export function t(text: string, gaps?: Gaps): string {
    const found = language.texts[keyOf(text)];
    return fill(typeof found === "string" ? found : (found?.[0] ?? text), gaps);
}

/** The form for a number, which fills the gap {n}: tn("{n} game", "{n} games", 3). */
export function tn(one: string, many: string, n: number, gaps?: Gaps): string {
    const found = language.texts[keyOf(one)];
    const form = typeof found === "object" ? found[language.plural(n)] : found;
    return fill(form ?? (n === 1 ? one : many), { n, ...gaps });
}

/** Marks a text that t() is given later; for tables of texts. */
export const N_ = (text: string): string => text;
