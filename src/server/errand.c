/* The way of an errand: it looks up on the pool who sends it and whom it is about; has a password hashed if it has one;
 * writes what follows from it, in one unit with a proof that the sender's session has not ended meanwhile; and answers.
 */
#include "server/errand.h"
#include "server/persons.h"
#include "server/several.h"

#include "server/bucket.h"
#include "server/log.h"
#include "server/memory.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    COOKIE_SECONDS = 400 * 86400, /* as long as browsers keep one */
    BUSY_SECONDS = 5,             /* to wait where too many are waiting */
    LONG_ONES_MAX = 2,            /* at a time, of those that take long */
};

struct errands {
    hashing *hashing;
    guesses *guesses;
    bucket lines;       /* in the log */
    unsigned under_way; /* errands */
    unsigned long_ones; /* of them */
};

static void hear_guess(server *server, const char *from, gral_span word)
{
    (void)from;
    char line[GUESS_LINE];
    snprintf(line, sizeof line, "%.*s", (int)word.length, word.bytes);
    guess_hear(server->errands->guesses, line, uv_now(&server->loop));
}

void errands_open(server *server)
{
    struct errands *errands = memory_get(sizeof *errands);
    server->errands = errands;
    errands->hashing = hashing_open(&server->loop, hashing_usual());
    errands->guesses = guess_open();
    static const peers_listener others = {.heard = hear_guess};
    peers_listen(server, PEERS_GUESSES, &others);
}

unsigned errands_waiting(const server *server)
{
    return hashing_waiting(server->errands->hashing);
}

void errands_stop(server *server)
{
    hashing_stop(server->errands->hashing);
}

bool errands_busy(const server *server)
{
    return server->errands->under_way > 0;
}

void errands_close(server *server)
{
    hashing_close(server->errands->hashing);
    guess_close(server->errands->guesses);
    free(server->errands);
}

/* --- why not --- */

const denial denied_who = {{"who", N_("choose a name or log in first")}, 401, 0};
const denial denied_link = {{"link", N_("this link no longer works")}, 404, 0};
static const denial denied_rate = {{"busy", N_("too many requests at once; try again in a moment")}, 429, 20};
static const denial denied_guesses = {
    {"guesses", N_("too many wrong passwords for this name; wait a minute, or use a device you have logged in on "
                   "before")},
    429,
    0};
static const denial denied_busy = {{"busy", N_("too many requests at once; try again in a moment")}, 503, BUSY_SECONDS};
static const denial denied_storage = {{"storage", N_("that couldn't be saved; try again later")}, 503, 0};

static uint64_t now_of(const errand *errand)
{
    return uv_now(&errand->server->loop);
}

static void end(errand *errand)
{
    errand->server->errands->under_way--;
    errand->server->errands->long_ones -= errand->takes_long;
    takeout_end(errand);
    if (errand->file != NULL)
        fclose(errand->file);
    pen_free(&errand->list);
    sodium_memzero(errand, sizeof *errand);
    free(errand);
}

static void reply(errand *errand, unsigned status, const pen *body, const char *headers)
{
    web_answer(errand->exchange,
               &(web_reply){.status = status, .type = "application/json", .headers = headers, .body = pen_span(body)});
    end(errand);
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

static void unmap(gral_span bytes)
{
    munmap((void *)bytes.bytes, bytes.length);
}

/* The file is gone when the last of it has been read. */
static void reply_file(errand *errand)
{
    const size_t length = (size_t)ftell(errand->file);
    const char *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fileno(errand->file), 0);
    if (bytes == MAP_FAILED) {
        deny(errand, denied_storage);
        return;
    }
    web_answer(errand->exchange, &(web_reply){.status = 200,
                                              .type = "application/x-tar",
                                              .headers = "Content-Disposition: attachment; filename=\"gral.tar\"\r\n",
                                              .body = {bytes, length},
                                              .lasting = true,
                                              .release = unmap});
    end(errand);
}

/* --- guesses --- */

static guess guess_of(const errand *errand)
{
    return (guess){.name = errand->key,
                   .from = origin_widest(&errand->from),
                   .secret = errand->kind->identity ? errand->session
                             : errand->known_device ? errand->device
                                                    : NULL};
}

void errand_was_no_guess(const errand *errand)
{
    const guess guess = guess_of(errand);
    guess_give_back(errand->server->errands->guesses, &guess, now_of(errand));
}

