// A game is played in one window at a time: two would keep it one over the other.
import { TableError } from "../lib/protocol";

/** Takes a game for this window, and returns how to give it back; refuses if another window has it. */
export type Hold = (id: string) => Promise<() => void>;

/** A page that is loaded anew gives back what it had a moment after it asks for it again. */
const patience = 1500;

export function holdIn(locks: Pick<LockManager, "request"> | undefined, milliseconds = patience): Hold {
    return (id) =>
        new Promise((resolve, reject) => {
            if (!locks) return resolve(() => {}); // not a secure context; store.ts sees the worst
            locks
                .request(`gral game ${id}`, { signal: AbortSignal.timeout(milliseconds) }, () => new Promise<void>((release) => resolve(release)))
                .catch((error: Error) => {
                    if (error.name === "TimeoutError") reject(new TableError("elsewhere", "this game is open in another window"));
                    else resolve(() => {}); // locks are forbidden here
                });
        });
}
