#include "words.h"

#include "language.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- sentences with gaps --- */

static const char *value_of(const char *name, size_t length, va_list pairs)
{
    va_list rest;
    va_copy(rest, pairs);
    const char *value = "";
    for (const char *key; (key = va_arg(rest, const char *)) != NULL;) {
        const char *candidate = va_arg(rest, const char *);
        if (strlen(key) == length && memcmp(key, name, length) == 0) {
            value = candidate;
            break;
        }
    }
    va_end(rest);
    return value;
}

void words_fill(gral_text *text, const char *sentence, ...)
{
    va_list pairs;
    va_start(pairs, sentence);
    while (*sentence != '\0') {
        const size_t plain = strcspn(sentence, "{");
        gral_text_add_bytes(text, sentence, plain);
        sentence += plain;
        const char *end = strchr(sentence, '}');
        if (end == NULL)
            break;
        gral_text_add(text, value_of(sentence + 1, (size_t)(end - sentence - 1), pairs));
        sentence = end + 1;
    }
    va_end(pairs);
}

enum { PHRASE_MAX = 96 };
typedef struct phrase {
    char words[PHRASE_MAX];
} phrase;

static phrase number(unsigned value)
{
    phrase phrase;
    snprintf(phrase.words, sizeof phrase.words, "%u", value);
    return phrase;
}

static phrase percent(float chance)
{
    phrase phrase;
    snprintf(phrase.words, sizeof phrase.words, "%.0f", (double)(100 * chance));
    return phrase;
}

static phrase points(unsigned value)
{
    phrase phrase;
    gral_text text = gral_text_in(phrase.words, sizeof phrase.words);
    words_fill(&text, language_of_number("{points} influence point", "{points} influence points", value), "points",
               number(value).words, NULL);
    return phrase;
}

static phrase pawn_called(unsigned pawn)
{
    phrase phrase;
    snprintf(phrase.words, sizeof phrase.words, "%s %s", gral_pawn_id(pawn), gral_pawn_name(pawn));
    return phrase;
}

static phrase field_called(unsigned field)
{
    phrase phrase;
    gral_text text = gral_text_in(phrase.words, sizeof phrase.words);
    gral_text_add(&text, _(gral_field_name(field)));
    gral_text_add(&text, " ");
    gral_field_print(&text, field);
    return phrase;
}

static phrase action_said(gral_action action)
{
    phrase phrase;
    gral_text text = gral_text_in(phrase.words, sizeof phrase.words);
    gral_action_print(&text, action);
    return phrase;
}

#define line(text, ...)                                                                                                \
    do {                                                                                                               \
        words_fill(text, __VA_ARGS__, NULL);                                                                           \
        gral_text_add(text, "\n");                                                                                     \
    } while (0)

/* --- who --- */

/* A character by its name, unless that is taken; others by kind and number. */
static void add_computer(gral_text *text, const words_names *names, unsigned seat, const char *player)
{
    const char *called = gral_player_called(gral_span_of(player));
    const size_t kind = strcspn(player, ":");
    bool taken = called == NULL;
    for (unsigned other = 0; other < seat && !taken; other++)
        taken = strcmp(names->seat[other], called) == 0;
    if (called != NULL)
        gral_text_add(text, called);
    else if (kind == strlen("thinker") && strncmp(player, "thinker", kind) == 0)
        gral_text_add(text, _("Computer"));
    else
        gral_text_add_bytes(text, player, kind);
    if (taken) {
        gral_text_add(text, " ");
        gral_text_add_number(text, seat + 1);
    }
}

void words_name(words_names *names, unsigned seat, const char *name, bool computer)
{
    gral_text text = gral_text_in(names->seat[seat], sizeof names->seat[seat]);
    if (computer)
        add_computer(&text, names, seat, name);
    else if (name[0] != '\0')
        gral_text_add(&text, name);
    else
        words_fill(&text, _("Player {number}"), "number", number(seat + 1).words, NULL);
}

/* --- what happened --- */

