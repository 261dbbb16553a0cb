/* What to do at a table where everybody else only waits: who walks a bearer home alone works for those who keep their
 * points until he is nearly there. So a loaded initiate is always on the field that the bearer comes to, and uncovers
 * him as soon as the others have spent their points on him; whether they have is asked by proposing that he goes back.
 */
#ifndef GRAL_PLAYERS_ESCORT_H
#define GRAL_PLAYERS_ESCORT_H

#include "gral/player.h"

/* False where that is not the case, or where there is nothing to say. With four players or more: with fewer a step and
 * an uncovering are one turn, and the net knows how to use that. */
bool escort_decide(const gral_question *question, gral_action *action);

#endif
