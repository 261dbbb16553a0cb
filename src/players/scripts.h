/* Simple players with one idea each, for finding out what a stronger player does not understand.
 *
 * A family is an idea; traits are the numbers in it. Some families are there to train against. The others are held
 * out: nothing may be trained or tuned against them, so that they tell how much of what was learned is more than a
 * knowledge of those it was learned from. */
#ifndef GRAL_PLAYERS_SCRIPTS_H
#define GRAL_PLAYERS_SCRIPTS_H

#include "kinds.h"

enum script_use { SCRIPT_FOR_TRAINING, SCRIPT_HELD_OUT };

enum { SCRIPT_FAMILIES = 13 };

extern const player_maker script_makers[SCRIPT_FAMILIES];

enum script_use script_use_of(const player_maker *maker);

/* One word after the colon, "steps=2" or "all"; false if the family has no such trait. */
bool script_read_trait(const player_maker *maker, gral_span word, player_words *words);

/* The text of a player of the family, with traits drawn at random: "waiter:steps=2,enough,lure=30". */
void script_draw(const player_maker *maker, gral_random *random, gral_text *text);

#endif
