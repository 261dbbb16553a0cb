/* The lobby: the listed tables that are open or played, in two lists with the newest first. Nobody can fill it: of one
 * person, of one network and in all only so many open tables are shown, the newest; the others are held back until
 * there is room. Changes are gathered for a moment and told together, so that a busy server does not drown those who
 * only look around. */
#include "server/persons.h"
#include "server/tables.h"

#include "server/memory.h"

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
    HELD_AT_ONCE = 500,             /* of those held back are looked at for room */
    SHOWN_ALONE_MS = 60 * 60 * 1000 /* without anybody who sits there */
};

/* --- what is shown --- */

static bool is_shown(enum lobby_place place)
{
    return place == LOBBY_OPEN || place == LOBBY_PLAYED;
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

static void tell_changes(uv_timer_t *timer);

static void wake(server *server)
{
    lobby *lobby = &server->lobby;
    if (!server->stopping && !uv_is_active((uv_handle_t *)&lobby->timer))
        uv_timer_start(&lobby->timer, tell_changes, GATHER_MS + lobby->lookers / LOOKERS_A_MS, 0);
}

static int newer_first(const table *a, const table *b)
{
    return (a->opened < b->opened) - (a->opened > b->opened);
}

/* Where a row of open tables goes there is room; perhaps for one that was held back. */
static void move(table *table, enum lobby_place place)
{
    lobby *lobby = &table->server->lobby;
    if (lobby->next_held == table)
        lobby->next_held = table->older;
    if (table->place != LOBBY_NOT_SHOWN)
        DL_DELETE2(lobby->newest[table->place], table, newer, older);
    if (table->place == LOBBY_OPEN) {
        lobby->next_held = lobby->newest[LOBBY_HELD_BACK];
        wake(table->server);
    }
    table->place = (uint8_t)place;
    if (place == LOBBY_OPEN)
        DL_INSERT_INORDER2(lobby->newest[place], table, newer_first, newer, older);
    else if (place != LOBBY_NOT_SHOWN)
        DL_PREPEND2(lobby->newest[place], table, newer, older);
}

static void mark(table *table)
{
    server *server = table->server;
    if (table->lobby_dirty || server->stopping)
        return;
    table->lobby_dirty = true;
    LL_PREPEND2(server->lobby.dirty, table, next_dirty);
    wake(server);
}

/* How many open tables there are, of those that count against one. */
typedef struct rivals {
    unsigned in_all, of_person, of_network[SOURCE_LEVELS];
} rivals;

/* Counts one of them; whether that is more than there is room for. */
static bool is_too_many(rivals *rivals, const table *table, const struct table *rival)
{
    bool many = ++rivals->in_all > OPEN_MAX;
    if (rival->maker == table->maker)
        many |= ++rivals->of_person > OPEN_OF_PERSON;
    for (unsigned level = 0; level < table->from.count && level < rival->from.count; level++) {
        const source *network = &table->from.source[level];
        if (source_is(network, &rival->from.source[level]))
            many |= ++rivals->of_network[level] > OPEN_OF_ADDRESS * source_weight(network);
    }
    return many;
}

/* A new one is shown: older ones of the same person, the same network or of all make room. */
static void make_room(server *server, const table *newest)
{
    rivals rivals = {0};
    for (table *table = server->lobby.newest[LOBBY_OPEN], *next; table != NULL; table = next) {
        next = table->older;
        if (!is_too_many(&rivals, newest, table))
            continue;
        move(table, LOBBY_HELD_BACK);
        mark(table);
    }
}

static bool has_room(const server *server, const table *held)
{
    rivals rivals = {0};
    for (const table *table = server->lobby.newest[LOBBY_OPEN]; table != NULL; table = table->older)
        is_too_many(&rivals, held, table);
    return !is_too_many(&rivals, held, held);
}

/* Some of those that were held back; the others the next time. */
static void look_for_room(server *server)
{
    lobby *lobby = &server->lobby;
    for (unsigned count = 0; lobby->next_held != NULL && count < HELD_AT_ONCE; count++) {
        table *held = lobby->next_held;
        if (has_room(server, held)) {
            move(held, LOBBY_OPEN);
            mark(held);
        } else {
            lobby->next_held = held->older;
        }
    }
}

void lobby_changed(table *table)
{
    const enum lobby_place before = (enum lobby_place)table->place, place = place_of(table);
    const bool opens = place == LOBBY_OPEN && before != LOBBY_OPEN && before != LOBBY_HELD_BACK;
    if (place == LOBBY_OPEN && before == LOBBY_HELD_BACK)
        return;
    if (opens)
        table->opened = ++table->server->lobby.opened;
    if (place != before)
        move(table, place);
    if (opens)
        make_room(table->server, table);
    if (is_shown(place) || is_shown(before))
        mark(table);
}

void lobby_forget(table *table)
{
    move(table, LOBBY_NOT_SHOWN);
}

void lobby_check(table *table)
{
    if (table->place != LOBBY_NOT_SHOWN && place_of(table) == LOBBY_NOT_SHOWN)
        lobby_changed(table);
}

/* --- what is told of changes --- */

/* As somebody on this seat sees it, or GRAL_SPECTATOR. */
static void put_row(pen *out, table *table, unsigned viewer)
{
    const tell_table told = watch_as_told(table);
    tell_row(out, &told, viewer);
}

static unsigned count_lookers(const server *server)
{
    unsigned count = 0;
    for (const conn *conn = server->conns; conn != NULL; conn = conn->next)
        count += conn->lobby;
    return count;
}

/* So many rows at once; the others the next time. */
static table *take_dirty(lobby *lobby)
{
    table *first = lobby->dirty, *last = first;
    for (unsigned count = 1; last != NULL && count < LISTED_MAX; count++)
        last = last->next_dirty;
    lobby->dirty = last != NULL ? last->next_dirty : NULL;
    if (last != NULL)
        last->next_dirty = NULL;
    return first;
}

/* What somebody may see; without a viewer, what everybody may. */
static void write_changes(server *server, table *changed, const person *viewer)
{
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "lobby");
    pen_key(out, "tables");
    pen_begin(out, '[');
    for (table *table = changed; table != NULL; table = table->next_dirty)
        if (is_shown(table->place) && !company_hides(table, viewer))
            put_row(out, table, GRAL_SPECTATOR);
    pen_end(out, ']');
    pen_key(out, "gone");
    pen_begin(out, '[');
    for (table *table = changed; table != NULL; table = table->next_dirty)
        if (!is_shown(table->place))
            pen_words(out, table->id);
    pen_end(out, ']');
    pen_end(out, '}');
}

