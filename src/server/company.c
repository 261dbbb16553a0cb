/* Who wants to have to do with whom, and what follows from it at tables. The store has it; what must be asked quickly
 * is in ties.h, which follows what was written (wishes.c).
 *
 * Whoever is blocked gets the same answers, after the same time, as somebody whom nobody answers: his wishes are
 * written like all others, and reach nobody. Only at a table of somebody who has blocked him is he told that he cannot
 * sit there, in the words for whoever was asked to leave. */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include <stdlib.h>

/* --- from the store --- */

static bool take_tie(void *context, const store_tie *tie)
{
    ties_set(context, tie->user, tie->other, tie->blocks ? TIE_BLOCKS : TIE_WANTS);
    return true;
}

static bool take_seen(void *context, uint64_t user, uint8_t place)
{
    if (place < TIE_SEENS)
        ties_set_seen(context, user, (enum tie_seen)place);
    return true;
}

ties *company_read(store *store, gral_error *error)
{
    ties *ties = ties_open();
    if (store->kind->ties(store, take_tie, ties, error) && store->kind->seen(store, take_seen, ties, error))
        return ties;
    ties_close(ties);
    return NULL;
}

bool company_open(server *server, gral_error *error)
{
    return (server->ties = company_read(server->store, error)) != NULL;
}

void company_close(server *server)
{
    if (server->ties == NULL) /* it was never opened */
        return;
    ties_close(server->ties);
    free(server->here.shown);
}

void company_forget(server *server, uint64_t person)
{
    anew_disturb(server, person);
    here_forget(server, person);
    ties_forget(server->ties, person);
}

bool company_may_meet(void *context, uint64_t one, uint64_t other)
{
    const server *server = context;
    return !ties_keep_apart(server->ties, one, other);
}

bool company_sees_all_alike(const server *server, const person *viewer)
{
    return viewer == NULL || !ties_has_blocks(server->ties, viewer->id);
}

/* --- at tables --- */

static uint64_t host_of(const table *table)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        if (at.first)
            return at.user;
    }
    return 0;
}

bool company_refuses(const table *table, const person *person)
{
    const uint64_t host = gral_host_stage(table->host) == GRAL_GATHERING ? host_of(table) : 0;
    return host != 0 && ties_get(table->server->ties, host, person->id) == TIE_BLOCKS;
}

bool company_hides(const table *table, const person *viewer)
{
    if (viewer == NULL || gral_host_stage(table->host) != GRAL_GATHERING)
        return false;
    const uint64_t host = host_of(table);
    return host != 0 && ties_keep_apart(table->server->ties, host, viewer->id);
}

/* Nobody hears whom he has blocked. The other way round it would show: he knows whom he has muted. */
void company_hush(table *table)
{
    const unsigned players = gral_host_terms(table->host)->settings.players;
    for (unsigned seat = 0; seat < players; seat++)
        for (unsigned other = 0; other < players; other++) {
            const uint64_t user = gral_host_seat_at(table->host, seat).user,
                           rival = gral_host_seat_at(table->host, other).user;
            if (user == 0 || rival == 0 || (gral_host_muted(table->host, seat) >> other & 1) != 0 ||
                ties_get(table->server->ties, user, rival) != TIE_BLOCKS)
                continue;
            const gral_input input = {.kind = GRAL_INPUT_MUTE, .seat = (uint8_t)seat, .other = (uint8_t)other};
            table_submit_for(table, &input, user);
        }
}

void company_hush_everywhere(server *server, uint64_t person)
{
    const struct person *known = person_find(server, person);
    const seating *seating = known != NULL ? known->seatings : NULL;
    for (; seating != NULL; seating = seating->next)
        company_hush(seating->table);
}

bool company_shows(const server *server, uint64_t person, uint8_t to, uint64_t viewer)
{
    return viewer == person || to == SEEN_BY_ALL ||
           (to == SEEN_BY_FRIENDS && ties_are_friends(server->ties, viewer, person));
}
