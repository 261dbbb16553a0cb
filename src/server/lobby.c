/* The lobby: the listed tables that are open or played, in two lists with the newest first. Nobody can fill it: of one
 * person, of one network and in all only so many open tables are shown, the newest. Changes are gathered for a moment
 * and told together, so that a busy server does not drown those who only look around. */
#include "parts.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    GATHER_MS = 200,
    LOOKERS_A_MS = 5,               /* with many who look, changes are told less often */
    LISTED_MAX = 100,               /* rows of each list in an answer */
    OWN_MAX = 50,                   /* one's own games that are over */
    OPEN_OF_PERSON = 3,             /* shown at the same time */
    OPEN_OF_ADDRESS = 20,           /* times the weight of a larger network */
    OPEN_MAX = 200,                 /* in all */
    SHOWN_ALONE_MS = 60 * 60 * 1000 /* without anybody who sits there */
};

/* --- what is shown --- */

static bool is_shown(const table *table)
{
    return table->place != LOBBY_NOT_SHOWN;
}

static bool is_attended(const table *table)
{
    const int64_t since = table->left > table->created ? table->left : table->created;
    return table->present != 0 || server_now(table->server) - since < SHOWN_ALONE_MS;
}

static enum lobby_place place_of(const table *table)
{
    if (table->host == NULL || !gral_host_terms(table->host)->listed)
        return LOBBY_NOT_SHOWN;
    switch (gral_host_stage(table->host)) {
    case GRAL_GATHERING:
        return is_attended(table) ? LOBBY_OPEN : LOBBY_NOT_SHOWN;
    case GRAL_PLAYING:
        return table->present != 0 ? LOBBY_PLAYED : LOBBY_NOT_SHOWN;
    default:
        return LOBBY_NOT_SHOWN;
    }
}

static void move(table *table, enum lobby_place place)
{
    server *server = table->server;
    if (table->place != LOBBY_NOT_SHOWN) {
        DL_DELETE2(server->lobby[table->place].newest, table, newer, older);
        server->lobby[table->place].count--;
    }
    table->place = (uint8_t)place;
    if (place != LOBBY_NOT_SHOWN) {
        DL_PREPEND2(server->lobby[place].newest, table, newer, older);
        server->lobby[place].count++;
    }
}

static void tell_changes(uv_timer_t *timer);

static void mark(table *table)
{
    server *server = table->server;
    if (table->lobby_dirty || server->stopping)
        return;
    table->lobby_dirty = true;
    table->next_dirty = server->dirty;
    server->dirty = table;
    if (!uv_is_active((uv_handle_t *)&server->lobby_timer))
        uv_timer_start(&server->lobby_timer, tell_changes, GATHER_MS + server->lookers / LOOKERS_A_MS, 0);
}

/* How many open tables there are, of those that count against one. */
typedef struct crowd {
    unsigned in_all, of_person, of_network[SOURCE_LEVELS];
} crowd;

/* Counts a table; whether there is no room for it beside the newer ones. */
static bool is_too_many(crowd *crowd, const table *newest, const table *table)
{
    bool many = ++crowd->in_all > OPEN_MAX;
    if (table->maker == newest->maker)
        many |= ++crowd->of_person > OPEN_OF_PERSON;
    for (unsigned level = 0; level < newest->from.count && level < table->from.count; level++) {
        const source *network = &newest->from.source[level];
        if (source_is(network, &table->from.source[level]))
            many |= ++crowd->of_network[level] > OPEN_OF_ADDRESS * source_weight(network);
    }
    return many;
}

/* A new one is shown: older ones of the same person, the same network or of all make room. */
static void make_room(server *server, const table *newest)
{
    crowd crowd = {0};
    for (table *table = server->lobby[LOBBY_OPEN].newest, *next; table != NULL; table = next) {
        next = table->older;
        if (!is_too_many(&crowd, newest, table))
            continue;
        move(table, LOBBY_NOT_SHOWN);
        mark(table);
    }
}

void lobby_changed(table *table)
{
    const enum lobby_place before = (enum lobby_place)table->place, place = place_of(table);
    if (place != before)
        move(table, place);
    if (place == LOBBY_OPEN && before != LOBBY_OPEN)
        make_room(table->server, table);
    if (place != LOBBY_NOT_SHOWN || before != LOBBY_NOT_SHOWN)
        mark(table);
}

void lobby_forget(table *table)
{
    move(table, LOBBY_NOT_SHOWN);
}

void lobby_sweep(server *server)
{
    for (table *table = server->lobby[LOBBY_OPEN].newest, *next; table != NULL; table = next) {
        next = table->older;
        if (place_of(table) != LOBBY_OPEN)
            lobby_changed(table);
    }
}

/* --- what is told of changes --- */

static unsigned count_lookers(const server *server)
{
    unsigned count = 0;
    for (const conn *conn = server->conns; conn != NULL; conn = conn->next)
        count += conn->lobby;
    return count;
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
    server->lookers = count_lookers(server);
    if (server->lookers > 0) {
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
        uv_timer_start(&server->lobby_timer, tell_changes, GATHER_MS + server->lookers / LOOKERS_A_MS, 0);
}

void lobby_start(server *server)
{
    uv_timer_init(&server->loop, &server->lobby_timer);
    server->lobby_timer.data = server;
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

/* Those with a free seat before those that are played. */
static void put_listed(pen *out, const server *server)
{
    pen_key(out, "tables");
    pen_begin(out, '[');
    for (unsigned place = LOBBY_OPEN; place < LOBBY_PLACES; place++) {
        table *table = server->lobby[place].newest;
        for (unsigned shown = 0; table != NULL && shown < LISTED_MAX; shown++, table = table->older)
            tell_lobby_row(out, table, GRAL_SPECTATOR);
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
    const seating *seating = conn->person != NULL ? conn->person->seatings : NULL;
    for (; seating != NULL; seating = seating->next)
        if (!is_among(looking, seating->table->id))
            tell_lobby_row(out, seating->table, (unsigned)(seating - seating->table->seating));
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
