/* How people become somebody and stop being it, over HTTP. A guest is a name and a secret; an account adds a password.
 * Secrets are kept as hashes, passwords by Argon2id (hashing.h).
 *
 * An errand looks up on the pool who sends it and whom it is about; has a password hashed if it has one; writes what
 * follows from it, in one unit with a proof that the sender's session has not ended meanwhile; and answers.
 *
 * Guessing is bounded for each name, known or not, so that it tells nothing whether there is such an account: strangers
 * together have a few guesses and then two a minute, and no source more than half of that. A device from which the
 * owner has logged in before is no stranger: it has a secret of its own and guesses of its own, so nobody can lock the
 * owner out there. */
#include "parts.h"

#include "allowance.h"
#include "hashing.h"
#include "log.h"
#include "memory.h"

#include <jansson.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PASSWORD_MIN = 8,
    PASSWORD_MAX = 200,
    LABEL_MAX = 60,
    TOKENS_BYTES_MAX = 100000,    /* of a list of them */
    USER_BITS = 53,               /* what JSON's numbers can carry */
    COOKIE_SECONDS = 400 * 86400, /* as long as browsers keep one */
    DEVICES_MAX = 10,             /* of one account */
    SESSIONS_MAX = 100,           /* of one person, and so many tokens; the one not used for longest ends */
    BUSY_SECONDS = 5,             /* to wait where too many are waiting */
    WRITES_MAX = 4
};

struct accounts {
    hashing *hashing;
    allowance *guesses; /* of strangers at a name */
    allowance *from;    /* of one source at a name */
    allowance *own;     /* of a known device, and of a session about itself */
    bucket lines;       /* in the log */
    unsigned under_way; /* errands */
};

void accounts_open(server *server)
{
    struct accounts *accounts = (struct accounts *)memory_get(sizeof *accounts);
    server->accounts = accounts;
    accounts->hashing = hashing_open(&server->loop, hashing_usual());
    accounts->guesses = allowance_open(2.0 / 60, 8);
    accounts->from = allowance_open(1.0 / 60, 4);
    accounts->own = allowance_open(2.0 / 60, 10);
}

unsigned accounts_waiting(const server *server)
{
    return hashing_waiting(server->accounts->hashing);
}

void accounts_stop(server *server)
{
    hashing_stop(server->accounts->hashing);
}

bool accounts_busy(const server *server)
{
    return server->accounts->under_way > 0;
}

void accounts_close(server *server)
{
    struct accounts *accounts = server->accounts;
    hashing_close(accounts->hashing);
    allowance_close(accounts->guesses);
    allowance_close(accounts->from);
    allowance_close(accounts->own);
    free(accounts);
}

/* --- why not --- */

typedef struct denial {
    refusal why;
    unsigned status;
    unsigned wait; /* seconds, to be told; 0 for none */
} denial;

static const denial no_denial = {0};
static const denial denied_body = {
    {"json", N_("the body must be a JSON object with the members of this request")}, 400, 0};
static const denial denied_length = {{"password-length", N_("use at least 8 characters, and at most 200")}, 400, 0};
static const denial denied_who = {{"who", N_("choose a name or log in first")}, 401, 0};
static const denial denied_password = {{"password", N_("the name or the password is wrong")}, 403, 0};
static const denial denied_taken = {{"name-taken", N_("this name is taken or too similar to one that is")}, 409, 0};
static const denial denied_account = {{"account", N_("you already have an account; log out first")}, 409, 0};
static const denial denied_rate = {{"busy", N_("too many requests at once; try again in a moment")}, 429, 20};
static const denial denied_guesses = {
    {"guesses", N_("too many wrong passwords for this name; wait a minute, or use a device you have logged in on "
                   "before")},
    429,
    30};
static const denial denied_busy = {{"busy", N_("too many requests at once; try again in a moment")}, 503, BUSY_SECONDS};
static const denial denied_storage = {{"storage", N_("that couldn't be saved; try again later")}, 503, 0};

static bool is_denied(denial denial)
{
    return denial.status != 0;
}

/* --- errands --- */

typedef struct errand errand;

