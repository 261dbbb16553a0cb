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
