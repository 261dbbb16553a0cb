// The engine as a browser has it. A native program, named by GRAL_HOST_GAME, plays the same games beside it.
//
//   GRAL_HOST_GAME=build/test/tests/host_game node web/engine/test.mjs build/wasm/web/engine/gral.wasm
import { execFileSync } from "node:child_process";
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Refused, loadEngine } from "./engine.mjs";

// Any hash will do for most claims; those about sealed records need the real one.
const real = await import("@noble/hashes/blake2.js").then(
    ({ blake2b }) => (bytes) => blake2b(bytes, { dkLen: 32 }),
    () => null,
);
const stand_in = (bytes) => createHash("sha256").update(bytes).digest();

const bytes = readFileSync(process.argv[2]);
const module = await WebAssembly.compile(bytes);
const { openLive, learn, think, advise, openReplay, notepad, draft, story, audit } = await loadEngine(module, real ?? stand_in);
const elsewhere = await loadEngine(module, stand_in);
const net = readFileSync(new URL("../../src/players/learned.net", import.meta.url));
learn(net);
elsewhere.learn(net);
const records = new URL("../../tests/data/records/", import.meta.url);
const recordOf = (name) => readFileSync(new URL(name, records), "utf8");

// --- tables with a host ---

const seats = (...names) => names.map((name, index) => ` seat${index + 1}=${name}`).join("");
const salt = (number) => number.toString(16).padStart(64, "0");
const noon = 1794744000000;

/** A table told to everybody: `now` is its clock, `seen` what each viewer has, `pushes` all that was sent. */
function sitDown(terms, people = []) {
    const live = openLive(terms, noon);
    const players = Number(/players=(\d+)/.exec(terms)[1]);
    const table = { live, players, now: noon, seen: [], pushes: [], inputs: [] };
    for (let viewer = 0; viewer <= players; viewer++) table.seen.push({ happened: [] });
    for (const seat of people) {
        live.name(seat, `Person ${seat}`);
        input(table, `sit ${seat} ${seat}`);
    }
    if (people.length === 0) look(table);
    return table;
}

/** Everybody looks; a viewer's parts are put in the place of those he had. */
function look(table, everything = false) {
    for (let viewer = 0; viewer <= table.players; viewer++) {
        const push = table.live.push(viewer, everything, table.now);
        if (push === null) continue;
        table.pushes.push({ viewer, push });
        const { from, happened, ...parts } = push;
        Object.assign(table.seen[viewer], parts);
        if (happened) table.seen[viewer].happened.splice(from, Infinity, ...happened);
    }
}

function input(table, words) {
    table.live.input(words, table.now);
    table.inputs.push([words, table.now]);
    look(table);
}

function act(table, seat, actions, by = "") {
    input(table, `do ${seat}${by} salt=${salt(table.inputs.length + 1)} ${actions.join("; ")}`);
}

/** The pace of a round passes: orders speak, and everybody sees how many have answered. */
function waitForPace(table) {
    const due = table.live.due();
    assert.equal(due.kind, "speak");
    table.now = due.time;
    input(table, "speak");
}

/** Persons follow the advice of a simple player. */
function advised(table, seat) {
    const hint = advise(table.live.question(seat, "rules"));
    return hint.plan ?? [hint.actions[0].action];
}

/** To the end: computer players think, standing orders speak, persons are advised. */
function playLive(table, most = 6000) {
    for (let count = 0; table.seen[0].stage !== "over"; count++) {
        assert.ok(count < most, "a game has an end");
        const [seat] = table.live.thinking();
        const due = table.live.due();
        const asked = table.seen.findIndex((seen) => seen.you?.asked);
        if (seat !== undefined) {
            const { actions, offer } = think(table.live.question(seat));
            table.now = Math.max(table.now, table.live.tellTime(table.now));
            act(table, seat, actions, " computer");
            if (offer !== null) input(table, `offer ${seat} computer ${offer}`);
        } else if (due !== null && due.kind === "speak") {
            table.now = Math.max(table.now, due.time);
            input(table, "speak");
        } else {
            act(table, asked, advised(table, asked));
        }
    }
    return table;
}

