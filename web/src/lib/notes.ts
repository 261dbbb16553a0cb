// What somebody has written on the notepad of a table. It stays on this device, and goes with the game.

/** Where the notes of a seat are in localStorage; of a whole table without one. */
export const notesPlace = (table: string, seat: number | "" = ""): string => `gral.notes.${table}.${seat}`;

export function forgetNotes(table: string): void {
    try {
        for (const key of Object.keys(localStorage)) if (key.startsWith(notesPlace(table))) localStorage.removeItem(key);
    } catch {
        // then there are none
    }
}
