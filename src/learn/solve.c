#include "solve_options.h"

#include <stdlib.h>
#include <string.h>

const solve_worth solve_usual = {.win = 1, .loss = -1, .draw = {0, 0}};

/* What a walk through the tree does at the nodes of the seat it is for. */
enum purpose {
    LEARN,   /* counts regrets, and adds the other seat's strategy to its average */
    ANSWER,  /* takes the best against the other's average */
    EVALUATE /* plays its own average */
};

typedef struct walk {
    solver *solver;
    const solve_tree *tree;
    enum purpose purpose;
    unsigned seat;
    float weight; /* of this round in the average */
    solve_worth worth;
} walk;

static void visit(const walk *walk, uint32_t at, const float *reach, float *value);

/* --- leaves --- */

static void count_leaf(const walk *walk, const solve_node *node, const float *reach, float *value)
{
    const solve_tree *tree = walk->tree;
    const unsigned seat = walk->seat;
    const unsigned own = solve_set_count(tree, node->set[seat]), others = solve_set_count(tree, node->set[1 - seat]);
    float all = 0;
    for (unsigned other = 0; other < others; other++)
        all += reach[other];
    if (node->content == SOLVE_DRAW) {
        for (unsigned index = 0; index < own; index++)
            value[index] = walk->worth.draw[seat] * all;
        return;
    }
    const int8_t *winner = solve_winners(tree, node->content);
    const unsigned step_own = seat == 0 ? others : 1, step_other = seat == 0 ? 1 : own;
    for (unsigned index = 0; index < own; index++) {
        float won = 0;
        for (unsigned other = 0; other < others; other++)
            won += winner[index * step_own + other * step_other] == (int8_t)seat ? reach[other] : 0;
        value[index] = walk->worth.win * won + walk->worth.loss * (all - won);
    }
}

/* --- nodes at which the other seat acts --- */

static void remember(const walk *walk, const solve_node *node, const float *reach, const float *chance)
{
    float *average = walk->solver->average + node->entry;
    for (unsigned child = 0; child < node->children; child++) {
        const solve_options options = solve_options_of(walk->tree, node, child);
        for (unsigned index = 0; index < options.count; index++)
            *average++ += walk->weight * reach[solve_option_at(&options, index).from] * *chance++;
    }
}

static void add_to(float *sum, const float *more, unsigned count)
{
    for (unsigned index = 0; index < count; index++)
        sum[index] += more[index];
}

static void let_other_act(const walk *walk, const solve_node *node, const float *reach, float *value)
{
    const solve_tree *tree = walk->tree;
    solver *solver = walk->solver;
    const float *chance = solver_strategy(solver, node, walk->purpose != LEARN);
    if (walk->purpose == LEARN)
        remember(walk, node, reach, chance);
    const unsigned own = solve_set_count(tree, node->set[walk->seat]);
    memset(value, 0, own * sizeof *value);
    for (unsigned child = 0; child < node->children; child++) {
        const solve_node *next = &tree->node[node->child + child];
        const solve_options options = solve_options_of(tree, node, child);
        const size_t mark = solver->scratch_used;
        float *reaches = solver_take_zeros(solver, solve_set_count(tree, next->set[node->actor]));
        for (unsigned index = 0; index < options.count; index++) {
            const solve_option option = solve_option_at(&options, index);
            reaches[option.to] += reach[option.from] * *chance++;
        }
        float *there = solver_take(solver, own);
        visit(walk, node->child + child, reaches, there);
        add_to(value, there, own);
        solver->scratch_used = mark;
    }
}

/* --- nodes at which the seat itself acts --- */

/* The value of each option, in the order of the node's entries. */
static float *option_values(const walk *walk, const solve_node *node, const float *reach)
{
    const solve_tree *tree = walk->tree;
    float *values = solver_take(walk->solver, solve_entries_of(tree, node)), *entry = values;
    for (unsigned child = 0; child < node->children; child++) {
        const solve_options options = solve_options_of(tree, node, child);
        const unsigned sheets = solve_set_count(tree, tree->node[node->child + child].set[node->actor]);
        const size_t mark = walk->solver->scratch_used;
        float *there = solver_take(walk->solver, sheets);
        visit(walk, node->child + child, reach, there);
        for (unsigned index = 0; index < options.count; index++)
            *entry++ = there[solve_option_at(&options, index).to];
        walk->solver->scratch_used = mark;
    }
    return values;
}

