/* Who people are, as far as anybody here needs to know, and who speaks on which connection.
 *
 * The store knows everybody; here is who is connected, sits at a table or was asked for lately. What the store says of
 * a session may be old when it arrives: somebody may have ended the session while the answer was on its way. So every
 * end is counted, and whoever was looked up before it is looked up again. */
#include "parts.h"

#include "memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { FORGET_MS = 30 * 60 * 1000, SWEPT_AT_ONCE = 1000 };

/* --- whom we know --- */

static void note_time(server *server, person *person)
{
    DL_DELETE(server->people_by_time, person);
    DL_APPEND(server->people_by_time, person);
    person->asked_for = uv_now(&server->loop);
}

person *people_find(server *server, uint64_t id)
{
    person *person;
    HASH_FIND(hh, server->people, &id, sizeof id, person);
    if (person != NULL)
        note_time(server, person);
    return person;
}

person *people_know(server *server, uint64_t id, const char *name, bool guest)
{
    person *person = people_find(server, id);
    if (person == NULL) {
        person = (struct person *)memory_get(sizeof *person);
        person->id = id;
        person->asked_for = uv_now(&server->loop);
        HASH_ADD(hh, server->people, id, sizeof person->id, person);
        DL_APPEND(server->people_by_time, person);
    }
    snprintf(person->name, sizeof person->name, "%s", name);
    person->guest = guest;
    return person;
}

const char *people_name(server *server, uint64_t id)
{
    const person *person = people_find(server, id);
    if (person != NULL)
        return person->name;
    store_user user = {0};
    gral_error error;
    server->store->kind->user_by_id(server->store, id, &user, &error);
    return people_know(server, id, user.name, user.password[0] == '\0')->name;
}

static person *hold(person *person)
{
    person->held++;
    return person;
}

void people_release(person *person)
{
    if (person != NULL)
        person->held--;
}

static void forget(server *server, person *person)
{
    DL_DELETE(server->people_by_time, person);
    HASH_DEL(server->people, person);
    free(person);
}

static bool is_needed(const person *person)
{
    return person->held > 0 || person->seatings != NULL || person->promised > 0;
}

bool people_is_here(server *server, uint64_t id)
{
    const person *person;
    HASH_FIND(hh, server->people, &id, sizeof id, person);
    return person != NULL && is_needed(person);
}

void people_sweep(server *server)
{
    const uint64_t now = uv_now(&server->loop);
    for (unsigned count = 0; count < SWEPT_AT_ONCE; count++) {
        person *person = server->people_by_time;
        if (person == NULL || now - person->asked_for < FORGET_MS)
            return;
        if (is_needed(person))
            note_time(server, person);
        else
            forget(server, person);
    }
}

void people_forget_all(server *server)
{
    while (server->people_by_time != NULL)
        forget(server, server->people_by_time);
}

/* --- connections --- */

typedef struct identifying {
    uv_work_t work;
    conn *conn;
    uint64_t since; /* of the ends that are counted, those before this one are known to the store */
    store_user user;
} identifying;

static enum store_session session_of(const conn *conn)
{
    return conn->by_token ? STORE_TOKEN : STORE_COOKIE;
}

static void look_up_session(uv_work_t *work)
{
    identifying *identifying = (struct identifying *)work->data;
    const conn *conn = identifying->conn;
    store *store = conn->server->store;
    gral_error error;
    store->kind->user_by_secret(store, session_of(conn), conn->session, &identifying->user, &error);
}

static void greet(conn *conn)
{
    pen *out = &conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "hello");
    pen_put_words(out, "gral", GRAL_VERSION);
    pen_key(out, "name");
    if (conn->person != NULL) {
        pen_words(out, conn->person->name);
        pen_put_bool(out, "guest", conn->person->guest);
    } else {
        pen_null(out);
    }
    pen_end(out, '}');
    conn_send(conn, out);
}

static void touched(void *context, enum store_outcome outcome)
{
    (void)outcome; /* the next connection tries again */
    free(context);
}

