/* The tables of a tournament's round: they are made with everybody seated, looked after, and what comes of them is
 * counted.
 *
 * Their ids follow from the tournament's seed, the round and the number; so after a crash in the middle of a round all
 * its tables are asked for again, those that were made are found, and what came of them meanwhile is counted then.
 *
 * Whoever has been replaced by a computer player and does not come back, in time or before the end of the game, has
 * left the game and the tournament. A game that all but one have left is won by that one. When the time of a round is
 * up, those who still play share the point of their table. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"
#include "server/tournaments_inside.h"

#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { FAR_MS = 5000 }; /* between two looks at a table that is not here */

static void table_found_to_end(void *context, table *table)
{
    (void)context;
    if (table == NULL)
        return;
    if (gral_host_stage(table->host) != GRAL_ENDED)
        table_dissolve(table);
    table_release(table);
}

void contest_end_tables(const contest *contest)
{
    const tournament_round *round = tournament_now(&contest->state);
    for (unsigned number = 0; round != NULL && number < round->count && lead_is(contest->server); number++) {
        char id[GRAL_GAME_ID_MAX + 1];
        contest_table_id(contest, contest->state.rounds, number, id);
        if (round->table[number].count > 1 && !round->table[number].over)
            tables_find(contest->server, id, table_found_to_end, NULL);
    }
}

/* --- what comes of a table --- */

/* Those who play themselves. */
static unsigned who_stays(const gral_host *host)
{
    unsigned staying = 0;
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(host, seat);
        staying |= at.user != 0 && !at.resigned && !at.computer ? 1u << seat : 0;
    }
    return staying;
}

static bool is_decided(const gral_host *host, unsigned *first)
{
    const enum gral_host_end end = gral_host_end(host);
    uint8_t place[GRAL_PLAYERS_MAX];
    *first = who_stays(host);
    if (gral_host_stage(host) != GRAL_ENDED) {
        const unsigned last = rating_last_one(host);
        return last != GRAL_NOBODY && *first == 1u << last;
    }
    if (end != GRAL_END_GAME && end != GRAL_END_AGREED)
        return true;
    rating_places(host, place);
    *first = 0;
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++)
        *first |= place[seat] == 0 ? 1u << seat : 0;
    return true;
}

/* He was replaced, has not come back, and does not look. */
static bool is_missing(const table *table, unsigned seat)
{
    const gral_host_seat at = gral_host_seat_at(table->host, seat);
    return at.user != 0 && at.computer && !at.resigned && (table->present >> seat & 1) == 0;
}

/* Nobody is to wait for them in the next round as well. */
static void leave_missing(contest *contest, const table *table)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        if (is_missing(table, seat))
            contest_leave(contest, gral_host_seat_at(table->host, seat).user);
}

static void settle(contest *contest, unsigned number, table *table, bool at_once)
{
    unsigned first;
    const bool decided = is_decided(table->host, &first);
    if ((!decided && !at_once) || contest->settled >> number & 1)
        return;
    char words[TOURNAMENT_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    tournament_print_result(&text, &contest->state, number, first);
    contest->settled |= UINT64_C(1) << number;
    leave_missing(contest, table);
    if (gral_host_stage(table->host) != GRAL_ENDED)
        table_dissolve(table);
    contest_lead_step(contest, words);
}

static void miss(contest *contest, table *table)
{
    const int64_t now = server_now(table->server), patience = watch_patience(table);
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        if (!is_missing(table, seat) || now - table->gone_since[seat] < patience)
            continue;
        const uint64_t user = gral_host_seat_at(table->host, seat).user;
        const gral_input input = {.kind = GRAL_INPUT_RESIGN, .seat = (uint8_t)seat, .other = GRAL_NOBODY};
        table_submit_for(table, &input, user);
        contest_leave(contest, user);
    }
}

static bool is_played(const contest *contest, unsigned number)
{
    const tournament_round *round = tournament_now(&contest->state);
    return contest->state.stage == TOURNAMENT_RUNNING && number < round->count && !round->table[number].over;
}

void tournaments_follow(table *table)
{
    const char *id = gral_host_terms(table->host)->tournament;
    contest *contest = id[0] != '\0' && lead_is(table->server) ? contest_find(table->server, id) : NULL;
    for (unsigned number = 0; contest != NULL && number < TOURNAMENT_TABLES_MAX; number++)
        if (is_played(contest, number) && strcmp(contest->table[number], table->id) == 0)
            settle(contest, number, table, false);
}

/* --- its tables --- */

typedef struct visit {
    contest *contest;
    unsigned round, number;
    bool time_is_up;
} visit;

static visit *begin_visit(contest *contest, unsigned number)
{
    visit *visit = memory_get(sizeof *visit);
    *visit = (struct visit){.contest = contest, .round = contest->state.rounds, .number = number};
    contest->busy++;
    return visit;
}

