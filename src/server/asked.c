/* Who is waited for at a table, told to those of his connections that do not look at it: wherever he is, he can come.
 * To nobody else: in a hidden round it would tell who has answered (R10.2). */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

static bool looks_at(const conn *conn, const table *table)
{
    const watch *watch = conn->watches;
    while (watch != NULL && watch->table != table)
        watch = watch->next_of_conn;
    return watch != NULL;
}

static unsigned tell(table *table, const person *person, bool asked)
{
    pen *out = &table->server->out;
    unsigned count = 0;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "asked");
    pen_put_words(out, "table", table->id);
    pen_put_bool(out, "asked", asked);
    pen_end(out, '}');
    for (conn *conn = person->conns; conn != NULL; conn = conn->next_of_person)
        if (!looks_at(conn, table)) {
            table_send(table, conn, out);
            count++;
        }
    return count;
}

/* As with what watchers hear, whoever has brought it about pays. */
enum { TOLD_FOR_A_UNIT = 20 };

void asked_follow(table *table, conn *payer)
{
    const uint16_t before = table->asked;
    unsigned told = 0;
    table->asked = gral_host_waiting(table->host);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if ((before ^ table->asked) >> seat & 1 && table->seating[seat].person != NULL)
            told += tell(table, table->seating[seat].person, table->asked >> seat & 1);
    herald_asked(table);
    if (payer != NULL)
        conn_charge(payer, (double)told / TOLD_FOR_A_UNIT);
}

static bool is_asked(const seating *seating)
{
    return seating->table->asked >> (seating - seating->table->seating) & 1;
}

void asked_put(pen *out, const person *person)
{
    const seating *seating = person->seatings;
    while (seating != NULL && !is_asked(seating))
        seating = seating->next;
    if (seating == NULL)
        return;
    pen_key(out, "asked");
    pen_begin(out, '[');
    for (; seating != NULL; seating = seating->next)
        if (is_asked(seating))
            pen_words(out, seating->table->id);
    pen_end(out, ']');
}