static void take_best(const walk *walk, const solve_node *node, const float *values, float *value)
{
    const unsigned sheets = solve_set_count(walk->tree, node->set[node->actor]);
    const float worst = -1e30f;
    for (unsigned index = 0; index < sheets; index++)
        value[index] = worst;
    for (unsigned child = 0; child < node->children; child++) {
        const solve_options options = solve_options_of(walk->tree, node, child);
        for (unsigned index = 0; index < options.count; index++, values++) {
            const unsigned from = solve_option_at(&options, index).from;
            value[from] = *values > value[from] ? *values : value[from];
        }
    }
}

static void take_mean(const walk *walk, const solve_node *node, const float *chance, const float *values, float *value)
{
    memset(value, 0, solve_set_count(walk->tree, node->set[node->actor]) * sizeof *value);
    for (unsigned child = 0; child < node->children; child++) {
        const solve_options options = solve_options_of(walk->tree, node, child);
        for (unsigned index = 0; index < options.count; index++)
            value[solve_option_at(&options, index).from] += *chance++ * *values++;
    }
}

static void regret(const walk *walk, const solve_node *node, const float *values, const float *value)
{
    float *regret = walk->solver->regret + node->entry, *forecast = walk->solver->forecast + node->entry;
    for (unsigned child = 0; child < node->children; child++) {
        const solve_options options = solve_options_of(walk->tree, node, child);
        for (unsigned index = 0; index < options.count; index++, regret++, forecast++) {
            *forecast = *values++ - value[solve_option_at(&options, index).from];
            *regret = solve_positive(*regret + *forecast);
        }
    }
}

static void act(const walk *walk, const solve_node *node, const float *reach, float *value)
{
    const float *values = option_values(walk, node, reach);
    if (walk->purpose == ANSWER) {
        take_best(walk, node, values, value);
        return;
    }
    const float *chance = solver_strategy(walk->solver, node, walk->purpose == EVALUATE);
    take_mean(walk, node, chance, values, value);
    if (walk->purpose == LEARN)
        regret(walk, node, values, value);
}

/* --- an uncovering --- */

static void reveal(const walk *walk, const solve_node *node, const float *reach, float *value)
{
    const solve_tree *tree = walk->tree;
    const unsigned seat = walk->seat;
    memset(value, 0, solve_set_count(tree, node->set[seat]) * sizeof *value);
    for (unsigned child = 0; child < node->children; child++) {
        const solve_node *next = &tree->node[node->child + child];
        const unsigned own = solve_set_count(tree, next->set[seat]),
                       others = solve_set_count(tree, next->set[1 - seat]);
        const uint16_t *own_way = solve_way(tree, next->way[seat]), *other_way = solve_way(tree, next->way[1 - seat]);
        const size_t mark = walk->solver->scratch_used;
        float *reaches = solver_take(walk->solver, others), *there = solver_take(walk->solver, own);
        for (unsigned index = 0; index < others; index++)
            reaches[index] = reach[other_way[index]];
        visit(walk, node->child + child, reaches, there);
        for (unsigned index = 0; index < own; index++)
            value[own_way[index]] += there[index];
        walk->solver->scratch_used = mark;
    }
}

/* --- walking --- */

static bool is_reached(const float *reach, unsigned count)
{
    for (unsigned index = 0; index < count; index++)
        if (reach[index] > 0)
            return true;
    return false;
}

/* `reach`: for each sheet of the other seat, how likely he is to have come here with it. `value`, to be filled in: for
 * each sheet of the walk's seat, what it is worth here, times how likely the other lets it come to this. Where he never
 * does, there is nothing to learn. */
