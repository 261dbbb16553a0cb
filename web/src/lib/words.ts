// What happens at a table, in sentences of the reader's language. Wherever one fits, it is the terminal's (src/terminal/words.c),
// with the same key. Everything is made from what the table has told; nothing here knows a rule.
//
//   names(state)                   how the seats are called: (seat) => string
//   sayEntry(entry, names)         a line of the log as sentences: what was done, then what came of it
//   sayProposal(action, view, …)   "Ann proposes: T1 Alberto Castellano steps from Tomar a1 to Granada b1."
//   sayStatus(state, names)        the status line: what goes on, who we wait for, what I can do
//   sayReason, sayAdvice           why a hint is one
//   sayOffer, sayOrder, sayAction  an offer, a standing order, an action in few words
//   sayResult(state, names)        how it ended
import { parseAction } from "./actions";
import { characterName, characterOf, type Character } from "./characters";
import { N_, t, tn } from "./i18n";
import { isPawn, pawns, type Pawn } from "./initiates";
import { fieldCalled, pawnCalled } from "./names";
import type { Action, Hint, Reason, ReasonKind, Seat, View } from "./protocol";
import type { LogEntry, TableState } from "./table.svelte";

export interface Names {
    (seat: number): string;
    /** Who reads it, and is called "you" where a whole sentence is about him. */
    readonly me?: number;
}

/** "5", "3–8" */
export const range = (low: number, high: number): string => (low === high ? String(low) : `${low}–${high}`);

export const points = (n: number): string => tn("{points} influence point", "{points} influence points", n, { points: n });

// --- who ---

/** What a computer player's text says of it. */
export function computerOf(text: string): { kind: string; level: number | null; as: Character | null } {
    const [kind = "", ...words] = text.split(/[:,]/);
    const value = (key: string) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
    return { kind, level: value("level") === undefined ? null : Number(value("level")), as: characterOf(value("as") ?? "") };
}

/** A person keeps the name when a computer player acts for him. */
function nameOf(seat: Seat | null | undefined): string {
    if (seat?.name !== undefined && seat.name !== "") return seat.name;
    if (seat?.computer === undefined) return "";
    const { as } = computerOf(seat.computer);
    return as ? characterName(as) : t("Computer");
}

/** Whose face a seat has; null for a person, and for a computer that is nobody in particular. */
export const faceOf = (seat: Seat | null | undefined): Character | null =>
    seat?.computer === undefined || (seat.name ?? "") !== "" ? null : computerOf(seat.computer).as;

/** "Ann", "Renard"; a number follows where the name alone would not say who is meant: "Renard 2", "Renard 4". */
export function names({ seats, seat: me = 0 }: Pick<TableState, "seats"> & { seat?: number }): Names {
    const called = (number: number) => {
        const seat = seats[number - 1];
        const name = nameOf(seat);
        if (name === "") return t("Player {number}", { number });
        const shared = seats.some((other, index) => index !== number - 1 && nameOf(other) === name);
        return shared && !seat?.name ? `${name} ${number}` : name;
    };
    return Object.assign(called, { me });
}

