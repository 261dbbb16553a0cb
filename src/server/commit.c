#include "commit.h"

#include "log.h"
#include "memory.h"

#include <stdlib.h>

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
    uv_work_t work;
    bool working;
    unit *waiting, *last; /* the next group, in the order it came */
    size_t waiting_writes;
    group group; /* the one under way */
    bool written;
    gral_error error;
    uint64_t began;
    commit_figures figures;
};

commit *commit_open(store *store, uv_loop_t *loop)
{
    commit *commit = (struct commit *)memory_get(sizeof *commit);
    commit->store = store;
    commit->loop = loop;
    commit->work.data = commit;
    commit->figures.healthy = true;
    return commit;
}

void commit_close(commit *commit)
{
    free(commit->group.writes);
    free(commit);
}

bool commit_busy(const commit *commit)
{
    return commit->working;
}

static const uint64_t failure_is_news = 10 * UINT64_C(1000000000);

commit_figures commit_count(const commit *commit)
{
    commit_figures figures = commit->figures;
    figures.healthy |= figures.waiting == 0 && uv_hrtime() - commit->began > failure_is_news;
    return figures;
}

static void write_group(uv_work_t *work)
{
    commit *commit = (struct commit *)work->data;
    commit->written = commit->store->kind->commit(commit->store, commit->group.writes, commit->group.count,
                                                  &commit->error);
}

static void start_group(commit *commit);

static void group_written(uv_work_t *work, int status)
{
    (void)status;
    commit *commit = (struct commit *)work->data;
    commit->figures.seconds += 1e-9 * (double)(uv_hrtime() - commit->began);
    commit->figures.groups++;
    commit->figures.writes += commit->group.count;
    commit->figures.failures += !commit->written;
    if (commit->written != commit->figures.healthy)
        log_line(commit->written ? LOG_INFO : LOG_ERROR, commit->written ? "storage-back" : "storage", "message=\"%s\"",
                 commit->written ? "" : commit->error.message);
    commit->figures.healthy = commit->written;

    unit *units = commit->group.units;
    commit->group.units = NULL;
    size_t at = 0;
    while (units != NULL) {
        unit *unit = units;
        units = unit->next;
        const enum store_outcome outcome = commit->group.writes[at].outcome;
        at += unit->count;
        commit->figures.waiting--;
        unit->done(unit->context, outcome); /* may write again: that is the next group */
        free(unit);
    }
    commit->working = false;
    start_group(commit);
}

static void start_group(commit *commit)
{
    if (commit->working || commit->waiting == NULL)
        return;
    group *group = &commit->group;
    if (commit->waiting_writes > group->capacity) {
        group->capacity = 2 * commit->waiting_writes;
        group->writes = (store_write *)memory_grow(group->writes, group->capacity * sizeof *group->writes);
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
    commit->working = true;
    commit->began = uv_hrtime();
    uv_queue_work(commit->loop, &commit->work, write_group, group_written);
}

void commit_write(commit *commit, store_write *writes, size_t count, commit_done *done, void *context)
{
    unit *unit = (struct unit *)memory_get(sizeof *unit);
    *unit = (struct unit){.writes = writes, .count = count, .done = done, .context = context};
    if (commit->last != NULL)
        commit->last->next = unit;
    else
        commit->waiting = unit;
    commit->last = unit;
    commit->waiting_writes += count;
    commit->figures.waiting++;
    start_group(commit);
}
