#include "solve_options.h"

#include <assert.h>
#include <string.h>

float *solver_take(solver *solver, size_t count)
{
    assert(solver->scratch_used + count <= solver->scratch_room);
    float *taken = solver->scratch + solver->scratch_used;
    solver->scratch_used += count;
    return taken;
}

float *solver_take_zeros(solver *solver, size_t count)
{
    float *taken = solver_take(solver, count);
    memset(taken, 0, count * sizeof *taken);
    return taken;
}

solve_options solve_options_of(const solve_tree *tree, const solve_node *node, unsigned child)
{
    if (node->kind == SOLVE_PLACE) {
        const solve_placing *placing = solve_placing_at(tree, node->content);
        return (solve_options){.pairs = solve_pairs(placing), .count = placing->count};
    }
    const solve_node *next = &tree->node[node->child + child];
    return (solve_options){.way = solve_way(tree, next->way[node->actor]),
                           .count = solve_set_count(tree, next->set[node->actor])};
}

size_t solve_entries_of(const solve_tree *tree, const solve_node *node)
{
    size_t entries = 0;
    for (unsigned child = 0; child < node->children; child++)
        entries += solve_options_of(tree, node, child).count;
    return entries;
}

/* How much speaks for each option: the regrets, or what was done so far. */
static void weigh(const solver *solver, const solve_node *node, bool average, float *weight, size_t entries)
{
    for (size_t entry = 0; entry < entries; entry++) {
        const size_t at = node->entry + entry;
        weight[entry] = average ? solver->average[at] : solve_positive(solver->regret[at] + solver->forecast[at]);
    }
}

/* The chance of each option, given the sheet: in proportion to what speaks for it, equal if nothing does. */
float *solver_strategy(solver *solver, const solve_node *node, bool average)
{
    const solve_tree *tree = solver->tree;
    const size_t entries = solve_entries_of(tree, node);
    float *chance = solver_take(solver, entries);
    weigh(solver, node, average, chance, entries);

    const size_t mark = solver->scratch_used;
    const unsigned sheets = solve_set_count(tree, node->set[node->actor]);
    float *sum = solver_take_zeros(solver, sheets), *count = solver_take_zeros(solver, sheets);
    for (int pass = 0; pass < 2; pass++) {
        float *entry = chance;
        for (unsigned child = 0; child < node->children; child++) {
            const solve_options options = solve_options_of(tree, node, child);
            for (unsigned index = 0; index < options.count; index++, entry++) {
                const unsigned from = solve_option_at(&options, index).from;
                if (pass == 0) {
                    sum[from] += *entry;
                    count[from]++;
                } else {
                    *entry = sum[from] > 0 ? *entry / sum[from] : 1 / count[from];
                }
            }
        }
    }
    solver->scratch_used = mark;
    return chance;
}
