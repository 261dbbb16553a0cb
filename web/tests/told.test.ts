// Being told: what one chooses in one's account, what the links in mails do, and what the service worker makes of a push message.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accessibility, complaints, cutOff, leaveBrowser, openBrowser } from "./browser.ts";
import { serve, type Served } from "./server.ts";

/** A mail server that takes everything. */
async function mailServer() {
    const folder = mkdtempSync(join(tmpdir(), "gral-mail-"));
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "chain.pem")];
    const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", ...name];
    execFileSync("openssl", ["req", ...made, "-keyout", key, "-out", certificate], { stdio: "ignore" });
    const mails: string[] = [];
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (socket: TLSSocket) => {
        let text = "";
        let inside = false;
        socket.write("220 here\r\n");
        socket.on("error", () => {});
        socket.on("data", (data) => {
            text += String(data);
            for (let end; (end = text.indexOf(inside ? "\r\n.\r\n" : "\r\n")) >= 0;) {
                const said = text.slice(0, end);
                text = text.slice(end + (inside ? 5 : 2));
                if (inside) mails.push(Buffer.from(said.split("\r\n\r\n")[1]!, "base64").toString());
                inside = !inside && said === "DATA";
                socket.write(inside ? "354 go on\r\n" : "250 good\r\n");
            }
        });
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    return { url: `smtps://127.0.0.1:${(server.address() as AddressInfo).port}`, certificate, mails, close: () => server.close() };
}

let browser: Browser, server: Served, mail: Awaited<ReturnType<typeof mailServer>>;
beforeAll(async () => {
    browser = await openBrowser();
    mail = await mailServer();
    const mailing = ["--smtp", mail.url, "--mail-from", "gral@gral.example", "--site", "https://gral.example"];
    server = await serve(...mailing, "--authorities", mail.certificate, "--push-contact", "mailto:host@gral.example");
});
afterAll(async () => {
    await leaveBrowser();
    await server?.close();
    mail?.close();
});

/** Where the link of the newest mail leads, here. */
async function follow(page: Page, word: string): Promise<void> {
    await expect.poll(() => mail.mails.at(-1) ?? "").toContain(`/#/${word}/`);
    const link = new RegExp(`#/${word}/[\\w-]+`).exec(mail.mails.at(-1)!)![0];
    await page.goto("about:blank");
    await page.goto(server.url + link);
}

/** The examples of RFC 8291 are a browser's keys; a push service would need the network. */
const subscribes = () => {
    const subscription = {
        endpoint: "https://push.example/abc",
        unsubscribe: () => Promise.resolve((localStorage.removeItem("subscribed"), true)),
        toJSON: () => ({
            endpoint: "https://push.example/abc",
            keys: {
                p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "BTBZMqHH6r4Tts7J_aSIgg",
            },
        }),
    } as unknown as PushSubscription;
    PushManager.prototype.getSubscription = () => Promise.resolve(localStorage.getItem("subscribed") ? subscription : null);
    PushManager.prototype.subscribe = (options) => {
        if (typeof options?.applicationServerKey !== "string" || options.applicationServerKey.length !== 87) throw new Error("no key");
        localStorage.setItem("subscribed", "yes");
        return Promise.resolve(subscription);
    };
};

async function visitor(): Promise<{ context: BrowserContext; page: Page; heard: string[] }> {
    const context = await browser.newContext({ locale: "en-GB", permissions: ["notifications"] });
    await context.addInitScript(subscribes);
    const page = await context.newPage();
    const heard = complaints(page);
    return { context, page, heard };
}

