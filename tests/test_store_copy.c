/* Whoever reads while another writes sees whole units, and so does a copy. */
#include "storing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds to two games at once, again and again; whoever reads must see both or none. */
enum { ROUNDS = 150 };
static atomic_bool writer_is_done;

static void *write_pairs(void *store_of_mine)
{
    store *store = store_of_mine;
    bool good = true;
    for (unsigned number = 1; number <= ROUNDS && good; number++) {
        store_write pair[] = {ADD("a", number, "one of two"), AND(.kind = STORE_APPEND, .game = "b", .number = number)};
        good = store->kind->commit(store, pair, 2, NULL) && pair[0].outcome == STORE_DONE;
    }
    writer_is_done = true;
    return good ? store : NULL;
}

static unsigned count_pairs(store *store)
{
    tally tally = {.in_order = true};
    assert_true(store->kind->unfinished(store, count_entry, &tally, NULL));
    assert_true(tally.in_order);
    assert_int_equal(tally.count[0], tally.count[1]);
    return tally.count[0];
}

static pthread_t start_writer(store *store)
{
    pthread_t writer;
    writer_is_done = false;
    assert_int_equal(pthread_create(&writer, NULL, write_pairs, store), 0);
    return writer;
}

static void join_writer(pthread_t writer)
{
    void *good;
    assert_int_equal(pthread_join(writer, &good), 0);
    assert_non_null(good);
}

static void reading_sees_whole_units_while_another_thread_writes(void **unused)
{
    (void)unused;
    expect("DDD", GAME("a", 1), GAME("b", 1), USER(1, "Anna", "anna"));
    const pthread_t writer = start_writer(the_store);
    unsigned before = 0;
    while (!writer_is_done) {
        const unsigned now = count_pairs(the_store);
        assert_true(now >= before);
        before = now;
        assert_int_equal(by_key("anna"), 1);
    }
    join_writer(writer);
    assert_int_equal(count_pairs(the_store), ROUNDS + 1);
}

static unsigned last_done, last_all;

static void note_progress(unsigned done, unsigned all)
{
    assert_true(last_done <= done && done <= all);
    last_done = done;
    last_all = all;
}

static void a_copy_made_while_a_writer_writes_is_whole(void **unused)
{
    (void)unused;
    /* Enough for several steps: a commit between them must not begin the copy anew. */
    static char long_text[4000000];
    memset(long_text, 'x', sizeof long_text);
    expect("DDDD", GAME("a", 1), GAME("b", 1),
           {.kind = STORE_NEW_GAME, .game = "long", .text = {long_text, sizeof long_text}},
           {.kind = STORE_SET_STAGE, .game = "long", .stage = STORE_OVER});
    const pthread_t writer = start_writer(the_store);
    char copy[100];
    unsigned copies = 0;
    do {
        gral_error error = {0};
        snprintf(copy, sizeof copy, "%s/copy%u", folder, copies++);
        last_done = 0;
        const unsigned least = count_pairs(the_store);
        if (!the_store->kind->backup(the_store, copy, note_progress, &error))
            fail_msg("%s", error.message);
        const unsigned most = count_pairs(the_store);
        assert_true(last_done > 0 && last_done == last_all);
        store *copied = open_store(copy, true);
        const unsigned pairs = count_pairs(copied);
        copied->kind->close(copied);
        assert_true(least <= pairs && pairs <= most);
    } while (!writer_is_done);
    join_writer(writer);
    gral_error error = {0};
    assert_false(the_store->kind->backup(the_store, copy, NULL, &error));
    assert_non_null(strstr(error.message, "it is there already"));
    assert_false(the_store->kind->backup(the_store, database, NULL, &error));
    /* SQLite's locks on it are still ours: the next commit and a reader go well together. */
    expect("D", ADD("a", ROUNDS + 1, "x"));
}

