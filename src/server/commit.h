/* Group commit: what many tables want to write goes to disk together, with one fsync, on a thread of the pool, while
 * the loop goes on.
 *
 * Groups keep a beat. What comes in waits for the next beat; what was written is told at a beat, too. So the time at
 * which somebody is answered does not depend on what others have written just before: a hidden answer must not be
 * noticed by whoever keeps his own writes going and watches the clock (R10.2). The beat is long enough for the disk as
 * it has been lately. */
#ifndef GRAL_SERVER_COMMIT_H
#define GRAL_SERVER_COMMIT_H

#include "server/histogram.h"
#include "store/store.h"

#include <uv.h>

typedef struct commit commit;
typedef void commit_done(void *context, enum store_outcome outcome);

typedef struct commit_handlers {
    void (*gather)(void *context); /* at each beat before a group begins, for whoever decides only then what to write */
    void (*rest)(void *context);   /* and when it has begun, for what need not be done before; NULL: nothing */
} commit_handlers;

commit *commit_open(store *store, uv_loop_t *loop, const commit_handlers *handlers, void *context);
/* Nothing may be under way any more, see commit_busy; the loop must run once more, then commit_free. */
void commit_close(commit *commit);
void commit_free(commit *commit);
bool commit_busy(const commit *commit);

/* There will be a beat soon. */
void commit_expect(commit *commit);

/* One unit: all of it is written or none. `done` is called on the loop once it is safely there, or was refused. The
 * writes and what they point to stay the caller's and must last until then; then they have their answers in them. */
void commit_write(commit *commit, store_write *writes, size_t count, commit_done *done, void *context);

typedef struct commit_figures {
    uint64_t groups, writes, failures;
    histogram time;      /* spent in the store */
    size_t waiting;      /* units not yet answered */
    unsigned beat;       /* milliseconds */
    uint64_t late_beats; /* the disk took longer than one */
    bool healthy;        /* the newest group was written, or the failure is some time ago and nothing has been tried
                            since */
} commit_figures;
commit_figures commit_count(const commit *commit);

#endif
