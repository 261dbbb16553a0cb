/* The player that has learned by playing against itself: the net's choice, drawn by its chances, for a bluff that is
 * always made is none. It looks at nothing but the question; what it remembers it works out anew from what was heard.
 */
#include "foresight.h"
#include "kinds.h"

#include <stdlib.h>

/* It plays to win: a draw is worth no more to it than a loss. And it plays as it has learned: cooler, it does better
 * against some and worse against others. */
enum { USUAL_HUNGER = 100, USUAL_WARMTH = 100 };

typedef struct learned {
    gral_player player;
    net_whole net;
    uint32_t milliseconds, games; /* to think ahead; 0 for not at all */
    uint8_t hunger;
    float coolness; /* 1 is as it was learned */
} learned;

static void think(const learned *self, const gral_outlook *outlook, net_thoughts *thoughts, chances *chances)
{
    gral_observation observation;
    gral_observe(outlook, &observation);
    net_think(&self->net, &observation, false, thoughts);
    const gral_numbers legal = gral_numbers_of(outlook);
    chances_weigh(thoughts, &legal, self->coolness, chances);
}

/* Without a budget it does what it would do at once. */
static uint32_t think_ahead(const learned *self, const gral_outlook *outlook, gral_clock *clock, gral_random *random,
                            chances *chances, float worth[FORESIGHT_ACTIONS])
{
    enum { CLOCKLESS_GAMES_A_MS = 4 };
    if (self->milliseconds == 0 && self->games == 0)
        return 0;
    foresight_budget budget = {.games = self->games > 0 ? self->games : self->milliseconds * CLOCKLESS_GAMES_A_MS};
    if (self->milliseconds > 0 && clock != NULL) {
        budget.clock = clock;
        budget.until = clock() + self->milliseconds;
    }
    return foresight_think(&self->net, outlook, budget, random, chances, worth);
}

static gral_outlook outlook_of(const learned *self, const gral_question *question, const gral_memory *memory)
{
    gral_outlook outlook = gral_outlook_of(question->game, question->view, question->options, memory);
    outlook.hunger = self->hunger;
    return outlook;
}

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    const learned *self = (const learned *)(const void *)player;
    const gral_memory memory = gral_memory_of(question->game, question->heard, question->heard_count);
    const gral_outlook outlook = outlook_of(self, question, &memory);
    net_thoughts thoughts;
    chances chances;
    think(self, &outlook, &thoughts, &chances);
    gral_random random = gral_random_from(question->seed);
    think_ahead(self, &outlook, clock, &random, &chances, NULL);
    return gral_number_action(&outlook, chances.number[chances_draw(&chances, &random)]);
}

/* Its value is how likely a win is, from nothing at -1 to 1. */
static float chance_of_winning(float value)
{
    const float chance = 0.5f + 0.5f * value;
    return chance < 0 ? 0 : chance > 1 ? 1 : chance;
}

static unsigned likeliest(const chances *chances)
{
    unsigned best = 0;
    for (unsigned place = 1; place < chances->count; place++)
        if (chances->chance[place] > chances->chance[best])
            best = place;
    return best;
}

/* Two numbers may begin with the same action: everything on somebody, and his first unit. */
static void list(gral_explanation *explanation, gral_action action, float weight, float chance)
{
    for (unsigned index = 0; index < explanation->thoughts; index++)
        if (gral_same_action(explanation->thought[index].action, action)) {
            explanation->thought[index].weight += weight;
            return;
        }
    explanation->thought[explanation->thoughts++] = (gral_thought){action, chance, weight};
}

static void make_weights_one(gral_explanation *explanation)
{
    float sum = 0;
    for (unsigned index = 0; index < explanation->thoughts; index++)
        sum += explanation->thought[index].weight;
    for (unsigned index = 0; index < explanation->thoughts; index++)
        explanation->thought[index].weight /= sum;
}

/* What it would do, the likeliest first. Where it does not look ahead every action has the chance of the position. */
static void explain(gral_player *player, const gral_question *question, gral_clock *clock,
                    gral_explanation *explanation)
{
    const learned *self = (const learned *)(const void *)player;
    const gral_memory memory = gral_memory_of(question->game, question->heard, question->heard_count);
    const gral_outlook outlook = outlook_of(self, question, &memory);
    net_thoughts thoughts;
    chances chances;
    think(self, &outlook, &thoughts, &chances);
    gral_random random = gral_random_from(question->seed);
    float worth[FORESIGHT_ACTIONS];
    explanation->simulations = think_ahead(self, &outlook, clock, &random, &chances, worth);
    for (unsigned listed = 0; listed < chances.count && explanation->thoughts < GRAL_THOUGHTS_MAX; listed++) {
        const unsigned best = likeliest(&chances);
        const float value = explanation->simulations > 0 ? worth[best] : (float)thoughts.table[NET_OUT_VALUE] / NET_ONE;
        list(explanation, gral_number_action(&outlook, chances.number[best]), chances.chance[best],
             chance_of_winning(value));
        chances.chance[best] = -1;
    }
    make_weights_one(explanation);
}

static gral_player *make(const player_maker *maker, const player_words *words)
{
    learned *self = malloc(sizeof *self);
    if (self == NULL || !net_whole_read(&self->net, net_learned_bytes, net_learned_size)) {
        free(self);
        return NULL;
    }
    self->player.kind = &maker->kind;
    self->milliseconds = words->milliseconds;
    self->games = words->simulations;
    self->hunger = (uint8_t)(words->hunger > 0 ? words->hunger : USUAL_HUNGER);
    self->coolness = 100.0f / (float)(words->warmth > 0 ? words->warmth : USUAL_WARMTH);
    return &self->player;
}

const player_maker learned_maker = {
    .kind = {.name = "learned",
             .summary = "has learned by playing",
             .decide = decide,
             .explain = explain,
             .free = player_free_plain},
    .takes = WORD_BUDGET | WORD_MOOD,
    .expected = "expected a budget like 100ms or 200sims, warmth=1 to 1000 or hunger=1 to 100",
    .make = make,
};
