/* Standing orders: when they speak, what they say, when they end. */
#include "hosting.h"

#include <stdio.h>

static gral_action answer_by_order(gral_host *host, int64_t time)
{
    uint8_t kind = GRAL_INPUT_KINDS;
    int64_t due = 0;
    if (!gral_host_due(host, &kind, &due) || kind != GRAL_INPUT_SPEAK)
        return gral_say(GRAL_NOTHING);
    host_give(host, time > due ? time : due, "speak");
    return gral_host_happening(host, GRAL_SPECTATOR, gral_host_happenings(host, GRAL_SPECTATOR) - 1).action;
}

#define assert_orders_say(host, verb_) assert_int_equal(answer_by_order(host, 1).verb, verb_)
#define assert_orders_leave_it(host)   assert_orders_say(host, GRAL_NOTHING)
#define assert_orders_of(host, seat, n)                                                                                \
    assert_int_equal(gral_host_orders(host, seat, (gral_order[GRAL_ORDERS_MAX]){0}), n)

static void an_order_speaks_one_pace_after_the_round_began(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g pace=1500", "", "");
    host_give(host, 10, "order 2 pass turn");
    host_refuse(host, 99999, "speak", GRAL_HOST_NOT_DUE); /* it is one player's decision */
    host_give(host, 20, "do 1 step T1 a2");
    host_refuse(host, 1519, "speak", GRAL_HOST_NOT_DUE);
    uint8_t kind;
    int64_t due;
    assert_true(gral_host_due(host, &kind, &due));
    assert_int_equal(kind, GRAL_INPUT_SPEAK);
    assert_int_equal(due, 1520);
    host_give(host, 1520, "speak");
    host_hears(host, 0, "1: step T1 a2 | 2: pass");
    gral_host_free(host);
}

static void before_a_pace_nobody_sees_how_many_have_answered_Q13(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g pace=1500", "", "", "");
    host_give(host, 20, "do 1 step T1 a2 | do 3 pass");
    assert_int_equal(gral_host_round(host).answered, 0);
    assert_int_equal(gral_host_options(host, 2).verbs, 0); /* he himself knows that he has */
    host_refuse(host, 20, "do 3 pass", GRAL_HOST_ANSWERED);
    host_give(host, 1520, "speak");
    assert_int_equal(gral_host_round(host).answered, 1);
    host_refuse(host, 1520, "speak", GRAL_HOST_NOT_DUE);
    host_give(host, 1600, "do 2 pass");
    host_hears(host, 0, "1: step T1 a2 | 2: pass | 3: pass");
    host_give(host, 1610, "do 2 step T1 a1 | do 1 pass | do 3 pass");
    host_hears(host, 0, "2: step T1 a1"); /* all answers are in, and the round is open */
    assert_int_equal(gral_host_round(host).answered, 0);
    host_give(host, 3110, "speak");
    host_hears(host, 0, "2: step T1 a1 | 3: pass | 1: pass");
    gral_host_free(host);
}

static void before_a_pace_no_opening_closes_Q13_R2_2(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=2 game=g pace=500");
    host_seat(host);
    host_give(host, 1, "do 1 S done | do 2 S done");
    host_hears(host, 0, "begin");
    host_give(host, 500, "speak");
    host_hears(host, 0, "begin | 1: done | seal 1 1 | 2: done | seal 2 1");
    gral_host_free(host);
}

static void an_order_given_after_the_pace_speaks_at_once(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g pace=500", "", "");
    host_give(host, 0, "do 1 step T1 a2");
    host_give(host, 500, "speak");
    host_give(host, 700, "order 2 pass turn | speak");
    host_hears(host, 0, "1: step T1 a2 | 2: pass");
    gral_host_free(host);
}

