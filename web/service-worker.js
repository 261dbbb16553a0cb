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
const tableAddress = (table) => new URL(table ? `#/t/${table}` : "#/online", folder).href;
const windows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

async function show(news) {
    const at = tableAddress(news.table);
    const looks = (await windows()).some(({ url, visibilityState }) => url === at && visibilityState === "visible");
    if (looks) return;
    await self.registration.showNotification(news.title, {
        body: news.text,
        tag: news.table || "gral",
        icon: "./icon-192.png",
        data: { table: news.table, token: news.token },
        actions: [{ action: "stop", title: news.stop }],
    });
}

self.addEventListener("push", (event) => {
    event.waitUntil(show(event.data.json()));
});

// A window that shows the table, or one that shows none: nobody is taken away from another game.
async function lead(table) {
    const at = tableAddress(table);
    const own = (await windows()).filter(({ url }) => url.startsWith(folder.href));
    const there = own.find(({ url }) => url === at) ?? own.find(({ url }) => !/#\/(t\/|play)/.test(url));
    if (!there) return self.clients.openWindow(at);
    await there.focus();
    if (there.url !== at) await there.navigate(at).catch(() => self.clients.openWindow(at));
}

self.addEventListener("notificationclick", (event) => {
    const { notification, action } = event;
    notification.close();
    if (!notification.data) return; // the page's own
    const { table, token } = notification.data;
    event.waitUntil(action === "stop" ? fetch(new URL(`api/stop/${token}`, folder), { method: "POST" }) : lead(table));
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
