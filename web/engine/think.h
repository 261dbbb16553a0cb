/* Thinking about a question (live_question): a decision, or advice. It needs no table and knows nothing but what the
 * seat may know, so it can be done in another instance of this module while the table goes on.
 *
 * The answer must be there after so many milliseconds, even if the player would think longer on its own; with 0 there
 * is no such limit, and the same question has the same answer. Only players with words after their name
 * ("thinker:level=5") need one. Refusals as in box.h. */
#ifndef GRAL_WEB_THINK_H
#define GRAL_WEB_THINK_H

#include <stddef.h>

/* Where the net goes that has learned (src/players/learned.net), and how long it is; NULL without memory. Whoever
 * thinks, advises or looks back at beliefs brings it first. */
void *net_room(void);
size_t net_size(void);

/* How long the player of this text may think about a decision, in milliseconds (gral_player_time). */
unsigned thinking_time(size_t length);

/* The actions with "; " between them, and on a second line what is offered to the table, or nothing. */
unsigned think(size_t length, unsigned milliseconds);

/* What the adviser would do:
 *
 *     {"simulations":1000,"actions":[{"action":"object 3","chance":0.412,"weight":0.730},…],
 *      "reasons":[{"kind":"shown","seat":2,"pawn":"T1","points":5,"chance":0.000},…],
 *      "plan":["assign","place 10 T1","done"]}
 *
 * The best action is the first; the reasons are for it. `plan` is the whole assignment if it begins one. */
unsigned advise(size_t length, unsigned milliseconds);

#endif
