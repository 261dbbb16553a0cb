#include "server/commit.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    BEAT_MIN_MS = 4,
    BEAT_MAX_MS = 64, /* on a slower disk groups take several */
};

typedef struct unit {
    store_write *writes;
    size_t count;
    commit_done *done;
    void *context;
    struct unit *next;
} unit;

typedef struct group {
    unit *units;
    store_write *writes;
    size_t count, capacity;
} group;

struct commit {
    store *store;
    uv_loop_t *loop;
    commit_handlers handlers;
    void *context;
    uv_timer_t beat;
    uv_work_t work;
    enum { RESTING, WRITING, WRITTEN } stage; /* of the group under way */
    unit *waiting, *last;                     /* the next group, in the order it came */
    size_t waiting_writes;
    group group;
    bool expected; /* somebody wants to be asked at the next beat */
    bool success;
    gral_error error;
    uint64_t began;
    double slow_ms; /* what nine of ten groups do not take lately */
    commit_figures figures;
};

commit *commit_open(store *store, uv_loop_t *loop, const commit_handlers *handlers, void *context)
{
    commit *commit = memory_get(sizeof *commit);
    commit->store = store;
    commit->loop = loop;
    commit->handlers = *handlers;
    commit->context = context;
    commit->work.data = commit;
    uv_timer_init(loop, &commit->beat);
    commit->beat.data = commit;
    commit->figures.healthy = true;
    commit->figures.beat = BEAT_MIN_MS;
    return commit;
}

void commit_close(commit *commit)
{
    uv_close((uv_handle_t *)&commit->beat, NULL);
}

void commit_free(commit *commit)
{
    free(commit->group.writes);
    free(commit);
}

bool commit_busy(const commit *commit)
{
    return commit->stage != RESTING || commit->waiting != NULL || commit->expected;
}

static const uint64_t failure_is_news = 10 * UINT64_C(1000000000);

commit_figures commit_count(const commit *commit)
{
    commit_figures figures = commit->figures;
    figures.healthy |= figures.waiting == 0 && uv_hrtime() - commit->began > failure_is_news;
    return figures;
}

/* --- on the pool --- */

static void write_group(uv_work_t *work)
{
    commit *commit = work->data;
    commit->success = commit->store->kind->commit(commit->store, commit->group.writes, commit->group.count,
                                                  &commit->error);
}

/* The beat follows the slower groups of late, slowly and in steps of a quarter, so that it says nothing about any one
 * of them: a slower group than nine of ten moves it up nine times as far as another moves it down. */
static void follow_disk(commit *commit, double milliseconds)
{
    const double step = 0.02 * commit->slow_ms + 0.02;
    commit->slow_ms += milliseconds > commit->slow_ms ? 0.9 * step : -0.1 * step;
    commit->figures.beat = BEAT_MIN_MS;
    while (commit->figures.beat < BEAT_MAX_MS && commit->figures.beat < 1.25 * commit->slow_ms)
        commit->figures.beat += commit->figures.beat / 4;
    if (commit->figures.beat > BEAT_MAX_MS)
        commit->figures.beat = BEAT_MAX_MS;
}

static void group_written(uv_work_t *work, int status)
{
    (void)status;
    commit *commit = work->data;
    const double seconds = 1e-9 * (double)(uv_hrtime() - commit->began);
    commit->stage = WRITTEN;
    histogram_note(&commit->figures.time, seconds);
    commit->figures.groups++;
    commit->figures.writes += commit->group.count;
    commit->figures.failures += !commit->success;
    if (commit->success != commit->figures.healthy)
        log_line(commit->success ? LOG_INFO : LOG_ERROR, commit->success ? "storage-back" : "storage", "message=\"%s\"",
                 commit->success ? "" : commit->error.message);
    commit->figures.healthy = commit->success;
    follow_disk(commit, 1e3 * seconds);
}

/* --- at a beat --- */

static void tell_group(commit *commit)
{
    unit *units = commit->group.units;
    commit->group.units = NULL;
    commit->stage = RESTING;
    size_t at = 0;
    while (units != NULL) {
        unit *unit = units;
        units = unit->next;
        memcpy(unit->writes, commit->group.writes + at, unit->count * sizeof *unit->writes);
        at += unit->count;
        commit->figures.waiting--;
        unit->done(unit->context, unit->writes->outcome); /* may write again: that is the next group */
        free(unit);
    }
}

static void start_group(commit *commit)
{
    group *group = &commit->group;
    if (commit->waiting_writes > group->capacity) {
        group->capacity = 2 * commit->waiting_writes;
        group->writes = memory_grow(group->writes, group->capacity * sizeof *group->writes);
    }
    group->units = commit->waiting;
    group->count = 0;
    commit->waiting = commit->last = NULL;
    commit->waiting_writes = 0;
    for (const unit *unit = group->units; unit != NULL; unit = unit->next)
        for (size_t index = 0; index < unit->count; index++) {
            group->writes[group->count] = unit->writes[index];
            group->writes[group->count++].follows = index > 0;
        }
    commit->stage = WRITING;
    commit->began = uv_hrtime();
    uv_queue_work(commit->loop, &commit->work, write_group, group_written);
}

static void on_beat(uv_timer_t *timer);

/* Beats are at multiples of their length, whoever asks for one. */
static void await_beat(commit *commit)
{
    if (uv_is_active((uv_handle_t *)&commit->beat) || !commit_busy(commit))
        return;
    const uint64_t length = commit->figures.beat, now = uv_now(commit->loop);
    uv_timer_start(&commit->beat, on_beat, length - now % length, 0);
}

static void on_beat(uv_timer_t *timer)
{
    commit *commit = timer->data;
    if (commit->stage == WRITTEN)
        tell_group(commit);
    commit->figures.late_beats += commit->stage == WRITING;
    if (commit->stage == RESTING) {
        commit->expected = false;
        commit->handlers.gather(commit->context);
        if (commit->waiting != NULL)
            start_group(commit);
        if (commit->handlers.rest != NULL)
            commit->handlers.rest(commit->context);
    }
    await_beat(commit);
}

void commit_expect(commit *commit)
{
    commit->expected = true;
    await_beat(commit);
}

void commit_write(commit *commit, store_write *writes, size_t count, commit_done *done, void *context)
{
    unit *unit = memory_get(sizeof *unit);
    *unit = (struct unit){.writes = writes, .count = count, .done = done, .context = context};
    if (commit->last != NULL)
        commit->last->next = unit;
    else
        commit->waiting = unit;
    commit->last = unit;
    commit->waiting_writes += count;
    commit->figures.waiting++;
    await_beat(commit);
}
