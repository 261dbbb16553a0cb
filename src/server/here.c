/* Who is here: counts those who are connected, keeps the order of those who want to be seen by all, and tells friends
 * when somebody comes or goes. Whoever has lost his connection, or opens another page, is back in a moment: he has not
 * gone before some seconds have passed, so nobody makes others hear of him again and again. */
#include "server/parts.h"

#include "server/memory.h"

#include <string.h>
#include <utlist.h>

enum { NAMES_TOLD = 50, PATIENCE_MS = 8000 };

static void show(here *here, uint64_t person)
{
    if (here->shown_count == here->shown_room) {
        here->shown_room = here->shown_room > 0 ? 2 * here->shown_room : 16;
        here->shown = memory_grow(here->shown, here->shown_room * sizeof *here->shown);
    }
    here->shown[here->shown_count++] = person;
}

static void hide(here *here, uint64_t person)
{
    unsigned at = 0;
    while (at < here->shown_count && here->shown[at] != person)
        at++;
    if (at == here->shown_count)
        return;
    here->shown_count--;
    memmove(&here->shown[at], &here->shown[at + 1], (here->shown_count - at) * sizeof *here->shown);
}

static unsigned send_counted(const person *person, const pen *message)
{
    unsigned count = 0;
    for (conn *conn = person->conns; conn != NULL; conn = conn->next_of_person, count++)
        conn_send(conn, message);
    return count;
}

void here_send(const person *person, const pen *message)
{
    send_counted(person, message);
}

bool here_is(const person *person)
{
    return person != NULL && person->conns != NULL;
}

/* Those who look at the lobby hear it there. Returns how many connections were told. */
static unsigned tell_friends(server *server, const person *person, bool here)
{
    unsigned count, told = 0;
    const tie *tie = ties_of(server->ties, person->id, &count);
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "friend");
    pen_put_words(out, "name", person->name);
    pen_put_bool(out, "here", here);
    pen_end(out, '}');
    for (unsigned index = 0; index < count; index++) {
        const struct person *friend = person_find(server, tie[index].other);
        if (tie[index].out == TIE_WANTS && tie[index].in == TIE_WANTS && here_is(friend))
            told += send_counted(friend, out);
    }
    return told;
}

static unsigned come_or_go(server *server, const person *person, bool comes)
{
    unsigned told = 0;
    const enum tie_seen seen = ties_seen(server->ties, person->id);
    if (seen == SEEN_BY_ALL && comes)
        show(&server->here, person->id);
    else
        hide(&server->here, person->id);
    if (seen != SEEN_BY_NOBODY && person->name[0] != '\0')
        told = tell_friends(server, person, comes);
    lobby_here_changed(server);
    return told;
}

static void stay(here *here, person *person)
{
    DL_DELETE2(here->going, person, prev_going, next_going);
    person_release(person);
}

void here_came(server *server, person *person)
{
    if (person->here) {
        stay(&server->here, person);
        return;
    }
    person->here = true;
    server->here.count++;
    come_or_go(server, person, true);
}

static void go(server *server, person *person)
{
    person->here = false;
    server->here.count--;
    come_or_go(server, person, false);
}

static void go_at_last(uv_timer_t *timer);

static void wait_for_next(server *server)
{
    here *here = &server->here;
    if (here->going == NULL || server->stopping)
        return;
    const int64_t left = here->going->went + PATIENCE_MS - server_now(server);
    uv_timer_start(&here->timer, go_at_last, left > 0 ? (uint64_t)left : 0, 0);
}

static void go_at_last(uv_timer_t *timer)
{
    server *server = timer->data;
    here *here = &server->here;
    while (here->going != NULL && server_now(server) >= here->going->went + PATIENCE_MS) {
        person *person = here->going;
        go(server, person);
        stay(here, person);
    }
    wait_for_next(server);
}

/* Whoever is nobody any more does not come back. */
void here_went(server *server, person *person)
{
    here *here = &server->here;
    if (person->name[0] == '\0') {
        go(server, person);
        return;
    }
    person->went = server_now(server);
    person_hold(person);
    DL_APPEND2(here->going, person, prev_going, next_going);
    if (!uv_is_active((uv_handle_t *)&here->timer))
        wait_for_next(server);
}

void here_open(server *server)
{
    uv_timer_init(&server->loop, &server->here.timer);
    server->here.timer.data = server;
}

void here_stop(server *server)
{
    uv_close((uv_handle_t *)&server->here.timer, NULL);
}

bool here_counts(const person *person)
{
    return person != NULL && person->here;
}

void here_put(pen *out, server *server, const person *viewer)
{
    const here *here = &server->here;
    unsigned told = 0;
    pen_put_number(out, "count", here->count);
    pen_key(out, "names");
    pen_begin(out, '[');
    for (unsigned index = here->shown_count; index > 0 && told < NAMES_TOLD; index--) {
        const uint64_t id = here->shown[index - 1];
        const person *person = person_find(server, id);
        if (person == NULL || person->name[0] == '\0' || !ties_sees(server->ties, viewer != NULL ? viewer->id : 0, id))
            continue;
        pen_words(out, person->name);
        told++;
    }
    pen_end(out, ']');
}

void here_forget(server *server, uint64_t person)
{
    hide(&server->here, person);
}

/* Whoever makes many be told pays for it, as at a table. */
enum { TOLD_FOR_A_UNIT = 20 };

void here_set_seen(conn *conn, enum tie_seen seen)
{
    server *server = conn->server;
    const person *person = conn->person;
    unsigned told = 0;
    const bool before = ties_seen(server->ties, person->id) != SEEN_BY_NOBODY;
    ties_set_seen(server->ties, person->id, seen);
    hide(&server->here, person->id);
    if (here_is(person))
        told += come_or_go(server, person, true);
    if (before && seen == SEEN_BY_NOBODY)
        told += tell_friends(server, person, false);
    conn_charge(conn, (double)told / TOLD_FOR_A_UNIT);
}
