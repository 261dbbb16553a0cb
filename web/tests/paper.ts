// A page of the print shop as a PDF, as the browser prints it.
import type { Browser, Page } from "playwright-core";

export interface Order {
    language: string;
    paper: string;
    players: number;
    pages: readonly string[];
    theme?: string;
}

/** The print shop with this order, all of it drawn. */
export async function shop(browser: Browser, url: string, { language, paper, players, pages, theme = "system" }: Order): Promise<Page> {
    const context = await browser.newContext({ locale: language, serviceWorkers: "block", reducedMotion: "reduce" });
    await context.addInitScript((settings) => localStorage.setItem("gral.settings", settings), JSON.stringify({ language, theme }));
    const page = await context.newPage();
    await page.goto(`${url}#/print?paper=${paper}&players=${players}&pages=${pages.join(",")}`);
    await page.locator(".paper").last().waitFor();
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
    await page.evaluate(() => Promise.all(["Alegreya", "Cabin"].map((family) => document.fonts.load(`1rem ${family}`))));
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished))); // a page that fades in
    return page;
}

/** It says nothing of when it was made: the same pages, the same bytes. */
export async function printed(page: Page): Promise<Buffer> {
    const pdf = await page.pdf({ preferCSSPageSize: true, tagged: true, outline: true });
    return Buffer.from(pdf.toString("latin1").replace(/(\/(?:Creation|Mod)Date \(D:)\d{14}/g, "$120070101000000"), "latin1");
}
