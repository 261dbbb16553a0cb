/* All tables: those that somebody needs are in memory, the others are fetched from the store when somebody asks and
 * forgotten when nobody looks any more, or left to slumber.c if they are not over. A table is made from the texts in
 * the store, here as at the start. */
#include "server/persons.h"
#include "server/several.h"
#include "server/table_inside.h"

#include "fair/blake2b.h"
#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* --- a game from its texts --- */

/* One more of them; false when it makes no sense, and then there is no host any more. */
static bool take_text(void *context, const store_entry *entry)
{
    stored_game *game = context;
    gral_error error;
    gral_terms terms;
    gral_input input;
    const bool first = game->count == 0;
    game->count = entry->number + 1;
    if (first && gral_terms_parse(entry->text, &terms, &error)) {
        *game = (stored_game){.host = gral_host_make(&terms, fair_blake2b, entry->time),
                              .terms = entry->number,
                              .count = entry->number + 1,
                              .stage = entry->stage,
                              .created = entry->created,
                              .heard = entry->time,
                              .wakes = entry->wakes,
                              .left = entry->left};
    } else if (game->host != NULL) {
        const bool fits = gral_input_parse(entry->text, &input, &error) &&
                          gral_host_check(game->host, &input, entry->time) == GRAL_ACCEPTED &&
                          gral_host_apply(game->host, &input, entry->time) == GRAL_ACCEPTED;
        if (fits && entry->number == game->terms + 1 && input.kind == GRAL_INPUT_SIT)
            game->maker = input.user;
        if (fits && input.kind != GRAL_INPUT_RESUME)
            game->heard = entry->time;
        if (!fits) {
            gral_host_free(game->host);
            game->host = NULL;
        }
    }
    return game->host != NULL;
}

bool stored_game_read(store *store, const char *id, stored_game *game, gral_error *error)
{
    *game = (stored_game){0};
    if (store->kind->entries(store, id, 0, take_text, game, error))
        return true;
    gral_host_free(game->host);
    game->host = NULL;
    return false;
}

/* --- in memory --- */

table *tables_add(server *server, const char *id)
{
    table *table = memory_get(sizeof *table);
    table->server = server;
    memcpy(table->id, id, strlen(id) + 1);
    uv_timer_init(&server->loop, &table->timer);
    table->timer.data = table;
    HASH_ADD_STR(server->tables, id, table);
    server->table_count++;
    return table;
}

static void free_table(uv_handle_t *timer)
{
    table *table = timer->data;
    gral_host_free(table->host);
    free(table);
}

void table_forget(table *table)
{
    clearing_forget(table);
    slumber_forget(table);
    HASH_DEL(table->server->tables, table);
    table->server->table_count--;
    lobby_forget(table);
    room_forget(table);
    crowds_forget(table);
    seats_clear(table);
    table_forget_work(table);
    uv_close((uv_handle_t *)&table->timer, free_table);
}

bool table_is_needed(const table *table)
{
    return table->busy > 0 || table->watches != NULL || table->waiting != NULL || table->loading ||
           table->first != NULL || table->news || table->lobby_dirty || table->slow;
}

void table_release(table *table)
{
    if (table_is_needed(table))
        return;
    if (table->reported || (table->told_stage == GRAL_ENDED && !table_is_kept(table)))
        table_forget(table);
    else
        slumber_note(table);
}

void tables_rest(server *server)
{
    for (table *table = server->tables; table != NULL; table = table->hh.next)
        uv_timer_stop(&table->timer);
}

static void serve(table *table, struct table *found);

void tables_forget_all(server *server)
{
    table *table, *next;
    HASH_ITER(hh, server->tables, table, next)
    {
        serve(table, NULL); /* it was to be read once more, and is not any more */
        table_forget(table);
    }
}

/* Gets up or resigns, whichever it is when its turn comes: the other is refused. */
static void leave(table *table, unsigned seat, uint64_t user)
{
    static const uint8_t kinds[] = {GRAL_INPUT_RISE, GRAL_INPUT_RESIGN};
    for (unsigned index = 0; index < sizeof kinds / sizeof *kinds; index++)
        table_submit_for(table, &(gral_input){.kind = kinds[index], .seat = (uint8_t)seat, .other = GRAL_NOBODY}, user);
}

void table_seat_was_taken(table *table, unsigned seat, uint64_t user)
{
    watch_miss(table, seat);
    if (person_name(table->server, user)[0] == '\0')
        leave(table, seat, user);
}

/* The table is the game that was read. */
static void take_over(table *table, const stored_game *game)
{
    gral_host_free(table->host);
    table->host = game->host;
    table->count = game->count;
    table->created = game->created;
    table->maker = game->maker;
    table->heard = game->heard;
    table_keep_time(table);
}

/* --- at the start --- */

/* Where there may be other servers: a game that none of them keeps, and so this one does. */
typedef struct orphan {
    char id[GRAL_GAME_ID_MAX + 1];
    uint64_t fence;
    UT_hash_handle hh;
} orphan;

