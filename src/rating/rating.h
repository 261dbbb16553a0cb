/* How strong people are, as far as their rated games tell.
 *
 * A rating is a strength and how unsure it is: the mean and the deviation of a normal distribution. A game moves the
 * ratings of all who played it, by the method of Weng and Lin for the model of Plackett and Luce ("A Bayesian
 * approximation method for online ranking", 2011, algorithm 4), with ties. Pure functions: the same games in the same
 * order give the same numbers, so that everything can be worked out again from the games that are kept. docs/ratings.md
 * tells people what counts. */
#ifndef GRAL_RATING_H
#define GRAL_RATING_H

#include "gral/host.h"

typedef struct rating {
    double strength, doubt;
} rating;

/* Kinds of games whose ratings have nothing to do with each other: how many play, and live, by days, or against
 * computer players. */
enum rating_class {
    RATING_TWO_LIVE,
    RATING_FEW_LIVE, /* 3 or 4 */
    RATING_MANY_LIVE,
    RATING_TWO_DAYS,
    RATING_FEW_DAYS,
    RATING_MANY_DAYS,
    RATING_TWO_COMPUTERS,
    RATING_FEW_COMPUTERS,
    RATING_MANY_COMPUTERS,
    RATING_CLASSES
};

const char *rating_class_name(enum rating_class class); /* "2-live", "3-4-days", "5+-computers" */
bool rating_class_find(gral_span name, enum rating_class *class);

/* Somebody of whom nothing is known, and a computer player of this level (1 to 5), which stays as it is. */
rating rating_of_newcomer(void);
rating rating_of_level(unsigned level, enum rating_class class);

/* After a game of so many; `place` says how each came out, the lowest first, and those who tie have the same. */
void rating_play(rating ratings[], const uint8_t place[], unsigned count);

/* Somebody who has not played for so long is less well known. */
rating rating_after(rating rating, int64_t milliseconds);

/* For people: a number around 1500, how far off it may be (19 times in 20), and what somebody is sure to be worth,
 * which is what rankings go by. */
int rating_points(rating rating);
int rating_margin(rating rating);
double rating_rank(rating rating);

/* --- what a game was worth --- */

/* Whether a table may be rated, or why not: a sentence without a full stop, the key of its translation. */
const char *rating_refuses(const gral_terms *terms);
enum rating_class rating_class_of(const gral_terms *terms);
bool rating_is_by_days(const gral_terms *terms); /* an hour or more for a decision, or no clock at all */

/* Who played, and how each came out. `user` is 0 for a computer player, whose level counts then. */
typedef struct rating_outcome {
    enum rating_class class;
    unsigned count;
    uint8_t place[GRAL_PLAYERS_MAX], level[GRAL_PLAYERS_MAX]; /* by seat, as is `user` */
    uint64_t user[GRAL_PLAYERS_MAX];
} rating_outcome;

/* How each came out, by seat, whether it is rated or not: 0 for those who are first. The game must be over. */
void rating_places(const gral_host *host, uint8_t place[GRAL_PLAYERS_MAX]);

/* The seat of the one person who has not resigned, where others have: he has won, whether the game is played to its end
 * or not. GRAL_NOBODY: there is none, or there are several. */
unsigned rating_last_one(const gral_host *host);

/* False for a game that does not count: not rated, not over, given up before everybody had a turn, or closed because
 * nobody came any more, unless all but one had resigned. */
bool rating_outcome_of(const gral_host *host, rating_outcome *outcome);

/* The ratings of these, by seat, become those after the game. Computer players' are not changed. */
void rating_apply(const rating_outcome *outcome, rating ratings[]);

/* --- how it was played --- */

/* What a game says of how one of its players plays: how many points he placed on whom, and his bluffs. A bluff is a
 * proposal that could have been stopped: somebody held more influence than the proposer on the initiate that was to
 * act, so he could have objected with more than the other can show (R4.4 to R4.6). It has worked if it was carried out;
 * one that nobody decided about, because the game was over, is none. What a computer player did for him is not his. */
typedef struct manner {
    uint16_t placed[GRAL_PAWNS];
    uint16_t bluffs, worked;
} manner;

/* By seat, read off the record that everybody may have of a game that is over. False without memory. */
bool manner_of(const gral_host *host, manner manners[GRAL_PLAYERS_MAX]);

#endif
