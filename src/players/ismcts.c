/* Plain information-set Monte Carlo tree search with many observers (Cowling, Powley, Whitehouse 2012): the yardstick
 * that everything later is measured against, kept simple and left as it is.
 *
 * Each simulation guesses the others' sheets, then goes down one tree for every player at the same time. The one who
 * acts chooses in his own tree; everybody who hears the action follows it in his. The first action that is new to the
 * actor's tree is added, and chance plays the rest (drift). A node counts how often it was chosen and how often it
 * could have been, since what is legal differs from guess to guess. */
#include "kinds.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODES_MAX = 1 << 17,
    GUESSES_MAX = 128,
    DEPTH_MAX = 64,
    DRIFT_TURNS = 4000,
    DEFAULT_SIMULATIONS = 1000,
    CLOCKLESS_SIMULATIONS_A_MS = 100
};

typedef struct node {
    gral_action action;
    uint32_t child, sibling; /* 0 for none */
    uint32_t visits, available;
    float sum; /* of the tree's owner's results */
} node;

typedef struct ismcts {
    gral_player player;
    player_words words;
    gral_state guess[GUESSES_MAX];
    unsigned guesses;
    uint32_t nodes;
    node node[NODES_MAX];
} ismcts;

static uint32_t add_node(ismcts *self, uint32_t parent, gral_action action)
{
    if (self->nodes == NODES_MAX)
        return 0;
    const uint32_t index = self->nodes++;
    self->node[index] = (node){.action = action, .sibling = self->node[parent].child};
    self->node[parent].child = index;
    return index;
}

static uint32_t find_child(const ismcts *self, uint32_t parent, gral_action action)
{
    uint32_t child = self->node[parent].child;
    while (child != 0 && !gral_same_action(self->node[child].action, action))
        child = self->node[child].sibling;
    return child;
}

/* The logarithm to base 2, with straight lines between the powers. */
static float logarithm(uint32_t x)
{
    const unsigned power = 31 - (unsigned)__builtin_clz(x);
    return (float)power + (float)(x - (1u << power)) / (float)(1u << power);
}

static float square_root(float x)
{
    float root = x > 1 ? x / 2 : 1;
    for (unsigned step = 0; step < 8; step++)
        root = (root + x / root) / 2;
    return root;
}

/* The child to go to: by upper confidence bounds if all that is legal has been tried, else something new. Children
 * that could have been chosen are counted as available. `fresh` says that the action is new to the tree. */
static uint32_t select_child(ismcts *self, uint32_t parent, const gral_game *game, const gral_state *state,
                             gral_random *random, bool *fresh)
{
    const float exploration = 0.7f;
    uint32_t best = 0;
    float best_bound = -1;
    unsigned tried = 0;
    for (uint32_t child = self->node[parent].child; child != 0; child = self->node[child].sibling) {
        node *node = &self->node[child];
        if (gral_check(game, state, node->action) != GRAL_LEGAL)
            continue;
        tried++;
        node->available++;
        const float visits = (float)node->visits;
        const float bound = node->sum / visits + exploration * square_root(logarithm(node->available + 1) / visits);
        if (bound > best_bound) {
            best_bound = bound;
            best = child;
        }
    }
    const gral_options options = gral_legal_options(game, state);
    const unsigned count = gral_options_count(&options);
    *fresh = tried < count && self->nodes < NODES_MAX;
    if (!*fresh)
        return best;
    /* The how-manieth of the untried ones. */
    unsigned skip = gral_random_below(random, count - tried);
    for (unsigned index = 0;; index++) {
        const gral_action action = gral_options_pick(game, &state->open, &options, index);
        if (find_child(self, parent, action) == 0 && skip-- == 0) {
            const uint32_t child = add_node(self, parent, action);
            self->node[child].available = 1;
            return child;
        }
    }
}

typedef struct path {
    uint32_t node[DEPTH_MAX + 1]; /* and the root */
    unsigned length;
} path;

static void walk(path *path, uint32_t node)
{
    if (path->length <= DEPTH_MAX)
        path->node[path->length++] = node;
}

/* A step of anybody to anywhere, but none that was rejected. */
static gral_action random_step(const gral_game *game, const gral_state *state, gral_random *random)
{
    enum { TRIES = 64 };
    for (unsigned tried = 0; tried < TRIES; tried++) {
        const unsigned pawn = gral_random_below(random, GRAL_PAWNS);
        const unsigned field = game->neighbour[state->open.pawn[pawn]][gral_random_below(random, GRAL_DIRECTIONS)];
        const gral_action step = gral_step(pawn, field, GRAL_NO_PAWN);
        if (field != GRAL_NOWHERE && gral_check(game, state, step) == GRAL_LEGAL)
            return step;
    }
    return gral_random_action(game, state, random);
}

