/* How good beliefs about hidden sheets are, measured on whole games of computer players. */
#ifndef GRAL_LEARN_BELIEFS_H
#define GRAL_LEARN_BELIEFS_H

#include "gral/player.h"

#include <stdio.h>

/* The player sits on all seats. False when there is no such player, which `error` says, or no memory. */
bool beliefs_measure(const char *player, unsigned players, unsigned games, uint64_t seed, FILE *out, gral_error *error);

#endif
