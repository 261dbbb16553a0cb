/* Who is here: counts those who are connected, keeps the order of those who want to be seen by all, and tells friends
 * when somebody comes or goes. Whoever has lost his connection, or opens another page, is back in a moment: he has not
 * gone before some seconds have passed, so nobody makes others hear of him again and again.
 *
 * It makes no difference to which of several servers somebody is connected, to one or to more of them, or that he comes
 * back to another. Each of them tells the others who is connected to it, and tells those who are what it means. */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <inttypes.h>
#include <stdlib.h>
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

void here_send_local(const person *person, const pen *message)
{
    send_counted(person, message);
}

static void send_to_all(server *server, const pen *message)
{
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->known)
            conn_send(conn, message);
}

bool here_is(const person *person)
{
    return person != NULL && (person->conns != NULL || person->elsewhere != 0);
}

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Those who look at the lobby hear it there. Returns how many connections were told, with one for each other server
 * that tells him. */
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
        if (tie[index].out == TIE_WANTS && tie[index].in == TIE_WANTS && friend != NULL)
            told += send_counted(friend, out) + count_bits(friend->elsewhere);
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

static void arrive(server *server, person *person)
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
static void depart(server *server, person *person)
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

/* --- what servers tell each other --- */

/* Whoever comes later is told all of it. */
static void note_unsaid(server *server, person *person)
{
    if (peers_count(server) == 0 || person->unsaid)
        return;
    person->unsaid = true;
    person_hold(person);
    LL_PREPEND2(server->here.unsaid, person, next_unsaid);
    peers_expect(server);
}

void here_came(server *server, person *person)
{
    note_unsaid(server, person);
    if (person->elsewhere == 0)
        arrive(server, person);
}

void here_went(server *server, person *person)
{
    note_unsaid(server, person);
    if (person->elsewhere == 0)
        depart(server, person);
}

/* "+ person guest silenced name" or "- person". */
static void put_person(pen *out, person *person)
{
    char line[NAME_BYTES_MAX + 100];
    person->said = person->conns != NULL;
    if (person->said)
        snprintf(line, sizeof line, "+ %" PRIu64 " %u %" PRIi64 " %s\n", person->id, person->guest, person->silenced,
                 person->name);
    else
        snprintf(line, sizeof line, "- %" PRIu64 "\n", person->id);
    pen_add(out, gral_span_of(line));
}

/* However often somebody has come and gone meanwhile, it is said once how it is. */
static void put_unsaid(server *server, pen *out)
{
    while (server->here.unsaid != NULL) {
        person *person = server->here.unsaid;
        LL_DELETE2(server->here.unsaid, person, next_unsaid);
        person->unsaid = false;
        if (person->said || person->conns != NULL)
            put_person(out, person);
        person_release(person);
    }
}

static void gather(server *server)
{
    pen *out = &server->out;
    pen_clear(out);
    put_unsaid(server, out);
    if (out->length > 0)
        peers_say(server, PEERS_HERE, pen_span(out));
}

/* "*", and everybody: nobody else is here. */
static void repeat(server *server)
{
    pen *out = &server->out;
    pen_clear(out);
    put_unsaid(server, out);
    pen_clear(out);
    pen_add(out, gral_span_of("*\n"));
    for (person *person = server->people; person != NULL; person = person->hh.next)
        if (person->conns != NULL)
            put_person(out, person);
    peers_say(server, PEERS_HERE, pen_span(out));
}

static void come_elsewhere(server *server, person *person, unsigned slot)
{
    const bool is_new = !here_is(person);
    if (person->elsewhere == 0)
        person_hold(person);
    person->elsewhere |= UINT64_C(1) << slot;
    person->heard = server->here.lists;
    if (is_new)
        arrive(server, person);
}

static void go_elsewhere(server *server, person *person, unsigned slot)
{
    if ((person->elsewhere >> slot & 1) == 0)
        return;
    person->elsewhere &= ~(UINT64_C(1) << slot);
    if (!here_is(person))
        depart(server, person);
    if (person->elsewhere == 0)
        person_release(person);
}

