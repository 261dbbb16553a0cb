/* All games in a store, looked at by somebody who trusts nobody. */
#ifndef GRAL_SERVER_RECORDS_H
#define GRAL_SERVER_RECORDS_H

#include "store/store.h"

typedef struct records_checked {
    size_t games, over, wrong; /* in all; those that are over, whose records were checked; those that are wrong */
} records_checked;

/* Plays every game through by its texts; the record of one that is over is audited as `gral verify` does it. `wrong` is
 * called for what is wrong with one. False and a message when the store cannot be read. */
bool records_check(store *store, void (*wrong)(const char *game, const char *why), records_checked *checked,
                   gral_error *error);

#endif
