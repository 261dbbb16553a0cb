// Whose signature a record has, as far as a browser can tell. docs/fair.md says what it is of; the engine gives the bytes.
import { N_ } from "./i18n";
import type { AuditResult, Signed } from "./protocol";

/** "own": of the server this page comes from; "other": of somebody with another key; "unchecked": this browser cannot. */
export type Signature = "none" | "own" | "other" | "unchecked";

const bytes = (digits: string) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Undefined where there is no Ed25519, or no cryptography at all: a page without TLS. */
async function isRight({ signer, signature, statement }: Signed): Promise<boolean | undefined> {
    try {
        const key = await crypto.subtle.importKey("raw", bytes(signer), "Ed25519", false, ["verify"]);
        return await crypto.subtle.verify("Ed25519", key, bytes(signature), new TextEncoder().encode(statement));
    } catch {
        return undefined;
    }
}

async function isOwn(signer: string): Promise<boolean> {
    const answer = await fetch("keys").catch(() => null);
    const lines = answer?.ok ? (await answer.text()).split("\n") : [];
    return lines[0] === "gral keys 1" && lines.some((line) => line.split(" ")[2] === signer);
}

/** The audit with a wrong signature taken into account, and whose it is if it is right. */
export async function lookAtSignature(record: string, audit: AuditResult): Promise<[AuditResult, Signature]> {
    if (!audit.ok || !audit.signed) return [audit, "none"];
    const right = await isRight(audit.signed);
    if (right === undefined) return [audit, "unchecked"];
    if (right) return [audit, (await isOwn(audit.signed.signer)) ? "own" : "other"];
    const line = record.split("\n").findIndex((row) => row.startsWith("[Signature ")) + 1;
    return [{ ok: false, line, column: 1, text: N_("the signature does not match this record: something was changed, added or removed") }, "none"];
}
