/* What people want of tournaments: a new one, to be in it, or not any more. Nobody joins the tournament of somebody he
 * must not meet, nor a round-robin where he would have to; everywhere else such people are kept apart by the pairing,
 * and nobody is told. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/tournaments_inside.h"

#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    UNFINISHED_MAX = 200,
    OWN_MAX = 3,
    ENTERED_MAX = 10,
    PRICE = 5, /* in tables */
    SPARED_PEOPLE = TOURNAMENT_LEAST,
    SPARED_MS = 60 * 60 * 1000
};
static const int64_t year = INT64_C(366) * 86400000;

static const refusal refused_stranger = {"registered", N_("only registered players can announce a tournament")};
static const refusal refused_unknown = {"tournament", N_("this tournament does not exist")};
static const refusal refused_crowd = {"many", N_("you have too many tournaments, or the server has")};
static const refusal refused_full = {"full", N_("this tournament is full")};
static const refusal refused_apart = {"dismissed", N_("you can't join this tournament")};
static const refusal refused_time = {"member", N_("begins must be within the next year")};

/* --- a new one --- */

typedef struct announcing {
    conn *conn;
    contest *contest;
    char re[REQUEST_ID_MAX + 1], terms[4096], join[TOURNAMENT_TEXT_MAX];
    store_write write[3];
    struct announcing *prev, *next;
} announcing;

static unsigned count_announcing(const server *server, uint64_t user)
{
    unsigned count = 0;
    for (const announcing *each = server->tournaments->announcing; each != NULL; each = each->next)
        count += user == 0 || each->contest->state.terms.maker == user;
    return count;
}

static unsigned count_made(const server *server, uint64_t user)
{
    unsigned count = count_announcing(server, user);
    for (const contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next)
        count += !contest_is_over(contest) && contest->state.terms.maker == user;
    return count;
}

static unsigned count_entered(const server *server, uint64_t user)
{
    unsigned count = count_announcing(server, user);
    for (const contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next) {
        const unsigned who = tournament_find(&contest->state, user);
        const bool in = who < contest->state.count && !contest->state.person[who].left;
        count += !contest_is_over(contest) && (in || contest_is_joining(contest, user));
    }
    return count;
}

/* Where there are as many as there may be, nobody keeps others from playing by announcing what nobody joins: the one
 * with the fewest people goes, and the oldest of these, if it had an hour's time. */
static contest *find_spare(const server *server)
{
    contest *spare = NULL;
    for (contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next)
        if (contest->state.stage == TOURNAMENT_OPEN && contest->state.count < SPARED_PEOPLE && contest->first == NULL &&
            contest->writing == NULL && server_now(server) - contest->state.made > SPARED_MS &&
            (spare == NULL || contest->state.count < spare->state.count))
            spare = contest;
    return spare;
}

static bool has_room(const server *server)
{
    return server->tournaments->unfinished + count_announcing(server, 0) < UNFINISHED_MAX;
}

static const refusal *check(conn *conn, const request *request)
{
    const server *server = conn->server;
    const person *person = conn->person;
    const int64_t now = server_now(server), begins = request->announced.begins;
    return person->guest                                                      ? &refused_stranger
           : begins != 0 && (begins <= now || begins > now + year)            ? &refused_time
           : person->silenced > now                                           ? &refused_silenced
           : moderation_minds(server, gral_span_of(request->announced.title)) ? &refused_words
           : (!has_room(server) && find_spare(server) == NULL) || count_made(server, person->id) >= OWN_MAX ||
                   count_entered(server, person->id) >= ENTERED_MAX
               ? &refused_crowd
           : !conn_pays(conn, BUDGET_TABLES, PRICE) ? &refused_rate
                                                    : NULL;
}

static void answer_tournament(conn *conn, const char *re, const char *id)
{
    answer_begin(conn, re);
    pen_put_bool(&conn->server->out, "ok", true);
    pen_put_words(&conn->server->out, "tournament", id);
    answer_end(conn);
}

static void announced(void *context, enum store_outcome outcome)
{
    announcing *announcing = context;
    conn *conn = announcing->conn;
    contest *contest = announcing->contest;
    DL_DELETE(conn->server->tournaments->announcing, announcing);
    if (outcome == STORE_DONE) {
        tournament_apply(&contest->state, gral_span_of(announcing->join), announcing->write[1].time);
        contest->count = 2;
        contest_add(conn->server, contest);
        answer_tournament(conn, announcing->re, contest->id);
    } else {
        if (outcome == STORE_CONFLICT) /* it was asked for twice */
            answer_tournament(conn, announcing->re, contest->id);
        else
            answer_refused(conn, announcing->re, refused_storage);
        free(contest);
    }
    conn_release(conn);
    free(announcing);
}

