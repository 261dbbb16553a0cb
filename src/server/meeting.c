/* A game with whoever wants one too. Those who want to play now wait in a queue (pairing.h), each as long as the
 * connection lasts on which he asked; when there are enough of them, or computer players are to fill the seats, a table
 * is made with all of them on their seats, in one write: nobody is ever left behind at half a table.
 *
 * Of several servers the one that leads has the queue (queue.c). Each says who waits there, again and again, and to
 * whoever leads anew; from there it hears how far it has come and which table was made. What is said may be lost:
 * whoever waits sits down with a ticket of his own, so his server finds the table all the same, and who leads never
 * seats him twice.
 *
 * Those who want to play by days do not wait at a screen. For them the open tables of the lobby are the queue: they get
 * the seat that has waited longest, or a new table that waits for others. So their place is kept on the disk, outlives
 * the connection and the server, and everybody who looks at the lobby can take a seat there, too. */
#include "server/meeting_inside.h"
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { SECOND = 1000, AGAIN_MS = 2000, WORDS_MAX = 512 };
static const int64_t day = INT64_C(86400000);

typedef struct meeting meeting;

unsigned meeting_waiting(const server *server)
{
    unsigned count = 0;
    const seeker *seeker;
    DL_COUNT(server->meeting->seekers, seeker, count);
    return count;
}

static void let_go(seeker *seeker)
{
    seats_redeem(&seeker->promise);
    conn_release(seeker->conn);
    free(seeker);
}

static seeker *find(const meeting *meeting, uint64_t person)
{
    seeker *seeker = meeting->seekers;
    while (seeker != NULL && seeker->quest.wish.person != person)
        seeker = seeker->next;
    return seeker;
}

seeker *seeker_find(const server *server, uint64_t person, uint64_t ticket)
{
    seeker *seeker = find(server->meeting, person);
    return seeker != NULL && seeker->quest.ticket == ticket ? seeker : NULL;
}

static void end_search(server *server, seeker *seeker)
{
    DL_DELETE(server->meeting->seekers, seeker);
    let_go(seeker);
}

void meeting_say(server *server, const char *format, ...)
{
    char words[WORDS_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    peers_say(server, PEERS_QUEUE, gral_span_of(words));
}

/* --- what comes of it, where he has asked --- */

static void answer_now(seeker *seeker)
{
    if (!seeker->answered)
        answer_ok(seeker->conn, seeker->re);
    seeker->answered = true;
}

void seeker_tell_made(server *server, seeker *seeker, const char *table)
{
    answer_now(seeker);
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "quick");
    if (table != NULL) {
        pen_put_words(out, "table", table);
    } else {
        pen_put_words(out, "error", refused_storage.code);
        pen_put_words(out, "text", refused_storage.text);
    }
    pen_end(out, '}');
    conn_send(seeker->conn, out);
    end_search(server, seeker);
}

void seeker_tell_progress(seeker *seeker, pairing_progress progress)
{
    answer_now(seeker);
    if (progress.people == seeker->told.people && progress.players == seeker->told.players)
        return;
    seeker->told = progress;
    pen *out = &seeker->conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "quick");
    pen_put_number(out, "people", progress.people);
    pen_put_number(out, "players", progress.players);
    if (progress.left >= 0)
        pen_put_number(out, "left", progress.left);
    pen_end(out, '}');
    conn_send(seeker->conn, out);
}

void seeker_tell_moved(server *server, seeker *seeker)
{
    answer_now(seeker);
    end_search(server, seeker);
}

static void tell_full(server *server, seeker *seeker)
{
    if (!seeker->answered)
        answer_refused(seeker->conn, seeker->re, refused_many);
    end_search(server, seeker);
}

table *seeker_seated_at(const person *person, uint64_t ticket)
{
    for (const seating *seating = person != NULL ? person->seatings : NULL; seating != NULL; seating = seating->next) {
        table *table = seating->table;
        const gral_input input = {.kind = GRAL_INPUT_SIT,
                                  .seat = (uint8_t)(seating - table->seating),
                                  .other = GRAL_NOBODY,
                                  .user = person->id,
                                  .ticket = ticket};
        if (gral_host_check(table->host, &input, 0) == GRAL_HOST_REPEATED)
            return table;
    }
    return NULL;
}

gral_terms meeting_terms(unsigned players, bool days, bool rated)
{
    gral_terms terms = {
        .clock = GRAL_CLOCK_MOVE,
        .time = days ? day : 60 * SECOND,
        .opening = days ? 0 : 180 * SECOND,
        .pace = SECOND,
        .listed = true,
        .notepad = true,
        .talk = true,
        .rated = rated,
    };
    terms.settings = gral_settings_for(players);
    terms.settings.first = (uint8_t)randombytes_uniform(players);
    return terms;
}

/* --- who waits here --- */

