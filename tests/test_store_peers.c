/* Several servers on one database: who keeps a game, who leads, what is written too late, and what they hear of each
 * other. Two or three stores of one process are the servers; time passes by making what is in the table older. */
#include "storing.h"

#include "store/store_hints.h"

#include <libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- servers --- */

enum { ANNA, BEN, CLEO, SERVERS };
static store *server[SERVERS];

static int open_servers(void **unused)
{
    if (open_postgres(unused) != 0)
        return -1;
    server[ANNA] = the_store;
    for (unsigned who = BEN; who < SERVERS; who++)
        server[who] = store_open(getenv("GRAL_POSTGRES"), true, NULL);
    return server[BEN] != NULL && server[CLEO] != NULL ? 0 : -1;
}

static int close_servers(void **unused)
{
    for (unsigned who = BEN; who < SERVERS; who++)
        server[who]->kind->close(server[who]);
    the_store = server[ANNA];
    return remove_folder(unused);
}

#define WITH_SERVERS(claim)                                                                                            \
    {                                                                                                                  \
        .name = #claim "_in_postgres", .test_func = claim, .setup_func = open_servers, .teardown_func = close_servers  \
    }

static const store_peers_kind *peers(void)
{
    return store_in_postgres.peers;
}

static store_beat beat(unsigned who)
{
    store_beat beat;
    gral_error error = {0};
    /* Once more: who was found dead has lost his ear. */
    if (!peers()->beat(server[who], &beat, &error) && !peers()->beat(server[who], &beat, &error))
        fail_msg("%s", error.message);
    return beat;
}

static uint64_t keep(unsigned who, const char *game)
{
    uint64_t fence;
    gral_error error = {0};
    if (!peers()->keep(server[who], game, &fence, &error))
        fail_msg("%s", error.message);
    return fence;
}

static void say_to_postgres(const char *format, const char *id)
{
    char words[300];
    snprintf(words, sizeof words, format, id);
    ask_postgres(words);
}

/* Somebody has not beaten for three seconds, or has beaten steadily for as long. */
static void be_silent(unsigned who)
{
    say_to_postgres("UPDATE gral.server SET beat = beat - 3000 WHERE id = '%s'", peers()->self(server[who]));
}

static void be_steady(unsigned who)
{
    say_to_postgres("UPDATE gral.server SET since = since - 3000, beat = extract(epoch FROM clock_timestamp()) * 1000"
                    " WHERE id = '%s'",
                    peers()->self(server[who]));
}

static bool lives(const store_beat *beat, unsigned who)
{
    for (unsigned index = 0; index < beat->count; index++)
        if (strcmp(beat->peer[index], peers()->self(server[who])) == 0)
            return true;
    return false;
}

/* On a busy machine whoever finds it may himself have been too slow. */
static void let_die(unsigned who, unsigned finder)
{
    store_beat found;
    be_silent(who);
    for (unsigned again = 0; again < 20; again++) {
        be_steady(finder);
        found = beat(finder);
        if (!lives(&found, who))
            return;
    }
    fail_msg("nobody finds it dead");
}

#define expect_of(who, outcomes, ...)                                                                                  \
    expect_outcomes(server[who], outcomes, (store_write[]){__VA_ARGS__},                                               \
                    sizeof((store_write[]){__VA_ARGS__}) / sizeof(store_write))
#define UNDER(number, ...) ((store_write){__VA_ARGS__, .fence = number})
#define ENTRY(id, at)      .kind = STORE_APPEND, .game = id, .number = at

/* --- who keeps a game --- */

static void who_makes_a_game_keeps_it_and_nobody_else_while_he_lives(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    assert_int_equal(keep(ANNA, "a"), 0); /* she has not entered */
    beat(BEN);
    assert_int_equal(beat(ANNA).count, 2);
    const uint64_t fence = keep(ANNA, "a");
    assert_int_not_equal(fence, 0);
    assert_int_equal(keep(ANNA, "a"), fence);
    assert_int_equal(keep(BEN, "a"), 0);
    expect("D", GAME("b", 1));
    assert_int_equal(keep(ANNA, "b"), 1);
    assert_int_equal(keep(ANNA, "none"), 0);
    assert_int_equal(keep(ANNA, "a'; \"{}\\"), 0);
    assert_true(peers()->let_go(server[ANNA], "b", 7, NULL)); /* not hers any more */
    assert_int_equal(keep(BEN, "b"), 0);
    assert_true(peers()->let_go(server[ANNA], "b", 1, NULL));
    assert_int_equal(keep(BEN, "b"), 2);
    assert_int_equal(keep(ANNA, "b"), 0);
}

