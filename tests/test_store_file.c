/* A database on a disk: what was answered is there, whatever dies or runs full, and what is none says so. */
#define _GNU_SOURCE /* unshare */
#include "storing.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void everything_is_there_after_reopening(void **unused)
{
    (void)unused;
    expect("DDDDDD", GAME("a", 5), ADD("a", 1, "one"), USER(1, "Anna", "anna"), SESSION(1, 1),
           {.kind = STORE_SIT, .game = "a", .user = 1, .time = 6},
           {.kind = STORE_RESULT, .game = "a", .user = 1, .players = 2, .result = STORE_WON, .rules = "standard"});
    close_store();
    char address[100];
    snprintf(address, sizeof address, "sqlite:%s", database);
    the_store = open_store(address, false);
    expect_unfinished("a.0=terms a.1=one");
    expect_games(1, 9, "a/0@6");
    assert_int_equal(by_secret(1), 1);
    assert_string_equal(by_id(1).name, "Anna");
    expect("CD", ADD("a", 1, "late"), ADD("a", 2, "two"));
}

static void what_is_deleted_is_no_longer_in_the_file(void **unused)
{
    (void)unused;
    expect("DD", USER(1, "Rumpelstiltskin", "rumpelstiltskin"), USER(2, "Ben", "ben"));
    expect("D", {.kind = STORE_DELETE_USER, .user = 1});
    close_store();
    assert_int_equal(shell("grep -q Ben \"$FOLDER\"/gral.db"), 0);
    assert_int_equal(shell("grep -qi Rumpelstiltskin \"$FOLDER\"/*"), 1);
}

static void its_files_are_for_their_owner_alone(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    assert_int_equal(shell("stat -c '%a %n' \"$FOLDER\"/* | sed \"s|$FOLDER/||\""), 0);
    assert_string_equal(output, "600 gral.db\n600 gral.db-lock\n600 gral.db-shm\n600 gral.db-wal\n");
}

static void a_second_process_is_refused_unless_it_shares(void **unused)
{
    (void)unused;
    close_store();
    int ready[2], leave[2];
    assert_int_equal(pipe(ready) | pipe(leave), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(leave[1]);
        store *mine = store_open(database, false, NULL);
        store_write first = GAME("a", 1);
        const bool good = mine != NULL && mine->kind->commit(mine, &first, 1, NULL);
        char byte = good ? 'y' : 'n';
        if (write(ready[1], &byte, 1) == 1)
            byte = (char)read(leave[0], &byte, 1);
        _exit(0);
    }
    char byte = 0;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    expect_no_store(database, false, "another gral serve uses this database (/tmp/gral-store-");
    assert_int_equal(shell("ln -s gral.db \"$FOLDER/link\""), 0);
    char link_to_it[100];
    snprintf(link_to_it, sizeof link_to_it, "%s/link", folder);
    expect_no_store(link_to_it, false, "another gral serve uses this database");
    the_store = open_store(database, true);
    expect("CD", GAME("a", 2), ADD("a", 1, "from outside"));
    close_store();
    close(leave[1]);
    waitpid(child, NULL, 0);
    /* Gone without closing: the lock went with it. */
    the_store = open_store(database, false);
    expect_unfinished("a.0=terms a.1=from outside");
    close(ready[0]), close(ready[1]), close(leave[0]);
}

/* Commits units of two entries and tells the number of the last that was answered. */
static _Noreturn void commit_until_killed(int answers)
{
    store *mine = store_open(database, false, NULL);
    if (mine == NULL)
        _exit(1);
    tally tally = {.in_order = true};
    if (!mine->kind->entries(mine, "a", 0, count_entry, &tally, NULL))
        _exit(1);
    for (uint32_t number = tally.count[0];; number += 2) {
        store_write pair[] = {ADD("a", number, "one of two"),
                              AND(.kind = STORE_APPEND, .game = "a", .number = number + 1, TEXT("two of two"))};
        const uint32_t last = number + 1;
        if (!mine->kind->commit(mine, pair, 2, NULL) || pair[0].outcome != STORE_DONE ||
            write(answers, &last, sizeof last) != sizeof last)
            _exit(1);
    }
}

