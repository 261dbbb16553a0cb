/* Other servers on the same store: who of them lives, whether this one leads, and what they say to each other.
 *
 * What is only said, and not stored, is gathered and said at most five
 * times a second, however much there is. It can be lost. So whoever has a topic can say all of it again, and does when
 * somebody new has come, when somebody asks because he may have missed something, and when saying it has failed. */
#include "server/persons.h"
#include "server/several.h"

#include "server/ear.h"
#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    STALE_MS = 2000, /* without a beat: others may have the lease of the world by now */
    SAY_MS = 200,    /* from one word to the next */
    UNSAID_MAX = 1 << 20,
};

struct peers {
    server *server;
    store *store;
    const store_peers_kind *kind;
    ear *ear;
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
    case STORE_HINT_MODERATION:
        anew_moderation(server);
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

static void take_heard_beat(void *context, const store_beat *beat, uint64_t began)
{
    struct peers *peers = context;
    if (!peers->server->stopping)
        take_beat(peers, beat, began);
}

static void take_heard_hint(void *context, const store_hint *hint)
{
    struct peers *peers = context;
    if (!peers->server->stopping)
        hear_hint(peers, hint);
}

static void take_overflow(void *context)
{
    struct peers *peers = context;
    if (!peers->server->stopping)
        miss_something(peers);
}

static void give_up(void *context)
{
    server_give_up(((struct peers *)context)->server);
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
    peers->speaking.data = peers->watching.data = peers->work.data = peers;
    uv_timer_init(&server->loop, &peers->speaking);
    uv_timer_init(&server->loop, &peers->watching);
    uv_timer_start(&peers->watching, watch_beats, EAR_BEAT_MS, EAR_BEAT_MS);
    peers->led = first.world != 0; /* nothing is there yet that could be told */
    take_beat(peers, &first, began);
    peers->asks = true;
    static const ear_listener listener = {take_heard_beat, take_heard_hint, take_overflow, give_up};
    peers->ear = ear_open(&server->loop, server->store, &listener, peers);
    return true;
}

void peers_leave(server *server)
{
    if (server->peers != NULL)
        ear_leave(server->peers->ear);
}

bool peers_busy(const server *server)
{
    return server->peers != NULL && (!ear_has_left(server->peers->ear) || server->peers->speaks);
}

void peers_stop(server *server)
{
    struct peers *peers = server->peers;
    if (peers == NULL)
        return;
    ear_stop(peers->ear);
    uv_close((uv_handle_t *)&peers->speaking, NULL);
    uv_close((uv_handle_t *)&peers->watching, NULL);
}

void peers_close(server *server)
{
    struct peers *peers = server->peers;
    if (peers == NULL)
        return;
    ear_close(peers->ear);
    pen_free(&peers->words);
    pen_free(&peers->saying);
    free(peers);
}
