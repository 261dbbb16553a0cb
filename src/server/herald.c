/* Tells people who are not there: writes letters when there is something to tell (news.h), and has them sent when they
 * are due and still matter. Owns what is under way.
 *
 * The store has all of it. A letter is written once for each question; it is noted before it leaves (post.h), so that
 * it is never sent twice, and what had not left when the server died is sent by the next. */
#include "server/parts.h"

#include "server/letters.h"
#include "server/log.h"
#include "server/memory.h"
#include "server/news.h"
#include "server/post.h"
#include "server/webpush.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    READ_AT_ONCE = 64,
    RETRY_MS = 10000, /* where the store could not be read */
    KEY_BYTES = 32,
    TOKEN_ID_BYTES = 8,
    TOKEN_NUMBER_BYTES = 4,
    TOKEN_SEAL_BYTES = 16,
    TOKEN_BYTES = TOKEN_ID_BYTES + TOKEN_NUMBER_BYTES + TOKEN_SEAL_BYTES,
    PUSH_SECONDS = 86400,         /* a push service keeps it for a device that is off */
    TOKEN_SECONDS = 12 * 60 * 60, /* what tells it who we are */
    PASSWORD_MAX = 500,
    BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING
};

static const unsigned at_once[STORE_WAYS] = {[STORE_MAIL] = 4, [STORE_PUSH] = 12};

typedef struct due_letter {
    uint64_t id, other;
    uint32_t number;
    uint8_t event, tries;
    char game[GRAL_GAME_ID_MAX + 1];
} due_letter;

/* One or several letters that go to one place together. */
typedef struct dispatch {
    struct herald *herald;
    uint64_t way_id, user;
    enum store_way way;
    char *address, *key, name[NAME_BYTES_MAX], language[8];
    due_letter letter[LETTER_LINES_MAX];
    letter_line line[LETTER_LINES_MAX];
    unsigned count, judged, kept;
    bool overtaken;
    store_write write[LETTER_LINES_MAX];
    parcel *parcel;
    struct dispatch *next;
} dispatch;

struct herald {
    server *server;
    post *
        post[STORE_WAYS]; /* NULL: not done here. Each has a thread, so that a slow mail server keeps no push waiting */
    char password[PASSWORD_MAX];
    char site[POST_ORIGIN_MAX];
    webpush_pair pair;
    char push_key[100];
    uint8_t key[KEY_BYTES];
    uv_timer_t timer;
    uv_work_t work;
    bool reading, again, stopped;
    unsigned writing;
    unsigned under_way[STORE_WAYS];
    dispatch *dispatches; /* that are under way, one for a way at most */
    /* what was read */
    dispatch *read;
    bool failed;
    int64_t next, now; /* the first that is not due yet */
};

static void read_letters(uv_timer_t *timer);

static bool is_idle(const struct herald *herald)
{
    return herald->post[STORE_MAIL] == NULL && herald->post[STORE_PUSH] == NULL;
}

/* --- tokens --- */

static void seal_token(const server *server, enum herald_token token, uint8_t bytes[TOKEN_BYTES])
{
    const uint8_t purpose = (uint8_t)token;
    crypto_generichash_state state;
    crypto_generichash_init(&state, server->herald->key, KEY_BYTES, TOKEN_SEAL_BYTES);
    crypto_generichash_update(&state, &purpose, 1);
    crypto_generichash_update(&state, bytes, TOKEN_BYTES - TOKEN_SEAL_BYTES);
    crypto_generichash_final(&state, bytes + TOKEN_BYTES - TOKEN_SEAL_BYTES, TOKEN_SEAL_BYTES);
}

void herald_token(const server *server, enum herald_token token, uint64_t id, uint32_t number,
                  char text[HERALD_TOKEN_TEXT])
{
    uint8_t bytes[TOKEN_BYTES];
    memcpy(bytes, &id, TOKEN_ID_BYTES);
    memcpy(bytes + TOKEN_ID_BYTES, &number, TOKEN_NUMBER_BYTES);
    seal_token(server, token, bytes);
    sodium_bin2base64(text, HERALD_TOKEN_TEXT, bytes, sizeof bytes, BASE64);
}

