/* Everything moves from SQLite to PostgreSQL and back, and what is not the same there is found. */
#include "bench/hosted.h"
#include "bench/server.h"
#include "fair/blake2b.h"
#include "storing.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNNING = 200, OVER = 20, ENTRIES_MAX = 1000 };

/* A game of two computer players, from its terms to its end. */
static void play_through(unsigned number)
{
    char words[100], id[20];
    gral_terms terms;
    gral_error error;
    snprintf(id, sizeof id, "over-%u", number);
    snprintf(words, sizeof words, "players=2 game=%s seed=%u seat1=greedy seat2=greedy", id, number);
    assert_true(gral_terms_parse(gral_span_of(words), &terms, &error));
    gral_host *host = gral_host_make(&terms, fair_blake2b, 0);
    static store_write writes[ENTRIES_MAX];
    static char text[ENTRIES_MAX][GRAL_INPUT_TEXT_MAX];
    writes[0] = WRITE(.kind = STORE_NEW_GAME, .game = id, .listed = number % 2, .text = gral_span_of(words));
    uint32_t count = 1;
    char lines[2 * GRAL_INPUT_TEXT_MAX];
    gral_text inputs = gral_text_in(lines, sizeof lines);
    while (hosted_step(host, &inputs)) {
        for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n"), count++) {
            assert_true(count < ENTRIES_MAX - 2);
            snprintf(text[count], sizeof text[count], "%s", line);
            writes[count] = WRITE(.kind = STORE_APPEND, .game = id, .number = count, .text = gral_span_of(text[count]));
        }
        inputs = gral_text_in(lines, sizeof lines);
    }
    assert_int_equal(gral_host_stage(host), GRAL_ENDED);
    gral_host_free(host);
    writes[count++] = WRITE(.kind = STORE_SET_STAGE, .game = id, .stage = STORE_OVER, .time = number);
    writes[count++] = WRITE(.kind = STORE_RESULT, .game = id, .user = 1 + number, .players = 2, .rules = "standard");
    if (!the_store->kind->commit(the_store, writes, count, &error))
        fail_msg("%s", error.message);
    for (uint32_t index = 0; index < count; index++)
        assert_int_equal(writes[index].outcome, STORE_DONE);
}

/* Something of all that there is. */
static void fill_with_everything(void)
{
    gral_error error = {0};
    close_store();
    if (!fill_store(database, RUNNING, NULL, &error))
        fail_msg("%s", error.message);
    the_store = open_store(database, false);
    for (unsigned number = 0; number < OVER; number++)
        play_through(number);
    expect("DDDD", {.kind = STORE_NEW_USER, .user = 9001, .name = "Anna \xc3\xa9", .key = "anna", .password = "hash"},
           {.kind = STORE_NEW_USER, .user = 9002, .name = "Ben", .key = NULL},
           {.kind = STORE_NEW_USER, .user = 9003, .name = "Cleo", .key = "cleo"},
           {.kind = STORE_NEW_SESSION, .user = 9001, .secret = {0, 255, 10, 92}, .ends = 5, .label = "a \"label\"\\"});
    expect("DDDDDDD", {.kind = STORE_READ_LATER, .game = "over-1"},
           {.kind = STORE_RATED, .game = "over-0", .class = 1, .time = 5},
           {.kind = STORE_RATE, .game = "over-0", .user = 9001, .class = 1, .strength = 0.1, .doubt = 1.0 / 3},
           {.kind = STORE_PLAYED, .game = "over-0", .user = 9001, .class = 1, TEXT("{\"T1\":15}")},
           {.kind = STORE_SHOW, .user = 9001, .part = 1, .place = 2}, {.kind = STORE_BAN, .user = 9003, .ends = 9},
           {.kind = STORE_BAR, .name = "192.0.2.0/24", .ends = 9});
    expect(
        "DDDDD", {.kind = STORE_ADD_WORD, .name = "fudge"},
        {.kind = STORE_REPORT, .user = 9001, .other = 9003, .game = "over-0", .label = "rude", TEXT("nul\0 and \xff")},
        {.kind = STORE_AUDIT, TEXT("tab\t")}, {.kind = STORE_WANT, .user = 9001, .other = 9003},
        {.kind = STORE_SEEN, .user = 9001, .place = 1});
    expect("DDDD", {.kind = STORE_NEW_GAME, .game = "open", .text = gral_span_of("players=3 game=open")},
           {.kind = STORE_INVITE, .user = 9001, .other = 9003, .game = "open", .limit = 9},
           {.kind = STORE_NEW_WAY, .user = 9001, .other = 77, .name = "a@b.example", .events = 31, .number = 5},
           {.kind = STORE_NEW_TOURNAMENT, .game = "cup", TEXT("terms")});
    expect("DDDD", {.kind = STORE_ENTER, .game = "cup", .user = 9001},
           {.kind = STORE_SET_SECRET, .name = "s", TEXT("x")},
           {.kind = STORE_NEW_SIGNER, .number = 1, TEXT("first"), .signing_key = "hush"},
           {.kind = STORE_NEW_SIGNER, .number = 2, TEXT("second"), .signing_key = "hush"});
    /* Those against whom one has played need both to have a result; here one is enough. */
    ask_sqlite(database, "INSERT INTO met VALUES(9001, 9003, 3, 2, 1)");
    close_store();
}

