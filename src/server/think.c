#include "server/think.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uthash.h>
#include <utlist.h>

enum { RESTING_MAX = 32, THREAD_NICE = 5, SPARE = 1 };

typedef struct job {
    struct share *share;
    gral_task task;
    thought thought;
    uint64_t cost;
    think_done *done;
    void *context;
    uint64_t ended;
    struct job *next;
} job;

/* What waits for one answerer. */
typedef struct pile {
    void *context;
    job *jobs;
    struct pile *prev, *next;
} pile;

/* Where payers come from. */
typedef struct network {
    uint64_t id;
    unsigned payers; /* of those who are known here */
    UT_hash_handle hh;
} network;

/* One payer. */
typedef struct share {
    uint64_t payer, spent;
    network *network;
    pile *piles; /* the next in turn first */
    unsigned running;
    bool aside; /* not in the heap: it can begin nothing before one of its thoughts has ended, or another has come */
    UT_hash_handle hh;
} share;

/* A player keeps nothing between two questions but memory to work in, so any table may use any that has the right name.
 */
typedef struct resting {
    gral_player *player;
    char name[GRAL_COMPUTER_TEXT_MAX];
} resting;

struct think {
    uv_async_t finished_some;
    uv_thread_t *thread;
    unsigned threads, threads_each; /* in all; at the same time for one payer */
    bool stopped;                   /* the loop's own */
    uv_mutex_t lock;                /* of all that follows */
    uv_cond_t something_to_do;
    bool closing;
    share *by_payer;
    network *networks;
    share **heap; /* those who are not aside; who has spent least is the first */
    size_t shares, room;
    uint64_t spent; /* by whoever had his turn last, before it: nobody has spent less */
    job *finished;
    resting resting[RESTING_MAX];
    unsigned resting_count;
    think_figures figures;
};

/* --- who has spent least --- */

static void swap(share **a, share **b)
{
    share *kept = *a;
    *a = *b;
    *b = kept;
}

/* A newcomer goes before those who are level with him. */
static void rise(think *think, size_t at)
{
    for (; at > 0 && think->heap[(at - 1) / 2]->spent >= think->heap[at]->spent; at = (at - 1) / 2)
        swap(&think->heap[at], &think->heap[(at - 1) / 2]);
}

static void sink(think *think, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < think->shares; child++)
            if (think->heap[child]->spent < think->heap[least]->spent)
                least = child;
        if (least == at)
            return;
        swap(&think->heap[at], &think->heap[least]);
        at = least;
    }
}

static void put_in(think *think, share *share)
{
    if (think->shares == think->room) {
        think->room = 2 * think->room + 16;
        think->heap = memory_grow(think->heap, think->room * sizeof *think->heap);
    }
    if (share->spent < think->spent)
        share->spent = think->spent;
    share->aside = false;
    think->heap[think->shares++] = share;
    rise(think, think->shares - 1);
}

static void take_out_first(think *think)
{
    think->heap[0]->aside = true;
    think->heap[0] = think->heap[--think->shares];
    sink(think, 0);
}

static network *network_of(think *think, uint64_t id)
{
    network *network;
    HASH_FIND(hh, think->networks, &id, sizeof id, network);
    if (network != NULL)
        return network;
    network = memory_get(sizeof *network);
    network->id = id;
    HASH_ADD(hh, think->networks, id, sizeof network->id, network);
    return network;
}

static share *share_of(think *think, think_payer payer)
{
    share *share;
    HASH_FIND(hh, think->by_payer, &payer.person, sizeof payer.person, share);
    if (share != NULL)
        return share;
    share = memory_get(sizeof *share);
    share->payer = payer.person;
    share->network = network_of(think, payer.network);
    share->network->payers++;
    HASH_ADD(hh, think->by_payer, payer, sizeof share->payer, share);
    put_in(think, share);
    return share;
}

static void forget(think *think, share *share)
{
    network *network = share->network;
    HASH_DEL(think->by_payer, share);
    free(share);
    if (--network->payers > 0)
        return;
    HASH_DEL(think->networks, network);
    free(network);
}

/* --- what waits --- */

static void add_job(think *think, think_payer payer, job *job)
{
    share *share = share_of(think, payer);
    pile *pile;
    DL_SEARCH_SCALAR(share->piles, pile, context, job->context);
    if (pile == NULL) {
        pile = memory_get(sizeof *pile);
        pile->context = job->context;
        DL_APPEND(share->piles, pile);
    }
    LL_APPEND(pile->jobs, job);
    job->share = share;
    if (share->aside && share->running < think->threads_each)
        put_in(think, share);
    think->figures.waiting++;
}

/* The first of the first pile, which then has to wait until the others of the share have had their turn. */
static job *take_from(share *share)
{
    pile *pile = share->piles;
    job *job = pile->jobs;
    LL_DELETE(pile->jobs, job);
    DL_DELETE(share->piles, pile);
    if (pile->jobs != NULL)
        DL_APPEND(share->piles, pile);
    else
        free(pile);
    return job;
}

/* NULL when nothing waits that may begin. */
static job *next_job(think *think)
{
    while (think->shares > 0) {
        share *share = think->heap[0];
        think->spent = share->spent;
        if (share->piles == NULL) {
            take_out_first(think);
            if (share->running == 0)
                forget(think, share);
            continue;
        }
        job *job = take_from(share);
        share->spent += job->cost * share->network->payers;
        if (++share->running < think->threads_each)
            sink(think, 0);
        else
            take_out_first(think);
        think->figures.waiting--;
        return job;
    }
    return NULL;
}

