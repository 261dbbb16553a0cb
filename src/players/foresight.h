/* Thinking ahead with the net that has learned: what comes of each of its likelier actions, in games that are played on
 * for a while with sheets of the others that it believes in. In these everybody acts by the net, on what he could know,
 * and some keep their promises; at their end the net says what the position is worth. */
#ifndef GRAL_PLAYERS_FORESIGHT_H
#define GRAL_PLAYERS_FORESIGHT_H

#include "chances.h"
#include "talk.h"

enum { FORESIGHT_ACTIONS = 6 };

/* How much to think: so many games, and no longer than until a time on the clock. */
typedef struct foresight_budget {
    uint32_t games;
    gral_clock *clock; /* NULL for no such time */
    double until;
} foresight_budget;

/* What is thought about. */
typedef struct foresight {
    const learned_net *net;
    const gral_outlook *outlook;
    const talk *talk;
    foresight_budget budget;
} foresight;

/* What came of it, for the actions that were tried: the likelier of the chances, which have them first. */
typedef struct foresight_result {
    float worth[FORESIGHT_ACTIONS]; /* from -1 for lost to 1 for won */
    unsigned actions;
    uint32_t games; /* played in all; 0: the sheets could not be guessed, or nothing was to be tried */
} foresight_result;

void foresight_try(const foresight *foresight, gral_random *random, chances *chances, foresight_result *result);

/* Moves the chances towards what turned out better. Nothing happens where there is nothing to think about. */
void foresight_lean(const foresight *foresight, gral_random *random, chances *chances);

#endif
