/* Other servers on the same store: who of them lives, whether this one leads, and what they say to each other.
 *
 * A thread of its own has the ear: it says that this server lives, hears what others have written or say, and hands all
 * of it to the loop in the order in which it came. What is only said, and not stored, is gathered and said at most five
 * times a second, however much there is. It can be lost. So whoever has a topic can say all of it again, and does when
 * somebody new has come, when somebody asks because he may have missed something, and when saying it has failed. */
#include "server/persons.h"
#include "server/several.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    BEAT_MS = 500,
    LISTEN_MS = 100, /* for so long the ear listens at a time */
    RETRY_MS = 200,  /* the database is out of reach */
    STALE_MS = 2000, /* without a beat: others may have the lease of the world by now */
    SAY_MS = 200,    /* from one word to the next */
    UNSAID_MAX = 1 << 20,
    EVENTS_MAX = 100000, /* that the loop has not taken in yet */
};

/* What the ear has for the loop; of a hint the texts are behind it. */
typedef struct event {
    store_beat *beat; /* or NULL: a hint */
    uint64_t began;   /* the beat; by uv_hrtime */
    store_hint hint;
    struct event *prev, *next;
    char bytes[];
} event;

struct peers {
    server *server;
    store *store;
    const store_peers_kind *kind;
    uv_thread_t thread;

    uv_mutex_t lock; /* for what follows */
    event *events;
    unsigned event_count;
    bool overflown; /* there were too many */
    bool outdated;  /* a newer program has changed the store */
    bool leaving, left;

    uv_async_t news;
    uv_timer_t speaking, watching;
    char peer[STORE_PEERS_MAX][STORE_PEER_ID_MAX + 1]; /* that live, each in its place; "" for none */
    unsigned count;                                    /* of them */
    uint64_t world, beat;                              /* as of the beat that began then */
    bool led;                                          /* as the others here have heard it last */
    bool repeats, asks;                                /* all is to be said again; the others are asked to */
    pen words, saying;                                 /* to be said; being said */
    bool expected;                                     /* there is something to be said */
    bool gathers;                                      /* whoever has a topic says what holds */
    bool speaks, failed;                               /* it is said; it was in vain */
    uint64_t spoke;                                    /* when; by uv_now */
    uv_work_t work;
};

/* --- the ear --- */

