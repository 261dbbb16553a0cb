/* Who watches a table, and what they hear: owns the list of those who do, and who of the players is there. */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* --- what they hear --- */

static const char *name_of(void *context, unsigned seat)
{
    const table *table = context;
    const person *person = table->seating[seat].person; /* of a table that is not over */
    const uint64_t user = gral_host_seat_at(table->host, seat).user;
    return person != NULL && person->id == user ? person->name : person_name(table->server, user);
}

tell_table watch_as_told(table *table)
{
    return (tell_table){
        .host = table->host, .present = table->present, .now = table_now(table), .name = name_of, .context = table};
}

static unsigned tell_all(table *table)
{
    server *server = table->server;
    unsigned count = 0;
    const tell_table told = watch_as_told(table);
    pen_clear(&server->view);
    watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        const unsigned seat = table_seat_of(table, watch->conn->person);
        if (!tell_push(&server->out, &server->view, &told, seat == GRAL_NOBODY ? GRAL_SPECTATOR : seat, &watch->reader))
            continue;
        table_send(table, watch->conn, &server->out);
        count++;
    }
    return count;
}

/* What happens is told to everybody who watches, which may be many, on all servers: whoever has brought it about pays
 * for it. */
enum { TOLD_FOR_A_UNIT = 20 };

static void charge(const table *table, conn *payer, unsigned told)
{
    conn_charge(payer, (double)(told + crowds_count(table->server, table->id)) / TOLD_FOR_A_UNIT);
}

unsigned watch_count_here(const table *table)
{
    unsigned count = 0;
    const watch *watch;
    DL_COUNT(table->watches, watch, count);
    return count;
}

void watch_pay(const table *table, conn *payer)
{
    charge(table, payer, watch_count_here(table));
}

void watch_tell(table *table, conn *payer)
{
    const unsigned told = tell_all(table);
    if (payer != NULL)
        charge(table, payer, told);
}

/* --- who is there --- */

uint16_t watch_seats_here(const table *table, bool looking)
{
    uint16_t seats = 0;
    const watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        const unsigned seat = table_seat_of(table, watch->conn->person);
        if (seat != GRAL_NOBODY && !(looking && watch->conn->away))
            seats |= (uint16_t)(1 << seat);
    }
    return seats;
}

bool watch_looks(const table *table, uint64_t user)
{
    const uint16_t elsewhere = crowds_looking(table->server, table->id);
    const watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        if (watch->conn->person != NULL && watch->conn->person->id == user && !watch->conn->away)
            return true;
    }
    for (unsigned seat = 0; elsewhere != 0 && seat < GRAL_PLAYERS_MAX; seat++)
        if (elsewhere >> seat & 1 && gral_host_seat_at(table->host, seat).user == user)
            return true;
    return false;
}

void watch_miss(table *table, unsigned seat)
{
    table->gone_since[seat] = server_now(table->server);
}

void watch_missed(table *table, unsigned seat, int64_t since)
{
    if (since < table->gone_since[seat] && (table->present >> seat & 1) == 0)
        table->gone_since[seat] = since;
}

int64_t watch_patience(const table *table)
{
    const gral_terms *terms = gral_host_terms(table->host);
    const int64_t decision = terms->clock == GRAL_CLOCK_MOVE   ? terms->time
                             : terms->clock == GRAL_CLOCK_BANK ? terms->answer
                                                               : 0;
    const int64_t usual = 1000ll * table->server->settings.absent_seconds;
    return decision > usual ? decision : usual;
}

void watch_presence(table *table)
{
    const uint16_t present = watch_seats_here(table, false) | crowds_present(table->server, table->id);
    crowds_note(table);
    const uint16_t gone = (uint16_t)(table->present & ~present), before = table->present;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (gone >> seat & 1)
            watch_miss(table, seat);
    table->present = present;
    if (before != 0 && present == 0)
        table->left = server_now(table->server);
    if ((before != 0) != (present != 0))
        lobby_changed(table);
}

void watch_look(const conn *conn)
{
    for (const watch *watch = conn->watches; watch != NULL; watch = watch->next_of_conn)
        crowds_note(watch->table);
}

/* --- coming and going --- */

/* One connection must not multiply what is told without end. */
enum { WATCHES_MAX = 200 };

static watch *find_watch(const table *table, const conn *conn)
{
    watch *found = conn->watches;
    while (found != NULL && found->table != table)
        found = found->next_of_conn;
    return found;
}

bool watch_is_watching(const table *table, const conn *conn)
{
    return find_watch(table, conn) != NULL;
}

bool watch_is_allowed(const table *table, const conn *conn)
{
    return conn->watch_count < WATCHES_MAX || find_watch(table, conn) != NULL;
}

static void begin_reading(watch *watch, size_t have)
{
    const unsigned seat = table_seat_of(watch->table, watch->conn->person);
    watch->reader = (tell_reader){.viewer = seat == GRAL_NOBODY ? GRAL_SPECTATOR : seat, .have = have};
}

void watch_anew(table *table)
{
    watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        begin_reading(watch, 0);
    }
    watch_presence(table);
    watch_tell(table, NULL);
}

void watch_begin(table *table, conn *conn, size_t have)
{
    watch *found = find_watch(table, conn);
    if (found == NULL) {
        conn->watch_count++;
        found = memory_get(sizeof *found);
        found->conn = conn;
        found->table = table;
        found->next_of_conn = conn->watches;
        conn->watches = found;
        DL_APPEND(table->watches, found);
    }
    begin_reading(found, have);
    watch_presence(table);
    herald_seen(table, conn);
    watch_tell(table, conn);
    table_start_thinking(table);
}

void watch_end(watch *watch)
{
    table *table = watch->table;
    struct watch **at = &watch->conn->watches;
    while (*at != watch)
        at = &(*at)->next_of_conn;
    *at = watch->next_of_conn;
    watch->conn->watch_count--;
    DL_DELETE(table->watches, watch);
    conn *conn = watch->conn;
    free(watch);
    crowds_note(table);
    if (table_seat_of(table, conn->person) != GRAL_NOBODY) {
        watch_presence(table);
        watch_tell(table, conn);
    }
    table_release(table);
}
