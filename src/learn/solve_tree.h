/* A shrunken game for two as a tree of what is public.
 *
 * A node is a whole public history: everything that both have heard (R10.1, gral_view_hears). What a seat knows besides
 * is its own sheet. So an information set is a node and a sheet of the seat that acts there, and instead of walking
 * through every pair of sheets a solver carries for each seat one number a sheet through the tree: as many sheets side
 * by side as are possible at that node.
 *
 * Nothing here knows the rules. What may be done, what it leads to, what it makes of a sheet and who wins is asked of
 * gral_legal_list and gral_apply. Five things make the tree smaller and change nothing:
 *
 * - How somebody came by his sheet is forgotten: what he can do, what the other believes and what it all is worth are
 *   the same.
 * - A whole assignment is one choice, of the sheet there is afterwards.
 * - Figures that nobody can hold on an initiate are left out: who can show one of them can show the next that somebody
 *   can hold, and only he; so showing either says the same and demands the same.
 * - Where there is one thing to do, it is done.
 * - What can only end in a draw, whatever is done, is a draw: above all when the grail cannot come home any more before
 *   the limit (R7.5). */
#ifndef GRAL_LEARN_SOLVE_TREE_H
#define GRAL_LEARN_SOLVE_TREE_H

#include "gral/state.h"
#include "solve_kept.h"

enum solve_kind {
    SOLVE_LEAF,   /* over */
    SOLVE_CHOICE, /* the actor says one of several things; a child for each */
    SOLVE_PLACE,  /* he fills in his sheet unseen; one child */
    SOLVE_REVEAL  /* an initiate is uncovered; a child for every pair of figures on him (R6.3) */
};

enum { SOLVE_SAME = UINT32_MAX, SOLVE_DRAW = UINT32_MAX };

typedef struct solve_node {
    uint32_t child;      /* number of the first; the others follow */
    uint32_t set[2];     /* the sheets that a seat can have here */
    uint32_t way[2];     /* from the parent's sets to these, or SOLVE_SAME; see solve_way */
    uint32_t entry;      /* CHOICE, PLACE: the first of its numbers in the solver's arrays, see solve_entries */
    uint32_t content;    /* LEAF: the payoff, or SOLVE_DRAW; PLACE: the placing */
    uint8_t kind, actor; /* enum solve_kind; nobody at a LEAF and a REVEAL */
    uint8_t children;
    uint8_t turn : 7;      /* 0 in the opening */
    uint8_t announces : 1; /* CHOICE: the first thing he can say is that he assigns */
} solve_node;

/* What the opening may be: anything (R2.2), nothing at all, or the whole sheet. */
enum solve_opening { SOLVE_OPEN_FREELY, SOLVE_OPEN_EMPTY, SOLVE_OPEN_FULL };

/* Where the pieces stand when the game begins, if not as the rules have it: for the study of ends. */
typedef struct solve_position {
    uint8_t pawn[GRAL_PAWNS]; /* fields */
    uint8_t grail, bearer;    /* GRAL_NO_PAWN if it lies free */
} solve_position;

typedef struct solve_terms {
    gral_settings settings; /* for two players, with a limit of turns */
    enum solve_opening opening[2];
    bool moved; /* the pieces begin in `position` */
    solve_position position;
    bool least_figures; /* objections and claims are as low as may be: this leaves out more than changes nothing */
    bool must_place;    /* not our rules (R3.2): whoever announces an assignment places something */
    size_t memory;      /* at most so many bytes */
} solve_terms;

typedef struct solve_tree {
    gral_game game;
    solve_terms terms;
    solve_node *node; /* the root is the first */
    uint32_t nodes, node_room;
    uint64_t entries;
    uint64_t information_sets;
    solve_kept sheets; /* gral_sheet */
    solve_kept sets;   /* uint16_t: numbers of sheets */
    solve_kept ways;   /* uint16_t: for each sheet of the child's set, its place in the parent's */
    /* These two have numbers in common with their keys, by which they are found without being made again. */
    solve_kept placing_keys, placings; /* uint32_t[2]: a set, and what may be placed on; solve_placing */
    solve_kept payoff_keys, payoffs;   /* solve_payoff; the same, then a winner for each pair of sheets, by rows */
} solve_tree;

/* From each sheet of a set the sheets that can be made of it. All numbers are places in sets. */
typedef struct solve_placing {
    uint32_t from, to; /* sets */
    uint32_t onto;     /* bits: the initiates on the board; and whether it is the opening, whose */
    uint32_t count;    /* pairs; what follows in memory: uint16_t from, uint16_t to for each, ordered by from */
} solve_placing;

typedef struct solve_payoff {
    uint32_t set[2];
    uint32_t pawn, active;
} solve_payoff;

/* Where the pieces begin by the rules; the settings must make a game. */
solve_position solve_usual_position(const gral_settings *settings);

enum solve_fault { SOLVE_OK, SOLVE_TWO_PLAYERS, SOLVE_NO_LIMIT, SOLVE_TOO_LARGE, SOLVE_SETTINGS };

/* The state before the opening. */
gral_state solve_start(const solve_tree *tree);

/* On a fault there is nothing to free. */
enum solve_fault solve_tree_make(solve_tree *tree, const solve_terms *terms);
void solve_tree_free(solve_tree *tree);
const char *solve_fault_text(enum solve_fault fault);

static inline const uint16_t *solve_set(const solve_tree *tree, uint32_t set, unsigned *count)
{
    size_t size;
    const uint16_t *sheets = solve_kept_at(&tree->sets, set, &size);
    *count = (unsigned)(size / sizeof *sheets);
    return sheets;
}

static inline unsigned solve_set_count(const solve_tree *tree, uint32_t set)
{
    unsigned count;
    (void)solve_set(tree, set, &count);
    return count;
}

static inline const gral_sheet *solve_sheet(const solve_tree *tree, unsigned number)
{
    size_t size;
    return solve_kept_at(&tree->sheets, number, &size);
}

static inline const uint16_t *solve_way(const solve_tree *tree, uint32_t way)
{
    size_t size;
    return way == SOLVE_SAME ? NULL : solve_kept_at(&tree->ways, way, &size);
}

static inline const solve_placing *solve_placing_at(const solve_tree *tree, uint32_t placing)
{
    size_t size;
    return solve_kept_at(&tree->placings, placing, &size);
}

/* The pairs of a placing: from, to, from, to … */
static inline const uint16_t *solve_pairs(const solve_placing *placing)
{
    return (const uint16_t *)(placing + 1);
}

static inline const int8_t *solve_winners(const solve_tree *tree, uint32_t payoff)
{
    size_t size;
    const solve_payoff *head = solve_kept_at(&tree->payoffs, payoff, &size);
    return (const int8_t *)(head + 1);
}

/* A node of the game together with the rules' own state, for whoever wants to know what the children mean. */
typedef struct solve_spot {
    gral_state state; /* `open` is true; the sheets are any two that fit */
    uint32_t set[2];
} solve_spot;

enum { SOLVE_ACTIONS_MAX = GRAL_LEGAL_MAX + 64 };

/* What can be said by somebody at a CHOICE, in the order of the children. */
unsigned solve_actions(const solve_tree *tree, const solve_spot *spot, gral_action list[SOLVE_ACTIONS_MAX]);

#endif
