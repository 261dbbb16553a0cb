#include "chances.h"

float chances_decay(float x)
{
    if (x < -16)
        return 0;
    float power = 1 + x / 1024;
    for (unsigned doubling = 0; doubling < 10; doubling++)
        power *= power;
    return power;
}

/* By halves: each power of 2 that is missing counts its logarithm, and the rest is a short series. */
float chances_logarithm(float chance)
{
    if (chance < 1.2e-7f)
        return -16;
    float sum = 0;
    while (chance < 0.75f) {
        chance *= 2;
        sum -= 0.6931472f;
    }
    const float x = (chance - 1) / (chance + 1), square = x * x;
    return sum + 2 * x * (1 + square * (1.0f / 3 + square / 5));
}

float chances_random(gral_random *random)
{
    return (float)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f);
}

void chances_even(chances *chances)
{
    float sum = 0;
    for (unsigned place = 0; place < chances->count; place++)
        sum += chances->chance[place];
    for (unsigned place = 0; place < chances->count; place++)
        chances->chance[place] /= sum;
}

void chances_weigh(const learned_thoughts *thoughts, const gral_numbers *legal, chances *chances)
{
    int32_t wish[GRAL_NUMBERS], most = INT32_MIN;
    chances->count = 0;
    for (unsigned set = 0; set < GRAL_NUMBER_SETS; set++)
        for (uint64_t left = legal->word[set]; left != 0; left &= left - 1) {
            const unsigned number = 64 * set + (unsigned)__builtin_ctzll(left);
            const int32_t one = learned_wish(thoughts, number);
            most = one > most ? one : most;
            wish[chances->count] = one;
            chances->number[chances->count++] = (uint8_t)number;
        }
    for (unsigned place = 0; place < chances->count; place++)
        chances->chance[place] = chances_decay((float)(wish[place] - most) / LEARNED_ONE);
    chances_even(chances);
}

unsigned chances_draw(const chances *chances, gral_random *random)
{
    float at = chances_random(random);
    unsigned place = 0;
    while (place + 1 < chances->count && (at -= chances->chance[place]) >= 0)
        place++;
    return place;
}

unsigned chances_likeliest(const chances *chances)
{
    unsigned best = 0;
    for (unsigned place = 1; place < chances->count; place++)
        if (chances->chance[place] > chances->chance[best])
            best = place;
    return best;
}

void chances_of_steps(const int32_t wish[NET_STEPS_OF_INFLUENCE], float chance[NET_STEPS_OF_INFLUENCE])
{
    int32_t most = wish[0];
    float sum = 0;
    for (unsigned step = 1; step < NET_STEPS_OF_INFLUENCE; step++)
        most = wish[step] > most ? wish[step] : most;
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++)
        sum += chance[step] = chances_decay((float)(wish[step] - most) / LEARNED_ONE);
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++)
        chance[step] /= sum;
}
