/* How people want to be reached, over HTTP: their mail address, which they confirm, the browsers that take push
 * messages, and what goes where. And what the links in mails lead to: each has a token that only this server can make.
 */
#include "server/errand.h"
#include "server/persons.h"

#include "server/memory.h"
#include "server/news.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 8, ID_BITS = 53 };

static const int64_t minute = 60000, hour = 3600000;

static const denial denied_off = {{"off", N_("this server doesn't send such messages")}, 409, 0};
static const denial denied_mails = {
    {"often", N_("too many messages to new addresses; try again in an hour")}, 429, 3600};

/* --- on the pool --- */

static bool list_way(void *context, const store_way_row *way)
{
    errand *errand = context;
    pen *list = &errand->list;
    char id[LOGIN_ID_TEXT];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)way->id);
    pen_begin(list, '{');
    pen_put_words(list, "id", id);
    pen_put_words(list, "way", way->way == STORE_MAIL ? "mail" : "push");
    pen_put_words(list, "address", way->address);
    pen_put_words(list, "label", way->label);
    pen_put_words(list, "language", way->language);
    pen_put_bool(list, "confirmed", way->confirmed);
    pen_key(list, "events");
    pen_begin(list, '[');
    for (unsigned event = 0; event < STORE_EVENTS; event++)
        if (way->events >> event & 1)
            pen_words(list, news_names[event]);
    pen_end(list, ']');
    pen_put_number(list, "digest", way->digest);
    pen_put_number(list, "made", way->made / 1000);
    pen_end(list, '}');
    return true;
}

void ways_list(errand *errand)
{
    store *store = errand->server->store;
    gral_error error;
    pen_clear(&errand->list);
    pen_begin(&errand->list, '[');
    errand->failed |= !store->kind->ways_of(store, errand->self.user, list_way, errand, &error);
    pen_end(&errand->list, ']');
}

static bool note_owner(void *context, const store_letter *letter)
{
    errand *errand = context;
    errand->found = letter->event == STORE_FORGOTTEN && letter->number == errand->letter_number;
    errand->user = letter->user;
    snprintf(errand->name, sizeof errand->name, "%s", letter->name);
    return false;
}

static void look_up_recovery(errand *errand)
{
    store *store = errand->server->store;
    gral_error error;
    if (link_token_read(herald_link_key(errand->server), LINK_RECOVER, errand->link, &errand->letter,
                        &errand->letter_number))
        errand->failed |= !store->kind->letter(store, errand->letter, note_owner, errand, &error);
}

static void hash_new_password(errand *errand)
{
    if (errand->found)
        accounts_hash(errand, errand->new_password);
}

/* --- what to write --- */

static uint64_t way_of(const errand *errand)
{
    return strtoull(errand->login, NULL, 16);
}

static store_write *write_way(errand *errand, enum store_way way)
{
    errand->user = errand->self.user;
    errand_require_session(errand);
    store_write *write = errand_write(errand, STORE_NEW_WAY);
    uint64_t id;
    randombytes_buf(&id, sizeof id);
    write->other = (id >> (64 - ID_BITS)) | 1;
    write->way = (uint8_t)way;
    write->name = errand->where;
    write->label = errand->label;
    write->language = errand->language;
    write->events = NEWS_EVERYTHING;
    write->limit = DEVICES_MAX;
    write->number = randombytes_random();
    return write;
}

static denial set_mail(errand *errand)
{
    if (!herald_does(errand->server, STORE_MAIL))
        return denied_off;
    if (!errand_pays(errand, BUDGET_MAILS))
        return denied_mails;
    /* Nobody is told of it: it would say that somebody else has named the address. */
    write_way(errand, STORE_MAIL)->tries = !herald_may_write_to(errand->server, errand->where);
    return no_denial;
}

static denial add_device(errand *errand)
{
    if (!herald_does(errand->server, STORE_PUSH))
        return denied_off;
    write_way(errand, STORE_PUSH)->key = errand->keys;
    return no_denial;
}

static denial choose(errand *errand)
{
    errand->user = errand->self.user;
    errand_require_session(errand);
    store_write *write = errand_write(errand, STORE_SET_WAY);
    write->other = way_of(errand);
    write->events = errand->events;
    write->digest = errand->digest;
    return no_denial;
}

static denial end_way(errand *errand)
{
    errand->user = errand->self.user;
    errand_require_session(errand);
    errand_write(errand, STORE_END_WAY)->other = way_of(errand);
    return no_denial;
}

static denial confirm(errand *errand)
{
    if (!link_token_read(herald_link_key(errand->server), LINK_CONFIRM, errand->link, &errand->letter,
                         &errand->letter_number))
        return denied_link;
    store_write *write = errand_write(errand, STORE_CONFIRM_WAY);
    write->other = errand->letter;
    write->number = errand->letter_number;
    write->time -= 24 * hour;
    return no_denial;
}

