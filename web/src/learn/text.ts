import { Texts } from "../lib/texts.svelte";
import type { CourseText } from "./course";

export const courseText = new Texts<CourseText>({
    en: () => import("./en"),
    de: () => import("./de"),
    fr: () => import("./fr"),
    it: () => import("./it"),
});
