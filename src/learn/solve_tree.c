#include "solve_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(solve_node) == 32, "a node stays small: there are millions");

enum { TURNS_MAX = 127, CHILDREN_MAX = UINT8_MAX };

/* A spot on the way down the tree. As long as nothing was said since the parent, `said` is GRAL_NOTHING; else `before`
 * is where it was said, and `state` what it led to for one pair of sheets. */
typedef struct place {
    solve_spot spot;
    gral_state before;
    gral_action said;
} place;

static bool grow(solve_tree *tree, uint32_t at, place here);

static const gral_sheet *first_of(const solve_tree *tree, uint32_t set)
{
    unsigned count;
    return solve_sheet(tree, solve_set(tree, set, &count)[0]);
}

/* The state with these sheets. */
static gral_state dressed(const solve_tree *tree, const gral_state *state, const uint32_t set[2])
{
    gral_state dressed = *state;
    for (unsigned seat = 0; seat < 2; seat++)
        dressed.sheet[seat] = *first_of(tree, set[seat]);
    return dressed;
}

/* --- the tree's memory --- */

static size_t memory_of(const solve_tree *tree)
{
    enum { ARRAYS = 3 }; /* of the solver */
    return tree->node_room * sizeof *tree->node + tree->entries * ARRAYS * sizeof(float) +
           solve_kept_memory(&tree->sheets) + solve_kept_memory(&tree->sets) + solve_kept_memory(&tree->ways) +
           solve_kept_memory(&tree->placing_keys) + solve_kept_memory(&tree->placings) +
           solve_kept_memory(&tree->payoff_keys) + solve_kept_memory(&tree->payoffs);
}

/* New nodes in a row; SOLVE_NO_NUMBER when there is no memory left for them. */
static uint32_t new_nodes(solve_tree *tree, unsigned count)
{
    if (tree->nodes + count > tree->node_room) {
        const uint64_t room = 2 * ((uint64_t)tree->node_room + count);
        if (room >= UINT32_MAX || room * sizeof *tree->node > tree->terms.memory)
            return SOLVE_NO_NUMBER;
        solve_node *node = realloc(tree->node, room * sizeof *node);
        if (node == NULL)
            return SOLVE_NO_NUMBER;
        tree->node = node;
        tree->node_room = (uint32_t)room;
    }
    if (tree->entries >= UINT32_MAX || memory_of(tree) > tree->terms.memory)
        return SOLVE_NO_NUMBER;
    memset(tree->node + tree->nodes, 0, count * sizeof *tree->node);
    tree->nodes += count;
    return tree->nodes - count;
}

/* --- going on --- */

/* Somebody says something that everybody in his set can say. */
static place after(const solve_tree *tree, const solve_spot *spot, gral_action action)
{
    place next = {.spot = *spot, .said = action};
    next.before = dressed(tree, &spot->state, spot->set);
    next.spot.state = next.before;
    gral_apply(&tree->game, &next.spot.state, action);
    return next;
}

/* Who was uncovered by what was said, or nobody. */
static unsigned uncovered(const place *here)
{
    if (here->said.verb == GRAL_NOTHING)
        return GRAL_NO_PAWN;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(&here->before.open, pawn) && !gral_on_board(&here->spot.state.open, pawn))
            return pawn;
    return GRAL_NO_PAWN;
}

/* --- leaves --- */

