/* One game that is over after the other: what it was worth, and how those who played it play, is read from its texts in
 * the store, on a thread of the pool, and written together with the note that it was. A game that is over and not yet
 * read is in a list of the store (STORE_READ_LATER), so nothing is forgotten when the server dies in between, and
 * whoever comes second to a game or to somebody's rating gets a conflict and looks again. Of several servers the one
 * that leads does it, and says it to the others for those who look at the table there. */
#include "server/ratings_inside.h"

#include "server/log.h"
#include "server/memory.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { RETRY_MS = 10000 };

/* --- one game --- */

bool ratings_judge(store *store, judged *judged, gral_host **host, gral_error *error)
{
    stored_game game = {0};
    const bool read = stored_game_read(store, judged->game, &game, error);
    *host = game.host;
    if (!read)
        return false;
    if (game.host == NULL) {
        log_line(LOG_ERROR, "unreadable", "game=%s", judged->game);
        return true;
    }
    judged->time = gral_host_time(game.host);
    judged->counts = rating_outcome_of(game.host, &judged->outcome);
    return true;
}

void ratings_rate(const judged *judged, standing standings[GRAL_PLAYERS_MAX])
{
    rating ratings[GRAL_PLAYERS_MAX];
    for (unsigned seat = 0; seat < judged->outcome.count; seat++) {
        const standing *before = &standings[seat];
        ratings[seat] = before->games > 0 ? rating_after(before->rating, judged->time - before->time)
                                          : rating_of_newcomer();
    }
    rating_apply(&judged->outcome, ratings);
    for (unsigned seat = 0; seat < judged->outcome.count; seat++)
        standings[seat] = (standing){ratings[seat], standings[seat].games + 1, judged->time};
}

typedef struct looking {
    enum rating_class class;
    standing *found;
} looking;

static bool take_standing(void *context, const store_rating *rating)
{
    const looking *looking = context;
    if (rating->class == looking->class)
        *looking->found = (standing){{rating->strength, rating->doubt}, rating->games, rating->time};
    return true;
}

bool ratings_read(store *store, uint64_t user, enum rating_class class, standing *found, gral_error *error)
{
    looking looking = {class, found};
    return store->kind->ratings_of(store, user, take_standing, &looking, error);
}

/* --- as they end --- */

struct ratings {
    server *server;
    uv_work_t work;
    uv_timer_t timer;
    bool busy, closing;
    enum { NOTHING_TO_DO, TO_BE_WRITTEN, FAILED } found;
    judged judged;
    bool settled;                                               /* its ratings are known already */
    standing before[GRAL_PLAYERS_MAX], after[GRAL_PLAYERS_MAX]; /* by seat, as is `shown` */
    uint8_t shown[GRAL_PLAYERS_MAX];                            /* to whom, enum tie_seen */
    pen manner[GRAL_PLAYERS_MAX];
    gral_error error;
    store_write write[2 + 2 * GRAL_PLAYERS_MAX];
    size_t writes;
};

static bool take_game(void *context, const char *game, bool settled)
{
    struct ratings *ratings = context;
    snprintf(ratings->judged.game, sizeof ratings->judged.game, "%s", game);
    ratings->settled = settled;
    return false;
}

static void put_write(struct ratings *ratings, store_write write)
{
    write.game = ratings->judged.game;
    write.time = ratings->judged.time;
    ratings->write[ratings->writes++] = write;
}

/* What it was worth. */
static bool look_for_ratings(struct ratings *ratings)
{
    store *store = ratings->server->store;
    const rating_outcome *outcome = &ratings->judged.outcome;
    memset(ratings->before, 0, sizeof ratings->before);
    for (unsigned seat = 0; seat < outcome->count; seat++) {
        uint8_t shown[PROFILE_PARTS];
        if (outcome->user[seat] == 0)
            continue;
        if (!ratings_read(store, outcome->user[seat], outcome->class, &ratings->before[seat], &ratings->error) ||
            !profile_read_shown(store, outcome->user[seat], shown, &ratings->error))
            return false;
        ratings->shown[seat] = shown[PROFILE_RATINGS];
    }
    memcpy(ratings->after, ratings->before, sizeof ratings->before);
    ratings_rate(&ratings->judged, ratings->after);
    put_write(ratings, (store_write){.kind = STORE_RATED, .class = (uint8_t)outcome->class});
    for (unsigned seat = 0; seat < outcome->count; seat++)
        if (outcome->user[seat] != 0)
            put_write(ratings, (store_write){.kind = STORE_RATE,
                                             .seat = (uint8_t)seat,
                                             .user = outcome->user[seat],
                                             .class = (uint8_t)outcome->class,
                                             .place = outcome->place[seat],
                                             .strength = ratings->after[seat].rating.strength,
                                             .doubt = ratings->after[seat].rating.doubt,
                                             .number = ratings->before[seat].games});
    return true;
}

