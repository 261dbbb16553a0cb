/* Players to learn against: they hold back, and pounce when somebody has carried the grail nearly home. Their traits
 * are drawn anew for every game, so that there is nothing to fit. */
#ifndef GRAL_LEARN_SPARRING_H
#define GRAL_LEARN_SPARRING_H

#include "gral/player.h"

typedef struct sparring_traits {
    uint8_t distance; /* pounces when a bearer is so many steps from home */
    uint8_t enough;   /* 0: with everything; else with so much more than others have shown */
    uint8_t opening;  /* points placed before the first turn, on one or two initiates */
    uint8_t bluff;    /* of a hundred turns, announces nothing in so many */
    uint8_t walk;     /* leads the bearer, or somebody to the grail, in so many */
    uint8_t strike;   /* uncovers a bearer in so many where it can */
} sparring_traits;

typedef struct sparring {
    gral_player player; /* first */
    sparring_traits traits;
} sparring;

sparring sparring_with(sparring_traits traits);
sparring_traits sparring_draw(gral_random *random);

#endif
