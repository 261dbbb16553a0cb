// Whether somebody plays online from this device. Who it is only the server knows.

const place = "gral.person";

function stored(): boolean {
    try {
        return localStorage.getItem(place) !== null;
    } catch {
        return false;
    }
}

let somebodyHere = $state(stored());

/** Whether somebody has played online on this device: then a table may be waiting for him. */
export const remembered = (): boolean => somebodyHere;

export function remember(somebody: boolean): void {
    somebodyHere = somebody;
    try {
        if (somebody) localStorage.setItem(place, "");
        else localStorage.removeItem(place);
    } catch {
        // he finds his tables in the lobby
    }
}
