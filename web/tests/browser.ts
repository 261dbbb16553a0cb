// A browser and a web host for the tests: what was built into build/web, served with the headers of `gral serve`.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type axeCore from "axe-core";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const built = fileURLToPath(new URL("../../build/web", import.meta.url));

const types: Record<string, string> = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
};

const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

export interface Host {
    /** Ends with a slash. */
    readonly url: string;
    close(): Promise<void>;
}

export interface Hosting {
    /** Short links lead to their pages, as with gral. */
    redirects?: boolean;
    /** What was built. */
    root?: string;
}

/** A file of what was built, or where a short link leads. */
export async function sendFile(pathname: string, folder: string, response: ServerResponse, { redirects = false, root = built }: Hosting = {}): Promise<void> {
    const path = pathname.startsWith(folder) ? pathname.slice(folder.length) : "..";
    try {
        if (redirects && /^[tr]\/[\w-]+$/.test(path)) {
            response.writeHead(302, { location: `${folder}#/${path}` }).end();
            return;
        }
        if (path.includes("..")) throw new Error("not here");
        const name = path === "" ? "index.html" : path;
        const body = await readFile(join(root, name));
        response.writeHead(200, {
            "content-type": types[extname(name)] ?? "application/octet-stream",
            "content-security-policy": policy,
        });
        response.end(body);
    } catch {
        response.writeHead(404).end();
    }
}

