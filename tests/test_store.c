/* The stores: what is written is there, in order, all of a unit or nothing of it, whatever dies or runs full. Claims
 * that hold for every store are tried on each. */
#define _GNU_SOURCE /* unshare */
#include "scene.h"
#include "shell.h"
#include "store/store.h"
#include "store/store_schema.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- a folder for each test, and a store in it --- */

static char folder[64], database[80];
static store *the_store;

static int make_folder(void **unused)
{
    (void)unused;
    snprintf(folder, sizeof folder, "/tmp/gral-store-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(database, sizeof database, "%s/gral.db", folder);
    setenv("FOLDER", folder, 1);
    return 0;
}

static int remove_folder(void **unused)
{
    (void)unused;
    if (the_store != NULL)
        the_store->kind->close(the_store);
    the_store = NULL;
    return shell("rm -rf \"$FOLDER\"");
}

static store *open_store(const char *address, bool shared)
{
    gral_error error = {0};
    store *opened = store_open(address, shared, &error);
    if (opened == NULL)
        fail_msg("%s", error.message);
    return opened;
}

static void close_store(void)
{
    the_store->kind->close(the_store);
    the_store = NULL;
}

static int open_memory(void **unused)
{
    const int status = make_folder(unused);
    the_store = store_open("memory", false, NULL);
    return status == 0 && the_store != NULL ? 0 : -1;
}

static int open_sqlite(void **unused)
{
    const int status = make_folder(unused);
    the_store = store_open(database, false, NULL);
    return status == 0 && the_store != NULL ? 0 : -1;
}

static void expect_no_store(const char *address, bool shared, const char *words)
{
    gral_error error = {0};
    store *opened = store_open(address, shared, &error);
    if (opened != NULL)
        opened->kind->close(opened);
    assert_null(opened);
    if (strstr(error.message, words) == NULL)
        fail_msg("no '%s' in '%s'", words, error.message);
}

/* --- writing, told briefly --- */

#define TEXT(words)       .text = {words, sizeof words - 1}
#define WRITE(...)        ((store_write){__VA_ARGS__})
#define AND(...)          WRITE(.follows = true, __VA_ARGS__)
#define GAME(id, at)      WRITE(.kind = STORE_NEW_GAME, .game = id, .time = at, TEXT("terms"))
#define ADD(id, n, words) WRITE(.kind = STORE_APPEND, .game = id, .number = n, .time = 100 + n, TEXT(words))
#define USER(id, called, known_as)                                                                                     \
    WRITE(.kind = STORE_NEW_USER, .user = id, .name = called, .key = known_as, .time = 7, .password = "hash")
#define SESSION(byte, id) WRITE(.kind = STORE_NEW_SESSION, .secret = {byte}, .user = id)

/* One letter a write: D done, C conflict. */
static void expect_outcomes(store *store, const char *expected, store_write *writes, size_t count)
{
    gral_error error = {0};
    assert_int_equal(strlen(expected), count);
    if (!store->kind->commit(store, writes, count, &error))
        fail_msg("%s", error.message);
    char got[64] = "";
    for (size_t index = 0; index < count; index++)
        got[index] = "DC??"[writes[index].outcome];
    assert_string_equal(got, expected);
}

#define expect(outcomes, ...)                                                                                          \
    expect_outcomes(the_store, outcomes, (store_write[]){__VA_ARGS__},                                                 \
                    sizeof((store_write[]){__VA_ARGS__}) / sizeof(store_write))

/* --- reading, as one text --- */

static char story[1 << 16];

static bool tell_entry(void *context, const store_entry *entry)
{
    (void)context;
    const size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%s%s.%u=%.*s", length > 0 ? " " : "", entry->game, entry->number,
             (int)entry->text.length, entry->text.bytes);
    return true;
}

static bool tell_game(void *context, const char *game, enum store_stage stage, int64_t changed)
{
    (void)context;
    const size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%s%s/%d@%d", length > 0 ? " " : "", game, (int)stage,
             (int)changed);
    return true;
}

static void expect_entries(const char *game, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->entries(the_store, game, tell_entry, NULL, NULL));
    assert_string_equal(story, expected);
}

static void expect_unfinished(const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->unfinished(the_store, tell_entry, NULL, NULL));
    assert_string_equal(story, expected);
}

static void expect_games(uint64_t user, unsigned most, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->games_of(the_store, user, most, tell_game, NULL, NULL));
    assert_string_equal(story, expected);
}

static store_user by_id(uint64_t id)
{
    store_user found;
    assert_true(the_store->kind->user_by_id(the_store, id, &found, NULL));
    return found;
}

static uint64_t by_key(const char *key)
{
    store_user found;
    assert_true(the_store->kind->user_by_key(the_store, key, &found, NULL));
    return found.user;
}

