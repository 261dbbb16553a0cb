// How long things take, in milliseconds. `--beat` of theme.css is how long what moves does.
import { settings, type Settings } from "./settings.svelte";

/** What goes on by itself, as fast as this person likes. */
const tempos = {
    /** Before a computer player of this device speaks. */
    pace: { off: 0, fast: 300, normal: 700, slow: 1200 },
    /** Before each thing that others do in a lesson. */
    lesson: { off: 0, fast: 350, normal: 700, slow: 1400 },
    /** Between two moments of a game that is played back. */
    replay: { off: 700, fast: 500, normal: 1100, slow: 1900 },
} as const satisfies Record<string, Record<Settings["animation"], number>>;

export const tempo = (what: keyof typeof tempos): number => tempos[what][settings.animation];

const reading = { off: 0, fast: 0.4, normal: 1, slow: 1.6 } as const satisfies Record<Settings["animation"], number>;

/** To read what one of so many others has proposed before it goes on by itself: at a large table there is less time for
 *  each, but never less than a second at the usual tempo. */
export const toRead = (words: string, others: number): number =>
    Math.max(1000, (500 + 30 * words.length) * Math.min(1, 5 / others)) * reading[settings.animation];

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
    /** A window in the background keeps the others from calling, too. */
    call: 2000,
} as const;
