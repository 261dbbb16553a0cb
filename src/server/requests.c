/* What people ask for over the WebSocket: a table of requests, each a short function. Whatever changes a game becomes
 * an input of its table; the seat is always the sender's own, so nobody can speak for somebody else. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

static const refusal refused_present = {"present", N_("this player is here")};
static const refusal refused_gone_lately = {"present", N_("this player was here a moment ago")};

/* --- requests about one table --- */

/* A request that is kept until it can be done, and who made it. */
typedef struct pending {
    conn *conn;
    request request;
    bool loads; /* the table is only in the store */
} pending;

static pending *keep(conn *conn, const request *request)
{
    pending *pending = memory_get(sizeof *pending);
    pending->conn = conn_hold(conn);
    pending->request = *request;
    if (request->input.words.length > 0)
        pending->request.input.words.bytes = pending->request.words;
    return pending;
}

static void drop(pending *pending)
{
    conn_release(pending->conn);
    free(pending);
}

static void watch_table(conn *conn, table *table, const request *request)
{
    if (conn->peer == NULL)
        return;
    if (!watch_is_allowed(table, conn)) {
        answer_refused(conn, request->id, refused_many);
        return;
    }
    answer_ok(conn, request->id);
    watch_begin(table, conn, request->have);
}

static void unwatch_table(conn *conn, table *table, const request *request)
{
    answer_ok(conn, request->id);
    for (watch *watch = conn->watches; watch != NULL; watch = watch->next_of_conn)
        if (watch->table == table) {
            watch_end(watch);
            return;
        }
}

static void sit_down(conn *conn, table *table, const request *request)
{
    if (gral_host_terms(table->host)->rated && conn->person->guest) {
        answer_refused(conn, request->id, refused_guest);
        return;
    }
    if (company_refuses(table, conn->person)) {
        answer_refused(conn, request->id, refusal_of_host(GRAL_HOST_DISMISSED));
        return;
    }
    const gral_input input = {.kind = GRAL_INPUT_SIT,
                              .seat = (uint8_t)request->seat,
                              .other = GRAL_NOBODY,
                              .user = conn->person->id,
                              .ticket = request->ticket};
    table_submit(table, &input, conn, request->id, NULL);
}

/* What it becomes as an input. */
static const uint8_t input_of_request[REQUEST_KINDS] = {
    [REQUEST_FILL] = GRAL_INPUT_FILL,       [REQUEST_DISMISS] = GRAL_INPUT_DISMISS,
    [REQUEST_RISE] = GRAL_INPUT_RISE,       [REQUEST_ACT] = GRAL_INPUT_DO,
    [REQUEST_ORDER] = GRAL_INPUT_ORDER,     [REQUEST_CANCEL] = GRAL_INPUT_CANCEL,
    [REQUEST_DRAW] = GRAL_INPUT_DRAW,       [REQUEST_NODRAW] = GRAL_INPUT_NODRAW,
    [REQUEST_REPLACE] = GRAL_INPUT_REPLACE, [REQUEST_RESIGN] = GRAL_INPUT_RESIGN,
    [REQUEST_BACK] = GRAL_INPUT_BACK,       [REQUEST_TALK] = GRAL_INPUT_TALK,
    [REQUEST_OFFER] = GRAL_INPUT_OFFER,     [REQUEST_MUTE] = GRAL_INPUT_MUTE,
    [REQUEST_UNMUTE] = GRAL_INPUT_UNMUTE,
};

static void say_at_table(conn *conn, table *table, const request *request)
{
    const unsigned seat = table_seat_of(table, conn->person);
    if (seat == GRAL_NOBODY && request->kind == REQUEST_RISE) { /* he has got up already */
        answer_ok(conn, request->id);
        return;
    }
    if (seat == GRAL_NOBODY) {
        answer_refused(conn, request->id, refused_seat);
        return;
    }
    gral_input input = request->input;
    input.kind = input_of_request[request->kind];
    input.seat = (uint8_t)seat;
    input.other = (uint8_t)request->seat;
    input.ticket = request->ticket;
    table_submit(table, &input, conn, request->id, request->kind == REQUEST_ACT ? &request->version : NULL);
}