bool herald_token_read(const server *server, enum herald_token token, const char *text, uint64_t *id, uint32_t *number)
{
    uint8_t given[TOKEN_BYTES], right[TOKEN_BYTES];
    size_t length;
    if (sodium_base642bin(given, sizeof given, text, strlen(text), NULL, &length, NULL, BASE64) != 0 ||
        length != sizeof given)
        return false;
    memcpy(right, given, sizeof right);
    seal_token(server, token, right);
    memcpy(id, given, TOKEN_ID_BYTES);
    memcpy(number, given + TOKEN_ID_BYTES, TOKEN_NUMBER_BYTES);
    return sodium_memcmp(given, right, sizeof right) == 0;
}

/* --- writing --- */

typedef struct batch {
    struct herald *herald;
    store_write write[3 * GRAL_PLAYERS_MAX];
    char game[GRAL_GAME_ID_MAX + 1];
    size_t count;
} batch;

static batch *make_batch(struct herald *herald, const char *game)
{
    batch *batch = memory_get(sizeof *batch);
    batch->herald = herald;
    snprintf(batch->game, sizeof batch->game, "%s", game);
    return batch;
}

static store_write *add(batch *batch, store_write write)
{
    write.game = batch->game;
    write.follows = false;
    batch->write[batch->count] = write;
    return &batch->write[batch->count++];
}

static void written(void *context, enum store_outcome outcome)
{
    batch *batch = context;
    (void)outcome; /* where the disk refused, the next start finds out */
    batch->herald->writing--;
    herald_wake(batch->herald->server);
    free(batch);
}

static void write_batch(batch *batch)
{
    if (batch->count == 0 || batch->herald->server->stopping) {
        free(batch);
        return;
    }
    batch->herald->writing++;
    commit_write(batch->herald->server->commit, batch->write, batch->count, written, batch);
}

static int64_t unless_noticed(const server *server)
{
    return server_now(server) + 1000ll * server->settings.tell_seconds;
}

static uint8_t state_for(const table *table, uint64_t user)
{
    return watch_looks(table, user) ? STORE_OVER : STORE_OPEN;
}

static void write_question(batch *batch, const table *table, uint64_t user)
{
    const news_standing standing = news_stand(table->host, user);
    const int64_t warning = news_warning(&standing);
    add(batch, (store_write){.kind = STORE_LETTER,
                             .event = STORE_TURN,
                             .user = user,
                             .number = standing.version + 1, /* 0 is before all of them */
                             .time = unless_noticed(table->server),
                             .stage = state_for(table, user)});
    if (warning != 0)
        add(batch, (store_write){.kind = STORE_LETTER,
                                 .event = STORE_CLOCK,
                                 .user = user,
                                 .number = standing.version + 1,
                                 .time = warning - table->ahead});
}

void herald_asked(table *table)
{
    struct herald *herald = table->server->herald;
    if (is_idle(herald) || table->asked == 0 || !news_is_worth_it(gral_host_terms(table->host)))
        return;
    const uint32_t question = gral_host_version(table->host) + 1;
    batch *batch = make_batch(herald, table->id);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        if ((table->asked >> seat & 1) == 0 || table->told_of[seat] == question)
            continue;
        table->told_of[seat] = question;
        write_question(batch, table, gral_host_seat_at(table->host, seat).user);
    }
    write_batch(batch);
}

void herald_put_end(const table *table, store_write *write, size_t *count)
{
    if (is_idle(table->server->herald) || !news_is_worth_it(gral_host_terms(table->host)) ||
        gral_host_end(table->host) == GRAL_END_CLOSED)
        return;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        if (at.user != 0 && !at.resigned)
            write[(*count)++] = (store_write){.kind = STORE_LETTER,
                                              .event = STORE_ENDED,
                                              .game = table->id,
                                              .user = at.user,
                                              .number = 1,
                                              .time = unless_noticed(table->server),
                                              .stage = state_for(table, at.user)};
    }
}

void herald_invite(server *server, uint64_t user, const char *table, uint64_t by)
{
    if (is_idle(server->herald))
        return;
    batch *batch = make_batch(server->herald, table);
    add(batch, (store_write){.kind = STORE_LETTER,
                             .event = STORE_INVITED,
                             .user = user,
                             .other = by,
                             .number = 1,
                             .time = unless_noticed(server)});
    write_batch(batch);
}

