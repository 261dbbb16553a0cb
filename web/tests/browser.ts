// A browser and a web host for the tests: what was built into build/web, served with the headers of `gral serve`.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import AxeSource from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";

const built = fileURLToPath(new URL("../../build/web", import.meta.url));

const types: Record<string, string> = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
};

const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

export interface Host {
    /** Ends with a slash. */
    readonly url: string;
    close(): Promise<void>;
}

interface Hosting {
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

/** Debian's Chromium; nothing is downloaded. */
export function openBrowser(): Promise<Browser> {
    return chromium.launch({
        executablePath: execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim(),
        args: [
            "--headless",
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
const expected = /\/(healthz|api\/\w+|ws)$/;

/** Collects what a page complains about: errors, and whatever the content security policy refuses. */
export function complaints(page: Page): string[] {
    const heard: string[] = [];
    page.on("pageerror", (error) => heard.push(error.message));
    page.on("console", (message) => {
        if (message.type() === "error" && !expected.test(message.location().url) && !message.text().includes("/ws' failed")) heard.push(message.text());
    });
    return heard;
}

/** What axe-core finds wrong on a page, as lines. */
export async function accessibility(page: Page): Promise<string[]> {
    await page.evaluate(AxeSource.source);
    return page.evaluate(async () => {
        const axe = (globalThis as unknown as { axe: typeof AxeSource }).axe;
        const { violations } = await axe.run(document, {
            runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        });
        return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
    });
}

/** Elements whose text is wider than they are, and the page itself if it scrolls sideways. */
export function cutOff(page: Page): Promise<string[]> {
    return page.evaluate(() => {
        const found = [...document.querySelectorAll<HTMLElement>("body *:not(.hidden, .hidden *, input, select, option, svg *)")]
            .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
            .map((element) => `${element.tagName} ${element.className}: ${element.textContent?.slice(0, 60)}`);
        if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
        return found;
    });
}