static void tell_proposal(gral_text *text, const char *player, gral_action action, const gral_open *before)
{
    const phrase pawn = pawn_called(action.pawn);
    const phrase target = action.target != GRAL_NO_PAWN ? pawn_called(action.target) : (phrase){""};
    if (action.verb == GRAL_UNCOVER) {
        line(text, _("{player} proposes: {pawn} uncovers {target} where they stand."), "player", player, "pawn",
             pawn.words, "target", target.words);
    } else {
        const phrase from = field_called(before->pawn[action.pawn]), to = field_called(action.field);
        line(text,
             action.target == GRAL_NO_PAWN
                 ? _("{player} proposes: {pawn} moves from {from} to {to}.")
                 : _("{player} proposes: {pawn} moves from {from} to {to} and uncovers {target} there."),
             "player", player, "pawn", pawn.words, "from", from.words, "to", to.words, "target", target.words);
    }
    if (action.target != GRAL_NO_PAWN)
        line(text, _("This shows that {player} has at least 10 influence points on {pawn}."), "player", player, "pawn",
             pawn.words);
}

/* What somebody says that is one sentence, by verb. */
static const char *const saying[GRAL_VERBS] = {
    [GRAL_PLACE] = N_("{player} places {points} on {pawn}."),
    [GRAL_DONE] = N_("{player} has finished placing units."),
    [GRAL_ASSIGN] = N_("{player} assigns influence."),
    [GRAL_OBJECT] = N_("{player} objects and reveals {points} on {pawn}."),
    [GRAL_PASS] = N_("{player} does not object."),
    [GRAL_CLAIM] = N_("{player} insists and reveals {points} on {pawn}."),
    [GRAL_YIELD] = N_("{player} yields: the proposal is rejected."),
    [GRAL_KEEP] = N_("{pawn} takes the grail."),
    [GRAL_DROP] = N_("{pawn} takes the grail along and puts it down in {to}."),
    [GRAL_LEAVE] = N_("{pawn} leaves the grail in {at}."),
};

static void tell_action(gral_text *text, const char *player, const event *event)
{
    const gral_action action = event->action;
    const gral_open *before = &event->before;
    if (action.verb == GRAL_STEP || action.verb == GRAL_UNCOVER) {
        tell_proposal(text, player, action, before);
        return;
    }
    const bool keeps = action.verb == GRAL_KEEP && before->bearer == before->proposal.pawn;
    const unsigned pawn = action.verb == GRAL_PLACE ? action.pawn : before->proposal.pawn;
    line(text, keeps ? _("{pawn} keeps the grail.") : _(saying[action.verb]), "player", player, "points",
         points(action.points).words, "pawn", pawn < GRAL_PAWNS ? pawn_called(pawn).words : "", "at",
         field_called(before->grail).words, "to",
         before->proposal.verb == GRAL_STEP ? field_called(before->proposal.field).words : "");
}

static void tell_losses(gral_text *text, const words_names *names, unsigned pawn, const gral_open *after)
{
    line(text, _("{pawn} is uncovered and leaves the game."), "pawn", pawn_called(pawn).words);
    bool anybody = false;
    for (unsigned seat = 0; seat < after->players; seat++) {
        const unsigned lost = gral_lost(after, seat, pawn);
        if (lost > 0)
            line(text, _("{player} loses {points} on {pawn}."), "player", names->seat[seat], "points",
                 points(lost).words, "pawn", pawn_called(pawn).words);
        anybody |= lost > 0;
    }
    if (!anybody)
        line(text, _("Nobody had any influence on him."));
}

static void tell_payment(gral_text *text, const words_names *names, const event *event)
{
    const unsigned seat = event->before.active;
    for (unsigned pawn = 0; seat < event->before.players && pawn < GRAL_PAWNS; pawn++)
        if (event->after.paid[seat][pawn] != event->before.paid[seat][pawn])
            line(text, _("{player} pays 10 influence points on {pawn}."), "player", names->seat[seat], "pawn",
                 pawn_called(pawn).words);
}

