/* The player that has learned by playing against itself: the net's choice, drawn by its chances, for a bluff that is
 * always made is none. It looks at nothing but the question; what it remembers it works out anew from what was heard.
 */
#include "kinds.h"
#include "net.h"

#include <stdlib.h>

/* It plays to win, a draw is worth no more to it than a loss; and a little cooler than it has learned, since what is
 * seldom done in learning is often only tried. */
enum { USUAL_HUNGER = 100, USUAL_WARMTH = 100 };

typedef struct learned {
    gral_player player;
    net_whole net;
    uint8_t hunger;
    float coolness; /* 1 is as it was learned */
} learned;

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

typedef struct chances {
    uint8_t number[GRAL_NUMBERS];
    float chance[GRAL_NUMBERS];
    unsigned count;
} chances;

static void weigh(const net_thoughts *thoughts, const gral_numbers *legal, float coolness, chances *chances)
{
    int32_t wish[GRAL_NUMBERS], most = INT32_MIN;
    chances->count = 0;
    for (unsigned number = 0; number < GRAL_NUMBERS; number++) {
        if (!gral_numbers_has(legal, number))
            continue;
        const int32_t one = net_wish(thoughts, number);
        most = one > most ? one : most;
        wish[chances->count] = one;
        chances->number[chances->count++] = (uint8_t)number;
    }
    float sum = 0;
    for (unsigned place = 0; place < chances->count; place++)
        sum += chances->chance[place] = decay(coolness * (float)(wish[place] - most) / NET_ONE);
    for (unsigned place = 0; place < chances->count; place++)
        chances->chance[place] /= sum;
}

static unsigned draw(const chances *chances, gral_random *random)
{
    float at = (float)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f);
    unsigned place = 0;
    while (place + 1 < chances->count && (at -= chances->chance[place]) >= 0)
        place++;
    return place;
}

static void think(const learned *self, const gral_outlook *outlook, net_thoughts *thoughts, chances *chances)
{
    gral_observation observation;
    gral_observe(outlook, &observation);
    net_think(&self->net, &observation, false, thoughts);
    const gral_numbers legal = gral_numbers_of(outlook);
    weigh(thoughts, &legal, self->coolness, chances);
}

static gral_outlook outlook_of(const learned *self, const gral_question *question, const gral_memory *memory)
{
    return (gral_outlook){
        .game = question->game,
        .view = question->view,
        .options = question->options,
        .memory = memory,
        .hunger = self->hunger,
    };
}

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)clock;
    const learned *self = (const learned *)(const void *)player;
    const gral_memory memory = gral_memory_of(question->game, question->heard, question->heard_count);
    const gral_outlook outlook = outlook_of(self, question, &memory);
    net_thoughts thoughts;
    chances chances;
    think(self, &outlook, &thoughts, &chances);
    gral_random random = gral_random_from(question->seed);
    return gral_number_action(&outlook, chances.number[draw(&chances, &random)]);
}

/* Its value is how likely a win is, from nothing at -1 to 1. */
static float chance_of_winning(const net_thoughts *thoughts)
{
    const float chance = 0.5f + 0.5f * (float)thoughts->table[NET_OUT_VALUE] / NET_ONE;
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

/* What it would do, the likeliest first. It does not look ahead: every action has the chance of the position. */
static void explain(gral_player *player, const gral_question *question, gral_clock *clock,
                    gral_explanation *explanation)
{
    (void)clock;
    const learned *self = (const learned *)(const void *)player;
    const gral_memory memory = gral_memory_of(question->game, question->heard, question->heard_count);
    const gral_outlook outlook = outlook_of(self, question, &memory);
    net_thoughts thoughts;
    chances chances;
    think(self, &outlook, &thoughts, &chances);
    while (explanation->thoughts < GRAL_THOUGHTS_MAX && explanation->thoughts < chances.count) {
        const unsigned best = likeliest(&chances);
        explanation->thought[explanation->thoughts++] = (gral_thought){
            .action = gral_number_action(&outlook, chances.number[best]),
            .chance = chance_of_winning(&thoughts),
            .weight = chances.chance[best],
        };
        chances.chance[best] = -1;
    }
}

static gral_player *make(const player_maker *maker, const player_words *words)
{
    learned *self = malloc(sizeof *self);
    if (self == NULL || !net_whole_read(&self->net, net_learned_bytes, net_learned_size)) {
        free(self);
        return NULL;
    }
    self->player.kind = &maker->kind;
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
    .takes = WORD_MOOD,
    .expected = "expected warmth=1 to 1000 or hunger=1 to 100",
    .make = make,
};
