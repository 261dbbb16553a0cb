// What is said to the person apart from the page: announce() to those who listen (ui/LiveRegion.svelte), toast() and
// complain() to everybody (ui/Toasts.svelte).

import { untrack } from "svelte";

export interface Toast {
    readonly key: number;
    readonly kind: "news" | "problem";
    readonly text: string;
    readonly action?: { readonly label: string; readonly run: () => void };
}

let key = 0;
let said: readonly { key: number; text: string }[] = $state.raw([]);
let toasts: readonly Toast[] = $state.raw([]);
let dialogs = $state(0);

export const notices = {
    get said() {
        return said;
    },
    get toasts() {
        return toasts;
    },
    /** A dialog is open: the page behind it is neither seen well nor heard, so the dialog says everything. */
    get covered() {
        return dialogs > 0;
    },
};

/** For an open dialog; returns how to end that. */
export function cover(): () => void {
    dialogs = untrack(() => dialogs) + 1;
    return () => void dialogs--;
}

/** Tells a screen reader; several in a row are all read. */
export function announce(text: string): void {
    // Whoever says something in an effect does not want to hear of it. What happens while one skips comes all at once, and none
    // of it may go before the page has said it.
    said = [...untrack(() => said).slice(-199), { key: ++key, text }];
}

/** Somebody else takes the device: what was told to the last one is not for him. */
export function forget(): void {
    said = [];
}

export function dismiss(gone: number): void {
    toasts = toasts.filter((toast) => toast.key !== gone);
}

function show(toast: Omit<Toast, "key">, seconds: number): () => void {
    const made = { ...toast, key: ++key };
    toasts = [
        ...untrack(() => toasts)
            .filter(({ text }) => text !== toast.text)
            .slice(-3),
        made,
    ];
    announce(toast.text);
    if (seconds > 0) setTimeout(() => dismiss(made.key), seconds * 1000);
    return () => dismiss(made.key);
}

/** Shows a short text for a while; with something to press it stays until it is pressed or closed. Returns how to take it
 *  away when it is no longer true. */
export function toast(text: string, action?: Toast["action"]): () => void {
    return show(action ? { kind: "news", text, action } : { kind: "news", text }, action ? 0 : 6);
}

/** Shows what is worth knowing until it is closed. */
export function notice(text: string): void {
    show({ kind: "news", text }, 0);
}

/** Shows what went wrong, long enough to be read twice. */
export function complain(text: string): void {
    show({ kind: "problem", text }, 6 + text.length / 10);
}
