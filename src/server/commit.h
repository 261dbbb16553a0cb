/* Group commit: what many tables want to write goes to disk together, with one fsync, on a thread of the pool, while
 * the loop goes on. What comes in meanwhile is the next group. */
#ifndef GRAL_SERVER_COMMIT_H
#define GRAL_SERVER_COMMIT_H

#include "../store/store.h"

#include <uv.h>

typedef struct commit commit;
typedef void commit_done(void *context, enum store_outcome outcome);

commit *commit_open(store *store, uv_loop_t *loop);
/* Only when nothing is under way any more; see commit_busy. */
void commit_close(commit *commit);
bool commit_busy(const commit *commit);

/* One unit: all of it is written or none. `done` is called on the loop once it is safely there, or was refused. The
 * writes and what they point to stay the caller's and must last until then. */
void commit_write(commit *commit, store_write *writes, size_t count, commit_done *done, void *context);

typedef struct commit_figures {
    uint64_t groups, writes, failures;
    double seconds; /* spent in the store */
    size_t waiting; /* units not yet answered */
    bool healthy;   /* the newest group was written, or the failure is some time ago and nothing has been tried since */
} commit_figures;
commit_figures commit_count(const commit *commit);

#endif
