/* The characters of the thinker: who it can be, and what each leans towards. A character is data; none is much weaker
 * than another (docs/players.md has the figures). */
#ifndef GRAL_PLAYERS_CHARACTER_H
#define GRAL_PLAYERS_CHARACTER_H

#include "gral/env.h"
#include "talk.h"

/* What a character leans towards or away from, as a part of a power of e. */
enum leaning {
    LEANS_ANNOUNCING, /* assignments */
    LEANS_EMPTY,      /* … with nothing behind them */
    LEANS_PLACING,    /* units now rather than later */
    LEANS_OBJECTING,
    LEANS_INSISTING,
    LEANS_BOASTING, /* figures above the least that would do */
    LEANS_UNCOVERING,
    LEANS_DARING,  /* steps of the bearer, and the grail into one's hands */
    LEANS_GRUDGES, /* whatever goes against the one who last stopped him */
    LEANINGS
};

typedef struct character {
    const char *key;    /* in a player's text: as=KEY */
    const char *former; /* the key it had before there were twelve, and still may have; or NULL */
    const char *name;   /* for people to read, the same in every language; NULL for nobody in particular */
    float lean[LEANINGS];
    talk_manners manners;
} character;

/* The first is nobody in particular. NULL past the last. */
const character *character_at(unsigned index);

/* Who made the seat yield last, or GRAL_NOBODY. */
unsigned character_grudge(const gral_question *question);

float character_leaning(const character *character, const gral_outlook *outlook, unsigned grudge, gral_action action);

#endif
