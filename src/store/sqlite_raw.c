/* The tables of SQLite, row by row. What is under way is one statement. */
#include "store/store_inside.h"
#include "store/store_raw.h"
#include "store/store_schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool explain(sqlite3 *database, gral_error *error)
{
    return store_say(error, "%s", sqlite3_errmsg(database));
}

static sqlite3_stmt **under_way(store *store)
{
    return (sqlite3_stmt **)&((store_inside *)store)->under_way;
}

static bool run(store *store, const char *words, gral_error *error)
{
    sqlite3 *database = store_sqlite_writer(store);
    return sqlite3_exec(database, words, NULL, NULL, NULL) == SQLITE_OK || explain(database, error);
}

static bool start(store *store, const char *words, gral_error *error)
{
    sqlite3 *database = store_sqlite_writer(store);
    return sqlite3_prepare_v2(database, words, -1, under_way(store), NULL) == SQLITE_OK || explain(database, error);
}

static void finish(store *store)
{
    sqlite3_finalize(*under_way(store));
    *under_way(store) = NULL;
}

static bool begin(store *store, gral_error *error)
{
    return run(store, "BEGIN IMMEDIATE", error);
}

static bool end(store *store, gral_error *error)
{
    return run(store, "COMMIT", error);
}

static bool count(store *store, const store_table *table, uint64_t *rows, gral_error *error)
{
    char words[100];
    snprintf(words, sizeof words, "SELECT count(*) FROM %s", table->name);
    const bool good = start(store, words, error) &&
                      (sqlite3_step(*under_way(store)) == SQLITE_ROW || explain(store_sqlite_writer(store), error));
    if (good)
        *rows = (uint64_t)sqlite3_column_int64(*under_way(store), 0);
    finish(store);
    return good;
}

static bool read_table(store *store, const store_table *table, gral_error *error)
{
    char words[2 * sizeof table->list + 100];
    snprintf(words, sizeof words, "SELECT %s FROM %s ORDER BY %s", table->list, table->name, table->order);
    return start(store, words, error);
}

static bool next(store *store, const store_table *table, store_value *values, bool *more, gral_error *error)
{
    sqlite3_stmt *row = *under_way(store);
    const int step = sqlite3_step(row);
    *more = step == SQLITE_ROW;
    for (int at = 0; *more && at < (int)table->columns; at++) {
        values[at] = (store_value){.there = sqlite3_column_type(row, at) != SQLITE_NULL};
        if (table->column[at].sort == COLUMN_NUMBER)
            values[at].number = sqlite3_column_int64(row, at);
        else if (table->column[at].sort == COLUMN_REAL)
            values[at].real = sqlite3_column_double(row, at);
        else {
            const void *bytes = sqlite3_column_blob(row, at);
            values[at].bytes = (gral_span){bytes != NULL ? bytes : "", (size_t)sqlite3_column_bytes(row, at)};
        }
    }
    const bool good = *more || step == SQLITE_DONE || explain(store_sqlite_writer(store), error);
    if (!*more)
        finish(store);
    return good;
}

static bool write_table(store *store, const store_table *table, gral_error *error)
{
    char words[sizeof table->list + 3 * STORE_COLUMNS_MAX + 100];
    int length = snprintf(words, sizeof words, "INSERT INTO %s(%s) VALUES(?", table->name, table->list);
    for (unsigned at = 1; at < table->columns; at++)
        length += snprintf(words + length, sizeof words - (size_t)length, ", ?");
    snprintf(words + length, sizeof words - (size_t)length, ")");
    return start(store, words, error);
}

static int bind(sqlite3_stmt *row, int at, enum store_column_sort sort, const store_value *value)
{
    if (!value->there)
        return sqlite3_bind_null(row, at);
    switch (sort) {
    case COLUMN_NUMBER:
        return sqlite3_bind_int64(row, at, value->number);
    case COLUMN_REAL:
        return sqlite3_bind_double(row, at, value->real);
    case COLUMN_TEXT:
        return sqlite3_bind_text64(row, at, value->bytes.bytes, value->bytes.length, SQLITE_STATIC, SQLITE_UTF8);
    default:
        return sqlite3_bind_blob64(row, at, value->bytes.bytes, value->bytes.length, SQLITE_STATIC);
    }
}