/* Who wins with each pair of sheets: what was said is said once for each. */
static uint32_t keep_payoff(solve_tree *tree, const place *here, const solve_payoff *key)
{
    unsigned count[2];
    const uint16_t *set[2];
    for (unsigned seat = 0; seat < 2; seat++)
        set[seat] = solve_set(tree, key->set[seat], &count[seat]);
    const size_t size = sizeof *key + (size_t)count[0] * count[1];
    solve_payoff *payoff = malloc(size);
    if (payoff == NULL)
        return SOLVE_NO_NUMBER;
    *payoff = *key;
    int8_t *winner = (int8_t *)(payoff + 1);
    for (unsigned row = 0; row < count[0]; row++)
        for (unsigned column = 0; column < count[1]; column++) {
            gral_state state = here->before;
            state.sheet[0] = *solve_sheet(tree, set[0][row]);
            state.sheet[1] = *solve_sheet(tree, set[1][column]);
            gral_apply(&tree->game, &state, here->said);
            *winner++ = (int8_t)state.open.winner;
        }
    const uint32_t number = solve_keep(&tree->payoffs, payoff, size);
    free(payoff);
    return number;
}

static uint32_t payoff_of(solve_tree *tree, const place *here)
{
    const solve_payoff key = {
        {here->spot.set[0], here->spot.set[1]}, here->spot.state.open.winning_pawn, here->before.open.active};
    const uint32_t known = tree->payoff_keys.count, number = solve_keep(&tree->payoff_keys, &key, sizeof key);
    return number < known ? number : keep_payoff(tree, here, &key);
}

static bool is_draw(const solve_node *node)
{
    return node->kind == SOLVE_LEAF && node->content == SOLVE_DRAW;
}

static bool grow_draw(solve_tree *tree, uint32_t at)
{
    tree->node[at].kind = SOLVE_LEAF;
    tree->node[at].children = 0;
    tree->node[at].content = SOLVE_DRAW;
    return true;
}

/* How many nodes and numbers there were before a node's children. */
typedef struct mark {
    uint32_t nodes;
    uint64_t entries, information_sets;
} mark;

static mark mark_of(const solve_tree *tree)
{
    return (mark){tree->nodes, tree->entries, tree->information_sets};
}

/* A node with its children grown. Where all of them are drawn, so is the node, and they are given back. */
static bool grown(solve_tree *tree, uint32_t at, mark mark)
{
    const solve_node *node = &tree->node[at];
    for (unsigned child = 0; child < node->children; child++)
        if (!is_draw(&tree->node[node->child + child]))
            return true;
    tree->nodes = mark.nodes;
    tree->entries = mark.entries;
    tree->information_sets = mark.information_sets;
    return grow_draw(tree, at);
}

static bool grow_leaf(solve_tree *tree, uint32_t at, const place *here)
{
    if (here->spot.state.open.winning_pawn == GRAL_NO_PAWN)
        return grow_draw(tree, at);
    tree->node[at].kind = SOLVE_LEAF;
    tree->node[at].content = payoff_of(tree, here);
    return tree->node[at].content != SOLVE_NO_NUMBER;
}

/* --- choices --- */

/* Who of the actor's set can say it. */
static void narrow(const solve_tree *tree, const solve_spot *spot, gral_action action, solve_sheet_list *able,
                   solve_sheet_list *places)
{
    gral_state state = spot->state;
    const unsigned actor = state.open.actor;
    unsigned count;
    const uint16_t *set = solve_set(tree, spot->set[actor], &count);
    able->count = 0;
    for (unsigned index = 0; index < count; index++) {
        state.sheet[actor] = *solve_sheet(tree, set[index]);
        if (!solve_can_say(tree, &state, action))
            continue;
        places->sheet[able->count] = (uint16_t)index;
        able->sheet[able->count++] = set[index];
    }
    places->count = able->count;
}

static bool link_child(solve_tree *tree, uint32_t child, unsigned seat, uint32_t parents_set,
                       const solve_sheet_list *sheets, const solve_sheet_list *places)
{
    solve_node *node = &tree->node[child];
    node->set[seat] = solve_keep_numbers(&tree->sets, sheets->sheet, sheets->count);
    if (node->set[seat] == SOLVE_NO_NUMBER)
        return false;
    const bool same = node->set[seat] == parents_set;
    node->way[seat] = same ? SOLVE_SAME : solve_keep_numbers(&tree->ways, places->sheet, places->count);
    return same || node->way[seat] != SOLVE_NO_NUMBER;
}

