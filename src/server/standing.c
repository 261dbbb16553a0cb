/* What people ask about each other's play: results, ratings, how a rating has gone, and who is the best. The store is
 * asked on a thread of the pool. */
#include "server/parts.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES_TOLD = 200, RANKS_TOLD = 100, RANKS_LOOKED_AT = 400 };

/* A row of an answer, with a name of its own. */
typedef struct line {
    char name[sizeof((store_user *)0)->name];
    store_rating rating;
} line;

typedef struct asking {
    uv_work_t work;
    conn *conn;
    char re[REQUEST_ID_MAX + 1];
    char key[NAME_KEY_MAX];
    enum request_kind kind;
    uint8_t class;
    int64_t now;
    bool failed;
    store_user user;
    store_statistics statistics;
    unsigned count, room;
    line *lines;
} asking;

/* --- looking up --- */

static bool take_line(void *context, const store_rating *rating)
{
    asking *asking = context;
    if (asking->count == asking->room) {
        asking->room = asking->room > 0 ? 2 * asking->room : 16;
        asking->lines = memory_grow(asking->lines, asking->room * sizeof *asking->lines);
    }
    line *line = &asking->lines[asking->count++];
    line->rating = *rating;
    gral_text name = gral_text_in(line->name, sizeof line->name);
    gral_text_add(&name, rating->name);
    return true;
}

/* As it is now, after some time without a game. */
static rating rating_now(const asking *asking, const line *line)
{
    return rating_after((rating){line->rating.strength, line->rating.doubt}, asking->now - line->rating.time);
}

static bool look_up_somebody(asking *asking, store *store, gral_error *error)
{
    return store->kind->user_by_key(store, asking->key, &asking->user, error) &&
           store->kind->statistics(store, asking->user.user, &asking->statistics, error) &&
           store->kind->ratings_of(store, asking->user.user, take_line, asking, error);
}

static bool look_up_games(asking *asking, store *store, gral_error *error)
{
    return store->kind->user_by_key(store, asking->key, &asking->user, error) &&
           store->kind->rated_of(store, asking->user.user, asking->class, GAMES_TOLD, take_line, asking, error);
}

static bool look_up_ranking(asking *asking, store *store, gral_error *error)
{
    return store->kind->ranking(store, asking->class, RANKS_LOOKED_AT, take_line, asking, error);
}

/* --- telling --- */

void standing_put(pen *out, rating rating)
{
    pen_put_number(out, "points", rating_points(rating));
    pen_put_number(out, "margin", rating_margin(rating));
}

static void put_tally(pen *out, const store_tally *tally)
{
    pen_put_number(out, "games", tally->games);
    pen_put_number(out, "won", tally->won);
    pen_put_number(out, "drawn", tally->drawn);
}

static void put_games(pen *out, const char *name, const store_tally *tally)
{
    pen_key(out, name);
    pen_begin(out, '{');
    put_tally(out, tally);
    pen_end(out, '}');
}

void standing_put_results(pen *out, const store_statistics *statistics)
{
    put_tally(out, &statistics->all);
    pen_key(out, "standard");
    pen_begin(out, '{');
    for (unsigned players = GRAL_PLAYERS_MIN; players <= GRAL_PLAYERS_MAX; players++) {
        char digits[4];
        gral_text text = gral_text_in(digits, sizeof digits);
        gral_text_add_number(&text, players);
        if (statistics->players[players].games > 0)
            put_games(out, digits, &statistics->players[players]);
    }
    pen_end(out, '}');
    put_games(out, "original", &statistics->original);
}

static void put_somebody(const asking *asking, pen *out)
{
    pen_put_words(out, "name", asking->user.name);
    standing_put_results(out, &asking->statistics);
    pen_key(out, "ratings");
    pen_begin(out, '{');
    for (const line *line = asking->lines; line < asking->lines + asking->count; line++) {
        pen_key(out, rating_class_name((enum rating_class)line->rating.class));
        pen_begin(out, '{');
        standing_put(out, rating_now(asking, line));
        pen_put_number(out, "games", line->rating.games);
        pen_end(out, '}');
    }
    pen_end(out, '}');
}

