/* The tables of PostgreSQL, row by row, through COPY in its binary form: a head, and for each row how many fields it
 * has and for each field its length and its bytes; -1 is for what is not there, and for the end. */
#include "store/postgres_inside.h"
#include "store/store_raw.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[19] = "PGCOPY\n\377\r\n\0"; /* and no flags, and no more of it */

static bool explain(PGconn *connection, gral_error *error)
{
    return postgres_explain(connection, PQerrorMessage(connection), error);
}

/* Our words, with `user` in quotes. */
static bool start(store *store, const char *words, ExecStatusType expected, gral_error *error)
{
    PGconn *connection = store_postgres_writer(store);
    char *translated = postgres_words_of(words, NULL);
    PGresult *result = translated != NULL ? PQexec(connection, translated) : NULL;
    const bool good = PQresultStatus(result) == expected || postgres_explain_result(connection, result, error);
    free(translated);
    PQclear(result);
    return good;
}

/* What COPY says in the end. */
static bool finish(store *store, gral_error *error)
{
    PGconn *connection = store_postgres_writer(store);
    bool good = true;
    for (PGresult *result; (result = PQgetResult(connection)) != NULL; PQclear(result))
        good = good && (PQresultStatus(result) == PGRES_COMMAND_OK || explain(connection, error));
    return good;
}

/* Not while a server lives there; one that starts now waits. Whatever is written is nobody's to keep. */
static const char alone[] = "DO $$ BEGIN LOCK TABLE gral.server IN SHARE MODE;"
                            " IF EXISTS(SELECT 1 FROM gral.server WHERE abs(beat - " POSTGRES_NOW
                            ") <= " POSTGRES_DEAD_MS ") THEN"
                            "  RAISE 'another gral serve uses this database';"
                            " END IF; END $$; SET LOCAL gral.writer = ''";

static bool begin(store *store, gral_error *error)
{
    return start(store, "BEGIN", PGRES_COMMAND_OK, error) && start(store, alone, PGRES_COMMAND_OK, error);
}

static const char go_on_counting[] =
    "DO $$ DECLARE one record; free bigint; BEGIN"
    " FOR one IN SELECT table_name AS name, column_name AS key FROM information_schema.columns"
    "  WHERE table_schema = 'gral' AND is_identity = 'YES' LOOP"
    "  EXECUTE format('SELECT coalesce(max(%I), 0) + 1 FROM gral.%I', one.key, one.name) INTO free;"
    "  PERFORM setval(pg_get_serial_sequence(format('gral.%I', one.name), one.key), free, false);"
    " END LOOP; END $$";

static bool end(store *store, gral_error *error)
{
    return start(store, go_on_counting, PGRES_COMMAND_OK, error) && start(store, "COMMIT", PGRES_COMMAND_OK, error) &&
           start(store, "ANALYZE", PGRES_COMMAND_OK, error);
}

