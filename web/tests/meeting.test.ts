// How people come to a table: a quick game, an invitation, a link; and from one game that waits to the next.
import { expect, test } from "vitest";
import { house, join, leave, tableByHand, type Person } from "./people.ts";

const { person, guest } = house();

const phone = { viewport: { width: 390, height: 844 } };
const isAtTable = ({ page }: Person) => page.waitForURL(/#\/t\//);
const looking = ({ page }: Person, people: number, players: number) =>
    page
        .locator("strong", { hasText: `Looking for players: ${people} of ${players}.` })
        .first()
        .waitFor();
const opening = ({ page }: Person) => page.getByRole("group", { name: "The eight initiates" }).waitFor();

test("two people find each other by a quick game, one of them from the start page without a name", async () => {
    const ann = await person("Ann", "", phone);
    await ann.page.getByRole("link", { name: /Quick game online/ }).click();
    await ann.page.getByLabel("Name", { exact: true }).fill("Ann");
    await ann.page.getByRole("button", { name: "Play", exact: true }).click();
    await looking(ann, 1, 2);
    await ann.page.getByText(/Computers join in \d+ s/).waitFor();
    expect(ann.page.url()).not.toContain("quick");

    await ann.page.getByRole("button", { name: "Cancel" }).click();
    await ann.page.getByLabel("3", { exact: true }).check();
    await ann.page.getByLabel("Computers join").selectOption({ label: "after 10 minutes" });
    await ann.page.getByRole("button", { name: "Play", exact: true }).click();
    await looking(ann, 1, 3);
    await ann.page.goto(ann.page.url().replace("#/online", "#/rules")); // he waits wherever he looks
    await looking(ann, 1, 3);

    const bob = await guest("Bob");
    await bob.page.getByLabel("Computers join").selectOption({ label: "after 15 seconds" });
    await bob.page.getByRole("button", { name: "Play", exact: true }).click();
    for (const who of [ann, bob]) await looking(who, 2, 3);
    for (const who of [ann, bob]) {
        await who.page.waitForURL(/#\/t\//); // a computer has taken the third seat
        await opening(who);
    }
    expect(ann.page.url().replace(/.*#/, "")).toBe(bob.page.url().replace(/.*#/, ""));
    await leave(ann, bob);
}, 90_000);

test("a link leads somebody without a name through it to the seat in one step", async () => {
    const host = await guest("Hanna");
    const link = await tableByHand(host, { players: 4 });
    // As long as nobody else sits there, she may want something else.
    await host.page.getByRole("button", { name: "Change the terms" }).click();
    const terms = host.page.getByRole("region", { name: "Change the terms" });
    expect(await terms.getByLabel(/^Players/).inputValue()).toBe("4");
    await terms.getByLabel(/^Players/).selectOption("2");
    await terms.getByRole("button", { name: "Change the terms" }).click();
    await host.page.getByText("1 of 2 seats taken").waitFor();
    const gast = await person("Gawain", link.replace(/.*#/, "#"), phone);
    await gast.page.getByLabel("Name", { exact: true }).fill("Gawain");
    await gast.page.getByRole("button", { name: "Take a seat" }).click();
    for (const who of [host, gast]) await opening(who);
    await leave(host, gast);
}, 90_000);

test("friends invite each other, and one is led from game to game", async () => {
    const [iris, jon] = [await guest("Iris"), await guest("Jon")];
    await iris.page.getByLabel("Player's name").fill("Jon");
    await iris.page.getByRole("button", { name: "Add friend" }).click();
    await jon.page.getByRole("group", { name: "Iris wants to be your friend." }).waitFor(); // in sight on every page
    await jon.page.getByRole("button", { name: "Accept: Iris" }).click();
    const friends = iris.page.getByRole("region", { name: "Friends" });
    await friends.getByText("1 online").waitFor();

    const first = await tableByHand(iris, { players: 2, listed: false });
    await iris.page.getByRole("button", { name: "Invite: Jon" }).click();
    await jon.page.getByRole("group", { name: "Iris invites you to a table." }).waitFor();
    await jon.page.getByRole("button", { name: "Take a seat" }).click();
    await isAtTable(jon);
    await opening(jon);
    expect(await jon.page.getByRole("group", { name: "Iris invites you to a table." }).count()).toBe(0);

    // A second game with the same people; Iris is asked at both.
    const second = await tableByHand(jon, { players: 2, listed: false });
    await jon.page.getByRole("button", { name: "Invite: Iris" }).click();
    await iris.page.getByRole("button", { name: "Take a seat" }).click();
    await iris.page.waitForURL((address) => address.href === second);
    await opening(iris);
    await iris.page.getByRole("link", { name: "Next game (1)" }).click();
    await iris.page.waitForURL((address) => address.href === first);
    await opening(iris);
    // The table has the rest of the window.
    expect(await iris.page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
    await iris.page.goto(first.replace(/#.*/, ""));
    await iris.page.getByRole("link", { name: "2 games are waiting for you." }).click();
    await isAtTable(iris);
    await opening(iris);
    await leave(iris, jon);
}, 90_000);

test("a friend link says whose it is before one has a name", async () => {
    const kai = await person("Kai", "#/online?friend=Lancelot");
    await kai.page.getByText("Enter a name to be friends with Lancelot.").waitFor();
    await kai.page.getByLabel("Name", { exact: true }).fill("Kai");
    await kai.page.getByRole("button", { name: "Continue" }).click();
    await kai.page.getByRole("dialog", { name: "Be friends with Lancelot?" }).waitFor();
    await leave(kai);
});

test("of games that wait, one is led to a live one first", async () => {
    const [mia, noah] = [await guest("Mia"), await guest("Noah")];
    const tables: string[] = [];
    for (const time of [86_400_000, 60_000]) {
        tables.push(await tableByHand(mia, { players: 2, clock: { kind: "move", time } }));
        await join(noah, tables.at(-1)!);
        await opening(mia);
    }
    await mia.page.goto(tables[0]!.replace(/#.*/, ""));
    const way = mia.page.getByRole("link", { name: "2 games are waiting for you." });
    await expect.poll(() => way.getAttribute("href")).toBe(tables[1]!.replace(/.*#/, "#"));
    await leave(mia, noah);
}, 90_000);
