/* Everything of one store into another. */
#include "store/common.h"
#include "store/store_inside.h"
#include "store/store_raw.h"

#include <stdlib.h>
#include <string.h>

typedef struct moving {
    store *from, *to;
    const store_raw *out, *in;
    store_table table[STORE_TABLES_MAX];
    unsigned tables;
    uint64_t rows, done; /* each is written and read again */
    void (*progress)(unsigned done, unsigned all);
    unsigned shown;
} moving;

static void go_on(moving *moving)
{
    enum { PARTS = 1000 };
    moving->done++;
    const unsigned part = (unsigned)(moving->done * PARTS / (2 * moving->rows));
    if (moving->progress != NULL && part != moving->shown)
        moving->progress(moving->shown = part, PARTS);
}

static bool count_rows(moving *moving, gral_error *error)
{
    for (unsigned index = 0; index < moving->tables; index++) {
        uint64_t rows, there;
        if (!moving->out->count(moving->from, &moving->table[index], &rows, error) ||
            !moving->in->count(moving->to, &moving->table[index], &there, error))
            return false;
        if (there > 0)
            return store_say(error, "the database to move to is not empty");
        moving->rows += rows;
    }
    return true;
}

static bool copy_table(moving *moving, const store_table *table, gral_error *error)
{
    store_value values[STORE_COLUMNS_MAX];
    bool more = true;
    if (!moving->out->read(moving->from, table, error) || !moving->in->write(moving->to, table, error))
        return false;
    while (moving->out->next(moving->from, table, values, &more, error)) {
        if (!more)
            return moving->in->written(moving->to, table, error);
        if (!moving->in->put(moving->to, table, values, error))
            return false;
        go_on(moving);
    }
    return false;
}

static bool is_same(enum store_column_sort sort, const store_value *one, const store_value *other)
{
    if (!one->there || !other->there)
        return one->there == other->there;
    if (sort == COLUMN_NUMBER)
        return one->number == other->number;
    if (sort == COLUMN_REAL)
        return memcmp(&one->real, &other->real, sizeof one->real) == 0;
    return one->bytes.length == other->bytes.length &&
           (one->bytes.length == 0 || memcmp(one->bytes.bytes, other->bytes.bytes, one->bytes.length) == 0);
}

static bool compare_table(moving *moving, const store_table *table, gral_error *error)
{
    store_value left[STORE_COLUMNS_MAX], right[STORE_COLUMNS_MAX];
    bool more = true, other = true;
    if (!moving->out->read(moving->from, table, error) || !moving->in->read(moving->to, table, error))
        return false;
    for (uint64_t row = 1; more; row++) {
        if (!moving->out->next(moving->from, table, left, &more, error) ||
            !moving->in->next(moving->to, table, right, &other, error))
            return false;
        bool same = more == other;
        for (unsigned at = 0; more && same && at < table->columns; at++)
            same = is_same(table->column[at].sort, &left[at], &right[at]);
        if (!same)
            return store_say(error, "row %llu of table %s is not what it was", (unsigned long long)row, table->name);
        if (more)
            go_on(moving);
    }
    return true;
}

static bool move(moving *moving, gral_error *error)
{
    if (!store_list_tables(moving->table, &moving->tables, error) || !moving->out->begin(moving->from, error) ||
        !moving->in->begin(moving->to, error) || !count_rows(moving, error))
        return false;
    for (unsigned index = 0; index < moving->tables; index++)
        if (!copy_table(moving, &moving->table[index], error))
            return false;
    for (unsigned index = 0; index < moving->tables; index++)
        if (!compare_table(moving, &moving->table[index], error))
            return false;
    return moving->in->end(moving->to, error);
}

bool store_move(store *from, store *to, void (*progress)(unsigned done, unsigned all), uint64_t *rows,
                gral_error *error)
{
    moving *moving = calloc(1, sizeof *moving);
    if (moving == NULL)
        return store_say(error, "out of memory");
    *moving = (struct moving){.from = from,
                              .to = to,
                              .out = ((store_inside *)from)->raw,
                              .in = ((store_inside *)to)->raw,
                              .progress = progress};
    const bool good = move(moving, error);
    *rows = moving->rows;
    free(moving);
    return good;
}
