/* A store in PostgreSQL, for the files that are one: connections and what is said by them (postgres_connection.c), what
 * is asked (postgres_read.c), the schema (postgres_upgrade.c), other servers (postgres_peers.c), and all the rest
 * (store_postgres.c). Inside of src/store only. */
#ifndef GRAL_POSTGRES_INSIDE_H
#define GRAL_POSTGRES_INSIDE_H

#include "store/postgres_words.h"
#include "store/store_hints.h"
#include "store/store_inside.h"

#include <libpq-fe.h>

enum {
    READ_PATIENCE_MS = 5000, /* with a question, which somebody waits for */
    ID_BYTES = 16,
};

/* A server that can only be read is one to leave. */
#define POSTGRES_ONLY_READS "25006"
/* A newer program has shut this one out (postgres_upgrade.c). */
#define POSTGRES_NO_FUNCTION "42883"

typedef struct postgres_reader {
    PGconn *connection;
    bool prepared[STORE_QUERIES], prepared_news;
} postgres_reader;

/* The connection by which a server hears what others say, and says that it lives. */
typedef struct postgres_ear {
    PGconn *connection;
    bool missed;  /* something may have been, between two connections */
    bool entered; /* this server lives, as far as it knows */
    bool left;
    pthread_mutex_t guard; /* who has left does not beat any more */
    store_pieces pieces;
} postgres_ear;

typedef struct postgres {
    store_inside head;
    PQconninfoOption *address;
    uint64_t mark; /* of the functions in the database */
    char id[2 * ID_BYTES + 1];
    PGconn *writer;
    bool outdated; /* it cannot be had any more */
    int64_t connection, number;
    char *found_outcomes; /* of the group that the row of this writer told of when the connection was made */
    int64_t found_number;
    postgres_reader readers[STORE_READERS];
    char *question[STORE_QUERIES];
    unsigned parameters[STORE_QUERIES];
    postgres_ear ear;
} postgres;

/* --- connections --- */

/* How long somebody still waits, and how long until the next attempt. */
typedef struct postgres_patience {
    int64_t until;
    unsigned pause;
} postgres_patience;

postgres_patience postgres_patience_of(unsigned milliseconds);
bool postgres_wait_patiently(postgres_patience *patience);

PGconn *postgres_connect_to(const postgres *postgres, gral_error *error);

/* What went wrong, in one line that can be put into quotes, and where the database is, without a password. False. */
bool postgres_explain(PGconn *connection, const char *why, gral_error *error);
bool postgres_explain_result(PGconn *connection, const PGresult *result, gral_error *error);
bool postgres_is_state(const PGresult *result, const char *state);
/* Somebody else was in the way, or the statement was broken off: it can be said again. */
bool postgres_is_passing(const PGresult *result);
bool postgres_is_good(const PGresult *result);

/* Waits for the next part of an answer. False if the connection was lost or has been silent for too long; then it is of
 * no more use. And for the whole answer, or NULL with a lost connection. */
bool postgres_await_part(PGconn *connection);
PGresult *postgres_await(PGconn *connection);

/* Whether it was done; the answer is thrown away. */
bool postgres_run(PGconn *connection, const char *words, gral_error *error);
/* The rows, as texts; NULL on an error. */
PGresult *postgres_ask_for(PGconn *connection, const char *words, int count, const char *const *values,
                           gral_error *error);
/* One number; a false, a NULL and no row are 0. */
bool postgres_ask_number(PGconn *connection, const char *words, int64_t *number, gral_error *error);

/* --- the schema --- */

/* Tables and functions are those of this program from now on; the mark is that of the functions. An older database is
 * changed if that is allowed. While servers of an older program use it, it is only if they can go on
 * (postgres_schema.h).
 */
bool postgres_bring_up_to_date(PGconn *connection, bool may_change, uint64_t *mark, gral_error *error);

/* --- reading --- */

bool postgres_translate_questions(postgres *postgres, gral_error *error);
bool postgres_hear(store *store, unsigned index, enum store_query query, const store_argument *arguments,
                   const store_listener *listener, gral_error *error);
/* A statement by one of the connections for reading, which may be said twice when a connection is lost. The rows as
 * texts, or NULL. */
PGresult *postgres_ask_patiently(postgres *postgres, const char *words, int count, const char *const *values,
                                 gral_error *error);
/* The same for news, which are asked for so often that each connection prepares it. */
PGresult *postgres_ask_for_news(postgres *postgres, const char *words, int count, const char *const *values,
                                gral_error *error);

/* --- other servers --- */

extern const store_peers_kind store_peers_in_postgres;
void postgres_open_ear(postgres *postgres);
void postgres_close_ear(postgres *postgres);

#endif
