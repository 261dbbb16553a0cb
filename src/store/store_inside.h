/* A store in SQLite, as its parts know it. Inside of src/store only. store_sqlite.c owns the database and the
 * connection that writes, store_read.c the connections that read. */
#ifndef GRAL_STORE_INSIDE_H
#define GRAL_STORE_INSIDE_H

#include "store/common.h"

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>

enum {
    READERS = 6,         /* the five threads of the server's pool, and its loop, which must not wait for one */
    PARAMETERS_MAX = 10, /* of one statement */
    STATEMENTS = 4,      /* for one write */
};

enum query {
    UNFINISHED,
    ENTRIES,
    GAMES_OF,
    OLD_GAMES,
    ASLEEP,
    ASLEEP_OF,
    USER_BY_ID,
    USER_BY_KEY,
    USER_BY_SECRET,
    ABSENT_GUESTS,
    LOGINS_OF,
    STATISTICS,
    RATINGS_OF,
    RATED_OF,
    RANKING,
    RATED,
    UNREAD,
    SCORES_OF,
    MET_BY,
    MANNER_OF,
    PLAYED_BY,
    PLAYED_OPENLY_BY,
    SHOWN_BY,
    WAYS_OF,
    LETTERS,
    LETTERS_ON,
    LETTER,
    TOURNAMENTS,
    TOURNAMENT,
    TOURNAMENTS_OF,
    SECRET_TEXT_OF,
    SIGNERS,
    TIES,
    TIES_OF,
    SEEN,
    INVITATIONS_OF,
    LISTS,
    QUERIES = LISTS + STORE_LISTS
};

typedef struct reader {
    sqlite3 *database;
    sqlite3_stmt *query[QUERIES];
    bool taken;
} reader;

typedef struct prepared {
    sqlite3_stmt *statement;
    const struct parameter *parameter[PARAMETERS_MAX];
    int parameters;
} prepared;

typedef struct sqlite {
    store head;
    char path[PATH_MAX];
    int lock; /* -1 when shared, and in memory */
    sqlite3 *writer;
    sqlite3_stmt *begin, *commit, *savepoint, *release, *roll_back_unit;
    prepared write[STORE_WRITE_KINDS][STATEMENTS];
    pthread_mutex_t guard; /* of `taken` in the readers */
    pthread_cond_t returned;
    unsigned reader_count; /* 1 in memory: it shares the writer's connection, and takes turns with it */
    reader readers[READERS];
} sqlite;

/* Says in words what the connection has just failed at, and returns false. */
bool store_explain(const char *path, sqlite3 *database, gral_error *error);
bool store_prepare(const char *path, sqlite3 *database, const char *words, sqlite3_stmt **statement, gral_error *error);
int store_bind_text(sqlite3_stmt *statement, int at, gral_span text);
const char *store_text_of(sqlite3_stmt *row, int column); /* "" for NULL */

/* Prepares all questions for a reader that has its connection, and lets go of them. */
bool store_open_reader(const sqlite *sqlite, reader *reader, gral_error *error);
void store_close_reader(reader *reader);
reader *store_take_reader(sqlite *sqlite); /* waits for one */
void store_return_reader(sqlite *sqlite, reader *reader);

/* The questions of store_kind. */
bool store_ask_unfinished(store *store, store_each_entry *each, void *context, gral_error *error);
bool store_ask_entries(store *store, const char *game, store_each_entry *each, void *context, gral_error *error);
bool store_ask_games_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                        gral_error *error);
bool store_ask_old_games(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                         gral_error *error);
bool store_ask_asleep(store *store, unsigned most, store_each_game *each, void *context, gral_error *error);
bool store_ask_asleep_of(store *store, uint64_t user, store_each_game *each, void *context, gral_error *error);
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
bool store_ask_tournaments_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                              gral_error *error);
bool store_ask_secret(store *store, const char *name, char *value, size_t room, gral_error *error);
bool store_ask_signers(store *store, store_each_signer *each, void *context, gral_error *error);

/* Whether he sits in a game that is not over, as a part of a statement. */
#define PLAYING(user)                                                                                                  \
    "EXISTS(SELECT 1 FROM seat JOIN game ON game.id = seat.game WHERE seat.user = " user " AND stage < 2)"

#endif
