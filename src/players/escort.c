#include "escort.h"

#include "distance.h"
#include "tactics.h"

enum { PLAYERS_LEAST = 4, LOAD = 20, FAR = 3 /* steps from home where somebody may pounce */ };

typedef struct table {
    const gral_question *question;
    const gral_game *game;
    const gral_open *open;
    const gral_sheet *sheet;
    unsigned seat;
} table;

/* --- whether the others only wait --- */

static bool proposes(gral_action action)
{
    return action.verb == GRAL_STEP || action.verb == GRAL_UNCOVER;
}

/* Each has announced at least twice, and hardly ever proposed anything. */
static bool others_wait(const table *table)
{
    enum { ANNOUNCED_LEAST = 2, ANNOUNCED_FOR_A_PROPOSAL = 4 };
    uint32_t announced[GRAL_PLAYERS_MAX] = {0}, proposed[GRAL_PLAYERS_MAX] = {0};
    for (size_t index = 0; index < table->question->heard_count; index++) {
        const gral_entry *entry = &table->question->heard[index];
        announced[entry->seat] += entry->action.verb == GRAL_ASSIGN;
        proposed[entry->seat] += proposes(entry->action);
    }
    for (unsigned seat = 0; seat < table->open->players; seat++)
        if (seat != table->seat &&
            (announced[seat] < ANNOUNCED_LEAST || ANNOUNCED_FOR_A_PROPOSAL * proposed[seat] > announced[seat]))
            return false;
    return true;
}

/* --- what is known of the bearer --- */

static bool others_hold(const table *table, unsigned pawn)
{
    for (unsigned seat = 0; seat < table->open->players; seat++)
        if (seat != table->seat && gral_floor(table->open, seat, pawn) > 0)
            return true;
    return false;
}

/* Whether he has gone back with the grail from so many steps before home at our word, and nobody minded. */
static bool went_back(const table *table, unsigned pawn, unsigned steps)
{
    const unsigned home = table->game->home[pawn / 2];
    unsigned field = home, to = home, mover = GRAL_NO_PAWN;
    bool ours = false, bears = false;
    for (size_t index = 0; index < table->question->heard_count; index++) {
        const gral_entry *entry = &table->question->heard[index];
        const gral_action action = entry->action;
        if (action.verb == GRAL_YIELD)
            to = field;
        if (action.verb == GRAL_KEEP && mover == pawn) {
            if (ours && bears && distance(field, home) == steps && distance(to, home) > steps)
                return true;
            bears = true;
        }
        if (!proposes(action))
            continue;
        field = to;
        mover = action.pawn;
        ours = entry->seat == table->seat;
        if (mover == pawn && action.verb == GRAL_STEP)
            to = action.field;
    }
    return false;
}

/* --- who takes part --- */

/* Whoever could uncover the bearer: the one with the most points; or nobody. */
static unsigned striker_of(const table *table)
{
    unsigned best = GRAL_NO_PAWN;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(table->open, pawn) && pawn != table->open->bearer &&
            table->sheet->influence[pawn] >= GRAL_UNCOVER_PRICE &&
            (best == GRAL_NO_PAWN || table->sheet->influence[pawn] > table->sheet->influence[best]))
            best = pawn;
    return best;
}

/* Who is loaded, or is to be. */
static unsigned to_load(const table *table)
{
    const unsigned striker = striker_of(table);
    return striker != GRAL_NO_PAWN ? striker : distance_nearest(table->open, ~0u, table->open->bearer);
}

/* --- turns --- */

/* A step, or false: nearer to the field, or further from it. */
static bool step(const table *table, unsigned pawn, unsigned field, bool nearer, gral_action *action)
{
    const unsigned now = distance(table->open->pawn[pawn], field);
    const unsigned count = gral_options_count(table->question->options);
    for (unsigned index = 0; index < count; index++) {
        *action = gral_options_pick(table->game, table->open, table->question->options, index);
        if (action->verb == GRAL_STEP && action->pawn == pawn && action->target == GRAL_NO_PAWN &&
            (distance(action->field, field) < now) == nearer)
            return true;
    }
    return false;
}

static bool can_say(const table *table, enum gral_verb verb)
{
    return table->question->options->verbs >> verb & 1;
}

static bool say(const table *table, enum gral_verb verb, gral_action *action)
{
    *action = gral_say(verb);
    return can_say(table, verb);
}

static bool strike(const table *table, unsigned pawn, unsigned target, gral_action *action)
{
    *action = gral_uncover(pawn, target);
    return table->question->options->uncoverings >> (8 * pawn + target) & 1;
}

