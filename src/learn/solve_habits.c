/* What the average strategies do, turn by turn. In a tree of public histories the two sheets are independent of each
 * other, so the chance of a node is the product of what each seat lets through. */
#include "solve_options.h"

#include <string.h>

typedef struct count {
    solver *solver;
    const solve_tree *tree;
    solve_habits *habits;
    uint32_t turn; /* the one that was counted last on this path, for a turn has many nodes */
} count;

static void visit(const count *count, uint32_t at, const float *const reach[2]);

static double sum(const float *numbers, unsigned count)
{
    double sum = 0;
    for (unsigned index = 0; index < count; index++)
        sum += numbers[index];
    return sum;
}

static double chance_of(const count *count, const solve_node *node, const float *const reach[2])
{
    double chance = 1;
    for (unsigned seat = 0; seat < 2; seat++)
        chance *= sum(reach[seat], solve_set_count(count->tree, node->set[seat]));
    return chance;
}

static bool is_empty_placement(const solve_tree *tree, const solve_placing *placing, solve_option option)
{
    unsigned count;
    return solve_set(tree, placing->from, &count)[option.from] == solve_set(tree, placing->to, &count)[option.to];
}

/* How much of what comes to a PLACE leaves the sheet as it is. */
static double empty_share(const count *count, const solve_node *node, const float *reach, const float *chance)
{
    const solve_options options = solve_options_of(count->tree, node, 0);
    const solve_placing *placing = solve_placing_at(count->tree, node->content);
    double share = 0;
    for (unsigned index = 0; index < options.count; index++) {
        const solve_option option = solve_option_at(&options, index);
        if (is_empty_placement(count->tree, placing, option))
            share += reach[option.from] * chance[index];
    }
    return share;
}

/* An assignment of somebody with nothing to place has no node of its own; it is empty all the same. */
static bool places_there(const count *count, uint32_t at)
{
    return count->tree->node[at].kind == SOLVE_PLACE;
}

static void follow(const count *count, const solve_node *node, const float *const reach[2])
{
    const solve_tree *tree = count->tree;
    solver *solver = count->solver;
    const unsigned actor = node->actor;
    const float *chance = solver_strategy(solver, node, true);
    const double other = sum(reach[1 - actor], solve_set_count(tree, node->set[1 - actor]));
    solve_habits *habits = &count->habits[node->turn];
    if (node->kind == SOLVE_PLACE && !(node->turn == 0 && actor == 1))
        habits->empty += other * empty_share(count, node, reach[actor], chance);
    if (node->kind == SOLVE_PLACE && node->turn == 0 && actor == 0)
        habits->reached = habits->announces = 1;

    for (unsigned child = 0; child < node->children; child++) {
        const solve_node *next = &tree->node[node->child + child];
        const solve_options options = solve_options_of(tree, node, child);
        const size_t mark = solver->scratch_used;
        const unsigned sheets = solve_set_count(tree, next->set[actor]);
        float *reaches = solver_take_zeros(solver, sheets);
        for (unsigned index = 0; index < options.count; index++) {
            const solve_option option = solve_option_at(&options, index);
            reaches[option.to] += reach[actor][option.from] * *chance++;
        }
        if (node->announces && child == 0) {
            habits->announces += other * sum(reaches, sheets);
            if (!places_there(count, node->child))
                habits->empty += other * sum(reaches, sheets);
        }
        const float *const there[2] = {actor == 0 ? reaches : reach[0], actor == 1 ? reaches : reach[1]};
        visit(count, node->child + child, there);
        solver->scratch_used = mark;
    }
}

static void reveal(const count *count, const solve_node *node, const float *const reach[2])
{
    const solve_tree *tree = count->tree;
    for (unsigned child = 0; child < node->children; child++) {
        const solve_node *next = &tree->node[node->child + child];
        const size_t mark = count->solver->scratch_used;
        const float *there[2];
        for (unsigned seat = 0; seat < 2; seat++) {
            const unsigned sheets = solve_set_count(tree, next->set[seat]);
            const uint16_t *way = solve_way(tree, next->way[seat]);
            float *reaches = solver_take(count->solver, sheets);
            for (unsigned index = 0; index < sheets; index++)
                reaches[index] = reach[seat][way[index]];
            there[seat] = reaches;
        }
        visit(count, node->child + child, there);
        count->solver->scratch_used = mark;
    }
}

static void visit(const count *before, uint32_t at, const float *const reach[2])
{
    const solve_node *node = &before->tree->node[at];
    const size_t mark = before->solver->scratch_used;
    const double chance = chance_of(before, node, reach);
    if (chance <= 0)
        return;
    count count = *before;
    if (node->turn > before->turn && node->kind != SOLVE_LEAF) {
        count.turn = node->turn;
        count.habits[node->turn].reached += chance;
    }
    if (node->kind == SOLVE_REVEAL)
        reveal(&count, node, reach);
    else if (node->kind != SOLVE_LEAF)
        follow(&count, node, reach);
    before->solver->scratch_used = mark;
}

void solver_habits(solver *solver, solve_habits habits[SOLVE_TURNS_MAX])
{
    memset(habits, 0, SOLVE_TURNS_MAX * sizeof *habits);
    const float one = 1;
    const float *const reach[2] = {&one, &one};
    visit(&(count){.solver = solver, .tree = solver->tree, .habits = habits}, 0, reach);
}

bool solver_openings(solver *solver, unsigned seat, solve_openings *openings)
{
    const solve_tree *tree = solver->tree;
    uint32_t at = 0;
    if (tree->node[at].kind == SOLVE_PLACE && tree->node[at].actor != seat)
        at = tree->node[at].child;
    const solve_node *node = &tree->node[at];
    if (node->kind != SOLVE_PLACE || node->actor != seat || node->turn != 0)
        return false;
    const size_t mark = solver->scratch_used;
    const float *chance = solver_strategy(solver, node, true);
    openings->set = solve_placing_at(tree, node->content)->to;
    openings->count = solve_placing_at(tree, node->content)->count;
    const unsigned room = sizeof openings->chance / sizeof *openings->chance;
    for (unsigned index = 0; index < openings->count && index < room; index++)
        openings->chance[index] = chance[index];
    solver->scratch_used = mark;
    return openings->count <= room;
}
