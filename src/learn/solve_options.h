/* Inside the solver: what can be done at a node with each sheet, and how likely it is.
 *
 * A node's entries are its options in order: child by child, and for each child sheet by sheet of the set there (a
 * CHOICE); or pair by pair (a PLACE). */
#ifndef GRAL_LEARN_SOLVE_OPTIONS_H
#define GRAL_LEARN_SOLVE_OPTIONS_H

#include "solve.h"

/* Memory for one walk: taken here, given back by setting scratch_used to what it was. */
float *solver_take(solver *solver, size_t count);
float *solver_take_zeros(solver *solver, size_t count);

/* One thing that can be done with one sheet. */
typedef struct solve_option {
    unsigned from, to; /* places in the actor's set here, and in the child's */
} solve_option;

/* The options of a CHOICE for one child, or of a PLACE. */
typedef struct solve_options {
    const uint16_t *way;   /* CHOICE: NULL where the sets are the same */
    const uint16_t *pairs; /* PLACE: NULL for a CHOICE */
    unsigned count;
} solve_options;

static inline solve_option solve_option_at(const solve_options *options, unsigned index)
{
    if (options->pairs != NULL)
        return (solve_option){options->pairs[2 * index], options->pairs[2 * index + 1]};
    return (solve_option){options->way != NULL ? options->way[index] : index, index};
}

solve_options solve_options_of(const solve_tree *tree, const solve_node *node, unsigned child);
size_t solve_entries_of(const solve_tree *tree, const solve_node *node);

static inline float solve_positive(float number)
{
    return number > 0 ? number : 0;
}

/* The chance of each option, given the sheet, now or on average; in the solver's scratch. */
float *solver_strategy(solver *solver, const solve_node *node, bool average);

#endif
