/* The way from a table to everybody who watches it, and into a file. */
#include "parts.h"

#include "../fair/blake2b.h"
#include "memory.h"

#include <stdlib.h>
#include <time.h>
#include <utlist.h>

static const char *name_of(void *context, unsigned seat)
{
    const table *table = (const struct table *)context;
    return people_name(table->server, gral_host_seat_at(table->host, seat).user);
}

static tell_table as_told(table *table)
{
    return (tell_table){
        .host = table->host, .present = table->present, .now = table_now(table), .name = name_of, .context = table};
}

void tell_watchers(table *table)
{
    server *server = table->server;
    const tell_table told = as_told(table);
    pen_clear(&server->view);
    watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        const unsigned seat = table_seat_of(table, watch->conn->person);
        if (tell_push(&server->out, &server->view, &told, seat == GRAL_NOBODY ? GRAL_SPECTATOR : seat, &watch->reader))
            conn_send(watch->conn, &server->out);
    }
}

void tell_lobby_row(pen *out, table *table, unsigned viewer)
{
    const tell_table told = as_told(table);
    tell_row(out, &told, viewer);
}

/* --- the record --- */

/* A text of any length: the first try says how long it is. */
char *tell_record(const table *table, size_t *length)
{
    const char *names[GRAL_PLAYERS_MAX] = {0};
    char date[16];
    struct tm utc;
    const time_t created = (time_t)(table->created / 1000);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&created, &utc));
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        names[seat] = at.user != 0 ? people_name(table->server, at.user) : at.player;
    }
    char nothing[1];
    gral_text text = gral_text_in(nothing, sizeof nothing);
    gral_host_record(table->host, names, date, &text);
    const size_t capacity = text.length + 1;
    char *record = (char *)memory_get(capacity);
    text = gral_text_in(record, capacity);
    gral_host_record(table->host, names, date, &text);

    gral_text checked = gral_text_in(nothing, sizeof nothing);
    gral_checks_add(&checked, (gral_span){record, text.length}, fair_blake2b);
    char *whole = (char *)memory_get(checked.length + 1);
    checked = gral_text_in(whole, checked.length + 1);
    gral_checks_add(&checked, (gral_span){record, text.length}, fair_blake2b);
    free(record);
    *length = checked.length;
    return whole;
}
