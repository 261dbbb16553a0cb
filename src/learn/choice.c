#include "choice.h"

#include <math.h>

/* The product of two vectors is as large as one output. */
static const float vector_part = 0.25f;

typedef struct pair {
    unsigned pawn, target;
} pair;

static pair pair_of(unsigned number)
{
    number -= GRAL_NUMBER_UNCOVER;
    return (pair){number / GRAL_PAWNS, number % GRAL_PAWNS};
}

/* The one output behind a number, unless it is an uncovering. */
static float *output_of(const net_rows *rows, size_t index, unsigned number)
{
    if (number >= GRAL_NUMBER_STEP) {
        number -= GRAL_NUMBER_STEP;
        return &rows->pawn[index][number / GRAL_DIRECTIONS][NET_OUT_STEP + number % GRAL_DIRECTIONS];
    }
    if (number >= GRAL_NUMBER_PLACE) {
        number -= GRAL_NUMBER_PLACE;
        return &rows->pawn[index][number % GRAL_PAWNS][NET_OUT_UNIT + number / GRAL_PAWNS];
    }
    if (number >= GRAL_NUMBER_ALL)
        return &rows->pawn[index][number - GRAL_NUMBER_ALL][NET_OUT_ALL];
    return &rows->table[index][NET_OUT_WORD + number]; /* figures follow words in both */
}

static float logarithm_of(const net_rows *rows, size_t index, unsigned number)
{
    if (number < GRAL_NUMBER_UNCOVER)
        return *output_of(rows, index, number);
    const pair pair = pair_of(number);
    const float *query = &rows->pawn[index][pair.pawn][NET_OUT_QUERY];
    const float *key = &rows->pawn[index][pair.target][NET_OUT_KEY];
    float sum = 0;
    for (unsigned at = 0; at < NET_VECTOR; at++)
        sum += query[at] * key[at];
    return vector_part * sum;
}

void choice_read(const net_rows *outputs, size_t index, const gral_numbers *legal, choice *choice)
{
    float most = -INFINITY, sum = 0;
    choice->count = 0;
    for (unsigned set = 0; set < GRAL_NUMBER_SETS; set++)
        for (uint64_t left = legal->word[set]; left != 0; left &= left - 1) {
            const unsigned number = 64 * set + (unsigned)__builtin_ctzll(left), place = choice->count++;
            choice->number[place] = (uint8_t)number;
            choice->log_chance[place] = logarithm_of(outputs, index, number);
            most = fmaxf(most, choice->log_chance[place]);
        }
    for (unsigned place = 0; place < choice->count; place++)
        sum += choice->chance[place] = expf(choice->log_chance[place] - most);
    const float log_sum = most + logf(sum);
    for (unsigned place = 0; place < choice->count; place++) {
        choice->log_chance[place] -= log_sum;
        choice->chance[place] /= sum;
    }
}

void choice_cool(choice *choice, float coolness)
{
    float sum = 0;
    for (unsigned place = 0; place < choice->count; place++)
        sum += choice->chance[place] = expf(coolness * choice->log_chance[place]);
    for (unsigned place = 0; place < choice->count; place++)
        choice->chance[place] /= sum;
}

unsigned choice_find(const choice *choice, unsigned number)
{
    unsigned place = 0;
    while (choice->number[place] != number)
        place++;
    return place;
}

unsigned choice_draw(const choice *choice, gral_random *random)
{
    float at = (float)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f);
    unsigned place = 0;
    while (place + 1 < choice->count && (at -= choice->chance[place]) >= 0)
        place++;
    return place;
}

void choice_back(const net_rows *outputs, const net_rows *gradients, size_t index, const choice *choice,
                 const float slope[GRAL_NUMBERS])
{
    for (unsigned place = 0; place < choice->count; place++) {
        const unsigned number = choice->number[place];
        if (number < GRAL_NUMBER_UNCOVER) {
            *output_of(gradients, index, number) += slope[place];
            continue;
        }
        const pair pair = pair_of(number);
        for (unsigned at = 0; at < NET_VECTOR; at++) {
            gradients->pawn[index][pair.pawn][NET_OUT_QUERY + at] +=
                vector_part * slope[place] * outputs->pawn[index][pair.target][NET_OUT_KEY + at];
            gradients->pawn[index][pair.target][NET_OUT_KEY + at] +=
                vector_part * slope[place] * outputs->pawn[index][pair.pawn][NET_OUT_QUERY + at];
        }
    }
}
