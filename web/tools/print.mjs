// All pages of the print shop as PDFs, one for each language and paper (`make print`): build/print/gral-de-a4.pdf.
//
// Chromium makes them of the built client. They say nothing of when they were made, so the same client makes the same files.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const from = async (/** @type {string} */ path) => (await runnerImport(fileURLToPath(new URL(path, import.meta.url)))).module;
const { host, openBrowser } = await from("../tests/browser.ts");
const { allKinds, papers } = await from("../src/print/shop.ts");
const { printed, shop } = await from("../tests/paper.ts");

const folder = new URL("../../build/print/", import.meta.url);
const server = await host("/");
const browser = await openBrowser();
await mkdir(folder, { recursive: true });
for (const language of ["en", "de", "fr", "it"])
    for (const paper of Object.keys(papers)) {
        const name = `gral-${language}-${paper}.pdf`;
        const page = await shop(browser, server.url, { language, paper, players: 1, pages: allKinds });
        const pdf = await printed(page);
        await page.context().close();
        await writeFile(new URL(name, folder), pdf);
        console.log(`${name}  ${(pdf.length / 1024).toFixed(0)} KiB`);
    }
await browser.close();
await server.close();
