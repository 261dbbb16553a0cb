/* Games in a store: what is written is there, in order, all of a unit or nothing of it. Claims that hold for every
 * store are tried on each. */
#include "storing.h"

#include <stdio.h>
#include <string.h>

static void a_game_is_its_entries_in_order(void **unused)
{
    (void)unused;
    expect("DDDD", GAME("a", 5), ADD("a", 1, "one"), GAME("b", 6), ADD("a", 2, ""));
    expect("D", ADD("a", 3, "nul\0 and \xff"));
    expect_entries("a", "a.0=terms a.1=one a.2= a.3=nul");
    expect_entries("b", "b.0=terms");
    expect_entries("c", "");
}

static void entries_are_read_from_a_number_on(void **unused)
{
    (void)unused;
    expect("DDD", GAME("a", 5), ADD("a", 1, "one"), ADD("a", 2, "two"));
    story[0] = '\0';
    assert_true(the_store->kind->entries(the_store, "a", 1, tell_entry, NULL, NULL));
    assert_string_equal(story, "a.1=one a.2=two");
    story[0] = '\0';
    assert_true(the_store->kind->entries(the_store, "a", 3, tell_entry, NULL, NULL));
    assert_string_equal(story, "");
}

#define RENEW(id, n, words) WRITE(.kind = STORE_RENEW_GAME, .game = id, .number = n, .time = 100 + n, TEXT(words))

static void other_terms_come_after_the_last_entry_and_end_those_before(void **unused)
{
    (void)unused;
    expect("DDC", GAME("a", 5), ADD("a", 1, "one"), RENEW("a", 1, "others")); /* somebody was there first */
    expect_entries("a", "a.0=terms a.1=one");
    expect("DDC", RENEW("a", 2, "others"), ADD("a", 3, "two"), ADD("a", 2, "late"));
    expect_entries("a", "a.2=others a.3=two");
    expect("DC", WRITE(.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_RUNNING), RENEW("a", 4, "third"));
}

static bool keep_last(void *context, const store_entry *entry)
{
    store_entry *last = context;
    static char text[64], game[64];
    *last = *entry;
    assert_true(entry->text.length < sizeof text && strlen(entry->game) < sizeof game);
    memcpy(text, entry->text.bytes, entry->text.length);
    last->text.bytes = text;
    last->game = strcpy(game, entry->game);
    return true;
}

static void an_entry_comes_back_byte_by_byte(void **unused)
{
    (void)unused;
    expect("DDD", GAME("a", INT64_MIN), ADD("a", 1, "nul\0 and \xff"),
           {.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_RUNNING});
    store_entry last;
    assert_true(the_store->kind->entries(the_store, "a", 0, keep_last, &last, NULL));
    assert_string_equal(last.game, "a");
    assert_int_equal(last.stage, STORE_RUNNING);
    assert_true(last.created == INT64_MIN);
    assert_int_equal(last.number, 1);
    assert_int_equal(last.time, 101);
    assert_int_equal(last.text.length, 10);
    assert_memory_equal(last.text.bytes, "nul\0 and \xff", 10);
}

static bool stop_at_once(void *context, const store_entry *entry)
{
    (void)entry;
    ++*(unsigned *)context;
    return false;
}

static void reading_stops_when_told(void **unused)
{
    (void)unused;
    expect("DD", GAME("a", 5), ADD("a", 1, "one"));
    unsigned seen = 0;
    assert_true(the_store->kind->entries(the_store, "a", 0, stop_at_once, &seen, NULL));
    assert_true(the_store->kind->unfinished(the_store, stop_at_once, &seen, NULL));
    assert_int_equal(seen, 2);
    expect_entries("a", "a.0=terms a.1=one");
}

