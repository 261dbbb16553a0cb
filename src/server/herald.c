/* Tells people who are not there: writes letters when there is something to tell (news.h), and has them sent when they
 * are due and still matter. Owns what is under way.
 *
 * The store has all of it. A letter is written once for each question; it is noted before it leaves (post.h), so that
 * it is never sent twice, and what had not left when the server died is sent by the next. Of several servers each
 * writes letters, and the one that leads sends them. */
#include "server/herald_inside.h"
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"
#include "server/news.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { READ_AT_ONCE = 64, RETRY_MS = 10000 /* where the store could not be read */ };

/* However many people, from wherever, name the same address. */
static const bucket_rate unasked_mails = {1. / 7200, 4};

static const unsigned at_once[STORE_WAYS] = {[STORE_MAIL] = 4, [STORE_PUSH] = 12};

static void read_letters(uv_timer_t *timer);

static bool is_idle(const struct herald *herald)
{
    return herald->post[STORE_MAIL] == NULL && herald->post[STORE_PUSH] == NULL;
}

/* --- writing --- */

batch *herald_batch(struct herald *herald, const char *game)
{
    batch *batch = memory_get(sizeof *batch);
    batch->herald = herald;
    snprintf(batch->game, sizeof batch->game, "%s", game);
    return batch;
}

store_write *herald_add(batch *batch, store_write write)
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

void herald_write(batch *batch)
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
    herald_add(batch, (store_write){.kind = STORE_LETTER,
                                    .event = STORE_TURN,
                                    .user = user,
                                    .number = standing.version + 1, /* 0 is before all of them */
                                    .time = unless_noticed(table->server),
                                    .stage = state_for(table, user)});
    if (warning != 0)
        herald_add(batch, (store_write){.kind = STORE_LETTER,
                                        .event = STORE_CLOCK,
                                        .user = user,
                                        .number = standing.version + 1,
                                        .time = warning - table->ahead});
}

void herald_asked(table *table)
{
    struct herald *herald = table->server->herald;
    if (is_idle(herald) || table->asked == 0 || !table_is_kept(table) ||
        !news_is_worth_it(gral_host_terms(table->host)))
        return;
    const uint32_t question = gral_host_version(table->host) + 1;
    batch *batch = herald_batch(herald, table->id);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        if ((table->asked >> seat & 1) == 0 || table->told_of[seat] == question)
            continue;
        table->told_of[seat] = question;
        write_question(batch, table, gral_host_seat_at(table->host, seat).user);
    }
    herald_write(batch);
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
    batch *batch = herald_batch(server->herald, table);
    herald_add(batch, (store_write){.kind = STORE_LETTER,
                                    .event = STORE_INVITED,
                                    .user = user,
                                    .other = by,
                                    .number = 1,
                                    .time = unless_noticed(server)});
    herald_write(batch);
}

void herald_round(table *table)
{
    struct herald *herald = table->server->herald;
    if (is_idle(herald) || news_is_worth_it(gral_host_terms(table->host))) /* then there is one about his turn */
        return;
    batch *batch = herald_batch(herald, table->id);
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        herald_add(batch, (store_write){.kind = STORE_LETTER,
                                        .event = STORE_ROUND,
                                        .user = gral_host_seat_at(table->host, seat).user,
                                        .number = 1,
                                        .time = unless_noticed(table->server)});
    herald_write(batch);
}

void herald_tournament(server *server, const char *id, uint32_t news)
{
    uint64_t people[TOURNAMENT_ENTRANTS_MAX];
    const unsigned count = is_idle(server->herald) ? 0 : tournaments_people(server, id, people);
    for (unsigned at = 0; at < count;) {
        batch *batch = herald_batch(server->herald, id);
        for (; at < count && batch->count < sizeof batch->write / sizeof *batch->write; at++)
            herald_add(batch, (store_write){.kind = STORE_LETTER,
                                            .event = STORE_ROUND,
                                            .user = people[at],
                                            .number = news,
                                            .time = unless_noticed(server)});
        herald_write(batch);
    }
}

void herald_seen(table *table, const conn *conn)
{
    struct herald *herald = table->server->herald;
    if (is_idle(herald) || conn->person == NULL || conn->away)
        return;
    batch *batch = herald_batch(herald, table->id);
    herald_add(batch, (store_write){.kind = STORE_LETTERS_SEEN, .user = conn->person->id});
    herald_write(batch);
}

/* --- reading what is due, on the pool --- */

static dispatch *find_way(dispatch *first, uint64_t way)
{
    while (first != NULL && first->way_id != way)
        first = first->next;
    return first;
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
    dispatch *dispatch = dispatch_new(herald, letter);
    LL_APPEND(herald->read, dispatch);
    if (!is_gathered(letter))
        dispatch_add(dispatch, letter);
    return true;
}

