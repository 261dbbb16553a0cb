/* Several servers on one database in PostgreSQL.
 *
 * A server lives as long as it has a row in the table `server`; whoever finds that it has not been renewed for too long
 * takes it out (beat, in postgres_words.c), and from then on everybody may take the games it kept. It is enough for
 * this that nobody writes under a lease that somebody else has got: who was only slow finds its fence too old, at the
 * latest when it writes.
 *
 * What others have written comes by NOTIFY with their group. What is heard between two connections is lost, so the
 * second begins with the hint that anything may have changed. */
#include "store/postgres_inside.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *self(const store *store)
{
    return ((const postgres *)store)->id;
}

/* --- the ear --- */

static void lose_ear(postgres_ear *ear)
{
    PQfinish(ear->connection);
    ear->connection = NULL;
    store_forget_pieces(&ear->pieces);
}

/* A beat does not wait for a standby: what it says holds for two seconds only, and who leads is asked for his name,
 * too, with whatever he writes. */
static bool connect_ear(postgres *postgres, gral_error *error)
{
    char words[120];
    if (postgres->ear.connection != NULL)
        return true;
    PGconn *connection = postgres_connect_to(postgres, error);
    if (connection == NULL)
        return false;
    postgres->ear.connection = connection;
    snprintf(words, sizeof words,
             "SET synchronous_commit = local; SET application_name = '" POSTGRES_EAR "%s'; LISTEN gral", postgres->id);
    if (postgres_run(connection, words, error))
        return true;
    lose_ear(&postgres->ear);
    return false;
}

/* Whether there was anything. */
static bool tell_all(postgres *postgres, store_each_hint *each, void *context)
{
    bool some = false;
    for (PGnotify *notice; (notice = PQnotifies(postgres->ear.connection)) != NULL; PQfreemem(notice)) {
        store_hear_payload(postgres->id, notice->extra, &postgres->ear.pieces, each, context);
        some = true;
    }
    return some;
}

static bool wait_for_more(PGconn *connection, unsigned milliseconds)
{
    struct pollfd end = {PQsocket(connection), POLLIN, 0};
    const int ready = poll(&end, 1, (int)milliseconds);
    return ready < 0 ? errno == EINTR : ready == 0 || PQconsumeInput(connection);
}

static bool peers_listen(store *store, unsigned milliseconds, store_each_hint *each, void *context, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    postgres_ear *ear = &postgres->ear;
    if (!connect_ear(postgres, error))
        return false;
    if (ear->missed) {
        ear->missed = false;
        each(context, &(store_hint){.kind = STORE_HINT_ALL, .from = ""});
        return true;
    }
    if (tell_all(postgres, each, context))
        return true;
    const bool good = wait_for_more(ear->connection, milliseconds);
    tell_all(postgres, each, context);
    if (good)
        return true;
    postgres_explain(ear->connection, PQerrorMessage(ear->connection), error);
    ear->missed = true;
    lose_ear(ear);
    return false;
}

/* --- who lives --- */

/* The columns of beat_MARK. */
enum { ENTERED, WORLD, ORPHANS, NOW, PEERS };

static uint64_t number_of(const PGresult *answer, int row, int column)
{
    return strtoull(PQgetvalue(answer, row, column), NULL, 10);
}

static void read_beat(postgres_ear *ear, const PGresult *answer, store_beat *beat)
{
    const bool entered = PQgetvalue(answer, 0, ENTERED)[0] == 't';
    *beat = (store_beat){.was_dead = entered && ear->entered,
                         .world = number_of(answer, 0, WORLD),
                         .orphans = PQgetvalue(answer, 0, ORPHANS)[0] == 't',
                         .now = (int64_t)number_of(answer, 0, NOW)};
    ear->entered = true;
    for (const char *id = PQgetvalue(answer, 0, PEERS); *id != '\0' && beat->count < STORE_PEERS_MAX;) {
        const size_t length = strcspn(id, " ");
        if (length <= STORE_PEER_ID_MAX)
            memcpy(beat->peer[beat->count++], id, length);
        id += length + strspn(id + length, " ");
    }
}

/* NULL where the connection is of no more use: while nothing is heard of the database, nobody hears of this server. */
static PGresult *ask_beat(const postgres *postgres, bool *outdated, gral_error *error)
{
    enum { SILENCE_MS = 3000 };
    char words[80], name[100], host[64] = "";
    PGconn *connection = postgres->ear.connection;
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "%s %d", host, (int)getpid());
    snprintf(words, sizeof words, "SELECT * FROM beat_%016" PRIx64 "($1, $2)", postgres->mark);
    PGresult *answer = NULL;
    if (PQsendQueryParams(connection, words, 2, NULL, (const char *[]){postgres->id, name}, NULL, NULL, 0) &&
        poll(&(struct pollfd){PQsocket(connection), POLLIN, 0}, 1, SILENCE_MS) != 0)
        answer = postgres_await(connection);
    if (PQresultStatus(answer) == PGRES_TUPLES_OK)
        return answer;
    *outdated = answer != NULL && postgres_is_state(answer, POSTGRES_NO_FUNCTION);
    postgres_explain_result(connection, answer, error);
    PQclear(answer);
    return NULL;
}