/* How those have played who have a result. */
static void look_for_manners(struct ratings *ratings, const gral_host *host)
{
    const gral_terms *terms = gral_host_terms(host);
    manner manners[GRAL_PLAYERS_MAX] = {0};
    if (!manner_of(host, manners))
        log_line(LOG_ERROR, "unreadable", "game=%s", ratings->judged.game);
    for (unsigned seat = 0; seat < terms->settings.players; seat++) {
        pen *out = &ratings->manner[seat];
        uint8_t result;
        if (!stage_result(host, seat, &result))
            continue;
        pen_clear(out);
        profile_put_manner(out, &manners[seat]);
        put_write(ratings, (store_write){.kind = STORE_PLAYED,
                                         .seat = (uint8_t)seat,
                                         .user = gral_host_seat_at(host, seat).user,
                                         .class = (uint8_t)rating_class_of(terms),
                                         .result = result,
                                         .text = pen_span(out)});
    }
}

static bool look_for_game(struct ratings *ratings)
{
    store *store = ratings->server->store;
    judged *judged = &ratings->judged;
    *judged = (struct judged){0};
    ratings->writes = 0;
    ratings->found = NOTHING_TO_DO;
    if (!store->kind->unread(store, 1, take_game, ratings, &ratings->error))
        return false;
    if (judged->game[0] == '\0')
        return true;
    ratings->found = TO_BE_WRITTEN;
    gral_host *host;
    bool good = ratings_judge(store, judged, &host, &ratings->error);
    judged->counts &= !ratings->settled;
    put_write(ratings, (store_write){.kind = STORE_READ});
    if (good && judged->counts)
        good = look_for_ratings(ratings);
    if (good && host != NULL)
        look_for_manners(ratings, host);
    gral_host_free(host);
    return good;
}

/* --- telling it --- */

/* What a game was worth to one who played it. */
typedef struct worth {
    uint64_t user; /* 0: nobody's */
    uint8_t shown; /* to whom, enum tie_seen */
    rating before, after;
} worth;

typedef struct rated {
    char game[GRAL_GAME_ID_MAX + 1];
    enum rating_class class;
    worth seat[GRAL_PLAYERS_MAX];
} rated;

/* Those of it that this one may see. */
static void tell_watch_of(server *server, const rated *rated, conn *conn)
{
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "rated");
    pen_put_words(out, "table", rated->game);
    pen_put_words(out, "class", rating_class_name(rated->class));
    pen_key(out, "ratings");
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        const worth *worth = &rated->seat[seat];
        if (worth->user == 0 ||
            !company_shows(server, worth->user, worth->shown, conn->person != NULL ? conn->person->id : 0))
            continue;
        pen_begin(out, '{');
        pen_put_number(out, "seat", seat + 1);
        profile_put_rating(out, worth->after);
        pen_put_number(out, "before", rating_points(worth->before));
        pen_end(out, '}');
    }
    pen_end(out, ']');
    pen_end(out, '}');
    conn_send(conn, out);
}

/* Those who still look at the table. */
static void tell_table_of(server *server, const rated *rated)
{
    table *table;
    watch *watch;
    HASH_FIND_STR(server->tables, rated->game, table);
    if (table == NULL)
        return;
    DL_FOREACH(table->watches, watch)
    {
        tell_watch_of(server, rated, watch->conn);
    }
}

static rated what_was_found(const struct ratings *ratings)
{
    const rating_outcome *outcome = &ratings->judged.outcome;
    rated rated = {.class = outcome->class};
    memcpy(rated.game, ratings->judged.game, sizeof rated.game);
    for (unsigned seat = 0; seat < outcome->count; seat++) {
        const standing *before = &ratings->before[seat];
        rated.seat[seat] = (worth){outcome->user[seat], ratings->shown[seat],
                                   before->games > 0 ? before->rating : rating_of_newcomer(),
                                   ratings->after[seat].rating};
    }
    return rated;
}

