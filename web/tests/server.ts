// The real server, with the client before it: what was built into build/web, and a wire that can be cut for one person.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { BrowserContext } from "playwright-core";
import { sendFile, type Host } from "./browser.ts";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const program = process.env.GRAL ?? fromHere("../../build/gral");
/** The same with the client inside, as people have it. */
const wholeProgram = process.env.GRAL_SERVED ?? fromHere("../../build/test/tests/gral_served");

export interface Served extends Host {
    /** Ends the sockets of a person, and lets no new ones through until it is called with false. */
    cut(context: BrowserContext, away?: boolean): Promise<void>;
}

const cookieOf = (header = "") => /(?:^|;\s*)gral=([^;]*)/.exec(header)?.[1] ?? "";

/** Starts `gral serve` with nothing kept. */
async function start(program: string, options: readonly string[]) {
    const gral = spawn(program, ["serve", "--port", "0", "--database", "memory", "--rate", "0", "--log", "error", ...options], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface(gral.stdout), "line")) as [string];
    const stop = async () => {
        gral.kill();
        if (gral.exitCode === null) await once(gral, "exit");
    };
    return { port: Number(/:(\d+)/.exec(line)![1]), stop };
}

/** Nothing but the program, with the client that was built into it. */
export async function serveWhole(...options: string[]): Promise<Host> {
    const { port, stop } = await start(wholeProgram, options);
    return { url: `http://127.0.0.1:${port}/`, close: stop };
}

export async function serve(...options: string[]): Promise<Served> {
    const { port, stop } = await start(program, options);
    const sockets = new Map<Socket, string>();
    const away = new Set<string>();
    const isServers = (path: string) => /^\/(api\/|ws$|healthz|metrics|keys$|r\/[\w-]+\.gral)/.test(path);

    const server = createServer((incoming, response) => {
        const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
        if (!isServers(pathname)) return void sendFile(pathname, "/", response, { redirects: true });
        const { method, url, headers } = incoming;
        const passed = ask({ port, host: "127.0.0.1", method, path: url, headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(response);
        });
        passed.on("error", () => response.destroy());
        incoming.pipe(passed);
    });
    server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
        const who = cookieOf(incoming.headers.cookie);
        if (away.has(who)) return void socket.destroy();
        const wire = connect(port, "127.0.0.1", () => {
            wire.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n`);
            for (let at = 0; at < incoming.rawHeaders.length; at += 2) wire.write(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}\r\n`);
            wire.write("\r\n");
            wire.write(head);
            wire.pipe(socket).pipe(wire);
        });
        sockets.set(socket, who);
        for (const [one, other] of [
            [socket, wire],
            [wire, socket],
        ] as const) {
            one.on("error", () => other.destroy());
            one.on("close", () => (other.destroy(), sockets.delete(socket)));
        }
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));

    return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        async cut(context, gone = true) {
            const who = (await context.cookies()).find(({ name }) => name === "gral")?.value ?? "";
            if (!gone) return void away.delete(who);
            away.add(who);
            for (const [socket, whose] of sockets) if (whose === who) socket.destroy();
        },
        close: async () => {
            for (const socket of sockets.keys()) socket.destroy();
            server.closeAllConnections();
            await new Promise<void>((closed) => server.close(() => closed()));
            await stop();
        },
    };
}