static void a_round_lasts_a_pace_however_short_the_clock_Q13(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g clock=move time=200 pace=500", "", "", "");
    host_give(host, 0, "do 1 step T1 a2 | order 2 pass turn");
    assert_int_equal(gral_host_round(host).deadline, 500);
    host_refuse(host, 499, "late", GRAL_HOST_NOT_DUE);
    host_give(host, 500, "late"); /* the orders speak with it */
    host_hears(host, 0, "1: step T1 a2 | 2: pass | 3: pass");
    host_give(host, 510, "do 2 step T1 a1 | order 1 pass turn");
    host_give(host, 1010, "late");
    assert_false(gral_host_seat_at(host, 0).computer);
    host_hears(host, 0, "2: step T1 a1 | 3: pass | 1: pass | handed 3");
    gral_host_free(host);
}

static void pass_in_answers_after_so_many_seconds_if_its_owner_has_not(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g pace=500", "", "place 10 T1");
    host_refuse(host, 1, "order 2 pass in 8", GRAL_FAULT_NO_PROPOSAL);
    host_give(host, 1000, "do 1 step T1 a2");
    host_refuse(host, 1000, "order 1 pass in 8", GRAL_FAULT_NO_PROPOSAL);
    host_give(host, 1100, "order 2 pass in 8");
    host_refuse(host, 1100, "order 2 pass in 9", GRAL_HOST_ORDER_ENDED); /* a question has one */
    host_give(host, 1500, "speak");
    assert_int_equal(gral_host_round(host).answered, 0);
    host_refuse(host, 9099, "speak", GRAL_HOST_NOT_DUE);
    host_give(host, 9100, "speak");
    host_hears(host, 0, "1: step T1 a2 | 2: pass");
    assert_orders_of(host, 1, 0);
    gral_host_free(host);
}

static void with_pass_in_nobody_sees_whether_its_owner_has_answered_before_R10_2(void **unused)
{
    (void)unused;
    for (unsigned by_hand = 0; by_hand < 2; by_hand++) {
        gral_host *host = host_opened("players=3 game=g pace=500", "", "place 10 T1", "");
        host_give(host, 1000, "do 1 step T1 a2 | order 2 pass in 8 | order 3 pass turn");
        host_give(host, 1500, "speak");
        if (by_hand)
            host_give(host, 2000, "do 2 pass");
        assert_int_equal(gral_host_round(host).answered, 1);
        uint8_t kind;
        int64_t due;
        assert_true(gral_host_due(host, &kind, &due));
        assert_int_equal(kind, GRAL_INPUT_SPEAK);
        assert_int_equal(due, 9000);
        if (by_hand) /* nor does it show when he does not want to wait any longer */
            host_give(host, 8000, "cancel 2");
        assert_int_equal(gral_host_round(host).answered, 1);
        host_give(host, 9000, "speak");
        host_hears(host, 0, "1: step T1 a2 | 2: pass | 3: pass");
        gral_host_free(host);
    }
}

static void with_pass_in_an_objection_is_kept_and_of_the_only_one_told_at_once(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g pace=500", "", "place 10 T1", "");
    host_give(host, 1000, "do 1 step T1 a2 | order 2 pass in 8 | order 3 pass turn | do 2 object 3");
    host_give(host, 1500, "speak");
    host_hears(host, 0, "1: step T1 a2");
    host_give(host, 9000, "speak");
    host_hears(host, 0, "1: step T1 a2 | 2: object 3");
    gral_host_free(host);
    host = host_opened("players=2 game=g pace=500", "", "place 10 T1");
    host_give(host, 1000, "do 1 step T1 a2 | order 2 pass in 8");
    host_give(host, 1500, "speak");
    host_give(host, 2000, "do 2 object 3");
    host_hears(host, 0, "1: step T1 a2 | 2: object 3");
    gral_host_free(host);
}

