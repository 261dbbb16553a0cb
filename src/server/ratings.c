/* One rated game after the other, in the order in which they ended: what each was worth is read from its texts in the
 * store, on a thread of the pool, and written together with the note that it was. A game that is over and not yet rated
 * is in a list of the store (STORE_RATE_LATER), so nothing is forgotten when the server dies in between, and
 * whoever comes second to a game or to somebody's rating gets a conflict and looks again. */
#include "server/ratings.h"

#include "server/log.h"
#include "server/memory.h"
#include "server/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { RETRY_MS = 10000 };

/* --- one game --- */

typedef struct judged {
    char game[GRAL_GAME_ID_MAX + 1];
    int64_t time; /* when it ended */
    bool counts;
    rating_outcome outcome;
} judged;

static bool judge(store *store, judged *judged, gral_error *error)
{
    stored_game game;
    if (!stored_game_read(store, judged->game, &game, error))
        return false;
    if (game.host == NULL) {
        log_line(LOG_ERROR, "unreadable", "game=%s", judged->game);
        return true;
    }
    judged->time = gral_host_time(game.host);
    judged->counts = rating_outcome_of(game.host, &judged->outcome);
    gral_host_free(game.host);
    return true;
}

/* What somebody has in one class. */
typedef struct standing {
    rating rating;
    uint32_t games;
    int64_t time; /* of the last of them */
} standing;

static void rate(const judged *judged, standing standings[GRAL_PLAYERS_MAX])
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

/* --- as they end --- */

struct ratings {
    server *server;
    uv_work_t work;
    uv_timer_t timer;
    bool busy, closing;
    enum { NOTHING_TO_DO, TO_BE_WRITTEN, FAILED } found;
    judged judged;
    standing before[GRAL_PLAYERS_MAX], after[GRAL_PLAYERS_MAX]; /* by seat */
    gral_error error;
    store_write write[1 + GRAL_PLAYERS_MAX];
    size_t writes;
};

static bool take_game(void *context, const char *game, enum store_stage stage, int64_t changed)
{
    (void)stage, (void)changed;
    judged *judged = context;
    snprintf(judged->game, sizeof judged->game, "%s", game);
    return false;
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

static void put_writes(struct ratings *ratings)
{
    const judged *judged = &ratings->judged;
    ratings->write[0] = (store_write){
        .kind = STORE_RATED, .game = judged->game, .class = (uint8_t)judged->outcome.class, .time = judged->time};
    ratings->writes = 1;
    for (unsigned seat = 0; judged->counts && seat < judged->outcome.count; seat++) {
        if (judged->outcome.user[seat] == 0)
            continue;
        ratings->write[ratings->writes++] = (store_write){.kind = STORE_RATE,
                                                          .follows = true,
                                                          .game = judged->game,
                                                          .seat = (uint8_t)seat,
                                                          .user = judged->outcome.user[seat],
                                                          .class = (uint8_t)judged->outcome.class,
                                                          .place = judged->outcome.place[seat],
                                                          .strength = ratings->after[seat].rating.strength,
                                                          .doubt = ratings->after[seat].rating.doubt,
                                                          .time = judged->time,
                                                          .number = ratings->before[seat].games};
    }
}

static bool look_for_game(struct ratings *ratings)
{
    store *store = ratings->server->store;
    judged *judged = &ratings->judged;
    *judged = (struct judged){0};
    ratings->found = NOTHING_TO_DO;
    if (!store->kind->unrated(store, 1, take_game, judged, &ratings->error))
        return false;
    if (judged->game[0] == '\0')
        return true;
    ratings->found = TO_BE_WRITTEN;
    if (!judge(store, judged, &ratings->error))
        return false;
    memset(ratings->before, 0, sizeof ratings->before);
    for (unsigned seat = 0; judged->counts && seat < judged->outcome.count; seat++) {
        looking looking = {judged->outcome.class, &ratings->before[seat]};
        if (judged->outcome.user[seat] != 0 &&
            !store->kind->ratings_of(store, judged->outcome.user[seat], take_standing, &looking, &ratings->error))
            return false;
    }
    memcpy(ratings->after, ratings->before, sizeof ratings->before);
    if (judged->counts)
        rate(judged, ratings->after);
    put_writes(ratings);
    return true;
}

/* Those who still look at the table see what it was worth. */
static void tell_table_of(const struct ratings *ratings)
{
    const judged *judged = &ratings->judged;
    table *table;
    HASH_FIND_STR(ratings->server->tables, judged->game, table);
    if (!judged->counts || table == NULL)
        return;
    pen *out = &ratings->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "rated");
    pen_put_words(out, "table", judged->game);
    pen_put_words(out, "class", rating_class_name(judged->outcome.class));
    pen_key(out, "ratings");
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < judged->outcome.count; seat++) {
        if (judged->outcome.user[seat] == 0)
            continue;
        const standing *before = &ratings->before[seat];
        pen_begin(out, '{');
        pen_put_number(out, "seat", seat + 1);
        standing_put(out, ratings->after[seat].rating);
        pen_put_number(out, "before", rating_points(before->games > 0 ? before->rating : rating_of_newcomer()));
        pen_end(out, '}');
    }
    pen_end(out, ']');
    pen_end(out, '}');
    watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        conn_send(watch->conn, out);
    }
}

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
    if (ratings->closing || outcome == STORE_FULL || outcome == STORE_FAILED) {
        rest(ratings, true);
        return;
    }
    if (outcome == STORE_DONE)
        tell_table_of(ratings);
    begin(ratings);
}

