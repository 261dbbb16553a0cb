// The print shop on paper: what the browser prints, read by poppler.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { allKinds, kinds, MARGIN, type PaperName, papers, TABLE_SIZE } from "../src/print/shop.ts";
import { printed, shop } from "./paper.ts";
import { website } from "./website.ts";

const site = website();
const folder = mkdtempSync(join(tmpdir(), "gral-print-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (program: string, ...words: string[]) => execFileSync(program, words, { maxBuffer: 1 << 28 });
const millimetres = (points: string) => (Number(points) / 72) * 25.4;

/** Pictures as poppler writes them: "P5 width height 255", then a byte for each dot. */
function* pictures(bytes: Buffer) {
    for (let at = 0; at < bytes.length;) {
        const [head, width, height] = /^P5\s(\d+)\s(\d+)\s255\s/.exec(bytes.toString("latin1", at, at + 40))!;
        const size = Number(width) * Number(height);
        yield { width: Number(width), height: Number(height), dots: bytes.subarray(at + head.length, at + head.length + size) };
        at += head.length + size;
    }
}

const languages = ["en", "de", "fr", "it"];
const orders = languages.flatMap((language) => Object.keys(papers).map((paper) => [language, paper as PaperName] as const));

/** What is larger than the place it is printed in. */
const tooLong = (page: Page) =>
    page.evaluate(() => {
        const places = ".content, .about, .cut, .face, .wing, td, th".replace(/[^ ]+/g, ".paper $&");
        const found: string[] = [];
        for (const place of document.querySelectorAll(places)) {
            const outer = place.getBoundingClientRect();
            for (const part of place.querySelectorAll("p, b, h2, h3, li, dt, dd, span, table, .unit, .units > *, .cut, .face, .wing, .foot, .stand > *")) {
                const inner = part.getBoundingClientRect();
                const over = Math.max(outer.left - inner.left, outer.top - inner.top, inner.right - outer.right, inner.bottom - outer.bottom);
                if (over > 1) found.push(`${place.className}: ${part.tagName} ${part.textContent?.slice(0, 40)} by ${over.toFixed(1)}`);
            }
        }
        return found;
    });

test.each(orders)("all pages in %s on %s: whole, in the printable area, with our fonts, and nothing of the site around them", async (language, paper) => {
    const count = allKinds.reduce((sum, kind) => sum + kinds[kind](1), 0);
    const page = await shop(site.browser, site.url, { language, paper, players: 1, pages: allKinds });
    const titles = await page.locator(".paper h2").allInnerTexts();
    const around = await page.locator(".beside p, .beside legend").allInnerTexts();
    const file = join(folder, `${language}-${paper}.pdf`);
    writeFileSync(file, await printed(page));
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#app > :not(main)").evaluateAll((parts) => parts.filter((part) => part.checkVisibility()).length)).toBe(0);
    expect(await tooLong(page)).toEqual([]);
    await page.context().close();

    const sizes = [
        ...run("pdfinfo", "-l", "-1", file)
            .toString()
            .matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+)/gm),
    ];
    expect(sizes).toHaveLength(count);
    const [width, height] = papers[paper];
    for (const [, wide, high] of sizes) {
        expect(Math.abs(millimetres(wide!) - width)).toBeLessThan(0.5);
        expect(Math.abs(millimetres(high!) - height)).toBeLessThan(0.5);
    }

    // Chromium has no name for a font with an axis of weights.
    const fonts = run("pdffonts", file).toString().trim().split("\n").slice(2);
    expect(fonts.length).toBeGreaterThan(0);
    for (const font of fonts) expect(font).toMatch(/ yes (yes|no ) (yes|no ) +\d+ +0$/);

    const dpi = 32;
    const edge = Math.floor(((MARGIN - 0.6) / 25.4) * dpi);
    const seen = [...pictures(run("pdftoppm", "-gray", "-r", String(dpi), file))];
    expect(seen).toHaveLength(count);
    for (const [index, { width, height, dots }] of seen.entries()) {
        let [inside, outside] = [0, 0];
        for (let at = 0; at < dots.length; at++) {
            if (dots[at]! >= 250) continue;
            const [x, y] = [at % width, Math.floor(at / width)];
            if (x < edge || y < edge || x >= width - edge || y >= height - edge) outside++;
            else inside++;
        }
        expect(outside, `dots on the edge of page ${index + 1}`).toBe(0);
        expect(inside, `dots on page ${index + 1}`).toBeGreaterThan(1000);
    }

    const bare = (words: string) => words.replace(/\s/g, "");
    const text = bare(run("pdftotext", "-raw", file, "-").toString());
    for (const title of titles) expect(text).toContain(bare(title));
    for (const words of around) expect(text).not.toContain(bare(words));
    expect(text).not.toMatch(/https?:|127\.0\.0\.1|\{\w+\}|undefined/);
});

