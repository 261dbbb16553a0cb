/* How two players who make no mistake play a shrunken game, and what it is worth.
 *
 * Counterfactual regret minimisation on the tree of solve_tree.h: both seats play against each other again and again;
 * at every information set each action's regret is counted, and the next strategy follows the regrets. Here the
 * predictive kind (regrets never below zero, the newest counted once more as a forecast; Farina, Kroer, Sandholm 2021),
 * the seats in turns, the average weighted by the square of the round. The average strategies come as close to an
 * equilibrium as one likes, if one's win is the other's loss. How close is not estimated but worked out: against a
 * fixed strategy the best answer is found exactly. */
#ifndef GRAL_LEARN_SOLVE_H
#define GRAL_LEARN_SOLVE_H

#include "solve_tree.h"

/* What an end is worth to each seat. */
typedef struct solve_worth {
    float win, loss;
    float draw[2]; /* to each seat; if they do not add up to 0, the game has no value, and the strategies may not settle
                    */
} solve_worth;

extern const solve_worth solve_usual; /* 1, -1, 0 */

typedef struct solver {
    const solve_tree *tree;
    solve_worth worth;
    uint32_t rounds;
    float *regret, *forecast, *average; /* an entry for each thing that can be done with a sheet at a node */
    float *scratch;
    size_t scratch_used, scratch_room;
} solver;

/* False without memory; free it either way. The tree must outlive the solver. */
bool solver_make(solver *solver, const solve_tree *tree, const solve_worth *worth);
void solver_free(solver *solver);

/* Both seats learn so many rounds more. */
void solver_learn(solver *solver, uint32_t rounds);

typedef struct solve_result {
    double value[2]; /* to each seat, when both play their average */
    double best[2];  /* to each seat, when it gives the best answer to the other's average */
    double distance; /* by how much the best answers are better, on average of both; 0 in an equilibrium */
} solve_result;

solve_result solver_result(solver *solver);

/* How often each end comes when both play their average. */
typedef struct solve_ends {
    double wins[2], draws;
} solve_ends;

solve_ends solver_ends(solver *solver);

/* What they do turn by turn: of a hundred games as many as there are. */
typedef struct solve_habits {
    double reached;   /* how often the game comes to this turn at all */
    double announces; /* how often the active player then announces an assignment */
    double empty;     /* … and places nothing */
} solve_habits;

enum { SOLVE_TURNS_MAX = 128 };

/* For every turn up to the limit; 0 is the opening: what seat 0 places, and `announces` is certain. */
void solver_habits(solver *solver, solve_habits habits[SOLVE_TURNS_MAX]);

/* How likely each opening is in the average: a chance for each sheet of the set, in its order. False if the seat has
 * nothing to choose in the opening. */
typedef struct solve_openings {
    uint32_t set;
    unsigned count;
    float chance[GRAL_POINTS_MAX * 8];
} solve_openings;

bool solver_openings(solver *solver, unsigned seat, solve_openings *openings);

#endif