void herald_round(table *table)
{
    struct herald *herald = table->server->herald;
    if (is_idle(herald) || news_is_worth_it(gral_host_terms(table->host))) /* then there is one about his turn */
        return;
    batch *batch = make_batch(herald, table->id);
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        add(batch, (store_write){.kind = STORE_LETTER,
                                 .event = STORE_ROUND,
                                 .user = gral_host_seat_at(table->host, seat).user,
                                 .number = 1,
                                 .time = unless_noticed(table->server)});
    write_batch(batch);
}

void herald_seen(table *table, const conn *conn)
{
    struct herald *herald = table->server->herald;
    if (is_idle(herald) || conn->person == NULL || conn->away)
        return;
    batch *batch = make_batch(herald, table->id);
    add(batch, (store_write){.kind = STORE_LETTERS_SEEN, .user = conn->person->id});
    write_batch(batch);
}

/* --- reading what is due, on the pool --- */

static char *copy_of(const char *text)
{
    char *copy = memory_get(strlen(text) + 1);
    memcpy(copy, text, strlen(text));
    return copy;
}

static void add_letter(dispatch *dispatch, const store_letter *letter)
{
    due_letter *due = &dispatch->letter[dispatch->count++];
    *due = (due_letter){.id = letter->id,
                        .other = letter->other,
                        .number = letter->number,
                        .event = letter->event,
                        .tries = letter->tries};
    snprintf(due->game, sizeof due->game, "%s", letter->game);
}

static dispatch *find_way(dispatch *first, uint64_t way)
{
    while (first != NULL && first->way_id != way)
        first = first->next;
    return first;
}

static dispatch *new_dispatch(struct herald *herald, const store_letter *letter)
{
    dispatch *made = memory_get(sizeof *made);
    made->herald = herald;
    made->way_id = letter->way_id;
    made->way = (enum store_way)letter->way;
    made->user = letter->user;
    made->address = copy_of(letter->address);
    made->key = copy_of(letter->key);
    snprintf(made->name, sizeof made->name, "%s", letter->name);
    snprintf(made->language, sizeof made->language, "%s", letter->language);
    LL_APPEND(herald->read, made);
    return made;
}

static bool is_gathered(const store_letter *letter)
{
    return letter->digest > 0 && letter->event != STORE_CLOCK && letter->event != STORE_ROUND &&
           letter->event < STORE_EVENTS;
}

static bool take_letter(void *context, const store_letter *letter)
{
    struct herald *herald = context;
    if (letter->due > herald->now) {
        herald->next = letter->due;
        return false;
    }
    dispatch *dispatch = new_dispatch(herald, letter);
    if (!is_gathered(letter))
        add_letter(dispatch, letter);
    return true;
}

static bool gather_letter(void *context, const store_letter *letter)
{
    add_letter(context, letter);
    return true;
}

static void read_on_pool(uv_work_t *work)
{
    struct herald *herald = work->data;
    store *store = herald->server->store;
    gral_error error;
    herald->failed = !store->kind->letters(store, READ_AT_ONCE, take_letter, herald, &error);
    for (dispatch *dispatch = herald->read; dispatch != NULL && !herald->failed; dispatch = dispatch->next)
        if (dispatch->count == 0)
            herald->failed = !store->kind->letters_on(store, dispatch->way_id, LETTER_LINES_MAX, gather_letter,
                                                      dispatch, &error);
}

/* --- one dispatch --- */

static void free_dispatch(dispatch *dispatch)
{
    free(dispatch->address);
    free(dispatch->key);
    free(dispatch);
}

static void end_dispatch(dispatch *dispatch)
{
    struct herald *herald = dispatch->herald;
    LL_DELETE(herald->dispatches, dispatch);
    herald->under_way[dispatch->way]--;
    free_dispatch(dispatch);
    herald_wake(herald->server);
}

static void dispatch_written(void *context, enum store_outcome outcome)
{
    (void)outcome; /* where the disk refuses: read again, and then it is done already or tried again */
    dispatch *dispatch = context;
    dispatch->herald->writing--;
    end_dispatch(dispatch);
}

static void write_dispatch(dispatch *dispatch, size_t count)
{
    dispatch->herald->writing++;
    commit_write(dispatch->herald->server->commit, dispatch->write, count, dispatch_written, dispatch);
}

static store_write about(const due_letter *letter, uint8_t kind)
{
    return (store_write){.kind = kind, .other = letter->id, .number = letter->number};
}

