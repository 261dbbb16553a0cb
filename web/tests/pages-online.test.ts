// Playing with others, from the name to the account.
import type { Page } from "playwright-core";
import { gallery, type Open } from "./scenes.ts";

const house = gallery();
const { go, site, show } = house;

let guests = 0;
const guest: Open = async (page) => {
    await go(page, "#/online");
    await page.getByLabel("Name", { exact: true }).fill(`Ann${++guests}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "New table" }).waitFor();
};
const newTable: Open = async (page) => {
    await guest(page);
    await page.getByRole("button", { name: "New table" }).click();
};
const gathering: Open = async (page) => {
    await newTable(page);
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.getByLabel("Link to this table").waitFor();
};

/** Gives orders to the server beside the page; resolves with the last answer. */
const order = (page: Page, ...orders: object[]) =>
    page.evaluate(
        (orders) =>
            new Promise<{ table: string; tournament: string }>((done, refused) => {
                const socket = new WebSocket(new URL("ws", document.baseURI.replace("http", "ws")));
                let at = 0;
                socket.onmessage = ({ data }) => {
                    const message = JSON.parse(String(data)) as { push?: string; re?: string; error?: string; table: string; tournament: string };
                    if (message.error) refused(new Error(String(data)));
                    if (message.push !== "hello" && message.re === undefined) return;
                    if (at < orders.length) return socket.send(JSON.stringify({ id: `by hand ${at}`.replaceAll(" ", "-"), ...orders[at++] }));
                    socket.close();
                    done(message);
                };
            }),
        orders,
    );
const account: Open = async (page) => {
    await go(page, "#/settings");
    const other = await (await site.browser.newContext({ locale: "en" })).newPage();
    await guest(other);
    await page.evaluate(
        (name) =>
            fetch("api/register", {
                method: "POST",
                body: JSON.stringify({ name, password: "behind the stairs" }),
                headers: { "Content-Type": "application/json" },
            }),
        `Vera${++guests}`,
    );
    const { table } = await order(page, { do: "create", players: 2, first: 1 });
    await order(other, { do: "sit", table }, { do: "draw", table });
    await order(page, { do: "draw", table });
    await go(page, "#/account", "#data");
    await other.context().close();
};
const player: Open = async (page) => {
    await account(page);
    await go(page, `#/player/Vera${guests}`, ".games li");
    await page.getByRole("region", { name: "Opponents" }).waitFor();
};

const tournament: Open = async (page) => {
    await account(page);
    const { tournament } = await order(page, { do: "announce", title: "Nora", system: "swiss", people: 3 });
    for (let count = 0; count < 2; count++) {
        const other = await (await site.browser.newContext({ locale: "en" })).newPage();
        await guest(other);
        await order(other, { do: "join", tournament });
        await other.context().close();
    }
    await go(page, `#/tournament/${tournament}`, "#standings");
};

show([
    ["an account", account],
    ["a player with a finished game", player],
    [
        "playing online without a server",
        async (page) => {
            await page.goto(`${site.url}#/online`);
            await page.getByText("No game server here").waitFor();
        },
    ],
    [
        "playing online, before somebody has a name",
        async (page) => {
            await go(page, "#/online");
            await page.getByLabel("Name", { exact: true }).waitFor();
        },
    ],
    ["the lobby", guest],
    ["the form of a new table", newTable],
    ["a table that gathers", gathering],
    ["a tournament", tournament],
    [
        "the form of a new tournament",
        async (page) => {
            await account(page);
            await go(page, "#/tournament", "button.new");
            await page.getByRole("button", { name: "New tournament" }).click();
        },
    ],
    [
        "an online game",
        async (page) => {
            await gathering(page);
            const other = await site.browser.newContext({ locale: "en" });
            const second = await other.newPage();
            await guest(second);
            await second.goto(`${house.server.url}#/t/${/\/t\/([\w-]+)/.exec(await page.getByLabel("Link to this table").inputValue())![1]}`);
            await second
                .getByRole("button", { name: /Sit here/ })
                .first()
                .click();
            const third = await (await site.browser.newContext({ locale: "en" })).newPage();
            await guest(third);
            await third.goto(second.url());
            await third
                .getByRole("button", { name: /Sit here/ })
                .first()
                .click();
            await page.waitForSelector(".status[data-phase=opening]");
        },
    ],
]);