static void hand_over(struct peers *peers, event *event)
{
    uv_mutex_lock(&peers->lock);
    if (peers->event_count >= EVENTS_MAX && event->beat == NULL) {
        peers->overflown = true;
        free(event);
    } else {
        peers->event_count++;
        DL_APPEND(peers->events, event);
    }
    uv_mutex_unlock(&peers->lock);
    uv_async_send(&peers->news);
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

static void give_up(struct peers *peers)
{
    uv_mutex_lock(&peers->lock);
    peers->outdated = true;
    uv_mutex_unlock(&peers->lock);
    uv_async_send(&peers->news);
}

static bool beat(struct peers *peers, gral_error *error)
{
    event *event = memory_get(sizeof *event);
    event->beat = memory_get(sizeof *event->beat);
    event->began = uv_hrtime();
    if (peers->kind->beat(peers->store, event->beat, error)) {
        hand_over(peers, event);
        return true;
    }
    if (event->beat->outdated)
        give_up(peers);
    free(event->beat);
    free(event);
    return false;
}

static bool is_leaving(struct peers *peers)
{
    uv_mutex_lock(&peers->lock);
    const bool leaving = peers->leaving;
    uv_mutex_unlock(&peers->lock);
    return leaving;
}

static void live(void *context)
{
    struct peers *peers = context;
    gral_error error;
    uint64_t next = uv_hrtime();
    bool heard = true, beats = true;
    while (!is_leaving(peers)) {
        const uint64_t now = uv_hrtime();
        if (now >= next) {
            const bool beaten = beat(peers, &error);
            if (beats && !beaten)
                log_line(LOG_WARNING, "beat-failed", "why=\"%s\"", error.message);
            beats = beaten;
            next = now + 1000000ull * BEAT_MS;
        }
        const bool hears = peers->kind->listen(peers->store, LISTEN_MS, take_hint, peers, &error);
        if (heard && !hears)
            log_line(LOG_WARNING, "ear-lost", "why=\"%s\"", error.message);
        heard = hears;
        if (!hears)
            uv_sleep(RETRY_MS);
    }
    if (!peers->kind->leave(peers->store, &error))
        log_line(LOG_WARNING, "leave-failed", "why=\"%s\"", error.message);
    uv_mutex_lock(&peers->lock);
    peers->left = true;
    uv_mutex_unlock(&peers->lock);
}

/* --- who lives --- */

bool peers_alone(const server *server)
{
    return server->peers == NULL;
}

unsigned peers_slot(const server *server, const char *peer)
{
    unsigned slot = 0;
    while (slot < STORE_PEERS_MAX && strcmp(server->peers->peer[slot], peer) != 0)
        slot++;
    return slot;
}

unsigned peers_count(const server *server)
{
    return server->peers != NULL ? server->peers->count : 0;
}

unsigned peers_before(const server *server)
{
    const struct peers *peers = server->peers;
    unsigned count = 0;
    for (unsigned slot = 0; peers != NULL && slot < STORE_PEERS_MAX; slot++)
        count += peers->peer[slot][0] != '\0' && strcmp(peers->peer[slot], peers->kind->self(peers->store)) < 0;
    return count;
}

uint64_t peers_world(const server *server)
{
    const struct peers *peers = server->peers;
    if (peers == NULL)
        return 1;
    return uv_hrtime() - peers->beat < 1000000ull * STALE_MS ? peers->world : 0;
}

static void expect_to_speak(struct peers *peers);

/* Whoever is heard of lives, until a beat says otherwise. */
static bool know(struct peers *peers, const char *id)
{
    if (strcmp(id, peers->kind->self(peers->store)) == 0)
        return false;
    if (peers_slot(peers->server, id) < STORE_PEERS_MAX)
        return true;
    const unsigned slot = peers_slot(peers->server, "");
    if (slot == STORE_PEERS_MAX)
        return false;
    snprintf(peers->peer[slot], sizeof peers->peer[slot], "%s", id);
    peers->count++;
    log_line(LOG_INFO, "server-came", "others=%u", peers_count(peers->server));
    peers->repeats = true;
    expect_to_speak(peers);
    return true;
}

static void forget(struct peers *peers, unsigned slot)
{
    server *server = peers->server;
    for (unsigned topic = 0; topic < PEERS_TOPICS; topic++)
        if (server->topic[topic] != NULL && server->topic[topic]->gone != NULL)
            server->topic[topic]->gone(server, peers->peer[slot]);
    peers->peer[slot][0] = '\0';
    peers->count--;
    log_line(LOG_INFO, "server-gone", "others=%u", peers_count(server));
}

static void went(struct peers *peers, const char *id)
{
    const unsigned slot = peers_slot(peers->server, id);
    if (slot < STORE_PEERS_MAX)
        forget(peers, slot);
}

static bool is_among(const store_beat *beat, const char *id)
{
    for (unsigned index = 0; index < beat->count; index++)
        if (strcmp(beat->peer[index], id) == 0)
            return true;
    return false;
}

static void follow_lead(struct peers *peers)
{
    const bool leads = peers_world(peers->server) != 0;
    if (leads == peers->led)
        return;
    peers->led = leads;
    log_line(LOG_INFO, leads ? "leads" : "leads-no-more", NULL);
    lead_changed(peers->server);
}

/* What this one has said was forgotten when it was taken for dead. */
static void take_beat(struct peers *peers, const store_beat *beat, uint64_t began)
{
    for (unsigned slot = 0; slot < STORE_PEERS_MAX; slot++)
        if (peers->peer[slot][0] != '\0' && !is_among(beat, peers->peer[slot]))
            forget(peers, slot);
    for (unsigned index = 0; index < beat->count; index++)
        know(peers, beat->peer[index]);
    peers->world = beat->world;
    peers->beat = began;
    if (beat->was_dead) {
        tables_were_lost(peers->server);
        peers->repeats = peers->asks = true;
        expect_to_speak(peers);
    }
    follow_lead(peers);
    if (beat->orphans)
        tables_take_orphans(peers->server);
}

static void watch_beats(uv_timer_t *timer)
{
    follow_lead(timer->data);
}

/* --- what is said --- */

/* Each word is a letter for its topic, its length and itself; this one asks for all to be said again. */
static const char first_topic = 'A', please = '?';

static void add_word(pen *words, char letter, gral_span text)
{
    char head[32];
    snprintf(head, sizeof head, "%c%zu ", letter, text.length);
    pen_add(words, gral_span_of(head));
    pen_add(words, text);
}

void peers_listen(server *server, enum peers_topic topic, const peers_listener *listener)
{
    server->topic[topic] = listener;
}

/* Where nobody else is nobody hears it, and whoever comes is told. */
void peers_say(server *server, enum peers_topic topic, gral_span words)
{
    struct peers *peers = server->peers;
    if (peers_count(server) == 0)
        return;
    if (peers->words.length > UNSAID_MAX && !peers->gathers) { /* nobody can be told anything just now */
        peers->repeats = true;
        return;
    }
    add_word(&peers->words, (char)(first_topic + (char)topic), words);
    expect_to_speak(peers);
}

void peers_expect(server *server)
{
    if (peers_count(server) > 0)
        expect_to_speak(server->peers);
}

static void say(uv_work_t *work)
{
    struct peers *peers = work->data;
    gral_error error;
    peers->failed = !peers->kind->say(peers->store, pen_span(&peers->saying), &error);
}

static void said(uv_work_t *work, int status)
{
    (void)status;
    struct peers *peers = work->data;
    peers->speaks = false;
    peers->repeats |= peers->failed;
    if (peers->failed || peers->expected)
        expect_to_speak(peers);
}

static void gather(struct peers *peers)
{
    server *server = peers->server;
    const bool repeats = peers->repeats;
    peers->repeats = peers->expected = false;
    peers->gathers = true;
    for (unsigned topic = 0; topic < PEERS_TOPICS; topic++) {
        const peers_listener *listener = server->topic[topic];
        void (*tell)(struct server *) = listener == NULL ? NULL : repeats ? listener->repeat : listener->gather;
        if (tell != NULL)
            tell(server);
    }
    peers->gathers = false;
    if (peers->asks)
        add_word(&peers->words, please, (gral_span){"", 0});
    peers->asks = false;
}

static void speak(uv_timer_t *timer)
{
    struct peers *peers = timer->data;
    if (peers->speaks || peers_count(peers->server) == 0)
        return;
    gather(peers);
    if (peers->words.length == 0)
        return;
    pen_clear(&peers->saying);
    const pen words = peers->words;
    peers->words = peers->saying;
    peers->saying = words;
    peers->server->figures.words_said++;
    peers->server->figures.words_bytes += peers->saying.length;
    peers->speaks = true;
    peers->spoke = uv_now(&peers->server->loop);
    uv_queue_work(&peers->server->loop, &peers->work, say, said);
}

static void expect_to_speak(struct peers *peers)
{
    peers->expected = true;
    if (peers->speaks || peers->server->stopping || uv_is_active((uv_handle_t *)&peers->speaking))
        return;
    const uint64_t now = uv_now(&peers->server->loop), next = peers->spoke + SAY_MS;
    uv_timer_start(&peers->speaking, speak, next > now ? next - now : 0, 0);
}

/* --- what is heard --- */

/* One word of several; false at the end, or where it makes no sense. */
static bool next_word(gral_span *text, char *letter, gral_span *word)
{
    char *end;
    if (text->length < 2)
        return false;
    *letter = text->bytes[0];
    const char *blank = memchr(text->bytes, ' ', text->length);
    if (blank == NULL)
        return false;
    const unsigned long length = strtoul(text->bytes + 1, &end, 10);
    const size_t head = (size_t)(blank - text->bytes) + 1;
    if (end != blank || length > text->length - head)
        return false;
    *word = (gral_span){blank + 1, length};
    *text = (gral_span){blank + 1 + length, text->length - head - length};
    return true;
}

bool peers_next_line(gral_span *words, char *line, size_t room)
{
    const char *end = memchr(words->bytes, '\n', words->length);
    if (end == NULL)
        return false;
    const size_t length = (size_t)(end - words->bytes);
    snprintf(line, room, "%.*s", (int)length, words->bytes);
    *words = (gral_span){end + 1, words->length - length - 1};
    return true;
}

static void hear_words(struct peers *peers, const char *from, gral_span text)
{
    server *server = peers->server;
    char letter;
    gral_span word;
    if (!know(peers, from))
        return;
    while (next_word(&text, &letter, &word)) {
        const unsigned topic = (unsigned)(letter - first_topic);
        if (letter == please) {
            peers->repeats = true;
            expect_to_speak(peers);
        } else if (topic < PEERS_TOPICS && server->topic[topic] != NULL && server->topic[topic]->heard != NULL) {
            server->topic[topic]->heard(server, from, word);
        }
    }
}

static void miss_something(struct peers *peers)
{
    peers->asks = true;
    expect_to_speak(peers);
    anew_all(peers->server);
    tables_compare(peers->server);
    tournaments_compare(peers->server);
    lead_heard(peers->server);
    server_read_keys(peers->server);
}

static void hear_hint(struct peers *peers, const store_hint *hint)
{
    server *server = peers->server;
    switch (hint->kind) {
    case STORE_HINT_GAME:
        tables_hear(server, hint);
        if (hint->seats)
            lead_heard_of(server, hint->game);
        break;
    case STORE_HINT_TOURNAMENT:
        tournaments_hear(server, hint->game, hint->number);
        break;
    case STORE_HINT_USER:
        anew_user(server, hint->user);
        break;
    case STORE_HINT_TIE:
        if (hint->other != 0) /* else it is about an invitation */
            anew_ties(server, hint->user);
        break;
    case STORE_HINT_ORDER:
        anew_order(server);
        break;
    case STORE_HINT_LETTERS:
        herald_wake(server);
        break;
    case STORE_HINT_SAID:
        hear_words(peers, hint->from, hint->text);
        break;
    case STORE_HINT_GONE:
        went(peers, hint->from);
        break;
    case STORE_HINT_ALL:
        miss_something(peers);
        break;
    default:
        break;
    }
}

static void hear(uv_async_t *async)
{
    struct peers *peers = async->data;
    uv_mutex_lock(&peers->lock);
    event *events = peers->events;
    const bool overflown = peers->overflown, outdated = peers->outdated;
    peers->events = NULL;
    peers->event_count = 0;
    peers->overflown = false;
    uv_mutex_unlock(&peers->lock);
    while (events != NULL) {
        event *event = events;
        DL_DELETE(events, event);
        if (!peers->server->stopping && event->beat != NULL)
            take_beat(peers, event->beat, event->began);
        else if (!peers->server->stopping)
            hear_hint(peers, &event->hint);
        free(event->beat);
        free(event);
    }
    if (overflown && !peers->server->stopping)
        miss_something(peers);
    if (outdated)
        server_give_up(peers->server);
}

/* --- beginning and end --- */

static void hear_nothing(void *context, const store_hint *hint)
{
    (void)context, (void)hint; /* nothing was read yet that could be old */
}

bool peers_open(server *server, gral_error *error)
{
    const store_peers_kind *kind = server->store->kind->peers;
    store_beat first;
    if (kind == NULL)
        return true;
    const uint64_t began = uv_hrtime();
    if (!kind->listen(server->store, 0, hear_nothing, NULL, error) || !kind->beat(server->store, &first, error))
        return false;
    server->epoch += first.now - server_now(server);
    struct peers *peers = server->peers = memory_get(sizeof *peers);
    peers->server = server;
    peers->store = server->store;
    peers->kind = kind;
    peers->news.data = peers->speaking.data = peers->watching.data = peers->work.data = peers;
    uv_mutex_init(&peers->lock);
    uv_async_init(&server->loop, &peers->news, hear);
    uv_timer_init(&server->loop, &peers->speaking);
    uv_timer_init(&server->loop, &peers->watching);
    uv_timer_start(&peers->watching, watch_beats, BEAT_MS, BEAT_MS);
    peers->led = first.world != 0; /* nothing is there yet that could be told */
    take_beat(peers, &first, began);
    peers->asks = true;
    if (uv_thread_create(&peers->thread, live, peers) != 0) {
        log_line(LOG_ERROR, "threads", NULL);
        abort();
    }
    return true;
}

void peers_leave(server *server)
{
    struct peers *peers = server->peers;
    if (peers == NULL)
        return;
    uv_mutex_lock(&peers->lock);
    peers->leaving = true;
    uv_mutex_unlock(&peers->lock);
}

bool peers_busy(const server *server)
{
    struct peers *peers = server->peers;
    if (peers == NULL)
        return false;
    uv_mutex_lock(&peers->lock);
    const bool left = peers->left;
    uv_mutex_unlock(&peers->lock);
    return !left || peers->speaks;
}

void peers_stop(server *server)
{
    struct peers *peers = server->peers;
    if (peers == NULL)
        return;
    uv_thread_join(&peers->thread);
    uv_close((uv_handle_t *)&peers->news, NULL);
    uv_close((uv_handle_t *)&peers->speaking, NULL);
    uv_close((uv_handle_t *)&peers->watching, NULL);
}

void peers_close(server *server)
{
    struct peers *peers = server->peers;
    if (peers == NULL)
        return;
    while (peers->events != NULL) {
        event *event = peers->events;
        DL_DELETE(peers->events, event);
        free(event->beat);
        free(event);
    }
    uv_mutex_destroy(&peers->lock);
    pen_free(&peers->words);
    pen_free(&peers->saying);
    free(peers);
}