/** Serves the client, or what else was built, under a folder; like a web host that knows nothing of us, unless it redirects. */
export async function host(folder = "/", hosting: Hosting = {}): Promise<Host> {
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? "/", "http://localhost");
        void sendFile(pathname, folder, response, hosting);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}`,
        close: () =>
            new Promise((closed) => {
                server.close(() => closed());
                server.closeAllConnections();
            }),
    };
}

let opened: Promise<Browser> | undefined;

/** One for all files that are tested one after the other: to start it takes a second. */
export const openBrowser = (): Promise<Browser> => (opened ??= launch());

/** What a file has opened in it is closed; it ends with the process. */
export async function leaveBrowser(): Promise<void> {
    for (const context of (await opened)?.contexts() ?? []) await context.close();
}

/** Debian's Chromium; nothing is downloaded. Without the window that is drawn around each page, a page costs half as much. */
function launch(): Promise<Browser> {
    const found = execFileSync("sh", ["-c", "command -v chromium-headless-shell || command -v chromium"], { encoding: "utf8" });
    return chromium.launch({
        executablePath: found.trim(),
        args: [
            "--headless",
            "--font-render-hinting=none", // letters are as wide as on paper
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    });
}

/** A host without a game server says so, and a server refuses what it must; the browser notes both. */
const expected = /\/(healthz|keys|api\/\w+|r\/[\w-]+\.gral|print\/[\w-]+\.pdf)$/;

/** Collects what a page complains about: errors, and whatever the content security policy refuses. With `offline` the
    table may be out of reach; else a socket that finds no server is one that nobody wanted. */
export function complaints(page: Page, { offline = false } = {}): string[] {
    const heard: string[] = [];
    page.on("pageerror", (error) => heard.push(error.message));
    page.on("console", (message) => {
        if (message.type() !== "error" || expected.test(message.location().url)) return;
        if (!offline || !/^WebSocket connection to '.*\/ws' failed/.test(message.text())) heard.push(message.text());
    });
    return heard;
}

const axeSource = await readFile(fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const everything = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe-core finds wrong on a page, as lines; with `colours`, what it finds wrong with these. */
export async function accessibility(page: Page, { colours = false } = {}): Promise<string[]> {
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
    return page.evaluate(
        async (runOnly) => {
            const axe = (globalThis as unknown as { axe: typeof axeCore }).axe;
            const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"], selectors: false });
            return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
        },
        colours ? ["color-contrast", "link-in-text-block"] : everything,
    );
}

/** What cannot be read whole: text wider than its element or, where that hides it, higher; elements beyond the edge; and the
    page itself if it scrolls sideways. A `.frame` is made to scroll. */
export function cutOff(page: Page): Promise<string[]> {
    return page.evaluate(() => {
        const cut = (element: HTMLElement) => {
            const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
            if (clientWidth > 0 && scrollWidth > clientWidth + 1) return "too wide";
            if (/hidden|clip/.test(getComputedStyle(element).overflowY) && scrollHeight > clientHeight + 2) return "too high";
            const { left, right, width } = element.getBoundingClientRect();
            return width > 0 && (left < -1 || right > innerWidth + 1) ? "beyond the edge" : "";
        };
        const found = [...document.querySelectorAll<HTMLElement>("body *:not(.hidden, .hidden *, .frame, .frame *, .skip, input, select, option, svg *)")]
            .filter((element) => element.checkVisibility({ visibilityProperty: true })) // a tip that finds no room is not there
            .flatMap((element) => {
                const how = cut(element);
                return how ? [`${element.tagName} ${element.className}, ${how}: ${element.textContent?.trim().slice(0, 60)}`] : [];
            });
        if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
        return found;
    });
}

/** After `mark` the German of this context is another language: every text that comes from a catalogue, the lessons or the
    rules stands in brackets, so what stands outside has forgotten to be translated (see `unmarked`). What is asked of the
    catalogue is noted (see `askedFor`). */
export async function markTexts(context: BrowserContext): Promise<void> {
    await context.route(/\/assets\/de-[\w-]+\.js$/, (route) =>
        route.fulfill({
            contentType: "text/javascript",
            body: `
                import * as real from "${route.request().url()}?real";
                const mark = (text) => typeof text === "string" ? "⟦" + text + "⟧" : typeof text !== "object" ? text
                    : Array.isArray(text) ? text.map(mark) : Object.fromEntries(Object.entries(text).map(([key, part]) => [key, mark(part)]));
                const marked = real.default && mark(real.default);
                export default real.default && new Proxy(real.default, { get: (words, key) => (globalThis.marking ? marked : words)[key] });
                globalThis.askedFor ??= new Set();
                export const plural = real.plural;
                export const texts = new Proxy(real.texts ?? {}, {
                    get: (words, key) => (askedFor.add(key), globalThis.marking ? mark(words[key]) : words[key]),
                });`,
        }),
    );
}

/** From the next change of the language on. */
export const mark = (page: Page): Promise<void> => page.evaluate("globalThis.marking = true");

/** Words outside of any brackets, with these names left out; in what is shown and in what is only read out. */
export function unmarked(page: Page, names: readonly string[]): Promise<string[]> {
    return page.evaluate((known) => {
        let depth = 0;
        const outside = (text: string) => {
            const before = depth;
            let found = "";
            for (const sign of text) {
                if (sign === "⟦") depth++;
                else if (sign === "⟧") depth--;
                else if (depth === 0) found += sign;
            }
            if (text.endsWith("…")) depth = before; // a chart has little room for a name
            for (const name of known) found = found.replaceAll(name, "");
            return /\p{L}{2}/u.test(found) ? found.trim() : "";
        };
        const found: string[] = [];
        const look = (where: string, text: string) => {
            const words = outside(text);
            if (words) found.push(`${where}: ${words}`);
        };
        // Keys have names of their own, and what was said is said.
        const skipped = "script, style, noscript, kbd, time, [role=log] *, .toast *, body [lang], body [lang] *";
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode())
            if (!node.parentElement!.matches(skipped))
                look(`${node.parentElement!.tagName} ${node.parentElement!.getAttribute("class") ?? ""}`, node.textContent ?? "");
        if (depth !== 0) found.push("a text was cut in two");
        for (const element of document.querySelectorAll("body *"))
            for (const name of ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt"])
                look(`${element.tagName} ${name}`, element.getAttribute(name) ?? "");
        look("the window's title", document.title);
        return [...new Set(found)];
    }, names);
}

/** Keys (src/lib/textkey.ts) of the texts that a page under `markTexts` has asked the catalogue for. */
export const askedFor = (page: Page): Promise<string[]> => page.evaluate(() => [...((globalThis as { askedFor?: Set<string> }).askedFor ?? [])]);
