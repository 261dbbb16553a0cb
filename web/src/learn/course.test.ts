// Every lesson can be done as it is told, and has an answer for whatever else the rules allow: its inputs are played by the
// real engine, when there is one.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadEngine } from "../../engine/engine.mjs";
import { course, lessonIds, type Step, type Task } from "./course";
import de from "./de";
import en from "./en";
import fr from "./fr";
import it from "./it";
import { slipOf } from "./script";

const wasm = fileURLToPath(new URL("../../../build/wasm/web/engine/gral.wasm", import.meta.url));
const noHash = () => new Uint8Array(32);

/** What a table says may be done, one by one: "object 3..17" is many. */
const unfolded = (legal: readonly string[]) =>
    legal.flatMap((line) => {
        const [, verb, least, most] = /^(\w+) (\d+)\.\.(\d+)$/.exec(line) ?? [];
        return verb ? Array.from({ length: Number(most) - Number(least) + 1 }, (_, more) => `${verb} ${Number(least) + more}`) : [line];
    });

/** The kinds of what is allowed but not wanted. The sheet is there only where it is wanted, and then anything can be placed. */
function slipsOf({ want, way }: Step, legal: readonly string[]): string[] {
    const found = unfolded(legal)
        .filter((action) => !want!([action]))
        .map((action) => slipOf(action, way));
    return [...new Set(found)].filter((slip) => slip !== "sheet" || way?.at(-1) === "done").sort();
}

test.runIf(existsSync(wasm)).each(lessonIds)("lesson %s can be done, and tells what happens", async (id) => {
    const engine = await loadEngine(new WebAssembly.Module(readFileSync(wasm)), noHash);
    let live: ReturnType<typeof engine.openLive> | undefined;
    let seat = 1;
    const say = (seat: number, actions: readonly string[]) => live!.input(`do ${seat} salt=${"0".repeat(64)} ${actions.join("; ")}`, 0);
    const sayAll = (lines: readonly string[]) =>
        lines.forEach((line) => {
            try {
                say(Number(line[0]), [line.slice(2)]);
            } catch (error) {
                throw new Error(`${line}: ${String(error)}`, { cause: error });
            }
        });
    for (const step of course[id].steps as readonly Step[]) {
        if (step.table) {
            const { players, first, original, before } = step.table;
            live?.close();
            live = engine.openLive(
                `players=${players}${original ? " rules=original hq=TAIR" : ""} first=${first} game=l seed=1 clock=none pace=0 listed=no notepad=yes talk=yes`,
                0,
            );
            for (let k = 1; k <= players; k++) live.input(`sit ${k} ${k}`, 0);
            sayAll(before);
        }
        seat = step.seat ?? seat;
        if (step.want) {
            const you = live!.push(seat, true, 0)!.you!;
            expect(you.asked, `${step.id}: the learner is asked`).toBe(true);
            expect(step.want(step.way!), `${step.id}: the way is what is wanted`).toBe(true);
            const slips = slipsOf(step, you.legal!);
            for (const [language, text] of Object.entries({ en, de, fr, it })) {
                const hint = (text[id].steps as unknown as Record<string, Task>)[step.id]![2];
                const asked = `${language}, ${step.id}: every kind of wrong answer has its own sentence, and no sentence is idle`;
                if (typeof hint !== "object") expect(hint === undefined ? 0 : 1, asked).toBe(slips.length);
                else {
                    expect(Object.keys(hint).sort(), asked).toEqual(slips);
                    expect(new Set(Object.values(hint)).size, asked).toBe(slips.length);
                }
            }
            say(seat, step.way!);
        }
        sayAll(step.then ?? []);
    }
    const { view } = live!.push(0, true, 0)!;
    expect(view!.result).toBe({ prologue: "win 1 with T1", end: "win 1 with T1", original: "win 1 with R1" }[id as string] ?? null);
    live!.close();
});
