/* Games that nobody needs leave memory: those of several people and of no tournament where no clock runs out soon, no
 * computer player has to act, nobody looks, and none of the players is connected. The store has all of them, and knows
 * when the next of them is needed; they come back when that time has come, when somebody asks for them (tables_find),
 * and when one of their players connects. So what the server holds, and reads when it starts, depends on who is there
 * and not on how many games there are.
 *
 * Of several servers the one that leads wakes what is due, whoever has let it sleep. Tables that are not needed now
 * wait in a list, the longest first; a game that another server keeps just goes. */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    LOOKED_AT_ONCE = 500, /* tables of the list */
    WOKEN_AT_ONCE = 64,
    LEAST_MS = 1000,          /* from one look to the next */
    MOST_MS = 60 * 60 * 1000, /* nobody knows what happens until then */
    SOON_MS = 10 * 60 * 1000, /* for less it is not worth while, */
    OFTEN_MS = SOON_MS / 2,   /* so other servers' sleepers are found in time by looking so often */
    OTHERS_SECONDS = 60,      /* for what others keep, where nothing sleeps */
};

struct slumber {
    server *server;
    table *idle; /* not needed, or needed by nobody but a player who is connected */
    uv_timer_t looking, waking;
    uv_work_t work;
    bool reading, stopped;
    unsigned busy;     /* writes under way, and people whose games are read */
    int64_t next;      /* to be woken; INT64_MAX for none */
    int64_t meanwhile; /* the first that fell asleep while that was read */
    unsigned due;
    char name[WOKEN_AT_ONCE][GRAL_GAME_ID_MAX + 1];
    int64_t now;
};

static int64_t patience(const server *server)
{
    const unsigned seconds = server->settings.sleep_seconds;
    return INT64_C(1000) * (seconds > 0 ? seconds : OTHERS_SECONDS);
}

/* --- who may sleep --- */

bool table_is_somebody_here(const table *table)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (table->seating[seat].person != NULL && table->seating[seat].person->conns != NULL)
            return true;
    return false;
}

static bool is_somebody_anywhere(const table *table)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (here_is(table->seating[seat].person))
            return true;
    return crowds_any(table->server, table->id);
}

static unsigned count_persons(const table *table)
{
    unsigned persons = 0;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        persons += table->seating[seat].person != NULL;
    return persons;
}

/* When something comes by itself there, by the server's clock; INT64_MAX for never. */
static int64_t needed_at(const table *table)
{
    uint8_t kind;
    int64_t time, first = clearing_time(table);
    if (gral_host_due(table->host, &kind, &time) && time - table->ahead < first)
        first = time - table->ahead;
    return first;
}

static bool may_sleep(const table *table)
{
    return table->host != NULL && table_is_kept(table) && !table_is_needed(table) &&
           gral_host_stage(table->host) == GRAL_PLAYING && table->told_stage == GRAL_PLAYING && !table->dissolved &&
           table->deliberations == NULL && gral_host_thinking(table->host) == 0 &&
           gral_host_terms(table->host)->tournament[0] == '\0' && count_persons(table) > 1 &&
           !is_somebody_anywhere(table) &&
           needed_at(table) > server_now(table->server) + patience(table->server) + SOON_MS;
}

/* A game that another server keeps is here for whoever is here. */
static bool may_go(const table *table)
{
    return table->host != NULL && !table_is_kept(table) && !table_is_needed(table) && !table_is_somebody_here(table) &&
           table->place == LOBBY_NOT_SHOWN;
}

static void let_go(table *table)
{
    table->server->running_count -= table->told_stage == GRAL_PLAYING;
    table_forget(table);
}

/* --- falling asleep --- */

typedef struct nap {
    table *table;
    store_write write;
} nap;

static void wake_at(struct slumber *slumber, int64_t time);

static void written(void *context, enum store_outcome outcome)
{
    nap *nap = context;
    table *table = nap->table;
    struct slumber *slumber = table->server->slumber;
    const bool sleeps = nap->write.kind == STORE_SLEEP;
    const int64_t wakes = nap->write.time;
    slumber->busy--;
    table->busy--;
    free(nap);
    if (sleeps && outcome != STORE_DONE)
        table->asleep = false;
    if (sleeps && table->asleep && may_sleep(table)) {
        let_go(table);
        wake_at(slumber, wakes);
        return;
    }
    if (sleeps && outcome == STORE_DONE && table->fence > 0) { /* who sleeps is kept by nobody */
        table->fence = 0;
        table_ask_who_keeps(table);
        return;
    }
    slumber_disturb(table);
    table_release(table);
}