/* Whether it is still wanted. */
static bool end_visit(const visit *visit)
{
    contest *contest = visit->contest;
    contest->busy--;
    return visit->round == contest->state.rounds && is_played(contest, visit->number) && lead_is(contest->server);
}

static void table_made(void *context, table *table)
{
    const visit visit = *(struct visit *)context;
    contest *contest = visit.contest;
    free(context);
    if (!end_visit(&visit)) {
        if (contest->state.stage == TOURNAMENT_OFF)
            contest_end_tables(contest);
        return;
    }
    if (table == NULL) { /* nothing could be stored: it is asked for again */
        contest->made &= ~(UINT64_C(1) << visit.number);
        contest->not_before = server_now(contest->server) + RETRY_MS;
        return;
    }
    herald_round(table);
    settle(contest, visit.number, table, false);
}

void contest_table_id(const contest *contest, unsigned round, unsigned number, char id[GRAL_GAME_ID_MAX + 1])
{
    const uint64_t seed = contest->state.terms.seed;
    const struct {
        char words[12];
        uint32_t round, number;
    } which = {"tournament", round, number};
    id_make(id, (const uint8_t *)&seed, sizeof seed, (gral_span){(const char *)&which, sizeof which});
}

static void make_table(contest *contest, unsigned number)
{
    server *server = contest->server;
    const tournament *state = &contest->state;
    const tournament_table *table = &tournament_now(state)->table[number];
    gral_terms terms = contest->terms;
    sitting people[TOURNAMENT_SEATS_MAX];
    terms.settings = gral_settings_for(table->count);
    terms.settings.limit = contest->terms.settings.limit;
    terms.settings.first = (uint8_t)randombytes_uniform(table->count);
    contest_table_id(contest, state->rounds, number, terms.game);
    memcpy(terms.tournament, contest->id, sizeof terms.tournament);
    for (unsigned seat = 0; seat < table->count; seat++) {
        const uint64_t user = state->person[table->who[seat]].user;
        person_name(server, user); /* known from now on */
        people[seat] = (sitting){.person = person_find(server, user), .seat = seat};
        if (people[seat].person == NULL)
            return;
    }
    contest->made |= UINT64_C(1) << number;
    memcpy(contest->table[number], terms.game, sizeof terms.game);
    tables_make_leading(server, &terms, people, table->count, &(origin){0}, table_made, begin_visit(contest, number));
}

static void look_at(contest *contest, unsigned number, table *table, bool time_is_up)
{
    miss(contest, table);
    settle(contest, number, table, time_is_up);
}

static void table_looked_at(void *context, table *table)
{
    const visit visit = *(struct visit *)context;
    contest *contest = visit.contest;
    free(context);
    contest->looking &= ~(UINT64_C(1) << visit.number);
    const bool wanted = end_visit(&visit);
    if (wanted && table == NULL)
        contest->made &= ~(UINT64_C(1) << visit.number);
    else if (wanted)
        look_at(contest, visit.number, table, visit.time_is_up);
    if (table != NULL)
        table_release(table);
}

static void ask_for_table(contest *contest, unsigned number, bool time_is_up)
{
    contest->looked[number] = server_now(contest->server);
    contest->looking |= UINT64_C(1) << number;
    visit *visit = begin_visit(contest, number);
    visit->time_is_up = time_is_up;
    tables_find(contest->server, contest->table[number], table_looked_at, visit);
}

/* One that another server keeps may not be here, and is asked for less often. */
static void look_after_table(contest *contest, unsigned number, bool time_is_up)
{
    table *table;
    const uint64_t bit = UINT64_C(1) << number;
    const int64_t now = server_now(contest->server);
    if ((contest->made & bit) == 0) {
        make_table(contest, number);
        return;
    }
    HASH_FIND_STR(contest->server->tables, contest->table[number], table);
    if (table != NULL && table->host != NULL && table_is_kept(table))
        look_at(contest, number, table, time_is_up);
    else if ((contest->looking & bit) == 0 && now - contest->looked[number] >= (time_is_up ? 0 : FAR_MS))
        ask_for_table(contest, number, time_is_up);
}

void tournaments_hear_table(server *server, const char *game)
{
    contest *contest, *next;
    HASH_ITER(hh, server->tournaments->all, contest, next)
    {
        for (unsigned number = 0; lead_is(server) && number < TOURNAMENT_TABLES_MAX; number++)
            if (is_played(contest, number) && strcmp(contest->table[number], game) == 0) {
                contest->looked[number] = 0;
                look_after_table(contest, number, false);
            }
    }
}

void contest_look_after_tables(contest *contest, bool time_is_up)
{
    for (unsigned number = 0; number < tournament_now(&contest->state)->count; number++)
        if (is_played(contest, number))
            look_after_table(contest, number, time_is_up);
}
