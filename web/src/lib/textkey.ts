// Under which name a catalogue has a sentence: 24 bits of it (FNV-1a), for the English is in the program already and need not travel
// once more with every language. vite-po.ts sees to it that no two sentences have the same.

export const keyLength = 4;

export function keyOf(text: string): string {
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return btoa(String.fromCharCode((hash ^ (hash >>> 24)) & 255, (hash >>> 8) & 255, (hash >>> 16) & 255));
}

/** A catalogue by these names, of all names in a row and the sentences in the same order; one that nobody translated is empty. */
export function catalogue<Sentence extends string | readonly string[]>(names: string, sentences: readonly Sentence[]): Record<string, Sentence> {
    const named = sentences.map((sentence, at) => [names.slice(at * keyLength, (at + 1) * keyLength), sentence] as const);
    return Object.fromEntries(named.filter(([, sentence]) => sentence !== ""));
}
