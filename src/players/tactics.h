/* The end of the game: wins that nobody can prevent, whatever he holds, or that could hardly fail. */
#ifndef GRAL_PLAYERS_TACTICS_H
#define GRAL_PLAYERS_TACTICS_H

#include "belief.h"

/* Whether the initiate carries the grail or stands where it lies free. */
bool tactics_has_grail(const gral_open *open, unsigned pawn);

/* Whether a step can end the game at once, with `keep` where it is asked. */
bool tactics_can_end(const gral_game *game, const gral_open *open, gral_action step);

/* Whether nobody can hold more on this initiate than the seat that is asked, by all that is public. */
bool tactics_surely_leads(const gral_question *question, unsigned pawn);

/* Whether this action wins for sure: it ends the game and nobody can hold more, or hardly anybody believably does; or
 * it is a step on a way home, of three steps at the most, that nobody can stop or cut short by uncovering. */
bool tactics_wins(const gral_question *question, const belief *belief, gral_action action);

#endif
