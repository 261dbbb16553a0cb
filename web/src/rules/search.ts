// Finding words in texts, whatever their case and accents.

/** Letter by letter, so that places in the result are places in the text. */
const plain = (text: string): string =>
    Array.from(text, (letter) => {
        const bare = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
        return bare.length === letter.length ? bare : letter;
    }).join("");

export const wordsOf = (query: string): string[] => plain(query).split(/\s+/).filter((word) => word !== "");

export function hasAll(text: string, words: readonly string[]): boolean {
    const searched = plain(text);
    return words.every((word) => searched.includes(word));
}

/** The text cut where one of the words begins or ends. */
export function parts(text: string, words: readonly string[]): { text: string; found: boolean }[] {
    if (words.length === 0) return [{ text, found: false }];
    const searched = plain(text);
    const found: boolean[] = Array(text.length).fill(false);
    for (const word of words)
        for (let at = searched.indexOf(word); at >= 0; at = searched.indexOf(word, at + 1)) found.fill(true, at, at + word.length);
    const cut: { text: string; found: boolean }[] = [];
    for (let at = 0; at < text.length; at++) {
        const last = cut.at(-1);
        if (last?.found === found[at]) last!.text += text[at];
        else cut.push({ text: text[at]!, found: found[at]! });
    }
    return cut;
}