static void pass_in_can_be_called_off_and_then_there_is_time(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g pace=500", "", "place 10 T1");
    host_give(host, 1000, "do 1 step T1 a2 | order 2 pass in 8");
    host_give(host, 1500, "speak");
    host_give(host, 2000, "order 2 object A1 d3 4 | cancel 2 pass turn");
    assert_orders_of(host, 1, 2);
    host_give(host, 3000, "cancel 2 pass in 8");
    assert_orders_of(host, 1, 1);
    uint8_t kind;
    int64_t due;
    assert_false(gral_host_due(host, &kind, &due));
    host_give(host, 60000, "do 2 pass");
    host_hears(host, 0, "1: step T1 a2 | 2: pass");
    gral_host_free(host);
}

static void pass_in_is_no_longer_than_the_clock_R10_2(void **unused)
{
    (void)unused;
    for (unsigned by_hand = 0; by_hand < 2; by_hand++) {
        gral_host *host = host_opened("players=2 game=g clock=move time=3000", "", "");
        host_give(host, 1000, "do 1 step T1 a2 | order 2 pass in 8");
        if (by_hand)
            host_give(host, 2000, "do 2 pass");
        host_hears(host, 0, "1: step T1 a2");
        host_give(host, 4000, "speak"); /* he is not late */
        host_hears(host, 0, "1: step T1 a2 | 2: pass");
        gral_host_free(host);
    }
}

static void what_is_held_is_told_although_others_talk_meanwhile(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g pace=500 talk=yes", "", "");
    host_give(host, 1000, "do 1 step T1 a2 | order 2 pass in 8 | do 2 pass");
    host_give(host, 1500, "speak");
    host_give(host, 9001, "talk 1: well?");
    uint8_t kind;
    int64_t due;
    assert_true(gral_host_due(host, &kind, &due));
    assert_int_equal(kind, GRAL_INPUT_SPEAK);
    host_give(host, 9001, "speak");
    host_hears(host, 0, "2: pass");
    gral_host_free(host);
}

static void pass_proposal_ends_with_the_proposal(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "place 10 T1", "", "place 10 T1");
    host_refuse(host, 1, "order 2 pass proposal", GRAL_FAULT_NO_PROPOSAL);
    host_give(host, 1, "do 1 step T1 a2");
    host_refuse(host, 1, "order 1 pass proposal", GRAL_FAULT_NO_PROPOSAL);
    host_give(host, 1, "order 2 pass proposal | do 3 object 1");
    assert_orders_say(host, GRAL_OBJECT);
    host_give(host, 1, "do 1 claim 1 | do 3 pass");
    assert_orders_of(host, 1, 1);
    assert_orders_say(host, GRAL_PASS);
    assert_orders_of(host, 1, 0);
    gral_host_free(host);
}

static void pass_turn_ends_with_the_turn(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "place 10 T1");
    host_give(host, 1, "do 1 step T1 a2 | do 2 object 1 | order 2 pass turn | do 1 yield | do 1 step A1 e2");
    assert_orders_say(host, GRAL_PASS);
    assert_orders_of(host, 1, 0);
    gral_host_free(host);
}

static void pass_until_an_initiate_asks_when_he_acts_or_is_uncovered(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "", "place 10 T2", "");
    host_give(host, 1, "order 1 pass until T1 | order 3 pass until A1 | do 1 step A2 e2 | do 2 pass");
    assert_orders_say(host, GRAL_PASS);
    assert_orders_of(host, 0, 1);
    host_give(host, 1, "do 2 uncover T2 T1");
    assert_orders_of(host, 0, 0);
    assert_orders_of(host, 2, 1);
    host_give(host, 1, "speak");
    host_refuse(host, 1, "speak", GRAL_HOST_NOT_DUE);
    host_give(host, 1, "do 1 pass");
    host_refuse(host, 1, "order 3 pass until T1", GRAL_FAULT_PAWN_GONE);
    host_give(host, 1, "do 3 step A1 e2");
    assert_orders_of(host, 0, 0);
    assert_orders_leave_it(host);
    gral_host_free(host);
}

