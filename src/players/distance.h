/* How many steps apart two fields are, and how many an initiate has before him. */
#ifndef GRAL_PLAYERS_DISTANCE_H
#define GRAL_PLAYERS_DISTANCE_H

#include "gral/state.h"

/* A table, for this is asked more often than anything else. */
extern const uint8_t distance_table[GRAL_FIELDS][GRAL_FIELDS];

static inline unsigned distance(unsigned from, unsigned to)
{
    return distance_table[from][to];
}

/* Where an initiate should take the grail: home, or in The Original to the seat's own headquarters (R8.2). */
unsigned distance_goal(const gral_game *game, unsigned seat, unsigned pawn);

/* From a field to the grail, if he does not carry it, and on to the goal. */
unsigned distance_to_go(const gral_game *game, const gral_open *open, unsigned seat, unsigned pawn, unsigned field);

/* Of a set of initiates, a bit each, the one on the board who is nearest to the grail, but for one; or GRAL_NO_PAWN. */
unsigned distance_nearest(const gral_open *open, unsigned pawns, unsigned but);

#endif
