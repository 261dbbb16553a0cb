// What is said of a table's terms, in the reader's language.
import { N_, t, tn } from "../lib/i18n";
import type { Clock, LobbyRow, Seat, SeenBy } from "../lib/protocol";
import { names } from "../lib/words";

const units = [
    [86_400_000, (n: number) => tn("{n} day", "{n} days", n)],
    [3_600_000, (n: number) => tn("{n} hour", "{n} hours", n)],
    [60_000, (n: number) => tn("{n} minute", "{n} minutes", n)],
    [1000, (n: number) => tn("{n} second", "{n} seconds", n)],
] as const;

export type Pace = "none" | "together" | "days";

/** Whether one sits there together or comes back now and then. */
export const paceOf = (clock: Clock | null): Pace =>
    clock === null ? "none" : (clock.kind === "move" ? clock.time : clock.answer) >= 3_600_000 ? "days" : "together";

/** "3 days", "90 seconds": in the largest unit that says it exactly. */
export function sayDuration(milliseconds: number): string {
    const [size, say] = units.find(([unit]) => milliseconds >= unit && milliseconds % unit === 0) ?? units[3];
    return say(Math.round(milliseconds / size));
}

/** "2:05", "1:02:05", "3 days 4:00 h": what a running clock shows. */
export function sayLeft(milliseconds: number): string {
    const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
    const two = (n: number) => String(n).padStart(2, "0");
    const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
    if (days > 0) return `${tn("{n} day", "{n} days", days)} ${t("{n} h", { n: hours })}`;
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function sayDecisions(clock: Clock): string {
    if (clock.kind === "move") return t("{time} per decision", { time: sayDuration(clock.time) });
    const gaps = { time: sayDuration(clock.time), answer: sayDuration(clock.answer), more: sayDuration(clock.increment) };
    return clock.increment > 0 ? t("{time} each, plus {more} per decision, {answer} to answer", gaps) : t("{time} each, {answer} to answer", gaps);
}

export function sayClock(clock: Clock | null): string {
    if (!clock) return t("no clock");
    const opening = clock.opening ? `, ${t("{time} for the opening", { time: sayDuration(clock.opening) })}` : "";
    return sayDecisions(clock) + opening;
}

/** Who sits there, and how many seats are free: "Ann, Fox, 1 free seat". */
export function sayPeople(seats: readonly (Seat | null)[]): string {
    const free = seats.filter((seat) => seat === null).length;
    const called = names({ seats });
    const people = seats.flatMap((seat, index) => (seat ? [called(index + 1)] : []));
    return [...people, ...(free > 0 ? [tn("{n} free seat", "{n} free seats", free)] : [])].join(", ");
}

export function sayTerms({ players, rules, clock, talk, notepad, rated }: Omit<LobbyRow, "table" | "stage" | "seats">): string {
    return [
        tn("{n} player", "{n} players", players),
        ...(rules === "original" ? [t("The Original")] : []),
        sayClock(clock),
        ...(rated ? [t("rated")] : []),
        ...(talk ? [] : [t("no chat")]),
        ...(notepad ? [] : [t("no notepad")]),
    ].join(" · ");
}

/** To whom something is shown. */
export const seenBy: Readonly<Record<SeenBy, string>> = { nobody: N_("nobody"), friends: N_("my friends"), everyone: N_("everyone") };

/** "17 Nov 2026" */
export const sayDay = (seconds: number, locale: string): string => new Date(seconds * 1000).toLocaleDateString(locale, { dateStyle: "medium" });

/** "14:05", with the day if it is not today. */
export function sayTime(seconds: number, locale: string): string {
    const date = new Date(seconds * 1000);
    const today = date.toDateString() === new Date().toDateString();
    return date.toLocaleString(locale, {
        ...(today ? {} : { day: "numeric", month: "short" }),
        hour: "numeric",
        minute: "2-digit",
    } as Intl.DateTimeFormatOptions);
}
