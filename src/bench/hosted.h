/* Games of computer players at a table with a host, where nobody waits or watches. Whoever needs the same game
 * elsewhere has it from its terms and its inputs. */
#ifndef GRAL_BENCH_HOSTED_H
#define GRAL_BENCH_HOSTED_H

#include "gral/host.h"

/* The seat of the first computer player who has to decide; GRAL_NOBODY when there is none. */
unsigned hosted_seat(const gral_host *host);

/* That player decides, at the time 0. His inputs, a line each, are added to the text. False when there is nobody to
 * decide, or no memory. */
bool hosted_step(gral_host *host, gral_text *inputs);

#endif
