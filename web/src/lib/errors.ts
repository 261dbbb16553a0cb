// What a table or a server refuses, in the reader's language. The host's own sentences are marked where they stand
// (src/table/host.c); these are the server's and the client's.
import { N_, t } from "./i18n";
import { complain } from "./notices.svelte";
import { TableError } from "./protocol";

export const unreachable = N_("the server cannot be reached");

/** Sentences that come as they are, from src/server. */
export const serverTexts: readonly string[] = [
    N_("you have an account already; log out first"),
    N_("this game is not over yet"),
    N_("too many at once; try again in a moment"),
    N_("you have too many tables, or the server has"),
    N_("nobody has this name"),
    N_("this name is taken, or looks like one that is"),
    N_("the name or the password is wrong"),
    N_("a password has 8 to 200 bytes"),
    N_("a name is valid text"),
    N_("a name has at least 2 characters"),
    N_("a name has at most 24 characters"),
    N_("a name has letters, digits, single blanks and - _ . ' only"),
    N_("a name keeps to one script and has nothing invisible in it"),
    N_("a name has a letter or digit in it"),
    N_("this player is there, or was a moment ago"),
    N_("too many messages; wait a little"),
    N_("you do not sit at this table"),
    N_("nothing could be stored; try again later"),
    N_("there is no such table"),
    N_("the game has gone on since"),
    N_("say who you are first"),
    N_("there is one seat for every player"),
    N_("this game was kept by another version and cannot go on"),
    N_("the engine could not be started"),
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
