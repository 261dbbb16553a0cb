/* What people order over the WebSocket: a table of orders, each a short function. Whatever changes a game becomes an
 * input of its table; the seat is always the sender's own, so nobody can speak for somebody else. */
#include "parts.h"

#include "memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

const refusal refused_table = {"table", N_("this table does not exist")};
const refusal refused_seat = {"seat", N_("you are not sitting at this table")};
const refusal refused_who = {"who", N_("choose a name or log in first")};
const refusal refused_storage = {"storage", N_("that couldn't be saved; try again later")};
const refusal refused_version = {"version", N_("the game has moved on since")};
const refusal refused_present = {"present", N_("this player is here, or was a moment ago")};
const refusal refused_many = {"many", N_("you or the server have too many tables")};
const refusal refused_rate = {"rate", N_("too many messages; wait a moment")};
static const refusal refused_not_over = {"not-over", N_("this game is not over yet")};
static const refusal refused_name = {"name", N_("there is no player with this name")};

refusal refusal_of_host(unsigned code)
{
    return (refusal){tell_refusal(code), gral_host_refusal_text(code)};
}

/* --- connections --- */

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
    people_release(conn->person);
    free(conn);
}

void conn_send(conn *conn, const pen *message)
{
    if (conn->peer == NULL)
        return;
    conn->sent += message->length;
    net_send(conn->peer, pen_span(message));
}

