// It is my turn: a small bell, a notification of the browser if the page is hidden and one was asked for, a sign in the
// title. Of several windows with the same table one speaks.
import { t } from "../lib/i18n";
import { settings } from "../lib/settings.svelte";

let context: AudioContext | undefined;

/** Two soft partials of a bell, made on the spot. Silent where the browser wants a click first. */
export function bell(): void {
    try {
        context ??= new AudioContext();
        if (context.state === "suspended") void context.resume().catch(() => undefined);
        const now = context.currentTime;
        for (const [frequency, loudness, length] of [[659.3, 0.12, 1.4], [1318.5, 0.05, 0.9], [1978, 0.02, 0.5]] as const) {
            const tone = context.createOscillator();
            const volume = context.createGain();
            tone.frequency.value = frequency;
            volume.gain.setValueAtTime(0, now);
            volume.gain.linearRampToValueAtTime(loudness, now + 0.01);
            volume.gain.exponentialRampToValueAtTime(0.0001, now + length);
            tone.connect(volume).connect(context.destination);
            tone.start(now);
            tone.stop(now + length);
        }
    } catch {
        // no sound here
    }
}

const place = "gral.notify";

function declined(): boolean {
    try {
        return localStorage.getItem(place) === "no";
    } catch {
        return false;
    }
}

let allowed: NotificationPermission | null = $state(typeof Notification === "undefined" ? null : Notification.permission);
let asking = $state(allowed === "default" && !declined());

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

let last = 0;

/** Says that somebody is waited for; `moment` tells one time from another, so that it is said once. */
export function call(table: string, moment: string, text: string): void {
    const speak = () => {
        if (settings.sound && Date.now() - last > 1500) {
            last = Date.now();
            bell();
        }
        void notify(table, text);
    };
    if (!document.hidden || !navigator.locks) return speak();
    void navigator.locks.request(`gral-${table}-${moment}`, { ifAvailable: true }, async (lock) => {
        if (!lock) return;
        speak();
        await new Promise((resolve) => setTimeout(resolve, 2000));
    });
}
