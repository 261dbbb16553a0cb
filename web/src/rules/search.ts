// Finding words in texts, whatever their case and accents.
import { pawnNames } from "../lib/initiates";
import type { Clause, RulesText } from "./clauses";
import { withNames } from "./names";

/** Letter by letter, so that places in the result are places in the text. */
const plain = (text: string): string =>
    Array.from(text, (letter) => {
        const bare = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
        return bare.length === letter.length ? bare : letter;
    }).join("");

export const wordsOf = (query: string): string[] =>
    plain(query)
        .split(/\s+/)
        .filter((word) => word !== "");

/** Where the word begins from there on; -1: nowhere. Short ones must begin a word: "tie" is not in "societies". */
function placeOf(word: string, text: string, from = 0): number {
    let at = text.indexOf(word, from);
    if (/^\p{L}{1,3}$/u.test(word)) while (at > 0 && /\p{L}/u.test(text[at - 1]!)) at = text.indexOf(word, at + 1);
    return at;
}

export function hasAll(text: string, words: readonly string[]): boolean {
    const searched = plain(text);
    return words.every((word) => placeOf(word, searched) >= 0);
}

/** Is the clause about all these words? */
export const tellsOf = (rules: RulesText, clause: Clause, words: readonly string[]): boolean =>
    hasAll([clause, withNames(rules.clauses[clause].join(" ")), ...(clause === "R1.2" ? Object.values(pawnNames) : [])].join(" "), words);

/** The text cut where one of the words begins or ends. */
export function parts(text: string, words: readonly string[]): { text: string; found: boolean }[] {
    if (words.length === 0) return [{ text, found: false }];
    const searched = plain(text);
    const found = Array<boolean>(text.length).fill(false);
    for (const word of words) for (let at = placeOf(word, searched); at >= 0; at = placeOf(word, searched, at + 1)) found.fill(true, at, at + word.length);
    const cut: { text: string; found: boolean }[] = [];
    for (let at = 0; at < text.length; at++) {
        const last = cut.at(-1);
        if (last?.found === found[at]) last!.text += text[at];
        else cut.push({ text: text[at]!, found: found[at]! });
    }
    return cut;
}
