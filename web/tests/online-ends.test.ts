// How games with others end, and what keeps them going: agreement, resignation, a clock, a standing order.
import { expect, test } from "vitest";
import { finish } from "./player.ts";
import {
    asked,
    backToTable,
    chooseInMenu,
    finishOpening,
    house,
    join,
    known,
    leave,
    newTable,
    open,
    press,
    step,
    tab,
    tableByHand,
    type Person,
} from "./people.ts";

const { guest } = house();

const says = (who: Person, words: string | RegExp) => who.page.getByText(words).first().waitFor();

test("a draw is offered, refused, offered again and agreed; a rematch follows", async () => {
    const [ann, bob] = [await guest("Ada"), await guest("Ben")];
    await join(bob, await newTable(ann, () => ann.page.getByLabel(/^Players/).selectOption("2")));
    await finishOpening(ann, bob);
    await chooseInMenu(ann, "Offer a draw");
    await says(bob, "Ada offers a draw.");
    await bob.page.getByRole("button", { name: "Decline", exact: true }).click();
    await says(ann, "Ben declines the draw.");
    // Ada writes while Ben makes up his mind: the end does not take her sentence away from her.
    await chooseInMenu(ann, "Offer a draw");
    await tab(ann, /^Chat/);
    const sentence = ann.page.getByLabel("Message to everyone");
    await sentence.fill("Good g");
    await bob.page.getByRole("button", { name: "Agree", exact: true }).click();
    for (const who of [ann, bob]) {
        await expect.poll(() => known(who).stage).toBe("over");
        await says(who, "The game is a draw.");
    }
    await bob.page.locator(".stage").waitFor();
    expect(await bob.page.locator(".racing").count(), "no figures have decided it").toBe(0);
    expect(await bob.page.locator(".race a").allTextContents(), "names lead to the players").toEqual(expect.arrayContaining(["Ada", "Ben"]));
    await sentence.press("End");
    await ann.page.keyboard.type("ame");
    await sentence.press("Enter");
    await backToTable(bob);
    await tab(bob, /^Chat/);
    await bob.page.getByRole("log", { name: "Messages" }).getByText("Good game").waitFor();
    expect(await bob.page.getByRole("log", { name: "Messages" }).getByRole("link", { name: "Ada" }).getAttribute("href")).toBe("#/player/Ada");
    await backToTable(ann);
    await tab(ann, /^Story/);
    await says(ann, "Everyone agrees: the game is a draw.");
    await tab(ann, /^Players/);
    await ann.page.getByRole("region", { name: "Players" }).getByRole("button", { name: "Rematch" }).click();
    await bob.page.getByRole("button", { name: "Join it" }).click(); // and he has his seat
    for (const who of [ann, bob]) await asked(who, "opening");
    await leave(ann, bob);
});

test("whoever resigns leaves a computer player; when all have, nobody wins", async () => {
    const [ann, bob] = [await guest("Ava"), await guest("Bo")];
    await join(bob, await newTable(ann, () => ann.page.getByLabel(/^Players/).selectOption("2")));
    await finishOpening(ann, bob);
    const resign = async (who: Person, word: string, question: string) => {
        await chooseInMenu(who, word);
        await who.page.getByRole("dialog", { name: question }).getByRole("button", { name: word }).click();
    };
    await resign(bob, "Resign", "Resign?");
    await tab(ann, /^Players/);
    await says(ann, "resigned; a computer is playing");
    expect(known(ann).stage).toBe("playing");
    await bob.page.getByRole("button", { name: "This game" }).click();
    await bob.page.getByRole("link", { name: "Leave" }).waitFor();
    expect(await bob.page.getByRole("button", { name: /Resign|Give up|draw/ }).count(), "he has no say any more").toBe(0);
    await bob.page.keyboard.press("Escape");
    await resign(ann, "Abandon game", "Abandon this game?"); // there is nobody left to play on
    for (const who of [ann, bob]) {
        await expect.poll(() => known(who).stage).toBe("over");
        await says(who, "The game was abandoned.");
    }
    await leave(ann, bob);
});