static store_user by_session(enum store_session session, uint8_t byte)
{
    store_user found;
    const uint8_t secret[STORE_SECRET_BYTES] = {byte};
    assert_true(the_store->kind->user_by_secret(the_store, session, secret, &found, NULL));
    return found;
}

/* Whose session or token it is. */
static uint64_t by_secret(uint8_t byte)
{
    const uint64_t user = by_session(STORE_COOKIE, byte).user;
    return user != 0 ? user : by_session(STORE_TOKEN, byte).user;
}

static uint64_t by_device(uint8_t byte)
{
    return by_session(STORE_DEVICE, byte).user;
}

/* --- what every store does --- */

static void a_game_is_its_entries_in_order(void **unused)
{
    (void)unused;
    expect("DDDD", GAME("a", 5), ADD("a", 1, "one"), GAME("b", 6), ADD("a", 2, ""));
    expect("D", ADD("a", 3, "nul\0 and \xff"));
    expect_entries("a", "a.0=terms a.1=one a.2= a.3=nul");
    expect_entries("b", "b.0=terms");
    expect_entries("c", "");
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
    assert_true(the_store->kind->entries(the_store, "a", keep_last, &last, NULL));
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
    assert_true(the_store->kind->entries(the_store, "a", stop_at_once, &seen, NULL));
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

static void users_are_found_by_number_and_key(void **unused)
{
    (void)unused;
    const uint64_t last = (UINT64_C(1) << 53) - 1;
    expect("DDD", USER(1, "Anna", "anna"), USER(last, "Ben", "ben"), USER(3, "guest", NULL));
    const store_user anna = by_id(1);
    assert_string_equal(anna.name, "Anna");
    assert_string_equal(anna.password, "hash");
    assert_int_equal(anna.created, 7);
    assert_int_equal(anna.seen, 7);
    assert_true(by_key("ben") == last);
    assert_int_equal(by_key("nobody"), 0);
    assert_int_equal(by_id(2).user, 0);
    expect("DDDC", SESSION(1, 1), {.kind = STORE_TOUCH, .secret = {1}, .time = 9},
           {.kind = STORE_TOUCH, .secret = {1}, .time = 8}, {.kind = STORE_TOUCH, .secret = {2}, .time = 9});
    assert_int_equal(by_id(1).seen, 9);
    assert_int_equal(by_session(STORE_COOKIE, 1).used, 9);
    assert_int_equal(by_id(1).created, 7);
}

static void a_key_belongs_to_one_user(void **unused)
{
    (void)unused;
    expect("DDDC", USER(1, "Anna", "anna"), USER(2, "guest", NULL), USER(3, "guest", ""), USER(4, "ANNA", "anna"));
    expect("C", USER(1, "Zoe", "zoe"));
    expect("C", {.kind = STORE_SET_USER, .user = 2, .name = "Anna", .key = "anna"});
    assert_string_equal(by_id(2).name, "guest");
    expect("DD", {.kind = STORE_SET_USER, .user = 1, .name = "Anne", .key = "anne", .password = "new"},
           {.kind = STORE_SET_USER, .user = 2, .name = "Anna", .key = "anna"});
    assert_int_equal(by_key("anna"), 2);
    assert_int_equal(by_key("anne"), 1);
    assert_string_equal(by_id(1).password, "new");
    assert_string_equal(by_id(2).password, "");
    expect("DC", {.kind = STORE_SET_USER, .user = 1, .name = "ANNE", .key = "anne"},
           {.kind = STORE_SET_USER, .user = 9, .name = "x", .key = "x"});
    assert_int_equal(by_key(""), 0);
}

static void a_session_is_known_by_its_secret_until_it_ends(void **unused)
{
    (void)unused;
    expect("DDDDCC", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), SESSION(1, 1), SESSION(2, 2), SESSION(1, 2),
           SESSION(3, 9));
    assert_int_equal(by_secret(1), 1);
    assert_int_equal(by_secret(2), 2);
    assert_int_equal(by_secret(3), 0);
    expect("DD", {.kind = STORE_END_SESSION, .secret = {1}}, {.kind = STORE_END_SESSION, .secret = {1}});
    assert_int_equal(by_secret(1), 0);
    assert_int_equal(by_secret(2), 2);
}

static bool note_login(void *context, const store_login *login)
{
    char *noted = (char *)context;
    const size_t length = strlen(noted);
    snprintf(noted + length, 100 - length, "%d:%s@%d-%d<%d ", login->secret[0], login->label, (int)login->created,
             (int)login->used, (int)login->ends);
    return true;
}