static void write_about(table *table, enum store_write_kind kind, int64_t time)
{
    nap *nap = memory_get(sizeof *nap);
    nap->table = table;
    nap->write = (store_write){
        .kind = (uint8_t)kind, .game = table->id, .time = time, .ends = table->left, .fence = table->fence};
    table->busy++;
    table->server->slumber->busy++;
    commit_write(table->server->commit, &nap->write, 1, written, nap);
}

void slumber_disturb(table *table)
{
    if (!table->asleep)
        return;
    table->asleep = false;
    write_about(table, STORE_WAKE, 0);
}

static void fall_asleep(table *table)
{
    const int64_t wakes = needed_at(table);
    table->asleep = true;
    write_about(table, STORE_SLEEP, wakes);
}

/* --- those that are not needed --- */

static void look(uv_timer_t *timer);

static void look_later(struct slumber *slumber)
{
    if (slumber->stopped || slumber->idle == NULL || uv_is_active((uv_handle_t *)&slumber->looking))
        return;
    const int64_t left = slumber->idle->idle_since + patience(slumber->server) - server_now(slumber->server);
    uv_timer_start(&slumber->looking, look, left > LEAST_MS ? (uint64_t)left : LEAST_MS, 0);
}

void slumber_forget(table *table)
{
    struct slumber *slumber = table->server->slumber;
    if (table->idle)
        DL_DELETE2(slumber->idle, table, prev_idle, next_idle);
    table->idle = false;
}

void slumber_note(table *table)
{
    struct slumber *slumber = table->server->slumber;
    if (table->server->settings.sleep_seconds == 0 && table_is_kept(table))
        return;
    slumber_forget(table);
    table->idle = true;
    table->idle_since = server_now(table->server);
    DL_APPEND2(slumber->idle, table, prev_idle, next_idle);
    look_later(slumber);
}

static void look(uv_timer_t *timer)
{
    struct slumber *slumber = timer->data;
    const int64_t now = server_now(slumber->server);
    for (unsigned count = 0; count < LOOKED_AT_ONCE && slumber->idle != NULL; count++) {
        table *table = slumber->idle;
        if (table->idle_since + patience(slumber->server) > now)
            break;
        slumber_forget(table);
        if (may_sleep(table))
            fall_asleep(table);
        else if (may_go(table))
            let_go(table);
        else if (table->host != NULL && (gral_host_stage(table->host) == GRAL_PLAYING || !table_is_kept(table)))
            slumber_note(table);
    }
    look_later(slumber);
}

/* --- waking up --- */

static void read_due(uv_timer_t *timer);

static void wake_at(struct slumber *slumber, int64_t time)
{
    const int64_t until = time - server_now(slumber->server), most = peers_alone(slumber->server) ? MOST_MS : OFTEN_MS;
    if (slumber->reading && time < slumber->meanwhile)
        slumber->meanwhile = time;
    if (slumber->stopped || slumber->reading || !lead_is(slumber->server) || time >= slumber->next)
        return;
    slumber->next = time;
    const int64_t wait = until < LEAST_MS ? LEAST_MS : until > most ? most : until;
    uv_timer_start(&slumber->waking, read_due, (uint64_t)wait, 0);
}

static bool take_due(void *context, const char *game, enum store_stage stage, int64_t wakes)
{
    (void)stage;
    struct slumber *slumber = context;
    if (wakes > slumber->now) {
        slumber->next = wakes;
        return false;
    }
    memcpy(slumber->name[slumber->due++], game, strlen(game) + 1);
    return true;
}

static void ask_for_due(uv_work_t *work)
{
    struct slumber *slumber = work->data;
    store *store = slumber->server->store;
    gral_error error;
    if (!store->kind->asleep(store, WOKEN_AT_ONCE, take_due, slumber, &error))
        slumber->next = slumber->now + MOST_MS / 60;
}

static void woken(void *context, table *table)
{
    (void)context;
    if (table == NULL)
        return;
    slumber_disturb(table);
    table_release(table);
}

