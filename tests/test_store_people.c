/* People in a store: who they are, their sessions, tokens and devices, and what ends. */
#include "storing.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

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

static void by_whom_somebody_wants_to_be_seen_is_known_with_him(void **unused)
{
    (void)unused;
    expect("DDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), SESSION(1, 1),
           {.kind = STORE_SEEN, .user = 1, .place = 2});
    assert_int_equal(by_id(1).shown, 2);
    assert_int_equal(by_session(STORE_COOKIE, 1).shown, 2);
    assert_int_equal(by_id(2).shown, STORE_NOT_SAID);
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

static void absent_guests_are_cleared_unless_they_still_play(void **unused)
{
    (void)unused;
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

/* --- what their games say of them --- */

#define RESULT_OF(id, at, who, came_out)                                                                               \
    WRITE(.kind = STORE_RESULT, .game = id, .seat = at, .user = who, .players = 3, .result = came_out,                 \
          .rules = "standard")
#define PLAYED_BY(id, at, who, came_out, how)                                                                          \
    WRITE(.kind = STORE_PLAYED, .game = id, .seat = at, .user = who, .result = came_out, .class = 1,                   \
          .time = 1000 + id[0], TEXT(how))

static bool note_tally(void *context, const char *name, uint8_t class, const store_tally *tally)
{
    char *words = context;
    sprintf(words + strlen(words), "%s/%u:%u,%u,%u ", name, class, tally->games, tally->won, tally->drawn);
    return true;
}

static bool note_sum(void *context, const char *what, int64_t sum)
{
    char *words = context;
    sprintf(words + strlen(words), "%s=%d ", what, (int)sum);
    return true;
}

static bool note_played(void *context, const store_played *played)
{
    char *words = context;
    sprintf(words + strlen(words), "%s@%d:%u-%u%s ", played->game, (int)played->time, played->result,
            played->other_result, played->name);
    return true;
}

static bool note_shown(void *context, uint8_t part, uint8_t place)
{
    char *words = context;
    sprintf(words + strlen(words), "%u:%u ", part, place);
    return true;
}

static bool note_unread(void *context, const char *game, bool settled)
{
    char *words = context;
    sprintf(words + strlen(words), "%s%s ", game, settled ? "!" : "");
    return true;
}

static const char *ask_played(uint64_t user, const char *after, bool all, unsigned most)
{
    story[0] = '\0';
    const store_page page = {after, all, most};
    assert_true(the_store->kind->played_by(the_store, user, &page, note_played, story, NULL));
    return story;
}

static void expect_profile(uint64_t user, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->scores_of(the_store, user, note_tally, story, NULL));
    assert_true(the_store->kind->met_by(the_store, user, 2, note_tally, story, NULL));
    assert_true(the_store->kind->manner_of(the_store, user, note_sum, story, NULL));
    assert_true(the_store->kind->shown_by(the_store, user, note_shown, story, NULL));
    assert_string_equal(story, expected);
}

/* Three people and two games: b is known by its link only. */
static void play_two_games(void)
{
    expect("DDDDD", USER(1, "Anna", "anna"), USER(2, "Ben", "ben"), USER(3, "Cleo", "cleo"),
           {.kind = STORE_NEW_GAME, .game = "a", .listed = true, TEXT("terms")}, GAME("b", 1));
    expect("DDDDD", RESULT_OF("a", 0, 1, STORE_WON), RESULT_OF("a", 1, 2, STORE_LOST), RESULT_OF("a", 2, 3, STORE_LOST),
           RESULT_OF("b", 0, 2, STORE_DRAWN), RESULT_OF("b", 1, 1, STORE_DRAWN));
    expect("DD", {.kind = STORE_READ_LATER, .game = "a"}, {.kind = STORE_READ_LATER, .game = "b"});
    expect("DDDD", {.kind = STORE_READ, .game = "a"}, PLAYED_BY("a", 0, 1, STORE_WON, "{\"T1\":15,\"bluffs\":2}"),
           PLAYED_BY("a", 1, 2, STORE_LOST, "{}"), PLAYED_BY("a", 2, 3, STORE_LOST, "{}"));
    expect("DDD", {.kind = STORE_READ, .game = "b"}, PLAYED_BY("b", 1, 1, STORE_DRAWN, "{\"T1\":5,\"R2\":1}"),
           PLAYED_BY("b", 0, 2, STORE_DRAWN, "{}"));
}

static void what_games_say_of_somebody_is_added_up_as_they_are_read(void **unused)
{
    (void)unused;
    play_two_games();
    expect_profile(1, "/1:2,1,1 Ben/0:2,1,1 Cleo/0:1,1,0 R2=1 T1=20 bluffs=2 ");
    expect_profile(3, "/1:1,0,0 Anna/0:1,0,0 Ben/0:1,0,0 ");
    assert_string_equal(ask_played(1, "", true, 9),
                        "b@1098:1-1Ben b@1098:1-1Anna a@1097:2-2Anna a@1097:2-0Ben a@1097:2-0Cleo ");
    assert_string_equal(ask_played(1, "", true, 1), "b@1098:1-1Ben b@1098:1-1Anna ");
    assert_string_equal(ask_played(1, "b", true, 1), "a@1097:2-2Anna a@1097:2-0Ben a@1097:2-0Cleo ");
    assert_string_equal(ask_played(1, "a", true, 9), "");
    assert_string_equal(ask_played(1, "", false, 9), "a@1097:2-2Anna a@1097:2-0Ben a@1097:2-0Cleo ");
}

static void a_game_is_read_once(void **unused)
{
    (void)unused;
    play_two_games();
    expect("C", {.kind = STORE_READ, .game = "a"});
    expect("CC", {.kind = STORE_READ, .game = "a"}, AND(.kind = STORE_SHOW, .user = 1));
    expect("D", {.kind = STORE_READ_LATER, .game = "a"});
    expect("CC", {.kind = STORE_READ, .game = "a"},
           AND(.kind = STORE_PLAYED, .game = "a", .user = 1, .result = STORE_WON, TEXT("{}")));
    story[0] = '\0';
    assert_true(the_store->kind->unread(the_store, 9, note_unread, story, NULL));
    assert_string_equal(story, "a ");
    expect_profile(1, "/1:2,1,1 Ben/0:2,1,1 Cleo/0:1,1,0 R2=1 T1=20 bluffs=2 ");
}

static void whoever_is_nobody_any_more_has_no_profile_but_is_in_that_of_others(void **unused)
{
    (void)unused;
    play_two_games();
    expect("DDD", {.kind = STORE_SHOW, .user = 1, .part = 2, .place = 1},
           {.kind = STORE_SHOW, .user = 1, .part = 2, .place = 0}, {.kind = STORE_SHOW, .user = 1, .part = 0});
    story[0] = '\0';
    assert_true(the_store->kind->shown_by(the_store, 1, note_shown, story, NULL));
    assert_string_equal(story, "0:0 2:0 ");
    expect("D", {.kind = STORE_DELETE_USER, .user = 1});
    expect_profile(1, "");
    assert_string_equal(ask_played(1, "", true, 9), "");
    expect_profile(2, "/1:2,0,1 Cleo/0:1,0,0 "); /* the two games with who has no name count, but are not named */
    /* A game of his that ends later is nobody's. */
    expect("DDDD", GAME("c", 1), RESULT_OF("c", 0, 1, STORE_WON), RESULT_OF("c", 1, 2, STORE_LOST),
           PLAYED_BY("c", 0, 1, STORE_WON, "{\"T1\":15}"));
    expect_profile(1, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_STORE(users_are_found_by_number_and_key),
        ON_EVERY_STORE(a_key_belongs_to_one_user),
        ON_EVERY_STORE(a_session_is_known_by_its_secret_until_it_ends),
        ON_EVERY_STORE(everybodys_sessions_and_tokens_are_listed_the_newest_first),
        ON_EVERY_STORE(what_has_an_end_ends_then_however_much_it_was_used),
        ON_EVERY_STORE(sanctions_stay_with_a_person_until_they_are_taken_back),
        ON_EVERY_STORE(by_whom_somebody_wants_to_be_seen_is_known_with_him),
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
        ON_EVERY_STORE(what_games_say_of_somebody_is_added_up_as_they_are_read),
        ON_EVERY_STORE(a_game_is_read_once),
        ON_EVERY_STORE(whoever_is_nobody_any_more_has_no_profile_but_is_in_that_of_others),
    };
    return run_store_tests("store_people", tests);
}
