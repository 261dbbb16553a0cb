/* The lobby: the listed tables that are open or played. Changes are gathered for a moment and told together, so that a
 * busy server does not drown those who only look around. */
#include "parts.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { GATHER_MS = 200, LISTED_MAX = 100, OWN_MAX = 50 };

static bool is_shown(const table *table)
{
    return table->host != NULL && gral_host_terms(table->host)->listed && gral_host_stage(table->host) != GRAL_ENDED;
}

static bool anybody_looks(const server *server)
{
    for (const conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->lobby)
            return true;
    return false;
}

/* So many rows at once; the others the next time. */
static void tell_changes(uv_timer_t *timer)
{
    server *server = (struct server *)timer->data;
    table *dirty = server->dirty;
    table *last = dirty;
    for (unsigned count = 1; last != NULL && count < LISTED_MAX; count++)
        last = last->next_dirty;
    server->dirty = last != NULL ? last->next_dirty : NULL;
    if (last != NULL)
        last->next_dirty = NULL;
    if (anybody_looks(server)) {
        pen *out = &server->out;
        pen_clear(out);
        pen_begin(out, '{');
        pen_put_words(out, "push", "lobby");
        pen_key(out, "tables");
        pen_begin(out, '[');
        for (table *table = dirty; table != NULL; table = table->next_dirty)
            if (is_shown(table))
                tell_lobby_row(out, table, GRAL_SPECTATOR);
        pen_end(out, ']');
        pen_key(out, "gone");
        pen_begin(out, '[');
        for (table *table = dirty; table != NULL; table = table->next_dirty)
            if (!is_shown(table))
                pen_words(out, table->id);
        pen_end(out, ']');
        pen_end(out, '}');
        for (conn *conn = server->conns; conn != NULL; conn = conn->next)
            if (conn->lobby)
                conn_send(conn, out);
    }
    while (dirty != NULL) {
        table *table = dirty;
        dirty = table->next_dirty;
        table->lobby_dirty = false;
        table_release(table);
    }
    if (server->dirty != NULL)
        uv_timer_start(&server->lobby_timer, tell_changes, GATHER_MS, 0);
}

void lobby_start(server *server)
{
    uv_timer_init(&server->loop, &server->lobby_timer);
    server->lobby_timer.data = server;
}

void lobby_changed(table *table)
{
    if (table->lobby_dirty || !gral_host_terms(table->host)->listed || table->server->stopping)
        return;
    server *server = table->server;
    table->lobby_dirty = true;
    table->next_dirty = server->dirty;
    server->dirty = table;
    if (!uv_is_active((uv_handle_t *)&server->lobby_timer))
        uv_timer_start(&server->lobby_timer, tell_changes, GATHER_MS, 0);
}

/* --- the whole of it --- */

typedef struct looking {
    uv_work_t work;
    conn *conn;
    char re[MESSAGE_ID_MAX + 1];
    uint64_t user;
    unsigned over;
    char own[OWN_MAX][GRAL_GAME_ID_MAX + 1]; /* his games that are over; the others are in memory */
} looking;

static bool take_own(void *context, const char *game, enum store_stage stage, int64_t changed)
{
    (void)changed;
    looking *looking = (struct looking *)context;
    if (stage == STORE_OVER)
        memcpy(looking->own[looking->over++], game, strlen(game) + 1);
    return looking->over < OWN_MAX;
}

static void look_up(uv_work_t *work)
{
    looking *looking = (struct looking *)work->data;
    store *store = looking->conn->server->store;
    gral_error error;
    store->kind->games_of(store, looking->user, 4 * OWN_MAX, take_own, looking, &error);
}

/* The newest first, those with a free seat before those that are played; of the latter, where somebody is. */
static void put_listed(pen *out, const server *server)
{
    unsigned shown = 0;
    pen_key(out, "tables");
    pen_begin(out, '[');
    for (unsigned stage = GRAL_GATHERING; stage <= GRAL_PLAYING; stage++) {
        table *table = server->tables != NULL
                           ? (struct table *)ELMT_FROM_HH(server->tables->hh.tbl, server->tables->hh.tbl->tail)
                           : NULL;
        for (; table != NULL && shown < LISTED_MAX; table = (struct table *)table->hh.prev)
            if (is_shown(table) && gral_host_stage(table->host) == stage &&
                (stage == GRAL_GATHERING || table->present != 0)) {
                tell_lobby_row(out, table, GRAL_SPECTATOR);
                shown++;
            }
    }
    pen_end(out, ']');
}

static bool is_among(const looking *looking, const char *id)
{
    for (unsigned index = 0; index < looking->over; index++)
        if (strcmp(looking->own[index], id) == 0)
            return true;
    return false;
}

static void put_own(pen *out, const looking *looking)
{
    const conn *conn = looking->conn;
    pen_key(out, "own");
    pen_begin(out, '[');
    for (table *table = conn->server->tables; conn->person != NULL && table != NULL;
         table = (struct table *)table->hh.next)
        if (table->host != NULL && table_seat_of(table, conn->person) != GRAL_NOBODY && !is_among(looking, table->id) &&
            gral_host_end(table->host) != GRAL_END_CLOSED)
            tell_lobby_row(out, table, table_seat_of(table, conn->person));
    for (unsigned index = 0; index < looking->over; index++) {
        pen_begin(out, '{');
        pen_put_words(out, "table", looking->own[index]);
        pen_put_words(out, "stage", "over");
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static void looked_up(uv_work_t *work, int status)
{
    (void)status;
    looking *looking = (struct looking *)work->data;
    pen *out = &looking->conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "re", looking->re);
    pen_put_bool(out, "ok", true);
    put_listed(out, looking->conn->server);
    put_own(out, looking);
    pen_end(out, '}');
    conn_send(looking->conn, out);
    conn_release(looking->conn);
    free(looking);
}

void lobby_open(conn *conn, const char *re, bool on)
{
    conn->lobby = on;
    looking *looking = (struct looking *)memory_get(sizeof *looking);
    looking->conn = conn_hold(conn);
    looking->user = conn->person != NULL ? conn->person->id : 0;
    looking->work.data = looking;
    memcpy(looking->re, re, strlen(re) + 1);
    uv_queue_work(&conn->server->loop, &looking->work, look_up, looked_up);
}