static void expect_logins(uint64_t user, enum store_session session, const char *expected)
{
    char noted[100] = "";
    assert_true(the_store->kind->logins_of(the_store, user, session, note_login, noted, NULL));
    assert_string_equal(noted, expected);
}

static void everybodys_sessions_and_tokens_are_listed_the_newest_first(void **unused)
{
    (void)unused;
    expect(
        "DDDDDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"),
        {.kind = STORE_NEW_SESSION, .user = 1, .secret = {1}, .time = 3, .label = "Firefox"},
        {.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .token = true, .time = 7, .label = "my bot", .ends = 90},
        {.kind = STORE_NEW_SESSION, .user = 2, .secret = {3}, .token = true, .time = 8},
        {.kind = STORE_NEW_SESSION, .user = 1, .secret = {4}, .time = 5},
        {.kind = STORE_TOUCH, .secret = {1}, .time = 9},
        {.kind = STORE_NEW_DEVICE, .user = 1, .secret = {5}, .time = 6, .limit = 9});
    expect_logins(1, STORE_COOKIE, "4:@5-5<0 1:Firefox@3-9<0 ");
    expect_logins(1, STORE_TOKEN, "2:my bot@7-7<90 ");
    expect_logins(2, STORE_TOKEN, "3:@8-8<0 ");
    expect_logins(2, STORE_COOKIE, "");
    assert_int_equal(by_session(STORE_TOKEN, 2).ends, 90);
}

static void what_has_an_end_ends_then_however_much_it_was_used(void **unused)
{
    (void)unused;
    expect("DDDDDD", USER(1, "Anna", "anna"), SESSION(1, 1),
           {.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .token = true, .time = 7, .ends = 90},
           {.kind = STORE_NEW_SESSION, .user = 1, .secret = {3}, .token = true, .time = 7, .ends = 91},
           {.kind = STORE_TOUCH, .secret = {2}, .time = 90}, {.kind = STORE_END_OVERDUE, .time = 90, .limit = 9});
    assert_int_equal(by_session(STORE_TOKEN, 2).user, 0);
    assert_int_equal(by_session(STORE_TOKEN, 3).user, 1);
    assert_int_equal(by_secret(1), 1);
    expect("D", {.kind = STORE_END_OVERDUE, .time = 900, .limit = 0});
    assert_int_equal(by_session(STORE_TOKEN, 3).user, 1);
}

static bool note_row(void *context, const char *const column[], unsigned columns)
{
    char *noted = (char *)context;
    for (unsigned at = 0; at < columns; at++) {
        const size_t length = strlen(noted);
        snprintf(noted + length, 300 - length, "%s%s", column[at], at + 1 == columns ? ";" : "|");
    }
    return true;
}

static void expect_list(enum store_list list, store_filter filter, const char *expected)
{
    char noted[300] = "";
    filter.most = filter.most > 0 ? filter.most : 9;
    assert_true(the_store->kind->list(the_store, list, &filter, note_row, noted, NULL));
    assert_string_equal(noted, expected);
}

static void sanctions_stay_with_a_person_until_they_are_taken_back(void **unused)
{
    (void)unused;
    expect("DDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), SESSION(1, 1),
           {.kind = STORE_BAN, .user = 1, .ends = 99}, {.kind = STORE_SILENCE, .user = 1, .ends = 77});
    assert_int_equal(by_id(1).banned, 99);
    assert_int_equal(by_session(STORE_COOKIE, 1).silenced, 77);
    assert_int_equal(by_id(2).banned, 0);
    expect("D", {.kind = STORE_BAN, .user = 1, .ends = 0});
    assert_int_equal(by_id(1).banned, 0);
    assert_int_equal(by_id(1).silenced, 77);
}

