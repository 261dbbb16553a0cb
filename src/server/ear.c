#include "server/ear.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    LISTEN_MS = 100,     /* at a time */
    RETRY_MS = 200,      /* the database is out of reach */
    EVENTS_MAX = 100000, /* that the loop has not taken in yet */
};

/* For the loop; of a hint the texts are behind it. */
typedef struct event {
    store_beat *beat; /* or NULL: a hint */
    uint64_t began;   /* the beat; by uv_hrtime */
    store_hint hint;
    struct event *prev, *next;
    char bytes[];
} event;

struct ear {
    store *store;
    const ear_listener *listener;
    void *context;
    uv_thread_t thread;
    uv_async_t news;

    uv_mutex_t lock; /* for what follows */
    event *events;
    unsigned event_count;
    bool overflown; /* there were too many */
    bool outdated;
    bool leaving, left;
};

/* --- on the thread --- */

static void hand_over(ear *ear, event *event)
{
    uv_mutex_lock(&ear->lock);
    if (ear->event_count >= EVENTS_MAX && event->beat == NULL) {
        ear->overflown = true;
        free(event);
    } else {
        ear->event_count++;
        DL_APPEND(ear->events, event);
    }
    uv_mutex_unlock(&ear->lock);
    uv_async_send(&ear->news);
}

static char *keep_text(char *at, const char **text)
{
    if (*text == NULL)
        return at;
    const size_t length = strlen(*text) + 1;
    memcpy(at, *text, length);
    *text = at;
    return at + length;
}

static size_t length_of(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

static void take_hint(void *context, const store_hint *hint)
{
    event *event = memory_get(sizeof *event + length_of(hint->from) + length_of(hint->game) + hint->text.length + 1);
    event->hint = *hint;
    char *at = keep_text(event->bytes, &event->hint.from);
    at = keep_text(at, &event->hint.game);
    if (hint->text.length > 0)
        memcpy(at, hint->text.bytes, hint->text.length);
    event->hint.text.bytes = at;
    hand_over(context, event);
}

static void give_up(ear *ear)
{
    uv_mutex_lock(&ear->lock);
    ear->outdated = true;
    uv_mutex_unlock(&ear->lock);
    uv_async_send(&ear->news);
}

static bool beat(ear *ear, gral_error *error)
{
    event *event = memory_get(sizeof *event);
    event->beat = memory_get(sizeof *event->beat);
    event->began = uv_hrtime();
    if (ear->store->kind->peers->beat(ear->store, event->beat, error)) {
        hand_over(ear, event);
        return true;
    }
    if (event->beat->outdated)
        give_up(ear);
    free(event->beat);
    free(event);
    return false;
}

static bool is_leaving(ear *ear)
{
    uv_mutex_lock(&ear->lock);
    const bool leaving = ear->leaving;
    uv_mutex_unlock(&ear->lock);
    return leaving;
}

static void live(void *context)
{
    ear *ear = context;
    gral_error error;
    uint64_t next = uv_hrtime();
    bool heard = true, beats = true;
    while (!is_leaving(ear)) {
        const uint64_t now = uv_hrtime();
        if (now >= next) {
            const bool beaten = beat(ear, &error);
            if (beats && !beaten)
                log_line(LOG_WARNING, "beat-failed", "why=\"%s\"", error.message);
            beats = beaten;
            next = now + 1000000ull * EAR_BEAT_MS;
        }
        const bool hears = ear->store->kind->peers->listen(ear->store, LISTEN_MS, take_hint, ear, &error);
        if (heard && !hears)
            log_line(LOG_WARNING, "ear-lost", "why=\"%s\"", error.message);
        heard = hears;
        if (!hears)
            uv_sleep(RETRY_MS);
    }
    if (!ear->store->kind->peers->leave(ear->store, &error))
        log_line(LOG_WARNING, "leave-failed", "why=\"%s\"", error.message);
    uv_mutex_lock(&ear->lock);
    ear->left = true;
    uv_mutex_unlock(&ear->lock);
}

/* --- on the loop --- */

static void hand_to_loop(uv_async_t *async)
{
    ear *ear = async->data;
    uv_mutex_lock(&ear->lock);
    event *events = ear->events;
    const bool overflown = ear->overflown, outdated = ear->outdated;
    ear->events = NULL;
    ear->event_count = 0;
    ear->overflown = false;
    uv_mutex_unlock(&ear->lock);
    while (events != NULL) {
        event *event = events;
        DL_DELETE(events, event);
        if (event->beat != NULL)
            ear->listener->beat(ear->context, event->beat, event->began);
        else
            ear->listener->hint(ear->context, &event->hint);
        free(event->beat);
        free(event);
    }
    if (overflown)
        ear->listener->missed(ear->context);
    if (outdated)
        ear->listener->outdated(ear->context);
}

ear *ear_open(uv_loop_t *loop, store *store, const ear_listener *listener, void *context)
{
    ear *ear = memory_get(sizeof *ear);
    ear->store = store;
    ear->listener = listener;
    ear->context = context;
    ear->news.data = ear;
    uv_mutex_init(&ear->lock);
    uv_async_init(loop, &ear->news, hand_to_loop);
    if (uv_thread_create(&ear->thread, live, ear) != 0) {
        log_line(LOG_ERROR, "threads", NULL);
        abort();
    }
    return ear;
}

void ear_leave(ear *ear)
{
    uv_mutex_lock(&ear->lock);
    ear->leaving = true;
    uv_mutex_unlock(&ear->lock);
}

bool ear_has_left(ear *ear)
{
    uv_mutex_lock(&ear->lock);
    const bool left = ear->left;
    uv_mutex_unlock(&ear->lock);
    return left;
}

void ear_stop(ear *ear)
{
    uv_thread_join(&ear->thread);
    uv_close((uv_handle_t *)&ear->news, NULL);
}

void ear_close(ear *ear)
{
    while (ear->events != NULL) {
        event *event = ear->events;
        DL_DELETE(ear->events, event);
        free(event->beat);
        free(event);
    }
    uv_mutex_destroy(&ear->lock);
    free(ear);
}