static payer payer_of(conn *conn)
{
    payer payer = conn->payer;
    payer.own = conn->person != NULL ? conn->person->bucket : NULL;
    return payer;
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
static void pay_for_bytes(conn *conn, size_t sent_before)
{
    conn_charge(conn, (double)(conn->sent - sent_before) / BUDGET_UNIT_BYTES);
}

static void begin_answer(conn *conn, const char *re)
{
    pen *out = &conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    if (*re != '\0')
        pen_put_words(out, "re", re);
}

static void end_answer(conn *conn)
{
    pen_end(&conn->server->out, '}');
    conn_send(conn, &conn->server->out);
}

void answer_ok(conn *conn, const char *re)
{
    begin_answer(conn, re);
    pen_put_bool(&conn->server->out, "ok", true);
    end_answer(conn);
}

void answer_refused(conn *conn, const char *re, refusal why)
{
    begin_answer(conn, re);
    pen_put_words(&conn->server->out, "error", why.code);
    pen_put_words(&conn->server->out, "text", why.text);
    end_answer(conn);
}

static void answer_table(conn *conn, const char *re, const char *table)
{
    begin_answer(conn, re);
    pen_put_bool(&conn->server->out, "ok", true);
    pen_put_words(&conn->server->out, "table", table);
    end_answer(conn);
}

/* --- orders about one table --- */

/* Whoever gave an order, kept until it can be done. */
typedef struct errand {
    conn *conn;
    message message;
} errand;

static errand *keep(conn *conn, const message *message)
{
    errand *errand = (struct errand *)memory_get(sizeof *errand);
    errand->conn = conn_hold(conn);
    errand->message = *message;
    if (message->input.words.length > 0)
        errand->message.input.words.bytes = errand->message.words;
    return errand;
}

static void drop(errand *errand)
{
    conn_release(errand->conn);
    free(errand);
}

static void watch_table(conn *conn, table *table, const message *message)
{
    if (conn->peer == NULL)
        return;
    if (!table_may_be_watched(table, conn)) {
        answer_refused(conn, message->id, refused_many);
        return;
    }
    answer_ok(conn, message->id);
    table_watch(table, conn, message->have);
}

static void unwatch_table(conn *conn, table *table, const message *message)
{
    answer_ok(conn, message->id);
    for (watch *watch = conn->watches; watch != NULL; watch = watch->next_of_conn)
        if (watch->table == table) {
            table_unwatch(watch);
            return;
        }
}

static void sit_if_allowed(conn *conn, table *table, const gral_input *input, const char *re)
{
    const refusal *why = seats_promise(conn->server, conn->person, seats_computers_for(table, conn->person));
    if (why == NULL)
        table_submit(table, input, conn, re, NULL);
    else
        answer_refused(conn, re, *why);
}

static void sit_down(conn *conn, table *table, const message *message)
{
    const gral_input input = {.kind = GRAL_INPUT_SIT,
                              .seat = (uint8_t)message->seat,
                              .other = GRAL_NOBODY,
                              .user = conn->person->id,
                              .ticket = message->ticket};
    sit_if_allowed(conn, table, &input, message->id);
}

/* What the order becomes as an input. */
static const uint8_t input_of_order[ORDERS] = {
    [ORDER_RISE] = GRAL_INPUT_RISE,       [ORDER_ACT] = GRAL_INPUT_DO,        [ORDER_ORDER] = GRAL_INPUT_ORDER,
    [ORDER_CANCEL] = GRAL_INPUT_CANCEL,   [ORDER_DRAW] = GRAL_INPUT_DRAW,     [ORDER_NODRAW] = GRAL_INPUT_NODRAW,
    [ORDER_REPLACE] = GRAL_INPUT_REPLACE, [ORDER_RESIGN] = GRAL_INPUT_RESIGN, [ORDER_BACK] = GRAL_INPUT_BACK,
    [ORDER_TALK] = GRAL_INPUT_TALK,       [ORDER_OFFER] = GRAL_INPUT_OFFER,   [ORDER_MUTE] = GRAL_INPUT_MUTE,
    [ORDER_UNMUTE] = GRAL_INPUT_UNMUTE,
};

static void say_at_table(conn *conn, table *table, const message *message)
{
    const unsigned seat = table_seat_of(table, conn->person);
    if (seat == GRAL_NOBODY && message->order == ORDER_RISE) { /* he has got up already */
        answer_ok(conn, message->id);
        return;
    }
    if (seat == GRAL_NOBODY) {
        answer_refused(conn, message->id, refused_seat);
        return;
    }
    gral_input input = message->input;
    input.kind = input_of_order[message->order];
    input.seat = (uint8_t)seat;
    input.other = (uint8_t)message->seat;
    input.ticket = message->ticket;
    table_submit(table, &input, conn, message->id, message->order == ORDER_ACT ? &message->version : NULL);
}

static void vote_to_replace(conn *conn, table *table, const message *message)
{
    const gral_terms *terms = gral_host_terms(table->host);
    const int64_t decision = terms->clock == GRAL_CLOCK_MOVE   ? terms->time
                             : terms->clock == GRAL_CLOCK_BANK ? terms->answer
                                                               : 0;
    const int64_t usual = 1000ll * conn->server->settings.absent_seconds,
                  patience = decision > usual ? decision : usual;
    const unsigned players = terms->settings.players;
    const bool there = message->seat < players &&
                       ((table->present >> message->seat & 1) != 0 ||
                        server_now(conn->server) - table->gone_since[message->seat] < patience);
    if (there)
        answer_refused(conn, message->id, refused_present);
    else
        say_at_table(conn, table, message);
}

/* --- new tables --- */

static unsigned computers_of(const gral_terms *terms)
{
    unsigned computers = 0;
    for (unsigned seat = 0; seat < terms->settings.players; seat++)
        computers += terms->computer[seat][0] != '\0';
    return computers;
}

/* Whether another table was promised him; where not, he is told why. */
static bool reserve_table(conn *conn, const gral_terms *terms, const char *re)
{
    const refusal *why = conn->server->table_count < conn->server->settings.tables_max
                             ? seats_promise(conn->server, conn->person, computers_of(terms))
                             : &refused_many;
    if (why == NULL && !conn_pays(conn, BUDGET_TABLES, 1)) {
        seats_redeem(conn->person, computers_of(terms));
        why = &refused_rate;
    }
    if (why != NULL)
        answer_refused(conn, re, *why);
    return why == NULL;
}

static void give_back_table(conn *conn, const gral_terms *terms)
{
    seats_redeem(conn->person, computers_of(terms));
}

static void table_made(void *context, table *table)
{
    errand *errand = (struct errand *)context;
    give_back_table(errand->conn, &errand->message.terms);
    if (table == NULL)
        answer_refused(errand->conn, errand->message.id, refused_storage);
    else
        answer_table(errand->conn, errand->message.id, table->id);
    drop(errand);
}

static void create(conn *conn, const message *message)
{
    if (!reserve_table(conn, &message->terms, message->id))
        return;
    gral_terms terms = message->terms;
    id_make(terms.game, conn->session, sizeof conn->session,
            (gral_span){(const char *)&message->ticket, sizeof message->ticket});
    if (message->first_by_chance)
        terms.settings.first = (uint8_t)randombytes_uniform(terms.settings.players);
    unsigned seat = 0;
    while (*terms.computer[seat] != '\0')
        seat++;
    tables_make(conn->server, &terms, conn->person, &conn->payer, seat, table_made, keep(conn, message));
}

/* A rematch is a new table for the same people in the same seats; the next player begins. Its id follows from the old
 * game's seed, which is a secret: so all of them come to the same table, at once or much later, and nobody else can
 * find it. Only they are told. If it was given up before it began, there is a next one. */
enum { REMATCHES_MAX = 20 };

static void tell_rematch(table *old, const char *next)
{
    pen *out = &old->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "rematch");
    pen_put_words(out, "table", old->id);
    pen_put_words(out, "next", next);
    pen_end(out, '}');
    watch *watch;
    DL_FOREACH(old->watches, watch)
    {
        if (table_seat_of(old, watch->conn->person) != GRAL_NOBODY)
            conn_send(watch->conn, out);
    }
}

