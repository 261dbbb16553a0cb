// Writes the texts of web/src as a template of gettext's to standard output; tools/check-translations adds it to the
// program's own.
import { po } from "gettext-parser";
import { textsOfClient } from "./texts.mjs";

const translations = {};
for (const { text, plural } of await textsOfClient()) {
    const entry = (translations[text] ??= { msgid: text, msgstr: [""] });
    if (plural === undefined) continue;
    if (entry.msgid_plural !== undefined && entry.msgid_plural !== plural) throw new Error(`two plurals of "${text}": "${entry.msgid_plural}" and "${plural}"`);
    Object.assign(entry, { msgid_plural: plural, msgstr: ["", ""] });
}
const headers = { "Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit" };
process.stdout.write(po.compile({ charset: "utf-8", headers, translations: { "": translations } }));
