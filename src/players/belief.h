/* What a seat may believe of the others' sheets: for each of them some guesses that fit all that is public, weighted
 * by how well they explain what that player has done and left undone. */
#ifndef GRAL_PLAYERS_BELIEF_H
#define GRAL_PLAYERS_BELIEF_H

#include "gral/player.h"

enum { BELIEF_GUESSES_MAX = 256 };

typedef struct belief {
    unsigned guesses;
    unsigned seats;
    unsigned seat; /* whose belief it is */
    gral_sheet own;
    gral_sheet sheet[GRAL_PLAYERS_MAX][BELIEF_GUESSES_MAX];
    float upto[GRAL_PLAYERS_MAX][BELIEF_GUESSES_MAX]; /* weights summed up; the last is 1 */
} belief;

/* Forms the belief. `memory` is how many of the others' newest actions count as evidence. */
void belief_form(belief *belief, const gral_question *question, unsigned guesses, unsigned memory, gral_random *random);

/* A state that may be the true one, drawn by the weights. */
void belief_draw(const belief *belief, const gral_open *open, gral_random *random, gral_state *state);

/* The least figure that a seat exceeds with probability `chance` at the most. */
unsigned belief_quantile(const belief *belief, unsigned seat, unsigned pawn, float chance);

/* The probability that the believer holds the most on an initiate; a tie counts when it wins. */
float belief_leads(const belief *belief, unsigned pawn, bool wins_ties);

#endif