static void tell_end(gral_text *text, const words_names *names, const gral_open *after)
{
    if (after->winner == GRAL_NOBODY) {
        line(text, _("The turn limit is reached: the game is a draw."));
        return;
    }
    line(text, _("{pawn} has the grail in {field}: the game is over."), "pawn", pawn_called(after->winning_pawn).words,
         "field", field_called(after->pawn[after->winning_pawn]).words);
    line(text, _("{player} wins."), "player", names->seat[after->winner]);
}

static void tell_consequences(gral_text *text, const words_names *names, const event *event)
{
    const gral_open *before = &event->before, *after = &event->after;
    if (event->action.verb == GRAL_PASS && after->phase != GRAL_OBJECTION)
        line(text, _("The proposal is accepted."));
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(after, pawn) && after->pawn[pawn] != before->pawn[pawn])
            line(text, _("{pawn} is now in {field}."), "pawn", pawn_called(pawn).words, "field",
                 field_called(after->pawn[pawn]).words);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(before, pawn) && !gral_on_board(after, pawn))
            tell_losses(text, names, pawn, after);
    tell_payment(text, names, event);
    if (after->phase == GRAL_GRAIL && after->stage == GRAL_FREED)
        line(text, _("The grail is now free in {field}."), "field", field_called(after->grail).words);
    if (after->phase == GRAL_OVER)
        tell_end(text, names, after);
    else if (after->turn != before->turn)
        line(text, _("Turn {number}: {player}."), "number", number(after->turn).words, "player",
             names->seat[after->active]);
}

void words_event(gral_text *text, const words_names *names, const event *event)
{
    tell_action(text, names->seat[event->seat], event);
    tell_consequences(text, names, event);
}

/* --- what can be done --- */

static void prompt_turn(gral_text *text, const gral_open *open, const gral_options *options)
{
    if (options->steps != 0)
        line(text, _("You can propose a step: step T1 a2 moves T1 to a2."));
    if (options->uncoverings != 0)
        line(text, open->players < 4 /* R6.7 */
                       ? _("You can propose an uncovering: uncover T1 T2 where both stand, or step T1 a2 x T2.")
                       : _("You can propose an uncovering: uncover T1 T2 where both stand."));
    if (options->verbs >> GRAL_ASSIGN & 1)
        line(text, _("You can assign influence: assign."));
}

static void prompt_figures(gral_text *text, const gral_options *options, const char *possible, const char *impossible)
{
    if (options->points_verb == GRAL_NOTHING)
        line(text, impossible);
    else
        line(text, possible, "least", number(options->least).words, "most", number(options->most).words);
}

static void prompt_grail(gral_text *text, const gral_view *view, const gral_options *options)
{
    const gral_open *open = &view->open;
    line(text, _("The proposal is accepted. What should {pawn} do with the grail?"), "pawn",
         pawn_called(open->proposal.pawn).words);
    line(text, _("He takes it or keeps it: keep."));
    if (options->verbs >> GRAL_DROP & 1)
        line(text, _("He carries it to the field he goes to and puts it down there: drop."));
    line(text, _("He leaves it where it is: leave."));
}

