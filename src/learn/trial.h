/* What is tried out in training, so that there is something to learn where the player would never come by itself:
 * games that begin in the middle, sheets that are filled otherwise, actions that it would not think of. */
#ifndef GRAL_LEARN_TRIAL_H
#define GRAL_LEARN_TRIAL_H

#include "choice.h"

/* Points still to be placed on each initiate. */
typedef struct trial_plan {
    uint8_t points[GRAL_PAWNS];
    bool on;
} trial_plan;

/* Initiates and grail somewhere else, as long as nobody has placed anything: for a game that has just begun. */
void trial_arrange(gral_ground *ground, gral_random *random);

/* Something for so many initiates or fewer: the bearer, some near the grail, or any. */
trial_plan trial_plan_draw(const gral_open *open, unsigned initiates, gral_random *random);

/* The place of the next number of a plan, which is over with `done`. */
unsigned trial_next(trial_plan *plan, const choice *choice);

/* The place of any number, each kind of action as likely as the others. */
unsigned trial_any(const choice *choice, gral_random *random);

#endif
