// What people read on the board (R1.5): the rulebook's five names as its edition prints them, ours in each language's own form.
import { expect, test } from "vitest";
import { speak } from "./language.svelte";
import { fieldCalled, fieldName } from "./names";

const own = ["e4", "c3", "c2", "e2", "a2", "b1", "c1", "d1", "b3", "a3"];
const rulebook = ["d3", "d2", "e3", "d4", "d5"];

test.each([
    ["en", "Constantinople Golgotha Antioch Damascus Toledo Granada Alexandria Cairo Avignon Santiago", "Akkon Tortosa Masyaf Malta Prague"],
    ["de", "Konstantinopel Golgatha Antiochia Damaskus Toledo Granada Alexandria Kairo Avignon Santiago", "Akkon Tortosa Masyaf Malta Prag"],
    ["fr", "Constantinople Golgotha Antioche Damas Tolède Grenade Alexandrie Le Caire Avignon Saint-Jacques", "Akkon Tortosa Masyaf Malta Prague"],
    ["it", "Costantinopoli Golgota Antiochia Damasco Toledo Granada Alessandria Il Cairo Avignone Santiago", "Akkon Tortosa Masyaf Malta Prague"],
])("fields have their names in the language %s, and the notation stays (R1.5)", async (code, ours, theirs) => {
    await speak(code);
    expect(own.map(fieldName).join(" ")).toBe(ours);
    expect(rulebook.map(fieldName).join(" ")).toBe(theirs);
    expect(fieldCalled("d1")).toBe(`${fieldName("d1")} d1`);
});
