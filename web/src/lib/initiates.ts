// The eight initiates and their four societies (R1.2, R1.3): who they are, in the order of the protocol. Initiates have the same
// names in every language; names.ts has what is translated.

export const societies = ["T", "A", "I", "R"] as const;
export type Society = (typeof societies)[number];

export const pawns = ["T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"] as const;
export type Pawn = (typeof pawns)[number];

export const pawnNames: Readonly<Record<Pawn, string>> = {
    T1: "Alberto Castellano",
    T2: "Jacques de Barruel",
    A1: "Hassan Al-Molk",
    A2: "Mansur Al-Jallah",
    I1: "Johann von Fiore",
    I2: "Adam zu Weisenheym",
    R1: "Frater Valentinus",
    R2: "Frater Maleficus",
};

export const headquarters: Readonly<Record<Society, string>> = { T: "a1", A: "e1", I: "e5", R: "a5" };
/** The Original: whose headquarters is each seat's, where nothing else was agreed. */
export const usualOwners = societies.join("");

export const isPawn = (words: string): words is Pawn => Object.hasOwn(pawnNames, words);
export const societyOf = (pawn: Pawn): Society => pawn[0] as Society;
export const isTall = (pawn: Pawn): boolean => pawn[1] === "1";
/** Whose headquarters a field is, if it is one. */
export const societyAt = (field: string): Society | undefined => societies.find((society) => headquarters[society] === field);
