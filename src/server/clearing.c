/* What nobody comes back to is cleared away: tables at which none of their players has been for long, and games that
 * never end; and, where very many are left behind by people who sat there alone, the older ones of the networks that
 * leave the most. So nobody can fill the server with tables that nobody wants. */
#include "parts.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT_PART = 100,            /* of all tables that there may be, this part may be left behind */
    SPARED_MS = 10 * 60 * 1000, /* somebody may have lost his connection */
    MOVES_MAX = 30000,          /* of a game, passes included */
};

/* So long nobody of those who sit there has been there, and nothing has happened. */
static int64_t deserted_for(const table *table)
{
    const int64_t heard = table->heard - table->ahead;
    return table->present != 0 ? 0 : server_now(table->server) - (table->left > heard ? table->left : heard);
}

static unsigned count_persons(const table *table)
{
    unsigned persons = 0;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        persons += gral_host_seat_at(table->host, seat).user != 0;
    return persons;
}

/* Those who play by a slow clock are not hurried by us; with 0 days nobody is. */
static bool is_deserted(const table *table)
{
    static const int64_t day = INT64_C(24) * 60 * 60 * 1000;
    const server_settings *settings = &table->server->settings;
    const gral_terms *terms = gral_host_terms(table->host);
    const bool open = gral_host_stage(table->host) == GRAL_GATHERING;
    const unsigned days = open                       ? settings->open_days
                          : count_persons(table) < 2 ? settings->solo_days
                                                     : settings->idle_days;
    const int64_t clock = !open && terms->clock != GRAL_CLOCK_NONE ? terms->time + terms->answer : 0;
    if (table->crowded_out)
        return deserted_for(table) > SPARED_MS;
    return days > 0 && deserted_for(table) > days * day + clock;
}

/* Games of people are over after some hundred moves. One that goes on and on only makes everything longer that has to
 * be stored, read and told. */
static bool is_endless(const table *table)
{
    return gral_host_version(table->host) > MOVES_MAX;
}

bool table_is_given_up(const table *table)
{
    return is_deserted(table) || is_endless(table);
}

/* --- where too many are left behind --- */

typedef struct leftover {
    table *table;
    source network; /* the widest that its maker came from; after a restart his number stands for it */
    int64_t since;
    unsigned rank; /* among those of the network; 0 is the newest */
} leftover;

static leftover leftover_of(table *table)
{
    leftover leftover = {.table = table, .since = server_now(table->server) - deserted_for(table)};
    if (table->from.count > 0)
        leftover.network = *origin_widest(&table->from);
    else
        memcpy(leftover.network.bytes, &table->maker, sizeof table->maker);
    return leftover;
}

static bool is_leftover(const table *table)
{
    return table->host != NULL && gral_host_stage(table->host) != GRAL_ENDED && count_persons(table) < 2 &&
           deserted_for(table) > SPARED_MS;
}

static int newer_first(const leftover *a, const leftover *b)
{
    return (a->since < b->since) - (a->since > b->since);
}

static int by_network(const void *first, const void *second)
{
    const leftover *a = (const leftover *)first, *b = (const leftover *)second;
    const int networks = memcmp(&a->network, &b->network, sizeof a->network);
    return networks != 0 ? networks : newer_first(a, b);
}

static int by_rank(const void *first, const void *second)
{
    const leftover *a = (const leftover *)first, *b = (const leftover *)second;
    return a->rank != b->rank ? (a->rank > b->rank) - (a->rank < b->rank) : newer_first(a, b);
}

/* The newest of every network is kept first, then everybody's second, and so on, as long as there is room. */
static void crowd_out(leftover *all, size_t count, size_t kept)
{
    qsort(all, count, sizeof *all, by_network);
    for (size_t index = 1; index < count; index++)
        all[index].rank = source_is(&all[index].network, &all[index - 1].network) ? all[index - 1].rank + 1 : 0;
    qsort(all, count, sizeof *all, by_rank);
    for (size_t index = kept; index < count; index++)
        all[index].table->crowded_out = true;
}

static void find_room(server *server)
{
    const size_t kept = server->settings.tables_max / KEPT_PART + 1;
    leftover *all = (leftover *)memory_get((server->table_count + 1) * sizeof *all);
    size_t count = 0;
    for (table *table = server->tables; table != NULL; table = (struct table *)table->hh.next)
        if (is_leftover(table))
            all[count++] = leftover_of(table);
    if (count > kept)
        crowd_out(all, count, kept);
    free(all);
}

/* --- once a minute --- */

static void clear(table *table)
{
    const bool over = gral_host_stage(table->host) == GRAL_ENDED;
    if (over && !table->settled && table->busy == 0)
        table_store_stage(table);
    if (!over && table->first == NULL && table_is_given_up(table))
        table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_CLOSE, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
    else
        table_release(table);
}

void tables_sweep(server *server)
{
    find_room(server);
    table *table, *next;
    HASH_ITER(hh, server->tables, table, next)
    {
        if (table->host != NULL)
            clear(table);
    }
    lobby_sweep(server);
}