static bool gather_letter(void *context, const store_letter *letter)
{
    dispatch_add(context, letter);
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

/* --- all that is due --- */

static bool may_start(const struct herald *herald, const dispatch *dispatch)
{
    return dispatch->count > 0 && herald->post[dispatch->way] != NULL && lead_is(herald->server) && !herald->failed &&
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
        if (herald->post[dispatch->way] == NULL && lead_is(herald->server)) /* not any more */
            dispatch_drop(dispatch);
        if (may_start(herald, dispatch))
            dispatch_start(dispatch);
        else
            dispatch_free(dispatch); /* whenever another ends, it is looked at again */
    }
    if (herald->again)
        herald_wake(herald->server);
}

static void read_letters(uv_timer_t *timer)
{
    struct herald *herald = timer->data;
    if (herald->reading || herald->stopped || !lead_is(herald->server))
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
    if (is_idle(herald) || herald->stopped || !lead_is(server))
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
static bool find_secret(store *store, const char *name, uint8_t bytes[LINK_KEY_BYTES], gral_error *error)
{
    char text[2 * LINK_KEY_BYTES + 1];
    size_t length = 0;
    if (!store->kind->secret(store, name, text, sizeof text, error))
        return false;
    if (text[0] == '\0') {
        randombytes_buf(bytes, LINK_KEY_BYTES);
        bytes[0] &= 0x7f; /* and so it is one for P-256, too */
        sodium_bin2hex(text, sizeof text, bytes, LINK_KEY_BYTES);
        store_write write = {.kind = STORE_SET_SECRET, .name = name, .text = gral_span_of(text)};
        if (!store->kind->commit(store, &write, 1, error) ||
            !store->kind->secret(store, name, text, sizeof text, error)) /* another server may have been first */
            return false;
    }
    if (sodium_hex2bin(bytes, LINK_KEY_BYTES, text, strlen(text), NULL, &length, NULL) != 0 || length != LINK_KEY_BYTES)
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

static bool begins(const char *address, const char *one, const char *other)
{
    return address == NULL || strncmp(address, one, strlen(one)) == 0 || strncmp(address, other, strlen(other)) == 0;
}

/* Otherwise a slip would show in the first message only. */
static bool check(const server_settings *settings, gral_error *error)
{
    if (settings->smtp != NULL && (settings->site == NULL || settings->mail_from == NULL))
        return fail(error, "%s", "--smtp needs --site and --mail-from");
    if (settings->smtp_user != NULL && settings->smtp_password_file == NULL)
        return fail(error, "%s", "--smtp-user needs --smtp-password");
    if (!begins(settings->site, "https://", "http://"))
        return fail(error, "--site must begin with https:// or http:// (%s)", settings->site);
    if (!begins(settings->smtp, "smtps://", "smtp://"))
        return fail(error, "--smtp must begin with smtps:// or smtp:// (%s)", settings->smtp);
    if (!begins(settings->push_contact, "mailto:", "https://"))
        return fail(error, "--push-contact must begin with mailto: or https:// (%s)", settings->push_contact);
    if (settings->mail_from != NULL &&
        (strchr(settings->mail_from, '@') == NULL || strpbrk(settings->mail_from, " <>")))
        return fail(error, "--mail-from must be a mail address alone (%s)", settings->mail_from);
    return true;
}

static bool prepare(struct herald *herald, post_settings *post, gral_error *error)
{
    const server *server = herald->server;
    const server_settings *settings = &server->settings;
    if (!check(settings, error))
        return false;
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
    sodium_bin2base64(herald->push_key, sizeof herald->push_key, herald->pair.point, sizeof herald->pair.point,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    return true;
}

bool herald_open(server *server, gral_error *error)
{
    struct herald *herald = server->herald = memory_get(sizeof *herald);
    herald->server = server;
    herald->timer.data = herald->work.data = herald;
    herald->unasked = allowance_open(unasked_mails);
    uv_timer_init(&server->loop, &herald->timer);
    post_settings settings;
    if (!prepare(herald, &settings, error))
        return false;
    if (server->settings.smtp != NULL)
        herald->post[STORE_MAIL] = post_open(&settings, &server->loop, &dispatch_handlers, herald);
    if (server->settings.push_contact != NULL)
        herald->post[STORE_PUSH] = post_open(&settings, &server->loop, &dispatch_handlers, herald);
    herald_wake(server);
    return true;
}

/* What is written in capitals, and what stands behind a plus, is the same mailbox. */
bool herald_may_write_to(server *server, const char *address)
{
    char mailbox[POST_ADDRESS_MAX + 1];
    size_t length = 0;
    const char *at = strrchr(address, '@');
    for (const char *from = address; *from != '\0' && length < sizeof mailbox; from++) {
        if (*from == '+' && from < at)
            from = at;
        mailbox[length++] = *from >= 'A' && *from <= 'Z' ? (char)(*from - 'A' + 'a') : *from;
    }
    return allowance_take(server->herald->unasked, (gral_span){mailbox, length}, 1, uv_now(&server->loop));
}

const uint8_t *herald_link_key(const server *server)
{
    return server->herald->key;
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
    allowance_close(server->herald->unasked);
    sodium_memzero(server->herald, sizeof *server->herald);
    free(server->herald);
}