/** What is said of a player, as it is said to himself. */
const yours: Readonly<Record<string, string>> = {
    "{player} proposes: {pawn} uncovers {target} where they stand.": N_("You propose: {pawn} uncovers {target} where they stand."),
    "{player} proposes: {pawn} moves from {from} to {to}.": N_("You propose: {pawn} moves from {from} to {to}."),
    "{player} proposes: {pawn} moves from {from} to {to} and uncovers {target} there.": N_(
        "You propose: {pawn} moves from {from} to {to} and uncovers {target} there.",
    ),
    "{player} proposes: {action}.": N_("You propose: {action}."),
    "This shows that {player} has at least 10 influence points on {pawn}.": N_("This shows that you have at least 10 influence points on {pawn}."),
    "{player} places {points} on {pawn}.": N_("You place {points} on {pawn}."),
    "{player} has finished placing units.": N_("You have finished placing units."),
    "{player} is assigning influence.": N_("You are assigning influence."),
    "{player} assigns influence.": N_("You assign influence."),
    "{player} objects and reveals {points} on {pawn}.": N_("You object and reveal {points} on {pawn}."),
    "{player} objects with {points}.": N_("You object with {points}."),
    "{player} does not object.": N_("You do not object."),
    "{player} insists and reveals {points} on {pawn}.": N_("You insist and reveal {points} on {pawn}."),
    "{player} insists with {points}.": N_("You insist with {points}."),
    "{player} yields: the proposal is rejected.": N_("You yield: the proposal is rejected."),
    "{player} loses {points} on {pawn}.": N_("You lose {points} on {pawn}."),
    "{player} pays 10 influence points on {pawn}.": N_("You pay 10 influence points on {pawn}."),
    "{player} wins.": N_("You win."),
    "Turn {number}: {player}.": N_("Turn {number}: you."),
    "{player}: {words}": N_("You: {words}"),
    "{player} to {others}: {words}": N_("You to {others}: {words}"),
    "{player} sits down.": N_("You sit down."),
    "{player} leaves the table.": N_("You leave the table."),
    "{player} has run out of time.": N_("You have run out of time."),
    "A computer is now playing for {player}.": N_("A computer is now playing for you."),
    "{player} is back.": N_("You are back."),
    "{player} wants to replace {other} with a computer.": N_("You want to replace {other} with a computer."),
    "{player} offers a draw.": N_("You offer a draw."),
    "{player} declines the draw.": N_("You decline the draw."),
    "{player} secretly placed {points} on {pawn} and overtook {rival}.": N_("You secretly placed {points} on {pawn} and overtook {rival}."),
    "{player} secretly placed {points} on {pawn} and led from then on.": N_("You secretly placed {points} on {pawn} and led from then on."),
    "{player} announced influence and placed nothing.": N_("You announced influence and placed nothing."),
    "The others credited {player} with about {guess} on {pawn}. In truth it was {held}.": N_(
        "The others credited you with about {guess} on {pawn}. In truth it was {held}.",
    ),
    "{player} took the lead on {pawn} and kept it.": N_("You took the lead on {pawn} and kept it."),
    "{player} held {truth} on {pawn}; the others' best guess was {guess}.": N_("You held {truth} on {pawn}; the others' best guess was {guess}."),
    "{player} held {truth} on {pawn}; the others' best guess was about {guess} ({range}).": N_(
        "You held {truth} on {pawn}; the others' best guess was about {guess} ({range}).",
    ),
};

/** A sentence about a player, in the second person to himself. */
export const ts = (names: Names, seat: number, sentence: string, gaps: Record<string, string | number> = {}): string =>
    t(names.me === seat && seat > 0 ? yours[sentence]! : sentence, { player: names(seat), ...gaps });

/** Somebody among others. */
const someone = (names: Names) => (seat: number) => (names.me === seat ? t("you") : names(seat));

/** "Ann, Bob" in the manner of the language. */
export const listed = (all: readonly string[]) => all.join(", ");

// --- what happened ---

const fieldOfGrail = (view: View) => (isPawn(view.grail) ? view.pawns[pawns.indexOf(view.grail)]! : view.grail);

/** The sentence of a proposal, made when the board was as in `view`. */
export function sayProposal(action: Action, view: View, seat: number, names: Names): string {
    const { verb, pawn, field, target } = parseAction(action);
    const gaps = {
        pawn: pawnCalled(pawn!),
        from: fieldCalled(view.pawns[pawns.indexOf(pawn!)] ?? ""),
        to: fieldCalled(field ?? ""),
        target: pawnCalled(target ?? ""),
    };
    if (verb === "uncover") return ts(names, seat, N_("{player} proposes: {pawn} uncovers {target} where they stand."), gaps);
    return target === undefined
        ? ts(names, seat, N_("{player} proposes: {pawn} moves from {from} to {to}."), gaps)
        : ts(names, seat, N_("{player} proposes: {pawn} moves from {from} to {to} and uncovers {target} there."), gaps);
}

