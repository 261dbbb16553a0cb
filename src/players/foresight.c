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

/* --- chances --- */

/* e^x for x <= 0, near enough, of plain multiplications: the same everywhere. */
static float decay(float x)
{
    if (x < -16)
        return 0;
    float power = 1 + x / 1024;
    for (unsigned doubling = 0; doubling < 10; doubling++)
        power *= power;
    return power;
}

static void make_sum_one(chances *chances)
{
    float sum = 0;
    for (unsigned place = 0; place < chances->count; place++)
        sum += chances->chance[place];
    for (unsigned place = 0; place < chances->count; place++)
        chances->chance[place] /= sum;
}

void chances_weigh(const net_thoughts *thoughts, const gral_numbers *legal, float coolness, chances *chances)
{
    int32_t wish[GRAL_NUMBERS], most = INT32_MIN;
    chances->count = 0;
    for (unsigned set = 0; set < GRAL_NUMBER_SETS; set++)
        for (uint64_t left = legal->word[set]; left != 0; left &= left - 1) {
            const unsigned number = 64 * set + (unsigned)__builtin_ctzll(left);
            const int32_t one = net_wish(thoughts, number);
            most = one > most ? one : most;
            wish[chances->count] = one;
            chances->number[chances->count++] = (uint8_t)number;
        }
    for (unsigned place = 0; place < chances->count; place++)
        chances->chance[place] = decay(coolness * (float)(wish[place] - most) / NET_ONE);
    make_sum_one(chances);
}

static float random_unit(gral_random *random)
{
    return (float)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f);
}

unsigned chances_draw(const chances *chances, gral_random *random)
{
    float at = random_unit(random);
    unsigned place = 0;
    while (place + 1 < chances->count && (at -= chances->chance[place]) >= 0)
        place++;
    return place;
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
    int32_t most = wish[0];
    float sum = 0;
    for (unsigned step = 1; step < NET_STEPS_OF_INFLUENCE; step++)
        most = wish[step] > most ? wish[step] : most;
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++)
        sum += steps->believed[step] = decay((float)(wish[step] - most) / NET_ONE);
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++) {
        steps->believed[step] = steps->believed[step] / sum + 0.002f;
        steps->guessed[step] = 0.5f / GUESSES;
    }
}

static float credit(const steps *steps, unsigned points)
{
    const unsigned step = net_step_of(points);
    return steps->believed[step] / steps->guessed[step];
}

static void weigh_guesses(suspicion *suspicion, const gral_open *open, steps on[GRAL_PAWNS], steps *reserve)
{
    for (unsigned guess = 0; guess < GUESSES; guess++) {
        const gral_sheet *sheet = &suspicion->sheet[guess];
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            on[pawn].guessed[net_step_of(sheet->influence[pawn])] += 1.0f / GUESSES;
        reserve->guessed[net_step_of(gral_units_worth(sheet->units))] += 1.0f / GUESSES;
    }
    float sum = 0;
    for (unsigned guess = 0; guess < GUESSES; guess++) {
        const gral_sheet *sheet = &suspicion->sheet[guess];
        float weight = credit(reserve, gral_units_worth(sheet->units));
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            if (gral_on_board(open, pawn))
                weight *= credit(&on[pawn], sheet->influence[pawn]);
        sum += weight;
        suspicion->upto[guess] = sum;
    }
    for (unsigned guess = 0; guess < GUESSES; guess++)
        suspicion->upto[guess] /= sum;
}

static bool suspect(suspicion *suspicion, const gral_outlook *outlook, const net_thoughts *thoughts, unsigned other,
                    gral_random *random)
{
    const gral_open *open = outlook->open;
    const unsigned seat = (outlook->seat + 1 + other) % open->players;
    for (unsigned guess = 0; guess < GUESSES; guess++)
        if (!gral_guess_sheet(outlook->game, open, seat, random, &suspicion->sheet[guess]))
            return false;
    steps on[GRAL_PAWNS], reserve;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        believe(&on[pawn], thoughts->belief[other][pawn]);
    believe(&reserve, thoughts->reserve[other]);
    weigh_guesses(suspicion, open, on, &reserve);
    return true;
}

