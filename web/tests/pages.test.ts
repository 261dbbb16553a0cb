// The pages around the game, and records.
import { readFile } from "node:fs/promises";
import { allKinds } from "../src/print/shop.ts";
import { gallery, here, type Open } from "./scenes.ts";

const { go, at, show } = gallery();

const record = (name: string) => readFile(here(`../../tests/data/records/${name}.gral`), "utf8");
const replay =
    (lens: string): Open =>
    async (page) => {
        await page.route("**/r/one.gral", async (route) => route.fulfill({ body: await record("sealed"), contentType: "text/plain" }));
        await go(page, `#/r/one?move=36&lens=${lens}`, "[data-seal]");
    };

show([
    ["the start", at("")],
    ["the form of a new game", at("#/play")],
    [
        "the form of The Original, with four persons",
        async (page) => {
            await go(page, "#/play?people=4");
            await page.getByLabel(/The Original/).check();
        },
    ],
    ["the settings", at("#/settings")],
    ["the rules", at("#/rules", "main h2")],
    ["a clause of the rules", at("#/rules/R4.6", "main h2")],
    ["the print shop", at(`#/print?players=1&pages=${allKinds.join(",")}`, ".paper")],
    ["a new password", at("#/recover/abc")],
    ["no page", at("#/nowhere")],
    ["no table", at("#/t/here-0000000000000000", "main p")],
    ["no record", at("#/replay")],
    ["a record, publicly", replay("0")],
    ["a record, as a seat knew it", replay("2")],
    ["a record, with everything", replay("all")],
    ["a record that cannot be read", at("#/r/nobody", "[role=alert]")],
]);