static const char move_there[] = "cd \"$FOLDER\" && gral migrate gral.db \"$GRAL_POSTGRES\" 2>&1";
static const char dump[] =
    "cd \"$FOLDER\" && python3 -c 'import sqlite3, sys\n"
    "for name in sys.argv[1:]:\n"
    "    base = sqlite3.connect(name); base.text_factory = bytes\n"
    "    tables = [row[0].decode() for row in base.execute(\"SELECT name FROM sqlite_schema WHERE type = char(116, 97,"
    " 98, 108, 101) ORDER BY name\")]\n"
    "    with open(name + \".txt\", \"w\") as out:\n"
    "        for table in tables:\n"
    "            rows = base.execute(f\"SELECT * FROM {table}\").fetchall()\n"
    "            assert rows, table\n"
    "            print(table, *sorted(map(repr, rows)), sep=\"\\n\", file=out)\n"
    "' gral.db back.db && cmp gral.db.txt back.db.txt";

static int open_both(void **unused)
{
    if (open_postgres(unused) != 0)
        return -1;
    close_store();
    the_store = open_store(database, false);
    return 0;
}

static void everything_moves_there_and_back(void **unused)
{
    (void)unused;
    fill_with_everything();
    if (shell(move_there) != 0)
        fail_msg("%s", output);
    expect_in_output("games played through: 221; records of finished games verified: 20; wrong: 0\n");
    assert_int_equal(shell("cd \"$FOLDER\" && gral migrate \"$GRAL_POSTGRES\" back.db 2>&1"), 0);
    expect_in_output("games played through: 221; records of finished games verified: 20; wrong: 0\n");
    if (shell(dump) != 0)
        fail_msg("%s", output);
    ask_postgres("SELECT count(*) FROM gral.game WHERE keeper <> ''");
    assert_string_equal(output, "0\n");
    /* What comes now has numbers of its own. */
    the_store = open_store(getenv("GRAL_POSTGRES"), false);
    expect("DDDD", GAME("new", 1), {.kind = STORE_AUDIT, TEXT("x")}, {.kind = STORE_NEW_TOURNAMENT, .game = "second"},
           ADD("bench-0", 101, "more"));
    close_store();
    assert_int_equal(shell(move_there), 1);
    assert_string_equal(output, "gral migrate: the database to move to is not empty\n");
    assert_int_equal(shell("cd \"$FOLDER\" && gral migrate \"$GRAL_POSTGRES\" gral.db 2>&1"), 1);
    assert_string_equal(output, "gral migrate: the database to move to is not empty\n");
}