/* What becomes of a letter that was not sent, and may be another time. */
static store_write put_off(const dispatch *dispatch, const due_letter *letter, unsigned wait)
{
    server *server = dispatch->herald->server;
    const unsigned tries = letter->tries + 1u;
    const int64_t patience = news_patience(tries, 1000ll * server->settings.retry_seconds), asked_for = 1000ll * wait;
    store_write write = about(letter, patience > 0 ? STORE_LETTER_LATER : STORE_LETTER_DONE);
    write.tries = (uint8_t)tries;
    write.limit = 1;
    write.time = server_now(server) + (asked_for > patience ? asked_for : patience);
    server->figures.letters_put_off += patience > 0;
    server->figures.letters_given_up += patience == 0;
    return write;
}

static void close_letters(dispatch *dispatch, const parcel *parcel)
{
    server *server = dispatch->herald->server;
    const enum post_result result = parcel->result;
    for (unsigned at = 0; at < dispatch->kept; at++)
        dispatch->write[at] = result == POST_LATER ? put_off(dispatch, &dispatch->letter[at], parcel->wait)
                                                   : about(&dispatch->letter[at], STORE_LETTER_DONE);
    server->figures.letters_sent += result == POST_SENT || result == POST_UNSURE ? dispatch->kept : 0;
    server->figures.letters_given_up += result == POST_NEVER ? dispatch->kept : 0;
    size_t count = dispatch->kept;
    if (result == POST_GONE) {
        dispatch->write[0] = (store_write){.kind = STORE_END_WAY, .other = dispatch->way_id};
        count = 1;
    }
    write_dispatch(dispatch, count);
}

static void done(void *context, parcel *parcel)
{
    (void)context;
    dispatch *dispatch = parcel->owner;
    const bool stays = dispatch->overtaken || (dispatch->herald->stopped && parcel->result == POST_LATER);
    if (stays)
        end_dispatch(dispatch);
    else
        close_letters(dispatch, parcel);
    parcel_free(parcel);
}

static void noted(void *context, enum store_outcome outcome)
{
    dispatch *dispatch = context;
    dispatch->herald->writing--;
    dispatch->overtaken = outcome == STORE_CONFLICT; /* he has looked meanwhile, or there is a newer question */
    post_go(dispatch->parcel, outcome == STORE_DONE);
}

static void going(void *context, parcel *parcel)
{
    (void)context;
    dispatch *dispatch = parcel->owner;
    struct herald *herald = dispatch->herald;
    if (herald->stopped) {
        post_go(parcel, false);
        return;
    }
    for (unsigned at = 0; at < dispatch->kept; at++) {
        dispatch->write[at] = about(&dispatch->letter[at], STORE_LETTER_GOES);
        dispatch->write[at].follows = at > 0;
    }
    herald->writing++;
    commit_write(herald->server->commit, dispatch->write, dispatch->kept, noted, dispatch);
}

static char *header(const char *name, const char *value)
{
    char *text = memory_get(strlen(name) + strlen(value) + 3);
    sprintf(text, "%s: %s", name, value);
    return text;
}

/* A device that is off gets the newest about a table when it is on again (RFC 8030, section 5.4). */
static bool wrap_push(dispatch *dispatch, parcel *parcel)
{
    const struct herald *herald = dispatch->herald;
    const server *server = herald->server;
    char origin[POST_ORIGIN_MAX], authorization[WEBPUSH_TOKEN_MAX], seconds[20], *auth = strchr(dispatch->key, ' ');
    uint8_t secret[WEBPUSH_SECRET_BYTES], salt[WEBPUSH_SALT_BYTES];
    webpush_browser browser;
    webpush_pair pair;
    if (auth == NULL || !post_origin(dispatch->address, origin))
        return false;
    *auth++ = '\0';
    do
        randombytes_buf(secret, sizeof secret);
    while (!webpush_pair_of(secret, &pair));
    randombytes_buf(salt, sizeof salt);
    char *body = memory_get(WEBPUSH_BODY_MAX);
    const size_t length = webpush_read_browser(dispatch->key, auth, &browser)
                              ? webpush_encrypt((gral_span){parcel->body, parcel->length}, &browser, &pair, salt,
                                                (uint8_t *)body)
                              : 0;
    sodium_memzero(&pair, sizeof pair);
    free(parcel->body);
    parcel->body = body;
    parcel->length = length;
    if (length == 0 || !webpush_authorize(&herald->pair, origin, server->settings.push_contact,
                                          server_now(server) / 1000 + TOKEN_SECONDS, authorization))
        return false;
    snprintf(seconds, sizeof seconds, "%d", PUSH_SECONDS);
    unsigned at = 0;
    parcel->header[at++] = header("Authorization", authorization);
    parcel->header[at++] = header("Content-Encoding", "aes128gcm");
    parcel->header[at++] = header("Content-Type", "application/octet-stream");
    parcel->header[at++] = header("TTL", seconds);
    if (strlen(dispatch->letter[0].game) <= 32 && dispatch->kept == 1)
        parcel->header[at++] = header("Topic", dispatch->letter[0].game);
    return true;
}