static gral_action drifting(const gral_game *game, const gral_state *state, gral_random *random)
{
    const gral_open *open = &state->open;
    switch (open->phase) {
    case GRAL_TURN:
        return random_step(game, state, random);
    case GRAL_OBJECTION:
        return gral_say(GRAL_PASS);
    case GRAL_ANSWER:
        return state->sheet[open->active].influence[open->proposal.pawn] >= open->objection
                   ? gral_claim(open->objection)
                   : gral_say(GRAL_YIELD);
    case GRAL_GRAIL:
        return gral_say(GRAL_KEEP);
    default:
        return gral_say(GRAL_DONE);
    }
}

/* The rest of a game at its cheapest: an open dispute goes by who holds more, then everybody moves somebody at random,
 * nobody objects, and who can have the grail takes it. */
static void drift(const gral_game *game, gral_state *state, gral_random *random)
{
    const uint32_t last = state->open.turn + DRIFT_TURNS;
    while (state->open.phase != GRAL_OVER && state->open.turn <= last)
        gral_apply(game, state, drifting(game, state, random));
}

static void simulate(ismcts *self, const gral_question *question, gral_random *random)
{
    const gral_game *game = question->game;
    const unsigned players = question->view->open.players;
    gral_state state = self->guess[gral_random_below(random, self->guesses)];
    path path[GRAL_PLAYERS_MAX];
    uint32_t at[GRAL_PLAYERS_MAX];
    for (unsigned seat = 0; seat < players; seat++) {
        at[seat] = seat; /* the roots come first among the nodes */
        path[seat].length = 0;
        walk(&path[seat], seat);
    }
    bool fresh = false;
    for (unsigned depth = 0; depth < DEPTH_MAX && !fresh && state.open.phase != GRAL_OVER; depth++) {
        const unsigned actor = state.open.actor;
        const uint32_t chosen = select_child(self, at[actor], game, &state, random, &fresh);
        if (chosen == 0)
            break;
        const gral_action action = self->node[chosen].action;
        for (unsigned seat = 0; seat < players; seat++) {
            if (!gral_view_hears(seat, actor, action))
                continue;
            uint32_t next = seat == actor ? chosen : find_child(self, at[seat], action);
            if (next == 0)
                next = add_node(self, at[seat], action);
            if (next == 0)
                continue;
            at[seat] = next;
            walk(&path[seat], next);
        }
        gral_apply(game, &state, action);
    }
    drift(game, &state, random);
    for (unsigned seat = 0; seat < players; seat++) {
        const bool drawn = state.open.winner == GRAL_NOBODY;
        const float result = drawn ? 1.0f / (float)players : state.open.winner == seat ? 1.0f : 0.0f;
        for (unsigned index = 0; index < path[seat].length; index++) {
            self->node[path[seat].node[index]].visits++;
            self->node[path[seat].node[index]].sum += result;
        }
    }
}

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    ismcts *self = (ismcts *)player;
    gral_random random = gral_random_from(question->seed);
    if (gral_options_count(question->options) == 1)
        return gral_options_pick(question->game, &question->view->open, question->options, 0);

    const bool timed = self->words.milliseconds > 0 && clock != NULL;
    const double end = timed ? clock() + self->words.milliseconds : 0;
    uint32_t simulations = self->words.simulations;
    if (simulations == 0)
        simulations = self->words.milliseconds * CLOCKLESS_SIMULATIONS_A_MS;
    self->guesses = simulations < GUESSES_MAX && !timed ? simulations : GUESSES_MAX;
    for (unsigned guess = 0; guess < self->guesses; guess++)
        gral_view_refill(question->game, question->view, &random, &self->guess[guess]);
    memset(self->node, 0, question->view->open.players * sizeof *self->node);
    self->nodes = GRAL_PLAYERS_MAX;

    enum { SIMULATIONS_A_LOOK = 32 };
    for (uint32_t done = 0; timed || done < simulations; done++) {
        if (timed && done % SIMULATIONS_A_LOOK == SIMULATIONS_A_LOOK - 1 && clock() >= end)
            break;
        simulate(self, question, &random);
    }
    uint32_t best = 0;
    for (uint32_t child = self->node[question->view->seat].child; child != 0; child = self->node[child].sibling)
        if (best == 0 || self->node[child].visits > self->node[best].visits)
            best = child;
    return self->node[best].action;
}

static void release(gral_player *player)
{
    free(player);
}

static gral_player *make(const player_maker *maker, const player_words *words)
{
    ismcts *self = malloc(sizeof *self);
    if (self == NULL)
        return NULL;
    self->player.kind = &maker->kind;
    self->words = *words;
    if (words->milliseconds == 0 && words->simulations == 0)
        self->words.simulations = DEFAULT_SIMULATIONS;
    return &self->player;
}

const player_maker ismcts_maker = {
    .kind = {.name = "ismcts", .summary = "plain tree search over guesses", .decide = decide, .free = release},
    .takes = WORD_BUDGET,
    .expected = "expected a budget like 100ms or 2000sims",
    .ponders = true,
    .make = make,
};