static void pass_until_grail_asks_when_it_may_be_moved(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g board=3x1 pawns=T1,A1 grail=b1 units=2,1", "", "");
    host_give(host, 1, "order 2 pass until grail | do 1 step T1 b1");
    assert_orders_of(host, 1, 0);
    host_give(host, 1, "do 2 pass | do 1 leave | order 1 pass until grail | do 2 step A1 b1");
    assert_orders_of(host, 0, 0);
    host_give(host, 1, "do 1 pass | do 2 leave | do 1 step A1 c1 | do 2 pass | do 1 leave");
    host_give(host, 1, "order 1 pass until grail | do 2 step T1 a1");
    assert_orders_of(host, 0, 0);
    host_give(host, 1, "do 1 pass | do 2 leave | order 2 pass until grail | do 1 step A1 b1");
    assert_orders_of(host, 1, 0);
    gral_host_free(host);
}

static void pass_until_grail_passes_what_has_nothing_to_do_with_it(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "");
    host_give(host, 1, "order 2 pass until grail | do 1 step T1 a2");
    assert_orders_say(host, GRAL_PASS);
    assert_orders_of(host, 1, 1);
    gral_host_free(host);
}

static void pass_until_uncover_asks_when_somebody_is_to_be_uncovered(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "place 10 T1", "");
    host_give(host, 1, "order 2 pass until uncover | do 1 step A1 e2");
    assert_orders_say(host, GRAL_PASS);
    host_give(host, 1, "do 2 S assign; done | do 1 uncover T1 T2");
    assert_orders_of(host, 1, 0);
    assert_orders_leave_it(host);
    gral_host_free(host);
}

static void pass_until_objection_asks_when_anybody_has_objected(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "place 10 T1", "place 10 T1", "");
    host_give(host, 1, "order 3 pass until objection | do 1 step T1 a2 | do 2 object 1 | speak | do 1 claim 1");
    assert_orders_of(host, 2, 0);
    assert_orders_leave_it(host);
    gral_host_free(host);
}

static void pass_until_mine_lasts_to_ones_own_turn(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "", "", "");
    host_give(host, 1, "order 3 pass until mine | do 1 step T1 a2 | do 2 pass");
    assert_orders_say(host, GRAL_PASS);
    host_give(host, 1, "do 2 step T1 a1 | do 1 pass");
    assert_orders_of(host, 2, 1);
    assert_orders_say(host, GRAL_PASS);
    assert_orders_of(host, 2, 0);
    gral_host_free(host);
}

static void an_order_to_object_shows_the_least_that_suffices_R4_4_R4_6(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "place 10 T1", "place 10 T1");
    host_give(host, 1, "order 2 object T1 a3 5 | order 2 pass until mine | do 1 step T1 a2");
    assert_int_equal(answer_by_order(host, 1).points, 1);
    host_hears(host, 0, "2: object 1");
    host_give(host, 1, "do 1 claim 4");
    assert_int_equal(answer_by_order(host, 1).points, 5);
    host_give(host, 1, "do 1 claim 5");
    assert_orders_say(host, GRAL_PASS); /* 6 is more than it may show: the other order speaks */
    assert_orders_of(host, 1, 1);
    gral_host_free(host);
}

static void an_order_to_object_is_about_steps_that_bring_the_initiate_nearer(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "place 10 T1; place 1 T2");
    host_give(host, 1, "order 2 object T1 a1 5 | do 1 step T1 a2");
    assert_orders_leave_it(host);
    host_give(host, 1, "do 2 pass | do 2 S assign; done | do 1 step T2 b1");
    assert_orders_leave_it(host);
    host_give(host, 1, "do 2 pass | do 2 S assign; done | do 1 step T1 a1");
    assert_orders_say(host, GRAL_OBJECT);
    assert_orders_of(host, 1, 1);
    host_give(host, 1, "cancel 2");
    assert_orders_of(host, 1, 0);
    gral_host_free(host);
}