test("a clock that runs out does the safest; the second time a computer player acts until the person is back", async () => {
    const [ann, bob] = [await guest("Abe"), await guest("Bea")];
    await join(bob, await tableByHand(ann, { players: 2, clock: { kind: "move", time: 5000, opening: 10_000 } }));
    await finishOpening(ann);
    await asked(bob, "opening");
    await bob.page
        .getByRole("timer", { name: /^Time left to answer/ })
        .first()
        .waitFor();
    await bob.page.getByText("Hurry!").first().waitFor();
    // Bea has not answered. She is told; nobody else is, for whoever was late had something to think about.
    await says(bob, /Your time ran out/);
    await asked(ann, "turn");
    expect(ann.frames.filter((frame) => frame.includes('"late"'))).toEqual([]);
    // It is Abe's turn alone: everybody sees whose time it was.
    await says(bob, "Abe has run out of time.");
    await says(ann, /Your time ran out/);
    // Bea is late again.
    await asked(bob, "turn");
    await says(ann, "A computer is now playing for Bea.");
    await bob.page.getByRole("button", { name: "I'm back" }).first().press("Enter"); // before Abe is late again, too
    await expect.poll(() => known(ann).seats[1]?.computer).toBeUndefined();
    await leave(ann, bob);
});

test("a standing order objects by itself, and nobody has heard of it", async () => {
    const [ann, bob] = [await guest("Abby"), await guest("Basil")];
    await join(bob, await newTable(ann, () => ann.page.getByLabel(/^Players/).selectOption("2")));
    await asked(bob, "opening");
    await open(bob, /^T1/, "0");
    await finishOpening(bob, ann);
    await tab(bob, /^Orders/);
    await bob.page.getByLabel("New order").selectOption("object");
    await bob.page.getByLabel(/^Closer to/).selectOption("c3");
    await bob.page.getByLabel(/^Maximum points/).fill("10");
    await bob.page.getByRole("button", { name: "Add order" }).click();
    await expect.poll(() => known(bob).you?.orders).toEqual(["object T1 c3 10"]);
    await step(ann, "b1");
    // Basil does nothing.
    await asked(ann, "answer");
    await says(ann, /Basil objects with 1 influence point/);
    expect(ann.frames.filter((frame) => frame.includes("object T1"))).toEqual([]);
    await bob.page.getByRole("button", { name: "Cancel all orders" }).click();
    await expect.poll(() => known(bob).you?.orders).toEqual([]);
    await leave(ann, bob);
});

test("The Original with computer players, to the end", async () => {
    const ann = await guest("Alma");
    await tableByHand(ann, {
        players: 4,
        rules: "original",
        hq: "TAIR",
        limit: 8,
        computers: [2, 3, 4].map((seat) => ({ seat, level: 1 })),
    });
    const { page } = ann;
    const isOver = () => known(ann).stage === "over";
    for (let decisions = 0; decisions < 300; decisions++) {
        await expect.poll(() => isOver() || known(ann).you?.asked === true, { interval: 20 }).toBe(true);
        if (isOver()) break;
        const { version, view, you } = known(ann);
        const wentOn = () => expect.poll(() => isOver() || known(ann).version > version || known(ann).you?.asked === false, { interval: 20 }).toBe(true);
        if (view!.phase === "opening" || view!.phase === "placing") {
            if (view!.phase === "opening") await open(ann, /^T1/, "0000");
            await finish(page);
        } else if (view!.phase === "turn") {
            const goal = /^[a-e]/.test(view!.grail) ? view!.grail : "a1";
            const far = (field: string) => Math.abs(field.charCodeAt(0) - goal.charCodeAt(0)) + Math.abs(field.charCodeAt(1) - goal.charCodeAt(1));
            const steps = (you!.legal ?? []).flatMap((action) => (/^step (\w\d) (\w\d)$/.exec(action) ? [action.split(" ").slice(1) as [string, string]] : []));
            const [pawn, field] = steps.sort(([one, to], [other, there]) => Number(other === "T1") - Number(one === "T1") || far(to) - far(there))[0] ?? [];
            if (pawn === undefined) {
                await page.getByRole("button", { name: /^Assign influence/ }).click();
                await finish(page);
            } else {
                const chosen = page.locator(".chosen strong");
                await press(page, pawn[0]!.toLowerCase());
                if (!(await chosen.textContent())!.startsWith(pawn)) await page.keyboard.press(pawn[0]!.toLowerCase());
                await page.getByRole("button", { name: new RegExp(`→ .* ${field}`) }).click();
                const plain = page.locator(".menu button").first();
                if (known(ann).version === version && (await plain.isVisible())) await plain.click();
            }
        } else await press(page, view!.phase === "grail" ? "k" : view!.phase === "answer" ? "y" : "p");
        await wentOn();
    }
    expect(known(ann).stage).toBe("over");
    await page
        .getByText(/^(You win|\S+ \d wins) with|The game is a draw/)
        .first()
        .waitFor();
    // Whose headquarters is whose stands beside the names.
    await backToTable(ann);
    await tab(ann, /^Players/);
    await page.getByRole("region", { name: "Players" }).getByText("Templars").waitFor();
    await leave(ann);
});
