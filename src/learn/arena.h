/* Where nets and scripts play: many games side by side, and a book of what the learner saw and did in them. */
#ifndef GRAL_LEARN_ARENA_H
#define GRAL_LEARN_ARENA_H

#include "choice.h"

#include "gral/player.h"

/* --- the book --- */

enum { MOMENT_PENDING = UINT32_MAX, MOMENT_END = UINT32_MAX - 1 };

/* One decision of the learner's. */
typedef struct moment {
    gral_observation observation;
    net_secrets secrets;
    gral_numbers legal;
    uint8_t number;   /* what it did */
    bool tried;       /* it would hardly have done that by itself */
    float log_chance; /* how likely that was */
    float trust;      /* how much of what came of it says something about what was done before; 1 unless tried */
    float reward;     /* of the end, where `next` is MOMENT_END */
    uint32_t next;    /* the same seat's next decision in this game, MOMENT_PENDING while that is open */
    float value, advantage;
} moment;

typedef struct book {
    moment *moment;
    uint32_t count, capacity;
} book;

/* --- who plays --- */

enum { ARENA_NETS_MAX = 32 };

/* Kinds of company, for the figures. */
enum company { COMPANY_SELF, COMPANY_OLD, COMPANY_EXPLOITER, COMPANY_LADDER, COMPANY_SCRIPTS, COMPANIES };

typedef struct tally {
    uint32_t won, drawn, lost, turns;
} tally;

/* The nets to play with: the learner is the first. Who of the others comes up how often is by weight. */
typedef struct arena_nets {
    const net *net[ARENA_NETS_MAX];
    float weight[ARENA_NETS_MAX];    /* 0: not in use */
    uint8_t company[ARENA_NETS_MAX]; /* COMPANY_OLD or COMPANY_EXPLOITER */
    tally against[ARENA_NETS_MAX];   /* two players; filled by the arena */
    unsigned count;
} arena_nets;

/* How often the learner's company is of each kind, of a hundred games. */
typedef struct arena_plan {
    uint8_t share[COMPANIES];
    bool two_players_only;
    bool hungry;          /* a draw is worth nothing to anybody, as to the player that people meet */
    gral_player *against; /* who takes the seats of COMPANY_LADDER, or NULL for the usual ones */
    bool strange; /* some games begin by chance or in the middle, things are tried out, some older selves are not quite
                     themselves */
} arena_plan;

typedef struct arena arena;

/* NULL without memory. The games begin with arena_begin. */
arena *arena_make(unsigned games);
void arena_free(arena *arena);

/* New games from a seed; those that were on are dropped. */
void arena_begin(arena *arena, const arena_plan *plan, uint64_t seed);

/* Plays until the book has `wanted` moments, or a few more. Moments that wait for what comes next are kept for the next
 * time: they come first in the book then. */
void arena_play(arena *arena, arena_nets *nets, book *book, uint32_t wanted, tally tally[COMPANIES]);

/* Takes out of the book what has been learned from. */
void arena_turn_page(arena *arena, book *book);

/* The first net of `nets` against one player, or net 1 if that is NULL, two players or more, one game each: from every
 * seat in turn. The opponents have all other seats. */
tally arena_measure(arena *arena, const arena_nets *nets, gral_player *player, unsigned players, unsigned games,
                    uint8_t hunger, uint64_t seed);

#endif
