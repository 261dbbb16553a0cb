// What is said of a tournament.
import { N_, t, tn } from "../lib/i18n";
import type { Clock, TournamentRow, TournamentSystem } from "../lib/protocol";
import { sayClock, sayDuration } from "./words";

export const systemNames: Readonly<Record<TournamentSystem, string>> = {
    swiss: N_("Swiss system"),
    "round-robin": N_("Round-robin"),
    fours: N_("Tables of four"),
};

export const systemRules: Readonly<Record<TournamentSystem, string>> = {
    swiss: N_("Games for two. In each round you meet someone with about the same points, and nobody twice."),
    "round-robin": N_("Games for two. Everyone meets everyone once."),
    fours: N_("Games for four, or three if the numbers don't divide evenly. In each round, players with about the same points sit together."),
};

/** How many people can play: from, to. */
export const systemSizes: Readonly<Record<TournamentSystem, readonly [number, number]>> = { swiss: [3, 64], "round-robin": [3, 16], fours: [4, 64] };

const parts: Readonly<Record<number, string>> = { 0: "", 3: "¼", 4: "⅓", 6: "½", 8: "⅔", 9: "¾" };

/** Twelfths as people write them: "2½"; where there is no sign for the part, with two digits. */
export function sayPoints(twelfths: number, locale: string): string {
    const [whole, part] = [Math.floor(twelfths / 12), parts[twelfths % 12]];
    if (part === undefined) return (twelfths / 12).toLocaleString(locale, { maximumFractionDigits: 2 });
    return part === "" ? String(whole) : `${whole === 0 ? "" : whole}${part}`;
}

/** The opening's own time is said at the table. */
const shortened = ({ opening: _, ...clock }: Clock): Clock => clock;

export function sayTournament({ system, clock, rated, rounds, round }: TournamentRow): string {
    return [
        t(systemNames[system]),
        ...(rounds ? [tn("{n} round", "{n} rounds", rounds)] : []),
        sayClock(clock && shortened(clock)),
        t("up to {time} per round", { time: sayDuration(round) }),
        ...(rated ? [t("rated")] : []),
    ].join(" · ");
}

/** When it begins, and how many are there. */
export function sayBeginning({ people, begins, joined }: TournamentRow, locale: string): string {
    if (people !== undefined)
        return tn(
            "{n} of {people} players has joined. It begins when all are there.",
            "{n} of {people} players have joined. It begins when all are there.",
            joined,
            { people },
        );
    const time = new Date(begins! * 1000).toLocaleString(locale, { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
    return `${t("Begins {time}.", { time })} ${tn("{n} player has joined.", "{n} players have joined.", joined)}`;
}

export function sayStage(row: TournamentRow, locale: string): string {
    switch (row.stage) {
        case "open":
            return sayBeginning(row, locale);
        case "running":
            return t("Round {n} of {rounds}", { n: row.current!, rounds: row.rounds! });
        case "over":
            return t("over");
        case "off":
            return t("This tournament was called off.");
    }
}
