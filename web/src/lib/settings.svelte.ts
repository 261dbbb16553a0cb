// What this person likes, on this device. `settings` is read and written like any object; changes are kept, and
// other windows follow.

export const choices = {
    theme: ["system", "light", "dark"],
    animation: ["off", "fast", "normal", "slow"],
    tempo: ["calm", "normal", "brisk", "instant"],
} as const;

export interface Settings {
    theme: (typeof choices.theme)[number];
    /** A code of language.svelte.ts; empty: the browser's. */
    language: string;
    animation: (typeof choices.animation)[number];
    /** How fast what others do is shown. */
    tempo: (typeof choices.tempo)[number];
    /** How this person is called at tables on this device; empty: nobody has said. */
    name: string;
    sound: boolean;
    /** Of sounds, 0 to 100. */
    volume: number;
    notepad: boolean;
    /** Under each figure on the board: what I hold, and what others have shown. */
    labels: boolean;
    /** Whoever carries the grail and walks keeps it, unless that ends the game or I say otherwise. */
    keepGrail: boolean;
    /** Offer advice where there is an adviser. */
    hints: boolean;
    /** Ask before a proposal is made. */
    confirmProposals: boolean;
    /** Pass without being asked when there is nothing else to say. */
    automaticPasses: boolean;
    /** Online: pass on every question after a while, whatever one holds, unless one answers. */
    passesOnline: boolean;
    /** Advice for beginners beside each question. */
    tips: boolean;
    /** Single letters act at the table; who dictates or has tremor may not want that. */
    letterKeys: boolean;
    /** Has not played yet, nor seen or skipped the prologue. */
    newcomer: boolean;
    /** Kinds of moments that were explained to this person (director.svelte.ts), with spaces between. */
    met: string;
}

export const defaults: Readonly<Settings> = {
    theme: "system",
    language: "",
    animation: "normal",
    tempo: "normal",
    name: "",
    sound: true,
    volume: 70,
    notepad: true,
    labels: true,
    keepGrail: true,
    hints: true,
    confirmProposals: false,
    automaticPasses: true,
    passesOnline: false,
    tips: true,
    letterKeys: true,
    newcomer: true,
    met: "",
};

const place = "gral.settings";

/** Settings from a text that may be old, damaged or somebody's joke: what does not fit is as by default. */
export function readSettings(text: string | null): Settings {
    let found: unknown;
    try {
        found = JSON.parse(text ?? "{}");
    } catch {
        found = {};
    }
    const fits = ([name, value]: [string, unknown]) =>
        Object.hasOwn(defaults, name) &&
        typeof value === typeof defaults[name as keyof Settings] &&
        (!Object.hasOwn(choices, name) || choices[name as keyof typeof choices].some((choice) => choice === value));
    return { ...defaults, ...Object.fromEntries(Object.entries(found ?? {}).filter(fits)) };
}

/** Nothing is to move by itself. */
export const still = () => settings.animation === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Storage may be forbidden (private windows, embedded pages): then settings last as long as the page. */
function stored(): string | null {
    try {
        return localStorage.getItem(place);
    } catch {
        return null;
    }
}

export const settings: Settings = $state(readSettings(stored()));

$effect.root(() => {
    $effect(() => {
        const text = JSON.stringify(settings);
        try {
            if (localStorage.getItem(place) !== text) localStorage.setItem(place, text);
        } catch {
            // see above
        }
    });
});

globalThis.addEventListener?.("storage", (event) => {
    if (event.key === place) Object.assign(settings, readSettings(event.newValue));
});
