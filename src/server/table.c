/* One table on the server: what comes in is checked, stored, done and told, in this order; so nothing is ever told that
 * is not safely on disk, and nothing has to be taken back when the disk refuses. What waits at a beat of the store goes
 * in together.
 *
 * What comes by itself comes from one timer: computer players' decisions at the time the host says they may be told,
 * standing orders, clocks. */
#include "server/parts.h"

#include "server/log.h"
#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { RETRY_MS = 1000, CONFLICTS_MAX = 4 };

static void want_to_write(table *table);
static void set_timer(table *table);
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

/* His own, or the first that nobody has; the last one if there is none. */
static unsigned wanted_seat(const gral_host *host, uint64_t user)
{
    const unsigned players = gral_host_terms(host)->settings.players;
    for (unsigned seat = 0; seat < players; seat++)
        if (gral_host_seat_at(host, seat).user == user)
            return seat;
    unsigned seat = 0;
    for (; seat + 1 < players; seat++) {
        const gral_host_seat at = gral_host_seat_at(host, seat);
        if (at.user == 0 && !at.computer)
            break;
    }
    return seat;
}

/* Whoever sits where he wants to sit has been heard before. */
static bool sits_there(const gral_host *host, const gral_input *input)
{
    return input->kind == GRAL_INPUT_SIT && input->seat < gral_host_terms(host)->settings.players &&
           gral_host_seat_at(host, input->seat).user == input->user;
}

/* --- computer players --- */

