/* One table on the server: what comes in is checked, stored, done and told, in this order and one at a time; so nothing
 * is ever told that is not safely on disk, and nothing has to be taken back when the disk refuses.
 *
 * What comes by itself comes from one timer: computer players' decisions at the time the host says they may be told,
 * standing orders, clocks. */
#include "parts.h"

#include "log.h"
#include "memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { RETRY_MS = 1000 };

static void submit_next(table *table);
static void set_timer(table *table);

unsigned table_seat_of(const table *table, const person *person)
{
    const unsigned players = gral_host_terms(table->host)->settings.players;
    for (unsigned seat = 0; person != NULL && seat < players; seat++)
        if (gral_host_seat_at(table->host, seat).user == person->id)
            return seat;
    return GRAL_NOBODY;
}

/* His own, or the first that nobody has; the last one if there is none. */
static unsigned wanted_seat(const table *table, uint64_t user)
{
    const unsigned players = gral_host_terms(table->host)->settings.players;
    for (unsigned seat = 0; seat < players; seat++)
        if (gral_host_seat_at(table->host, seat).user == user)
            return seat;
    unsigned seat = 0;
    for (; seat + 1 < players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        if (at.user == 0 && !at.computer)
            break;
    }
    return seat;
}

/* Whoever sits where he wants to sit has been heard before. */
static bool sits_there(const table *table, const gral_input *input)
{
    return input->kind == GRAL_INPUT_SIT && input->seat < gral_host_terms(table->host)->settings.players &&
           gral_host_seat_at(table->host, input->seat).user == input->user;
}

/* --- computer players --- */

/* Nobody thinks for a table that no person plays at or looks at. */
static bool anybody_there(const table *table)
{
    if (table->watches != NULL)
        return true;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        if (!gral_host_seat_at(table->host, seat).computer)
            return true;
    return false;
}

static void thought_out(void *context, const thought *thought);

/* A computer player has a part of the pace to think, and always counts as having needed all of it: so the time at which
 * its decision is told depends on when a thread was free for it, and on nothing it holds. */
static int64_t thinking_time(const table *table)
{
    return 6 * (int64_t)gral_host_terms(table->host)->pace / 10;
}

static void limit_thinking(gral_task *task, int64_t milliseconds)
{
    gral_text text = {task->player, strlen(task->player), sizeof task->player};
    gral_text_add(&text, strchr(task->player, ':') != NULL ? "," : ":");
    gral_text_add_number(&text, (uint64_t)(milliseconds > 0 ? milliseconds : 1));
    gral_text_add(&text, "ms");
}

static void start_thinking(table *table)
{
    const uint16_t wanted = (uint16_t)(gral_host_thinking(table->host) & ~table->thinking);
    if (wanted == 0 || table->server->stopping || !anybody_there(table))
        return;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        gral_task task;
        if ((wanted >> seat & 1) == 0 || !gral_host_task(table->host, seat, &task))
            continue;
        table->thinking |= (uint16_t)(1 << seat);
        table->busy++;
        limit_thinking(&task, thinking_time(table));
        think_about(table->server->think, &task, thought_out, table);
    }
}

static void thought_out(void *context, const thought *thought)
{
    table *table = (struct table *)context;
    table->busy--;
    const bool wanted = (gral_host_thinking(table->host) >> thought->seat & 1) != 0;
    if (!wanted || thought->version != gral_host_version(table->host) || thought->count == 0) {
        table->thinking &= (uint16_t) ~(1 << thought->seat);
        if (thought->count > 0)
            start_thinking(table);
        table_release(table);
        return;
    }
    decision *decision = (struct decision *)memory_get(sizeof *decision);
    decision->thought = *thought;
    const int64_t spare = thinking_time(table) - thought->took;
    decision->time = gral_host_tell_time(table->host, server_now(table->server) + (spare > 0 ? spare : 0));
    LL_APPEND(table->decisions, decision);
    set_timer(table);
}

static void tell_decision(table *table, const thought *thought)
{
    gral_input input = {.kind = GRAL_INPUT_DO,
                        .seat = (uint8_t)thought->seat,
                        .other = GRAL_NOBODY,
                        .computer = true,
                        .action_count = (uint8_t)thought->count};
    memcpy(input.action, thought->action, sizeof input.action);
    table_submit(table, &input, NULL, "", &thought->version);
    if (!thought->offers)
        return;
    input = (gral_input){.kind = GRAL_INPUT_OFFER,
                         .seat = (uint8_t)thought->seat,
                         .other = GRAL_NOBODY,
                         .computer = true,
                         .offer = thought->offer};
    table_submit(table, &input, NULL, "", NULL);
}

