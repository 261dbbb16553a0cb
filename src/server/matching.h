/* As many pairs as possible out of those who may be paired: a maximum matching in any graph, by the method of Edmonds
 * ("Paths, trees, and flowers", 1965). Pure, and quick enough to be asked for every choice of a round. */
#ifndef GRAL_SERVER_MATCHING_H
#define GRAL_SERVER_MATCHING_H

#include <stdint.h>

enum { MATCHING_MAX = 64 };

/* Who may be paired with whom, a bit for each; the same whichever of them is asked. */
typedef struct matching_graph {
    uint64_t edge[MATCHING_MAX];
} matching_graph;

/* How many pairs there are at most among these. */
unsigned matching_most(const matching_graph *graph, uint64_t among);

#endif
