/* Follows what other servers write at the tables of this one: it is read from the number on that is expected next, done
 * one by one as what is written here, and told in the same order. What others say that they have written is only a
 * hint: it says what to read, and the numbers say whether there is anything.
 *
 * A table is followed at once if somebody here may notice, or if it is kept here; else it is only known to be behind,
 * until somebody asks for it. */
#include "server/persons.h"
#include "server/several.h"
#include "server/table_inside.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum { READ_AT_ONCE = 2, BATCH_MAX = 100, RETRY_MS = 500 };

typedef struct line { /* of tables: who comes first is first */
    table *first, *last;
} line;

struct follow {
    server *server;
    line behind; /* that are to be read */
    line read;   /* and have been */
    unsigned reading;
    uv_timer_t soon;  /* whatever else is heard in this turn of the loop is read with it */
    uv_timer_t pause; /* the store could not be read */
    bool stopped;
};

typedef struct entry {
    uint32_t number;
    int64_t time;
    char *text;
    size_t length;
} entry;

struct reading { /* of one table */
    table *table;
    uint32_t from;
    bool keeps; /* it is asked who keeps it, too: */
    uint64_t fence;
    bool failed;
    entry *entry;
    unsigned count, room;
    store_user *user; /* who have sat down */
    unsigned users;
};

typedef struct batch { /* of tables that are read by one question */
    uv_work_t work;
    server *server;
    struct reading *reading[BATCH_MAX];
    unsigned count;
    struct reading *last; /* of which an entry was told */
} batch;

static void append(line *line, table *table)
{
    table->next_behind = NULL;
    if (line->first == NULL)
        line->first = table;
    else
        line->last->next_behind = table;
    line->last = table;
}

static table *take_first(line *line)
{
    table *table = line->first;
    line->first = table->next_behind;
    return table;
}

static void free_reading(struct reading *reading)
{
    for (unsigned index = 0; index < reading->count; index++)
        free(reading->entry[index].text);
    free(reading->entry);
    free(reading->user);
    free(reading);
}

/* --- on the pool --- */

static struct reading *find_reading(batch *batch, const char *game)
{
    if (batch->last != NULL && strcmp(batch->last->table->id, game) == 0)
        return batch->last;
    for (unsigned index = 0; index < batch->count; index++)
        if (strcmp(batch->reading[index]->table->id, game) == 0)
            return batch->reading[index];
    return NULL;
}

static bool take_entry(void *context, const store_entry *stored)
{
    batch *batch = context;
    struct reading *reading = batch->last = find_reading(batch, stored->game);
    if (reading == NULL)
        return true;
    if (reading->count == reading->room) {
        reading->room = 2 * reading->room + 4;
        reading->entry = memory_grow(reading->entry, reading->room * sizeof *reading->entry);
    }
    entry *entry = &reading->entry[reading->count++];
    *entry = (struct entry){.number = stored->number, .time = stored->time, .length = stored->text.length};
    entry->text = memory_get(stored->text.length + 1);
    memcpy(entry->text, stored->text.bytes, stored->text.length);
    return true;
}

static bool parse(const entry *entry, gral_input *input)
{
    gral_error error;
    return gral_input_parse((gral_span){entry->text, entry->length}, input, &error);
}

static void read_person(struct reading *reading, store *store, uint64_t user)
{
    gral_error error;
    reading->user = memory_grow(reading->user, (reading->users + 1) * sizeof *reading->user);
    reading->failed |= !store->kind->user_by_id(store, user, &reading->user[reading->users++], &error);
}

static void read_people(struct reading *reading, store *store)
{
    for (unsigned index = 0; index < reading->count && !reading->failed; index++) {
        gral_input input;
        if (parse(&reading->entry[index], &input) && input.kind == GRAL_INPUT_SIT)
            read_person(reading, store, input.user);
    }
}

static void read_entries(uv_work_t *work)
{
    batch *batch = work->data;
    store *store = batch->server->store;
    const store_peers_kind *peers = store->kind->peers;
    store_since from[BATCH_MAX];
    gral_error error;
    for (unsigned index = 0; index < batch->count; index++) {
        struct reading *reading = batch->reading[index];
        if (reading->keeps)
            reading->failed = !peers->keep(store, reading->table->id, &reading->fence, &error);
        from[index] = (store_since){reading->table->id, reading->from};
    }
    const bool read = peers->news(store, from, batch->count, take_entry, batch, &error);
    for (unsigned index = 0; index < batch->count; index++) {
        batch->reading[index]->failed |= !read;
        read_people(batch->reading[index], store);
    }
}

