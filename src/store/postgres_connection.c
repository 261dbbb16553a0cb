#include "store/postgres_inside.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SILENCE_MS = 10000, /* of the database, then the connection is given up */
    PAUSE_MS = 1,       /* after the first failure; then twice as long, up to */
    PAUSE_MAX_MS = 1000,
};

/* --- time --- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

postgres_patience postgres_patience_of(unsigned milliseconds)
{
    return (postgres_patience){now_ms() + milliseconds, PAUSE_MS};
}

bool postgres_wait_patiently(postgres_patience *patience)
{
    const int64_t left = patience->until - now_ms();
    if (left <= 0)
        return false;
    poll(NULL, 0, left < patience->pause ? (int)left : (int)patience->pause);
    patience->pause = 2 * patience->pause < PAUSE_MAX_MS ? 2 * patience->pause : PAUSE_MAX_MS;
    return true;
}

/* --- what went wrong --- */

bool postgres_explain(PGconn *connection, const char *why, gral_error *error)
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

bool postgres_explain_result(PGconn *connection, const PGresult *result, gral_error *error)
{
    const char *why = result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    return postgres_explain(connection, why != NULL ? why : PQerrorMessage(connection), error);
}

bool postgres_is_state(const PGresult *result, const char *state)
{
    const char *found = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return found != NULL && strcmp(found, state) == 0;
}

bool postgres_is_passing(const PGresult *result)
{
    return postgres_is_state(result, "40001") || postgres_is_state(result, "40P01") ||
           postgres_is_state(result, "57014");
}

/* --- one statement --- */

bool postgres_await_part(PGconn *connection)
{
    while (PQisBusy(connection)) {
        struct pollfd end = {PQsocket(connection), POLLIN, 0};
        const int ready = poll(&end, 1, SILENCE_MS);
        if ((ready < 0 && errno != EINTR) || ready == 0 || !PQconsumeInput(connection))
            return false;
    }
    return true;
}

PGresult *postgres_await(PGconn *connection)
{
    PGresult *last = NULL;
    for (;;) {
        if (!postgres_await_part(connection)) {
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

bool postgres_is_good(const PGresult *result)
{
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

bool postgres_run(PGconn *connection, const char *words, gral_error *error)
{
    PGresult *result = PQsendQuery(connection, words) ? postgres_await(connection) : NULL;
    const bool good = postgres_is_good(result) || postgres_explain_result(connection, result, error);
    PQclear(result);
    return good;
}

PGresult *postgres_ask_for(PGconn *connection, const char *words, int count, const char *const *values,
                           gral_error *error)
{
    PGresult *result = PQsendQueryParams(connection, words, count, NULL, values, NULL, NULL, 0)
                           ? postgres_await(connection)
                           : NULL;
    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    postgres_explain_result(connection, result, error);
    PQclear(result);
    return NULL;
}

bool postgres_ask_number(PGconn *connection, const char *words, int64_t *number, gral_error *error)
{
    PGresult *result = postgres_ask_for(connection, words, 0, NULL, error);
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

PGconn *postgres_connect_to(const postgres *postgres, gral_error *error)
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
    if (PQstatus(connection) == CONNECTION_OK && postgres_run(connection, settings, error))
        return connection;
    if (PQstatus(connection) != CONNECTION_OK)
        postgres_explain(connection, PQerrorMessage(connection), error);
    PQfinish(connection);
    return NULL;
}
