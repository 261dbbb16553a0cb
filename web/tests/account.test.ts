// Who one is on the server: figures, games, tokens for programs; and the lobby as one finds it.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { accessibility, cutOff } from "./browser.ts";
import { asked, backToTable, chooseInMenu, finishOpening, house, join, known, leave, newTable, request, tab, tableByHand, type Person } from "./people.ts";

const home = house();
const { guest, person } = home;

test("an account has figures and games after the first game, and a token that can be ended", async () => {
    const nora = await person("Nora");
    const { page } = nora;
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Nora");
    await page.getByLabel("Password").fill("behind the stairs");
    await page.locator("form").getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("link", { name: "Your games and results" }).click();
    await page.getByText("No finished games yet.").first().waitFor();
    expect(await accessibility(page)).toEqual([]);

    const otto = await guest("Otto");
    await page.getByRole("link", { name: "Go to the lobby" }).click();
    await join(otto, await newTable(nora, () => page.getByLabel(/^Players/).selectOption("2")));
    await finishOpening(nora, otto);
    await chooseInMenu(nora, "Offer a draw");
    await otto.page.getByRole("button", { name: "Agree", exact: true }).click();
    await page.getByText("The game is a draw.").first().waitFor();
    // Whom one plays with has figures too.
    await backToTable(nora);
    await tab(nora, /^Players/);
    await page.getByRole("region", { name: "Players" }).getByRole("button", { name: "Otto" }).click();
    await page.getByRole("dialog").getByText("won 0 of 1, 1 drawn").waitFor();
    await page.getByRole("dialog").getByRole("link", { name: "Go to the profile" }).waitFor();
    expect(await accessibility(page)).toEqual([]);
    // Whoever runs the server can be told; and what he tells is shown until it is closed.
    await page.getByText("Report this player").click();
    await page.getByLabel("What's wrong?").fill("never laughs");
    expect(await accessibility(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await page.getByText("Thank you. Your report was sent.").first().waitFor();

    // Her own page says how she plays; Otto's name leads to his.
    await page.evaluate(() => (location.hash = "#/player/Nora"));
    await page.getByRole("heading", { level: 1, name: "Nora" }).waitFor();
    const results = page.getByRole("region", { name: "Results" });
    await results.getByText("2 players, by days").waitFor();
    await results.getByText("won 0 of 1, 1 drawn").waitFor();
    const games = page.getByRole("region", { name: "Finished games" });
    await games.getByRole("link", { name: /^Replay: Otto/ }).waitFor();
    for (const width of [1440, 360]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await accessibility(page), `at ${width}`).toEqual([]);
        expect(await cutOff(page), `at ${width}`).toEqual([]);
    }
    await page.getByRole("region", { name: "Opponents" }).getByRole("link", { name: "Otto" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Otto" }).waitFor();
    await page.getByText("Otto doesn't show you: games, favourites and bluffs.").waitFor();
    await page.goBack();

    // What she shows, Otto sees; and nothing that she does not.
    const ottoSees = async (...parts: string[]) => {
        await otto.page.evaluate(() => (location.hash = "#/online"));
        await otto.page.getByRole("heading", { level: 1, name: "Play online" }).waitFor();
        await otto.page.evaluate(() => (location.hash = "#/player/Nora"));
        await otto.page.getByRole("heading", { level: 1, name: "Nora" }).waitFor();
        await expect.poll(() => otto.page.getByRole("heading", { level: 2 }).allTextContents()).toEqual(parts);
    };
    await ottoSees("Results", "Opponents", "Ratings");
    const show = async (part: string, to: string) => {
        const before = nora.frames.length;
        await page.getByLabel(part).selectOption({ label: to });
        await expect.poll(() => nora.frames.slice(before).some((frame) => frame.includes('"ok":true'))).toBe(true);
    };
    await show("Results and opponents", "nobody");
    await show("List of games", "everyone");
    await ottoSees("Ratings", "Finished games");
    await otto.page.getByRole("link", { name: /^Replay: Otto/ }).click();
    await otto.page.waitForURL(/#\/r\//);
    await otto.page.getByRole("heading", { level: 1 }).getByText("Nora").waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("Results and opponents").inputValue()).toBe("nobody");
    await page.evaluate(() => (location.hash = "#/account"));

    const whoHas = async (token: string) => {
        const answer = await fetch(`${home.server.url}api/me`, { headers: { Authorization: `Bearer ${token}` } });
        return answer.ok ? ((await answer.json()) as { name: string }).name : answer.status;
    };
    await page.getByLabel("Name of the program").fill("my <owl>");
    await page.getByRole("button", { name: "New token" }).click();
    const token = await page.getByLabel(/^Your new token/).inputValue();
    await page.getByRole("list", { name: "Your tokens" }).getByText("my <owl>").waitFor();
    expect(await whoHas(token)).toBe("Nora");
    await page.getByRole("button", { name: "Revoke: my <owl>" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByRole("list", { name: "Your tokens" }).waitFor({ state: "detached" });
    expect(await whoHas(token)).toBe(401);

    const [archive] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download your data" }).click()]);
    expect(archive.suggestedFilename()).toBe("gral.tar");
    const unpacked = (await readFile(await archive.path())).toString();
    for (const part of ["gral/account.json", '"name":"Nora"', '[Player2 "Otto"]', '"ended":"agreed"']) expect(unpacked).toContain(part);

    // Another device is listed and logged out; the name and the password change.
    const logIn = async (password: string) => {
        const body = JSON.stringify({ name: "Nora", password, label: "a phone" });
        const answer = await fetch(`${home.server.url}api/login`, { method: "POST", body });
        return answer.ok ? answer.headers.getSetCookie().find((cookie) => cookie.startsWith("gral="))! : answer.status;
    };
    const cookie = await logIn("behind the stairs");
    await page.reload();
    const sessions = page.getByRole("list", { name: "Where you're logged in" });
    await sessions.getByText("this device").waitFor();
    await sessions.getByRole("button", { name: "Log out: a phone" }).click();
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);
    expect((await fetch(`${home.server.url}api/me`, { headers: { Cookie: String(cookie) } })).status).toBe(401);
    const change = async (what: string, fields: Record<string, string>) => {
        await page.getByLabel("Account", { exact: true }).click();
        await page.getByRole("button", { name: `Change ${what}` }).click();
        for (const [label, value] of Object.entries(fields)) await page.getByRole("dialog").getByLabel(label, { exact: true }).fill(value);
        expect(await accessibility(page)).toEqual([]);
        await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    };
    await change("password", { "Current password": "wrong wrong", "New password": "under the stairs" });
    await page.getByRole("dialog").getByText("The password is wrong.").first().waitFor();
    await page.keyboard.press("Escape");
    await change("password", { "Current password": "behind the stairs", "New password": "under the stairs" });
    await page.getByText("Password changed.").first().waitFor();
    expect(await logIn("behind the stairs")).toBe(403);
    await change("name", { "New name": "Otto" });
    await page.getByRole("dialog").getByText("This name is taken or too similar to one that is.").first().waitFor();
    await page.keyboard.press("Escape");
    await change("name", { "New name": "Norina" });
    await page.getByText("You're Norina now.").first().waitFor();
    await page.getByRole("region", { name: "Your account" }).getByText("Norina").waitFor();

    await page.getByRole("link", { name: "Your games and results" }).click();
    await games.getByRole("link", { name: /^Replay: Otto/ }).click();
    await page
        .getByRole("heading", { name: /Norina/ })
        .first()
        .waitFor();
    await page.getByText("The game is a draw.").waitFor();
    await leave(nora, otto);
});

/** The tables in somebody's lobby, as he was told. */
function listed({ frames }: Person) {
    const tables = new Set<string>();
    for (const frame of frames) {
        const said = JSON.parse(frame) as { own?: unknown; tables?: { table: string }[]; gone?: string[] };
        if (said.own) tables.clear();
        for (const { table } of said.tables ?? []) tables.add(table);
        for (const table of said.gone ?? []) tables.delete(table);
    }
    return tables;
}

test("the lobby shows the tables one wants, and where one is waited for", async () => {
    // The lobby shows three open tables of a person.
    const [piet, quinn, rita] = [await guest("Piet"), await guest("Quinn"), await guest("Rita")];
    const link = await tableByHand(piet, { players: 2, first: 1 });
    for (const terms of [{ players: 3 }, { players: 3, clock: { kind: "move", time: 60_000 } }]) await tableByHand(piet, terms);
    for (const terms of [
        { players: 5, clock: { kind: "bank", time: 86_400_000, increment: 0, answer: 86_400_000 } },
        { players: 4, rules: "original", hq: "TAIR" },
    ])
        await tableByHand(rita, terms);
    const { page } = quinn;
    const joins = page.getByRole("button", { name: /^Join/ });
    await expect.poll(() => joins.count()).toBe(5);
    const filter = (what: string) => page.getByLabel(`Filter tables: ${what}`);
    await filter("Players").selectOption("3");
    await expect.poll(() => joins.count()).toBe(2);
    await filter("Clock").selectOption("together");
    await expect.poll(() => joins.count()).toBe(1);
    await filter("Rules").selectOption("original");
    await page.getByText("No other tables match.").waitFor();
    expect(await accessibility(page)).toEqual([]);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => joins.count()).toBe(5);

    await join(quinn, link);
    await piet.page.goto(link);
    await finishOpening(piet);
    await asked(quinn, "opening");
    for (const who of [piet, quinn]) await who.page.evaluate(() => (location.hash = "#/online"));
    // A table that nobody looks at is listed no more; those who play there find it all the same.
    const id = link.split("/").at(-1)!;
    for (const [who, turn] of [
        [piet, 0],
        [quinn, 1],
    ] as const) {
        await expect.poll(() => listed(who).has(id)).toBe(false);
        const row = who.page.getByRole("listitem").filter({ has: who.page.getByRole("link", { name: "Open: Piet, Quinn", exact: true }) });
        await row.getByRole("link", { name: /^Open/ }).waitFor();
        await expect.poll(() => row.getByText("Your turn").count(), { message: who.name }).toBe(turn);
    }
    await leave(piet, quinn, rita);
});

test("people who wait for others can talk already", async () => {
    const [rosa, sam] = [await guest("Rosa"), await guest("Sam")];
    await join(sam, await newTable(rosa, () => rosa.page.getByLabel(/^Players/).selectOption("3")));
    await rosa.page.getByLabel("Message to everyone").fill("Who else comes?");
    await rosa.page.getByRole("button", { name: "Send" }).click();
    await sam.page.getByRole("log", { name: "Messages" }).getByText("Who else comes?").waitFor();
    expect(await sam.page.getByRole("log", { name: "Messages" }).getAttribute("aria-live")).toBe("polite");
    expect(await accessibility(sam.page)).toEqual([]);
    await leave(rosa, sam);
});

test("what is said at a table is read out once", async () => {
    const [tom, uta] = [await guest("Tom"), await guest("Uta")];
    await join(uta, await newTable(tom, () => tom.page.getByLabel(/^Players/).selectOption("2")));
    for (const who of [tom, uta]) {
        await asked(who, "opening");
        await tab(who, /^Chat/);
    }
    await tom.page.getByLabel("Message to everyone").fill("Good luck");
    await tom.page.getByRole("button", { name: "Send" }).click();
    await uta.page.getByRole("log", { name: "Messages" }).getByText("Good luck").waitFor();
    const heard = uta.page.locator(":is([role=log], [role=status], [role=alert], [aria-live]):not([aria-live=off])").getByText("Good luck");
    await heard.first().waitFor({ state: "attached" });
    expect(await heard.count()).toBe(1);
    await leave(tom, uta);
});

async function registered(name: string): Promise<Person> {
    const somebody = await person(name);
    const body = JSON.stringify({ name, password: "under the roof" });
    expect(await somebody.page.evaluate((body) => fetch("api/register", { method: "POST", body }).then(({ ok }) => ok), body), name).toBe(true);
    await somebody.page.reload();
    return somebody;
}

test("whoever is logged out elsewhere is told so, and how to come back", async () => {
    const vera = await registered("Vera");
    const { page } = vera;
    const link = await tableByHand(vera, { players: 3 });
    await page.getByText("1 of 3 seats taken").waitFor();
    const other = await page.context().newPage();
    await other.goto(home.server.url);
    await other.evaluate(() => fetch("api/logout", { method: "POST" }));
    await page.getByText("You've been logged out on this device.").first().waitFor();
    await page.getByText("Enter a name to take a seat.").waitFor();
    expect(page.url(), "nobody has asked her to leave").toBe(link);
    expect(await page.getByText("The host has asked you to leave this table.").count()).toBe(0);
    await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Password").fill("under the roof"); // the table asked for a name, too
    await page.getByLabel("Name", { exact: true }).fill("Vera");
    await page.locator("form").getByRole("button", { name: "Log in" }).click();
    await page.getByText("Welcome, Vera.").first().waitFor();
    await leave(vera);
});

test("a rated table leads guests through an account to the seat", async () => {
    const ronja = await registered("Ronja");
    const link = await tableByHand(ronja, { players: 3, rated: true, clock: { kind: "move", time: 60_000 } });
    await ronja.page.getByText("Anyone with this link and an account can take a free seat.").waitFor();

    const una = await person("Una", link.replace(/.*#/, "#"));
    await una.page.getByText("To play rated games, set a password for your name first.").waitFor();
    expect(await una.page.getByRole("button", { name: "As a guest" }).count()).toBe(0);
    const timo = await guest("Timo");
    await timo.page.getByRole("button", { name: "Join: Ronja, 2 free seats" }).click();
    await timo.page.getByText("To play rated games, set a password for your name first.").waitFor();
    expect(await timo.page.getByRole("button", { name: /^Sit here/ }).count()).toBe(0);
    expect(await accessibility(timo.page)).toEqual([]);
    expect(await timo.page.getByLabel("Name", { exact: true }).inputValue()).toBe("Timo");
    await una.page.getByLabel("Name", { exact: true }).fill("Una");
    for (const { page } of [timo, una]) {
        await page.getByLabel("Password").fill("under the roof");
        await page.locator("form").getByRole("button", { name: "Sign up" }).click();
        await page
            .getByRole("group", { name: "The eight initiates" })
            .or(page.getByRole("button", { name: "Leave table" }))
            .waitFor();
    }
    for (const { page } of [ronja, timo, una]) await page.getByRole("group", { name: "The eight initiates" }).waitFor();
    await leave(ronja, timo, una);
});

test("a rated game moves both ratings; the ranking and the results show them", async () => {
    const [sara, tilo] = [await registered("Sara"), await registered("Tilo")];
    await sara.page.getByRole("button", { name: "New table" }).click();
    const rated = sara.page.getByLabel(/^Rated/);
    expect(await rated.isDisabled(), "without a clock").toBe(true);
    await sara.page.getByLabel(/^Clock/).selectOption({ label: "per decision" });
    await sara.page.getByLabel(/^Players/).selectOption("2");
    await rated.check();
    await sara.page.getByText("More options", { exact: true }).click();
    await sara.page.getByLabel("Who starts").selectOption({ label: "Seat 1" });
    await sara.page.getByRole("button", { name: "Open the table" }).click();
    await sara.page.waitForURL(/#\/t\//);
    await join(tilo, sara.page.url());

    const table = sara.page.url().split("/").at(-1)!;
    for (const [who, ...actions] of [
        [sara, "done"],
        [tilo, "done"],
        [sara, "assign", "done"],
        [tilo, "assign", "done"],
    ] as const) {
        await asked(who, actions.length > 1 ? "turn" : "opening");
        await request(who, { do: "act", table, version: known(who).version, actions });
    }
    await request(sara, { do: "resign", table });
    await request(tilo, { do: "resign", table });
    await sara.page
        .getByText(/^Your rating: 1\d\d\d \(−\d+\)$/)
        .first()
        .waitFor();
    const { page } = tilo;
    await page
        .getByText(/^Your rating: 1\d\d\d \(\+\d+\)$/)
        .first()
        .waitFor();

    await page.evaluate(() => (location.hash = "#/online"));
    await page.getByText("Ranking", { exact: true }).click();
    await expect.poll(() => page.getByRole("rowheader").allTextContents()).toEqual(["Tilo", "Sara"]);
    await page.getByRole("rowheader").getByRole("link", { name: "Tilo" }).click();
    // The kind that is played most is open: the plot, and the same as a table.
    await page.getByRole("img", { name: /^1\d\d\d after one game$/ }).waitFor();
    await page.getByText("Game by game").press("Enter");
    await page.getByRole("cell", { name: "Replay" }).getByRole("link").waitFor();
    for (const width of [1440, 360]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await accessibility(page), `at ${width}`).toEqual([]);
        expect(await cutOff(page), `at ${width}`).toEqual([]);
    }
    await leave(sara, tilo);
});
