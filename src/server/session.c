/* Who speaks on which connection: owns the count of sessions that have ended, and alone decides whose a connection is.
 *
 * What the store says of a session may be old when it arrives: somebody may have ended the session while the answer was
 * on its way. So every end is counted, and whoever was looked up before it is looked up again. */
#include "server/persons.h"
#include "server/tables.h"

#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* --- who it is --- */

typedef struct lookup {
    uv_work_t work;
    conn *conn;
    uint64_t since; /* of the ends that are counted, those before this one are known to the store */
    store_user user;
    bool failed;
} lookup;

static enum store_session session_of(const conn *conn)
{
    return conn->by_token ? STORE_TOKEN : STORE_COOKIE;
}

static void ask_store(uv_work_t *work)
{
    lookup *lookup = work->data;
    const conn *conn = lookup->conn;
    store *store = conn->server->store;
    gral_error error;
    lookup->failed = !store->kind->user_by_secret(store, session_of(conn), conn->session, &lookup->user, &error);
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
        asked_put(out, conn->person);
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
    store_write *write = memory_get(sizeof *write);
    *write = (store_write){.kind = STORE_TOUCH, .time = conn->touched};
    memcpy(write->secret, conn->session, sizeof write->secret);
    commit_write(conn->server->commit, write, 1, touched, write);
}

/* From now on it speaks for this person, or for nobody. What it has said before is heard now. */
static void introduce(conn *conn, const store_user *user)
{
    if (user->user != 0 && !expiry_is_over(conn->server, session_of(conn), user)) {
        conn->person = person_hold(person_meet(conn->server, user));
        DL_APPEND2(conn->person->conns, conn, prev_of_person, next_of_person);
        if (conn->person->conns == conn)
            here_came(conn->server, conn->person);
        conn->touched = user->used;
        conn->ends = user->ends;
        touch(conn);
    }
    conn->known = true;
    greet(conn);
    const bool goes_on = !conn->server->stopping;
    for (size_t at = 0; goes_on && at < conn->early.length && conn->peer != NULL;
         at += strlen(conn->early.bytes + at) + 1)
        requests_take(conn, gral_span_of(conn->early.bytes + at));
    pen_free(&conn->early);
}

static void part(conn *conn)
{
    web_drop(conn->peer, 1008, "you have logged out");
}

static bool is_over(const conn *conn, const store_user *user)
{
    return user->user == 0 || user->banned > server_now(conn->server);
}

static void looked_up(uv_work_t *work, int status);
static void recognized(void *context);

static void look_up(lookup *lookup)
{
    server *server = lookup->conn->server;
    lookup->since = server->ends;
    uv_queue_work(&server->loop, &lookup->work, ask_store, looked_up);
}

static void looked_up(uv_work_t *work, int status)
{
    (void)status;
    lookup *lookup = work->data;
    conn *conn = lookup->conn;
    if (conn->peer != NULL && !conn->known && lookup->user.user != 0) /* his games come first */
        slumber_wake_all_of(conn->server, lookup->user.user, recognized, lookup);
    else
        recognized(lookup);
}

static void recognized(void *context)
{
    lookup *lookup = context;
    conn *conn = lookup->conn;
    if (conn->peer != NULL && session_ended_since(conn->server, lookup->user.user, lookup->since)) {
        look_up(lookup);
        return;
    }
    conn->looked_up = false;
    if (conn->peer != NULL && !conn->known)
        introduce(conn, &lookup->user);
    else if (conn->peer != NULL && !lookup->failed && is_over(conn, &lookup->user))
        part(conn);
    conn_release(conn);
    free(lookup);
}

static void start_lookup(conn *conn)
{
    lookup *lookup = memory_get(sizeof *lookup);
    lookup->conn = conn_hold(conn);
    conn->looked_up = true;
    lookup->work.data = lookup;
    look_up(lookup);
}

void session_remember(conn *conn, const web_request *request)
{
    char text[SECRET_TEXT];
    if (strcmp(request->query, "nobody") ==
        0) /* a screen that everybody looks at: whose browser it is does not matter */
        return;
    conn->by_token = secret_of_header(request->authorization, conn->session);
    conn->has_session = conn->by_token || secret_of_cookie(request->cookie, "gral", text, conn->session);
    sodium_memzero(text, sizeof text);
}

void session_identify(conn *conn)
{
    if (conn->has_session)
        start_lookup(conn);
    else
        introduce(conn, &(store_user){0});
}

void session_leave(conn *conn)
{
    if (conn->person == NULL)
        return;
    DL_DELETE2(conn->person->conns, conn, prev_of_person, next_of_person);
    if (conn->person->conns == NULL)
        here_went(conn->server, conn->person);
    if (conn->person->name[0] != '\0')
        touch(conn);
}

/* --- what ends --- */

bool session_ended_since(const server *server, uint64_t id, uint64_t since)
{
    return id != 0 && server->ended[id % ENDS] > since;
}

static void count_end(server *server, uint64_t id)
{
    server->ended[id % ENDS] = ++server->ends;
}

/* Ends those connections of a person that are meant; whoever is being looked up just now is looked up again. */
static void end_connections(server *server, uint64_t id, bool (*is_meant)(const conn *conn, const uint8_t *session),
                            const uint8_t *session)
{
    count_end(server, id);
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->peer != NULL && conn->person != NULL && conn->person->id == id && is_meant(conn, session))
            part(conn);
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

static bool has_another_session(const conn *conn, const uint8_t *session)
{
    return !has_this_session(conn, session);
}

static bool has_another_browser(const conn *conn, const uint8_t *session)
{
    return !conn->by_token && !has_this_session(conn, session);
}

void session_end_others(server *server, uint64_t id, const uint8_t session[STORE_SECRET_BYTES], bool tokens)
{
    end_connections(server, id, tokens ? has_another_session : has_another_browser, session);
}

void session_end_overdue(server *server)
{
    const int64_t now = server_now(server);
    for (conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->peer != NULL && conn->ends > 0 && conn->ends <= now)
            part(conn);
}

void session_end(server *server, uint64_t id, const uint8_t session[STORE_SECRET_BYTES])
{
    end_connections(server, id, has_this_session, session);
}

void session_end_tokens(server *server, uint64_t id)
{
    end_connections(server, id, has_a_token, NULL);
}

void session_end_all(server *server, uint64_t id)
{
    end_connections(server, id, has_any_session, NULL);
}

/* Whoever is being looked up is looked up again anyway: many ends at once make no more of it. */
void session_check_all(server *server, uint64_t id)
{
    const person *person = person_find(server, id);
    count_end(server, id);
    for (conn *conn = person != NULL ? person->conns : NULL; conn != NULL; conn = conn->next_of_person)
        if (conn->peer != NULL && !conn->looked_up)
            start_lookup(conn);
}

void session_doubt(server *server, uint64_t id)
{
    count_end(server, id);
}

void session_doubt_all(server *server)
{
    server->ends++;
    for (unsigned rest = 0; rest < ENDS; rest++)
        server->ended[rest] = server->ends;
}
