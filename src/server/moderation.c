/* Who may not come, and what may not be said: the networks that are barred and the words that nobody may use. The store
 * has both; here they are to be asked quickly. People are banned and silenced by themselves (store_user). */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDED_MAX = 4096, NETWORKS_MAX = 10000, WORDS_MAX = 1000 };

typedef struct barred {
    ip_range network;
    int64_t until;
} barred;

struct moderation {
    barred *barred;
    unsigned barred_count;
    char **word; /* folded, with a blank before and after */
    unsigned words;
};

/* --- networks --- */

bool moderation_bars(const server *server, const char *address)
{
    const moderation *moderation = server->moderation;
    ip_range from;
    if (moderation->barred_count == 0 || !ip_range_read(address, &from))
        return false;
    const int64_t now = server_now(server);
    for (unsigned at = 0; at < moderation->barred_count; at++)
        if (moderation->barred[at].until > now && ip_range_has(&moderation->barred[at].network, &from))
            return true;
    return false;
}

static void bar(moderation *moderation, const ip_range *network, int64_t until)
{
    unsigned at = 0;
    while (at < moderation->barred_count && memcmp(&moderation->barred[at].network, network, sizeof *network) != 0)
        at++;
    if (until == 0 && at < moderation->barred_count) {
        moderation->barred[at] = moderation->barred[--moderation->barred_count];
    } else if (until > 0 && at < NETWORKS_MAX) {
        if (at == moderation->barred_count)
            moderation->barred = memory_grow(moderation->barred, ++moderation->barred_count * sizeof(barred));
        moderation->barred[at] = (barred){*network, until};
    }
}

void moderation_bar(server *server, const ip_range *network, int64_t until)
{
    bar(server->moderation, network, until);
    anew_disturb_moderation(server);
}

void moderation_drop_barred(server *server)
{
    const moderation *moderation = server->moderation;
    for (conn *conn = server->conns; conn != NULL; conn = conn->next) {
        ip_range from = {.bits = 128};
        memcpy(from.bytes, conn->from.source[0].bytes, sizeof from.bytes);
        for (unsigned at = 0; at < moderation->barred_count && conn->peer != NULL; at++)
            if (ip_range_has(&moderation->barred[at].network, &from))
                web_drop(conn->peer, 1008, "this network is barred");
    }
}

/* --- words --- */

/* With blanks around it, so that only whole words are found. */
static bool fold(gral_span text, char folded[FOLDED_MAX])
{
    folded[0] = ' ';
    if (!name_fold(text, folded + 1, FOLDED_MAX - 2))
        return false;
    strcat(folded, " ");
    return true;
}

bool moderation_minds(const server *server, gral_span text)
{
    const moderation *moderation = server->moderation;
    char folded[FOLDED_MAX];
    if (moderation->words == 0 || !fold(text, folded))
        return false;
    for (unsigned at = 0; at < moderation->words; at++)
        if (strstr(folded, moderation->word[at]) != NULL)
            return true;
    return false;
}

static void set_word(moderation *moderation, const char *word, bool on)
{
    char folded[FOLDED_MAX];
    unsigned at = 0;
    if (!fold(gral_span_of(word), folded) || folded[1] == ' ')
        return;
    while (at < moderation->words && strcmp(moderation->word[at], folded) != 0)
        at++;
    const bool known = at < moderation->words;
    if (on && !known && at < WORDS_MAX) {
        moderation->word = memory_grow(moderation->word, ++moderation->words * sizeof *moderation->word);
        moderation->word[at] = memory_get(strlen(folded) + 1);
        strcpy(moderation->word[at], folded);
    } else if (!on && known) {
        free(moderation->word[at]);
        moderation->word[at] = moderation->word[--moderation->words];
    }
}

void moderation_set_word(server *server, const char *word, bool on)
{
    set_word(server->moderation, word, on);
    anew_disturb_moderation(server);
}

/* --- beginning and end --- */

static bool take_network(void *context, const char *const column[], unsigned columns)
{
    (void)columns;
    ip_range network = {0};
    if (ip_range_read(column[0], &network))
        bar(context, &network, strtoll(column[1], NULL, 10));
    return true;
}

static bool take_word(void *context, const char *const column[], unsigned columns)
{
    (void)columns;
    set_word(context, column[0], true);
    return true;
}

