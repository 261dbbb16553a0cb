/* A connection of somebody: how long it lasts, what it is sent and what that costs him. session.c says whose it is,
 * server.c when it comes and goes. */
#include "server/persons.h"

#include <stdlib.h>

const refusal refused_table = {"table", N_("this table does not exist")};
const refusal refused_seat = {"seat", N_("you are not sitting at this table")};
const refusal refused_who = {"who", N_("choose a name or log in first")};
const refusal refused_storage = {"storage", N_("that couldn't be saved; try again later")};
const refusal refused_version = {"version", N_("the game has moved on in the meantime")};
const refusal refused_silenced = {"silenced", N_("you may not chat at the moment")};
const refusal refused_words = {"words", N_("this server doesn't allow one of these words")};
const refusal refused_many = {"many", N_("you have too many tables, or the server has")};
const refusal refused_guest = {"registered", N_("only registered players can sit at a rated table")};
const refusal refused_name = {"name", N_("there is no player with this name")};
const refusal refused_private = {"private", N_("this player doesn't show you that")};
const refusal refused_rate = {"rate", N_("too many messages; wait a moment")};

conn *conn_hold(conn *conn)
{
    conn->held++;
    return conn;
}

void conn_release(conn *conn)
{
    if (--conn->held > 0)
        return;
    pen_free(&conn->early);
    person_release(conn->person);
    free(conn);
}

void conn_send(conn *conn, const pen *message)
{
    if (conn->peer == NULL)
        return;
    conn->sent += message->length;
    web_send(conn->peer, pen_span(message));
}

static payer payer_of(conn *conn)
{
    return (payer){.own = conn->person != NULL ? conn->person->bucket : NULL, .from = conn->from};
}

bool conn_pays(conn *conn, enum budget_kind kind, double price)
{
    server *server = conn->server;
    const payer payer = payer_of(conn);
    const uint64_t now = uv_now(&server->loop);
    if (conn->person == NULL && kind == BUDGET_WORK &&
        !budget_take(server->budget, BUDGET_STRANGERS, &payer, price, now))
        return false;
    return budget_take(server->budget, kind, &payer, price, now);
}

void conn_charge(conn *conn, double price)
{
    budget *budget = conn->server->budget;
    const payer payer = payer_of(conn);
    const uint64_t now = uv_now(&conn->server->loop);
    if (conn->person == NULL)
        budget_charge(budget, BUDGET_STRANGERS, &payer, price, now);
    budget_charge(budget, BUDGET_WORK, &payer, price, now);
}

/* For what it has been sent since then. */
void conn_pay_for_bytes(conn *conn, size_t sent_before)
{
    conn_charge(conn, (double)(conn->sent - sent_before) / BUDGET_UNIT_BYTES);
}

/* --- answers --- */

refusal refusal_of_host(enum gral_host_refusal code)
{
    return (refusal){tell_refusal(code), gral_host_refusal_text(code)};
}

void answer_begin(conn *conn, const char *re)
{
    pen *out = &conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    if (*re != '\0')
        pen_put_words(out, "re", re);
}

void answer_end(conn *conn)
{
    pen_end(&conn->server->out, '}');
    conn_send(conn, &conn->server->out);
}

void answer_ok(conn *conn, const char *re)
{
    answer_begin(conn, re);
    pen_put_bool(&conn->server->out, "ok", true);
    answer_end(conn);
}

static void begin_refusal(conn *conn, const char *re, refusal why)
{
    answer_begin(conn, re);
    pen_put_words(&conn->server->out, "error", why.code);
    pen_put_words(&conn->server->out, "text", why.text);
}

void answer_table(conn *conn, const char *re, const char *table)
{
    answer_begin(conn, re);
    pen_put_bool(&conn->server->out, "ok", true);
    pen_put_words(&conn->server->out, "table", table);
    answer_end(conn);
}

void answer_refused(conn *conn, const char *re, refusal why)
{
    begin_refusal(conn, re, why);
    answer_end(conn);
}

void answer_put_refused(conn *conn, const char *re, refusal why)
{
    begin_refusal(conn, re, why);
    pen_end(&conn->server->out, '}');
}

void answer_not_yet(conn *conn, const char *re, refusal why, int64_t milliseconds)
{
    begin_refusal(conn, re, why);
    pen_put_number(&conn->server->out, "wait", milliseconds);
    answer_end(conn);
}
