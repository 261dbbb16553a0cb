// What was built, on a web host of its own, and a browser to look at it: what most files of tests begin with.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { complaints, host, leaveBrowser, openBrowser, type Host, type Hosting } from "./browser.ts";

export const desk = { width: 1440, height: 900 };
export const phone = { width: 360, height: 740 };
/** Settings with which nothing moves or happens by itself. */
export const calm = { animation: "off", tempo: "instant", automaticPasses: false };

export interface Entering extends BrowserContextOptions {
    /** As this person has left them; left out: nothing was ever set. */
    settings?: object | undefined;
    /** The table may be out of reach. */
    offline?: boolean;
    before?: ((context: BrowserContext) => Promise<unknown>) | undefined;
}

export interface Visitor {
    context: BrowserContext;
    page: Page;
    /** What the page has complained about. */
    heard: string[];
}

/** For the tests of a file. */
export function website(hosting: Hosting = {}) {
    let browser: Browser;
    let server: Host;
    beforeAll(async () => {
        browser = await openBrowser();
        server = await host("/", hosting);
    });
    afterAll(async () => {
        await leaveBrowser();
        await server?.close();
    });

    /** Somebody with an empty page, at a desk unless it is said otherwise. */
    async function enter({ settings, offline = false, before, ...options }: Entering = {}): Promise<Visitor> {
        const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block", viewport: desk, ...options });
        if (settings)
            await context.addInitScript((text) => {
                if (!localStorage.getItem("gral.settings")) localStorage.setItem("gral.settings", text);
            }, JSON.stringify(settings));
        await before?.(context);
        const page = await context.newPage();
        return { context, page, heard: complaints(page, { offline }) };
    }

    return {
        get browser() {
            return browser;
        },
        get url() {
            return server.url;
        },
        enter,
        /** Somebody at an address of ours. */
        async visit(address: string, entering: Entering = {}): Promise<Visitor> {
            const visitor = await enter(entering);
            await visitor.page.goto(server.url + address);
            return visitor;
        },
    };
}
