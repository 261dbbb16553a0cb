/* What may go into a table's log, now or after what goes in before it. */
#include "server/several.h"
#include "server/table_inside.h"

static void refuse(const submission *submission, refusal why)
{
    conn *conn = submission->conn;
    if (conn == NULL)
        return;
    answer_put_refused(conn, submission->re, why);
    table_send(submission->table, conn, &conn->server->out);
}

void admission_answer(const submission *submission, enum gral_host_refusal refused)
{
    conn *conn = submission->conn;
    if (conn == NULL)
        return;
    if (refused != GRAL_ACCEPTED && refused != GRAL_HOST_REPEATED) {
        refuse(submission, refusal_of_host(refused));
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
    table_send(submission->table, conn, out);
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

bool admission_nobody_sits(const table *table)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++)
        if (gral_host_seat_at(table->host, seat).user != 0)
            return false;
    return true;
}

/* The seat was his when he gave the order; before the game it may have changed hands since. */
static bool is_his_seat(const submission *submission, const gral_host *host)
{
    const gral_input *input = &submission->input;
    if (submission->conn != NULL && submission->conn->person->name[0] == '\0')
        return false; /* he has deleted his account since */
    return submission->user == 0 || input->kind == GRAL_INPUT_SIT ||
           gral_host_seat_at(host, input->seat).user == submission->user;
}

/* Whatever the reason was to give the table up, somebody may have come since. */
static bool is_missed(const table *table)
{
    return !table->dissolved && !admission_nobody_sits(table) && !table_is_given_up(table);
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

bool admission_now(submission *submission)
{
    table *table = submission->table;
    const bool resumed = submission->input.kind == GRAL_INPUT_RESUME && table->resumed_at != 0;
    submission->time = resumed ? table->resumed_at : table_now(table);
    if (submission->anywhere)
        submission->input.seat = (uint8_t)wanted_seat(table->host, submission->input.user);
    if (!is_his_seat(submission, table->host)) {
        refuse(submission, refused_seat);
        return false;
    }
    const enum gral_host_refusal refused = check(submission, table->host);
    const bool old = !is_of_now(submission, table->host);
    if (refused == GRAL_ACCEPTED && !old)
        return true;
    table->server->figures.refused++;
    if (old && refused != GRAL_HOST_REPEATED)
        refuse(submission, refused_version);
    else
        admission_answer(submission, refused);
    return false;
}

bool admission_after(submission *submission, const gral_host *next)
{
    submission->time = table_now(submission->table);
    if (submission->conflicts > 1 || submission->input.kind == GRAL_INPUT_CLOSE)
        return false;
    if (submission->anywhere)
        submission->input.seat = (uint8_t)wanted_seat(next, submission->input.user);
    return is_his_seat(submission, next) && is_of_now(submission, next) && check(submission, next) == GRAL_ACCEPTED;
}

bool admission_is_hidden(const submission *submission)
{
    return submission->input.kind == GRAL_INPUT_DO && gral_host_holds_answers(submission->table->host);
}
