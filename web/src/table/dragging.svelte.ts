// A coin that is dragged over the sheet: from the tray onto a portrait, from there onto another, or back.
import { tick } from "svelte";
import { isPawn, type Pawn } from "../lib/initiates";

export interface Drag {
    readonly points: number;
    /** The placement that is being moved; undefined for a coin of the tray. */
    readonly key: number | undefined;
    readonly pointer: number;
    readonly x: number;
    readonly y: number;
    moved: boolean;
}

export class CoinDrag {
    drag: Drag | null = $state(null);
    /** What the coin is above: an element with data-drop. */
    over: Pawn | "tray" | null = $state(null);
    /** The coin under the pointer. */
    ghost: HTMLElement | undefined = $state();

    constructor(
        readonly begun: () => void,
        readonly dropped: (drag: Drag, on: Pawn | "tray" | null) => void,
    ) {}

    grab(event: PointerEvent, points: number, key?: number): void {
        if (event.button !== 0 || !event.isPrimary) return;
        this.drag = { points, key, pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    }

    pull = (event: PointerEvent): void => {
        const { drag } = this;
        if (!drag || event.pointerId !== drag.pointer) return;
        if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
        if (!drag.moved) {
            drag.moved = true;
            this.begun();
        }
        event.preventDefault();
        const below = document.elementFromPoint(event.clientX, event.clientY); // before the coin moves: else all is laid out for it
        const found = below?.closest<HTMLElement>("[data-drop]")?.dataset.drop;
        void this.#follow(event.clientX, event.clientY);
        this.over = found === "tray" ? "tray" : found !== undefined && isPawn(found) ? found : null;
    };

    async #follow(x: number, y: number): Promise<void> {
        if (!this.ghost) await tick();
        if (this.ghost) this.ghost.style.translate = `${x}px ${y}px`;
    }

    drop = (event: PointerEvent): void => {
        const { drag, over } = this;
        if (!drag || event.pointerId !== drag.pointer) return;
        this.drag = null;
        this.over = null;
        if (!drag.moved) return;
        // The click that follows a drag is not one.
        const swallow = (click: Event) => click.stopPropagation();
        addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => removeEventListener("click", swallow, true));
        if (event.type !== "pointercancel") this.dropped(drag, over);
    };
}
