// Passes that come by themselves where others are at the table. There they must not depend on what one holds, nor on how soon
// one could have answered: either would tell the others. So every question gets the same order, `pass in 8`, as soon as
// somebody looks at it; the server hides an answer until then, and whoever wants to think longer takes the order back.
import { untrack } from "svelte";
import { settings } from "../lib/settings.svelte";
import type { TableConnection } from "../lib/table.svelte";
import { times } from "../lib/tempo";

export class Passing {
    /** When it passes for me (Date.now()); null when it does not. */
    until: number | null = $state(null);
    /** There are others who could tell. */
    readonly possible: boolean = $derived.by(() => this.connection().kind === "online");

    readonly #order = `pass in ${times.pass / 1000}`;
    /** The question it was given for. */
    #given = -1;

    constructor(readonly connection: () => TableConnection) {
        const asked = $derived(connection().state.asked && connection().state.view?.phase === "objection");
        const moment = $derived(asked ? connection().state.version : -1);
        $effect(() => {
            const [question, wanted] = [moment, settings.passesOnline && this.possible];
            if (question < 0) this.until = null;
            else if (wanted && this.#given !== question && !document.hidden) untrack(() => void this.#give(question));
        });
    }

    async #give(question: number): Promise<void> {
        this.#given = question;
        this.until = Date.now() + times.pass;
        await this.connection()
            .order(this.#order)
            .catch(() => (this.until = null)); // then one is asked, as without it
    }

    /** Whoever thinks is not passed over. */
    wait(): void {
        if (this.until === null) return;
        this.until = null;
        void this.connection()
            .cancel(this.#order)
            .catch(() => {}); // too late
    }
}