/* Whoever guesses on several servers has no more guesses than on one. */
static void tell_others(const errand *errand)
{
    char line[GUESS_LINE];
    const guess guess = guess_of(errand);
    guess_tell(&guess, line);
    peers_say(errand->server, PEERS_GUESSES, gral_span_of(line));
}

/* How many there were is always in the figures; lines are fewer when there are many, unless somebody reads each of them
 * (fail2ban). How often passwords can be tried is bounded anyway (guess.h). */
void errand_was_wrong(errand *errand)
{
    server *server = errand->server;
    server->figures.logins_failed++;
    tell_others(errand);
    if (errand->address[0] != '\0') {
        log_line(LOG_WARNING, "login-failed", "address=%s", errand->address);
        return;
    }
    if (bucket_take(&server->errands->lines, (bucket_rate){0.1, 20}, 1, now_of(errand)))
        log_line(LOG_WARNING, "login-failed", "count=%llu", (unsigned long long)server->figures.logins_failed);
}

static denial take_guess(const errand *errand)
{
    denial denial = denied_guesses;
    const guess guess = guess_of(errand);
    denial.wait = guess_take(errand->server->errands->guesses, &guess, now_of(errand));
    if (denial.wait == 0)
        return no_denial;
    errand->server->figures.logins_refused += !errand->kind->identity;
    return denial;
}

/* --- answering --- */

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
    const errand_kind *kind = errand->kind;
    if (errand->sets_device || kind->ends_device)
        put_cookie(headers, errand, "gral-device", kind->ends_device ? "" : errand->device_text);
    if (errand->sets_session || kind->ends_session)
        put_cookie(headers, errand, "gral", kind->ends_session ? "" : errand->session_text);
}

/* Where somebody had as many sessions as he may have, another one has ended; its connections end too. */
static void end_what_made_room(const errand *errand)
{
    uint32_t ended = 0;
    for (size_t index = 0; index < errand->write_count; index++)
        ended += errand->write[index].ended;
    if (ended > 0)
        session_check_all(errand->server, errand->user);
}

