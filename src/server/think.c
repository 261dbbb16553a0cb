#include "think.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct job {
    uv_work_t work;
    uv_timer_t timer; /* the time it is taken to need */
    uint64_t milliseconds;
    think *think;
    gral_task task;
    gral_player *player;
    thought thought;
    think_done *done;
    void *context;
    uint64_t began;
    struct job *next;
} job;

/* A player keeps nothing between two questions but memory to work in, so any table may use any that has the right name.
 */
typedef struct resting {
    gral_player *player;
    char name[GRAL_COMPUTER_TEXT_MAX];
} resting;

enum { RESTING_MAX = 32 };

struct think {
    uv_loop_t *loop;
    unsigned threads;
    bool stopped;
    job *waiting, *last;
    resting resting[RESTING_MAX];
    unsigned resting_count;
    think_figures figures;
};

think *think_open(uv_loop_t *loop, unsigned threads)
{
    think *think = (struct think *)memory_get(sizeof *think);
    think->loop = loop;
    think->threads = threads;
    return think;
}

void think_close(think *think)
{
    for (unsigned index = 0; index < think->resting_count; index++)
        gral_player_free(think->resting[index].player);
    free(think);
}

think_figures think_count(const think *think)
{
    return think->figures;
}

static gral_player *wake(think *think, const char *name)
{
    for (unsigned index = 0; index < think->resting_count; index++) {
        if (strcmp(think->resting[index].name, name) != 0)
            continue;
        gral_player *player = think->resting[index].player;
        think->resting[index] = think->resting[--think->resting_count];
        return player;
    }
    gral_error error;
    return gral_player_make(gral_span_of(name), &error);
}

static void rest(think *think, gral_player *player, const char *name)
{
    if (think->resting_count == RESTING_MAX) {
        gral_player_free(player);
        return;
    }
    resting *resting = &think->resting[think->resting_count++];
    resting->player = player;
    memcpy(resting->name, name, sizeof resting->name);
}

static double clock_ms(void)
{
    return 1e-6 * (double)uv_hrtime();
}

static void think_now(uv_work_t *work)
{
    job *job = (struct job *)work->data;
    thought *thought = &job->thought;
    thought->count = gral_task_think(&job->task, job->player, clock_ms, thought->action, &thought->offer,
                                     &thought->offers);
}

static void free_timed_job(uv_handle_t *timer)
{
    job *job = (struct job *)timer->data;
    gral_task_free(&job->task);
    free(job);
}

static void free_job(job *job)
{
    uv_close((uv_handle_t *)&job->timer, free_timed_job);
}

static void start(think *think);

static void time_is_over(uv_timer_t *timer)
{
    job *job = (struct job *)timer->data;
    think *think = job->think;
    think->figures.running--;
    rest(think, job->player, job->task.player);
    if (!think->stopped)
        job->done(job->context, &job->thought);
    free_job(job);
    start(think);
}

static void thought_out(uv_work_t *work, int status)
{
    (void)status;
    job *job = (struct job *)work->data;
    think *think = job->think;
    const uint64_t took = uv_hrtime() - job->began, whole = 1000000 * job->milliseconds;
    think->figures.decisions++;
    think->figures.seconds += 1e-9 * (double)took;
    uv_timer_start(&job->timer, time_is_over, think->stopped || took >= whole ? 0 : (whole - took + 999999) / 1000000,
                   0);
}

static void start(think *think)
{
    while (think->waiting != NULL && think->figures.running < think->threads) {
        job *job = think->waiting;
        think->waiting = job->next;
        if (think->waiting == NULL)
            think->last = NULL;
        think->figures.waiting--;
        job->player = wake(think, job->task.player);
        if (job->player == NULL) { /* no memory, or a name that an older server understood */
            job->done(job->context, &job->thought);
            free_job(job);
            continue;
        }
        think->figures.running++;
        job->began = uv_hrtime();
        uv_queue_work(think->loop, &job->work, think_now, thought_out);
    }
}

void think_about(think *think, gral_task *task, uint64_t milliseconds, think_done *done, void *context)
{
    job *job = (struct job *)memory_get(sizeof *job);
    *job = (struct job){.think = think, .task = *task, .milliseconds = milliseconds, .done = done, .context = context};
    job->thought = (thought){.seat = task->seat, .version = task->version};
    job->work.data = job;
    uv_timer_init(think->loop, &job->timer);
    job->timer.data = job;
    if (think->last != NULL)
        think->last->next = job;
    else
        think->waiting = job;
    think->last = job;
    think->figures.waiting++;
    start(think);
}

void think_stop(think *think)
{
    think->stopped = true;
    while (think->waiting != NULL) {
        job *job = think->waiting;
        think->waiting = job->next;
        free_job(job);
    }
    think->last = NULL;
    think->figures.waiting = 0;
}
