/* Who people are. A guest is a name and a secret; an account adds a password. Secrets are kept as hashes, passwords by
 * Argon2id, which takes time and memory on purpose and so runs on the pool, a few at a time.
 *
 * An errand goes three ways: look up and compute on the pool, write what follows from it, answer. */
#include "parts.h"

#include "log.h"
#include "memory.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum {
    PASSWORD_MIN = 8,
    PASSWORD_MAX = 200,
    LABEL_MAX = 60,
    TOKENS_BYTES_MAX = 100000, /* of a list of them */
    PASSWORDS_AT_ONCE = 4,
    USER_BITS = 53,              /* what JSON's numbers can carry */
    COOKIE_SECONDS = 400 * 86400 /* as long as browsers keep one */
};

static const refusal refused_body = {"json", N_("the body is a JSON object with the members this request has")};
static const refusal refused_taken = {"name-taken", N_("this name is taken, or looks like one that is")};
static const refusal refused_password = {"password", N_("the name or the password is wrong")};
static const refusal refused_length = {"password-length", N_("a password has 8 to 200 bytes")};
static const refusal refused_busy = {"busy", N_("too many at once; try again in a moment")};
static const refusal refused_account = {"account", N_("you have an account already; log out first")};

/* --- whom we know --- */

person *people_find(server *server, uint64_t id)
{
    person *person;
    HASH_FIND(hh, server->people, &id, sizeof id, person);
    return person;
}