static void send_dispatch(dispatch *dispatch)
{
    struct herald *herald = dispatch->herald;
    server *server = herald->server;
    const due_letter *first = &dispatch->letter[0];
    char token[HERALD_TOKEN_TEXT];
    if (first->event < STORE_EVENTS)
        herald_token(server, HERALD_STOP, dispatch->way_id, 0, token);
    else
        herald_token(server, first->event == STORE_CONFIRM ? HERALD_CONFIRM : HERALD_RECOVER, first->id, first->number,
                     token);
    const letter letter = {.translate = server->settings.translate,
                           .language = dispatch->language,
                           .site = herald->site,
                           .from = server->settings.mail_from,
                           .to = dispatch->address,
                           .name = dispatch->name,
                           .token = token,
                           .id = first->id,
                           .number = first->number,
                           .time = server_now(server),
                           .line = dispatch->line,
                           .count = dispatch->kept};
    parcel *parcel = memory_get(sizeof *parcel);
    dispatch->parcel = parcel;
    parcel->owner = dispatch;
    parcel->way = dispatch->way;
    parcel->address = copy_of(dispatch->address);
    parcel->body = dispatch->way == STORE_MAIL ? letter_as_mail(&letter, &parcel->length)
                                               : letter_as_push(&letter, &parcel->length);
    if (dispatch->way == STORE_PUSH && !wrap_push(dispatch, parcel)) {
        parcel->result = POST_NEVER;
        done(NULL, parcel);
        return;
    }
    post_send(herald->post[dispatch->way], parcel);
}

/* --- whether it still matters --- */

static void put_names(server *server, const table *table, const due_letter *letter, uint64_t reader, char *names)
{
    gral_text text = gral_text_in(names, LETTER_NAMES_MAX);
    if (letter->event == STORE_INVITED)
        gral_text_add(&text, person_name(server, letter->other));
    for (unsigned seat = 0; letter->event != STORE_INVITED && seat < gral_host_terms(table->host)->settings.players;
         seat++) {
        const uint64_t user = gral_host_seat_at(table->host, seat).user;
        if (user == 0 || user == reader || person_name(server, user)[0] == '\0')
            continue;
        gral_text_add(&text, text.length > 0 ? ", " : "");
        gral_text_add(&text, person_name(server, user));
    }
}

static void go_on_judging(dispatch *dispatch);

static void keep(dispatch *dispatch, const due_letter *letter, const table *table)
{
    letter_line *line = &dispatch->line[dispatch->kept];
    line->event = letter->event;
    memcpy(line->game, letter->game, sizeof line->game);
    if (table != NULL)
        put_names(dispatch->herald->server, table, letter, dispatch->user, line->names);
    dispatch->letter[dispatch->kept++] = *letter;
}

/* One that does not matter now is put aside, by itself. */
static void put_aside(dispatch *dispatch, const due_letter *letter, enum news_verdict verdict, int64_t until)
{
    batch *batch = make_batch(dispatch->herald, letter->game);
    store_write *write = add(batch, about(letter, verdict == NEWS_WAIT ? STORE_LETTER_LATER : STORE_LETTER_DONE));
    write->time = until;
    write->tries = letter->tries;
    write_batch(batch);
}

static void judge(void *context, table *table)
{
    dispatch *dispatch = context;
    const due_letter letter = dispatch->letter[dispatch->judged++];
    enum news_verdict verdict = NEWS_DROP;
    int64_t until = 0;
    if (table != NULL) {
        news_standing standing = news_stand(table->host, dispatch->user);
        standing.looks = watch_looks(table, dispatch->user);
        const bool question = letter.event == STORE_TURN || letter.event == STORE_CLOCK;
        verdict = news_judge((enum store_event)letter.event, letter.number - question, &standing, table_now(table),
                             &until);
        until -= table->ahead;
    }
    if (verdict == NEWS_TELL)
        keep(dispatch, &letter, table);
    else
        put_aside(dispatch, &letter, verdict, until);
    if (table != NULL)
        table_release(table);
    go_on_judging(dispatch);
}