/* --- doing it --- */

enum done { DONE_NOTHING, DONE_SOME, DONE_ANEW, MAKES_NO_SENSE };

static bool begin_anew(table *table, const entry *entry)
{
    gral_error error;
    gral_terms terms;
    if (!gral_terms_parse((gral_span){entry->text, entry->length}, &terms, &error))
        return false;
    table_renew_host(table, &terms, entry->time);
    table->count = entry->number + 1;
    return true;
}

static enum done do_entry(table *table, const entry *entry)
{
    gral_input input;
    if (entry->number < table->count)
        return DONE_NOTHING;
    if (!parse(entry, &input))
        return begin_anew(table, entry) ? DONE_ANEW : MAKES_NO_SENSE;
    if (entry->number > table->count || gral_host_check(table->host, &input, entry->time) != GRAL_ACCEPTED)
        return MAKES_NO_SENSE;
    table_do(table, &input, entry->time);
    return DONE_SOME;
}

static enum done do_all(table *table, const struct reading *reading)
{
    enum done all = DONE_NOTHING;
    for (unsigned index = 0; index < reading->users; index++)
        if (reading->user[index].user != 0)
            person_meet(table->server, &reading->user[index]);
    for (unsigned index = 0; index < reading->count && all != MAKES_NO_SENSE; index++) {
        const enum done done = do_entry(table, &reading->entry[index]);
        if (done > all)
            all = done;
    }
    return all;
}

static void tell_all_anew(table *table)
{
    seats_follow(table);
    lobby_changed(table);
    watch_anew(table);
}

/* --- reading, a few at a time --- */

static void read_soon(uv_timer_t *timer);

static void want_to_read(struct follow *follow)
{
    if (!follow->stopped && follow->behind.first != NULL && !uv_is_active((uv_handle_t *)&follow->soon))
        uv_timer_start(&follow->soon, read_soon, 0, 0);
}

static void wait_in_line(table *table)
{
    append(&table->server->follow->behind, table);
    want_to_read(table->server->follow);
}

static void take_in(table *table)
{
    struct reading *reading = table->reading;
    table->reading = NULL;
    const enum done done = do_all(table, reading);
    const bool keeps = reading->keeps;
    const uint64_t fence = reading->fence;
    free_reading(reading);
    table_keep_time(table);
    if (done == DONE_ANEW)
        tell_all_anew(table);
    if (done != DONE_NOTHING)
        table_was_done(table, NULL);
    if (keeps)
        table_keep(table, fence);
    if (done != MAKES_NO_SENSE && (table->once_more || table->hinted > table->count)) {
        table->once_more = false;
        wait_in_line(table);
        return;
    }
    table->following = table->behind = table->once_more = false;
    if (done == MAKES_NO_SENSE) {
        log_line(LOG_ERROR, "unreadable", "game=%s number=%u", table->id, table->count);
        table_load_anew(table);
        table->busy--;
        return;
    }
    table_serve_waiting(table);
    table_go_on(table);
    table->busy--;
    table_release(table);
}

/* The server stops, and the store cannot be read: whoever waits goes by what is known. */
static void give_up(table *table)
{
    table->following = false;
    table_serve_waiting(table);
    table->busy--;
    table_release(table);
}

/* Between two groups of the store, when nothing is being written: so whoever waits for what is read waits until the
 * beat, and not for another whose answer is just being written (R10.2). */
void follow_take_in(server *server)
{
    struct follow *follow = server->follow;
    while (follow->read.first != NULL)
        take_in(take_first(&follow->read));
}

/* Whether there was anything to read with. */
static bool end_reading(struct reading *reading)
{
    table *table = reading->table;
    if (!reading->failed) {
        table->reading = reading;
        append(&table->server->follow->read, table);
        commit_expect(table->server->commit);
        return true;
    }
    table->keeps |= reading->keeps;
    free_reading(reading);
    if (table->server->stopping)
        give_up(table);
    else
        wait_in_line(table);
    return false;
}

