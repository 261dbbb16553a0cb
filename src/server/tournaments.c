/* Tournaments go on by themselves: they begin, a round's tables are made and looked after (tournaments_tables.c), and
 * when all have come to an end the next round begins.
 *
 * Whatever happens is a text (tournament.h), stored before it is done, one at a time (tournaments_write.c).
 *
 * Of several servers each has all of them, and catches up by number with what others have written. What people want is
 * written wherever they ask; what comes by itself, only by the server that leads. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tournaments_inside.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 1000, SOON_MS = 200, REMIND_MS = 60 * 60 * 1000 };

static void look_after(uv_timer_t *timer);

bool contest_is_over(const contest *contest)
{
    return contest->state.stage >= TOURNAMENT_OVER;
}

contest *contest_find(const server *server, const char *id)
{
    contest *contest;
    HASH_FIND_STR(server->tournaments->all, id, contest);
    return contest;
}

static void wake(server *server)
{
    uv_timer_t *timer = &server->tournaments->timer;
    const int64_t untold = server->tournaments->tell_at - server_now(server);
    const uint64_t soon = untold > SOON_MS ? (uint64_t)untold : SOON_MS;
    if (!server->stopping && (!uv_is_active((uv_handle_t *)timer) || uv_timer_get_due_in(timer) > soon))
        uv_timer_start(timer, look_after, soon, LOOK_MS);
}

/* It is told soon. */
static void change(contest *contest)
{
    contest->changed = true;
    wake(contest->server);
}

/* --- from its texts --- */

void contest_print(const contest *contest, char *words, size_t room)
{
    gral_text text = gral_text_in(words, room);
    tournament_print(&text, &contest->state.terms);
    gral_text_add(&text, "\n");
    gral_terms_print(&text, &contest->terms);
}

/* The first text has a line for the tournament and one for its tables. */
static contest *make(gral_span text, int64_t time)
{
    contest *contest = memory_get(sizeof *contest);
    const char *line = memchr(text.bytes, '\n', text.length);
    const size_t first = line != NULL ? (size_t)(line - text.bytes) : 0;
    gral_error error;
    if (line != NULL && tournament_make(&contest->state, (gral_span){text.bytes, first}, time) &&
        gral_terms_parse((gral_span){line + 1, text.length - first - 1}, &contest->terms, &error)) {
        memcpy(contest->id, contest->terms.game, sizeof contest->id);
        contest->count = 1;
        return contest;
    }
    free(contest);
    return NULL;
}

bool contest_read(void *context, const store_entry *entry)
{
    stored_contest *stored = context;
    if (entry->number == 0) {
        stored->contest = make(entry->text, entry->time);
    } else if (stored->contest != NULL && tournament_apply(&stored->contest->state, entry->text, entry->time)) {
        stored->contest->count++;
    } else {
        free(stored->contest);
        stored->contest = NULL;
    }
    return stored->contest != NULL;
}

void contest_add(server *server, contest *contest)
{
    contest->server = server;
    HASH_ADD_STR(server->tournaments->all, id, contest);
    server->tournaments->unfinished += !contest_is_over(contest);
    change(contest);
}

/* --- what follows from what has happened --- */

static void begin_round(contest *contest)
{
    contest->made = contest->settled = 0;
    memset(contest->table, 0, sizeof contest->table);
    memset(contest->looked, 0, sizeof contest->looked);
}

/* The oldest that are over are in the store. */
static void forget_oldest(server *server)
{
    unsigned over = 0;
    contest *contest, *next;
    HASH_ITER(hh, server->tournaments->all, contest, next)
    {
        over += contest_is_over(contest);
    }
    HASH_ITER(hh, server->tournaments->all, contest, next)
    {
        if (over <= OVER_KEPT)
            return;
        if (!contest_is_over(contest) || contest->busy > 0 || contest->writing != NULL || contest->first != NULL)
            continue;
        over--;
        HASH_DEL(server->tournaments->all, contest);
        free(contest);
    }
}

void contest_follow(contest *contest, unsigned rounds, bool over)
{
    if (contest->state.rounds != rounds)
        begin_round(contest);
    if (contest_is_over(contest) && !over)
        contest->server->tournaments->unfinished--;
    if (contest->state.stage == TOURNAMENT_OFF && !over) {
        contest_tell_off(contest);
        contest_end_tables(contest);
    }
    change(contest);
}

static void go_on(contest *contest);

void contest_go_on(contest *contest)
{
    contest_write_next(contest);
    if (contest->writing == NULL)
        go_on(contest);
}