const sayings: Readonly<Record<string, string>> = {
    place: N_("{player} places {points} on {pawn}."),
    done: N_("{player} has finished placing units."),
    assign: N_("{player} is assigning influence."),
    object: N_("{player} objects and reveals {points} on {pawn}."),
    pass: N_("{player} does not object."),
    claim: N_("{player} insists and reveals {points} on {pawn}."),
    yield: N_("{player} yields: the proposal is rejected."),
    keep: N_("{pawn} takes the grail."),
    drop: N_("{pawn} takes the grail along and puts it down in {to}."),
    leave: N_("{pawn} leaves the grail in {at}."),
};

function sayDone(seat: number, action: Action, before: View | null, names: Names): string[] {
    const parsed = parseAction(action);
    const player = names(seat);
    if (parsed.verb === "step" || parsed.verb === "uncover") {
        const pawn = pawnCalled(parsed.pawn!);
        const proposed = before ? sayProposal(action, before, seat, names) : `${player}: ${sayAction(action)}`;
        return parsed.target === undefined
            ? [proposed]
            : [proposed, ts(names, seat, N_("This shows that {player} has at least 10 influence points on {pawn}."), { pawn })];
    }
    const proposal = before?.proposal ? parseAction(before.proposal) : null;
    const acting = parsed.verb === "place" ? parsed.pawn : proposal?.pawn;
    if (acting === undefined && !["done", "assign", "pass", "yield"].includes(parsed.verb)) return [`${player}: ${sayAction(action)}`];
    const keeps = parsed.verb === "keep" && before?.grail === acting;
    const gaps = {
        points: points(parsed.points ?? 0),
        pawn: pawnCalled(acting ?? ""),
        at: before ? fieldCalled(fieldOfGrail(before)) : "",
        to: fieldCalled(proposal?.field ?? ""),
    };
    if (keeps) return [t("{pawn} keeps the grail.", gaps)];
    const saying = sayings[parsed.verb]!;
    return [saying in yours ? ts(names, seat, saying, gaps) : t(saying, gaps)];
}

function sayEnd(after: View, names: Names): string[] {
    const won = /^win (\d+) with (\w\d)$/.exec(after.result ?? "");
    if (!won) return [t("The turn limit is reached: the game is a draw.")];
    const pawn = won[2] as Pawn;
    const field = fieldCalled(after.pawns[pawns.indexOf(pawn)]!);
    return [t("{pawn} has the grail in {field}: the game is over.", { pawn: pawnCalled(pawn), field }), ts(names, Number(won[1]), N_("{player} wins."))];
}

/** What came of an action, from what everybody knew before and after it. */
export function sayConsequences(action: Action, before: View, after: View, names: Names): string[] {
    const said: string[] = [];
    if (action === "pass" && after.phase !== "objection") said.push(t("The proposal is accepted."));
    const gone = pawns.filter((_, index) => before.pawns[index] !== "-" && after.pawns[index] === "-");
    pawns.forEach((pawn, index) => {
        const field = after.pawns[index]!;
        if (field !== "-" && field !== before.pawns[index]) said.push(t("{pawn} is now in {field}.", { pawn: pawnCalled(pawn), field: fieldCalled(field) }));
    });
    for (const lost of gone) {
        const pawn = pawnCalled(lost);
        said.push(t("{pawn} is uncovered and leaves the game.", { pawn }));
        const losses = after.known.map((row) => row[pawns.indexOf(lost)]!);
        losses.forEach((loss, seat) => {
            if (loss > 0) said.push(ts(names, seat + 1, N_("{player} loses {points} on {pawn}."), { points: points(loss), pawn }));
        });
        if (losses.every((loss) => loss === 0)) said.push(t("Nobody had any influence on him."));
    }
    after.paid[before.active - 1]?.forEach((paid, index) => {
        if (paid !== before.paid[before.active - 1]?.[index])
            said.push(ts(names, before.active, N_("{player} pays 10 influence points on {pawn}."), { pawn: pawnCalled(pawns[index]!) }));
    });
    if (after.phase === "grail" && gone.some((pawn) => pawn === before.grail))
        said.push(t("The grail is now free in {field}.", { field: fieldCalled(fieldOfGrail(after)) }));
    if (after.phase === "over") said.push(...sayEnd(after, names));
    else if (after.turn !== before.turn) said.push(ts(names, after.active, N_("Turn {number}: {player}."), { number: after.turn }));
    return said;
}

