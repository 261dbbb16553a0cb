import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import type { AuditResult } from "./protocol";
import { lookAtSignature } from "./signature";

const read = (name: string) => readFileSync(new URL(`../../../tests/data/records/${name}`, import.meta.url), "utf8");
const record = read("signed.gral");

/** As the engine tells it. */
function audited(text: string): AuditResult {
    const lines = text
        .split("\n")
        .slice(0, -2)
        .map((line) => line.slice(0, -6));
    const value = (name: string) => lines.find((line) => line.startsWith(`[${name} `))!.split('"')[1]!;
    const open = lines.filter((line) => !/^(\[Signature "|\[Salt\d|\d+: place )/.test(line));
    const signed = { signer: value("Signer"), signature: value("Signature"), statement: ["gral record 1", ...open, ""].join("\n") };
    return { ok: true, checks: true, seals: 5, signed };
}

afterEach(() => {
    vi.unstubAllGlobals();
});

function publish(keys: string | null) {
    vi.stubGlobal("fetch", async () => new Response(keys, { status: keys === null ? 404 : 200 }));
}

test("a right signature is the server's own if its key is published there", async () => {
    publish(read("signed_keys"));
    const [audit, signature] = await lookAtSignature(record, audited(record));
    expect([audit.ok, signature]).toEqual([true, "own"]);
});

test.each([null, "<!doctype html>", "gral keys 1\n"])("a right signature with another key is somebody's: %j", async (keys) => {
    publish(keys);
    expect((await lookAtSignature(record, audited(record)))[1]).toBe("other");
});

test("a wrong signature makes the record wrong, and names its line", async () => {
    publish(read("signed_keys"));
    const [audit, signature] = await lookAtSignature(record, audited(record.replace('"Ann"', '"Eve"')));
    expect(audit).toMatchObject({ ok: false, line: 1 });
    expect(signature).toBe("none");
});

test("without cryptography nothing is said about the signature", async () => {
    vi.stubGlobal("crypto", {});
    const [audit, signature] = await lookAtSignature(record, audited(record));
    expect([audit.ok, signature]).toEqual([true, "unchecked"]);
});

test("a record without one has none", async () => {
    const audit: AuditResult = { ok: true, checks: true, seals: 4 };
    expect(await lookAtSignature(record, audit)).toEqual([audit, "none"]);
});
