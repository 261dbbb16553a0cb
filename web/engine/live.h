/* A game with a host (gral/host.h), told as JSON (docs/protocol.md): for a page that plays without a server. It gets
 * the same pushes as from one.
 *
 * A game is its terms and its inputs, each with its time; all are texts. Whoever keeps them (the page) has the game
 * again by giving them anew. Times are milliseconds since 1970. Viewers and seats are numbered from 1, 0 for somebody
 * who only watches. Words go through the box, as engine.h says. */
#ifndef GRAL_WEB_LIVE_H
#define GRAL_WEB_LIVE_H

#include "gral/host.h"

typedef struct live live;

/* A host with the terms in the box. NULL when they are wrong; the answer says where and why. The caller closes it. */
live *live_open(size_t length, double time);
void live_close(live *live);

/* How the person on a seat is called. */
void live_name(live *live, unsigned seat, size_t length);

/* The input in the box is checked and done. 0 or a refusal; then the answer is its word, a space, and the sentence. A
 * text that is no input is LIVE_NO_INPUT. */
enum { LIVE_NO_INPUT = 1000 };
unsigned live_input(live *live, size_t length, double time);

/* The push for this viewer: what is new since his last one, or all of it anew. 0 and an empty answer if there is
 * nothing. */
unsigned live_push(live *live, unsigned viewer, unsigned everything, double time);

/* When an input comes by itself if nothing else does before, and as the answer which: "speak" or "late". -1 for none.
 */
double live_due(const live *live);

/* Bit k: seat k + 1 has to act or to answer now. It tells who has not answered yet: for whoever keeps the table alone.
 */
unsigned live_asked(const live *live);

/* Bit k: a computer player on seat k + 1 has to decide. Its decision: the actions with "; " between them, and on a
 * second line what it offers to the table, or nothing. It may come in at live_tell_time of the time it was ready. */
unsigned live_thinking(const live *live);
unsigned live_think(live *live, unsigned seat);
double live_tell_time(const live *live, double ready);

/* What the player in the box would do in this seat, which must be asked:
 *
 *     {"simulations":1000,"actions":[{"action":"object 3","chance":0.412,"weight":0.730},…],
 *      "reasons":[{"kind":"shown","seat":2,"pawn":"T1","points":5,"chance":0.000},…],
 *      "plan":["assign","place 10 T1","done"]}
 *
 * The best action is the first; the reasons are for it. `plan` is the whole assignment if it begins one. Refusals as
 * with live_input. */
unsigned live_hint(live *live, unsigned seat, size_t length);

/* The record for everybody, with its checks; the box has the date, or nothing. */
void live_record(const live *live, size_t length);

/* The notepad from what a table has told, wherever it is. The box has numbers with spaces between them: how many
 * players; eight times whether the initiate is on the board; the matrix `known`; the matrix `paid`; then, for every
 * sheet that can be seen, the seat and its eight figures of influence. The answer is a row for every seat, [least,
 * most] for every initiate. 0, or 1 for numbers that no game leads to. */
unsigned notepad(size_t length);

/* What may be placed after some units were, in an opening or assignment that is still being thought about, wherever the
 * table is. The box has numbers: how many players; 0 in the opening, 1 in an assignment; eight times whether the
 * initiate is on the board; the sheet's eight figures of influence and six of units; then points and initiate (0 to 7)
 * of each placement so far. The answer is {"influence":[…],"units":[…],"legal":["place 10 T1",…,"done"]}, or refused as
 * with live_input. */
unsigned draft(size_t length);

#endif
