/* What nobody comes back to is cleared away: tables at which none of their players has been for long, and games that
 * never end; and, where very many are left behind by people who sat there alone, the older ones of the networks that
 * leave the most. So nobody can fill the server with tables that nobody wants.
 *
 * Once a minute all tables are looked at, twice: first those that were left behind are counted by network, then what is
 * too much is cleared. There may be very many, so this is done a few at a time, and everything else goes on between. */
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT_PART = 100,            /* of all tables that there may be, this part may be left behind */
    SPARED_MS = 10 * 60 * 1000, /* somebody may have lost his connection */
    MOVES_MAX = 30000,          /* of a game, passes included */
    FIRST_MS = 1000,
    USUAL_MS = 60000,
    PAUSE_MS = 5,
    AT_ONCE = 1000,
};

static const int64_t day = INT64_C(24) * 60 * 60 * 1000;

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
    const server_settings *settings = &table->server->settings;
    const gral_terms *terms = gral_host_terms(table->host);
    const bool open = gral_host_stage(table->host) == GRAL_GATHERING;
    const unsigned days = open                       ? settings->open_days
                          : count_persons(table) < 2 ? settings->solo_days
                                                     : settings->idle_days;
    const int64_t clock = !open && terms->clock != GRAL_CLOCK_NONE ? terms->time + terms->answer : 0;
    if (table->surplus)
        return deserted_for(table) > SPARED_MS;
    return days > 0 && deserted_for(table) > days * day + clock;
}

/* Games of people are over after some hundred moves. One that goes on and on only makes everything longer that has to
 * be stored, read and told. */
static bool is_endless(const table *table)
{
    return gral_host_version(table->host) > MOVES_MAX;
}

/* Whoever looks at it: nobody does anything, and no clock makes him. */
static bool is_still(const table *table)
{
    const unsigned days = table->server->settings.still_days;
    return days > 0 && gral_host_stage(table->host) == GRAL_PLAYING &&
           gral_host_terms(table->host)->clock == GRAL_CLOCK_NONE &&
           server_now(table->server) - (table->heard - table->ahead) > days * day;
}

int64_t clearing_time(const table *table)
{
    const server_settings *settings = &table->server->settings;
    const gral_terms *terms = gral_host_terms(table->host);
    const bool timed = terms->clock != GRAL_CLOCK_NONE;
    const int64_t heard = table->heard - table->ahead, last = table->left > heard ? table->left : heard;
    const int64_t idle = settings->idle_days * day + (timed ? terms->time + terms->answer : 0);
    int64_t time = settings->idle_days > 0 ? last + idle : INT64_MAX;
    if (settings->still_days > 0 && !timed && heard + settings->still_days * day < time)
        time = heard + settings->still_days * day;
    return time;
}

bool table_is_given_up(const table *table)
{
    return is_deserted(table) || is_endless(table) || is_still(table);
}

/* --- where too many are left behind --- */

typedef struct network {
    source source; /* the widest that somebody came from; after a restart his number stands for it */
    unsigned left; /* tables that were left behind there */
    bool met;      /* when it was looked at for the second time */
    unsigned surplus;
    UT_hash_handle hh;
} network;

struct clearing {
    server *server;
    uv_timer_t timer;
    bool counting; /* the first time; else clearing */
    table *next;   /* to be looked at */
    network *networks;
    size_t kept;      /* so many tables may be left behind */
    unsigned *having; /* [n]: so many networks have left n tables or more; up to one more than may be kept */
    unsigned each;    /* so many may be left by each network, */
    unsigned poorer;  /* and one more if it is none of the first so many */
};

static bool is_left_behind(const table *table)
{
    return gral_host_stage(table->host) != GRAL_ENDED && count_persons(table) < 2 && deserted_for(table) > SPARED_MS;
}

static source network_of(const table *table)
{
    source network = {0};
    if (table->from.count > 0)
        return *origin_widest(&table->from);
    memcpy(network.bytes, &table->maker, sizeof table->maker);
    return network;
}

static network *find_network(const struct clearing *clearing, const source *source)
{
    network *network;
    HASH_FIND(hh, clearing->networks, source, sizeof *source, network);
    return network;
}

