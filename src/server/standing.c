/* What people ask about each other's play: what is known of somebody (profile.h), how a rating has gone, his games, and
 * who is the best; and what he says about who may know it. The store is asked on a thread of the pool, first who it is
 * and what he shows to whom, and then for what he shows to who asks: the rest is not even read, so that nobody can
 * measure how much there is of it. */
#include "server/persons.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum { RATED_TOLD = 200, GAMES_TOLD = 20, RANKS_TOLD = 100, RANKS_LOOKED_AT = 400 };

/* A row of an answer, with a name of its own. */
typedef struct line {
    char name[sizeof((store_user *)0)->name];
    store_rating rating;
} line;

/* Somebody at one of the games. */
typedef struct player {
    char game[GRAL_GAME_ID_MAX + 1], name[sizeof((store_user *)0)->name];
    bool original;
    store_played played;
} player;

typedef struct asking {
    uv_work_t work;
    conn *conn;
    char re[REQUEST_ID_MAX + 1];
    char key[NAME_KEY_MAX], after[GRAL_GAME_ID_MAX + 1];
    enum request_kind kind;
    uint8_t class;
    uint64_t viewer; /* 0: a stranger */
    int64_t now;
    bool failed;
    store_user user;
    uint8_t shown[PROFILE_PARTS];
    unsigned sees; /* a bit for each part that he shows to who asks */
    profile profile;
    unsigned count, room;
    line *lines;
    player *players;
} asking;

/* --- looking up --- */

static unsigned need_row(asking *asking, void **rows, size_t size)
{
    if (asking->count == asking->room) {
        asking->room = asking->room > 0 ? 2 * asking->room : 16;
        *rows = memory_grow(*rows, asking->room * size);
    }
    return asking->count++;
}

static void keep(char *place, size_t room, const char *words)
{
    gral_text text = gral_text_in(place, room);
    gral_text_add(&text, words);
}

static bool take_line(void *context, const store_rating *rating)
{
    asking *asking = context;
    const unsigned at = need_row(asking, (void **)&asking->lines, sizeof *asking->lines);
    asking->lines[at].rating = *rating;
    keep(asking->lines[at].name, sizeof asking->lines->name, rating->name);
    return true;
}

static bool take_player(void *context, const store_played *played)
{
    asking *asking = context;
    const unsigned at = need_row(asking, (void **)&asking->players, sizeof *asking->players);
    player *player = &asking->players[at];
    player->played = *played;
    player->original = strcmp(played->rules, "original") == 0;
    keep(player->game, sizeof player->game, played->game);
    keep(player->name, sizeof player->name, played->name);
    return true;
}

/* As it is now, after some time without a game. */
static rating rating_now(const asking *asking, const line *line)
{
    return rating_after((rating){line->rating.strength, line->rating.doubt}, asking->now - line->rating.time);
}

static bool look_up_somebody(asking *asking, store *store, gral_error *error)
{
    return profile_read(store, asking->user.user, asking->sees, &asking->profile, error);
}

static bool look_up_rated(asking *asking, store *store, gral_error *error)
{
    return store->kind->rated_of(store, asking->user.user, asking->class, RATED_TOLD, take_line, asking, error);
}

/* One more than is told, to know whether there are more. Where only a link leads to, nobody else is led. */
static bool look_up_games(asking *asking, store *store, gral_error *error)
{
    const store_page page = {asking->after, asking->viewer == asking->user.user, GAMES_TOLD + 1};
    return store->kind->played_by(store, asking->user.user, &page, take_player, asking, error);
}