/* Nobody thinks for a table that nobody looks at, unless several persons play there, for whom it goes on meanwhile. */
static bool anybody_there(const table *table)
{
    unsigned persons = 0;
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        persons += !gral_host_seat_at(table->host, seat).computer;
    return table->watches != NULL || persons > 1;
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
    if (wanted == 0 || table->server->stopping || !anybody_there(table))
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
    set_timer(table);
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
    submit(table, &input, 0, NULL, "", &thought->version);
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

/* --- the timer --- */

static void time_is_up(uv_timer_t *timer)
{
    table *table = timer->data;
    const int64_t now = table_now(table);
    deliberation *deliberation, *next;
    LL_FOREACH_SAFE(table->deliberations, deliberation, next)
    {
        if (deliberation->told_at > now)
            continue;
        LL_DELETE(table->deliberations, deliberation);
        tell_decisions(table, deliberation);
        free(deliberation);
    }
    uint8_t kind;
    int64_t time;
    if (gral_host_due(table->host, &kind, &time) && time <= now && !table->overdue) {
        table->overdue = true;
        if (kind == GRAL_INPUT_LATE && table->stalled) /* nobody could act: the clocks stood still */
            kind = GRAL_INPUT_RESUME;
        table_submit_for(table, &(gral_input){.kind = kind, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
    }
    set_timer(table);
}

static void set_timer(table *table)
{
    uint8_t kind;
    int64_t time, first = INT64_MAX;
    if (!table->overdue && gral_host_due(table->host, &kind, &time))
        first = time;
    deliberation *deliberation;
    LL_FOREACH(table->deliberations, deliberation)
    {
        if (deliberation->told_at < first)
            first = deliberation->told_at;
    }
    if (first == INT64_MAX || table->server->stopping) {
        uv_timer_stop(&table->timer);
        return;
    }
    if (first < table->not_before)
        first = table->not_before;
    const int64_t now = table_now(table);
    uv_timer_start(&table->timer, time_is_up, first > now ? (uint64_t)(first - now) : 0, 0);
}

/* --- what comes in --- */

static void answer(const submission *submission, enum gral_host_refusal refused)
{
    conn *conn = submission->conn;
    if (conn == NULL)
        return;
    if (refused != GRAL_ACCEPTED && refused != GRAL_HOST_REPEATED) {
        answer_refused(conn, submission->re, refusal_of_host(refused));
        return;
    }
    histogram_note(&conn->server->figures.answers, 1e-9 * (double)(uv_hrtime() - submission->asked));
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

static bool is_empty(const table *table)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        if (gral_host_seat_at(table->host, seat).user != 0)
            return false;
    return true;
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
        company_hush(table);
    }
    if (seats_somebody(input)) {
        seats_follow(table);
        lobby_changed(table);
        watch_presence(table);
    }
    if (input->kind != GRAL_INPUT_RISE || gral_host_stage(table->host) != GRAL_GATHERING)
        return;
    if (!is_empty(table))
        return;
    table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_CLOSE, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
}

static void perform(table *table, submission *submission)
{
    const gral_input *input = &submission->input;
    const enum gral_host_refusal refused = gral_host_apply(table->host, input, submission->time);
    table->count++;
    table->stalled &= input->kind != GRAL_INPUT_RESUME;
    table->resumed_at = 0;
    if (input->kind != GRAL_INPUT_RESUME)
        table->heard = submission->time;
    table->server->figures.inputs++;
    if (refused != GRAL_ACCEPTED) { /* it is in the store, and there was no memory to do it: begin anew, from there */
        log_line(LOG_ERROR, "memory", NULL);
        abort();
    }
    answer(submission, GRAL_ACCEPTED);
    after_input(table, input);
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
    if (submission->conn != NULL)
        answer_refused(submission->conn, submission->re, refused_storage);
    table->not_before = table_now(table) + RETRY_MS;
    table->stalled = true;
}

/* Another process was there first: hear what it did, then try again, each for itself. */
static bool try_again(bundle *bundle)
{
    table *table = bundle->table;
    submission *last = NULL, *submission;
    if (bundle->first->conflicts + 1 >= CONFLICTS_MAX)
        return false;
    LL_FOREACH(bundle->first, submission)
    {
        submission->conflicts++;
        last = submission;
    }
    last->next = table->first;
    table->first = bundle->first;
    table->last = table->last != NULL ? table->last : last;
    table_catch_up(table);
    return true;
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
    if (again)
        return;
    if (outcome == STORE_DONE) {
        asked_follow(table, payer); /* before the seats of an ended game are nobody's */
        stage_follow(table);
        tournaments_follow(table);
        note_news(table);
    }
    if (payer != NULL)
        conn_release(payer);
    table_start_thinking(table);
    set_timer(table);
    want_to_write(table);
    table_release(table);
}

/* --- what may go in --- */

/* The seat was his when he gave the order; before the game it may have changed hands since. */
static bool is_his_seat(const submission *submission, const gral_host *host)
{
    const gral_input *input = &submission->input;
    if (submission->conn != NULL && submission->conn->person->name[0] == '\0')
        return false; /* he has deleted his account since */
    return submission->user == 0 || input->kind == GRAL_INPUT_SIT ||
           gral_host_seat_at(host, input->seat).user == submission->user;
}

void table_dissolve(table *table)
{
    table->dissolved = true;
    table_submit_for(table, &(gral_input){.kind = GRAL_INPUT_CLOSE, .seat = GRAL_NOBODY, .other = GRAL_NOBODY}, 0);
}

/* Whatever the reason was to give the table up, somebody may have come since. */
static bool is_missed(const table *table)
{
    return !table->dissolved && !is_empty(table) && !table_is_given_up(table);
}

static enum gral_host_refusal check(const submission *submission, const gral_host *host)
{
    if (sits_there(host, &submission->input))
        return GRAL_HOST_REPEATED;
    if (submission->input.kind == GRAL_INPUT_CLOSE && is_missed(submission->table))
        return GRAL_HOST_TAKEN;
    const enum gral_host_refusal refused = gral_host_check(host, &submission->input, submission->time);
    return refused != GRAL_ACCEPTED ? refused : gral_host_excess(host, &submission->input);
}

static bool is_of_now(const submission *submission, const gral_host *host)
{
    return !submission->versioned || submission->version == gral_host_version(host);
}

/* Whether it may go in now; where not, it is answered. */
static bool admit(submission *submission)
{
    table *table = submission->table;
    const bool resumed = submission->input.kind == GRAL_INPUT_RESUME && table->resumed_at != 0;
    submission->time = resumed ? table->resumed_at : table_now(table);
    if (submission->input.kind == GRAL_INPUT_SIT && submission->input.seat == GRAL_NOBODY)
        submission->input.seat = (uint8_t)wanted_seat(table->host, submission->input.user);
    if (!is_his_seat(submission, table->host)) {
        if (submission->conn != NULL)
            answer_refused(submission->conn, submission->re, refused_seat);
        return false;
    }
    const enum gral_host_refusal refused = check(submission, table->host);
    const bool old = !is_of_now(submission, table->host);
    if (refused == GRAL_ACCEPTED && !old)
        return true;
    table->server->figures.refused++;
    if (old && refused != GRAL_HOST_REPEATED && submission->conn != NULL)
        answer_refused(submission->conn, submission->re, refused_version);
    else
        answer(submission, refused);
    return false;
}

/* Whether it may go in after what goes in before it at the same time, which makes the table what `next` is. Where not,
 * it waits, and is judged by what is true then: nobody is answered by what is not yet on the disk. */
static bool fits(submission *submission, const gral_host *next)
{
    const bool open = submission->input.kind == GRAL_INPUT_SIT && submission->input.seat == GRAL_NOBODY;
    submission->time = table_now(submission->table);
    if (submission->conflicts > 0 || submission->input.kind == GRAL_INPUT_CLOSE)
        return false;
    if (open)
        submission->input.seat = (uint8_t)wanted_seat(next, submission->input.user);
    if (is_his_seat(submission, next) && is_of_now(submission, next) && check(submission, next) == GRAL_ACCEPTED)
        return true;
    if (open)
        submission->input.seat = GRAL_NOBODY;
    return false;
}

static void put_into(bundle *bundle, submission *submission)
{
    table *table = submission->table;
    gral_text text = gral_text_in(submission->text, sizeof submission->text);
    gral_input_print(&text, &submission->input);
    bundle_add(bundle, (store_write){.kind = STORE_APPEND,
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

static bool is_hidden_answer(const submission *submission)
{
    return submission->input.kind == GRAL_INPUT_DO && gral_host_holds_answers(submission->table->host);
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
    while (submission != NULL && is_hidden_answer(submission))
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

/* Into the bundle, unless it is refused; false where it has to wait. */
static bool take_in(bundle *bundle, submission *submission)
{
    table *table = bundle->table;
    if (bundle->full || (bundle->count > 0 && !fits(submission, bundle->next)))
        return false;
    take_out(table, submission);
    if (bundle->count == 0 && !admit(submission)) {
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
        if (is_hidden_answer(submission))
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
    if (table->first == NULL || table->in_flight > 0 || table->loading)
        return;
    bundle *bundle = memory_get(sizeof *bundle);
    bundle->table = table;
    fill(bundle);
    gral_host_free(bundle->next);
    if (bundle->count == 0) {
        free(bundle);
        return;
    }
    table->in_flight = bundle->count;
    table->busy++;
    commit_write(table->server->commit, bundle->write, bundle->writes, stored, bundle);
}

void tables_write(void *context)
{
    server *server = context;
    table *eager = server->eager;
    server->eager = NULL;
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
        set_timer(table);
        table_release(table);
    }
}

static void want_to_write(table *table)
{
    if (table->eager || table->first == NULL || table->loading)
        return;
    table->eager = true;
    LL_PREPEND2(table->server->eager, table, next_eager);
    commit_expect(table->server->commit);
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

void table_forget_work(table *table)
{
    server *server = table->server;
    if (table->eager)
        LL_DELETE2(server->eager, table, next_eager);
    if (table->news)
        drop_news(table);
    while (table->deliberations != NULL) {
        deliberation *deliberation = table->deliberations;
        table->deliberations = deliberation->next;
        free(deliberation);
    }
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
    set_timer(table);
}
