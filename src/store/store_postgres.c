/* A database in PostgreSQL, through libpq.
 *
 * A group of writes is one call of a function in the database (postgres_words.c), one statement that is a transaction
 * by itself: one round trip, one flush of its log. There is one connection for writing and a few for reading. One that
 * is lost is made again, after pauses that grow; who waits for too long is told that it failed.
 *
 * When a connection is lost after a group was sent and before it was answered, nobody knows whether it was written. To
 * know it, whoever writes has a row in the table `writer`, with the number of the connection by which he writes and the
 * number and outcomes of his last group. The function changes that row last, and only if the connection is still the
 * one named there: so the row tells of a group exactly if the group is written. Who comes back by a new connection
 * raises the number of the connection and, with the same statement, reads the row (`claim`). If the lost connection is
 * about to write there, the statement waits for it. Afterwards
 *  - the row tells of the group: it was written, and its outcomes are there;
 *  - it does not: the group was not written, and never will be by the old connection, however late its words arrive,
 *    because the row names another; so it is sent again.
 * This holds as well after the promotion of a standby that is synchronous: it has both, the row and what was written,
 * or neither. And whoever has been answered by `claim` knows that everything before it is on the standby, too. */
#include "store/postgres_group.h"
#include "store/postgres_inside.h"
#include "store/store_raw.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { WRITE_PATIENCE_MS = 30000 }; /* with a group: as long as a promotion takes */

/* The row of a writer that has not been heard of for so long goes. */
#define THIRTY_DAYS "2592000000"

/* --- the writer --- */

/* See above: the row of this writer names this connection from now on, and tells of the last group. */
static bool claim(postgres *postgres, PGconn *connection, gral_error *error)
{
    PGresult *row = postgres_ask_for(connection,
                                     "INSERT INTO writer VALUES($1, 1, 0, '', " POSTGRES_NOW
                                     ") ON CONFLICT(id) DO UPDATE"
                                     " SET connection = writer.connection + 1, time = excluded.time"
                                     " RETURNING connection, number, outcomes, set_config('gral.writer', id, false)",
                                     1, (const char *[]){postgres->id}, error);
    if (row == NULL)
        return false;
    postgres->connection = strtoll(PQgetvalue(row, 0, 0), NULL, 10);
    postgres->found_number = strtoll(PQgetvalue(row, 0, 1), NULL, 10);
    free(postgres->found_outcomes);
    postgres->found_outcomes = strdup(PQgetvalue(row, 0, 2));
    PQclear(row);
    return postgres->found_outcomes != NULL || store_say(error, "out of memory");
}

static const char commit_statement[] = "commit";

static bool prepare_commit(postgres *postgres, PGconn *connection, gral_error *error)
{
    char words[100];
    snprintf(words, sizeof words, "SELECT commit_%016" PRIx64 "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
             postgres->mark);
    PGresult *result = PQsendPrepare(connection, commit_statement, words, 0, NULL) ? postgres_await(connection) : NULL;
    const bool good = postgres_is_good(result) || postgres_explain_result(connection, result, error);
    postgres->outdated = result != NULL && postgres_is_state(result, POSTGRES_NO_FUNCTION);
    PQclear(result);
    return good;
}

static bool connect_writer(postgres *postgres, gral_error *error)
{
    PGconn *connection = postgres_connect_to(postgres, error);
    if (connection == NULL)
        return false;
    if (claim(postgres, connection, error) && prepare_commit(postgres, connection, error)) {
        postgres->writer = connection;
        return true;
    }
    PQfinish(connection);
    return false;
}

static void lose_writer(postgres *postgres)
{
    PQfinish(postgres->writer);
    postgres->writer = NULL;
}

enum attempt { WRITTEN, AGAIN, NEVER, NO_ROOM };

/* After an error the group was not written: a statement is done or not. But when the connection ends as well, whatever
 * was said last, it may have been; and a server that only reads is one to leave. */
static enum attempt judge(postgres *postgres, const PGresult *result, gral_error *error)
{
    postgres_explain_result(postgres->writer, result, error);
    if (result == NULL || PQstatus(postgres->writer) != CONNECTION_OK ||
        postgres_is_state(result, POSTGRES_ONLY_READS) || postgres_is_state(result, "GRAL2")) {
        lose_writer(postgres);
        return AGAIN;
    }
    if (postgres_is_state(result, "53100"))
        return NO_ROOM;
    return postgres_is_passing(result) ? AGAIN : NEVER;
}

static enum attempt send_group(postgres *postgres, const postgres_group *group, gral_error *error)
{
    char connection[24], number[24];
    snprintf(connection, sizeof connection, "%" PRId64, postgres->connection);
    snprintf(number, sizeof number, "%" PRId64, postgres->number);
    enum { BEFORE = 3 };
    const char *values[BEFORE + POSTGRES_ARGUMENTS] = {postgres->id, connection, number};
    memcpy(values + BEFORE, group->argument, sizeof group->argument);
    PGresult *result = PQsendQueryPrepared(postgres->writer, commit_statement, BEFORE + POSTGRES_ARGUMENTS, values,
                                           NULL, NULL, 0)
                           ? postgres_await(postgres->writer)
                           : NULL;
    enum attempt attempt = WRITTEN;
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        attempt = judge(postgres, result, error);
    else if (!postgres_group_read(group, PQgetvalue(result, 0, 0))) {
        postgres_explain(postgres->writer, "the database does not answer as it should", error);
        attempt = NEVER;
    }
    PQclear(result);
    return attempt;
}