static void go_on_judging(dispatch *dispatch)
{
    while (dispatch->judged < dispatch->count) {
        const due_letter *letter = &dispatch->letter[dispatch->judged];
        if (letter->event < STORE_EVENTS) {
            tables_find(dispatch->herald->server, letter->game, judge, dispatch);
            return;
        }
        keep(dispatch, letter, NULL);
        dispatch->judged++;
    }
    if (dispatch->kept > 0 && !dispatch->herald->stopped)
        send_dispatch(dispatch);
    else
        end_dispatch(dispatch);
}

/* --- all that is due --- */

static bool may_start(const struct herald *herald, const dispatch *dispatch)
{
    return dispatch->count > 0 && herald->post[dispatch->way] != NULL && !herald->stopped && !herald->failed &&
           herald->under_way[dispatch->way] < at_once[dispatch->way] &&
           find_way(herald->dispatches, dispatch->way_id) == NULL;
}

static void wait_until(struct herald *herald, int64_t time)
{
    const int64_t now = server_now(herald->server);
    if (!herald->stopped)
        uv_timer_start(&herald->timer, read_letters, time > now ? (uint64_t)(time - now) : 0, 0);
}

static void letters_read(uv_work_t *work, int status)
{
    (void)status;
    struct herald *herald = work->data;
    herald->reading = false;
    if (herald->failed)
        wait_until(herald, server_now(herald->server) + RETRY_MS);
    else if (herald->next != INT64_MAX)
        wait_until(herald, herald->next);
    while (herald->read != NULL) {
        dispatch *dispatch = herald->read;
        herald->read = dispatch->next;
        dispatch->next = NULL;
        if (herald->post[dispatch->way] == NULL) /* not any more */
            for (unsigned at = 0; at < dispatch->count; at++)
                put_aside(dispatch, &dispatch->letter[at], NEWS_DROP, 0);
        if (!may_start(herald, dispatch)) { /* whenever another ends, it is looked at again */
            free_dispatch(dispatch);
            continue;
        }
        LL_PREPEND(herald->dispatches, dispatch);
        herald->under_way[dispatch->way]++;
        go_on_judging(dispatch);
    }
    if (herald->again)
        herald_wake(herald->server);
}

static void read_letters(uv_timer_t *timer)
{
    struct herald *herald = timer->data;
    if (herald->reading || herald->stopped)
        return;
    herald->reading = true;
    herald->again = false;
    herald->next = INT64_MAX;
    herald->now = server_now(herald->server);
    uv_queue_work(&herald->server->loop, &herald->work, read_on_pool, letters_read);
}

void herald_wake(server *server)
{
    struct herald *herald = server->herald;
    if (is_idle(herald) || herald->stopped)
        return;
    if (herald->reading)
        herald->again = true;
    else
        uv_timer_start(&herald->timer, read_letters, 0, 0);
}

/* --- beginning and end --- */

static bool fail(gral_error *error, const char *format, const char *what)
{
    *error = (gral_error){0};
    snprintf(error->message, sizeof error->message, format, what);
    return false;
}

/* A secret of 32 bytes that this database has had since it was first needed. */
static bool find_secret(store *store, const char *name, uint8_t bytes[KEY_BYTES], gral_error *error)
{
    char text[2 * KEY_BYTES + 1];
    size_t length = 0;
    if (!store->kind->secret(store, name, text, sizeof text, error))
        return false;
    if (text[0] == '\0') {
        randombytes_buf(bytes, KEY_BYTES);
        bytes[0] &= 0x7f; /* and so it is one for P-256, too */
        sodium_bin2hex(text, sizeof text, bytes, KEY_BYTES);
        store_write write = {.kind = STORE_SET_SECRET, .name = name, .text = gral_span_of(text)};
        if (!store->kind->commit(store, &write, 1, error))
            return false;
    }
    if (sodium_hex2bin(bytes, KEY_BYTES, text, strlen(text), NULL, &length, NULL) != 0 || length != KEY_BYTES)
        return fail(error, "the key for %s is damaged in the database", name);
    sodium_memzero(text, sizeof text);
    return true;
}