/* Where others let games sleep, too, nobody knows when the next is due. */
static int64_t look_again(const struct slumber *slumber, int64_t next)
{
    const int64_t latest = slumber->now + OFTEN_MS;
    return peers_alone(slumber->server) || next < latest ? next : latest;
}

static void due_read(uv_work_t *work, int status)
{
    (void)status;
    struct slumber *slumber = work->data;
    slumber->reading = false;
    for (unsigned index = 0; index < slumber->due && lead_is(slumber->server); index++)
        tables_find(slumber->server, slumber->name[index], woken, NULL);
    const int64_t next = slumber->due == WOKEN_AT_ONCE ? slumber->now : slumber->next;
    slumber->next = INT64_MAX;
    wake_at(slumber, look_again(slumber, next < slumber->meanwhile ? next : slumber->meanwhile));
}

static void read_due(uv_timer_t *timer)
{
    struct slumber *slumber = timer->data;
    slumber->reading = true;
    slumber->due = 0;
    slumber->next = slumber->meanwhile = INT64_MAX;
    slumber->now = server_now(slumber->server);
    uv_queue_work(&slumber->server->loop, &slumber->work, ask_for_due, due_read);
}

/* --- somebody's games --- */

typedef struct call {
    uv_work_t work;
    server *server;
    uint64_t user;
    char (*name)[GRAL_GAME_ID_MAX + 1];
    unsigned count, room, awaited;
    void (*done)(void *context);
    void *context;
} call;

static bool take_own(void *context, const char *game, enum store_stage stage, int64_t wakes)
{
    (void)stage, (void)wakes;
    call *call = context;
    if (call->count == call->room) {
        call->room = 2 * call->room + 8;
        call->name = memory_grow(call->name, call->room * sizeof *call->name);
    }
    memcpy(call->name[call->count++], game, strlen(game) + 1);
    return true;
}

static void ask_for_own(uv_work_t *work)
{
    call *call = work->data;
    gral_error error;
    call->server->store->kind->unfinished_of(call->server->store, call->user, take_own, call, &error);
}

static void one_less(call *call)
{
    if (--call->awaited > 0)
        return;
    call->server->slumber->busy--;
    if (call->done != NULL)
        call->done(call->context);
    free(call->name);
    free(call);
}

static void own_woken(void *context, table *table)
{
    woken(NULL, table);
    one_less(context);
}

static void own_read(uv_work_t *work, int status)
{
    (void)status;
    call *call = work->data;
    call->awaited = 1;
    for (unsigned index = 0; index < call->count && !call->server->stopping; index++) {
        call->awaited++;
        tables_find(call->server, call->name[index], own_woken, call);
    }
    one_less(call);
}

void slumber_wake_all_of(server *server, uint64_t user, void (*done)(void *context), void *context)
{
    call *call = memory_get(sizeof *call);
    call->server = server;
    call->user = user;
    call->done = done;
    call->context = context;
    call->work.data = call;
    server->slumber->busy++;
    uv_queue_work(&server->loop, &call->work, ask_for_own, own_read);
}

/* --- beginning and end --- */

void slumber_open(server *server)
{
    struct slumber *slumber = server->slumber = memory_get(sizeof *slumber);
    slumber->server = server;
    slumber->looking.data = slumber->waking.data = slumber->work.data = slumber;
    slumber->next = INT64_MAX;
    uv_timer_init(&server->loop, &slumber->looking);
    uv_timer_init(&server->loop, &slumber->waking);
    wake_at(slumber, server_now(server));
}

void slumber_lead(server *server)
{
    struct slumber *slumber = server->slumber;
    uv_timer_stop(&slumber->waking);
    slumber->next = INT64_MAX;
    wake_at(slumber, server_now(server));
}

void slumber_stop(server *server)
{
    server->slumber->stopped = true;
    uv_timer_stop(&server->slumber->looking);
    uv_timer_stop(&server->slumber->waking);
}

bool slumber_busy(const server *server)
{
    return server->slumber->reading || server->slumber->busy > 0;
}

void slumber_end(server *server)
{
    uv_close((uv_handle_t *)&server->slumber->looking, NULL);
    uv_close((uv_handle_t *)&server->slumber->waking, NULL);
}

void slumber_close(server *server)
{
    free(server->slumber);
}
