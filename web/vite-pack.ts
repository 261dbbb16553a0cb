// Beside each file of the client that brotli makes smaller, the packed one: `gral serve` sends it to browsers that read it,
// and so can other web hosts.
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Plugin } from "vite";

const compress = promisify(brotliCompress);
const packable = /\.(js|css|html|svg|txt|gral|wasm|net|webmanifest)$/;

export function pack(): Plugin {
    let folder: string;
    return {
        name: "gral-pack",
        apply: "build",
        enforce: "post",
        configResolved(config) {
            folder = config.build.outDir;
        },
        async closeBundle() {
            for (const name of await readdir(folder, { recursive: true })) {
                const path = join(folder, name);
                if (!packable.test(name) || !(await stat(path)).isFile()) continue;
                const content = await readFile(path);
                await writeFile(`${path}.br`, await compress(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }));
            }
        },
    };
}