static bool grow_choice(solve_tree *tree, uint32_t at, const solve_spot *spot, const gral_action *action,
                        unsigned count)
{
    const unsigned actor = spot->state.open.actor, other = 1 - actor;
    const mark before = mark_of(tree);
    const uint32_t child = new_nodes(tree, count);
    if (child == SOLVE_NO_NUMBER || count > CHILDREN_MAX)
        return false;
    solve_node *node = &tree->node[at];
    node->kind = SOLVE_CHOICE;
    node->actor = (uint8_t)actor;
    node->child = child;
    node->children = (uint8_t)count;
    node->entry = (uint32_t)tree->entries;
    node->announces = action[0].verb == GRAL_ASSIGN;
    tree->information_sets += solve_set_count(tree, spot->set[actor]);

    for (unsigned index = 0; index < count; index++) {
        solve_sheet_list able, places;
        narrow(tree, spot, action[index], &able, &places);
        if (!link_child(tree, child + index, actor, spot->set[actor], &able, &places))
            return false;
        tree->node[child + index].set[other] = spot->set[other];
        tree->node[child + index].way[other] = SOLVE_SAME;
        tree->entries += able.count;
    }
    for (unsigned index = 0; index < count; index++) {
        solve_spot narrowed = *spot;
        memcpy(narrowed.set, tree->node[child + index].set, sizeof narrowed.set);
        if (!grow(tree, child + index, after(tree, &narrowed, action[index])))
            return false;
    }
    return grown(tree, at, before);
}

/* --- placing --- */

static bool is_open_to_choice(const solve_placing *placing, const solve_tree *tree)
{
    return placing->count > solve_set_count(tree, placing->from);
}

static bool grow_place(solve_tree *tree, uint32_t at, const solve_spot *spot, uint32_t number)
{
    const solve_placing placing = *solve_placing_at(tree, number);
    const unsigned actor = spot->state.open.actor;
    const mark before = mark_of(tree);
    const uint32_t child = new_nodes(tree, 1);
    if (child == SOLVE_NO_NUMBER)
        return false;
    solve_node *node = &tree->node[at];
    node->kind = SOLVE_PLACE;
    node->actor = (uint8_t)actor;
    node->child = child;
    node->children = 1;
    node->entry = (uint32_t)tree->entries;
    node->content = number;
    tree->entries += placing.count;
    tree->information_sets += solve_set_count(tree, placing.from);
    solve_spot filled = *spot;
    filled.set[actor] = placing.to;
    tree->node[child].set[actor] = placing.to;
    tree->node[child].set[1 - actor] = spot->set[1 - actor];
    tree->node[child].way[0] = tree->node[child].way[1] = SOLVE_SAME;
    return grow(tree, child, after(tree, &filled, gral_say(GRAL_DONE))) && grown(tree, at, before);
}

/* --- uncovering --- */

/* The sheets of a set with so many points on the initiate, and their places in it; none, if it has no such sheet. */
static void with_points(const solve_tree *tree, uint32_t set, unsigned pawn, unsigned points, solve_sheet_list *sheets,
                        solve_sheet_list *places)
{
    unsigned count;
    const uint16_t *all = solve_set(tree, set, &count);
    sheets->count = 0;
    for (unsigned index = 0; index < count; index++)
        if (solve_sheet(tree, all[index])->influence[pawn] == points) {
            places->sheet[sheets->count] = (uint16_t)index;
            sheets->sheet[sheets->count++] = all[index];
        }
    places->count = sheets->count;
}

/* What is left of each sheet of a seat when it has been said. */
static bool carry_over(solve_tree *tree, const gral_state *before, gral_action said, unsigned seat,
                       solve_sheet_list *sheets)
{
    for (unsigned index = 0; index < sheets->count; index++) {
        gral_state state = *before;
        state.sheet[seat] = *solve_sheet(tree, sheets->sheet[index]);
        gral_apply(&tree->game, &state, said);
        const uint32_t number = solve_keep_sheet(tree, &state.sheet[seat]);
        if (number == SOLVE_NO_NUMBER)
            return false;
        sheets->sheet[index] = (uint16_t)number;
    }
    return true;
}

