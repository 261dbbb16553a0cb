/* Databases of older versions are brought up to date, in one go. */
#define _GNU_SOURCE /* usleep */
#include "storing.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const some_steps[] = {
    "CREATE TABLE shelf(book TEXT) STRICT; INSERT INTO shelf VALUES('first')",
    "ALTER TABLE shelf ADD COLUMN lent INTEGER NOT NULL DEFAULT 0",
    "INSERT INTO shelf(book) VALUES('third'); INSERT INTO nowhere VALUES(1)",
};

static void expect_shelf(sqlite3 *direct, const char *question, int expected)
{
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_prepare_v2(direct, question, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(statement, 0), expected);
    sqlite3_finalize(statement);
}

static void an_older_database_is_brought_up_to_date_in_one_go(void **unused)
{
    (void)unused;
    const store_migrations one = {some_steps, 1}, two = {some_steps, 2}, broken = {some_steps, 3};
    gral_error error = {0};
    sqlite3 *direct = NULL;
    assert_int_equal(sqlite3_open(database, &direct), SQLITE_OK);
    assert_true(store_migrate(direct, &one, false, &error)); /* an empty one becomes ours in any case */
    assert_false(store_migrate(direct, &two, false, &error));
    assert_non_null(strstr(error.message, "it is of version 1, from an older gral; gral serve brings it to version 2"));
    expect_shelf(direct, "PRAGMA user_version", 1);
    assert_false(store_migrate(direct, &broken, true, &error));
    assert_non_null(strstr(error.message, "no such table: nowhere"));
    expect_shelf(direct, "PRAGMA user_version", 1);
    expect_shelf(direct, "SELECT count(*) FROM pragma_table_info('shelf')", 1);
    assert_true(store_migrate(direct, &two, true, &error));
    expect_shelf(direct, "PRAGMA user_version", 2);
    expect_shelf(direct, "SELECT lent FROM shelf WHERE book = 'first'", 0);
    assert_true(store_migrate(direct, &two, false, &error));
    assert_false(store_migrate(direct, &one, true, &error));
    sqlite3_close(direct);
}

#define SECRET_END "00000000000000000000000000000000000000000000000000000000000000" /* 31 bytes of zeros */

