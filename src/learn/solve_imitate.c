#include "solve_imitate.h"

#include "solve_options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { HEARD_MAX = 1024, PLACED_MAX = 4 * GRAL_UNIT_KINDS };

/* How a seat came by a sheet: what it placed, when, and how it came by the sheet before. */
typedef struct story {
    const struct story *before; /* NULL in the beginning */
    unsigned when;              /* so many public actions had been heard */
    gral_action placed[PLACED_MAX];
    unsigned count;
} story;

typedef struct asking {
    solver *solver;
    const solve_tree *tree;
    gral_player *player;
    unsigned samples;
    uint64_t seed;
    gral_entry heard[HEARD_MAX]; /* by both */
    unsigned heard_count;
    bool failed;
} asking;

/* A node with the rules' state, and for each seat and sheet how it was come by and how likely the player is to have it
 * here, if the other lets it come to this. */
typedef struct stand {
    uint32_t at;
    solve_spot spot;
    const story **story[2];
    float *reach[2];
} stand;

static void go_on(asking *asking, stand stand, gral_action said);

static unsigned sheets_of(const asking *asking, const stand *stand, unsigned seat)
{
    return solve_set_count(asking->tree, stand->spot.set[seat]);
}

/* --- asking the player --- */

static unsigned add_story(const story *story, gral_entry *heard, unsigned count, unsigned when, unsigned seat)
{
    if (story == NULL)
        return count;
    count = add_story(story->before, heard, count, when, seat);
    for (unsigned index = 0; index < story->count && story->when == when; index++)
        heard[count++] = (gral_entry){story->placed[index], (uint8_t)seat};
    return count;
}

/* Everything that a seat with this story has heard. */
static unsigned tell(const asking *asking, const story *story, unsigned seat, gral_entry heard[2 * HEARD_MAX])
{
    unsigned count = 0;
    for (unsigned when = 0; when <= asking->heard_count; when++) {
        count = add_story(story, heard, count, when, seat);
        if (when < asking->heard_count)
            heard[count++] = asking->heard[when];
    }
    return count;
}

static gral_action ask(asking *asking, const gral_state *state, const gral_entry *heard, unsigned count)
{
    const gral_view view = gral_view_of(state, state->open.actor);
    const gral_options options = gral_legal_options(&asking->tree->game, state);
    gral_random random = gral_random_from(asking->seed++);
    const gral_question question = {.game = &asking->tree->game,
                                    .view = &view,
                                    .options = &options,
                                    .heard = heard,
                                    .heard_count = count,
                                    .seed = gral_random_next(&random)};
    const gral_action action = gral_player_decide(asking->player, &question, NULL);
    if (gral_check(&asking->tree->game, state, action) == GRAL_LEGAL)
        return action;
    asking->failed = true;
    return gral_safest_action(&asking->tree->game, &state->open, &options);
}

/* The state as the actor with a sheet of his set sees it. */
static gral_state seen_with(const asking *asking, const stand *stand, unsigned place)
{
    unsigned count;
    gral_state state = stand->spot.state;
    const unsigned actor = state.open.actor;
    const uint16_t *set = solve_set(asking->tree, stand->spot.set[actor], &count);
    state.sheet[actor] = *solve_sheet(asking->tree, set[place]);
    return state;
}

/* --- choices --- */

/* A figure that nobody can hold says the same as the next that somebody can. */
static bool means(gral_action said, gral_action action)
{
    const bool figure = said.verb == GRAL_OBJECT || said.verb == GRAL_CLAIM;
    return figure ? said.verb == action.verb && said.points <= action.points : gral_same_action(said, action);
}

static unsigned meant(gral_action said, const gral_action *action, unsigned count)
{
    unsigned best = count;
    for (unsigned index = 0; index < count; index++)
        if (means(said, action[index]) && (best == count || action[index].points < action[best].points))
            best = index;
    return best;
}

/* Where the option of a child for a sheet of the parent's is in the node's entries; -1 if the sheet has not got it. */
static long entry_of(const solve_tree *tree, const solve_node *node, unsigned child, unsigned from)
{
    long entry = 0;
    for (unsigned before = 0; before < child; before++)
        entry += solve_options_of(tree, node, before).count;
    const solve_options options = solve_options_of(tree, node, child);
    for (unsigned index = 0; index < options.count; index++)
        if (solve_option_at(&options, index).from == from)
            return entry + (long)index;
    return -1;
}

static void note_choice(asking *asking, const stand *stand, const gral_action *action, unsigned count, unsigned place)
{
    const solve_node *node = &asking->tree->node[stand->at];
    const gral_state state = seen_with(asking, stand, place);
    gral_entry heard[2 * HEARD_MAX];
    const unsigned told = tell(asking, stand->story[node->actor][place], node->actor, heard);
    for (unsigned sample = 0; sample < asking->samples; sample++) {
        const unsigned child = meant(ask(asking, &state, heard, told), action, count);
        const long entry = child < count ? entry_of(asking->tree, node, child, place) : -1;
        if (entry < 0)
            asking->failed = true;
        else
            asking->solver->average[node->entry + entry]++;
    }
}

