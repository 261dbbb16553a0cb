/* One dispatch: some letters that go to one place together. Asks the tables whether each still matters, has the rest
 * carried (post.h), and writes down what became of it. */
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

enum {
    PUSH_SECONDS = 86400,         /* a push service keeps it for a device that is off */
    TOKEN_SECONDS = 12 * 60 * 60, /* what tells it who we are */
};

static char *copy_of(const char *text)
{
    char *copy = memory_get(strlen(text) + 1);
    memcpy(copy, text, strlen(text));
    return copy;
}

dispatch *dispatch_new(struct herald *herald, const store_letter *letter)
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
    return made;
}

void dispatch_add(dispatch *dispatch, const store_letter *letter)
{
    due_letter *due = &dispatch->letter[dispatch->count++];
    *due = (due_letter){.id = letter->id,
                        .other = letter->other,
                        .number = letter->number,
                        .event = letter->event,
                        .tries = letter->tries};
    snprintf(due->game, sizeof due->game, "%s", letter->game);
}

void dispatch_free(dispatch *dispatch)
{
    free(dispatch->address);
    free(dispatch->key);
    free(dispatch);
}

/* --- what became of it --- */

static void end(dispatch *dispatch)
{
    struct herald *herald = dispatch->herald;
    LL_DELETE(herald->dispatches, dispatch);
    herald->under_way[dispatch->way]--;
    dispatch_free(dispatch);
    herald_wake(herald->server);
}

static void result_written(void *context, enum store_outcome outcome)
{
    (void)outcome; /* where the disk refuses: read again, and then it is done already or tried again */
    dispatch *dispatch = context;
    dispatch->herald->writing--;
    end(dispatch);
}

static void write_result(dispatch *dispatch, size_t count)
{
    dispatch->herald->writing++;
    commit_write(dispatch->herald->server->commit, dispatch->write, count, result_written, dispatch);
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
    for (unsigned at = 0; at < count && !dispatch->noted; at++) /* who leads now may be sending it */
        dispatch->write[at] = lead_write(server, dispatch->write[at]);
    write_result(dispatch, count);
}

static void done(void *context, parcel *parcel)
{
    (void)context;
    dispatch *dispatch = parcel->owner;
    const bool stays = dispatch->overtaken || (dispatch->herald->stopped && parcel->result == POST_LATER) ||
                       (!dispatch->noted && !lead_is(dispatch->herald->server));
    if (stays)
        end(dispatch);
    else
        close_letters(dispatch, parcel);
    parcel_free(parcel);
}

static void noted(void *context, enum store_outcome outcome)
{
    dispatch *dispatch = context;
    dispatch->herald->writing--;
    dispatch->noted = outcome == STORE_DONE;
    dispatch->overtaken = outcome == STORE_CONFLICT; /* he has looked meanwhile, there is a newer question, or another
                                                        server leads */
    post_go(dispatch->parcel, outcome == STORE_DONE);
}

static void going(void *context, parcel *parcel)
{
    (void)context;
    dispatch *dispatch = parcel->owner;
    struct herald *herald = dispatch->herald;
    if (!lead_is(herald->server)) {
        post_go(parcel, false);
        return;
    }
    for (unsigned at = 0; at < dispatch->kept; at++) {
        dispatch->write[at] = lead_write(herald->server, about(&dispatch->letter[at], STORE_LETTER_GOES));
        dispatch->write[at].follows = at > 0;
    }
    herald->writing++;
    commit_write(herald->server->commit, dispatch->write, dispatch->kept, noted, dispatch);
}

/* --- sending --- */

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

static void send_it(dispatch *dispatch)
{
    struct herald *herald = dispatch->herald;
    server *server = herald->server;
    const due_letter *first = &dispatch->letter[0];
    char token[LINK_TOKEN_TEXT];
    if (first->event < STORE_EVENTS)
        link_token_make(herald->key, LINK_STOP, dispatch->way_id, 0, token);
    else
        link_token_make(herald->key, first->event == STORE_CONFIRM ? LINK_CONFIRM : LINK_RECOVER, first->id,
                        first->number, token);
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

const post_handlers dispatch_handlers = {.going = going, .done = done};

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

static void keep(dispatch *dispatch, const due_letter *letter, const table *table)
{
    letter_line *line = &dispatch->line[dispatch->kept];
    line->event = letter->event;
    memcpy(line->game, letter->game, sizeof line->game);
    if (table != NULL)
        put_names(dispatch->herald->server, table, letter, dispatch->user, line->names);
    dispatch->letter[dispatch->kept++] = *letter;
}

/* One that does not matter now is put aside, by itself; by who leads, or it might be sent already. */
static void put_aside(dispatch *dispatch, const due_letter *letter, enum news_verdict verdict, int64_t until)
{
    const server *server = dispatch->herald->server;
    if (!lead_is(server))
        return;
    batch *batch = herald_batch(dispatch->herald, letter->game);
    store_write *write = herald_add(
        batch, lead_write(server, about(letter, verdict == NEWS_WAIT ? STORE_LETTER_LATER : STORE_LETTER_DONE)));
    write->time = until;
    write->tries = letter->tries;
    herald_write(batch);
}

/* A letter about a tournament, not a table. False: it is about none. */
static bool judge_tournament(dispatch *dispatch, const due_letter *letter)
{
    tournament_news news;
    if (letter->event != STORE_ROUND || !tournaments_news(dispatch->herald->server, letter->game, dispatch->user,
                                                          (enum news_of_tournament)letter->number, &news))
        return false;
    if (news.matters) {
        letter_line *line = &dispatch->line[dispatch->kept];
        line->about = letter->number == NEWS_SOON ? LETTER_SOON : LETTER_OFF;
        snprintf(line->names, sizeof line->names, "%s", news.title);
        keep(dispatch, letter, NULL);
    } else {
        put_aside(dispatch, letter, NEWS_DROP, 0);
    }
    return true;
}

static void go_on_judging(dispatch *dispatch);

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
        const due_letter letter = dispatch->letter[dispatch->judged];
        if (letter.event < STORE_EVENTS && !judge_tournament(dispatch, &letter)) {
            tables_find(dispatch->herald->server, letter.game, judge, dispatch);
            return;
        }
        if (letter.event >= STORE_EVENTS)
            keep(dispatch, &letter, NULL);
        dispatch->judged++;
    }
    if (dispatch->kept > 0 && lead_is(dispatch->herald->server))
        send_it(dispatch);
    else
        end(dispatch);
}

void dispatch_start(dispatch *dispatch)
{
    struct herald *herald = dispatch->herald;
    LL_PREPEND(herald->dispatches, dispatch);
    herald->under_way[dispatch->way]++;
    go_on_judging(dispatch);
}

void dispatch_drop(dispatch *dispatch)
{
    for (unsigned at = 0; at < dispatch->count; at++)
        put_aside(dispatch, &dispatch->letter[at], NEWS_DROP, 0);
}
