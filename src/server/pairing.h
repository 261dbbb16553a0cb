/* The queue of those who want a game now, whoever with. A pure list: who waits is a number, and time comes from
 * outside.
 *
 * Whoever has waited longest comes first. A game begins as soon as there are people enough for one of the sizes that
 * all of them want; who wants many waits a little longer once there are five, and takes along who comes, up to eight;
 * or when the patience of one of them is over, with those who would be at that table by then and computer players on
 * the other seats. Nobody who wants to play with people only is ever put with computer players, and nobody is put with
 * somebody whom he must not meet. */
#ifndef GRAL_SERVER_PAIRING_H
#define GRAL_SERVER_PAIRING_H

#include "gral/state.h"

enum pairing_size { PAIRING_TWO, PAIRING_THREE, PAIRING_FOUR, PAIRING_MANY, PAIRING_ANY, PAIRING_SIZES };

typedef struct pairing_wish {
    uint64_t person; /* never 0 */
    enum pairing_size size;
    bool rated;
    int64_t patience; /* milliseconds; 0: with people only, however long it takes */
    uint64_t origin;  /* where he comes from: not everybody who waits comes from one place */
} pairing_wish;

/* People who are to play with each other, the one who has waited longest first; the other seats are for computer
 * players. */
typedef struct pairing_group {
    uint64_t person[GRAL_PLAYERS_MAX];
    unsigned people, players;
    bool rated;
} pairing_group;

typedef struct pairing_progress {
    unsigned people, players; /* of the game that is closest to being complete */
    int64_t left;             /* milliseconds until computer players come, or it begins if nobody lacks; -1: never */
} pairing_progress;

/* Whether two people may be put at one table; the same whichever of them is named first. */
typedef bool pairing_may_meet(void *context, uint64_t one, uint64_t other);

typedef struct pairing pairing;
pairing *pairing_open(pairing_may_meet *may_meet, void *context);
void pairing_close(pairing *pairing);

/* Everybody has one place at most, before those who have waited less. Who wants the same as before keeps it; who wants
 * something else gives it up. False: there are too many people, in all or from there. */
bool pairing_join(pairing *pairing, const pairing_wish *wish, int64_t since);
bool pairing_leave(pairing *pairing, uint64_t person); /* whether he was there */
unsigned pairing_count(const pairing *pairing);

/* The next group whose game begins now: they leave the queue. False: there is none. */
bool pairing_take(pairing *pairing, int64_t now, pairing_group *group);

/* When the next group will begin if nobody comes or goes, once all have been taken that begin now; -1: never. */
int64_t pairing_due(const pairing *pairing);

/* How far it has come for the one at this place of the queue, from 0, once all have been taken that begin now; and who
 * that is. */
pairing_progress pairing_look(const pairing *pairing, unsigned place, int64_t now, uint64_t *person);

/* Whether a table of so many is what he wants; the usual one; and how many computer players would be there at most. */
bool pairing_goes_with(enum pairing_size size, unsigned players);
unsigned pairing_usual(enum pairing_size size);
unsigned pairing_computers(enum pairing_size size);

#endif
