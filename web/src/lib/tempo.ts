// How long things take, in milliseconds. `--beat` of theme.css is how long what moves does.
import { settings, type Settings } from "./settings.svelte";

/** What goes on by itself, as fast as this person likes. */
const tempos = {
    /** Before a computer player of this device speaks. */
    pace: { off: 0, fast: 300, normal: 700, slow: 1200 },
    /** Before a pass that is the only answer. */
    breath: { off: 0, fast: 350, normal: 700, slow: 1300 },
    /** Before each thing that others do in a lesson. */
    lesson: { off: 0, fast: 350, normal: 700, slow: 1400 },
    /** Between two moments of a game that is played back. */
    replay: { off: 700, fast: 500, normal: 1100, slow: 1900 },
} as const satisfies Record<string, Record<Settings["animation"], number>>;

export const tempo = (what: keyof typeof tempos): number => tempos[what][settings.animation];

/** What is the same for everybody. */
export const times = {
    /** A tip stays after the pointer has left it. */
    tip: 200,
    /** A connection may be away for so long before anybody is told. */
    hiccup: 600,
    /** Between two looks at a clock that runs, and at the countdown to the next try. */
    clock: 250,
    countdown: 500,
    /** The same sound does not come again before. */
    sound: 1500,
    /** A window in the background keeps the others from calling, too. */
    call: 2000,
} as const;
