#include "trial.h"

#include "frame.h"

#include <string.h>

enum { WORD_DONE = 1, NOT_THERE = UINT8_MAX };

/* --- games that begin in the middle --- */

static bool ends_at_once(const gral_ground *ground, unsigned pawn)
{
    return ground->state.open.pawn[pawn] == ground->game.home[pawn / 2];
}

/* Any field, or often one not more than a step from another. */
static uint8_t draw_field(unsigned other, gral_random *random)
{
    const bool near = other < GRAL_FIELDS && gral_random_below(random, 2) == 0;
    unsigned field;
    do
        field = gral_random_below(random, GRAL_FIELDS);
    while (near && steps_between(field, other) > 1);
    return (uint8_t)field;
}

/* Somebody has the grail in most of them, and others are with him or beside him. */
void trial_arrange(gral_ground *ground, gral_random *random)
{
    gral_open *open = &ground->state.open;
    const unsigned bearer = gral_random_below(random, GRAL_PAWNS);
    open->pawn[bearer] = draw_field(GRAL_NOWHERE, random);
    if (gral_random_below(random, 4) > 0 && !ends_at_once(ground, bearer)) {
        open->bearer = (uint8_t)bearer;
        open->grail = open->pawn[bearer];
    }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (pawn != bearer && gral_random_below(random, 2) == 0)
            open->pawn[pawn] = draw_field(open->grail, random);
}

/* --- sheets --- */

static uint8_t draw_points(gral_random *random)
{
    static const uint8_t points[] = {5, 10, 10, 10, 15, 20, 20, 30, 40, 60, GRAL_POINTS_MAX};
    return points[gral_random_below(random, sizeof points)];
}

static unsigned draw_near(const gral_open *open, unsigned steps, gral_random *random)
{
    unsigned chosen = NOT_THERE, seen = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (open->pawn[pawn] != GRAL_NOWHERE && pawn != open->bearer &&
            steps_between(open->pawn[pawn], open->grail) <= steps && gral_random_below(random, ++seen) == 0)
            chosen = pawn;
    return chosen;
}

/* The bearer, somebody near the grail, or anybody. */
static unsigned draw_pawn(const gral_open *open, gral_random *random)
{
    enum { NEAR = 1, ANYWHERE = 8 };
    const unsigned kind = gral_random_below(random, 4);
    const unsigned pawn = kind == 0 ? open->bearer : draw_near(open, kind == 1 ? ANYWHERE : NEAR, random);
    return pawn < GRAL_PAWNS ? pawn : draw_near(open, ANYWHERE, random);
}

trial_plan trial_plan_draw(const gral_open *open, unsigned initiates, gral_random *random)
{
    trial_plan plan = {.on = true};
    while (initiates-- > 0) {
        const unsigned pawn = draw_pawn(open, random);
        if (pawn < GRAL_PAWNS)
            plan.points[pawn] = draw_points(random);
    }
    return plan;
}

/* How many points a number would place of those that are wanted on its initiate; 0 if more, or for anything else. */
static unsigned points_of(const trial_plan *plan, unsigned number)
{
    if (number >= GRAL_NUMBER_ALL && number < GRAL_NUMBER_PLACE)
        return plan->points[number - GRAL_NUMBER_ALL] == GRAL_POINTS_MAX ? GRAL_POINTS_MAX : 0;
    if (number < GRAL_NUMBER_PLACE || number >= GRAL_NUMBER_STEP)
        return 0;
    const unsigned unit = gral_unit_value[(number - GRAL_NUMBER_PLACE) / GRAL_PAWNS];
    return unit <= plan->points[(number - GRAL_NUMBER_PLACE) % GRAL_PAWNS] ? unit : 0;
}

static unsigned pawn_of(unsigned number)
{
    return number < GRAL_NUMBER_PLACE ? number - GRAL_NUMBER_ALL : (number - GRAL_NUMBER_PLACE) % GRAL_PAWNS;
}

unsigned trial_next(trial_plan *plan, const choice *choice)
{
    unsigned best = 0, most = 0;
    for (unsigned place = 0; place < choice->count; place++) {
        const unsigned points = points_of(plan, choice->number[place]);
        if (points > most || (most == 0 && choice->number[place] == WORD_DONE)) {
            best = place;
            most = points;
        }
    }
    if (most == 0)
        plan->on = false;
    else if (most < GRAL_POINTS_MAX) /* everything at once has to be said twice */
        plan->points[pawn_of(choice->number[best])] -= (uint8_t)most;
    return best;
}

/* --- anything --- */

static unsigned kind_of(unsigned number)
{
    static const uint8_t ends[] = {
        1, GRAL_NUMBER_FIGURE, GRAL_NUMBER_ALL, GRAL_NUMBER_PLACE, GRAL_NUMBER_STEP, GRAL_NUMBER_UNCOVER, GRAL_NUMBERS};
    unsigned kind = 0;
    while (number >= ends[kind])
        kind++;
    return kind;
}

unsigned trial_any(const choice *choice, gral_random *random)
{
    unsigned chosen = 0, kinds = 0, of_kind = 0, kind = NOT_THERE, candidate = 0;
    for (unsigned place = 0; place < choice->count; place++) {
        if (kind_of(choice->number[place]) != kind) {
            kind = kind_of(choice->number[place]);
            kinds++;
            of_kind = 0;
            candidate = gral_random_below(random, kinds); /* 0: this kind it is, unless another comes */
        }
        if (gral_random_below(random, ++of_kind) == 0 && candidate == 0)
            chosen = place;
    }
    return chosen;
}
