// People at a table of a real server, each in a browser of his own.
import { expect, test } from "vitest";
import { finish } from "./player.ts";
import { accessibility } from "./browser.ts";
import { againstComputer, asked, backToTable, beGuest, figures, house, join, known, leave, newTable, open, press, step, type Person } from "./people.ts";

const home = house("--absent", "1");
const { guest, person } = home;

test("a guest opens a table, another joins from the lobby, a third by link", async () => {
    const ann = await guest("Ann");
    const bob = await guest("Bob");
    await ann.page.getByRole("button", { name: "New table" }).click();
    expect(await accessibility(ann.page)).toEqual([]);
    await ann.page.getByRole("button", { name: "Open the table" }).click();
    await ann.page.getByRole("heading", { name: "Waiting for players" }).waitFor();
    const link = await ann.page.getByLabel("Link to this table").inputValue();
    expect(link).toMatch(/\/t\/[\w-]{20,}$/);
    await ann.page.getByRole("button", { name: "QR code" }).click();
    await ann.page.getByRole("img", { name: "QR code of the link" }).waitFor();
    expect(await accessibility(ann.page)).toEqual([]);

    await bob.page.getByRole("button", { name: "Join: Ann, 2 free seats" }).click();
    await bob.page.getByRole("heading", { name: "Waiting for players" }).waitFor();
    await ann.page.getByRole("listitem").filter({ hasText: "Bob" }).waitFor();
    // He changes his mind, and comes back.
    await bob.page.getByRole("button", { name: "Leave table" }).click();
    await bob.page.getByRole("button", { name: "Join: Ann, 2 free seats" }).click();

    const eve = await person("Eve", link.slice(home.server.url.length));
    await eve.page.getByRole("heading", { name: "New to this game?" }).waitFor(); // whoever comes by a link may know nothing of it
    await eve.page.getByText("Enter a name to take a seat.").waitFor();
    await eve.page.getByLabel("Name", { exact: true }).fill("Eve");
    await eve.page.getByRole("button", { name: "Take a seat" }).click();
    for (const { page } of [ann, bob, eve]) await page.getByRole("tab", { name: /^Players/ }).waitFor();
    await leave(ann, bob, eve);
});

test("an account is made of a guest, found again elsewhere, and deleted", async () => {
    const kim = await guest("Kim");
    const other = await person("Kim elsewhere");
    await other.page.getByLabel("Name", { exact: true }).fill("kim");
    await other.page.getByRole("button", { name: "Continue" }).click();
    await other.page.getByText("This name is taken or too similar to one that is.").first().waitFor();
    expect(await accessibility(other.page)).toEqual([]);

    await kim.page.getByRole("button", { name: "Sign up to keep this name" }).click();
    await kim.page.getByLabel("Password").fill("short");
    await kim.page.getByRole("dialog").getByRole("button", { name: "Sign up" }).click();
    await kim.page.getByText("Use at least 8 characters, and at most 200.").first().waitFor();
    await kim.page.getByLabel("Password").fill("in the cellar");
    await kim.page.getByRole("dialog").getByRole("button", { name: "Sign up" }).click();
    await kim.page.getByText("account", { exact: true }).waitFor();

    await other.page.getByRole("button", { name: "Log in" }).first().click();
    await other.page.getByLabel("Name", { exact: true }).fill("Kim");
    await other.page.getByLabel("Password").fill("in the attic");
    await other.page.locator("form").getByRole("button", { name: "Log in" }).click();
    await other.page.getByText("The name or the password is wrong.").first().waitFor();
    await other.page.getByLabel("Password").fill("in the cellar");
    await other.page.locator("form").getByRole("button", { name: "Log in" }).click();
    await other.page.getByRole("region", { name: "Your account" }).getByText("Kim").waitFor();
    await other.page.getByLabel("Account", { exact: true }).click();
    await other.page.getByRole("button", { name: "Log out" }).click();
    await other.page.getByRole("heading", { name: "What's your name?" }).waitFor();

    await kim.page.getByLabel("Account", { exact: true }).click();
    await kim.page.getByRole("button", { name: "Delete account" }).click();
    const dialog = kim.page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Delete permanently" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Your name").fill("Kim");
    await dialog.getByLabel("Password").fill("in the cellar");
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await kim.page.getByRole("heading", { name: "What's your name?" }).waitFor();
    await leave(kim, other);
});

