/* What is not used ends, and what has an end: sessions and devices, tokens for programs, and guests, who are nothing
 * but a session and a name; and, where that is wished, games and tournaments that have been over for long.
 *
 * Once a minute a little of it is cleared away, and more often while there is more: a few rows are read on the pool and
 * a few written with everything else, so that nobody waits for it; of several servers the one that leads does it.
 * Whether a session is too old is decided when it is shown, not when it is cleared. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    GUESTS_AT_ONCE = 50,
    SESSIONS_AT_ONCE = 100,
    GAMES_AT_ONCE = 50,
    TOURNAMENTS_AT_ONCE = 10,
    GAMES_MS = 60 * 60 * 1000, /* until they are looked for again, if there were fewer */
    LETTER_DAYS = 400,         /* longer than any question can be open */
    UNCONFIRMED_DAYS = 7,
    FIRST_MS = 1000,
    USUAL_MS = 60000,
    BACKLOG_MS = 1000 /* while there is more */
};

static const int64_t day = 86400000;

typedef struct ending {
    struct expiry *expiry;
    store_write write;
} ending;

struct expiry {
    server *server;
    uv_timer_t timer;
    uv_work_t work;
    bool stopped;
    int64_t before;   /* guests who were not here since */
    store_guest from; /* so far they have been looked at */
    store_guest guest[GUESTS_AT_ONCE];
    bool playing[GUESTS_AT_ONCE];
    unsigned count;                 /* of them */
    int64_t games_at, games_before; /* when they are looked for; those that were over then, 0 for none */
    char game[GAMES_AT_ONCE][GRAL_GAME_ID_MAX + 1];
    unsigned games;
    int64_t tournaments_before; /* the same */
    char tournament[TOURNAMENTS_AT_ONCE][GRAL_GAME_ID_MAX + 1];
    unsigned tournaments;
    unsigned writing; /* writes under way */
};

bool expiry_is_touch_due(server *server, int64_t touched)
{
    return server_now(server) - touched >= day;
}

bool expiry_is_over(server *server, enum store_session session, const store_user *user)
{
    const unsigned days = session == STORE_TOKEN ? server->settings.token_days : server->settings.session_days;
    const int64_t now = server_now(server);
    return (days > 0 && now - user->used > days * day) || (user->ends > 0 && user->ends <= now) || user->banned > now;
}

static void begin(uv_timer_t *timer);

static bool is_behind_with_games(const struct expiry *expiry)
{
    return expiry->games == GAMES_AT_ONCE || expiry->tournaments == TOURNAMENTS_AT_ONCE;
}

static bool is_behind(const struct expiry *expiry)
{
    return expiry->count == GUESTS_AT_ONCE || is_behind_with_games(expiry);
}

static void wait_for_next(struct expiry *expiry)
{
    if (!expiry->stopped)
        uv_timer_start(&expiry->timer, begin, is_behind(expiry) ? BACKLOG_MS : USUAL_MS, 0);
}

/* --- writing --- */

static void cleared(void *context, enum store_outcome outcome)
{
    ending *ending = context;
    struct expiry *expiry = ending->expiry;
    server *server = expiry->server;
    if (outcome == STORE_DONE && ending->write.kind == STORE_CLEAR_GUEST) {
        server->figures.guests_cleared++;
        session_end_all(server, ending->write.user);
        company_forget(server, ending->write.user);
        tournaments_forget(server, ending->write.user);
    }
    if (outcome == STORE_DONE && ending->write.kind == STORE_CLEAR_TOURNAMENT)
        tournaments_cleared(server, ending->write.game);
    free(ending);
    if (--expiry->writing == 0)
        wait_for_next(expiry);
}

static void clear(struct expiry *expiry, store_write write)
{
    ending *ending = memory_get(sizeof *ending);
    ending->expiry = expiry;
    ending->write = write;
    expiry->writing++;
    commit_write(expiry->server->commit, &ending->write, 1, cleared, ending);
}

static void clear_sessions(struct expiry *expiry, bool tokens, unsigned days)
{
    if (days > 0)
        clear(expiry, (store_write){.kind = STORE_END_UNUSED,
                                    .token = tokens,
                                    .limit = SESSIONS_AT_ONCE,
                                    .time = server_now(expiry->server) - days * day});
}

