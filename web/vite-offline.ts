// The service worker with the list of everything that was built, so that the game runs without a network after the
// first visit. Its version is a hash over names and contents: another build, another cache.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

export function offline(): Plugin {
    let root: string, publicDir: string;
    return {
        name: "gral-offline",
        apply: "build",
        enforce: "post",
        configResolved(config) {
            ({ root, publicDir } = config);
        },
        generateBundle: {
            order: "post",
            async handler(_, bundle) {
                const hash = createHash("sha256");
                const files: string[] = [];
                for (const name of Object.keys(bundle).sort()) {
                    const file = bundle[name]!;
                    files.push(name === "index.html" ? "./" : name); // gral serves the page as "/", and as nothing else
                    hash.update(name).update(file.type === "chunk" ? file.code : file.source);
                }
                for (const name of (await readdir(publicDir)).sort()) {
                    files.push(name);
                    hash.update(name).update(await readFile(join(publicDir, name)));
                }
                const worker = await readFile(join(root, "service-worker.js"), "utf8");
                hash.update(worker);
                this.emitFile({
                    type: "asset",
                    fileName: "service-worker.js",
                    source: worker.replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 16))).replace('["FILES"]', JSON.stringify(files)),
                });
            },
        },
    };
}
