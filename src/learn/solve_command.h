/* gral-learn solve: what a shrunken game is worth, how sure that is, and how it is played (docs/solver.md). */
#ifndef GRAL_LEARN_SOLVE_COMMAND_H
#define GRAL_LEARN_SOLVE_COMMAND_H

/* Reads the words after `solve` and does what they say; the program's exit status, 2 for words that it does not
 * understand. */
int solve_command(int count, char **words);

#endif
