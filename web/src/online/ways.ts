// How the server can reach somebody who is not there: by mail, and this browser by push messages.
import { deviceName } from "../lib/device";
import { language } from "../lib/language.svelte";
import type { NewsEvent, Offers, Way } from "../lib/protocol";
import { online } from "./server.svelte";

export const readOffers = () => online.ask<Offers>("GET", "api/offers");
export const readWays = async () => (await online.ask<{ ways: Way[] }>("GET", "api/way")).ways;
export const setMail = (mail: string) => online.ask("POST", "api/way/mail", { mail, language: language.code });
export const choose = (way: Way, events: readonly NewsEvent[], digest: number) => online.ask("POST", `api/way/${way.id}`, { events, digest });
export const endWay = (way: Way) => online.ask("DELETE", `api/way/${way.id}`);

/** Where push messages come in, or null where this browser takes none. */
async function pushes(): Promise<PushManager | null> {
    const registration = await globalThis.navigator?.serviceWorker?.getRegistration().catch(() => undefined);
    return registration?.pushManager ?? null;
}

/** Known once there is a service worker, which comes after everything else. */
export const takesPush = async () => (await globalThis.navigator?.serviceWorker?.ready)?.pushManager !== undefined;

/** The address of this browser, if it has one. */
export const ownAddress = async () => (await (await pushes())?.getSubscription().catch(() => null))?.endpoint ?? "";

/** Asks the browser, and tells the server where it is. False where the person or the browser does not want to. */
export async function addDevice(key: string): Promise<boolean> {
    const manager = await pushes();
    if (!manager || (await Notification.requestPermission()) !== "granted") return false;
    await (await manager.getSubscription())?.unsubscribe(); // it may be for another server's key
    const { endpoint, keys } = (await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
    await online.ask("POST", "api/way/push", { endpoint, key: keys?.["p256dh"], auth: keys?.["auth"], language: language.code, label: deviceName() });
    return true;
}

export async function endDevice(way: Way): Promise<void> {
    await endWay(way);
    if ((await ownAddress()) === way.address) await (await (await pushes())?.getSubscription())?.unsubscribe();
}
