// What happens at a table is told to those who listen, once, and so is what they are asked.
import { untrack } from "svelte";
import { beatsOf, sayBeat } from "../lib/beats";
import { announce } from "../lib/notices.svelte";
import type { TableState } from "../lib/table.svelte";
import { sayStatus, type Names } from "../lib/words";

/** For as long as the component stands that calls this. `heard`: how much each seat has been told where several come and go. */
export function telling(table: () => TableState, called: () => Names, heard: () => Map<number, number> | undefined): void {
    const seat = untrack(() => table().seat);
    // Who shares a device hears what happened while others had it.
    const told = untrack(() => (seat > 0 ? heard() : undefined));
    let end = untrack(() => told?.get(seat) ?? table().log.length);
    $effect(() => {
        const { log } = table();
        if (log.length < end) end = log.length;
        for (const beat of beatsOf(log)) {
            if (beat.end <= end) continue;
            if (beat.open) break;
            end = beat.end;
            const said = sayBeat(beat, called()).join(" ");
            if (said) announce(said);
        }
        told?.set(seat, end);
    });
    $effect(() => {
        if (table().asked) announce(untrack(() => sayStatus(table(), called())));
    });
}
