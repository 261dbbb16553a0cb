/* The clocks of a host: deadlines, who is late, who is replaced, when it is told. */
#include "hosting.h"

#include <string.h>

static void a_clock_by_the_move_gives_every_decision_the_same_time(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g clock=move time=1000", "", "", "");
    assert_int_equal(gral_host_round(host).deadline, 1000);
    host_give(host, 400, "do 1 step T1 a2");
    assert_int_equal(gral_host_round(host).deadline, 1400);
    host_give(host, 900, "do 3 pass");
    assert_int_equal(gral_host_round(host).deadline, 1400);
    uint8_t kind;
    int64_t due;
    assert_true(gral_host_due(host, &kind, &due));
    assert_int_equal(kind, GRAL_INPUT_LATE);
    assert_int_equal(due, 1400);
    host_refuse(host, 1399, "late", GRAL_HOST_NOT_DUE);
    host_give(host, 1400, "late");
    host_hears(host, 0, "1: step T1 a2 | 2: pass | 3: pass"); /* whose answer was missing is not told */
    gral_host_free(host);
}

static void the_opening_may_have_a_time_of_its_own_R2_2(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=2 game=g clock=bank time=10000 answer=500 opening=180000");
    host_seat(host);
    assert_int_equal(gral_host_round(host).deadline, 180000);
    host_refuse(host, 179999, "late S", GRAL_HOST_NOT_DUE);
    host_give(host, 179999, "do 1 S done | do 2 S done");
    host_give(host, 180000, "do 1 step T1 a2");
    assert_int_equal(gral_host_round(host).deadline, 180500);
    gral_host_free(host);
    host = host_of("players=2 game=g clock=move time=1000"); /* as it was before there was such a time */
    host_seat(host);
    assert_int_equal(gral_host_round(host).deadline, 1000);
    gral_host_free(host);
}

static void the_deadline_of_a_round_does_not_tell_who_has_answered_R10_2(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g clock=move time=1000 seat3=random", "", "", "");
    host_give(host, 0, "do 1 step T1 a2 | do 2 pass");
    assert_int_equal(gral_host_round(host).deadline, 1000);
    uint8_t kind;
    int64_t due;
    assert_false(gral_host_due(host, &kind, &due));
    host_refuse(host, 2000, "late", GRAL_HOST_NOT_DUE);
    gral_host_free(host);
}

static void a_bank_is_charged_for_own_decisions_and_not_for_rounds(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g clock=bank time=10000 increment=500 answer=3000", "place 5 T1",
                                  "place 5 T1");
    assert_int_equal(gral_host_round(host).deadline, 10000);
    host_give(host, 4000, "do 1 step T1 a2");
    assert_int_equal(gral_host_seat_at(host, 0).bank, 6500);
    assert_int_equal(gral_host_round(host).deadline, 7000);
    host_give(host, 6000, "do 2 object 1");
    assert_int_equal(gral_host_seat_at(host, 1).bank, 10000);
    assert_int_equal(gral_host_round(host).deadline, 12500);
    host_give(host, 7000, "do 1 yield");
    assert_int_equal(gral_host_seat_at(host, 0).bank, 6000);
    host_give(host, 8000, "do 1 step T1 b1 | do 2 pass");
    assert_int_equal(gral_host_seat_at(host, 0).bank, 5500);
    host_give(host, 9000, "do 2 assign");
    assert_int_equal(gral_host_round(host).deadline, 18000); /* announcing does not stop the clock */
    host_give(host, 10000, "do 2 S done");
    assert_int_equal(gral_host_seat_at(host, 1).bank, 8500);
    gral_host_free(host);
}

static void who_is_late_on_his_turn_does_the_safest_thing(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g clock=bank time=1000 increment=10 answer=500", "", "");
    host_refuse(host, 1000, "late", GRAL_HOST_NO_SALT);
    host_give(host, 1000, "late S");
    host_hears(host, 2, "late 1 | 1: assign | 1: done | seal 1 2");
    assert_int_equal(gral_host_seat_at(host, 0).bank, 10);
    gral_host_free(host);
}

static void with_an_empty_bank_there_is_time_for_an_answer(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g clock=bank time=1000 answer=500", "", "");
    host_give(host, 1000, "late S");
    host_give(host, 1100, "do 2 S assign; done");
    assert_int_equal(gral_host_seat_at(host, 0).bank, 0);
    assert_int_equal(gral_host_round(host).deadline, 1600);
    host_give(host, 1599, "do 1 S assign; done");
    assert_int_equal(gral_host_seat_at(host, 0).bank, 0);
    assert_int_equal(gral_host_round(host).deadline, 2499); /* the other has his bank */
    gral_host_free(host);
}

static void who_comes_back_gives_nobody_else_more_time(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4 game=g clock=move time=1000", "", "", "", "");
    host_give(host, 0, "do 1 step T1 a2 | replace 1 3 | replace 2 3");
    assert_true(gral_host_seat_at(host, 2).computer);
    host_give(host, 900, "back 3");
    assert_int_equal(gral_host_round(host).deadline, 1000);
    host_give(host, 900, "do 2 pass | do 3 pass | do 4 pass | replace 1 2 | replace 3 2");
    host_give(host, 1800, "back 2"); /* his own decision: he has his whole time */
    assert_int_equal(gral_host_round(host).deadline, 2800);
    gral_host_free(host);
}

