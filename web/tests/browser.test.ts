// The tools of the other tests find what they look for.
import { expect, test } from "vitest";
import { accessibility, cutOff, openBrowser } from "./browser.ts";

test("a page with faults is found out", async () => {
    const browser = await openBrowser();
    const page = await browser.newPage({ viewport: { width: 360, height: 700 } });
    await page.setContent("<main><h1>x</h1><button></button><p style='width:5em;overflow:hidden'>unbreakableunbreakable</p></main>");
    expect((await accessibility(page)).join()).toContain("button-name");
    expect(await cutOff(page)).toEqual(["P : unbreakableunbreakable"]);
    await browser.close();
});
