/* A game by days with others who want one: the queue is the open tables of the lobby, so places survive a restart. */
#include "server/meeting_inside.h"
#include "server/persons.h"
#include "server/tables.h"

static bool has_usual_terms(const gral_terms *terms, const request *request)
{
    const unsigned players = terms->settings.players;
    gral_terms usual = meeting_terms(players, true, request->terms.rated);
    usual.settings.first = terms->settings.first;
    return pairing_goes_with(request->size, players) && gral_settings_equal(&terms->settings, &usual.settings) &&
           terms->clock == usual.clock && terms->time == usual.time && terms->rated == usual.rated &&
           terms->talk == usual.talk && terms->notepad == usual.notepad;
}

/* Whether he may sit there, as far as those are concerned who do. */
static bool is_among_friends(const table *table, const person *person)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(table->host, seat).user;
        if (user != 0 && user != person->id && !company_may_meet(table->server, user, person->id))
            return false;
    }
    return true;
}

/* The one that waits longest; or where he sits already. */
static table *find_open_table(const server *server, const person *person, const request *request)
{
    table *found = NULL;
    for (const seating *seating = person->seatings; seating != NULL; seating = seating->next)
        if (gral_host_stage(seating->table->host) == GRAL_GATHERING &&
            has_usual_terms(gral_host_terms(seating->table->host), request))
            return seating->table;
    for (table *table = server->lobby.newest[LOBBY_OPEN]; table != NULL; table = table->older)
        if (has_usual_terms(gral_host_terms(table->host), request) && is_among_friends(table, person))
            found = table;
    return found;
}

static void open_table(conn *conn, const request *request)
{
    promise promise;
    if (!create_reserve(conn, 0, request->id, &promise))
        return;
    gral_terms terms = meeting_terms(pairing_usual(request->size), true, request->terms.rated);
    id_make(terms.game, conn->session, sizeof conn->session,
            (gral_span){(const char *)&request->ticket, sizeof request->ticket});
    create_with(conn, &terms, 0, request->id, promise);
}

void meeting_by_days(conn *conn, const request *request)
{
    table *table = find_open_table(conn->server, conn->person, request);
    if (table == NULL) {
        open_table(conn, request);
        return;
    }
    const gral_input input = {.kind = GRAL_INPUT_SIT,
                              .seat = GRAL_NOBODY,
                              .other = GRAL_NOBODY,
                              .user = conn->person->id,
                              .ticket = request->ticket};
    table_submit(table, &input, conn, request->id, NULL);
}
