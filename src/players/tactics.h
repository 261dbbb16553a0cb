/* The end of the game: wins that nobody can prevent, whatever he holds, or that could hardly fail. */
#ifndef GRAL_PLAYERS_TACTICS_H
#define GRAL_PLAYERS_TACTICS_H

#include "gral/player.h"

/* Whether the initiate carries the grail or stands where it lies free. */
bool tactics_has_grail(const gral_open *open, unsigned pawn);

/* Whether a step can end the game at once, with `keep` where it is asked. */
bool tactics_can_end(const gral_game *game, const gral_open *open, gral_action step);

/* Whether nobody can hold more on this initiate than the seat that is asked, by all that is public. */
bool tactics_surely_leads(const gral_question *question, unsigned pawn);

/* Whether this action wins for sure: it ends the game and nobody can hold more, or hardly anybody believably does; or
 * it is a step on a way home, of three steps at the most, that nobody can stop or cut short by uncovering. `leads` is
 * how likely the seat is believed to hold the most on each initiate; NULL where only what is sure counts. */
bool tactics_wins(const gral_question *question, const float leads[GRAL_PAWNS], gral_action action);

/* What can be said for sure of an action, whatever the others hold. */
enum tactics_verdict {
    TACTICS_LOSES, /* the game is over at once or in the next turn, and somebody else has won, unless others prevent it
                    */
    TACTICS_OPEN,
    TACTICS_WINS, /* as above, or by uncovering the bearer on one's headquarters, or by insisting on either */
};
enum tactics_verdict tactics_judge(const gral_question *question, gral_action action);

#endif