void contest_leave(contest *contest, uint64_t user)
{
    char words[TOURNAMENT_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    const unsigned who = tournament_find(&contest->state, user);
    if (who == contest->state.count || contest->state.person[who].left || contest_is_over(contest))
        return;
    tournament_print_person(&text, false, user);
    contest_step(contest, words, 0, NULL, "");
}

void tournaments_forget(server *server, uint64_t user)
{
    for (contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next)
        contest_leave(contest, user);
}

void tournaments_keep_out(server *server, uint64_t maker, uint64_t user)
{
    for (contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next)
        if (contest->state.stage == TOURNAMENT_OPEN && contest->state.terms.maker == maker)
            contest_leave(contest, user);
}

/* --- what comes by itself --- */

/* Whoever is nobody any more cannot play on. */
static bool send_nobodies_away(contest *contest)
{
    for (unsigned who = 0; who < contest->state.count; who++)
        if (!contest->state.person[who].left &&
            person_name(contest->server, contest->state.person[who].user)[0] == '\0') {
            contest_leave(contest, contest->state.person[who].user);
            return true;
        }
    return false;
}

static void begin_next_round(contest *contest)
{
    char words[TOURNAMENT_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    if (send_nobodies_away(contest))
        return;
    tournament_pair(&contest->state, company_may_meet, contest->server, &text);
    contest_lead_step(contest, words);
}

/* Who has joined only since then knows it. */
static void remind(contest *contest, int64_t now)
{
    const int64_t time = contest->state.terms.begins - REMIND_MS;
    if (contest->reminded || contest->state.stage != TOURNAMENT_OPEN || contest->state.terms.begins == 0 || now < time)
        return;
    contest->reminded = true;
    if (contest->state.made < time)
        herald_tournament(contest->server, contest->id, NEWS_SOON);
}

static void go_on(contest *contest)
{
    int64_t next;
    const int64_t now = server_now(contest->server);
    if (!lead_is(contest->server))
        return;
    remind(contest, now);
    if (contest_is_over(contest) || contest->first != NULL || contest->writing != NULL || contest->reading ||
        now < contest->not_before)
        return;
    const enum tournament_event due = tournament_due(&contest->state, now, &next);
    if (due == TOURNAMENT_NEXT_ROUND)
        begin_next_round(contest);
    else if (due == TOURNAMENT_ENDS)
        contest_lead_step(contest, "over");
    else if (due == TOURNAMENT_FAILS)
        contest_lead_step(contest, "off");
    else if (contest->state.stage == TOURNAMENT_RUNNING)
        contest_look_after_tables(contest, due == TOURNAMENT_TIME_UP);
}

static void look_after(uv_timer_t *timer)
{
    server *server = timer->data;
    contest *contest, *next;
    if (server->stopping)
        return;
    HASH_ITER(hh, server->tournaments->all, contest, next)
    {
        go_on(contest);
    }
    const bool tells = server_now(server) >= server->tournaments->tell_at;
    if (tells)
        contest_tell_changes(server);
    forget_oldest(server);
    if (tells && server->tournaments->unfinished == 0)
        uv_timer_stop(timer);
}

/* --- for others --- */

bool tournaments_news(server *server, const char *id, uint64_t user, enum news_of_tournament news,
                      tournament_news *found)
{
    const contest *contest = contest_find(server, id);
    const person *person = person_find(server, user);
    if (contest == NULL)
        return false;
    const tournament *state = &contest->state;
    const unsigned who = tournament_find(state, user);
    bool looks = false;
    for (const conn *conn = person != NULL ? person->conns : NULL; conn != NULL; conn = conn->next_of_person)
        looks |= !conn->away && strcmp(conn->tournament, id) == 0;
    found->title = state->terms.title;
    found->matters = who < state->count && !state->person[who].left && !looks &&
                     (news == NEWS_SOON ? state->stage == TOURNAMENT_OPEN : state->stage == TOURNAMENT_OFF);
    return true;
}

unsigned tournaments_people(server *server, const char *id, uint64_t people[TOURNAMENT_ENTRANTS_MAX])
{
    const contest *contest = contest_find(server, id);
    unsigned count = 0;
    for (unsigned who = 0; contest != NULL && who < contest->state.count; who++)
        if (!contest->state.person[who].left)
            people[count++] = contest->state.person[who].user;
    return count;
}

bool tournaments_can_end(const server *server, const char *id)
{
    const contest *contest = contest_find(server, id);
    return contest != NULL && !contest_is_over(contest);
}

void tournaments_end(server *server, const char *id)
{
    if (tournaments_can_end(server, id))
        contest_step(contest_find(server, id), "off", 0, NULL, "");
}

void tournaments_cleared(server *server, const char *id)
{
    contest *contest = contest_find(server, id);
    if (contest == NULL || !contest_is_over(contest) || contest->busy > 0 || contest->writing != NULL)
        return;
    HASH_DEL(server->tournaments->all, contest);
    free(contest);
}

/* All tables of the rounds under way are looked for. */
void tournaments_lead(server *server)
{
    for (contest *contest = server->tournaments->all; contest != NULL; contest = contest->hh.next)
        begin_round(contest);
    if (server->tournaments->all != NULL)
        wake(server);
}

/* --- beginning and end --- */

typedef struct starting {
    server *server;
    stored_contest stored;
    unsigned unreadable;
} starting;

static void finish(starting *starting)
{
    if (starting->stored.contest != NULL)
        contest_add(starting->server, starting->stored.contest);
    starting->stored.contest = NULL;
}

static bool take_stored(void *context, const store_entry *entry)
{
    starting *starting = context;
    if (entry->number == 0)
        finish(starting);
    const bool known = entry->number == 0 || starting->stored.contest != NULL;
    if (known && !contest_read(&starting->stored, entry))
        starting->unreadable++; /* it stays in the store, for somebody to look at */
    return true;
}

bool tournaments_open(server *server, gral_error *error)
{
    server->tournaments = memory_get(sizeof *server->tournaments);
    uv_timer_init(&server->loop, &server->tournaments->timer);
    server->tournaments->timer.data = server;
    starting starting = {.server = server};
    if (!server->store->kind->tournaments(server->store, OVER_KEPT, take_stored, &starting, error))
        return false;
    finish(&starting);
    if (starting.unreadable > 0)
        log_line(LOG_ERROR, "unreadable", "tournaments=%u", starting.unreadable);
    return true;
}

void tournaments_stop(server *server)
{
    uv_close((uv_handle_t *)&server->tournaments->timer, NULL);
}

void tournaments_close(server *server)
{
    contest *contest, *next;
    HASH_ITER(hh, server->tournaments->all, contest, next)
    {
        contest_drop_steps(contest);
        HASH_DEL(server->tournaments->all, contest);
        free(contest);
    }
    free(server->tournaments);
}
