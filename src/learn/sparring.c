#include "sparring.h"

#include "frame.h"

static const sparring_traits *traits_of(const gral_player *player)
{
    return &((const sparring *)(const void *)player)->traits;
}

static bool happens(gral_random *random, unsigned percent)
{
    return gral_random_below(random, 100) < percent;
}

static const gral_sheet *own(const gral_question *question)
{
    return &question->view->sheet[question->view->seat];
}

static unsigned goal_of(const gral_question *question, unsigned pawn)
{
    const gral_game *game = question->game;
    unsigned society = pawn / 2;
    if (game->settings.rules == GRAL_ORIGINAL)
        for (society = 0; game->settings.owner[society] != question->view->seat;)
            society++;
    return game->home[society];
}

static unsigned steps_home(const gral_question *question, unsigned pawn)
{
    return steps_between(question->view->open.pawn[pawn], goal_of(question, pawn));
}

static unsigned most_shown(const gral_question *question, unsigned pawn)
{
    unsigned most = 0;
    for (unsigned seat = 0; seat < question->view->open.players; seat++)
        if (seat != question->view->seat && gral_floor(&question->view->open, seat, pawn) > most)
            most = gral_floor(&question->view->open, seat, pawn);
    return most;
}

/* --- units --- */

static unsigned largest_unit(const gral_sheet *sheet, unsigned at_most)
{
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        if (sheet->units[kind] > 0 && gral_unit_value[kind] <= at_most)
            return gral_unit_value[kind];
    return 0;
}

static gral_action open_sheet(const gral_question *question, const sparring_traits *traits, gral_random *random)
{
    const gral_sheet *sheet = own(question);
    unsigned placed = 0, favourite = GRAL_NO_PAWN;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        placed += sheet->influence[pawn];
        if (sheet->influence[pawn] > 0)
            favourite = pawn;
    }
    const unsigned unit = placed < traits->opening ? largest_unit(sheet, traits->opening - placed) : 0;
    if (unit == 0)
        return gral_say(GRAL_DONE);
    if (favourite == GRAL_NO_PAWN || happens(random, 20))
        do
            favourite = gral_random_below(random, GRAL_PAWNS);
        while (!gral_on_board(&question->view->open, favourite));
    return gral_place(unit, favourite);
}

/* Whom to put points on now, if anybody. */
static unsigned prey(const gral_question *question, const sparring_traits *traits)
{
    const gral_open *open = &question->view->open;
    if (open->bearer == GRAL_NO_PAWN || question->game->settings.rules == GRAL_ORIGINAL ||
        steps_home(question, open->bearer) > traits->distance)
        return GRAL_NO_PAWN;
    const unsigned mine = own(question)->influence[open->bearer], shown = most_shown(question, open->bearer);
    const bool suffices = traits->enough > 0 && mine >= shown + traits->enough;
    return suffices || largest_unit(own(question), UINT8_MAX) == 0 ? GRAL_NO_PAWN : open->bearer;
}

static gral_action place_units(const gral_question *question, const sparring_traits *traits)
{
    const unsigned pawn = prey(question, traits);
    if (pawn == GRAL_NO_PAWN || !(question->options->pawns >> pawn & 1))
        return gral_say(GRAL_DONE);
    return gral_place(largest_unit(own(question), UINT8_MAX), pawn);
}

/* --- the turn --- */

static bool in_steps(const gral_question *question, unsigned pawn, unsigned direction)
{
    return question->options->steps >> (GRAL_DIRECTIONS * pawn + direction) & 1;
}

/* A step that brings an initiate nearer to a field; nothing if there is none. */
static gral_action step_towards(const gral_question *question, unsigned pawn, unsigned field, gral_random *random)
{
    const unsigned from = question->view->open.pawn[pawn], begin = gral_random_below(random, GRAL_DIRECTIONS);
    for (unsigned turn = 0; turn < GRAL_DIRECTIONS; turn++) {
        const unsigned direction = (begin + turn) % GRAL_DIRECTIONS;
        const unsigned to = question->game->neighbour[from][direction];
        if (in_steps(question, pawn, direction) && steps_between(to, field) < steps_between(from, field))
            return gral_step(pawn, to, GRAL_NO_PAWN);
    }
    return gral_say(GRAL_NOTHING);
}

/* Carries the grail in where nobody is known to hold more. */
static gral_action win_now(const gral_question *question, gral_random *random)
{
    const gral_open *open = &question->view->open;
    const unsigned bearer = open->bearer;
    if (bearer == GRAL_NO_PAWN || steps_home(question, bearer) != 1 ||
        (question->game->settings.rules != GRAL_ORIGINAL &&
         own(question)->influence[bearer] <= most_shown(question, bearer)))
        return gral_say(GRAL_NOTHING);
    return step_towards(question, bearer, goal_of(question, bearer), random);
}