typedef struct figures {
    uint8_t points[GRAL_POINTS_MAX + 1];
    unsigned count;
} figures;

static figures figures_on(const solve_tree *tree, uint32_t set, unsigned pawn)
{
    figures figures = {.count = 0};
    bool met[GRAL_POINTS_MAX + 1] = {false};
    unsigned count;
    const uint16_t *sheets = solve_set(tree, set, &count);
    for (unsigned index = 0; index < count; index++)
        met[solve_sheet(tree, sheets[index])->influence[pawn]] = true;
    for (unsigned points = 0; points <= GRAL_POINTS_MAX; points++)
        if (met[points])
            figures.points[figures.count++] = (uint8_t)points;
    return figures;
}

/* One pair of figures on the uncovered initiate. */
static bool grow_revealed(solve_tree *tree, uint32_t child, const place *here, unsigned pawn, const uint8_t points[2])
{
    place next = {.spot = here->spot, .said = gral_say(GRAL_NOTHING)};
    solve_sheet_list sheets[2], places[2];
    gral_state before = here->before;
    for (unsigned seat = 0; seat < 2; seat++) {
        with_points(tree, here->spot.set[seat], pawn, points[seat], &sheets[seat], &places[seat]);
        before.sheet[seat] = *solve_sheet(tree, sheets[seat].sheet[0]);
    }
    for (unsigned seat = 0; seat < 2; seat++) {
        if (!carry_over(tree, &before, here->said, seat, &sheets[seat]) ||
            !link_child(tree, child, seat, SOLVE_NO_NUMBER, &sheets[seat], &places[seat]))
            return false;
        next.spot.set[seat] = tree->node[child].set[seat];
    }
    next.spot.state = before;
    gral_apply(&tree->game, &next.spot.state, here->said);
    return grow(tree, child, next);
}

static bool grow_reveal(solve_tree *tree, uint32_t at, const place *here, unsigned pawn)
{
    const figures rows = figures_on(tree, here->spot.set[0], pawn), columns = figures_on(tree, here->spot.set[1], pawn);
    const unsigned count = rows.count * columns.count;
    const mark before = mark_of(tree);
    const uint32_t child = new_nodes(tree, count);
    if (child == SOLVE_NO_NUMBER || count > CHILDREN_MAX)
        return false;
    tree->node[at].kind = SOLVE_REVEAL;
    tree->node[at].child = child;
    tree->node[at].children = (uint8_t)count;
    for (unsigned index = 0; index < count; index++) {
        const uint8_t points[2] = {rows.points[index / columns.count], columns.points[index % columns.count]};
        if (!grow_revealed(tree, child + index, here, pawn, points))
            return false;
    }
    return grown(tree, at, before);
}

/* --- growing --- */

static bool is_placing(const gral_open *open)
{
    return open->phase == GRAL_OPENING || open->phase == GRAL_PLACING;
}

/* Goes on from here until there is something to choose, to reveal or to count, and makes that the node's content. The
 * node has its sets already. */
