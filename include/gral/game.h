/* What a table agrees on before it plays, and the tables the engine makes of it.
 *
 * Every variant is data here: the number of players, The Original (R8), and games shrunken for
 * tests and solvers. The code that plays is the same for all of them. */
#ifndef GRAL_GAME_H
#define GRAL_GAME_H

#include "gral/action.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rules of today, and those of The Original (R8). */
enum gral_rules { GRAL_STANDARD, GRAL_ORIGINAL };

/* What a game is played with; gral_game_make checks it. */
typedef struct gral_settings {
    uint8_t players;               /* 2 to 12 */
    uint8_t rules;                 /* enum gral_rules */
    uint8_t first;                 /* the seat that begins (R2.1) */
    uint8_t owner[GRAL_SOCIETIES]; /* The Original: the seat that owns each headquarters (R8.1) */
    uint32_t limit;                /* turns until a draw, 0 for none (R7.5) */

    /* The rest shrinks a game. The headquarters are always the corners of the board. */
    uint8_t columns, rows;          /* of the board */
    uint8_t pawns;                  /* bit p: initiate p takes part */
    uint8_t grail;                  /* the field it starts on */
    uint8_t units[GRAL_UNIT_KINDS]; /* how many of each denomination, four at the most */
} gral_settings;

/* What is wrong with settings. */
enum gral_settings_fault {
    GRAL_SETTINGS_OK,
    GRAL_BAD_PLAYERS,
    GRAL_BAD_RULES,
    GRAL_BAD_FIRST,
    GRAL_BAD_OWNERS,
    GRAL_BAD_BOARD,
    GRAL_BAD_PAWNS,
    GRAL_BAD_GRAIL,
    GRAL_BAD_UNITS,
    GRAL_SETTINGS_FAULTS
};

/* A checked game: constant while it is played, needed by every call beside the state. A plain
 * value without pointers; only `settings` is meant to be read by others. */
typedef struct gral_game {
    gral_settings settings;                 /* what it was made from */
    uint32_t arrival_ends[GRAL_PAWNS];      /* fields on which arriving with the grail ends the game */
    uint32_t pickup_ends[GRAL_PAWNS];       /* fields on which taking it up does (R7.1, not R8.2) */
    uint32_t strike[32];                    /* from a field: where an initiate can uncover (R4.2) */
    uint8_t neighbour[32][GRAL_DIRECTIONS]; /* GRAL_NOWHERE beyond the edge */
    uint8_t exits[32];                      /* bit d: neighbour d exists */
    uint8_t home[GRAL_SOCIETIES];           /* the field of each headquarters */
    bool one_pawn_per_assignment;           /* R3.3 */
} gral_game;

/* The standard game for so many players: seat 0 begins, no limit, owners in the order T A I R. */
gral_settings gral_settings_for(unsigned players);

/* Checks the settings and makes the game. On a fault the game is left as it was. */
enum gral_settings_fault gral_game_make(gral_game *game, const gral_settings *settings);

/* The fault in words, as a sentence without a full stop. */
const char *gral_settings_fault_text(enum gral_settings_fault fault);

/* Whether both are the same game. */
bool gral_settings_equal(const gral_settings *a, const gral_settings *b);

/* True for the whole board, all initiates and full sheets. */
bool gral_settings_full_size(const gral_settings *settings);

/* The fields of the board as bits. */
uint32_t gral_board_fields(const gral_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
