// `import "../po/de.po"`: a catalogue of gettext's as a module of its own, loaded when somebody wants the language.
//
// A catalogue has all texts of the project. The browser gets those that it can show: what web/src says, and
// what the engine and the server say.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { po as parser } from "gettext-parser";
import type { Plugin } from "vite";
import { keyOf } from "./src/lib/textkey.ts";
import { textsOfClient, textsOfEngine } from "./tools/texts.mjs";

/** The formula of `Plural-Forms`, which is C, and JavaScript just as well. */
function pluralRule(header: string): string {
    const rule = /plural=([n0-9\s()?:<>=!&|%+*/-]+);?\s*$/.exec(header)?.[1];
    if (rule === undefined) throw new Error(`no formula of plurals in "${header}"`);
    return rule.trim();
}

const textkey = fileURLToPath(new URL("./src/lib/textkey.ts", import.meta.url));

/** The names of all texts, which every language has in this order: they travel once. */
const names = "virtual:gral-names";

export function po(): Plugin {
    let texts: readonly string[];
    return {
        name: "gral-po",
        async buildStart() {
            texts = [...new Set([...(await textsOfClient()), ...(await textsOfEngine())].map(({ text }) => text))];
            const keys = new Map<string, string>();
            for (const text of texts) {
                const other = keys.get(keyOf(text));
                if (other !== undefined) throw new Error(`"${text}" has the key of "${other}": say it in other words`);
                keys.set(keyOf(text), text);
            }
        },
        resolveId: (id) => (id === names ? id : null),
        async load(id) {
            if (id === names) return `export default ${JSON.stringify(texts.map(keyOf).join(""))};\n`;
            if (!id.endsWith(".po")) return null;
            this.addWatchFile(id);
            const { headers, translations } = parser.parse(await readFile(id));
            const words = texts.map((text) => {
                const { msgstr = [""], comments } = translations[""]?.[text] ?? {};
                if (comments?.flag?.includes("fuzzy")) return "";
                return msgstr.length > 1 && msgstr[0] ? msgstr : (msgstr[0] ?? "");
            });
            const rule = pluralRule(headers["Plural-Forms"] ?? headers["plural-forms"] ?? "");
            return [
                `import names from "${names}";`,
                `import { catalogue } from "${textkey}";`,
                `export const plural = (n) => Number(${rule});`,
                `export const texts = catalogue(names, ${JSON.stringify(words)});`,
            ].join("\n");
        },
    };
}