static void whoever_runs_the_server_has_lists(void **unused)
{
    (void)unused;
    expect("DDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), {.kind = STORE_BAN, .user = 2, .ends = 60000},
           {.kind = STORE_BAR, .name = "192.0.2.0/24", .ends = 5}, {.kind = STORE_ADD_WORD, .name = "fudge"});
    expect_list(STORE_PEOPLE, (store_filter){.text = "NN"}, "Anna|account|1970-01-01 00:00|1970-01-01 00:00|||1;");
    expect_list(STORE_PEOPLE, (store_filter){.text = "ben"},
                "Ben|account|1970-01-01 00:00|1970-01-01 00:00|1970-01-01 00:01||2;");
    expect("CDC", {.kind = STORE_ADD_WORD, .name = "fudge"}, {.kind = STORE_BAR, .name = "192.0.2.0/24", .ends = 6},
           {.kind = STORE_UNBAR, .name = "192.0.2.0/25"});
    expect_list(STORE_NETWORKS, (store_filter){0}, "192.0.2.0/24|6|1970-01-01 00:00;");
    expect_list(STORE_WORDS, (store_filter){0}, "fudge;");
    expect("DDDDC", {.kind = STORE_REPORT, .user = 1, .other = 2, .game = "a", .label = "rude", TEXT("you fudge")},
           {.kind = STORE_REPORT, .user = 2, .other = 1, .game = "a", .label = "lies"},
           {.kind = STORE_AUDIT, .time = 60000, TEXT("ban Ben")}, {.kind = STORE_REPORT_DONE, .number = 2},
           {.kind = STORE_REPORT_DONE, .number = 2});
    expect_list(STORE_REPORTS, (store_filter){0}, "1|1970-01-01 00:00|Anna|Ben|a|rude|you fudge|;");
    expect_list(STORE_REPORTS, (store_filter){.from = 1, .most = 1}, "2|1970-01-01 00:00|Ben|Anna|a|lies||done;");
    expect_list(STORE_AUDITS, (store_filter){0}, "1970-01-01 00:01|ban Ben;");
    expect_list(STORE_DAY, (store_filter){.from = 5, .to = 10},
                "new people|2;of them with an account|2;people last seen that day|2;new tables|0;games that ended|0;"
                "reports|0;");
    expect("DD", {.kind = STORE_DROP_WORD, .name = "fudge"}, {.kind = STORE_UNBAR, .name = "192.0.2.0/24"});
    expect_list(STORE_WORDS, (store_filter){0}, "");
}

static void a_name_changes_alone_and_stays_unique(void **unused)
{
    (void)unused;
    expect("DDCD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"),
           {.kind = STORE_RENAME, .user = 2, .name = "ANNA", .key = "anna"},
           {.kind = STORE_RENAME, .user = 1, .name = "aNNa", .key = "anna"});
    assert_string_equal(by_id(1).name, "aNNa");
    assert_string_equal(by_id(1).password, "hash");
    expect("DDC", {.kind = STORE_RENAME, .user = 1, .name = "Zoe", .key = "zoe"},
           {.kind = STORE_RENAME, .user = 2, .name = "Anna", .key = "anna"},
           {.kind = STORE_RENAME, .user = 9, .name = "Nobody", .key = "nobody"});
    assert_int_equal(by_key("zoe"), 1);
    assert_int_equal(by_key("anna"), 2);
    expect("DC", {.kind = STORE_DELETE_USER, .user = 1},
           {.kind = STORE_RENAME, .user = 1, .name = "Zoe", .key = "zoe"});
    assert_string_equal(by_id(1).name, "");
}

