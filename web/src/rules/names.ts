// What things are called in texts: fields (R1.5), initiates (R1.2), societies.
import type { Initiate, Society } from "../art/model";
import { fill, N_, t, type Gaps } from "../lib/i18n";

const fields: Readonly<Record<string, string>> = {
    a5: N_("Kassel"), b5: N_("Rosslyn"), c5: N_("Glastonbury"), d5: N_("Prague"), e5: N_("Ingolstadt"),
    a4: N_("Chartres"), b4: N_("Montségur"), c4: N_("Rennes-le-Château"), d4: N_("Malta"), e4: N_("Constantinople"),
    a3: N_("Santiago"), b3: N_("Avignon"), c3: N_("Golgotha"), d3: N_("Akkon"), e3: N_("Masyaf"),
    a2: N_("Toledo"), b2: N_("Montserrat"), c2: N_("Antioch"), d2: N_("Tortosa"), e2: N_("Damascus"),
    a1: N_("Tomar"), b1: N_("Granada"), c1: N_("Alexandria"), d1: N_("Cairo"), e1: N_("Alamut"),
};

export const initiateNames: Readonly<Record<Initiate, string>> = {
    T1: "Alberto Castellano",
    T2: "Jacques de Barruel",
    A1: "Hassan Al-Molk",
    A2: "Mansur Al-Jallah",
    I1: "Johann von Fiore",
    I2: "Adam zu Weisenheym",
    R1: "Frater Valentinus",
    R2: "Frater Maleficus",
};

const societies: Readonly<Record<Society, string>> = {
    T: N_("Templars"),
    A: N_("Assassins"),
    I: N_("Illuminates"),
    R: N_("Rosicrucians"),
};

export const fieldName = (field: string): string => t(fields[field] ?? field);
export const societyName = (society: Society): string => t(societies[society]);
export const fieldNames = (): Record<string, string> =>
    Object.fromEntries(Object.keys(fields).map((field) => [field, fieldName(field)]));

/** Fills the gaps of a prepared text: {d3} becomes "Akkon (d3)", {T1} "Alberto Castellano". */
export function withNames(text: string, gaps: Gaps = {}): string {
    const places = Object.fromEntries(Object.keys(fields).map((field) => [field, `${fieldName(field)} (${field})`]));
    return fill(text, { ...places, ...initiateNames, ...gaps });
}
