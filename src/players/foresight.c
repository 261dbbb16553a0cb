#include "foresight.h"

#include <string.h>

enum {
    GUESSES = 48,
    DECISIONS_LEAST = 10, /* before a game is judged */
    DECISIONS_MOST = 60,
    OTHERS_MAX = GRAL_PLAYERS_MAX - 1,
};

/* How much better an action must turn out to be e times as likely; more after few games, which tell little. */
static float worth_of_e(uint32_t rounds)
{
    return 0.06f + 4.0f / (float)(rounds + 12);
}

/* The likelier ones first, as many as are thought about. */
static void sort_first(chances *chances)
{
    for (unsigned place = 0; place < FORESIGHT_ACTIONS && place < chances->count; place++) {
        unsigned best = place;
        for (unsigned other = place + 1; other < chances->count; other++)
            if (chances->chance[other] > chances->chance[best])
                best = other;
        const uint8_t number = chances->number[best];
        const float chance = chances->chance[best];
        chances->number[best] = chances->number[place];
        chances->chance[best] = chances->chance[place];
        chances->number[place] = number;
        chances->chance[place] = chance;
    }
}

/* --- the others' sheets --- */

/* Sheets that fit what is public, and how likely the net takes each for: `upto` it and those before it. */
typedef struct suspicion {
    gral_sheet sheet[GUESSES];
    float upto[GUESSES];
} suspicion;

/* How likely each step is, and how often guesses fell on it: what they come up too often for is evened out. */
typedef struct steps {
    float believed[NET_STEPS_OF_INFLUENCE];
    float guessed[NET_STEPS_OF_INFLUENCE];
} steps;

static void believe(steps *steps, const int32_t wish[NET_STEPS_OF_INFLUENCE])
{
    chances_of_steps(wish, steps->believed);
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++) {
        steps->believed[step] += 0.002f;
        steps->guessed[step] = 0.5f / GUESSES;
    }
}

static float credit(const steps *steps, unsigned points)
{
    const unsigned step = net_step_of(points);
    return steps->believed[step] / steps->guessed[step];
}

static void weigh_guesses(suspicion *suspicion, const foresight *foresight, unsigned seat, steps on[GRAL_PAWNS],
                          steps *reserve)
{
    const gral_open *open = foresight->outlook->open;
    for (unsigned guess = 0; guess < GUESSES; guess++) {
        const gral_sheet *sheet = &suspicion->sheet[guess];
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            on[pawn].guessed[net_step_of(sheet->influence[pawn])] += 1.0f / GUESSES;
        reserve->guessed[net_step_of(gral_units_worth(sheet->units))] += 1.0f / GUESSES;
    }
    float sum = 0;
    for (unsigned guess = 0; guess < GUESSES; guess++) {
        const gral_sheet *sheet = &suspicion->sheet[guess];
        float weight = credit(reserve, gral_units_worth(sheet->units)) *
                       talk_credit(foresight->talk, open, seat, sheet);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            if (gral_on_board(open, pawn))
                weight *= credit(&on[pawn], sheet->influence[pawn]);
        sum += weight;
        suspicion->upto[guess] = sum;
    }
    for (unsigned guess = 0; guess < GUESSES; guess++)
        suspicion->upto[guess] /= sum;
}

static bool suspect(suspicion *suspicion, const foresight *foresight, const learned_thoughts *thoughts, unsigned other,
                    gral_random *random)
{
    const gral_open *open = foresight->outlook->open;
    const unsigned seat = (foresight->outlook->seat + 1 + other) % open->players;
    for (unsigned guess = 0; guess < GUESSES; guess++)
        if (!gral_guess_sheet(foresight->outlook->game, open, seat, random, &suspicion->sheet[guess]))
            return false;
    steps on[GRAL_PAWNS], reserve;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        believe(&on[pawn], thoughts->belief[other][pawn]);
    believe(&reserve, thoughts->reserve[other]);
    weigh_guesses(suspicion, foresight, seat, on, &reserve);
    return true;
}

static const gral_sheet *draw_sheet(const suspicion *suspicion, gral_random *random)
{
    const float at = chances_random(random);
    unsigned guess = 0;
    while (guess + 1 < GUESSES && suspicion->upto[guess] <= at)
        guess++;
    return &suspicion->sheet[guess];
}

/* --- games --- */

static void begin_ground(const gral_outlook *outlook, gral_ground *ground)
{
    *ground = (gral_ground){.game = *outlook->game, .options = *outlook->options, .memory = *outlook->memory};
    ground->state.open = *outlook->open;
    ground->state.sheet[outlook->seat] = *outlook->sheet;
    memset(ground->hunger, outlook->hunger, sizeof ground->hunger);
    ground->mirrored = outlook->mirrored ? UINT16_MAX : 0;
}