static void look_for_rematch(errand *errand);

static void rematch_found(void *context, table *next)
{
    errand *errand = (struct errand *)context;
    conn *conn = errand->conn;
    const bool given_up = next != NULL && gral_host_end(next->host) == GRAL_END_CLOSED;
    if (given_up && ++errand->message.have < REMATCHES_MAX) {
        look_for_rematch(errand);
        return;
    }
    give_back_table(conn, &errand->message.terms);
    if (next == NULL || given_up) {
        answer_refused(conn, errand->message.id, refused_storage);
    } else if (table_seat_of(next, conn->person) != GRAL_NOBODY) {
        table *old;
        HASH_FIND_STR(conn->server->tables, errand->message.table, old);
        answer_table(conn, errand->message.id, next->id);
        if (old != NULL && old->host != NULL)
            tell_rematch(old, next->id);
    } else {
        const gral_input input = {.kind = GRAL_INPUT_SIT,
                                  .seat = (uint8_t)errand->message.seat,
                                  .other = GRAL_NOBODY,
                                  .user = conn->person->id};
        sit_if_allowed(conn, next, &input, errand->message.id);
    }
    drop(errand);
}

/* The errand's message has the old game's terms, and in `have`, which this order does not use, how many tables were
 * given up. */
static void look_for_rematch(errand *errand)
{
    gral_terms terms = errand->message.terms;
    const struct {
        char words[8];
        uint64_t number;
    } which = {"rematch", errand->message.have};
    id_make(terms.game, (const uint8_t *)&terms.seed, sizeof terms.seed,
            (gral_span){(const char *)&which, sizeof which});
    terms.settings.first = (uint8_t)((terms.settings.first + 1) % terms.settings.players);
    terms.listed = false;
    tables_make(errand->conn->server, &terms, errand->conn->person, &errand->conn->payer, errand->message.seat,
                rematch_found, errand);
}

static void rematch(conn *conn, table *table, const message *message)
{
    const unsigned seat = table_seat_of(table, conn->person);
    if (seat == GRAL_NOBODY) {
        answer_refused(conn, message->id, refused_seat);
        return;
    }
    if (gral_host_stage(table->host) != GRAL_ENDED) {
        answer_refused(conn, message->id, refused_not_over);
        return;
    }
    if (!reserve_table(conn, gral_host_terms(table->host), message->id))
        return;
    errand *errand = keep(conn, message);
    errand->message.seat = seat;
    errand->message.have = 0;
    errand->message.terms = *gral_host_terms(table->host);
    look_for_rematch(errand);
}

/* --- statistics --- */

typedef struct asking {
    uv_work_t work;
    errand *errand;
    char key[NAME_KEY_MAX];
    store_user user;
    store_statistics statistics;
    bool failed;
} asking;

static void look_up_statistics(uv_work_t *work)
{
    asking *asking = (struct asking *)work->data;
    store *store = asking->errand->conn->server->store;
    gral_error error;
    asking->failed = !store->kind->user_by_key(store, asking->key, &asking->user, &error) ||
                     !store->kind->statistics(store, asking->user.user, &asking->statistics, &error);
}

static void put_tally(pen *out, const store_tally *tally)
{
    pen_put_number(out, "games", tally->games);
    pen_put_number(out, "won", tally->won);
    pen_put_number(out, "drawn", tally->drawn);
}

static void put_games(pen *out, const char *name, const store_tally *tally)
{
    pen_key(out, name);
    pen_begin(out, '{');
    put_tally(out, tally);
    pen_end(out, '}');
}

static void tell_statistics(uv_work_t *work, int status)
{
    (void)status;
    asking *asking = (struct asking *)work->data;
    errand *errand = asking->errand;
    const store_statistics *statistics = &asking->statistics;
    pen *out = &errand->conn->server->out;
    if (asking->failed || asking->user.user == 0) {
        answer_refused(errand->conn, errand->message.id, asking->failed ? refused_storage : refused_name);
    } else {
        begin_answer(errand->conn, errand->message.id);
        pen_put_bool(out, "ok", true);
        pen_put_words(out, "name", asking->user.name);
        put_tally(out, &statistics->all);
        pen_key(out, "standard");
        pen_begin(out, '{');
        for (unsigned players = GRAL_PLAYERS_MIN; players <= GRAL_PLAYERS_MAX; players++) {
            char digits[4];
            gral_text text = gral_text_in(digits, sizeof digits);
            gral_text_add_number(&text, players);
            if (statistics->players[players].games > 0)
                put_games(out, digits, &statistics->players[players]);
        }
        pen_end(out, '}');
        put_games(out, "original", &statistics->original);
        end_answer(errand->conn);
    }
    drop(errand);
    free(asking);
}

