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
#include "store/postgres_schema.h"
#include "store/postgres_words.h"
#include "store/store_inside.h"
#include "store/store_raw.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    WRITE_PATIENCE_MS = 30000, /* with a group: as long as a promotion takes */
    READ_PATIENCE_MS = 5000,   /* with a question, which somebody waits for */
    SILENCE_MS = 10000,        /* of the database, then the connection is given up */
    PAUSE_MS = 1,              /* after the first failure; then twice as long, up to */
    PAUSE_MAX_MS = 1000,
    WRITER_DAYS = 30, /* the row of a writer that has not been heard of for so long goes */
    ID_BYTES = 16,
};

/* Of the types, as PostgreSQL numbers them for good. */
enum { TYPE_BYTEA = 17, TYPE_BIGINT = 20, TYPE_TEXT = 25 };

/* Nobody else's on this database: "gral". */
#define SCHEMA_LOCK "1735549292"
#define SERVER_LOCK "1735549293"

typedef struct reader {
    PGconn *connection;
    bool prepared[STORE_QUERIES];
} reader;

typedef struct postgres {
    store_inside head;
    PQconninfoOption *address;
    char commit[POSTGRES_NAME_MAX];
    char id[2 * ID_BYTES + 1];
    PGconn *writer;
    int64_t connection, number;
    char *found_outcomes; /* of the group that the row of this writer told of when the connection was made */
    int64_t found_number;
    reader readers[STORE_READERS];
    char *question[STORE_QUERIES];
    unsigned parameters[STORE_QUERIES];
} postgres;

/* --- time --- */

static int64_t now_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* How long somebody still waits, and how long until the next attempt. */
typedef struct patience {
    int64_t until;
    unsigned pause;
} patience;

static patience patience_of(unsigned milliseconds)
{
    return (patience){now_ms(CLOCK_MONOTONIC) + milliseconds, PAUSE_MS};
}

static bool wait_patiently(patience *patience)
{
    const int64_t left = patience->until - now_ms(CLOCK_MONOTONIC);
    if (left <= 0)
        return false;
    poll(NULL, 0, left < patience->pause ? (int)left : (int)patience->pause);
    patience->pause = 2 * patience->pause < PAUSE_MAX_MS ? 2 * patience->pause : PAUSE_MAX_MS;
    return true;
}

/* --- what went wrong --- */

/* One line that can be put into quotes, and where the database is, without a password. */
static bool explain(PGconn *connection, const char *why, gral_error *error)
{
    char words[160];
    snprintf(words, sizeof words, "%s", why != NULL ? why : "");
    words[strcspn(words, "\n")] = '\0';
    for (char *quote; (quote = strchr(words, '"')) != NULL;)
        *quote = '\'';
    const char *host = PQhost(connection), *name = PQdb(connection);
    return store_say(error, "%s (database %s at %s)", words, name != NULL ? name : "?",
                     host != NULL && host[0] != '\0' ? host : "?");
}

static bool explain_result(PGconn *connection, const PGresult *result, gral_error *error)
{
    const char *why = result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    return explain(connection, why != NULL ? why : PQerrorMessage(connection), error);
}

static bool is_state(const PGresult *result, const char *state)
{
    const char *found = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return found != NULL && strcmp(found, state) == 0;
}

/* --- one statement --- */

/* Waits for the next part of an answer. False if the connection was lost or has been silent for too long; then it is of
 * no more use. */
static bool await_part(PGconn *connection)
{
    while (PQisBusy(connection)) {
        struct pollfd end = {PQsocket(connection), POLLIN, 0};
        const int ready = poll(&end, 1, SILENCE_MS);
        if ((ready < 0 && errno != EINTR) || ready == 0 || !PQconsumeInput(connection))
            return false;
    }
    return true;
}

