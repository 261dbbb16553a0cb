/* The player that has learned by playing against itself: the net's choice, drawn by its chances, for a bluff that is
 * always made is none. It looks at nothing but the question; what it remembers it works out anew from what was heard.
 */
#include "kinds.h"
#include "net.h"

#include <stdlib.h>

/* A draw is worth no more to it than a loss: it plays to win. */
enum { HUNGER = 100 };

typedef struct learned {
    gral_player player;
    net_whole net;
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

static void weigh(const net_thoughts *thoughts, const gral_numbers *legal, chances *chances)
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
        sum += chances->chance[place] = decay((float)(wish[place] - most) / NET_ONE);
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

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)clock;
    const learned *self = (const learned *)(const void *)player;
    const gral_memory memory = gral_memory_of(question->game, question->heard, question->heard_count);
    const gral_outlook outlook = {
        .game = question->game,
        .view = question->view,
        .options = question->options,
        .memory = &memory,
        .hunger = HUNGER,
    };
    gral_observation observation;
    net_thoughts thoughts;
    chances chances;
    gral_observe(&outlook, &observation);
    net_think(&self->net, &observation, false, &thoughts);
    const gral_numbers legal = gral_numbers_of(&outlook);
    weigh(&thoughts, &legal, &chances);
    gral_random random = gral_random_from(question->seed);
    return gral_number_action(&outlook, chances.number[draw(&chances, &random)]);
}

static gral_player *make(const player_maker *maker, const player_words *words)
{
    (void)words;
    learned *self = malloc(sizeof *self);
    if (self == NULL || !net_whole_read(&self->net, net_learned_bytes, net_learned_size)) {
        free(self);
        return NULL;
    }
    self->player.kind = &maker->kind;
    return &self->player;
}

const player_maker learned_maker = {
    .kind = {.name = "learned", .summary = "has learned by playing", .decide = decide, .free = player_free_plain},
    .make = make,
};