static gral_action strike_bearer(const gral_question *question)
{
    const gral_open *open = &question->view->open;
    if (open->bearer == GRAL_NO_PAWN ||
        own(question)->influence[open->bearer] >= most_shown(question, open->bearer) + 10u)
        return gral_say(GRAL_NOTHING);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (question->options->uncoverings >> (GRAL_PAWNS * pawn + open->bearer) & 1)
            return open->pawn[pawn] == open->grail ? gral_uncover(pawn, open->bearer)
                                                   : gral_step(pawn, open->grail, open->bearer);
    return gral_say(GRAL_NOTHING);
}

/* Somebody on his way: the bearer home, or, where there is none, whoever is nearest to the grail. */
static gral_action walk(const gral_question *question, const sparring_traits *traits, gral_random *random)
{
    const gral_open *open = &question->view->open;
    if (open->bearer != GRAL_NO_PAWN)
        return steps_home(question, open->bearer) > traits->distance
                   ? step_towards(question, open->bearer, goal_of(question, open->bearer), random)
                   : gral_say(GRAL_NOTHING);
    unsigned nearest = GRAL_NO_PAWN, least = UINT8_MAX;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const unsigned steps = 2 * steps_between(open->pawn[pawn], open->grail) + gral_random_below(random, 2);
        if (gral_on_board(open, pawn) && steps < least) {
            least = steps;
            nearest = pawn;
        }
    }
    const unsigned to = open->pawn[nearest] == open->grail ? goal_of(question, nearest) : open->grail;
    return step_towards(question, nearest, to, random);
}

/* Somebody who does not matter, somewhere. */
static gral_action idle(const gral_question *question, gral_random *random)
{
    const unsigned count = gral_options_count(question->options);
    for (unsigned attempt = 0; attempt < 8; attempt++) {
        const gral_action action = gral_options_pick(question->game, &question->view->open, question->options,
                                                     gral_random_below(random, count));
        if (action.target == GRAL_NO_PAWN && action.pawn != question->view->open.bearer)
            return action;
    }
    return gral_options_pick(question->game, &question->view->open, question->options, 0);
}

static gral_action take_turn(const gral_question *question, const sparring_traits *traits, gral_random *random)
{
    const bool may_assign = question->options->verbs >> GRAL_ASSIGN & 1;
    gral_action action = win_now(question, random);
    if (action.verb == GRAL_NOTHING && happens(random, traits->strike))
        action = strike_bearer(question);
    if (action.verb == GRAL_NOTHING && may_assign &&
        (prey(question, traits) != GRAL_NO_PAWN || happens(random, traits->bluff)))
        action = gral_say(GRAL_ASSIGN);
    if (action.verb == GRAL_NOTHING && happens(random, traits->walk))
        action = walk(question, traits, random);
    return action.verb == GRAL_NOTHING ? idle(question, random) : action;
}

/* --- disputes and the grail --- */

static gral_action object_or_pass(const gral_question *question)
{
    const gral_open *open = &question->view->open;
    const gral_action proposal = open->proposal;
    const unsigned mine = own(question)->influence[proposal.pawn];
    const bool bearer_led = proposal.pawn == open->bearer && mine > most_shown(question, proposal.pawn) &&
                            steps_between(proposal.field, goal_of(question, proposal.pawn)) > 0;
    const bool unwelcome = proposal.target != GRAL_NO_PAWN ? own(question)->influence[proposal.target] > 0 : bearer_led;
    if (question->options->points_verb == GRAL_NOTHING || !unwelcome)
        return gral_say(GRAL_PASS);
    return gral_object(question->options->least);
}

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)clock;
    const sparring_traits *traits = traits_of(player);
    gral_random random = gral_random_from(question->seed);
    switch ((enum gral_phase)question->view->open.phase) {
    case GRAL_OPENING:
        return open_sheet(question, traits, &random);
    case GRAL_PLACING:
        return place_units(question, traits);
    case GRAL_TURN:
        return take_turn(question, traits, &random);
    case GRAL_OBJECTION:
        return object_or_pass(question);
    case GRAL_ANSWER:
        return question->options->points_verb == GRAL_CLAIM ? gral_claim(question->options->least)
                                                            : gral_say(GRAL_YIELD);
    default:
        return gral_say(GRAL_KEEP);
    }
}

static void free_nothing(gral_player *player)
{
    (void)player;
}

static const gral_player_kind kind = {
    .name = "sparring", .summary = "holds back and pounces", .decide = decide, .free = free_nothing};

sparring sparring_with(sparring_traits traits)
{
    return (sparring){{&kind}, traits};
}

sparring_traits sparring_draw(gral_random *random)
{
    static const uint8_t enough[] = {0, 0, 1, 5, 11, 21}, opening[] = {0, 0, 0, 10, 20, 40};
    return (sparring_traits){
        .distance = (uint8_t)(1 + gral_random_below(random, 3)),
        .enough = enough[gral_random_below(random, sizeof enough)],
        .opening = opening[gral_random_below(random, sizeof opening)],
        .bluff = (uint8_t)gral_random_below(random, 60),
        .walk = (uint8_t)gral_random_below(random, 101),
        .strike = (uint8_t)gral_random_below(random, 101),
    };
}
