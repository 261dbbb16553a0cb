// A table on this device, kept by the worker: for one person with computer players, or several who pass the device round.
//
//   const table = await LocalConnection.create({ players: 3, seats: [{ person: "Ann" }, { computer: "thinker:level=2" }, …] });
//   const table = await LocalConnection.open(id);        // one of savedGames()
//
// With several persons nobody looks at first (`table.seat` is 0): show a curtain for `table.nextPerson`, and when he is
// there alone call `table.sitDown(table.nextPerson)`. Whenever `nextPerson` is not 0, it is somebody else's turn to look.
import { localPrefix, newSalt, type NewGame, type SavedGame } from "./calls";
import { ask, listen, teller } from "./engine";
import { forget } from "./notices.svelte";
import { TableState, type TableConnection } from "./table.svelte";
import { TableError, type Action, type Draft, type Hint, type Notepad } from "./protocol";
import { tempo } from "./tempo";
import { names, type Names } from "./words";

export type { NewGame, SavedGame };

/** Games on this device, the last one played first; they go on where they were. */
export const savedGames = (): Promise<SavedGame[]> => ask("savedGames");
export const deleteGame = (id: string): Promise<void> => ask("deleteGame", id);
export const namesIn = ({ seats }: SavedGame): Names =>
    names({ seats: seats.map((seat) => ("person" in seat ? { name: seat.person } : { computer: seat.computer })) });
export const isLocal = (id: string): boolean => id.startsWith(localPrefix);

export const defaultAdviser = "thinker:level=5";

export class LocalConnection implements TableConnection {
    readonly kind = "local";
    readonly state = new TableState(teller);
    /** Who looks now; 0 for nobody in particular. */
    seat: number = $state(0);
    /** Persons who have to act or answer. */
    asked: readonly number[] = $state.raw([]);
    /** Seats of persons. */
    people: readonly number[] = $state.raw([]);
    readonly shared: boolean = $derived(this.people.length > 1);
    readonly told = new Map<number, number>();
    /** Somebody offers a draw, and these have yet to agree. */
    readonly undecided: readonly number[] = $derived(
        this.state.drawOffers.length === 0 || this.state.over
            ? []
            : this.people.filter((seat) => !this.state.seats[seat - 1]?.draw && !this.state.seats[seat - 1]?.resigned),
    );
    /** The person for whom the device is wanted, if it is not the one who looks. */
    readonly nextPerson: number = $derived(this.asked.includes(this.seat) ? 0 : (this.asked[0] ?? 0));

    #stop: () => void;

    private constructor(readonly id: string) {
        this.#stop = listen(id, (event) => {
            if (event.event === "asked") this.asked = event.asked;
            else this.state.feed(event.push);
        });
    }

    static async create(game: NewGame): Promise<LocalConnection> {
        const table = await LocalConnection.open(await ask("newGame", game));
        table.goOn();
        return table;
    }

    /** Nothing happens there yet: goOn(). */
    static async open(id: string): Promise<LocalConnection> {
        const table = new LocalConnection(id);
        try {
            await ask("openGame", id);
        } catch (error) {
            table.#stop();
            throw error;
        }
        try {
            await ask("viewer", id, 0);
            table.people = table.state.seats.flatMap((seat, index) => (seat?.name !== undefined ? [index + 1] : []));
            if (table.people.length === 1) await table.sitDown(table.people[0]!);
        } catch (error) {
            table.close();
            throw error;
        }
        return table;
    }

    /** Computer players begin to think. */
    goOn(): void {
        void ask("goOn", this.id).catch(() => {}); // what goes wrong there is told
    }

    /** This person looks from now on; 0 draws the curtain. */
    async sitDown(seat: number): Promise<void> {
        await ask("viewer", this.id, seat);
        if (this.seat !== seat && this.shared) forget();
        this.seat = seat;
    }

    #input(words: string): Promise<void> {
        return ask("input", this.id, words);
    }

    /** Who shares the device looks no longer; at the end everybody may. */
    async #handOn(): Promise<void> {
        if (this.shared && !this.state.over) await this.sitDown(0);
    }

    /** What somebody says to all at the device, without looking at his sheet. */
    say(seat: number, words: "draw" | "nodraw" | "pass"): Promise<void> {
        return this.#input(words === "pass" ? `do ${seat} salt=${newSalt()} pass` : `${words} ${seat}`);
    }

    /** An input of whoever looks. */
    #own(word: string, rest = ""): Promise<void> {
        if (this.seat === 0) return Promise.reject(new TableError("seat", "you are not sitting at this table"));
        return this.#input(`${word} ${this.seat}${rest}`);
    }

    act(actions: readonly Action[], salt = newSalt()): Promise<void> {
        return this.#own("do", ` salt=${salt} ${actions.join("; ")}`);
    }

    order = (order: string) => this.#own("order", ` ${order}`);
    cancel = (order?: string) => this.#own("cancel", order ? ` ${order}` : "");
    /** The others are asked; the device goes round. */
    draw = () => this.#own("draw").then(() => this.#handOn());
    nodraw = () => this.#own("nodraw");
    /** The sheet is a computer player's now, and nobody's to look at. */
    resign = () => this.#own("resign").then(() => this.#handOn());
    back = () => this.#own("back");
    replace = (seat: number) => this.#own("replace", ` ${seat}`);
    talk = (text: string, to: readonly number[] = []) => this.#own("talk", `${toWords(to)}: ${text}`);
    offer = (offer: string, to: readonly number[] = []) => this.#own("offer", `${toWords(to)} ${offer}`);
    mute = (seat: number) => this.#own("mute", ` ${seat}`);
    unmute = (seat: number) => this.#own("unmute", ` ${seat}`);
    /** All seats are taken from the start. */
    sit = () => Promise.reject(new TableError("begun", "the game has already started"));
    rise = () => Promise.reject(new TableError("begun", "the game has already started"));

    async rematch(): Promise<string> {
        const next = await ask("rematch", this.id, tempo("pace"));
        this.state.next = next;
        return next;
    }

    hint(adviser = defaultAdviser): Promise<Hint> {
        return ask("hint", this.id, this.seat, adviser);
    }

    notepad(): Promise<Notepad | null> {
        return notepadOf(this.state);
    }

    draft(placed: readonly Action[]): Promise<Draft> {
        return draftOf(this.state, placed);
    }

    record(): Promise<string> {
        return ask("record", this.id);
    }

    /** The page is left; the game is kept. */
    close(): void {
        this.#stop();
        void ask("closeGame", this.id).catch(() => {});
    }
}

const toWords = (seats: readonly number[]) => (seats.length > 0 ? ` to=${[...seats].sort((a, b) => a - b).join(",")}` : "");

/** What can be deduced from what a table has told. */
export async function notepadOf(state: TableState): Promise<Notepad | null> {
    return state.view ? ask("notepad", state.view, state.you) : null;
}

/** The sheet with what is only thought of, and what may be placed then. */
export async function draftOf(state: TableState, placed: readonly Action[]): Promise<Draft> {
    if (!state.view || !state.you?.influence) throw new TableError("seat", "you are not sitting at this table");
    return ask("draft", state.view, state.you, placed);
}