test("four people, somebody who watches, a broken connection, a replacement: a whole game", async () => {
    const [ann, bob, cleo, dan] = await Promise.all(["Anna", "Bert", "Cleo", "Dan"].map((name) => guest(name)));
    const people = [ann!, bob!, cleo!, dan!];
    await ann!.page.getByRole("button", { name: "New table" }).click();
    await ann!.page.getByLabel(/^Players/).selectOption("4");
    await ann!.page.getByLabel("Who may join").selectOption({ label: "anyone with the link" });
    await ann!.page.getByText("More options", { exact: true }).click();
    await ann!.page.getByLabel("Who starts").selectOption({ label: "Seat 1" });
    await ann!.page.getByLabel("Computer speed").selectOption({ label: "fast" });
    await ann!.page.getByRole("button", { name: "Open the table" }).click();
    const link = await ann!.page.getByLabel("Link to this table").inputValue();
    const eve = await person("Eve", link.slice(home.server.url.length));
    for (const somebody of people.slice(1)) {
        await somebody.page.goto(link);
        await somebody.page
            .getByRole("button", { name: /^Sit here/ })
            .first()
            .click();
        const seat = new RegExp(`${somebody.name}.*\\byou\\b`, "s");
        await somebody.page.getByRole("listitem").filter({ hasText: seat }).waitFor();
    }

    // --- the opening: everybody's figures are his alone ---
    const placed: [Person, RegExp, string, number][] = [
        [ann!, /^T1/, "000521", 38],
        [bob!, /^T1/, "05521", 23],
        [cleo!, /^R2/, "00004431", 52],
        [dan!, /^I1/, "0005555443", 61],
    ];
    for (const [who, name, keys, total] of placed) {
        await asked(who, "opening");
        await open(who, name, keys);
        await who.page.getByRole("button", { name: new RegExp(`then ${total}`) }).waitFor();
        await finish(who.page);
        // While the others still think, one's own sheet has what one has put there.
        await who.page.getByRole("button", { name: "Done" }).waitFor({ state: "detached" });
        const portrait = who.page.getByRole("group", { name: "The eight initiates" }).getByRole("button", { name });
        expect(await portrait.textContent(), `${who.name}'s sheet`).toMatch(new RegExp(`\\b${total}\\b`));
    }
    expect(known(eve).you).toBeNull();

    // --- talk ---
    const talkTab = (who: Person) => who.page.getByRole("tab", { name: /^Chat/ });
    await talkTab(ann!).click();
    await ann!.page.getByLabel("Message to everyone").fill("Good luck <b>all</b> & you");
    await ann!.page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => talkTab(bob!).textContent()).toContain("1");
    await talkTab(bob!).click();
    await bob!.page.getByRole("log", { name: "Messages" }).getByText("Good luck <b>all</b> & you").waitFor();
    await bob!.page
        .getByRole("group", { name: /To everyone/ })
        .getByText("Anna")
        .click();
    await bob!.page.getByLabel("Whisper to Anna").fill("Only for you");
    await bob!.page.getByRole("button", { name: "Send" }).click();
    await bob!.page.getByRole("button", { name: "Make an offer" }).click();
    await bob!.page.getByLabel("Kind of offer").selectOption("bring");
    await bob!.page.getByLabel("Field").selectOption("d3");
    await bob!.page.getByRole("button", { name: "Whisper offer" }).click();
    const heard = ann!.page.getByRole("log", { name: "Messages" });
    await heard.getByText("Only for you").waitFor();
    await heard.getByText("Let's bring T1 Alberto Castellano to Akkon d3.").waitFor();
    for (const stranger of [cleo!, dan!, eve]) {
        expect(stranger.frames.some((frame) => frame.includes("Good luck"))).toBe(true);
        expect(stranger.frames.some((frame) => frame.includes("Only for you") || frame.includes("bring T1"))).toBe(false);
    }
    await ann!.page.getByText("Mute someone").click();
    await ann!.page.getByRole("button", { name: "Bert", exact: true, pressed: false }).click();
    await ann!.page.getByText("Muted: Bert").waitFor();
    await ann!.page.getByRole("button", { name: "Bert", exact: true, pressed: true }).click();
    await ann!.page.getByText("Mute someone").waitFor();

    for (const width of [1440, 360]) {
        await cleo!.page.setViewportSize({ width, height: 800 });
        for (const tab of [/^Players/, /^Chat/, /^Orders/]) {
            await cleo!.page.getByRole("tab", { name: tab }).click();
            expect(await accessibility(cleo!.page), `${tab} at ${width}`).toEqual([]);
        }
    }

    // --- a step, with a standing order ---
    await dan!.page.getByRole("tab", { name: /^Orders/ }).click();
    await dan!.page.getByRole("button", { name: "Add order" }).click();
    await dan!.page.getByRole("listitem").filter({ hasText: "Pass until it's my turn." }).waitFor();
    await step(ann!, "b1");
    for (const who of [bob!, cleo!]) {
        await asked(who, "objection");
        await press(who.page, "p");
    }
    await asked(bob!, "turn");
    await expect.poll(() => known(dan!).you?.orders).toEqual(["pass until mine"]);

    // --- a dispute; Bert's connection breaks in the middle of it ---
    await step(bob!, "c1");
    await asked(ann!, "objection");
    await ann!.page.getByRole("button", { name: /^Object with 1/ }).click();
    await asked(cleo!, "objection");
    await press(cleo!.page, "p");
    await asked(bob!, "answer");
    await home.server.cut(bob!.page.context());
    await bob!.page.getByText("Connection lost.").first().waitFor();
    // He insists all the same: it is sent as soon as there is somebody to hear it.
    await press(bob!.page, "m");
    await expect.poll(() => known(ann!).seats[1]?.present).toBe(false);
    expect(known(ann!).view?.phase).toBe("answer");
    await home.server.cut(bob!.page.context(), false);
    // It comes back by itself; whoever cannot wait presses the button, if it is still there.
    await bob!.page
        .getByRole("button", { name: "Reconnect now" })
        .click({ timeout: 2000 })
        .catch(() => undefined);
    await asked(ann!, "objection");
    await bob!.page.getByRole("button", { name: "Reconnect now" }).waitFor({ state: "detached" });
    await press(ann!.page, "p");
    await asked(cleo!, "objection");
    await press(cleo!.page, "p");
    await asked(cleo!, "turn");
    await expect.poll(() => known(bob!).view?.pawns[0]).toBe("c1");
    await bob!.page.getByRole("tab", { name: /^Story/ }).click();
    const story = bob!.page.getByRole("list", { name: "Game log" });
    expect(await story.getByRole("link", { name: cleo!.name }).first().getAttribute("href"), "whose turn it is").toContain("#/player/");

    // --- Dan goes away, and a computer player acts for him until he is back ---
    await home.server.cut(dan!.page.context());
    await step(cleo!, "c2"); // everybody waits for him, among others: only then he can be replaced
    for (const voter of [ann!, bob!]) {
        await voter.page.getByRole("tab", { name: /^Players/ }).click();
        await expect
            .poll(
                async () => {
                    if (known(voter).seats[3]?.computer) return true;
                    const button = voter.page.getByRole("button", { name: "Replace: Dan" });
                    if (await button.isEnabled().catch(() => false)) {
                        await button.click();
                        await voter.page.getByRole("button", { name: "Vote to replace" }).click();
                    }
                    const seats = known(voter).seats as { replace?: number[] }[];
                    return seats[voter === ann! ? 0 : 1]?.replace?.includes(4) ?? false;
                },
                { timeout: 20_000, interval: 500 },
            )
            .toBe(true);
    }
    await expect.poll(() => known(eve).seats[3]?.computer ?? "").toContain("thinker");
    await home.server.cut(dan!.page.context(), false);
    await dan!.page.getByRole("button", { name: "I'm back" }).first().click();
    await expect.poll(() => known(eve).seats[3]?.computer).toBeUndefined();

    // --- T1 fetches the grail, and comes home ---
    const fieldsOf = (who: Person) => known(who).view!;
    const towards = (from: string, to: string) => {
        const [column, row] = [from.charCodeAt(0), from.charCodeAt(1)];
        const [wantedColumn, wantedRow] = [to.charCodeAt(0), to.charCodeAt(1)];
        return column !== wantedColumn
            ? String.fromCharCode(column + Math.sign(wantedColumn - column), row)
            : String.fromCharCode(column, row + Math.sign(wantedRow - row));
    };
    // Anna's record takes its time, and Cleo's does not come at all.
    const records = "**/r/*.gral";
    let bringIt = () => {};
    const brought = new Promise<void>((resolve) => (bringIt = resolve));
    await ann!.page.route(records, (route) => brought.then(() => route.continue()));
    await cleo!.page.route(records, (route) => route.abort());
    for (let rounds = 0; known(eve).stage !== "over" && rounds < 300; rounds++) {
        const who = people.find((somebody) => known(somebody).you?.asked);
        if (!who) {
            await new Promise((resolve) => setTimeout(resolve, 40));
            continue;
        }
        const view = fieldsOf(who);
        const { version } = known(who);
        if (view.phase === "turn") {
            const goal = view.grail === "T1" ? "a1" : view.grail;
            await step(who, towards(view.pawns[0]!, goal));
        } else {
            const round = known(who).round?.answered ?? 0;
            await press(who.page, view.phase === "grail" ? "k" : view.phase === "answer" ? "y" : "p");
            await expect
                .poll(() => known(who).version > version || (known(who).round?.answered ?? 0) > round || !known(who).you?.asked, {
                    interval: 20,
                })
                .toBe(true);
        }
    }
    await expect.poll(() => known(eve).stage).toBe("over");
    // The end takes the stage; whoever does not want to watch the sheets being turned over skips it.
    await ann!.page.locator(".stage.racing").waitFor();
    await ann!.page.getByRole("button", { name: "Skip" }).click();
    await ann!.page.locator(".stage:not(.racing)").getByRole("heading", { name: "You win with T1" }).waitFor();
    bringIt();
    await ann!.page.getByRole("heading", { name: "How it happened" }).waitFor();
    await cleo!.page.locator(".stage:not(.racing)").getByRole("heading", { name: "Anna wins with T1" }).waitFor();

    // --- nobody was sent another's sheet before the end ---
    for (const reader of [...people, eve]) {
        const before = reader.frames.slice(
            0,
            reader.frames.findIndex((frame) => frame.includes('"stage":"over"')),
        );
        expect(before.length).toBeGreaterThan(20);
        for (const [owner, , , total] of placed) {
            const found = before.filter((frame) => figures(JSON.parse(frame)).includes(total));
            if (owner === reader) expect(found.length, `${owner.name} knows his own sheet`).toBeGreaterThan(0);
            else expect(found, `${reader.name} knows of ${owner.name}`).toEqual([]);
        }
        const seat = known(reader).you?.seat ?? 0;
        const acts = before.flatMap((frame) => (JSON.parse(frame) as { happened?: { seat: number; action?: string }[] }).happened ?? []);
        expect(acts.filter((act) => act.action?.startsWith("place") && act.seat !== seat)).toEqual([]);
    }

    expect(figures(known(eve).view)).toEqual(expect.arrayContaining(placed.map(([, , , total]) => total)));

    // --- once more ---
    await backToTable(bob!);
    await bob!.page.getByRole("tab", { name: /^Players/ }).click();
    await bob!.page.getByRole("region", { name: "Players" }).getByRole("button", { name: "Rematch" }).click();
    await expect.poll(() => ann!.page.getByRole("button", { name: "Join it" }).count()).toBeGreaterThan(0);
    await leave(...people, eve);
}, 300_000);

