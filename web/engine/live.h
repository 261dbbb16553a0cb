/* A game with a host (gral/host.h), told as JSON (docs/protocol.md): for a page that plays without a server. It gets
 * the same pushes as from one.
 *
 * A game is its terms and its inputs, each with its time; all are texts. Whoever keeps them (the page) has the game
 * again by giving them anew. Times are milliseconds since 1970. Viewers and seats are numbered from 1, 0 for somebody
 * who only watches. Words go through the box, as box.h says. */
#ifndef GRAL_WEB_LIVE_H
#define GRAL_WEB_LIVE_H

#include "gral/host.h"

typedef struct live live;

/* A host with the terms in the box. NULL when they are wrong; the answer says where and why. The caller closes it. */
live *live_open(size_t length, double time);
void live_close(live *live);

/* How the person on a seat is called. */
void live_name(live *live, unsigned seat, size_t length);

/* The input in the box is checked and done. 0 or a refusal (box.h). */
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

/* Bit k: a computer player on seat k + 1 has to decide. Its decision may come in at live_tell_time of the time it was
 * ready. */
unsigned live_thinking(const live *live);
double live_tell_time(const live *live, double ready);

/* What this seat is asked, as bytes for think.h: for the computer player who has to decide there; or, if the box names
 * a player, for him as the adviser of a person who is asked. Returns how many bytes the answer has; 0 when it was
 * refused, as with live_input. */
unsigned live_question(live *live, unsigned seat, size_t length);

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