static float end_value(gral_ending ending, unsigned seat)
{
    return ending.winner == seat ? 1 : -1;
}

/* What a game is worth to a seat that plays this number first. */
static float play_on(const foresight *foresight, gral_ground *ground, unsigned number, gral_random *random)
{
    const unsigned seat = ground->state.open.actor;
    gral_ending ending = gral_ground_play(ground, number);
    gral_observation observation;
    learned_thoughts thoughts;
    chances chances;
    for (unsigned decision = 0; !ending.over; decision++) {
        if (talk_keeps_quiet(foresight->talk, &ground->state.open, random)) {
            ending = gral_ground_act(ground, gral_say(GRAL_PASS));
            continue;
        }
        const gral_outlook outlook = gral_ground_outlook(ground);
        gral_observe(&outlook, &observation);
        learned_think(foresight->net, &observation, false, &thoughts);
        if ((outlook.seat == seat && decision >= DECISIONS_LEAST) || decision >= DECISIONS_MOST)
            break;
        const gral_numbers legal = gral_numbers_of(&outlook);
        chances_weigh(&thoughts, &legal, &chances);
        ending = gral_ground_play(ground, chances.number[chances_draw(&chances, random)]);
    }
    if (ending.over)
        return end_value(ending, seat);
    const float value = (float)thoughts.table[NET_OUT_VALUE] / LEARNED_ONE;
    return value > 1 ? 1 : value < -1 ? -1 : value;
}

/* Actions that hardly ever come up are not tried. */
static unsigned tried(const chances *chances)
{
    unsigned count = 1;
    while (count < FORESIGHT_ACTIONS && count < chances->count && chances->chance[count] > 0.02f)
        count++;
    return count;
}

static bool has_time(const foresight_budget *budget, uint32_t games)
{
    return games < budget->games && (games == 0 || budget->clock == NULL || budget->clock() < budget->until);
}

static bool suspect_all(suspicion suspicion[OTHERS_MAX], const foresight *foresight, gral_random *random)
{
    gral_observation observation;
    learned_thoughts thoughts;
    gral_observe(foresight->outlook, &observation);
    learned_think(foresight->net, &observation, true, &thoughts);
    for (unsigned other = 0; other < observation.others; other++)
        if (!suspect(&suspicion[other], foresight, &thoughts, other, random))
            return false;
    return true;
}

void foresight_try(const foresight *foresight, gral_random *random, chances *chances, foresight_result *result)
{
    const gral_outlook *outlook = foresight->outlook;
    const unsigned players = outlook->open->players, seat = outlook->seat;
    suspicion suspicion[OTHERS_MAX];
    sort_first(chances);
    *result = (foresight_result){.actions = tried(chances)};
    if (!suspect_all(suspicion, foresight, random))
        return;
    gral_ground root;
    begin_ground(outlook, &root);
    uint32_t rounds = 0;
    for (; has_time(&foresight->budget, result->games); rounds++) {
        for (unsigned other = 0; other + 1 < players; other++)
            root.state.sheet[(seat + 1 + other) % players] = *draw_sheet(&suspicion[other], random);
        const uint64_t seed = gral_random_next(random); /* the same chance for every action */
        for (unsigned place = 0; place < result->actions; place++) {
            gral_ground ground = root;
            gral_random chance = gral_random_from(seed);
            result->worth[place] += play_on(foresight, &ground, chances->number[place], &chance);
        }
        result->games += result->actions;
    }
    for (unsigned place = 0; place < result->actions && rounds > 0; place++)
        result->worth[place] /= (float)rounds;
}

static bool is_worth_it(const foresight *foresight, const chances *chances)
{
    return foresight->budget.games > 0 && foresight->outlook->open->phase != GRAL_OPENING && chances->count > 1 &&
           chances->chance[chances_likeliest(chances)] < 0.97f;
}

void foresight_lean(const foresight *foresight, gral_random *random, chances *chances)
{
    foresight_result result;
    if (!is_worth_it(foresight, chances))
        return;
    foresight_try(foresight, random, chances, &result);
    if (result.games == 0)
        return;
    float best = -1;
    for (unsigned place = 0; place < result.actions; place++)
        best = result.worth[place] > best ? result.worth[place] : best;
    chances->count = result.actions;
    for (unsigned place = 0; place < result.actions; place++)
        chances->chance[place] *= chances_decay((result.worth[place] - best) /
                                                worth_of_e(result.games / result.actions));
    chances_even(chances);
}
