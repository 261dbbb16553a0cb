/* Which tables this server keeps: where it lets the clocks run and computer players act, and writes what becomes of the
 * game. Where there can be no other server that is all of them; else each game is kept by one, under a lease whose
 * number the store compares (store.h). Games whose keeper has died are taken over a few at a time. */
#include "server/several.h"
#include "server/table_inside.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    TAKEN_AT_ONCE = 64,
    PRESSED_MS = 60 * 1000, /* so long before its end a clock stands still while nobody looks after it */
};

bool table_is_kept(const table *table)
{
    return table->fence > 0 || peers_alone(table->server);
}

/* Others could act all the time, but whoever was with the server that has died could not: where it matters, the time
 * since the last input is nobody's. */
void table_resume_if_pressed(table *table)
{
    const int64_t deadline = gral_host_stage(table->host) == GRAL_PLAYING ? gral_host_round(table->host).deadline : 0;
    if (deadline != 0 && deadline < table_now(table) + PRESSED_MS)
        table_resume(table);
}

void table_keep(table *table, uint64_t fence)
{
    const bool before = table->fence > 0;
    table->fence = fence;
    if (fence == 0 || before)
        return;
    table->asleep = true; /* perhaps: then the store learns that it is not */
    slumber_disturb(table);
    table_resume_if_pressed(table);
    if (gral_host_stage(table->host) != GRAL_GATHERING) /* whoever has kept it may not have said so */
        stage_report(table);
}

void table_ask_who_keeps(table *table)
{
    table->keeps = !peers_alone(table->server);
    table_catch_up(table);
}

void tables_were_lost(server *server)
{
    table *table, *next;
    unsigned lost = 0;
    HASH_ITER(hh, server->tables, table, next)
    {
        if (table->fence == 0)
            continue;
        lost++;
        table->fence = 0;
        if (table->host == NULL)
            continue;
        table_set_timer(table);
        table_ask_who_keeps(table); /* perhaps nobody has taken it yet */
    }
    log_line(LOG_WARNING, "taken-for-dead", "games=%u", lost);
}

/* --- those of a server that has died --- */

struct taking {
    uv_work_t work;
    server *server;
    uint64_t began;
    bool failed;
    unsigned count, awaited, all;
    char name[TAKEN_AT_ONCE][GRAL_GAME_ID_MAX + 1];
};

static bool take_name(void *context, const char *game, enum store_stage stage, int64_t fence)
{
    (void)stage, (void)fence; /* whoever reads it asks for it again */
    struct taking *taking = context;
    snprintf(taking->name[taking->count++], sizeof taking->name[0], "%s", game);
    return taking->count < TAKEN_AT_ONCE;
}

static void take(uv_work_t *work)
{
    struct taking *taking = work->data;
    store *store = taking->server->store;
    gral_error error;
    taking->failed = !store->kind->peers->take(store, TAKEN_AT_ONCE, take_name, taking, &error);
}

static void taken(uv_work_t *work, int status);

static void take_some(struct taking *taking)
{
    taking->count = 0;
    uv_queue_work(&taking->server->loop, &taking->work, take, taken);
}

static void one_less(struct taking *taking)
{
    if (--taking->awaited > 0)
        return;
    server *server = taking->server;
    if (taking->count == TAKEN_AT_ONCE && !taking->failed && !server->stopping) {
        take_some(taking);
        return;
    }
    const double seconds = 1e-9 * (double)(uv_hrtime() - taking->began);
    if (taking->all > 0) {
        log_line(LOG_INFO, "took-over", "games=%u ms=%.0f", taking->all, 1e3 * seconds);
        server->figures.games_taken += taking->all;
        histogram_note(&server->figures.take_overs, seconds);
    }
    server->taking = NULL;
    free(taking);
}

static void taken_over(void *context, table *table)
{
    if (table != NULL)
        table_release(table);
    one_less(context);
}

static void taken(uv_work_t *work, int status)
{
    (void)status;
    struct taking *taking = work->data;
    taking->awaited = 1;
    taking->all += taking->count;
    for (unsigned index = 0; index < taking->count && !taking->server->stopping; index++) {
        table *table;
        HASH_FIND_STR(taking->server->tables, taking->name[index], table);
        if (table != NULL)
            table->keeps = true; /* though it may be over: who kept it has not said so */
        taking->awaited++;
        tables_find(taking->server, taking->name[index], taken_over, taking);
    }
    one_less(taking);
}

void tables_take_orphans(server *server)
{
    if (server->taking != NULL || server->stopping || !server->loaded)
        return;
    struct taking *taking = server->taking = memory_get(sizeof *taking);
    taking->server = server;
    taking->began = uv_hrtime();
    taking->work.data = taking;
    take_some(taking);
}
