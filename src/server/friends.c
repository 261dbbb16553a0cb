/* Somebody's own list: friends, who wants to be one, whom he has blocked, and his invitations. */
#include "server/persons.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

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

struct friends_list {
    uint64_t self;
    person_of_list *people;
    unsigned count, room;
    invitation invitation[INVITATIONS_MAX];
    unsigned invitations;
};

/* A tie from either side; the rows of one person come one after the other or not. */
static person_of_list *find_row(friends_list *list, uint64_t id, const char *name)
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
    friends_list *list = context;
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
    friends_list *list = context;
    invitation *invitation = &list->invitation[list->invitations++];
    gral_text name = gral_text_in(invitation->name, sizeof invitation->name);
    gral_text game = gral_text_in(invitation->game, sizeof invitation->game);
    gral_text_add(&name, stored->name);
    gral_text_add(&game, stored->game);
    invitation->time = stored->time;
    return list->invitations < INVITATIONS_MAX;
}

friends_list *friends_read(store *store, uint64_t user)
{
    friends_list *list = memory_get(sizeof *list);
    gral_error error;
    list->self = user;
    if (store->kind->ties_of(store, user, take_row, list, &error) &&
        store->kind->invitations_of(store, user, take_invitation, list, &error))
        return list;
    friends_list_free(list);
    return NULL;
}

void friends_list_free(friends_list *list)
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
        pen_put_bool(out, "here", here_counts(person_find(server, row->id)) && ties_sees(server->ties, self, row->id));
    pen_end(out, '}');
}

void friends_list_put(pen *out, const friends_list *list, server *server)
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
    friends_list *list;
} listing;

static void read_list(uv_work_t *work)
{
    listing *listing = work->data;
    listing->list = friends_read(listing->conn->server->store, listing->conn->person->id);
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
        friends_list_put(&server->out, listing->list, server);
        pen_put_words(&server->out, "seen", tie_seen_names[ties_seen(server->ties, conn->person->id)]);
        answer_end(conn);
    }
    friends_list_free(listing->list);
    conn_release(conn);
    free(listing);
}

void friends_tell(conn *conn, const request *request)
{
    listing *listing = memory_get(sizeof *listing);
    listing->conn = conn_hold(conn);
    memcpy(listing->re, request->id, sizeof listing->re);
    listing->work.data = listing;
    uv_queue_work(&conn->server->loop, &listing->work, read_list, tell_list);
}