static void hear_line(server *server, unsigned slot, const char *line)
{
    store_user user = {0};
    unsigned guest;
    int end = 0;
    if (sscanf(line, "+ %" SCNu64 " %u %" SCNi64 "%n", &user.user, &guest, &user.silenced, &end) == 3 &&
        line[end] == ' ' && user.user != 0) {
        snprintf(user.name, sizeof user.name, "%s", line + end + 1);
        snprintf(user.password, sizeof user.password, "%s", guest != 0 ? "" : "?");
        come_elsewhere(server, person_meet(server, &user), slot);
    } else if (sscanf(line, "- %" SCNu64, &user.user) == 1) {
        person *person = person_find(server, user.user);
        if (person != NULL)
            go_elsewhere(server, person, slot);
    }
}

/* All who are not in its newest list, or all of that server. */
static void forget_others(server *server, unsigned slot, uint64_t list)
{
    for (person *person = server->people; person != NULL; person = person->hh.next)
        if (person->heard != list)
            go_elsewhere(server, person, slot);
}

static void heard(server *server, const char *peer, gral_span words)
{
    const unsigned slot = peers_slot(server, peer);
    char line[NAME_BYTES_MAX + 100];
    const bool all = words.length > 0 && words.bytes[0] == '*';
    if (all)
        server->here.lists++;
    while (peers_next_line(&words, line, sizeof line))
        hear_line(server, slot, line);
    if (all)
        forget_others(server, slot, server->here.lists);
}

static void gone(server *server, const char *peer)
{
    forget_others(server, peers_slot(server, peer), UINT64_MAX);
}

/* "person message"; 0 is everybody. */
static void say_message(server *server, uint64_t person, const pen *message)
{
    char head[24];
    pen out = {0};
    snprintf(head, sizeof head, "%" PRIu64 " ", person);
    pen_add(&out, gral_span_of(head));
    pen_add(&out, pen_span(message));
    peers_say(server, PEERS_MESSAGE, pen_span(&out));
    pen_free(&out);
}

static void hear_message(server *server, const char *peer, gral_span words)
{
    (void)peer;
    char *end;
    const char *blank = memchr(words.bytes, ' ', words.length);
    const uint64_t id = blank != NULL ? strtoull(words.bytes, &end, 10) : 0;
    if (blank == NULL || end != blank)
        return;
    const struct person *person = person_find(server, id);
    pen *out = &server->out;
    pen_clear(out);
    pen_add(out, (gral_span){blank + 1, words.length - (size_t)(blank + 1 - words.bytes)});
    if (id == 0)
        send_to_all(server, out);
    else if (person != NULL)
        send_counted(person, out);
}

void here_send_elsewhere(struct server *server, const person *person, const pen *message)
{
    if (person->elsewhere != 0)
        say_message(server, person->id, message);
}

void here_send(struct server *server, const person *person, const pen *message)
{
    send_counted(person, message);
    here_send_elsewhere(server, person, message);
}

void here_send_all(server *server, const pen *message)
{
    send_to_all(server, message);
    if (!peers_alone(server))
        say_message(server, 0, message);
}

/* --- beginning and end --- */

void here_open(server *server)
{
    static const peers_listener people = {.heard = heard, .gone = gone, .repeat = repeat, .gather = gather},
                                messages = {.heard = hear_message};
    uv_timer_init(&server->loop, &server->here.timer);
    server->here.timer.data = server;
    peers_listen(server, PEERS_HERE, &people);
    peers_listen(server, PEERS_MESSAGE, &messages);
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

static unsigned tell_seen(server *server, const person *person, enum tie_seen before)
{
    unsigned told = 0;
    hide(&server->here, person->id);
    if (here_is(person))
        told += come_or_go(server, person, true);
    if (before != SEEN_BY_NOBODY && ties_seen(server->ties, person->id) == SEEN_BY_NOBODY)
        told += tell_friends(server, person, false);
    return told;
}

void here_set_seen(conn *conn, enum tie_seen seen)
{
    server *server = conn->server;
    const person *person = conn->person;
    const enum tie_seen before = ties_seen(server->ties, person->id);
    ties_set_seen(server->ties, person->id, seen);
    anew_disturb(server, person->id);
    conn_charge(conn, (double)tell_seen(server, person, before) / TOLD_FOR_A_UNIT);
}

void here_follow_seen(server *server, const person *person, enum tie_seen before)
{
    if (person->here && ties_seen(server->ties, person->id) != before)
        tell_seen(server, person, before);
}