/* The bearer and the one who could uncover him stand together. */
static bool act_together(const table *table, unsigned striker, gral_action *action)
{
    const unsigned bearer = table->open->bearer, home = table->game->home[bearer / 2];
    const unsigned steps = distance(table->open->grail, home);
    if (steps <= FAR && (steps == 1 || others_hold(table, bearer)))
        return strike(table, striker, bearer, action);
    if (steps <= FAR && !went_back(table, bearer, steps) && step(table, bearer, home, false, action))
        return true;
    return step(table, striker, home, true, action);
}

/* Whether nobody could hold as much on him as we would with everything there. */
static bool would_lead_with_all(const table *table, unsigned pawn)
{
    const unsigned all = table->sheet->influence[pawn] + gral_units_worth(table->sheet->units);
    gral_notepad notepad;
    gral_notepad_fill(table->game, table->question->view, &notepad);
    for (unsigned seat = 0; seat < table->open->players; seat++)
        if (seat != table->seat && notepad.bounds[seat][pawn].most >= all)
            return false;
    return true;
}

/* The bearer is loaded himself: home with him, and with everything that was kept. */
static bool act_with_own(const table *table, unsigned bearer, gral_action *action)
{
    if (tactics_surely_leads(table->question, bearer))
        return step(table, bearer, table->game->home[bearer / 2], true, action);
    return would_lead_with_all(table, bearer) && gral_units_worth(table->sheet->units) > 0 &&
           say(table, GRAL_ASSIGN, action);
}

static bool act_with_bearer(const table *table, gral_action *action)
{
    const gral_open *open = table->open;
    const unsigned bearer = open->bearer, home = table->game->home[bearer / 2], striker = striker_of(table);
    if (table->sheet->influence[bearer] > 0 && would_lead_with_all(table, bearer))
        return act_with_own(table, bearer, action);
    if (striker == GRAL_NO_PAWN)
        return gral_units_worth(table->sheet->units) >= LOAD && say(table, GRAL_ASSIGN, action);
    const unsigned here = open->pawn[bearer], there = open->pawn[striker];
    if (here == there)
        return act_together(table, striker, action);
    if (distance(here, there) == 1 && distance(there, home) < distance(here, home))
        return step(table, bearer, there, true, action);
    return step(table, striker, here, true, action);
}

static bool act(const table *table, gral_action *action)
{
    if (table->open->bearer != GRAL_NO_PAWN)
        return act_with_bearer(table, action);
    const unsigned pawn = distance_nearest(table->open, ~0u, striker_of(table));
    if (pawn == GRAL_NO_PAWN || table->sheet->influence[pawn] > 0)
        return false;
    const bool there = table->open->pawn[pawn] == table->open->grail;
    return step(table, pawn, there ? table->game->home[pawn / 2] : table->open->grail, true, action);
}

/* The largest unit that does not go beyond the load; everything on a bearer who is ours. */
static bool load(const table *table, gral_action *action)
{
    const gral_options *options = table->question->options;
    const unsigned bearer = table->open->bearer;
    if (bearer == GRAL_NO_PAWN)
        return false;
    const bool home = table->sheet->influence[bearer] > 0 && would_lead_with_all(table, bearer);
    const unsigned pawn = home ? bearer : to_load(table), most = home ? GRAL_POINTS_MAX : LOAD;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS && pawn != GRAL_NO_PAWN; kind++)
        if (options->units >> kind & 1 && options->pawns >> pawn & 1 &&
            table->sheet->influence[pawn] + gral_unit_value[kind] <= most) {
            *action = gral_place(gral_unit_value[kind], pawn);
            return true;
        }
    return say(table, GRAL_DONE, action);
}

/* It insists where it is loaded; a bearer who is not to go back stays. */
static bool answer(const table *table, gral_action *action)
{
    const gral_options *options = table->question->options;
    if (table->sheet->influence[table->open->proposal.pawn] == 0)
        return say(table, GRAL_YIELD, action);
    *action = gral_claim(options->least);
    return options->points_verb == GRAL_CLAIM;
}

static bool take_along(const table *table, gral_action *action)
{
    const gral_open *open = table->open;
    const unsigned pawn = open->proposal.pawn;
    const bool at_home = open->grail == table->game->home[pawn / 2] || open->pawn[pawn] == table->game->home[pawn / 2];
    return !at_home && say(table, GRAL_KEEP, action);
}

bool escort_decide(const gral_question *question, gral_action *action)
{
    const gral_view *view = question->view;
    const table table = {question, question->game, &view->open, &view->sheet[view->seat], view->seat};
    if (view->open.players < PLAYERS_LEAST || question->game->settings.rules != GRAL_STANDARD || !others_wait(&table))
        return false;
    switch ((enum gral_phase)view->open.phase) {
    case GRAL_TURN:
        return act(&table, action);
    case GRAL_PLACING:
        return load(&table, action);
    case GRAL_ANSWER:
        return answer(&table, action);
    case GRAL_OPENING:
    case GRAL_OBJECTION:
        return false;
    default:
        return take_along(&table, action);
    }
}