static bool read_password(const char *path, char password[PASSWORD_MAX], gral_error *error)
{
    FILE *file = fopen(path, "re");
    if (file == NULL || fgets(password, PASSWORD_MAX, file) == NULL) {
        if (file != NULL)
            fclose(file);
        return fail(error, "the password for mail cannot be read (%s)", path);
    }
    fclose(file);
    password[strcspn(password, "\r\n")] = '\0';
    return true;
}

static bool read_networks(const char *list, post_settings *post, gral_error *error)
{
    char word[IP_RANGE_TEXT];
    for (int length = 0; list != NULL && sscanf(list, " %63s%n", word, &length) == 1; list += length)
        if (post->networks == POST_NETWORKS_MAX || !ip_range_read(word, &post->network[post->networks++]))
            return fail(error, "this is no network, or one too many: %s", word);
    return true;
}

static bool prepare(struct herald *herald, post_settings *post, gral_error *error)
{
    const server *server = herald->server;
    const server_settings *settings = &server->settings;
    if (settings->smtp != NULL && (settings->site == NULL || settings->mail_from == NULL))
        return fail(error, "%s", "--smtp needs --site and --mail-from");
    if (settings->smtp_user != NULL && settings->smtp_password_file == NULL)
        return fail(error, "%s", "--smtp-user needs --smtp-password");
    snprintf(herald->site, sizeof herald->site, "%s", settings->site != NULL ? settings->site : "");
    for (size_t length = strlen(herald->site); length > 0 && herald->site[length - 1] == '/'; length--)
        herald->site[length - 1] = '\0';
    *post = (post_settings){.smtp = settings->smtp,
                            .user = settings->smtp_user,
                            .password = herald->password,
                            .from = settings->mail_from,
                            .authorities = settings->authorities};
    if (settings->smtp_password_file != NULL && !read_password(settings->smtp_password_file, herald->password, error))
        return false;
    uint8_t secret[WEBPUSH_SECRET_BYTES];
    if (!read_networks(settings->push_networks, post, error) ||
        !find_secret(server->store, "letters", herald->key, error) ||
        !find_secret(server->store, "push", secret, error))
        return false;
    if (!webpush_pair_of(secret, &herald->pair))
        return fail(error, "the key for %s is damaged in the database", "push");
    sodium_bin2base64(herald->push_key, sizeof herald->push_key, herald->pair.point, sizeof herald->pair.point, BASE64);
    return true;
}

bool herald_open(server *server, gral_error *error)
{
    struct herald *herald = server->herald = memory_get(sizeof *herald);
    herald->server = server;
    herald->timer.data = herald->work.data = herald;
    uv_timer_init(&server->loop, &herald->timer);
    post_settings settings;
    if (!prepare(herald, &settings, error))
        return false;
    static const post_handlers handlers = {.going = going, .done = done};
    if (server->settings.smtp != NULL)
        herald->post[STORE_MAIL] = post_open(&settings, &server->loop, &handlers, herald);
    if (server->settings.push_contact != NULL)
        herald->post[STORE_PUSH] = post_open(&settings, &server->loop, &handlers, herald);
    herald_wake(server);
    return true;
}

bool herald_does(const server *server, enum store_way way)
{
    return server->herald->post[way] != NULL;
}

const char *herald_push_key(const server *server)
{
    return herald_does(server, STORE_PUSH) ? server->herald->push_key : NULL;
}

void herald_stop(server *server)
{
    struct herald *herald = server->herald;
    herald->stopped = true;
    uv_timer_stop(&herald->timer);
    for (unsigned way = 0; way < STORE_WAYS; way++)
        if (herald->post[way] != NULL)
            post_stop(herald->post[way]);
}

bool herald_busy(const server *server)
{
    const struct herald *herald = server->herald;
    return herald->reading || herald->writing > 0 || herald->dispatches != NULL;
}

void herald_end(server *server)
{
    struct herald *herald = server->herald;
    uv_close((uv_handle_t *)&herald->timer, NULL);
    for (unsigned way = 0; way < STORE_WAYS; way++)
        if (herald->post[way] != NULL)
            post_close(herald->post[way]);
}

void herald_close(server *server)
{
    for (unsigned way = 0; way < STORE_WAYS; way++)
        if (server->herald->post[way] != NULL)
            post_free(server->herald->post[way]);
    sodium_memzero(server->herald, sizeof *server->herald);
    free(server->herald);
}
