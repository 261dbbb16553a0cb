/* What people ask for over the WebSocket: a table of requests, each a short function. Whatever changes a game becomes
 * an input of its table; the seat is always the sender's own, so nobody can speak for somebody else. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

static const refusal refused_not_over = {"not-over", N_("this game is not over yet")};
static const refusal refused_not_alone = {"seated", N_("others are already sitting at this table")};
static const refusal refused_present = {"present", N_("this player is here")};
static const refusal refused_gone_lately = {"present", N_("this player was here a moment ago")};

/* --- requests about one table --- */

void answer_table(conn *conn, const char *re, const char *table)
{
    answer_begin(conn, re);
    pen_put_bool(&conn->server->out, "ok", true);
    pen_put_words(&conn->server->out, "table", table);
    answer_end(conn);
}

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

/* --- new tables --- */

static unsigned computers_of(const gral_terms *terms)
{
    unsigned computers = 0;
    for (unsigned seat = 0; seat < terms->settings.players; seat++)
        computers += terms->computer[seat][0] != '\0';
    return computers;
}

bool requests_reserve_table(conn *conn, unsigned computers, const char *re, promise *promise)
{
    const refusal *why = conn->server->table_count >= conn->server->settings.tables_max ? &refused_many : NULL;
    *promise = (struct promise){0};
    if (why == NULL && conn->person != NULL)
        why = seats_promise(conn->server, conn->person, 1, computers, promise);
    if (why == NULL && !conn_pays(conn, BUDGET_TABLES, 1)) {
        seats_redeem(promise);
        why = &refused_rate;
    }
    if (why != NULL)
        answer_refused(conn, re, *why);
    return why == NULL;
}

/* A table that is being made, for whom, and what was promised him until it is there. */
typedef struct making {
    conn *conn;
    promise promise;
    char re[REQUEST_ID_MAX + 1];
    gral_terms terms; /* of a rematch: those of the game before, */
    char before[GRAL_GAME_ID_MAX + 1];
    unsigned seat;     /* and where he sat; nowhere, if it is a screen that asks */
    uint64_t given_up; /* so many, that would have been the next game, were given up before they began */
} making;

static making *start_making(conn *conn, const char *re, promise promise)
{
    making *making = memory_get(sizeof *making);
    making->conn = conn_hold(conn);
    making->promise = promise;
    memcpy(making->re, re, strlen(re) + 1);
    return making;
}

static void end_making(making *making)
{
    conn_release(making->conn);
    free(making);
}

static void table_made(void *context, table *table)
{
    making *making = context;
    seats_redeem(&making->promise);
    if (table == NULL)
        answer_refused(making->conn, making->re, refused_storage);
    else
        answer_table(making->conn, making->re, table->id);
    end_making(making);
}

static void table_renewed_by(void *context, const table *table, const refusal *why)
{
    making *making = context;
    seats_redeem(&making->promise);
    if (why != NULL)
        answer_refused(making->conn, making->re, *why);
    else
        answer_table(making->conn, making->re, table->id);
    end_making(making);
}

/* The terms that were asked for, and the first seat of a person there. Who is in the room is let in by the screen, and
 * the lobby is for everybody. */
static gral_terms terms_of(const request *request, bool room, unsigned *seat)
{
    gral_terms terms = request->terms;
    terms.room = room;
    terms.listed &= !room;
    if (request->first_by_chance)
        terms.settings.first = (uint8_t)randombytes_uniform(terms.settings.players);
    *seat = 0;
    while (*terms.computer[*seat] != '\0')
        ++*seat;
    return terms;
}

static unsigned count_people(const table *table)
{
    unsigned people = 0;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        people += gral_host_seat_at(table->host, seat).user != 0;
    return people;
}