static void a_number_that_is_taken_or_leaves_a_gap_is_a_conflict(void **unused)
{
    (void)unused;
    expect("DD", GAME("a", 5), ADD("a", 1, "first"));
    expect("CCCCC", ADD("a", 1, "late"), ADD("a", 0, "terms"), ADD("a", 3, "gap"), ADD("nowhere", 1, "x"),
           GAME("a", 9));
    expect("CDC", ADD("a", 1, "late"), ADD("a", 2, "second"), ADD("a", 2, "late too"));
    expect_entries("a", "a.0=terms a.1=first a.2=second");
}

static void a_unit_is_written_whole_or_not_at_all(void **unused)
{
    (void)unused;
    expect("DDDDDD", GAME("a", 5), GAME("b", 5), USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), SESSION(1, 1),
           {.kind = STORE_NEW_USER, .user = 4, .name = "Dora", .key = "dora"});
    /* The unit in the middle fails at its last write, with something of every kind before it. */
    expect(
        "DCCCCCCCCCCCCCCCCCCCCCCCD", ADD("a", 1, "before"), ADD("a", 2, "lost"),
        AND(.kind = STORE_NEW_GAME, .game = "c", .time = 1), AND(.kind = STORE_APPEND, .game = "c", .number = 1),
        AND(.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_OVER, .time = 99),
        AND(.kind = STORE_SIT, .game = "a", .seat = 1, .user = 1, .time = 99),
        AND(.kind = STORE_RISE, .game = "a", .seat = 1),
        AND(.kind = STORE_RESULT, .game = "a", .seat = 1, .user = 1, .players = 3, .result = STORE_WON,
            .rules = "standard"),
        AND(.kind = STORE_NEW_USER, .user = 3, .name = "Cleo", .key = "cleo"),
        AND(.kind = STORE_SET_USER, .user = 1, .name = "Anne", .key = "anne"),
        AND(.kind = STORE_NEW_SESSION, .user = 3, .secret = {3}), AND(.kind = STORE_TOUCH, .secret = {1}, .time = 1000),
        AND(.kind = STORE_NEW_DEVICE, .user = 2, .secret = {9}, .limit = 1),
        AND(.kind = STORE_END_SESSION, .secret = {1}),
        AND(.kind = STORE_RENAME, .user = 1, .name = "Anne", .key = "anne"),
        AND(.kind = STORE_BAN, .user = 1, .ends = 9), AND(.kind = STORE_BAR, .name = "x", .ends = 9),
        AND(.kind = STORE_AUDIT, TEXT("x")), AND(.kind = STORE_DELETE_USER, .user = 1),
        AND(.kind = STORE_END_OVERDUE, .time = 5000, .limit = 9), AND(.kind = STORE_END_TOKENS, .user = 2),
        AND(.kind = STORE_END_UNUSED, .time = 5000, .limit = 9), AND(.kind = STORE_CLEAR_GUEST, .user = 4, .time = 9),
        AND(.kind = STORE_APPEND, .game = "b", .number = 7), ADD("b", 1, "after"));
    expect_unfinished("a.0=terms a.1=before b.0=terms b.1=after");
    expect_games(1, 9, "");
    expect_entries("c", "");
    assert_int_equal(by_id(1).banned, 0);
    assert_string_equal(by_id(1).name, "Anna");
    assert_string_equal(by_id(1).password, "hash");
    assert_int_equal(by_id(1).seen, 7);
    assert_int_equal(by_session(STORE_COOKIE, 1).used, 0);
    assert_int_equal(by_device(9), 0);
    assert_int_equal(by_id(3).user, 0);
    assert_int_equal(by_key("anna"), 1);
    assert_int_equal(by_key("anne"), 0);
    assert_int_equal(by_key("dora"), 4);
    assert_int_equal(by_id(4).user, 4);
    assert_int_equal(by_secret(1), 1);
    assert_int_equal(by_secret(3), 0);
    store_statistics statistics;
    assert_true(the_store->kind->statistics(the_store, 1, &statistics, NULL));
    assert_int_equal(statistics.all.games, 0);
    /* Nothing is in the way of the same names now. */
    expect("DD", GAME("c", 1), AND(.kind = STORE_NEW_USER, .user = 3, .name = "Cleo", .key = "cleo"));
}

