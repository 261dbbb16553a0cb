// Keeps all files of one build, and answers with them first. vite-offline.ts fills in the version and the list.
//
// A new version waits until the page says so (or all its windows are closed): a page must not lose the files
// that it was built with while somebody plays.
const cacheName = "gral-" + "VERSION";
const files = ["FILES"];

const folder = new URL("./", self.location.href);
const kept = new Set(files.map((file) => new URL(file, folder).href));

self.addEventListener("install", (event) => {
    // "reload": what the browser's own cache has may be older than this build.
    const requests = [...kept].map((url) => new Request(url, { cache: "reload" }));
    event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
    event.waitUntil(
        (async () => {
            for (const name of await caches.keys()) if (name.startsWith("gral-") && name !== cacheName) await caches.delete(name);
            await self.clients.claim();
        })(),
    );
});

self.addEventListener("message", (event) => {
    if (event.data === "take over") self.skipWaiting();
});

// What the server tells somebody who is not there (docs/protocol.md, "Being told").
const pageOf = ({ table, tournament }) => (table ? `#/t/${table}` : tournament ? `#/tournament/${tournament}` : "#/online");

// The address of a window is the one it was opened with. What it shows now it is asked (src/lib/offline.ts).
const shownIn = (window) =>
    new Promise((found) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => found(data);
        setTimeout(() => found(""), 1000);
        window.postMessage("where", [port2]);
    });

async function windows() {
    const all = await self.clients.matchAll({ type: "window" });
    return Promise.all(all.map(async (window) => ({ window, shown: await shownIn(window) })));
}

async function show(news) {
    const looks = (await windows()).some(({ window, shown }) => shown === pageOf(news) && window.visibilityState === "visible");
    if (looks) return;
    await self.registration.showNotification(news.title, {
        body: news.text,
        tag: news.table || news.tournament || "gral",
        icon: "./icon-192.png",
        data: { table: news.table, tournament: news.tournament, token: news.token },
        actions: [{ action: "stop", title: news.stop }],
    });
}

self.addEventListener("push", (event) => {
    event.waitUntil(show(event.data.json()));
});

// A window that shows the table, or one that shows none: nobody is taken away from another game.
async function lead(news) {
    const page = pageOf(news);
    const all = await windows();
    const there = all.find(({ shown }) => shown === page) ?? all.find(({ shown }) => !/^#\/(t\/|play)/.test(shown));
    if (!there) return self.clients.openWindow(new URL(page, folder).href);
    await there.window.focus();
    there.window.postMessage({ go: page });
}

self.addEventListener("notificationclick", (event) => {
    const { notification, action } = event;
    notification.close();
    if (!notification.data) return; // the page's own
    const news = notification.data;
    event.waitUntil(action === "stop" ? fetch(new URL(`api/stop/${news.token}`, folder), { method: "POST" }) : lead(news));
});

// Now and then a browser gives a subscription another address.
self.addEventListener("pushsubscriptionchange", (event) => {
    const { oldSubscription } = event;
    if (!oldSubscription) return;
    event.waitUntil(
        (async () => {
            const { endpoint, keys } = (await self.registration.pushManager.subscribe(oldSubscription.options)).toJSON();
            const language = self.navigator.language.slice(0, 2);
            const body = JSON.stringify({ endpoint, key: keys.p256dh, auth: keys.auth, language });
            await fetch(new URL("api/way/push", folder), { method: "POST", body });
        })(),
    );
});

const fromCache = async (url) => (await caches.match(url, { cacheName })) ?? fetch(url);

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== folder.origin) return;
    url.search = url.hash = "";
    if (kept.has(url.href)) {
        event.respondWith(fromCache(url.href));
    } else if (request.mode === "navigate" && url.href.startsWith(folder.href)) {
        const path = url.href.slice(folder.href.length);
        if (path === "index.html") event.respondWith(fromCache(folder.href));
        else if (/^[tr]\/[\w-]+$/.test(path)) event.respondWith(Response.redirect(`${folder.href}#/${path}`));
    }
});
