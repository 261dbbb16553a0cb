import { Texts } from "../lib/texts.svelte";
import type { PrintText } from "./shop";

export const printText = new Texts<PrintText>({
    en: () => import("./en"),
    de: () => import("./de"),
    fr: () => import("./fr"),
    it: () => import("./it"),
});