static bool count(store *store, const store_table *table, uint64_t *rows, gral_error *error)
{
    PGconn *connection = store_postgres_writer(store);
    char words[100];
    snprintf(words, sizeof words, "SELECT count(*) FROM gral.\"%s\"", table->name);
    PGresult *result = PQexec(connection, words);
    const bool good = PQresultStatus(result) == PGRES_TUPLES_OK || explain(connection, error);
    if (good)
        *rows = strtoull(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return good;
}

/* --- out --- */

static bool read_table(store *store, const store_table *table, gral_error *error)
{
    char words[2 * sizeof table->list + 100];
    snprintf(words, sizeof words, "COPY (SELECT %s FROM %s ORDER BY %s) TO STDOUT (FORMAT binary)", table->list,
             table->name, table->order);
    return start(store, words, PGRES_COPY_OUT, error);
}

/* What is left of a row. */
typedef struct rest {
    const char *bytes;
    size_t length;
} rest;

static bool take(rest *rest, void *value, size_t length)
{
    if (rest->length < length)
        return false;
    if (value != NULL)
        memcpy(value, rest->bytes, length);
    rest->bytes += length;
    rest->length -= length;
    return true;
}

static bool take_value(rest *rest, enum store_column_sort sort, store_value *value)
{
    uint32_t size;
    if (!take(rest, &size, sizeof size))
        return false;
    const int32_t length = (int32_t)be32toh(size);
    *value = (store_value){.there = length >= 0};
    if (length < 0)
        return true;
    value->bytes = (gral_span){rest->bytes, (size_t)length};
    if (!take(rest, NULL, (size_t)length))
        return false;
    if (sort != COLUMN_NUMBER && sort != COLUMN_REAL)
        return true;
    uint64_t bits;
    if (length != sizeof bits)
        return false;
    memcpy(&bits, value->bytes.bytes, sizeof bits);
    bits = be64toh(bits);
    value->number = (int64_t)bits;
    memcpy(&value->real, &bits, sizeof bits);
    return true;
}

static bool next(store *store, const store_table *table, store_value *values, bool *more, gral_error *error)
{
    char **row = (char **)&((store_inside *)store)->under_way;
    PQfreemem(*row);
    *row = NULL;
    *more = false;
    const int length = PQgetCopyData(store_postgres_writer(store), row, 0);
    if (length <= 0)
        return finish(store, error);
    rest rest = {*row, (size_t)length};
    if (rest.length >= sizeof head && memcmp(rest.bytes, head, sizeof head) == 0)
        take(&rest, NULL, sizeof head);
    uint16_t fields = UINT16_MAX;
    if (rest.length > 0 && !take(&rest, &fields, sizeof fields))
        return store_say(error, "the database does not answer as it should");
    if (fields == UINT16_MAX) /* the end, or a head alone */
        return next(store, table, values, more, error);
    *more = be16toh(fields) == table->columns;
    for (unsigned at = 0; *more && at < table->columns; at++)
        *more = take_value(&rest, table->column[at].sort, &values[at]);
    return *more || store_say(error, "the database does not answer as it should");
}

/* --- in --- */

static bool send(store *store, const void *bytes, size_t length, gral_error *error)
{
    PGconn *connection = store_postgres_writer(store);
    return PQputCopyData(connection, bytes, (int)length) == 1 || explain(connection, error);
}

static bool write_table(store *store, const store_table *table, gral_error *error)
{
    char words[sizeof table->list + 100];
    snprintf(words, sizeof words, "COPY %s(%s) FROM STDIN (FORMAT binary)", table->name, table->list);
    return start(store, words, PGRES_COPY_IN, error) && send(store, head, sizeof head, error);
}

static bool send_value(store *store, enum store_column_sort sort, const store_value *value, gral_error *error)
{
    uint64_t bits = (uint64_t)value->number;
    if (sort == COLUMN_REAL)
        memcpy(&bits, &value->real, sizeof bits);
    bits = htobe64(bits);
    const bool counted = sort == COLUMN_NUMBER || sort == COLUMN_REAL;
    const gral_span bytes = counted ? (gral_span){(const char *)&bits, sizeof bits} : value->bytes;
    const uint32_t length = htobe32(value->there ? (uint32_t)bytes.length : UINT32_MAX);
    return send(store, &length, sizeof length, error) &&
           (!value->there || bytes.length == 0 || send(store, bytes.bytes, bytes.length, error));
}

static bool put(store *store, const store_table *table, const store_value *values, gral_error *error)
{
    const uint16_t fields = htobe16((uint16_t)table->columns);
    bool good = send(store, &fields, sizeof fields, error);
    for (unsigned at = 0; good && at < table->columns; at++)
        good = send_value(store, table->column[at].sort, &values[at], error);
    return good;
}

static bool written(store *store, const store_table *table, gral_error *error)
{
    (void)table;
    const uint16_t last = UINT16_MAX;
    PGconn *connection = store_postgres_writer(store);
    return send(store, &last, sizeof last, error) &&
           (PQputCopyEnd(connection, NULL) == 1 || explain(connection, error)) && finish(store, error);
}

const store_raw store_raw_postgres = {begin, end, count, read_table, next, write_table, put, written};
