// Records: where they come from, how they travel, and a game that was played, to look at.
//
// A game of this device or a record that was dropped in has no address on a server, so its address has the whole record in
// it, packed: #/replay?game=…
import { ask } from "./engine";
import { N_, t } from "./i18n";
import { isLocal } from "./local.svelte";
import {
    TableError,
    type AuditResult,
    type Beliefs,
    type Happening,
    type Notepad,
    type ReplayInfo,
    type ReplayMoment,
    type Seat,
    type TimelinePoint,
    type View,
} from "./protocol";
import { address, shareable } from "./router.svelte";
import { lookAtSignature, type Signature } from "./signature";
import { parseResult, type TableState } from "./table.svelte";
import { names, type Names } from "./words";

// --- texts ---

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** A record as a word for an address. */
export async function pack(record: string): Promise<string> {
    const packed = await through(new TextEncoder().encode(record), new CompressionStream("deflate-raw"));
    return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");
}

export async function unpack(word: string): Promise<string> {
    try {
        const packed = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
        return new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
    } catch {
        throw new TableError("record", N_("the link doesn't contain a complete record"));
    }
}

async function localRecord(id: string): Promise<string> {
    await ask("openGame", id);
    try {
        return await ask("record", id);
    } finally {
        void ask("closeGame", id);
    }
}

/** The record of a game: of this device, or of the server this page comes from. */
export async function fetchRecord(id: string): Promise<string> {
    if (isLocal(id)) return localRecord(id);
    const answer = await fetch(`r/${encodeURIComponent(id)}.gral`).catch(() => null);
    if (answer === null) throw new TableError("network", "the server can't be reached");
    if (!answer.ok || answer.headers.get("content-type")?.startsWith("text/html")) throw new TableError("table", "this table does not exist");
    return answer.text();
}

/** The whole address to give to somebody. */
export async function shareAddress(id: string, record: string): Promise<string> {
    if (id !== "" && !isLocal(id)) return shareable("replay", id);
    const query = { game: await pack(record) };
    return new URL(address("replay", "", query), document.baseURI.replace(/#.*/s, "")).href;
}

/** The whole address of a game's story (table/Tale.svelte). */
export async function storyAddress(id: string, record: string): Promise<string> {
    const there = id !== "" && !isLocal(id);
    const to = address("replay", there ? id : "", there ? { story: 1 } : { game: await pack(record), story: 1 });
    return new URL(to, document.baseURI.replace(/#.*/s, "")).href;
}

/** Hands the address on, by the system's own sheet or the clipboard; null if neither took it. */
export async function share(link: string, title: string): Promise<"shared" | "copied" | null> {
    try {
        if (navigator.share && matchMedia("(pointer: coarse)").matches) {
            await navigator.share({ title, url: link });
            return "shared";
        }
        await navigator.clipboard.writeText(link);
        return "copied";
    } catch {
        return null;
    }
}

export function saveFile(content: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveRecord(record: string, name: string): void {
    const file = `${name.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "gral"}.gral`;
    saveFile(new Blob([record], { type: "text/plain;charset=utf-8" }), file);
}

/** Hands a file on by the system's own sheet, where there is one; else it is downloaded. Null: somebody thought better of it. */
export async function sendFile(file: Blob, name: string, title: string): Promise<"shared" | "saved" | null> {
    const files = [new File([file], name, { type: file.type })];
    if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files }))
        return navigator.share({ files, title }).then(
            () => "shared",
            () => null,
        );
    saveFile(file, name);
    return "saved";
}

// --- a game that was played ---

/** Through which eyes: 0 what everybody knew, a seat, or everything. */
export type Lens = number;
export const publicLens = 0;
export const openLens = 255;

export interface Told {
    readonly index: number;
    readonly happening: Happening;
    readonly before: View;
    readonly after: View;
}

/** How a recorded game ended; undefined if it did not. That it was agreed or given up is in no action, so a tag says it. */
export function endOf({ result, tags: { Termination: end } }: Pick<ReplayInfo, "result" | "tags">): TableState["result"] | undefined {
    if (end === "agreed") return "draw";
    return result === null && end !== "abandoned" ? undefined : parseResult(result);
}

export class PlayedGame {
    #views: Promise<View[]> | undefined;

    private constructor(
        readonly record: string,
        readonly handle: number,
        readonly info: ReplayInfo,
        readonly timeline: readonly TimelinePoint[],
        readonly audit: AuditResult,
        readonly signature: Signature,
    ) {}

    /** Throws a TableError that says where and why a text is no record. */
    static async open(record: string): Promise<PlayedGame> {
        const [found, { handle, info, timeline }] = await Promise.all([ask("audit", record), ask("openReplay", record)]);
        const [audit, signature] = await lookAtSignature(record, found);
        return new PlayedGame(record, handle, info, timeline, audit, signature);
    }

    get length(): number {
        return this.info.actions.length;
    }

    get seats(): Seat[] {
        return this.info.names.map((name, index) => (this.info.computers[index] ? { computer: name } : { name }));
    }

    get names(): Names {
        return names({ seats: this.seats });
    }

    /** Who looks through this lens. */
    lensName(lens: Lens): string {
        if (lens === publicLens) return t("What everyone knew");
        return lens === openLens ? t("Everything") : t("What {player} knew", { player: this.names(lens) });
    }

    /** Whether somebody with this lens heard action number `index`. */
    hears(lens: Lens, index: number): boolean {
        const action = this.info.actions[index];
        return action !== undefined && (!action.secret || lens === openLens || lens === action.seat);
    }

    at(index: number, lens: Lens): Promise<ReplayMoment> {
        return ask("replayAt", this.handle, index, lens);
    }

    notepad(index: number, lens: Lens): Promise<Notepad> {
        return ask("replayNotepad", this.handle, index, lens);
    }

    /** What a careful player with this lens could believe then. */
    beliefs(index: number, lens: Lens): Promise<Beliefs> {
        return ask("replayBeliefs", this.handle, index, lens);
    }

    /** The last moment at which the sheets were hidden. */
    get lastHidden(): number {
        return this.info.result === null ? this.length : Math.max(0, this.length - 1);
    }

    /** What everybody knew before the first and after each action. */
    views(): Promise<View[]> {
        const all = Array.from({ length: this.length + 1 }, (_, index) => index);
        return (this.#views ??= Promise.all(all.map(async (index) => (await this.at(index, publicLens)).view)));
    }

    /** All actions, with what everybody knew before and after. */
    async story(): Promise<Told[]> {
        const views = await this.views();
        return this.info.actions.map(({ seat, action }, index) => ({ index, happening: { seat, action }, before: views[index]!, after: views[index + 1]! }));
    }

    close(): void {
        void ask("closeReplay", this.handle).catch(() => {});
    }
}
