/* All tables: those that somebody needs are in memory, the others are fetched from the store when somebody asks and
 * forgotten when nobody looks any more, or left to slumber.c if they are not over. A table is made from the texts in
 * the store, here as at the start. */
#include "server/parts.h"

#include "fair/blake2b.h"
#include "server/log.h"
#include "server/memory.h"

#include <sodium.h>
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
    game->count++;
    if (entry->number == 0 && gral_terms_parse(entry->text, &terms, &error)) {
        *game = (stored_game){.host = gral_host_make(&terms, fair_blake2b, entry->time),
                              .count = 1,
                              .created = entry->created,
                              .heard = entry->time,
                              .wakes = entry->wakes,
                              .left = entry->left};
    } else if (game->host != NULL) {
        const bool fits = gral_input_parse(entry->text, &input, &error) &&
                          gral_host_check(game->host, &input, entry->time) == GRAL_ACCEPTED &&
                          gral_host_apply(game->host, &input, entry->time) == GRAL_ACCEPTED;
        if (fits && entry->number == 1 && input.kind == GRAL_INPUT_SIT)
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
    if (store->kind->entries(store, id, take_text, game, error))
        return true;
    gral_host_free(game->host);
    game->host = NULL;
    return false;
}

/* --- in memory --- */

static table *add_table(server *server, const char *id)
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
    seats_clear(table);
    table_forget_work(table);
    uv_close((uv_handle_t *)&table->timer, free_table);
}

bool table_is_needed(const table *table)
{
    return table->busy > 0 || table->watches != NULL || table->waiting != NULL || table->loading ||
           table->first != NULL || table->news || table->lobby_dirty;
}

void table_release(table *table)
{
    if (table_is_needed(table))
        return;
    if (table->reported)
        table_forget(table);
    else
        slumber_note(table);
}

void tables_rest(server *server)
{
    for (table *table = server->tables; table != NULL; table = table->hh.next)
        uv_timer_stop(&table->timer);
}

