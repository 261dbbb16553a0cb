/* How people become somebody and stop being it, over HTTP: what can be asked, and what becomes of it. A guest is a name
 * and a secret; an account adds a password. Secrets are kept as hashes, passwords by Argon2id (hashing.h). */
#include "server/errand.h"
#include "server/meetings.h"
#include "server/persons.h"
#include "server/tables.h"

#include <string.h>

enum {
    LIST_BYTES_MAX = 100000, /* of sessions or tokens */
    USER_BITS = 53,          /* what JSON's numbers can carry */
    DEVICES_MAX = 10,        /* of one account */
    SESSIONS_MAX = 100,      /* of one person, and so many tokens; the one not used for longest ends */
};

static const denial denied_password = {{"password", N_("the name or the password is wrong")}, 403, 0};
static const denial denied_old_password = {{"password", N_("the password is wrong")}, 403, 0};
static const denial denied_taken = {{"name-taken", N_("this name is taken or too similar to one that is")}, 409, 0};
static const denial denied_account = {{"account", N_("you already have an account; log out first")}, 409, 0};

static const denial denied_banned = {{"banned", N_("this account has been banned")}, 403, 0};
static const denial denied_guest = {{"guest", N_("guests have no password; sign up first")}, 409, 0};
static const denial denied_login = {{"session", N_("this session or token has ended already")}, 404, 0};
static const denial denied_often = {
    {"often", N_("you have changed your name several times; try again in a few hours")}, 429, 3600};

static const denial denied_export = {{"often", N_("you have just downloaded this; try again in an hour")}, 429, 3600};

static const int64_t day = 86400000;

/* --- on the pool --- */

static void look_up_name(errand *errand)
{
    store *store = errand->server->store;
    gral_error error;
    errand->failed |= !store->kind->user_by_key(store, errand->key, &errand->other, &error);
    if (errand->has_device)
        errand->failed |= !store->kind->user_by_secret(store, STORE_DEVICE, errand->device, &errand->owner, &error);
}

static void ask_for_logins(errand *errand, enum store_session session, store_each_login *each)
{
    store *store = errand->server->store;
    gral_error error;
    errand->failed |= !store->kind->logins_of(store, errand->self.user, session, each, errand, &error);
}

static void login_id(const store_login *login, char id[LOGIN_ID_TEXT])
{
    sodium_bin2hex(id, LOGIN_ID_TEXT, login->secret, LOGIN_ID_BYTES);
}

static bool list_login(void *context, const store_login *login)
{
    errand *errand = context;
    pen *list = &errand->list;
    char id[LOGIN_ID_TEXT];
    login_id(login, id);
    pen_begin(list, '{');
    pen_put_words(list, "id", id);
    pen_put_words(list, "label", login->label);
    pen_put_number(list, "made", login->created / 1000);
    pen_put_number(list, "used", login->used / 1000);
    if (login->ends > 0)
        pen_put_number(list, "ends", login->ends / 1000);
    if (sodium_memcmp(login->secret, errand->session, STORE_SECRET_BYTES) == 0)
        pen_put_bool(list, "this", true);
    pen_end(list, '}');
    return list->length < LIST_BYTES_MAX;
}

void accounts_list_logins(errand *errand, enum store_session session)
{
    pen_clear(&errand->list);
    pen_begin(&errand->list, '[');
    ask_for_logins(errand, session, list_login);
    pen_end(&errand->list, ']');
}

static void look_up_tokens(errand *errand)
{
    accounts_list_logins(errand, STORE_TOKEN);
}

static void look_up_sessions(errand *errand)
{
    accounts_list_logins(errand, STORE_COOKIE);
}

static bool note_login(void *context, const store_login *login)
{
    errand *errand = context;
    char id[LOGIN_ID_TEXT];
    login_id(login, id);
    if (strcmp(id, errand->login) != 0)
        return true;
    errand->found = true;
    memcpy(errand->ended, login->secret, STORE_SECRET_BYTES);
    return false;
}

static void look_up_login(errand *errand)
{
    ask_for_logins(errand, STORE_COOKIE, note_login);
    ask_for_logins(errand, STORE_TOKEN, note_login);
}

