/* New tables, and tables that get other terms before they have begun: all of it is safely stored before anybody is
 * told. */
#include "server/persons.h"
#include "server/several.h"
#include "server/table_inside.h"

#include "fair/blake2b.h"
#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* --- new ones --- */

typedef struct making {
    table *table;
    gral_host *host;
    uint32_t number; /* of the text with its terms */
    unsigned count;  /* of people */
    gral_input sit[GRAL_PLAYERS_MAX];
    char terms[2048], seated[GRAL_PLAYERS_MAX][GRAL_INPUT_TEXT_MAX];
    store_write write[1 + 2 * GRAL_PLAYERS_MAX];
    size_t writes;
    table_renewed *renewed; /* of a table that is made anew */
    void *context;
} making;

static void seat_all(const making *making, int64_t time)
{
    table *table = making->table;
    table->host = making->host;
    table->count = making->number + 1 + making->count;
    for (unsigned index = 0; index < making->count; index++)
        gral_host_apply(table->host, &making->sit[index], time);
    for (unsigned index = 0; index < making->count; index++)
        table_seat_was_taken(table, making->sit[index].seat, making->sit[index].user);
}

static void made(void *context, enum store_outcome outcome)
{
    making *making = context;
    table *table = making->table;
    table->busy--;
    table->loading = false;
    if (outcome == STORE_CONFLICT) { /* it was made before, and is over; or by another server */
        gral_host_free(making->host);
        table->behind = false;
        table_load_anew(table);
    } else if (outcome != STORE_DONE) {
        gral_host_free(making->host);
        table_serve_waiting(table);
        table_forget(table);
    } else {
        table->fence = !peers_alone(table->server);
        table->behind = table->keeps = false;
        seat_all(making, table->created);
        seats_follow(table);
        company_hush(table);
        lobby_changed(table);
        table_serve_waiting(table);
        table_go_on(table);
        if (table->hinted > table->count)
            table_catch_up(table);
    }
    free(making);
}

static store_write *add_write(making *making, store_write write)
{
    write.game = making->table->id;
    making->write[making->writes] = write;
    return &making->write[making->writes++];
}

static void write_sitting(making *making, const sitting *sitting, int64_t time)
{
    const unsigned index = making->count++;
    gral_input *sit = &making->sit[index];
    *sit = (gral_input){.kind = GRAL_INPUT_SIT,
                        .seat = (uint8_t)sitting->seat,
                        .other = GRAL_NOBODY,
                        .user = sitting->person->id,
                        .ticket = sitting->ticket};
    gral_text text = gral_text_in(making->seated[index], sizeof making->seated[index]);
    gral_input_print(&text, sit);
    add_write(making, (store_write){.kind = STORE_APPEND,
                                    .number = making->number + 1 + index,
                                    .time = time,
                                    .text = {making->seated[index], text.length}});
    add_write(making, (store_write){.kind = STORE_SIT, .seat = sit->seat, .user = sit->user, .time = time});
}

/* With a secret of its own; its terms are the first write. */
static making *start_making(table *table, gral_terms terms, enum store_write_kind kind, uint32_t number, int64_t time)
{
    making *making = memory_get(sizeof *making);
    randombytes_buf(&terms.seed, sizeof terms.seed);
    making->table = table;
    making->number = number;
    making->host = gral_host_make(&terms, fair_blake2b, time);
    gral_text text = gral_text_in(making->terms, sizeof making->terms);
    gral_terms_print(&text, &terms);
    add_write(making, (store_write){.kind = (uint8_t)kind,
                                    .number = number,
                                    .time = time,
                                    .listed = terms.listed,
                                    .text = {making->terms, text.length}});
    table->loading = true;
    table->busy++;
    return making;
}

static void make_table(server *server, const gral_terms *wanted, const sitting people[], unsigned count,
                       const origin *from, bool leading, table_found *found, void *context)
{
    table *table;
    HASH_FIND_STR(server->tables, wanted->game, table);
    if (table != NULL) {
        tables_find(server, wanted->game, found, context);
        return;
    }
    table = tables_add(server, wanted->game);
    table->created = table->heard = server_now(server);
    table->maker = count > 0 ? people[0].person->id : 0;
    table->from = *from;
    making *making = start_making(table, *wanted, STORE_NEW_GAME, 0, table->created);
    if (leading)
        making->write[0] = lead_write(server, making->write[0]);
    table_wait_for(table, found, context);
    for (unsigned index = 0; index < count; index++)
        write_sitting(making, &people[index], table->created);
    commit_write(server->commit, making->write, making->writes, made, making);
}

void tables_make(server *server, const gral_terms *wanted, const sitting people[], unsigned count, const origin *from,
                 table_found *found, void *context)
{
    make_table(server, wanted, people, count, from, false, found, context);
}

void tables_make_leading(server *server, const gral_terms *wanted, const sitting people[], unsigned count,
                         const origin *from, table_found *found, void *context)
{
    make_table(server, wanted, people, count, from, true, found, context);
}

/* --- with other terms --- */

void table_renew_host(table *table, const gral_terms *terms, int64_t time)
{
    gral_host_free(table->host);
    table->host = gral_host_make(terms, fair_blake2b, time);
    seats_clear(table);
}

static void renewed(void *context, enum store_outcome outcome)
{
    making *making = context;
    table *table = making->table;
    table->busy--;
    table->loading = false;
    if (outcome == STORE_DONE) {
        gral_host_free(table->host);
        seats_clear(table);
        seat_all(making, table_now(table));
        seats_follow(table);
        lobby_changed(table);
        watch_anew(table);
    } else {
        gral_host_free(making->host);
    }
    making->renewed(making->context, table,
                    outcome == STORE_DONE       ? NULL
                    : outcome == STORE_CONFLICT ? &refused_version
                                                : &refused_storage);
    if (table->behind || outcome == STORE_CONFLICT)
        table_catch_up(table);
    table_go_on(table);
    free(making);
}

bool tables_renew(table *table, const gral_terms *wanted, sitting host, table_renewed *renewed_then, void *context)
{
    gral_terms terms = *wanted;
    if (table->loading || table->following || table->in_flight > 0 || table->first != NULL)
        return false;
    memcpy(terms.game, table->id, sizeof terms.game);
    const int64_t now = table_now(table);
    const unsigned old = table_seat_of(table, host.person);
    making *making = start_making(table, terms, STORE_RENEW_GAME, table->count, now);
    making->renewed = renewed_then;
    making->context = context;
    add_write(making, (store_write){.kind = STORE_RISE, .seat = (uint8_t)old});
    write_sitting(making, &host, now);
    commit_write(table->server->commit, making->write, making->writes, renewed, making);
    return true;
}
