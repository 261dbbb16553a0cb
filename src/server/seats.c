/* Who sits where, with how many computer players, and for whom is thought: for each person a list of the tables that
 * are not over where he sits, and how many that are. It follows the hosts, which know best; so a person's tables are
 * found, and counted, without looking at all tables; and nobody else counts them. */
#include "server/persons.h"
#include "server/tables.h"

#include <utlist.h>

static const refusal refused_computers = {"many", N_("you have too many computer players at your tables")};

static void leave(seating *seating)
{
    if (seating->person == NULL)
        return;
    DL_DELETE(seating->person->seatings, seating);
    seating->person->seated--;
    seating->person->computers -= seating->computers;
    seating->person = NULL;
    seating->computers = 0;
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
        take(seating, table, person_find(table->server, user));
}

static void count_computers(seating *seating, unsigned computers)
{
    if (seating->person == NULL)
        return;
    seating->person->computers += computers - seating->computers;
    seating->computers = computers;
}

/* Each person who plays here, present or not, has the table's computer players, until it is over or he has resigned.
 * The first of them is the one for whom is thought: that is its maker, as long as he plays. */
void seats_follow(table *table)
{
    const bool over = gral_host_stage(table->host) == GRAL_ENDED;
    const unsigned players = gral_host_terms(table->host)->settings.players;
    table->computers = 0;
    for (unsigned seat = 0; seat < players; seat++)
        table->computers += gral_host_seat_at(table->host, seat).computer;
    table->payer = 0;
    for (unsigned seat = 0; seat < players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        follow_seat(table, seat, over ? 0 : at.user);
        count_computers(&table->seating[seat], at.resigned ? 0 : table->computers);
        if (table->payer == 0 && !at.resigned)
            table->payer = at.user;
    }
}

void seats_clear(table *table)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        leave(&table->seating[seat]);
}

unsigned seats_computers_for(const table *table, const person *person)
{
    return table_seat_of(table, person) == GRAL_NOBODY ? table->computers : 0;
}

const refusal *seats_promise(const server *server, person *person, unsigned tables, unsigned computers,
                             promise *promise)
{
    *promise = (struct promise){0};
    const server_settings *limits = &server->settings;
    if (tables > 0 && person->seated + person->promised + tables > limits->tables_per_user)
        return &refused_many;
    if (computers > 0 && person->computers + computers > limits->computers_per_user)
        return &refused_computers;
    person->promised += tables;
    person->computers += computers;
    *promise = (struct promise){person, tables, computers};
    return NULL;
}

void seats_redeem(promise *promise)
{
    if (promise->person == NULL)
        return;
    promise->person->promised -= promise->tables;
    promise->person->computers -= promise->computers;
    promise->person = NULL;
}
