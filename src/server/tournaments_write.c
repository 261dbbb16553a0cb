/* What happens in a tournament goes into its log, one thing after the other, and is done once it is stored. Where
 * another server was quicker, what somebody wants is judged again; what comes by itself comes again if it is still so.
 */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tournaments_inside.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { CONFLICTS_MAX = 8 };

static void end_step(step *step)
{
    if (step->conn != NULL)
        conn_release(step->conn);
    free(step);
}

bool contest_is_joining(const contest *contest, uint64_t user)
{
    bool joins = contest->writing != NULL && contest->writing->user == user;
    for (const step *step = contest->first; step != NULL && !joins; step = step->next)
        joins = step->user == user;
    return joins;
}

/* Unless it was read from the store meanwhile. */
static void happen(contest *contest, const step *step)
{
    const unsigned rounds = contest->state.rounds;
    const bool over = contest_is_over(contest);
    if (contest->count == step->write[0].number) {
        tournament_apply(&contest->state, gral_span_of(step->text), step->write[0].time);
        contest->count++;
        contest_follow(contest, rounds, over);
    }
    if (strcmp(step->text, "off") == 0)
        herald_tournament(contest->server, contest->id, NEWS_OFF);
}

/* Another server has written something first, or leads now. What comes by itself comes again if it is still so. */
static void overtaken(contest *contest, step *step)
{
    contest->settled = 0;
    step->conflicts++;
    if (step->leads)
        end_step(step);
    else
        LL_PREPEND(contest->first, step);
    contest_catch_up(contest->server, contest->id);
}

static void stored(void *context, enum store_outcome outcome)
{
    step *step = context;
    contest *contest = step->contest;
    contest->writing = NULL;
    if (outcome == STORE_CONFLICT && !peers_alone(contest->server) && step->conflicts < CONFLICTS_MAX) {
        overtaken(contest, step);
        return;
    }
    if (outcome == STORE_DONE) {
        happen(contest, step);
        if (step->conn != NULL)
            answer_ok(step->conn, step->re);
    } else {
        contest->settled = 0;
        contest->not_before = server_now(contest->server) + RETRY_MS;
        if (step->conn != NULL)
            answer_refused(step->conn, step->re, refused_storage);
    }
    end_step(step);
    contest_go_on(contest);
}

static void write_step(contest *contest, step *step, int64_t now, bool ends)
{
    size_t count = 0;
    step->write[count++] = (store_write){.kind = STORE_TOURNAMENT,
                                         .game = contest->id,
                                         .number = contest->count,
                                         .time = now,
                                         .text = gral_span_of(step->text)};
    if (step->user != 0)
        step->write[count++] = (store_write){.kind = STORE_ENTER, .game = contest->id, .user = step->user};
    if (ends)
        step->write[count++] = (store_write){.kind = STORE_TOURNAMENT_OVER, .game = contest->id};
    if (step->leads)
        step->write[0] = lead_write(contest->server, step->write[0]);
    contest->writing = step;
    commit_write(contest->server->commit, step->write, count, stored, step);
}

static const refusal refused_later = {"begun", N_("this tournament has begun or is over")};

/* What is left of it to be written, if anything is; else whoever wants it is answered. */
static bool is_still_wanted(contest *contest, const step *step, tournament *after, int64_t now)
{
    const person *person = step->conn != NULL ? step->conn->person : NULL;
    const bool judged_again = step->conflicts > 0 && person != NULL, joins = step->user != 0;
    const refusal *why = judged_again && joins ? contest_refuses(contest, person) : NULL;
    *after = contest->state;
    if (judged_again && contest_is_in(contest, person) == joins)
        answer_ok(step->conn, step->re);
    else if (why == NULL && tournament_apply(after, gral_span_of(step->text), now) &&
             (!step->leads || lead_is(contest->server)))
        return true;
    else if (step->conn != NULL)
        answer_refused(step->conn, step->re, why != NULL ? *why : refused_later);
    return false;
}

void contest_write_next(contest *contest)
{
    while (contest->first != NULL && contest->writing == NULL && !contest->reading && !contest->server->stopping) {
        step *step = contest->first;
        tournament after;
        const int64_t now = server_now(contest->server);
        LL_DELETE(contest->first, step);
        if (is_still_wanted(contest, step, &after, now))
            write_step(contest, step, now, after.stage >= TOURNAMENT_OVER);
        else
            end_step(step);
    }
}

static step *add_step(contest *contest, const char *text)
{
    step *step = memory_get(sizeof *step);
    step->contest = contest;
    memcpy(step->text, text, strlen(text) + 1);
    LL_APPEND(contest->first, step);
    return step;
}

void contest_step(contest *contest, const char *text, uint64_t joins, conn *conn, const char *re)
{
    step *step = add_step(contest, text);
    step->conn = conn != NULL ? conn_hold(conn) : NULL;
    step->user = joins;
    memcpy(step->re, re, strlen(re) + 1);
    contest_write_next(contest);
}

void contest_lead_step(contest *contest, const char *text)
{
    add_step(contest, text)->leads = true;
    contest_write_next(contest);
}

void contest_drop_steps(contest *contest)
{
    while (contest->first != NULL) {
        step *step = contest->first;
        LL_DELETE(contest->first, step);
        end_step(step);
    }
}

void contest_refuse_all(contest *contest)
{
    contest->not_before = server_now(contest->server) + RETRY_MS;
    while (contest->first != NULL) {
        step *step = contest->first;
        LL_DELETE(contest->first, step);
        if (step->conn != NULL)
            answer_refused(step->conn, step->re, refused_storage);
        end_step(step);
    }
}