static void written(void *context, enum store_outcome outcome)
{
    errand *errand = context;
    if (outcome == STORE_CONFLICT && errand->kind->conflict != NULL) {
        const bool ended = session_ended_since(errand->server, errand->self.user, errand->since);
        deny(errand, ended ? denied_who : *errand->kind->conflict);
        return;
    }
    if (outcome != STORE_DONE) {
        deny(errand, denied_storage);
        return;
    }
    end_what_made_room(errand);
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

/* --- for those who decide --- */

store_write *errand_write(errand *errand, uint8_t kind)
{
    store_write *write = &errand->write[errand->write_count++];
    *write = (store_write){.kind = kind, .user = errand->user, .time = server_now(errand->server)};
    return write;
}

void errand_require_session(errand *errand)
{
    memcpy(errand_write(errand, STORE_TOUCH)->secret, errand->session, STORE_SECRET_BYTES);
}

bool errand_pays(const errand *errand, enum budget_kind kind)
{
    server *server = errand->server;
    const payer payer = {.own = errand->self.user != 0 ? person_meet(server, &errand->self)->bucket : NULL,
                         .from = errand->from};
    return budget_take(server->budget, kind, &payer, 1, now_of(errand));
}

void errand_answer_ok(errand *errand, pen *out)
{
    (void)errand;
    pen_put_bool(out, "ok", true);
}

/* --- its stations --- */

static void go_on(errand *errand);

static void do_piece(uv_work_t *work)
{
    errand *errand = work->data;
    errand->goes_on = errand->kind->piece(errand);
}

static void did_piece(uv_work_t *work, int status)
{
    (void)status;
    errand *errand = work->data;
    if (errand->failed || errand->server->stopping)
        deny(errand, errand->failed ? denied_storage : denied_busy);
    else if (errand->goes_on)
        go_on(errand);
    else
        reply_file(errand);
}

static void go_on(errand *errand)
{
    uv_queue_work(&errand->server->loop, &errand->work, do_piece, did_piece);
}

static void start_long_one(errand *errand)
{
    errand->takes_long = true;
    errand->server->errands->long_ones++;
    go_on(errand);
}

static bool is_too_much(const errand *errand)
{
    return errand->kind->piece != NULL && errand->server->errands->long_ones >= LONG_ONES_MAX;
}

static void decide(errand *errand)
{
    const denial denial = errand->failed                 ? denied_storage
                          : is_too_much(errand)          ? denied_busy
                          : errand->kind->decide != NULL ? errand->kind->decide(errand)
                                                         : no_denial;
    if (is_denied(denial))
        deny(errand, denial);
    else if (errand->kind->piece != NULL)
        start_long_one(errand);
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
    if (errand->kind->bounded)
        errand_was_no_guess(errand);
    deny(errand, denied_busy);
}

/* Who is known is counted for himself, everybody else for where he comes from. */
static void wait_for_hashing(errand *errand)
{
    const uint64_t *owner = errand->kind->identity ? &errand->self.user
                            : errand->known_device ? &errand->other.user
                                                   : NULL;
    const source *from = origin_widest(&errand->from);
    errand->turn = (hashing_turn){.stranger = owner == NULL, .hash = hash, .done = hashed};
    if (owner != NULL)
        errand->turn.side = (gral_span){(const char *)owner, sizeof *owner};
    else
        errand->turn.side = (gral_span){(const char *)from->bytes, sizeof from->bytes};
    hashing_wait(errand->server->errands->hashing, &errand->turn);
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
    errand->known_device = errand->owner.user != 0 && errand->owner.user == errand->other.user &&
                           !expiry_is_over(errand->server, STORE_DEVICE, &errand->owner);
    return needs_hashing(errand) && errand->kind->bounded ? take_guess(errand) : no_denial;
}

static void look_up(uv_work_t *work)
{
    errand *errand = work->data;
    store *store = errand->server->store;
    gral_error error;
    if (errand->has_session)
        errand->failed |= !store->kind->user_by_secret(store, errand->by_token ? STORE_TOKEN : STORE_COOKIE,
                                                       errand->session, &errand->self, &error);
    if (errand->kind->look != NULL)
        errand->kind->look(errand);
}

static void start_looking(errand *errand);

static void looked_up(uv_work_t *work, int status)
{
    (void)status;
    errand *errand = work->data;
    if (session_ended_since(errand->server, errand->self.user, errand->since)) {
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
    errand->since = errand->server->ends;
    errand->work.data = errand;
    uv_queue_work(&errand->server->loop, &errand->work, look_up, looked_up);
}

/* --- its beginning --- */

static bool is_paid_for(const errand *errand)
{
    return !errand->kind->makes_name ||
           budget_take(errand->server->budget, BUDGET_NAMES, &(payer){.from = errand->from}, 1, now_of(errand));
}

static void errand_start(server *server, web_exchange *exchange, const web_request *request, const errand_kind *kind)
{
    errand *errand = memory_get(sizeof *errand);
    errand->server = server;
    errand->exchange = exchange;
    errand->kind = kind;
    errand->secure = request->secure;
    errand->from = origin_of(request->address);
    if (server->settings.log_addresses)
        snprintf(errand->address, sizeof errand->address, "%s", request->address);
    server->errands->under_way++;
    errand->by_token = secret_of_header(request->authorization, errand->session);
    errand->has_session = errand->by_token ||
                          secret_of_cookie(request->cookie, "gral", errand->session_text, errand->session);
    errand->has_device = secret_of_cookie(request->cookie, "gral-device", errand->device_text, errand->device);
    denial denial = no_denial;
    if (kind->login)
        snprintf(errand->login, sizeof errand->login, "%s", request->path + strlen(kind->path));
    if (kind->link)
        snprintf(errand->link, sizeof errand->link, "%s", request->path + strlen(kind->path));
    if (kind->body != 0) {
        json_t *body = json_loadb(request->body.bytes, request->body.length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
                                  NULL);
        denial = errand_read_body(errand, body);
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

static bool is_meant(const errand_kind *kind, const web_request *request)
{
    const size_t length = strlen(kind->path);
    if (strcmp(kind->method, request->method) != 0)
        return false;
    if (!kind->login && !kind->link)
        return strcmp(kind->path, request->path) == 0;
    if (strncmp(kind->path, request->path, length) != 0)
        return false;
    const size_t rest = strlen(request->path + length);
    return kind->login ? rest == LOGIN_ID_TEXT - 1 : rest < LINK_TOKEN_TEXT;
}

bool errand_request(server *server, web_exchange *exchange, const web_request *request, const errand_kind *kinds,
                    unsigned count)
{
    for (unsigned index = 0; index < count; index++) {
        if (!is_meant(&kinds[index], request))
            continue;
        errand_start(server, exchange, request, &kinds[index]);
        return true;
    }
    return false;
}
