// Names in prepared texts (rules, lessons).
import { fill, type Gaps } from "../lib/i18n";
import { pawnNames } from "../lib/initiates";
import { fieldName, fields } from "../lib/names";

const places = () => Object.fromEntries(fields.map((field) => [field, `${fieldName(field)} (${field})`]));

/** Fills the gaps of a prepared text: {d3} becomes "Akkon (d3)", {T1} "Alberto Castellano". */
export const withNames = (text: string, gaps: Gaps = {}): string => fill(text, { ...places(), ...pawnNames, ...gaps });
