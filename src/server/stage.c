/* The stages of a table, as the store and the lobby know them: owns what was last told of it. The results of a game are
 * written together with its end, so that nobody is counted twice and nobody is forgotten. */
#include "server/parts.h"

#include "server/memory.h"

#include <stdlib.h>

typedef struct report {
    table *table;
    uint8_t stage;
    bool rated;
    store_write write[2 + 2 * GRAL_PLAYERS_MAX];
} report;

static void reported(void *context, enum store_outcome outcome)
{
    report *report = context;
    table *table = report->table;
    table->busy--;
    if (outcome == STORE_DONE)
        table->reported = report->stage == STORE_OVER;
    if (outcome == STORE_DONE && report->rated)
        ratings_go_on(table->server);
    if (outcome == STORE_DONE && report->stage == STORE_OVER)
        herald_wake(table->server);
    free(report); /* where the disk refused: clearing.c tries again */
    table_release(table);
}

static void put_results(const table *table, report *report, size_t *count)
{
    const gral_view view = gral_host_view(table->host, GRAL_SPECTATOR);
    const gral_settings *settings = &gral_host_terms(table->host)->settings;
    const bool abandoned = gral_host_end(table->host) == GRAL_END_ABANDONED;
    const unsigned winner = abandoned ? rating_last_one(table->host) : view.open.winner;
    for (unsigned seat = 0; seat < settings->players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        if (at.user == 0 || (abandoned && !at.resigned && seat != winner))
            continue;
        const bool drawn = winner == GRAL_NOBODY && !at.resigned;
        report->write[(*count)++] = (store_write){
            .kind = STORE_RESULT,
            .game = table->id,
            .seat = (uint8_t)seat,
            .user = at.user,
            .players = settings->players,
            .time = report->write[0].time,
            .result = drawn                            ? STORE_DRAWN
                      : winner == seat && !at.resigned ? STORE_WON
                                                       : STORE_LOST,
            .rules = settings->rules == GRAL_ORIGINAL ? "original" : "standard",
        };
    }
}

void stage_report(table *table)
{
    const enum gral_host_stage stage = gral_host_stage(table->host);
    report *report = memory_get(sizeof *report);
    report->table = table;
    report->stage = stage == GRAL_ENDED ? STORE_OVER : STORE_RUNNING;
    report->write[0] = (store_write){
        .kind = STORE_SET_STAGE, .game = table->id, .stage = report->stage, .time = server_now(table->server)};
    size_t count = 1;
    if (stage == GRAL_ENDED && gral_host_end(table->host) != GRAL_END_CLOSED)
        put_results(table, report, &count);
    rating_outcome outcome;
    report->rated = rating_outcome_of(table->host, &outcome);
    if (report->rated)
        report->write[count++] = (store_write){.kind = STORE_RATE_LATER, .game = table->id};
    if (stage == GRAL_ENDED)
        herald_put_end(table, report->write, &count);
    table->busy++;
    commit_write(table->server->commit, report->write, count, reported, report);
}

void stage_loaded(table *table)
{
    const enum gral_host_stage stage = gral_host_stage(table->host);
    table->told_stage = (uint8_t)stage;
    table->reported = stage == GRAL_ENDED;
    table->server->running_count += stage == GRAL_PLAYING;
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
    stage_report(table);
    lobby_changed(table);
}
