// What both set-up pages offer (pages/Play, online/Create), in the same words.
export const levels = [1, 2, 3, 4, 5] as const;

/** Turns after which a game is a draw. */
export const turnLimits = [20, 50, 100, 150, 200, 300] as const;