static void entries_read(uv_work_t *work, int status)
{
    (void)status;
    batch *batch = work->data;
    struct follow *follow = batch->server->follow;
    bool good = true;
    follow->reading--;
    for (unsigned index = 0; index < batch->count; index++)
        good &= end_reading(batch->reading[index]);
    free(batch);
    if (!good && !follow->stopped)
        uv_timer_again(&follow->pause);
    want_to_read(follow);
}

static struct reading *start_reading(table *table)
{
    struct reading *reading = memory_get(sizeof *reading);
    reading->table = table;
    reading->from = table->count;
    reading->keeps = table->keeps;
    table->keeps = table->once_more = false;
    table->hinted = 0; /* what was heard before is read now; what is heard from now on may not be */
    return reading;
}

static void read_batch(struct follow *follow)
{
    batch *batch = memory_get(sizeof *batch);
    batch->server = follow->server;
    batch->work.data = batch;
    while (follow->behind.first != NULL && batch->count < BATCH_MAX)
        batch->reading[batch->count++] = start_reading(take_first(&follow->behind));
    follow->reading++;
    uv_queue_work(&follow->server->loop, &batch->work, read_entries, entries_read);
}

static void read_soon(uv_timer_t *timer)
{
    struct follow *follow = timer->data;
    while (follow->behind.first != NULL && follow->reading < READ_AT_ONCE &&
           !uv_is_active((uv_handle_t *)&follow->pause))
        read_batch(follow);
}

static void read_again(uv_timer_t *timer)
{
    uv_timer_stop(timer);
    read_soon(timer);
}

void table_catch_up(table *table)
{
    table->behind = true;
    if (table->loading)
        return; /* whoever loads it sees that */
    if (table->following) {
        table->once_more = true;
        return;
    }
    table->following = true;
    table->busy++;
    wait_in_line(table);
}

/* --- what others say --- */

static bool is_followed(const table *table)
{
    return table_is_kept(table) || table->watches != NULL || table->waiting != NULL || table_is_somebody_here(table);
}

static void found(void *context, table *table)
{
    (void)context;
    if (table != NULL)
        table_release(table);
}

/* A game that is not in memory: it is to be, if it is for everybody, or if somebody who is here has sat down there. */
static void look_whose(server *server, const store_hint *hint)
{
    const person *person = hint->user != 0 ? person_find(server, hint->user) : NULL;
    if ((person != NULL && person->conns != NULL) || (hint->fresh && hint->listed))
        tables_find(server, hint->game, found, NULL);
}

void tables_hear(server *server, const store_hint *hint)
{
    table *table;
    if (server->stopping)
        return;
    HASH_FIND_STR(server->tables, hint->game, table);
    if (table == NULL) {
        look_whose(server, hint);
        return;
    }
    if (table->hinted <= hint->number)
        table->hinted = hint->number + 1;
    if (table->loading || table->host == NULL) {
        table->behind = true;
        return;
    }
    if (hint->asleep && is_followed(table) && !table_is_kept(table)) /* who was the keeper did not know of it */
        table_ask_who_keeps(table);
    const bool changed = hint->seats || hint->fresh; /* said without a number, where nothing was appended with it */
    if (hint->number < table->count && !changed)
        return;
    table->behind = true;
    if (changed || (!table->following && is_followed(table)))
        table_catch_up(table);
}

void tables_compare(server *server)
{
    table *table, *next;
    HASH_ITER(hh, server->tables, table, next)
    {
        table->behind |= !peers_alone(server);
        if (table->host != NULL && (is_followed(table) || table->place != LOBBY_NOT_SHOWN))
            table_catch_up(table);
    }
}

/* --- beginning and end --- */

void follow_open(server *server)
{
    struct follow *follow = server->follow = memory_get(sizeof *follow);
    follow->server = server;
    follow->soon.data = follow->pause.data = follow;
    uv_timer_init(&server->loop, &follow->soon);
    uv_timer_init(&server->loop, &follow->pause);
    uv_timer_start(&follow->pause, read_again, RETRY_MS, RETRY_MS);
    uv_timer_stop(&follow->pause);
}

void follow_forget(table *table)
{
    if (table->reading != NULL)
        free_reading(table->reading);
    table->reading = NULL;
}

void follow_stop(server *server)
{
    server->follow->stopped = true;
    uv_close((uv_handle_t *)&server->follow->soon, NULL);
    uv_close((uv_handle_t *)&server->follow->pause, NULL);
}

void follow_close(server *server)
{
    free(server->follow);
}
