/* One table on the server: what comes in is checked, stored, done and told, in this order; so nothing is ever told that
 * is not safely on disk, and nothing has to be taken back when the disk refuses. What waits at a beat of the store goes
 * in together.
 *
 * What comes by itself comes from one timer: computer players' decisions at the time the host says they may be told,
 * standing orders, clocks. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/table_inside.h"

#include "server/log.h"
#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { RETRY_MS = 1000, CONFLICTS_MAX = 4 };

static void want_to_write(table *table);
static void submit(table *table, const gral_input *input, uint64_t user, conn *conn, const char *re,
                   const uint32_t *version);

int64_t table_now(const table *table)
{
    return server_now(table->server) + table->ahead;
}

void table_keep_time(table *table)
{
    const int64_t ahead = gral_host_time(table->host) - server_now(table->server);
    table->ahead = ahead > 0 ? ahead : 0;
}

unsigned table_seat_of(const table *table, const person *person)
{
    const unsigned players = gral_host_terms(table->host)->settings.players;
    for (unsigned seat = 0; person != NULL && seat < players; seat++)
        if (gral_host_seat_at(table->host, seat).user == person->id)
            return seat;
    return GRAL_NOBODY;
}

/* --- the timer --- */

static void time_is_up(uv_timer_t *timer)
{
    table *table = timer->data;
    const int64_t now = table_now(table);
    deliberations_tell(table, now);
    uint8_t kind;
    int64_t time;
    if (gral_host_due(table->host, &kind, &time) && time <= now && !table->overdue) {
        table->overdue = true;
        if (kind == GRAL_INPUT_LATE && table->stalled) /* nobody could act: the clocks stood still */
            kind = GRAL_INPUT_RESUME;
        table_submit_for(table, &(gral_input){.kind = kind, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
    }
    table_set_timer(table);
}

void table_set_timer(table *table)
{
    uint8_t kind;
    int64_t time, first = deliberations_due(table);
    if (!table->overdue && gral_host_due(table->host, &kind, &time) && time < first)
        first = time;
    if (first == INT64_MAX || table->server->stopping || !table_is_kept(table)) {
        uv_timer_stop(&table->timer);
        return;
    }
    if (first < table->not_before)
        first = table->not_before;
    const int64_t now = table_now(table);
    uv_timer_start(&table->timer, time_is_up, first > now ? (uint64_t)(first - now) : 0, 0);
}

/* --- what comes in --- */

static void end_submission(submission *submission)
{
    table *table = submission->table;
    if (submission->input.computer && submission->input.kind == GRAL_INPUT_DO)
        table->thinking &= (uint16_t)(~(1 << submission->input.seat));
    if (submission->conn == NULL && submission->input.seat == GRAL_NOBODY)
        table->overdue = false;
    if (submission->conn != NULL && submission->seat < GRAL_PLAYERS_MAX)
        table->queued[submission->seat]--;
    seats_redeem(&submission->promise);
    if (submission->conn != NULL)
        conn_release(submission->conn);
    free(submission);
}

/* Whether it is about who sits where. */
static bool seats_somebody(const gral_input *input)
{
    return input->kind == GRAL_INPUT_SIT || input->kind == GRAL_INPUT_RISE || input->kind == GRAL_INPUT_FILL ||
           input->kind == GRAL_INPUT_DISMISS;
}

static void after_input(table *table, const gral_input *input)
{
    if (input->kind == GRAL_INPUT_SIT) {
        table_seat_was_taken(table, input->seat, input->user);
        if (table_is_kept(table))
            company_hush(table);
    }
    if (seats_somebody(input)) {
        seats_follow(table);
        lobby_changed(table);
        watch_presence(table);
    }
    if (input->kind != GRAL_INPUT_RISE || gral_host_stage(table->host) != GRAL_GATHERING)
        return;
    if (!admission_nobody_sits(table))
        return;
    table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_CLOSE, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
}

static void apply(table *table, const gral_input *input, int64_t time)
{
    const enum gral_host_refusal refused = gral_host_apply(table->host, input, time);
    table->count++;
    table->stalled &= input->kind != GRAL_INPUT_RESUME;
    table->resumed_at = 0;
    if (input->kind != GRAL_INPUT_RESUME)
        table->heard = time;
    table->server->figures.inputs++;
    if (refused != GRAL_ACCEPTED) { /* it is in the store, and there was no memory to do it: begin anew, from there */
        log_line(LOG_ERROR, "memory", NULL);
        abort();
    }
}

void table_do(table *table, const gral_input *input, int64_t time)
{
    apply(table, input, time);
    after_input(table, input);
}

static void perform(table *table, submission *submission)
{
    apply(table, &submission->input, submission->time);
    admission_answer(submission, GRAL_ACCEPTED);
    after_input(table, &submission->input);
    if (submission->conn != NULL)
        watch_pay(table, submission->conn);
}

/* --- what is written together --- */

/* What waited at a table, all of it or none. */
typedef struct bundle {
    table *table;
    submission *first; /* in the order in which they are done */
    unsigned count;
    store_write *write;
    size_t writes, room;
    gral_host *next; /* what the table will be when it is done; NULL where nobody has asked yet */
    bool fenced;     /* something of it may come from whoever keeps the table, and nobody else */
    bool full;       /* nothing else goes into it */
} bundle;

static void bundle_add(bundle *bundle, store_write write)
{
    if (bundle->writes == bundle->room) {
        bundle->room = 2 * bundle->room + 3;
        bundle->write = memory_grow(bundle->write, bundle->room * sizeof *bundle->write);
    }
    write.game = bundle->table->id;
    bundle->write[bundle->writes++] = write;
}

/* Everybody who watches is told once of all that was written. */
static void note_news(table *table)
{
    commit_expect(table->server->commit);
    if (!table->news)
        DL_APPEND2(table->server->with_news, table, prev_with_news, next_with_news);
    table->news = true;
}

static void drop_news(table *table)
{
    DL_DELETE2(table->server->with_news, table, prev_with_news, next_with_news);
    table->news = false;
}

static void tell_news(table *table)
{
    drop_news(table);
    watch_tell(table, NULL);
}

void tables_tell(void *context)
{
    server *server = context;
    while (server->with_news != NULL) {
        table *table = server->with_news;
        tell_news(table);
        table_release(table);
    }
}

static void refuse_to_store(table *table, const submission *submission)
{
    if (submission->conn != NULL) {
        answer_put_refused(submission->conn, submission->re, refused_storage);
        table_send(table, submission->conn, &table->server->out);
    }
    table->not_before = table_now(table) + RETRY_MS;
    table->stalled = true;
}

/* Another server was there first: hear what it did, then try again, together with what it was written with, or else
 * their answers would come apart and tell that somebody has written (R10.2). As long as that is the reason, the answer
 * is what it would have been on one server; where there is no such reason, it is tried each for itself, and not for
 * ever. */
static bool try_again(bundle *bundle)
{
    table *table = bundle->table;
    submission *last = NULL, *submission;
    table->server->figures.conflicts++;
    LL_FOREACH(bundle->first, submission)
    {
        const bool overtaken = submission->conflicts > 0 && submission->tried < table->count;
        submission->conflicts = overtaken ? 1 : submission->conflicts + 1;
        submission->tried = table->count;
        last = submission;
    }
    if (bundle->first->conflicts >= CONFLICTS_MAX)
        return false;
    last->next = table->first;
    table->first = bundle->first;
    table->last = table->last != NULL ? table->last : last;
    table->hurries = true;
    if (bundle->fenced)
        table_ask_who_keeps(table);
    else
        table_catch_up(table);
    return true;
}

/* Such come before all that waits. */
static bool is_urgent(const submission *submission)
{
    return submission != NULL && (submission->due || submission->conflicts > 0);
}

void table_was_done(table *table, conn *payer)
{
    asked_follow(table, payer); /* before the seats of an ended game are nobody's */
    stage_follow(table);
    tournaments_follow(table);
    note_news(table);
}

static void stored(void *context, enum store_outcome outcome)
{
    bundle *bundle = context;
    table *table = bundle->table;
    table->in_flight = 0;
    table->busy--;
    const bool again = outcome == STORE_CONFLICT && try_again(bundle);
    conn *payer = NULL; /* one of those who have acted */
    while (!again && bundle->first != NULL) {
        submission *submission = bundle->first;
        bundle->first = submission->next;
        if (payer == NULL && submission->conn != NULL)
            payer = conn_hold(submission->conn);
        if (outcome == STORE_DONE)
            perform(table, submission);
        else
            refuse_to_store(table, submission);
        end_submission(submission);
    }
    free(bundle->write);
    free(bundle);
    if (!again) {
        table->hurries = is_urgent(table->first);
        if (outcome == STORE_DONE)
            table_was_done(table, payer);
    }
    if (payer != NULL)
        conn_release(payer);
    if (again || table->reading != NULL) /* that goes on with this beat */
        return;
    table_start_thinking(table);
    table_set_timer(table);
    want_to_write(table);
    table_release(table);
}

void table_dissolve(table *table)
{
    table->dissolved = true;
    table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_CLOSE, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
}

/* Whether it came by itself: then it comes from whoever keeps the table. That the table is closed can be ordered
 * anywhere. */
static bool is_keepers(const submission *submission)
{
    return submission->conn == NULL && submission->user == 0 &&
           !(submission->input.kind == GRAL_INPUT_CLOSE && submission->table->dissolved);
}

static void put_into(bundle *bundle, submission *submission)
{
    table *table = submission->table;
    const bool fenced = is_keepers(submission);
    bundle->fenced |= fenced;
    gral_text text = gral_text_in(submission->text, sizeof submission->text);
    gral_input_print(&text, &submission->input);
    bundle_add(bundle, (store_write){.kind = STORE_APPEND,
                                     .fence = fenced ? table->fence : 0,
                                     .number = table->count + bundle->count,
                                     .time = submission->time,
                                     .text = {submission->text, text.length}});
    const gral_input *input = &submission->input;
    if (seats_somebody(input) && input->kind != GRAL_INPUT_FILL)
        bundle_add(bundle, (store_write){.kind = input->kind == GRAL_INPUT_SIT ? STORE_SIT : STORE_RISE,
                                         .seat = input->kind == GRAL_INPUT_DISMISS ? input->other : input->seat,
                                         .user = input->user,
                                         .time = submission->time});
    if (input->kind == GRAL_INPUT_SIT) /* he has come, whether somebody had invited him or not */
        bundle_add(bundle, (store_write){.kind = STORE_UNINVITE, .user = input->user});
    LL_APPEND(bundle->first, submission);
    bundle->count++;
}

static void take_out(table *table, submission *submission)
{
    LL_DELETE(table->first, submission);
    for (table->last = table->first; table->last != NULL && table->last->next != NULL;)
        table->last = table->last->next;
    submission->next = NULL;
}

/* The first of those that wait and are no hidden answers. */
static submission *next_in_order(const table *table)
{
    submission *submission = table->first;
    while (submission != NULL && admission_is_hidden(submission))
        submission = submission->next;
    return submission;
}

/* For whatever else wants to go into the bundle. */
static void look_ahead(bundle *bundle, const submission *added)
{
    if (bundle->next == NULL)
        bundle->next = gral_host_copy(bundle->table->host);
    bundle->full = bundle->next == NULL ||
                   gral_host_apply(bundle->next, &added->input, added->time) != GRAL_ACCEPTED; /* no memory */
}

/* Into the bundle, unless it is refused; false where it has to wait. What has come since the slow beat waits for the
 * next, however long it takes until the rest can be written. */
static bool take_in(bundle *bundle, submission *submission)
{
    table *table = bundle->table;
    if (bundle->full || (table->hurries && !is_urgent(submission)) ||
        (bundle->count > 0 && !admission_after(submission, bundle->next)))
        return false;
    take_out(table, submission);
    if ((is_keepers(submission) && !table_is_kept(table)) || (bundle->count == 0 && !admission_now(submission))) {
        end_submission(submission);
        return true;
    }
    put_into(bundle, submission);
    if (table->first != NULL)
        look_ahead(bundle, submission);
    return true;
}

static void take_hidden_answers(bundle *bundle)
{
    submission *submission, *after;
    LL_FOREACH_SAFE(bundle->table->first, submission, after)
    {
        if (admission_is_hidden(submission))
            take_in(bundle, submission);
    }
}

/* Hidden answers come after everything else: they make nobody wait (R10.2). But at the end of the pace computer players
 * have just decided, too: what they say goes in before it, so that a round closes in the same way at whichever beat
 * that is. */
static void fill(bundle *bundle)
{
    bool more = true;
    for (submission *submission; more && (submission = next_in_order(bundle->table)) != NULL;) {
        if (submission->input.kind == GRAL_INPUT_SPEAK)
            take_hidden_answers(bundle);
        more = take_in(bundle, submission);
    }
    take_hidden_answers(bundle);
}

static void write_waiting(table *table)
{
    if (table->first == NULL || table->in_flight > 0 || table->loading || table->following)
        return;
    bundle *bundle = memory_get(sizeof *bundle);
    bundle->table = table;
    fill(bundle);
    gral_host_free(bundle->next);
    submission *left;
    LL_FOREACH(table->first, left)
    {
        left->due = false;
    }
    if (bundle->count == 0) {
        free(bundle);
        table->hurries = false; /* what was urgent is refused now */
        want_to_write(table);
        return;
    }
    table->in_flight = bundle->count;
    table->busy++;
    commit_write(table->server->commit, bundle->write, bundle->writes, stored, bundle);
}

/* Whoever came first is written, and hears of it, first: so nobody waits much longer than the others. */
static table *take_eager(server *server)
{
    table *first = NULL;
    while (server->eager != NULL) {
        table *table = server->eager;
        server->eager = table->next_eager;
        LL_PREPEND2(first, table, next_eager);
    }
    return first;
}

void tables_write(void *context)
{
    server *server = context;
    follow_take_in(server);
    table *eager = take_eager(server);
    while (eager != NULL) {
        table *table = eager;
        eager = table->next_eager;
        table->eager = false;
        if (server->stopping)
            continue;
        if (table->news) /* before anybody is refused for it */
            tell_news(table);
        table->busy++;
        write_waiting(table);
        table->busy--;
        table_start_thinking(table);
        table_set_timer(table);
        table_release(table);
    }
}

static void write_at_beat(table *table)
{
    if (table->eager || table->first == NULL || table->loading || table->following)
        return;
    table->eager = true;
    LL_PREPEND2(table->server->eager, table, next_eager);
    commit_expect(table->server->commit);
}

/* What waits now is written together, even if it has to be read first what others have written. */
void table_write_at_slow_beat(table *table)
{
    submission *submission;
    LL_FOREACH(table->first, submission)
    {
        submission->due = table->hurries = true;
    }
    write_at_beat(table);
}

static void want_to_write(table *table)
{
    if (table->first != NULL && !slow_puts_off(table))
        write_at_beat(table);
}

static bool ends_assignment(const gral_input *input)
{
    for (unsigned index = 0; index < input->action_count; index++)
        if (input->action[index].verb == GRAL_DONE)
            return true;
    return input->kind == GRAL_INPUT_LATE;
}

enum { QUEUED_MAX = 8 };

static void submit(table *table, const gral_input *input, uint64_t user, conn *conn, const char *re,
                   const uint32_t *version)
{
    const bool counted = conn != NULL && input->kind != GRAL_INPUT_SIT;
    if (counted && ++table->queued[input->seat] > QUEUED_MAX) {
        table->queued[input->seat]--;
        answer_refused(conn, re, refused_rate);
        return;
    }
    promise promise = {0};
    const refusal *why = NULL;
    if (conn != NULL && input->kind == GRAL_INPUT_SIT)
        why = seats_promise(conn->server, conn->person, 1, seats_computers_for(table, conn->person), &promise);
    else if (conn != NULL && input->kind == GRAL_INPUT_FILL)
        why = seats_promise(conn->server, conn->person, 0, 1, &promise);
    if (why != NULL) {
        answer_refused(conn, re, *why);
        return;
    }
    slumber_disturb(table);
    submission *submission = memory_get(sizeof *submission);
    submission->promise = promise;
    submission->asked = uv_hrtime();
    submission->table = table;
    submission->input = *input;
    submission->user = user;
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
    submission->anywhere = input->kind == GRAL_INPUT_SIT && input->seat == GRAL_NOBODY;
    submission->seat = input->kind == GRAL_INPUT_SIT ? GRAL_NOBODY : input->seat; /* nobody else's queue */
    memcpy(submission->re, re, strlen(re) + 1);
    if (table->last != NULL)
        table->last->next = submission;
    else
        table->first = submission;
    table->last = submission;
    want_to_write(table);
}

void table_submit(table *table, const gral_input *input, conn *conn, const char *re, const uint32_t *version)
{
    submit(table, input, conn->person->id, conn, re, version);
}

void table_submit_for(table *table, const gral_input *input, uint64_t user)
{
    submit(table, input, user, NULL, "", NULL);
}

void table_submit_thought(table *table, const gral_input *input, uint32_t version)
{
    submit(table, input, 0, NULL, "", &version);
}

void table_forget_work(table *table)
{
    server *server = table->server;
    if (table->eager)
        LL_DELETE2(server->eager, table, next_eager);
    if (table->news)
        drop_news(table);
    follow_forget(table);
    slow_forget(table);
    deliberations_forget(table);
    while (table->first != NULL) {
        submission *submission = table->first;
        table->first = submission->next;
        seats_redeem(&submission->promise);
        if (submission->conn != NULL)
            conn_release(submission->conn);
        free(submission);
    }
}

void table_go_on(table *table)
{
    stage_follow(table);
    asked_follow(table, NULL);
    want_to_write(table);
    table_start_thinking(table);
    table_set_timer(table);
}
