/* What people want of each other: friends, invitations, blocks, and who may know that somebody is here. The store has
 * it; what must be asked quickly is in ties.h, which follows what was written.
 *
 * Whoever is blocked gets the same answers, after the same time, as somebody whom nobody answers: his wishes are
 * written like all others, and reach nobody. Only at a table of somebody who has blocked him is he told that he cannot
 * sit there, in the words for whoever was asked to leave. */
#include "server/parts.h"

#include "server/memory.h"
#include "server/ties.h"

#include <stdlib.h>
#include <string.h>

enum {
    FRIENDS_MAX = 200, /* that somebody has or wants */
    BLOCKS_MAX = 500,
    UNANSWERED_MAX = 200, /* who want somebody */
    INVITATIONS_MAX = 50, /* that somebody has at a time */
    NAMES_TOLD = 50,
};

static const refusal refused_self = {"name", N_("that's you")};
static const refusal refused_full = {"many", N_("this list is full")};

struct company {
    ties *ties;
    unsigned here;   /* people */
    uint64_t *shown; /* those of them who want to be seen by all, in the order in which they came */
    unsigned shown_count, shown_room;
};

typedef struct company company;

/* --- from the store --- */

static bool take_tie(void *context, const store_tie *tie)
{
    ties_set(context, tie->user, tie->other, tie->blocks ? TIE_BLOCKS : TIE_WANTS);
    return true;
}

static bool take_seen(void *context, uint64_t user, uint8_t place)
{
    if (place < TIE_SEENS)
        ties_set_seen(context, user, (enum tie_seen)place);
    return true;
}

bool company_open(server *server, gral_error *error)
{
    company *company = memory_get(sizeof *company);
    const store_kind *kind = server->store->kind;
    server->company = company;
    company->ties = ties_open();
    return kind->ties(server->store, take_tie, company->ties, error) &&
           kind->seen(server->store, take_seen, company->ties, error);
}

void company_close(server *server)
{
    if (server->company == NULL) /* it was never opened */
        return;
    ties_close(server->company->ties);
    free(server->company->shown);
    free(server->company);
}

bool company_may_meet(void *context, uint64_t one, uint64_t other)
{
    const server *server = context;
    return !ties_keep_apart(server->company->ties, one, other);
}

/* --- who is here --- */

static void show(company *company, uint64_t person)
{
    if (company->shown_count == company->shown_room) {
        company->shown_room = company->shown_room > 0 ? 2 * company->shown_room : 16;
        company->shown = memory_grow(company->shown, company->shown_room * sizeof *company->shown);
    }
    company->shown[company->shown_count++] = person;
}

static void hide(company *company, uint64_t person)
{
    unsigned at = 0;
    while (at < company->shown_count && company->shown[at] != person)
        at++;
    if (at == company->shown_count)
        return;
    company->shown_count--;
    memmove(&company->shown[at], &company->shown[at + 1], (company->shown_count - at) * sizeof *company->shown);
}

static void send_to(const person *person, const pen *message)
{
    for (conn *conn = person->conns; conn != NULL; conn = conn->next_of_person)
        conn_send(conn, message);
}

static bool is_here(const person *person)
{
    return person != NULL && person->conns != NULL;
}

/* Those who look at the lobby hear it there. */
static void tell_friends(server *server, const person *person, bool here)
{
    unsigned count;
    const tie *tie = ties_of(server->company->ties, person->id, &count);
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "friend");
    pen_put_words(out, "name", person->name);
    pen_put_bool(out, "here", here);
    pen_end(out, '}');
    for (unsigned index = 0; index < count; index++) {
        const struct person *friend = person_find(server, tie[index].other);
        if (tie[index].out == TIE_WANTS && tie[index].in == TIE_WANTS && is_here(friend))
            send_to(friend, out);
    }
}

static void come_or_go(server *server, const person *person, bool here)
{
    company *company = server->company;
    const enum tie_seen seen = ties_seen(company->ties, person->id);
    if (seen == SEEN_BY_ALL && here)
        show(company, person->id);
    else
        hide(company, person->id);
    if (seen != SEEN_BY_NOBODY && person->name[0] != '\0')
        tell_friends(server, person, here);
    lobby_here_changed(server);
}

void company_came(server *server, const person *person)
{
    server->company->here++;
    come_or_go(server, person, true);
}

void company_went(server *server, const person *person)
{
    server->company->here--;
    come_or_go(server, person, false);
}

void company_forget(server *server, uint64_t person)
{
    hide(server->company, person);
    ties_forget(server->company->ties, person);
}