typedef struct starting {
    server *server;
    char id[GRAL_GAME_ID_MAX + 1];
    table *table; /* the one being read */
    stored_game game;
    struct orphan *orphans;
    unsigned games, unreadable;
} starting;

static void finish_table(starting *starting)
{
    table *table = starting->table;
    if (table == NULL)
        return;
    starting->table = NULL;
    if (starting->game.host == NULL) { /* it stays in the store, for somebody to look at */
        starting->unreadable++;
        table_forget(table);
        return;
    }
    starting->games++;
    take_over(table, &starting->game);
    stage_loaded(table, starting->game.stage);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        watch_miss(table, seat);
}

/* Who sits there; somebody who has deleted his account leaves now, if he could not before. */
static void take_stock(table *table)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(table->host, seat).user;
        if (user == 0 || gral_host_stage(table->host) == GRAL_ENDED)
            continue;
        if (person_name(table->server, user)[0] == '\0')
            leave(table, seat, user);
    }
    seats_follow(table);
    lobby_changed(table);
}

static bool take_orphan(void *context, const char *game, enum store_stage stage, int64_t fence)
{
    (void)stage;
    starting *starting = context;
    orphan *orphan = memory_get(sizeof *orphan);
    snprintf(orphan->id, sizeof orphan->id, "%s", game);
    orphan->fence = (uint64_t)fence;
    HASH_ADD_STR(starting->orphans, id, orphan);
    return true;
}

static bool take_orphans(starting *starting, gral_error *error)
{
    enum { AT_ONCE = 1000 };
    store *store = starting->server->store;
    unsigned before, now = 0;
    do {
        before = now;
        if (!store->kind->peers->take(store, AT_ONCE, take_orphan, starting, error))
            return false;
        now = HASH_COUNT(starting->orphans);
    } while (now > before);
    return true;
}

static void forget_orphans(starting *starting)
{
    orphan *orphan, *next;
    HASH_ITER(hh, starting->orphans, orphan, next)
    {
        HASH_DEL(starting->orphans, orphan);
        free(orphan);
    }
}

/* What others keep is in memory if it is for everybody; the rest when somebody comes. */
static void begin_table(starting *starting, const store_entry *entry)
{
    gral_terms terms;
    gral_error error;
    orphan *orphan;
    finish_table(starting);
    snprintf(starting->id, sizeof starting->id, "%s", entry->game);
    starting->game = (stored_game){0};
    HASH_FIND_STR(starting->orphans, entry->game, orphan);
    if (orphan == NULL && !peers_alone(starting->server) &&
        !(gral_terms_parse(entry->text, &terms, &error) && terms.listed))
        return;
    starting->table = tables_add(starting->server, entry->game);
    starting->table->fence = orphan != NULL ? orphan->fence : 0;
}

static bool take_stored(void *context, const store_entry *entry)
{
    starting *starting = context;
    if (strcmp(entry->game, starting->id) != 0)
        begin_table(starting, entry);
    if (starting->table != NULL)
        take_text(&starting->game, entry);
    return true;
}

void table_resume(table *table)
{
    if (gral_host_stage(table->host) == GRAL_PLAYING && gral_host_terms(table->host)->clock != GRAL_CLOCK_NONE)
        table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_RESUME, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
}

bool tables_load_all(server *server, gral_error *error)
{
    const uint64_t began = uv_hrtime();
    const bool first = peers_count(server) == 0;
    server->started = first ? server_now(server) : 0;
    starting starting = {.server = server};
    const bool read = (peers_alone(server) || take_orphans(&starting, error)) &&
                      server->store->kind->unfinished(server->store, take_stored, &starting, error);
    forget_orphans(&starting);
    if (!read)
        return false;
    finish_table(&starting);
    table *table, *next;
    HASH_ITER(hh, server->tables, table, next)
    {
        take_stock(table);
        if (first)
            table_resume(table);
        else
            table_resume_if_pressed(table);
        table_go_on(table);
        table_release(table);
    }
    server->loaded = true;
    log_line(starting.unreadable > 0 ? LOG_ERROR : LOG_INFO, "resumed", "games=%u unreadable=%u ms=%.0f",
             starting.games, starting.unreadable, 1e-6 * (double)(uv_hrtime() - began));
    return true;
}

/* --- on demand --- */

typedef struct waiting {
    table_found *found;
    void *context;
    struct waiting *next;
} waiting;

typedef struct loading {
    uv_work_t work;
    table *table;
    store *store;
    uint64_t fence;
    stored_game game;
    store_user user[GRAL_PLAYERS_MAX];
} loading;