static enum attempt try_group(postgres *postgres, const postgres_group *group, gral_error *error)
{
    if (postgres->writer == NULL) {
        if (!connect_writer(postgres, error))
            return postgres->outdated ? NEVER : AGAIN;
        if (postgres->found_number == postgres->number)
            return postgres_group_read(group, postgres->found_outcomes) ? WRITTEN : NEVER;
    }
    return send_group(postgres, group, error);
}

static enum attempt write_group(postgres *postgres, const postgres_group *group, gral_error *error)
{
    postgres_patience patience = postgres_patience_of(WRITE_PATIENCE_MS);
    enum attempt attempt;
    postgres->number++;
    do {
        attempt = try_group(postgres, group, error);
    } while (attempt == AGAIN && postgres_wait_patiently(&patience));
    return attempt;
}

static bool postgres_commit(store *store, store_write *writes, size_t count, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    postgres_group group;
    if (!store_writes_make_sense(writes, count, error)) {
        store_set_outcome(writes, count, STORE_FAILED);
        return false;
    }
    if (count == 0)
        return true;
    enum attempt attempt = NEVER;
    if (postgres_group_make(&group, writes, count, postgres->id))
        attempt = write_group(postgres, &group, error);
    else
        store_say(error, "out of memory");
    postgres_group_free(&group);
    if (attempt == WRITTEN)
        return true;
    store_set_outcome(writes, count, attempt == NO_ROOM ? STORE_FULL : STORE_FAILED);
    return false;
}

/* --- opening and closing --- */

static void postgres_close(store *store)
{
    postgres *postgres = (struct postgres *)store;
    if (postgres->writer != NULL && postgres->connection > 0)
        PQclear(postgres_ask_for(postgres->writer, "DELETE FROM writer WHERE id = $1 RETURNING 1", 1,
                                 (const char *[]){postgres->id}, NULL));
    postgres_close_ear(postgres);
    PQfreemem(postgres->head.under_way);
    PQfinish(postgres->writer);
    for (unsigned index = 0; index < STORE_READERS; index++)
        PQfinish(postgres->readers[index].connection);
    for (unsigned query = 0; query < STORE_QUERIES; query++)
        free(postgres->question[query]);
    PQconninfoFree(postgres->address);
    free(postgres->found_outcomes);
    store_end_asking(&postgres->head);
    free(postgres);
}

static bool make_id(char id[2 * ID_BYTES + 1], gral_error *error)
{
    uint8_t bytes[ID_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return store_say(error, "%s", strerror(errno));
    for (unsigned at = 0; at < ID_BYTES; at++)
        snprintf(id + 2 * at, 3, "%02x", bytes[at]);
    return true;
}

static bool open_writer(postgres *postgres, bool shared, gral_error *error)
{
    int64_t utf8;
    PGconn *connection = postgres_connect_to(postgres, error);
    postgres->writer = connection;
    if (connection == NULL ||
        !postgres_ask_number(connection, "SELECT (current_setting('server_encoding') = 'UTF8')::integer", &utf8, error))
        return false;
    if (!utf8)
        return postgres_explain(connection, "its encoding is not UTF8", error);
    return postgres_bring_up_to_date(connection, !shared, &postgres->mark, error) &&
           postgres_run(connection, "DELETE FROM writer WHERE time < " POSTGRES_NOW " - " THIRTY_DAYS, error) &&
           claim(postgres, connection, error) && prepare_commit(postgres, connection, error);
}

static store *postgres_open(const char *address, bool shared, gral_error *error)
{
    postgres *postgres = calloc(1, sizeof *postgres);
    if (postgres == NULL) {
        store_say(error, "out of memory");
        return NULL;
    }
    store_begin_asking(&postgres->head, &store_in_postgres, STORE_READERS);
    postgres->head.hear = postgres_hear;
    postgres->head.raw = &store_raw_postgres;
    postgres_open_ear(postgres);
    char *why = NULL;
    postgres->address = PQconninfoParse(address, &why);
    if (postgres->address == NULL) {
        char words[160];
        snprintf(words, sizeof words, "%s", why != NULL ? why : "out of memory");
        words[strcspn(words, "\n")] = '\0';
        store_say(error, "%s", words);
    }
    PQfreemem(why);
    if (postgres->address != NULL && make_id(postgres->id, error) && postgres_translate_questions(postgres, error) &&
        open_writer(postgres, shared, error))
        return &postgres->head.head;
    postgres_close(&postgres->head.head);
    return NULL;
}

const store_kind store_in_postgres = {.name = "postgres",
                                      .peers = &store_peers_in_postgres,
                                      .open = postgres_open,
                                      .close = postgres_close,
                                      .commit = postgres_commit,
                                      ASKED_AS_ANY};

PGconn *store_postgres_writer(store *store)
{
    return ((postgres *)store)->writer;
}