static void an_order_never_objects_with_more_than_is_held_R4_8(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "place 10 T1", "place 2 T1");
    host_give(host, 1, "order 2 object T1 a3 50 | do 1 step T1 a2 | speak | do 1 claim 2");
    assert_orders_say(host, GRAL_PASS); /* and is not silent either: that would tell what is held */
    gral_host_free(host);
}

static void an_order_that_has_come_to_its_end_is_not_taken(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g board=3x1 pawns=T1,A1 grail=b1 units=2,1", "", "");
    host_give(host, 1, "do 1 step T1 b1");
    host_refuse(host, 1, "order 2 pass until T1", GRAL_HOST_ORDER_ENDED);
    host_refuse(host, 1, "order 2 pass until grail", GRAL_HOST_ORDER_ENDED);
    host_give(host, 1, "order 2 pass until A1 | order 2 pass until uncover");
    assert_orders_of(host, 1, 2);
    gral_host_free(host);
    host = host_opened("players=2 game=g", "place 10 T1", "");
    host_give(host, 1, "do 1 uncover T1 T2");
    host_refuse(host, 1, "order 2 pass until uncover", GRAL_HOST_ORDER_ENDED);
    gral_host_free(host);
}

static void there_are_at_most_sixteen_orders(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "");
    for (unsigned index = 0; index < GRAL_ORDERS_MAX; index++) {
        char words[32];
        snprintf(words, sizeof words, "order 2 object T1 d3 %u", index + 1);
        host_give(host, 1, words);
    }
    host_refuse(host, 1, "order 2 pass turn", GRAL_HOST_NO_ORDERS);
    gral_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_speaks_one_pace_after_the_round_began),
        cmocka_unit_test(before_a_pace_nobody_sees_how_many_have_answered_Q13),
        cmocka_unit_test(before_a_pace_no_opening_closes_Q13_R2_2),
        cmocka_unit_test(an_order_given_after_the_pace_speaks_at_once),
        cmocka_unit_test(a_round_lasts_a_pace_however_short_the_clock_Q13),
        cmocka_unit_test(pass_in_answers_after_so_many_seconds_if_its_owner_has_not),
        cmocka_unit_test(with_pass_in_nobody_sees_whether_its_owner_has_answered_before_R10_2),
        cmocka_unit_test(with_pass_in_an_objection_is_kept_and_of_the_only_one_told_at_once),
        cmocka_unit_test(pass_in_can_be_called_off_and_then_there_is_time),
        cmocka_unit_test(pass_in_is_no_longer_than_the_clock_R10_2),
        cmocka_unit_test(what_is_held_is_told_although_others_talk_meanwhile),
        cmocka_unit_test(pass_proposal_ends_with_the_proposal),
        cmocka_unit_test(pass_turn_ends_with_the_turn),
        cmocka_unit_test(pass_until_an_initiate_asks_when_he_acts_or_is_uncovered),
        cmocka_unit_test(pass_until_grail_asks_when_it_may_be_moved),
        cmocka_unit_test(pass_until_grail_passes_what_has_nothing_to_do_with_it),
        cmocka_unit_test(pass_until_uncover_asks_when_somebody_is_to_be_uncovered),
        cmocka_unit_test(pass_until_objection_asks_when_anybody_has_objected),
        cmocka_unit_test(pass_until_mine_lasts_to_ones_own_turn),
        cmocka_unit_test(an_order_to_object_shows_the_least_that_suffices_R4_4_R4_6),
        cmocka_unit_test(an_order_to_object_is_about_steps_that_bring_the_initiate_nearer),
        cmocka_unit_test(an_order_never_objects_with_more_than_is_held_R4_8),
        cmocka_unit_test(an_order_that_has_come_to_its_end_is_not_taken),
        cmocka_unit_test(there_are_at_most_sixteen_orders),
    };
    return cmocka_run_group_tests_name("host orders", tests, NULL, NULL);
}