void company_put_here(pen *out, server *server, const person *viewer)
{
    const company *company = server->company;
    unsigned told = 0;
    pen_put_number(out, "count", company->here);
    pen_key(out, "names");
    pen_begin(out, '[');
    for (unsigned index = company->shown_count; index > 0 && told < NAMES_TOLD; index--) {
        const uint64_t id = company->shown[index - 1];
        const person *person = person_find(server, id);
        if (person == NULL || person->name[0] == '\0' || !ties_sees(company->ties, viewer != NULL ? viewer->id : 0, id))
            continue;
        pen_words(out, person->name);
        told++;
    }
    pen_end(out, ']');
}

bool company_sees_all_alike(const server *server, const person *viewer)
{
    return viewer == NULL || !ties_has_blocks(server->company->ties, viewer->id);
}

/* --- at tables --- */

static uint64_t host_of(const table *table)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        if (at.first)
            return at.user;
    }
    return 0;
}

bool company_refuses(const table *table, const person *person)
{
    const uint64_t host = gral_host_stage(table->host) == GRAL_GATHERING ? host_of(table) : 0;
    return host != 0 && ties_get(table->server->company->ties, host, person->id) == TIE_BLOCKS;
}

bool company_hides(const table *table, const person *viewer)
{
    if (viewer == NULL || gral_host_stage(table->host) != GRAL_GATHERING)
        return false;
    const uint64_t host = host_of(table);
    return host != 0 && ties_keep_apart(table->server->company->ties, host, viewer->id);
}

/* Nobody hears whom he has blocked. The other way round it would show: he knows whom he has muted. */
void company_hush(table *table)
{
    const unsigned players = gral_host_terms(table->host)->settings.players;
    for (unsigned seat = 0; seat < players; seat++)
        for (unsigned other = 0; other < players; other++) {
            const uint64_t user = gral_host_seat_at(table->host, seat).user,
                           rival = gral_host_seat_at(table->host, other).user;
            if (user == 0 || rival == 0 || (gral_host_muted(table->host, seat) >> other & 1) != 0 ||
                ties_get(table->server->company->ties, user, rival) != TIE_BLOCKS)
                continue;
            const gral_input input = {.kind = GRAL_INPUT_MUTE, .seat = (uint8_t)seat, .other = (uint8_t)other};
            table_submit_for(table, &input, user);
        }
}

static void hush_everywhere(server *server, uint64_t person)
{
    const struct person *known = person_find(server, person);
    const seating *seating = known != NULL ? known->seatings : NULL;
    for (; seating != NULL; seating = seating->next)
        company_hush(seating->table);
}

/* --- what somebody wants of somebody --- */

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

/* Into server->out. */
static pen *begin_push(server *server, const char *name)
{
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", name);
    return out;
}

static void end_push(pen *out, const struct person *to)
{
    pen_end(out, '}');
    send_to(to, out);
}

/* What he has on his screen is not true any more. */
static void tell_changed(server *server, uint64_t person)
{
    const struct person *known = person_find(server, person);
    if (is_here(known))
        end_push(begin_push(server, "friends"), known);
}

static void tell_invited(server *server, uint64_t person, const char *by, const char *game)
{
    const struct person *known = person_find(server, person);
    if (!is_here(known))
        return;
    pen *out = begin_push(server, "invited");
    pen_put_words(out, "table", game);
    pen_put_words(out, "by", by);
    end_push(out, known);
}

static void befriended(server *server, uint64_t self, uint64_t other)
{
    ties *ties = server->company->ties;
    ties_set(ties, self, other, TIE_WANTS);
    if (ties_get(ties, other, self) != TIE_BLOCKS)
        tell_changed(server, other);
}

static void untied(server *server, uint64_t self, uint64_t other)
{
    ties *ties = server->company->ties;
    const bool noticed = ties_get(ties, other, self) != TIE_BLOCKS && ties_get(ties, self, other) != TIE_BLOCKS;
    ties_loosen(ties, self, other);
    if (noticed)
        tell_changed(server, other);
}

static void blocked(server *server, uint64_t self, uint64_t other)
{
    ties *ties = server->company->ties;
    const bool noticed = ties_get(ties, other, self) == TIE_WANTS;
    ties_block(ties, self, other);
    hush_everywhere(server, self);
    if (noticed) /* as if he were no friend any more */
        tell_changed(server, other);
}

