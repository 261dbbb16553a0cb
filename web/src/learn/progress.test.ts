import { expect, test } from "vitest";
import { readProgress } from "./progress.svelte";

test("progress that is damaged or of another course is left out", () => {
    expect(readProgress(null)).toEqual({ done: [], at: {} });
    expect(readProgress("{")).toEqual({ done: [], at: {} });
    expect(readProgress('{"done":["grail","dance"],"at":{"moving":2,"grail":99,"toString":1,"end":"x"}}')).toEqual({
        done: ["grail"],
        at: { moving: 2 },
    });
});
