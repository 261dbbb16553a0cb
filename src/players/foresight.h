/* Thinking ahead with the net that has learned: what comes of each of its likelier actions, in games that are played on
 * for a while with sheets of the others that it believes in. In these everybody acts by the net, on what he could know;
 * at their end the net says what the position is worth. */
#ifndef GRAL_PLAYERS_FORESIGHT_H
#define GRAL_PLAYERS_FORESIGHT_H

#include "gral/player.h"
#include "net.h"

/* What may be played, and how likely it is. */
typedef struct chances {
    uint8_t number[GRAL_NUMBERS];
    float chance[GRAL_NUMBERS];
    unsigned count;
} chances;

/* The net's own chances of the legal numbers; coolness 1 is as it was learned. */
void chances_weigh(const net_thoughts *thoughts, const gral_numbers *legal, float coolness, chances *chances);

/* The place of a number drawn by its chances. */
unsigned chances_draw(const chances *chances, gral_random *random);

enum { FORESIGHT_ACTIONS = 6 };

/* How much to think: so many games, or until a time on the clock. */
typedef struct foresight_budget {
    uint32_t games;
    gral_clock *clock; /* NULL: `games` decides */
    double until;
} foresight_budget;

/* Moves the chances towards what turned out better. `worth`, if not NULL, gets what each of the first
 * FORESIGHT_ACTIONS places is worth, from -1 to 1; the likelier actions come first. Returns how many games were played,
 * 0 if there is nothing to think about. */
uint32_t foresight_think(const net_whole *net, const gral_outlook *outlook, foresight_budget budget,
                         gral_random *random, chances *chances, float worth[FORESIGHT_ACTIONS]);

#endif
