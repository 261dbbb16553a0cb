/* Computer players think on threads of their own, so that neither the loop nor a commit ever waits for them; these
 * threads stand back behind all others of the server. A player gets a task made from what its seat may know, and
 * nothing else.
 *
 * A thread is held only while it thinks. Whoever asks sees to it that the answer is told at a time that depends on
 * nothing secret: he knows from the thought when it began, and should take it to have needed all of its time.
 *
 * Who is next: every thought has somebody who pays for it. Each payer has spent the cost of all his thoughts that have
 * begun; the one who has spent least is next, and of his questions (`context`) the one that has waited longest, each in
 * its turn. Somebody new begins where the least of the others stands, and goes first; somebody for whom nothing waits
 * is forgotten as soon as the others have spent as much. There is one thread more than one payer can have: so what one
 * person has thought about does not keep another waiting, however much it is. The cost is known beforehand and the same
 * for every sheet: were it the time that was really needed, the order would tell what others hold (R10.2). */
#ifndef GRAL_SERVER_THINK_H
#define GRAL_SERVER_THINK_H

#include "gral/host.h"

#include <uv.h>

typedef struct think think;

typedef struct thought {
    unsigned seat;
    uint32_t version; /* of the game it was thought for */
    unsigned count;   /* 0: there is no such player, or no memory for it */
    gral_action action[GRAL_ACTIONS_MAX];
    bool offers;
    gral_offer offer;
    uint64_t began; /* by uv_hrtime */
} thought;

/* On the loop. `context` is what think_about was given. */
typedef void think_done(void *context, const thought *thought);

/* So many threads for each payer, and one more in all. */
think *think_open(uv_loop_t *loop, unsigned threads);

/* The task is taken over. */
void think_about(think *think, gral_task *task, uint64_t payer, uint64_t cost, think_done *done, void *context);

/* Forgets what has not begun; what has, is finished but not told. */
void think_stop(think *think);

/* When it was stopped and nothing runs any more. The loop has to run once more before it is closed. */
void think_close(think *think);

typedef struct think_figures {
    uint64_t decisions;
    double seconds; /* spent thinking, on all threads */
    unsigned waiting, running;
} think_figures;
think_figures think_count(think *think);

#endif
