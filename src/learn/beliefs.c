/* Whenever somebody has a choice, everybody who has beliefs is asked what the others hold, and compared with the truth:
 * by the logarithm of the chance that he gave to the step of influence it is on, for every initiate in play, and by how
 * far the mean of a believed reserve is from the real one. */
#include "beliefs.h"

#include "players/belief.h"
#include "players/surmise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_A_PLAYER = 60, HEARD_MAX = 40000, ASKED_EACH = 5 };

/* Who believes. */
enum { OF_NET, OF_NET_OUTSIDE, OF_ROLLOUT, BELIEVERS };
static const char *const believer_names[BELIEVERS] = {"the net, in his seat", "the net, from outside", "rollout"};

typedef struct tally {
    double loss, error;
    uint64_t figures, reserves;
} tally;

typedef struct course {
    gral_game game;
    gral_state state;
    gral_entry heard[GRAL_PLAYERS_MAX][HEARD_MAX];
    size_t heard_count[GRAL_PLAYERS_MAX];
    surmise surmise;
    belief belief;
    tally tally[BELIEVERS];
} course;

/* --- comparing --- */

/* The chance of the true step; a hundredth of it is for whatever nobody thought of. */
static double loss_of(const float chance[GRAL_POINTS_MAX + 1], unsigned truth)
{
    double sum = 0;
    for (unsigned points = 0; points <= GRAL_POINTS_MAX; points++)
        sum += net_step_of(points) == net_step_of(truth) ? (double)chance[points] : 0;
    return -log(0.99 * sum + 0.01 / NET_STEPS_OF_INFLUENCE);
}

static double mean_of(const float chance[GRAL_POINTS_MAX + 1])
{
    double sum = 0;
    for (unsigned points = 0; points <= GRAL_POINTS_MAX; points++)
        sum += points * (double)chance[points];
    return sum;
}

static void compare(course *course, unsigned believer, unsigned seat, const surmise *surmise)
{
    tally *tally = &course->tally[believer];
    const gral_open *open = &course->state.open;
    for (unsigned other = 0; other < open->players; other++) {
        if (other == seat)
            continue;
        const gral_sheet *truth = &course->state.sheet[other];
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            if (!gral_on_board(open, pawn))
                continue;
            tally->loss += loss_of(surmise->influence[other][pawn], truth->influence[pawn]);
            tally->figures++;
        }
        tally->error += fabs(mean_of(surmise->reserve[other]) - gral_units_worth(truth->units));
        tally->reserves++;
    }
}

/* Guesses with weights, as chances. */
static void as_chances(const belief *belief, surmise *surmise)
{
    memset(surmise, 0, sizeof *surmise);
    for (unsigned seat = 0; seat < belief->seats; seat++)
        for (unsigned guess = 0; guess < belief->guesses && seat != belief->seat; guess++) {
            const gral_sheet *sheet = &belief->sheet[seat][guess];
            const float weight = belief->upto[seat][guess] - (guess > 0 ? belief->upto[seat][guess - 1] : 0);
            for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
                surmise->influence[seat][pawn][sheet->influence[pawn]] += weight;
            surmise->reserve[seat][gral_units_worth(sheet->units)] += weight;
        }
}

static void ask(course *course, const learned_net *net, const gral_question *question)
{
    enum { GUESSES = 192, MEMORY = 64 };
    const unsigned seat = question->view->seat;
    const gral_memory memory = gral_memory_of(question->game, question->heard, question->heard_count);
    gral_outlook outlook = gral_outlook_of(question->game, question->view, question->options, &memory);
    outlook.hunger = 100;
    gral_observation observation;
    learned_thoughts thoughts;
    gral_observe(&outlook, &observation);
    learned_think(net, &observation, true, &thoughts);
    surmise_form(&course->surmise, &outlook, &thoughts);
    compare(course, OF_NET, seat, &course->surmise);
    surmise_outside(&course->surmise, net, question);
    compare(course, OF_NET_OUTSIDE, seat, &course->surmise);
    gral_random random = gral_random_from(question->seed);
    belief_form(&course->belief, question, GUESSES, MEMORY, &random);
    as_chances(&course->belief, &course->surmise);
    compare(course, OF_ROLLOUT, seat, &course->surmise);
}

/* --- playing --- */

static void act(course *course, gral_action action)
{
    const unsigned actor = course->state.open.actor;
    for (unsigned seat = 0; seat < course->state.open.players; seat++)
        if (gral_view_hears(seat, actor, action))
            course->heard[seat][course->heard_count[seat]++] = (gral_entry){action, (uint8_t)actor};
    gral_apply(&course->game, &course->state, action);
}

static void play(course *course, const learned_net *net, gral_player *player, gral_random *random)
{
    gral_start(&course->game, &course->state);
    memset(course->heard_count, 0, sizeof course->heard_count);
    for (unsigned decision = 0; course->state.open.phase != GRAL_OVER && course->heard_count[0] + 1 < HEARD_MAX;) {
        const unsigned seat = course->state.open.actor;
        const gral_view view = gral_view_of(&course->state, seat);
        const gral_options options = gral_legal_options(&course->game, &course->state);
        const gral_question question = {.game = &course->game,
                                        .view = &view,
                                        .options = &options,
                                        .heard = course->heard[seat],
                                        .heard_count = course->heard_count[seat],
                                        .seed = gral_random_next(random)};
        if (view.open.phase != GRAL_OPENING && gral_options_count(&options) > 1 && decision++ % ASKED_EACH == 0)
            ask(course, net, &question);
        act(course, gral_player_decide(player, &question, NULL));
    }
}

bool beliefs_measure(const char *name, unsigned players, unsigned games, uint64_t seed, FILE *out, gral_error *error)
{
    gral_player *player = gral_player_make(gral_span_of(name), error);
    course *course = calloc(1, sizeof *course);
    gral_settings settings = gral_settings_for(players);
    settings.limit = TURNS_A_PLAYER * players;
    const bool made = player != NULL && course != NULL && gral_game_make(&course->game, &settings) == GRAL_SETTINGS_OK;
    learned_net net;
    learned_inside(&net);
    gral_random random = gral_random_from(seed);
    for (unsigned game = 0; made && game < games; game++)
        play(course, &net, player, &random);
    for (unsigned believer = 0; made && believer < BELIEVERS; believer++) {
        const tally *tally = &course->tally[believer];
        fprintf(out, "%-16s %2u players  %-22s log-loss %.3f  reserve off by %.1f   (%llu figures)\n", name, players,
                believer_names[believer], tally->loss / (double)tally->figures, tally->error / (double)tally->reserves,
                (unsigned long long)tally->figures);
    }
    free(course);
    gral_player_free(player);
    return made;
}
