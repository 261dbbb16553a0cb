/* Tables that people ask for: new ones, other terms for one that has not begun, and rematches. making.c makes them. */
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

static unsigned computers_of(const gral_terms *terms)
{
    unsigned computers = 0;
    for (unsigned seat = 0; seat < terms->settings.players; seat++)
        computers += terms->computer[seat][0] != '\0';
    return computers;
}

bool create_reserve(conn *conn, unsigned computers, const char *re, promise *promise)
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
typedef struct creation {
    conn *conn;
    promise promise;
    char re[REQUEST_ID_MAX + 1];
    gral_terms terms; /* of a rematch: those of the game before, */
    char before[GRAL_GAME_ID_MAX + 1];
    unsigned seat;     /* and where he sat; nowhere, if it is a screen that asks */
    uint64_t given_up; /* so many, that would have been the next game, were given up before they began */
} creation;

static creation *begin_creation(conn *conn, const char *re, promise promise)
{
    creation *creation = memory_get(sizeof *creation);
    creation->conn = conn_hold(conn);
    creation->promise = promise;
    memcpy(creation->re, re, strlen(re) + 1);
    return creation;
}

static void end_creation(creation *creation)
{
    conn_release(creation->conn);
    free(creation);
}

static void table_made(void *context, table *table)
{
    creation *creation = context;
    seats_redeem(&creation->promise);
    if (table == NULL)
        answer_refused(creation->conn, creation->re, refused_storage);
    else
        answer_table(creation->conn, creation->re, table->id);
    end_creation(creation);
}

void create_with(conn *conn, const gral_terms *terms, unsigned seat, const char *re, promise promise)
{
    tables_make(conn->server, terms, &(sitting){.person = conn->person, .seat = seat}, seat != GRAL_NOBODY, &conn->from,
                table_made, begin_creation(conn, re, promise));
}

static void table_renewed_by(void *context, const table *table, const refusal *why)
{
    creation *creation = context;
    seats_redeem(&creation->promise);
    if (why != NULL)
        answer_refused(creation->conn, creation->re, *why);
    else
        answer_table(creation->conn, creation->re, table->id);
    end_creation(creation);
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
void create_terms(conn *conn, table *table, const request *request)
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
    creation *creation = begin_creation(conn, request->id, promise);
    if (tables_renew(table, &terms, (sitting){.person = conn->person, .seat = seat}, table_renewed_by, creation))
        return;
    seats_redeem(&creation->promise);
    answer_refused(conn, request->id, refused_version);
    end_creation(creation);
}

/* A screen is nobody and takes no seat. What it asks for twice is made twice: there is nothing by which it is known. */
void create_table(conn *conn, const request *request)
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
    if (!create_reserve(conn, computers_of(&request->terms), request->id, &promise))
        return;
    unsigned seat;
    gral_terms terms = terms_of(request, room, &seat);
    memcpy(key, conn->session, sizeof key);
    if (conn->person == NULL)
        randombytes_buf(key, sizeof key);
    id_make(terms.game, key, sizeof key, (gral_span){(const char *)&request->ticket, sizeof request->ticket});
    create_with(conn, &terms, room ? GRAL_NOBODY : seat, request->id, promise);
}

/* --- rematches --- */

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

void create_open(server *server)
{
    static const peers_listener rematches = {.heard = hear_rematch};
    peers_listen(server, PEERS_REMATCH, &rematches);
}

static void look_for_rematch(creation *creation);

static void rematch_found(void *context, table *next)
{
    creation *creation = context;
    conn *conn = creation->conn;
    const bool given_up = next != NULL && gral_host_end(next->host) == GRAL_END_CLOSED;
    if (given_up && ++creation->given_up < REMATCHES_MAX) {
        look_for_rematch(creation);
        return;
    }
    seats_redeem(&creation->promise);
    if (next == NULL || given_up) {
        answer_refused(conn, creation->re, refused_storage);
    } else if (creation->seat == GRAL_NOBODY || table_seat_of(next, conn->person) != GRAL_NOBODY) {
        table *old;
        HASH_FIND_STR(conn->server->tables, creation->before, old);
        answer_table(conn, creation->re, next->id);
        if (old != NULL && old->host != NULL) {
            room_move(conn->server, old->id, next->id);
            tell_rematch(old, next->id, conn->person != NULL ? conn->person->id : 0);
            if (conn->person != NULL)
                wishes_challenge(old, next, conn->person);
        }
    } else {
        const gral_input input = {
            .kind = GRAL_INPUT_SIT, .seat = (uint8_t)creation->seat, .other = GRAL_NOBODY, .user = conn->person->id};
        table_submit(next, &input, conn, creation->re, NULL);
    }
    end_creation(creation);
}

static void look_for_rematch(creation *creation)
{
    gral_terms terms = creation->terms;
    const struct {
        char words[8];
        uint64_t number;
    } which = {"rematch", creation->given_up};
    id_make(terms.game, (const uint8_t *)&terms.seed, sizeof terms.seed,
            (gral_span){(const char *)&which, sizeof which});
    terms.settings.first = (uint8_t)((terms.settings.first + 1) % terms.settings.players);
    terms.listed = false;
    tables_make(creation->conn->server, &terms, &(sitting){.person = creation->conn->person, .seat = creation->seat},
                creation->seat != GRAL_NOBODY, &creation->conn->from, rematch_found, creation);
}

void create_rematch(conn *conn, table *table, const request *request)
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
    if (!create_reserve(conn, computers_of(gral_host_terms(table->host)), request->id, &promise))
        return;
    creation *creation = begin_creation(conn, request->id, promise);
    creation->seat = seat;
    creation->terms = *gral_host_terms(table->host);
    creation->terms.tournament[0] = '\0';
    memcpy(creation->before, table->id, sizeof creation->before);
    look_for_rematch(creation);
}