static bool grow(solve_tree *tree, uint32_t at, place here)
{
    for (;;) {
        const unsigned gone = uncovered(&here);
        if (gone != GRAL_NO_PAWN)
            return grow_reveal(tree, at, &here, gone);
        const solve_spot *spot = &here.spot;
        tree->node[at].turn = spot->state.open.turn & TURNS_MAX;
        if (spot->state.open.phase == GRAL_OVER)
            return grow_leaf(tree, at, &here);
        if (solve_must_be_drawn(tree, &spot->state.open))
            return grow_draw(tree, at);
        if (is_placing(&spot->state.open)) {
            const uint32_t placing = solve_placing_of(tree, spot);
            if (placing == SOLVE_NO_NUMBER)
                return false;
            if (is_open_to_choice(solve_placing_at(tree, placing), tree) ||
                solve_placing_at(tree, placing)->to != spot->set[spot->state.open.actor])
                return grow_place(tree, at, spot, placing);
            here = after(tree, spot, gral_say(GRAL_DONE));
            continue;
        }
        gral_action action[SOLVE_ACTIONS_MAX];
        const unsigned count = solve_actions(tree, spot, action);
        if (count > 1)
            return grow_choice(tree, at, spot, action, count);
        here = after(tree, spot, action[0]);
    }
}

solve_position solve_usual_position(const gral_settings *settings)
{
    gral_game game;
    gral_state state;
    solve_position position = {.bearer = GRAL_NO_PAWN};
    if (gral_game_make(&game, settings) != GRAL_SETTINGS_OK)
        return position;
    gral_start(&game, &state);
    memcpy(position.pawn, state.open.pawn, sizeof position.pawn);
    position.grail = state.open.grail;
    return position;
}

gral_state solve_start(const solve_tree *tree)
{
    gral_state state;
    gral_start(&tree->game, &state);
    if (tree->terms.moved) {
        const solve_position *position = &tree->terms.position;
        memcpy(state.open.pawn, position->pawn, sizeof position->pawn);
        state.open.bearer = position->bearer;
        state.open.grail = position->bearer == GRAL_NO_PAWN ? position->grail : position->pawn[position->bearer];
    }
    return state;
}

static bool plant(solve_tree *tree)
{
    place root = {.said = gral_say(GRAL_NOTHING)};
    root.spot.state = solve_start(tree);
    const uint32_t at = new_nodes(tree, 1);
    if (at == SOLVE_NO_NUMBER)
        return false;
    for (unsigned seat = 0; seat < 2; seat++) {
        const uint16_t sheet = (uint16_t)solve_keep_sheet(tree, &root.spot.state.sheet[seat]);
        root.spot.set[seat] = solve_keep_numbers(&tree->sets, &sheet, 1);
        tree->node[at].set[seat] = root.spot.set[seat];
        tree->node[at].way[seat] = SOLVE_SAME;
    }
    return grow(tree, at, root);
}

enum solve_fault solve_tree_make(solve_tree *tree, const solve_terms *terms)
{
    *tree = (solve_tree){.terms = *terms};
    if (terms->settings.players != 2)
        return SOLVE_TWO_PLAYERS;
    if (terms->settings.limit == 0 || terms->settings.limit > TURNS_MAX)
        return SOLVE_NO_LIMIT;
    if (gral_game_make(&tree->game, &terms->settings) != GRAL_SETTINGS_OK)
        return SOLVE_SETTINGS;
    if (plant(tree) && memory_of(tree) <= terms->memory)
        return SOLVE_OK;
    solve_tree_free(tree);
    return SOLVE_TOO_LARGE;
}

void solve_tree_free(solve_tree *tree)
{
    free(tree->node);
    solve_kept *const kept[] = {&tree->sheets,   &tree->sets,        &tree->ways,   &tree->placing_keys,
                                &tree->placings, &tree->payoff_keys, &tree->payoffs};
    for (size_t index = 0; index < sizeof kept / sizeof *kept; index++)
        solve_kept_free(kept[index]);
    tree->node = NULL;
}

const char *solve_fault_text(enum solve_fault fault)
{
    static const char *const text[] = {
        [SOLVE_OK] = "nothing is wrong",
        [SOLVE_TWO_PLAYERS] = "only games for two can be solved",
        [SOLVE_NO_LIMIT] = "a game that is to be solved needs a limit of 1 to 127 turns",
        [SOLVE_TOO_LARGE] = "the game is too large for the memory it may take",
        [SOLVE_SETTINGS] = "these settings do not make a game",
    };
    return text[fault];
}