static void nothing_that_was_answered_is_lost_when_the_process_is_killed(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    close_store();
    uint32_t chance = 2463534242;
    for (unsigned round = 0; round < 20; round++) {
        int answers[2];
        assert_int_equal(pipe(answers), 0);
        const pid_t child = fork();
        if (child == 0) {
            close(answers[0]);
            commit_until_killed(answers[1]);
        }
        close(answers[1]);
        uint32_t answered = 0, last;
        assert_int_equal(read(answers[0], &last, sizeof last), sizeof last);
        answered = last;
        chance = chance * 1664525 + 1013904223;
        usleep((chance >> 16) % 20000);
        kill(child, SIGKILL);
        while (read(answers[0], &last, sizeof last) == sizeof last)
            answered = last;
        close(answers[0]);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));

        the_store = open_store(database, false);
        tally tally = {.in_order = true};
        assert_true(the_store->kind->entries(the_store, "a", 0, count_entry, &tally, NULL));
        assert_true(tally.in_order);
        assert_true(tally.count[0] > answered); /* it, and perhaps one that nobody heard of */
        assert_true(tally.count[0] <= answered + 3);
        assert_int_equal(tally.count[0] % 2, 1); /* whole units after the terms */
        close_store();
    }
}

/* Appends until it is refused; returns the next number that is free. */
static uint32_t write_until_full(uint32_t number)
{
    static char long_text[8000];
    memset(long_text, 'x', sizeof long_text);
    for (;; number++) {
        store_write writes[] = {
            {.kind = STORE_APPEND, .game = "a", .number = number, .text = {long_text, sizeof long_text}},
            {.kind = STORE_TOUCH, .secret = {77}}};
        gral_error error = {0};
        if (the_store->kind->commit(the_store, writes, 2, &error)) {
            assert_int_equal(writes[0].outcome, STORE_DONE);
            assert_true(number < 10000);
            continue;
        }
        if (strstr(error.message, "no room on the disk") == NULL)
            fail_msg("%s", error.message);
        assert_int_equal(writes[0].outcome, STORE_FULL);
        assert_int_equal(writes[1].outcome, STORE_FULL);
        return number;
    }
}

/* The store is full now: all that was answered can be read, and with room it goes on. */
static void expect_to_go_on(uint32_t next, void (*make_room)(void))
{
    tally tally = {.in_order = true};
    assert_true(the_store->kind->entries(the_store, "a", 0, count_entry, &tally, NULL));
    assert_int_equal(tally.count[0], next);
    assert_int_equal(write_until_full(next), next);
    make_room();
    store_write more = ADD("a", next, "there is room");
    expect_outcomes(the_store, "D", &more, 1);
    close_store();
    the_store = open_store(database, false);
    tally.count[0] = 0;
    assert_true(the_store->kind->entries(the_store, "a", 0, count_entry, &tally, NULL));
    assert_true(tally.in_order);
    assert_int_equal(tally.count[0], next + 1);
}

static void remove_ballast(void)
{
    assert_int_equal(shell("rm \"$FOLDER/small/ballast\""), 0);
}

static void a_full_disk_fails_the_batch_and_with_room_the_store_goes_on(void **unused)
{
    (void)unused;
    close_store();
    char small[90];
    snprintf(small, sizeof small, "%s/small", folder);
    assert_int_equal(mkdir(small, 0700), 0);
    /* A disk of our own that nobody else sees: only root may, and not in a chroot. For others there is the test with
       the limit. (cmocka's skip() is a failure to Meson.) */
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", small, "tmpfs", 0, "size=2m") != 0) {
        print_message("# there is no disk of our own to fill here\n");
        return;
    }
    assert_int_equal(shell("head -c 1000000 /dev/zero >\"$FOLDER/small/ballast\""), 0);
    snprintf(database, sizeof database, "%s/small/gral.db", folder);
    the_store = open_store(database, false);
    expect("D", GAME("a", 1));
    expect_to_go_on(write_until_full(1), remove_ballast);
    close_store();
    assert_int_equal(umount2(small, MNT_DETACH), 0);
}

