/* What the parts of a table know of each other: table.c, which writes, does and tells what comes in; admission.c, which
 * says what may go in; deliberation.c, by which computer players act; kept.c, follow.c and slow.c, for several servers;
 * tables.c. */
#ifndef GRAL_SERVER_TABLE_INSIDE_H
#define GRAL_SERVER_TABLE_INSIDE_H

#include "server/tables.h"

/* table.c */
void table_set_timer(table *table); /* what comes by itself may come at another time now */
/* What a computer player has decided when the game had this version. */
void table_submit_thought(table *table, const gral_input *input, uint32_t version);

void table_do(table *table, const gral_input *input, int64_t time); /* what was written, here or elsewhere */
void table_was_done(table *table, conn *payer);                     /* all that was written together */
void table_write_at_slow_beat(table *table);                        /* what waits */

/* kept.c */
void table_keep(table *table, uint64_t fence); /* 0: not this server */
void table_resume_if_pressed(table *table);    /* nobody has looked after it for a moment */

/* follow.c */
void follow_take_in(server *server); /* what was read of all tables; nothing is being written just now */

/* slow.c */
bool slow_puts_off(table *table); /* what it wants to write waits for the beat */

/* tables.c */
table *tables_add(server *server, const char *id);                    /* in memory, without a host yet */
void table_wait_for(table *table, table_found *found, void *context); /* it is loaded, unless that is under way */
void table_serve_waiting(table *table);
void table_load_anew(table *table);
void table_resume(table *table); /* the time in which nobody could act is nobody's */

/* making.c */
void table_renew_host(table *table, const gral_terms *terms, int64_t time);

/* admission.c */
bool admission_now(submission *submission); /* where it may not, it is answered */
/* Whether it may go in after what goes in before it at the same time, which makes the table what `next` is. Where not,
 * it waits, and is judged by what is true then: nobody is answered by what is not yet on the disk. */
bool admission_after(submission *submission, const gral_host *next);
bool admission_is_hidden(const submission *submission); /* an answer that nobody may notice */
bool admission_nobody_sits(const table *table);
void admission_answer(const submission *submission, enum gral_host_refusal refused);

/* deliberation.c */
void deliberations_tell(table *table, int64_t now); /* those whose time has come */
int64_t deliberations_due(const table *table);      /* the next of them; INT64_MAX for none */
void deliberations_forget(table *table);

#endif