test("whoever is asked hears a bell, and a hidden page tells it by a notification", async () => {
    const ida = await person("Ida");
    await ida.page.addInitScript(() => {
        const told: string[] = [];
        Object.assign(globalThis, { told, away: false });
        class Told {
            static permission = "default";
            static requestPermission = async () => (Told.permission = "granted");
            onclick = null;
            constructor(_title: string, { body }: { body: string }) {
                told.push(body);
            }
            close() {}
        }
        Object.assign(globalThis, { Notification: Told });
        Object.defineProperty(document, "hidden", { get: () => (globalThis as unknown as { away: boolean }).away });
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...given) {
            told.push("bell");
            start.apply(this, given);
        };
    });
    await ida.page.reload();
    await beGuest(ida.page, "Ida");
    const jan = await guest("Jan");
    await join(jan, await newTable(ida, () => ida.page.getByLabel(/^Players/).selectOption("2")));
    for (const { page } of [ida, jan]) await page.getByRole("group", { name: "The eight initiates" }).waitFor();
    const told = () => ida.page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
    await expect.poll(told).toContain("bell");
    expect((await told()).filter((words) => words !== "bell")).toEqual([]);
    expect(await ida.page.title()).toContain("● Your turn");
    // Whether to be notified is asked of those who wait, over the table, which keeps its size.
    const yes = ida.page.getByRole("button", { name: "Yes", exact: true });
    expect(await yes.count()).toBe(0);
    await finish(ida.page);
    await ida.page.getByRole("tab", { name: /^Players/ }).waitFor();
    const board = () => ida.page.locator(".board-place").boundingBox();
    const before = await board();
    await yes.click();
    expect(await board()).toEqual(before);
    await ida.page.evaluate(() => Object.assign(globalThis, { away: true }));
    await finish(jan.page);
    await expect.poll(told).toContain("It's your turn.");
    await leave(ida, jan);
});

test("two tabs of one person show the same, and what one does the other sees", async () => {
    const joe = await guest("Joe");
    await againstComputer(joe);
    const second = await joe.page.context().newPage();
    await second.goto(joe.page.url());
    await finish(second);
    await asked(joe, "turn");
    await joe.page.getByText("It's your turn: propose a move or assign influence.").first().waitFor();
    await second.getByText("It's your turn: propose a move or assign influence.").first().waitFor();
    await second.close();
    // One tab is left: he is still there, and when the server has done what he asks for next it has heard of the other.
    await step(joe, "b1");
    expect(known(joe).seats[0]?.present).toBe(true);
    await leave(joe);
});

test("nobody finds a table that is not there", async () => {
    const lost = await person("Lost", "#/t/AAAAAAAAAAAAAAAAAAAAAA");
    await lost.page.getByRole("heading", { name: "Table not found" }).waitFor();
    await lost.page.getByText("this table does not exist").first().waitFor();
    expect(await accessibility(lost.page)).toEqual([]);
    await leave(lost);
});
