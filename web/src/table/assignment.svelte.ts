// What one is about to place on his sheet, before anybody hears of it. What may be placed where is the engine's word
// (`connection.draft`); nothing here knows a rule.
import { parseLegal, placeAction } from "../lib/actions";
import { sayError } from "../lib/errors";
import { t } from "../lib/i18n";
import { isPawn, pawns, type Pawn } from "../lib/initiates";
import { pawnCalled } from "../lib/names";
import { announce, complain } from "../lib/notices.svelte";
import { TableError, unitValues, type Action, type Draft } from "../lib/protocol";
import { play } from "../lib/sounds";
import type { TableConnection } from "../lib/table.svelte";
import { unitsFor } from "./coins";

export interface Placement {
    readonly key: number;
    readonly points: number;
    readonly pawn: Pawn;
}

const actionsOf = (placements: readonly Placement[]) => placements.map(({ points, pawn }) => placeAction(points, pawn));

export class Assignment {
    /** He announces that he assigns, and places nothing. */
    bluff = $state(false);
    /** It is on its way to the others. */
    sending = $state(false);
    #whose = "";
    #placed: readonly Placement[] = $state.raw([]);
    #draft = $state.raw<Draft | null>(null);
    #single = $state(false);
    #legal = $derived(parseLegal(this.#draft?.legal));
    #keys = 0;
    /** Changes wait for one another: two quick keys are two units. */
    #last: Promise<unknown> = Promise.resolve();
    /** Answers from before the last clearing or resting do not count. */
    #era = 0;

    /** Of a page that is gone there is none: somebody has gone to his next game. */
    constructor(readonly connection: () => TableConnection | null) {}

    get placed(): readonly Placement[] {
        return this.#placed;
    }

    /** The sheet as it will be; null as long as nothing is being thought out. */
    get draft(): Draft | null {
        return this.#draft;
    }

    /** All units of this assignment go to one initiate. */
    get single(): boolean {
        return this.#single;
    }

    /** That one, once he is chosen. */
    get target(): Pawn | undefined {
        return this.#single ? this.#placed[0]?.pawn : undefined;
    }