static contest *make(const conn *conn, const request *request, int64_t now)
{
    contest *contest = memory_get(sizeof *contest);
    contest->state.terms = request->announced;
    contest->state.terms.maker = conn->person->id;
    contest->state.made = now;
    randombytes_buf(&contest->state.terms.seed, sizeof contest->state.terms.seed);
    contest->terms = request->terms;
    id_make(contest->id, conn->session, sizeof conn->session,
            (gral_span){(const char *)&request->ticket, sizeof request->ticket});
    memcpy(contest->terms.game, contest->id, sizeof contest->id);
    return contest;
}

void tournaments_announce(conn *conn, const request *request)
{
    const refusal *why = check(conn, request);
    if (why != NULL) {
        answer_refused(conn, request->id, *why);
        return;
    }
    const int64_t now = server_now(conn->server);
    if (!has_room(conn->server))
        contest_step(find_spare(conn->server), "off", 0, NULL, "");
    announcing *announcing = memory_get(sizeof *announcing);
    announcing->conn = conn_hold(conn);
    announcing->contest = make(conn, request, now);
    DL_APPEND(conn->server->tournaments->announcing, announcing);
    memcpy(announcing->re, request->id, sizeof announcing->re);
    contest_print(announcing->contest, announcing->terms, sizeof announcing->terms);
    gral_text join = gral_text_in(announcing->join, sizeof announcing->join);
    tournament_print_person(&join, true, conn->person->id);
    const store_write common = {.game = announcing->contest->id, .time = now, .user = conn->person->id};
    for (unsigned at = 0; at < 3; at++)
        announcing->write[at] = common;
    announcing->write[0].kind = STORE_NEW_TOURNAMENT;
    announcing->write[0].text = gral_span_of(announcing->terms);
    announcing->write[1].kind = STORE_TOURNAMENT;
    announcing->write[1].number = 1;
    announcing->write[1].text = gral_span_of(announcing->join);
    announcing->write[2].kind = STORE_ENTER;
    commit_write(conn->server->commit, announcing->write, 3, announced, announcing);
}

/* --- to be in it or not --- */

static bool must_not_meet(const contest *contest, const person *person)
{
    const tournament *state = &contest->state;
    server *server = contest->server;
    if (!company_may_meet(server, state->terms.maker, person->id))
        return true;
    for (unsigned who = 0; state->terms.system == TOURNAMENT_ROUND_ROBIN && who < state->count; who++)
        if (!state->person[who].left && !company_may_meet(server, state->person[who].user, person->id))
            return true;
    return false;
}

/* Each change is kept for good, and told to all who look. */
static void change(conn *conn, contest *contest, const char *re, bool joins)
{
    if (!conn_pays(conn, BUDGET_ENTRIES, 1)) {
        answer_refused(conn, re, refused_rate);
        return;
    }
    char words[TOURNAMENT_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    tournament_print_person(&text, joins, conn->person->id);
    contest_step(contest, words, joins ? conn->person->id : 0, conn, re);
}

const refusal *contest_refuses(const contest *contest, const person *person)
{
    const tournament *state = &contest->state;
    const bool returns = tournament_find(state, person->id) < state->count;
    return contest->terms.rated && person->guest                       ? &refused_guest
           : must_not_meet(contest, person)                            ? &refused_apart
           : count_entered(contest->server, person->id) >= ENTERED_MAX ? &refused_crowd
           : !returns && state->stage == TOURNAMENT_OPEN && state->count >= tournament_room(state->terms.system)
               ? &refused_full
               : NULL;
}

/* NULL, and he was answered, where there is none. */
static contest *find(conn *conn, const request *request)
{
    contest *contest = contest_find(conn->server, request->tournament);
    if (contest == NULL)
        answer_refused(conn, request->id, refused_unknown);
    return contest;
}

void tournaments_join(conn *conn, const request *request)
{
    contest *contest = find(conn, request);
    if (contest == NULL)
        return;
    const refusal *why = contest_refuses(contest, conn->person);
    if (contest_is_in(contest, conn->person))
        answer_ok(conn, request->id);
    else if (why != NULL)
        answer_refused(conn, request->id, *why);
    else
        change(conn, contest, request->id, true);
}

void tournaments_leave(conn *conn, const request *request)
{
    contest *contest = find(conn, request);
    if (contest == NULL)
        return;
    if (contest_is_in(contest, conn->person))
        change(conn, contest, request->id, false);
    else
        answer_ok(conn, request->id);
}