person *people_know(server *server, uint64_t id, const char *name, bool guest)
{
    person *person = people_find(server, id);
    if (person == NULL) {
        person = (struct person *)memory_get(sizeof *person);
        person->id = id;
        HASH_ADD(hh, server->people, id, sizeof person->id, person);
    }
    strncpy(person->name, name, sizeof person->name - 1);
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

void people_forget_all(server *server)
{
    person *person, *next;
    HASH_ITER(hh, server->people, person, next)
    {
        HASH_DEL(server->people, person);
        free(person);
    }
}

static uint64_t new_user(void)
{
    uint64_t id;
    do {
        randombytes_buf(&id, sizeof id);
        id >>= 64 - USER_BITS;
    } while (id == 0);
    return id;
}

/* --- what a request says about who sent it --- */

static bool cookie_secret(const char *cookies, uint8_t hash[STORE_SECRET_BYTES])
{
    for (const char *at = cookies; *at != '\0';) {
        const size_t length = strcspn(at, ";");
        if (strncmp(at, "gral=", 5) == 0)
            return secret_hash((gral_span){at + 5, length - 5}, hash);
        at += length;
        at += strspn(at, "; ");
    }
    return false;
}

static bool token_secret(const char *authorization, uint8_t hash[STORE_SECRET_BYTES])
{
    return strncmp(authorization, "Bearer ", 7) == 0 && secret_hash(gral_span_of(authorization + 7), hash);
}

/* --- connections --- */

typedef struct identifying {
    uv_work_t work;
    conn *conn;
    store_user user;
} identifying;

static void look_up_session(uv_work_t *work)
{
    identifying *identifying = (struct identifying *)work->data;
    store *store = identifying->conn->server->store;
    gral_error error;
    store->kind->user_by_secret(store, identifying->conn->by_token ? STORE_TOKEN : STORE_COOKIE,
                                identifying->conn->session, &identifying->user, &error);
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

static void settle(conn *conn, const store_user *user)
{
    if (user != NULL && user->user != 0)
        conn->person = people_know(conn->server, user->user, user->name, user->password[0] == '\0');
    conn->known = true;
    greet(conn);
    for (size_t at = 0; at < conn->early.length && conn->peer != NULL; at += strlen(conn->early.bytes + at) + 1)
        orders_take(conn, gral_span_of(conn->early.bytes + at));
    pen_free(&conn->early);
}

static void session_found(uv_work_t *work, int status)
{
    (void)status;
    identifying *identifying = (struct identifying *)work->data;
    if (identifying->conn->peer != NULL)
        settle(identifying->conn, &identifying->user);
    conn_release(identifying->conn);
    free(identifying);
}

void people_remember_session(conn *conn, const net_request *request)
{
    conn->by_token = token_secret(request->authorization, conn->session);
    conn->has_session = conn->by_token || cookie_secret(request->cookie, conn->session);
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
    uv_queue_work(&conn->server->loop, &identifying->work, look_up_session, session_found);
}

static void close_connections(server *server, const uint8_t *session, const person *person, bool only_tokens)
{
    for (conn *conn = server->conns; conn != NULL; conn = conn->next) {
        const bool meant = session != NULL
                               ? conn->has_session && sodium_memcmp(conn->session, session, STORE_SECRET_BYTES) == 0
                               : conn->person == person && (conn->by_token || !only_tokens);
        if (meant && conn->peer != NULL)
            net_drop(conn->peer, 1008, "you have logged out");
    }
}

/* --- requests --- */

typedef struct errand errand;

/* How a request is served. */
typedef struct kind {
    const char *method, *path;
    bool name, password, label; /* what its body has */
    bool identity;              /* it is about the sender, who must be somebody */
    bool optional_password;
    void (*work)(errand *errand);             /* on the pool: looking up is done already; NULL for nothing more */
    refusal (*decide)(errand *errand);        /* on the loop: fills `write`, or refuses */
    void (*answer)(errand *errand, pen *out); /* the body, once everything is written */
} kind;

struct errand {
    uv_work_t work;
    server *server;
    net_exchange *exchange;
    const kind *kind;
    bool has_session, by_token, secure, busy;
    uint8_t session[STORE_SECRET_BYTES];
    char name[NAME_BYTES_MAX], key[NAME_KEY_MAX], password[PASSWORD_MAX + 1], label[LABEL_MAX + 1];
    store_user self, other; /* who sends it; whom the name means */
    bool right;             /* the password is */
    bool failed;            /* the store could not be read */
    char hashed[crypto_pwhash_STRBYTES];
    uint64_t user;
    char secret[48]; /* a new one, for the cookie or the token */
    bool end_cookie;
    store_write write[2];
    size_t write_count;
    pen tokens; /* a JSON list */
};

static const refusal no_refusal = {0};

static void reply(errand *errand, unsigned status, const pen *body, const char *headers)
{
    net_answer(errand->exchange,
               &(net_reply){.status = status, .type = "application/json", .headers = headers, .body = pen_span(body)});
    if (errand->busy)
        errand->server->passwords--;
    pen_free(&errand->tokens);
    sodium_memzero(errand, sizeof *errand);
    free(errand);
}

static unsigned status_of(refusal why)
{
    static const struct {
        const char *code;
        unsigned status;
    } known[] = {{"name-taken", 409}, {"account", 409}, {"password", 403},
                 {"who", 401},        {"busy", 503},    {"storage", 503}};
    for (unsigned index = 0; index < sizeof known / sizeof *known; index++)
        if (strcmp(known[index].code, why.code) == 0)
            return known[index].status;
    return 400;
}

static void put_refusal(pen *out, refusal why)
{
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "error", why.code);
    pen_put_words(out, "text", why.text);
    pen_end(out, '}');
}

static void refuse_errand(errand *errand, refusal why)
{
    pen *out = &errand->server->out;
    put_refusal(out, why);
    reply(errand, status_of(why), out, NULL);
}

static void put_self(errand *errand, pen *out)
{
    const person *person = people_find(errand->server, errand->user);
    pen_put_words(out, "name", person->name);
    pen_put_bool(out, "guest", person->guest);
}

static void put_token(errand *errand, pen *out)
{
    pen_put_words(out, "token", errand->secret);
}

static void put_tokens(errand *errand, pen *out)
{
    pen_key(out, "tokens");
    pen_raw(out, pen_span(&errand->tokens));
}

static void put_nothing(errand *errand, pen *out)
{
    (void)errand;
    pen_put_bool(out, "ok", true);
}

/* On the pool. */

static void hash_password(errand *errand)
{
    errand->failed |= crypto_pwhash_str(errand->hashed, errand->password, strlen(errand->password),
                                        crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0;
}

/* Somebody unknown costs as much time as somebody known with a wrong password. */
static void try_password(errand *errand, const store_user *user)
{
    if (user->user == 0 || user->password[0] == '\0') {
        hash_password(errand);
        return;
    }
    errand->right = crypto_pwhash_str_verify(user->password, errand->password, strlen(errand->password)) == 0;
}

static void try_login(errand *errand)
{
    store *store = errand->server->store;
    gral_error error;
    errand->failed |= !store->kind->user_by_key(store, errand->key, &errand->other, &error);
    try_password(errand, &errand->other);
}

static void try_own_password(errand *errand)
{
    if (errand->self.password[0] != '\0')
        try_password(errand, &errand->self);
    else
        errand->right = true;
}

static bool list_token(void *context, const char *label, int64_t created)
{
    errand *errand = (struct errand *)context;
    pen_begin(&errand->tokens, '{');
    pen_put_words(&errand->tokens, "label", label);
    pen_put_number(&errand->tokens, "made", created / 1000);
    pen_end(&errand->tokens, '}');
    return errand->tokens.length < TOKENS_BYTES_MAX;
}

static void look_up_tokens(errand *errand)
{
    store *store = errand->server->store;
    gral_error error;
    pen_begin(&errand->tokens, '[');
    errand->failed |= !store->kind->tokens_of(store, errand->self.user, list_token, errand, &error);
    pen_end(&errand->tokens, ']');
}

static void work_on_errand(uv_work_t *work)
{
    errand *errand = (struct errand *)work->data;
    store *store = errand->server->store;
    gral_error error;
    if (errand->has_session)
        errand->failed |= !store->kind->user_by_secret(store, errand->by_token ? STORE_TOKEN : STORE_COOKIE,
                                                       errand->session, &errand->self, &error);
    if (errand->kind->work != NULL)
        errand->kind->work(errand);
}

/* On the loop. */

static void write_session(errand *errand, bool token)
{
    store_write *write = &errand->write[errand->write_count++];
    *write = (store_write){.kind = STORE_NEW_SESSION,
                           .user = errand->user,
                           .time = server_now(errand->server),
                           .flag = token,
                           .text = gral_span_of(errand->label)};
    secret_make(errand->secret, write->secret);
}

static void write_user(errand *errand, uint8_t kind)
{
    errand->write[errand->write_count++] = (store_write){.kind = kind,
                                                         .user = errand->user,
                                                         .name = errand->name,
                                                         .key = errand->key,
                                                         .text = gral_span_of(errand->hashed),
                                                         .time = server_now(errand->server)};
}

static refusal become_guest(errand *errand)
{
    errand->user = new_user();
    write_user(errand, STORE_NEW_USER);
    write_session(errand, false);
    return no_refusal;
}

static refusal register_account(errand *errand)
{
    if (errand->self.password[0] != '\0')
        return refused_account;
    if (errand->self.user == 0)
        return become_guest(errand); /* with a password: an account */
    errand->user = errand->self.user;
    write_user(errand, STORE_SET_USER);
    return no_refusal;
}

static refusal log_in(errand *errand)
{
    errand->server->figures.logins++;
    if (!errand->right)
        return refused_password;
    errand->user = errand->other.user;
    memcpy(errand->name, errand->other.name, sizeof errand->name);
    write_session(errand, false);
    return no_refusal;
}

static refusal log_out(errand *errand)
{
    store_write *write = &errand->write[errand->write_count++];
    *write = (store_write){.kind = STORE_END_SESSION};
    memcpy(write->secret, errand->session, sizeof write->secret);
    errand->end_cookie = true;
    return no_refusal;
}

static refusal delete_account(errand *errand)
{
    if (!errand->right || strcmp(errand->name, errand->self.name) != 0)
        return refused_password;
    tables_of_person_leave(errand->server, people_find(errand->server, errand->self.user));
    errand->write[errand->write_count++] = (store_write){.kind = STORE_DELETE_USER, .user = errand->self.user};
    errand->end_cookie = true;
    return no_refusal;
}

static refusal make_token(errand *errand)
{
    errand->user = errand->self.user;
    write_session(errand, true);
    return no_refusal;
}

static refusal end_tokens(errand *errand)
{
    errand->write[errand->write_count++] = (store_write){.kind = STORE_END_TOKENS, .user = errand->self.user};
    return no_refusal;
}

static refusal tell_tokens(errand *errand)
{
    (void)errand;
    return no_refusal;
}

static refusal who_am_i(errand *errand)
{
    errand->user = errand->self.user;
    memcpy(errand->name, errand->self.name, sizeof errand->name);
    return no_refusal;
}

static const kind kinds[] = {
    {"POST", "/api/guest", .name = true, .decide = become_guest, .answer = put_self},
    {"POST", "/api/register", .name = true, .password = true, .work = hash_password, .decide = register_account,
     .answer = put_self},
    {"POST", "/api/login", .name = true, .password = true, .work = try_login, .decide = log_in, .answer = put_self},
    {"POST", "/api/logout", .identity = true, .decide = log_out, .answer = put_nothing},
    {"POST", "/api/delete", .name = true, .password = true, .optional_password = true, .identity = true,
     .work = try_own_password, .decide = delete_account, .answer = put_nothing},
    {"POST", "/api/token", .label = true, .identity = true, .decide = make_token, .answer = put_token},
    {"GET", "/api/token", .identity = true, .work = look_up_tokens, .decide = tell_tokens, .answer = put_tokens},
    {"DELETE", "/api/token", .identity = true, .decide = end_tokens, .answer = put_nothing},
    {"GET", "/api/me", .identity = true, .decide = who_am_i, .answer = put_self},
};

/* What is in memory follows what was written. */
static void take_effect(errand *errand)
{
    server *server = errand->server;
    person *self = people_find(server, errand->self.user);
    if (errand->kind->decide == log_out)
        close_connections(server, errand->session, NULL, false);
    if (errand->kind->decide == end_tokens)
        close_connections(server, NULL, self, true);
    if (errand->kind->decide == delete_account && self != NULL) {
        self->name[0] = '\0';
        tables_of_person_tell(server, self);
        close_connections(server, NULL, self, false);
    }
    if (errand->kind->answer != put_self)
        return;
    const bool guest = errand->kind->decide == become_guest ||
                       (errand->kind->decide == who_am_i && errand->self.password[0] == '\0');
    const bool renamed = self != NULL && strcmp(self->name, errand->name) != 0;
    people_know(server, errand->user, errand->name, guest);
    if (renamed)
        tables_of_person_tell(server, self);
}

static void errand_written(void *context, enum store_outcome outcome)
{
    errand *errand = (struct errand *)context;
    if (outcome != STORE_DONE) {
        refuse_errand(errand, outcome == STORE_CONFLICT ? refused_taken : refused_storage);
        return;
    }
    take_effect(errand);
    pen *out = &errand->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    errand->kind->answer(errand, out);
    pen_end(out, '}');
    char cookie[256] = "";
    gral_text header = gral_text_in(cookie, sizeof cookie);
    const bool sets = errand->secret[0] != '\0' && !errand->kind->label;
    if (sets || errand->end_cookie) {
        gral_text_add(&header, "Set-Cookie: gral=");
        gral_text_add(&header, errand->end_cookie ? "" : errand->secret);
        gral_text_add(&header, "; Path=/; HttpOnly; SameSite=Strict; Max-Age=");
        gral_text_add_number(&header, errand->end_cookie ? 0 : COOKIE_SECONDS);
        gral_text_add(&header, errand->secure ? "; Secure\r\n" : "\r\n");
    }
    reply(errand, 200, out, cookie);
}

static void errand_worked(uv_work_t *work, int status)
{
    (void)status;
    errand *errand = (struct errand *)work->data;
    if (errand->failed) {
        refuse_errand(errand, refused_storage);
        return;
    }
    const bool for_persons = errand->kind->decide != who_am_i; /* a program's token is for playing */
    if (errand->kind->identity && (errand->self.user == 0 || (errand->by_token && for_persons))) {
        refuse_errand(errand, refused_who);
        return;
    }
    const refusal why = errand->kind->decide(errand);
    if (why.code != NULL)
        refuse_errand(errand, why);
    else if (errand->write_count > 0)
        commit_write(errand->server->commit, errand->write, errand->write_count, errand_written, errand);
    else
        errand_written(errand, STORE_DONE);
}

/* --- reading a request --- */

static refusal read_body(errand *errand, const json_t *body)
{
    const kind *kind = errand->kind;
    size_t expected = 0;
    if (kind->name) {
        const json_t *name = json_object_get(body, "name");
        const char *why;
        if (!json_is_string(name))
            return refused_body;
        if (!name_read((gral_span){json_string_value(name), json_string_length(name)}, errand->name, errand->key, &why))
            return (refusal){"name", why};
        expected++;
    }
    const json_t *password = json_object_get(body, "password");
    if (kind->password && (password != NULL || !kind->optional_password)) {
        const size_t length = json_string_length(password);
        if (!json_is_string(password) || length < PASSWORD_MIN || length > PASSWORD_MAX ||
            strlen(json_string_value(password)) != length)
            return refused_length;
        memcpy(errand->password, json_string_value(password), length + 1);
        expected++;
    }
    if (kind->label) {
        const json_t *label = json_object_get(body, "label");
        if (!json_is_string(label) || json_string_length(label) > LABEL_MAX)
            return refused_body;
        memcpy(errand->label, json_string_value(label), json_string_length(label) + 1);
        expected++;
    }
    return json_object_size(body) == expected ? no_refusal : refused_body;
}

/* Whatever writes is an attempt. An address may try so often: many at once, then one a second. Who owns an IPv6 address
 * owns the 2^64 with the same beginning. */
static bool may_attempt(server *server, const char *address)
{
    struct in6_addr six;
    uint8_t bytes[crypto_shorthash_BYTES];
    const bool is_six = inet_pton(AF_INET6, address, &six) == 1;
    crypto_shorthash(bytes, is_six ? six.s6_addr : (const uint8_t *)address, is_six ? 8 : strlen(address),
                     server->attempts_key);
    uint64_t hash;
    memcpy(&hash, bytes, sizeof hash);
    return server->settings.rate == 0 || bucket_take(&server->attempts[hash % ATTEMPT_BUCKETS], uv_now(&server->loop),
                                                     ATTEMPTS_PER_SECOND, ATTEMPTS_AT_ONCE);
}

static void start_errand(server *server, net_exchange *exchange, const net_request *request, const kind *kind)
{
    errand *errand = (struct errand *)memory_get(sizeof *errand);
    errand->server = server;
    errand->exchange = exchange;
    errand->kind = kind;
    errand->secure = request->secure;
    errand->work.data = errand;
    errand->by_token = token_secret(request->authorization, errand->session);
    errand->has_session = errand->by_token || cookie_secret(request->cookie, errand->session);
    refusal why = no_refusal;
    if (kind->name || kind->label) {
        json_t *body = json_loadb(request->body.bytes, request->body.length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
                                  NULL);
        why = read_body(errand, body);
        json_decref(body);
    }
    if (why.code == NULL && strcmp(kind->method, "GET") != 0 && !may_attempt(server, request->address))
        why = refused_busy;
    if (why.code == NULL && kind->password) {
        if (server->passwords >= PASSWORDS_AT_ONCE)
            why = refused_busy;
        else
            errand->busy = ++server->passwords > 0;
    }
    if (why.code != NULL)
        refuse_errand(errand, why);
    else
        uv_queue_work(&server->loop, &errand->work, work_on_errand, errand_worked);
}

bool people_request(server *server, net_exchange *exchange, const net_request *request)
{
    for (unsigned index = 0; index < sizeof kinds / sizeof *kinds; index++) {
        const kind *kind = &kinds[index];
        if (strcmp(kind->path, request->path) != 0 || strcmp(kind->method, request->method) != 0)
            continue;
        start_errand(server, exchange, request, kind);
        return true;
    }
    return false;
}
