/* What somebody may cost. Every request has a price, in units of about what a short message costs the server; whoever
 * asks pays from his own budget and from that of the networks he comes from (source.h), where everybody who comes from
 * there pays too. A budget fills at a steady rate and holds so much; the price of an answer that is long is paid when
 * its length is known, so a budget can be overdrawn, and then has to fill again first. */
#ifndef GRAL_SERVER_BUDGET_H
#define GRAL_SERVER_BUDGET_H

#include "server/bucket.h"
#include "server/source.h"

enum budget_kind {
    BUDGET_WORK,        /* requests, and the bytes of long answers */
    BUDGET_STRANGERS,   /* the same, of those who have not said who they are */
    BUDGET_NAMES,       /* new guests and accounts */
    BUDGET_TABLES,      /* new tables */
    BUDGET_EXPORTS,     /* everything about a person */
    BUDGET_REPORTS,     /* complaints about others */
    BUDGET_INVITATIONS, /* to tables, and to be friends */
    BUDGET_ENTRIES,     /* to be in a tournament, or not any more */
    BUDGET_MAILS,       /* mail to an address that somebody has named */
    BUDGET_KINDS
};

/* Bytes of an answer for one unit. */
enum { BUDGET_UNIT_BYTES = 16384 };

/* Who pays. */
typedef struct payer {
    bucket *own; /* one of each kind, or NULL for somebody who has none */
    origin from;
} payer;

/* The budgets of all networks. `rate` is what a person may spend a second for work; 0: nothing is limited. */
typedef struct budget budget;
budget *budget_open(unsigned rate);
void budget_set_rate(budget *budget, unsigned rate);
void budget_close(budget *budget);

/* Takes the price from everybody who pays for it, if none of them has used up what he had; else false, and nothing was
 * taken. `now` is in milliseconds. */
bool budget_take(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now);
/* Takes it in any case. */
void budget_charge(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now);
/* Seconds until the networks he comes from have something left; 0: they have. */
unsigned budget_wait(budget *budget, enum budget_kind kind, const payer *payer, uint64_t now);

#endif