/* Nobody has sat down for something else than what is played then. */
static void change_terms(conn *conn, table *table, const request *request)
{
    const refusal *why = table_seat_of(table, conn->person) == GRAL_NOBODY ? &refused_seat
                         : request->terms.rated && conn->person->guest     ? &refused_guest
                         : count_people(table) > 1                         ? &refused_not_alone
                                                                           : NULL;
    promise promise;
    if (gral_host_stage(table->host) != GRAL_GATHERING) {
        answer_refused(conn, request->id, refusal_of_host(GRAL_HOST_BEGUN));
        return;
    }
    if (why == NULL)
        why = seats_promise(conn->server, conn->person, 0, computers_of(&request->terms), &promise);
    if (why != NULL) {
        answer_refused(conn, request->id, *why);
        return;
    }
    unsigned seat;
    const gral_terms terms = terms_of(request, gral_host_terms(table->host)->room, &seat);
    making *making = start_making(conn, request->id, promise);
    if (tables_renew(table, &terms, (sitting){.person = conn->person, .seat = seat}, table_renewed_by, making))
        return;
    seats_redeem(&making->promise);
    answer_refused(conn, request->id, refused_version);
    end_making(making);
}

/* A screen is nobody and takes no seat. What it orders twice is made twice: there is nothing by which it is known. */
static void create(conn *conn, const request *request)
{
    promise promise;
    uint8_t key[sizeof conn->session];
    const bool room = request->terms.room;
    if (conn->person == NULL && !room) {
        answer_refused(conn, request->id, refused_who);
        return;
    }
    if (request->terms.rated && (conn->person == NULL || conn->person->guest)) {
        answer_refused(conn, request->id, refused_guest);
        return;
    }
    if (!requests_reserve_table(conn, computers_of(&request->terms), request->id, &promise))
        return;
    unsigned seat;
    gral_terms terms = terms_of(request, room, &seat);
    memcpy(key, conn->session, sizeof key);
    if (conn->person == NULL)
        randombytes_buf(key, sizeof key);
    id_make(terms.game, key, sizeof key, (gral_span){(const char *)&request->ticket, sizeof request->ticket});
    tables_make(conn->server, &terms, &(sitting){.person = conn->person, .seat = seat}, !room, &conn->from, table_made,
                start_making(conn, request->id, promise));
}

/* A rematch is a new table for the same people in the same seats; the next player begins. Its id follows from the old
 * game's seed, which is a secret: so all of them come to the same table, at once or much later, and nobody else can
 * find it. Only they are told; but if they sit around a screen, that is told too, may ask for it, and the code leads
 * there. If it was given up before it began, there is a next one. */
enum { REMATCHES_MAX = 20 };

static bool hears_of_rematch(const table *old, const person *who, uint64_t by)
{
    if (table_seat_of(old, who) == GRAL_NOBODY)
        return gral_host_terms(old->host)->room;
    return by == 0 || company_may_meet(old->server, who->id, by);
}

/* Those who look at it here. */
static void tell_rematch_here(table *old, const char *next, uint64_t by)
{
    pen *out = &old->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "rematch");
    pen_put_words(out, "table", old->id);
    pen_put_words(out, "next", next);
    pen_end(out, '}');
    watch *watch;
    DL_FOREACH(old->watches, watch)
    {
        if (hears_of_rematch(old, watch->conn->person, by))
            conn_send(watch->conn, out);
    }
    for (unsigned seat = 0; seat < gral_host_terms(old->host)->settings.players; seat++) {
        const person *who = person_find(old->server, gral_host_seat_at(old->host, seat).user);
        if (who != NULL && hears_of_rematch(old, who, by))
            here_send_elsewhere(old->server, who, out);
    }
}

/* "old next who"; nobody is 0. */
static void tell_rematch(table *old, const char *next, uint64_t by)
{
    char words[2 * GRAL_GAME_ID_MAX + 32];
    snprintf(words, sizeof words, "%s %s %" PRIu64, old->id, next, by);
    peers_say(old->server, PEERS_REMATCH, gral_span_of(words));
    tell_rematch_here(old, next, by);
}

