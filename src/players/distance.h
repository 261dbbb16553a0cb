/* How many steps apart two fields are. */
#ifndef GRAL_PLAYERS_DISTANCE_H
#define GRAL_PLAYERS_DISTANCE_H

#include "gral/action.h"

/* A table, for this is asked more often than anything else. */
extern const uint8_t distance_table[GRAL_FIELDS][GRAL_FIELDS];

static inline unsigned distance(unsigned from, unsigned to)
{
    return distance_table[from][to];
}

#endif
