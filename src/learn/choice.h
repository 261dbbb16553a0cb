/* A net's outputs as chances of the numbers that may be played, and back. */
#ifndef GRAL_LEARN_CHOICE_H
#define GRAL_LEARN_CHOICE_H

#include "net.h"

typedef struct choice {
    uint8_t number[GRAL_NUMBERS];
    float chance[GRAL_NUMBERS], log_chance[GRAL_NUMBERS];
    unsigned count;
} choice;

/* The chances of observation `index` of the rows. */
void choice_read(const net_rows *outputs, size_t index, const gral_numbers *legal, choice *choice);

/* Chances further apart (coolness above 1) or nearer to each other; their logarithms stay as they were. */
void choice_cool(choice *choice, float coolness);

/* The place of a number in it. */
unsigned choice_find(const choice *choice, unsigned number);

/* The place of a number drawn by its chances. */
unsigned choice_draw(const choice *choice, gral_random *random);

/* Slopes of the logarithms before they were made chances, one for each place, become those of the outputs, which are
 * added; the rows must have been cleared. */
void choice_back(const net_rows *outputs, const net_rows *gradients, size_t index, const choice *choice,
                 const float slope[GRAL_NUMBERS]);

#endif