static void say_seeker(server *server, const seeker *seeker)
{
    const quest *quest = &seeker->quest;
    const person *person = seeker->conn->person;
    meeting_say(server,
                "seek %" PRIu64 " %d %u %d %" PRId64 " %" PRIx64 " %" PRId64 " %" PRIx64 " %d %.17g %.17g %.17g %s",
                person->id, person->guest, (unsigned)quest->wish.size, quest->wish.rated, quest->wish.patience,
                quest->wish.origin, quest->since, quest->ticket, seeker->answered, quest->strength[0],
                quest->strength[1], quest->strength[2], person->name);
}

static void seek(server *server, seeker *seeker)
{
    const table *table = seeker_seated_at(seeker->conn->person, seeker->quest.ticket);
    if (table != NULL)
        seeker_tell_made(server, seeker, table->id);
    else if (!lead_is(server))
        say_seeker(server, seeker);
    else if (!queue_join(server, "", &seeker->quest, seeker->conn->person, &seeker->conn->from, false))
        tell_full(server, seeker);
}

static void seek_all(server *server)
{
    seeker *seeker, *next;
    DL_FOREACH_SAFE(server->meeting->seekers, seeker, next)
    {
        seek(server, seeker);
    }
}

/* What was said may have been lost, here or there. */
static void once_more(uv_timer_t *timer)
{
    server *server = timer->data;
    seek_all(server);
    queue_forget_lost(server);
    meeting_keep_up(server);
}

void meeting_keep_up(server *server)
{
    meeting *meeting = server->meeting;
    const bool needed = meeting->seekers != NULL || !queue_is_empty(server);
    if (needed && !peers_alone(server) && !server->stopping && !uv_is_active((uv_handle_t *)&meeting->again))
        uv_timer_start(&meeting->again, once_more, AGAIN_MS, 0);
}

static void stop_seeking(server *server, seeker *seeker)
{
    const uint64_t person = seeker->quest.wish.person;
    end_search(server, seeker);
    if (lead_is(server))
        queue_leave(server, "", person);
    else
        meeting_say(server, "leave %" PRIu64, person);
}

void meeting_leave(conn *conn)
{
    seeker *seeker = conn->person != NULL ? find(conn->server->meeting, conn->person->id) : NULL;
    if (seeker != NULL && seeker->conn == conn)
        stop_seeking(conn->server, seeker);
}

void meeting_cancel(conn *conn, const request *request)
{
    seeker *seeker = find(conn->server->meeting, conn->person->id);
    if (seeker != NULL && !queue_is_about_to_play(conn->server, seeker->quest.ticket))
        stop_seeking(conn->server, seeker);
    answer_ok(conn, request->id);
}

/* --- what other servers say --- */

static void hear_seeker(server *server, const char *peer, const char *words)
{
    quest quest = {0};
    unsigned size;
    int guest, rated, answered, length = 0;
    uint64_t id;
    if (sscanf(words, "seek %" SCNu64 " %d %u %d %" SCNd64 " %" SCNx64 " %" SCNd64 " %" SCNx64 " %d %lf %lf %lf %n",
               &id, &guest, &size, &rated, &quest.wish.patience, &quest.wish.origin, &quest.since, &quest.ticket,
               &answered, &quest.strength[0], &quest.strength[1], &quest.strength[2], &length) < 12 ||
        length == 0 || size >= PAIRING_SIZES || id == 0)
        return;
    quest.wish.person = id;
    quest.wish.size = (enum pairing_size)size;
    quest.wish.rated = rated != 0;
    if (!lead_is(server))
        return;
    if (quest.since > server_now(server)) /* by its clock: nobody waits longer than he said */
        quest.since = server_now(server);
    store_user user = {.user = id};
    snprintf(user.name, sizeof user.name, "%s", words + length);
    snprintf(user.password, sizeof user.password, "%s", guest ? "" : "*");
    person *person = person_meet(server, &user);
    if (!queue_join(server, peer, &quest, person, &(origin){0}, !answered))
        meeting_say(server, "full %" PRIu64 " %" PRIx64, id, quest.ticket);
}

typedef struct outcome {
    server *server;
    uint64_t person, ticket;
} outcome;

/* In memory before he is told: so one more table is counted before what was promised him is not any more. */
static void table_found_there(void *context, table *table)
{
    const outcome outcome = *(struct outcome *)context;
    seeker *seeker = seeker_find(outcome.server, outcome.person, outcome.ticket);
    free(context);
    if (table == NULL)
        return;
    if (seeker != NULL)
        seeker_tell_made(outcome.server, seeker, table->id);
    table_release(table);
}

static_assert(GRAL_GAME_ID_MAX == 32, "as it is read below");

