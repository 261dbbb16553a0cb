// What `gral bench players` runs for its WebAssembly column:
//
//   node bench.mjs gral.wasm RUNS SIMULATIONS PLAYER SAVE…
//
// Each SAVE is the text of a game; PLAYER decides for the seat that must act in it, with so many SIMULATIONS if it does
// not tell. Prints the simulations a second in the best of the runs, then the actions, so that the caller can see that
// both decided the same.
import { readFileSync } from "node:fs";
import { startEngine } from "./engine.mjs";

const [path, runs, budget, player, ...saves] = process.argv.slice(2);
const openGame = await startEngine(await WebAssembly.compile(readFileSync(path)));
const games = saves.map(openGame);

let best = 0;
let actions;
for (let run = 0; run < Number(runs); run++) {
    const start = performance.now();
    const hints = games.map((game) => game.hint(game.actor(), player));
    const seconds = (performance.now() - start) / 1000;
    const simulations = hints.reduce((sum, hint) => sum + (Number(/^simulations (\d+)$/m.exec(hint)[1]) || Number(budget)), 0);
    best = Math.max(best, simulations / seconds);
    actions = hints.map((hint) => /^action (.*): /m.exec(hint)[1]);
}
console.log([best.toFixed(0), ...actions].join(","));
