/* What somebody wants of somebody: a friend, a guest at his table, or to have nothing to do with him. It is written,
 * and then told to whom it concerns. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    FRIENDS_MAX = 200, /* that somebody has or wants */
    BLOCKS_MAX = 500,
    UNANSWERED_MAX = 200, /* who want somebody */
};

static const refusal refused_self = {"name", N_("that's you")};
static const refusal refused_full = {"many", N_("this list is full")};

/* --- what is told to the other --- */

/* Into server->out. */
static pen *begin_push(server *server, const char *name)
{
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", name);
    return out;
}

/* What he has on his screen is not true any more. Other servers find that out themselves. */
static void tell_changed(server *server, const struct person *person)
{
    pen *out = begin_push(server, "friends");
    pen_end(out, '}');
    here_send_local(person, out);
}

static void tell_invited(server *server, uint64_t person, const char *by, const char *game)
{
    const struct person *known = person_find(server, person);
    if (!here_is(known))
        return;
    pen *out = begin_push(server, "invited");
    pen_put_words(out, "table", game);
    pen_put_words(out, "by", by);
    pen_end(out, '}');
    here_send(server, known, out);
}

/* --- what becomes true by it --- */

/* Whether somebody sees in his own list that something between him and another has changed. Who was blocked does not.
 */
static bool notices(tie before, tie after)
{
    return (before.out != after.out && before.in != TIE_BLOCKS) ||
           ((before.in == TIE_WANTS) != (after.in == TIE_WANTS) && before.out != TIE_BLOCKS);
}

static tie tie_between(const ties *ties, uint64_t one, uint64_t other)
{
    return (tie){other, (uint8_t)ties_get(ties, one, other), (uint8_t)ties_get(ties, other, one)};
}

static void tell_if_noticed(server *server, uint64_t one, tie before)
{
    const person *person = person_find(server, one);
    if (person != NULL && person->conns != NULL && notices(before, tie_between(server->ties, one, before.other)))
        tell_changed(server, person);
}

static void befriend(ties *ties, uint64_t self, uint64_t other)
{
    ties_set(ties, self, other, TIE_WANTS);
}

static void unblock(ties *ties, uint64_t self, uint64_t other)
{
    if (ties_get(ties, self, other) == TIE_BLOCKS)
        ties_set(ties, self, other, TIE_NONE);
}

void wishes_follow(server *server, uint64_t one, uint64_t other, enum tie_kind out, enum tie_kind in)
{
    const tie before = tie_between(server->ties, one, other), reverse = tie_between(server->ties, other, one);
    if (before.out == out && before.in == in)
        return;
    ties_set(server->ties, one, other, out);
    ties_set(server->ties, other, one, in);
    tell_if_noticed(server, one, before);
    tell_if_noticed(server, other, reverse);
}

void wishes_compare(server *server, const person *person, const ties *before)
{
    const ties *const sides[] = {before, server->ties};
    bool noticed = false;
    for (unsigned side = 0; person->conns != NULL && side < 2; side++) {
        unsigned count;
        const tie *tie = ties_of(sides[side], person->id, &count);
        for (unsigned index = 0; index < count && !noticed; index++)
            noticed = notices(tie_between(before, person->id, tie[index].other),
                              tie_between(server->ties, person->id, tie[index].other));
    }
    if (noticed)
        tell_changed(server, person);
}

/* Both limits are the same for who is blocked and who is not. */
static const refusal *check_friend(const ties *ties, uint64_t self, uint64_t other)
{
    if (ties_get(ties, self, other) == TIE_WANTS || ties_get(ties, other, self) == TIE_WANTS)
        return ties_count(ties, self, TIE_WANTS) > FRIENDS_MAX ? &refused_full : NULL;
    return ties_count(ties, self, TIE_WANTS) >= FRIENDS_MAX || ties_unanswered(ties, other) >= UNANSWERED_MAX
               ? &refused_full
               : NULL;
}

static const refusal *check_block(const ties *ties, uint64_t self, uint64_t other)
{
    (void)other;
    return ties_count(ties, self, TIE_BLOCKS) >= BLOCKS_MAX ? &refused_full : NULL;
}

