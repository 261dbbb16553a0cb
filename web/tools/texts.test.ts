import { expect, test } from "vitest";
import { textsIn, textsOfEngine } from "./texts.mjs";

test("texts are found in scripts, attributes and markup, apostrophes or not", () => {
    const source = `<script lang="ts">const x: string = t("It's {who}");</script>
        <p title={t('a "b"')}>Don't {#if y as boolean}{tn("{n} point", "{n} points", n)}{/if} {t(x)}</p>
        <style>p { color: red }</style>`;
    expect(textsIn(source, "A.svelte").map(({ text, plural }) => [text, plural])).toEqual([
        ["It's {who}", undefined],
        ['a "b"', undefined],
        ["{n} point", "{n} points"],
    ]);
});

test("plain TypeScript too, and sentences in pieces", () => {
    const source = 'export const names: Record<string, string> = { a: N_("one " + "two"), b: N_(`three`) };';
    expect(textsIn(source, "a.ts").map(({ text }) => text)).toEqual(["one two", "three"]);
});

test("a text that is put together is refused: nobody could translate it", () => {
    expect(() => textsIn("t(`${name} waits`)", "a.ts")).toThrow("a.ts");
    expect(() => textsIn('t("for " + name)', "a.ts")).toThrow("a.ts");
});

test("the engine's own sentences are found in C", async () => {
    expect((await textsOfEngine()).length).toBeGreaterThan(10);
});