static void what_is_not_the_same_afterwards_is_found_and_nothing_stays(void **unused)
{
    (void)unused;
    expect("DDD", GAME("a", 1), ADD("a", 1, "one"), ADD("a", 2, "two"));
    close_store();
    ask_postgres("CREATE FUNCTION gral.spoil() RETURNS trigger LANGUAGE plpgsql AS"
                 " 'BEGIN NEW.time := NEW.time + NEW.number / 2; RETURN NEW; END';"
                 "CREATE TRIGGER spoil BEFORE INSERT ON gral.log FOR EACH ROW EXECUTE FUNCTION gral.spoil()");
    assert_int_equal(shell(move_there), 1);
    assert_string_equal(output, "gral migrate: row 3 of table log is not what it was\n");
    ask_postgres("DROP FUNCTION gral.spoil CASCADE; SELECT count(*) FROM gral.game");
    assert_string_equal(strrchr(output, '\n') - 1, "0\n");
    /* A game that is none was none before; it is there, and is named. */
    assert_int_equal(shell(move_there), 1);
    expect_in_output("a: its texts make no game\n");
    ask_postgres("SELECT count(*) FROM gral.log");
    assert_string_equal(output, "3\n");
}

/* As a server does, until it dies. */
static atomic_bool living;

static void *live(void *unused)
{
    store_beat beat;
    while (living) {
        the_store->kind->peers->beat(the_store, &beat, NULL);
        poll(NULL, 0, 100);
    }
    return unused;
}

static void nothing_moves_while_a_server_lives_there(void **unused)
{
    (void)unused;
    close_store();
    the_store = open_store(getenv("GRAL_POSTGRES"), true);
    store_beat beat;
    pthread_t heart;
    assert_true(the_store->kind->peers->beat(the_store, &beat, NULL));
    living = true;
    assert_int_equal(pthread_create(&heart, NULL, live, NULL), 0);
    const int there = shell(move_there);
    expect_in_output("gral migrate: another gral serve uses this database (database gral at /");
    const int back = shell("cd \"$FOLDER\" && gral migrate \"$GRAL_POSTGRES\" other.db 2>&1");
    expect_in_output("gral migrate: another gral serve uses this database (database gral at /");
    living = false;
    pthread_join(heart, NULL);
    assert_int_equal(there, 1);
    assert_int_equal(back, 1);
    ask_postgres("UPDATE gral.server SET beat = beat - 3000"); /* it died */
    assert_int_equal(shell(move_there), 0);
}

static void what_cannot_be_moved_says_so(void **unused)
{
    (void)unused;
    assert_int_equal(shell(move_there), 1);
    expect_in_output("gral migrate: another gral serve uses this database");
    assert_int_equal(shell("cd \"$FOLDER\" && gral migrate none.db \"$GRAL_POSTGRES\" 2>&1"), 1);
    assert_string_equal(output, "gral migrate: none.db: No such file or directory\n");
    assert_int_equal(shell("gral migrate memory \"$GRAL_POSTGRES\" 2>&1"), 2);
    assert_int_equal(shell("gral backup --database \"$GRAL_POSTGRES\" \"$FOLDER/copy\" 2>&1"), 2);
    expect_in_output("pg_basebackup");
}

#define ON_BOTH(claim)                                                                                                 \
    {                                                                                                                  \
#claim "_in_postgres", claim, open_both, remove_folder, NULL                                                   \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(everything_moves_there_and_back),
        ON_BOTH(what_is_not_the_same_afterwards_is_found_and_nothing_stays),
        ON_BOTH(nothing_moves_while_a_server_lives_there),
        ON_BOTH(what_cannot_be_moved_says_so),
    };
    return run_store_tests("store_move", tests);
}