test("the board at table size is 50 cm wide and high, to the tenth of a millimetre, and its parts fit", async () => {
    const page = await shop(site.browser, site.url, { language: "en", paper: "letter", players: 2, pages: ["tiles"] });
    await page.emulateMedia({ media: "print" });
    const parts = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("[data-tile]")].map((tile) => {
            const cut = tile.getBoundingClientRect();
            const board = tile.querySelector<SVGSVGElement>(".board")!;
            const seen = board.getBoundingClientRect();
            const { x, y, width, height } = board.viewBox.baseVal;
            const scale = 25.4 / 96;
            // the paper is turned by a quarter: right is up
            return {
                width: cut.height * scale,
                height: cut.width * scale,
                // of the whole board
                size: (seen.height / width) * 568 * scale,
                left: (x / 568) * 500 + (seen.bottom - cut.bottom) * scale,
                top: (y / 568) * 500 + (cut.left - seen.left) * scale,
                shape: seen.width / height - seen.height / width,
            };
        }),
    );
    await page.context().close();
    expect(parts).toHaveLength(6);
    for (const { size, shape } of parts) {
        expect(size).toBeCloseTo(TABLE_SIZE, 1);
        expect(shape).toBeCloseTo(0, 3);
    }
    const rows = [parts.slice(0, 2), parts.slice(2, 4), parts.slice(4)];
    let top = 0;
    for (const row of rows) {
        let left = 0;
        for (const part of row) {
            expect(part.left).toBeCloseTo(left, 1);
            expect(part.top).toBeCloseTo(top, 1);
            left += part.width;
        }
        expect(left).toBeCloseTo(TABLE_SIZE, 1);
        top += row[0]!.height;
    }
    expect(top).toBeCloseTo(TABLE_SIZE, 1);
});

test("a sheet has 24 units of 100 points and eight portraits (R1.4), and there is one for everybody", async () => {
    const page = await shop(site.browser, site.url, { language: "en", paper: "a4", players: 12, pages: ["sheets", "sheet", "screens", "cards"] });
    const sheets = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("[data-sheet]")].map((sheet) => ({
            units: [...sheet.querySelectorAll<HTMLElement>("[data-unit]")].map(({ dataset, textContent }) => [dataset.unit, textContent.trim()]),
            portraits: sheet.querySelectorAll("thead th svg[viewBox='0 0 100 100']").length,
        })),
    );
    expect(sheets).toHaveLength(24); // two a page and one a page
    for (const { units, portraits } of sheets) {
        expect(units).toHaveLength(24);
        for (const value of ["10", "5", "4", "3", "2", "1"]) expect(units.filter((unit) => unit[0] === value && unit[1] === value)).toHaveLength(4);
        expect(units.reduce((sum, [value]) => sum + Number(value), 0)).toBe(100);
        expect(portraits).toBe(8);
    }
    expect(await page.locator(".screen").count()).toBe(12);
    expect(await page.locator(".card-of").count()).toBe(12);
    await page.context().close();
});

test("the choices are kept in the address, and a file of all pages is offered where there is one", async () => {
    const { context, page, heard } = await site.visit("#/print", { locale: "en-US" });
    await page.locator(".paper").first().waitFor();
    expect(await page.getByRole("combobox", { name: /^Paper/ }).inputValue()).toBe("letter");
    await page.getByRole("combobox", { name: /^Paper/ }).selectOption("a4");
    await page.getByRole("combobox", { name: /^Players/ }).selectOption("6");
    await page.getByRole("checkbox", { name: /^Figures and grail/ }).uncheck();
    await expect.poll(() => page.url()).toContain("paper=a4&players=6&pages=board%2Csheets%2Ccards");
    expect(await page.locator(".paper").count()).toBe(1 + 3 + 2);
    await page.getByRole("button", { name: "Print 6 pages" }).waitFor();
    // Where somebody has made them (make print), all pages are one file.
    expect(await page.getByRole("link", { name: /PDF/ }).count()).toBe(0);
    await page.route("**/print/gral-en-letter.pdf", (route) => route.fulfill({ contentType: "application/pdf", body: "%PDF" }));
    await page.getByRole("combobox", { name: /^Paper/ }).selectOption("letter");
    expect(await page.getByRole("link", { name: /PDF/ }).getAttribute("href")).toBe("./print/gral-en-letter.pdf");
    expect(heard).toEqual([]);
    await context.close();
});

test("the same pages are the same file, whatever the theme", async () => {
    const files = [];
    for (const theme of ["light", "dark"]) {
        const page = await shop(site.browser, site.url, { language: "en", paper: "a4", players: 1, pages: ["board", "figures"], theme });
        files.push(await printed(page));
        await page.context().close();
    }
    expect(files[0]!.equals(files[1]!)).toBe(true);
});