static void what_is_written_under_an_old_fence_is_refused(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    expect("DD", GAME("a", 1), GAME("b", 1));
    expect("DDD", UNDER(1, ENTRY("a", 1)), UNDER(1, ENTRY("a", 2)), UNDER(1, ENTRY("b", 1)));
    let_die(ANNA, BEN);
    expect("D", UNDER(1, ENTRY("a", 3))); /* nobody else has it yet */
    assert_int_equal(keep(BEN, "a"), 2);
    expect("C", UNDER(1, ENTRY("a", 4)));
    expect("CD", UNDER(1, ENTRY("a", 4)), UNDER(1, ENTRY("b", 2)));
    expect("DCCD", {.kind = STORE_AUDIT, TEXT("x")}, ADD("b", 3, "all or nothing"), AND(ENTRY("a", 4), .fence = 1),
           ADD("b", 3, "b"));
    expect("CC", UNDER(1, .kind = STORE_SET_STAGE, .game = "a", .stage = STORE_OVER),
           AND(.kind = STORE_RESULT, .game = "a", .user = 1, .players = 2, .rules = "standard"));
    expect("C", UNDER(1, .kind = STORE_LETTER, .game = "a", .user = 1));
    expect("D", ADD("a", 4, "of a player")); /* the number is enough */
    expect_of(BEN, "DD", UNDER(2, ENTRY("a", 5)),
              UNDER(2, .kind = STORE_SET_STAGE, .game = "a", .stage = STORE_RUNNING));
    expect_of(BEN, "CC", UNDER(3, ENTRY("a", 6)), UNDER(2, ENTRY("none", 1)));
}

static void a_unit_goes_on_under_its_fence_when_it_ends_the_game(void **unused)
{
    (void)unused;
    beat(ANNA);
    expect("DD", USER(1, "Ann", "ann"), GAME("a", 1));
    expect("DDD", UNDER(1, ENTRY("a", 1)), AND(.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_OVER, .fence = 1),
           AND(.kind = STORE_RESULT, .game = "a", .user = 1, .players = 2, .rules = "standard", .fence = 1));
    ask_postgres("SELECT keeper || '/' || fence FROM gral.game");
    assert_string_equal(output, "/1\n");
    assert_int_equal(keep(ANNA, "a"), 0);
}

/* Somebody who writes under a lease has it until that is done. */
static void a_take_over_waits_for_what_is_being_written(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    PGconn *writing = PQconnectdb(getenv("GRAL_POSTGRES"));
    PQclear(PQexec(writing, "BEGIN; SELECT FROM gral.lease FOR SHARE"));
    assert_int_not_equal(beat(ANNA).world, 0);
    let_die(ANNA, BEN);
    assert_int_equal(beat(BEN).world, 0); /* and does not wait itself */
    PQfinish(writing);
    for (unsigned again = 0; again < 1000 && beat(BEN).world == 0; again++)
        ;
    assert_int_not_equal(beat(BEN).world, 0);
}

/* --- two at once --- */

typedef struct commit {
    unsigned who;
    store_write write[1];
    bool good;
} commit;

static void *do_commit(void *context)
{
    commit *commit = context;
    commit->good = server[commit->who]->kind->commit(server[commit->who], commit->write, 1, NULL);
    return NULL;
}

/* While somebody else is in the middle of something, which these words do, the write waits; and then it is a conflict.
 */
