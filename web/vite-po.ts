// `import "../po/de.po"`: a catalogue of gettext's as a module of its own, loaded when somebody wants the language.
//
// A catalogue has all texts of the project. The browser gets those that it can show: what web/src says, and
// what the engine and the server say.
import { readFile } from "node:fs/promises";
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

export function po(): Plugin {
    let needed: Set<string>;
    return {
        name: "gral-po",
        async buildStart() {
            needed = new Set([...(await textsOfClient()), ...(await textsOfEngine())].map(({ text }) => text));
        },
        async load(id) {
            if (!id.endsWith(".po")) return null;
            this.addWatchFile(id);
            const { headers, translations } = parser.parse(await readFile(id));
            const texts: Record<string, string | string[]> = {};
            for (const { msgid, msgstr, comments } of Object.values(translations[""] ?? {})) {
                if (msgid === "" || msgstr[0] === "" || comments?.flag?.includes("fuzzy")) continue;
                if (!this.meta.watchMode && !needed.has(msgid)) continue;
                const key = keyOf(msgid);
                if (key in texts) throw new Error(`"${msgid}" has the key of another text: say it in other words`);
                texts[key] = msgstr.length > 1 ? msgstr : (msgstr[0] ?? "");
            }
            const rule = pluralRule(headers["Plural-Forms"] ?? headers["plural-forms"] ?? "");
            return `export const plural = (n) => Number(${rule});\nexport const texts = ${JSON.stringify(texts)};\n`;
        },
    };
}