static void games_that_are_over_are_not_among_the_unfinished(void **unused)
{
    (void)unused;
    expect("DDDD", GAME("a", 1), GAME("b", 2), GAME("c", 3), ADD("a", 1, "x"));
    expect("DD", {.kind = STORE_SET_STAGE, .game = "b", .stage = STORE_OVER, .time = 4},
           {.kind = STORE_SET_STAGE, .game = "c", .stage = STORE_RUNNING, .time = 4});
    expect_unfinished("a.0=terms a.1=x c.0=terms");
    expect("C", {.kind = STORE_SET_STAGE, .game = "nowhere", .stage = STORE_OVER});
}

static void expect_asleep(const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->asleep(the_store, 9, tell_game, NULL, NULL));
    assert_string_equal(story, expected);
}

static void games_that_sleep_are_not_read_at_the_start_and_wake_in_their_order(void **unused)
{
    (void)unused;
    expect("DDDD", GAME("a", 1), GAME("b", 1), GAME("c", 1), USER(1, "Ann", "ann"));
    expect("DDDD", WRITE(.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_RUNNING),
           WRITE(.kind = STORE_SET_STAGE, .game = "b", .stage = STORE_RUNNING),
           WRITE(.kind = STORE_SIT, .game = "a", .seat = 0, .user = 1, .time = 1),
           WRITE(.kind = STORE_SIT, .game = "c", .seat = 0, .user = 1, .time = 2));
    expect("DDC", WRITE(.kind = STORE_SLEEP, .game = "a", .time = 50, .ends = 7),
           WRITE(.kind = STORE_SLEEP, .game = "b", .time = 30),
           WRITE(.kind = STORE_SLEEP, .game = "c", .time = 20)); /* it has not begun */
    expect_unfinished("c.0=terms");
    expect_asleep("b/1@30 a/1@50");
    story[0] = '\0';
    assert_true(the_store->kind->unfinished_of(the_store, 1, tell_game, NULL, NULL));
    assert_string_equal(story, "a/1@50 c/0@0");
    expect("D", WRITE(.kind = STORE_WAKE, .game = "b"));
    expect_unfinished("b.0=terms c.0=terms");
    expect_asleep("a/1@50");
}

static void expect_old(int64_t before, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->old_games(the_store, before, 9, tell_game, NULL, NULL));
    assert_string_equal(story, expected);
}

static void games_that_have_been_over_for_long_can_go_and_sums_stay(void **unused)
{
    (void)unused;
    store_statistics statistics;
    expect("DDDDD", GAME("a", 1), GAME("b", 2), GAME("c", 3), GAME("d", 4), USER(1, "Ann", "ann"));
    static const char *const over[] = {"a", "b", "c"};
    for (unsigned index = 0; index < 3; index++)
        expect("DDD", WRITE(.kind = STORE_SIT, .game = over[index], .user = 1, .time = 1),
               WRITE(.kind = STORE_SET_STAGE, .game = over[index], .stage = STORE_OVER),
               WRITE(.kind = STORE_RESULT, .game = over[index], .user = 1, .players = 2, .result = STORE_WON,
                     .rules = "standard"));
    expect("DD", ADD("c", 1, "late"), WRITE(.kind = STORE_RATED, .game = "b", .time = 1, .class = 0));
    expect_old(90, "a/2@1"); /* b was rated, the last that happened in c was later, d is not over */
    expect_old(1, "");
    expect("DDDD", WRITE(.kind = STORE_CLEAR_GAME, .game = "a"), WRITE(.kind = STORE_CLEAR_GAME, .game = "b"),
           WRITE(.kind = STORE_CLEAR_GAME, .game = "d"), WRITE(.kind = STORE_CLEAR_GAME, .game = "none"));
    expect_entries("a", "");
    expect_entries("b", "b.0=terms");
    expect_entries("d", "d.0=terms");
    expect_games(1, 9, "c/2@3 b/2@2");
    assert_true(the_store->kind->statistics(the_store, 1, &statistics, NULL));
    assert_int_equal(statistics.all.won, 3);
}