static void looked(uv_work_t *work, int status)
{
    (void)status;
    struct ratings *ratings = work->data;
    if (ratings->found == FAILED)
        log_line(LOG_ERROR, "unrated", "game=%s why=\"%s\"", ratings->judged.game, ratings->error.message);
    if (ratings->found == TO_BE_WRITTEN && !ratings->closing)
        commit_write(ratings->server->commit, ratings->write, ratings->writes, written, ratings);
    else
        rest(ratings, ratings->found == FAILED);
}

void ratings_go_on(server *server)
{
    if (!server->ratings->busy && !server->ratings->closing)
        begin(server->ratings);
}

void ratings_open(server *server)
{
    struct ratings *ratings = memory_get(sizeof *ratings);
    server->ratings = ratings;
    ratings->server = server;
    ratings->work.data = ratings->timer.data = ratings;
    uv_timer_init(&server->loop, &ratings->timer);
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
    free(server->ratings);
}

/* --- all of them, once more --- */

typedef struct known {
    struct {
        uint64_t user, class;
    } who;
    standing standing;
    UT_hash_handle hh;
} known;

typedef struct row {
    char game[GRAL_GAME_ID_MAX + 1];
    uint64_t user;
    double strength, doubt;
} row;

typedef struct checking {
    store *store;
    void (*differs)(const char *what, uint64_t user);
    ratings_checked *checked;
    row *rows;
    size_t count, room;
    known *known;
} checking;

static bool take_row(void *context, const store_rating *rating)
{
    checking *checking = context;
    if (checking->count == checking->room) {
        checking->room = checking->room > 0 ? 2 * checking->room : 256;
        checking->rows = memory_grow(checking->rows, checking->room * sizeof *checking->rows);
    }
    row *row = &checking->rows[checking->count++];
    *row = (struct row){.user = rating->user, .strength = rating->strength, .doubt = rating->doubt};
    snprintf(row->game, sizeof row->game, "%s", rating->name);
    return true;
}

static known *know(checking *checking, uint64_t user, enum rating_class class)
{
    known *known, key = {.who = {user, class}};
    HASH_FIND(hh, checking->known, &key.who, sizeof key.who, known);
    if (known != NULL)
        return known;
    known = memory_get(sizeof *known);
    known->who = key.who;
    HASH_ADD(hh, checking->known, who, sizeof known->who, known);
    return known;
}

static void compare(checking *checking, const char *what, uint64_t user, bool same)
{
    if (same)
        return;
    checking->checked->differences++;
    checking->differs(what, user);
}

/* The rows of one game, from the first on; returns how many they are, 0 when it cannot be read. */
static size_t check_game(checking *checking, const row *rows, size_t most, gral_error *error)
{
    judged judged = {0};
    memcpy(judged.game, rows->game, sizeof judged.game);
    if (!judge(checking->store, &judged, error))
        return 0;
    size_t count = 1;
    while (count < most && strcmp(rows[count].game, rows->game) == 0)
        count++;
    standing standings[GRAL_PLAYERS_MAX] = {0};
    known *who[GRAL_PLAYERS_MAX] = {NULL};
    for (unsigned seat = 0; seat < judged.outcome.count; seat++)
        if (judged.outcome.user[seat] != 0) {
            who[seat] = know(checking, judged.outcome.user[seat], judged.outcome.class);
            standings[seat] = who[seat]->standing;
        }
    rate(&judged, standings);
    size_t at = 0;
    for (unsigned seat = 0; seat < judged.outcome.count; seat++) {
        if (who[seat] == NULL)
            continue;
        who[seat]->standing = standings[seat];
        const bool same = at < count && rows[at].user == judged.outcome.user[seat] &&
                          rows[at].strength == standings[seat].rating.strength &&
                          rows[at].doubt == standings[seat].rating.doubt;
        compare(checking, judged.game, judged.outcome.user[seat], same);
        at++;
    }
    return count;
}

static bool check_known(checking *checking, const known *known, gral_error *error)
{
    standing now = {0};
    looking looking = {(enum rating_class)known->who.class, &now};
    if (!checking->store->kind->ratings_of(checking->store, known->who.user, take_standing, &looking, error))
        return false;
    const standing *then = &known->standing;
    compare(checking, rating_class_name(looking.class), known->who.user,
            now.rating.strength == then->rating.strength && now.rating.doubt == then->rating.doubt &&
                now.games == then->games && now.time == then->time);
    return true;
}

static bool check_all(checking *checking, gral_error *error)
{
    if (!checking->store->kind->rated(checking->store, take_row, checking, error))
        return false;
    for (size_t at = 0, rows; at < checking->count; at += rows) {
        rows = check_game(checking, checking->rows + at, checking->count - at, error);
        if (rows == 0)
            return false;
        checking->checked->games++;
    }
    for (const known *known = checking->known; known != NULL; known = known->hh.next, checking->checked->people++)
        if (!check_known(checking, known, error))
            return false;
    return true;
}

bool ratings_check(store *store, void (*differs)(const char *what, uint64_t user), ratings_checked *checked,
                   gral_error *error)
{
    *checked = (ratings_checked){0};
    checking checking = {.store = store, .differs = differs, .checked = checked};
    const bool good = check_all(&checking, error);
    known *known, *next;
    HASH_ITER(hh, checking.known, known, next)
    {
        HASH_DEL(checking.known, known);
        free(known);
    }
    free(checking.rows);
    return good;
}