static void lift_limit(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_file_at_its_limit_fails_the_batch_and_with_room_the_store_goes_on(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 1000000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    expect_to_go_on(write_until_full(1), lift_limit);
}

/* --- what cannot be opened --- */

static void what_is_no_database_of_ours_is_refused_and_stays_as_it_was(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd \"$FOLDER\" && yes 'this is a text' | head -c 10000 >gral.db && cp gral.db kept"), 0);
    expect_no_store(database, false, "not a database");
    assert_int_equal(shell("cd \"$FOLDER\" && cmp gral.db kept && rm gral.db"), 0);
    ask_sqlite(database, "CREATE TABLE recipe(id INTEGER)");
    assert_int_equal(shell("cd \"$FOLDER\" && cp gral.db kept"), 0);
    expect_no_store(database, false, "it is a database of another program (/tmp/gral-store-");
    assert_int_equal(shell("cd \"$FOLDER\" && cmp gral.db kept"), 0);
    expect_no_store(folder, false, "it is a folder, not a database (/tmp/gral-store-");
    expect_no_store("/dev/null", false, "it is not a file (/dev/null)");
    expect_no_store("/no/such/folder/gral.db", false, "No such file or directory (/no/such/folder/gral.db)");
    expect_no_store("", false, "the database has no name");
    expect_no_store("sqlite:", false, "the database has no name");
}

static void a_newer_database_is_refused_and_stays_as_it_was(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    close_store();
    ask_sqlite(database, "PRAGMA user_version = 99");
    assert_int_equal(shell("cd \"$FOLDER\" && cp gral.db kept"), 0);
    char words[100];
    snprintf(words, sizeof words, "it is of version 99, from a newer gral; this one knows version %u (/tmp/",
             store_schema.count);
    expect_no_store(database, false, words);
    expect_no_store(database, true, "it is of version 99");
    assert_int_equal(shell("cd \"$FOLDER\" && cmp gral.db kept"), 0);
}

static void a_damaged_database_says_so(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    for (uint32_t number = 1; number < 500; number++) {
        static char text[500] = {'x'};
        store_write more = {.kind = STORE_APPEND, .game = "a", .number = number, .text = {text, sizeof text}};
        expect_outcomes(the_store, "D", &more, 1);
    }
    close_store();
    /* The first pages are the tables' names and roots; what is after them is rubbish now. */
    assert_int_equal(shell("cd \"$FOLDER\" && size=$(stat -c %s gral.db) && { head -c 229376 gral.db; yes | "
                           "head -c $((size - 229376)); } >worse && mv worse gral.db"),
                     0);
    the_store = open_store(database, false);
    tally tally = {.in_order = true};
    gral_error error = {0};
    assert_false(the_store->kind->entries(the_store, "a", 0, count_entry, &tally, &error));
    assert_non_null(strstr(error.message, "the database is damaged (/tmp/gral-store-"));
    char copy[100];
    snprintf(copy, sizeof copy, "%s/copy", folder);
    assert_false(the_store->kind->backup(the_store, copy, NULL, &error));
    assert_non_null(strstr(error.message, "the database is damaged"));
}

static bool is_refused(bool shared, const char *words)
{
    gral_error error = {0};
    return store_open(database, shared, &error) == NULL && strstr(error.message, words) != NULL;
}

static void without_permission_it_says_so(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    close_store();
    assert_int_equal(shell("chmod 444 \"$FOLDER\"/* && chmod 555 \"$FOLDER\""), 0);
    const pid_t child = fork();
    if (child == 0) {
        /* Root would be let in. */
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(1);
        if (!is_refused(false, "Permission denied (/tmp/gral-store-"))
            _exit(2);
        if (!is_refused(true, "no permission to write the database (/tmp/gral-store-"))
            _exit(3);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    chmod(folder, 0700);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SQLITE(everything_is_there_after_reopening),
        ON_SQLITE(what_is_deleted_is_no_longer_in_the_file),
        ON_SQLITE(its_files_are_for_their_owner_alone),
        ON_SQLITE(a_second_process_is_refused_unless_it_shares),
        ON_SQLITE(nothing_that_was_answered_is_lost_when_the_process_is_killed),
        ON_SQLITE(a_full_disk_fails_the_batch_and_with_room_the_store_goes_on),
        ON_SQLITE(a_file_at_its_limit_fails_the_batch_and_with_room_the_store_goes_on),
        IN_A_FOLDER(what_is_no_database_of_ours_is_refused_and_stays_as_it_was),
        ON_SQLITE(a_newer_database_is_refused_and_stays_as_it_was),
        ON_SQLITE(a_damaged_database_says_so),
        ON_SQLITE(without_permission_it_says_so),
    };
    return run_store_tests("store_file", tests);
}
