/* Names that art and pages share. Initiates are in the protocol's order. */
export type Society = "T" | "A" | "I" | "R";
export type Initiate = "T1" | "T2" | "A1" | "A2" | "I1" | "I2" | "R1" | "R2";
export type FigureState = "normal" | "selected" | "acting" | "threatened" | "uncovered";

export const SOCIETIES: readonly Society[] = ["T", "A", "I", "R"];
export const INITIATES: readonly Initiate[] = ["T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"];

export const societyOf = (who: Initiate): Society => who[0] as Society;
export const isTall = (who: Initiate): boolean => who[1] === "1";

/** What every picture takes. Without a title it is decoration and hidden from screen readers. */
export interface ArtProps {
    size?: number | string | undefined;
    class?: string | undefined;
    title?: string | undefined;
}

/** The attributes that make an <svg> a named picture, or none at all. */
export const named = (title?: string) => (title ? ({ role: "img", "aria-label": title } as const) : ({ "aria-hidden": "true" } as const));