static void hear_outcome(server *server, const char *words)
{
    uint64_t person, ticket;
    char word[12], id[GRAL_GAME_ID_MAX + 1] = "";
    pairing_progress progress;
    seeker *seeker;
    if (sscanf(words, "%11s %" SCNu64 " %" SCNx64, word, &person, &ticket) < 3 ||
        (seeker = seeker_find(server, person, ticket)) == NULL)
        return;
    if (strcmp(word, "full") == 0)
        tell_full(server, seeker);
    else if (strcmp(word, "moved") == 0)
        seeker_tell_moved(server, seeker);
    else if (sscanf(words, "progress %*u %*x %u %u %" SCNd64, &progress.people, &progress.players, &progress.left) == 3)
        seeker_tell_progress(seeker, progress);
    else if (sscanf(words, "table %*u %*x %32s", id) == 1) {
        outcome *outcome = memory_get(sizeof *outcome);
        *outcome = (struct outcome){server, person, ticket};
        tables_find(server, id, table_found_there, outcome);
    } else if (strcmp(word, "table") == 0)
        seeker_tell_made(server, seeker, NULL);
}

static void hear(server *server, const char *peer, gral_span said)
{
    char words[WORDS_MAX];
    uint64_t person;
    snprintf(words, sizeof words, "%.*s", (int)said.length, said.bytes);
    if (strcmp(words, "who") == 0)
        seek_all(server);
    else if (strncmp(words, "seek ", 5) == 0)
        hear_seeker(server, peer, words);
    else if (sscanf(words, "leave %" SCNu64, &person) == 1)
        queue_leave(server, peer, person);
    else
        hear_outcome(server, words);
}

/* The others say who waits there. */
void meeting_lead(server *server)
{
    queue_lead(server);
    if (lead_is(server))
        meeting_say(server, "who");
    seek_all(server);
}

/* --- coming --- */

/* Against computer players it counts most what he is worth against them. */
static bool take_rating(void *context, const store_rating *rating)
{
    quest *quest = context;
    const bool against_computers = rating->class >= RATING_TWO_COMPUTERS;
    if (rating->class >= RATING_TWO_DAYS && !against_computers)
        return true;
    double *strength = &quest->strength[rating->class % TABLE_CLASSES];
    if (against_computers || isnan(*strength))
        *strength = rating->strength;
    return true;
}

static void look_up(uv_work_t *work)
{
    seeker *seeker = work->data;
    store *store = seeker->conn->server->store;
    gral_error error; /* a level that fits badly is no reason not to play */
    store->kind->ratings_of(store, seeker->quest.wish.person, take_rating, &seeker->quest, &error);
}

static bool is_same_wish(const pairing_wish *one, const pairing_wish *other)
{
    return one->size == other->size && one->rated == other->rated && one->patience == other->patience;
}

static void take_place(uv_work_t *work, int status)
{
    (void)status;
    seeker *seeker = work->data, *old;
    server *server = seeker->conn->server;
    meeting *meeting = server->meeting;
    if (seeker->conn->peer == NULL || server->stopping) {
        let_go(seeker);
        return;
    }
    if ((old = find(meeting, seeker->quest.wish.person)) != NULL) {
        if (is_same_wish(&old->quest.wish, &seeker->quest.wish))
            seeker->quest.since = old->quest.since;
        end_search(server, old);
    }
    DL_APPEND(meeting->seekers, seeker);
    seek(server, seeker);
    meeting_keep_up(server);
}

static void wait(conn *conn, const request *request)
{
    promise promise;
    if (!create_reserve(conn, pairing_computers(request->size), request->id, &promise))
        return;
    seeker *seeker = memory_get(sizeof *seeker);
    seeker->conn = conn_hold(conn);
    seeker->promise = promise;
    seeker->quest.wish = (pairing_wish){conn->person->id, request->size, request->terms.rated,
                                        (int64_t)request->wait * SECOND, source_number(origin_widest(&conn->from))};
    seeker->quest.since = server_now(conn->server);
    randombytes_buf(&seeker->quest.ticket, sizeof seeker->quest.ticket);
    memcpy(seeker->re, request->id, sizeof seeker->re);
    for (unsigned class = 0; class < TABLE_CLASSES; class ++)
        seeker->quest.strength[class] = NAN;
    seeker->work.data = seeker;
    uv_queue_work(&conn->server->loop, &seeker->work, look_up, take_place);
}

void meeting_join(conn *conn, const request *request)
{
    if (request->terms.rated && conn->person->guest)
        answer_refused(conn, request->id, refused_guest);
    else if (request->days)
        meeting_by_days(conn, request);
    else
        wait(conn, request);
}

/* --- beginning and end --- */

void meeting_open(server *server)
{
    static const peers_listener listener = {.heard = hear, .gone = queue_forget, .repeat = seek_all};
    meeting *meeting = memory_get(sizeof *meeting);
    server->meeting = meeting;
    queue_open(server);
    uv_timer_init(&server->loop, &meeting->again);
    meeting->again.data = server;
    peers_listen(server, PEERS_QUEUE, &listener);
}

void meeting_stop(server *server)
{
    uv_close((uv_handle_t *)&server->meeting->again, NULL);
    queue_stop(server);
}

void meeting_close(server *server)
{
    while (server->meeting->seekers != NULL)
        end_search(server, server->meeting->seekers);
    queue_close(server);
    free(server->meeting);
}
