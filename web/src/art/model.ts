export type FigureState = "normal" | "selected" | "acting" | "threatened" | "uncovered";

/** What every picture takes. Without a title it is decoration and hidden from screen readers. */
export interface ArtProps {
    size?: number | string | undefined;
    class?: string | undefined;
    title?: string | undefined;
}