static void write_here(server *server, table *changed, const person *viewer)
{
    (void)changed;
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "here");
    here_put(out, server, viewer);
    pen_end(out, '}');
}

typedef void writing(server *server, table *changed, const person *viewer);

/* Whether it has not heard yet what is written so. */
static bool is_news(const conn *conn, writing *write)
{
    return conn->lobby && (write != write_here || conn->here != conn->server->lobby.here);
}

/* It is written once for all who see the same, and once for each of the few who do not. */
static void tell_lookers(server *server, table *changed, writing *write)
{
    write(server, changed, NULL);
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (is_news(conn, write) && company_sees_all_alike(server, conn->person))
            conn_send(conn, &server->out);
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (is_news(conn, write) && !company_sees_all_alike(server, conn->person)) {
            write(server, changed, conn->person);
            conn_send(conn, &server->out);
        }
}

static void tell_here(server *server)
{
    tell_lookers(server, NULL, write_here);
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        conn->here = server->lobby.here;
}

void lobby_here_changed(server *server)
{
    server->lobby.here++;
    wake(server);
}

static void tell_changes(uv_timer_t *timer)
{
    server *server = timer->data;
    lobby *lobby = &server->lobby;
    look_for_room(server);
    table *changed = take_dirty(lobby);
    lobby->lookers = count_lookers(server);
    if (lobby->lookers > 0 && changed != NULL)
        tell_lookers(server, changed, write_changes);
    if (lobby->lookers > 0)
        tell_here(server);
    while (changed != NULL) {
        table *table = changed;
        changed = table->next_dirty;
        table->lobby_dirty = false;
        table_release(table);
    }
    if (lobby->dirty != NULL || lobby->next_held != NULL)
        wake(server);
}

void lobby_start(server *server)
{
    uv_timer_init(&server->loop, &server->lobby.timer);
    server->lobby.timer.data = server;
}

void lobby_stop(server *server)
{
    uv_close((uv_handle_t *)&server->lobby.timer, NULL);
}

/* --- the whole of it --- */

typedef struct looking {
    uv_work_t work;
    conn *conn;
    char re[REQUEST_ID_MAX + 1];
    uint64_t user;
    unsigned over;
    char own[OWN_MAX][GRAL_GAME_ID_MAX + 1]; /* his games that are over; the others are in memory */
} looking;

static bool take_own(void *context, const char *game, enum store_stage stage, int64_t changed)
{
    (void)changed;
    looking *looking = context;
    if (stage == STORE_OVER)
        memcpy(looking->own[looking->over++], game, strlen(game) + 1);
    return looking->over < OWN_MAX;
}

static void look_up(uv_work_t *work)
{
    looking *looking = work->data;
    store *store = looking->conn->server->store;
    gral_error error;
    store->kind->games_of(store, looking->user, 4 * OWN_MAX, take_own, looking, &error);
}

/* Those with a free seat before those that are played. */
static void put_listed(pen *out, const server *server, const person *viewer)
{
    pen_key(out, "tables");
    pen_begin(out, '[');
    for (unsigned place = LOBBY_OPEN; place <= LOBBY_PLAYED; place++) {
        table *table = server->lobby.newest[place];
        for (unsigned shown = 0; table != NULL && shown < LISTED_MAX; shown++, table = table->older)
            if (!company_hides(table, viewer))
                put_row(out, table, GRAL_SPECTATOR);
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
            put_row(out, seating->table, (unsigned)(seating - seating->table->seating));
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
    looking *looking = work->data;
    pen *out = &looking->conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "re", looking->re);
    pen_put_bool(out, "ok", true);
    put_listed(out, looking->conn->server, looking->conn->person);
    put_own(out, looking);
    looking->conn->here = looking->conn->server->lobby.here;
    pen_key(out, "here");
    pen_begin(out, '{');
    here_put(out, looking->conn->server, looking->conn->person);
    pen_end(out, '}');
    pen_end(out, '}');
    conn_send(looking->conn, out);
    conn_release(looking->conn);
    free(looking);
}

void lobby_open(conn *conn, const char *re, bool on)
{
    conn->lobby = on;
    looking *looking = memory_get(sizeof *looking);
    looking->conn = conn_hold(conn);
    looking->user = conn->person != NULL ? conn->person->id : 0;
    looking->work.data = looking;
    memcpy(looking->re, re, strlen(re) + 1);
    uv_queue_work(&conn->server->loop, &looking->work, look_up, looked_up);
}