/* A database as the program of that version left it, with somebody in it. */
static void make_older(unsigned version)
{
    const store_migrations first = {store_schema.steps, 1}, until = {store_schema.steps, version};
    gral_error error = {0};
    sqlite3 *direct = NULL;
    assert_int_equal(sqlite3_open(database, &direct), SQLITE_OK);
    assert_true(store_migrate(direct, &first, true, &error));
    assert_int_equal(
        sqlite3_exec(direct,
                     "PRAGMA journal_mode = WAL;"
                     "INSERT INTO user VALUES(1, 'Anna', 'anna', 'hash', 7, 7), (2, 'Ben', 'ben', '', 7, 7);"
                     "INSERT INTO session VALUES(x'01" SECRET_END "', 2, 7, 0, ''), (x'04" SECRET_END
                     "', 2, 7, 1, 'my bot');"
                     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                     " INSERT INTO session SELECT randomblob(32), 1 + i % 2, 7, 0, '' FROM n;"
                     "INSERT INTO game VALUES(1, 'a', 1, 1, 5, 5);"
                     "INSERT INTO log VALUES(1, 0, 5, 'terms');"
                     "INSERT INTO seat VALUES(1, 0, 2);"
                     "INSERT INTO result VALUES(1, 0, 2, 3, 2, 'standard'), (1, 1, 2, 3, 2, 'standard')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_true(store_migrate(direct, &until, true, &error));
    sqlite3_close(direct);
}

static int version_of_database(void)
{
    sqlite3 *direct = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(database, &direct), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(direct, "PRAGMA user_version", -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int version = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(direct);
    return version;
}

static bool count_settled(void *context, const char *game, bool settled)
{
    assert_string_equal(game, "a");
    assert_true(settled);
    ++*(unsigned *)context;
    return true;
}

/* What make_older put there is there, and everybody was just here: nobody is thrown out by the new version. */
static void expect_everybody(void)
{
    const int64_t long_ago = (int64_t)(time(NULL) - 3600) * 1000;
    the_store = open_store(database, false);
    assert_int_equal(by_secret(1), 2);
    assert_int_equal(by_session(STORE_TOKEN, 4).user, 2);
    assert_true(by_session(STORE_TOKEN, 4).ends > long_ago);
    assert_int_equal(by_session(STORE_COOKIE, 1).ends, 0);
    assert_true(by_session(STORE_COOKIE, 1).used > long_ago);
    assert_true(by_id(2).seen > long_ago);
    assert_int_equal(by_id(2).created, 7);
    assert_string_equal(by_id(1).password, "hash");
    expect_unfinished("a.0=terms");
    expect_games(2, 9, "a/1@5");
    store_statistics statistics;
    assert_true(the_store->kind->statistics(the_store, 2, &statistics, NULL));
    assert_int_equal(statistics.players[3].won, 2);
    /* What was played before is read, too, and its ratings are settled. */
    unsigned unread = 0;
    assert_true(the_store->kind->unread(the_store, 9, count_settled, &unread, NULL));
    assert_int_equal(unread, 1);
    expect_absent(long_ago, (store_guest){0}, 9, "");
    expect("DDDD", ADD("a", 1, "more"), GUEST(9, "zoe", 7), SESSION(250, 9),
           {.kind = STORE_NEW_DEVICE, .user = 1, .secret = {251}, .limit = 1});
    expect("DD",
           {.kind = STORE_NEW_WAY, .user = 1, .other = 5, .way = STORE_PUSH, .name = "https://a.example", .limit = 1},
           {.kind = STORE_SET_WAY, .user = 1, .other = 5});
    close_store();
}

/* Links in mails that were sent before work afterwards, and who was told everything still is. */
static void letters_and_wishes_outlive_the_new_event(void **unused)
{
    (void)unused;
    enum { BEFORE = 10 };
    const store_migrations before = {store_schema.steps, BEFORE};
    sqlite3 *direct = NULL;
    assert_int_equal(sqlite3_open(database, &direct), SQLITE_OK);
    assert_true(store_migrate(direct, &before, true, NULL));
    assert_int_equal(sqlite3_exec(direct,
                                  "PRAGMA journal_mode = WAL;"
                                  "INSERT INTO user VALUES(1, 'Anna', 'anna', 'hash', 7, 7);"
                                  "INSERT INTO way VALUES(5, 1, 0, 'a@b', '', '', 'en', 15, 0, 0, 7),"
                                  " (6, 1, 1, 'https://b', '', '', 'en', 0, 0, 1, 7);"
                                  "INSERT INTO letter VALUES(8, 5, 4, '', 77, 0, 7, 0, 0, 7),"
                                  " (9, 5, 5, '', 78, 0, 7, 0, 0, 7), (10, 5, 3, 'g', 1, 0, 7, 0, 0, 7)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(direct);
    the_store = open_store(database, false);
    expect("DD", {.kind = STORE_RECOVERED, .user = 1, .other = 9, .number = 78, .time = 1},
           {.kind = STORE_CONFIRM_WAY, .other = 8, .number = 77, .time = 1});
    close_store();
    assert_int_equal(sqlite3_open(database, &direct), SQLITE_OK);
    expect_shelf(direct, "SELECT events FROM way WHERE id = 5", 31);
    expect_shelf(direct, "SELECT events FROM way WHERE id = 6", 0); /* who wants nothing gets nothing */
    expect_shelf(direct, "SELECT event FROM letter WHERE id = 10", 3);
    sqlite3_close(direct);
}

static void databases_of_every_older_version_are_brought_up_to_date(void **unused)
{
    for (unsigned version = 1; version < store_schema.count; version++) {
        make_older(version);
        assert_int_equal(version_of_database(), version);
        expect_no_store(database, true, "from an older gral");
        expect_everybody();
        assert_int_equal(version_of_database(), store_schema.count);
        remove_folder(unused);
        make_folder(unused);
    }
}

static int in_the_middle[2];

static void say_so_and_wait(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)context, (void)count, (void)values;
    if (write(in_the_middle[1], "x", 1) == 1)
        pause();
}

/* All steps have been made, but not the end of the transaction. */
static void migrate_and_wait(void)
{
    const char *steps[16] = {0};
    assert_true(store_schema.count < 16);
    memcpy(steps, store_schema.steps, store_schema.count * sizeof *steps);
    steps[store_schema.count] = "SELECT say_so_and_wait()";
    const store_migrations waiting = {steps, store_schema.count + 1};
    sqlite3 *direct = NULL;
    sqlite3_open(database, &direct);
    sqlite3_exec(direct, "PRAGMA cache_size = 1", NULL, NULL, NULL); /* what is changed goes to the disk soon */
    sqlite3_create_function(direct, "say_so_and_wait", 0, SQLITE_UTF8, NULL, say_so_and_wait, NULL, NULL);
    store_migrate(direct, &waiting, true, NULL);
    _exit(1);
}

static void a_migration_killed_in_the_middle_leaves_the_old_database(void **unused)
{
    (void)unused;
    make_older(1);
    assert_int_equal(pipe(in_the_middle), 0);
    const pid_t child = fork();
    if (child == 0)
        migrate_and_wait();
    char byte;
    assert_int_equal(read(in_the_middle[0], &byte, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(in_the_middle[0]);
    close(in_the_middle[1]);
    assert_int_equal(version_of_database(), 1);
    expect_everybody();
}

static void a_migration_killed_at_any_time_leaves_the_old_or_the_new_database(void **unused)
{
    for (unsigned round = 0; round < 30; round++) {
        make_older(1);
        const pid_t child = fork();
        if (child == 0) {
            store_open(database, false, NULL);
            _exit(0);
        }
        usleep(round * 700);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        const int version = version_of_database();
        assert_true(version == 1 || version == (int)store_schema.count);
        expect_everybody();
        remove_folder(unused);
        make_folder(unused);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(an_older_database_is_brought_up_to_date_in_one_go),
        IN_A_FOLDER(letters_and_wishes_outlive_the_new_event),
        IN_A_FOLDER(databases_of_every_older_version_are_brought_up_to_date),
        IN_A_FOLDER(a_migration_killed_in_the_middle_leaves_the_old_database),
        IN_A_FOLDER(a_migration_killed_at_any_time_leaves_the_old_or_the_new_database),
    };
    return run_store_tests("store_upgrade", tests);
}
