import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { fonts } from "./vite-fonts.ts";
import { offline } from "./vite-offline.ts";
import { manifest } from "./vite-manifest.ts";
import { pack } from "./vite-pack.ts";
import { po } from "./vite-po.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Small things that most pages want are one file: on a slow network each file of its own takes longer than all of them. The
 *  start page has none of these. */
const small = /\/src\/(lib\/(keys|notes|choices|tempo|sounds|alerts)|ui\/(Volume|DrawAfter|Dialog))\b/;

/** Whoever builds the client to play need not know which plug-in is slow. */
const checks = { bundlerTimings: false };

// Where the client lives. It must run at the root of `gral serve` and from any folder of any web host, which knows
// nothing of our pages. So there is one document, its files are found relative to it, and the page is in the
// fragment: `#/learn/grail`. The short links that people pass on, `/t/ID` and `/r/ID`, are the server's: it
// redirects them to `/#/t/ID` (and the service worker does when there is no network). src/lib/router.svelte.ts has
// the addresses.
export default defineConfig({
    base: "./",
    plugins: [svelte(), fonts(), po(), manifest(), offline(), pack()],
    resolve: {
        alias: [
            // The engine: `$engine/gral.wasm?url` is what `make wasm` has built, the rest is the source.
            { find: /^\$engine\/gral\.wasm/, replacement: here("../build/wasm/web/engine/gral.wasm") },
            { find: /^\$engine\/learned\.net/, replacement: here("../src/players/learned.net") },
            { find: /^\$engine\//, replacement: here("./engine/") },
        ],
    },
    build: {
        outDir: here("../build/web"),
        emptyOutDir: true,
        assetsInlineLimit: 0, // data: addresses are against our content security policy, and the wasm stays a file
        modulePreload: { polyfill: false },
        rolldownOptions: { checks, output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: "small", test: small }] } } },
    },
    worker: { format: "es", rolldownOptions: { checks } },
    server: { fs: { allow: [here("..")] } },
});
