/* Who watches at other servers, of those that share a store: they tell each other, so that a player is there on
 * whichever he is; also of games that are not in memory here, because they may be soon. */
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* A game that is watched there. */
typedef struct crowd {
    char game[GRAL_GAME_ID_MAX + 1];
    struct part {
        uint8_t slot; /* of the server */
        uint16_t present, looking;
        unsigned watched; /* by about so many */
        uint64_t list;    /* of that server in which it was last */
    } * part;
    unsigned parts;
    UT_hash_handle hh;
} crowd;

static crowd *find_crowd(const server *server, const char *game)
{
    crowd *crowd;
    HASH_FIND_STR(server->crowds.by_game, game, crowd);
    return crowd;
}

static struct part *find_part(const crowd *crowd, unsigned slot)
{
    for (unsigned index = 0; crowd != NULL && index < crowd->parts; index++)
        if (crowd->part[index].slot == slot)
            return &crowd->part[index];
    return NULL;
}

/* Of all of them together. */
static struct part sum_up(const server *server, const char *game)
{
    const crowd *crowd = find_crowd(server, game);
    struct part sum = {0};
    for (unsigned index = 0; crowd != NULL && index < crowd->parts; index++) {
        sum.present |= crowd->part[index].present;
        sum.looking |= crowd->part[index].looking;
        sum.watched += crowd->part[index].watched;
    }
    return sum;
}

uint16_t crowds_present(const server *server, const char *game)
{
    return sum_up(server, game).present;
}

uint16_t crowds_looking(const server *server, const char *game)
{
    return sum_up(server, game).looking;
}

unsigned crowds_count(const server *server, const char *game)
{
    return sum_up(server, game).watched;
}

bool crowds_any(const server *server, const char *game)
{
    return find_crowd(server, game) != NULL;
}

static void follow(table *table)
{
    const uint16_t before = table->present;
    if (table->host == NULL)
        return;
    watch_presence(table);
    if (table->present != before)
        watch_tell(table, NULL);
    table_start_thinking(table);
}

static void drop_part(server *server, crowd *crowd, struct part *part)
{
    *part = crowd->part[--crowd->parts];
    if (crowd->parts > 0)
        return;
    HASH_DEL(server->crowds.by_game, crowd);
    free(crowd->part);
    free(crowd);
}

static table *find_table(const server *server, const char *game)
{
    table *table;
    HASH_FIND_STR(server->tables, game, table);
    return table;
}

static void set_part(server *server, const char *game, struct part said)
{
    crowd *crowd = find_crowd(server, game);
    struct part *part = find_part(crowd, said.slot);
    if (part == NULL) {
        if (crowd == NULL) {
            crowd = memory_get(sizeof *crowd);
            snprintf(crowd->game, sizeof crowd->game, "%s", game);
            HASH_ADD_STR(server->crowds.by_game, game, crowd);
        }
        crowd->part = memory_grow(crowd->part, (crowd->parts + 1) * sizeof *crowd->part);
        part = &crowd->part[crowd->parts++];
    }
    *part = said;
}

/* --- what servers tell each other --- */

void crowds_note(table *table)
{
    if (peers_count(table->server) == 0 || table->unsaid)
        return;
    table->unsaid = true;
    DL_APPEND2(table->server->crowds.unsaid, table, prev_unsaid, next_unsaid);
    peers_expect(table->server);
}

/* "game present looking watched", with the seats as bits, and "seat:user:since" for each who is gone. Nobody who comes
 * to a server that has just read the game is waited for any longer than elsewhere. */
static void put_line(pen *out, table *table)
{
    char text[GRAL_GAME_ID_MAX + 100];
    snprintf(text, sizeof text, "%s %x %x %u", table->id, table->said.present, table->said.looking,
             table->said.watched);
    pen_add(out, gral_span_of(text));
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(table->host, seat).user;
        if (user == 0 || (table->present >> seat & 1) != 0 || table->gone_since[seat] == 0)
            continue;
        snprintf(text, sizeof text, " %u:%" PRIu64 ":%" PRIi64, seat, user, table->gone_since[seat]);
        pen_add(out, gral_span_of(text));
    }
    pen_add(out, gral_span_of("\n"));
}

/* A power of two: others need not hear of each who comes and only looks. */
static unsigned about(unsigned count)
{
    unsigned power = count > 0;
    while (power < count)
        power *= 2;
    return power;
}

/* Whether that is news. */
static bool note_said(table *table)
{
    const uint16_t present = watch_seats_here(table, false), looking = watch_seats_here(table, true);
    const unsigned watched = about(watch_count_here(table));
    const bool news = table->again || present != table->said.present || looking != table->said.looking ||
                      watched != table->said.watched;
    table->said.present = present;
    table->said.looking = looking;
    table->said.watched = watched;
    table->again = false;
    return news;
}

