import { expect, test } from "vitest";
import type { GameStore, StoredGame } from "./room";
import { TableError } from "../lib/protocol";
import { notBehind, remembering } from "./store";

const game = (id: string, turn: number) => ({ id, turn }) as StoredGame;

/** Storage that is full, or forbidden, while `fails`. */
function storage() {
    const kept = new Map<string, StoredGame>();
    const place = { kept, fails: false };
    const attempt = async <T>(run: () => T) => {
        if (place.fails) throw new Error("no storage");
        return run();
    };
    const store: GameStore = {
        get: (id) => attempt(() => kept.get(id)),
        put: (put) => attempt(() => void kept.set(put.id, put)),
        delete: (id) => attempt(() => void kept.delete(id)),
        all: () => attempt(() => [...kept.values()]),
    };
    return { place, store };
}

test("what cannot be kept is remembered, and that is said once", async () => {
    const { place, store } = storage();
    let said = 0;
    const games = remembering(store, () => said++);
    await games.put(game("a", 1));
    expect(said).toBe(0);
    place.fails = true;
    await games.put(game("a", 2));
    await games.put(game("b", 1));
    expect(said).toBe(1);
    expect((await games.get("a"))?.turn).toBe(2);
    expect((await games.all()).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(await games.get("c")).toBeUndefined();

    place.fails = false;
    expect((await games.all()).map(({ id, turn }) => [id, turn])).toEqual([
        ["a", 2],
        ["b", 1],
    ]);
    await games.put(game("a", 3));
    expect(place.kept.get("a")?.turn).toBe(3);
    expect((await games.get("a"))?.turn).toBe(3);
    await games.delete("b");
    expect((await games.all()).map(({ id }) => id)).toEqual(["a"]);
});

test("a game that went on in another window is not put back", async () => {
    const played = (inputs: number) => ({ id: "a", inputs: Array<[string, number]>(inputs).fill(["nodraw 1", 0]) }) as StoredGame;
    expect(() => notBehind(played(1), played(2))).toThrow(TableError);
    expect(notBehind(played(2), played(2)).inputs.length).toBe(2);
    expect(notBehind(played(2), undefined).inputs.length).toBe(2);

    const { store } = storage();
    const games = remembering({ ...store, put: async (put) => void notBehind(put, played(2)) }, () => expect.unreachable());
    await expect(games.put(played(1))).rejects.toMatchObject({ code: "elsewhere" });
    expect(await games.all()).toEqual([]);
});