static void the_program_copies_the_database_of_a_running_server(void **unused)
{
    (void)unused;
    expect("DD", GAME("a", 1), ADD("a", 1, "one"));
    assert_int_equal(shell("cd \"$FOLDER\" && gral backup --database gral.db copy 2>&1"), 0);
    assert_string_equal(output, "");
    assert_int_equal(shell("stat -c %a \"$FOLDER/copy\""), 0);
    assert_string_equal(output, "600\n");
    assert_int_equal(shell("ls \"$FOLDER\" | grep copy"), 0);
    assert_string_equal(output, "copy\n");
    expect("D", ADD("a", 2, "two"));
    assert_int_equal(shell("cd \"$FOLDER\" && cp copy kept && gral backup --database sqlite:gral.db copy 2>&1"), 1);
    assert_string_equal(output, "gral backup: copy: already exists; use --force to replace it\n");
    assert_int_equal(shell("cd \"$FOLDER\" && cmp copy kept"), 0);
    assert_int_equal(shell("cd \"$FOLDER\" && gral backup --force --database gral.db copy 2>&1"), 0);
    assert_int_equal(shell("cd \"$FOLDER\" && script -qec '\"$GRAL\" backup --database gral.db seen' /dev/null"), 0);
    expect_in_output("##############################]");
    assert_int_equal(shell("cd \"$FOLDER\" && cmp copy seen"), 0);
    close_store();
    snprintf(database, sizeof database, "%s/copy", folder);
    the_store = open_store(database, false);
    expect_entries("a", "a.0=terms a.1=one a.2=two");
}

static void the_program_says_what_it_cannot_copy(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd \"$FOLDER\" && gral backup --database nothing copy 2>&1"), 1);
    assert_string_equal(output, "gral backup: nothing: No such file or directory\n");
    assert_int_equal(shell("cd \"$FOLDER\" && gral backup --database gral.db no/such/copy 2>&1"), 1);
    assert_string_equal(output, "gral backup: no/such/copy: No such file or directory\n");
    assert_int_equal(shell("cd \"$FOLDER\" && echo a text >text && gral backup --database text copy 2>&1"), 1);
    expect_in_output("file is not a database");
    assert_int_equal(shell("gral backup --database memory copy 2>&1"), 2);
    assert_int_equal(shell("gral backup 2>&1"), 2);
    expect_in_output("FILE is missing");
    assert_int_equal(shell("cd \"$FOLDER\" && gral backup --database gral.db $(printf '%05000d' 0) 2>&1"), 1);
    expect_in_output(": File name too long\n");
    assert_int_equal(shell("cd \"$FOLDER\" && ulimit -f 8 && trap '' XFSZ && gral backup --database gral.db copy 2>&1"),
                     1);
    assert_int_equal(shell("ls \"$FOLDER\" | grep -e copy -e nothing -e 000"), 1);
    assert_int_equal(shell("cd \"$FOLDER\" && mkdir copy && gral backup --force --database gral.db copy 2>&1"), 1);
    assert_string_equal(output, "gral backup: copy: Is a directory\n");
    assert_int_equal(shell("ls \"$FOLDER\" | grep copy"), 0);
    assert_string_equal(output, "copy\n");
}

static void by_default_it_is_among_the_users_data(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd \"$FOLDER\" && XDG_DATA_HOME=$FOLDER/data gral backup copy 2>&1"), 1);
    expect_in_output("/data/gral/gral.db: No such file or directory\n");
    assert_int_equal(shell("cd \"$FOLDER\" && XDG_DATA_HOME= HOME=$FOLDER gral backup copy 2>&1"), 1);
    expect_in_output("/.local/share/gral/gral.db: No such file or directory\n");

    char address[200], expected[200];
    gral_error error = {0};
    snprintf(expected, sizeof expected, "%s/data/gral/gral.db", folder);
    snprintf(address, sizeof address, "%s/data", folder);
    setenv("XDG_DATA_HOME", address, 1);
    assert_true(store_place(address, sizeof address, store_usual_file, false, &error));
    assert_string_equal(address, expected);
    assert_int_equal(shell("test -e \"$FOLDER/data\""), 1);
    assert_true(store_place(address, sizeof address, store_usual_file, true, &error));
    assert_int_equal(shell("stat -c %a \"$FOLDER/data/gral\""), 0);
    assert_string_equal(output, "700\n");
    assert_false(store_place(address, 10, store_usual_file, false, &error));
    unsetenv("XDG_DATA_HOME");
    the_store = open_store(expected, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_STORE(reading_sees_whole_units_while_another_thread_writes),
        ON_SQLITE(a_copy_made_while_a_writer_writes_is_whole),
        ON_SQLITE(the_program_copies_the_database_of_a_running_server),
        ON_SQLITE(the_program_says_what_it_cannot_copy),
        IN_A_FOLDER(by_default_it_is_among_the_users_data),
    };
    return run_store_tests("store_copy", tests);
}