static void forget_unsaid(table *table)
{
    if (table->unsaid)
        DL_DELETE2(table->server->crowds.unsaid, table, prev_unsaid, next_unsaid);
    table->unsaid = false;
}

/* However often somebody has come and gone meanwhile, it is said once how it is. */
static void gather(server *server)
{
    crowds *crowds = &server->crowds;
    while (crowds->unsaid != NULL) {
        table *table = crowds->unsaid;
        forget_unsaid(table);
        if (table->host != NULL && note_said(table))
            put_line(&crowds->words, table);
    }
    if (crowds->words.length > 0)
        peers_say(server, PEERS_WATCH, pen_span(&crowds->words));
    pen_clear(&crowds->words);
}

/* "*", and all that are watched: no other is. */
static void repeat(server *server)
{
    pen *words = &server->crowds.words;
    pen_clear(words);
    pen_add(words, gral_span_of("*\n"));
    for (table *table = server->tables; table != NULL; table = table->hh.next) {
        forget_unsaid(table);
        if (table->host == NULL)
            continue;
        note_said(table);
        if (table->said.watched > 0)
            put_line(words, table);
    }
    peers_say(server, PEERS_WATCH, pen_span(words));
    pen_clear(words);
}

void crowds_forget(table *table)
{
    forget_unsaid(table);
    if (table->said.watched == 0 || peers_alone(table->server))
        return;
    pen_add(&table->server->crowds.words, gral_span_of(table->id));
    pen_add(&table->server->crowds.words, gral_span_of(" 0 0 0\n"));
    peers_expect(table->server);
}

static void hear_who_is_gone(table *table, const char *text)
{
    unsigned seat;
    uint64_t user;
    int64_t since;
    int length = 0;
    for (; sscanf(text, " %u:%" SCNu64 ":%" SCNi64 "%n", &seat, &user, &since, &length) == 3; text += length)
        if (seat < gral_host_terms(table->host)->settings.players && gral_host_seat_at(table->host, seat).user == user)
            watch_missed(table, seat, since);
}

static void hear_line(server *server, unsigned slot, const char *line)
{
    char game[GRAL_GAME_ID_MAX + 1];
    unsigned present, looking, watched;
    int length = 0;
    const size_t name = strcspn(line, " ");
    if (name >= sizeof game || sscanf(line + name, " %x %x %u%n", &present, &looking, &watched, &length) != 3)
        return;
    memcpy(game, line, name);
    game[name] = '\0';
    crowd *crowd = find_crowd(server, game);
    struct part *part = find_part(crowd, slot);
    table *table = find_table(server, game);
    const bool is_new = part == NULL && watched != 0;
    if (watched != 0)
        set_part(server, game,
                 (struct part){(uint8_t)slot, (uint16_t)present, (uint16_t)looking, watched, server->crowds.lists});
    else if (part != NULL)
        drop_part(server, crowd, part);
    if (table == NULL || table->host == NULL)
        return;
    follow(table);
    hear_who_is_gone(table, line + name + length);
    if (is_new && !table->again) {
        table->again = true;
        crowds_note(table);
    }
}

/* What is not in its newest list, or all of that server. */
static void forget_others(server *server, unsigned slot, uint64_t list)
{
    crowd *crowd, *next;
    HASH_ITER(hh, server->crowds.by_game, crowd, next)
    {
        struct part *part = find_part(crowd, slot);
        if (part == NULL || part->list == list)
            continue;
        table *table = find_table(server, crowd->game);
        drop_part(server, crowd, part);
        if (table != NULL)
            follow(table);
    }
}

static void heard(server *server, const char *peer, gral_span words)
{
    const unsigned slot = peers_slot(server, peer);
    char line[GRAL_GAME_ID_MAX + 100 + 50 * GRAL_PLAYERS_MAX];
    const bool all = words.length > 0 && words.bytes[0] == '*';
    if (all)
        server->crowds.lists++;
    while (peers_next_line(&words, line, sizeof line))
        hear_line(server, slot, line);
    if (all)
        forget_others(server, slot, server->crowds.lists);
}

static void gone(server *server, const char *peer)
{
    forget_others(server, peers_slot(server, peer), UINT64_MAX);
}

void crowds_open(server *server)
{
    static const peers_listener listener = {.heard = heard, .gone = gone, .repeat = repeat, .gather = gather};
    peers_listen(server, PEERS_WATCH, &listener);
}

void crowds_close(server *server)
{
    crowd *crowd, *next;
    HASH_ITER(hh, server->crowds.by_game, crowd, next)
    {
        HASH_DEL(server->crowds.by_game, crowd);
        free(crowd->part);
        free(crowd);
    }
    pen_free(&server->crowds.words);
}