static const struct {
    enum store_write_kind write;
    const refusal *(*check)(const ties *ties, uint64_t self, uint64_t other); /* NULL: always possible */
    void (*effect)(ties *ties, uint64_t self, uint64_t other);                /* once it is written */
    bool bothers;                                                             /* others: it has a price of its own */
} affairs[REQUEST_KINDS] = {
    [REQUEST_BEFRIEND] = {STORE_WANT, check_friend, befriend, true},
    [REQUEST_UNFRIEND] = {STORE_UNTIE, NULL, ties_loosen, false},
    [REQUEST_BLOCK] = {STORE_BLOCK, check_block, ties_block, false},
    [REQUEST_UNBLOCK] = {STORE_UNBLOCK, NULL, unblock, false},
    [REQUEST_INVITE] = {STORE_INVITE, NULL, NULL, true},
};

static void take_effect(server *server, enum request_kind kind, uint64_t self, uint64_t other)
{
    const tie before = tie_between(server->ties, other, self);
    affairs[kind].effect(server->ties, self, other);
    anew_disturb(server, self);
    anew_disturb(server, other);
    if (kind == REQUEST_BLOCK) {
        company_hush_everywhere(server, self);
        tournaments_keep_out(server, self, other);
    }
    tell_if_noticed(server, other, before);
}

static void was_invited(server *server, uint64_t by, uint64_t to, const char *game)
{
    const person *inviter = person_find(server, by);
    if (inviter == NULL || ties_get(server->ties, to, by) == TIE_BLOCKS)
        return;
    tell_invited(server, to, inviter->name, game);
    herald_invite(server, to, game, by);
}

/* --- a wish on its way --- */

typedef struct affair {
    uv_work_t work;
    conn *conn;
    enum request_kind kind;
    char re[REQUEST_ID_MAX + 1], key[NAME_KEY_MAX], game[GRAL_GAME_ID_MAX + 1];
    store_user other;
    bool failed;
    store_write write;
} affair;

static void end(affair *affair)
{
    conn_release(affair->conn);
    free(affair);
}

static void written(void *context, enum store_outcome outcome)
{
    affair *affair = context;
    server *server = affair->conn->server;
    const uint64_t self = affair->write.user, other = affair->write.other;
    if (outcome == STORE_CONFLICT) { /* he has gone since */
        answer_refused(affair->conn, affair->re, refused_name);
    } else if (outcome != STORE_DONE) {
        answer_refused(affair->conn, affair->re, refused_storage);
    } else {
        answer_ok(affair->conn, affair->re);
        if (affair->kind == REQUEST_INVITE)
            was_invited(server, self, other, affair->game);
        else
            take_effect(server, affair->kind, self, other);
    }
    end(affair);
}

static void look_up(uv_work_t *work)
{
    affair *affair = work->data;
    store *store = affair->conn->server->store;
    gral_error error;
    affair->failed = !store->kind->user_by_key(store, affair->key, &affair->other, &error);
}

static void looked_up(uv_work_t *work, int status)
{
    (void)status;
    affair *affair = work->data;
    conn *conn = affair->conn;
    server *server = conn->server;
    const uint64_t self = conn->person->id, other = affair->other.user;
    const refusal *why = affair->failed                             ? &refused_storage
                         : other == 0 || conn->person->name[0] == 0 ? &refused_name
                         : other == self                            ? &refused_self
                         : affairs[affair->kind].check != NULL ? affairs[affair->kind].check(server->ties, self, other)
                                                               : NULL;
    if (server->stopping)
        why = &refused_storage;
    if (why != NULL) {
        answer_refused(conn, affair->re, *why);
        end(affair);
        return;
    }
    affair->write = (store_write){.kind = (uint8_t)affairs[affair->kind].write,
                                  .user = self,
                                  .other = other,
                                  .time = server_now(server),
                                  .game = affair->game,
                                  .limit = INVITATIONS_MAX};
    commit_write(server->commit, &affair->write, 1, written, affair);
}

