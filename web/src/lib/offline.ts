// Registers the service worker, and offers a new version when there is one.
import { t } from "./i18n";
import { toast } from "./notices.svelte";

export async function keepOffline(): Promise<void> {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    const workers = navigator.serviceWorker;
    const offer = (worker: ServiceWorker | null) => {
        if (!worker || !workers.controller) return; // the first version replaces nothing
        toast(t("A new version is ready."), {
            label: t("Reload"),
            run: () => {
                workers.addEventListener("controllerchange", () => location.reload(), { once: true });
                worker.postMessage("take over");
            },
        });
    };
    try {
        const registration = await workers.register("./service-worker.js");
        offer(registration.waiting);
        registration.addEventListener("updatefound", () => {
            const worker = registration.installing;
            worker?.addEventListener("statechange", () => worker.state === "installed" && offer(worker));
        });
    } catch {
        // No storage, or not allowed: the game runs all the same while there is a network.
    }
}
