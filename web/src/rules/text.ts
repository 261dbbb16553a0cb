// The rules in the reader's language; each is loaded when it is wanted first.
import { language } from "../lib/language.svelte";
import type { RulesText } from "./clauses";

const files: Record<string, () => Promise<{ default: RulesText }>> = {
    en: () => import("./en"),
    de: () => import("./de"),
    fr: () => import("./fr"),
    it: () => import("./it"),
};

let current: { code: string; text: RulesText } | undefined = $state.raw();

/** Nothing until they are loaded; the old language until the new one is here. */
export const rulesText = (): RulesText | undefined => current?.text;

/** To be called in an effect, so that it follows the language. */
export async function loadRules(): Promise<void> {
    const code = language.code;
    if (current?.code === code) return;
    const { default: text } = await (files[code] ?? files.en!)();
    if (language.code === code) current = { code, text };
}