/** A line of the log: what was said or done first, then what came of it. Empty for what needs no words. */
export function sayEntry({ happening, before, after }: Pick<LogEntry, "happening" | "before" | "after">, names: Names): string[] {
    if ("began" in happening) return [t("The game begins.")];
    if ("ended" in happening) {
        if (happening.ended === "agreed") return [t("Everyone agrees: the game is a draw.")];
        if (happening.ended === "abandoned") return [t("The game was abandoned.")];
        return happening.ended === "closed" ? [t("The table was closed.")] : [];
    }
    const { seat } = happening;
    if ("action" in happening) {
        const { action } = happening;
        const consequences = before && after ? sayConsequences(action, before, after, names) : [];
        return [...sayDone(seat, action, before, names), ...consequences];
    }
    if ("seal" in happening) return [];
    if ("talk" in happening || "offer" in happening) {
        const words = "talk" in happening ? happening.talk : sayOffer(happening.offer, names);
        if (!happening.to) return [ts(names, seat, N_("{player}: {words}"), { words })];
        return [ts(names, seat, N_("{player} to {others}: {words}"), { others: listed(happening.to.map(someone(names))), words })];
    }
    if ("dismissed" in happening) return [ts(names, seat, N_("{player} frees seat {seat}."), { seat: happening.dismissed })];
    const other = "replace" in happening ? someone(names)(happening.replace) : "";
    return [ts(names, seat, events[Object.keys(happening).find((key) => key in events)!]!, { other })];
}

const events: Readonly<Record<string, string>> = {
    sat: N_("{player} sits down."),
    rose: N_("{player} leaves the table."),
    late: N_("{player} has run out of time."),
    handed: N_("A computer is now playing for {player}."),
    back: N_("{player} is back."),
    replace: N_("{player} wants to replace {other} with a computer."),
    draw: N_("{player} offers a draw."),
    nodraw: N_("{player} declines the draw."),
};

// --- the status line ---

type Shown = Pick<TableState, "stage" | "seats" | "round" | "view" | "you" | "asked" | "legal" | "seat" | "myTurn" | "waitingFor" | "terms" | "result">;

/** In a tournament, where somebody who is the last to stay has won. */
function sayLast({ seat, seats }: Pick<Shown, "seat"> & Partial<Pick<Shown, "seats">>, names: Names): string {
    const stayed = (seats ?? []).flatMap((one, index) => (one?.name && !one.resigned && !one.computer ? [index + 1] : []));
    if (stayed.length !== 1) return t("The game was ended. The tournament shows who gets the point.");
    return stayed[0] === seat ? t("You win: everyone else has given up.") : t("{player} wins: everyone else has given up.", { player: names(stayed[0]!) });
}

export function sayResult(game: Pick<Shown, "result" | "seat"> & Partial<Pick<Shown, "terms" | "seats">>, names: Names): string {
    const { result, seat, terms } = game;
    if (result === null) return terms?.tournament ? sayLast(game, names) : t("The game was abandoned.");
    if (result === "draw") return t("The game is a draw.");
    const pawn = pawnCalled(result.pawn);
    return result.winner === seat ? t("You win with {pawn}.", { pawn }) : t("{player} wins with {pawn}.", { player: names(result.winner), pawn });
}

function sayTurn({ view, legal }: Shown): string {
    if (view!.rejected.length === 0) return t("It's your turn: propose a move or assign influence.");
    if (!legal.verbs.has("assign")) return t("Your proposal was rejected: propose something else.");
    return legal.pawns.size > 0
        ? t("Every move was rejected: propose an uncovering or assign influence.")
        : t("Everything you could propose was rejected: assign influence.");
}

const sayObjection = ({ objection }: View, names: Names) =>
    ts(names, objection?.by ?? 0, N_("{player} objects with {points}."), { points: points(objection?.points ?? 0) });

