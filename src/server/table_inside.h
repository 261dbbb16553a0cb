/* What the parts of a table know of each other: table.c, which writes, does and tells what comes in; admission.c, which
 * says what may go in; deliberation.c, by which computer players act. */
#ifndef GRAL_SERVER_TABLE_INSIDE_H
#define GRAL_SERVER_TABLE_INSIDE_H

#include "server/parts.h"

/* table.c */
void table_set_timer(table *table); /* what comes by itself may come at another time now */
/* What a computer player has decided when the game had this version. */
void table_submit_thought(table *table, const gral_input *input, uint32_t version);

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