static_assert(GRAL_GAME_ID_MAX == 32, "as it is read below");

static void hear_rematch(server *server, const char *peer, gral_span said)
{
    (void)peer;
    char words[2 * GRAL_GAME_ID_MAX + 32], old[GRAL_GAME_ID_MAX + 1], next[GRAL_GAME_ID_MAX + 1];
    uint64_t by;
    table *table;
    snprintf(words, sizeof words, "%.*s", (int)said.length, said.bytes);
    if (sscanf(words, "%32s %32s %" SCNu64, old, next, &by) < 3)
        return;
    HASH_FIND_STR(server->tables, old, table);
    if (table != NULL && table->host != NULL)
        tell_rematch_here(table, next, by);
}

void requests_open(server *server)
{
    static const peers_listener rematches = {.heard = hear_rematch};
    peers_listen(server, PEERS_REMATCH, &rematches);
}

static void look_for_rematch(making *making);

static void rematch_found(void *context, table *next)
{
    making *making = context;
    conn *conn = making->conn;
    const bool given_up = next != NULL && gral_host_end(next->host) == GRAL_END_CLOSED;
    if (given_up && ++making->given_up < REMATCHES_MAX) {
        look_for_rematch(making);
        return;
    }
    seats_redeem(&making->promise);
    if (next == NULL || given_up) {
        answer_refused(conn, making->re, refused_storage);
    } else if (making->seat == GRAL_NOBODY || table_seat_of(next, conn->person) != GRAL_NOBODY) {
        table *old;
        HASH_FIND_STR(conn->server->tables, making->before, old);
        answer_table(conn, making->re, next->id);
        if (old != NULL && old->host != NULL) {
            room_move(conn->server, old->id, next->id);
            tell_rematch(old, next->id, conn->person != NULL ? conn->person->id : 0);
            if (conn->person != NULL)
                wishes_challenge(old, next, conn->person);
        }
    } else {
        const gral_input input = {
            .kind = GRAL_INPUT_SIT, .seat = (uint8_t)making->seat, .other = GRAL_NOBODY, .user = conn->person->id};
        table_submit(next, &input, conn, making->re, NULL);
    }
    end_making(making);
}

static void look_for_rematch(making *making)
{
    gral_terms terms = making->terms;
    const struct {
        char words[8];
        uint64_t number;
    } which = {"rematch", making->given_up};
    id_make(terms.game, (const uint8_t *)&terms.seed, sizeof terms.seed,
            (gral_span){(const char *)&which, sizeof which});
    terms.settings.first = (uint8_t)((terms.settings.first + 1) % terms.settings.players);
    terms.listed = false;
    tables_make(making->conn->server, &terms, &(sitting){.person = making->conn->person, .seat = making->seat},
                making->seat != GRAL_NOBODY, &making->conn->from, rematch_found, making);
}

static void rematch(conn *conn, table *table, const request *request)
{
    const unsigned seat = table_seat_of(table, conn->person);
    promise promise;
    if (seat == GRAL_NOBODY && !gral_host_terms(table->host)->room) {
        answer_refused(conn, request->id, conn->person == NULL ? refused_who : refused_seat);
        return;
    }
    if (gral_host_stage(table->host) != GRAL_ENDED) {
        answer_refused(conn, request->id, refused_not_over);
        return;
    }
    if (!requests_reserve_table(conn, computers_of(gral_host_terms(table->host)), request->id, &promise))
        return;
    making *making = start_making(conn, request->id, promise);
    making->seat = seat;
    making->terms = *gral_host_terms(table->host);
    making->terms.tournament[0] = '\0';
    memcpy(making->before, table->id, sizeof making->before);
    look_for_rematch(making);
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
    [REQUEST_CREATE] = {.run = create, .for_anybody = true, .price = 9},
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
    [REQUEST_REMATCH] = {.at_table = rematch, .for_anybody = true, .price = 9},
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
    [REQUEST_TERMS] = {.at_table = change_terms, .price = 9},
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