/* --- the timer --- */

static void time_is_up(uv_timer_t *timer)
{
    table *table = (struct table *)timer->data;
    const int64_t now = server_now(table->server);
    decision *decision, *next;
    LL_FOREACH_SAFE(table->decisions, decision, next)
    {
        if (decision->time > now)
            continue;
        LL_DELETE(table->decisions, decision);
        tell_decision(table, &decision->thought);
        free(decision);
    }
    uint8_t kind;
    int64_t time;
    if (gral_host_due(table->host, &kind, &time) && time <= now && !table->overdue) {
        table->overdue = true;
        table_submit(table, &(gral_input){.kind = kind, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, NULL, "", NULL);
    }
    set_timer(table);
}

static void set_timer(table *table)
{
    uint8_t kind;
    int64_t time, first = INT64_MAX;
    if (!table->overdue && gral_host_due(table->host, &kind, &time))
        first = time;
    decision *decision;
    LL_FOREACH(table->decisions, decision)
    {
        if (decision->time < first)
            first = decision->time;
    }
    if (first == INT64_MAX || table->server->stopping) {
        uv_timer_stop(&table->timer);
        return;
    }
    if (first < table->not_before)
        first = table->not_before;
    const int64_t now = server_now(table->server);
    uv_timer_start(&table->timer, time_is_up, first > now ? (uint64_t)(first - now) : 0, 0);
}

/* --- stages: what the store and the lobby know of the table --- */

typedef struct settling {
    table *table;
    uint8_t stage;
    store_write write[1 + GRAL_PLAYERS_MAX];
} settling;

static void settled(void *context, enum store_outcome outcome)
{
    settling *settling = (struct settling *)context;
    table *table = settling->table;
    table->busy--;
    if (outcome == STORE_DONE)
        table->settled = settling->stage == STORE_OVER;
    free(settling); /* where the disk refused: the next start sees to it */
    table_release(table);
}

static void store_results(const table *table, settling *settling, size_t *count)
{
    const gral_view view = gral_host_view(table->host, GRAL_SPECTATOR);
    const gral_settings *settings = &gral_host_terms(table->host)->settings;
    for (unsigned seat = 0; seat < settings->players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        if (at.user == 0)
            continue;
        const bool drawn = view.open.winner == GRAL_NOBODY && !at.resigned;
        settling->write[(*count)++] = (store_write){
            .kind = STORE_RESULT,
            .game = table->id,
            .seat = (uint8_t)seat,
            .user = at.user,
            .number = settings->players,
            .time = settling->write[0].time,
            .result = drawn                                      ? STORE_DRAWN
                      : view.open.winner == seat && !at.resigned ? STORE_WON
                                                                 : STORE_LOST,
            .text = gral_span_of(settings->rules == GRAL_ORIGINAL ? "original" : "standard"),
        };
    }
}

static void count_seated(const table *table, int by)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        person *person = people_find(table->server, gral_host_seat_at(table->host, seat).user);
        if (person != NULL)
            person->tables += (unsigned)by;
    }
}

void table_settle(table *table)
{
    const enum gral_host_stage stage = gral_host_stage(table->host);
    if (stage == table->told_stage)
        return;
    server *server = table->server;
    server->running_count += (stage == GRAL_PLAYING) - (table->told_stage == GRAL_PLAYING);
    table->told_stage = (uint8_t)stage;
    settling *settling = (struct settling *)memory_get(sizeof *settling);
    settling->table = table;
    settling->stage = stage == GRAL_ENDED ? STORE_OVER : STORE_RUNNING;
    settling->write[0] = (store_write){
        .kind = STORE_SET_STAGE, .game = table->id, .stage = settling->stage, .time = server_now(server)};
    size_t count = 1;
    if (stage == GRAL_ENDED) {
        server->figures.games_ended++;
        count_seated(table, -1);
        if (gral_host_end(table->host) != GRAL_END_CLOSED)
            store_results(table, settling, &count);
    }
    table->busy++;
    commit_write(server->commit, settling->write, count, settled, settling);
    lobby_changed(table);
}

/* --- what comes in --- */

