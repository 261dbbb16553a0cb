/* What people want of each other, as the store keeps it. Each claim is tried on both stores. */
#include "scene.h"
#include "shell.h"
#include "store/store.h"
#include "store/store_schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANN = 1, BOB, CLEO, DAN };

static char folder[64], database[80];
static store *the_store;

static int make_folder(void **unused)
{
    (void)unused;
    snprintf(folder, sizeof folder, "/tmp/gral-company-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(database, sizeof database, "%s/gral.db", folder);
    setenv("FOLDER", folder, 1);
    return 0;
}

static void expect(enum store_outcome outcome, store_write write)
{
    gral_error error = {0};
    assert_true(the_store->kind->commit(the_store, &write, 1, &error));
    assert_int_equal(write.outcome, outcome);
}

#define DO(...) expect(STORE_DONE, (store_write){__VA_ARGS__})

static void let_people_in(void)
{
    static const char *const names[] = {"", "Ann", "Bob", "Cleo", "Dan"};
    for (uint64_t user = ANN; user <= DAN; user++)
        DO(.kind = STORE_NEW_USER, .user = user, .name = names[user], .key = names[user], .password = "", .time = 1);
}

static int open_either(const char *address)
{
    the_store = store_open(address, false, NULL);
    if (the_store != NULL)
        let_people_in();
    return the_store != NULL ? 0 : -1;
}

static int open_memory(void **unused)
{
    return make_folder(unused) != 0 ? -1 : open_either("memory");
}

static int open_sqlite(void **unused)
{
    return make_folder(unused) != 0 ? -1 : open_either(database);
}

static int leave(void **unused)
{
    (void)unused;
    if (the_store != NULL)
        the_store->kind->close(the_store);
    the_store = NULL;
    return shell("rm -rf \"$FOLDER\"");
}

/* --- what the store says, in words --- */

static char said[1000];

static void say(const char *format, ...)
{
    const size_t length = strlen(said);
    va_list words;
    va_start(words, format);
    vsnprintf(said + length, sizeof said - length, format, words);
    va_end(words);
}

static bool say_tie(void *context, const store_tie *tie)
{
    (void)context;
    say("%u%c%u ", (unsigned)tie->user, tie->blocks ? '-' : '+', (unsigned)tie->other);
    say(*tie->name != '\0' ? "%s " : "%s", tie->name);
    return true;
}

static bool say_seen(void *context, uint64_t user, uint8_t place)
{
    (void)context;
    say("%u=%u ", (unsigned)user, place);
    return true;
}

static bool say_invitation(void *context, const store_invitation *invitation)
{
    (void)context;
    say("%u %s %s ", (unsigned)invitation->user, invitation->name, invitation->game);
    return true;
}

static void expect_ties(const char *expected)
{
    said[0] = '\0';
    assert_true(the_store->kind->ties(the_store, say_tie, NULL, NULL));
    assert_string_equal(said, expected);
}

static void expect_ties_of(uint64_t user, const char *expected)
{
    said[0] = '\0';
    assert_true(the_store->kind->ties_of(the_store, user, say_tie, NULL, NULL));
    assert_string_equal(said, expected);
}

static void expect_seen(const char *expected)
{
    said[0] = '\0';
    assert_true(the_store->kind->seen(the_store, say_seen, NULL, NULL));
    assert_string_equal(said, expected);
}

static void expect_invitations(uint64_t user, const char *expected)
{
    said[0] = '\0';
    assert_true(the_store->kind->invitations_of(the_store, user, say_invitation, NULL, NULL));
    assert_string_equal(said, expected);
}

static void open_table(const char *game)
{
    DO(.kind = STORE_NEW_GAME, .game = game, .time = 1, .text = gral_span_of("terms"));
}

/* --- claims --- */

static void what_people_want_is_kept_from_both_sides(void **unused)
{
    (void)unused;
    DO(.kind = STORE_WANT, .user = ANN, .other = BOB, .time = 1);
    DO(.kind = STORE_WANT, .user = CLEO, .other = ANN, .time = 2);
    DO(.kind = STORE_BLOCK, .user = ANN, .other = DAN, .time = 3);
    expect_ties("1+2 1-4 3+1 ");
    expect_ties_of(ANN, "1+2 Bob 3+1 Cleo 1-4 Dan ");
    expect_ties_of(BOB, "1+2 Ann ");
    DO(.kind = STORE_WANT, .user = ANN, .other = BOB, .time = 9); /* once is enough */
    DO(.kind = STORE_UNTIE, .user = BOB, .other = ANN);           /* whoever of the two says so */
    DO(.kind = STORE_UNTIE, .user = ANN, .other = CLEO);
    DO(.kind = STORE_UNTIE, .user = ANN, .other = DAN); /* that is no block's end */
    expect_ties("1-4 ");
    DO(.kind = STORE_UNBLOCK, .user = ANN, .other = DAN);
    DO(.kind = STORE_UNBLOCK, .user = ANN, .other = DAN);
    expect_ties("");
}

static void a_block_takes_away_what_the_other_wanted(void **unused)
{
    (void)unused;
    open_table("a");
    DO(.kind = STORE_WANT, .user = ANN, .other = BOB, .time = 1);
    DO(.kind = STORE_WANT, .user = BOB, .other = ANN, .time = 1);
    DO(.kind = STORE_INVITE, .user = BOB, .other = ANN, .game = "a", .time = 1, .limit = 9);
    DO(.kind = STORE_BLOCK, .user = ANN, .other = BOB, .time = 2);
    expect_ties("1-2 ");
    expect_invitations(ANN, "");
    DO(.kind = STORE_INVITE, .user = BOB, .other = ANN, .game = "a", .time = 3, .limit = 9); /* the same answer */
    DO(.kind = STORE_WANT, .user = BOB, .other = ANN, .time = 3);
    expect_invitations(ANN, "");
    expect_ties("1-2 2+1 ");
}

static void invitations_are_few_and_end_with_the_wait(void **unused)
{
    (void)unused;
    open_table("a"), open_table("b"), open_table("c");
    DO(.kind = STORE_INVITE, .user = BOB, .other = ANN, .game = "a", .time = 1, .limit = 2);
    DO(.kind = STORE_INVITE, .user = CLEO, .other = ANN, .game = "b", .time = 2, .limit = 2);
    DO(.kind = STORE_INVITE, .user = BOB, .other = ANN, .game = "c", .time = 3, .limit = 2);
    expect_invitations(ANN, "2 Bob c 3 Cleo b ");
    DO(.kind = STORE_SET_STAGE, .game = "c", .stage = STORE_RUNNING, .time = 4);
    expect_invitations(ANN, "3 Cleo b ");
    DO(.kind = STORE_INVITE, .user = BOB, .other = ANN, .game = "c", .time = 5, .limit = 2); /* it has begun */
    DO(.kind = STORE_UNINVITE, .user = ANN, .game = "b");
    DO(.kind = STORE_UNINVITE, .user = ANN, .game = "b");
    expect_invitations(ANN, "");
}

static void of_who_is_nobody_any_more_nothing_stays(void **unused)
{
    (void)unused;
    open_table("a");
    DO(.kind = STORE_WANT, .user = ANN, .other = BOB, .time = 1);
    DO(.kind = STORE_BLOCK, .user = BOB, .other = ANN, .time = 1);
    DO(.kind = STORE_WANT, .user = CLEO, .other = DAN, .time = 1);
    DO(.kind = STORE_SEEN, .user = ANN, .place = 2);
    DO(.kind = STORE_SEEN, .user = DAN, .place = 0);
    DO(.kind = STORE_INVITE, .user = ANN, .other = CLEO, .game = "a", .time = 1, .limit = 9);
    expect_seen("1=2 4=0 ");
    DO(.kind = STORE_DELETE_USER, .user = ANN);
    expect_ties("3+4 ");
    expect_seen("4=0 ");
    expect_invitations(CLEO, "");
    DO(.kind = STORE_CLEAR_GUEST, .user = DAN, .time = 5); /* a guest who did not come back */
    expect_ties("");
    expect_seen("");
    expect(STORE_CONFLICT, (store_write){.kind = STORE_WANT, .user = BOB, .other = ANN, .time = 9});
    expect(STORE_CONFLICT, (store_write){.kind = STORE_BLOCK, .user = ANN, .other = BOB, .time = 9});
}

static void nobody_wants_himself_or_nobody(void **unused)
{
    (void)unused;
    gral_error error = {0};
    for (uint64_t other = 0; other <= ANN; other++) {
        store_write write = {.kind = STORE_WANT, .user = ANN, .other = other};
        assert_false(the_store->kind->commit(the_store, &write, 1, &error));
        assert_non_null(strstr(error.message, "the other user's number is out of range"));
    }
}

/* As the program left it before people could be friends. */
static void an_older_database_gets_room_for_it(void **unused)
{
    (void)unused;
    enum { BEFORE = 7 };
    const store_migrations until = {store_schema.steps, BEFORE};
    gral_error error = {0};
    sqlite3 *direct = NULL;
    assert_int_equal(sqlite3_open(database, &direct), SQLITE_OK);
    assert_true(store_migrate(direct, &until, true, &error));
    assert_int_equal(sqlite3_exec(direct,
                                  "INSERT INTO user VALUES(1, 'Ann', 'ann', 'hash', 7, 7), (2, 'Bob', 'bob', '', 7, 7);"
                                  "INSERT INTO game VALUES(1, 'a', 0, 1, 5)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(direct);
    the_store = store_open(database, false, &error);
    assert_non_null(the_store);
    expect_ties("");
    DO(.kind = STORE_WANT, .user = ANN, .other = BOB, .time = 8);
    DO(.kind = STORE_INVITE, .user = ANN, .other = BOB, .game = "a", .time = 8, .limit = 9);
    expect_ties_of(BOB, "1+2 Ann ");
    expect_invitations(BOB, "1 Ann a ");
    DO(.kind = STORE_DELETE_USER, .user = ANN);
    expect_ties("");
}

#define ON_BOTH(claim)                                                                                                 \
    {#claim " in memory", claim, open_memory, leave, NULL},                                                            \
    {                                                                                                                  \
#claim " in SQLite", claim, open_sqlite, leave, NULL                                                           \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(what_people_want_is_kept_from_both_sides),
        ON_BOTH(a_block_takes_away_what_the_other_wanted),
        ON_BOTH(invitations_are_few_and_end_with_the_wait),
        ON_BOTH(of_who_is_nobody_any_more_nothing_stays),
        ON_BOTH(nobody_wants_himself_or_nobody),
        cmocka_unit_test_setup_teardown(an_older_database_gets_room_for_it, make_folder, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
