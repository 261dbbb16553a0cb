// Registers the service worker, offers a new version when there is one, and answers what the worker asks.
import { t } from "./i18n";
import { toast } from "./notices.svelte";

/** Resolves when nothing more has been loaded for two seconds, or after twenty. */
function quiet(): Promise<void> {
    return new Promise((resolve) => {
        let timer = 0;
        const done = () => (observer.disconnect(), resolve());
        const wait = () => {
            clearTimeout(timer);
            timer = window.setTimeout(done, 2000);
        };
        const observer = new PerformanceObserver(wait);
        observer.observe({ type: "resource" });
        wait();
        window.setTimeout(done, 20_000);
    });
}

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
    // A notification leads to the window that shows its table.
    workers.addEventListener("message", ({ data, ports }: MessageEvent<"where" | { go: string }>) => {
        if (data === "where") ports[0]?.postMessage(location.hash);
        else if (location.hash !== data.go) location.hash = data.go;
    });
    // The worker loads every page and language there is: on a slow network after what somebody waits for.
    if (!workers.controller) await quiet();
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