static void end_job(think *think, job *job)
{
    job->share->running--;
    if (job->share->aside)
        put_in(think, job->share);
    job->share = NULL;
}

static void free_job(job *job)
{
    gral_task_free(&job->task);
    free(job);
}

/* --- players --- */

static gral_player *wake(think *think, const char *name)
{
    for (unsigned index = 0; index < think->resting_count; index++) {
        if (strcmp(think->resting[index].name, name) != 0)
            continue;
        gral_player *player = think->resting[index].player;
        think->resting[index] = think->resting[--think->resting_count];
        return player;
    }
    return NULL;
}

/* False: there is no room for him. */
static bool rest(think *think, gral_player *player, const char *name)
{
    if (player == NULL || think->resting_count == RESTING_MAX)
        return false;
    resting *resting = &think->resting[think->resting_count++];
    resting->player = player;
    memcpy(resting->name, name, sizeof resting->name);
    return true;
}

/* --- the threads --- */

static double clock_ms(void)
{
    return 1e-6 * (double)uv_hrtime();
}

static void do_job(think *think, job *job)
{
    thought *thought = &job->thought;
    gral_player *player = wake(think, job->task.player);
    uv_mutex_unlock(&think->lock);
    gral_error error;
    thought->began = uv_hrtime();
    if (player == NULL)
        player = gral_player_make(gral_span_of(job->task.player), &error);
    if (player != NULL)
        thought->count = gral_task_think(&job->task, player, clock_ms, thought->action, &thought->offer,
                                         &thought->offers);
    job->ended = uv_hrtime();
    uv_mutex_lock(&think->lock);
    if (!rest(think, player, job->task.player))
        gral_player_free(player);
}

static void work(void *context)
{
    think *think = (struct think *)context;
    setpriority(PRIO_PROCESS, (id_t)gettid(), THREAD_NICE); /* on Linux that is this thread alone */
    uv_mutex_lock(&think->lock);
    while (!think->closing) {
        job *job = next_job(think);
        if (job == NULL) {
            uv_cond_wait(&think->something_to_do, &think->lock);
            continue;
        }
        think->figures.running++;
        do_job(think, job);
        end_job(think, job);
        LL_PREPEND(think->finished, job);
        uv_async_send(&think->finished_some);
    }
    uv_mutex_unlock(&think->lock);
}

/* --- the loop --- */

static void tell_finished(uv_async_t *async)
{
    think *think = (struct think *)async->data;
    uv_mutex_lock(&think->lock);
    job *finished = think->finished;
    think->finished = NULL;
    for (const job *job = finished; job != NULL; job = job->next) {
        think->figures.running--;
        think->figures.decisions++;
        think->figures.seconds += 1e-9 * (double)(job->ended - job->thought.began);
    }
    uv_mutex_unlock(&think->lock);
    while (finished != NULL) {
        job *job = finished;
        finished = job->next;
        if (!think->stopped)
            job->done(job->context, &job->thought);
        free_job(job);
    }
}

think *think_open(uv_loop_t *loop, unsigned threads)
{
    think *think = memory_get(sizeof *think);
    uv_async_init(loop, &think->finished_some, tell_finished);
    uv_unref((uv_handle_t *)&think->finished_some); /* it does not keep the loop going */
    think->finished_some.data = think;
    uv_mutex_init(&think->lock);
    uv_cond_init(&think->something_to_do);
    think->threads_each = threads;
    think->thread = memory_get((threads + SPARE) * sizeof *think->thread);
    while (think->threads < threads + SPARE && uv_thread_create(&think->thread[think->threads], work, think) == 0)
        think->threads++;
    if (think->threads == 0) {
        log_line(LOG_ERROR, "threads", NULL);
        abort();
    }
    return think;
}

void think_about(think *think, gral_task *task, think_payer payer, uint64_t cost, think_done *done, void *context)
{
    job *job = memory_get(sizeof *job);
    *job = (struct job){.task = *task, .cost = cost, .done = done, .context = context};
    job->thought = (thought){.seat = task->seat, .version = task->version};
    uv_mutex_lock(&think->lock);
    add_job(think, payer, job);
    uv_cond_signal(&think->something_to_do);
    uv_mutex_unlock(&think->lock);
}

void think_stop(think *think)
{
    think->stopped = true;
    uv_mutex_lock(&think->lock);
    for (share *share = think->by_payer; share != NULL; share = (struct share *)share->hh.next)
        while (share->piles != NULL)
            free_job(take_from(share));
    think->figures.waiting = 0;
    uv_mutex_unlock(&think->lock);
}

static void free_think(uv_handle_t *async)
{
    think *think = (struct think *)async->data;
    uv_mutex_destroy(&think->lock);
    uv_cond_destroy(&think->something_to_do);
    for (unsigned index = 0; index < think->resting_count; index++)
        gral_player_free(think->resting[index].player);
    while (think->by_payer != NULL)
        forget(think, think->by_payer);
    free(think->heap);
    free(think->thread);
    free(think);
}

void think_close(think *think)
{
    uv_mutex_lock(&think->lock);
    think->closing = true;
    uv_cond_broadcast(&think->something_to_do);
    uv_mutex_unlock(&think->lock);
    for (unsigned thread = 0; thread < think->threads; thread++)
        uv_thread_join(&think->thread[thread]);
    uv_close((uv_handle_t *)&think->finished_some, free_think);
}

think_figures think_count(think *think)
{
    uv_mutex_lock(&think->lock);
    const think_figures figures = think->figures;
    uv_mutex_unlock(&think->lock);
    return figures;
}
