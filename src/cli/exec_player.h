/* Outside players: any program that speaks the lines of the protocol takes a seat as exec:PROGRAM. */
#ifndef GRAL_CLI_EXEC_PLAYER_H
#define GRAL_CLI_EXEC_PLAYER_H

#include "gral/player.h"

/* The player that a text names: "exec:PROGRAM [ARGS]" starts the program, everything else is for gral_player_make.
 * Words are separated by spaces; no shell looks at them. The caller frees it, which ends the program. */
gral_player *cli_player_make(gral_span text, gral_error *error);

extern const gral_player_kind exec_player_kind;

/* The rest is about outside players and does nothing with others. */

/* How long it may think about a decision, in milliseconds; 0 for ever. Five seconds unless told. */
void exec_player_allow(gral_player *player, uint32_t milliseconds);

/* What was wrong with the last answer, in words, or NULL: then the decision was the safest action, not the program's.
 * Stays as it is until the next question. */
const char *exec_player_fault(const gral_player *player);

#endif
