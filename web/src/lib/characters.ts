// The twelve characters of the computer players: the same in every list, seat and picture, and in the terminal
// (src/players/character.c has their manners). Names are the same in every language; what is said of them is translated.
import { N_ } from "./i18n";

export const characters = ["renard", "odile", "lupo", "bruno", "isolde", "hugo", "morgana", "pia", "tristan", "ursula", "yusuf", "zaida"] as const;
export type Character = (typeof characters)[number];

export const characterName = (character: Character): string => character[0]!.toUpperCase() + character.slice(1);

/** In one line each; keys of translations. */
export const manners: Readonly<Record<Character, string>> = {
    renard: N_("bluffs: often pretends to assign influence"),
    odile: N_("secretive: shows as little as she can"),
    lupo: N_("attacks: uncovers whoever stands in his way"),
    bruno: N_("honest: doesn't bluff and keeps his word"),
    isolde: N_("quiet: seldom objects, but then with full force"),
    hugo: N_("daring: heads straight for the grail"),
    morgana: N_("vengeful: remembers who stopped her"),
    pia: N_("talkative: always has a deal to offer"),
    tristan: N_("loyal: believes you, and forgives"),
    ursula: N_("stubborn: hardly ever yields"),
    yusuf: N_("patient: saves his influence for the end"),
    zaida: N_("charming: promises a lot, keeps little"),
};

/** What games from before there were twelve call them. */
const former: Readonly<Record<string, Character>> = { fox: "renard", owl: "odile", wolf: "lupo", ox: "bruno" };

/** Whose character a word is; null for nobody in particular. */
export const characterOf = (word: string): Character | null => characters.find((one) => one === word) ?? former[word] ?? null;

/** Sets a seat's character; whoever had it gets the one that is free now, so that nobody sits at a table twice. */
export function cast(seats: { as: Character }[], index: number, as: Character): void {
    const other = seats.find((seat) => seat.as === as);
    if (other) other.as = seats[index]!.as;
    seats[index]!.as = as;
}
