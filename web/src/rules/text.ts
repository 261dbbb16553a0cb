import { Texts } from "../lib/texts.svelte";
import type { RulesText } from "./clauses";

export const rulesText = new Texts<RulesText>({
    en: () => import("./en"),
    de: () => import("./de"),
    fr: () => import("./fr"),
    it: () => import("./it"),
});