static void with_another_password_all_other_sessions_end(void **unused)
{
    (void)unused;
#define MAKE_LOGINS                                                                                                    \
    SESSION(1, 1), SESSION(2, 1), {.kind = STORE_NEW_SESSION, .user = 1, .secret = {3}, .token = true},                \
        {.kind = STORE_NEW_DEVICE, .user = 1, .secret = {4}, .limit = 9}, SESSION(5, 2)
    expect("DDDDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), MAKE_LOGINS);
    expect("D", {.kind = STORE_END_OTHERS, .user = 1, .secret = {1}});
    assert_int_equal(by_secret(1), 1);
    assert_int_equal(by_secret(2), 0);
    assert_int_equal(by_session(STORE_TOKEN, 3).user, 1);
    assert_int_equal(by_device(4), 0);
    assert_int_equal(by_secret(5), 2);
    expect("DD", WRITE(.kind = STORE_SET_PASSWORD, .user = 1, .password = "other"),
           AND(.kind = STORE_END_OTHERS, .user = 1, .secret = {1}, .token = true));
    assert_string_equal(by_id(1).password, "other");
    assert_string_equal(by_id(1).name, "Anna");
    assert_int_equal(by_secret(1), 1);
    assert_int_equal(by_session(STORE_TOKEN, 3).user, 0);
    assert_int_equal(by_secret(5), 2);
}

/* Somebody who knew the old one may just have said it. */
static void a_login_with_a_password_that_was_changed_meanwhile_is_a_conflict(void **unused)
{
    (void)unused;
    expect("DDD", USER(1, "Anna", "anna"), {.kind = STORE_NEW_SESSION, .user = 1, .secret = {1}, .password = "hash"},
           {.kind = STORE_SET_PASSWORD, .user = 1, .password = "other"});
    expect("CD", {.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .password = "hash"},
           {.kind = STORE_NEW_SESSION, .user = 1, .secret = {3}, .password = "other"});
    assert_int_equal(by_secret(2), 0);
    assert_int_equal(by_secret(3), 1);
    expect("DC", WRITE(.kind = STORE_NEW_USER, .user = 2, .name = "Guest", .key = "guest", .time = 7),
           {.kind = STORE_SET_PASSWORD, .user = 2, .password = "a guest has none"});
}

static void ending_all_tokens_leaves_the_sessions(void **unused)
{
    (void)unused;
    expect("DDDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), SESSION(1, 1),
           {.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .token = true, .label = "my bot"},
           {.kind = STORE_NEW_SESSION, .user = 1, .secret = {3}, .token = true},
           {.kind = STORE_NEW_SESSION, .user = 2, .secret = {4}, .token = true});
    assert_int_equal(by_secret(3), 1);
    expect("D", {.kind = STORE_END_TOKENS, .user = 1});
    assert_int_equal(by_secret(1), 1);
    assert_int_equal(by_secret(2), 0);
    assert_int_equal(by_secret(3), 0);
    assert_int_equal(by_secret(4), 2);
}

static void a_secret_is_good_for_what_it_was_made_for(void **unused)
{
    (void)unused;
    expect("DDDD", USER(1, "Anna", "anna"), SESSION(1, 1),
           {.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .token = true},
           {.kind = STORE_NEW_DEVICE, .user = 1, .secret = {3}, .limit = 9});
    for (uint8_t byte = 1; byte <= 3; byte++)
        for (enum store_session session = STORE_COOKIE; session <= STORE_DEVICE; session++)
            assert_int_equal(by_session(session, byte).user, session + 1 == byte ? 1 : 0);
}

static void what_is_done_with_an_ended_session_is_not_written(void **unused)
{
    (void)unused;
    expect("DDDD", USER(1, "Anna", "anna"), SESSION(1, 1), WRITE(.kind = STORE_TOUCH, .secret = {1}, .time = 1),
           AND(.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .token = true));
    expect("DCCCC", {.kind = STORE_END_SESSION, .secret = {1}}, WRITE(.kind = STORE_TOUCH, .secret = {1}, .time = 1),
           AND(.kind = STORE_NEW_SESSION, .user = 1, .secret = {3}, .token = true),
           WRITE(.kind = STORE_TOUCH, .secret = {1}, .time = 1), AND(.kind = STORE_DELETE_USER, .user = 1));
    assert_int_equal(by_secret(2), 1);
    assert_int_equal(by_secret(3), 0);
    assert_string_equal(by_id(1).name, "Anna");
}

static void of_too_many_devices_the_one_used_longest_ago_is_forgotten(void **unused)
{
    (void)unused;
#define DEVICE(byte, id, at) WRITE(.kind = STORE_NEW_DEVICE, .secret = {byte}, .user = id, .time = at, .limit = 2)
    expect("DDDDDC", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), DEVICE(9, 2, 1), DEVICE(1, 1, 5), DEVICE(2, 1, 6),
           DEVICE(4, 7, 6));
    expect("DD", {.kind = STORE_TOUCH, .secret = {1}, .time = 8}, DEVICE(3, 1, 7));
    assert_int_equal(by_device(1), 1);
    assert_int_equal(by_device(2), 0);
    assert_int_equal(by_device(3), 1);
    assert_int_equal(by_device(9), 2);
    expect("DD", SESSION(5, 1), DEVICE(6, 1, 3)); /* a new one stays, even if the clock went back */
    assert_int_equal(by_device(6), 1);
    assert_int_equal(by_device(3), 0);
    expect("DD", {.kind = STORE_END_SESSION, .secret = {5}}, {.kind = STORE_END_TOKENS, .user = 1});
    assert_int_equal(by_device(6), 1);
    expect("D", {.kind = STORE_DELETE_USER, .user = 1});
    assert_int_equal(by_device(6), 0);
    assert_int_equal(by_device(1), 0);
}

static void of_too_many_sessions_the_one_used_longest_ago_ends(void **unused)
{
    (void)unused;
    expect("DDDD", USER(1, "Anna", "anna"),
           WRITE(.kind = STORE_NEW_SESSION, .user = 1, .secret = {1}, .time = 1, .limit = 2, .token = true),
           WRITE(.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .time = 1, .limit = 2),
           WRITE(.kind = STORE_NEW_SESSION, .user = 1, .secret = {3}, .time = 2, .limit = 2));
    store_write one_more = {.kind = STORE_NEW_SESSION, .user = 1, .secret = {4}, .time = 3, .limit = 2};
    expect_outcomes(the_store, "D", &one_more, 1);
    assert_int_equal(one_more.ended, 1);
    assert_int_equal(by_secret(1), 1);
    assert_int_equal(by_secret(2), 0);
    assert_int_equal(by_secret(3), 1);
    assert_int_equal(by_secret(4), 1);
}

