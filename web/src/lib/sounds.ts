// The quiet sounds of a table: bells and strings, made on the spot of a few soft partials each.
import { settings } from "./settings.svelte";
import { times } from "./tempo";

type Tone = readonly [hertz: number, loudness: number, seconds: number, start?: number];

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
    /** Two strings, the second lower: somebody objects. */
    objection: [
        [392, 0.1, 0.5],
        [784, 0.03, 0.3],
        [311.1, 0.1, 0.8, 0.14],
        [622.3, 0.03, 0.5, 0.14],
    ],
    /** A chord that opens: the game is over. */
    end: [
        [261.6, 0.08, 2.2],
        [392, 0.07, 2.2, 0.12],
        [523.3, 0.06, 2.4, 0.24],
        [659.3, 0.06, 2.8, 0.36],
    ],
} as const satisfies Record<string, readonly Tone[]>;

export type Sound = keyof typeof sounds;

let context: AudioContext | undefined;
const last: Partial<Record<Sound, number>> = {};

/** Silent if that is wanted, right after the same sound, and where the browser wants a click first. */
export function play(sound: Sound): void {
    if (!settings.sound || Date.now() - (last[sound] ?? 0) < times.sound) return;
    last[sound] = Date.now();
    try {
        context ??= new AudioContext();
        if (context.state === "suspended") void context.resume().catch(() => undefined);
        for (const [hertz, loudness, seconds, start = 0] of sounds[sound] as readonly Tone[]) {
            const begin = context.currentTime + start;
            const tone = context.createOscillator();
            const volume = context.createGain();
            tone.frequency.value = hertz;
            volume.gain.setValueAtTime(0, begin);
            volume.gain.linearRampToValueAtTime(loudness, begin + 0.01);
            volume.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
            tone.connect(volume).connect(context.destination);
            tone.start(begin);
            tone.stop(begin + seconds);
        }
    } catch {
        // no sound here
    }
}
