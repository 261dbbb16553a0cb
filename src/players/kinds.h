/* Inside the room: how a kind is made from the words after its name. */
#ifndef GRAL_PLAYERS_KINDS_H
#define GRAL_PLAYERS_KINDS_H

#include "gral/player.h"

/* What the words after the colon may say; 0 where they did not. */
typedef struct player_words {
    uint32_t milliseconds;
    uint32_t simulations;
    uint32_t level;       /* 1 to 5 */
    uint32_t personality; /* an index for thinker_personality */
} player_words;

enum player_word { WORD_BUDGET = 1, WORD_LEVEL = 2, WORD_PERSONALITY = 4 };

typedef struct player_maker {
    gral_player_kind kind;
    unsigned takes; /* of enum player_word */
    gral_player *(*make)(const struct player_maker *maker, const player_words *words);
} player_maker;

extern const player_maker random_maker, greedy_maker, rules_maker, ismcts_maker, thinker_maker, learned_maker;

enum { THINKER_LEVELS = 5 };

/* The names of the thinker's characters; NULL past the last. */
const char *thinker_personality(unsigned index);

/* For kinds without settings or memory of their own. */
gral_player *player_make_plain(const player_maker *maker, const player_words *words);
void player_free_plain(gral_player *player);

#endif
