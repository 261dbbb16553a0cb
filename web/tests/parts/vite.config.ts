// Builds this page into build/parts, as the client is built.
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import client from "../../vite.config.ts";
import { po } from "../../vite-po.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
    ...client,
    root: here("."),
    publicDir: here("../../public"),
    plugins: [svelte({ configFile: here("../../svelte.config.js") }), po()],
    build: { ...client.build, outDir: here("../../../build/parts"), rolldownOptions: {} }, // one page needs no files shared by many
});
