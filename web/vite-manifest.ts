// `manifest.de.webmanifest` and its like: the installed game is called as its language calls it, and is one and the same
// app (its `id`) whatever language that is.
import { readdir, readFile } from "node:fs/promises";
import { po } from "gettext-parser";
import type { Plugin } from "vite";
import { manifest as source } from "./src/manifest.ts";

const catalogues = new URL("../po/", import.meta.url);

export function manifest(): Plugin {
    return {
        name: "gral-manifest",
        apply: "build",
        async generateBundle() {
            const emit = (lang: string, translated: (text: string) => string) => {
                const { name, short_name, description, ...rest } = source;
                const texts = { name: translated(name), short_name: translated(short_name), description: translated(description) };
                this.emitFile({ type: "asset", fileName: `manifest.${lang}.webmanifest`, source: JSON.stringify({ lang, ...texts, ...rest }) });
            };
            emit("en", (text) => text);
            for (const file of (await readdir(catalogues)).filter((name) => name.endsWith(".po"))) {
                const found = po.parse(await readFile(new URL(file, catalogues))).translations[""] ?? {};
                emit(file.slice(0, -3), (text) => found[text]?.msgstr[0] || text);
            }
        },
    };
}
