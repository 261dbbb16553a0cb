/* What ratings.c, which rates games as they end, and ratings_check.c, which works all of them out again, know of each
 * other. */
#ifndef GRAL_SERVER_RATINGS_INSIDE_H
#define GRAL_SERVER_RATINGS_INSIDE_H

#include "gral/host.h"
#include "rating/rating.h"
#include "store/store.h"

typedef struct judged {
    char game[GRAL_GAME_ID_MAX + 1];
    int64_t time; /* when it ended */
    bool counts;
    rating_outcome outcome;
} judged;

/* What somebody has in one class. */
typedef struct standing {
    rating rating;
    uint32_t games;
    int64_t time; /* of the last of them */
} standing;

/* What a game was worth. The host is the caller's; NULL where the game cannot be read. */
bool ratings_judge(store *store, judged *judged, gral_host **host, gral_error *error);
void ratings_rate(const judged *judged, standing standings[GRAL_PLAYERS_MAX]);
/* What somebody has in this class; nothing is changed where he has nothing. */
bool ratings_read(store *store, uint64_t user, enum rating_class class, standing *found, gral_error *error);

#endif