static bool beat_now(postgres *postgres, store_beat *beat, gral_error *error)
{
    postgres_ear *ear = &postgres->ear;
    beat->outdated = false;
    if (ear->left)
        return store_say(error, "this server has left");
    if (!connect_ear(postgres, error))
        return false;
    PGresult *answer = ask_beat(postgres, &beat->outdated, error);
    if (answer == NULL) {
        ear->missed = true;
        lose_ear(ear);
        return false;
    }
    read_beat(ear, answer, beat);
    PQclear(answer);
    return true;
}

static bool peers_beat(store *store, store_beat *beat, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    pthread_mutex_lock(&postgres->ear.guard);
    const bool good = beat_now(postgres, beat, error);
    pthread_mutex_unlock(&postgres->ear.guard);
    return good;
}

static const char go[] = "WITH gone AS (DELETE FROM server WHERE id = $1 RETURNING id)"
                         " SELECT pg_notify('gral', id || ' " STORE_GONE_LETTER "') FROM gone";

/* What it kept is an orphan's from now on. */
static bool peers_leave(store *store, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    pthread_mutex_lock(&postgres->ear.guard);
    postgres->ear.left = true;
    pthread_mutex_unlock(&postgres->ear.guard);
    PGresult *answer = postgres_ask_patiently(postgres, go, 1, (const char *[]){postgres->id}, error);
    PQclear(answer);
    return answer != NULL;
}

void postgres_open_ear(postgres *postgres)
{
    pthread_mutex_init(&postgres->ear.guard, NULL);
}

void postgres_close_ear(postgres *postgres)
{
    postgres_ear *ear = &postgres->ear;
    if (ear->connection != NULL && ear->entered && !ear->left)
        PQclear(postgres_ask_for(ear->connection, go, 1, (const char *[]){postgres->id}, NULL));
    lose_ear(ear);
    pthread_mutex_destroy(&ear->guard);
}

/* --- saying something --- */

static bool peers_say(store *store, gral_span text, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    postgres_array pieces;
    postgres_begin_array(&pieces);
    store_pieces_of(postgres->id, text, postgres_add_to_array, &pieces);
    char *payloads = postgres_end_array(&pieces);
    if (payloads == NULL)
        return store_say(error, "out of memory");
    PGresult *answer = postgres_ask_patiently(postgres,
                                              "SELECT pg_notify('gral', piece) FROM unnest($1::text[]) AS given(piece)",
                                              1, (const char *[]){payloads}, error);
    free(payloads);
    PQclear(answer);
    return answer != NULL;
}

/* --- games --- */

/* Those of the games with these names that nobody keeps who lives, and those it keeps already, for which nothing has to
 * be written. Said twice it is the same as once. */
static PGresult *keep_those(postgres *postgres, postgres_array *names, gral_error *error)
{
    char *array = postgres_end_array(names);
    if (array == NULL) {
        store_say(error, "out of memory");
        return NULL;
    }
    PGresult *answer = postgres_ask_patiently(
        postgres,
        "WITH new AS (UPDATE game SET fence = fence + 1, keeper = $1 FROM server"
        " WHERE server.id = $1 AND game.name = ANY($2::text[]) AND stage < 2 AND keeper <> $1"
        " AND NOT EXISTS(SELECT 1 FROM server AS other WHERE other.id = keeper) RETURNING game.name, stage, fence)"
        " SELECT name, stage, fence FROM new UNION ALL SELECT game.name, stage, fence FROM game JOIN server"
        " ON server.id = $1 WHERE game.name = ANY($2::text[]) AND stage < 2 AND keeper = $1",
        2, (const char *[]){postgres->id, array}, error);
    free(array);
    return answer;
}

enum { NAME, STAGE, FENCE };

static bool peers_keep(store *store, const char *game, uint64_t *fence, gral_error *error)
{
    postgres_array names;
    postgres_begin_array(&names);
    postgres_add_to_array(&names, gral_span_of(game));
    PGresult *kept = keep_those((struct postgres *)store, &names, error);
    if (kept == NULL)
        return false;
    *fence = PQntuples(kept) > 0 ? number_of(kept, 0, FENCE) : 0;
    PQclear(kept);
    return true;
}

/* The names of some orphans. Others who look for some at the same time begin elsewhere: each server where its turn is
 * in their list, and at its beginning only if there are not so many. */
