/* What a table and a host have in common. */
#ifndef GRAL_TABLE_SHARED_H
#define GRAL_TABLE_SHARED_H

#include "gral/notation.h"

/* One pair of eyes a seat, and one for all who only watch. */
enum { SPECTATORS = GRAL_PLAYERS_MAX, EYES };

void tag_add(gral_text *text, const char *name, const char *value);

/* "Player2" with something after it. */
enum { TAG_MAX = 24 };
void tag_of_seat(char name[TAG_MAX], unsigned seat, const char *after);

/* The kinds of players, as in chess records. */
extern const char tag_person[], tag_computer[];

/* The seed of a question to a seat that has heard so many actions. */
uint64_t seed_of_question(uint64_t seed, unsigned seat, size_t heard);

#endif
