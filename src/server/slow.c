/* The slow beat: where several servers write at a table, two who write at the same moment get in each other's way, and
 * the second has to read and to write again. Whoever sees how long his own answer takes would learn that somebody has
 * just written something hidden (R10.2). So what comes in there is written at a slow beat only, and all that follows
 * from it is sent at the next one, whatever it took in between.
 *
 * The beats of servers come one after the other, by the clock of the store: so that each has mostly read what the one
 * before it has written. */
#include "server/several.h"
#include "server/table_inside.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* So many beats of the store (commit.h) at least: long enough to write, to read and to write again. */
enum { BEATS = 8 };

typedef struct held {
    conn *conn;
    pen message;
    struct held *prev, *next;
} held;

struct slow {
    server *server;
    table *tables; /* where something waits for the beat */
    uv_timer_t timer;
};

/* Others write there: people, or the server that keeps it. */
static bool is_shared(const table *table)
{
    return !table_is_kept(table) || (!peers_alone(table->server) && crowds_present(table->server, table->id) != 0);
}

static void beat(uv_timer_t *timer);

/* Servers whose disks are not equally fast must still come one after the other, so it is a power of two. */
static int64_t length_ms(const server *server)
{
    int64_t length = 1;
    while (length < (int64_t)BEATS * commit_count(server->commit).beat)
        length *= 2;
    return length;
}

static uint64_t until_the_next(const server *server)
{
    const int64_t length = length_ms(server);
    const int64_t turn = length * peers_before(server) / (peers_count(server) + 1);
    return (uint64_t)(length - (server_now(server) + length - turn) % length);
}

static void await_beat(table *table)
{
    struct slow *slow = table->server->slow;
    if (table->slow)
        return;
    table->slow = true;
    DL_APPEND2(slow->tables, table, prev_slow, next_slow);
    if (!uv_is_active((uv_handle_t *)&slow->timer))
        uv_timer_start(&slow->timer, beat, until_the_next(slow->server), 0);
}

void table_send(table *table, conn *conn, const pen *message)
{
    if (table->held == NULL && !is_shared(table)) {
        conn_send(conn, message);
        return;
    }
    held *held = memory_get(sizeof *held);
    held->conn = conn_hold(conn);
    held->message.bytes = memory_get(message->length);
    held->message.length = message->length;
    memcpy(held->message.bytes, message->bytes, message->length);
    DL_APPEND(table->held, held);
    await_beat(table);
}

bool slow_puts_off(table *table)
{
    if (table->hurries || !is_shared(table))
        return false;
    await_beat(table);
    return true;
}

static void end_held(table *table, bool send)
{
    while (table->held != NULL) {
        held *held = table->held;
        DL_DELETE(table->held, held);
        if (send)
            conn_send(held->conn, &held->message);
        conn_release(held->conn);
        free(held->message.bytes);
        free(held);
    }
}

static void leave(table *table)
{
    if (table->slow)
        DL_DELETE2(table->server->slow->tables, table, prev_slow, next_slow);
    table->slow = false;
}

static void beat(uv_timer_t *timer)
{
    struct slow *slow = timer->data;
    while (slow->tables != NULL) {
        table *table = slow->tables;
        leave(table);
        end_held(table, true);
        table_write_at_slow_beat(table);
        table_release(table);
    }
}

void slow_open(server *server)
{
    struct slow *slow = server->slow = memory_get(sizeof *slow);
    slow->server = server;
    slow->timer.data = slow;
    uv_timer_init(&server->loop, &slow->timer);
}

void slow_forget(table *table)
{
    leave(table);
    end_held(table, false);
}

void slow_stop(server *server)
{
    while (server->slow->tables != NULL) {
        table *table = server->slow->tables;
        leave(table);
        end_held(table, true);
    }
    uv_close((uv_handle_t *)&server->slow->timer, NULL);
}

void slow_close(server *server)
{
    free(server->slow);
}
