/* What people see of tournaments: a list of them, and one with its standings and all its tables. What changes is
 * gathered for a moment, and told to those who look. One that is only in the store is read on a thread of the pool. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/tournaments_inside.h"

#include "server/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OVER_TOLD = 20, LOOKERS_A_MS = 1 /* with many who look, changes are told less often */ };

static const refusal refused_tournament = {"tournament", N_("this tournament does not exist")};

/* --- in a few words --- */

static void put_time_left(pen *out, const contest *contest)
{
    const tournament *state = &contest->state;
    int64_t next;
    tournament_due(state, server_now(contest->server), &next);
    if (state->stage != TOURNAMENT_RUNNING || next == INT64_MAX)
        return;
    const int64_t left = next - server_now(contest->server);
    pen_put_number(out, tournament_now(state)->ended > 0 ? "pause" : "left", left > 0 ? left : 0);
}

static const char *const stages[TOURNAMENT_STAGES] = {"open", "running", "over", "off"};

static void put_head(pen *out, contest *contest)
{
    const tournament *state = &contest->state;
    const tournament_terms *terms = &state->terms;
    pen_put_words(out, "tournament", contest->id);
    pen_put_words(out, "title", terms->title);
    pen_put_words(out, "by", person_name(contest->server, terms->maker));
    pen_put_words(out, "stage", stages[state->stage]);
    pen_put_words(out, "system", tournament_system_name[terms->system]);
    pen_put_number(out, "players", tournament_seats(terms->system));
    tell_clock(out, &contest->terms);
    if (contest->terms.rated)
        pen_put_bool(out, "rated", true);
    pen_put_number(out, "joined", tournament_in(state));
    if (terms->people > 0)
        pen_put_number(out, "people", terms->people);
    else
        pen_put_number(out, "begins", terms->begins / 1000);
    pen_put_number(out, "round", terms->round);
    if (tournament_rounds(state) > 0)
        pen_put_number(out, "rounds", tournament_rounds(state));
    if (state->rounds > 0)
        pen_put_number(out, "current", state->rounds);
}

bool contest_is_in(const contest *contest, const person *viewer)
{
    const unsigned who = viewer != NULL ? tournament_find(&contest->state, viewer->id) : contest->state.count;
    return who < contest->state.count && !contest->state.person[who].left;
}

static void put_row(pen *out, contest *contest, const person *viewer)
{
    pen_begin(out, '{');
    put_head(out, contest);
    if (contest_is_in(contest, viewer))
        pen_put_bool(out, "in", true);
    pen_end(out, '}');
}

/* --- all of it --- */

static void put_people(pen *out, contest *contest)
{
    const tournament *state = &contest->state;
    pen_key(out, "entrants");
    pen_begin(out, '[');
    for (unsigned who = 0; who < state->count; who++) {
        pen_begin(out, '{');
        pen_put_words(out, "name", person_name(contest->server, state->person[who].user));
        if (state->person[who].left)
            pen_put_bool(out, "left", true);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static void put_standings(pen *out, const tournament *state)
{
    tournament_standing standing[TOURNAMENT_PEOPLE_MAX];
    const unsigned count = state->rounds > 0 ? tournament_stand(state, standing) : 0;
    pen_key(out, "standings");
    pen_begin(out, '[');
    for (unsigned at = 0; at < count; at++) {
        pen_begin(out, '{');
        pen_put_number(out, "entrant", standing[at].who + 1);
        pen_put_number(out, "place", standing[at].place);
        pen_put_number(out, "points", standing[at].points);
        pen_put_number(out, "met", standing[at].met);
        pen_put_number(out, "against", standing[at].against);
        if (standing[at].annulled)
            pen_put_bool(out, "annulled", true);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static void put_table(pen *out, const contest *contest, unsigned round, unsigned number)
{
    const tournament_table *table = &contest->state.round[round].table[number];
    pen_begin(out, '{');
    if (table->count > 1) {
        char id[GRAL_GAME_ID_MAX + 1];
        contest_table_id(contest, round + 1, number, id);
        pen_put_words(out, "table", id);
    }
    pen_key(out, "entrants");
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < table->count; seat++)
        pen_number(out, table->who[seat] + 1);
    pen_end(out, ']');
    if (table->count > 1 && table->over) {
        pen_key(out, "points");
        pen_begin(out, '[');
        for (unsigned seat = 0; seat < table->count; seat++)
            pen_number(out, table->points[seat]);
        pen_end(out, ']');
    }
    pen_end(out, '}');
}

static void put_contest(pen *out, contest *contest)
{
    const tournament *state = &contest->state;
    put_head(out, contest);
    put_time_left(out, contest);
    put_people(out, contest);
    put_standings(out, state);
    pen_key(out, "tables");
    pen_begin(out, '[');
    for (unsigned round = 0; round < state->rounds; round++) {
        pen_begin(out, '[');
        for (unsigned number = 0; number < state->round[round].count; number++)
            put_table(out, contest, round, number);
        pen_end(out, ']');
    }
    pen_end(out, ']');
}

/* --- what changes --- */

/* Returns how many. */
static unsigned tell_one(server *server, contest *contest)
{
    unsigned told = 0;
    for (conn *conn = server->conns; conn != NULL; conn = conn->next) {
        if (strcmp(conn->tournament, contest->id) != 0)
            continue;
        if (told++ == 0) {
            pen_clear(&server->out);
            pen_begin(&server->out, '{');
            pen_put_words(&server->out, "push", "tournament");
            put_contest(&server->out, contest);
            pen_end(&server->out, '}');
        }
        conn_send(conn, &server->out);
    }
    return told;
}

/* Without a viewer, as those see it who are in none of them. */
static void write_list(server *server, const person *viewer)
{
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "tournaments");
    pen_key(out, "tournaments");
    pen_begin(out, '[');
    for (contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next)
        if (contest->changed)
            put_row(out, contest, viewer);
    pen_end(out, ']');
    pen_end(out, '}');
}

static bool is_in_what_changed(const server *server, const person *viewer)
{
    const contest *contest = viewer != NULL ? server->tournaments->all : NULL;
    while (contest != NULL && !(contest->changed && contest_is_in(contest, viewer)))
        contest = contest->hh.next;
    return contest != NULL;
}

/* Written once for all who see the same, and once for each of the few who do not. Returns how many. */
static unsigned tell_list(server *server)
{
    unsigned told = 0;
    write_list(server, NULL);
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->tournaments && !is_in_what_changed(server, conn->person)) {
            conn_send(conn, &server->out);
            told++;
        }
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->tournaments && is_in_what_changed(server, conn->person)) {
            write_list(server, conn->person);
            conn_send(conn, &server->out);
            told++;
        }
    return told;
}

