import { expect, test } from "vitest";
import { notices } from "../lib/notices.svelte";
import { TableError, type Draft } from "../lib/protocol";
import type { TableConnection } from "../lib/table.svelte";
import { Assignment } from "./assignment.svelte";

const draft: Draft = { influence: [10, 0, 0, 0, 0, 0, 0, 0], units: [4, 4, 4, 4], legal: ["place 10 T1", "done"] };

/** A sheet with one unit, and an engine that answers as it is told to. */
async function sheet() {
    const engine = { draft: async (): Promise<Draft> => draft };
    const assignment = new Assignment(() => engine as unknown as TableConnection);
    await assignment.renew();
    await assignment.place(10, "T1");
    expect(assignment.actions).toEqual(["place 10 T1"]);
    return { engine, assignment };
}

test("what the rules no longer allow is cleared", async () => {
    const { engine, assignment } = await sheet();
    const complaints = notices.toasts.length;
    engine.draft = async () => {
        engine.draft = async () => draft;
        throw new TableError("rules", "there is no such unit left");
    };
    expect(await assignment.renew()).toBe(false);
    expect(assignment.actions).toEqual([]);
    expect(notices.toasts.length).toBe(complaints);
});

test("where the engine fails, what was thought out is kept, and that is said", async () => {
    const { engine, assignment } = await sheet();
    engine.draft = () => Promise.reject(new TableError("engine", "the game engine couldn't be started"));
    expect(await assignment.renew()).toBe(true);
    await assignment.takeAllBack();
    expect(assignment.actions).toEqual(["place 10 T1"]);
    expect(notices.toasts.at(-1)?.text).toBe("That didn't work: the game engine couldn't be started.");
});

test("whoever is done before the engine has seen the last unit has placed it all the same", async () => {
    const { assignment } = await sheet();
    void assignment.place(10, "T1");
    await assignment.settled();
    expect(assignment.actions).toEqual(["place 10 T1", "place 10 T1"]);
});

test("what the engine says of a sheet that was handed in meanwhile is not shown", async () => {
    const { assignment } = await sheet();
    const answer = assignment.renew();
    assignment.rest();
    await answer;
    expect(assignment.draft).toBeNull();
    expect(assignment.actions, "and what was thought out is kept").toEqual(["place 10 T1"]);
});

test("whoever goes to his next game while the engine thinks hears nothing of it", async () => {
    let here: TableConnection | null = null;
    const two: Draft = { ...draft, legal: ["place 10 T1", "place 10 T2", "done"] };
    const assignment = new Assignment(() => here);
    const complaints = notices.toasts.length;
    here = {
        draft: async () => {
            here = null;
            return two;
        },
    } as unknown as TableConnection;
    await assignment.renew();
    await assignment.place(10, "T1");
    expect(notices.toasts.length).toBe(complaints);
});