    get actions(): Action[] {
        return actionsOf(this.#placed);
    }

    takes(pawn: Pawn, points: number): boolean {
        return this.#legal.place.get(points)?.includes(pawn) ?? false;
    }

    takesAny(pawn: Pawn): boolean {
        return [...this.#legal.place.values()].some((all) => all.includes(pawn));
    }

    on(pawn: Pawn): readonly Placement[] {
        return this.#placed.filter((placement) => placement.pawn === pawn);
    }

    /** How many units of each value he could get: what is left, and what he has been given. */
    unitsAtHand(pawn: Pawn): number[] {
        return unitValues.map((value, kind) => (this.#draft?.units[kind] ?? 0) + this.on(pawn).filter(({ points }) => points === value).length);
    }

    // --- changes ---

    clear(): void {
        this.#era++;
        this.#placed = [];
        this.#draft = null;
        this.bluff = false;
    }

    /** Whoever sits down at this device does not find another's thoughts. */
    sitDown(who: string): void {
        if (who !== this.#whose) this.clear();
        this.#whose = who;
    }

    /** It is not my turn: what was thought out is kept, what follows from it is not known, nor wanted if it comes yet. */
    rest(): void {
        this.#era++;
        this.#draft = null;
    }

    /** What was thought out earlier must still fit; false if the rules are against it now. */
    renew(): Promise<boolean> {
        const era = this.#era;
        return this.#inTurn(async () => {
            if (era !== this.#era || (await this.#try(this.#placed)) !== "illegal") return true;
            this.clear();
            await this.#think([]);
            return false;
        });
    }

    /** False if he cannot get that unit. */
    place(points: number, pawn: Pawn): Promise<boolean> {
        return this.#inTurn(async () => {
            if (!this.takes(pawn, points)) {
                if (this.target && this.target !== pawn) announce(t("All units of this assignment go to one initiate."));
                return false;
            }
            play("coin");
            if (await this.#think([...this.#placed, { key: ++this.#keys, points, pawn }]))
                announce(t("{points} on {pawn}: {total} in all.", { points, pawn: pawnCalled(pawn), total: this.#draft!.influence[pawns.indexOf(pawn)]! }));
            return true;
        });
    }

    /** Exactly this much of what is thought out goes to him, in units that are chosen for him. */
    give(amount: number, pawn: Pawn): Promise<boolean> {
        return this.#inTurn(async () => {
            const units = unitsFor(amount, this.unitsAtHand(pawn));
            if (!units) return false;
            const others = this.#placed.filter((placement) => placement.pawn !== pawn);
            return this.#think([...others, ...units.map((points) => ({ key: ++this.#keys, points, pawn }))]);
        });
    }

    takeBack(key: number): Promise<void> {
        return this.#inTurn(() => this.#takeBack(this.#placed.find((placement) => placement.key === key)));
    }

    /** The last unit, of this initiate or at all. */
    takeLastBack(pawn?: Pawn): Promise<void> {
        return this.#inTurn(() => this.#takeBack(this.#placed.findLast((one) => pawn === undefined || one.pawn === pawn)));
    }

    takeAllBack(): Promise<void> {
        return this.#inTurn(async () => {
            if (await this.#think([])) announce(t("Everything taken back."));
        });
    }

    /** One unit goes to another initiate, or all of them do. */
    async move(pawn: Pawn, key?: number): Promise<void> {
        const moved = (placement: Placement) => (key === undefined || placement.key === key ? { ...placement, pawn } : placement);
        await this.#inTurn(() => this.#think(this.#placed.map(moved)));
    }

    /** Somebody's advice instead: "assign", "place 10 T1", …, "done". */
    suggest(actions: readonly Action[]): void {
        const wanted = actions.flatMap((action): Placement[] => {
            const [verb, points, pawn = ""] = action.split(" ");
            return verb === "place" && isPawn(pawn) ? [{ key: ++this.#keys, points: Number(points), pawn }] : [];
        });
        this.bluff = wanted.length === 0 && actions[0] === "assign";
        void this.#inTurn(() => this.#think(wanted));
    }

    async #takeBack(gone: Placement | undefined): Promise<void> {
        if (gone && (await this.#think(this.#placed.filter((placement) => placement !== gone))))
            announce(t("{points} taken back from {pawn}.", { points: gone.points, pawn: pawnCalled(gone.pawn) }));
    }

    /** All changes so far are in. */
    async settled(): Promise<void> {
        await this.#last;
    }

    #inTurn<T>(change: () => Promise<T>): Promise<T> {
        const made = this.#last.then(change);
        this.#last = made.catch(() => {});
        return made;
    }

    async #think(wanted: readonly Placement[]): Promise<boolean> {
        return (await this.#try(wanted)) === "legal";
    }

    /** Takes these placements if the engine finds them legal. */
    async #try(wanted: readonly Placement[]): Promise<"legal" | "illegal" | "not known"> {
        const era = this.#era;
        try {
            const engine = this.connection();
            if (!engine) return "not known";
            const found = await engine.draft(actionsOf(wanted));
            const one = wanted.length === 0 ? await this.#goesToOne(engine, found) : this.#single;
            if (era !== this.#era) return "not known";
            [this.#draft, this.#placed, this.#single] = [found, wanted, one];
            return "legal";
        } catch (error) {
            if (error instanceof TableError && error.code === "rules") return "illegal";
            if (era === this.#era) complain(sayError(error));
            return "not known";
        }
    }

    /** Asks what would be left to do after one unit. */
    async #goesToOne(engine: TableConnection, first: Draft): Promise<boolean> {
        const options = (found: Draft) => new Set(found.legal.filter((line) => line.startsWith("place ")).map((line) => line.slice(-2)));
        const one = first.legal.findLast((line) => line.startsWith("place "));
        if (one === undefined || options(first).size < 2) return false;
        return options(await engine.draft([one])).size < 2;
    }
}
