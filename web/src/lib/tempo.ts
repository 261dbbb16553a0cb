// How long things take, in milliseconds. `--beat` of theme.css is how long what moves does.
import { settings, type Settings } from "./settings.svelte";

type Tempo = Settings["tempo"];

/** What goes on by itself, as fast as this person likes. */
const tempos = {
    /** Before a computer player of this device speaks: the director (director.svelte.ts) takes the time that people need. */
    pace: { calm: 150, normal: 150, brisk: 100, instant: 0 },
    /** Before each thing that others do in a lesson. */
    lesson: { calm: 1400, normal: 700, brisk: 350, instant: 0 },
} as const satisfies Record<string, Record<Tempo, number>>;

export const tempo = (what: keyof typeof tempos): number => tempos[what][settings.tempo];

export const speeds = { calm: 1.6, normal: 1, brisk: 0.6, instant: 0 } as const satisfies Record<Tempo, number>;

/** To read a text at leisure: some twenty letters in a second, and a moment to find it. */
export const toRead = (words: string): number => 500 + 48 * words.length;

/** What the turns of all others shall take between two of mine, however many they are. Some take longer than planned: nothing is
 *  shown for less than can be seen. */
export const round = 16_000;
/** What a turn takes when there is time enough. */
export const usualTurn = 4500;

/** What is the same for everybody. */
export const times = {
    /** A tip stays after the pointer has left it. */
    tip: 200,
    /** A connection may be away for so long before anybody is told. */
    hiccup: 600,
    /** Whoever has said nothing for so long is asked whether he is there. */
    quiet: 2500,
    /** Whoever is asked and says nothing for so long may be gone; for so long, is. */
    silence: 2500,
    gone: 8000,
    /** An automatic pass online: the same whatever one holds. */
    pass: 8000,
    /** Between two looks at a clock that runs, and at the countdown to the next try. */
    clock: 250,
    countdown: 500,
    /** The same sound does not come again before. */
    sound: 1500,
    /** Nor one that may come often. */
    coin: 80,
    /** A window in the background keeps the others from calling, too. */
    call: 2000,
    /** In a room: before others are told that somebody may be replaced, which the server allows after a minute. */
    lost: 61_000,
    /** In a room: from how it ended to how it came about. */
    applause: 12_000,
    /** The engine may take so long to say what happened in between; then it goes on without. */
    story: 4000,
} as const;
