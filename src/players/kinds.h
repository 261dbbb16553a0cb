/* Private to the module: how a kind is made from the words after its name. */
#ifndef GRAL_PLAYERS_KINDS_H
#define GRAL_PLAYERS_KINDS_H

#include "gral/player.h"

/* The numbers that a script's idea has in it. */
enum script_trait {
    TRAIT_STEPS,  /* from home: where it pounces or strikes */
    TRAIT_SPEND,  /* everything, or what seems to be enough */
    TRAIT_LURE,   /* in how many of a hundred turns with nothing to do it leads somebody on */
    TRAIT_FIRST,  /* points on its first favourite */
    TRAIT_SECOND, /* … and on its second */
    TRAIT_COUNT,  /* on how many initiates it puts something */
    TRAIT_POINTS, /* … and how many points on each */
    TRAIT_TURNS,  /* how many of its turns it waits */
    TRAIT_OPENS,  /* which of several openings it has */
    TRAIT_WANTS,  /* … ways to spend what it has kept */
    TRAIT_LEADS,  /* … initiates to lead */
    TRAIT_STRIKES,
    TRAIT_RESISTS,
    SCRIPT_TRAITS
};

/* What the words after the colon may say; 0 where they did not. */
typedef struct player_words {
    uint32_t milliseconds; /* a decision may take */
    uint32_t simulations;
    uint32_t level;     /* 1 to 5 */
    uint32_t character; /* an index for character_at */
    uint32_t warmth;    /* how much is left to chance; 100 is as it was learned */
    uint32_t hunger;    /* 100: a draw is worth no more than a loss */
    uint8_t trait[SCRIPT_TRAITS];
    uint32_t trait_given; /* bit t: trait t was said; it may be 0 */
} player_words;

enum player_word { WORD_BUDGET = 1, WORD_LEVEL = 2, WORD_CHARACTER = 4, WORD_TRAITS = 8, WORD_MOOD = 16 };

typedef struct player_maker {
    gral_player_kind kind;
    const char *alias;    /* what it was called before, and still may be; or NULL */
    unsigned takes;       /* of enum player_word */
    const char *expected; /* after the colon; said of a word that is not understood. NULL if nothing is */
    bool ponders;         /* takes its time where no word says how much */
    gral_player *(*make)(const struct player_maker *maker, const player_words *words);
} player_maker;

extern const player_maker random_maker, greedy_maker, heuristic_maker, ismcts_maker, rollout_maker, thinker_maker;

enum { THINKER_LEVELS = 5 };

/* For kinds without settings or memory of their own. */
gral_player *player_make_plain(const player_maker *maker, const player_words *words);
void player_free_plain(gral_player *player);

#endif