static void answer(const submission *submission, unsigned refused)
{
    conn *conn = submission->conn;
    if (conn == NULL)
        return;
    if (refused != GRAL_LEGAL && refused != GRAL_HOST_REPEATED) {
        answer_refused(conn, submission->re, refusal_of_host(refused));
        return;
    }
    pen *out = &conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "re", submission->re);
    pen_put_bool(out, "ok", true);
    if (submission->versioned)
        pen_put_number(out, "version", gral_host_version(submission->table->host));
    if (submission->input.kind == GRAL_INPUT_SIT)
        pen_put_words(out, "table", submission->table->id);
    if (refused == GRAL_HOST_REPEATED)
        pen_put_bool(out, "repeated", true);
    pen_end(out, '}');
    conn_send(conn, out);
}

static void end_submission(submission *submission)
{
    table *table = submission->table;
    if (submission->input.computer && submission->input.kind == GRAL_INPUT_DO)
        table->thinking &= (uint16_t) ~(1 << submission->input.seat);
    if (submission->input.kind == GRAL_INPUT_SPEAK || submission->input.kind == GRAL_INPUT_LATE)
        table->overdue = false;
    if (submission->conn != NULL)
        conn_release(submission->conn);
    free(submission);
}

static void after_input(table *table, const gral_input *input)
{
    person *sitter = people_find(table->server, input->user);
    if (input->kind == GRAL_INPUT_SIT && sitter != NULL)
        sitter->tables++;
    if (input->kind == GRAL_INPUT_SIT || input->kind == GRAL_INPUT_RISE) {
        lobby_changed(table);
        table_presence(table);
    }
    if (input->kind != GRAL_INPUT_RISE || gral_host_stage(table->host) != GRAL_GATHERING)
        return;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        if (gral_host_seat_at(table->host, seat).user != 0)
            return;
    table_submit(table, &(gral_input){.kind = GRAL_INPUT_CLOSE, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, NULL, "",
                 NULL);
}

static void perform(table *table, const submission *submission)
{
    const gral_input *input = &submission->input;
    person *riser = input->kind == GRAL_INPUT_RISE
                        ? people_find(table->server, gral_host_seat_at(table->host, input->seat).user)
                        : NULL;
    const unsigned refused = gral_host_apply(table->host, input, submission->time);
    table->count++;
    table->server->figures.inputs++;
    if (refused != GRAL_LEGAL) { /* it is in the store, and there was no memory to do it: begin anew, from there */
        log_line(LOG_ERROR, "memory", NULL);
        abort();
    }
    if (riser != NULL)
        riser->tables--;
    answer(submission, GRAL_LEGAL);
    after_input(table, input);
    table_settle(table);
    tell_watchers(table);
}

static void stored(void *context, enum store_outcome outcome)
{
    submission *submission = (struct submission *)context;
    table *table = submission->table;
    table->in_flight = NULL;
    table->busy--;
    if (outcome == STORE_CONFLICT) { /* another process was there first: hear what it did, then try again */
        submission->next = table->first;
        table->first = submission;
        table->last = table->last != NULL ? table->last : submission;
        table_catch_up(table);
        return;
    }
    if (outcome == STORE_DONE) {
        perform(table, submission);
    } else {
        if (submission->conn != NULL)
            answer_refused(submission->conn, submission->re, refused_storage);
        table->not_before = server_now(table->server) + RETRY_MS;
    }
    end_submission(submission);
    start_thinking(table);
    set_timer(table);
    submit_next(table);
    table_release(table);
}

/* Whether it may go in now; where not, it is answered. */
static bool admit(submission *submission)
{
    table *table = submission->table;
    submission->time = server_now(table->server);
    if (submission->input.kind == GRAL_INPUT_SIT && submission->input.seat == GRAL_NOBODY)
        submission->input.seat = (uint8_t)wanted_seat(table, submission->input.user);
    const unsigned refused = sits_there(table, &submission->input)
                                 ? GRAL_HOST_REPEATED
                                 : gral_host_check(table->host, &submission->input, submission->time);
    const bool old = submission->versioned && submission->version != gral_host_version(table->host);
    if (refused == GRAL_LEGAL && !old)
        return true;
    table->server->figures.refused++;
    if (old && refused != GRAL_HOST_REPEATED && submission->conn != NULL)
        answer_refused(submission->conn, submission->re, refused_version);
    else
        answer(submission, refused);
    return false;
}

static void submit_next(table *table)
{
    while (table->first != NULL && table->in_flight == NULL && !table->loading) {
        submission *submission = table->first;
        table->first = submission->next;
        if (table->first == NULL)
            table->last = NULL;
        submission->next = NULL;
        if (!admit(submission)) {
            end_submission(submission);
            start_thinking(table);
            set_timer(table);
            continue;
        }
        gral_text text = gral_text_in(submission->text, sizeof submission->text);
        gral_input_print(&text, &submission->input);
        submission->write[0] = (store_write){.kind = STORE_APPEND,
                                             .game = table->id,
                                             .number = table->count,
                                             .time = submission->time,
                                             .text = {submission->text, text.length}};
        size_t count = 1;
        if (submission->input.kind == GRAL_INPUT_SIT || submission->input.kind == GRAL_INPUT_RISE)
            submission->write[count++] = (store_write){.kind = submission->input.kind == GRAL_INPUT_SIT ? STORE_SIT
                                                                                                        : STORE_RISE,
                                                       .game = table->id,
                                                       .seat = submission->input.seat,
                                                       .user = submission->input.user,
                                                       .time = submission->time};
        table->in_flight = submission;
        table->busy++;
        commit_write(table->server->commit, submission->write, count, stored, submission);
    }
}

static bool ends_assignment(const gral_input *input)
{
    for (unsigned index = 0; index < input->action_count; index++)
        if (input->action[index].verb == GRAL_DONE)
            return true;
    return input->kind == GRAL_INPUT_LATE;
}

void table_submit(table *table, const gral_input *input, conn *conn, const char *re, const uint32_t *version)
{
    submission *submission = (struct submission *)memory_get(sizeof *submission);
    submission->table = table;
    submission->input = *input;
    if (input->words.length > 0) {
        memcpy(submission->words, input->words.bytes, input->words.length);
        submission->input.words.bytes = submission->words;
    }
    if (!input->salted && ends_assignment(input)) {
        submission->input.salted = true;
        randombytes_buf(submission->input.salt.bytes, sizeof submission->input.salt.bytes);
    }
    submission->versioned = version != NULL;
    submission->version = version != NULL ? *version : 0;
    submission->conn = conn != NULL ? conn_hold(conn) : NULL;
    memcpy(submission->re, re, strlen(re) + 1);
    if (table->last != NULL)
        table->last->next = submission;
    else
        table->first = submission;
    table->last = submission;
    submit_next(table);
}

void table_go_on(table *table)
{
    table_settle(table);
    submit_next(table);
    start_thinking(table);
    set_timer(table);
}

/* --- who watches --- */

bool table_is_watched_by(const table *table, const conn *conn)
{
    for (const watch *watch = conn->watches; watch != NULL; watch = watch->next_of_conn)
        if (watch->table == table)
            return true;
    return false;
}

void table_presence(table *table)
{
    uint16_t present = 0;
    watch *watch;
    DL_FOREACH(table->watches, watch)
    {
        const unsigned seat = table_seat_of(table, watch->conn->person);
        if (seat != GRAL_NOBODY)
            present |= (uint16_t)(1 << seat);
    }
    const uint16_t gone = (uint16_t)(table->present & ~present);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (gone >> seat & 1)
            table->gone_since[seat] = server_now(table->server);
    table->present = present;
}

void table_watch(table *table, conn *conn, size_t have)
{
    watch *found = conn->watches;
    while (found != NULL && found->table != table)
        found = found->next_of_conn;
    if (found == NULL) {
        found = (watch *)memory_get(sizeof *found);
        found->conn = conn;
        found->table = table;
        found->next_of_conn = conn->watches;
        conn->watches = found;
        DL_APPEND(table->watches, found);
    }
    const unsigned seat = table_seat_of(table, conn->person);
    found->reader = (tell_reader){.viewer = seat == GRAL_NOBODY ? GRAL_SPECTATOR : seat, .have = have};
    table_presence(table);
    tell_watchers(table);
    start_thinking(table);
}

void table_unwatch(watch *watch)
{
    table *table = watch->table;
    struct watch **at = &watch->conn->watches;
    while (*at != watch)
        at = &(*at)->next_of_conn;
    *at = watch->next_of_conn;
    DL_DELETE(table->watches, watch);
    free(watch);
    table_presence(table);
    tell_watchers(table);
    table_release(table);
}