/* How a request is served. */
typedef struct kind {
    const char *method, *path;
    bool name, password, label; /* what its body has */
    bool makes_name;            /* which has a price of its own */
    bool optional_password;
    bool identity;                         /* it is about the sender, who must be somebody */
    bool programs;                         /* he may be a program, which is for playing else */
    void (*look)(errand *errand);          /* on the pool: beside who sends it; NULL for nothing more */
    denial (*admit)(errand *errand);       /* on the loop: whether its password may be tried; NULL for always */
    void (*hash)(errand *errand);          /* on the pool, when its turn has come; NULL where nothing is hashed */
    denial (*decide)(errand *errand);      /* on the loop: adds writes, or refuses */
    const denial *conflict;                /* what it means when these cannot be written; NULL: it does not happen */
    void (*effect)(const errand *errand);  /* what is in memory follows what was written; NULL for nothing */
    void (*answer)(errand *errand, pen *); /* the body, once everything is written */
    bool ends_session, ends_device;        /* the cookies go */
} kind;

struct errand {
    uv_work_t work;
    hashing_turn turn;
    server *server;
    net_exchange *exchange;
    const kind *kind;
    payer payer; /* the networks he comes from */
    bool has_session, by_token, has_device, secure;
    uint8_t session[STORE_SECRET_BYTES], device[STORE_SECRET_BYTES];
    char session_text[SECRET_TEXT], device_text[SECRET_TEXT]; /* for the cookies: what was given, then what is new */
    char name[NAME_BYTES_MAX], key[NAME_KEY_MAX], password[PASSWORD_MAX + 1], label[LABEL_MAX + 1];
    uint64_t since;                /* see people_revoked_since */
    store_user self, other, owner; /* who sends it; whom the name means; whose device it is */
    bool known_device;
    bool right;  /* the password is */
    bool failed; /* the store could not be read */
    char hashed[crypto_pwhash_STRBYTES];
    uint64_t user;
    bool guest;
    bool sets_session, sets_device;
    char token[SECRET_TEXT];
    store_write write[WRITES_MAX];
    size_t write_count;
    pen tokens; /* a JSON list */
};

static uint64_t now_of(const errand *errand)
{
    return uv_now(&errand->server->loop);
}

static void reply(errand *errand, unsigned status, const pen *body, const char *headers)
{
    net_answer(errand->exchange,
               &(net_reply){.status = status, .type = "application/json", .headers = headers, .body = pen_span(body)});
    errand->server->accounts->under_way--;
    pen_free(&errand->tokens);
    sodium_memzero(errand, sizeof *errand);
    free(errand);
}

static void deny(errand *errand, denial denial)
{
    pen *out = &errand->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "error", denial.why.code);
    pen_put_words(out, "text", denial.why.text);
    pen_end(out, '}');
    char wait[40] = "";
    if (denial.wait > 0)
        snprintf(wait, sizeof wait, "Retry-After: %u\r\n", denial.wait);
    reply(errand, denial.status, out, wait);
}

/* --- on the pool --- */

static void look_up_name(errand *errand)
{
    store *store = errand->server->store;
    gral_error error;
    errand->failed |= !store->kind->user_by_key(store, errand->key, &errand->other, &error);
    if (errand->has_device)
        errand->failed |= !store->kind->user_by_secret(store, STORE_DEVICE, errand->device, &errand->owner, &error);
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
    pen_clear(&errand->tokens);
    pen_begin(&errand->tokens, '[');
    errand->failed |= !store->kind->tokens_of(store, errand->self.user, list_token, errand, &error);
    pen_end(&errand->tokens, ']');
}

static void look_up(uv_work_t *work)
{
    errand *errand = (struct errand *)work->data;
    store *store = errand->server->store;
    gral_error error;
    if (errand->has_session)
        errand->failed |= !store->kind->user_by_secret(store, errand->by_token ? STORE_TOKEN : STORE_COOKIE,
                                                       errand->session, &errand->self, &error);
    if (errand->kind->look != NULL)
        errand->kind->look(errand);
}

