/* The net's outputs as chances, of plain multiplications: the same everywhere. */
#ifndef GRAL_PLAYERS_CHANCES_H
#define GRAL_PLAYERS_CHANCES_H

#include "learned.h"

/* What may be played, and how likely it is. */
typedef struct chances {
    uint8_t number[GRAL_NUMBERS];
    float chance[GRAL_NUMBERS];
    unsigned count;
} chances;

/* The net's own chances of the legal numbers, as it has learned them. */
void chances_weigh(const learned_thoughts *thoughts, const gral_numbers *legal, chances *chances);

/* Together they are 1 again. */
void chances_even(chances *chances);

/* The place of a number drawn by its chances, and of the likeliest one. */
unsigned chances_draw(const chances *chances, gral_random *random);
unsigned chances_likeliest(const chances *chances);

/* What the net says of a figure that it does not see: how likely each step is. */
void chances_of_steps(const int32_t wish[NET_STEPS_OF_INFLUENCE], float chance[NET_STEPS_OF_INFLUENCE]);

/* e^x for x <= 0, near enough; and a number from 0 to 1. */
float chances_decay(float x);
float chances_random(gral_random *random);

/* The natural logarithm of a chance, near enough; -16 at the least. */
float chances_logarithm(float chance);

#endif
