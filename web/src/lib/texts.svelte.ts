// Long texts in the reader's language (lessons, rules, pages to print), each loaded when it is wanted first.
import { language } from "./language.svelte";

export class Texts<Text> {
    readonly #files: Record<string, () => Promise<{ default: Text }>>;
    #current: { code: string; text: Text } | undefined = $state.raw();

    constructor(files: Record<string, () => Promise<{ default: Text }>>) {
        this.#files = files;
    }

    /** Nothing until it is loaded; the old language until the new one is here. */
    get text(): Text | undefined {
        return this.#current?.text;
    }

    /** To be called in an effect, so that it follows the language. */
    async load(): Promise<void> {
        const code = language.code;
        if (this.#current?.code === code) return;
        const { default: text } = await (this.#files[code] ?? this.#files.en!)();
        if (language.code === code) this.#current = { code, text };
    }
}
