// Under which name a catalogue has a sentence: 32 bits of it (FNV-1a), for the English is in the program already and need not travel
// once more with every language. vite-po.ts sees to it that no two sentences have the same.

export function keyOf(text: string): string {
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return (hash >>> 0).toString(36);
}