static denial stop(errand *errand)
{
    if (!link_token_read(herald_link_key(errand->server), LINK_STOP, errand->link, &errand->letter,
                         &errand->letter_number))
        return denied_link;
    errand_write(errand, STORE_STOP_WAY)->other = errand->letter;
    return no_denial;
}

typedef struct recovery {
    server *server;
    char where[POST_ADDRESS_MAX + 1];
    store_write write;
} recovery;

static void recovery_written(void *context, enum store_outcome outcome)
{
    recovery *recovery = context;
    if (outcome == STORE_DONE)
        herald_wake(recovery->server);
    free(recovery);
}

/* Answered at once, and done afterwards: neither the answer nor its time tells whether somebody has this address. */
static denial recover(errand *errand)
{
    server *server = errand->server;
    if (!herald_does(server, STORE_MAIL))
        return denied_off;
    if (!errand_pays(errand, BUDGET_MAILS))
        return denied_mails;
    if (!herald_may_write_to(server, errand->where))
        return no_denial; /* the same answer */
    recovery *recovery = memory_get(sizeof *recovery);
    recovery->server = server;
    memcpy(recovery->where, errand->where, sizeof recovery->where);
    recovery->write = (store_write){.kind = STORE_RECOVER,
                                    .name = recovery->where,
                                    .number = randombytes_random(),
                                    .time = server_now(server),
                                    .ends = server_now(server) - 5 * minute};
    commit_write(server->commit, &recovery->write, 1, recovery_written, recovery);
    return no_denial;
}

static denial reset(errand *errand)
{
    if (!errand->found)
        return denied_link;
    store_write *write = errand_write(errand, STORE_RECOVERED);
    write->other = errand->letter;
    write->number = errand->letter_number;
    write->time -= hour;
    errand_write(errand, STORE_SET_PASSWORD)->password = errand->hashed;
    errand_write(errand, STORE_END_OTHERS)->token = true; /* but for the one whose secret is zeros: there is none */
    return no_denial;
}

/* --- what follows --- */

static void send_soon(const errand *errand)
{
    herald_wake(errand->server);
}

static void end_everywhere(const errand *errand)
{
    session_end_all(errand->server, errand->user);
}

/* --- answers --- */

static void put_offers(errand *errand, pen *out)
{
    const char *key = herald_push_key(errand->server);
    pen_put_bool(out, "mail", herald_does(errand->server, STORE_MAIL));
    pen_key(out, "push");
    if (key != NULL)
        pen_words(out, key);
    else
        pen_null(out);
}

static void put_ways(errand *errand, pen *out)
{
    pen_key(out, "ways");
    pen_raw(out, pen_span(&errand->list));
}

static void put_name(errand *errand, pen *out)
{
    pen_put_words(out, "name", errand->name);
}

static const errand_kind kinds[] = {
    {"GET", "/api/offers", .answer = put_offers},
    {"GET", "/api/way", .identity = true, .look = ways_list, .answer = put_ways},
    {"POST", "/api/way/mail", BODY(MAIL) | BODY(LANGUAGE), .identity = true, .decide = set_mail,
     .conflict = &denied_who, .effect = send_soon, .answer = errand_answer_ok},
    {"POST", "/api/way/push", BODY(ENDPOINT) | BODY(KEY) | BODY(AUTH) | BODY(LANGUAGE), BODY(LABEL), .identity = true,
     .decide = add_device, .conflict = &denied_who, .answer = errand_answer_ok},
    {"POST", "/api/way/", BODY(EVENTS) | BODY(DIGEST), .login = true, .identity = true, .decide = choose,
     .conflict = &denied_link, .answer = errand_answer_ok},
    {"DELETE", "/api/way/", .login = true, .identity = true, .decide = end_way, .conflict = &denied_who,
     .answer = errand_answer_ok},
    {"POST", "/api/confirm", BODY(TOKEN), .decide = confirm, .conflict = &denied_link, .answer = errand_answer_ok},
    {"POST", "/api/stop/", .link = true, .decide = stop, .conflict = &denied_link, .answer = errand_answer_ok},
    {"POST", "/api/recover", BODY(MAIL), .decide = recover, .answer = errand_answer_ok},
    {"POST", "/api/reset", BODY(TOKEN) | BODY(NEW_PASSWORD), .look = look_up_recovery, .hash = hash_new_password,
     .decide = reset, .conflict = &denied_link, .effect = end_everywhere, .answer = put_name},
};

bool ways_request(server *server, web_exchange *exchange, const web_request *request)
{
    return errand_request(server, exchange, request, kinds, sizeof kinds / sizeof *kinds);
}
