import { afterEach, expect, test } from "vitest";
import { defaults, settings } from "./settings.svelte";
import { toRead } from "./tempo";

const proposal = "Fox proposes: A1 Hassan Al-Molk moves from Alamut e1 to Cairo d1.";

afterEach(() => Object.assign(settings, defaults));

test("a proposal can be read before it goes on by itself", () => {
    expect(toRead(proposal, 2)).toBeGreaterThan(2000);
    expect(toRead("Pass.", 11)).toBe(1000);
});

test("eleven others take their turns in 25 seconds", () => {
    expect(11 * (toRead(proposal, 11) + 700)).toBeLessThan(25_000);
});

test("it is as fast as one likes", () => {
    settings.animation = "slow";
    expect(toRead(proposal, 2)).toBeGreaterThan(3500);
    settings.animation = "off";
    expect(toRead(proposal, 2)).toBe(0);
});