static const gral_sheet *draw_sheet(const suspicion *suspicion, gral_random *random)
{
    const float at = random_unit(random);
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
static float play_on(const net_whole *net, gral_ground *ground, unsigned number, gral_random *random)
{
    const unsigned seat = ground->state.open.actor;
    gral_ending ending = gral_ground_play(ground, number);
    gral_observation observation;
    net_thoughts thoughts;
    chances chances;
    for (unsigned decision = 0; !ending.over; decision++) {
        const gral_outlook outlook = gral_ground_outlook(ground);
        gral_observe(&outlook, &observation);
        net_think(net, &observation, false, &thoughts);
        if ((outlook.seat == seat && decision >= DECISIONS_LEAST) || decision >= DECISIONS_MOST)
            break;
        const gral_numbers legal = gral_numbers_of(&outlook);
        chances_weigh(&thoughts, &legal, 1, &chances);
        ending = gral_ground_play(ground, chances.number[chances_draw(&chances, random)]);
    }
    if (ending.over)
        return end_value(ending, seat);
    const float value = (float)thoughts.table[NET_OUT_VALUE] / NET_ONE;
    return value > 1 ? 1 : value < -1 ? -1 : value;
}

static bool is_worth_it(const gral_outlook *outlook, const chances *chances)
{
    return outlook->open->phase != GRAL_OPENING && chances->count > 1 && chances->chance[0] < 0.97f;
}

/* Actions that hardly ever come up are not tried. */
static unsigned tried(const chances *chances)
{
    unsigned count = 1;
    while (count < FORESIGHT_ACTIONS && count < chances->count && chances->chance[count] > 0.02f)
        count++;
    return count;
}

static void lean(chances *chances, const float *sum, unsigned actions, uint32_t rounds, float *worth)
{
    float best = -1;
    for (unsigned place = 0; place < actions; place++)
        best = sum[place] / (float)rounds > best ? sum[place] / (float)rounds : best;
    for (unsigned place = 0; place < actions; place++) {
        const float mean = sum[place] / (float)rounds;
        chances->chance[place] *= decay((mean - best) / worth_of_e(rounds));
        if (worth != NULL)
            worth[place] = mean;
    }
    chances->count = actions;
    make_sum_one(chances);
}

uint32_t foresight_think(const net_whole *net, const gral_outlook *outlook, foresight_budget budget,
                         gral_random *random, chances *chances, float worth[FORESIGHT_ACTIONS])
{
    sort_first(chances);
    if (!is_worth_it(outlook, chances))
        return 0;
    const unsigned actions = tried(chances), others = outlook->open->players - 1u, seat = outlook->seat;
    gral_observation observation;
    net_thoughts thoughts;
    suspicion suspicion[OTHERS_MAX];
    gral_observe(outlook, &observation);
    net_think(net, &observation, true, &thoughts);
    for (unsigned other = 0; other < others; other++)
        if (!suspect(&suspicion[other], outlook, &thoughts, other, random))
            return 0;
    gral_ground root;
    begin_ground(outlook, &root);
    float sum[FORESIGHT_ACTIONS] = {0};
    uint32_t rounds = 0;
    while (budget.clock != NULL ? rounds == 0 || budget.clock() < budget.until : rounds * actions < budget.games) {
        for (unsigned other = 0; other < others; other++)
            root.state.sheet[(seat + 1 + other) % (others + 1)] = *draw_sheet(&suspicion[other], random);
        const uint64_t seed = gral_random_next(random); /* the same chance for every action */
        for (unsigned place = 0; place < actions; place++) {
            gral_ground ground = root;
            gral_random chance = gral_random_from(seed);
            sum[place] += play_on(net, &ground, chances->number[place], &chance);
        }
        rounds++;
    }
    lean(chances, sum, actions, rounds, worth);
    return rounds * actions;
}