static void unblocked(server *server, uint64_t self, uint64_t other)
{
    if (ties_get(server->company->ties, self, other) == TIE_BLOCKS)
        ties_set(server->company->ties, self, other, TIE_NONE);
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
    void (*effect)(server *server, uint64_t self, uint64_t other);            /* once it is written */
    bool bothers;                                                             /* others: it has a price of its own */
} affairs[REQUEST_KINDS] = {
    [REQUEST_BEFRIEND] = {STORE_WANT, check_friend, befriended, true},
    [REQUEST_UNFRIEND] = {STORE_UNTIE, NULL, untied, false},
    [REQUEST_BLOCK] = {STORE_BLOCK, check_block, blocked, false},
    [REQUEST_UNBLOCK] = {STORE_UNBLOCK, NULL, unblocked, false},
    [REQUEST_INVITE] = {STORE_INVITE, NULL, NULL, true},
};

static void was_invited(server *server, uint64_t by, uint64_t to, const char *game)
{
    const person *inviter = person_find(server, by);
    if (inviter == NULL || ties_get(server->company->ties, to, by) == TIE_BLOCKS)
        return;
    tell_invited(server, to, inviter->name, game);
    herald_invite(server, to, game, by);
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
            affairs[affair->kind].effect(server, self, other);
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
                         : affairs[affair->kind].check != NULL
                             ? affairs[affair->kind].check(server->company->ties, self, other)
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

void company_want(conn *conn, const request *request)
{
    start(conn, request);
}

void company_invite(conn *conn, table *table, const request *request)
{
    if (table_seat_of(table, conn->person) == GRAL_NOBODY)
        answer_refused(conn, request->id, refused_seat);
    else if (gral_host_stage(table->host) != GRAL_GATHERING)
        answer_refused(conn, request->id, refusal_of_host(GRAL_HOST_BEGUN));
    else
        start(conn, request);
}

bool company_shows(const server *server, uint64_t person, uint8_t to, uint64_t viewer)
{
    return viewer == person || to == SEEN_BY_ALL ||
           (to == SEEN_BY_FRIENDS && ties_are_friends(server->company->ties, viewer, person));
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
    server *server = note->conn->server;
    if (outcome != STORE_DONE) {
        answer_refused(note->conn, note->re, refused_storage);
    } else {
        answer_ok(note->conn, note->re);
        if (note->write.kind == STORE_SEEN) {
            const person *person = note->conn->person;
            const bool before = ties_seen(server->company->ties, person->id) != SEEN_BY_NOBODY;
            ties_set_seen(server->company->ties, person->id, (enum tie_seen)note->write.place);
            hide(server->company, person->id);
            if (is_here(person))
                come_or_go(server, person, true);
            if (before && note->write.place == SEEN_BY_NOBODY)
                tell_friends(server, person, false);
        }
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

void company_set_seen(conn *conn, const request *request)
{
    take_note(conn, request, STORE_SEEN);
}

void company_decline(conn *conn, const request *request)
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

static bool watches(const table *table, uint64_t person)
{
    for (const watch *watch = table->watches; watch != NULL; watch = watch->next)
        if (watch->conn->person != NULL && watch->conn->person->id == person)
            return true;
    return false;
}

void company_challenge(const table *old, const table *next, const person *by)
{
    server *server = old->server;
    for (unsigned seat = 0; seat < gral_host_terms(old->host)->settings.players; seat++) {
        const uint64_t other = gral_host_seat_at(old->host, seat).user;
        if (other == 0 || other == by->id || watches(old, other) || gral_host_seat_at(next->host, seat).user == other)
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

/* --- somebody's list --- */

typedef struct person_of_list {
    uint64_t id;
    char name[sizeof((store_user *)0)->name];
    bool wants, wanted, blocked;
    int64_t since;
} person_of_list;

typedef struct invitation {
    char name[sizeof((store_user *)0)->name], game[GRAL_GAME_ID_MAX + 1];
    int64_t time;
} invitation;

struct company_list {
    uint64_t self;
    person_of_list *people;
    unsigned count, room;
    invitation invitation[INVITATIONS_MAX];
    unsigned invitations;
};

/* A tie from either side; the rows of one person come one after the other or not. */
static person_of_list *find_row(company_list *list, uint64_t id, const char *name)
{
    for (unsigned index = 0; index < list->count; index++)
        if (list->people[index].id == id)
            return &list->people[index];
    if (list->count == list->room) {
        list->room = list->room > 0 ? 2 * list->room : 32;
        list->people = memory_grow(list->people, list->room * sizeof *list->people);
    }
    person_of_list *row = &list->people[list->count++];
    *row = (person_of_list){.id = id};
    gral_text text = gral_text_in(row->name, sizeof row->name);
    gral_text_add(&text, name);
    return row;
}

static bool take_row(void *context, const store_tie *tie)
{
    company_list *list = context;
    const bool own = tie->user == list->self;
    if (!own && tie->blocks)
        return true; /* that is not his to know */
    person_of_list *row = find_row(list, own ? tie->other : tie->user, tie->name);
    row->blocked |= own && tie->blocks;
    row->wants |= own && !tie->blocks;
    row->wanted |= !own;
    row->since = tie->time > row->since ? tie->time : row->since;
    return true;
}

static bool take_invitation(void *context, const store_invitation *stored)
{
    company_list *list = context;
    invitation *invitation = &list->invitation[list->invitations++];
    gral_text name = gral_text_in(invitation->name, sizeof invitation->name);
    gral_text game = gral_text_in(invitation->game, sizeof invitation->game);
    gral_text_add(&name, stored->name);
    gral_text_add(&game, stored->game);
    invitation->time = stored->time;
    return list->invitations < INVITATIONS_MAX;
}

company_list *company_read(store *store, uint64_t user)
{
    company_list *list = memory_get(sizeof *list);
    gral_error error;
    list->self = user;
    if (store->kind->ties_of(store, user, take_row, list, &error) &&
        store->kind->invitations_of(store, user, take_invitation, list, &error))
        return list;
    company_list_free(list);
    return NULL;
}

void company_list_free(company_list *list)
{
    if (list == NULL)
        return;
    free(list->people);
    free(list);
}

/* Which part of the list he is in. */
enum part { FRIENDS, ASKED, ASKING, BLOCKED, PARTS };
static const char *const parts[PARTS] = {"friends", "asked", "asking", "blocked"};

static enum part part_of(const person_of_list *row)
{
    return row->blocked ? BLOCKED : row->wants && row->wanted ? FRIENDS : row->wants ? ASKED : ASKING;
}

static void put_row(pen *out, const person_of_list *row, enum part part, server *server, uint64_t self)
{
    pen_begin(out, '{');
    pen_put_words(out, "name", row->name);
    pen_put_number(out, "since", row->since / 1000);
    if (part == FRIENDS && server != NULL)
        pen_put_bool(out, "here",
                     is_here(person_find(server, row->id)) && ties_sees(server->company->ties, self, row->id));
    pen_end(out, '}');
}

void company_list_put(pen *out, const company_list *list, server *server)
{
    for (unsigned part = 0; part < PARTS; part++) {
        pen_key(out, parts[part]);
        pen_begin(out, '[');
        for (const person_of_list *row = list->people; row < list->people + list->count; row++)
            if (part_of(row) == (enum part)part)
                put_row(out, row, (enum part)part, server, list->self);
        pen_end(out, ']');
    }
    pen_key(out, "invitations");
    pen_begin(out, '[');
    for (const invitation *invitation = list->invitation; invitation < list->invitation + list->invitations;
         invitation++) {
        pen_begin(out, '{');
        pen_put_words(out, "table", invitation->game);
        pen_put_words(out, "by", invitation->name);
        pen_put_number(out, "at", invitation->time / 1000);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

typedef struct listing {
    uv_work_t work;
    conn *conn;
    char re[REQUEST_ID_MAX + 1];
    company_list *list;
} listing;

static void read_list(uv_work_t *work)
{
    listing *listing = work->data;
    listing->list = company_read(listing->conn->server->store, listing->conn->person->id);
}

static void tell_list(uv_work_t *work, int status)
{
    (void)status;
    listing *listing = work->data;
    conn *conn = listing->conn;
    server *server = conn->server;
    if (listing->list == NULL) {
        answer_refused(conn, listing->re, refused_storage);
    } else {
        answer_begin(conn, listing->re);
        pen_put_bool(&server->out, "ok", true);
        company_list_put(&server->out, listing->list, server);
        pen_put_words(&server->out, "seen", tie_seen_names[ties_seen(server->company->ties, conn->person->id)]);
        answer_end(conn);
    }
    company_list_free(listing->list);
    conn_release(conn);
    free(listing);
}

void company_tell(conn *conn, const request *request)
{
    listing *listing = memory_get(sizeof *listing);
    listing->conn = conn_hold(conn);
    memcpy(listing->re, request->id, sizeof listing->re);
    listing->work.data = listing;
    uv_queue_work(&conn->server->loop, &listing->work, read_list, tell_list);
}
