// The JavaScript side of engine.h: a game as an object, words as strings. For a worker in the browser, and for node.

const utf8 = { read: new TextDecoder(), write: new TextEncoder() };

/** Something was refused; nothing has changed. The message is English, and the key of its translation. */
export class Refused extends Error {}

/**
 * The save of a new game: who sits where, and what the table agreed on.
 * @param {{person?: string, computer?: string}[]} seats
 * @param {Record<string, string | number>} tags `Seed`, `Rules`, `First`, `Limit`, `Date`, …
 */
export function newGame(seats, tags = {}) {
    const all = { Players: seats.length, ...tags };
    seats.forEach(({ person, computer }, index) => {
        all[`Player${index + 1}`] = computer ?? person ?? "";
        all[`Player${index + 1}Type`] = computer === undefined ? "human" : "program";
    });
    const quoted = (value) => `"${String(value).replace(/["\\]/g, "\\$&")}"`;
    return Object.entries(all).map(([tag, value]) => `[${tag} ${quoted(value)}]\n`).join("");
}

/**
 * Starts the engine.
 * @param {WebAssembly.Module} module gral.wasm
 * @returns a function that opens the game in a save, or throws what is wrong with it
 */
export async function startEngine(module) {
    const { exports: engine } = await WebAssembly.instantiate(module, {});
    engine._initialize();

    /** Puts words into the box; returns their length. */
    function put(words) {
        const bytes = utf8.write.encode(words);
        const box = engine.engine_box(bytes.length);
        if (box === 0) throw new Error("there is not enough memory");
        new Uint8Array(engine.memory.buffer, box).set(bytes);
        return bytes.length;
    }

    function answer() {
        const box = engine.engine_box(0);
        const bytes = new Uint8Array(engine.memory.buffer, box); // anew: memory that has grown is another buffer
        return utf8.read.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    const done = (refusal) => {
        if (refusal !== 0) throw new Refused(answer());
    };

    return function openGame(save) {
        const table = engine.engine_open(put(save));
        if (table === 0) throw new Refused(answer());
        const told = (look) => (...what) => (look(table, ...what), answer());
        return {
            save: told(engine.engine_save),
            seat: told(engine.engine_seat),
            view: told(engine.engine_view),
            legal: told(engine.engine_legal),
            notepad: told(engine.engine_notepad),
            event: told(engine.engine_event),
            actor: () => engine.engine_actor(table),
            heard: (seat) => engine.engine_heard(table, seat),
            say: (seat, action) => done(engine.engine_say(table, seat, put(action))),
            step: () => done(engine.engine_step(table)),
            takeBack: (seat) => done(engine.engine_take_back(table, seat)),
            hint: (seat, adviser) => (done(engine.engine_hint(table, seat, put(adviser))), answer()),
            close: () => engine.engine_close(table),
        };
    };
}
