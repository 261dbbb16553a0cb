// What `gral bench players` runs for its WebAssembly column:
//
//   node bench.mjs gral.wasm RUNS SIMULATIONS PLAYER GAME…
//
// Each GAME is a line with its terms and one for each input; PLAYER advises the first seat that has to decide in it, with so
// many SIMULATIONS if it does not tell. Prints the simulations a second in the best of the runs, then the actions, so that
// the caller can see that both decided the same.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadEngine } from "./engine.mjs";

const [path, runs, budget, player, ...games] = process.argv.slice(2);
// Nobody looks at the seals, so any hash will do.
const hash = (bytes) => createHash("sha256").update(bytes).digest();
const { openLive, learn, advise } = await loadEngine(await WebAssembly.compile(readFileSync(path)), hash);
learn(readFileSync(new URL("learned.net", import.meta.url)));

const questions = games.map((game) => {
    const [terms, ...inputs] = game.trimEnd().split("\n");
    const live = openLive(terms, 0);
    for (const input of inputs) live.input(input, 0);
    return live.question(live.thinking()[0], player);
});

let best = 0;
let actions;
for (let run = 0; run < Number(runs); run++) {
    const start = performance.now();
    const hints = questions.map((question) => advise(question));
    const seconds = (performance.now() - start) / 1000;
    const simulations = hints.reduce((sum, hint) => sum + (hint.simulations || Number(budget)), 0);
    best = Math.max(best, simulations / seconds);
    actions = hints.map((hint) => hint.actions[0].action);
}
console.log([best.toFixed(0), ...actions].join(","));
