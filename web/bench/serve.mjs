// `gral serve` with the client inside, for as long as something is measured.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../build/gral", import.meta.url));

/** @returns where it is, with a slash at the end, and how to end it */
export async function serve() {
    const gral = spawn(program, ["serve", "--port", "0", "--database", "memory", "--rate", "0", "--log", "error"], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(gral.stdout), "line");
    return {
        url: `http://127.0.0.1:${/:(\d+)/.exec(line)[1]}/`,
        close: async () => {
            gral.kill();
            if (gral.exitCode === null) await once(gral, "exit");
        },
    };
}