static void what_is_not_used_for_long_ends_a_few_at_a_time(void **unused)
{
    (void)unused;
    expect("DDDDDD", USER(1, "Anna", "anna"), WRITE(.kind = STORE_NEW_SESSION, .user = 1, .secret = {1}, .time = 10),
           WRITE(.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .time = 20),
           WRITE(.kind = STORE_NEW_SESSION, .user = 1, .secret = {3}, .time = 10, .token = true),
           WRITE(.kind = STORE_NEW_DEVICE, .user = 1, .secret = {4}, .time = 10, .limit = 9),
           WRITE(.kind = STORE_NEW_SESSION, .user = 1, .secret = {5}, .time = 10));
    expect("DD", {.kind = STORE_TOUCH, .secret = {1}, .time = 20}, {.kind = STORE_END_UNUSED, .time = 20, .limit = 1});
    assert_int_equal((by_secret(5) != 0) + (by_device(4) != 0), 1);
    expect("DD", {.kind = STORE_END_UNUSED, .time = 20, .limit = 5},
           {.kind = STORE_END_UNUSED, .time = 20, .limit = 5});
    assert_int_equal(by_secret(5) + by_device(4), 0);
    assert_int_equal(by_secret(1), 1);
    assert_int_equal(by_secret(2), 1);
    assert_int_equal(by_secret(3), 1);
    expect("D", {.kind = STORE_END_UNUSED, .time = 20, .limit = 5, .token = true});
    assert_int_equal(by_secret(3), 0);
    assert_int_equal(by_secret(1), 1);
}

static bool note_guest(void *context, uint64_t user, int64_t seen, bool playing)
{
    (void)context;
    const size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%d@%d%s ", (int)user, (int)seen, playing ? "!" : "");
    return true;
}

static void expect_absent(int64_t before, store_guest from, unsigned most, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->absent_guests(the_store, before, &from, most, note_guest, NULL, NULL));
    assert_string_equal(story, expected);
}

static void absent_guests_are_cleared_unless_they_still_play(void **unused)
{
    (void)unused;
#define GUEST(id, called, at) WRITE(.kind = STORE_NEW_USER, .user = id, .name = called, .key = called, .time = at)
    expect("DDDDDD", USER(1, "Anna", "anna"), GUEST(2, "ben", 20), GUEST(3, "cleo", 10), GUEST(4, "dora", 10),
           GUEST(5, "emil", 30), SESSION(3, 3));
    expect("DDDDD", GAME("a", 1), GAME("b", 1), {.kind = STORE_SIT, .game = "a", .user = 2, .time = 1},
           {.kind = STORE_SIT, .game = "b", .user = 4, .time = 1},
           {.kind = STORE_SET_STAGE, .game = "a", .stage = STORE_OVER});
    expect_absent(30, (store_guest){0}, 9, "3@10 4@10! 2@20 ");
    expect_absent(30, (store_guest){0}, 2, "3@10 4@10! ");
    expect_absent(30, (store_guest){10, 4}, 2, "2@20 ");
    expect("DCDCC", {.kind = STORE_CLEAR_GUEST, .user = 3, .time = 30},
           {.kind = STORE_CLEAR_GUEST, .user = 4, .time = 30}, {.kind = STORE_CLEAR_GUEST, .user = 2, .time = 30},
           {.kind = STORE_CLEAR_GUEST, .user = 5, .time = 30}, {.kind = STORE_CLEAR_GUEST, .user = 1, .time = 30});
    expect_absent(30, (store_guest){0}, 9, "4@10! ");
    assert_int_equal(by_id(3).user, 0); /* has never played: nothing is left */
    assert_int_equal(by_secret(3), 0);
    assert_string_equal(by_id(2).name, "ben"); /* his games keep the name */
    expect_games(2, 9, "a/2@1");
    assert_int_equal(by_key("ben"), 0);
    expect("DDC", GUEST(7, "ben", 50), GUEST(3, "cleo", 50), {.kind = STORE_CLEAR_GUEST, .user = 2, .time = 99});
    assert_int_equal(by_key("ben"), 7);
}

static bool note_signer(void *context, uint32_t number, int64_t time, gral_span text, gral_span secret)
{
    char *noted = (char *)context;
    snprintf(noted + strlen(noted), 100, "%u %d %.*s %.*s|", number, (int)time, (int)text.length, text.bytes,
             (int)secret.length, secret.length > 0 ? secret.bytes : "");
    return true;
}