static PGresult *find_orphans(postgres *postgres, unsigned most, gral_error *error)
{
    char number[16];
    snprintf(number, sizeof number, "%u", most);
    PGresult *found = postgres_ask_patiently(
        postgres, "SELECT name FROM orphan OFFSET $2::bigint * (SELECT count(*) FROM server WHERE id < $1) LIMIT $2", 2,
        (const char *[]){postgres->id, number}, error);
    if (found == NULL || PQntuples(found) > 0)
        return found;
    PQclear(found);
    return postgres_ask_patiently(postgres, "SELECT name FROM orphan LIMIT $1", 1, (const char *[]){number}, error);
}

static bool peers_take(store *store, unsigned most, store_each_game *each, void *context, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    PGresult *found = find_orphans(postgres, most, error);
    if (found == NULL)
        return false;
    postgres_array names;
    postgres_begin_array(&names);
    for (int row = 0; row < PQntuples(found); row++)
        postgres_add_to_array(&names, gral_span_of(PQgetvalue(found, row, NAME)));
    PGresult *kept = keep_those(postgres, &names, error);
    const bool good = kept != NULL;
    for (int row = 0; !good && row < PQntuples(found); row++) /* it may keep them all the same */
        each(context, PQgetvalue(found, row, NAME), STORE_OPEN, 0);
    for (int row = 0; good && row < PQntuples(kept); row++)
        each(context, PQgetvalue(kept, row, NAME), (enum store_stage)number_of(kept, row, STAGE),
             (int64_t)number_of(kept, row, FENCE));
    PQclear(found);
    PQclear(kept);
    return good;
}

static bool peers_let_go(store *store, const char *game, uint64_t fence, gral_error *error)
{
    postgres *postgres = (struct postgres *)store;
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, fence);
    PGresult *answer = postgres_ask_patiently(
        postgres, "UPDATE game SET keeper = '' WHERE name = $1 AND keeper = $2 AND fence = $3 RETURNING 1", 3,
        (const char *[]){game, postgres->id, number}, error);
    PQclear(answer);
    return answer != NULL;
}

/* --- what others have written --- */

/* Each game by itself, found by an index, whatever PostgreSQL thinks of how many there are. */
static const char news[] =
    "SELECT called, number, time, text FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS given(called, first, "
    "place)"
    " CROSS JOIN LATERAL (SELECT id FROM game WHERE name = called OFFSET 0) AS found"
    " CROSS JOIN LATERAL (SELECT number, time, text FROM log WHERE log.game = found.id AND log.number >= first"
    " ORDER BY number OFFSET 0) AS entry ORDER BY place, number";

static bool tell_entries(const PGresult *found, store_each_entry *each, void *context)
{
    enum { GAME, NUMBER, TIME, TEXT };
    for (int row = 0; row < PQntuples(found); row++) {
        store_entry entry = {.game = PQgetvalue(found, row, GAME),
                             .number = (uint32_t)number_of(found, row, NUMBER),
                             .time = (int64_t)number_of(found, row, TIME)};
        unsigned char *text = PQunescapeBytea((const unsigned char *)PQgetvalue(found, row, TEXT), &entry.text.length);
        if (text == NULL)
            return false;
        entry.text.bytes = (const char *)text;
        each(context, &entry);
        PQfreemem(text);
    }
    return true;
}

static bool peers_news(store *store, const store_since *from, unsigned count, store_each_entry *each, void *context,
                       gral_error *error)
{
    postgres_array names, numbers;
    char number[16];
    postgres_begin_array(&names);
    postgres_begin_array(&numbers);
    for (unsigned index = 0; index < count; index++) {
        postgres_add_to_array(&names, gral_span_of(from[index].game));
        snprintf(number, sizeof number, "%" PRIu32, from[index].number);
        postgres_add_to_array(&numbers, gral_span_of(number));
    }
    char *array[] = {postgres_end_array(&names), postgres_end_array(&numbers)};
    PGresult *found = NULL;
    if (array[0] != NULL && array[1] != NULL)
        found = postgres_ask_for_news((struct postgres *)store, news, 2, (const char *const *)array, error);
    else
        store_say(error, "out of memory");
    free(array[0]);
    free(array[1]);
    const bool good = found != NULL && (tell_entries(found, each, context) || store_say(error, "out of memory"));
    PQclear(found);
    return good;
}

const store_peers_kind store_peers_in_postgres = {.self = self,
                                                  .beat = peers_beat,
                                                  .listen = peers_listen,
                                                  .say = peers_say,
                                                  .keep = peers_keep,
                                                  .take = peers_take,
                                                  .let_go = peers_let_go,
                                                  .news = peers_news,
                                                  .leave = peers_leave};
