#include "belief.h"

#include "policy.h"

#include <string.h>

/* Influence enough for everything that was said to have been possible. The public course of a game can be replayed
 * with sheets like this, whatever the real ones are; only what was lost comes out wrong, and is corrected from the
 * view. */
enum { PLENTY = 200, SHADOW_EVENTS_MAX = 512 };

static void start_shadow(const gral_game *game, gral_state *shadow)
{
    gral_start(game, shadow);
    for (unsigned seat = 0; seat < shadow->open.players; seat++)
        memset(shadow->sheet[seat].influence, PLENTY, sizeof shadow->sheet[seat].influence);
}

/* Evidence about one seat: an action of his and the position in which he did it. */
typedef struct evidence {
    gral_open open;
    gral_action action;
    uint8_t seat;
} evidence;

static bool speaks(gral_action action)
{
    return action.verb != GRAL_PLACE && action.verb != GRAL_DONE && action.verb != GRAL_ASSIGN;
}

/* What the others did, the newest `memory` actions at the most, oldest first. */
static unsigned gather(const gral_question *question, unsigned memory, evidence list[SHADOW_EVENTS_MAX])
{
    unsigned spoken = 0, found = 0, count = 0;
    for (size_t index = 0; index < question->heard_count; index++)
        spoken += question->heard[index].seat != question->view->seat && speaks(question->heard[index].action);
    memory = memory < SHADOW_EVENTS_MAX ? memory : SHADOW_EVENTS_MAX;
    gral_state shadow;
    start_shadow(question->game, &shadow);
    for (size_t index = 0; index < question->heard_count; index++) {
        const gral_entry entry = question->heard[index];
        if (entry.action.verb == GRAL_PLACE)
            continue;
        if (gral_check(question->game, &shadow, entry.action) != GRAL_LEGAL)
            break; /* a position that was set up has no course that leads to it */
        if (entry.seat != question->view->seat && speaks(entry.action) && spoken - found++ <= memory)
            list[count++] = (evidence){shadow.open, entry.action, entry.seat};
        gral_apply(question->game, &shadow, entry.action);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            for (unsigned seat = 0; seat < shadow.open.players && !gral_on_board(&shadow.open, pawn); seat++)
                shadow.open.known[seat][pawn] = question->view->open.known[seat][pawn];
    }
    return count;
}

/* e^-x by squaring, for x >= 0. */
static float decay(float x)
{
    if (x > 40)
        return 0;
    float power = 1 - x / 1024;
    for (unsigned doubling = 0; doubling < 10; doubling++)
        power *= power;
    return power;
}

/* The natural logarithm, near enough for adding evidence up. */
static float logarithm(float x)
{
    union {
        float number;
        uint32_t bits;
    } value = {x};
    const float exponent = (float)((int)(value.bits >> 23) - 127);
    value.bits = (value.bits & 0x7fffff) | 0x3f800000;
    const float m = value.number - 1; /* 0 to 1 */
    return 0.6931472f * (exponent + m * (1.3465f - 0.3465f * m));
}

static void weigh(belief *belief, const gral_question *question, unsigned seat, const evidence *list, unsigned count)
{
    float credit[BELIEF_GUESSES_MAX], best = -1e9f, sum = 0;
    for (unsigned guess = 0; guess < belief->guesses; guess++) {
        credit[guess] = 0;
        for (unsigned index = 0; index < count; index++) {
            if (list[index].seat != seat)
                continue;
            const float likely = policy_propensity(question->game, &list[index].open, &belief->sheet[seat][guess],
                                                   list[index].action);
            credit[guess] += logarithm(likely);
        }
        best = credit[guess] > best ? credit[guess] : best;
    }
    /* Behaviour is weak evidence: half of what it says is believed. */
    for (unsigned guess = 0; guess < belief->guesses; guess++) {
        sum += decay(0.5f * (best - credit[guess]));
        belief->upto[seat][guess] = sum;
    }
    for (unsigned guess = 0; guess < belief->guesses; guess++)
        belief->upto[seat][guess] /= sum;
}

void belief_form(belief *belief, const gral_question *question, unsigned guesses, unsigned memory, gral_random *random)
{
    evidence list[SHADOW_EVENTS_MAX];
    const gral_view *view = question->view;
    const unsigned count = memory > 0 ? gather(question, memory, list) : 0;
    belief->guesses = guesses < BELIEF_GUESSES_MAX ? guesses : BELIEF_GUESSES_MAX;
    belief->seats = view->open.players;
    belief->seat = view->seat;
    if (view->seat < belief->seats)
        belief->own = view->sheet[view->seat];
    for (unsigned seat = 0; seat < belief->seats; seat++) {
        if (seat == view->seat)
            continue;
        for (unsigned guess = 0; guess < belief->guesses; guess++)
            gral_guess_sheet(question->game, &view->open, seat, random, &belief->sheet[seat][guess]);
        weigh(belief, question, seat, list, count);
    }
}

static unsigned draw_guess(const belief *belief, unsigned seat, gral_random *random)
{
    const float at = (float)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f);
    unsigned low = 0, high = belief->guesses - 1;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (belief->upto[seat][middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void belief_draw(const belief *belief, const gral_open *open, gral_random *random, gral_state *state)
{
    state->open = *open;
    for (unsigned seat = 0; seat < belief->seats; seat++)
        state->sheet[seat] = seat == belief->seat ? belief->own : belief->sheet[seat][draw_guess(belief, seat, random)];
}

static float weight_of(const belief *belief, unsigned seat, unsigned guess)
{
    return belief->upto[seat][guess] - (guess > 0 ? belief->upto[seat][guess - 1] : 0);
}

/* The probability that a seat holds at least so much on an initiate. */
static float at_least(const belief *belief, unsigned seat, unsigned pawn, unsigned points)
{
    float sum = 0;
    for (unsigned guess = 0; guess < belief->guesses; guess++)
        if (belief->sheet[seat][guess].influence[pawn] >= points)
            sum += weight_of(belief, seat, guess);
    return sum;
}

unsigned belief_quantile(const belief *belief, unsigned seat, unsigned pawn, float chance)
{
    float above[GRAL_POINTS_MAX + 2] = {0}; /* first how much weight each figure has, then how much is above it */
    for (unsigned guess = 0; guess < belief->guesses; guess++)
        above[belief->sheet[seat][guess].influence[pawn]] += weight_of(belief, seat, guess);
    float sum = 0;
    for (unsigned points = GRAL_POINTS_MAX + 1; points-- > 0;) {
        if (sum + above[points] > chance)
            return points;
        sum += above[points];
    }
    return 0;
}

float belief_leads(const belief *belief, unsigned pawn, bool wins_ties)
{
    const unsigned own = belief->own.influence[pawn];
    float product = 1;
    for (unsigned seat = 0; seat < belief->seats; seat++)
        if (seat != belief->seat)
            product *= 1 - at_least(belief, seat, pawn, own + wins_ties);
    return product;
}