static void the_games_of_a_user_come_newest_change_first(void **unused)
{
    (void)unused;
    expect("DDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), GAME("a", 10), GAME("b", 11), GAME("c", 12));
    expect("DDDDC", {.kind = STORE_SIT, .game = "a", .seat = 0, .user = 1, .time = 13},
           {.kind = STORE_SIT, .game = "b", .seat = 3, .user = 1, .time = 13},
           {.kind = STORE_SIT, .game = "b", .seat = 4, .user = 1, .time = 13},
           {.kind = STORE_SIT, .game = "c", .seat = 0, .user = 2, .time = 13},
           {.kind = STORE_SIT, .game = "a", .seat = 0, .user = 2, .time = 13});
    expect_games(1, 9, "b/0@13 a/0@13");
    expect("DD", {.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_RUNNING, .time = 20}, ADD("b", 1, "x"));
    expect_games(1, 9, "a/1@20 b/0@13");
    expect_games(1, 1, "a/1@20");
    expect("DDD", {.kind = STORE_RISE, .game = "a", .seat = 0}, {.kind = STORE_RISE, .game = "a", .seat = 0},
           {.kind = STORE_RISE, .game = "b", .seat = 4});
    expect_games(1, 9, "b/0@13");
    expect_games(2, 9, "c/0@13");
    expect("CC", {.kind = STORE_SIT, .game = "a", .seat = 0, .user = 77},
           {.kind = STORE_SIT, .game = "nowhere", .seat = 0, .user = 1});
}

static void statistics_count_results_by_rules_and_players(void **unused)
{
    (void)unused;
    expect("DDDDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), GAME("a", 1), GAME("b", 1), GAME("c", 1),
           GAME("d", 1), GAME("e", 1));
#define RESULT(id, at, who, count, outcome, played)                                                                    \
    WRITE(.kind = STORE_RESULT, .game = id, .seat = at, .user = who, .players = count, .result = outcome,              \
          .rules = played)
    expect("DDDDDDCC", RESULT("a", 0, 1, 3, STORE_WON, "standard"), RESULT("a", 1, 2, 3, STORE_LOST, "standard"),
           RESULT("b", 0, 1, 3, STORE_LOST, "standard"), RESULT("c", 0, 1, 12, STORE_DRAWN, "standard"),
           RESULT("d", 0, 1, 4, STORE_WON, "original"), RESULT("e", 0, 1, 2, STORE_WON, "shrunken"),
           RESULT("a", 0, 2, 3, STORE_WON, "standard"), RESULT("nowhere", 0, 1, 3, STORE_WON, "standard"));
    store_statistics anna;
    assert_true(the_store->kind->statistics(the_store, 1, &anna, NULL));
    store_statistics expected = {.all = {5, 3, 1}, .original = {1, 1, 0}};
    expected.players[3] = (store_tally){2, 1, 0};
    expected.players[12] = (store_tally){1, 0, 1};
    assert_memory_equal(&anna, &expected, sizeof expected);
    store_statistics nobody;
    assert_true(the_store->kind->statistics(the_store, 77, &nobody, NULL));
    assert_int_equal(nobody.all.games, 0);
}

/* SQLite's own count of what its statements do. */
static sqlite3 *opened[16];
static unsigned opened_count;

static int note_opened(sqlite3 *direct, const char **message, const void *api)
{
    (void)message, (void)api;
    opened[opened_count++ % 16] = direct;
    return SQLITE_OK;
}

/* What has been done to answer questions since it was asked last. */
static int work_of(int sort)
{
    int work = 0;
    for (unsigned index = 0; index < opened_count; index++)
        for (sqlite3_stmt *next = sqlite3_next_stmt(opened[index], NULL); next != NULL;
             next = sqlite3_next_stmt(opened[index], next))
            if (sqlite3_stmt_readonly(next))
                work += sqlite3_stmt_status(next, sort, 1);
    return work;
}

static void play_games(uint64_t user, unsigned from, unsigned to)
{
    for (unsigned number = from; number < to; number++) {
        char game[20];
        snprintf(game, sizeof game, "game%u", number);
        expect("DDDDDD", {.kind = STORE_NEW_GAME, .game = game, .time = number},
               {.kind = STORE_SIT, .game = game, .seat = 0, .user = user, .time = number},
               {.kind = STORE_SIT, .game = game, .seat = 1, .user = user, .time = number},
               {.kind = STORE_SET_STAGE, .game = game, .stage = STORE_OVER, .time = number + 1},
               {.kind = STORE_RESULT, .game = game, .seat = 0, .user = user, .players = 2, .rules = "standard"},
               {.kind = STORE_RESULT, .game = game, .seat = 1, .user = user, .players = 2, .rules = "original"});
    }
}

static int work_for_a_person(uint64_t user)
{
    enum { MOST = 20 };
    store_statistics statistics;
    work_of(SQLITE_STMTSTATUS_VM_STEP);
    story[0] = '\0';
    assert_true(the_store->kind->games_of(the_store, user, MOST, tell_game, NULL, NULL));
    assert_true(the_store->kind->statistics(the_store, user, &statistics, NULL));
    assert_int_equal(work_of(SQLITE_STMTSTATUS_FULLSCAN_STEP), 0);
    assert_int_equal(work_of(SQLITE_STMTSTATUS_SORT), 0);
    return work_of(SQLITE_STMTSTATUS_VM_STEP);
}

static void asking_for_games_and_statistics_costs_the_same_however_many_games_are_over(void **unused)
{
    (void)unused;
    char address[100];
    snprintf(address, sizeof address, "%s", the_store->kind == &store_in_memory ? "memory" : database);
    close_store();
    opened_count = 0;
    sqlite3_auto_extension((void (*)(void))note_opened);
    the_store = open_store(address, false);
    sqlite3_reset_auto_extension();
    expect("D", USER(1, "Anna", "anna"));
    play_games(1, 0, 30);
    const int work = work_for_a_person(1);
    assert_true(work > 0);
    play_games(1, 30, 300);
    assert_int_equal(work_for_a_person(1), work);
    assert_non_null(strstr(story, "game299/2@300 game298/2@299 "));
    store_statistics statistics;
    assert_true(the_store->kind->statistics(the_store, 1, &statistics, NULL));
    assert_int_equal(statistics.all.games, 600);
    assert_int_equal(statistics.players[2].games, 300);
}

static void a_write_that_makes_no_sense_fails_the_whole(void **unused)
{
    (void)unused;
    char endless[200];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    const store_write senseless[] = {
        {.kind = STORE_WRITE_KINDS},
        {.kind = STORE_APPEND, .number = 1},
        {.kind = STORE_NEW_GAME, .game = ""},
        {.kind = STORE_NEW_USER, .user = 0, .name = "Zero"},
        {.kind = STORE_NEW_USER, .user = UINT64_C(1) << 53, .name = "Much"},
        {.kind = STORE_NEW_USER, .user = 5},
        {.kind = STORE_NEW_USER, .user = 5, .name = ""},
        {.kind = STORE_SET_USER, .user = 5, .name = endless},
        {.kind = STORE_NEW_USER, .user = 5, .name = "Long", .password = endless},
        {.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_STAGES},
        {.kind = STORE_RESULT, .game = "a", .user = 5, .result = STORE_RESULTS},
        {.kind = STORE_RESULT, .game = "a", .user = 5, .players = 13},
    };
    for (size_t row = 0; row < sizeof senseless / sizeof *senseless; row++) {
        store_write writes[] = {GAME("a", 1), senseless[row]};
        gral_error error = {0};
        assert_false(the_store->kind->commit(the_store, writes, 2, &error));
        assert_non_null(strstr(error.message, "write 2 of 2: "));
        assert_int_equal(writes[0].outcome, STORE_FAILED);
        assert_int_equal(writes[1].outcome, STORE_FAILED);
    }
    expect_unfinished("");
    assert_true(the_store->kind->commit(the_store, NULL, 0, NULL));
}

/* --- tournaments --- */

static void expect_tournaments(unsigned over, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->tournaments(the_store, over, tell_entry, story, NULL));
    assert_string_equal(story, expected);
}