static void expect_conflict_with(const char *words, store_write write)
{
    commit commit = {.who = BEN, .write = {write}};
    pthread_t thread;
    PGconn *other = PQconnectdb(getenv("GRAL_POSTGRES"));
    PGresult *result = PQexec(other, "BEGIN; SET search_path = gral");
    PQclear(result);
    result = PQexec(other, words);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        fail_msg("%s", PQerrorMessage(other));
    PQclear(result);
    assert_int_equal(pthread_create(&thread, NULL, do_commit, &commit), 0);
    output[0] = '\0';
    for (unsigned again = 0; again < 100 && strcmp(output, "1\n") != 0; again++)
        ask_postgres("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    PQclear(PQexec(other, "COMMIT"));
    pthread_join(thread, NULL);
    PQfinish(other);
    assert_true(commit.good);
    assert_int_equal(commit.write[0].outcome, STORE_CONFLICT);
}

static void nothing_is_left_of_a_game_that_goes_while_somebody_talks_there(void **unused)
{
    (void)unused;
    expect("DD", GAME("a", 1), WRITE(.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_OVER));
    expect_conflict_with("DELETE FROM game", ADD("a", 1, "late"));
    ask_postgres("SELECT count(*) FROM gral.log");
    assert_string_equal(output, "0\n");
}

static void nobody_comes_in_by_a_password_that_is_being_changed(void **unused)
{
    (void)unused;
    expect("D", USER(1, "Ann", "ann"));
    expect_conflict_with("UPDATE \"user\" SET password = 'new'; DELETE FROM session",
                         WRITE(.kind = STORE_NEW_SESSION, .secret = {1}, .user = 1, .password = "hash"));
    expect_conflict_with("UPDATE \"user\" SET name = '', key = NULL, password = ''; DELETE FROM session",
                         SESSION(2, 1));
}

/* Both write to the same games, each from the other end. */
enum { SHARED = 8, ROUNDS = 40 };

typedef struct striving {
    unsigned who, done;
    bool backwards, good;
} striving;

static void *strive(void *context)
{
    static const char *const names[SHARED] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    striving *striving = context;
    uint32_t next[SHARED];
    for (unsigned at = 0; at < SHARED; at++)
        next[at] = 1;
    striving->good = true;
    for (unsigned round = 0; striving->good && round < ROUNDS; round++) {
        store_write writes[SHARED];
        for (unsigned at = 0; at < SHARED; at++) {
            const unsigned game = striving->backwards ? SHARED - 1 - at : at;
            writes[at] = ADD(names[game], next[game], "x");
        }
        striving->good = server[striving->who]->kind->commit(server[striving->who], writes, SHARED, NULL);
        for (unsigned at = 0; at < SHARED; at++) {
            const unsigned game = striving->backwards ? SHARED - 1 - at : at;
            next[game]++; /* whoever wrote it */
            striving->done += writes[at].outcome == STORE_DONE;
        }
    }
    return NULL;
}

static void two_who_write_to_the_same_games_write_each_number_once(void **unused)
{
    (void)unused;
    expect("DDDDDDDD", GAME("a", 1), GAME("b", 1), GAME("c", 1), GAME("d", 1), GAME("e", 1), GAME("f", 1), GAME("g", 1),
           GAME("h", 1));
    striving striving[2] = {{.who = ANNA}, {.who = BEN, .backwards = true}};
    pthread_t thread[2];
    for (unsigned at = 0; at < 2; at++)
        assert_int_equal(pthread_create(&thread[at], NULL, strive, &striving[at]), 0);
    for (unsigned at = 0; at < 2; at++)
        pthread_join(thread[at], NULL);
    assert_true(striving[0].good && striving[1].good);
    assert_int_equal(striving[0].done + striving[1].done, SHARED * ROUNDS);
    ask_postgres("SELECT min(many) || ' ' || max(many) || ' ' || max(last)"
                 " FROM (SELECT count(*) AS many, max(number) AS last FROM gral.log GROUP BY game) AS games");
    assert_string_equal(output, "41 41 40\n");
    server[BEN]->kind->close(server[BEN]); /* then what has happened to him is counted, in a moment */
    server[BEN] = store_open(getenv("GRAL_POSTGRES"), true, NULL);
    assert_non_null(server[BEN]);
    ask_postgres("SELECT pg_sleep(0.3)");
    ask_postgres("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    assert_string_equal(output, "0\n");
}

/* Whoever came too late with one of his games has written to the others. */
static void of_a_group_only_what_came_too_late_is_left_out(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    expect("DDDDD", GAME("a", 1), GAME("b", 1), GAME("c", 1), GAME("d", 1), GAME("e", 1));
    expect_of(BEN, "DD", ADD("b", 1, "first"), ADD("c", 1, "first"));
    assert_int_equal(keep(ANNA, "e"), 1);
    expect("DDDCCCDDCCCD", ADD("a", 1, "x"), AND(ENTRY("a", 2)), AND(ENTRY("a", 3)), ADD("b", 1, "x"),
           AND(ENTRY("b", 2)), ADD("none", 1, "x"), ADD("c", 2, "x"), AND(ENTRY("c", 3)), ADD("d", 2, "x"),
           AND(ENTRY("d", 3)), UNDER(7, ENTRY("e", 1)), {.kind = STORE_AUDIT, TEXT("x")});
    expect("CDCDD", ADD("b", 1, "x"), {.kind = STORE_AUDIT, TEXT("x")}, ADD("c", 3, "x"), UNDER(1, ENTRY("e", 1)),
           AND(ENTRY("e", 2)));
    ask_postgres("SELECT string_agg(name || ':' || many, ' ' ORDER BY name) FROM"
                 " (SELECT name, count(*) AS many FROM gral.log JOIN gral.game ON id = game GROUP BY name) AS games");
    assert_string_equal(output, "a:4 b:2 c:4 d:1 e:3\n");
}

static bool tell_news(void *context, const store_entry *entry)
{
    (void)context;
    const size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%s.%u@%d=%.*s; ", entry->game, entry->number, (int)entry->time,
             (int)entry->text.length, entry->text.bytes);
    return true;
}

static void expect_news(const char *expected, const store_since *since, unsigned count)
{
    gral_error error;
    story[0] = '\0';
    if (!peers()->news(server[BEN], since, count, tell_news, NULL, &error))
        fail_msg("%s", error.message);
    assert_string_equal(story, expected);
}

static void what_was_written_to_many_games_is_read_by_one_question(void **unused)
{
    (void)unused;
    static const char strange[] = "a b'c\"d\\e{},\xc3\xa9";
    expect("DDD", GAME("a", 1), GAME("b", 2), GAME(strange, 3));
    expect("DDD", ADD("a", 1, "one"), ADD("a", 2, "\\x00'"), ADD(strange, 1, "\0\xff"));
    expect_news("b.0@2=terms; a.1@101=one; a.2@102=\\x00'; ",
                (store_since[]){{"b", 0}, {"none", 0}, {"a", 1}, {strange, 2}}, 4);
    char words[100];
    snprintf(words, sizeof words, "%s.1@101=", strange);
    story[0] = '\0';
    assert_true(peers()->news(server[BEN], &(store_since){strange, 1}, 1, tell_news, NULL, NULL));
    assert_memory_equal(story, words, strlen(words));
    expect_news("", NULL, 0);
    ask_postgres("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                 " AND datname = current_database()");
    expect_news("a.2@102=\\x00'; ", &(store_since){"a", 2}, 1); /* by a new connection */
}

/* --- who lives --- */

static void only_who_beats_steadily_himself_finds_others_dead(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    be_silent(ANNA);
    assert_int_equal(beat(BEN).count, 2); /* he has just come */
    be_steady(BEN);
    be_silent(BEN);
    assert_int_equal(beat(BEN).count, 2); /* all stood still */
    assert_false(beat(ANNA).was_dead);
    be_silent(ANNA);
    be_steady(BEN);
    assert_int_equal(beat(BEN).count, 1);
    store_beat back = beat(ANNA);
    assert_true(back.was_dead);
    assert_int_equal(back.count, 2);
    assert_false(beat(ANNA).was_dead);
}

static void a_beat_of_a_time_to_come_is_none(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    ask_postgres("UPDATE gral.server SET beat = beat + 3600000, since = since + 3600000"); /* the clock was set back */
    assert_int_equal(beat(BEN).count, 2);
    be_steady(BEN);
    assert_int_equal(beat(BEN).count, 1);
}

static void who_was_taken_for_dead_keeps_nothing_and_asks_again(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    expect("DDD", GAME("a", 1), GAME("b", 1), GAME("c", 1));
    let_die(ANNA, BEN);
    assert_int_equal(keep(ANNA, "a"), 0); /* she does not know yet */
    assert_int_equal(keep(BEN, "b"), 2);
    store_beat back = beat(ANNA);
    assert_true(back.was_dead && back.orphans && back.world == 0);
    assert_int_equal(keep(ANNA, "a"), 2);
    assert_int_equal(keep(ANNA, "b"), 0);
    expect("CD", UNDER(1, ENTRY("a", 1)), UNDER(2, ENTRY("a", 1)));
    assert_int_equal(keep(BEN, "c"), 2);
    assert_false(beat(BEN).orphans);
}

/* --- orphans --- */

enum { ORPHANS = 60 };

typedef struct taking {
    unsigned who, taken;
    bool mine[ORPHANS];
} taking;

static bool note_taken(void *context, const char *game, enum store_stage stage, int64_t fence)
{
    taking *taking = context;
    if (stage != STORE_OPEN || fence != 2)
        return false;
    taking->mine[atoi(game)] = true;
    taking->taken++;
    return true;
}

static void *take_all(void *context)
{
    taking *taking = context;
    for (unsigned before = ORPHANS; before != taking->taken;) {
        before = taking->taken;
        if (!peers()->take(server[taking->who], 7, note_taken, taking, NULL))
            return NULL;
    }
    return taking;
}

static void orphans_are_shared_out_and_each_is_taken_once(void **unused)
{
    (void)unused;
    char name[ORPHANS][8];
    beat(ANNA), beat(BEN), beat(CLEO);
    for (unsigned game = 0; game < ORPHANS; game++) {
        snprintf(name[game], sizeof *name, "%u", game);
        expect("D", GAME(name[game], 1));
    }
    taking taking[2] = {{.who = BEN}, {.who = CLEO}};
    assert_non_null(take_all(&taking[0]));
    assert_int_equal(taking[0].taken, 0);
    assert_false(beat(BEN).orphans);
    let_die(ANNA, BEN);
    assert_true(beat(BEN).orphans && beat(CLEO).orphans);
    pthread_t thread[2];
    for (unsigned at = 0; at < 2; at++)
        assert_int_equal(pthread_create(&thread[at], NULL, take_all, &taking[at]), 0);
    for (unsigned at = 0; at < 2; at++)
        pthread_join(thread[at], NULL);
    take_all(&taking[0]); /* what both had wanted and the other did not get */
    assert_int_equal(taking[0].taken + taking[1].taken, ORPHANS);
    for (unsigned game = 0; game < ORPHANS; game++)
        assert_true(taking[0].mine[game] != taking[1].mine[game]);
    assert_false(beat(BEN).orphans);
}

static void a_game_that_sleeps_or_is_over_is_no_orphan_and_who_wakes_it_keeps_it(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    expect("DD", GAME("a", 1), GAME("b", 1));
    expect("DD", WRITE(.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_RUNNING),
           WRITE(.kind = STORE_SET_STAGE, .game = "b", .stage = STORE_OVER));
    expect("D", UNDER(1, .kind = STORE_SLEEP, .game = "a", .time = 99));
    let_die(ANNA, BEN);
    assert_false(beat(BEN).orphans);
    expect_of(BEN, "D", WRITE(.kind = STORE_WAKE, .game = "a"));
    assert_int_equal(keep(BEN, "a"), 2);
    assert_false(beat(BEN).orphans);
    expect_of(BEN, "D", WRITE(.kind = STORE_SLEEP, .game = "a", .time = 99));
    assert_int_equal(keep(BEN, "a"), 3); /* to be read while it still sleeps */
    expect_of(BEN, "D", UNDER(3, .kind = STORE_WAKE, .game = "a"));
    assert_int_equal(keep(BEN, "a"), 3);
}

static void who_leaves_lives_no_more_and_others_have_what_he_kept_at_once(void **unused)
{
    (void)unused;
    beat(ANNA), beat(BEN);
    expect("D", GAME("a", 1));
    assert_int_not_equal(beat(ANNA).world, 0);
    assert_true(peers()->leave(server[ANNA], NULL));
    store_beat left;
    assert_false(peers()->beat(server[ANNA], &left, NULL));
    left = beat(BEN);
    assert_true(left.count == 1 && left.orphans && left.world > 0);
    assert_int_equal(keep(BEN, "a"), 2);
    expect("CD", UNDER(1, ENTRY("a", 1)), ADD("a", 1, "from one who goes"));
}

/* --- who leads --- */

static void one_leads_and_what_the_one_before_writes_is_refused(void **unused)
{
    (void)unused;
    const uint64_t first = beat(ANNA).world;
    assert_int_not_equal(first, 0);
    assert_int_equal(beat(BEN).world, 0);
    assert_int_equal(beat(ANNA).world, first);
    expect("DD", UNDER(first, .kind = STORE_NEW_TOURNAMENT, .game = "t", .leads = true),
           UNDER(first, .kind = STORE_NEW_GAME, .game = "a", .leads = true));
    expect("D", UNDER(first, ENTRY("a", 1), .leads = true));
    expect_of(BEN, "C", UNDER(first, ENTRY("a", 2), .leads = true)); /* it is not his */
    let_die(ANNA, BEN);
    assert_int_equal(beat(BEN).world, first + 1);
    assert_int_equal(beat(ANNA).world, 0);
    expect("CC", UNDER(first, .kind = STORE_TOURNAMENT, .game = "t", .number = 1, .leads = true),
           UNDER(first, ENTRY("a", 2), .leads = true));
    expect_of(BEN, "D", UNDER(first + 1, .kind = STORE_TOURNAMENT, .game = "t", .number = 1, .leads = true));
    let_die(BEN, ANNA);
    assert_int_equal(beat(ANNA).world, first + 2);
    expect("CD", UNDER(first, ENTRY("a", 2), .leads = true), UNDER(first + 2, ENTRY("a", 2), .leads = true));
}

/* --- what is heard --- */

static void tell_hint(void *context, const store_hint *hint)
{
    (void)context;
    const size_t length = strlen(story);
    char *at = story + length;
    const size_t room = sizeof story - length;
    switch (hint->kind) {
    case STORE_HINT_GAME:
        snprintf(at, room, "game %s.%u%s%s%s%s", hint->game, hint->number, hint->seats ? " seats" : "",
                 hint->fresh ? " fresh" : "", hint->listed ? " listed" : "", hint->asleep ? " asleep" : "");
        if (hint->user != 0)
            snprintf(at + strlen(at), room - strlen(at), " of %d", (int)hint->user);
        break;
    case STORE_HINT_USER:
        snprintf(at, room, "user %d", (int)hint->user);
        break;
    case STORE_HINT_TIE:
        snprintf(at, room, "tie %d-%d", (int)hint->user, (int)hint->other);
        break;
    case STORE_HINT_MODERATION:
        snprintf(at, room, "order");
        break;
    case STORE_HINT_TOURNAMENT:
        snprintf(at, room, "tournament %s.%u", hint->game, hint->number);
        break;
    case STORE_HINT_LETTERS:
        snprintf(at, room, "letters");
        break;
    case STORE_HINT_SAID:
        snprintf(at, room, "said %.*s", (int)hint->text.length, hint->text.bytes);
        break;
    case STORE_HINT_GONE:
        snprintf(at, room, "gone %s", hint->from);
        break;
    case STORE_HINT_ALL:
        snprintf(at, room, "all");
        break;
    }
    snprintf(at + strlen(at), room - strlen(at), "; ");
}

/* Until these words are among what was heard, which is forgotten afterwards. */
static void hear_until(unsigned who, const char *words)
{
    for (unsigned again = 0; again < 100 && strstr(story, words) == NULL; again++)
        if (!peers()->listen(server[who], 100, tell_hint, NULL, NULL))
            fail_msg("the ear was lost");
    if (strstr(story, words) == NULL)
        fail_msg("no '%s' in '%s'", words, story);
}

static void expect_heard(unsigned who, const char *expected)
{
    char all[600];
    snprintf(all, sizeof all, "%ssaid .; ", expected);
    assert_true(peers()->say(server[ANNA], gral_span_of("."), NULL));
    hear_until(who, "said .; ");
    assert_string_equal(story, all);
    story[0] = '\0';
}

static void begin_to_listen(void)
{
    story[0] = '\0';
    beat(BEN);
    expect_heard(BEN, "");
}

static void every_kind_of_write_says_what_others_are_told(void **unused)
{
    (void)unused;
    for (unsigned kind = 0; kind < STORE_WRITE_KINDS; kind++)
        if (store_hint_rules[kind] == STORE_RULE_MISSING)
            fail_msg("nobody has said in store_hints.c what others are told of a write of kind %u", kind);
}

static void others_hear_of_what_was_written_and_one_does_not_hear_oneself(void **unused)
{
    (void)unused;
    begin_to_listen();
    expect("DDD", USER(1, "Ann", "ann"), USER(2, "Ben", "ben"), USER(3, "Cleo", "cleo"));
    expect_heard(BEN, "");
    expect("DD", WRITE(.kind = STORE_NEW_GAME, .game = "a", .listed = true), GAME("b", 1));
    expect_heard(BEN, "game a.0 fresh listed; game b.0 fresh; ");
    expect("DDD", ADD("a", 1, "x"), ADD("b", 1, "x"), ADD("a", 2, "x"));
    expect_heard(BEN, "game a.2; game b.1; ");
    expect("DDDD", ADD("a", 3, "x"), WRITE(.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_RUNNING),
           WRITE(.kind = STORE_SIT, .game = "b", .seat = 1, .user = 2), WRITE(.kind = STORE_RISE, .game = "b"));
    expect_heard(BEN, "game a.3 seats; game b.0 seats; game b.0 seats of 2; ");
    expect("DDD", WRITE(.kind = STORE_SLEEP, .game = "a", .time = 9), WRITE(.kind = STORE_WAKE, .game = "a"),
           WRITE(.kind = STORE_RENEW_GAME, .game = "b", .number = 2));
    expect_heard(BEN, "game a.0 asleep; game b.2 fresh; ");
    expect("DDD", WRITE(.kind = STORE_RENAME, .user = 2, .name = "Bo", .key = "bo"),
           WRITE(.kind = STORE_BAN, .user = 1, .ends = 5), WRITE(.kind = STORE_SILENCE, .user = 1, .ends = 5));
    expect_heard(BEN, "user 1; user 2; ");
    expect("DD", SESSION(1, 1), WRITE(.kind = STORE_TOUCH, .secret = {1}, .time = 5));
    expect_heard(BEN, "user 1; ");
    expect("DD", WRITE(.kind = STORE_END_SESSION, .secret = {1}, .user = 1), WRITE(.kind = STORE_SEEN, .user = 3));
    expect_heard(BEN, "user 1; user 3; ");
    expect("DD", WRITE(.kind = STORE_WANT, .user = 1, .other = 2), WRITE(.kind = STORE_BLOCK, .user = 3, .other = 2));
    expect_heard(BEN, "tie 1-2; tie 3-2; ");
    expect("DD", WRITE(.kind = STORE_BAR, .name = "192.0.2.0/24", .ends = 9),
           WRITE(.kind = STORE_ADD_WORD, .name = "x"));
    expect_heard(BEN, "order; ");
    expect("DDD", WRITE(.kind = STORE_NEW_TOURNAMENT, .game = "t"),
           WRITE(.kind = STORE_TOURNAMENT, .game = "t", .number = 1),
           WRITE(.kind = STORE_ENTER, .game = "t", .user = 1));
    expect_heard(BEN, "tournament t.1; ");
    expect("DD", WRITE(.kind = STORE_LETTER, .game = "a", .user = 1), WRITE(.kind = STORE_AUDIT, TEXT("x")));
    expect_heard(BEN, "letters; ");
    expect_of(BEN, "D", ADD("a", 4, "x")); /* his own */
    expect("C", ADD("a", 4, "x"));         /* only a hint */
    expect_heard(BEN, "game a.4; ");
}

static void a_name_is_heard_as_it_is_however_strange(void **unused)
{
    (void)unused;
    static const char name[] = "a b'c\"d\\e%20f{},;\n\xc3\xa9";
    begin_to_listen();
    expect("D", GAME(name, 1));
    expect("D", ADD(name, 1, "x"));
    char heard[100];
    snprintf(heard, sizeof heard, "game %s.0 fresh; game %s.1; ", name, name);
    expect_heard(BEN, heard);
}

static void a_group_of_many_is_heard_in_several_payloads(void **unused)
{
    (void)unused;
    enum { MANY = 1000 };
    static char name[MANY][40];
    static store_write writes[MANY];
    begin_to_listen();
    for (unsigned game = 0; game < MANY; game++) {
        snprintf(name[game], sizeof *name, "game-with-a-name-%u", game);
        writes[game] = GAME(name[game], 1);
    }
    gral_error error;
    assert_true(server[ANNA]->kind->commit(server[ANNA], writes, MANY, &error));
    assert_true(peers()->say(server[ANNA], gral_span_of("."), NULL));
    hear_until(BEN, "said .; ");
    for (unsigned game = 0; game < MANY; game++) {
        char words[60];
        snprintf(words, sizeof words, "game game-with-a-name-%u.0 fresh; ", game);
        assert_non_null(strstr(story, words));
    }
    assert_int_equal(strlen(story),
                     strlen("said .; ") + MANY * strlen("game game-with-a-name-.0 fresh; ") + 10 + 90 * 2 + 900 * 3);
}

static char *heard_text;
static size_t heard_length;
static void keep_text(void *context, const store_hint *hint)
{
    (void)context;
    assert_int_equal(hint->kind, STORE_HINT_SAID);
    assert_string_equal(hint->from, peers()->self(server[ANNA]));
    free(heard_text);
    heard_text = malloc(hint->text.length + 1);
    heard_length = hint->text.length;
    memcpy(heard_text, hint->text.bytes, hint->text.length);
}

static void words_of_any_length_and_bytes_arrive_whole(void **unused)
{
    (void)unused;
    static const size_t lengths[] = {0, 1, 255, STORE_PAYLOAD_MAX, 200000};
    static char text[200000];
    begin_to_listen();
    for (size_t at = 0; at < sizeof text; at++)
        text[at] = (char)(at * 7 + at / 256);
    for (size_t row = 0; row < sizeof lengths / sizeof *lengths; row++) {
        assert_true(peers()->say(server[ANNA], (gral_span){text, lengths[row]}, NULL));
        assert_true(peers()->say(server[BEN], (gral_span){text, 3}, NULL)); /* he does not hear himself */
        for (unsigned again = 0; again < 100 && heard_text == NULL; again++)
            assert_true(peers()->listen(server[BEN], 100, keep_text, NULL, NULL));
        assert_non_null(heard_text);
        assert_int_equal(heard_length, lengths[row]);
        assert_memory_equal(heard_text, text, heard_length);
        free(heard_text);
        heard_text = NULL;
    }
}

static void cut_off_ears(void)
{
    ask_postgres("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'gral ear %'");
}

static void wait_for_a_lost_ear(unsigned who)
{
    bool lost = false;
    for (unsigned again = 0; again < 100 && !lost; again++)
        lost = !peers()->listen(server[who], 100, tell_hint, NULL, NULL);
    assert_true(lost);
}

static void a_lost_ear_is_repaired_and_begins_with_everything(void **unused)
{
    (void)unused;
    begin_to_listen();
    expect("D", GAME("a", 1));
    expect_heard(BEN, "game a.0 fresh; ");
    cut_off_ears();
    wait_for_a_lost_ear(BEN);
    expect("D", ADD("a", 1, "nobody hears it"));
    assert_true(peers()->listen(server[BEN], 100, tell_hint, NULL, NULL));
    expect_heard(BEN, "all; ");
    assert_false(beat(BEN).was_dead);
    cut_off_ears();
    store_beat none;
    assert_false(peers()->beat(server[BEN], &none, NULL));
    assert_false(beat(BEN).was_dead);
    expect_heard(BEN, "all; ");
}

/* Nothing that is said is kept for somebody who does not listen any more. */
static void the_ear_of_who_is_dead_is_cut_off_and_he_is_told_everything_when_he_comes_back(void **unused)
{
    (void)unused;
    begin_to_listen();
    beat(CLEO);
    let_die(BEN, CLEO);
    wait_for_a_lost_ear(BEN);
    assert_true(beat(BEN).was_dead);
    expect_heard(BEN, "all; ");
}

static void others_hear_who_has_gone(void **unused)
{
    (void)unused;
    char gone[60];
    begin_to_listen();
    beat(CLEO);
    let_die(CLEO, BEN);
    snprintf(gone, sizeof gone, "gone %s; ", peers()->self(server[CLEO]));
    expect_heard(BEN, gone); /* who has found it, too */
    beat(CLEO);
    assert_true(peers()->leave(server[CLEO], NULL));
    expect_heard(BEN, gone);
}

static void what_a_newer_server_says_is_skipped_and_what_makes_no_sense_does_no_harm(void **unused)
{
    (void)unused;
    static const char *const payloads[] = {"",          " ",     "x",           "x ",      "x G",          "x G 1",
                                           "x G 1 2 3", "x U",   "x Z 1 2 U 7", "x S",     "x S 1 . late", "x S 0",
                                           "x S 0 .",   "x T 1", "x C 3",       "self U 1"};
    store_pieces heard = {0};
    story[0] = '\0';
    for (size_t row = 0; row < sizeof payloads / sizeof *payloads; row++) {
        char payload[40];
        snprintf(payload, sizeof payload, "%s", payloads[row]);
        store_hear_payload("self", payload, &heard, tell_hint, NULL);
    }
    assert_string_equal(story, "");
    char payload[] = "x U 4 G 3 1 0 a%20b%zz O Z";
    store_hear_payload("self", payload, &heard, tell_hint, NULL);
    assert_string_equal(story, "user 4; game a bzz.3 seats; order; ");
    store_forget_pieces(&heard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_write_says_what_others_are_told),
        cmocka_unit_test(what_a_newer_server_says_is_skipped_and_what_makes_no_sense_does_no_harm),
        WITH_SERVERS(who_makes_a_game_keeps_it_and_nobody_else_while_he_lives),
        WITH_SERVERS(what_is_written_under_an_old_fence_is_refused),
        WITH_SERVERS(a_unit_goes_on_under_its_fence_when_it_ends_the_game),
        WITH_SERVERS(a_take_over_waits_for_what_is_being_written),
        WITH_SERVERS(two_who_write_to_the_same_games_write_each_number_once),
        WITH_SERVERS(of_a_group_only_what_came_too_late_is_left_out),
        WITH_SERVERS(what_was_written_to_many_games_is_read_by_one_question),
        WITH_SERVERS(nothing_is_left_of_a_game_that_goes_while_somebody_talks_there),
        WITH_SERVERS(nobody_comes_in_by_a_password_that_is_being_changed),
        WITH_SERVERS(only_who_beats_steadily_himself_finds_others_dead),
        WITH_SERVERS(a_beat_of_a_time_to_come_is_none),
        WITH_SERVERS(who_was_taken_for_dead_keeps_nothing_and_asks_again),
        WITH_SERVERS(orphans_are_shared_out_and_each_is_taken_once),
        WITH_SERVERS(a_game_that_sleeps_or_is_over_is_no_orphan_and_who_wakes_it_keeps_it),
        WITH_SERVERS(who_leaves_lives_no_more_and_others_have_what_he_kept_at_once),
        WITH_SERVERS(one_leads_and_what_the_one_before_writes_is_refused),
        WITH_SERVERS(others_hear_of_what_was_written_and_one_does_not_hear_oneself),
        WITH_SERVERS(a_name_is_heard_as_it_is_however_strange),
        WITH_SERVERS(a_group_of_many_is_heard_in_several_payloads),
        WITH_SERVERS(words_of_any_length_and_bytes_arrive_whole),
        WITH_SERVERS(a_lost_ear_is_repaired_and_begins_with_everything),
        WITH_SERVERS(the_ear_of_who_is_dead_is_cut_off_and_he_is_told_everything_when_he_comes_back),
        WITH_SERVERS(others_hear_who_has_gone),
    };
    return run_store_tests("store_peers", tests);
}
