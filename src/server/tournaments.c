/* Tournaments go on by themselves: they begin, their tables are made with everybody seated, what comes of a table is
 * counted, and the next round begins.
 *
 * Whatever happens is a text (tournament.h), stored before it is done, one at a time. The ids of tables follow from the
 * tournament's seed, the round and the number; so after a crash in the middle of a round all its tables are ordered
 * again, those that were made are found, and what came of them meanwhile is counted then.
 *
 * Whoever has been replaced by a computer player and does not come back has left the game and the tournament. A game
 * that all but one have left is won by that one. When the time of a round is up, those who still play share the point
 * of their table. */
#include "server/tournaments_inside.h"

#include "server/log.h"
#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { LOOK_MS = 1000, SOON_MS = 200, RETRY_MS = 5000, OVER_KEPT = 100, REMIND_MS = 60 * 60 * 1000 };

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

void contest_change(contest *contest)
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
    contest_change(contest);
}

/* --- one thing after the other --- */

static void go_on(contest *contest);
static void write_next(contest *contest);

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

static void begin_round(contest *contest)
{
    contest->made = contest->settled = 0;
    memset(contest->table, 0, sizeof contest->table);
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

/* In the middle of a round, its games are over, too. */
static void end_tables(contest *contest)
{
    for (unsigned number = 0; number < TOURNAMENT_TABLES_MAX; number++) {
        table *table = NULL;
        if (contest->table[number][0] != '\0')
            HASH_FIND_STR(contest->server->tables, contest->table[number], table);
        if (table != NULL && table->host != NULL && gral_host_stage(table->host) != GRAL_ENDED)
            table_dissolve(table);
    }
}

static void call_off(contest *contest)
{
    contest_tell_off(contest);
    herald_tournament(contest->server, contest->id, NEWS_OFF);
    end_tables(contest);
}

static void happen(contest *contest, const step *step)
{
    const unsigned rounds = contest->state.rounds;
    const bool over = contest_is_over(contest);
    tournament_apply(&contest->state, gral_span_of(step->text), step->write[0].time);
    contest->count++;
    if (contest->state.rounds != rounds)
        begin_round(contest);
    if (contest_is_over(contest) && !over)
        contest->server->tournaments->unfinished--;
    if (contest->state.stage == TOURNAMENT_OFF && !over)
        call_off(contest);
    contest_change(contest);
}

static void stored(void *context, enum store_outcome outcome)
{
    step *step = context;
    contest *contest = step->contest;
    contest->writing = NULL;
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
    write_next(contest);
    if (contest->writing == NULL)
        go_on(contest);
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
    contest->writing = step;
    commit_write(contest->server->commit, step->write, count, stored, step);
}

static const refusal refused_later = {"begun", N_("this tournament has begun or is over")};

static void write_next(contest *contest)
{
    while (contest->first != NULL && contest->writing == NULL && !contest->server->stopping) {
        step *step = contest->first;
        LL_DELETE(contest->first, step);
        tournament after = contest->state;
        const int64_t now = server_now(contest->server);
        if (tournament_apply(&after, gral_span_of(step->text), now)) {
            write_step(contest, step, now, after.stage >= TOURNAMENT_OVER);
            continue;
        }
        if (step->conn != NULL)
            answer_refused(step->conn, step->re, refused_later);
        end_step(step);
    }
}

void contest_step(contest *contest, const char *text, uint64_t joins, conn *conn, const char *re)
{
    step *step = memory_get(sizeof *step);
    step->contest = contest;
    step->conn = conn != NULL ? conn_hold(conn) : NULL;
    step->user = joins;
    memcpy(step->re, re, strlen(re) + 1);
    memcpy(step->text, text, strlen(text) + 1);
    LL_APPEND(contest->first, step);
    write_next(contest);
}

static void leave(contest *contest, uint64_t user)
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
        leave(contest, user);
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
    if (gral_host_stage(table->host) != GRAL_ENDED)
        table_dissolve(table);
    contest_step(contest, words, 0, NULL, "");
}