static void visit(const walk *walk, uint32_t at, const float *reach, float *value)
{
    const solve_node *node = &walk->tree->node[at];
    const size_t mark = walk->solver->scratch_used;
    if (!is_reached(reach, solve_set_count(walk->tree, node->set[1 - walk->seat])))
        memset(value, 0, solve_set_count(walk->tree, node->set[walk->seat]) * sizeof *value);
    else if (node->kind == SOLVE_LEAF)
        count_leaf(walk, node, reach, value);
    else if (node->kind == SOLVE_REVEAL)
        reveal(walk, node, reach, value);
    else if (node->actor == walk->seat)
        act(walk, node, reach, value);
    else
        let_other_act(walk, node, reach, value);
    walk->solver->scratch_used = mark;
}

static double value_at_root(const walk *walk)
{
    const float reach = 1; /* there is one empty sheet */
    float value;
    visit(walk, 0, &reach, &value);
    return value;
}

static double find_value(solver *solver, enum purpose purpose, unsigned seat, const solve_worth *worth)
{
    return value_at_root(
        &(walk){.solver = solver, .tree = solver->tree, .purpose = purpose, .seat = seat, .worth = *worth});
}

/* --- the solver --- */

/* The most that a path from the root takes; every node holds what it needs until its children are done. */
static size_t scratch_needed(const solve_tree *tree, uint32_t at)
{
    const solve_node *node = &tree->node[at];
    const size_t sheets = solve_set_count(tree, node->set[0]) + solve_set_count(tree, node->set[1]);
    size_t deepest = 0, here = 4 * sheets;
    if (node->kind == SOLVE_CHOICE || node->kind == SOLVE_PLACE)
        here += 2 * solve_entries_of(tree, node);
    for (unsigned child = 0; child < node->children; child++) {
        const solve_node *next = &tree->node[node->child + child];
        here += solve_set_count(tree, next->set[0]) + solve_set_count(tree, next->set[1]);
        const size_t below = scratch_needed(tree, node->child + child);
        deepest = below > deepest ? below : deepest;
    }
    return here + deepest;
}

bool solver_make(solver *solver, const solve_tree *tree, const solve_worth *worth)
{
    *solver = (struct solver){.tree = tree, .worth = *worth, .scratch_room = scratch_needed(tree, 0)};
    solver->regret = calloc(tree->entries + 1, sizeof *solver->regret);
    solver->forecast = calloc(tree->entries + 1, sizeof *solver->forecast);
    solver->average = calloc(tree->entries + 1, sizeof *solver->average);
    solver->scratch = calloc(solver->scratch_room + 1, sizeof *solver->scratch);
    return solver->regret != NULL && solver->forecast != NULL && solver->average != NULL && solver->scratch != NULL;
}

void solver_free(solver *solver)
{
    free(solver->regret);
    free(solver->forecast);
    free(solver->average);
    free(solver->scratch);
    *solver = (struct solver){0};
}

void solver_learn(solver *solver, uint32_t rounds)
{
    for (uint32_t round = 0; round < rounds; round++) {
        const float number = (float)++solver->rounds;
        for (unsigned seat = 0; seat < 2; seat++)
            value_at_root(&(walk){.solver = solver,
                                  .tree = solver->tree,
                                  .purpose = LEARN,
                                  .seat = seat,
                                  .weight = number * number,
                                  .worth = solver->worth});
    }
}

solve_result solver_result(solver *solver)
{
    solve_result result = {.distance = 0};
    for (unsigned seat = 0; seat < 2; seat++) {
        result.value[seat] = find_value(solver, EVALUATE, seat, &solver->worth);
        result.best[seat] = find_value(solver, ANSWER, seat, &solver->worth);
        result.distance += (result.best[seat] - result.value[seat]) / 2;
    }
    return result;
}

solve_ends solver_ends(solver *solver)
{
    const solve_worth only_wins = {.win = 1}, only_draws = {.draw = {1, 1}};
    return (solve_ends){
        .wins = {find_value(solver, EVALUATE, 0, &only_wins), find_value(solver, EVALUATE, 1, &only_wins)},
        .draws = find_value(solver, EVALUATE, 0, &only_draws)};
}