test("one chooses where one is told what, confirms an address, stops it, and gets a new password by it", async () => {
    const { context, page, heard } = await visitor();
    await page.goto(`${server.url}#/account`);
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Paula");
    await page.getByLabel("Password").fill("behind the stairs");
    await page.locator("form").getByRole("button", { name: "Sign up" }).click();
    const news = page.getByRole("region", { name: "When you're away" });

    await news.getByLabel("E-mail address").fill("paula@mail.example");
    await news.getByRole("button", { name: "Save" }).click();
    await news.getByText("Open it to confirm the address.").waitFor();
    expect(await accessibility(page)).toEqual([]);
    const other = await context.newPage();
    await follow(other, "confirm");
    await other.getByText("Thank you, your address is confirmed.").first().waitFor();
    expect(await accessibility(other)).toEqual([]);
    await other.close();
    await page.evaluate(() => window.dispatchEvent(new Event("focus"))); // back to where it was said, it is known
    const wishes = news.getByRole("group", { name: "By e-mail, tell me when" });
    await wishes.getByLabel("A game of mine is over").uncheck();
    await news.getByLabel("How often").selectOption("in one message, once a day");
    const ways = async () => ((await (await context.request.get(`${server.url}api/way`)).json()) as { ways: Record<string, unknown>[] }).ways;
    await expect
        .poll(async () => (await ways()).map(({ events, digest }) => ({ events, digest })))
        .toEqual([{ events: ["turn", "clock", "invited", "round"], digest: 24 }]);

    // Without looking at the page anew: the service worker has come meanwhile, or comes.
    await news.getByLabel("Notify this device, even when the game is closed").click();
    const here = news.getByRole("group", { name: "On this device, tell me when" });
    await here.getByLabel("Someone invites me").uncheck();
    await expect.poll(async () => (await ways())[1]?.events).toEqual(["turn", "clock", "over", "round"]);
    for (const width of [1440, 360]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await accessibility(page), `at ${width}`).toEqual([]);
        expect(await cutOff(page), `at ${width}`).toEqual([]);
    }
    await news.getByLabel("Notify this device, even when the game is closed").click();
    await expect.poll(async () => (await ways()).length).toBe(1);

    // Whoever has forgotten his password is helped; what he has open elsewhere ends.
    await page.getByLabel("Account", { exact: true }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await page.getByLabel("E-mail address").fill("paula@mail.example");
    expect(await accessibility(page)).toEqual([]);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("a link is on its way").first().waitFor();
    await follow(page, "recover");
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Use at least 8 characters, and at most 200.").first().waitFor();
    expect(await accessibility(page)).toEqual([]);
    await page.getByLabel("New password").fill("under the stairs");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your new password is saved, Paula.").first().waitFor();
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Paula");
    await page.getByLabel("Password").fill("under the stairs");
    await page.locator("form").getByRole("button", { name: "Log in" }).click();
    await news.getByText("paula@mail.example").waitFor();
    await news.getByRole("button", { name: "Delete" }).click();
    await news.getByLabel("E-mail address").waitFor();
    expect(await ways()).toEqual([]);

    await page.goto(`${server.url}#/stop/AAAA`);
    await page.getByText("This link no longer works.").first().waitFor();
    expect(heard.filter((words) => !/status of 4\d\d/.test(words))).toEqual([]);
    await context.close();
});

/** What the service worker has around it, as far as it is looked at here. */
interface Inside {
    shown: Record<string, unknown>[];
    registration: { showNotification: (title: string, options: object) => Promise<void> };
    clients: { openWindow: (url: string) => Promise<null> };
    WindowClient: { prototype: { focus: () => Promise<void> } };
    lead: (news: { table: string }) => Promise<void>;
}

test("a push message is shown with a way to stop it, but not over the table that it is about", async () => {
    const { context, page } = await visitor();
    await page.goto(`${server.url}#/rules`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    const [worker] = context.serviceWorkers();
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((found) =>
        session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations[0] && found(registrations[0].registrationId)),
    );
    await session.send("ServiceWorker.enable");
    const registrationId = await registered;
    // What the browser would show: without a screen it keeps nothing.
    await worker!.evaluate(() => {
        const scope = self as unknown as Inside;
        scope.shown = [];
        scope.registration.showNotification = (title, options) => Promise.resolve(void scope.shown.push({ title, ...options }));
    });
    const shown = () => worker!.evaluate(() => (self as unknown as Inside).shown);
    const deliver = (table: string, text: string) => {
        const news = { event: "turn", table, title: "The Hunt for the Grail", text, stop: "Unsubscribe", token: "abc" };
        return session.send("ServiceWorker.deliverPushMessage", { origin: server.url.slice(0, -1), registrationId, data: JSON.stringify(news) });
    };
    await deliver("one", "It's your turn.");
    const actions = [{ action: "stop", title: "Unsubscribe" }];
    const news = { title: "The Hunt for the Grail", body: "It's your turn.", tag: "one", data: { table: "one", token: "abc" }, actions };
    await expect.poll(shown).toMatchObject([news]);
    await page.goto(`${server.url}#/t/two`);
    await page.bringToFront();
    await deliver("two", "It's your turn.");
    await deliver("three", "It's your turn.");
    await expect.poll(async () => (await shown()).map(({ tag }) => tag)).toEqual(["one", "three"]);

    // Whoever clicks on it is led there in a window that shows no other game.
    const led = await worker!.evaluate(async () => {
        const opened: string[] = [];
        const { clients, WindowClient, lead } = self as unknown as Inside;
        clients.openWindow = (url) => Promise.resolve((opened.push(url), null));
        WindowClient.prototype.focus = () => Promise.resolve(); // which only a click may
        await lead({ table: "four" });
        return opened;
    });
    expect(led).toEqual([`${server.url}#/t/four`]);
    await page.goto(`${server.url}#/rules`);
    await worker!.evaluate(() => (self as unknown as Inside).lead({ table: "five" }));
    await page.waitForURL(/#\/t\/five$/);
    await context.close();
});
