// What was said, out of a table's log.
import type { Happening } from "../lib/protocol";
import type { TableState } from "../lib/table.svelte";

type Said = Extract<Happening, { at: number }>;

export const isSaid = (happening: Happening): happening is Said => "talk" in happening || "offer" in happening;

/** How many things others have said after the happening `read`. */
export const unreadIn = ({ log, seat }: Pick<TableState, "log" | "seat">, read: number): number =>
    log.slice(read + 1).filter(({ happening }) => isSaid(happening) && happening.seat !== seat).length;