static double rank_of(const asking *asking, const line *line)
{
    return rating_rank(rating_now(asking, line));
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

static bool look_up_ranking(asking *asking, store *store, gral_error *error)
{
    if (!store->kind->ranking(store, asking->class, RANKS_LOOKED_AT, take_line, asking, error))
        return false;
    put_in_order(asking);
    return true;
}

/* --- telling --- */

static bool sees(const asking *asking, enum profile_part part)
{
    return asking->sees >> part & 1;
}

static void put_somebody(const asking *asking, pen *out)
{
    pen_put_words(out, "name", asking->user.name);
    for (unsigned part = 0; part < PROFILE_PARTS; part++)
        if (sees(asking, (enum profile_part)part))
            profile_put(out, &asking->profile, (enum profile_part)part, asking->now);
    pen_key(out, "sees");
    pen_begin(out, '[');
    for (unsigned part = 0; part < PROFILE_PARTS; part++)
        if (sees(asking, (enum profile_part)part))
            pen_words(out, profile_part_names[part]);
    pen_end(out, ']');
    if (asking->viewer == asking->user.user)
        profile_put_shown(out, asking->profile.shown);
}

/* Which tables they were is told to nobody but himself: whoever knows a table's id may look at it. */
static void put_rated(const asking *asking, pen *out)
{
    const bool himself = asking->viewer == asking->user.user;
    pen_put_words(out, "name", asking->user.name);
    pen_put_words(out, "class", rating_class_name((enum rating_class)asking->class));
    pen_key(out, "games");
    pen_begin(out, '[');
    for (const line *line = asking->lines; line < asking->lines + asking->count; line++) {
        pen_begin(out, '{');
        if (himself)
            pen_put_words(out, "table", line->name);
        pen_put_number(out, "time", line->rating.time / 1000);
        profile_put_rating(out, (rating){line->rating.strength, line->rating.doubt});
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

/* The game of one row, with all who played it in the rows from there on; returns how many rows these are. */
static unsigned put_game(const asking *asking, pen *out, const player *first)
{
    static const char *const results[STORE_RESULTS] = {"lost", "drawn", "won"};
    const player *end = asking->players + asking->count;
    pen_begin(out, '{');
    pen_put_words(out, "table", first->game);
    pen_put_number(out, "time", first->played.time / 1000);
    pen_put_words(out, "class", rating_class_name((enum rating_class)first->played.class));
    pen_put_words(out, "rules", first->original ? "original" : "standard");
    pen_put_number(out, "players", first->played.players);
    pen_put_words(out, "result", results[first->played.result]);
    pen_key(out, "with");
    pen_begin(out, '[');
    unsigned rows = 0;
    for (const player *one = first; one < end && strcmp(one->game, first->game) == 0; one++, rows++)
        if (one->played.other != one->played.seat) {
            pen_begin(out, '{');
            pen_put_words(out, "name", one->name);
            pen_put_words(out, "result", results[one->played.other_result]);
            pen_end(out, '}');
        }
    pen_end(out, ']');
    pen_end(out, '}');
    return rows;
}

static void put_games(const asking *asking, pen *out)
{
    pen_put_words(out, "name", asking->user.name);
    pen_key(out, "games");
    pen_begin(out, '[');
    unsigned at = 0;
    for (unsigned games = 0; games < GAMES_TOLD && at < asking->count; games++)
        at += put_game(asking, out, &asking->players[at]);
    pen_end(out, ']');
    pen_put_bool(out, "more", at < asking->count);
}

static void put_ranking(const asking *asking, pen *out)
{
    pen_put_words(out, "class", rating_class_name((enum rating_class)asking->class));
    pen_key(out, "players");
    pen_begin(out, '[');
    unsigned told = 0;
    for (const line *line = asking->lines; line < asking->lines + asking->count && told < RANKS_TOLD; line++) {
        if (!company_shows(asking->conn->server, line->rating.user, profile_shown(line->rating.shown, PROFILE_RATINGS),
                           asking->viewer))
            continue;
        told++;
        pen_begin(out, '{');
        pen_put_words(out, "name", line->name);
        profile_put_rating(out, rating_now(asking, line));
        pen_put_number(out, "games", line->rating.games);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

/* --- the questions --- */

static const struct {
    bool (*look_up)(asking *asking, store *store, gral_error *error);
    void (*put)(const asking *asking, pen *out);
    bool about_all;
    enum profile_part part; /* that he must show; PROFILE_PARTS for none */
} questions[REQUEST_KINDS] = {
    [REQUEST_STATS] = {look_up_somebody, put_somebody, false, PROFILE_PARTS},
    [REQUEST_RATINGS] = {look_up_rated, put_rated, false, PROFILE_RATINGS},
    [REQUEST_GAMES] = {look_up_games, put_games, false, PROFILE_GAMES},
    [REQUEST_RANKING] = {look_up_ranking, put_ranking, true, PROFILE_PARTS},
};

static void look_up_name(uv_work_t *work)
{
    asking *asking = work->data;
    store *store = asking->conn->server->store;
    gral_error error;
    asking->failed = !store->kind->user_by_key(store, asking->key, &asking->user, &error) ||
                     !profile_read_shown(store, asking->user.user, asking->shown, &error);
}

static void look_up(uv_work_t *work)
{
    asking *asking = work->data;
    gral_error error;
    asking->failed = !questions[asking->kind].look_up(asking, asking->conn->server->store, &error);
}

/* NULL where it can be answered. */
static const refusal *refuse(const asking *asking)
{
    const enum profile_part part = questions[asking->kind].part;
    return asking->failed                                 ? &refused_storage
           : asking->user.user == 0                       ? &refused_name
           : part != PROFILE_PARTS && !sees(asking, part) ? &refused_private
                                                          : NULL;
}

static void end(asking *asking)
{
    conn_release(asking->conn);
    free(asking->lines);
    free(asking->players);
    free(asking);
}

static void tell(uv_work_t *work, int status)
{
    (void)status;
    asking *asking = work->data;
    conn *conn = asking->conn;
    if (asking->failed) {
        answer_refused(conn, asking->re, refused_storage);
    } else {
        answer_begin(conn, asking->re);
        pen_put_bool(&conn->server->out, "ok", true);
        questions[asking->kind].put(asking, &conn->server->out);
        answer_end(conn);
    }
    end(asking);
}

static void go_on(asking *asking)
{
    uv_queue_work(&asking->conn->server->loop, &asking->work, look_up, tell);
}

static void name_looked_up(uv_work_t *work, int status)
{
    (void)status;
    asking *asking = work->data;
    for (unsigned part = 0; part < PROFILE_PARTS; part++)
        if (company_shows(asking->conn->server, asking->user.user, asking->shown[part], asking->viewer))
            asking->sees |= 1u << part;
    const refusal *why = refuse(asking);
    if (why == NULL) {
        go_on(asking);
        return;
    }
    answer_refused(asking->conn, asking->re, *why);
    end(asking);
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
    memcpy(asking->after, request->table, sizeof asking->after);
    asking->viewer = conn->person != NULL ? conn->person->id : 0;
    asking->kind = request->kind;
    asking->class = request->rating_class;
    asking->now = server_now(conn->server);
    asking->work.data = asking;
    if (questions[asking->kind].about_all)
        go_on(asking);
    else
        uv_queue_work(&conn->server->loop, &asking->work, look_up_name, name_looked_up);
}

/* --- who may know it --- */

typedef struct showing {
    conn *conn;
    char re[REQUEST_ID_MAX + 1];
    store_write write[PROFILE_PARTS];
} showing;

static void shown(void *context, enum store_outcome outcome)
{
    showing *showing = context;
    if (outcome == STORE_DONE)
        answer_ok(showing->conn, showing->re);
    else
        answer_refused(showing->conn, showing->re, refused_storage);
    conn_release(showing->conn);
    free(showing);
}

void standing_show(conn *conn, const request *request)
{
    showing *showing = memory_get(sizeof *showing);
    size_t count = 0;
    for (unsigned part = 0; part < PROFILE_PARTS; part++)
        if (request->shown[part] < TIE_SEENS) {
            showing->write[count] = (store_write){
                .kind = STORE_SHOW, .user = conn->person->id, .part = (uint8_t)part, .place = request->shown[part]};
            count++;
        }
    if (count == 0) {
        answer_ok(conn, request->id);
        free(showing);
        return;
    }
    showing->conn = conn_hold(conn);
    memcpy(showing->re, request->id, sizeof showing->re);
    commit_write(conn->server->commit, showing->write, count, shown, showing);
}
