// Where the games of this device are kept. A browser may forbid it (a private window) or have no space left; then they last
// as long as the page.
import { createStore, del, get, update, values } from "idb-keyval";
import { TableError } from "../lib/protocol";
import type { GameStore, StoredGame } from "./room";

export function keptGames(): GameStore {
    const place = createStore("gral", "games");
    return {
        get: async (id) => get<StoredGame>(id, place),
        put: async (game) => update<StoredGame>(game.id, (kept) => notBehind(game, kept), place),
        delete: async (id) => del(id, place),
        all: async () => values<StoredGame>(place),
    };
}

/** Where windows cannot lock each other out (locks.ts), at least none forgets what another has played. */
export function notBehind(game: StoredGame, kept: StoredGame | undefined): StoredGame {
    if (kept && kept.inputs.length > game.inputs.length) throw new TableError("elsewhere", "this game has continued in another window");
    return game;
}

/** Remembers what `place` does not take, and says so the first time. */
export function remembering(place: GameStore, unkept: () => void): GameStore {
    const memory = new Map<string, StoredGame>();
    let said = false;
    return {
        get: async (id) => memory.get(id) ?? place.get(id).catch(() => undefined),
        async put(game) {
            try {
                await place.put(game);
                memory.delete(game.id);
            } catch (error) {
                if (error instanceof TableError) throw error;
                memory.set(game.id, game);
                if (!said) unkept();
                said = true;
            }
        },
        async delete(id) {
            memory.delete(id);
            await place.delete(id).catch(() => undefined);
        },
        async all() {
            const kept = await place.all().catch(() => []);
            return [...memory.values(), ...kept.filter(({ id }) => !memory.has(id))];
        },
    };
}