#define HAPPENS(id, n, words) WRITE(.kind = STORE_TOURNAMENT, .game = id, .number = n, .time = 100 + n, TEXT(words))

static void a_tournament_is_its_texts_in_order(void **unused)
{
    (void)unused;
    expect("DDCCC", WRITE(.kind = STORE_NEW_TOURNAMENT, .game = "t", .time = 1, TEXT("terms")),
           HAPPENS("t", 1, "join 5"), HAPPENS("t", 1, "join 6"), HAPPENS("t", 3, "join 7"), HAPPENS("u", 1, "join 8"));
    expect("C", WRITE(.kind = STORE_NEW_TOURNAMENT, .game = "t", .time = 1, TEXT("others")));
    expect("DDD", WRITE(.kind = STORE_NEW_TOURNAMENT, .game = "u", .time = 2, TEXT("terms")),
           WRITE(.kind = STORE_ENTER, .game = "t", .user = 5), WRITE(.kind = STORE_ENTER, .game = "u", .user = 5));
    expect_tournaments(9, "t.0=terms t.1=join 5 u.0=terms");
    expect("DDC", WRITE(.kind = STORE_TOURNAMENT_OVER, .game = "t"), WRITE(.kind = STORE_ENTER, .game = "t", .user = 5),
           WRITE(.kind = STORE_TOURNAMENT_OVER, .game = "v"));
    expect_tournaments(0, "u.0=terms");
    expect_tournaments(1, "t.0=terms t.1=join 5 u.0=terms");
    story[0] = '\0';
    assert_true(the_store->kind->tournament(the_store, "t", tell_entry, story, NULL));
    assert_string_equal(story, "t.0=terms t.1=join 5");
    story[0] = '\0';
    assert_true(the_store->kind->tournaments_of(the_store, 5, 9, tell_game, story, NULL));
    assert_string_equal(story, "u/0@0 t/2@0");
}