static void late_openings_are_sealed_each_with_its_own_salt_R2_2(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g clock=move time=1000");
    host_seat(host);
    host_give(host, 1, "do 2 S place 10 T1; done");
    host_refuse(host, 1000, "late", GRAL_HOST_NO_SALT);
    host_give(host, 1000, "late S");
    host_hears(host, 0, "begin | 1: done | seal 1 1 | 2: done | seal 2 1 | 3: done | seal 3 1");
    host_give(host, 1001, "draw 1 | draw 2 | draw 3");
    char words[4096];
    gral_text text = gral_text_in(words, sizeof words);
    gral_host_record(host, (const char *[]){"a", "b", "c"}, NULL, &text);
    const char *first = strstr(words, "[Salt1_1 \""), *third = strstr(words, "[Salt3_1 \"");
    assert_non_null(first);
    assert_non_null(third);
    assert_memory_not_equal(first + 10, third + 10, 64);
    gral_host_free(host);
}

static void who_is_late_twice_in_a_row_is_replaced_until_he_is_back(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g clock=move time=100", "", "");
    host_give(host, 100, "late S");
    host_give(host, 150, "do 2 step T1 a2 | do 1 pass | do 1 S assign; done | do 2 step T1 a1");
    host_give(host, 250, "late");
    assert_false(gral_host_seat_at(host, 0).computer);
    host_give(host, 350, "late S");
    host_hears(host, 2, "late 1 | 1: assign | 1: done | seal 1 4 | handed 1");
    assert_true(gral_host_seat_at(host, 0).computer);
    assert_string_equal(gral_host_seat_at(host, 0).player, "thinker:level=3");
    host_give(host, 360, "do 2 step T1 a2");
    assert_int_equal(gral_host_thinking(host), 1);
    host_refuse(host, 360, "do 1 pass", GRAL_HOST_COMPUTER);
    host_refuse(host, 360, "order 1 pass turn", GRAL_HOST_COMPUTER);
    host_give(host, 400, "back 1");
    assert_int_equal(gral_host_round(host).deadline, 500);
    host_refuse(host, 400, "do 1 computer pass", GRAL_HOST_PERSON);
    host_refuse(host, 400, "back 1", GRAL_HOST_PERSON);
    host_give(host, 410, "do 1 pass");
    host_hears(host, 0, "handed 1 | 2: step T1 a2 | back 1 | 1: pass");
    gral_host_free(host);
}

static void who_is_late_twice_in_rounds_is_replaced_without_telling_which_answers_were_his(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g clock=move time=100", "", "", "");
    host_give(host, 0, "do 1 step T1 a2 | do 3 pass");
    host_give(host, 100, "late");
    host_give(host, 110, "do 2 S assign; done | do 3 step T1 a1 | do 1 pass"); /* his own decision in between */
    host_give(host, 210, "late");
    assert_false(gral_host_seat_at(host, 1).computer);
    host_give(host, 220, "do 1 step T1 a2 | do 3 pass");
    host_give(host, 320, "late");
    host_hears(host, 0, "1: step T1 a2 | 2: pass | 3: pass | handed 2");
    assert_int_equal(gral_host_thinking(host), 1u << 1);
    gral_host_free(host);
}

static void clocks_stand_still_while_nobody_can_act(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g clock=move time=1000 pace=100", "", "");
    host_give(host, 300, "order 2 pass turn");
    host_give(host, 5000, "resume");
    assert_int_equal(gral_host_round(host).deadline, 5700);
    gral_host_free(host);
}

static void time_never_goes_back(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g clock=move time=1000", "", "");
    host_give(host, 900, "do 1 step T1 a2");
    host_give(host, 100, "do 2 pass");
    assert_int_equal(gral_host_round(host).deadline, 1900);
    gral_host_free(host);
}

static void computer_players_tell_at_whole_paces(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g pace=1500 seat2=random", "", "");
    host_give(host, 1000, "do 1 step T1 a2");
    assert_int_equal(gral_host_tell_time(host, 1001), 2500);
    assert_int_equal(gral_host_tell_time(host, 2500), 2500);
    assert_int_equal(gral_host_tell_time(host, 2501), 4000);
    gral_host_free(host);
    host = host_opened("players=2 game=g seat2=random", "", "");
    assert_int_equal(gral_host_tell_time(host, 77), 77);
    gral_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_by_the_move_gives_every_decision_the_same_time),
        cmocka_unit_test(the_opening_may_have_a_time_of_its_own_R2_2),
        cmocka_unit_test(the_deadline_of_a_round_does_not_tell_who_has_answered_R10_2),
        cmocka_unit_test(a_bank_is_charged_for_own_decisions_and_not_for_rounds),
        cmocka_unit_test(who_is_late_on_his_turn_does_the_safest_thing),
        cmocka_unit_test(with_an_empty_bank_there_is_time_for_an_answer),
        cmocka_unit_test(who_comes_back_gives_nobody_else_more_time),
        cmocka_unit_test(late_openings_are_sealed_each_with_its_own_salt_R2_2),
        cmocka_unit_test(who_is_late_twice_in_a_row_is_replaced_until_he_is_back),
        cmocka_unit_test(who_is_late_twice_in_rounds_is_replaced_without_telling_which_answers_were_his),
        cmocka_unit_test(clocks_stand_still_while_nobody_can_act),
        cmocka_unit_test(time_never_goes_back),
        cmocka_unit_test(computer_players_tell_at_whole_paces),
    };
    return cmocka_run_group_tests_name("host clock", tests, NULL, NULL);
}
