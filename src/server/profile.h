/* What the finished games of somebody say of him, and who may see which part of it. The store has it added up, so that
 * it costs the same however long somebody has played; it is read on any thread. */
#ifndef GRAL_SERVER_PROFILE_H
#define GRAL_SERVER_PROFILE_H

#include "server/ties.h"

#include "rating/rating.h"
#include "store/store.h"
#include "tell/pen.h"

/* Each is shown to whom he wants; the store knows them by these numbers. */
enum profile_part {
    PROFILE_RATINGS,
    PROFILE_RESULTS,
    PROFILE_GAMES,  /* which they were: not in the profile itself */
    PROFILE_MANNER, /* how he plays */
    PROFILE_PARTS
};
extern const char *const profile_part_names[PROFILE_PARTS];

enum { PROFILE_OPPONENTS = 20 };

typedef struct profile {
    store_statistics statistics;
    store_tally class[RATING_CLASSES];
    struct {
        char name[sizeof((store_user *)0)->name];
        store_tally tally;
    } met[PROFILE_OPPONENTS]; /* those he has played with most */
    unsigned opponents;
    store_rating rating[RATING_CLASSES]; /* without names */
    unsigned ratings;
    int64_t placed[GRAL_PAWNS], bluffs, worked;
    uint8_t shown[PROFILE_PARTS]; /* enum tie_seen */
} profile;

/* Of those parts that have a bit: what nobody asks for does not even cost time that somebody could measure. */
enum { PROFILE_ALL = (1 << PROFILE_PARTS) - 1 };
bool profile_read(store *store, uint64_t user, unsigned parts, profile *profile, gral_error *error);
/* To whom he shows what: what he has said, and the usual where he has said nothing. */
bool profile_read_shown(store *store, uint64_t user, uint8_t shown[PROFILE_PARTS], gral_error *error);
uint8_t profile_shown(uint8_t said, enum profile_part part);

/* As members of an object. Ratings are as they are at this time. */
void profile_put(pen *out, const profile *profile, enum profile_part part, int64_t now);
void profile_put_shown(pen *out, const uint8_t shown[PROFILE_PARTS]);
void profile_put_rating(pen *out, rating rating); /* "points" and "margin" */

/* How somebody has played one game, as the store adds it up: an object. */
void profile_put_manner(pen *out, const manner *manner);

#endif
