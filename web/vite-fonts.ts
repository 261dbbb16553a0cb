// Our type: two families under the Open Font License, cut down to the weights and letters that the four languages need,
// as build/fonts/*.woff2 for theme.css and index.html. Their licences go where the client goes.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subset from "subset-font";
import type { Plugin } from "vite";

const families = { serif: "alegreya", sans: "cabin" } as const;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const source = (family: string) => here(`./node_modules/@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`);
const built = (name: string) => here(`../build/fonts/${name}.woff2`);

const ascii = String.fromCodePoint(...Array.from({ length: 95 }, (_, at) => 0x20 + at));
const accented = "àâäæçèéêëìíîïñòóôöœùúûüÿß";
const letters = `${ascii}\u00a0${accented}${accented.toUpperCase()}«»‹›‘’‚“”„–—·•…×−≈€←↑→↓`;

const age = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

async function cut(name: string, family: string): Promise<void> {
    const newest = Math.max(age(source(family)), age(fileURLToPath(import.meta.url)));
    if (age(built(name)) > newest) return;
    const font = await subset(await readFile(source(family)), letters, {
        targetFormat: "woff2",
        variationAxes: { wght: { min: 400, max: 700, default: 400 } },
        keepFeatures: ["kern", "lnum", "tnum"],
        noHinting: true,
    });
    mkdirSync(here("../build/fonts"), { recursive: true });
    writeFileSync(built(name), font);
}

export function fonts(): Plugin {
    return {
        name: "gral-fonts",
        apply: () => !process.env.VITEST,
        async buildStart() {
            await Promise.all(Object.entries(families).map(([name, family]) => cut(name, family)));
        },
        async generateBundle() {
            const texts = await Promise.all(
                Object.values(families).map((family) => readFile(here(`./node_modules/@fontsource-variable/${family}/LICENSE`), "utf8")),
            );
            this.emitFile({ type: "asset", fileName: "fonts-license.txt", source: texts.join(`\n${"-".repeat(72)}\n\n`) });
        },
    };
}
