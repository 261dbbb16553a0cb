// What a table or a server refuses, in the reader's language. The sentence of a refusal is the key of its translation: those of
// the host and the server are marked where they stand (src/table, src/server; tools/texts.mjs finds them), those of the client
// with N_, but for the worker's: what it needs knows no languages.
import { N_, t } from "./i18n";
import { complain } from "./notices.svelte";
import { TableError } from "./protocol";

export const unreachable = N_("the server cannot be reached");

/** Sentences of src/worker, which come as they are. */
export const workerTexts: readonly string[] = [
    N_("there is one seat for every player"),
    N_("the engine could not be started"),
    N_("this game is open in another window"),
    N_("this game has gone on in another window"),
    N_("this game was kept by another version and cannot go on"),
];

/** For a notice: "Not possible: you have answered already." */
export function sayError(error: unknown): string {
    if (!(error instanceof TableError)) return t("Something went wrong: {reason}", { reason: String(error) });
    return t("Not possible: {reason}.", { reason: t(error.message) });
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
