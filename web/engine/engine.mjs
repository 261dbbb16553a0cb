// The JavaScript side of live.h, think.h and replay.h: games as objects, words as strings. For a worker in the browser, and for
// node.

const utf8 = { read: new TextDecoder(), write: new TextEncoder() };

const ids = ["T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"];
const seatsIn = (mask) => Array.from({ length: 12 }, (_, index) => index + 1).filter((seat) => (mask >> (seat - 1)) & 1);

/** Something was refused; nothing has changed. The message is English, and the key of its translation. */
export class Refused extends Error {
    /** @param {string} message @param {string} code a short word for programs, as in docs/protocol.md */
    constructor(message, code = "rules") {
        super(message);
        this.code = code;
    }
}

/**
 * Starts the engine.
 * @param {WebAssembly.Module} module gral.wasm
 * @param {(bytes: Uint8Array) => Uint8Array} hash BLAKE2b of 32 bytes; needed for games with a host and for audits
 * @returns the doors of the module; each `open` throws what is wrong with its text
 */
export async function loadEngine(module, hash) {
    function blake2b(bytes, length, digest) {
        if (hash === undefined) throw new Error("the engine was started without a hash");
        const result = hash(new Uint8Array(engine.memory.buffer, bytes, length).slice());
        new Uint8Array(engine.memory.buffer, digest, 32).set(result);
    }
    const { exports: engine } = await WebAssembly.instantiate(module, { env: { blake2b, now: () => performance.now() } });
    engine._initialize();

    /** Puts words into the box; returns their length. */
    const put = (words) => putBytes(utf8.write.encode(words));

    function putBytes(bytes) {
        const box = engine.box_room(bytes.length);
        if (box === 0) throw new Error("out of memory");
        new Uint8Array(engine.memory.buffer, box).set(bytes);
        return bytes.length;
    }

    function answer() {
        const box = engine.box_room(0);
        const bytes = new Uint8Array(engine.memory.buffer, box); // anew: memory that has grown is another buffer
        return utf8.read.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    const told = () => JSON.parse(answer());

    function opened(handle) {
        if (handle === 0) throw new Refused(answer());
        return handle;
    }

    /** The host's refusals have a word before the sentence. */
    function refused() {
        const [, code, sentence] = /^(\S*) ([^]*)$/.exec(answer());
        throw new Refused(sentence, code);
    }

    const allowed = (refusal) => {
        if (refusal !== 0) refused();
    };

    /** A game with a host, from its terms; live.h says what each of these does. */
    function openLive(terms, time) {
        const live = opened(engine.live_open(put(terms), time));
        return {
            name: (seat, name) => engine.live_name(live, seat, put(name)),
            input: (input, time) => allowed(engine.live_input(live, put(input), time)),
            push: (viewer, everything, time) => (engine.live_push(live, viewer, everything ? 1 : 0, time) ? told() : null),
            due: () => {
                const time = engine.live_due(live);
                return time < 0 ? null : { time, kind: answer() };
            },
            asked: () => seatsIn(engine.live_asked(live)),
            thinking: () => seatsIn(engine.live_thinking(live)),
            question: (seat, adviser = "") => {
                const length = engine.live_question(live, seat, put(adviser));
                if (length === 0) refused();
                return new Uint8Array(engine.memory.buffer, engine.box_room(0), length).slice();
            },
            tellTime: (ready) => engine.live_tell_time(live, ready),
            record: (date = "") => (engine.live_record(live, put(date)), answer()),
            close: () => engine.live_close(live),
        };
    }

    /** How long the computer player of this text may think about a decision, in milliseconds. */
    const thinkingTime = (player) => engine.thinking_time(put(player));

    /** Takes in the net, learned.net: before anybody thinks, advises or looks back at beliefs. */
    function learn(net) {
        const room = engine.net_room();
        if (room === 0) throw new Error("out of memory");
        if (net.length !== engine.net_size()) throw new Error("this net belongs to another engine");
        new Uint8Array(engine.memory.buffer, room).set(net);
    }

    /** Decides on a live game's question, within so many milliseconds; 0: however long it takes. */
    function think(question, milliseconds = 0) {
        allowed(engine.think(putBytes(question), milliseconds));
        const [actions, offer] = answer().split("\n");
        return { actions: actions.split("; "), offer: offer || null };
    }

    /** What the adviser of a question would do. */
    const advise = (question, milliseconds = 0) => (allowed(engine.advise(putBytes(question), milliseconds)), told());

    /** A game that was played, from its record. Lenses: 0 for everybody, a seat, 255 for all sheets. */
    function openReplay(record) {
        const replay = opened(engine.replay_open(put(record)));
        const look = (ask) => (...what) => (ask(replay, ...what), told());
        return {
            info: look(engine.replay_info),
            at: look(engine.replay_at),
            notepad: look(engine.replay_notepad),
            beliefs: look(engine.replay_beliefs),
            timeline: look(engine.replay_timeline),
            close: () => engine.replay_close(replay),
        };
    }

    /** What a table has told, as numbers. */
    function figures(view, you) {
        const sheets = view.sheets?.length === view.known.length ? view.sheets.map((row, seat) => [seat + 1, ...row])
            : you?.influence ? [[you.seat, ...you.influence]] : [];
        const there = view.pawns.map((field) => (field === "-" ? 0 : 1));
        return [there, view.known, view.paid, sheets].flat(2).join(" ");
    }

    /** The notepad from a view as a table tells it, and one's own influence; null where the figures fit no game. */
    function notepad(view, you) {
        return engine.notepad(put(`${view.known.length} ${figures(view, you)}`)) === 0 ? told() : null;
    }

    /** The sheet after these placements ("place 10 T1"), in the opening or an assignment, and what may be placed then. */
    function draft(view, you, placed) {
        const there = view.pawns.map((field) => (field === "-" ? 0 : 1));
        const placements = placed.map((action) => {
            const [, points, pawn] = action.split(" ");
            return [points, ids.indexOf(pawn)];
        });
        const phase = view.phase === "opening" ? 0 : 1;
        const numbers = [view.known.length, phase, there, you.influence, you.units, placements].flat(2).join(" ");
        allowed(engine.draft(put(numbers)));
        return told();
    }

    /** The views after each of these actions, { seat, action }, from number `from` on; `view` is the newest. */
    function story(terms, view, actions, from = 0) {
        const { players, rules, hq, first, limit } = terms;
        const settings = `players=${players} rules=${rules}${hq ? ` hq=${hq}` : ""} first=${first} limit=${limit}`;
        const lines = actions.map(({ seat, action }) => `${seat}: ${action}`);
        engine.story(put([settings, figures(view), ...lines].join("\n")), from);
        return told();
    }

    const audit = (record) => (engine.audit(put(record)), told());

    return { openLive, thinkingTime, learn, think, advise, openReplay, notepad, draft, story, audit };
}
