/* What somebody who is not there is told, and when; and where nothing is sent to. */
#include "server/ip_range.h"
#include "server/news.h"
#include "server/post.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const int64_t hour = 3600000;

static const news_standing asked = {.stage = GRAL_PLAYING,
                                    .sits = true,
                                    .asked = true,
                                    .version = 7,
                                    .deadline = 1000 * 3600000ll,
                                    .given = 400 * 3600000ll};

static enum news_verdict verdict(enum store_event event, news_standing standing, int64_t now)
{
    int64_t until = 0;
    return news_judge(event, 7, &standing, now, &until);
}

static void a_turn_is_told_while_the_question_is_open_and_he_does_not_look(void **unused)
{
    (void)unused;
    news_standing standing = asked;
    assert_int_equal(verdict(STORE_TURN, standing, 0), NEWS_TELL);
    standing.looks = true;
    assert_int_equal(verdict(STORE_TURN, standing, 0), NEWS_DROP);
    standing = asked;
    standing.asked = false;
    assert_int_equal(verdict(STORE_TURN, standing, 0), NEWS_DROP);
    standing = asked;
    standing.version = 8;
    assert_int_equal(verdict(STORE_TURN, standing, 0), NEWS_DROP);
    standing = asked;
    standing.stage = GRAL_ENDED;
    assert_int_equal(verdict(STORE_TURN, standing, 0), NEWS_DROP);
}

static void a_warning_comes_when_a_quarter_of_the_time_is_left_however_often_the_clock_stood_still(void **unused)
{
    (void)unused;
    news_standing standing = asked;
    int64_t until = 0;
    assert_int_equal(news_warning(&standing), 900 * hour);
    assert_int_equal(verdict(STORE_CLOCK, standing, 900 * hour - 1), NEWS_WAIT);
    assert_int_equal(verdict(STORE_CLOCK, standing, 900 * hour), NEWS_TELL);
    assert_int_equal(verdict(STORE_CLOCK, standing, 1000 * hour), NEWS_DROP);
    standing.deadline += 50 * hour;
    assert_int_equal(news_judge(STORE_CLOCK, 7, &standing, 900 * hour, &until), NEWS_WAIT);
    assert_int_equal(until, 950 * hour);
    standing.looks = true;
    assert_int_equal(verdict(STORE_CLOCK, standing, 900 * hour), NEWS_WAIT);
    assert_int_equal(verdict(STORE_CLOCK, standing, 950 * hour), NEWS_DROP);
    standing = asked;
    standing.deadline = standing.given = 0;
    assert_int_equal(news_warning(&standing), 0);
    assert_int_equal(verdict(STORE_CLOCK, standing, 0), NEWS_DROP);
}

static void an_invitation_is_told_while_there_is_something_to_come_to(void **unused)
{
    (void)unused;
    news_standing standing = {.stage = GRAL_GATHERING};
    assert_int_equal(verdict(STORE_INVITED, standing, 0), NEWS_TELL);
    standing.sits = true;
    assert_int_equal(verdict(STORE_INVITED, standing, 0), NEWS_DROP);
    standing = (news_standing){.stage = GRAL_PLAYING};
    assert_int_equal(verdict(STORE_INVITED, standing, 0), NEWS_DROP);
}

static void the_end_is_told_to_those_who_stayed(void **unused)
{
    (void)unused;
    news_standing standing = {.stage = GRAL_ENDED, .sits = true};
    assert_int_equal(verdict(STORE_ENDED, standing, 0), NEWS_TELL);
    standing.resigned = true;
    assert_int_equal(verdict(STORE_ENDED, standing, 0), NEWS_DROP);
    standing = (news_standing){.stage = GRAL_PLAYING, .sits = true};
    assert_int_equal(verdict(STORE_ENDED, standing, 0), NEWS_DROP);
}

static void what_somebody_has_asked_for_himself_is_told_in_any_case(void **unused)
{
    (void)unused;
    assert_int_equal(verdict(STORE_CONFIRM, (news_standing){.looks = true}, 0), NEWS_TELL);
    assert_int_equal(verdict(STORE_FORGOTTEN, (news_standing){.looks = true}, 0), NEWS_TELL);
}

static void what_fails_is_tried_again_with_growing_distance_and_then_given_up(void **unused)
{
    (void)unused;
    int64_t before = 0, all = 0;
    unsigned tries = 1;
    for (int64_t wait; (wait = news_patience(tries, 60000)) > 0; tries++, before = wait) {
        assert_true(wait >= 2 * before);
        all += wait;
    }
    assert_int_equal(tries, 6);
    assert_true(all > 4 * hour && all < 24 * hour);
    assert_int_equal(news_patience(255, 60000), 0);
}

static void a_table_without_hurry_is_worth_it(void **unused)
{
    (void)unused;
    assert_true(news_is_worth_it(&(gral_terms){.clock = GRAL_CLOCK_NONE}));
    assert_true(news_is_worth_it(&(gral_terms){.clock = GRAL_CLOCK_MOVE, .time = hour}));
    assert_false(news_is_worth_it(&(gral_terms){.clock = GRAL_CLOCK_MOVE, .time = hour - 1}));
    assert_true(news_is_worth_it(&(gral_terms){.clock = GRAL_CLOCK_BANK, .time = 1, .answer = hour}));
    assert_false(news_is_worth_it(&(gral_terms){.clock = GRAL_CLOCK_BANK, .time = 99 * hour, .answer = 60000}));
}

