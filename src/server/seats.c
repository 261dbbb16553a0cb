/* Who sits where, and who pays for the computer players of a table: for each person a list of the tables that are not
 * over where he sits, and a number. It follows the hosts, which know best; so a person's tables are found, and counted,
 * without looking at all tables. */
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
    leave(seating);
    if (person == NULL)
        return;
    seating->table = table;
    seating->person = person;
    DL_APPEND(person->seatings, seating);
    person->seated++;
}

static void follow_seat(table *table, unsigned seat, uint64_t user)
{
    seating *seating = &table->seating[seat];
    const uint64_t known = seating->person != NULL ? seating->person->id : 0;
    if (known != user)
        take(seating, table, people_find(table->server, user));
}

static void charge(server *server, uint64_t payer, int computers)
{
    person *person = computers != 0 ? people_find(server, payer) : NULL;
    if (person != NULL)
        person->computers += (unsigned)computers;
}

static void set_payer(table *table, uint64_t payer, unsigned computers)
{
    if (table->payer == payer && table->computers == computers)
        return;
    charge(table->server, table->payer, -(int)table->computers);
    charge(table->server, payer, (int)computers);
    table->payer = payer;
    table->computers = computers;
}

/* The first person who has not resigned pays for the table's computer players, and for those who act for persons who
 * are away: that is its maker, as long as he plays. */
void seats_follow(table *table)
{
    const bool over = gral_host_stage(table->host) == GRAL_ENDED;
    uint64_t payer = 0;
    unsigned computers = 0;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        follow_seat(table, seat, over ? 0 : at.user);
        computers += at.computer && !over;
        if (payer == 0 && !at.resigned)
            payer = at.user;
    }
    set_payer(table, payer, computers);
}

void seats_clear(table *table)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        leave(&table->seating[seat]);
    set_payer(table, 0, 0);
}

bool seats_has_room(const server *server, const person *person)
{
    return person->seated + person->promised < server->settings.tables_per_user;
}
