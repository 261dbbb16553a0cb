/* Computer players of a table: who must think, and when what they have thought out is told. */
#include "server/several.h"
#include "server/table_inside.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* Nobody thinks for a table that nobody looks at, unless several persons play there, for whom it goes on meanwhile. */
static bool anybody_there(const table *table)
{
    unsigned persons = 0;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        persons += !gral_host_seat_at(table->host, seat).computer;
    return table->watches != NULL || persons > 1 || crowds_any(table->server, table->id);
}

/* What a player may think, in milliseconds, and less where the pace is short; everybody knows both. */
static int64_t thinking_time(const table *table, const char *player)
{
    enum { LEAST = 20 };
    const int64_t usual = gral_player_time(gral_span_of(player));
    const int64_t most = 6 * (int64_t)gral_host_terms(table->host)->pace / 10;
    return most >= LEAST && most < usual ? most : usual;
}

static void limit_thinking(gral_task *task, int64_t milliseconds)
{
    gral_text text = {task->player, strlen(task->player), sizeof task->player};
    gral_text_add(&text, strchr(task->player, ':') != NULL ? "," : ":");
    gral_text_add_number(&text, (uint64_t)milliseconds);
    gral_text_add(&text, "ms");
}

/* In its own turn a player may think twice: what to do, and then what to assign. Whether it does is nobody's business,
 * and how long the second time takes depends on the units it has left. */
static int64_t thoughts_at_once(const gral_task *task)
{
    return task->view.open.phase == GRAL_TURN ? 2 : 1;
}

/* From being asked to having decided: a third more than the thinking, for the way there and back. */
static int64_t whole_time(int64_t thinking)
{
    return (4 * thinking + 2) / 3;
}

/* Whoever plays, and where the table was made; where that was in an earlier life, he is alone. */
static think_payer payer_of(const table *table)
{
    think_payer payer = {table->payer, table->payer};
    if (table->from.count > 0)
        payer.network = source_number(&table->from.source[0]);
    return payer;
}

static void thought_out(void *context, const thought *thought);

static void ask(deliberation *deliberation, unsigned seat)
{
    table *table = deliberation->table;
    gral_task task;
    if (!gral_host_task(table->host, seat, &task)) {
        log_line(LOG_ERROR, "memory", NULL);
        abort();
    }
    const int64_t time = thinking_time(table, task.player), all = time * thoughts_at_once(&task);
    if (all > deliberation->each)
        deliberation->each = all;
    deliberation->awaited++;
    table->thinking |= (uint16_t)(1 << seat);
    limit_thinking(&task, time);
    think_about(table->server->think, &task, payer_of(table), (uint64_t)all, thought_out, deliberation);
}

void table_start_thinking(table *table)
{
    const uint16_t wanted = (uint16_t)(gral_host_thinking(table->host) & ~table->thinking);
    if (wanted == 0 || table->server->stopping || !table_is_kept(table) || !anybody_there(table))
        return;
    deliberation *deliberation = memory_get(sizeof *deliberation);
    deliberation->table = table;
    deliberation->asked = table_now(table);
    deliberation->began = uv_hrtime();
    deliberation->told_at = INT64_MAX;
    LL_APPEND(table->deliberations, deliberation);
    table->busy++;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (wanted >> seat & 1)
            ask(deliberation, seat);
    const unsigned threads = table->server->settings.thinkers;
    deliberation->rounds = (deliberation->awaited + threads - 1) / threads;
}

/* When the decisions of seats that were asked at the same moment are told: all at the same time, one after the other in
 * the order of the seats, however soon each of them was ready. They are taken to have needed all of the time they may
 * need, as many at once as there are threads. Where a thread began later than that, because many think for others, it
 * is the next multiple of that time. So the time shows the number of seats, their levels, the pace, and how busy the
 * server is; nothing that any of them holds (R10.2). */
static int64_t time_to_tell(const deliberation *deliberation, uint64_t now)
{
    const int64_t whole = whole_time(deliberation->each) * deliberation->rounds;
    const int64_t taken = (int64_t)(now - deliberation->began) / 1000000;
    const int64_t due = (int64_t)(deliberation->last - deliberation->began) / 1000000 + deliberation->each;
    const int64_t needed = taken > due ? taken : due;
    const int64_t times = needed > whole ? (needed + whole - 1) / whole : 1;
    return gral_host_tell_time(deliberation->table->host, deliberation->asked + times * whole);
}

static void thought_out(void *context, const thought *thought)
{
    deliberation *deliberation = (struct deliberation *)context;
    table *table = deliberation->table;
    deliberation->thought[thought->seat] = *thought;
    deliberation->thought_out |= (uint16_t)(1 << thought->seat);
    if (thought->began > deliberation->last)
        deliberation->last = thought->began;
    if (--deliberation->awaited > 0)
        return;
    deliberation->told_at = time_to_tell(deliberation, uv_hrtime());
    table->busy--;
    table_set_timer(table);
    table_release(table);
}

static void tell_decision(table *table, const thought *thought)
{
    gral_input input = {.kind = GRAL_INPUT_DO,
                        .seat = (uint8_t)thought->seat,
                        .other = GRAL_NOBODY,
                        .computer = true,
                        .action_count = (uint8_t)thought->count};
    memcpy(input.action, thought->action, sizeof input.action);
    table_submit_thought(table, &input, thought->version);
    if (!thought->offers)
        return;
    input = (gral_input){.kind = GRAL_INPUT_OFFER,
                         .seat = (uint8_t)thought->seat,
                         .other = GRAL_NOBODY,
                         .computer = true,
                         .offer = thought->offer};
    table_submit_for(table, &input, 0);
}

/* A seat that could not be thought for is asked again when something else happens at the table. */
static void tell_decisions(table *table, const deliberation *deliberation)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        if ((deliberation->thought_out >> seat & 1) == 0)
            continue;
        if (deliberation->thought[seat].count > 0)
            tell_decision(table, &deliberation->thought[seat]);
        else
            table->thinking &= (uint16_t)(~(1 << seat));
    }
}

void deliberations_tell(table *table, int64_t now)
{
    deliberation *deliberation, *next;
    LL_FOREACH_SAFE(table->deliberations, deliberation, next)
    {
        if (deliberation->told_at > now)
            continue;
        LL_DELETE(table->deliberations, deliberation);
        tell_decisions(table, deliberation);
        free(deliberation);
    }
}

int64_t deliberations_due(const table *table)
{
    int64_t first = INT64_MAX;
    const deliberation *deliberation;
    LL_FOREACH(table->deliberations, deliberation)
    {
        if (deliberation->told_at < first)
            first = deliberation->told_at;
    }
    return first;
}

void deliberations_forget(table *table)
{
    while (table->deliberations != NULL) {
        deliberation *deliberation = table->deliberations;
        table->deliberations = deliberation->next;
        free(deliberation);
    }
}
