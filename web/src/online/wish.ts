// The quick game that somebody has wanted last on this device.
import type { Wish } from "../lib/protocol";

const place = "gral.quick";
const usual: Wish = { size: "any", days: false, rated: false, wait: 45 };

export function chosenWish(): Wish {
    try {
        return { ...usual, ...(JSON.parse(localStorage.getItem(place) ?? "{}") as Partial<Wish>) };
    } catch {
        return { ...usual };
    }
}

export function rememberWish(wish: Wish): void {
    try {
        localStorage.setItem(place, JSON.stringify(wish));
    } catch {
        // he chooses again
    }
}
