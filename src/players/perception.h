/* What a weaker player makes of what it could know: it forgets, overlooks, and is not suspicious enough. */
#ifndef GRAL_PLAYERS_PERCEPTION_H
#define GRAL_PLAYERS_PERCEPTION_H

#include "gral/env.h"

typedef struct perception {
    uint8_t sight; /* how many steps the grail may be from an initiate or his home for it to see how many there are */
    uint8_t suspects; /* how much of what the others have not shown it takes them to hold, in hundredths */
    uint8_t shown;    /* … of what they have shown it remembers */
    uint8_t habits;   /* … of what they did */
    uint8_t news;     /* … of how often they announced assignments; of the last one if anything */
} perception;

/* gral_observe, with these eyes. */
void perception_observe(const perception *perception, const gral_outlook *outlook, gral_observation *seen);

#endif