/* The whole answer, or NULL with a lost connection. */
static PGresult *await(PGconn *connection)
{
    PGresult *last = NULL;
    for (;;) {
        if (!await_part(connection)) {
            PQclear(last);
            return NULL;
        }
        PGresult *next = PQgetResult(connection);
        if (next == NULL)
            break;
        /* Of several statements in one text the first that fails is the answer. */
        if (last != NULL && PQresultStatus(last) == PGRES_FATAL_ERROR) {
            PQclear(next);
            continue;
        }
        PQclear(last);
        last = next;
    }
    if (PQstatus(connection) == CONNECTION_OK)
        return last;
    PQclear(last);
    return NULL;
}

static bool is_good(const PGresult *result)
{
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* Whether it was done; the answer is thrown away. */
static bool run(PGconn *connection, const char *words, gral_error *error)
{
    PGresult *result = PQsendQuery(connection, words) ? await(connection) : NULL;
    const bool good = is_good(result) || explain_result(connection, result, error);
    PQclear(result);
    return good;
}

/* The rows, as texts; NULL on an error. */
static PGresult *ask_for(PGconn *connection, const char *words, int count, const char *const *values, gral_error *error)
{
    PGresult *result = PQsendQueryParams(connection, words, count, NULL, values, NULL, NULL, 0) ? await(connection)
                                                                                                : NULL;
    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    explain_result(connection, result, error);
    PQclear(result);
    return NULL;
}

/* One number; a false, a NULL and no row are 0. */
static bool ask_number(PGconn *connection, const char *words, int64_t *number, gral_error *error)
{
    PGresult *result = ask_for(connection, words, 0, NULL, error);
    if (result == NULL)
        return false;
    *number = PQntuples(result) > 0 ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : 0;
    PQclear(result);
    return true;
}

/* --- connections --- */

/* What the address leaves open. */
static const char *usual_value(const char *keyword)
{
    static const struct {
        const char *keyword, *value;
    } usual[] = {
        {"target_session_attrs", "read-write"}, /* of several hosts the one that can be written to */
        {"connect_timeout", "5"},
        {"tcp_user_timeout", "10000"},
        {"keepalives_idle", "10"},
        {"keepalives_interval", "5"},
        {"application_name", "gral"},
        {"client_encoding", "UTF8"},
    };
    for (size_t row = 0; row < sizeof usual / sizeof *usual; row++)
        if (strcmp(usual[row].keyword, keyword) == 0)
            return usual[row].value;
    return NULL;
}

/* All statements are about a few rows, found by an index whatever the tables' statistics say, and by the same plan
 * each time. What was answered survives, whatever the usual setting is; more than that is for whoever runs the
 * database to choose. */
static const char settings[] =
    "SET search_path = gral; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off;"
    "SET default_transaction_isolation = 'read committed'; SET bytea_output = hex;"
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/* What it notes besides is nobody's business. */
static void ignore(void *context, const char *message)
{
    (void)context, (void)message;
}

static PGconn *connect_to(const postgres *postgres, gral_error *error)
{
    enum { KEYWORDS_MAX = 80 };
    const char *keywords[KEYWORDS_MAX + 1], *values[KEYWORDS_MAX + 1];
    int count = 0;
    for (const PQconninfoOption *option = postgres->address; option->keyword != NULL && count < KEYWORDS_MAX;
         option++) {
        keywords[count] = option->keyword;
        values[count++] = option->val != NULL ? option->val : usual_value(option->keyword);
    }
    keywords[count] = values[count] = NULL;
    PGconn *connection = PQconnectdbParams(keywords, values, 0);
    PQsetNoticeProcessor(connection, ignore, NULL);
    if (PQstatus(connection) == CONNECTION_OK && run(connection, settings, error))
        return connection;
    if (PQstatus(connection) != CONNECTION_OK)
        explain(connection, PQerrorMessage(connection), error);
    PQfinish(connection);
    return NULL;
}

/* --- the schema --- */

/* 0: it is not ours yet. */
static bool look(PGconn *connection, int64_t *version, gral_error *error)
{
    int64_t tables;
    if (!ask_number(connection, "SELECT count(*) FROM pg_tables WHERE schemaname = 'gral'", &tables, error))
        return false;
    *version = 0;
    if (tables == 0)
        return true;
    int64_t marked;
    if (!ask_number(connection, "SELECT count(*) FROM pg_tables WHERE schemaname = 'gral' AND tablename = 'version'",
                    &marked, error))
        return false;
    if (marked == 0)
        return explain(connection, "its schema gral is another program's", error);
    if (!ask_number(connection, "SELECT number FROM version", version, error))
        return false;
    if (*version <= postgres_version)
        return true;
    char words[100];
    snprintf(words, sizeof words, "it is of version %d, from a newer gral; this one knows version %u", (int)*version,
             postgres_version);
    return explain(connection, words, error);
}

static bool run_ours(PGconn *connection, const char *words, gral_error *error)
{
    char *translated = postgres_words_of(words, NULL);
    const bool good = translated != NULL ? run(connection, translated, error) : store_say(error, "out of memory");
    free(translated);
    return good;
}

static bool climb(PGconn *connection, bool may_change, gral_error *error)
{
    int64_t version;
    /* Once more: somebody may have been quicker, but nobody is now. */
    if (!run(connection, "SELECT pg_advisory_xact_lock(" SCHEMA_LOCK "); CREATE SCHEMA IF NOT EXISTS gral", error) ||
        !look(connection, &version, error))
        return false;
    if (version > 0 && version < postgres_version && !may_change) {
        char words[120];
        snprintf(words, sizeof words,
                 "it is of version %d, from an older gral; gral serve brings it to version %u when it starts",
                 (int)version, postgres_version);
        return explain(connection, words, error);
    }
    if (version == 0 && !run(connection,
                             "CREATE TABLE version(number bigint NOT NULL);"
                             "INSERT INTO version VALUES(0)",
                             error))
        return false;
    for (unsigned next = version == 0 ? POSTGRES_FIRST_VERSION : (unsigned)version + 1; next <= postgres_version;
         next++)
        if (!run_ours(connection, postgres_steps[next - POSTGRES_FIRST_VERSION], error))
            return false;
    char mark[80];
    snprintf(mark, sizeof mark, "UPDATE version SET number = %u", postgres_version);
    return run(connection, mark, error);
}

/* Everything in one transaction, as one program at a time. */
static bool alone(PGconn *connection, bool (*change)(PGconn *connection, bool may_change, gral_error *error),
                  bool may_change, gral_error *error)
{
    return run(connection, "BEGIN", error) && change(connection, may_change, error) && run(connection, "COMMIT", error);
}

static bool bring_up_to_date(PGconn *connection, bool may_change, gral_error *error)
{
    int64_t version;
    if (!look(connection, &version, error))
        return false;
    return version == postgres_version || alone(connection, climb, may_change, error);
}

static bool make_functions(PGconn *connection, bool may_change, gral_error *error)
{
    (void)may_change;
    char name[POSTGRES_NAME_MAX];
    char *words = postgres_functions(name);
    if (words == NULL)
        return store_say(error, "out of memory");
    const bool good = run(connection, "SELECT pg_advisory_xact_lock(" SCHEMA_LOCK ")", error) &&
                      run(connection, words, error);
    free(words);
    return good;
}

static bool have_functions(postgres *postgres, PGconn *connection, gral_error *error)
{
    char question[200];
    int64_t there;
    char *words = postgres_functions(postgres->commit);
    if (words == NULL)
        return store_say(error, "out of memory");
    free(words);
    snprintf(question, sizeof question,
             "SELECT count(*) FROM pg_proc WHERE proname = '%s'"
             " AND pronamespace = 'gral'::regnamespace",
             postgres->commit);
    return ask_number(connection, question, &there, error) &&
           (there > 0 || alone(connection, make_functions, true, error));
}

/* --- the writer --- */

/* See above: the row of this writer names this connection from now on, and tells of the last group. */
static bool claim(postgres *postgres, PGconn *connection, gral_error *error)
{
    char now[24];
    snprintf(now, sizeof now, "%" PRId64, now_ms(CLOCK_REALTIME));
    PGresult *row = ask_for(connection,
                            "INSERT INTO writer VALUES($1, 1, 0, '', $2) ON CONFLICT(id) DO UPDATE"
                            " SET connection = writer.connection + 1, time = excluded.time"
                            " RETURNING connection, number, outcomes",
                            2, (const char *[]){postgres->id, now}, error);
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

static bool prepare_commit(const postgres *postgres, PGconn *connection, gral_error *error)
{
    char words[100];
    snprintf(words, sizeof words, "SELECT %s($1, $2, $3, $4, $5, $6, $7, $8, $9)", postgres->commit);
    PGresult *result = PQsendPrepare(connection, commit_statement, words, 0, NULL) ? await(connection) : NULL;
    const bool good = is_good(result) || explain_result(connection, result, error);
    PQclear(result);
    return good;
}

static bool connect_writer(postgres *postgres, gral_error *error)
{
    PGconn *connection = connect_to(postgres, error);
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

/* A group on its way. */
typedef struct group {
    store_write *writes;
    size_t count;
    enum postgres_entry *entry;
    char *argument[POSTGRES_ARGUMENTS];
} group;

/* A number for each write but those that are written all at once, or not at all. */
static bool read_outcomes(const char *outcomes, const group *group)
{
    for (size_t index = 0; index < group->count; index++) {
        long one = 0;
        if (group->entry[index] == POSTGRES_OTHER) {
            char *end;
            one = strtol(outcomes, &end, 10);
            if (end == outcomes)
                return false;
            outcomes = *end == ',' ? end + 1 : end;
        }
        group->writes[index].outcome = one < 0 ? STORE_CONFLICT : STORE_DONE;
        group->writes[index].ended = one > 0 ? (uint32_t)one : 0;
    }
    return outcomes[0] == '\0';
}

enum attempt { WRITTEN, AGAIN, ONE_BY_ONE, NEVER, NO_ROOM };

/* After an error the group was not written: a statement is done or not. But when the connection ends as well, whatever
 * was said last, it may have been; and a server that only reads is one to leave. */
static enum attempt judge(postgres *postgres, const PGresult *result, gral_error *error)
{
    explain_result(postgres->writer, result, error);
    if (result == NULL || PQstatus(postgres->writer) != CONNECTION_OK || is_state(result, "25006") ||
        is_state(result, "GRAL2")) {
        lose_writer(postgres);
        return AGAIN;
    }
    if (is_state(result, "53100"))
        return NO_ROOM;
    if (is_state(result, "GRAL3"))
        return ONE_BY_ONE;
    return is_state(result, "40001") || is_state(result, "40P01") || is_state(result, "57014") ? AGAIN : NEVER;
}

static enum attempt send_group(postgres *postgres, const group *group, gral_error *error)
{
    char connection[24], number[24];
    snprintf(connection, sizeof connection, "%" PRId64, postgres->connection);
    snprintf(number, sizeof number, "%" PRId64, postgres->number);
    enum { BEFORE = 3 };
    const char *values[BEFORE + POSTGRES_ARGUMENTS] = {postgres->id, connection, number};
    memcpy(values + BEFORE, group->argument, sizeof group->argument);
    PGresult *result = PQsendQueryPrepared(postgres->writer, commit_statement, BEFORE + POSTGRES_ARGUMENTS, values,
                                           NULL, NULL, 0)
                           ? await(postgres->writer)
                           : NULL;
    enum attempt attempt = WRITTEN;
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        attempt = judge(postgres, result, error);
    else if (!read_outcomes(PQgetvalue(result, 0, 0), group)) {
        explain(postgres->writer, "the database does not answer as it should", error);
        attempt = NEVER;
    }
    PQclear(result);
    return attempt;
}

static enum attempt try_group(postgres *postgres, const group *group, gral_error *error)
{
    if (postgres->writer == NULL) {
        if (!connect_writer(postgres, error))
            return AGAIN;
        if (postgres->found_number == postgres->number)
            return read_outcomes(postgres->found_outcomes, group) ? WRITTEN : NEVER;
    }
    return send_group(postgres, group, error);
}

static bool make_arguments(group *group, bool one_by_one)
{
    for (unsigned at = 0; at < POSTGRES_ARGUMENTS; at++) {
        free(group->argument[at]);
        group->argument[at] = NULL;
    }
    if (one_by_one)
        memset(group->entry, 0, group->count * sizeof *group->entry);
    else if (!postgres_mark_entries(group->writes, group->count, group->entry))
        return false;
    return postgres_group(group->writes, group->count, group->entry, group->argument);
}

static enum attempt write_group(postgres *postgres, group *group, gral_error *error)
{
    patience patience = patience_of(WRITE_PATIENCE_MS);
    enum attempt attempt = ONE_BY_ONE;
    postgres->number++;
    for (unsigned round = 0; attempt == ONE_BY_ONE; round++) {
        if (!make_arguments(group, round > 0)) {
            store_say(error, "out of memory");
            return NEVER;
        }
        do {
            attempt = try_group(postgres, group, error);
        } while (attempt == AGAIN && wait_patiently(&patience));
    }
    return attempt;
}

static bool postgres_commit(store *store, store_write *writes, size_t count, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    if (!store_writes_make_sense(writes, count, error)) {
        store_set_outcome(writes, count, STORE_FAILED);
        return false;
    }
    if (count == 0)
        return true;
    group group = {.writes = writes, .count = count, .entry = calloc(count, sizeof *group.entry)};
    const enum attempt attempt = group.entry != NULL ? write_group(postgres, &group, error) : NEVER;
    for (unsigned at = 0; at < POSTGRES_ARGUMENTS; at++)
        free(group.argument[at]);
    free(group.entry);
    if (attempt == WRITTEN)
        return true;
    store_set_outcome(writes, count, attempt == NO_ROOM ? STORE_FULL : STORE_FAILED);
    return false;
}

/* --- reading --- */

static gral_span bytes_of(const store_row *row, int column)
{
    return (gral_span){PQgetvalue(row->answer, row->at, column), (size_t)PQgetlength(row->answer, row->at, column)};
}

/* Numbers come as they are sent, the highest byte first. */
static int64_t number_of(const store_row *row, int column)
{
    const gral_span bytes = bytes_of(row, column);
    uint64_t number = 0;
    for (size_t at = 0; at < bytes.length; at++)
        number = number << 8 | (unsigned char)bytes.bytes[at];
    return bytes.length == sizeof(int32_t) ? (int32_t)(uint32_t)number : (int64_t)number;
}

static double real_of(const store_row *row, int column)
{
    const int64_t bits = number_of(row, column);
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static const store_cells cells = {bytes_of, number_of, real_of};

/* The arguments of a question, as they are sent. */
enum { ARGUMENTS_MAX = 4 };
typedef struct sent {
    Oid type[ARGUMENTS_MAX];
    const char *value[ARGUMENTS_MAX];
    int length[ARGUMENTS_MAX], format[ARGUMENTS_MAX];
    uint64_t number[ARGUMENTS_MAX];
    char *text[ARGUMENTS_MAX];
} sent;

static bool make_sent(sent *sent, const store_argument *arguments, unsigned count)
{
    *sent = (struct sent){0};
    for (unsigned at = 0; at < count; at++) {
        sent->format[at] = 1;
        if (arguments[at].text != NULL) {
            sent->text[at] = postgres_text(arguments[at].text);
            if (sent->text[at] == NULL)
                return false;
            sent->type[at] = TYPE_TEXT;
            sent->value[at] = sent->text[at];
            sent->length[at] = (int)strlen(sent->text[at]);
        } else if (arguments[at].secret != NULL) {
            sent->type[at] = TYPE_BYTEA;
            sent->value[at] = (const char *)arguments[at].secret;
            sent->length[at] = STORE_SECRET_BYTES;
        } else {
            sent->number[at] = htobe64((uint64_t)arguments[at].number);
            sent->type[at] = TYPE_BIGINT;
            sent->value[at] = (const char *)&sent->number[at];
            sent->length[at] = sizeof sent->number[at];
        }
    }
    return true;
}

static void free_sent(sent *sent)
{
    for (unsigned at = 0; at < ARGUMENTS_MAX; at++)
        free(sent->text[at]);
}

static PGresult *ask_once(const postgres *postgres, reader *reader, enum store_query query, const sent *sent)
{
    char name[16];
    const int count = (int)postgres->parameters[query];
    snprintf(name, sizeof name, "q%u", query);
    if (!reader->prepared[query]) {
        PGresult *result = PQsendPrepare(reader->connection, name, postgres->question[query], count, sent->type)
                               ? await(reader->connection)
                               : NULL;
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            return result;
        PQclear(result);
        reader->prepared[query] = true;
    }
    if (!PQsendQueryPrepared(reader->connection, name, count, sent->value, sent->length, sent->format, 1))
        return NULL;
    if (!store_questions[query].endless)
        return await(reader->connection);
    PQsetSingleRowMode(reader->connection);
    return await_part(reader->connection) ? PQgetResult(reader->connection) : NULL;
}

static void lose_reader(reader *reader)
{
    PQfinish(reader->connection);
    reader->connection = NULL;
}

/* The whole answer, or of an endless one the first row; NULL on an error. With a lost connection the question is asked
 * again by a new one. */
static PGresult *ask_patiently(const postgres *postgres, reader *reader, enum store_query query, const sent *sent,
                               gral_error *error)
{
    patience patience = patience_of(READ_PATIENCE_MS);
    do {
        if (reader->connection == NULL) {
            memset(reader->prepared, 0, sizeof reader->prepared);
            reader->connection = connect_to(postgres, error);
            if (reader->connection == NULL)
                continue;
        }
        PGresult *result = ask_once(postgres, reader, query, sent);
        if (PQresultStatus(result) == PGRES_TUPLES_OK || PQresultStatus(result) == PGRES_SINGLE_TUPLE)
            return result;
        explain_result(reader->connection, result, error);
        const bool lost = result == NULL || PQstatus(reader->connection) != CONNECTION_OK;
        PQclear(result);
        if (!lost && !store_questions[query].endless)
            return NULL;
        lose_reader(reader);
        if (!lost)
            return NULL;
    } while (wait_patiently(&patience));
    return NULL;
}

/* False: no more is wanted. */
static bool take_rows(PGresult *result, enum store_query query, const store_listener *listener)
{
    const int rows = PQntuples(result);
    store_row row = {.cells = &cells, .answer = result};
    while (row.at < rows && store_questions[query].take(listener, &row))
        row.at++;
    const bool all = row.at == rows;
    PQclear(result);
    return all;
}

/* An endless answer, from its first row on. Whoever wants no more of it leaves the connection with the rest. */
static bool take_all(reader *reader, PGresult *result, enum store_query query, const store_listener *listener,
                     gral_error *error)
{
    bool good = true, wanted = true;
    while (good && wanted && result != NULL) {
        good = PQresultStatus(result) != PGRES_FATAL_ERROR || explain_result(reader->connection, result, error);
        wanted = take_rows(result, query, listener);
        result = NULL;
        if (!await_part(reader->connection))
            good = explain(reader->connection, PQerrorMessage(reader->connection), error);
        else
            result = PQgetResult(reader->connection);
    }
    PQclear(result);
    if (!good || !wanted)
        lose_reader(reader);
    return good;
}

static bool hear(store *store, unsigned index, enum store_query query, const store_argument *arguments,
                 const store_listener *listener, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    sent sent;
    PGresult *result = NULL;
    if (make_sent(&sent, arguments, postgres->parameters[query]))
        result = ask_patiently(postgres, &postgres->readers[index], query, &sent, error);
    else
        store_say(error, "out of memory");
    free_sent(&sent);
    if (result == NULL)
        return false;
    if (store_questions[query].endless)
        return take_all(&postgres->readers[index], result, query, listener, error);
    take_rows(result, query, listener);
    return true;
}

/* --- opening and closing --- */

static void postgres_close(store *store)
{
    postgres *postgres = (struct postgres *)store;
    if (postgres->writer != NULL && postgres->connection > 0)
        PQclear(ask_for(postgres->writer, "DELETE FROM writer WHERE id = $1 RETURNING 1", 1,
                        (const char *[]){postgres->id}, NULL));
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

static bool translate_questions(postgres *postgres, gral_error *error)
{
    for (unsigned query = 0; query < STORE_QUERIES; query++) {
        postgres->question[query] = postgres_words_of(store_questions[query].words, &postgres->parameters[query]);
        assert(postgres->parameters[query] <= ARGUMENTS_MAX);
        if (postgres->question[query] == NULL)
            return store_say(error, "out of memory");
    }
    return true;
}

/* The lock goes with the connection. One that was killed a moment ago may still have it. */
static bool take_lock(PGconn *connection, gral_error *error)
{
    patience patience = patience_of(READ_PATIENCE_MS);
    int64_t taken = 0;
    do {
        if (!ask_number(connection, "SELECT pg_try_advisory_lock(" SERVER_LOCK ")::integer", &taken, error))
            return false;
    } while (taken == 0 && wait_patiently(&patience));
    return taken != 0 || explain(connection, "another gral serve uses this database", error);
}

static bool open_writer(postgres *postgres, bool shared, gral_error *error)
{
    int64_t utf8;
    char clear[100];
    snprintf(clear, sizeof clear, "DELETE FROM writer WHERE time < %" PRId64,
             now_ms(CLOCK_REALTIME) - WRITER_DAYS * INT64_C(86400000));
    PGconn *connection = connect_to(postgres, error);
    postgres->writer = connection;
    if (connection == NULL ||
        !ask_number(connection, "SELECT (current_setting('server_encoding') = 'UTF8')::integer", &utf8, error))
        return false;
    if (!utf8)
        return explain(connection, "its encoding is not UTF8", error);
    return (shared || take_lock(connection, error)) && bring_up_to_date(connection, !shared, error) &&
           have_functions(postgres, connection, error) && run(connection, clear, error) &&
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
    postgres->head.hear = hear;
    postgres->head.raw = &store_raw_postgres;
    char *why = NULL;
    postgres->address = PQconninfoParse(address, &why);
    if (postgres->address == NULL) {
        char words[160];
        snprintf(words, sizeof words, "%s", why != NULL ? why : "out of memory");
        words[strcspn(words, "\n")] = '\0';
        store_say(error, "%s", words);
    }
    PQfreemem(why);
    if (postgres->address != NULL && make_id(postgres->id, error) && translate_questions(postgres, error) &&
        open_writer(postgres, shared, error))
        return &postgres->head.head;
    postgres_close(&postgres->head.head);
    return NULL;
}

const store_kind store_in_postgres = {
    .name = "postgres", .open = postgres_open, .close = postgres_close, .commit = postgres_commit, ASKED_AS_ANY};

PGconn *store_postgres_writer(store *store)
{
    return ((postgres *)store)->writer;
}
