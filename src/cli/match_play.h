/* One game of a match: asks the players in turn until the game is over. */
#ifndef GRAL_CLI_MATCH_PLAY_H
#define GRAL_CLI_MATCH_PLAY_H

#include "gral/player.h"
#include "match_stats.h"

#include <stdatomic.h>

enum match_ending {
    MATCH_WON,
    MATCH_DRAWN,     /* at the limit that the table agreed on (R7.5) */
    MATCH_CAPPED,    /* at the cap of the match, which the players do not know of */
    MATCH_LEAKED,    /* a player answered otherwise when only hidden sheets differed */
    MATCH_ABANDONED, /* told to stop, or without memory */
};

typedef struct match_result {
    uint32_t turns;
    uint32_t repeated; /* decisions that the leak check asked for twice */
    uint8_t ending;    /* enum match_ending */
    uint8_t winner;    /* the seat, with MATCH_WON */
    uint32_t decisions[GRAL_PLAYERS_MAX];
    uint32_t faults[GRAL_PLAYERS_MAX]; /* decisions that had to be made for a seat */
} match_result;

/* A decision that changed with what the seat cannot see. */
typedef struct match_leak {
    uint32_t action; /* its number in the record, from 1 */
    uint8_t seat;
    gral_action first, second;
} match_leak;

/* What to play, and with whom. */
typedef struct match_job {
    const gral_game *game;
    uint32_t cap;  /* turns, 0 for none */
    uint64_t seed; /* of the block */
    gral_player *player[GRAL_PLAYERS_MAX];
    gral_player *twin[GRAL_PLAYERS_MAX];  /* another one of the same name, asked again by the leak check; or NULL */
    match_times *times[GRAL_PLAYERS_MAX]; /* where its decisions are timed, or NULL */
    gral_clock *clock;                    /* for the players; NULL where their work must be repeatable */
    atomic_bool *stop;
    void (*fault)(void *context, unsigned seat, const char *what);
    void *context;
} match_job;

/* All that a question points at, and the state it was made from, side by side: a player that looks beyond its view
 * finds the state, and the leak check finds the player. */
typedef struct match_asking {
    gral_state state;
    gral_view view;
    gral_options options;
} match_asking;

/* The desk of one worker: memory used again from game to game. Begin it, and free it in the end. */
typedef struct match_desk {
    match_asking asking;
    gral_record played;                  /* the game, with all that happened */
    gral_record heard[GRAL_PLAYERS_MAX]; /* what each seat heard of it */
    match_leak leak;                     /* after MATCH_LEAKED */
} match_desk;

match_desk match_desk_begin(const gral_settings *settings);
void match_desk_free(match_desk *desk);

match_result match_play(match_desk *desk, const match_job *job);

/* The seed of a block of a match, which its rotations share. */
uint64_t match_block_seed(uint64_t match_seed, uint64_t block);

#endif
