/* Walks the initiate it holds most on to the grail and home with it, along the shortest way, and objects with the
 * least that suffices when somebody leads him elsewhere or the grail past him. It looks one step ahead and believes
 * that nobody holds more than he has shown. */
#include "distance.h"
#include "kinds.h"

static unsigned way_to_go(const gral_question *question, unsigned pawn, unsigned field)
{
    return distance_to_go(question->game, &question->view->open, question->view->seat, pawn, field);
}

static bool nobody_has_shown_more(const gral_view *view, unsigned pawn)
{
    for (unsigned seat = 0; seat < view->open.players; seat++)
        if (gral_floor(&view->open, seat, pawn) > view->sheet[view->seat].influence[pawn])
            return false;
    return true;
}

/* The initiate on the board with most of our influence, the nearest of several. */
static unsigned favourite(const gral_question *question)
{
    const gral_view *view = question->view;
    unsigned best = GRAL_NO_PAWN;
    int best_score = -1000;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(&view->open, pawn))
            continue;
        const int score = 16 * view->sheet[view->seat].influence[pawn] -
                          (int)way_to_go(question, pawn, view->open.pawn[pawn]);
        if (score > best_score) {
            best_score = score;
            best = pawn;
        }
    }
    return best;
}

static gral_action fill_sheet(const gral_question *question, gral_random *random)
{
    enum { FAVOURITE = 35, SECOND = 20, THIRD = 10 };
    const gral_view *view = question->view;
    const gral_sheet *sheet = &view->sheet[view->seat];
    if (question->options->units == 0)
        return gral_say(GRAL_DONE);
    unsigned rank[3] = {0}; /* our three largest sums */
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        unsigned sum = sheet->influence[pawn];
        for (unsigned place = 0; place < 3; place++)
            if (sum > rank[place]) {
                const unsigned smaller = rank[place];
                rank[place] = sum;
                sum = smaller;
            }
    }
    unsigned wanted;
    if (rank[0] < FAVOURITE)
        wanted = rank[0];
    else if (rank[1] < SECOND)
        wanted = rank[1];
    else if (rank[2] < THIRD)
        wanted = rank[2];
    else
        return gral_say(GRAL_DONE);
    /* One of the initiates with that much; one without any is drawn by lot. */
    unsigned candidates = 0, chosen = GRAL_NO_PAWN;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(&view->open, pawn) && sheet->influence[pawn] == wanted &&
            gral_random_below(random, ++candidates) == 0)
            chosen = pawn;
    if (chosen == GRAL_NO_PAWN)
        return gral_say(GRAL_DONE);
    unsigned kind = 0;
    while (sheet->units[kind] == 0)
        kind++;
    return gral_place(gral_unit_value[kind], chosen);
}

/* After an announcement: everything that is left goes to the favourite. */
static gral_action assign_units(const gral_question *question)
{
    const gral_sheet *sheet = &question->view->sheet[question->view->seat];
    unsigned pawn = favourite(question);
    if (sheet->assigned_to != GRAL_NO_PAWN)
        pawn = sheet->assigned_to;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        if (sheet->units[kind] > 0)
            return gral_place(gral_unit_value[kind], pawn);
    return gral_say(GRAL_DONE);
}

static gral_action take_turn(const gral_question *question, gral_random *random)
{
    const gral_view *view = question->view;
    const gral_open *open = &view->open;
    const gral_options *options = question->options;
    const unsigned hero = favourite(question);
    if (options->verbs >> GRAL_ASSIGN & 1 && !nobody_has_shown_more(view, hero) &&
        view->sheet[view->seat].units[0] + view->sheet[view->seat].units[1] > 0)
        return gral_say(GRAL_ASSIGN);

    gral_action best = gral_say(GRAL_NOTHING);
    int best_score = -100000;
    const unsigned count = gral_options_count(options);
    for (unsigned index = 0; index < count; index++) {
        const gral_action action = gral_options_pick(question->game, open, options, index);
        int score = (int)gral_random_below(random, 4);
        if (action.verb == GRAL_ASSIGN)
            score -= 5000;
        else if (action.target != GRAL_NO_PAWN) /* only a bearer in the way is worth ten points */
            score += action.target == open->bearer && action.target != hero ? 2000 : -10000;
        else if (action.pawn == hero)
            score += 100 *
                     ((int)way_to_go(question, hero, open->pawn[hero]) - (int)way_to_go(question, hero, action.field));
        else
            score += view->sheet[view->seat].influence[action.pawn] / 4 - 50;
        if (score > best_score) {
            best_score = score;
            best = action;
        }
    }
    return best;
}

static bool unwelcome(const gral_question *question)
{
    const gral_open *open = &question->view->open;
    const gral_action proposal = open->proposal;
    const unsigned hero = favourite(question);
    if (proposal.target == hero)
        return true;
    if (proposal.verb != GRAL_STEP)
        return false;
    if (proposal.pawn == hero) /* who moves the bearer may leave the grail behind */
        return open->bearer == hero ||
               way_to_go(question, hero, proposal.field) > way_to_go(question, hero, open->pawn[hero]);
    return open->bearer == proposal.pawn || proposal.field == open->grail;
}

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)player, (void)clock;
    gral_random random = gral_random_from(question->seed);
    const gral_options *options = question->options;
    switch ((enum gral_phase)question->view->open.phase) {
    case GRAL_OPENING:
        return fill_sheet(question, &random);
    case GRAL_PLACING:
        return assign_units(question);
    case GRAL_TURN:
        return take_turn(question, &random);
    case GRAL_OBJECTION:
        return options->points_verb != GRAL_NOTHING && unwelcome(question) ? gral_object(options->least)
                                                                           : gral_say(GRAL_PASS);
    case GRAL_ANSWER:
        return options->points_verb != GRAL_NOTHING ? gral_claim(options->least) : gral_say(GRAL_YIELD);
    default: { /* the grail */
        const unsigned pawn = question->view->open.proposal.pawn;
        const bool ours = pawn == favourite(question) && nobody_has_shown_more(question->view, pawn);
        return gral_say(ours ? GRAL_KEEP : GRAL_LEAVE);
    }
    }
}

const player_maker greedy_maker = {
    .kind = {.name = "greedy",
             .summary = "the shortest way for its favourite",
             .decide = decide,
             .free = player_free_plain},
    .make = player_make_plain,
};
