// What happens at a table is told to those who listen, once, and so is what they are asked.
import { untrack } from "svelte";
import { announce } from "../lib/notices.svelte";
import { isAction, type LogEntry, type TableConnection } from "../lib/table.svelte";
import { sayEntry, sayStatus, type Names } from "../lib/words";

/** The story of this is still being told. */
const waits = ({ happening, after }: LogEntry) => isAction(happening) && !happening.action.startsWith("place ") && after === null;
const placedBy = ({ happening }: LogEntry, seat: number) => isAction(happening) && happening.seat === seat && happening.action.startsWith("place");

/** For as long as the component stands that calls this. */
export function telling(connection: () => TableConnection, called: () => Names): void {
    const table = $derived(connection().state);
    // Who shares a device hears what happened while others had it.
    const heard = untrack(() => (table.seat > 0 ? connection().told : undefined));
    let told = untrack(() => heard?.get(table.seat) ?? table.log.length);
    $effect(() => {
        const { log } = table;
        if (log.length < told) told = log.length;
        while (told < log.length) {
            const next = log[told]!;
            if (waits(next)) break;
            told++;
            const said = sayEntry(next, called()).join(" ");
            if (said && !placedBy(next, table.seat)) announce(said);
        }
        heard?.set(table.seat, told);
    });
    $effect(() => {
        if (table.asked) announce(untrack(() => sayStatus(table, called())));
    });
}