static void guests_found(uv_work_t *work, int status)
{
    (void)status;
    struct expiry *expiry = work->data;
    server *server = expiry->server;
    expiry->from = expiry->count == GUESTS_AT_ONCE ? expiry->guest[GUESTS_AT_ONCE - 1] : (store_guest){0};
    expiry->writing++; /* until all are on their way */
    for (unsigned at = 0; at < expiry->count && !server->stopping; at++)
        if (!expiry->playing[at] && !person_is_here(server, expiry->guest[at].user))
            clear(expiry,
                  (store_write){.kind = STORE_CLEAR_GUEST, .user = expiry->guest[at].user, .time = expiry->before});
    for (unsigned at = 0; at < expiry->games && !server->stopping; at++)
        clear(expiry, (store_write){.kind = STORE_CLEAR_GAME, .game = expiry->game[at]});
    for (unsigned at = 0; at < expiry->tournaments && !server->stopping; at++)
        clear(expiry, (store_write){.kind = STORE_CLEAR_TOURNAMENT, .game = expiry->tournament[at]});
    if (!server->stopping) {
        clear_sessions(expiry, false, server->settings.session_days);
        clear_sessions(expiry, true, server->settings.token_days);
        if (server->settings.log_days > 0)
            clear(expiry, (store_write){.kind = STORE_CLEAR_LOGS,
                                        .time = server_now(server) - server->settings.log_days * day});
        clear(expiry, (store_write){.kind = STORE_CLEAR_LETTERS,
                                    .time = server_now(server) - LETTER_DAYS * day,
                                    .ends = server_now(server) - UNCONFIRMED_DAYS * day});
        clear(expiry, (store_write){.kind = STORE_END_OVERDUE, .limit = SESSIONS_AT_ONCE, .time = server_now(server)});
    }
    if (--expiry->writing == 0)
        wait_for_next(expiry);
}

/* --- reading, on the pool --- */

static bool note_guest(void *context, uint64_t user, int64_t seen, bool playing)
{
    struct expiry *expiry = context;
    expiry->guest[expiry->count] = (store_guest){seen, user};
    expiry->playing[expiry->count] = playing;
    return ++expiry->count < GUESTS_AT_ONCE;
}

static bool note_game(void *context, const char *game, enum store_stage stage, int64_t created)
{
    (void)stage, (void)created;
    struct expiry *expiry = context;
    memcpy(expiry->game[expiry->games], game, strlen(game) + 1);
    return ++expiry->games < GAMES_AT_ONCE;
}

static bool note_tournament(void *context, const char *tournament, enum store_stage stage, int64_t unused)
{
    (void)stage, (void)unused;
    struct expiry *expiry = context;
    memcpy(expiry->tournament[expiry->tournaments], tournament, strlen(tournament) + 1);
    return ++expiry->tournaments < TOURNAMENTS_AT_ONCE;
}

static void find_guests(uv_work_t *work)
{
    struct expiry *expiry = work->data;
    store *store = expiry->server->store;
    gral_error error;
    if (expiry->before > 0)
        store->kind->absent_guests(store, expiry->before, &expiry->from, GUESTS_AT_ONCE, note_guest, expiry, &error);
    if (expiry->games_before > 0)
        store->kind->old_games(store, expiry->games_before, GAMES_AT_ONCE, note_game, expiry, &error);
    if (expiry->tournaments_before > 0)
        store->kind->old_tournaments(store, expiry->tournaments_before, TOURNAMENTS_AT_ONCE, note_tournament, expiry,
                                     &error);
}

static void begin(uv_timer_t *timer)
{
    struct expiry *expiry = timer->data;
    server *server = expiry->server;
    const unsigned days = server->settings.guest_days;
    person_sweep(server);
    session_end_overdue(server);
    if (!lead_is(server)) {
        uv_timer_start(timer, begin, USUAL_MS, 0);
        return;
    }
    expiry->count = 0;
    expiry->before = days > 0 ? server_now(server) - days * day : 0;
    const int64_t now = server_now(server);
    const bool look = is_behind_with_games(expiry) || now >= expiry->games_at;
    expiry->games = expiry->tournaments = 0;
    expiry->games_before = look && server->settings.game_days > 0 ? now - server->settings.game_days * day : 0;
    expiry->tournaments_before = look && server->settings.tournament_days > 0
                                     ? now - server->settings.tournament_days * day
                                     : 0;
    if (look)
        expiry->games_at = now + GAMES_MS;
    uv_queue_work(&server->loop, &expiry->work, find_guests, guests_found);
}

/* --- beginning and end --- */

void expiry_open(server *server)
{
    struct expiry *expiry = memory_get(sizeof *expiry);
    server->expiry = expiry;
    expiry->server = server;
    expiry->work.data = expiry->timer.data = expiry;
    uv_timer_init(&server->loop, &expiry->timer);
    uv_timer_start(&expiry->timer, begin, FIRST_MS, 0);
}

void expiry_lead(server *server)
{
    struct expiry *expiry = server->expiry;
    if (uv_is_active((uv_handle_t *)&expiry->timer) && lead_is(server))
        uv_timer_start(&expiry->timer, begin, FIRST_MS, 0);
}

void expiry_stop(server *server)
{
    server->expiry->stopped = true;
    uv_close((uv_handle_t *)&server->expiry->timer, NULL);
}

void expiry_close(server *server)
{
    free(server->expiry);
}