static bool put(store *store, const store_table *table, const store_value *values, gral_error *error)
{
    sqlite3_stmt *row = *under_way(store);
    for (unsigned at = 0; at < table->columns; at++)
        if (bind(row, (int)at + 1, table->column[at].sort, &values[at]) != SQLITE_OK)
            return explain(store_sqlite_writer(store), error);
    sqlite3_step(row);
    return sqlite3_reset(row) == SQLITE_OK || explain(store_sqlite_writer(store), error);
}

static bool written(store *store, const store_table *table, gral_error *error)
{
    (void)table, (void)error;
    finish(store);
    return true;
}

const store_raw store_raw_sqlite = {begin, end, count, read_table, next, write_table, put, written};

/* --- which tables there are --- */

static void add(char *list, size_t room, const char *word)
{
    const size_t length = strlen(list);
    snprintf(list + length, room - length, "%s%s", length > 0 ? ", " : "", word);
}

static enum store_column_sort sort_named(const char *type)
{
    return strcmp(type, "INTEGER") == 0 ? COLUMN_NUMBER
           : strcmp(type, "REAL") == 0  ? COLUMN_REAL
           : strcmp(type, "TEXT") == 0  ? COLUMN_TEXT
                                        : COLUMN_BYTES;
}

/* Those of a key come in its order. */
static bool list_columns(sqlite3 *database, store_table *table)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(database, "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid", -1, &row, NULL) !=
        SQLITE_OK)
        return false;
    sqlite3_bind_text(row, 1, table->name, -1, SQLITE_STATIC);
    for (table->columns = 0; sqlite3_step(row) == SQLITE_ROW; table->columns++) {
        assert(table->columns < STORE_COLUMNS_MAX);
        const char *name = (const char *)sqlite3_column_text(row, 0);
        snprintf(table->column[table->columns].name, STORE_WORD_MAX, "%s", name);
        table->column[table->columns].sort = sort_named((const char *)sqlite3_column_text(row, 1));
        add(table->list, sizeof table->list, name);
    }
    sqlite3_finalize(row);
    if (sqlite3_prepare_v2(database, "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", -1, &row,
                           NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_text(row, 1, table->name, -1, SQLITE_STATIC);
    while (sqlite3_step(row) == SQLITE_ROW)
        add(table->order, sizeof table->order, (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return table->order[0] != '\0';
}

static bool list_in(sqlite3 *database, store_table tables[STORE_TABLES_MAX], unsigned *found)
{
    sqlite3_stmt *row = NULL;
    bool good = sqlite3_prepare_v2(database,
                                   "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY CASE name"
                                   " WHEN 'user' THEN 1 WHEN 'game' THEN 2 WHEN 'tournament' THEN 3 WHEN 'way' THEN 4"
                                   " WHEN 'rated' THEN 5 ELSE 6 END, name",
                                   -1, &row, NULL) == SQLITE_OK;
    for (*found = 0; good && sqlite3_step(row) == SQLITE_ROW; ++*found) {
        assert(*found < STORE_TABLES_MAX);
        tables[*found] = (store_table){0};
        snprintf(tables[*found].name, STORE_WORD_MAX, "%s", (const char *)sqlite3_column_text(row, 0));
        good = list_columns(database, &tables[*found]);
    }
    sqlite3_finalize(row);
    return good;
}

bool store_list_tables(store_table tables[STORE_TABLES_MAX], unsigned *found, gral_error *error)
{
    sqlite3 *database = NULL;
    const bool good = sqlite3_open(":memory:", &database) == SQLITE_OK &&
                      store_migrate(database, &store_schema, true, error) &&
                      (list_in(database, tables, found) || explain(database, error));
    sqlite3_close(database);
    return good;
}