/* Tells the store, once a day, that the session is in use. */
static void touch(conn *conn)
{
    if (conn->server->stopping || !expiry_is_touch_due(conn->server, conn->touched))
        return;
    conn->touched = server_now(conn->server);
    store_write *write = (store_write *)memory_get(sizeof *write);
    *write = (store_write){.kind = STORE_TOUCH, .time = conn->touched};
    memcpy(write->secret, conn->session, sizeof write->secret);
    commit_write(conn->server->commit, write, 1, touched, write);
}

static void settle(conn *conn, const store_user *user)
{
    if (user != NULL && user->user != 0 && !expiry_is_over(conn->server, session_of(conn), user)) {
        conn->person = hold(people_know(conn->server, user->user, user->name, user->password[0] == '\0'));
        conn->touched = user->used;
        touch(conn);
    }
    conn->known = true;
    greet(conn);
    const bool goes_on = !conn->server->stopping;
    for (size_t at = 0; goes_on && at < conn->early.length && conn->peer != NULL;
         at += strlen(conn->early.bytes + at) + 1)
        orders_take(conn, gral_span_of(conn->early.bytes + at));
    pen_free(&conn->early);
}

static void session_found(uv_work_t *work, int status);

static void look_up(identifying *identifying)
{
    server *server = identifying->conn->server;
    identifying->since = server->revocations;
    uv_queue_work(&server->loop, &identifying->work, look_up_session, session_found);
}

static void session_found(uv_work_t *work, int status)
{
    (void)status;
    identifying *identifying = (struct identifying *)work->data;
    conn *conn = identifying->conn;
    if (conn->peer != NULL && people_revoked_since(conn->server, identifying->user.user, identifying->since)) {
        look_up(identifying);
        return;
    }
    if (conn->peer != NULL)
        settle(conn, &identifying->user);
    conn_release(conn);
    free(identifying);
}

void people_remember_session(conn *conn, const net_request *request)
{
    char text[SECRET_TEXT];
    conn->by_token = secret_of_header(request->authorization, conn->session);
    conn->has_session = conn->by_token || secret_of_cookie(request->cookie, "gral", text, conn->session);
    sodium_memzero(text, sizeof text);
}

void people_identify(conn *conn)
{
    if (!conn->has_session) {
        settle(conn, NULL);
        return;
    }
    identifying *identifying = (struct identifying *)memory_get(sizeof *identifying);
    identifying->conn = conn_hold(conn);
    identifying->work.data = identifying;
    look_up(identifying);
}

void people_part(conn *conn)
{
    if (conn->person != NULL && conn->person->name[0] != '\0')
        touch(conn);
}

/* --- what ends --- */

bool people_revoked_since(const server *server, uint64_t id, uint64_t since)
{
    return id != 0 && server->revoked[id % REVOCATIONS] > since;
}

/* Ends those connections of a person that are meant; whoever is being looked up just now is looked up again. */
static void end_connections(server *server, uint64_t id, bool (*is_meant)(const conn *conn, const uint8_t *session),
                            const uint8_t *session)
{
    server->revoked[id % REVOCATIONS] = ++server->revocations;
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->peer != NULL && conn->person != NULL && conn->person->id == id && is_meant(conn, session))
            net_drop(conn->peer, 1008, "you have logged out");
}

static bool has_this_session(const conn *conn, const uint8_t *session)
{
    return sodium_memcmp(conn->session, session, STORE_SECRET_BYTES) == 0;
}

static bool has_a_token(const conn *conn, const uint8_t *session)
{
    (void)session;
    return conn->by_token;
}

static bool has_any_session(const conn *conn, const uint8_t *session)
{
    (void)conn, (void)session;
    return true;
}

void people_end_session(server *server, uint64_t id, const uint8_t session[STORE_SECRET_BYTES])
{
    end_connections(server, id, has_this_session, session);
}

void people_end_tokens(server *server, uint64_t id)
{
    end_connections(server, id, has_a_token, NULL);
}

void people_rename(server *server, uint64_t id, const char *name, bool guest)
{
    if (people_find(server, id) == NULL)
        return;
    tables_of_person_tell(people_know(server, id, name, guest));
}

void people_end_all(server *server, uint64_t id)
{
    end_connections(server, id, has_any_session, NULL);
}