void accounts_hash(errand *errand, const char *password)
{
    errand->failed |= crypto_pwhash_str(errand->hashed, password, strlen(password), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                        crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0;
}

static void hash_password(errand *errand)
{
    accounts_hash(errand, errand->password);
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

static void try_password_and_hash_the_new(errand *errand)
{
    try_password(errand);
    if (errand->right)
        accounts_hash(errand, errand->new_password);
}

/* --- what to write; on the loop --- */

static store_write *write_session(errand *errand, char text[SECRET_TEXT])
{
    store_write *write = errand_write(errand, STORE_NEW_SESSION);
    write->limit = SESSIONS_MAX;
    write->label = errand->label;
    secret_make(text, write->secret);
    return write;
}

static store_write *set_session(errand *errand)
{
    errand->sets_session = true;
    return write_session(errand, errand->session_text);
}

/* From now on the device is known; one that is, keeps its secret. */
static void set_device(errand *errand)
{
    errand->sets_device = true;
    if (!errand->known_device) {
        store_write *write = errand_write(errand, STORE_NEW_DEVICE);
        write->limit = DEVICES_MAX;
        secret_make(errand->device_text, write->secret);
    } else if (expiry_is_touch_due(errand->server, errand->owner.used)) {
        memcpy(errand_write(errand, STORE_TOUCH)->secret, errand->device, STORE_SECRET_BYTES);
    }
}

static void write_user(errand *errand, uint8_t kind)
{
    store_write *write = errand_write(errand, kind);
    write->name = errand->name;
    write->key = errand->key;
    write->password = errand->hashed;
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
        errand_require_session(errand);
        write_user(errand, STORE_SET_USER);
    }
    errand->guest = false;
    set_device(errand);
    return no_denial;
}

static denial log_in(errand *errand)
{
    errand->server->figures.logins++;
    if (!errand->right) {
        errand_was_wrong(errand);
        return denied_password;
    }
    errand_was_no_guess(errand);
    if (errand->other.banned > server_now(errand->server))
        return denied_banned;
    errand->user = errand->other.user;
    memcpy(errand->name, errand->other.name, sizeof errand->name);
    set_session(errand)->password = errand->other.password; /* which may just be changed */
    set_device(errand);
    return no_denial;
}

static denial log_out(errand *errand)
{
    store_write *write = errand_write(errand, STORE_END_SESSION);
    write->user = errand->self.user; /* other servers hear of it */
    memcpy(write->secret, errand->session, STORE_SECRET_BYTES);
    return no_denial;
}

static denial delete_account(errand *errand)
{
    const bool is_guest = errand->self.password[0] == '\0';
    if ((!errand->right && !is_guest) || strcmp(errand->name, errand->self.name) != 0)
        return denied_password;
    errand->user = errand->self.user;
    errand_require_session(errand);
    errand_write(errand, STORE_DELETE_USER);
    return no_denial;
}

static denial make_token(errand *errand)
{
    errand->user = errand->self.user;
    errand->ends = server_now(errand->server) + (errand->days > 0 ? errand->days : TOKEN_DAYS) * day;
    errand_require_session(errand);
    store_write *write = write_session(errand, errand->token);
    write->token = true;
    write->ends = errand->ends;
    return no_denial;
}

static denial end_tokens(errand *errand)
{
    errand->user = errand->self.user;
    errand_require_session(errand);
    errand_write(errand, STORE_END_TOKENS);
    return no_denial;
}

static denial end_login(errand *errand)
{
    if (!errand->found)
        return denied_login;
    errand->user = errand->self.user;
    errand_require_session(errand);
    memcpy(errand_write(errand, STORE_END_SESSION)->secret, errand->ended, STORE_SECRET_BYTES);
    return no_denial;
}

static void write_end_of_others(errand *errand, bool tokens)
{
    store_write *write = errand_write(errand, STORE_END_OTHERS);
    write->token = tokens;
    memcpy(write->secret, errand->session, STORE_SECRET_BYTES);
}

/* This device stays known, by a new secret. */
static denial end_others(errand *errand)
{
    errand->user = errand->self.user;
    errand_require_session(errand);
    write_end_of_others(errand, false);
    set_device(errand);
    return no_denial;
}

static denial allow_export(errand *errand)
{
    return errand_pays(errand, BUDGET_EXPORTS) ? no_denial : denied_export;
}

/* His games and who knows him know him by the new name; the old one is free. */
static denial change_name(errand *errand)
{
    errand->user = errand->self.user;
    errand->guest = errand->self.password[0] == '\0';
    const payer own = {.own = person_meet(errand->server, &errand->self)->bucket}; /* his network has paid already */
    if (!budget_take(errand->server->budget, BUDGET_NAMES, &own, 1, uv_now(&errand->server->loop)))
        return denied_often;
    errand_require_session(errand);
    write_user(errand, STORE_RENAME);
    return no_denial;
}

/* Whoever has got hold of the old one has nothing any more: all that can be him ends, but for this session. */
static denial change_password(errand *errand)
{
    if (errand->self.password[0] == '\0')
        return denied_guest;
    if (!errand->right)
        return denied_old_password;
    errand_was_no_guess(errand);
    errand->user = errand->self.user;
    errand_require_session(errand);
    errand_write(errand, STORE_SET_PASSWORD)->password = errand->hashed;
    write_end_of_others(errand, true);
    set_device(errand);
    return no_denial;
}

/* A browser forgets a cookie in time unless it is set again. */
static denial who_am_i(errand *errand)
{
    errand->guest = errand->self.password[0] == '\0';
    memcpy(errand->name, errand->self.name, sizeof errand->name);
    if (expiry_is_touch_due(errand->server, errand->self.used)) {
        errand_require_session(errand);
        errand->sets_session = !errand->by_token;
    }
    return no_denial;
}

/* --- what follows --- */

static void take_name(const errand *errand)
{
    person_rename(errand->server, errand->user, errand->name, errand->guest);
}

static void end_session(const errand *errand)
{
    session_end(errand->server, errand->self.user, errand->session);
}

static void end_all_tokens(const errand *errand)
{
    session_end_tokens(errand->server, errand->user);
}

static void end_this_login(const errand *errand)
{
    session_end(errand->server, errand->user, errand->ended);
}

static void end_other_sessions(const errand *errand)
{
    session_end_others(errand->server, errand->user, errand->session, false);
}

static void end_all_others(const errand *errand)
{
    session_end_others(errand->server, errand->user, errand->session, true);
}

static void end_account(const errand *errand)
{
    person_rename(errand->server, errand->user, "", false);
    company_forget(errand->server, errand->user);
    tables_of_person_leave(errand->server, errand->user);
    tournaments_forget(errand->server, errand->user);
    session_end_all(errand->server, errand->user);
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
    pen_put_number(out, "ends", errand->ends / 1000);
}

static void put_tokens(errand *errand, pen *out)
{
    pen_key(out, "tokens");
    pen_raw(out, pen_span(&errand->list));
}

static void put_sessions(errand *errand, pen *out)
{
    pen_key(out, "sessions");
    pen_raw(out, pen_span(&errand->list));
}

/* A browser says what it is, so that its owner knows it again in the list of his sessions. */
static const errand_kind kinds[] = {
    {"POST", "/api/guest", BODY(NAME), BODY(LABEL), .makes_name = true, .decide = become_guest,
     .conflict = &denied_taken, .answer = put_self},
    {"POST", "/api/register", BODY(NAME) | BODY(PASSWORD), BODY(LABEL), .makes_name = true, .hash = hash_password,
     .decide = register_account, .conflict = &denied_taken, .effect = take_name, .answer = put_self},
    {"POST", "/api/login", BODY(NAME) | BODY(PASSWORD), BODY(LABEL), .look = look_up_name, .bounded = true,
     .hash = try_password, .decide = log_in, .conflict = &denied_password, .answer = put_self},
    {"POST", "/api/logout", .identity = true, .decide = log_out, .effect = end_session, .answer = errand_answer_ok,
     .ends_session = true},
    {"POST", "/api/name", BODY(NAME), .makes_name = true, .identity = true, .decide = change_name,
     .conflict = &denied_taken, .effect = take_name, .answer = put_self},
    {"POST", "/api/password", BODY(PASSWORD) | BODY(NEW_PASSWORD), .identity = true, .bounded = true,
     .hash = try_password_and_hash_the_new, .decide = change_password, .conflict = &denied_who,
     .effect = end_all_others, .answer = errand_answer_ok},
    {"POST", "/api/delete", BODY(NAME), BODY(PASSWORD), .identity = true, .bounded = true, .hash = try_password,
     .decide = delete_account, .conflict = &denied_who, .effect = end_account, .answer = errand_answer_ok,
     .ends_session = true, .ends_device = true},
    {"GET", "/api/session", .identity = true, .look = look_up_sessions, .answer = put_sessions},
    {"DELETE", "/api/session", .identity = true, .decide = end_others, .conflict = &denied_who,
     .effect = end_other_sessions, .answer = errand_answer_ok},
    {"DELETE", "/api/session/", .login = true, .identity = true, .look = look_up_login, .decide = end_login,
     .conflict = &denied_who, .effect = end_this_login, .answer = errand_answer_ok},
    {"POST", "/api/token", BODY(LABEL), BODY(DAYS), .identity = true, .decide = make_token, .conflict = &denied_who,
     .answer = put_token},
    {"GET", "/api/token", .identity = true, .look = look_up_tokens, .answer = put_tokens},
    {"DELETE", "/api/token", .identity = true, .decide = end_tokens, .conflict = &denied_who, .effect = end_all_tokens,
     .answer = errand_answer_ok},
    {"GET", "/api/export", .identity = true, .decide = allow_export, .piece = takeout_go_on},
    {"GET", "/api/me", .identity = true, .programs = true, .decide = who_am_i, .conflict = &denied_who,
     .answer = put_self},
};

bool accounts_request(server *server, web_exchange *exchange, const web_request *request)
{
    return errand_request(server, exchange, request, kinds, sizeof kinds / sizeof *kinds);
}
