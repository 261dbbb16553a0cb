// The engine as a browser has it. The native program, named by GRAL, plays the same games beside it.
//
//   GRAL=build/test/gral node web/engine/test.mjs build/wasm/web/engine/gral.wasm
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { newGame, Refused, startEngine } from "./engine.mjs";

const bytes = readFileSync(process.argv[2]);
const module = await WebAssembly.compile(bytes);
const openGame = await startEngine(module);

const computers = (...names) => names.map((computer) => ({ computer }));
const refusedWith = (message) => (error) => error instanceof Refused && error.message === message;

function playOn(game) {
    while (game.actor() !== 0) game.step();
    return game;
}

/** The game that the native program makes of this save. */
function playedNatively(save) {
    assert.ok(process.env.GRAL, "GRAL must name the native program");
    const folder = mkdtempSync(join(tmpdir(), "gral-"));
    try {
        const path = join(folder, "game.gral");
        writeFileSync(path, save);
        execFileSync(process.env.GRAL, ["play", "--plain", "--resume", path], { stdio: ["ignore", "ignore", "inherit"] });
        return readFileSync(path, "utf8");
    } finally {
        rmSync(folder, { recursive: true });
    }
}

const claims = {
    the_module_imports_nothing() {
        assert.deepEqual(WebAssembly.Module.imports(module), []);
    },

    computer_players_play_a_whole_game_to_its_end() {
        const game = playOn(openGame(newGame(computers("thinker:100", "rules", "greedy"), { Seed: 7 })));
        assert.match(game.view(0), /^phase over\n/);
        assert.match(game.view(0), /\nresult win [1-3] with [TAIR][12]\n$/);
        assert.throws(() => game.step(), refusedWith("the game is over"));
    },

    a_finished_game_opens_again_as_it_was() {
        const save = playOn(openGame(newGame(computers("rules", "rules"), { Seed: 3 }))).save();
        assert.equal(openGame(save).save(), save);
    },

    it_is_the_same_game_byte_for_byte_as_the_native_build() {
        const tables = [
            [["thinker:100", "rules", "greedy"], { Seed: 7 }],
            [["rules", "thinker:60"], { Seed: 8, First: 2 }],
            [["thinker:40", "ismcts:50", "rules", "greedy"], { Seed: "18446744073709551615", Rules: "original" }],
            [["rules", "greedy", "rules", "greedy", "thinker:30", "rules"], { Seed: 10, Limit: 200 }],
        ];
        for (const [names, tags] of tables) {
            const save = newGame(computers(...names), tags);
            assert.equal(playOn(openGame(save)).save(), playedNatively(save));
        }
    },

    a_person_sees_his_own_sheet_and_nobody_elses() {
        const game = openGame(newGame([{ person: 'Anna "Ä" \\' }, { computer: "rules" }], { Seed: 1 }));
        assert.deepEqual([1, 2, 3].map((seat) => game.seat(seat)), ['human Anna "Ä" \\', "program rules", ""]);
        game.say(1, "place 10 T1");
        assert.match(game.view(1), /\ninfluence 1 T1=10 .*\ninfluence 2 T1=\? /);
        assert.match(game.view(2), /\ninfluence 1 T1=\? .*\ninfluence 2 T1=0 /);
        assert.match(game.view(0), /\ninfluence 1 T1=\? .*\ninfluence 2 T1=\? /);
        assert.match(game.notepad(1), /^1 T1=10\.\.10 .*\n2 T1=0\.\.100 /);
        assert.deepEqual([0, 1, 2].map((seat) => game.heard(seat)), [0, 1, 0]);
        assert.match(game.event(1, 0), /^1: place 10 T1\nphase opening\n/);
        assert.equal(game.event(2, 0), "");
    },

    what_is_refused_changes_nothing_and_says_why() {
        const game = openGame(newGame([{ person: "Anna" }, { computer: "rules" }]));
        const before = game.save();
        assert.throws(() => game.say(1, "jump"), Refused);
        assert.throws(() => game.say(2, "done"), refusedWith("it is another player's turn to act"));
        assert.throws(() => game.step(), refusedWith("a person sits there"));
        assert.throws(() => game.takeBack(1), refusedWith("there is nothing to take back"));
        assert.throws(() => game.hint(1, "sphinx"), /expected a player/);
        assert.equal(game.save(), before);
        game.say(1, "place 10 T1");
        game.takeBack(1);
        assert.equal(game.save(), before);
    },

    a_hint_is_one_of_the_legal_actions() {
        const game = openGame(newGame([{ person: "Anna" }, { person: "Bert" }], { Seed: 5 }));
        const action = /^action (.*): chance \d+ weight \d+$/m.exec(game.hint(1, "rules"))[1];
        assert.ok(game.legal(1).split("\n").includes(action));
        assert.equal(game.legal(2), "");
    },

    a_wrong_save_is_refused_with_the_place_and_the_reason() {
        assert.throws(() => openGame('[Players "3"]\n\n1: place 11 T1\n'), /^Error: line 3, column \d+: ./);
        assert.throws(() => openGame(newGame(computers("sphinx", "rules"))), /expected a player/);
    },
};

console.log(`# gral.wasm has ${bytes.length} bytes`);
console.log(`1..${Object.keys(claims).length}`);
let number = 0;
for (const [name, claim] of Object.entries(claims)) {
    number++;
    try {
        claim();
        console.log(`ok ${number} - ${name}`);
    } catch (error) {
        console.log(`not ok ${number} - ${name}`);
        console.log(`${error.stack}`.replace(/^/gm, "# "));
        process.exitCode = 1;
    }
}
