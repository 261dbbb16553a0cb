// How things are called (R1.5): societies and some fields have other names in other languages.
import { N_, t } from "./i18n";
import { headquarters, isPawn, pawnNames, usualOwners, type Pawn, type Society } from "./initiates";
import type { Field, StoryTerms } from "./protocol";

/** Keys of translations. */
export const societyNames: Readonly<Record<Society, string>> = {
    T: N_("Templars"),
    A: N_("Assassins"),
    I: N_("Illuminates"),
    R: N_("Rosicrucians"),
};

/** Who owns which headquarters in The Original; nobody owns any in another game. `called` is given a seat. */
export function ownersOf(terms: Pick<StoryTerms, "rules" | "hq"> | null | undefined, called: (seat: number) => string): Record<Field, string> {
    if (terms?.rules !== "original") return {};
    const letters = [...(terms.hq ?? usualOwners)] as Society[];
    return Object.fromEntries(letters.map((letter, index) => [headquarters[letter], called(index + 1)]));
}

/** From a1 to e1, then a2 and so on; keys of translations. */
const fieldList = [
    N_("Tomar"),
    N_("Granada"),
    N_("Alexandria"),
    N_("Cairo"),
    N_("Alamut"),
    N_("Toledo"),
    N_("Montserrat"),
    N_("Antioch"),
    N_("Tortosa"),
    N_("Damascus"),
    N_("Santiago"),
    N_("Avignon"),
    N_("Golgotha"),
    N_("Akkon"),
    N_("Masyaf"),
    N_("Chartres"),
    N_("Montségur"),
    N_("Rennes-le-Château"),
    N_("Malta"),
    N_("Constantinople"),
    N_("Kassel"),
    N_("Rosslyn"),
    N_("Glastonbury"),
    N_("Prague"),
    N_("Ingolstadt"),
];

export const fields: readonly Field[] = fieldList.map((_, index) => `${"abcde"[index % 5]}${Math.floor(index / 5) + 1}`);
/** "Akkon"; empty for what is no field. */
export const fieldName = (field: Field): string => t(fieldList[fields.indexOf(field)] ?? "");
export const fieldNames = (): Record<Field, string> => Object.fromEntries(fields.map((field) => [field, fieldName(field)]));

/** "Hassan Al-Molk": a line does not end within a word of it, not even at its hyphen. */
export const pawnName = (pawn: Pawn): string => pawnNames[pawn].replaceAll("-", "-\u2060");
/** "T1 Alberto Castellano" */
export const pawnCalled = (pawn: string): string => (isPawn(pawn) ? `${pawn} ${pawnName(pawn)}` : pawn);
/** "Akkon d3" */
export const fieldCalled = (field: string): string => (fields.includes(field) ? `${fieldName(field)} ${field}` : field);
