// What both set-up pages offer (pages/Play, online/Create), in the same words.
import { N_, t } from "./i18n";

export const levels = [1, 2, 3, 4, 5] as const;
const levelNames = [N_("beginner"), N_("easy"), N_("medium"), N_("hard"), N_("master")];

/** "level 3: medium" */
export const sayLevel = (level: number): string => t("level {level}: {name}", { level, name: t(levelNames[level - 1] ?? "") });

/** Turns after which a game is a draw. */
export const turnLimits = [20, 50, 100, 150, 200, 300] as const;
