// Every lesson can be done as it is told: its inputs are played by the real engine, when there is one.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadEngine } from "../../engine/engine.mjs";
import { course, lessonIds, type Step } from "./course";

const wasm = fileURLToPath(new URL("../../../build/wasm/web/engine/gral.wasm", import.meta.url));
const noHash = () => new Uint8Array(32);

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
                `players=${players}${original ? " rules=original hq=TAIR" : ""} first=${first} game=l seed=1 clock=none pace=0 listed=no notepad=yes talk=yes`, 0);
            for (let k = 1; k <= players; k++) live.input(`sit ${k} ${k}`, 0);
            sayAll(before);
        }
        seat = step.seat ?? seat;
        if (step.want) {
            const you = live!.push(seat, true, 0)!.you!;
            expect(you.asked, `${step.id}: the learner is asked`).toBe(true);
            expect(step.want(step.way!), `${step.id}: the way is what is wanted`).toBe(true);
            say(seat, step.way!);
        }
        sayAll(step.then ?? []);
    }
    const { view } = live!.push(0, true, 0)!;
    expect(view!.result).toBe({ end: "win 1 with T1", original: "win 1 with R1" }[id as string] ?? null);
    live!.close();
});
