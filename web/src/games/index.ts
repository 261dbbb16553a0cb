// Games of computer players, to look at when one has played none of one's own.
import three from "./three.gral?url";
import two from "./two.gral?url";

export interface ShownGame {
    readonly url: string;
    /** As a table has them. */
    readonly computers: readonly string[];
}

export const shownGames: readonly ShownGame[] = [
    { url: two, computers: ["thinker:as=odile", "thinker:as=renard"] },
    { url: three, computers: ["thinker:as=odile", "thinker:as=lupo", "thinker:as=renard"] },
];