/* --- what memory does --- */

static void memory_forgets_when_it_is_closed(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    close_store();
    the_store = open_store("memory", false);
    expect_unfinished("");
    assert_null(the_store->kind->backup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_STORE(a_game_is_its_entries_in_order),
        ON_EVERY_STORE(entries_are_read_from_a_number_on),
        ON_EVERY_STORE(other_terms_come_after_the_last_entry_and_end_those_before),
        ON_EVERY_STORE(an_entry_comes_back_byte_by_byte),
        ON_EVERY_STORE(reading_stops_when_told),
        ON_EVERY_STORE(a_number_that_is_taken_or_leaves_a_gap_is_a_conflict),
        ON_EVERY_STORE(a_unit_is_written_whole_or_not_at_all),
        ON_EVERY_STORE(games_that_are_over_are_not_among_the_unfinished),
        ON_EVERY_STORE(games_that_sleep_are_not_read_at_the_start_and_wake_in_their_order),
        ON_EVERY_STORE(games_that_have_been_over_for_long_can_go_and_sums_stay),
        ON_EVERY_STORE(the_games_of_a_user_come_newest_change_first),
        ON_EVERY_STORE(statistics_count_results_by_rules_and_players),
        ON_EVERY_SQLITE(asking_for_games_and_statistics_costs_the_same_however_many_games_are_over),
        ON_EVERY_STORE(a_write_that_makes_no_sense_fails_the_whole),
        ON_EVERY_STORE(a_tournament_is_its_texts_in_order),
        cmocka_unit_test_setup_teardown(memory_forgets_when_it_is_closed, open_memory, remove_folder),
    };
    return run_store_tests("store", tests);
}
