// The quiet sounds of a table: bells, strings, wood and coins, made on the spot of a few partials each.
import { settings } from "./settings.svelte";
import { times } from "./tempo";

/** `to`: the pitch it slides to, as struck wood and falling things do. */
type Tone = readonly [hertz: number, loudness: number, seconds: number, start?: number, to?: number];

const sounds = {
    /** A bell: it is my turn. */
    turn: [
        [659.3, 0.12, 1.4],
        [1318.5, 0.05, 0.9],
        [1978, 0.02, 0.5],
    ],
    /** A tap on the glass: I am asked whether I object. */
    question: [
        [880, 0.05, 0.35],
        [1760, 0.015, 0.2],
    ],
    /** A coin is put down. */
    coin: [
        [2637, 0.035, 0.22],
        [3729, 0.025, 0.3],
        [5274, 0.015, 0.16],
        [3136, 0.02, 0.24, 0.05],
    ],
    /** A figure on wood. */
    step: [
        [190, 0.16, 0.14, 0, 90],
        [420, 0.04, 0.05],
        [150, 0.1, 0.12, 0.16, 80],
    ],
    /** Two strings, the second lower: somebody objects. */
    objection: [
        [392, 0.1, 0.5],
        [784, 0.03, 0.3],
        [311.1, 0.1, 0.8, 0.14],
        [622.3, 0.03, 0.5, 0.14],
    ],
    /** The same two, rising: he insists. */
    answer: [
        [311.1, 0.09, 0.4],
        [622.3, 0.03, 0.3],
        [415.3, 0.1, 0.8, 0.14],
        [830.6, 0.03, 0.5, 0.14],
    ],
    /** A stamp: it is stopped. */
    veto: [
        [130, 0.18, 0.28, 0, 48],
        [233, 0.07, 0.5],
        [247, 0.06, 0.5],
    ],
    /** A letter is sealed. */
    seal: [
        [240, 0.07, 0.12, 0, 120],
        [1250, 0.012, 0.3, 0.02, 700],
    ],
    /** A mask falls, and breaks. */
    uncovering: [
        [740, 0.07, 0.55, 0, 180],
        [1109, 0.03, 0.4, 0, 260],
        [98, 0.2, 0.7, 0.5, 55],
        [2217, 0.02, 0.25, 0.5],
        [2960, 0.015, 0.2, 0.54],
    ],
    /** A glass that sings. */
    grail: [
        [523.3, 0.05, 1.6],
        [784, 0.05, 1.6, 0.08],
        [1046.5, 0.05, 1.8, 0.16],
        [1568, 0.03, 2, 0.24],
    ],
    /** A chord that opens: the game is over. */
    victory: [
        [261.6, 0.08, 2.2],
        [392, 0.07, 2.2, 0.12],
        [523.3, 0.06, 2.4, 0.24],
        [659.3, 0.06, 2.8, 0.36],
        [784, 0.05, 3, 0.48],
        [1046.5, 0.04, 3.2, 0.6],
    ],
} as const satisfies Record<string, readonly Tone[]>;

export type Sound = keyof typeof sounds;

let context: AudioContext | undefined;
let all: GainNode | undefined;
/** When the last sound ends, by its clock; it rests until the next, for silence is work as well. */
let ends = 0;
let rest: ReturnType<typeof setTimeout> | undefined;
const last: Partial<Record<Sound, number>> = {};

/** These may come in quick succession. */
const repeats: ReadonlySet<Sound> = new Set(["coin", "step", "objection", "answer"]);

function loudspeaker(context: AudioContext): GainNode {
    const gain = context.createGain();
    gain.connect(context.destination);
    return gain;
}

/** Silent if that is wanted, right after the same sound, and where the browser wants a click first. */
export function play(sound: Sound): void {
    if (!settings.sound || settings.volume === 0 || Date.now() - (last[sound] ?? 0) < (repeats.has(sound) ? times.coin : times.sound)) return;
    last[sound] = Date.now();
    try {
        context ??= new AudioContext();
        all ??= loudspeaker(context);
        all.gain.value = (settings.volume / 70) ** 2;
        if (context.state === "suspended") void context.resume().catch(() => undefined);
        for (const [hertz, loudness, seconds, start = 0, to = hertz] of sounds[sound] as readonly Tone[]) {
            const begin = context.currentTime + start;
            const tone = context.createOscillator();
            const volume = context.createGain();
            tone.frequency.value = hertz;
            if (to !== hertz) tone.frequency.setValueAtTime(hertz, begin).exponentialRampToValueAtTime(to, begin + seconds / 2);
            volume.gain.setValueAtTime(0, begin);
            volume.gain.linearRampToValueAtTime(loudness, begin + 0.01);
            volume.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
            tone.connect(volume).connect(all);
            tone.start(begin);
            tone.stop(begin + seconds);
            ends = Math.max(ends, begin + seconds);
        }
        clearTimeout(rest);
        rest = setTimeout(() => void context?.suspend(), (ends - context.currentTime) * 1000 + 200);
    } catch {
        // no sound here
    }
}