static void clear_average(asking *asking, const solve_node *node)
{
    const size_t entries = solve_entries_of(asking->tree, node);
    memset(asking->solver->average + node->entry, 0, entries * sizeof *asking->solver->average);
}

/* What becomes of the stories and chances of one seat on the way to a child; `chance` may be NULL: then all go on. */
static void go_along(const uint16_t *way, unsigned count, const stand *from, stand *to, unsigned seat,
                     const float *chance)
{
    for (unsigned index = 0; index < count; index++) {
        const unsigned place = way != NULL ? way[index] : index;
        to->story[seat][index] = from->story[seat][place];
        to->reach[seat][index] = from->reach[seat][place] * (chance != NULL ? chance[index] : 1);
    }
}

/* A stand at a child with room for its sheets; false without memory. */
static bool make_stand(const asking *asking, const solve_node *child, stand *stand)
{
    for (unsigned seat = 0; seat < 2; seat++) {
        const unsigned count = solve_set_count(asking->tree, child->set[seat]);
        stand->spot.set[seat] = child->set[seat];
        stand->story[seat] = calloc(count, sizeof *stand->story[seat]);
        stand->reach[seat] = calloc(count, sizeof *stand->reach[seat]);
    }
    return stand->story[0] != NULL && stand->story[1] != NULL && stand->reach[0] != NULL && stand->reach[1] != NULL;
}

static void leave_stand(stand *stand)
{
    for (unsigned seat = 0; seat < 2; seat++) {
        free(stand->story[seat]);
        free(stand->reach[seat]);
    }
}

static void choose(asking *asking, const stand *here, const gral_action *action, unsigned count)
{
    const solve_node *node = &asking->tree->node[here->at];
    const unsigned actor = node->actor;
    clear_average(asking, node);
    for (unsigned place = 0; place < sheets_of(asking, here, actor); place++)
        if (here->reach[actor][place] > 0)
            note_choice(asking, here, action, count, place);
    const size_t mark = asking->solver->scratch_used;
    const float *chance = solver_strategy(asking->solver, node, true);
    for (unsigned child = 0; child < count; child++) {
        const solve_node *next = &asking->tree->node[node->child + child];
        stand there = {.at = node->child + child, .spot = here->spot};
        if (!make_stand(asking, next, &there)) {
            asking->failed = true;
        } else {
            for (unsigned seat = 0; seat < 2; seat++)
                go_along(solve_way(asking->tree, next->way[seat]), sheets_of(asking, &there, seat), here, &there, seat,
                         seat == actor ? chance : NULL);
            go_on(asking, there, action[child]);
        }
        chance += sheets_of(asking, &there, actor);
        leave_stand(&there);
    }
    asking->solver->scratch_used = mark;
}

/* --- placing --- */

/* Asks until he is done; what he placed is the story, without what was before it. */
static gral_sheet let_place(asking *asking, const stand *stand, unsigned place, story *story)
{
    gral_state state = seen_with(asking, stand, place);
    const unsigned actor = state.open.actor;
    gral_entry heard[2 * HEARD_MAX];
    unsigned told = tell(asking, stand->story[actor][place], actor, heard);
    *story = (struct story){.before = stand->story[actor][place], .when = asking->heard_count};
    for (;;) {
        const gral_action action = ask(asking, &state, heard, told);
        if (action.verb != GRAL_PLACE)
            return state.sheet[actor];
        heard[told++] = (gral_entry){action, (uint8_t)actor};
        story->placed[story->count++] = action;
        gral_apply(&asking->tree->game, &state, action);
    }
}

/* The entry that leads from a sheet at a place to another sheet. */
static long pair_of(const solve_tree *tree, const solve_placing *placing, unsigned from, const gral_sheet *sheet,
                    unsigned *to)
{
    unsigned count;
    const uint16_t *made = solve_set(tree, placing->to, &count);
    const uint16_t *pairs = solve_pairs(placing);
    for (uint32_t index = 0; index < placing->count; index++) {
        *to = pairs[2 * index + 1];
        if (pairs[2 * index] == from && memcmp(solve_sheet(tree, made[*to]), sheet, sizeof *sheet) == 0)
            return (long)index;
    }
    return -1;
}

/* Every sample is written down; the likeliest way to a sheet becomes its story. */
static void note_placing(asking *asking, const stand *here, stand *there, unsigned place, story *stories, float *best)
{
    const solve_node *node = &asking->tree->node[here->at];
    const solve_placing *placing = solve_placing_at(asking->tree, node->content);
    const float share = here->reach[node->actor][place] / (float)asking->samples;
    for (unsigned sample = 0; sample < asking->samples; sample++) {
        story story;
        unsigned to;
        const gral_sheet sheet = let_place(asking, here, place, &story);
        const long entry = pair_of(asking->tree, placing, place, &sheet, &to);
        if (entry < 0) {
            asking->failed = true;
            continue;
        }
        asking->solver->average[node->entry + entry]++;
        there->reach[node->actor][to] += share;
        if (share > best[to]) {
            best[to] = share;
            stories[to] = story;
        }
        there->story[node->actor][to] = &stories[to];
    }
}

