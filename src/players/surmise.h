/* What the net takes the others' sheets to be: how likely each figure is, within what the public facts allow (R10.3).
 * Figures are believed each by itself; that they make up one sheet is in their limits only. */
#ifndef GRAL_PLAYERS_SURMISE_H
#define GRAL_PLAYERS_SURMISE_H

#include "learned.h"
#include "talk.h"

typedef struct surmise {
    unsigned seats;
    float influence[GRAL_PLAYERS_MAX][GRAL_PAWNS][GRAL_POINTS_MAX + 1]; /* how likely so many points are */
    float reserve[GRAL_PLAYERS_MAX][GRAL_POINTS_MAX + 1];
} surmise;

/* Of the seat that looks out: `thoughts` are the net's, with beliefs. Its own sheet is known. */
void surmise_form(surmise *surmise, const gral_outlook *outlook, const learned_thoughts *thoughts);

/* Of somebody who knows no sheet but has heard all this. */
void surmise_outside(surmise *surmise, const learned_net *net, const gral_question *question);

/* What was claimed counts a little (talk_credit). */
void surmise_listen(surmise *surmise, const gral_open *open, const talk *talk);

/* The probability that a seat holds at least so much on an initiate. */
float surmise_at_least(const surmise *surmise, unsigned seat, unsigned pawn, unsigned points);

/* The least figure that a seat exceeds with probability `chance` at the most. */
unsigned surmise_quantile(const surmise *surmise, unsigned seat, unsigned pawn, float chance);

/* The probability that a seat holds the most on an initiate; a tie counts when it wins. */
float surmise_leads(const surmise *surmise, unsigned seat, unsigned pawn, bool wins_ties);

#endif
