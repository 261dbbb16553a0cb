/* Who watches a table, and what they hear: owns the list of those who do, and who of the players is there. Servers tell
 * each other who watches at each of them, so that a player is there on whichever he is; also of games that are not in
 * memory here, because they may be soon. */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* --- what they hear --- */

static const char *name_of(void *context, unsigned seat)
{
    const table *table = context;
    const person *person = table->seating[seat].person; /* of a table that is not over */
    const uint64_t user = gral_host_seat_at(table->host, seat).user;
    return person != NULL && person->id == user ? person->name : person_name(table->server, user);
}

tell_table watch_as_told(table *table)
{
    return (tell_table){
        .host = table->host, .present = table->present, .now = table_now(table), .name = name_of, .context = table};
}

static unsigned tell_all(table *table)
{
    server *server = table->server;
    unsigned count = 0;
    const tell_table told = watch_as_told(table);
    pen_clear(&server->view);
    watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        const unsigned seat = table_seat_of(table, watch->conn->person);
        if (!tell_push(&server->out, &server->view, &told, seat == GRAL_NOBODY ? GRAL_SPECTATOR : seat, &watch->reader))
            continue;
        table_send(table, watch->conn, &server->out);
        count++;
    }
    return count;
}

/* What happens is told to everybody who watches, which may be many, on all servers: whoever has brought it about pays
 * for it. */
enum { TOLD_FOR_A_UNIT = 20 };

static unsigned count_elsewhere(const server *server, const char *game);

static void charge(const table *table, conn *payer, unsigned told)
{
    conn_charge(payer, (double)(told + count_elsewhere(table->server, table->id)) / TOLD_FOR_A_UNIT);
}

static unsigned count_here(const table *table)
{
    unsigned count = 0;
    const watch *watch;
    DL_COUNT(table->watches, watch, count);
    return count;
}

void watch_pay(const table *table, conn *payer)
{
    charge(table, payer, count_here(table));
}

void watch_tell(table *table, conn *payer)
{
    const unsigned told = tell_all(table);
    if (payer != NULL)
        charge(table, payer, told);
}

/* --- who is there --- */

/* The seats of those who watch here; or of those of them in front of whom the page is. */
static uint16_t seats_here(const table *table, bool looking)
{
    uint16_t seats = 0;
    const watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        const unsigned seat = table_seat_of(table, watch->conn->person);
        if (seat != GRAL_NOBODY && !(looking && watch->conn->away))
            seats |= (uint16_t)(1 << seat);
    }
    return seats;
}

bool watch_looks(const table *table, uint64_t user)
{
    const uint16_t elsewhere = watch_looking_elsewhere(table->server, table->id);
    const watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        if (watch->conn->person != NULL && watch->conn->person->id == user && !watch->conn->away)
            return true;
    }
    for (unsigned seat = 0; elsewhere != 0 && seat < GRAL_PLAYERS_MAX; seat++)
        if (elsewhere >> seat & 1 && gral_host_seat_at(table->host, seat).user == user)
            return true;
    return false;
}

void watch_miss(table *table, unsigned seat)
{
    table->gone_since[seat] = server_now(table->server);
}

int64_t watch_patience(const table *table)
{
    const gral_terms *terms = gral_host_terms(table->host);
    const int64_t decision = terms->clock == GRAL_CLOCK_MOVE   ? terms->time
                             : terms->clock == GRAL_CLOCK_BANK ? terms->answer
                                                               : 0;
    const int64_t usual = 1000ll * table->server->settings.absent_seconds;
    return decision > usual ? decision : usual;
}

/* The other servers are to hear of it. */
static void note_unsaid(table *table)
{
    if (peers_count(table->server) == 0 || table->unsaid)
        return;
    table->unsaid = true;
    DL_APPEND2(table->server->crowds.unsaid, table, prev_unsaid, next_unsaid);
    peers_expect(table->server);
}

