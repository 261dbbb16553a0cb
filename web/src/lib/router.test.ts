import { describe, expect, test } from "vitest";
import { address, parse } from "./router.svelte";

const at = (fragment: string) => {
    const { page, id } = parse(fragment);
    return id === "" ? page : `${page} ${id}`;
};

describe("an address leads to a page", () => {
    test.each([
        ["", "start"],
        ["#/", "start"],
        ["#/play", "play"],
        ["#/play/", "play"],
        ["#/online", "online"],
        ["#/tournament", "tournament"],
        ["#/tournament/Ab-9_", "tournament Ab-9_"],
        ["#/account", "account"],
        ["#/player/Ann%20%C3%A9", "player Ann é"],
        ["#/t/Ab-9_", "table Ab-9_"],
        ["#/r/Ab-9_", "replay Ab-9_"],
        ["#/replay", "replay"],
        ["#/learn", "learn"],
        ["#/learn/grail", "learn grail"],
        ["#/rules/R4.6", "rules R4.6"],
        ["#/settings", "settings"],
        ["#/confirm/Ab-9_", "confirm Ab-9_"],
        ["#/recover/Ab-9_", "recover Ab-9_"],
        ["#/stop/Ab-9_", "stop Ab-9_"],
    ])("%s", (fragment, page) => expect(at(fragment)).toBe(page));

    test.each(["#/nowhere", "#/t", "#/stop", "#/play/x", "#/t/a/b", "#/toString", "#/__proto__"])("%s leads nowhere", (fragment) =>
        expect(parse(fragment).page).toBe("lost"),
    );

    test("an escape that is none does not break it", () => expect(at("#/learn/%E0")).toBe("learn %E0"));
    test("a query comes along", () => expect(parse("#/r/abc?move=12&lens=2")).toEqual({ page: "replay", id: "abc", query: { move: "12", lens: "2" } }));
});

describe("a page has an address", () => {
    test.each([
        [address("start"), "#/"],
        [address("table", "abc"), "#/t/abc"],
        [address("replay"), "#/replay"],
        [address("replay", "abc", { move: 3 }), "#/r/abc?move=3"],
        [address("rules", "R4.6"), "#/rules/R4.6"],
    ])("%s", (made, expected) => expect(made).toBe(expected));

    test("which leads back to it", () => {
        const { page, id, query } = parse(address("learn", "a/b ?#", { x: "&=1" }));
        expect({ page, id, query }).toEqual({ page: "learn", id: "a/b ?#", query: { x: "&=1" } });
    });
});
