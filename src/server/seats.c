/* Who sits where: one list for each person, of the tables that are not over. It follows the hosts, which know best; so
 * a person's tables are found, and counted, without looking at all tables. */
#include "parts.h"

#include <utlist.h>

static void leave(seating *seating)
{
    if (seating->person == NULL)
        return;
    DL_DELETE(seating->person->seatings, seating);
    seating->person->seated--;
    seating->person = NULL;
}

static void take(seating *seating, table *table, person *person)
{
    if (seating->person == person)
        return;
    leave(seating);
    if (person == NULL)
        return;
    seating->table = table;
    seating->person = person;
    DL_APPEND(person->seatings, seating);
    person->seated++;
}

void seats_follow(table *table)
{
    const bool over = gral_host_stage(table->host) == GRAL_ENDED;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        take(&table->seating[seat], table,
             over ? NULL : people_find(table->server, gral_host_seat_at(table->host, seat).user));
}

void seats_clear(table *table)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        leave(&table->seating[seat]);
}

bool seats_has_room(const server *server, const person *person)
{
    return person->seated + person->promised < server->settings.tables_per_user;
}
