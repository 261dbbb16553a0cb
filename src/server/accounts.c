/* How people become somebody and stop being it, over HTTP: what can be asked, and what becomes of it. A guest is a name
 * and a secret; an account adds a password. Secrets are kept as hashes, passwords by Argon2id (hashing.h). */
#include "server/errand.h"

#include <string.h>

enum {
    TOKENS_BYTES_MAX = 100000, /* of a list of them */
    USER_BITS = 53,            /* what JSON's numbers can carry */
    DEVICES_MAX = 10,          /* of one account */
    SESSIONS_MAX = 100,        /* of one person, and so many tokens; the one not used for longest ends */
};

static const denial denied_password = {{"password", N_("the name or the password is wrong")}, 403, 0};
static const denial denied_taken = {{"name-taken", N_("this name is taken or too similar to one that is")}, 409, 0};
static const denial denied_account = {{"account", N_("you already have an account; log out first")}, 409, 0};

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
    errand *errand = context;
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
    write->token = token;
    write->limit = SESSIONS_MAX;
    write->label = errand->label;
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
        write->limit = DEVICES_MAX;
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
        require_session(errand);
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

static void end_account(const errand *errand)
{
    person_rename(errand->server, errand->user, "", false);
    tables_of_person_leave(errand->server, errand->user);
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

static const errand_kind kinds[] = {
    {"POST", "/api/guest", .name = true, .makes_name = true, .decide = become_guest, .conflict = &denied_taken,
     .answer = put_self},
    {"POST", "/api/register", .name = true, .makes_name = true, .password = true, .hash = hash_password,
     .decide = register_account, .conflict = &denied_taken, .effect = take_name, .answer = put_self},
    {"POST", "/api/login", .name = true, .password = true, .look = look_up_name, .bounded = true, .hash = try_password,
     .decide = log_in, .conflict = &denied_password, .answer = put_self},
    {"POST", "/api/logout", .identity = true, .decide = log_out, .effect = end_session, .answer = put_nothing,
     .ends_session = true},
    {"POST", "/api/delete", .name = true, .password = true, .optional_password = true, .identity = true,
     .bounded = true, .hash = try_password, .decide = delete_account, .conflict = &denied_who, .effect = end_account,
     .answer = put_nothing, .ends_session = true, .ends_device = true},
    {"POST", "/api/token", .label = true, .identity = true, .decide = make_token, .conflict = &denied_who,
     .answer = put_token},
    {"GET", "/api/token", .identity = true, .look = look_up_tokens, .answer = put_tokens},
    {"DELETE", "/api/token", .identity = true, .decide = end_tokens, .conflict = &denied_who, .effect = end_all_tokens,
     .answer = put_nothing},
    {"GET", "/api/me", .identity = true, .programs = true, .decide = who_am_i, .conflict = &denied_who,
     .answer = put_self},
};

bool accounts_request(server *server, web_exchange *exchange, const web_request *request)
{
    for (unsigned index = 0; index < sizeof kinds / sizeof *kinds; index++) {
        const errand_kind *kind = &kinds[index];
        if (strcmp(kind->path, request->path) != 0 || strcmp(kind->method, request->method) != 0)
            continue;
        errand_start(server, exchange, request, kind);
        return true;
    }
    return false;
}
