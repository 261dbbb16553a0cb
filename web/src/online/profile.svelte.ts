// What is known of how somebody plays, asked of the server.
import { untrack } from "svelte";
import { sayError } from "../lib/errors";
import type { Profile, Results } from "../lib/protocol";
import { online } from "./server.svelte";

export class Known {
    profile = $state.raw<Profile | null>(null);
    wrong = $state("");
    #asked = "";

    constructor(name: () => string) {
        $effect(() => {
            let left = false;
            const of = name();
            // Asked again about the same, what is there stays until the answer comes.
            if (this.#asked !== of) this.profile = null;
            this.#asked = of;
            this.wrong = "";
            untrack(() => online.profile(of)).then(
                (found) => !left && (this.profile = found),
                (error: unknown) => !left && (this.wrong = sayError(error)),
            );
            return () => (left = true);
        });
    }

    /** If he shows them. */
    get results(): Results | null {
        return this.profile?.sees.includes("results") ? (this.profile as Results) : null;
    }
}