static void talk(conn *conn, table *table, const request *request)
{
    const server *server = conn->server;
    if (conn->person->silenced > server_now(server))
        answer_refused(conn, request->id, refused_silenced);
    else if (moderation_minds(server, gral_span_of(request->words)))
        answer_refused(conn, request->id, refused_words);
    else
        say_at_table(conn, table, request);
}

static void vote_to_replace(conn *conn, table *table, const request *request)
{
    if (request->seat >= gral_host_terms(table->host)->settings.players) {
        say_at_table(conn, table, request);
        return;
    }
    const int64_t left = table->gone_since[request->seat] + watch_patience(table) - server_now(conn->server);
    if ((table->present >> request->seat & 1) != 0)
        answer_refused(conn, request->id, refused_present);
    else if (left > 0)
        answer_not_yet(conn, request->id, refused_gone_lately, left);
    else
        say_at_table(conn, table, request);
}

/* Whoever hears an answer knows that he is heard. */
static void answer_ping(conn *conn, const request *request)
{
    answer_ok(conn, request->id);
}

/* Whether somebody is in front of the page. Who is not, is told in other ways. What he has seen then is written, for
 * each table. */
enum { WATCHED_FOR_A_UNIT = 2 };

static void look(conn *conn, const request *request)
{
    const bool comes_back = conn->away && request->on;
    conn->away = !request->on;
    watch_look(conn);
    answer_ok(conn, request->id);
    if (!comes_back)
        return;
    conn_charge(conn, (double)conn->watch_count / WATCHED_FOR_A_UNIT);
    for (const watch *watch = conn->watches; watch != NULL; watch = watch->next_of_conn)
        herald_seen(watch->table, conn);
}

static void look_around(conn *conn, const request *request)
{
    lobby_open(conn, request->id, request->on);
}

/* --- all requests --- */

static const struct {
    void (*run)(conn *conn, const request *request);
    void (*at_table)(conn *conn, table *table, const request *request);
    bool for_anybody;
    uint8_t price; /* beside the one unit of every message */
} kinds[REQUEST_KINDS] = {
    [REQUEST_PING] = {.run = answer_ping, .for_anybody = true},
    [REQUEST_LOOK] = {.run = look, .for_anybody = true, .price = 1},
    [REQUEST_LOBBY] = {.run = look_around, .for_anybody = true, .price = 9},
    [REQUEST_CREATE] = {.run = create_table, .for_anybody = true, .price = 9},
    [REQUEST_WATCH] = {.at_table = watch_table, .for_anybody = true, .price = 1},
    [REQUEST_UNWATCH] = {.at_table = unwatch_table, .for_anybody = true},
    [REQUEST_SIT] = {.at_table = sit_down, .price = 1},
    [REQUEST_RISE] = {.at_table = say_at_table},
    [REQUEST_FILL] = {.at_table = say_at_table, .price = 1},
    [REQUEST_DISMISS] = {.at_table = say_at_table, .price = 1},
    [REQUEST_ACT] = {.at_table = say_at_table},
    [REQUEST_ORDER] = {.at_table = say_at_table},
    [REQUEST_CANCEL] = {.at_table = say_at_table},
    [REQUEST_DRAW] = {.at_table = say_at_table},
    [REQUEST_NODRAW] = {.at_table = say_at_table},
    [REQUEST_REPLACE] = {.at_table = vote_to_replace},
    [REQUEST_RESIGN] = {.at_table = say_at_table},
    [REQUEST_BACK] = {.at_table = say_at_table},
    [REQUEST_REMATCH] = {.at_table = create_rematch, .for_anybody = true, .price = 9},
    [REQUEST_CODE] = {.at_table = room_tell_code, .for_anybody = true, .price = 1},
    [REQUEST_TALK] = {.at_table = talk},
    [REQUEST_OFFER] = {.at_table = say_at_table},
    [REQUEST_MUTE] = {.at_table = say_at_table},
    [REQUEST_UNMUTE] = {.at_table = say_at_table},
    [REQUEST_REPORT] = {.at_table = moderation_complain, .price = 9},
    [REQUEST_STATS] = {.run = standing_tell, .for_anybody = true, .price = 9},
    [REQUEST_RATINGS] = {.run = standing_tell, .for_anybody = true, .price = 19},
    [REQUEST_RANKING] = {.run = standing_tell, .for_anybody = true, .price = 19},
    [REQUEST_GAMES] = {.run = standing_tell, .for_anybody = true, .price = 19},
    [REQUEST_SHOW] = {.run = standing_show, .price = 4},
    [REQUEST_TERMS] = {.at_table = create_terms, .price = 9},
    [REQUEST_FRIENDS] = {.run = friends_tell, .price = 9},
    [REQUEST_BEFRIEND] = {.run = wishes_take, .price = 4},
    [REQUEST_UNFRIEND] = {.run = wishes_take, .price = 4},
    [REQUEST_BLOCK] = {.run = wishes_take, .price = 4},
    [REQUEST_UNBLOCK] = {.run = wishes_take, .price = 4},
    [REQUEST_INVITE] = {.at_table = wishes_invite, .price = 4},
    [REQUEST_DECLINE] = {.run = wishes_decline, .price = 1},
    [REQUEST_SEEN] = {.run = wishes_set_seen, .price = 4},
    [REQUEST_QUICK] = {.run = meeting_join, .price = 9},
    [REQUEST_UNQUICK] = {.run = meeting_cancel},
    [REQUEST_TOURNAMENTS] = {.run = tournaments_list, .for_anybody = true, .price = 9},
    [REQUEST_TOURNAMENT] = {.run = tournaments_tell, .for_anybody = true, .price = 9},
    [REQUEST_ANNOUNCE] = {.run = tournaments_announce, .price = 9},
    [REQUEST_JOIN] = {.run = tournaments_join, .price = 4},
    [REQUEST_LEAVE] = {.run = tournaments_leave, .price = 4},
};

