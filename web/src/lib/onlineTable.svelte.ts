// A table on a server, as whoever has opened it there follows it and acts at it.
import { teller } from "./engine";
import { draftOf, notepadOf } from "./local.svelte";
import type { Online } from "./online.svelte";
import type { Action, ClientRequest, CreateOptions, Draft, Notepad, RatingAfter } from "./protocol";
import { TableState, type TableConnection } from "./table.svelte";

export class OnlineConnection implements TableConnection {
    readonly shared = false;
    readonly kind = "online";
    readonly state = new TableState(teller);
    /** Resolves with the first push. */
    readonly introduced: Promise<void>;
    /** How many have opened it and not closed it yet. */
    users = 0;
    /** What the game was worth to each seat, once that is known. */
    ratings: readonly RatingAfter[] = $state.raw([]);
    /** Why it is no longer told to us, if it is not: it is gone, or not for whom we are now. */
    refused: unknown = $state.raw(null);
    #first!: () => void;

    constructor(
        readonly online: Online,
        readonly id: string,
    ) {
        this.introduced = new Promise((resolve) => (this.#first = resolve));
    }

    fed(push: Parameters<TableState["feed"]>[0]): void {
        this.state.feed(push);
        this.#first();
    }

    async #send(request: ClientRequest): Promise<void> {
        await this.online.send(request);
    }

    #simple(word: "rise" | "draw" | "nodraw" | "resign" | "back") {
        return () => this.#send({ do: word, table: this.id });
    }

    act(actions: readonly Action[], salt?: string): Promise<void> {
        const { version } = this.state;
        return this.#send({ do: "act", table: this.id, version, actions: [...actions], ...(salt ? { salt } : {}) });
    }

    order = (order: string) => this.#send({ do: "order", table: this.id, order });
    cancel = (order?: string) => this.#send({ do: "cancel", table: this.id, ...(order ? { order } : {}) });
    fill = (seat: number, level: number, as?: string) => this.#send({ do: "fill", table: this.id, seat, level, ...(as ? { as } : {}) });
    dismiss = (seat: number) => this.#send({ do: "dismiss", table: this.id, seat });
    changeTerms = (options: CreateOptions) => this.#send({ do: "terms", table: this.id, ...options });
    sit = (seat?: number) => this.#send({ do: "sit", table: this.id, ...(seat ? { seat } : {}) });
    rise = this.#simple("rise");
    draw = this.#simple("draw");
    nodraw = this.#simple("nodraw");
    resign = this.#simple("resign");
    back = this.#simple("back");
    replace = (seat: number) => this.#send({ do: "replace", table: this.id, seat });
    talk = (text: string, to?: readonly number[]) => this.#send({ do: "talk", table: this.id, text, ...toMember(to) });
    offer = (offer: string, to?: readonly number[]) => this.#send({ do: "offer", table: this.id, offer, ...toMember(to) });
    report = (seat: number, text: string) => this.#send({ do: "report", table: this.id, seat, text });
    mute = (seat: number) => this.#send({ do: "mute", table: this.id, seat });
    unmute = (seat: number) => this.#send({ do: "unmute", table: this.id, seat });

    async rematch(): Promise<string> {
        const { table } = await this.online.send({ do: "rematch", table: this.id });
        return (this.state.next = table as string);
    }

    /** Of a table around a screen: what leads there, after the address of the server. */
    async code(): Promise<string> {
        return (await this.online.send({ do: "code", table: this.id }))["code"] as string;
    }

    notepad(): Promise<Notepad | null> {
        return notepadOf(this.state);
    }

    draft(placed: readonly Action[]): Promise<Draft> {
        return draftOf(this.state, placed);
    }

    record(): Promise<string> {
        return this.online.record(this.id);
    }

    /** Stops watching; the seat is kept. */
    close(): void {
        this.online.forget(this.id);
    }
}

const toMember = (to: readonly number[] | undefined) => (to && to.length > 0 ? { to: [...to] } : {});