void words_prompt(gral_text *text, const words_names *names, const gral_view *view, const gral_options *options)
{
    const gral_open *open = &view->open;
    if (open->phase == GRAL_OVER) {
        line(text, _("The game is over."));
        return;
    }
    const char *player = names->seat[open->actor];
    switch ((enum gral_phase)open->phase) {
    case GRAL_OPENING:
        line(text, _("{player}, place units for the opening: place 10 T1 puts your 10 on T1. Then: done."), "player",
             player);
        break;
    case GRAL_PLACING:
        line(text, _("{player}, place units: place 10 T1 puts your 10 on T1. Then: done."), "player", player);
        break;
    case GRAL_TURN:
        line(text, _("{player}, it is your turn."), "player", player);
        prompt_turn(text, open, options);
        break;
    case GRAL_OBJECTION:
        line(text, _("{player}, do you object to the proposal of {proposer} ({proposal})?"), "player", player,
             "proposer", names->seat[open->active], "proposal", action_said(open->proposal).words);
        if (open->claim > 0)
            line(text, _("{player} has revealed {points} so far."), "player", names->seat[open->active], "points",
                 points(open->claim).words);
        prompt_figures(text, options, _("You can object with {least} to {most} points: object {least}. Or: pass."),
                       _("You cannot object here: pass."));
        break;
    case GRAL_ANSWER:
        line(text, _("{player}, {objector} objects with {points}."), "player", player, "objector",
             names->seat[open->objector], "points", points(open->objection).words);
        prompt_figures(text, options, _("You can insist with {least} to {most} points: claim {least}. Or: yield."),
                       _("You cannot insist here: yield."));
        break;
    case GRAL_GRAIL:
        prompt_grail(text, view, options);
        break;
    case GRAL_OVER:
    case GRAL_PHASES:
        break;
    }
}

/* --- the position --- */

static const char *const society_name[] = {
    [GRAL_TEMPLARS] = N_("Templars"),
    [GRAL_ASSASSINS] = N_("Assassins"),
    [GRAL_ILLUMINATES] = N_("Illuminates"),
    [GRAL_ROSICRUCIANS] = N_("Rosicrucians"),
};
static_assert(sizeof society_name / sizeof *society_name == GRAL_SOCIETIES, "a name for every society");

void words_board(gral_text *text, const words_names *names, const gral_game *game, const gral_open *open)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!(game->settings.pawns >> pawn & 1))
            continue;
        const char *sentence = !gral_on_board(open, pawn) ? _("{pawn} ({society}, {size}) is uncovered.")
                               : open->bearer == pawn ? _("{pawn} ({society}, {size}) is in {field} with the grail.")
                                                      : _("{pawn} ({society}, {size}) is in {field}.");
        line(text, sentence, "pawn", pawn_called(pawn).words, "society", _(society_name[pawn / 2]), "size",
             pawn % 2 == 0 ? _("tall") : _("short"), "field",
             gral_on_board(open, pawn) ? field_called(open->pawn[pawn]).words : "");
    }
    if (open->bearer == GRAL_NO_PAWN)
        line(text, _("The grail is free in {field}."), "field", field_called(open->grail).words);
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++) {
        const bool owned = game->settings.rules == GRAL_ORIGINAL;
        line(text,
             owned ? _("Headquarters of the {society}: {field}, owned by {player}.")
                   : _("Headquarters of the {society}: {field}."),
             "society", _(society_name[society]), "field", field_called(game->home[society]).words, "player",
             owned ? names->seat[game->settings.owner[society]] : "");
    }
    if (open->phase != GRAL_OVER && open->turn > 0)
        line(text, _("It is turn {number}, {player}'s turn."), "number", number(open->turn).words, "player",
             names->seat[open->active]);
}

static void tell_units(gral_text *text, const gral_sheet *sheet)
{
    char units[4 * 4 * GRAL_UNIT_KINDS] = "";
    gral_text list = gral_text_in(units, sizeof units);
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        for (unsigned unit = 0; unit < sheet->units[kind]; unit++) {
            gral_text_add(&list, list.length > 0 ? " " : "");
            gral_text_add_number(&list, gral_unit_value[kind]);
        }
    if (list.length > 0)
        line(text, _("Units not yet placed: {units}."), "units", units);
    else
        line(text, _("All units are placed."));
}

void words_sheet(gral_text *text, const gral_view *view)
{
    const gral_sheet *sheet = &view->sheet[view->seat];
    unsigned sum = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (sheet->influence[pawn] > 0)
            line(text, _("You hold {points} on {pawn}."), "points", points(sheet->influence[pawn]).words, "pawn",
                 pawn_called(pawn).words);
        sum += sheet->influence[pawn];
    }
    if (sum == 0)
        line(text, _("You hold no influence on any initiate."));
    tell_units(text, sheet);
}