moderation *moderation_read(store *store, gral_error *error)
{
    moderation *moderation = memory_get(sizeof *moderation);
    if (store->kind->list(store, STORE_NETWORKS, &(store_filter){.most = NETWORKS_MAX}, take_network, moderation,
                          error) &&
        store->kind->list(store, STORE_WORDS, &(store_filter){.most = WORDS_MAX}, take_word, moderation, error))
        return moderation;
    moderation_free(moderation);
    return NULL;
}

bool moderation_open(server *server, gral_error *error)
{
    return (server->moderation = moderation_read(server->store, error)) != NULL;
}

void moderation_take(server *server, moderation *moderation)
{
    moderation_free(server->moderation);
    server->moderation = moderation;
    moderation_drop_barred(server);
}

void moderation_close(server *server)
{
    moderation_free(server->moderation);
}

void moderation_free(moderation *moderation)
{
    if (moderation == NULL)
        return;
    for (unsigned at = 0; at < moderation->words; at++)
        free(moderation->word[at]);
    free(moderation->word);
    free(moderation->barred);
    free(moderation);
}

/* --- complaints --- */

enum { SAYINGS_IN_A_REPORT = 20, SAID_BYTES_MAX = 3000, SAYING_ROOM = GRAL_TALK_MAX + 40 };

typedef struct complaint {
    store_write write;
    conn *conn;
    char re[REQUEST_ID_MAX + 1], reason[GRAL_TALK_MAX + 1], game[GRAL_GAME_ID_MAX + 1];
    char talk[SAID_BYTES_MAX + SAYING_ROOM];
} complaint;

static void complaint_written(void *context, enum store_outcome outcome)
{
    complaint *complaint = context;
    if (outcome == STORE_DONE)
        answer_ok(complaint->conn, complaint->re);
    else
        answer_refused(complaint->conn, complaint->re, refused_storage);
    complaint->conn->server->figures.reports += outcome == STORE_DONE;
    conn_release(complaint->conn);
    free(complaint);
}

static void forget_oldest(char *talk)
{
    const char *next = strchr(talk, '\n') + 1;
    memmove(talk, next, strlen(next) + 1);
}

/* The last things that a seat said, as far as the one who complains has heard them; whispers to others stay unheard.
 * Long ones are fewer: what many complain about is kept for a year. */
static void attach_talk(complaint *complaint, const table *table, unsigned viewer, unsigned seat)
{
    char *talk = complaint->talk;
    unsigned said = 0;
    gral_happening happening;
    gral_hearing hearing = gral_host_hearing(table->host, viewer, 0);
    while (gral_host_hear(&hearing, &happening)) {
        if (happening.kind != GRAL_HAPPENED_TALK || happening.seat != seat)
            continue;
        snprintf(talk + strlen(talk), SAYING_ROOM, "%s%.*s\n", happening.to != 0 ? "(whispers) " : "",
                 (int)happening.words.length, happening.words.bytes);
        for (said++; said > SAYINGS_IN_A_REPORT || strlen(talk) > SAID_BYTES_MAX; said--)
            forget_oldest(talk);
    }
    complaint->write.text = gral_span_of(talk);
}

void moderation_complain(conn *conn, table *table, const request *request)
{
    server *server = conn->server;
    const unsigned own = table_seat_of(table, conn->person);
    const unsigned players = gral_host_terms(table->host)->settings.players;
    const uint64_t accused = request->seat < players ? gral_host_seat_at(table->host, request->seat).user : 0;
    if (accused == 0 || accused == conn->person->id) {
        answer_refused(conn, request->id, refused_seat);
        return;
    }
    if (!conn_pays(conn, BUDGET_REPORTS, 1)) {
        answer_refused(conn, request->id, refused_rate);
        return;
    }
    complaint *complaint = memory_get(sizeof *complaint);
    complaint->conn = conn_hold(conn);
    snprintf(complaint->re, sizeof complaint->re, "%s", request->id);
    snprintf(complaint->reason, sizeof complaint->reason, "%s", request->words);
    snprintf(complaint->game, sizeof complaint->game, "%s", table->id);
    complaint->write = (store_write){.kind = STORE_REPORT,
                                     .user = conn->person->id,
                                     .other = accused,
                                     .time = server_now(server),
                                     .game = complaint->game,
                                     .label = complaint->reason};
    attach_talk(complaint, table, own == GRAL_NOBODY ? GRAL_SPECTATOR : own, request->seat);
    commit_write(server->commit, &complaint->write, 1, complaint_written, complaint);
}