void contest_tell_changes(server *server)
{
    bool changed = false;
    unsigned told = 0;
    contest *contest, *next;
    HASH_ITER(hh, server->tournaments->all, contest, next)
    {
        changed |= contest->changed;
        if (contest->changed)
            told += tell_one(server, contest);
    }
    if (!changed)
        return;
    told += tell_list(server);
    HASH_ITER(hh, server->tournaments->all, contest, next)
    {
        contest->changed = false;
    }
    server->tournaments->tell_at = server_now(server) + told / LOOKERS_A_MS;
}

/* Those who are here: other servers tell theirs. */
void contest_tell_off(contest *contest)
{
    server *server = contest->server;
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "off");
    pen_put_words(out, "tournament", contest->id);
    pen_put_words(out, "title", contest->state.terms.title);
    pen_end(out, '}');
    for (unsigned who = 0; who < contest->state.count; who++) {
        const person *person = person_find(server, contest->state.person[who].user);
        if (person != NULL && !contest->state.person[who].left)
            here_send_local(person, out);
    }
}

/* --- what is asked for --- */

static contest *before(contest *contest)
{
    return contest->hh.prev;
}

/* Those that are not over, the newest first, and then some that are. */
void tournaments_list(conn *conn, const request *request)
{
    server *server = conn->server;
    pen *out = &server->out;
    contest *last = server->tournaments->all;
    while (last != NULL && last->hh.next != NULL)
        last = last->hh.next;
    const size_t sent = conn->sent;
    conn->tournaments = request->on;
    answer_begin(conn, request->id);
    pen_put_bool(out, "ok", true);
    pen_key(out, "tournaments");
    pen_begin(out, '[');
    for (unsigned over = 0; over < 2; over++) {
        unsigned told = 0;
        for (contest *contest = last; contest != NULL && (!over || told < OVER_TOLD); contest = before(contest))
            if (contest_is_over(contest) == over) {
                put_row(out, contest, conn->person);
                told++;
            }
    }
    pen_end(out, ']');
    answer_end(conn);
    conn_pay_for_bytes(conn, sent);
}

void tournaments_each(server *server, tournaments_row *each, void *context)
{
    for (contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next) {
        char people[12];
        snprintf(people, sizeof people, "%u", tournament_in(&contest->state));
        if (!contest_is_over(contest))
            each(context,
                 (const char *const[]){contest->id, stages[contest->state.stage], people,
                                       person_name(server, contest->state.terms.maker), contest->state.terms.title},
                 5);
    }
}

static void answer_contest(conn *conn, const char *re, contest *contest)
{
    answer_begin(conn, re);
    pen_put_bool(&conn->server->out, "ok", true);
    put_contest(&conn->server->out, contest);
    answer_end(conn);
}

typedef struct looking {
    uv_work_t work;
    conn *conn;
    char re[REQUEST_ID_MAX + 1], id[GRAL_GAME_ID_MAX + 1];
    stored_contest stored;
    bool failed;
} looking;

static void look_up(uv_work_t *work)
{
    looking *looking = work->data;
    store *store = looking->conn->server->store;
    gral_error error;
    looking->failed = !store->kind->tournament(store, looking->id, contest_read, &looking->stored, &error);
}

static void looked_up(uv_work_t *work, int status)
{
    (void)status;
    looking *looking = work->data;
    conn *conn = looking->conn;
    contest *contest = looking->stored.contest;
    if (contest == NULL) {
        answer_refused(conn, looking->re, looking->failed ? refused_storage : refused_tournament);
    } else {
        contest->server = conn->server;
        answer_contest(conn, looking->re, contest);
    }
    free(contest);
    conn_release(conn);
    free(looking);
}

void tournaments_tell(conn *conn, const request *request)
{
    const size_t sent = conn->sent;
    contest *contest = contest_find(conn->server, request->tournament);
    conn->tournament[0] = '\0';
    if (request->on)
        memcpy(conn->tournament, request->tournament, sizeof conn->tournament);
    if (contest != NULL) {
        answer_contest(conn, request->id, contest);
        conn_pay_for_bytes(conn, sent);
        return;
    }
    looking *looking = memory_get(sizeof *looking);
    looking->conn = conn_hold(conn);
    looking->work.data = looking;
    memcpy(looking->re, request->id, sizeof looking->re);
    memcpy(looking->id, request->tournament, sizeof looking->id);
    uv_queue_work(&conn->server->loop, &looking->work, look_up, looked_up);
}