static void a_live_game_of_a_tournament_is_told_until_he_has_come(void **unused)
{
    (void)unused;
    news_standing standing = {.stage = GRAL_PLAYING, .sits = true, .asked = true};
    assert_int_equal(verdict(STORE_ROUND, standing, 0), NEWS_TELL);
    standing.looks = true;
    assert_int_equal(verdict(STORE_ROUND, standing, 0), NEWS_DROP);
    standing = (news_standing){.stage = GRAL_PLAYING, .sits = true}; /* he has done what he is asked for */
    assert_int_equal(verdict(STORE_ROUND, standing, 0), NEWS_DROP);
    standing = (news_standing){.stage = GRAL_ENDED, .sits = true};
    assert_int_equal(verdict(STORE_ROUND, standing, 0), NEWS_DROP);
}

static void events_are_found_by_their_names(void **unused)
{
    (void)unused;
    for (unsigned event = 0; event < STORE_EVENTS; event++)
        assert_int_equal(news_named(gral_span_of(news_names[event])), event);
    assert_int_equal(news_named(gral_span_of("turns")), STORE_EVENTS);
    assert_int_equal(news_named((gral_span){"", 0}), STORE_EVENTS);
}

static bool is_public(const char *text)
{
    ip_range address;
    assert_true(ip_range_read(text, &address));
    return ip_range_is_public(&address);
}

static void addresses_that_are_not_everybodys_are_known_however_they_are_wrapped(void **unused)
{
    (void)unused;
    static const char *const private[] = {
        "0.0.0.0",      "10.1.2.3",         "100.64.0.1",      "127.0.0.1",       "127.255.255.254", "169.254.169.254",
        "172.16.0.1",   "172.31.255.255",   "192.0.0.8",       "192.0.2.1",       "192.168.1.1",     "198.18.0.1",
        "198.51.100.7", "203.0.113.7",      "224.0.0.1",       "240.0.0.1",       "255.255.255.255", "::",
        "::1",          "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1",  "::7f00:1",
        "fe80::1",      "fec0::1",          "fc00::1",         "fd12::1",         "ff02::1",         "2001:db8::1",
        "2001::1",      "2002:7f00:1::",    "64:ff9b:1::1",    "100::1",          "3fff::1",         "5f00::1",
    };
    static const char *const open[] = {"1.1.1.1",        "8.8.8.8",          "172.15.255.255",      "172.32.0.1",
                                       "100.63.0.1",     "100.128.0.1",      "2606:4700::1111",     "2a00:1450:4001::1",
                                       "::ffff:8.8.8.8", "64:ff9b::808:808", "2001:4860:4860::8888"};
    for (unsigned at = 0; at < sizeof private / sizeof *private; at++)
        if (is_public(private[at]))
            fail_msg("%s is taken for public", private[at]);
    for (unsigned at = 0; at < sizeof open / sizeof *open; at++)
        if (!is_public(open[at]))
            fail_msg("%s is taken for private", open[at]);
}

static void the_origin_of_an_endpoint_is_https_or_there_is_none(void **unused)
{
    (void)unused;
    char origin[POST_ORIGIN_MAX], longest[POST_ADDRESS_MAX + 2];
    assert_true(post_origin("https://push.example.net/send/abc?x=1", origin));
    assert_string_equal(origin, "https://push.example.net");
    assert_true(post_origin("https://push.example.net:443/", origin));
    assert_string_equal(origin, "https://push.example.net");
    assert_true(post_origin("https://[2001:db8::1]:8443/", origin));
    assert_string_equal(origin, "https://[2001:db8::1]:8443");
    static const char *const wrong[] = {"http://push.example.net/",
                                        "ftp://push.example.net/",
                                        "push.example.net",
                                        "https://a:b@push.example/",
                                        "https://a@push.example/",
                                        "https://",
                                        "https://push.example/\"",
                                        "https://push.example/ x",
                                        "https://push.example/\n",
                                        "https://push.example/\xc3\xa4",
                                        ""};
    for (unsigned at = 0; at < sizeof wrong / sizeof *wrong; at++)
        if (post_origin(wrong[at], origin))
            fail_msg("%s has the origin %s", wrong[at], origin);
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "https://a.example/", 18);
    longest[sizeof longest - 1] = '\0';
    assert_false(post_origin(longest, origin));
    longest[sizeof longest - 2] = '\0';
    assert_true(post_origin(longest, origin));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_told_while_the_question_is_open_and_he_does_not_look),
        cmocka_unit_test(a_warning_comes_when_a_quarter_of_the_time_is_left_however_often_the_clock_stood_still),
        cmocka_unit_test(an_invitation_is_told_while_there_is_something_to_come_to),
        cmocka_unit_test(the_end_is_told_to_those_who_stayed),
        cmocka_unit_test(what_somebody_has_asked_for_himself_is_told_in_any_case),
        cmocka_unit_test(what_fails_is_tried_again_with_growing_distance_and_then_given_up),
        cmocka_unit_test(a_table_without_hurry_is_worth_it),
        cmocka_unit_test(a_live_game_of_a_tournament_is_told_until_he_has_come),
        cmocka_unit_test(events_are_found_by_their_names),
        cmocka_unit_test(addresses_that_are_not_everybodys_are_known_however_they_are_wrapped),
        cmocka_unit_test(the_origin_of_an_endpoint_is_https_or_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
