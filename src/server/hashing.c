#include "server/hashing.h"

#include "server/allowance.h"
#include "server/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    AT_ONCE_MIN = 2,
    AT_ONCE_MAX = 4, /* the pool has one thread more for everything else, see server.c */
    WAITING_MAX = 64,
    WAITING_OF_A_SIDE = 16,
    WAITING_MAX_MS = 15000, /* then nobody waits for the answer any more */
    LATELY_MAX = 100,       /* so far it is counted how often a side has come */
    FORGET_SECONDS = 600,   /* one of these times */
    STRANGERS_RANK = 10     /* they come after so many of those who are none */
};

struct hashing {
    uv_loop_t *loop;
    allowance *lately;
    hashing_turn *waiting; /* in the order they came */
    unsigned waiting_count, running, at_once;
    bool stopped;
};

unsigned hashing_usual(void)
{
    const unsigned cores = uv_available_parallelism();
    return cores < AT_ONCE_MIN ? AT_ONCE_MIN : cores > AT_ONCE_MAX ? AT_ONCE_MAX : cores;
}

hashing *hashing_open(uv_loop_t *loop, unsigned at_once)
{
    hashing *hashing = memory_get(sizeof *hashing);
    hashing->loop = loop;
    hashing->lately = allowance_open((bucket_rate){1.0 / FORGET_SECONDS, LATELY_MAX});
    hashing->at_once = at_once;
    return hashing;
}

void hashing_close(hashing *hashing)
{
    allowance_close(hashing->lately);
    free(hashing);
}

unsigned hashing_waiting(const hashing *hashing)
{
    return hashing->waiting_count;
}

/* --- who is next --- */

static unsigned rank_of(const hashing *hashing, const hashing_turn *turn)
{
    const double left = allowance_left(hashing->lately, turn->side, uv_now(hashing->loop));
    return (unsigned)ceil(LATELY_MAX - left) + (turn->stranger ? STRANGERS_RANK : 0);
}

static hashing_turn *find_first(const hashing *hashing)
{
    hashing_turn *first = hashing->waiting, *turn;
    unsigned least = first != NULL ? rank_of(hashing, first) : 0;
    DL_FOREACH(hashing->waiting, turn)
    {
        const unsigned rank = rank_of(hashing, turn);
        if (rank < least) {
            least = rank;
            first = turn;
        }
    }
    return first;
}

static hashing_turn *find_last(const hashing *hashing)
{
    hashing_turn *last = hashing->waiting, *turn;
    unsigned most = 0;
    DL_FOREACH(hashing->waiting, turn)
    {
        const unsigned rank = rank_of(hashing, turn);
        if (rank >= most) {
            most = rank;
            last = turn;
        }
    }
    return last;
}

/* --- running --- */

static void leave_queue(hashing *hashing, hashing_turn *turn)
{
    DL_DELETE(hashing->waiting, turn);
    hashing->waiting_count--;
}

static void turn_away(hashing *hashing, hashing_turn *turn)
{
    leave_queue(hashing, turn);
    turn->done(turn, false);
}

static void run(uv_work_t *work)
{
    hashing_turn *turn = work->data;
    turn->hash(turn);
}

static void start_next(hashing *hashing);

static void was_run(uv_work_t *work, int status)
{
    (void)status;
    hashing_turn *turn = work->data;
    hashing *hashing = turn->owner;
    hashing->running--;
    turn->done(turn, true);
    start_next(hashing);
}

static void start_next(hashing *hashing)
{
    const uint64_t now = uv_now(hashing->loop);
    while (hashing->waiting != NULL && now - hashing->waiting->since > WAITING_MAX_MS)
        turn_away(hashing, hashing->waiting);
    while (hashing->waiting != NULL && hashing->running < hashing->at_once) {
        hashing_turn *turn = find_first(hashing);
        leave_queue(hashing, turn);
        hashing->running++;
        turn->work.data = turn;
        uv_queue_work(hashing->loop, &turn->work, run, was_run);
    }
}

/* --- waiting --- */

static unsigned count_side(const hashing *hashing, gral_span side)
{
    unsigned count = 0;
    const hashing_turn *turn;
    DL_FOREACH(hashing->waiting, turn)
    {
        count += turn->side.length == side.length && memcmp(turn->side.bytes, side.bytes, side.length) == 0;
    }
    return count;
}

void hashing_wait(hashing *hashing, hashing_turn *turn)
{
    const bool too_many = count_side(hashing, turn->side) >= WAITING_OF_A_SIDE;
    allowance_take(hashing->lately, turn->side, 1, uv_now(hashing->loop));
    turn->owner = hashing;
    turn->since = uv_now(hashing->loop);
    DL_APPEND(hashing->waiting, turn);
    hashing->waiting_count++;
    if (hashing->stopped || too_many)
        turn_away(hashing, turn);
    else if (hashing->waiting_count > WAITING_MAX)
        turn_away(hashing, find_last(hashing));
    start_next(hashing);
}

void hashing_stop(hashing *hashing)
{
    hashing->stopped = true;
    while (hashing->waiting != NULL)
        turn_away(hashing, hashing->waiting);
}
