// The texts that the browser can show, found in the sources.
//
// In web/src they are the words in t("…"), tn("…", "…", n) and N_("…"); N_ marks a text that is translated later, as
// in C. Svelte's own parser reads components and, wrapped as one, plain TypeScript: xgettext knows neither.
import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "svelte/compiler";

/** @typedef {{text: string, plural?: string, file: string}} Found */

const home = fileURLToPath(new URL("../..", import.meta.url));

/** @param {string} folder @param {RegExp} wanted */
async function filesIn(folder, wanted) {
    const entries = await readdir(join(home, folder), { recursive: true, withFileTypes: true });
    return entries
        .filter((entry) => entry.isFile() && wanted.test(entry.name))
        .map((entry) => relative(home, join(entry.parentPath, entry.name)))
        .sort();
}

/** A string that is known without running the program, also one put together with +; else undefined. */
function constant(node) {
    if (node?.type === "Literal" && typeof node.value === "string") return node.value;
    if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0].value.cooked;
    if (node?.type === "BinaryExpression" && node.operator === "+") {
        const left = constant(node.left);
        const right = constant(node.right);
        if (left !== undefined && right !== undefined) return left + right;
    }
    return undefined;
}

function* callsIn(node) {
    if (Array.isArray(node)) {
        for (const part of node) yield* callsIn(part);
    } else if (node !== null && typeof node === "object") {
        if (node.type === "CallExpression" && node.callee.type === "Identifier") yield node;
        for (const [name, part] of Object.entries(node)) if (name !== "parent") yield* callsIn(part);
    }
}

/** The texts of one source of the client. @param {string} source @param {string} file @returns {Found[]} */
export function textsIn(source, file) {
    const component = file.endsWith(".svelte") ? source : `<script lang="ts">\n${source}\n</script>`;
    const calls = [...callsIn(parse(component, { modern: true, filename: file }))];
    const found = [];
    for (const { callee, arguments: given } of calls.sort((one, other) => one.start - other.start)) {
        if (!["t", "tn", "N_"].includes(callee.name)) continue;
        const text = constant(given[0]);
        if (text === undefined) {
            if (given[0]?.type === "TemplateLiteral" || given[0]?.type === "BinaryExpression")
                throw new Error(`${file}: a text to translate has gaps like {this}, and is not put together`);
        } else if (callee.name === "tn") {
            const plural = constant(given[1]);
            if (plural === undefined) throw new Error(`${file}: tn() without a plural: ${text}`);
            found.push({ text, plural, file });
        } else {
            found.push({ text, file });
        }
    }
    return found;
}

/** @returns {Promise<Found[]>} */
export async function textsOfClient() {
    const files = (await filesIn("web/src", /\.(svelte|ts)$/)).filter((file) => !/\.(test|d)\.ts$/.test(file));
    const all = await Promise.all(files.map(async (file) => textsIn(await readFile(join(home, file), "utf8"), file)));
    return all.flat();
}

/** What the modules beneath the program say, in C, but for letters to people; xgettext is not needed for building. @returns {Promise<Found[]>} */
export async function textsOfEngine() {
    const found = [];
    for (const file of await filesIn("src", /\.c$/)) {
        if (/^src\/(cli|terminal|bench)\/|letters\.c$/.test(file)) continue;
        const source = await readFile(join(home, file), "utf8");
        for (const [, quoted] of source.matchAll(/\bN?_\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)/g))
            found.push({ text: [...quoted.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([part]) => JSON.parse(part)).join(""), file });
    }
    return found;
}
