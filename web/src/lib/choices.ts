// What both set-up pages offer (pages/Play, online/Create), in the same words.
import { N_ } from "./i18n";

export const levels = [1, 2, 3, 4, 5] as const;

/** How a computer plays; keys of translations. */
export const characters: Readonly<Record<string, string>> = {
    plain: N_("balanced"),
    fox: N_("fox: bluffs"),
    owl: N_("owl: secretive"),
    wolf: N_("wolf: attacks"),
    ox: N_("ox: never bluffs"),
};

/** Turns after which a game is a draw. */
export const turnLimits = [20, 50, 100, 150, 200, 300] as const;
