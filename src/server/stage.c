/* The stages of a table, as the store and the lobby know them: owns what was last told of it. The results of a game are
 * written together with its end, so that nobody is counted twice and nobody is forgotten. */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>

typedef struct report {
    table *table;
    uint8_t stage;
    store_write write[2 + 2 * GRAL_PLAYERS_MAX];
} report;

static void reported(void *context, enum store_outcome outcome)
{
    report *report = context;
    table *table = report->table;
    table->busy--;
    if (outcome == STORE_CONFLICT && table->fence > 0)
        table_ask_who_keeps(table);
    if (outcome == STORE_DONE)
        table->reported = report->stage == STORE_OVER;
    if (outcome == STORE_DONE && report->stage == STORE_OVER) {
        ratings_go_on(table->server);
        herald_wake(table->server);
    }
    free(report); /* where the disk refused: clearing.c tries again */
    table_release(table);
}

bool stage_result(const gral_host *host, unsigned seat, uint8_t *result)
{
    const gral_host_seat at = gral_host_seat_at(host, seat);
    const enum gral_host_end end = gral_host_end(host);
    const bool abandoned = end == GRAL_END_ABANDONED;
    const unsigned winner = abandoned ? rating_last_one(host) : gral_host_view(host, GRAL_SPECTATOR).open.winner;
    if (at.user == 0 || end == GRAL_END_CLOSED || (abandoned && !at.resigned && winner != seat))
        return false;
    *result = at.resigned ? STORE_LOST : winner == GRAL_NOBODY ? STORE_DRAWN : winner == seat ? STORE_WON : STORE_LOST;
    return true;
}

static void put_results(const table *table, report *report, size_t *count)
{
    const gral_settings *settings = &gral_host_terms(table->host)->settings;
    const size_t before = *count;
    for (unsigned seat = 0; seat < settings->players; seat++) {
        uint8_t result;
        if (stage_result(table->host, seat, &result))
            report->write[(*count)++] = (store_write){
                .kind = STORE_RESULT,
                .game = table->id,
                .seat = (uint8_t)seat,
                .user = gral_host_seat_at(table->host, seat).user,
                .players = settings->players,
                .result = result,
                .rules = settings->rules == GRAL_ORIGINAL ? "original" : "standard",
            };
    }
    if (*count > before)
        report->write[(*count)++] = (store_write){.kind = STORE_READ_LATER, .game = table->id};
}

void stage_report(table *table)
{
    const enum gral_host_stage stage = gral_host_stage(table->host);
    report *report = memory_get(sizeof *report);
    report->table = table;
    report->stage = stage == GRAL_ENDED ? STORE_OVER : STORE_RUNNING;
    report->write[0] = (store_write){.kind = STORE_SET_STAGE,
                                     .game = table->id,
                                     .stage = report->stage,
                                     .time = server_now(table->server),
                                     .fence = table->fence};
    size_t count = 1;
    if (stage == GRAL_ENDED) {
        put_results(table, report, &count);
        herald_put_end(table, report->write, &count);
    }
    table->busy++;
    commit_write(table->server->commit, report->write, count, reported, report);
}

void stage_loaded(table *table, enum store_stage stage)
{
    static const uint8_t known[STORE_STAGES] = {
        [STORE_OPEN] = GRAL_GATHERING, [STORE_RUNNING] = GRAL_PLAYING, [STORE_OVER] = GRAL_ENDED};
    table->told_stage = known[stage];
    table->reported = stage == STORE_OVER;
    table->server->running_count += stage == STORE_RUNNING;
}

void stage_follow(table *table)
{
    seats_follow(table);
    const enum gral_host_stage stage = gral_host_stage(table->host);
    if (stage == table->told_stage)
        return;
    server *server = table->server;
    server->running_count += stage == GRAL_PLAYING;
    server->running_count -= table->told_stage == GRAL_PLAYING;
    table->told_stage = (uint8_t)stage;
    server->figures.games_ended += stage == GRAL_ENDED;
    if (table_is_kept(table))
        stage_report(table);
    lobby_changed(table);
}