/* The game, the class, and for each seat the person, to whom it is shown, and the ratings. */
static void say(server *server, const rated *rated)
{
    char words[128 * (GRAL_PLAYERS_MAX + 1)];
    int length = snprintf(words, sizeof words, "%s %u", rated->game, (unsigned)rated->class);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        const worth *worth = &rated->seat[seat];
        length += snprintf(words + length, sizeof words - (size_t)length, " %" PRIu64 " %u %.17g %.17g %.17g %.17g",
                           worth->user, worth->shown, worth->before.strength, worth->before.doubt,
                           worth->after.strength, worth->after.doubt);
    }
    peers_say(server, PEERS_RATED, (gral_span){words, (size_t)length});
}

static_assert(GRAL_GAME_ID_MAX == 32, "as it is read below");

static void hear(server *server, const char *peer, gral_span said)
{
    (void)peer;
    char words[128 * (GRAL_PLAYERS_MAX + 1)];
    rated rated = {0};
    unsigned class;
    int at = 0, length;
    snprintf(words, sizeof words, "%.*s", (int)said.length, said.bytes);
    if (sscanf(words, "%32s %u%n", rated.game, &class, &at) < 2 || class >= RATING_CLASSES)
        return;
    rated.class = (enum rating_class) class;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++, at += length) {
        worth *worth = &rated.seat[seat];
        if (sscanf(words + at, " %" SCNu64 " %" SCNu8 " %lf %lf %lf %lf%n", &worth->user, &worth->shown,
                   &worth->before.strength, &worth->before.doubt, &worth->after.strength, &worth->after.doubt,
                   &length) < 6)
            return;
    }
    tell_table_of(server, &rated);
}

static void tell_all(struct ratings *ratings)
{
    if (!ratings->judged.counts)
        return;
    const rated rated = what_was_found(ratings);
    tell_table_of(ratings->server, &rated);
    say(ratings->server, &rated);
}

/* --- one after the other --- */

static void look(uv_work_t *work)
{
    struct ratings *ratings = work->data;
    if (!look_for_game(ratings))
        ratings->found = FAILED;
}

static void looked(uv_work_t *work, int status);

static void begin(struct ratings *ratings)
{
    ratings->busy = true;
    uv_queue_work(&ratings->server->loop, &ratings->work, look, looked);
}

static void try_later(uv_timer_t *timer)
{
    ratings_go_on(((struct ratings *)timer->data)->server);
}

static void rest(struct ratings *ratings, bool failed)
{
    ratings->busy = false;
    if (failed && !ratings->closing)
        uv_timer_start(&ratings->timer, try_later, RETRY_MS, 0);
}

static void written(void *context, enum store_outcome outcome)
{
    struct ratings *ratings = context;
    const bool failed = outcome == STORE_FULL || outcome == STORE_FAILED;
    if (outcome == STORE_DONE)
        tell_all(ratings);
    if (failed || !lead_is(ratings->server))
        rest(ratings, failed);
    else
        begin(ratings);
}

static void looked(uv_work_t *work, int status)
{
    (void)status;
    struct ratings *ratings = work->data;
    if (ratings->found == FAILED)
        log_line(LOG_ERROR, "unread", "game=%s why=\"%s\"", ratings->judged.game, ratings->error.message);
    if (ratings->found == TO_BE_WRITTEN && lead_is(ratings->server))
        commit_write(ratings->server->commit, ratings->write, ratings->writes, written, ratings);
    else
        rest(ratings, ratings->found == FAILED);
}

void ratings_go_on(server *server)
{
    if (!server->ratings->busy && !server->ratings->closing && lead_is(server))
        begin(server->ratings);
}

void ratings_open(server *server)
{
    static const peers_listener listener = {.heard = hear};
    struct ratings *ratings = memory_get(sizeof *ratings);
    server->ratings = ratings;
    ratings->server = server;
    ratings->work.data = ratings->timer.data = ratings;
    uv_timer_init(&server->loop, &ratings->timer);
    peers_listen(server, PEERS_RATED, &listener);
    ratings_go_on(server);
}

bool ratings_busy(const server *server)
{
    return server->ratings->busy;
}

void ratings_stop(server *server)
{
    server->ratings->closing = true;
    uv_close((uv_handle_t *)&server->ratings->timer, NULL);
}

void ratings_close(server *server)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        pen_free(&server->ratings->manner[seat]);
    free(server->ratings);
}
