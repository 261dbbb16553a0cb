// The words on paper in the reader's language; each is loaded when it is wanted first.
import { language } from "../lib/language.svelte";
import type { PrintText } from "./shop";

const files: Record<string, () => Promise<{ default: PrintText }>> = {
    en: () => import("./en"),
    de: () => import("./de"),
    fr: () => import("./fr"),
    it: () => import("./it"),
};

let current: { code: string; text: PrintText } | undefined = $state.raw();

/** Nothing until they are loaded; the old language until the new one is here. */
export const printText = (): PrintText | undefined => current?.text;

/** To be called in an effect, so that it follows the language. */
export async function loadPrint(): Promise<void> {
    const code = language.code;
    if (current?.code === code) return;
    const { default: text } = await (files[code] ?? files.en!)();
    if (language.code === code) current = { code, text };
}
