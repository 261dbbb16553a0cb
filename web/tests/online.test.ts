// People at a table of a real server, each in a browser of his own.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accessibility, complaints, cutOff, openBrowser } from "./browser.ts";
import { serve, type Served } from "./server.ts";

let browser: Browser;
let server: Served;

beforeAll(async () => {
    browser = await openBrowser();
    server = await serve("--absent", "1");
});
afterAll(async () => {
    await browser?.close();
    await server?.close();
});

interface Person {
    name: string;
    page: Page;
    /** Everything the server has sent, as it came. */
    frames: string[];
    heard: string[];
}

async function person(name: string, address = "#/online", options: BrowserContextOptions = {}): Promise<Person> {
    const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const frames: string[] = [];
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
    const heard = complaints(page);
    await page.goto(server.url + address);
    return { name, page, frames, heard };
}

async function guest(name: string, address?: string, options?: BrowserContextOptions): Promise<Person> {
    const somebody = await person(name, address, options);
    await beGuest(somebody.page, name);
    return somebody;
}

async function beGuest(page: Page, name: string) {
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "That is me" }).click();
}

const leave = async (...people: Person[]) => {
    for (const { page, heard, name } of people) {
        expect(heard, name).toEqual([]);
        await page.context().close();
    }
};

test("a guest opens a table, another joins from the lobby, a third by link", async () => {
    const ann = await guest("Ann");
    const bob = await guest("Bob");
    await ann.page.getByRole("button", { name: "New table" }).click();
    expect(await accessibility(ann.page)).toEqual([]);
    await ann.page.getByRole("button", { name: "Open the table" }).click();
    await ann.page.getByRole("heading", { name: "The table is being laid" }).waitFor();
    const link = await ann.page.getByLabel("Link to this table").inputValue();
    expect(link).toMatch(/\/t\/[\w-]{20,}$/);
    await ann.page.getByRole("button", { name: "QR code" }).click();
    await ann.page.getByRole("img", { name: "QR code of the link" }).waitFor();
    expect(await accessibility(ann.page)).toEqual([]);

    await bob.page.getByRole("button", { name: "Join: Ann, 2 free seats" }).click();
    await bob.page.getByRole("heading", { name: "The table is being laid" }).waitFor();
    await ann.page.getByRole("listitem").filter({ hasText: "Bob" }).waitFor();
    // He changes his mind, and comes back.
    await bob.page.getByRole("button", { name: "Leave the table" }).click();
    await bob.page.getByRole("button", { name: "Join: Ann, 2 free seats" }).click();

    const eve = await person("Eve", link.slice(server.url.length));
    await eve.page.getByText("Say who you are to take a seat.").waitFor();
    await beGuest(eve.page, "Eve");
    await eve.page.getByRole("button", { name: /Sit here: Seat 3/ }).click();
    for (const { page } of [ann, bob, eve]) await page.getByRole("region", { name: "Players" }).waitFor();
    await leave(ann, bob, eve);
}, 60_000);

test("an account is made of a guest, found again elsewhere, and deleted", async () => {
    const kim = await guest("Kim");
    const other = await person("Kim elsewhere");
    await other.page.getByLabel("Name").fill("kim");
    await other.page.getByRole("button", { name: "That is me" }).click();
    await other.page.getByText("This name is taken, or looks like one that is.").first().waitFor();
    expect(await accessibility(other.page)).toEqual([]);

    await kim.page.getByRole("button", { name: "Keep this name: register" }).click();
    await kim.page.getByLabel("Password").fill("short");
    await kim.page.getByRole("dialog").getByRole("button", { name: "Register" }).click();
    await kim.page.getByText("A password has 8 to 200 bytes.").first().waitFor();
    await kim.page.getByLabel("Password").fill("in the cellar");
    await kim.page.getByRole("dialog").getByRole("button", { name: "Register" }).click();
    await kim.page.getByText("account", { exact: true }).waitFor();

    await other.page.getByRole("button", { name: "Log in" }).first().click();
    await other.page.getByLabel("Name").fill("Kim");
    await other.page.getByLabel("Password").fill("in the attic");
    await other.page.locator("form").getByRole("button", { name: "Log in" }).click();
    await other.page.getByText("The name or the password is wrong.").first().waitFor();
    await other.page.getByLabel("Password").fill("in the cellar");
    await other.page.locator("form").getByRole("button", { name: "Log in" }).click();
    await other.page.getByRole("region", { name: "Who you are" }).getByText("Kim").waitFor();
    await other.page.getByRole("button", { name: "Log out" }).click();
    await other.page.getByRole("heading", { name: "Who are you?" }).waitFor();

    await kim.page.getByRole("button", { name: "Delete the account" }).click();
    const dialog = kim.page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Delete for good" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Your name").fill("Kim");
    await dialog.getByLabel("Password").fill("in the cellar");
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await kim.page.getByRole("heading", { name: "Who are you?" }).waitFor();
    await leave(kim, other);
}, 60_000);