static void signers_are_numbered_without_a_gap_and_only_the_newest_has_its_secret(void **unused)
{
    (void)unused;
    char noted[500] = "";
    assert_true(the_store->kind->signers(the_store, note_signer, noted, NULL));
    assert_string_equal(noted, "");
    expect("C",
           {.kind = STORE_NEW_SIGNER, .number = 2, .time = 1, .text = gral_span_of("early"), .signing_key = "hidden"});
    expect("D",
           {.kind = STORE_NEW_SIGNER, .number = 1, .time = 5, .text = gral_span_of("first"), .signing_key = "hush"});
    expect("C",
           {.kind = STORE_NEW_SIGNER, .number = 1, .time = 6, .text = gral_span_of("again"), .signing_key = "hidden"});
    expect("CC",
           {.kind = STORE_NEW_SIGNER, .number = 2, .time = 6, .text = gral_span_of("none"), .signing_key = "hidden"},
           AND(.kind = STORE_APPEND, .game = "nowhere", .number = 1)); /* a unit that fails leaves the secret */
    assert_true(the_store->kind->signers(the_store, note_signer, noted, NULL));
    assert_string_equal(noted, "1 5 first hush|");
    expect(
        "D",
        {.kind = STORE_NEW_SIGNER, .number = 2, .time = 7, .text = gral_span_of("second"), .signing_key = "whisper"});
    noted[0] = '\0';
    assert_true(the_store->kind->signers(the_store, note_signer, noted, NULL));
    assert_string_equal(noted, "1 5 first |2 7 second whisper|");
}

