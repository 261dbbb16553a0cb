import { expect, test } from "vitest";
import { defaults, readSettings } from "./settings.svelte";

test("what was kept is read again", () => {
    const kept = { ...defaults, theme: "dark", sound: false, language: "fr" } as const;
    expect(readSettings(JSON.stringify(kept))).toEqual(kept);
});

test.each([null, "", "{", "null", "3", '"dark"', '{"theme":"pink","sound":1,"toString":1,"__proto__":{"sound":1}}'])("%s is as good as nothing", (text) =>
    expect(readSettings(text)).toEqual(defaults),
);
