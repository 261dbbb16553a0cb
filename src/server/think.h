/* Computer players think on threads of the pool, so that the loop never waits. They get a task made from what their
 * seat may know, and nothing else. */
#ifndef GRAL_SERVER_THINK_H
#define GRAL_SERVER_THINK_H

#include "gral/host.h"

#include <uv.h>

typedef struct think think;

typedef struct thought {
    unsigned seat;
    uint32_t version; /* of the game it was thought for */
    unsigned count;
    gral_action action[GRAL_ACTIONS_MAX];
    bool offers;
    gral_offer offer;
} thought;

/* `context` is what think_about was given. */
typedef void think_done(void *context, const thought *thought);

/* At most so many tasks at the same time; the others wait in the order they came. */
think *think_open(uv_loop_t *loop, unsigned threads);
void think_close(think *think); /* when nothing is under way */

/* The task is taken over. `done` is called on the loop, so many milliseconds after the thinking began, and only then
 * the thread is free for the next: how quick a player was is not to be seen. */
void think_about(think *think, gral_task *task, uint64_t milliseconds, think_done *done, void *context);

/* Forgets what has not begun; what has, is finished but not told. */
void think_stop(think *think);

typedef struct think_figures {
    uint64_t decisions;
    double seconds;
    unsigned waiting, running;
} think_figures;
think_figures think_count(const think *think);

#endif
