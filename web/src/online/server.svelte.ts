// The server of this page, shared by all its parts. A client on a plain web host has none: reach() finds out without
// opening a socket that would be tried again and again.
import { N_, t } from "../lib/i18n";
import { Online } from "../lib/online.svelte";
import { address, go } from "../lib/router.svelte";

export { attempt } from "../lib/errors";

export const online = new Online();
online.found = (table) => go(address("table", table));

export type Reach = "unknown" | "there" | "none";
let reached: Reach = $state("unknown");

export const server = {
    get reach(): Reach {
        return reached;
    },
};

/** Whether there is a server here, asked anew. */
export async function reach(): Promise<boolean> {
    reached = "unknown";
    const answer = await fetch(new URL("healthz", online.base)).catch(() => null);
    reached = answer !== null && answer.status !== 404 ? "there" : "none";
    return reached === "there";
}

/** Where other devices find this server, the likeliest first. Whoever looks at it on its own machine has to ask. */
export async function addresses(): Promise<readonly string[]> {
    if (!/^(localhost|127\..*|\[::1\])$/.test(location.hostname)) return [online.base.href];
    return (await online.ask<{ addresses: string[] }>("GET", "api/addresses").catch(() => ({ addresses: [] }))).addresses;
}

/** The first letter in upper case, as a sentence has it: the server's texts begin in lower case. */
export const sentence = (text: string): string => {
    const said = t(text);
    return `${said.charAt(0).toLocaleUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
};

export const stageNames = {
    gathering: N_("waiting for players"),
    playing: N_("in progress"),
    over: N_("over"),
} as const;
