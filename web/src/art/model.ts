export type FigureState = "normal" | "selected" | "acting" | "threatened" | "uncovered";

/** What every picture takes. Without a title it is decoration and hidden from screen readers. */
export interface ArtProps {
    size?: number | string | undefined;
    class?: string | undefined;
    title?: string | undefined;
}

/** The attributes that make an <svg> a named picture, or none at all. */
export const named = (title?: string) => (title ? ({ role: "img", "aria-label": title } as const) : ({ "aria-hidden": "true" } as const));