/* Which tables they were is told to nobody but himself: whoever knows a table's id may look at it. */
static void put_his_games(const asking *asking, pen *out)
{
    const bool himself = asking->conn->person != NULL && asking->conn->person->id == asking->user.user;
    pen_put_words(out, "name", asking->user.name);
    pen_put_words(out, "class", rating_class_name((enum rating_class)asking->class));
    pen_key(out, "games");
    pen_begin(out, '[');
    for (const line *line = asking->lines; line < asking->lines + asking->count; line++) {
        pen_begin(out, '{');
        if (himself)
            pen_put_words(out, "table", line->name);
        pen_put_number(out, "time", line->rating.time / 1000);
        standing_put(out, (rating){line->rating.strength, line->rating.doubt});
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static double rank_of(const asking *asking, const line *line)
{
    return rating_rank(rating_now(asking, line));
}

static void put_ranking(const asking *asking, pen *out)
{
    pen_put_words(out, "class", rating_class_name((enum rating_class)asking->class));
    pen_key(out, "players");
    pen_begin(out, '[');
    for (const line *line = asking->lines; line < asking->lines + asking->count && line < asking->lines + RANKS_TOLD;
         line++) {
        pen_begin(out, '{');
        pen_put_words(out, "name", line->name);
        standing_put(out, rating_now(asking, line));
        pen_put_number(out, "games", line->rating.games);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

/* --- the three questions --- */

static const struct {
    bool (*look_up)(asking *asking, store *store, gral_error *error);
    void (*put)(const asking *asking, pen *out);
    bool about_all;
} questions[REQUEST_KINDS] = {
    [REQUEST_STATS] = {look_up_somebody, put_somebody, false},
    [REQUEST_RATINGS] = {look_up_games, put_his_games, false},
    [REQUEST_RANKING] = {look_up_ranking, put_ranking, true},
};

static void look_up(uv_work_t *work)
{
    asking *asking = work->data;
    gral_error error;
    asking->failed = !questions[asking->kind].look_up(asking, asking->conn->server->store, &error);
}

/* The store has them by what they were worth after their last game; who has not played for long falls behind. */
static void put_in_order(asking *asking)
{
    for (unsigned next = 1; next < asking->count; next++) {
        const line line = asking->lines[next];
        unsigned at = next;
        for (; at > 0 && rank_of(asking, &asking->lines[at - 1]) < rank_of(asking, &line); at--)
            asking->lines[at] = asking->lines[at - 1];
        asking->lines[at] = line;
    }
}

static void tell(uv_work_t *work, int status)
{
    (void)status;
    asking *asking = work->data;
    conn *conn = asking->conn;
    const bool nobody = !questions[asking->kind].about_all && asking->user.user == 0;
    if (asking->failed || nobody) {
        answer_refused(conn, asking->re, asking->failed ? refused_storage : refused_name);
    } else {
        if (questions[asking->kind].about_all)
            put_in_order(asking);
        answer_begin(conn, asking->re);
        pen_put_bool(&conn->server->out, "ok", true);
        questions[asking->kind].put(asking, &conn->server->out);
        answer_end(conn);
    }
    conn_release(conn);
    free(asking->lines);
    free(asking);
}

void standing_tell(conn *conn, const request *request)
{
    char name[NAME_BYTES_MAX];
    const char *why;
    asking *asking = memory_get(sizeof *asking);
    if (!questions[request->kind].about_all && !name_read(gral_span_of(request->name), name, asking->key, &why)) {
        answer_refused(conn, request->id, refused_name);
        free(asking);
        return;
    }
    asking->conn = conn_hold(conn);
    memcpy(asking->re, request->id, sizeof asking->re);
    asking->kind = request->kind;
    asking->class = request->rating_class;
    asking->now = server_now(conn->server);
    asking->work.data = asking;
    uv_queue_work(&conn->server->loop, &asking->work, look_up, tell);
}
