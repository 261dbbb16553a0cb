/* Ratings follow from the games in the store: each is brought to the ratings of those who played it once it is over,
 * and all of them can be worked out again from the beginning. */
#ifndef GRAL_SERVER_RATINGS_H
#define GRAL_SERVER_RATINGS_H

#include "store/store.h"

/* Works out all ratings anew from the stored games, in the order in which they were rated, and compares: in each of
 * these, after each game and now. `differs` is called for what is not the same, to the last bit. False and a message
 * when the store cannot be read, or not a game. */
typedef struct ratings_checked {
    size_t games, people, differences;
} ratings_checked;
bool ratings_check(store *store, void (*differs)(const char *what, uint64_t user), ratings_checked *checked,
                   gral_error *error);

#endif
