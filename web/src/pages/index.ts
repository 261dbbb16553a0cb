// The pages by name. The start page is here at once; each other page is loaded when it is opened first.
import type { Component } from "svelte";
import { localPrefix } from "../lib/calls";
import { prepare } from "../lib/engine";
import { router, type Page } from "../lib/router.svelte";
import Start from "./Start.svelte";

const pages: Record<Exclude<Page, "start">, () => Promise<{ default: Component }>> = {
    play: () => {
        prepare();
        import("./Table.svelte").catch(() => {}); // where it leads to; whoever gets there will hear of it
        return import("./Play.svelte");
    },
    online: () => import("./Online.svelte"),
    room: () => import("./Room.svelte"),
    tournament: () => import("./Tournament.svelte"),
    account: () => import("./Account.svelte"),
    player: () => import("./Player.svelte"),
    table: () => {
        if (!router.route.id.startsWith(localPrefix)) import("../online/OnlineTable.svelte").catch(() => {}); // beside the page, which will say so
        return import("./Table.svelte");
    },
    replay: () => import("./Replay.svelte"),
    confirm: () => import("./Letter.svelte"),
    recover: () => import("./Letter.svelte"),
    stop: () => import("./Letter.svelte"),
    learn: () => import("./Learn.svelte"),
    rules: () => import("./Rules.svelte"),
    settings: () => import("./Settings.svelte"),
    print: () => import("./Print.svelte"),
    lost: () => import("./Lost.svelte"),
};

export const load = async (page: Page): Promise<Component> => (page === "start" ? Start : (await pages[page]()).default);
