// What calls for somebody at a table, wherever it is: a sound when he is asked, and a notification of the browser if the page is
// hidden and one was asked for. Of several hidden windows with the same table one speaks. What happens there sounds by itself
// (director.svelte.ts).
import { untrack } from "svelte";
import { N_, t } from "./i18n";
import { play } from "./sounds";
import type { TableState } from "./table.svelte";
import { times } from "./tempo";

const place = "gral.notify";

function declined(): boolean {
    try {
        return localStorage.getItem(place) === "no";
    } catch {
        return false;
    }
}

const atFirst = typeof Notification === "undefined" ? null : Notification.permission;
let allowed: NotificationPermission | null = $state(atFirst);
let asking = $state(atFirst === "default" && !declined());

export const notifications = {
    /** What the browser allows; null where it knows no notifications. */
    get state(): NotificationPermission | null {
        return allowed;
    },
    /** Nobody has decided yet. */
    get undecided(): boolean {
        return asking;
    },
    async allow(): Promise<void> {
        asking = false;
        allowed = await Notification.requestPermission();
    },
    decline(): void {
        asking = false;
        try {
            localStorage.setItem(place, "no");
        } catch {
            // asked again next time
        }
    },
};

async function notify(tag: string, text: string): Promise<void> {
    if (typeof Notification === "undefined" || Notification.permission !== "granted" || !document.hidden) return;
    const options = { body: text, tag, icon: "./icon-192.png" };
    const shown = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    try {
        const notification = new Notification(t("The Hunt for the Grail"), options);
        notification.onclick = () => {
            window.focus();
            notification.close();
        };
    } catch {
        await shown?.showNotification(t("The Hunt for the Grail"), options).catch(() => undefined); // phones want it so
    }
}

type Call = "turn" | "question" | "objection" | "end";

/** What a notification says. It may lie on a locked screen, so there is nothing of anybody's sheet in it. */
const words: Readonly<Record<Call, string>> = {
    turn: N_("It's your turn."),
    question: N_("Do you object?"),
    objection: N_("Someone objects. Do you insist?"),
    end: N_("The game is over."),
};

/** `moment` tells one time from another, so that it is said once. */
function call(table: string, moment: string, sound: Call, wanted: boolean): void {
    const speak = () => {
        if (sound === "turn" || sound === "question") play(sound);
        if (wanted || sound === "end") void notify(table, t(words[sound]));
    };
    if (!document.hidden || !navigator.locks) return speak();
    void navigator.locks.request(`gral ${moment}`, { ifAvailable: true }, async (lock) => {
        if (!lock) return;
        speak();
        await new Promise((resolve) => setTimeout(resolve, times.call));
    });
}

function soundOf({ stage, view, seat }: TableState, wanted: boolean): Call | null {
    if (stage === "over") return "end";
    if (stage !== "playing" || !view) return null;
    if (view.phase === "answer" && (wanted || view.objection?.by !== seat)) return "objection";
    return wanted ? (view.phase === "objection" ? "question" : "turn") : null;
}

/** For a component that shows a table: says what happens there, once each time. `wanted`: somebody who looks at this page has
 *  something to decide. */
export function attend(table: () => TableState | undefined, wanted: () => boolean): void {
    const sound = $derived.by(() => (table() ? soundOf(table()!, wanted()) : null));
    const moment = $derived(`${table()?.id} ${table()?.version} ${sound}`);
    let playing = false; // a game that was over when one came is no news
    $effect(() => {
        const [state, now] = [table(), moment];
        const news = sound !== null && (sound !== "end" || playing);
        playing = state?.stage === "playing";
        if (state && news) untrack(() => call(state.id, now, sound, wanted()));
    });
}

/** Tables that are not looked at wait for somebody here. Those that did when he came are no news. */
export function attendElsewhere(waiting: () => readonly string[]): void {
    let before: readonly string[] | null = null;
    $effect(() => {
        const now = waiting();
        const news = before ? now.filter((table) => !before!.includes(table)) : [];
        before = now;
        for (const table of news) untrack(() => call(table, `${table} elsewhere`, "turn", true));
    });
}
