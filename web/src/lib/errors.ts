// What a table or a server refuses, in the reader's language. The sentence of a refusal is the key of its translation: those of
// the host and the server are marked where they stand (src/table, src/server; tools/texts.mjs finds them), those of the client
// with N_, but for the worker's: what it needs knows no languages.
import { N_, t } from "./i18n";
import { complain } from "./notices.svelte";
import { TableError } from "./protocol";

export const unreachable = N_("the server can't be reached");

/** Sentences of src/worker, which come as they are. */
export const workerTexts: readonly string[] = [
    N_("each player needs exactly one seat"),
    N_("the game engine couldn't be started"),
    N_("this game is open in another window"),
    N_("this game has continued in another window"),
    N_("this game was saved by another version and can't be continued"),
];

/** For a notice: "Not possible: you have answered already." */
export function sayError(error: unknown): string {
    if (!(error instanceof TableError)) return t("Something went wrong: {reason}", { reason: String(error) });
    return t("That didn't work: {reason}.", { reason: t(error.message) });
}

/** Does something that may be refused; what was refused is said. True if it was done. */
export async function attempt(doing: () => Promise<unknown>): Promise<boolean> {
    try {
        await doing();
        return true;
    } catch (error) {
        complain(sayError(error));
        return false;
    }
}