static void count(struct clearing *clearing, table *table)
{
    if (!table_is_kept(table) || !is_left_behind(table))
        return;
    const source source = network_of(table);
    network *network = find_network(clearing, &source);
    if (network == NULL) {
        network = memory_get(sizeof *network);
        network->source = source;
        HASH_ADD(hh, clearing->networks, source, sizeof network->source, network);
    }
    if (++network->left <= clearing->kept + 1)
        clearing->having[network->left]++;
}

/* One of every network is kept first, then everybody's second, and so on, as long as there is room. */
static void deal_out(struct clearing *clearing)
{
    const unsigned *having = clearing->having;
    size_t room = clearing->kept;
    unsigned each = 0;
    while (having[each + 1] > 0 && having[each + 1] <= room)
        room -= having[++each];
    clearing->each = each;
    clearing->poorer = having[each + 1] > 0 ? having[each + 1] - (unsigned)room : 0;
}

/* Tables come in the order in which they were made: the older ones are too many, and whoever has the oldest may keep
 * fewer. */
static bool is_too_many(struct clearing *clearing, const table *table)
{
    const source source = network_of(table);
    network *network = find_network(clearing, &source);
    if (network == NULL)
        return false; /* it has been left only since they were counted */
    if (!network->met && network->left > clearing->each) {
        const bool poorer = clearing->poorer > 0;
        clearing->poorer -= poorer;
        network->surplus = network->left - clearing->each - !poorer;
    }
    network->met = true;
    if (network->surplus == 0)
        return false;
    network->surplus--;
    return true;
}

static void clear(struct clearing *clearing, table *table)
{
    const bool over = gral_host_stage(table->host) == GRAL_ENDED;
    lobby_check(table);
    if (!table_is_kept(table)) {
        table_release(table);
        return;
    }
    table->surplus = is_left_behind(table) && is_too_many(clearing, table);
    if (over && !table->reported && table->busy == 0)
        stage_report(table);
    if (!over && table->first == NULL && table_is_given_up(table))
        table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_CLOSE, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
    else
        table_release(table);
}

/* --- a few at a time --- */

static void go_on(uv_timer_t *timer);

static void begin(uv_timer_t *timer)
{
    struct clearing *clearing = timer->data;
    memset(clearing->having, 0, (clearing->kept + 2) * sizeof *clearing->having);
    clearing->counting = true;
    clearing->next = clearing->server->tables;
    go_on(timer);
}

static void forget_networks(struct clearing *clearing, unsigned most)
{
    while (clearing->networks != NULL && most-- > 0) {
        network *network = clearing->networks;
        HASH_DEL(clearing->networks, network);
        free(network);
    }
}

static void go_on(uv_timer_t *timer)
{
    struct clearing *clearing = timer->data;
    for (unsigned number = 0; clearing->next != NULL && number < AT_ONCE; number++) {
        table *table = clearing->next;
        clearing->next = table->hh.next;
        if (table->host != NULL)
            (clearing->counting ? count : clear)(clearing, table);
    }
    if (clearing->next == NULL && clearing->counting) {
        deal_out(clearing);
        clearing->counting = false;
        clearing->next = clearing->server->tables;
    } else if (clearing->next == NULL) {
        forget_networks(clearing, AT_ONCE);
    }
    const bool over = clearing->next == NULL && clearing->networks == NULL;
    uv_timer_start(timer, over ? begin : go_on, over ? USUAL_MS : PAUSE_MS, 0);
}

void clearing_open(server *server)
{
    struct clearing *clearing = memory_get(sizeof *clearing);
    server->clearing = clearing;
    clearing->server = server;
    clearing->kept = server->settings.tables_max / KEPT_PART + 1;
    clearing->having = memory_get((clearing->kept + 2) * sizeof *clearing->having);
    clearing->timer.data = clearing;
    uv_timer_init(&server->loop, &clearing->timer);
    uv_timer_start(&clearing->timer, begin, FIRST_MS, 0);
}

void clearing_forget(table *table)
{
    struct clearing *clearing = table->server->clearing;
    if (clearing->next == table)
        clearing->next = table->hh.next;
}

void clearing_stop(server *server)
{
    uv_close((uv_handle_t *)&server->clearing->timer, NULL);
}

void clearing_close(server *server)
{
    forget_networks(server->clearing, UINT32_MAX);
    free(server->clearing->having);
    free(server->clearing);
}
