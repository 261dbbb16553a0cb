#include "match_play.h"

#include "clock.h"
#include "exec_player.h"
#include "terminal/language.h"

#include <string.h>

match_desk match_desk_begin(const gral_settings *settings)
{
    match_desk desk = {.played = gral_record_begin(settings)};
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        desk.heard[seat] = gral_record_begin(settings);
    return desk;
}

void match_desk_free(match_desk *desk)
{
    gral_record_free(&desk->played);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        gral_record_free(&desk->heard[seat]);
}

static uint64_t seed_with(uint64_t seed, uint64_t number)
{
    gral_random random = gral_random_from(seed);
    const uint64_t mixed = gral_random_next(&random) + number;
    random = gral_random_from(mixed);
    /* One way: a program that is told its seed must not get at the others'. */
    return gral_random_next(&random) ^ mixed;
}

uint64_t match_block_seed(uint64_t match_seed, uint64_t block)
{
    return seed_with(match_seed, block);
}

/* What a seat has not heard makes no difference: a seed must not tell how many units the others have placed. */
static uint64_t decision_seed(uint64_t block_seed, unsigned seat, size_t heard)
{
    return seed_with(block_seed, heard * GRAL_PLAYERS_MAX + seat);
}

static gral_question question_for(match_desk *desk, const match_job *job, const gral_state *state, unsigned seat)
{
    match_asking *asking = &desk->asking;
    asking->state = *state;
    asking->view = gral_view_of(&asking->state, seat);
    asking->options = seat == state->open.actor ? gral_legal_options(job->game, state) : (gral_options){0};
    return (gral_question){
        .game = job->game,
        .view = &asking->view,
        .options = &asking->options,
        .heard = desk->heard[seat].entry,
        .heard_count = desk->heard[seat].count,
        .seed = decision_seed(job->seed, seat, desk->heard[seat].count),
    };
}

static const char *fault_of(const gral_player *player, const gral_game *game, const gral_state *state,
                            gral_action action)
{
    const char *outside = exec_player_fault(player);
    const enum gral_fault fault = gral_check(game, state, action);
    return outside != NULL ? outside : fault != GRAL_LEGAL ? _(gral_fault_text(fault)) : NULL;
}

static gral_action decide(match_desk *desk, const match_job *job, const gral_state *state, match_result *result)
{
    const unsigned seat = state->open.actor;
    const gral_question question = question_for(desk, job, state, seat);
    const double start = clock_ms();
    gral_action action = gral_player_decide(job->player[seat], &question, job->clock);
    if (job->times[seat] != NULL)
        match_times_add(job->times[seat], clock_ms() - start);
    result->decisions[seat]++;

    const char *fault = fault_of(job->player[seat], job->game, state, action);
    if (fault != NULL) {
        job->fault(job->context, seat, fault);
        result->faults[seat]++;
        action = gral_safest_action(job->game, &state->open, question.options);
    }
    return action;
}

/* Asks the twin the same from a state that looks the same to this seat; true if it says the same. */
static bool repeats(match_desk *desk, const match_job *job, const gral_state *state, gral_action action)
{
    const unsigned seat = state->open.actor;
    gral_random random = gral_random_from(decision_seed(~job->seed, seat, desk->heard[seat].count));
    const gral_view view = gral_view_of(state, seat);
    gral_state other;
    if (!gral_view_refill(job->game, &view, &random, &other))
        return true; /* no other sheets fit: there is nothing to compare */
    const gral_question question = question_for(desk, job, &other, seat);
    const gral_action second = gral_player_decide(job->twin[seat], &question, job->clock);
    desk->leak = (match_leak){(uint32_t)desk->played.count + 1, (uint8_t)seat, action, second};
    return gral_same_action(action, second);
}

static bool note(match_desk *desk, unsigned players, unsigned seat, gral_action action)
{
    for (unsigned viewer = 0; viewer < players; viewer++)
        if (gral_view_hears(viewer, seat, action) && !gral_record_add(&desk->heard[viewer], seat, action))
            return false;
    return gral_record_add(&desk->played, seat, action);
}

static void tell_the_end(match_desk *desk, const match_job *job, const gral_state *state)
{
    for (unsigned seat = 0; seat < state->open.players; seat++) {
        const gral_question end = question_for(desk, job, state, seat);
        desk->asking.options = (gral_options){0}; /* a game that was broken off has somebody to act */
        gral_player_over(job->player[seat], &end);
    }
}

static enum match_ending play_on(match_desk *desk, const match_job *job, gral_state *state, match_result *result)
{
    while (state->open.phase != GRAL_OVER) {
        const unsigned seat = state->open.actor;
        if (job->cap > 0 && state->open.turn > job->cap)
            return MATCH_CAPPED;
        const gral_action action = decide(desk, job, state, result);
        if (atomic_load(job->stop)) /* now rather than before: the answer may have been cut short */
            return MATCH_ABANDONED;
        if (job->twin[seat] != NULL && !repeats(desk, job, state, action))
            return MATCH_LEAKED;
        result->repeated += job->twin[seat] != NULL;
        if (!note(desk, state->open.players, seat, action))
            return MATCH_ABANDONED;
        gral_apply(job->game, state, action);
    }
    return state->open.winner == GRAL_NOBODY ? MATCH_DRAWN : MATCH_WON;
}

match_result match_play(match_desk *desk, const match_job *job)
{
    gral_state state;
    gral_start(job->game, &state);
    desk->played.count = 0;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        desk->heard[seat].count = 0;

    match_result result = {0};
    result.ending = (uint8_t)play_on(desk, job, &state, &result);
    result.winner = state.open.winner;
    result.turns = result.ending == MATCH_CAPPED ? job->cap : state.open.turn;
    tell_the_end(desk, job, &state);
    return result;
}
