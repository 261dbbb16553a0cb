/* What is asked of a database in PostgreSQL, by connections of which each is one asker's at a time. */
#include "store/postgres_inside.h"

#include <assert.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the types, as PostgreSQL numbers them for good. */
enum { TYPE_BYTEA = 17, TYPE_BIGINT = 20, TYPE_TEXT = 25 };

/* --- rows --- */

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

/* What is to be asked: one of the questions, or else these words. */
typedef struct asking {
    const char *words;
    int count;
    const char *const *values;
    bool news; /* these words, which are prepared */
    enum store_query query;
    const sent *sent;
} asking;

static bool is_endless(const asking *asking)
{
    return asking->words == NULL && store_questions[asking->query].endless;
}

/* False where it fails, with what was answered. */
static bool prepare(const postgres_reader *reader, bool *prepared, const char *name, const char *words, int count,
                    const Oid *types, PGresult **answer)
{
    if (*prepared)
        return true;
    *answer = PQsendPrepare(reader->connection, name, words, count, types) ? postgres_await(reader->connection) : NULL;
    *prepared = PQresultStatus(*answer) == PGRES_COMMAND_OK;
    if (*prepared)
        PQclear(*answer);
    return *prepared;
}

static PGresult *ask_question(const postgres *postgres, postgres_reader *reader, enum store_query query,
                              const sent *sent)
{
    char name[16];
    const int count = (int)postgres->parameters[query];
    PGresult *answer;
    snprintf(name, sizeof name, "q%u", query);
    if (!prepare(reader, &reader->prepared[query], name, postgres->question[query], count, sent->type, &answer))
        return answer;
    if (!PQsendQueryPrepared(reader->connection, name, count, sent->value, sent->length, sent->format, 1))
        return NULL;
    if (!store_questions[query].endless)
        return postgres_await(reader->connection);
    PQsetSingleRowMode(reader->connection);
    return postgres_await_part(reader->connection) ? PQgetResult(reader->connection) : NULL;
}

static PGresult *ask_in_words(postgres_reader *reader, const asking *asking)
{
    static const char name[] = "news";
    PGresult *answer;
    bool sent;
    if (!asking->news)
        sent = PQsendQueryParams(reader->connection, asking->words, asking->count, NULL, asking->values, NULL, NULL, 0);
    else if (prepare(reader, &reader->prepared_news, name, asking->words, asking->count, NULL, &answer))
        sent = PQsendQueryPrepared(reader->connection, name, asking->count, asking->values, NULL, NULL, 0);
    else
        return answer;
    return sent ? postgres_await(reader->connection) : NULL;
}

static PGresult *ask_once(const postgres *postgres, postgres_reader *reader, const asking *asking)
{
    return asking->words != NULL ? ask_in_words(reader, asking)
                                 : ask_question(postgres, reader, asking->query, asking->sent);
}

static void lose_reader(postgres_reader *reader)
{
    PQfinish(reader->connection);
    reader->connection = NULL;
}

/* The whole answer, or of an endless one the first row; NULL on an error. With a lost connection the question is asked
 * again by a new one. */
static PGresult *ask_patiently(const postgres *postgres, postgres_reader *reader, const asking *asking,
                               gral_error *error)
{
    postgres_patience patience = postgres_patience_of(READ_PATIENCE_MS);
    do {
        if (reader->connection == NULL) {
            memset(reader->prepared, 0, sizeof reader->prepared);
            reader->prepared_news = false;
            reader->connection = postgres_connect_to(postgres, error);
            if (reader->connection == NULL)
                continue;
        }
        PGresult *result = ask_once(postgres, reader, asking);
        if (PQresultStatus(result) == PGRES_TUPLES_OK || PQresultStatus(result) == PGRES_SINGLE_TUPLE)
            return result;
        postgres_explain_result(reader->connection, result, error);
        const bool lost = result == NULL || PQstatus(reader->connection) != CONNECTION_OK ||
                          postgres_is_state(result, POSTGRES_ONLY_READS);
        const bool again = lost || (asking->words != NULL && postgres_is_passing(result));
        PQclear(result);
        if (lost || is_endless(asking))
            lose_reader(reader);
        if (!again)
            return NULL;
    } while (postgres_wait_patiently(&patience));
    return NULL;
}

static PGresult *ask_by_some(postgres *postgres, const asking *asking, gral_error *error)
{
    const unsigned reader = store_take_reader(&postgres->head);
    PGresult *result = ask_patiently(postgres, &postgres->readers[reader], asking, error);
    store_return_reader(&postgres->head, reader);
    return result;
}

PGresult *postgres_ask_patiently(postgres *postgres, const char *words, int count, const char *const *values,
                                 gral_error *error)
{
    return ask_by_some(postgres, &(asking){.words = words, .count = count, .values = values}, error);
}

PGresult *postgres_ask_for_news(postgres *postgres, const char *words, int count, const char *const *values,
                                gral_error *error)
{
    return ask_by_some(postgres, &(asking){.words = words, .count = count, .values = values, .news = true}, error);
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
static bool take_all(postgres_reader *reader, PGresult *result, enum store_query query, const store_listener *listener,
                     gral_error *error)
{
    bool good = true, wanted = true;
    while (good && wanted && result != NULL) {
        good = PQresultStatus(result) != PGRES_FATAL_ERROR ||
               postgres_explain_result(reader->connection, result, error);
        wanted = take_rows(result, query, listener);
        result = NULL;
        if (!postgres_await_part(reader->connection))
            good = postgres_explain(reader->connection, PQerrorMessage(reader->connection), error);
        else
            result = PQgetResult(reader->connection);
    }
    PQclear(result);
    if (!good || !wanted)
        lose_reader(reader);
    return good;
}

bool postgres_hear(store *store, unsigned index, enum store_query query, const store_argument *arguments,
                   const store_listener *listener, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    sent sent;
    PGresult *result = NULL;
    if (make_sent(&sent, arguments, postgres->parameters[query]))
        result = ask_patiently(postgres, &postgres->readers[index], &(asking){.query = query, .sent = &sent}, error);
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

bool postgres_translate_questions(postgres *postgres, gral_error *error)
{
    for (unsigned query = 0; query < STORE_QUERIES; query++) {
        postgres->question[query] = postgres_words_of(store_questions[query].words, &postgres->parameters[query]);
        assert(postgres->parameters[query] <= ARGUMENTS_MAX);
        if (postgres->question[query] == NULL)
            return store_say(error, "out of memory");
    }
    return true;
}