static void hash_password(errand *errand)
{
    errand->failed |= crypto_pwhash_str(errand->hashed, errand->password, strlen(errand->password),
                                        crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0;
}

/* Somebody unknown costs as much time as somebody known with a wrong password. */
static void try_password(errand *errand)
{
    const store_user *user = errand->kind->identity ? &errand->self : &errand->other;
    if (user->password[0] == '\0')
        hash_password(errand);
    else
        errand->right = crypto_pwhash_str_verify(user->password, errand->password, strlen(errand->password)) == 0;
}

/* --- who may try a password --- */

static gral_span whole_name(const errand *errand)
{
    return gral_span_of(errand->key);
}

static const source *widest(const errand *errand)
{
    return &errand->payer.source[errand->payer.sources - 1];
}

/* The name and the widest network of the sender, as one text in `space`. */
static gral_span name_and_source(const errand *errand, char space[NAME_KEY_MAX + sizeof(source)])
{
    const size_t length = strlen(errand->key);
    memcpy(space, errand->key, length);
    memcpy(space + length, widest(errand)->bytes, sizeof widest(errand)->bytes);
    return (gral_span){space, length + sizeof widest(errand)->bytes};
}

static gral_span secret_of(const uint8_t hash[STORE_SECRET_BYTES])
{
    return (gral_span){(const char *)hash, STORE_SECRET_BYTES};
}

static denial wait_for(denial denial, unsigned seconds)
{
    denial.wait = seconds;
    return denial;
}

static denial take_own_guess(errand *errand, const uint8_t secret[STORE_SECRET_BYTES])
{
    allowance *own = errand->server->accounts->own;
    if (allowance_take(own, secret_of(secret), 1, now_of(errand)))
        return no_denial;
    return wait_for(denied_guesses, allowance_wait(own, secret_of(secret), 1, now_of(errand)));
}

static denial take_strangers_guess(errand *errand)
{
    const struct accounts *accounts = errand->server->accounts;
    char space[NAME_KEY_MAX + sizeof(source)];
    const gral_span here = name_and_source(errand, space);
    const uint64_t now = now_of(errand);
    const unsigned wait_here = allowance_wait(accounts->from, here, 1, now),
                   wait = allowance_wait(accounts->guesses, whole_name(errand), 1, now);
    if (wait_here > 0 || wait > 0)
        return wait_for(denied_guesses, wait_here > wait ? wait_here : wait);
    allowance_take(accounts->from, here, 1, now);
    allowance_take(accounts->guesses, whole_name(errand), 1, now);
    return no_denial;
}

/* It was no guess: the password was right, or was not tried. */
static void give_back_guess(errand *errand)
{
    const struct accounts *accounts = errand->server->accounts;
    char space[NAME_KEY_MAX + sizeof(source)];
    if (errand->known_device) {
        allowance_give_back(accounts->own, secret_of(errand->device), 1, now_of(errand));
    } else if (!errand->kind->identity) {
        allowance_give_back(accounts->from, name_and_source(errand, space), 1, now_of(errand));
        allowance_give_back(accounts->guesses, whole_name(errand), 1, now_of(errand));
    } else {
        allowance_give_back(accounts->own, secret_of(errand->session), 1, now_of(errand));
    }
}

static denial admit_login(errand *errand)
{
    errand->known_device = errand->owner.user != 0 && errand->owner.user == errand->other.user &&
                           !expiry_is_over(errand->server, STORE_DEVICE, &errand->owner);
    const denial denial = errand->known_device ? take_own_guess(errand, errand->device) : take_strangers_guess(errand);
    errand->server->figures.logins_refused += is_denied(denial);
    return denial;
}

static denial admit_owner(errand *errand)
{
    return take_own_guess(errand, errand->session);
}

/* --- what to write; on the loop --- */

static store_write *add_write(errand *errand, uint8_t kind)
{
    store_write *write = &errand->write[errand->write_count++];
    *write = (store_write){.kind = kind, .user = errand->user, .time = server_now(errand->server)};
    return write;
}

/* Everything after it is written only if the sender's session is still there. */
static void require_session(errand *errand)
{
    memcpy(add_write(errand, STORE_TOUCH)->secret, errand->session, STORE_SECRET_BYTES);
}

static void write_session(errand *errand, char text[SECRET_TEXT], bool token)
{
    store_write *write = add_write(errand, STORE_NEW_SESSION);
    write->flag = token;
    write->number = SESSIONS_MAX;
    write->text = gral_span_of(errand->label);
    secret_make(text, write->secret);
}

static void set_session(errand *errand)
{
    write_session(errand, errand->session_text, false);
    errand->sets_session = true;
}

/* From now on the device is known; one that is, keeps its secret. */
static void set_device(errand *errand)
{
    errand->sets_device = true;
    if (!errand->known_device) {
        store_write *write = add_write(errand, STORE_NEW_DEVICE);
        write->number = DEVICES_MAX;
        secret_make(errand->device_text, write->secret);
    } else if (expiry_is_touch_due(errand->server, errand->owner.used)) {
        memcpy(add_write(errand, STORE_TOUCH)->secret, errand->device, STORE_SECRET_BYTES);
    }
}

static void write_user(errand *errand, uint8_t kind)
{
    store_write *write = add_write(errand, kind);
    write->name = errand->name;
    write->key = errand->key;
    write->text = gral_span_of(errand->hashed);
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

static denial become_guest(errand *errand)
{
    errand->user = new_user();
    errand->guest = true;
    write_user(errand, STORE_NEW_USER);
    set_session(errand);
    return no_denial;
}

static denial register_account(errand *errand)
{
    if (errand->self.password[0] != '\0')
        return denied_account;
    if (errand->self.user == 0) {
        become_guest(errand); /* with a password: an account */
    } else {
        errand->user = errand->self.user;
        require_session(errand);
        write_user(errand, STORE_SET_USER);
    }
    errand->guest = false;
    set_device(errand);
    return no_denial;
}

/* How many there were is always in the figures; lines are fewer when there are many. */
static void note_failure(server *server)
{
    server->figures.logins_failed++;
    if (bucket_take(&server->accounts->lines, uv_now(&server->loop), 0.1, 20))
        log_line(LOG_WARNING, "login-failed", "count=%llu", (unsigned long long)server->figures.logins_failed);
}

static denial log_in(errand *errand)
{
    errand->server->figures.logins++;
    if (!errand->right) {
        note_failure(errand->server);
        return denied_password;
    }
    give_back_guess(errand);
    errand->user = errand->other.user;
    memcpy(errand->name, errand->other.name, sizeof errand->name);
    set_session(errand);
    set_device(errand);
    return no_denial;
}

static denial log_out(errand *errand)
{
    memcpy(add_write(errand, STORE_END_SESSION)->secret, errand->session, STORE_SECRET_BYTES);
    return no_denial;
}

static denial delete_account(errand *errand)
{
    const bool is_guest = errand->self.password[0] == '\0';
    if ((!errand->right && !is_guest) || strcmp(errand->name, errand->self.name) != 0)
        return denied_password;
    errand->user = errand->self.user;
    require_session(errand);
    add_write(errand, STORE_DELETE_USER);
    return no_denial;
}

static denial make_token(errand *errand)
{
    errand->user = errand->self.user;
    require_session(errand);
    write_session(errand, errand->token, true);
    return no_denial;
}

static denial end_tokens(errand *errand)
{
    errand->user = errand->self.user;
    require_session(errand);
    add_write(errand, STORE_END_TOKENS);
    return no_denial;
}

static denial tell_tokens(errand *errand)
{
    (void)errand;
    return no_denial;
}

/* A browser forgets a cookie in time unless it is set again. */
static denial who_am_i(errand *errand)
{
    errand->guest = errand->self.password[0] == '\0';
    memcpy(errand->name, errand->self.name, sizeof errand->name);
    if (expiry_is_touch_due(errand->server, errand->self.used)) {
        require_session(errand);
        errand->sets_session = !errand->by_token;
    }
    return no_denial;
}

/* --- what follows --- */

static void take_name(const errand *errand)
{
    people_rename(errand->server, errand->user, errand->name, errand->guest);
}

static void end_session(const errand *errand)
{
    people_end_session(errand->server, errand->self.user, errand->session);
}

static void end_all_tokens(const errand *errand)
{
    people_end_tokens(errand->server, errand->user);
}

static void end_account(const errand *errand)
{
    people_rename(errand->server, errand->user, "", false);
    tables_of_person_leave(errand->server, errand->user);
    people_end_all(errand->server, errand->user);
}

/* --- answers --- */

static void put_self(errand *errand, pen *out)
{
    pen_put_words(out, "name", errand->name);
    pen_put_bool(out, "guest", errand->guest);
}

static void put_token(errand *errand, pen *out)
{
    pen_put_words(out, "token", errand->token);
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

static void put_cookie(gral_text *headers, const errand *errand, const char *name, const char *value)
{
    gral_text_add(headers, "Set-Cookie: ");
    gral_text_add(headers, name);
    gral_text_add(headers, "=");
    gral_text_add(headers, value);
    gral_text_add(headers, "; Path=/; HttpOnly; SameSite=Strict; Max-Age=");
    gral_text_add_number(headers, *value == '\0' ? 0 : COOKIE_SECONDS);
    gral_text_add(headers, errand->secure ? "; Secure\r\n" : "\r\n");
}

/* The session's comes last: simple programs keep one cookie only. */
static void put_cookies(gral_text *headers, const errand *errand)
{
    const kind *kind = errand->kind;
    if (errand->sets_device || kind->ends_device)
        put_cookie(headers, errand, "gral-device", kind->ends_device ? "" : errand->device_text);
    if (errand->sets_session || kind->ends_session)
        put_cookie(headers, errand, "gral", kind->ends_session ? "" : errand->session_text);
}

static const kind kinds[] = {
    {"POST", "/api/guest", .name = true, .makes_name = true, .decide = become_guest, .conflict = &denied_taken,
     .answer = put_self},
    {"POST", "/api/register", .name = true, .makes_name = true, .password = true, .hash = hash_password,
     .decide = register_account, .conflict = &denied_taken, .effect = take_name, .answer = put_self},
    {"POST", "/api/login", .name = true, .password = true, .look = look_up_name, .admit = admit_login,
     .hash = try_password, .decide = log_in, .conflict = &denied_password, .answer = put_self},
    {"POST", "/api/logout", .identity = true, .decide = log_out, .effect = end_session, .answer = put_nothing,
     .ends_session = true},
    {"POST", "/api/delete", .name = true, .password = true, .optional_password = true, .identity = true,
     .admit = admit_owner, .hash = try_password, .decide = delete_account, .conflict = &denied_who,
     .effect = end_account, .answer = put_nothing, .ends_session = true, .ends_device = true},
    {"POST", "/api/token", .label = true, .identity = true, .decide = make_token, .conflict = &denied_who,
     .answer = put_token},
    {"GET", "/api/token", .identity = true, .look = look_up_tokens, .decide = tell_tokens, .answer = put_tokens},
    {"DELETE", "/api/token", .identity = true, .decide = end_tokens, .conflict = &denied_who, .effect = end_all_tokens,
     .answer = put_nothing},
    {"GET", "/api/me", .identity = true, .programs = true, .decide = who_am_i, .conflict = &denied_who,
     .answer = put_self},
};

/* --- the way of an errand --- */

static void written(void *context, enum store_outcome outcome)
{
    errand *errand = (struct errand *)context;
    if (outcome == STORE_CONFLICT && errand->kind->conflict != NULL) {
        const bool ended = people_revoked_since(errand->server, errand->self.user, errand->since);
        deny(errand, ended ? denied_who : *errand->kind->conflict);
        return;
    }
    if (outcome != STORE_DONE) {
        deny(errand, denied_storage);
        return;
    }
    if (errand->kind->effect != NULL)
        errand->kind->effect(errand);
    pen *out = &errand->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    errand->kind->answer(errand, out);
    pen_end(out, '}');
    char cookies[512] = "";
    gral_text headers = gral_text_in(cookies, sizeof cookies);
    put_cookies(&headers, errand);
    reply(errand, 200, out, cookies);
}

static void decide(errand *errand)
{
    const denial denial = errand->failed ? denied_storage : errand->kind->decide(errand);
    if (is_denied(denial))
        deny(errand, denial);
    else if (errand->write_count > 0)
        commit_write(errand->server->commit, errand->write, errand->write_count, written, errand);
    else
        written(errand, STORE_DONE);
}

static errand *errand_of(hashing_turn *turn)
{
    return (errand *)((char *)turn - offsetof(errand, turn));
}

static void hash(hashing_turn *turn)
{
    errand *errand = errand_of(turn);
    errand->kind->hash(errand);
}

static void hashed(hashing_turn *turn, bool was_run)
{
    errand *errand = errand_of(turn);
    if (was_run) {
        decide(errand);
        return;
    }
    if (errand->kind->admit != NULL)
        give_back_guess(errand);
    deny(errand, denied_busy);
}

/* Who is known is counted for himself, everybody else for where he comes from. */
static void wait_for_hashing(errand *errand)
{
    const uint64_t *owner = errand->kind->identity ? &errand->self.user
                            : errand->known_device ? &errand->other.user
                                                   : NULL;
    const source *from = widest(errand);
    errand->turn = (hashing_turn){.stranger = owner == NULL, .hash = hash, .done = hashed};
    if (owner != NULL)
        errand->turn.side = (gral_span){(const char *)owner, sizeof *owner};
    else
        errand->turn.side = (gral_span){(const char *)from->bytes, sizeof from->bytes};
    hashing_wait(errand->server->accounts->hashing, &errand->turn);
}

static bool needs_hashing(const errand *errand)
{
    const bool own = errand->kind->identity; /* a guest has no password that he could say */
    return errand->kind->hash != NULL && !(own && errand->self.password[0] == '\0');
}

static denial check_sender(errand *errand)
{
    const enum store_session session = errand->by_token ? STORE_TOKEN : STORE_COOKIE;
    if (errand->self.user != 0 && expiry_is_over(errand->server, session, &errand->self))
        errand->self = (store_user){0};
    const bool may = errand->self.user != 0 && (!errand->by_token || errand->kind->programs);
    const bool is_program = errand->self.user != 0 && errand->by_token; /* and may not become its owner */
    if ((errand->kind->identity || is_program) && !may)
        return denied_who;
    return needs_hashing(errand) && errand->kind->admit != NULL ? errand->kind->admit(errand) : no_denial;
}

static void start_looking(errand *errand);

static void looked_up(uv_work_t *work, int status)
{
    (void)status;
    errand *errand = (struct errand *)work->data;
    if (people_revoked_since(errand->server, errand->self.user, errand->since)) {
        start_looking(errand);
        return;
    }
    const denial denial = errand->failed ? denied_storage : check_sender(errand);
    if (is_denied(denial))
        deny(errand, denial);
    else if (needs_hashing(errand))
        wait_for_hashing(errand);
    else
        decide(errand);
}

static void start_looking(errand *errand)
{
    errand->since = errand->server->revocations;
    errand->work.data = errand;
    uv_queue_work(&errand->server->loop, &errand->work, look_up, looked_up);
}

/* --- reading a request --- */

static denial read_body(errand *errand, const json_t *body)
{
    const kind *kind = errand->kind;
    size_t expected = 0;
    if (kind->name) {
        const json_t *name = json_object_get(body, "name");
        const char *why;
        if (!json_is_string(name))
            return denied_body;
        if (!name_read((gral_span){json_string_value(name), json_string_length(name)}, errand->name, errand->key, &why))
            return (denial){{"name", why}, 400, 0};
        expected++;
    }
    const json_t *password = json_object_get(body, "password");
    if (kind->password && (password != NULL || !kind->optional_password)) {
        const size_t length = json_string_length(password);
        if (!json_is_string(password) || length < PASSWORD_MIN || length > PASSWORD_MAX ||
            strlen(json_string_value(password)) != length)
            return denied_length;
        memcpy(errand->password, json_string_value(password), length + 1);
        expected++;
    }
    if (kind->label) {
        const json_t *label = json_object_get(body, "label");
        if (!json_is_string(label) || json_string_length(label) > LABEL_MAX)
            return denied_body;
        memcpy(errand->label, json_string_value(label), json_string_length(label) + 1);
        expected++;
    }
    return json_object_size(body) == expected ? no_denial : denied_body;
}

static bool is_paid_for(const errand *errand)
{
    return !errand->kind->makes_name ||
           budget_take(errand->server->budget, BUDGET_NAMES, &errand->payer, 1, now_of(errand));
}

static void start_errand(server *server, net_exchange *exchange, const net_request *request, const kind *kind)
{
    errand *errand = (struct errand *)memory_get(sizeof *errand);
    errand->server = server;
    errand->exchange = exchange;
    errand->kind = kind;
    errand->secure = request->secure;
    payer_of_address(&errand->payer, request->address);
    server->accounts->under_way++;
    errand->by_token = secret_of_header(request->authorization, errand->session);
    errand->has_session = errand->by_token ||
                          secret_of_cookie(request->cookie, "gral", errand->session_text, errand->session);
    errand->has_device = secret_of_cookie(request->cookie, "gral-device", errand->device_text, errand->device);
    denial denial = no_denial;
    if (kind->name || kind->label) {
        json_t *body = json_loadb(request->body.bytes, request->body.length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
                                  NULL);
        denial = read_body(errand, body);
        json_decref(body);
    }
    if (!is_denied(denial) && !is_paid_for(errand))
        denial = denied_rate;
    if (server->stopping)
        denial = denied_busy;
    if (is_denied(denial))
        deny(errand, denial);
    else
        start_looking(errand);
}

bool accounts_request(server *server, net_exchange *exchange, const net_request *request)
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
