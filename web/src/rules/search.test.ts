import { expect, test } from "vitest";
import { allClauses } from "./clauses";
import de from "./de";
import en from "./en";
import fr from "./fr";
import it from "./it";
import { hasAll, parts, tellsOf, wordsOf } from "./search";

test("words are found without regard to case and accents", () => {
    expect(hasAll("Geheimbündler dürfen", wordsOf("geheimbundler DÜRFEN"))).toBe(true);
    expect(hasAll("Geheimbündler", wordsOf("gral"))).toBe(false);
});

test("found words are cut out where they stand", () => {
    expect(parts("Le Graal, l'initié", wordsOf("initie graal"))).toEqual([
        { text: "Le ", found: false },
        { text: "Graal", found: true },
        { text: ", l'", found: false },
        { text: "initié", found: true },
    ]);
    expect(parts("Graal", [])).toEqual([{ text: "Graal", found: false }]);
});

test("short words are found where a word begins", () => {
    expect(hasAll("four societies", wordsOf("tie"))).toBe(false);
    expect(hasAll("L'initié", wordsOf("ini"))).toBe(true);
    expect(hasAll("R7.3", wordsOf("7.3"))).toBe(true);
    expect(parts("societies tied", wordsOf("tie")).filter(({ found }) => found)).toHaveLength(1);
});

// What newcomers look for, and the clauses they must find; the words of a row mean the same.
const asked: readonly (readonly [en: string, de: string, fr: string, it: string, ...clauses: string[]])[] = [
    ["tie", "Gleichstand", "égalité", "parità", "R7.3", "Q8"],
    ["veto", "Veto", "veto", "veto", "R4.4", "R4.6"],
    ["reveal", "offenbaren", "révéler", "rivelare", "R4.4", "R4.8"],
    ["kill", "töten", "tuer", "uccidere", "R6.1", "R6.3"],
    ["capture", "schlagen", "capturer", "catturare", "R6.1", "R6.3"],
    ["steal", "stehlen", "voler", "rubare", "R5.3"],
    ["swap", "tauschen", "échanger", "scambiare", "R3.4", "R5.3"],
    ["bluff", "bluffen", "bluffer", "bluffare", "R3.2", "R4.8"],
    ["win", "gewinnen", "gagner", "vincere", "R7.1", "R7.3", "R8.2"],
    ["draw", "unentschieden", "match nul", "pareggio", "R7.5"],
    ["pass", "passen", "passer", "passare", "R3.2", "R4.4"],
    ["undo", "zurücknehmen", "annuler", "annullare", "R3.4"],
    ["diagonal", "diagonal", "diagonale", "diagonale", "R1.1"],
];

test.each(asked)("%s, %s, %s, %s are found", (...row) => {
    for (const [index, rules] of [en, de, fr, it].entries()) {
        const found = allClauses.filter((clause) => tellsOf(rules, clause, wordsOf(row[index]!)));
        expect(found, row[index]).toEqual(expect.arrayContaining(row.slice(4)));
        expect(found.length, `${row[index]} finds not too much`).toBeLessThan(9);
    }
});

test("search words are none that the clause has already", () => {
    for (const rules of [en, de, fr, it])
        for (const clause of allClauses) {
            const [heading, text, words = ""] = rules.clauses[clause];
            for (const word of wordsOf(words)) expect(hasAll(`${heading} ${text}`, [word]), `${clause}: ${word}`).toBe(false);
        }
});