static void start(conn *conn, const request *request)
{
    affair *affair = memory_get(sizeof *affair);
    char name[NAME_BYTES_MAX];
    const char *why;
    if (!name_read(gral_span_of(request->name), name, affair->key, &why)) {
        answer_refused(conn, request->id, refused_name);
        free(affair);
        return;
    }
    if (affairs[request->kind].bothers && !conn_pays(conn, BUDGET_INVITATIONS, 1)) {
        answer_refused(conn, request->id, refused_rate);
        free(affair);
        return;
    }
    affair->conn = conn_hold(conn);
    affair->kind = request->kind;
    memcpy(affair->re, request->id, sizeof affair->re);
    memcpy(affair->game, request->table, sizeof affair->game);
    affair->work.data = affair;
    uv_queue_work(&conn->server->loop, &affair->work, look_up, looked_up);
}

void wishes_take(conn *conn, const request *request)
{
    start(conn, request);
}

void wishes_invite(conn *conn, table *table, const request *request)
{
    if (table_seat_of(table, conn->person) == GRAL_NOBODY)
        answer_refused(conn, request->id, refused_seat);
    else if (gral_host_stage(table->host) != GRAL_GATHERING)
        answer_refused(conn, request->id, refusal_of_host(GRAL_HOST_BEGUN));
    else
        start(conn, request);
}

/* --- what is nobody else's business --- */

typedef struct note {
    conn *conn;
    char re[REQUEST_ID_MAX + 1], game[GRAL_GAME_ID_MAX + 1];
    store_write write;
} note;

static void noted(void *context, enum store_outcome outcome)
{
    note *note = context;
    if (outcome != STORE_DONE) {
        answer_refused(note->conn, note->re, refused_storage);
    } else {
        answer_ok(note->conn, note->re);
        if (note->write.kind == STORE_SEEN)
            here_set_seen(note->conn, (enum tie_seen)note->write.place);
    }
    conn_release(note->conn);
    free(note);
}

static void take_note(conn *conn, const request *request, enum store_write_kind kind)
{
    note *note = memory_get(sizeof *note);
    note->conn = conn_hold(conn);
    memcpy(note->re, request->id, sizeof note->re);
    memcpy(note->game, request->table, sizeof note->game);
    note->write = (store_write){
        .kind = (uint8_t)kind, .user = conn->person->id, .game = note->game, .place = (uint8_t)request->seen};
    commit_write(conn->server->commit, &note->write, 1, noted, note);
}

void wishes_set_seen(conn *conn, const request *request)
{
    take_note(conn, request, STORE_SEEN);
}

void wishes_decline(conn *conn, const request *request)
{
    take_note(conn, request, STORE_UNINVITE);
}

/* --- once more with the same people --- */

typedef struct challenge {
    server *server;
    store_write write;
    char game[GRAL_GAME_ID_MAX + 1];
} challenge;

static void challenged(void *context, enum store_outcome outcome)
{
    challenge *challenge = context;
    if (outcome == STORE_DONE)
        was_invited(challenge->server, challenge->write.user, challenge->write.other, challenge->game);
    free(challenge);
}

void wishes_challenge(const table *old, const table *next, const person *by)
{
    server *server = old->server;
    for (unsigned seat = 0; seat < gral_host_terms(old->host)->settings.players; seat++) {
        const uint64_t other = gral_host_seat_at(old->host, seat).user;
        if (other == 0 || other == by->id || (old->present >> seat & 1) != 0 ||
            gral_host_seat_at(next->host, seat).user == other)
            continue;
        challenge *challenge = memory_get(sizeof *challenge);
        challenge->server = server;
        memcpy(challenge->game, next->id, sizeof challenge->game);
        challenge->write = (store_write){.kind = STORE_INVITE,
                                         .user = by->id,
                                         .other = other,
                                         .time = server_now(server),
                                         .game = challenge->game,
                                         .limit = INVITATIONS_MAX};
        commit_write(server->commit, &challenge->write, 1, challenged, challenge);
    }
}