function sayAsked(state: Shown, names: Names): string {
    const { view, legal } = state;
    const { least = 0, most = 0 } = legal.points ?? {};
    switch (view!.phase) {
        case "opening":
            return t("Place as many units as you like for the opening, or none. Then finish.");
        case "placing":
            return t("Place as many units as you like, or none. Then finish.");
        case "turn":
            return sayTurn(state);
        case "objection":
            return `${view!.proposal ? sayProposal(view!.proposal, view!, view!.active, names) : ""} ${
                legal.points ? t("You can object with {least} to {most} points, or pass.", { least, most }) : t("You can't object here; pass.")
            }`.trim();
        case "answer":
            return `${sayObjection(view!, names)} ${
                legal.points ? t("You can insist with {least} to {most} points, or yield.", { least, most }) : t("You can't insist here; yield.")
            }`;
        case "grail": {
            const pawn = pawnCalled(parseAction(view!.proposal ?? "pass").pawn ?? "");
            return t("The proposal is accepted. What should {pawn} do with the grail?", { pawn });
        }
        case "over":
            return sayResult(state, names);
    }
}

/** One or two sentences that always say what is going on, who we wait for and what I can do. */
export function sayStatus(state: Shown, names: Names): string {
    const { view, round, seats, stage } = state;
    if (stage === "gathering") {
        const taken = seats.filter((seat) => seat !== null).length;
        return t("Waiting for players: {taken} of {all} seats taken.", { taken, all: seats.length });
    }
    if (stage === "over" || !view) return sayResult(state, names);
    if (state.asked) return sayAsked(state, names);
    if (round?.hidden) {
        const counts = { answered: round.answered, asked: round.asked };
        if (view.phase === "opening") return t("{answered} of {asked} have finished the opening.", counts);
        const proposed = view.proposal ? sayProposal(view.proposal, view, view.active, names) : "";
        const awaited =
            round.asked === 1 && seats.length === 2
                ? t("Waiting for {player}.", { player: names(3 - view.active) })
                : t("{answered} of {asked} have answered.", counts);
        return `${proposed} ${awaited}`.trim();
    }
    const player = names(view.actor);
    switch (view.phase) {
        case "placing":
            return t("{player} is assigning influence.", { player });
        case "answer":
            return `${sayObjection(view, names)} ${t("Waiting for {player}.", { player })}`;
        case "grail":
            return t("{player} is deciding what happens to the grail.", { player });
        default:
            return t("Waiting for {player}.", { player });
    }
}

// --- in few words ---

/** "T1 Alberto Castellano to Akkon d3"; for buttons and advice. */
export function sayAction(action: Action): string {
    const { verb, pawn = "", field = "", target = "", points: figure = 0 } = parseAction(action);
    const gaps = { pawn: pawnCalled(pawn), to: fieldCalled(field), target: pawnCalled(target), points: figure };
    switch (verb) {
        case "step":
            return target ? t("{pawn} to {to}, uncovers {target}", gaps) : t("{pawn} to {to}", gaps);
        case "uncover":
            return t("{pawn} uncovers {target}", gaps);
        case "place":
            return t("{points} on {pawn}", gaps);
        case "object":
            return t("Object with {points}", gaps);
        case "claim":
            return t("Insist with {points}", gaps);
        case "done":
            return t("Finish");
        case "assign":
            return t("Assign influence");
        case "pass":
            return t("Pass");
        case "yield":
            return t("Yield");
        case "keep":
            return t("Take or keep the grail");
        case "drop":
            return t("Take the grail along and put it down");
        case "leave":
            return t("Leave the grail");
        default:
            return action;
    }
}

/** An offer, in the words of whoever makes it. */
export function sayOffer(offer: string, names: Names): string {
    const [verb = "", first = "", second = ""] = offer.split(" ");
    switch (verb) {
        case "pass":
            return t("I won't object when {pawn} acts.", { pawn: pawnCalled(first) });
        case "uncover":
            return t("Will someone uncover {pawn}? I won't object, but I won't pay for it.", { pawn: pawnCalled(first) });
        case "hold":
            return t("I have at least {points} on {pawn}.", { points: points(Number(first)), pawn: pawnCalled(second) });
        case "bring":
            return t("Let's bring {pawn} to {field}.", { pawn: pawnCalled(first), field: fieldCalled(second) });
        case "stop":
            return t("Let's stop {player}.", { player: names(Number(first)) });
        case "agree":
            return t("Agreed.");
        case "refuse":
            return t("No deal.");
        default:
            return offer;
    }
}