/* He was replaced, has not come back, and does not look. */
static void miss(contest *contest, table *table)
{
    const int64_t now = server_now(table->server), patience = watch_patience(table);
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        if (at.user == 0 || !at.computer || at.resigned || (table->present >> seat & 1) != 0 ||
            now - table->gone_since[seat] < patience)
            continue;
        const gral_input input = {.kind = GRAL_INPUT_RESIGN, .seat = (uint8_t)seat, .other = GRAL_NOBODY};
        table_submit_for(table, &input, at.user);
        leave(contest, at.user);
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
    contest *contest = id[0] != '\0' ? contest_find(table->server, id) : NULL;
    for (unsigned number = 0; contest != NULL && number < TOURNAMENT_TABLES_MAX; number++)
        if (is_played(contest, number) && strcmp(contest->table[number], table->id) == 0)
            settle(contest, number, table, false);
}

/* --- its tables --- */

typedef struct order {
    contest *contest;
    unsigned round, number;
} order;

static void table_made(void *context, table *table)
{
    const order order = *(struct order *)context;
    contest *contest = order.contest;
    free(context);
    contest->busy--;
    if (order.round != contest->state.rounds || !is_played(contest, order.number)) {
        if (contest->state.stage == TOURNAMENT_OFF)
            end_tables(contest);
        return;
    }
    if (table == NULL) { /* nothing could be stored: it is ordered again */
        contest->made &= ~(UINT64_C(1) << order.number);
        contest->not_before = server_now(contest->server) + RETRY_MS;
        return;
    }
    herald_round(table);
    settle(contest, order.number, table, false);
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
        people[seat] = (sitting){person_find(server, user), seat};
        if (people[seat].person == NULL)
            return;
    }
    order *order = memory_get(sizeof *order);
    *order = (struct order){contest, state->rounds, number};
    contest->made |= UINT64_C(1) << number;
    contest->busy++;
    memcpy(contest->table[number], terms.game, sizeof terms.game);
    tables_make(server, &terms, people, table->count, &(origin){0}, table_made, order);
}

static void look_after_table(contest *contest, unsigned number, bool time_is_up)
{
    table *table;
    if ((contest->made >> number & 1) == 0) {
        make_table(contest, number);
        return;
    }
    HASH_FIND_STR(contest->server->tables, contest->table[number], table);
    if (table == NULL) { /* it is over, and what came of it could not be stored */
        contest->made &= ~(UINT64_C(1) << number);
        return;
    }
    if (table->host == NULL)
        return;
    miss(contest, table);
    settle(contest, number, table, time_is_up);
}

/* --- what comes by itself --- */

/* Whoever is nobody any more cannot play on. */
static bool send_nobodies_away(contest *contest)
{
    for (unsigned who = 0; who < contest->state.count; who++)
        if (!contest->state.person[who].left &&
            person_name(contest->server, contest->state.person[who].user)[0] == '\0') {
            leave(contest, contest->state.person[who].user);
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
    contest_step(contest, words, 0, NULL, "");
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
    remind(contest, now);
    if (contest_is_over(contest) || contest->first != NULL || contest->writing != NULL || now < contest->not_before ||
        contest->server->stopping)
        return;
    const enum tournament_event due = tournament_due(&contest->state, now, &next);
    if (due == TOURNAMENT_NEXT_ROUND)
        begin_next_round(contest);
    else if (due == TOURNAMENT_ENDS)
        contest_step(contest, "over", 0, NULL, "");
    else if (due == TOURNAMENT_FAILS)
        contest_step(contest, "off", 0, NULL, "");
    else if (contest->state.stage == TOURNAMENT_RUNNING)
        for (unsigned number = 0; number < tournament_now(&contest->state)->count; number++)
            if (is_played(contest, number))
                look_after_table(contest, number, due == TOURNAMENT_TIME_UP);
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
        while (contest->first != NULL) {
            step *step = contest->first;
            LL_DELETE(contest->first, step);
            end_step(step);
        }
        HASH_DEL(server->tournaments->all, contest);
        free(contest);
    }
    free(server->tournaments);
}
