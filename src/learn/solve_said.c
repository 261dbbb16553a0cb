#include "solve_parts.h"

#include <assert.h>

static bool is_held_by_somebody(const solve_tree *tree, const solve_spot *spot, unsigned points)
{
    const unsigned pawn = spot->state.open.proposal.pawn;
    for (unsigned seat = 0; seat < 2; seat++) {
        unsigned count;
        const uint16_t *sheets = solve_set(tree, spot->set[seat], &count);
        for (unsigned index = 0; index < count; index++)
            if (solve_sheet(tree, sheets[index])->influence[pawn] == points)
                return true;
    }
    return false;
}

static bool is_in(gral_action action, const gral_action *list, unsigned count)
{
    for (unsigned index = 0; index < count; index++)
        if (gral_same_action(list[index], action))
            return true;
    return false;
}

static bool is_figure(gral_action action)
{
    return action.verb == GRAL_OBJECT || action.verb == GRAL_CLAIM;
}

/* Whether a lower figure is on the list already; they come in order. */
static bool is_more_than_needed(gral_action action, const gral_action *list, unsigned count)
{
    return count > 0 && is_figure(list[count - 1]) && list[count - 1].points < action.points;
}

/* With a table rule that is not ours, an announcement needs something to place, if there is anything else to do. */
static bool is_forbidden(const solve_tree *tree, const gral_state *state, gral_action action)
{
    if (!tree->terms.must_place || action.verb != GRAL_ASSIGN)
        return false;
    return gral_units_worth(state->sheet[state->open.actor].units) == 0 &&
           gral_legal_options(&tree->game, state).steps != 0;
}

bool solve_can_say(const solve_tree *tree, const gral_state *state, gral_action action)
{
    return gral_check(&tree->game, state, action) == GRAL_LEGAL && !is_forbidden(tree, state, action);
}

unsigned solve_actions(const solve_tree *tree, const solve_spot *spot, gral_action list[SOLVE_ACTIONS_MAX])
{
    gral_state state = spot->state;
    const unsigned actor = state.open.actor;
    unsigned count, sheets;
    const uint16_t *set = solve_set(tree, spot->set[actor], &sheets);
    count = 0;
    for (unsigned index = 0; index < sheets; index++) {
        gral_action legal[GRAL_LEGAL_MAX];
        state.sheet[actor] = *solve_sheet(tree, set[index]);
        const unsigned legals = gral_legal_list(&tree->game, &state, legal);
        for (unsigned choice = 0; choice < legals; choice++) {
            if (is_in(legal[choice], list, count) || is_forbidden(tree, &state, legal[choice]))
                continue;
            if (is_figure(legal[choice]) &&
                (!is_held_by_somebody(tree, spot, legal[choice].points) ||
                 (tree->terms.least_figures && is_more_than_needed(legal[choice], list, count))))
                continue;
            assert(count < SOLVE_ACTIONS_MAX);
            list[count++] = legal[choice];
        }
    }
    return count;
}