/* A table that is only in the store; a long game takes longer to be read. */
enum { PRICE_OF_LOADING = 9, INPUTS_FOR_A_UNIT = 64 };

enum { WAITING_MAX = 500 }; /* requests of one connection */

/* Long answers are paid for, at once or when the table was loaded. */
static void run_at_table(conn *conn, table *table, const request *request)
{
    const size_t sent = conn->sent;
    kinds[request->kind].at_table(conn, table, request);
    conn_pay_for_bytes(conn, sent);
}

static void table_was_found(void *context, table *table)
{
    pending *pending = context;
    if (table == NULL) {
        answer_refused(pending->conn, pending->request.id, refused_table);
    } else {
        if (pending->loads)
            conn_charge(pending->conn, (double)table->count / INPUTS_FOR_A_UNIT);
        run_at_table(pending->conn, table, &pending->request);
    }
    drop(pending);
}

enum { OFFENCES_MAX = 20 };

/* Whoever goes on like that has to leave; whoever stops is forgiven. */
static void offend(conn *conn, const char *why)
{
    if (++conn->offences >= OFFENCES_MAX && conn->peer != NULL)
        web_drop(conn->peer, 1008, why);
}

static void run(conn *conn, const request *request)
{
    if (kinds[request->kind].run != NULL) {
        kinds[request->kind].run(conn, request);
        return;
    }
    table *table;
    HASH_FIND_STR(conn->server->tables, request->table, table);
    const bool here = table != NULL && table->host != NULL;
    if (here && (peers_alone(conn->server) || watch_is_watching(table, conn))) {
        run_at_table(conn, table, request);
    } else if (conn->held >= WAITING_MAX || (!here && !conn_pays(conn, BUDGET_WORK, PRICE_OF_LOADING))) {
        answer_refused(conn, request->id, refused_rate);
    } else {
        pending *pending = keep(conn, request);
        pending->loads = !here;
        tables_find(conn->server, request->table, table_was_found, pending);
    }
}

void requests_take(conn *conn, gral_span text)
{
    request request;
    refusal why;
    gral_error detail;
    conn->server->figures.requests++;
    const bool understood = request_read(text, &request, &why, &detail);
    if (!conn_pays(conn, BUDGET_WORK, 1 + (understood ? kinds[request.kind].price : 0))) {
        answer_refused(conn, request.id, refused_rate);
        offend(conn, refused_rate.text);
        return;
    }
    if (!understood) {
        answer_refused(conn, request.id, why);
        if (request.id[0] == '\0')
            offend(conn, why.text);
        return;
    }
    conn->offences -= conn->offences > 0;
    if (conn->person == NULL && !kinds[request.kind].for_anybody) {
        answer_refused(conn, request.id, refused_who);
        return;
    }
    run(conn, &request);
}