void words_notepad(gral_text *text, const words_names *names, const gral_game *game, const gral_view *view)
{
    gral_notepad notepad;
    gral_notepad_fill(game, view, &notepad);
    line(text, _("What each player may hold, as far as is known:"));
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        gral_text_add(text, names->seat[seat]);
        const char *before = ": ";
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            if (!gral_on_board(&view->open, pawn))
                continue;
            const gral_bounds bounds = notepad.bounds[seat][pawn];
            gral_text_add(text, before);
            words_fill(text, bounds.least == bounds.most ? "{pawn} {least}" : _("{pawn} {least} to {most}"), "pawn",
                       gral_pawn_id(pawn), "least", number(bounds.least).words, "most", number(bounds.most).words,
                       NULL);
            before = ", ";
        }
        gral_text_add(text, ".\n");
    }
}

/* --- the end --- */

/* "10+5 in the opening, 4 in turn 7" */
static void tell_placements(gral_text *text, const gral_placement *list, size_t count, unsigned seat, unsigned pawn)
{
    char parts_words[1024] = "", units_words[128] = "";
    gral_text parts = gral_text_in(parts_words, sizeof parts_words);
    gral_text units = gral_text_in(units_words, sizeof units_words);
    uint32_t turn = 0;
    for (size_t index = 0; index <= count; index++) {
        const bool end = index == count;
        if (!end && (list[index].seat != seat || list[index].pawn != pawn))
            continue;
        if (units.length > 0 && (end || list[index].turn != turn)) {
            gral_text_add(&parts, parts.length > 0 ? ", " : "");
            words_fill(&parts, turn == 0 ? _("{unit} in the opening") : _("{unit} in turn {turn}"), "unit", units_words,
                       "turn", number(turn).words, NULL);
            units = gral_text_in(units_words, sizeof units_words);
        }
        if (end)
            break;
        turn = list[index].turn;
        gral_text_add(&units, units.length > 0 ? "+" : "");
        gral_text_add_number(&units, list[index].points);
    }
    if (parts.length > 0)
        line(text, "  {pawn}: {units}.", "pawn", pawn_called(pawn).words, "units", parts_words);
}

void words_final_sheets(gral_text *text, const words_names *names, const gral_record *record, const gral_view *view)
{
    gral_placement list[GRAL_PLACEMENTS_MAX];
    const size_t count = gral_record_placements(record, record->count, list);
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        line(text, _("The influence sheet of {player}:"), "player", names->seat[seat]);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            tell_placements(text, list, count, seat, pawn);
        gral_text_add(text, "  ");
        tell_units(text, &view->sheet[seat]);
    }
}

/* --- advice --- */

static const char *const reason_text[] = {
    [GRAL_REASON_WINS_NOW] = N_(
        "{pawn} would end the game at once, and you are sure to hold the most influence on him."),
    [GRAL_REASON_MAY_WIN_NOW] = N_(
        "{pawn} would end the game at once; the chance that you hold the most influence on him is {chance}%."),
    [GRAL_REASON_STOPS_WIN] = N_("Otherwise {player} may win with {pawn} next."),
    [GRAL_REASON_CARRIES_HOME] = N_("It brings {pawn} closer to home with the grail; moves left: {steps}."),
    [GRAL_REASON_TOWARDS_GRAIL] = N_("It brings {pawn} closer to the grail; moves left: {steps}."),
    [GRAL_REASON_SHOWN] = N_("{player} has shown {points} on {pawn}."),
    [GRAL_REASON_HOLDS_AT_LEAST] = N_("The chance that {player} holds {points} or more on {pawn} is {chance}%."),
    [GRAL_REASON_STRONGEST] = N_("The chance that you hold the most influence on {pawn} is {chance}%."),
    [GRAL_REASON_UNCOVERS] = N_("It removes {pawn} from the game; {player} loses about {points}."),
    [GRAL_REASON_SAVES_SECRETS] = N_("Going on would reveal more than it is worth."),
    [GRAL_REASON_BUILDS] = N_("It secretly adds to your influence on {pawn}."),
    [GRAL_REASON_BLUFF] = N_("It's a bluff: nobody will know that nothing has changed."),
    [GRAL_REASON_KEEPS_BACK] = N_("Placed influence stays where it is; the {points} you keep back can still go "
                                  "anywhere."),
    [GRAL_REASON_BETTER_THAN] = N_("The next best action wins only {chance}% of the time."),
};
static_assert(sizeof reason_text / sizeof *reason_text == GRAL_REASON_KINDS, "a text for every reason");

