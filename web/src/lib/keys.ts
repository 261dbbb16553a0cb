// Whose a key is: the page's, or that of the field in which it was pressed.

/** One can write there. */
export const isTextField = (target: EventTarget | null): boolean =>
    target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea, input:not([type=range], [type=radio], [type=checkbox])"));

/** The field wants this key for itself. A slider takes what changes figures and leaves the letters to the page. */
export function types({ target, key }: KeyboardEvent): boolean {
    if (isTextField(target)) return true;
    if (!(target instanceof HTMLElement)) return false;
    if (target.matches("input[type=range]")) return /^(Home|End|Page|Arrow|[,.]$)/.test(key);
    return target.matches("select") || (target.matches("input") && /^( |Arrow)/.test(key));
}
