// A tournament from the announcement to the last point, each person in a browser of his own.
import { expect, test } from "vitest";
import { chooseInMenu, house, leave, type Person } from "./people.ts";

const { person, guest } = house();

async function registered(name: string): Promise<Person> {
    const somebody = await person(name, "#/settings");
    const body = JSON.stringify({ name, password: "in the cellar" });
    expect(await somebody.page.evaluate((body) => fetch("api/register", { method: "POST", body }).then(({ ok }) => ok), body), name).toBe(true);
    await somebody.page.goto(somebody.page.url().replace(/#.*/, "#/online"));
    return somebody;
}

/** Somebody without a name, who joins in one step. */
async function byLink(name: string, there: string): Promise<Person> {
    const somebody = await person(name, there);
    await somebody.page.getByLabel("Name", { exact: true }).fill(name);
    await somebody.page.getByRole("button", { name: "Join", exact: true }).click();
    return somebody;
}

const standings = ({ page }: Person) =>
    page
        .getByRole("region", { name: "Standings" })
        .getByRole("row")
        .allInnerTexts()
        .then((rows) => rows.slice(1).map((row) => row.replace(/\s+/g, " ").trim()));

test("three people announce, join and play a round-robin, and see live how they stand", async () => {
    const ann = await registered("Ann");
    await ann.page.getByRole("link", { name: "Tournaments" }).click();
    await ann.page.getByText("There are no tournaments at the moment.").waitFor();
    await ann.page.getByRole("button", { name: "New tournament" }).click();
    await ann.page.getByLabel("Title").fill("Friday evening");
    await ann.page.getByLabel(/^System/).selectOption({ label: "Round-robin" });
    await ann.page.getByLabel(/^Players/).fill("3");
    await ann.page.getByLabel(/^Time per round/).selectOption({ label: "20 minutes" });
    await ann.page.getByRole("button", { name: "Announce the tournament" }).click();
    await ann.page.waitForURL(/#\/tournament\/./);
    await ann.page.getByText("1 of 3 players has joined").waitFor();
    const there = ann.page.url().replace(/.*#/, "#");

    // Whoever has announced it can do without somebody.
    const eve = await byLink("Eve", there);
    await ann.page.getByText("2 of 3 players have joined").waitFor();
    await ann.page.getByRole("button", { name: "Remove: Eve" }).click();
    await ann.page.getByRole("button", { name: "Block Eve" }).click();
    await ann.page.getByText("1 of 3 players has joined").waitFor();
    await eve.page.getByRole("button", { name: "Join", exact: true }).click();
    await eve.page.getByText("You can't join this tournament.").first().waitFor();

    // Who only looks at the list sees it, too; a link leads through a name straight into it.
    const bob = await guest("Bob", "#/tournament");
    await bob.page.getByRole("link", { name: "Open: Friday evening" }).click();
    await bob.page.getByRole("button", { name: "Join", exact: true }).click();
    await ann.page.getByText("2 of 3 players have joined").waitFor();
    const cleo = await byLink("Cleo", there);

    // In each of three rounds one has no opponent, and the first of the other two in the list gives up.
    const people = [ann, bob, cleo];
    for (let round = 1; round <= 3; round++) {
        for (const { page } of people) await page.getByRole("heading", { name: `Round ${round}`, exact: true }).waitFor({ timeout: 60_000 });
        const free = await Promise.all(people.map(({ page }) => page.getByText("You have no opponent in this round.").count()));
        expect(free.filter((count) => count > 0)).toHaveLength(1);
        const [loser, winner] = people.filter((_, index) => free[index] === 0) as [Person, Person];
        await loser.page.getByRole("link", { name: "Go to your table" }).click();
        await loser.page.getByRole("group", { name: "The eight initiates" }).waitFor();
        await chooseInMenu(loser, "Resign");
        await loser.page.getByRole("dialog", { name: "Resign?" }).getByRole("button", { name: "Resign" }).click();
        await loser.page.getByText(`${winner.name} wins: everyone else has given up.`).first().waitFor();
        await loser.page.goto(loser.page.url().replace(/#.*/, there));
        await winner.page
            .getByText(new RegExp(`${loser.name}\\s*0`))
            .first()
            .waitFor();
    }
    // Ann lost to both, Bob to Cleo.
    for (const who of people) {
        await who.page.getByText("Cleo wins the tournament.").waitFor();
        expect(await standings(who)).toEqual(["1 Cleo 2 3", "2 Bob 1 3", "3 Ann 0 3"]);
    }
    // A name leads to how somebody plays.
    await ann.page.getByRole("region", { name: "Standings" }).getByRole("link", { name: "Cleo" }).click();
    await ann.page.waitForURL(/#\/player\/Cleo$/);
    await leave(ann, bob, cleo, eve);
}, 240_000);