static void fill_in(asking *asking, const stand *here)
{
    const solve_node *node = &asking->tree->node[here->at], *next = &asking->tree->node[node->child];
    const unsigned actor = node->actor;
    clear_average(asking, node);
    stand there = {.at = node->child, .spot = here->spot};
    const unsigned made = solve_set_count(asking->tree, next->set[actor]);
    story *stories = calloc(made, sizeof *stories);
    float *best = calloc(made, sizeof *best);
    if (!make_stand(asking, next, &there) || stories == NULL || best == NULL) {
        asking->failed = true;
    } else {
        go_along(NULL, sheets_of(asking, here, 1 - actor), here, &there, 1 - actor, NULL);
        for (unsigned place = 0; place < sheets_of(asking, here, actor); place++)
            if (here->reach[actor][place] > 0)
                note_placing(asking, here, &there, place, stories, best);
        go_on(asking, there, gral_say(GRAL_DONE));
    }
    leave_stand(&there);
    free(stories);
    free(best);
}

/* --- going on --- */

static bool somebody_comes(const asking *asking, const stand *stand)
{
    for (unsigned seat = 0; seat < 2; seat++)
        for (unsigned place = 0; place < sheets_of(asking, stand, seat); place++)
            if (stand->reach[seat][place] > 0)
                return true;
    return false;
}

static bool is_placing(const gral_open *open)
{
    return open->phase == GRAL_OPENING || open->phase == GRAL_PLACING;
}

/* Goes the way that solve_tree.c went when it made the node: what there is no choice about has no node, but is heard.
 */
static void explore(asking *asking, stand stand)
{
    const solve_node *node = &asking->tree->node[stand.at];
    const gral_open *open = &stand.spot.state.open;
    if (node->kind == SOLVE_LEAF || asking->failed || !somebody_comes(asking, &stand))
        return;
    if (is_placing(open) && node->kind == SOLVE_PLACE && node->actor == open->actor && node->turn == open->turn) {
        fill_in(asking, &stand);
        return;
    }
    gral_action action[SOLVE_ACTIONS_MAX] = {gral_say(GRAL_DONE)};
    const unsigned count = is_placing(open) ? 1 : solve_actions(asking->tree, &stand.spot, action);
    if (count > 1)
        choose(asking, &stand, action, count);
    else
        go_on(asking, stand, action[0]);
}

/* An initiate is uncovered by what was said; `here` is before that. */
static void uncover(asking *asking, const stand *here, gral_action said)
{
    const solve_tree *tree = asking->tree;
    const solve_node *node = &tree->node[here->at];
    for (unsigned child = 0; child < node->children; child++) {
        const solve_node *next = &tree->node[node->child + child];
        stand there = {.at = node->child + child, .spot = here->spot};
        if (!make_stand(asking, next, &there)) {
            asking->failed = true;
        } else {
            for (unsigned seat = 0; seat < 2; seat++) {
                unsigned count;
                const uint16_t *way = solve_way(tree, next->way[seat]);
                there.spot.state.sheet[seat] = *solve_sheet(tree,
                                                            solve_set(tree, here->spot.set[seat], &count)[way[0]]);
                go_along(way, sheets_of(asking, &there, seat), here, &there, seat, NULL);
            }
            gral_apply(&tree->game, &there.spot.state, said);
            explore(asking, there);
        }
        leave_stand(&there);
    }
}

static unsigned left_on_board(const gral_open *open)
{
    unsigned count = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        count += gral_on_board(open, pawn);
    return count;
}

/* The actor says something that all of his set can say. */
static void go_on(asking *asking, stand stand, gral_action said)
{
    unsigned count;
    for (unsigned seat = 0; seat < 2; seat++) /* any sheets that fit */
        stand.spot.state.sheet[seat] = *solve_sheet(asking->tree,
                                                    solve_set(asking->tree, stand.spot.set[seat], &count)[0]);
    const struct stand before = stand;
    assert(asking->heard_count < HEARD_MAX);
    asking->heard[asking->heard_count++] = (gral_entry){said, before.spot.state.open.actor};
    gral_apply(&asking->tree->game, &stand.spot.state, said);
    if (left_on_board(&stand.spot.state.open) < left_on_board(&before.spot.state.open))
        uncover(asking, &before, said);
    else
        explore(asking, stand);
    asking->heard_count--;
}

bool solver_imitate(solver *solver, gral_player *player, unsigned samples, uint64_t seed)
{
    assert(!solver->tree->terms.least_figures && !solver->tree->terms.must_place);
    asking *asking = calloc(1, sizeof *asking);
    if (asking == NULL)
        return false;
    *asking = (struct asking){
        .solver = solver, .tree = solver->tree, .player = player, .samples = samples, .seed = seed};
    const story *none[2] = {NULL, NULL};
    float certain[2] = {1, 1};
    stand root = {.story = {&none[0], &none[1]}, .reach = {&certain[0], &certain[1]}};
    memcpy(root.spot.set, solver->tree->node[0].set, sizeof root.spot.set);
    root.spot.state = solve_start(solver->tree);
    explore(asking, root);
    const bool done = !asking->failed;
    free(asking);
    return done;
}