const passOrders: Readonly<Record<string, string>> = {
    "pass proposal": N_("Pass on this proposal, however long the dispute goes on."),
    "pass turn": N_("Pass for the rest of this turn."),
    "pass until grail": N_("Pass until the grail can move."),
    "pass until uncover": N_("Pass until an uncovering is proposed."),
    "pass until objection": N_("Pass until someone objects."),
    "pass until mine": N_("Pass until it's my turn."),
};

/** A standing order, as its owner gives it. */
export function sayOrder(order: string): string {
    if (Object.hasOwn(passOrders, order)) return t(passOrders[order]!);
    const words = order.split(" ");
    if (words[1] === "in") return t("Pass in {n} s, unless I answer.", { n: Number(words[2]) });
    if (words[0] === "pass") return t("Pass until {pawn} would act or be uncovered.", { pawn: pawnCalled(words[2] ?? "") });
    const [, pawn = "", field = "", most = ""] = words;
    return t("Object when {pawn} would come closer to {field}: with as little as possible, up to {points}.", {
        pawn: pawnCalled(pawn),
        field: fieldCalled(field),
        points: points(Number(most)),
    });
}

// --- advice ---

const reasons: Readonly<Record<ReasonKind, string>> = {
    "wins-now": N_("{pawn} would end the game at once, and you are sure to hold the most influence on him."),
    "may-win-now": N_("{pawn} would end the game at once; the chance that you hold the most influence on him is {chance}%."),
    "stops-win": N_("Otherwise {player} may win with {pawn} next."),
    "carries-home": N_("It brings {pawn} closer to home with the grail; moves left: {steps}."),
    "towards-grail": N_("It brings {pawn} closer to the grail; moves left: {steps}."),
    shown: N_("{player} has shown {points} on {pawn}."),
    "holds-at-least": N_("The chance that {player} holds {points} or more on {pawn} is {chance}%."),
    strongest: N_("The chance that you hold the most influence on {pawn} is {chance}%."),
    uncovers: N_("It removes {pawn} from the game; {player} loses about {points}."),
    "saves-secrets": N_("Going on would reveal more than it is worth."),
    builds: N_("It secretly adds to your influence on {pawn}."),
    bluff: N_("It's a bluff: nobody will know that nothing has changed."),
    "keeps-back": N_("Placed influence stays where it is; the {points} you keep back can still go anywhere."),
    "better-than": N_("The next best action wins only {chance}% of the time."),
};

/** What is likely when the reason is not. */
const doubts: Readonly<Partial<Record<ReasonKind, string>>> = {
    "holds-at-least": N_("The chance that {player} holds less than {points} on {pawn} is {chance}%."),
    strongest: N_("The chance that someone else holds more influence on {pawn} than you is {chance}%."),
};

/** `doubted`: the other way round; `on`: those it is about, if the reason's own initiate is not all. */
export function sayReason(reason: Reason, names: Names, doubted = false, on: readonly string[] = [reason.pawn]): string {
    return t((doubted && doubts[reason.kind]) || reasons[reason.kind], {
        player: reason.seat > 0 ? names(reason.seat) : "",
        pawn: listed(on.map(pawnCalled)),
        points: points(reason.points),
        steps: reason.points,
        chance: Math.round(100 * (doubted ? 1 - reason.chance : reason.chance)),
    });
}

/** The advice in one line; its reasons are sayReason's. */
export function sayAdvice(hint: Hint): string {
    const best = hint.actions[0];
    if (!best) return t("There is no hint.");
    const plan = hint.plan?.filter((action) => action.startsWith("place ")) ?? [];
    const action = plan.length > 0 ? listed(plan.map(sayAction)) : hint.plan && best.action === "done" ? t("Place nothing") : sayAction(best.action);
    return t("Hint: {action}", { action });
}