static void load(uv_work_t *work)
{
    loading *loading = work->data;
    const store_peers_kind *peers = loading->store->kind->peers;
    const gral_host *host;
    gral_error error;
    if (peers != NULL && !peers->keep(loading->store, loading->table->id, &loading->fence, &error))
        return;
    stored_game_read(loading->store, loading->table->id, &loading->game, &error);
    if ((host = loading->game.host) == NULL)
        return;
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(host, seat).user;
        if (user != 0)
            loading->store->kind->user_by_id(loading->store, user, &loading->user[seat], &error);
    }
}

static void serve(table *table, struct table *found)
{
    waiting *waiting = table->waiting;
    table->waiting = NULL;
    table->busy++; /* whoever waited may be the last to want it */
    while (waiting != NULL) {
        struct waiting *next = waiting->next;
        waiting->found(waiting->context, found);
        free(waiting);
        waiting = next;
    }
    table->busy--;
}

void table_serve_waiting(table *table)
{
    serve(table, table->host != NULL ? table : NULL);
}

static void meet(server *server, const store_user user[GRAL_PLAYERS_MAX])
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (user[seat].user != 0)
            person_meet(server, &user[seat]);
}

/* It was asleep, or its keeper is no more. Since the server was started its clocks go; before that it may have been
 * away. */
static void wake(table *table, const stored_game *game)
{
    const int64_t now = server_now(table->server);
    table->asleep = game->wakes > 0;
    table->left = game->left;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        table->gone_since[seat] = game->left > 0 && game->left < now ? game->left : now;
    if (gral_host_time(table->host) < table->server->started) {
        table->resumed_at = table->server->started;
        table_resume(table);
    } else if (!table->asleep && table->fence > 0) {
        table_resume_if_pressed(table);
    }
    if (table_is_kept(table))
        slumber_disturb(table);
    take_stock(table);
    asked_follow(table, NULL); /* before anybody is greeted who has waited for it */
}

static void loaded_first(table *table, const loading *loading)
{
    table->fence = loading->fence;
    stage_loaded(table, loading->game.stage);
    if (loading->game.stage == STORE_OVER)
        return;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX && !peers_alone(table->server); seat++)
        watch_miss(table, seat); /* unless others know since when */
    if (gral_host_stage(table->host) == GRAL_GATHERING)
        take_stock(table);
    else
        wake(table, &loading->game);
    watch_presence(table);
}

static void loaded(uv_work_t *work, int status)
{
    (void)status;
    loading *loading = work->data;
    table *table = loading->table;
    const bool first = table->host == NULL;
    table->loading = false;
    if (loading->game.host != NULL) {
        take_over(table, &loading->game);
        meet(table->server, loading->user);
        seats_follow(table);
        if (first)
            loaded_first(table, loading);
        else
            watch_anew(table);
    }
    free(loading);
    if (table->host == NULL) {
        table_serve_waiting(table);
        table_forget(table);
        return;
    }
    if (table->behind) { /* whoever has come meanwhile may know more */
        table_catch_up(table);
        return;
    }
    table_serve_waiting(table);
    table_go_on(table);
    table_release(table);
}

static void start_loading(table *table)
{
    if (table->loading)
        return;
    loading *loading = memory_get(sizeof *loading);
    loading->table = table;
    loading->store = table->server->store;
    loading->work.data = loading;
    table->loading = true;
    uv_queue_work(&table->server->loop, &loading->work, load, loaded);
}

void table_wait_for(table *table, table_found *found, void *context)
{
    waiting *waiting = memory_get(sizeof *waiting);
    *waiting = (struct waiting){.found = found, .context = context};
    LL_APPEND(table->waiting, waiting);
    if (table->host == NULL && !table->loading) {
        start_loading(table);
        return;
    }
    if (peers_alone(table->server))
        return;
    table->keeps |= table->fence == 0 && table->told_stage != GRAL_ENDED;
    table_catch_up(table);
}

void table_load_anew(table *table)
{
    start_loading(table);
}

/* Where others may have written something it is asked for, whatever was heard: whoever wants to know it may come from
 * another server, and must not be told less than there. Nobody may keep it, either: then this server does. */
void tables_find(server *server, const char *id, table_found *found, void *context)
{
    table *table;
    HASH_FIND_STR(server->tables, id, table);
    if (table != NULL && table->host != NULL && peers_alone(server)) {
        found(context, table);
        return;
    }
    table_wait_for(table != NULL ? table : tables_add(server, id), found, context);
}

/* --- those of one person --- */

void tables_of_person_tell(const person *person)
{
    for (const seating *seating = person->seatings; seating != NULL; seating = seating->next)
        if (seating->table->watches != NULL)
            watch_tell(seating->table, NULL);
}

void tables_of_person_leave(server *server, uint64_t id)
{
    const person *person = person_find(server, id);
    const seating *seating = person != NULL ? person->seatings : NULL;
    for (; seating != NULL; seating = seating->next)
        leave(seating->table, (unsigned)(seating - seating->table->seating), id);
    slumber_wake_all_of(server, id, NULL, NULL); /* and there he leaves, because he is nobody any more */
}
