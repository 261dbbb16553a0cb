/* How far a computer player is from an equilibrium of a shrunken game: its answers at every information set that it
 * can come to are written down as the solver's average, and the best answers to them are worked out exactly. */
#ifndef GRAL_LEARN_SOLVE_IMITATE_H
#define GRAL_LEARN_SOLVE_IMITATE_H

#include "gral/player.h"
#include "solve.h"

/* Both seats play as the player does, asked `samples` times with different seeds wherever it may have to act. It is
 * told what a seat is told at a table, with one way to have come by its sheet: its own likeliest. What it has never
 * come to stays as it was. The tree must have all figures and our rules. False without memory, or if the player says
 * something illegal. */
bool solver_imitate(solver *solver, gral_player *player, unsigned samples, uint64_t seed);

#endif