void tables_forget_all(server *server)
{
    table *table, *next;
    HASH_ITER(hh, server->tables, table, next)
    {
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

typedef struct starting {
    server *server;
    table *table; /* the one being read */
    stored_game game;
    bool running;
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
    if (starting->running && gral_host_stage(table->host) == GRAL_PLAYING) /* the store knows that it has begun */
        stage_loaded(table);
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

static bool take_stored(void *context, const store_entry *entry)
{
    starting *starting = context;
    if (entry->number == 0) {
        finish_table(starting);
        starting->game = (stored_game){0};
        starting->table = add_table(starting->server, entry->game);
        starting->running = entry->stage == STORE_RUNNING;
    }
    take_text(&starting->game, entry);
    return true;
}

/* The time in which nobody could act is nobody's. */
static void resume(table *table)
{
    if (gral_host_stage(table->host) == GRAL_PLAYING && gral_host_terms(table->host)->clock != GRAL_CLOCK_NONE)
        table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_RESUME, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
}

bool tables_load_all(server *server, gral_error *error)
{
    const uint64_t began = uv_hrtime();
    server->started = server_now(server);
    starting starting = {.server = server};
    if (!server->store->kind->unfinished(server->store, take_stored, &starting, error))
        return false;
    finish_table(&starting);
    table *table, *next;
    HASH_ITER(hh, server->tables, table, next)
    {
        take_stock(table);
        resume(table);
        table_go_on(table);
        table_release(table);
    }
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
    stored_game game;
    store_user user[GRAL_PLAYERS_MAX];
} loading;

static void load(uv_work_t *work)
{
    loading *loading = work->data;
    const gral_host *host;
    gral_error error;
    stored_game_read(loading->store, loading->table->id, &loading->game, &error);
    if ((host = loading->game.host) == NULL)
        return;
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(host, seat).user;
        if (user != 0)
            loading->store->kind->user_by_id(loading->store, user, &loading->user[seat], &error);
    }
}

static void serve_waiting(table *table)
{
    waiting *waiting = table->waiting;
    table->waiting = NULL;
    table->busy++; /* whoever waited may be the last to want it */
    while (waiting != NULL) {
        struct waiting *next = waiting->next;
        waiting->found(waiting->context, table->host != NULL ? table : NULL);
        free(waiting);
        waiting = next;
    }
    table->busy--;
}

static void meet(server *server, const store_user user[GRAL_PLAYERS_MAX])
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (user[seat].user != 0)
            person_meet(server, &user[seat]);
}

/* It was asleep. Since the server was started its clocks go; before that it may have been away. */
static void wake(table *table, const stored_game *game)
{
    const int64_t now = server_now(table->server);
    table->asleep = game->wakes > 0;
    table->left = game->left;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        table->gone_since[seat] = game->left > 0 && game->left < now ? game->left : now;
    slumber_disturb(table);
    if (gral_host_time(table->host) < table->server->started) {
        table->resumed_at = table->server->started;
        resume(table);
    }
    take_stock(table);
    asked_follow(table, NULL); /* before anybody is greeted who has waited for it */
}

static void loaded(uv_work_t *work, int status)
{
    (void)status;
    loading *loading = work->data;
    table *table = loading->table;
    table->loading = false;
    const bool slept = table->host == NULL && loading->game.host != NULL &&
                       gral_host_stage(loading->game.host) == GRAL_PLAYING;
    if (loading->game.host != NULL) {
        const bool first = table->host == NULL;
        take_over(table, &loading->game);
        meet(table->server, loading->user);
        seats_follow(table);
        if (first)
            stage_loaded(table);
        if (slept)
            wake(table, &loading->game);
    }
    free(loading);

    serve_waiting(table);
    if (table->host == NULL) {
        table_forget(table);
        return;
    }
    watch_tell(table, NULL);
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

static void wait_for(table *table, table_found *found, void *context)
{
    waiting *waiting = memory_get(sizeof *waiting);
    *waiting = (struct waiting){.found = found, .context = context};
    LL_APPEND(table->waiting, waiting);
    start_loading(table);
}

void table_catch_up(table *table)
{
    start_loading(table);
}

void tables_find(server *server, const char *id, table_found *found, void *context)
{
    table *table;
    HASH_FIND_STR(server->tables, id, table);
    if (table != NULL && table->host != NULL) {
        found(context, table);
        return;
    }
    wait_for(table != NULL ? table : add_table(server, id), found, context);
}

/* --- new ones --- */

typedef struct making {
    table *table;
    gral_host *host;
    unsigned count; /* of people */
    gral_input sit[GRAL_PLAYERS_MAX];
    char terms[2048], seated[GRAL_PLAYERS_MAX][GRAL_INPUT_TEXT_MAX];
    store_write write[1 + 2 * GRAL_PLAYERS_MAX];
    size_t writes;
    table_found *found; /* of a table that is made anew */
    void *context;
} making;

static void seat_all(const making *making, int64_t time)
{
    table *table = making->table;
    table->host = making->host;
    table->count = 1 + making->count;
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
    if (outcome == STORE_CONFLICT) { /* it was made before, and is over */
        gral_host_free(making->host);
        start_loading(table);
    } else if (outcome != STORE_DONE) {
        gral_host_free(making->host);
        serve_waiting(table);
        table_forget(table);
    } else {
        seat_all(making, table->created);
        seats_follow(table);
        company_hush(table);
        lobby_changed(table);
        serve_waiting(table);
        table_go_on(table);
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
    *sit = (gral_input){
        .kind = GRAL_INPUT_SIT, .seat = (uint8_t)sitting->seat, .other = GRAL_NOBODY, .user = sitting->person->id};
    gral_text text = gral_text_in(making->seated[index], sizeof making->seated[index]);
    gral_input_print(&text, sit);
    add_write(making, (store_write){.kind = STORE_APPEND,
                                    .number = 1 + index,
                                    .time = time,
                                    .text = {making->seated[index], text.length}});
    add_write(making, (store_write){.kind = STORE_SIT, .seat = sit->seat, .user = sit->user, .time = time});
}

/* With a secret of its own; its terms are the first write. */
static making *start_making(table *table, gral_terms terms, enum store_write_kind kind, int64_t time)
{
    making *making = memory_get(sizeof *making);
    randombytes_buf(&terms.seed, sizeof terms.seed);
    making->table = table;
    making->host = gral_host_make(&terms, fair_blake2b, time);
    gral_text text = gral_text_in(making->terms, sizeof making->terms);
    gral_terms_print(&text, &terms);
    add_write(making,
              (store_write){
                  .kind = (uint8_t)kind, .time = time, .listed = terms.listed, .text = {making->terms, text.length}});
    table->loading = true;
    table->busy++;
    return making;
}

void tables_make(server *server, const gral_terms *wanted, const sitting people[], unsigned count, const origin *from,
                 table_found *found, void *context)
{
    table *table;
    HASH_FIND_STR(server->tables, wanted->game, table);
    if (table != NULL) {
        tables_find(server, wanted->game, found, context);
        return;
    }
    table = add_table(server, wanted->game);
    table->created = table->heard = server_now(server);
    table->maker = count > 0 ? people[0].person->id : 0;
    table->from = *from;
    making *making = start_making(table, *wanted, STORE_NEW_GAME, table->created);
    wait_for(table, found, context);
    for (unsigned index = 0; index < count; index++)
        write_sitting(making, &people[index], table->created);
    commit_write(server->commit, making->write, making->writes, made, making);
}

/* --- with other terms --- */

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
    making->found(making->context, outcome == STORE_DONE ? table : NULL);
    table_go_on(table);
    free(making);
}

bool tables_renew(table *table, const gral_terms *wanted, sitting host, table_found *found, void *context)
{
    gral_terms terms = *wanted;
    if (table->loading || table->in_flight > 0 || table->first != NULL)
        return false;
    memcpy(terms.game, table->id, sizeof terms.game);
    const int64_t now = table_now(table);
    const unsigned old = table_seat_of(table, host.person);
    making *making = start_making(table, terms, STORE_RENEW_GAME, now);
    making->found = found;
    making->context = context;
    add_write(making, (store_write){.kind = STORE_RISE, .seat = (uint8_t)old});
    write_sitting(making, &host, now);
    commit_write(table->server->commit, making->write, making->writes, renewed, making);
    return true;
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
