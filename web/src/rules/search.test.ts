import { expect, test } from "vitest";
import { hasAll, parts, wordsOf } from "./search";

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
