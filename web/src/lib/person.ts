// Whether somebody plays online from this device. Who it is only the server knows.

const place = "gral.person";

/** Whether somebody has played online on this device: then a table may be waiting for him. */
export function remembered(): boolean {
    try {
        return localStorage.getItem(place) !== null;
    } catch {
        return false;
    }
}

export function remember(somebody: boolean): void {
    try {
        if (somebody) localStorage.setItem(place, "");
        else localStorage.removeItem(place);
    } catch {
        // he finds his tables in the lobby
    }
}
