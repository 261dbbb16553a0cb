/* A store in a database, whichever it is. Inside of src/store only. */
#ifndef GRAL_STORE_INSIDE_H
#define GRAL_STORE_INSIDE_H

#include "store/common.h"
#include "store/store_questions.h"

#include <pthread.h>

/* The five threads of the server's pool, that of its ear, and its loop, which must not wait for one. */
enum { STORE_READERS = 7 };

/* What every database begins with: how it is asked, and by which of its connections for reading. Whoever asks has one
 * to himself until he has heard the last row. */
typedef struct store_inside {
    store head;
    bool (*hear)(store *store, unsigned reader, enum store_query query, const store_argument *arguments,
                 const store_listener *listener, gral_error *error);
    const struct store_raw *raw; /* all of it, row by row */
    void *under_way;             /* there */
    unsigned readers;
    pthread_mutex_t guard; /* of `taken` */
    pthread_cond_t returned;
    bool taken[STORE_READERS];
} store_inside;

void store_begin_asking(store_inside *inside, const store_kind *kind, unsigned readers);
void store_end_asking(store_inside *inside);
unsigned store_take_reader(store_inside *inside); /* waits for one */
void store_return_reader(store_inside *inside, unsigned reader);

/* The questions of store_kind. */
bool store_ask_unfinished(store *store, store_each_entry *each, void *context, gral_error *error);
bool store_ask_games(store *store, const char *after, unsigned most, store_each_game *each, void *context,
                     gral_error *error);
bool store_ask_entries(store *store, const char *game, uint32_t from, store_each_entry *each, void *context,
                       gral_error *error);
bool store_ask_games_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                        gral_error *error);
bool store_ask_old_games(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                         gral_error *error);
bool store_ask_asleep(store *store, unsigned most, store_each_game *each, void *context, gral_error *error);
bool store_ask_unfinished_of(store *store, uint64_t user, store_each_game *each, void *context, gral_error *error);
bool store_ask_user_by_id(store *store, uint64_t user, store_user *found, gral_error *error);
bool store_ask_user_by_key(store *store, const char *key, store_user *found, gral_error *error);
bool store_ask_user_by_secret(store *store, enum store_session session, const uint8_t secret[STORE_SECRET_BYTES],
                              store_user *found, gral_error *error);
bool store_ask_absent_guests(store *store, int64_t before, const store_guest *from, unsigned most,
                             store_each_guest *each, void *context, gral_error *error);
bool store_ask_logins_of(store *store, uint64_t user, enum store_session session, store_each_login *each, void *context,
                         gral_error *error);
bool store_ask_statistics(store *store, uint64_t user, store_statistics *statistics, gral_error *error);
bool store_ask_ratings_of(store *store, uint64_t user, store_each_rating *each, void *context, gral_error *error);
bool store_ask_rated_of(store *store, uint64_t user, uint8_t class, unsigned most, store_each_rating *each,
                        void *context, gral_error *error);
bool store_ask_ranking(store *store, uint8_t class, unsigned most, store_each_rating *each, void *context,
                       gral_error *error);
bool store_ask_unread(store *store, unsigned most, store_each_unread *each, void *context, gral_error *error);
bool store_ask_scores_of(store *store, uint64_t user, store_each_tally *each, void *context, gral_error *error);
bool store_ask_met_by(store *store, uint64_t user, unsigned most, store_each_tally *each, void *context,
                      gral_error *error);
bool store_ask_manner_of(store *store, uint64_t user, store_each_sum *each, void *context, gral_error *error);
bool store_ask_played_by(store *store, uint64_t user, const store_page *page, store_each_played *each, void *context,
                         gral_error *error);
bool store_ask_shown_by(store *store, uint64_t user, store_each_shown *each, void *context, gral_error *error);
bool store_ask_rated(store *store, store_each_rating *each, void *context, gral_error *error);
bool store_ask_list(store *store, enum store_list list, const store_filter *filter, store_each_row *each, void *context,
                    gral_error *error);
bool store_ask_ties(store *store, store_each_tie *each, void *context, gral_error *error);
bool store_ask_ties_of(store *store, uint64_t user, store_each_tie *each, void *context, gral_error *error);
bool store_ask_seen(store *store, store_each_seen *each, void *context, gral_error *error);
bool store_ask_invitations_of(store *store, uint64_t user, store_each_invitation *each, void *context,
                              gral_error *error);
bool store_ask_ways_of(store *store, uint64_t user, store_each_way *each, void *context, gral_error *error);
bool store_ask_letters(store *store, unsigned most, store_each_letter *each, void *context, gral_error *error);
bool store_ask_letters_on(store *store, uint64_t way, unsigned most, store_each_letter *each, void *context,
                          gral_error *error);
bool store_ask_letter(store *store, uint64_t id, store_each_letter *each, void *context, gral_error *error);
bool store_ask_tournaments(store *store, unsigned over, store_each_entry *each, void *context, gral_error *error);
bool store_ask_tournament(store *store, const char *name, store_each_entry *each, void *context, gral_error *error);
bool store_ask_old_tournaments(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                               gral_error *error);
bool store_ask_tournaments_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                              gral_error *error);
bool store_ask_secret(store *store, const char *name, char *value, size_t room, gral_error *error);
bool store_ask_signers(store *store, store_each_signer *each, void *context, gral_error *error);

/* And where store_kind has them. */
#define ASKED_AS_ANY                                                                                                   \
    .unfinished = store_ask_unfinished, .games = store_ask_games, .old_games = store_ask_old_games,                    \
    .asleep = store_ask_asleep, .unfinished_of = store_ask_unfinished_of, .entries = store_ask_entries,                \
    .games_of = store_ask_games_of, .user_by_id = store_ask_user_by_id, .user_by_key = store_ask_user_by_key,          \
    .user_by_secret = store_ask_user_by_secret, .absent_guests = store_ask_absent_guests,                              \
    .logins_of = store_ask_logins_of, .statistics = store_ask_statistics, .signers = store_ask_signers,                \
    .ratings_of = store_ask_ratings_of, .rated_of = store_ask_rated_of, .ranking = store_ask_ranking,                  \
    .unread = store_ask_unread, .scores_of = store_ask_scores_of, .met_by = store_ask_met_by,                          \
    .manner_of = store_ask_manner_of, .played_by = store_ask_played_by, .shown_by = store_ask_shown_by,                \
    .rated = store_ask_rated, .ties = store_ask_ties, .ties_of = store_ask_ties_of, .seen = store_ask_seen,            \
    .invitations_of = store_ask_invitations_of, .list = store_ask_list, .ways_of = store_ask_ways_of,                  \
    .letters = store_ask_letters, .letters_on = store_ask_letters_on, .letter = store_ask_letter,                      \
    .tournaments = store_ask_tournaments, .tournament = store_ask_tournament,                                          \
    .old_tournaments = store_ask_old_tournaments, .tournaments_of = store_ask_tournaments_of,                          \
    .secret = store_ask_secret

#endif