/** The inputs of the game that the native program makes of these terms. */
function playedNatively(terms) {
    assert.ok(process.env.GRAL_HOST_GAME, "GRAL_HOST_GAME must name the native program");
    return execFileSync(process.env.GRAL_HOST_GAME, [terms], { encoding: "utf8" });
}

const claims = {
    the_module_imports_a_hash_and_a_clock_and_nothing_else() {
        const imported = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
        assert.deepEqual(imported.sort(), ["env.blake2b", "env.now"]);
    },

    the_module_is_small_on_its_way_to_a_browser() {
        assert.ok(gzipSync(bytes).length < 300 * 1024);
    },

    // --- live.h ---

    wrong_terms_are_refused_with_the_place_and_the_reason() {
        assert.throws(() => openLive("players=13", noon), /^Error: line 1, column \d+: ./);
        assert.throws(() => openLive("players=2 game=x seed=1 clock=none pace=0 listed=no notepad=yes talk=yes seat1=sphinx", noon), /expected a player/);
    },

    it_is_the_same_game_as_in_the_native_build() {
        const unsalted = (inputs) => inputs.replace(/ salt=\w+/g, ""); // whoever gives an input salts it
        const common = " game=n clock=none pace=0 listed=no notepad=yes talk=yes";
        for (const terms of [
            "players=3 seed=7" + common + seats("rollout:100", "rules", "greedy"),
            "players=2 seed=8 first=2" + common + seats("rules", "rollout:60"),
            "players=4 seed=18446744073709551615 rules=original limit=100" + common + seats("thinker:level=5", "ismcts:50", "rules", "rollout:30"),
            "players=6 seed=10 limit=50" + common + seats("rules", "greedy", "rules", "greedy", "thinker:10", "rules"),
            "players=2 seed=11 limit=120" + common + seats("thinker", "thinker:level=4,as=owl"),
            "players=5 seed=12 limit=200" + common + seats("thinker:level=1", "rules", "thinker:level=2,as=fox", "thinker:level=3,as=wolf", "greedy"),
        ]) {
            const { inputs } = playLive(sitDown(terms));
            assert.equal(unsalted(inputs.map(([words]) => `${words}\n`).join("")), unsalted(playedNatively(terms)));
        }
    },

    what_is_refused_changes_nothing_and_says_why() {
        const table = sitDown("players=2 first=1 game=r seed=5 clock=none pace=0 listed=no notepad=yes talk=yes seat2=rules", [1]);
        const everything = () => [0, 1, 2].map((viewer) => table.live.push(viewer, true, table.now));
        const before = everything();
        for (const [words, code, message] of [
            ["do 1 jump", "member"],
            [`do 1 salt=${salt(1)} place 10 T1`, "unfinished", "all units must be placed at once, ending with 'done'"],
            [`do 1 computer salt=${salt(1)} done`, "person", "a person is in this seat"],
            [`do 2 salt=${salt(1)} done`, "computer", "a computer is in this seat"],
            ["do 1 done", "salt"],
            ["sit 1 2", "begun"],
            ["speak", "due"],
        ]) {
            assert.throws(() => input(table, words), (error) =>
                error instanceof Refused && error.code === code && (message === undefined || error.message === message), words);
        }
        assert.deepEqual(everything(), before);
    },

    a_person_is_called_as_he_wants() {
        const name = 'Anna "Ä" \\';
        const table = sitDown("players=2 game=q seed=5 clock=none pace=0 listed=no notepad=yes talk=yes seat2=rules", [1]);
        table.live.name(1, name);
        assert.equal(table.live.push(2, true, table.now).seats[0].name, name);
        input(table, "resign 1");
        const replay = openReplay(table.live.record());
        assert.equal(replay.info().names[0], name);
        replay.close();
    },

    computer_players_play_whole_games_with_a_host() {
        const common = " game=t seed=7 clock=none pace=700 listed=no notepad=yes talk=yes";
        for (const terms of [
            "players=2" + common + seats("thinker:level=3", "rules"),
            "players=3 first=2" + common + seats("thinker:level=2", "rules", "greedy"),
            "players=4" + common + seats("rules", "thinker:level=5", "greedy", "rules"),
            "players=4 rules=original hq=TAIR" + common + seats("rules", "thinker:level=5", "greedy", "rules"),
            "players=8 limit=300" + common + seats(...Array(8).fill("rules")),
        ]) {
            const table = playLive(sitDown(terms));
            assert.match(table.seen[0].view.result, /^(win \d with [TAIR][12]|draw)$/);
            assert.equal(table.seen[0].view.sheets.length, table.players);
            assert.throws(() => table.live.question(1), (error) => error.code === "over");
            const record = table.live.record("2026-11-15");
            const replay = openReplay(record);
            const info = replay.info();
            assert.equal(info.result, table.seen[0].view.result);
            assert.deepEqual(replay.at(info.actions.length, 0).view.sheets, table.seen[0].view.sheets);
            assert.deepEqual(info.computers, Array(table.players).fill(true));
            if (real) assert.deepEqual(audit(record).ok, true);
            replay.close();
            table.live.close();
        }
    },

    the_same_terms_and_inputs_make_the_same_table_again() {
        const terms = "players=3 game=again seed=9 clock=none pace=700 listed=no notepad=yes talk=yes seat2=rules seat3=thinker:level=4";
        const table = playLive(sitDown(terms, [1]));
        const again = openLive(terms, noon);
        again.name(1, "Person 1");
        for (const [words, time] of table.inputs) again.input(words, time);
        for (let viewer = 0; viewer <= 3; viewer++)
            assert.deepEqual(again.push(viewer, true, table.now), table.live.push(viewer, true, table.now));
    },

    answers_are_hidden_until_the_last_is_in() {
        const table = sitDown("players=3 first=1 game=h seed=1 clock=none pace=0 listed=no notepad=yes talk=yes", [1, 2, 3]);
        for (const seat of [1, 2, 3]) {
            assert.deepEqual(table.seen[seat].round, { asked: 3, answered: seat - 1, hidden: true });
            act(table, seat, ["place 10 T1", "done"]);
        }
        assert.equal(table.seen[0].version, 3);
        act(table, 1, ["step T1 b1"]);
        assert.equal(table.seen[2].view.actor, 0);
        assert.deepEqual(table.seen[3].you.legal, ["pass", "object 1..10"]);
        const heard = table.seen[2].happened.length;
        act(table, 3, ["object 7"]);
        assert.deepEqual(table.seen[2].round, { asked: 2, answered: 1, hidden: true });
        assert.equal(table.seen[2].happened.length, heard);
        assert.throws(() => act(table, 3, ["pass"]), (error) => error instanceof Refused && error.code === "answered");
        act(table, 2, ["pass"]);
        assert.deepEqual(table.seen[0].view.objection, { points: 7, by: 3 });
    },

    no_push_has_anything_of_another_seats_sheet() {
        const terms = "players=4 first=1 game=s seed=5 clock=none pace=0 listed=no notepad=yes talk=yes seat3=rules seat4=thinker:level=3";
        const table = playLive(sitDown(terms, [1, 2]));
        for (const { viewer, push } of table.pushes) {
            assert.equal(push.you?.seat ?? 0, push.you ? viewer : 0);
            assert.ok(!push.view?.sheets || push.stage === "over");
            for (const { seat, action } of push.happened ?? []) assert.ok(!action?.startsWith("place") || seat === viewer);
        }
        // Two tables that differ in what seat 2 places, and in nothing else.
        const told = ["place 10 T1", "place 1 R2"].map((placed) => {
            const table = sitDown("players=2 first=1 game=d seed=5 clock=none pace=0 listed=no notepad=yes talk=yes", [1, 2]);
            act(table, 1, ["place 10 A1", "done"]);
            act(table, 2, [placed, "done"]);
            act(table, 1, ["step T1 b1"]);
            act(table, 2, ["pass"]);
            return JSON.stringify(table.pushes.filter(({ viewer }) => viewer !== 2)).replace(/[0-9a-f]{64}/g, "seal");
        });
        assert.equal(told[0], told[1]);
    },

    standing_orders_talk_and_draws_work_as_with_a_server() {
        const table = sitDown("players=2 first=1 game=o seed=5 clock=none pace=20 listed=no notepad=yes talk=yes", [1, 2]);
        act(table, 1, ["done"]);
        act(table, 2, ["done"]);
        assert.equal(table.seen[1].round.answered, 0);
        waitForPace(table);
        input(table, "order 2 pass until mine");
        assert.deepEqual(table.seen[2].you.orders, ["pass until mine"]);
        act(table, 1, ["step T1 b1"]);
        waitForPace(table);
        assert.equal(table.seen[1].view.pawns[0], "b1");
        input(table, "talk 1: Grüße <b>");
        assert.equal(table.seen[2].happened.at(-1).talk, "Grüße <b>");
        input(table, "offer 1 to=2 hold 10 T1");
        assert.equal(table.seen[0].happened.at(-1).offer, undefined);
        assert.throws(() => input(table, "nodraw 1"), (error) => error.code === "no-draw");
        assert.throws(() => input(table, "dance 1"), (error) => error.code === "member");
        input(table, "draw 1");
        input(table, "draw 2");
        assert.equal(table.seen[0].stage, "over");
    },

    a_clock_that_runs_out_says_when() {
        const table = sitDown("players=2 first=1 game=c seed=5 clock=move time=60000 pace=20 listed=no notepad=yes talk=yes", [1, 2]);
        assert.equal(table.seen[1].round.left, 60000);
        waitForPace(table);
        assert.deepEqual(table.live.due(), { time: noon + 60000, kind: "late" });
        table.now = noon + 60000;
        input(table, `late salt=${salt(1)}`);
        assert.equal(table.seen[0].view.phase, "turn");
    },

    advice_is_legal_and_has_reasons() {
        const table = sitDown("players=2 first=1 game=a seed=5 clock=none pace=0 listed=no notepad=yes talk=yes", [1, 2]);
        const { plan } = advise(table.live.question(1, "thinker:50"));
        assert.equal(plan.at(-1), "done");
        act(table, 1, plan);
        assert.throws(() => table.live.question(1, "rules"), (error) => error.code === "turn");
        act(table, 2, ["place 5 T1", "done"]);
        const { actions, reasons, simulations } = advise(table.live.question(1, "thinker:200"));
        assert.ok(simulations > 0 && actions[0].chance >= 0 && actions[0].chance <= 1);
        assert.ok(table.seen[1].you.legal.includes(actions[0].action));
        for (const reason of reasons) assert.deepEqual(Object.keys(reason), ["kind", "seat", "pawn", "points", "chance"]);
        assert.throws(() => advise(table.live.question(1, "sphinx")), (error) => error.code === "member");
    },

    an_assignment_that_is_advised_is_the_one_the_reasons_speak_of() {
        let assignments = 0;
        for (let seed = 1; assignments < 3; seed++) {
            assert.ok(seed < 50, "nobody is advised to assign anything");
            const table = sitDown(`players=2 first=1 game=p seed=${seed} clock=none pace=0 listed=no notepad=yes talk=yes limit=40`, [1, 2]);
            while (table.seen[0].stage === "playing") {
                const asked = table.seen.findIndex((seen) => seen.you?.asked);
                const { actions: [{ action }], reasons, plan } = advise(table.live.question(asked, "thinker:10"));
                if (action === "assign") {
                    assignments++;
                    assert.equal(plan[0], "assign");
                    const placed = new Set(plan.slice(1, -1).map((placement) => placement.split(" ")[2]));
                    assert.deepEqual([...placed], reasons.filter(({ kind }) => kind === "builds").map(({ pawn }) => pawn));
                }
                act(table, asked, plan ?? [action]);
            }
        }
    },

    a_question_can_be_thought_about_elsewhere() {
        const table = sitDown("players=2 first=1 game=e seed=5 clock=none pace=0 listed=no notepad=yes talk=yes seat1=thinker:50", [2]);
        act(table, 1, think(table.live.question(1)).actions, " computer");
        act(table, 2, ["place 10 T1", "done"]);
        const question = table.live.question(1);
        assert.deepEqual(elsewhere.think(question), think(question));
        assert.throws(() => table.live.question(2), (error) => error.code === "turn");
        assert.throws(() => table.live.question(3), (error) => error.code === "seat");
    },

    a_question_holds_nothing_of_another_sheet() {
        const questions = ["place 10 T1; done", "place 5 A2; place 4 R1; done"].map((opening) => {
            const table = sitDown("players=2 first=1 game=o seed=5 clock=none pace=0 listed=no notepad=yes talk=yes seat1=rules", [2]);
            act(table, 1, ["place 10 I1", "done"], " computer");
            act(table, 2, opening.split("; "));
            return table.live.question(1);
        });
        assert.deepEqual(questions[0], questions[1]);
    },

    who_has_little_time_thinks_less() {
        const table = sitDown("players=2 first=1 game=t seed=5 clock=none pace=0 listed=no notepad=yes talk=yes", [1, 2]);
        act(table, 1, ["place 5 T1", "done"]);
        act(table, 2, ["place 5 T1", "done"]);
        const question = table.live.question(1, "thinker:level=5");
        assert.ok(advise(question, 20).simulations < advise(question).simulations);
    },

    the_notepad_comes_from_what_was_told() {
        const table = sitDown("players=2 first=1 game=n seed=5 clock=none pace=0 listed=no notepad=yes talk=yes", [1, 2]);
        act(table, 1, ["place 10 T1", "place 3 A2", "done"]);
        act(table, 2, ["place 10 T1", "place 10 T1", "done"]);
        act(table, 1, ["step T1 b1"]);
        act(table, 2, ["object 9"]);
        const { view, you } = table.seen[1];
        const pad = notepad(view, you);
        assert.deepEqual(pad[0], [[10, 10], [0, 0], [0, 0], [3, 3], [0, 0], [0, 0], [0, 0], [0, 0]]);
        assert.deepEqual(pad[1].slice(0, 2), [[9, 100], [0, 91]]);
        assert.deepEqual(notepad(view, null)[0][0], [0, 100]);
        const nonsense = structuredClone(view);
        nonsense.known[0] = Array(8).fill(100);
        assert.equal(notepad(nonsense), null);
        assert.equal(notepad({ ...view, known: [] }), null);
        assert.equal(notepad({ ...view, paid: [["x"]] }), null);
    },

    a_draft_is_checked_without_a_table_R3_3() {
        const view = { phase: "turn", pawns: ["a1", "-", "e1", "e1", "e5", "e5", "a5", "a5"], known: Array(4).fill(Array(8).fill(0)) };
        const you = { influence: [10, 0, 0, 0, 0, 0, 0, 0], units: [3, 4, 4, 4, 4, 4] };
        const placed = draft(view, you, ["place 10 T1"]);
        assert.deepEqual([placed.influence[0], placed.units[0]], [20, 2]);
        assert.deepEqual(placed.legal.filter((action) => !action.endsWith(" T1")), ["done"]);
        assert.ok(draft({ ...view, phase: "opening" }, you, ["place 10 T1"]).legal.includes("place 5 A1"));
        assert.throws(() => draft(view, you, ["place 10 T1", "place 5 A1"]), /R3\.3/);
        assert.throws(() => draft(view, you, ["place 10 T2"]), Refused);
        assert.throws(() => draft(view, you, ["place X1 9"]), Refused);
    },

    the_story_of_a_table_is_made_from_what_it_has_told() {
        const terms = { players: 4, rules: "standard", first: 2, limit: 0 };
        const common = "players=4 first=2 game=s seed=21 clock=none pace=0 listed=no notepad=yes talk=yes";
        const table = playLive(sitDown(common + " seat1=rules seat2=rules seat3=greedy seat4=thinker:level=3"));
        const views = table.pushes.filter(({ viewer, push }) => viewer === 0 && push.view).map(({ push }) => push.view);
        const { view, happened } = table.seen[0];
        const actions = happened.filter(({ action }) => action);
        assert.ok(actions.some(({ action }) => action.includes("x ") || action.startsWith("uncover")), "somebody is uncovered");
        const told = story(terms, view, actions);
        assert.equal(told.length, actions.length);
        // Every view that was pushed is in the story, in order.
        let at = 0;
        for (const { sheets, ...seen } of views.slice(1)) {
            while (at < told.length && JSON.stringify(told[at]) !== JSON.stringify(seen)) at++;
            assert.ok(at < told.length, JSON.stringify(seen));
        }
        assert.deepEqual(story(terms, view, actions, 50), told.slice(50));
        // In the middle of the game, too, when the sheets are closed.
        const middle = table.pushes.filter(({ viewer, push }) => viewer === 0 && push.view)[views.length >> 1];
        const heard = [];
        for (const { viewer, push } of table.pushes) {
            if (viewer === 0) heard.push(...(push.happened ?? []).filter(({ action }) => action));
            if (push === middle.push) break;
        }
        assert.deepEqual(story(terms, middle.push.view, heard).at(-1), middle.push.view);
        assert.deepEqual(story(terms, view, [{ seat: 3, action: "pass" }]), []);
    },

    // --- replay.h ---

    a_record_is_seen_through_three_lenses() {
        const replay = openReplay(recordOf("example.gral"));
        const info = replay.info();
        assert.deepEqual(info.settings, { players: 3, rules: "standard", first: 1, limit: 0 });
        assert.equal(info.tags.Event, "The example of the rulebook");
        assert.equal(info.result, null);
        assert.deepEqual(info.actions[0], { seat: 1, turn: 0, action: "place 10 T1", secret: true });
        assert.deepEqual(info.placements[0], { turn: 0, seat: 1, pawn: "T1", points: 10 });
        assert.equal(info.placements.length, 7);
        const opening = info.actions.findIndex(({ turn }) => turn === 1);
        const open = replay.at(opening, 0), mine = replay.at(opening, 2), all = replay.at(opening, 255);
        assert.deepEqual(Object.keys(open), ["index", "view"]);
        assert.equal(open.view.sheets, undefined);
        assert.deepEqual(mine.you.influence, [12, 0, 0, 5, 0, 0, 0, 0]);
        assert.equal(mine.all, undefined);
        assert.deepEqual(all.all.map(({ influence }) => influence[0]), [15, 12, 0]);
        assert.deepEqual(all.view.sheets[2], [0, 0, 0, 13, 0, 0, 0, 0]);
        assert.deepEqual(replay.notepad(opening, 0)[0][0], [0, 100]);
        assert.deepEqual(replay.notepad(opening, 1)[0][0], [15, 15]);
        assert.deepEqual(replay.notepad(opening, 255)[2][3], [13, 13]);
        const end = replay.at(info.actions.length, 0);
        assert.equal(end.view.pawns[0], "-");
        const timeline = replay.timeline();
        assert.deepEqual(timeline[0].influence, all.view.sheets);
        assert.equal(timeline.at(-1).influence[2][3], 3);
        replay.close();
    },

    beliefs_come_from_what_a_seat_has_heard() {
        const record = recordOf("example.gral");
        const replay = openReplay(record);
        const { actions } = replay.info();
        const opening = actions.findIndex(({ turn }) => turn === 1);
        const public_ = replay.beliefs(opening, 0), second = replay.beliefs(opening, 2);
        assert.deepEqual(second[1][0].slice(0, 3), [12, 12, 12]);
        assert.deepEqual([second[0], second[2]].flat().map((estimate) => estimate.slice(0, 3)),
            [public_[0], public_[2]].flat().map((estimate) => estimate.slice(0, 3)));
        assert.deepEqual(replay.beliefs(opening, 2), second);
        // Another sheet of somebody else is none of seat 2's business.
        const other = openReplay(record.replace("1: place 10 T1", "1: place 10 T2").split("\n").filter((line) => !/^3: place/.test(line))
            .join("\n").replace(/(?<=3: done\n)[^]*/, ""));
        const same = other.info().actions.length;
        assert.ok(same < opening && other.at(same, 2).view.turn === 1);
        assert.deepEqual(other.beliefs(same, 2), second);
        assert.deepEqual(replay.beliefs(opening, 255)[2][3], [13, 13, 13, 100]);
        for (let index = 0; index <= actions.length; index += 5) {
            const notepad = replay.notepad(index, 1);
            replay.beliefs(index, 1).forEach((row, seat) => row.forEach(([low, middle, high, leads], pawn) => {
                const [least, most] = notepad[seat][pawn];
                assert.ok(least <= low && low <= middle && middle <= high && high <= most && leads <= 100);
            }));
        }
        replay.close();
    },

    a_wrong_record_is_refused_with_the_place_and_the_reason() {
        assert.throws(() => openReplay('[Players "3"]\n\n1: place 11 T1\n'), /^Error: line 3, column \d+: ./);
    },

    a_sealed_record_is_verified_and_a_damaged_one_is_not() {
        if (!real) return "npm ci in web/ was not run";
        const sealed = recordOf("sealed.gral");
        assert.deepEqual(audit(sealed), { ok: true, checks: true, seals: 4 });
        assert.equal(openReplay(sealed).info().tags.Game, "example");
        const damaged = sealed.replace("1: place 10 T1", "1: place 10 T2");
        const { ok, line, text } = audit(damaged);
        assert.deepEqual([ok, line], [false, sealed.split("\n").findIndex((row) => row.startsWith("1: place")) + 1]);
        assert.ok(text.length > 0);
    },

    what_is_signed_of_a_record_is_told_with_its_signature() {
        if (!real) return "npm ci in web/ was not run";
        const { ok, signed } = audit(recordOf("signed.gral"));
        assert.equal(ok, true);
        const key = createPublicKey({ key: Buffer.from("302a300506032b6570032100" + signed.signer, "hex"), format: "der", type: "spki" });
        const isRight = (statement) => verify(null, Buffer.from(statement), key, Buffer.from(signed.signature, "hex"));
        assert.ok(isRight(signed.statement));
        assert.ok(!isRight(signed.statement.replace("Ann", "Eve")));
        assert.ok(!/place|Salt/.test(signed.statement));
    },
};

console.log(`# gral.wasm has ${bytes.length} bytes, ${gzipSync(bytes).length} compressed`);
console.log(`1..${Object.keys(claims).length}`);
let number = 0;
for (const [name, claim] of Object.entries(claims)) {
    number++;
    try {
        const skipped = claim();
        console.log(`ok ${number} - ${name}${typeof skipped === "string" ? ` # SKIP ${skipped}` : ""}`);
    } catch (error) {
        console.log(`not ok ${number} - ${name}`);
        console.log(`${error.stack}`.replace(/^/gm, "# "));
        process.exitCode = 1;
    }
}
