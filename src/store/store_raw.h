/* All that a database has, table by table and row by row, for whoever moves it to another. Inside of src/store only. */
#ifndef GRAL_STORE_RAW_H
#define GRAL_STORE_RAW_H

#include "store/store.h"

#include <sqlite3.h>

enum { STORE_TABLES_MAX = 64, STORE_COLUMNS_MAX = 16, STORE_WORD_MAX = 32 };

enum store_column_sort { COLUMN_NUMBER, COLUMN_REAL, COLUMN_TEXT, COLUMN_BYTES };

typedef struct store_table {
    char name[STORE_WORD_MAX];
    unsigned columns;
    struct {
        char name[STORE_WORD_MAX];
        enum store_column_sort sort;
    } column[STORE_COLUMNS_MAX];
    char list[STORE_WORD_MAX * STORE_COLUMNS_MAX];  /* of the columns */
    char order[STORE_WORD_MAX * STORE_COLUMNS_MAX]; /* of the key */
} store_table;

typedef struct store_value {
    bool there; /* else it is NULL */
    int64_t number;
    double real;
    gral_span bytes; /* until the next row */
} store_value;

/* One thing at a time, and nothing else is done with the store meanwhile. */
typedef struct store_raw {
    bool (*begin)(store *store, gral_error *error);
    bool (*end)(store *store, gral_error *error); /* what was written stays, and further rows get other numbers */
    bool (*count)(store *store, const store_table *table, uint64_t *rows, gral_error *error);
    /* The rows of a table, in the order of its key. `next` says false in `more` after the last, and is not called
     * after that. */
    bool (*read)(store *store, const store_table *table, gral_error *error);
    bool (*next)(store *store, const store_table *table, store_value *values, bool *more, gral_error *error);
    /* Rows for a table; after the last, `written`. */
    bool (*write)(store *store, const store_table *table, gral_error *error);
    bool (*put)(store *store, const store_table *table, const store_value *values, gral_error *error);
    bool (*written)(store *store, const store_table *table, gral_error *error);
} store_raw;

extern const store_raw store_raw_sqlite, store_raw_postgres;

/* The connections for writing. */
struct pg_conn;
sqlite3 *store_sqlite_writer(store *store);
struct pg_conn *store_postgres_writer(store *store);

/* The tables of this version, those first to which others refer. */
bool store_list_tables(store_table tables[STORE_TABLES_MAX], unsigned *count, gral_error *error);

#endif
