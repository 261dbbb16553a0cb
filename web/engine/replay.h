/* A game that was played, to look at: any moment of it, through one of the lenses. Words go through the box, as
 * box.h says; answers are JSON. */
#ifndef GRAL_WEB_REPLAY_H
#define GRAL_WEB_REPLAY_H

#include "gral/record.h"

typedef struct replay replay;

/* Through which eyes: what everybody knew, what a seat knew (its number, from 1), or all sheets. */
enum { REPLAY_PUBLIC = 0, REPLAY_ALL = 255 };

/* The game of the record in the box. NULL when it is wrong; the answer says where and why. The caller closes it. */
replay *replay_open(size_t length);
void replay_close(replay *replay);

/* {"settings":{"players":3,"rules":"standard","first":1,"limit":0},"tags":{"Event":"…"},"names":["…",…],
 *  "computers":[false,…],"result":"win 2 with T1","actions":[{"seat":1,"turn":0,"action":"place 10
 * T1","secret":true},…], "placements":[{"turn":0,"seat":1,"pawn":"T1","points":10},…]}
 *
 * `turn` is the one in which it was said; `secret` is what only its own seat heard then. `hq` is there in The Original.
 */
void replay_info(const replay *replay);

/* After so many actions: {"index":12,"view":{…},"you":{"seat":1,"influence":[…],"units":[…]},"all":[{"influence":[…],
 * "units":[…]},…]}. `view` as in docs/protocol.md; `you` with a seat's lens; `all` with REPLAY_ALL, and when it is
 * over. */
void replay_at(const replay *replay, unsigned index, unsigned lens);

/* What could be known then: [least, most] of every seat on every initiate. */
void replay_notepad(const replay *replay, unsigned index, unsigned lens);

/* What could be believed then (gral_believe): [low, middle, high, leads] of every seat on every initiate. */
void replay_beliefs(const replay *replay, unsigned index, unsigned lens);

/* The influence of every seat on every initiate at the end of the opening and of each turn:
 * [{"turn":0,"index":10,"influence":[[15,0,…],…]},…]; `index` is the number of actions by then. */
void replay_timeline(const replay *replay);

/* What everybody knew after each action that everybody has heard, from what a table has told, wherever it is. The box
 * has lines: the settings; numbers as for the notepad, from whether the initiates are on the board on; then the actions
 * as in a record, "2: object 3", without placements. The answer is the list of views after the actions from number
 * `from` on, counted from 0; it ends before an action that does not fit. */
void story(size_t length, unsigned from);

/* Whether the record in the box is what it says: {"ok":true,"checks":true,"seals":4}, or
 * {"ok":false,"line":12,"column":1, "text":"…"}. A signature is not looked at, but told with what is signed:
 * "signed":{"signer":"…","signature":"…","statement":"…"}. */
void audit(size_t length);

#endif
