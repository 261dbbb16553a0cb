/* What people want of each other, as the store keeps it. */
#include "storing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ANN = 1, BOB, CLEO, DAN };

#define DO(...) expect("D", WRITE(__VA_ARGS__))

static void let_people_in(void)
{
    expect("DDDD", GUEST(ANN, "Ann", 1), GUEST(BOB, "Bob", 1), GUEST(CLEO, "Cleo", 1), GUEST(DAN, "Dan", 1));
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

/* --- claims --- */

static void what_people_want_is_kept_from_both_sides(void **unused)
{
    (void)unused;
    let_people_in();
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
    let_people_in();
    expect("D", GAME("a", 1));
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
    let_people_in();
    expect("DDD", GAME("a", 1), GAME("b", 1), GAME("c", 1));
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
    let_people_in();
    expect("D", GAME("a", 1));
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
    expect("CC", WRITE(.kind = STORE_WANT, .user = BOB, .other = ANN, .time = 9),
           WRITE(.kind = STORE_BLOCK, .user = ANN, .other = BOB, .time = 9));
}

static void nobody_wants_himself_or_nobody(void **unused)
{
    (void)unused;
    let_people_in();
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
    the_store = open_store(database, false);
    expect_ties("");
    DO(.kind = STORE_WANT, .user = ANN, .other = BOB, .time = 8);
    DO(.kind = STORE_INVITE, .user = ANN, .other = BOB, .game = "a", .time = 8, .limit = 9);
    expect_ties_of(BOB, "1+2 Ann ");
    expect_invitations(BOB, "1 Ann a ");
    DO(.kind = STORE_DELETE_USER, .user = ANN);
    expect_ties("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_STORE(what_people_want_is_kept_from_both_sides),
        ON_EVERY_STORE(a_block_takes_away_what_the_other_wanted),
        ON_EVERY_STORE(invitations_are_few_and_end_with_the_wait),
        ON_EVERY_STORE(of_who_is_nobody_any_more_nothing_stays),
        ON_EVERY_STORE(nobody_wants_himself_or_nobody),
        IN_A_FOLDER(an_older_database_gets_room_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