/* An assignment in one go, as it would be typed: "place 10 T1 5 T1, done". */
static void say_plan(char *words, size_t capacity, const gral_explanation *explanation)
{
    gral_text text = gral_text_in(words, capacity);
    for (unsigned index = 0; index < explanation->planned; index++) {
        const phrase said = action_said(explanation->plan[index]);
        const bool more = index > 0 && explanation->plan[index].verb == GRAL_PLACE;
        gral_text_add(&text, index == 0 || more ? "" : ", ");
        gral_text_add(&text, more ? strchr(said.words, ' ') : said.words);
    }
}

void words_hint(gral_text *text, const words_names *names, const gral_explanation *explanation)
{
    if (explanation->thoughts == 0) {
        line(text, _("There is no hint."));
        return;
    }
    char plan[WORDS_MAX];
    say_plan(plan, sizeof plan, explanation);
    line(text, _("Hint: {action}"), "action",
         explanation->planned > 0 ? plan : action_said(explanation->thought[0].action).words);
    for (unsigned index = 0; index < explanation->reasons; index++) {
        const gral_reason *reason = &explanation->reason[index];
        line(text, _(reason_text[reason->kind]), "player",
             reason->seat < GRAL_PLAYERS_MAX ? names->seat[reason->seat] : "", "pawn",
             reason->pawn < GRAL_PAWNS ? pawn_called(reason->pawn).words : "", "points", points(reason->points).words,
             "steps", number(reason->points).words, "chance", percent(reason->chance).words);
    }
    if (explanation->simulations == 0)
        return;
    for (unsigned index = 0; index < explanation->thoughts && index < 3; index++)
        line(text, _("{action}: chance of winning about {chance}%."), "action",
             action_said(explanation->thought[index].action).words, "chance",
             percent(explanation->thought[index].chance).words);
}

void words_refusal(gral_text *text, enum gral_host_refusal refusal)
{
    line(text, _("That didn't work: {reason}."), "reason", _(gral_host_refusal_text(refusal)));
}

/* --- the rules --- */

static const char *const rules_text[] = {
    N_("Eight initiates of four secret societies move on a board of five by five fields. They belong to nobody (R1)."),
    N_("You have 24 units of influence, four each of 10, 5, 4, 3, 2 and 1. In the opening, and in a turn in which you "
       "assign, you place units secretly on initiates; they stay there (R2.2, R3)."),
    N_("With four or more players all units of one assignment go to the same initiate (R3.3)."),
    N_("Instead of assigning you propose that any initiate steps to a neighbouring field (R4.1)."),
    N_("The others may object by revealing influence on him. You insist by revealing as much or more, or you yield "
       "and propose something else (R4.4 to R4.9)."),
    N_("An initiate who has the grail, or reaches it, may keep it, put it down or leave it; nobody can take it from "
       "its bearer (R5)."),
    N_("An initiate on whom you hold 10 points can uncover another one on the same field. That one leaves the game, "
       "all influence on him is shown and lost, and you pay 10 points (R6)."),
    N_("When an initiate holds the grail in the headquarters of his own society, the player with the most influence "
       "on him wins. A tie goes to the player whose turn it is (R7)."),
    N_("In the variant The Original the grail in any headquarters ends the game, and its owner wins (R8)."),
};

void words_rules(gral_text *text)
{
    for (size_t index = 0; index < sizeof rules_text / sizeof *rules_text; index++)
        line(text, _(rules_text[index]));
}