static void a_deleted_user_leaves_games_and_results_but_no_name(void **unused)
{
    (void)unused;
    expect("DDDDD", USER(1, "Anna", "anna"), GAME("a", 5), {.kind = STORE_SIT, .game = "a", .user = 1, .time = 6},
           SESSION(1, 1), {.kind = STORE_NEW_SESSION, .user = 1, .secret = {2}, .token = true});
    expect("DD", {.kind = STORE_RESULT, .game = "a", .user = 1, .players = 2, .result = STORE_WON, .rules = "standard"},
           {.kind = STORE_DELETE_USER, .user = 1});
    assert_int_equal(by_id(1).user, 1);
    assert_string_equal(by_id(1).name, "");
    assert_string_equal(by_id(1).password, "");
    assert_int_equal(by_key("anna"), 0);
    assert_int_equal(by_key(""), 0);
    assert_int_equal(by_secret(1), 0);
    assert_int_equal(by_secret(2), 0);
    expect_games(1, 9, "a/0@6");
    store_statistics statistics;
    assert_true(the_store->kind->statistics(the_store, 1, &statistics, NULL));
    assert_int_equal(statistics.all.won, 1);
    /* Nobody comes back, the name is free, and a game that was still running may end. */
    expect("CCCDDC", SESSION(1, 1), {.kind = STORE_SET_USER, .user = 1, .name = "Anna", .key = "anna"},
           {.kind = STORE_TOUCH, .secret = {1}, .time = 99}, USER(2, "Anna", "anna"),
           {.kind = STORE_RESULT, .game = "a", .seat = 1, .user = 1, .players = 2, .rules = "standard"},
           {.kind = STORE_DELETE_USER, .user = 77});
    assert_int_equal(by_key("anna"), 2);
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

typedef struct tally {
    unsigned count[2]; /* of game a and of game b */
    bool in_order;
} tally;

static bool count_entry(void *context, const store_entry *entry)
{
    tally *tally = context;
    unsigned *count = &tally->count[entry->game[0] - 'a'];
    tally->in_order = tally->in_order && entry->number == *count;
    ++*count;
    return true;
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

/* --- what SQLite does --- */

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
    if (!mine->kind->entries(mine, "a", count_entry, &tally, NULL))
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
        assert_true(the_store->kind->entries(the_store, "a", count_entry, &tally, NULL));
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
    assert_true(the_store->kind->entries(the_store, "a", count_entry, &tally, NULL));
    assert_int_equal(tally.count[0], next);
    assert_int_equal(write_until_full(next), next);
    make_room();
    store_write more = ADD("a", next, "there is room");
    expect_outcomes(the_store, "D", &more, 1);
    close_store();
    the_store = open_store(database, false);
    tally.count[0] = 0;
    assert_true(the_store->kind->entries(the_store, "a", count_entry, &tally, NULL));
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

static void ask_sqlite(const char *path, const char *words)
{
    sqlite3 *direct = NULL;
    assert_int_equal(sqlite3_open(path, &direct), SQLITE_OK);
    assert_int_equal(sqlite3_exec(direct, words, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(direct), SQLITE_OK);
}

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
    assert_int_equal(shell("cd \"$FOLDER\" && size=$(stat -c %s gral.db) && { head -c 163840 gral.db; yes | "
                           "head -c $((size - 163840)); } >worse && mv worse gral.db"),
                     0);
    the_store = open_store(database, false);
    tally tally = {.in_order = true};
    gral_error error = {0};
    assert_false(the_store->kind->entries(the_store, "a", count_entry, &tally, &error));
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

/* --- migrations --- */

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
    expect_absent(long_ago, (store_guest){0}, 9, "");
    expect("DDDD", ADD("a", 1, "more"), GUEST(9, "zoe", 7), SESSION(250, 9),
           {.kind = STORE_NEW_DEVICE, .user = 1, .secret = {251}, .limit = 1});
    expect("DD",
           {.kind = STORE_NEW_WAY, .user = 1, .other = 5, .way = STORE_PUSH, .name = "https://a.example", .limit = 1},
           {.kind = STORE_SET_WAY, .user = 1, .other = 5});
    close_store();
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

/* --- copying --- */

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
    assert_int_equal(shell("ls \"$FOLDER\" | grep -e copy -e nothing"), 1);
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

#define ON_EVERY_STORE(claim)                                                                                          \
    {#claim "_in_memory", claim, open_memory, remove_folder, NULL},                                                    \
    {                                                                                                                  \
        .name = #claim "_in_sqlite", .test_func = claim, .setup_func = open_sqlite, .teardown_func = remove_folder     \
    }
#define ON_SQLITE(claim)   cmocka_unit_test_setup_teardown(claim, open_sqlite, remove_folder)
#define IN_A_FOLDER(claim) cmocka_unit_test_setup_teardown(claim, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_STORE(a_game_is_its_entries_in_order),
        ON_EVERY_STORE(an_entry_comes_back_byte_by_byte),
        ON_EVERY_STORE(reading_stops_when_told),
        ON_EVERY_STORE(a_number_that_is_taken_or_leaves_a_gap_is_a_conflict),
        ON_EVERY_STORE(a_unit_is_written_whole_or_not_at_all),
        ON_EVERY_STORE(games_that_are_over_are_not_among_the_unfinished),
        ON_EVERY_STORE(the_games_of_a_user_come_newest_change_first),
        ON_EVERY_STORE(users_are_found_by_number_and_key),
        ON_EVERY_STORE(a_key_belongs_to_one_user),
        ON_EVERY_STORE(a_session_is_known_by_its_secret_until_it_ends),
        ON_EVERY_STORE(everybodys_sessions_and_tokens_are_listed_the_newest_first),
        ON_EVERY_STORE(what_has_an_end_ends_then_however_much_it_was_used),
        ON_EVERY_STORE(sanctions_stay_with_a_person_until_they_are_taken_back),
        ON_EVERY_STORE(whoever_runs_the_server_has_lists),
        ON_EVERY_STORE(a_name_changes_alone_and_stays_unique),
        ON_EVERY_STORE(with_another_password_all_other_sessions_end),
        ON_EVERY_STORE(a_login_with_a_password_that_was_changed_meanwhile_is_a_conflict),
        ON_EVERY_STORE(ending_all_tokens_leaves_the_sessions),
        ON_EVERY_STORE(a_secret_is_good_for_what_it_was_made_for),
        ON_EVERY_STORE(what_is_done_with_an_ended_session_is_not_written),
        ON_EVERY_STORE(of_too_many_devices_the_one_used_longest_ago_is_forgotten),
        ON_EVERY_STORE(of_too_many_sessions_the_one_used_longest_ago_ends),
        ON_EVERY_STORE(what_is_not_used_for_long_ends_a_few_at_a_time),
        ON_EVERY_STORE(absent_guests_are_cleared_unless_they_still_play),
        ON_EVERY_STORE(signers_are_numbered_without_a_gap_and_only_the_newest_has_its_secret),
        ON_EVERY_STORE(a_deleted_user_leaves_games_and_results_but_no_name),
        ON_EVERY_STORE(statistics_count_results_by_rules_and_players),
        ON_EVERY_STORE(asking_for_games_and_statistics_costs_the_same_however_many_games_are_over),
        ON_EVERY_STORE(a_write_that_makes_no_sense_fails_the_whole),
        ON_EVERY_STORE(reading_sees_whole_units_while_another_thread_writes),
        cmocka_unit_test_setup_teardown(memory_forgets_when_it_is_closed, open_memory, remove_folder),
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
        IN_A_FOLDER(an_older_database_is_brought_up_to_date_in_one_go),
        IN_A_FOLDER(databases_of_every_older_version_are_brought_up_to_date),
        IN_A_FOLDER(a_migration_killed_in_the_middle_leaves_the_old_database),
        IN_A_FOLDER(a_migration_killed_at_any_time_leaves_the_old_or_the_new_database),
        ON_SQLITE(a_copy_made_while_a_writer_writes_is_whole),
        ON_SQLITE(the_program_copies_the_database_of_a_running_server),
        ON_SQLITE(the_program_says_what_it_cannot_copy),
        IN_A_FOLDER(by_default_it_is_among_the_users_data),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
