// The tools of the other tests find what they look for.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accessibility, cutOff, leaveBrowser, openBrowser, unmarked } from "./browser.ts";

let page: Page;

beforeAll(async () => {
    page = await (await openBrowser()).newPage({ viewport: { width: 360, height: 700 } });
});
afterAll(leaveBrowser);

test("a page that is hard to use is found out", async () => {
    await page.setContent("<main><h1>x</h1><button></button></main>");
    expect((await accessibility(page)).join()).toContain("button-name");
});

test("what is cut off is found out, in width and height and at the edge", async () => {
    await page.setContent(`<main>
        <p style="width: 5em; overflow: hidden">unbreakableunbreakable</p>
        <h2 style="height: 1em; overflow: hidden">two<br>lines</h2>
        <button style="position: absolute; left: -1em">far out</button>
        <div class="frame" style="width: 5em; overflow-x: auto">scrollingisfinehere</div>
    </main>`);
    expect(await cutOff(page)).toEqual(["P , too wide: unbreakableunbreakable", "H2 , too high: twolines", "BUTTON , beyond the edge: far out"]);
    await page.setContent("<table style='width: 40em'><tr><td>wide</table>");
    expect(await cutOff(page)).toContain("the page scrolls sideways");
});

test("a text that was never translated is found out, also one that is only read out", async () => {
    await page.setContent(`<title>⟦A title⟧</title><main>
        <p>⟦Ann takes <a>R4.6</a> ⟦something⟧ on⟧ Tomar a1 <kbd>Esc</kbd></p>
        <p>Ann forgot this</p>
        <button title="⟦Close⟧" aria-label="Shut">⟦x⟧</button>
    </main>`);
    expect(await unmarked(page, ["Ann", "Tomar"])).toEqual(["P : forgot this", "BUTTON aria-label: Shut"]);
});