static void statistics(conn *conn, const message *message)
{
    char name[NAME_BYTES_MAX];
    const char *why;
    asking *asking = (struct asking *)memory_get(sizeof *asking);
    if (!name_read(gral_span_of(message->name), name, asking->key, &why)) {
        answer_refused(conn, message->id, refused_name);
        free(asking);
        return;
    }
    asking->errand = keep(conn, message);
    asking->work.data = asking;
    uv_queue_work(&conn->server->loop, &asking->work, look_up_statistics, tell_statistics);
}

static void look_around(conn *conn, const message *message)
{
    lobby_open(conn, message->id, message->on);
}

/* --- all orders --- */

static const struct {
    void (*run)(conn *conn, const message *message);
    void (*at_table)(conn *conn, table *table, const message *message);
    bool for_anybody;
    uint8_t price; /* beside the one unit of every message */
} orders[ORDERS] = {
    [ORDER_LOBBY] = {.run = look_around, .for_anybody = true, .price = 9},
    [ORDER_CREATE] = {.run = create, .price = 9},
    [ORDER_WATCH] = {.at_table = watch_table, .for_anybody = true, .price = 1},
    [ORDER_UNWATCH] = {.at_table = unwatch_table, .for_anybody = true},
    [ORDER_SIT] = {.at_table = sit_down, .price = 1},
    [ORDER_RISE] = {.at_table = say_at_table},
    [ORDER_ACT] = {.at_table = say_at_table},
    [ORDER_ORDER] = {.at_table = say_at_table},
    [ORDER_CANCEL] = {.at_table = say_at_table},
    [ORDER_DRAW] = {.at_table = say_at_table},
    [ORDER_NODRAW] = {.at_table = say_at_table},
    [ORDER_REPLACE] = {.at_table = vote_to_replace},
    [ORDER_RESIGN] = {.at_table = say_at_table},
    [ORDER_BACK] = {.at_table = say_at_table},
    [ORDER_REMATCH] = {.at_table = rematch, .price = 9},
    [ORDER_TALK] = {.at_table = say_at_table},
    [ORDER_OFFER] = {.at_table = say_at_table},
    [ORDER_MUTE] = {.at_table = say_at_table},
    [ORDER_UNMUTE] = {.at_table = say_at_table},
    [ORDER_STATS] = {.run = statistics, .for_anybody = true, .price = 9},
};

enum { PRICE_OF_LOADING = 9 }; /* a table that is only in the store */

/* Long answers are paid for, at once or when the table was loaded. */
static void run_at_table(conn *conn, table *table, const message *message)
{
    const size_t sent = conn->sent;
    orders[message->order].at_table(conn, table, message);
    pay_for_bytes(conn, sent);
}

static void table_was_found(void *context, table *table)
{
    errand *errand = (struct errand *)context;
    if (table == NULL)
        answer_refused(errand->conn, errand->message.id, refused_table);
    else
        run_at_table(errand->conn, table, &errand->message);
    drop(errand);
}

enum { OFFENCES_MAX = 20 };

/* Whoever goes on like that has to leave; whoever stops is forgiven. */
static void offend(conn *conn, const char *why)
{
    if (++conn->offences >= OFFENCES_MAX && conn->peer != NULL)
        net_drop(conn->peer, 1008, why);
}

static void run(conn *conn, const message *message)
{
    if (orders[message->order].run != NULL) {
        orders[message->order].run(conn, message);
        return;
    }
    table *table;
    HASH_FIND_STR(conn->server->tables, message->table, table);
    if (table != NULL && table->host != NULL)
        run_at_table(conn, table, message);
    else if (!conn_pays(conn, BUDGET_WORK, PRICE_OF_LOADING))
        answer_refused(conn, message->id, refused_rate);
    else
        tables_find(conn->server, message->table, table_was_found, keep(conn, message));
}

void orders_take(conn *conn, gral_span text)
{
    message message;
    refusal why;
    gral_error detail;
    conn->server->figures.orders++;
    const bool understood = message_read(text, &message, &why, &detail);
    if (!conn_pays(conn, BUDGET_WORK, 1 + (understood ? orders[message.order].price : 0))) {
        answer_refused(conn, message.id, refused_rate);
        offend(conn, refused_rate.text);
        return;
    }
    if (!understood) {
        answer_refused(conn, message.id, why);
        if (message.id[0] == '\0')
            offend(conn, why.text);
        return;
    }
    conn->offences -= conn->offences > 0;
    if (conn->person == NULL && !orders[message.order].for_anybody) {
        answer_refused(conn, message.id, refused_who);
        return;
    }
    run(conn, &message);
}