void watch_presence(table *table)
{
    const uint16_t present = seats_here(table, false) | watch_present_elsewhere(table->server, table->id);
    note_unsaid(table);
    const uint16_t gone = (uint16_t)(table->present & ~present), before = table->present;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (gone >> seat & 1)
            watch_miss(table, seat);
    table->present = present;
    if (before != 0 && present == 0)
        table->left = server_now(table->server);
    if ((before != 0) != (present != 0))
        lobby_changed(table);
}

/* --- on other servers --- */

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

uint16_t watch_present_elsewhere(const server *server, const char *game)
{
    return sum_up(server, game).present;
}

uint16_t watch_looking_elsewhere(const server *server, const char *game)
{
    return sum_up(server, game).looking;
}

static unsigned count_elsewhere(const server *server, const char *game)
{
    return sum_up(server, game).watched;
}

bool watch_watched_elsewhere(const server *server, const char *game)
{
    return find_crowd(server, game) != NULL;
}

void watch_elsewhere(table *table)
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

/* --- what servers tell each other of it --- */

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
    const uint16_t present = seats_here(table, false), looking = seats_here(table, true);
    const unsigned watched = about(count_here(table));
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

void watch_forget(table *table)
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
        if (seat < gral_host_terms(table->host)->settings.players && since < table->gone_since[seat] &&
            gral_host_seat_at(table->host, seat).user == user && (table->present >> seat & 1) == 0)
            table->gone_since[seat] = since;
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
    watch_elsewhere(table);
    hear_who_is_gone(table, line + name + length);
    if (is_new && !table->again) {
        table->again = true;
        note_unsaid(table);
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
            watch_elsewhere(table);
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

void watch_open(server *server)
{
    static const peers_listener listener = {.heard = heard, .gone = gone, .repeat = repeat, .gather = gather};
    peers_listen(server, PEERS_WATCH, &listener);
}

void watch_close(server *server)
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

void watch_look(const conn *conn)
{
    for (const watch *watch = conn->watches; watch != NULL; watch = watch->next_of_conn)
        note_unsaid(watch->table);
}

/* --- coming and going --- */

/* One connection must not multiply what is told without end. */
enum { WATCHES_MAX = 200 };

static watch *find_watch(const table *table, const conn *conn)
{
    watch *found = conn->watches;
    while (found != NULL && found->table != table)
        found = found->next_of_conn;
    return found;
}

bool watch_is_watching(const table *table, const conn *conn)
{
    return find_watch(table, conn) != NULL;
}

bool watch_is_allowed(const table *table, const conn *conn)
{
    return conn->watch_count < WATCHES_MAX || find_watch(table, conn) != NULL;
}

static void begin_reading(watch *watch, size_t have)
{
    const unsigned seat = table_seat_of(watch->table, watch->conn->person);
    watch->reader = (tell_reader){.viewer = seat == GRAL_NOBODY ? GRAL_SPECTATOR : seat, .have = have};
}

void watch_anew(table *table)
{
    watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        begin_reading(watch, 0);
    }
    watch_presence(table);
    watch_tell(table, NULL);
}

void watch_begin(table *table, conn *conn, size_t have)
{
    watch *found = find_watch(table, conn);
    if (found == NULL) {
        conn->watch_count++;
        found = memory_get(sizeof *found);
        found->conn = conn;
        found->table = table;
        found->next_of_conn = conn->watches;
        conn->watches = found;
        DL_APPEND(table->watches, found);
    }
    begin_reading(found, have);
    watch_presence(table);
    herald_seen(table, conn);
    watch_tell(table, conn);
    table_start_thinking(table);
}

void watch_end(watch *watch)
{
    table *table = watch->table;
    struct watch **at = &watch->conn->watches;
    while (*at != watch)
        at = &(*at)->next_of_conn;
    *at = watch->next_of_conn;
    watch->conn->watch_count--;
    DL_DELETE(table->watches, watch);
    conn *conn = watch->conn;
    free(watch);
    note_unsaid(table);
    if (table_seat_of(table, conn->person) != GRAL_NOBODY) {
        watch_presence(table);
        watch_tell(table, conn);
    }
    table_release(table);
}
