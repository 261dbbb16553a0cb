/* What only one of several servers does, the one that leads (peers.h): pairing for quick games, tournaments, letters,
 * what games are worth, the end of what is not used, and waking games. Each of these parts asks lead_is before it does
 * something, and what it writes says under which fence: so whoever has led, and does not know yet that he does no more,
 * is refused by the store. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

bool lead_is(const server *server)
{
    return peers_world(server) > 0 && !server->stopping;
}

store_write lead_write(const server *server, store_write write)
{
    write.leads = !peers_alone(server);
    write.fence = peers_alone(server) ? 0 : peers_world(server);
    return write;
}

void lead_heard(server *server)
{
    herald_wake(server);
    ratings_go_on(server);
}

void lead_heard_of(server *server, const char *game)
{
    tournaments_hear_table(server, game);
    ratings_go_on(server);
}

void lead_changed(server *server)
{
    meeting_lead(server);
    tournaments_lead(server);
    lead_heard(server);
    expiry_lead(server);
    slumber_lead(server);
}
