/* Uncovering: RULES section 6, ruling Q4. */
#include "scene.h"

/* Who uncovers whom */

static void whoever_stands_on_the_same_field_may_be_uncovered_R6_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 pawns=T1,T2,A1,I1,R2");
    scene_open(&scene, "10 A1");
    scene_put(&scene, "T1=c2 T2=b2 A1=c2 I1=c2 R2=c3");
    scene_offers(&scene, "assign; uncover A1 T1; uncover A1 I1; "
                         "step A1 c3; step A1 d2; step A1 c1; step A1 b2; "
                         "step T1 c3; step T1 d2; step T1 c1; step T1 b2; "
                         "step I1 c3; step I1 d2; step I1 c1; step I1 b2; "
                         "step T2 b3; step T2 c2; step T2 b1; step T2 a2; "
                         "step R2 c4; step R2 d3; step R2 c2; step R2 b3");
    scene_refuse(&scene, "uncover A1 T2", GRAL_FAULT_TARGET_ELSEWHERE);
    scene_refuse(&scene, "uncover A1 R2", GRAL_FAULT_TARGET_ELSEWHERE);
}

static void one_of_his_own_society_may_be_uncovered_R6_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 R2");
    scene_do(&scene, "uncover R2 R1; pass");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=- R2=a5");
}

static void nobody_uncovers_himself_R6_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 R2");
    scene_refuse(&scene, "uncover R2 R2", GRAL_FAULT_UNCOVERS_ITSELF);
    scene_refuse(&scene, "step R2 a4 x R2", GRAL_FAULT_UNCOVERS_ITSELF);
}

static void after_a_step_it_is_the_field_of_arrival_that_counts_R6_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "A1=a2");
    scene_refuse(&scene, "step T1 a2 x T2", GRAL_FAULT_TARGET_ELSEWHERE); /* left behind */
    scene_refuse(&scene, "step T1 b1 x A1", GRAL_FAULT_TARGET_ELSEWHERE);
    scene_refuse(&scene, "uncover T1 A1", GRAL_FAULT_TARGET_ELSEWHERE);
    scene_do(&scene, "step T1 a2 x A1; pass");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=- A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void nobody_is_uncovered_twice_R6_1_R6_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1", "10 T1, 20 T2");
    scene_do(&scene, "uncover T1 T2; pass");
    scene_refuse(&scene, "uncover T1 T2", GRAL_FAULT_PAWN_GONE);
    scene_refuse(&scene, "uncover T2 T1", GRAL_FAULT_PAWN_GONE);
}

/* The ten points */

static void nine_points_do_not_uncover_R6_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "9 T1, 10 T2", "50 T1");
    scene_put(&scene, "A1=a2");
    scene_refuse(&scene, "uncover T1 T2", GRAL_FAULT_PRICE);
    scene_refuse(&scene, "step T1 a2 x A1", GRAL_FAULT_PRICE);
    scene_do(&scene, "uncover T2 T1"); /* ten do, and it is the acting initiate that counts */
}

static void the_announcement_shows_ten_points_R6_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "25 T1");
    scene_do(&scene, "uncover T1 T2");
    for (unsigned seat = 0; seat <= 3; seat++)
        scene_sees(&scene, seat, "floor 1 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "claim 0"); /* the dispute starts from nothing (Q14) */
}

static void the_ten_points_stay_known_after_a_rejection_R6_2_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "25 T1", "3 T1");
    scene_do(&scene, "uncover T1 T2; object 1; yield");
    scene_sees(&scene, 3, "floor 1 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 1 T1=25 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "paid 1 0");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void the_announcement_does_not_hide_a_higher_figure_R6_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "25 T1", "14 T1");
    scene_do(&scene, "step T1 a2; object 14; claim 22; pass; step T1 a1; pass; uncover T1 T2");
    scene_expect(&scene, "floor 1 T1=22 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void who_has_paid_down_to_nine_uncovers_no_more_R6_2_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "19 T1");
    scene_put(&scene, "A1=a1");
    scene_do(&scene, "uncover T1 T2; pass; assign; done");
    scene_refuse(&scene, "uncover T1 A1", GRAL_FAULT_PRICE);
    scene_do(&scene, "assign; place 1 T1; done; assign; done; uncover T1 A1; pass");
    scene_expect(&scene, "paid 1 20");
    scene_expect(&scene, "influence 1 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

/* What it does */

static void all_influence_on_the_uncovered_becomes_public_and_is_lost_R6_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "12 T1, 3 T2", "15 T2, 4 A1", "");
    scene_do(&scene, "uncover T1 T2; all pass");
    scene_expect(&scene, "pawns T1=a1 T2=- A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "influence 1 T1=2 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 2 T1=0 T2=0 A1=4 A2=0 I1=0 I2=0 R1=0 R2=0");
    for (unsigned seat = 0; seat <= 3; seat++) {
        scene_sees(&scene, seat, "lost 1 T1=0 T2=3 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "lost 2 T1=0 T2=15 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "lost 3 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "floor 2 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    }
}

static void a_figure_shown_on_the_uncovered_is_no_floor_any_more_R6_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1", "15 T2");
    scene_do(&scene, "step T2 a2; object 7; yield; uncover T1 T2; pass");
    scene_expect(&scene, "floor 2 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "lost 2 T1=0 T2=15 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void the_active_player_alone_pays_ten_points_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3 first=2");
    scene_open(&scene, "40 T1", "17 T1, 20 A1", "10 T1");
    scene_do(&scene, "uncover T1 T2; all pass");
    scene_expect(&scene, "influence 1 T1=40 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 2 T1=7 T2=0 A1=20 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 3 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "paid 1 0");
    scene_expect(&scene, "paid 2 10");
    scene_expect(&scene, "paid 3 0");
}

static void a_payment_lowers_what_is_known_by_ten_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "25 T1, 25 A1", "14 T1");
    scene_do(&scene, "uncover A1 A2; pass");
    scene_expect(&scene, "floor 1 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_do(&scene, "assign; done; uncover T1 T2; object 14; claim 17; pass");
    scene_expect(&scene, "floor 1 T1=7 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "paid 1 20");
}

static void nothing_is_paid_when_the_step_ends_the_game_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1, 3 A1", "12 T1");
    scene_put(&scene, "T1=a2 A1=a1 grail=T1");
    scene_do(&scene, "step T1 a1 x A1; pass; keep");
    scene_expect(&scene, "result win 1 with T1"); /* 15 against 12; paying would have lost it */
    scene_expect(&scene, "paid 1 0");
    scene_expect(&scene, "influence 1 T1=15 T2=0 A1=3 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=a1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "lost 1 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void nothing_is_paid_when_setting_off_ends_the_game_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 T1");
    scene_put(&scene, "A1=a2 grail=a1");
    scene_do(&scene, "step T1 a2 x A1; pass; keep");
    scene_expect(&scene, "result win 1 with T1");
    scene_expect(&scene, "paid 1 0");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=a2 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

/* The grail */

static void a_grail_set_free_may_be_taken_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "T1=c2 A1=c2 grail=A1");
    scene_do(&scene, "uncover T1 A1; all pass");
    scene_expect(&scene, "phase grail");
    scene_expect(&scene, "actor 1");
    scene_offers(&scene, "keep; leave");
    scene_refuse(&scene, "drop", GRAL_FAULT_NO_DROP);
    scene_do(&scene, "keep");
    scene_expect(&scene, "grail T1");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "paid 1 10");
}

static void a_grail_set_free_may_stay_on_the_field_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "T1=c1 A1=c2 grail=A1");
    scene_do(&scene, "step T1 c2 x A1; pass");
    scene_offers(&scene, "keep; leave"); /* the only choice: on arrival it was carried (R5.3) */
    scene_do(&scene, "leave");
    scene_expect(&scene, "grail c2");
    scene_expect(&scene, "pawns T1=c2 T2=a1 A1=- A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "active 2");
}

static void an_uncovering_in_place_does_not_pick_up_a_free_grail_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "T1=c3 A1=c3 grail=c3");
    scene_do(&scene, "uncover T1 A1; pass");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "grail c3");
}

static void an_uncovering_in_place_does_not_put_the_grail_down_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "T1=c3 A1=c3 grail=T1");
    scene_do(&scene, "uncover T1 A1; pass");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "grail T1");
}

static void a_third_initiate_keeps_the_grail_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "T1=c3 A1=c3 R1=c3 grail=R1");
    scene_do(&scene, "uncover T1 A1; pass");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "grail R1");
}

static void the_choice_of_the_step_comes_before_the_uncovering_R6_5_R5_1(void **unused)
{
    (void)unused;
    static const struct {
        const char *choice, *grail;
    } outcome[] = {{"keep", "grail T1"}, {"drop", "grail c2"}, {"leave", "grail c1"}};
    for (size_t index = 0; index < sizeof outcome / sizeof *outcome; index++) {
        struct scene scene = scene_of("players=3");
        scene_open(&scene, "10 T1");
        scene_put(&scene, "T1=c1 A1=c2 grail=T1");
        scene_do(&scene, "step T1 c2 x A1; all pass");
        scene_offers(&scene, "keep; drop; leave");
        scene_expect(&scene, "pawns T1=c1 T2=a1 A1=c2 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
        scene_do(&scene, outcome[index].choice);
        scene_expect(&scene, outcome[index].grail);
        scene_expect(&scene, "pawns T1=c2 T2=a1 A1=- A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
        scene_expect(&scene, "active 2"); /* the uncovering asks no second time */
    }
}

static void a_grail_lying_on_the_field_of_arrival_is_asked_about_once_R6_5_R5_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "T1=c2 A1=c3");
    scene_do(&scene, "step T1 c3 x A1; pass");
    scene_offers(&scene, "keep; leave");
    scene_do(&scene, "leave");
    scene_expect(&scene, "grail c3");
    scene_expect(&scene, "active 2");
}

/* The move */

static void an_uncovering_ends_the_move_R6_6(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_do(&scene, "uncover T1 T2; pass");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "turn 2");
    scene_expect(&scene, "pawns T1=a1 T2=- A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void with_four_players_step_and_uncovering_take_two_turns_R6_7(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "15 T1", "12 T1, 5 A2", "10 A2");
    scene_put(&scene, "T1=d3 A2=e3");
    scene_do(&scene, "assign; done; assign; done"); /* seat 3's turn: the third part of the rulebook's example */
    scene_refuse(&scene, "step A2 d3 x T1", GRAL_FAULT_STEP_AND_UNCOVER);
    scene_do(&scene, "step A2 d3; pass; pass; object 5; claim 5; all pass");
    scene_expect(&scene, "active 4");
    scene_expect(&scene, "paid 3 0");
    scene_do(&scene, "assign; done; assign; done; assign; done; uncover A2 T1; all pass");
    scene_expect(&scene, "pawns T1=- T2=a1 A1=e1 A2=d3 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "paid 3 10");
}

static void two_or_three_players_may_uncover_without_a_step_Q4(void **unused)
{
    (void)unused;
    static const char *const tables[] = {"players=2", "players=3"};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        struct scene scene = scene_of(tables[index]);
        scene_open(&scene, "10 T1");
        scene_do(&scene, "uncover T1 T2; all pass");
        scene_expect(&scene, "pawns T1=a1 T2=- A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
        scene_expect(&scene, "paid 1 10");
    }
}

static void the_second_example_of_the_rulebook_comes_out_as_told_R6_2_R6_3_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3 first=3");
    scene_open(&scene, "15 T1", "12 T1, 5 A2", "14 A2");
    scene_put(&scene, "T1=d3 A2=e3 I2=d5");
    scene_do(&scene, "step A2 d3 x T1; pass");
    scene_expect(&scene, "floor 3 T1=0 T2=0 A1=0 A2=10 I1=0 I2=0 R1=0 R2=0");
    scene_offers(&scene, "pass; object 1..5");
    scene_do(&scene, "pass");
    scene_expect(&scene, "pawns T1=- T2=a1 A1=e1 A2=d3 I1=e5 I2=d5 R1=a5 R2=a5");
    scene_expect(&scene, "lost 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "lost 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "lost 3 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 3 T1=0 T2=0 A1=0 A2=4 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "floor 3 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "active 1");
}

static void rejected_proposals_stay_as_they_were_made_until_the_turn_ends_R4_9_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "12 A2, 10 R1", "1 A1, 1 A2, 1 R1");
    scene_put(&scene, "A1=c3 grail=A1 A2=c2 R1=c3 T1=c2");
    /* A step of the target, of the mover, uncoverings by the mover and of the target by a third. */
    scene_do(&scene, "step A1 b3; object 1; yield; step A2 b2; object 1; yield; step A2 c3; object 1; yield");
    scene_do(&scene,
             "uncover A2 T1; object 1; yield; uncover R1 A1; object 1; yield; step A2 c3 x R1; object 1; yield");
    const char *rejected = "rejected step A1 b3; step A2 b2; step A2 c3; step A2 c3 x R1; uncover A2 T1; uncover R1 A1";
    scene_expect(&scene, rejected);
    scene_do(&scene, "step A2 c3 x A1; pass");
    scene_expect(&scene, "phase grail");
    scene_expect(&scene, rejected);
    scene_sees(&scene, 2, rejected);
    scene_do(&scene, "leave");
    scene_expect(&scene, "rejected -");
}

static void with_four_players_too_rejected_proposals_stay_as_they_were_made_R4_9_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "12 A2", "1 A1, 1 A2");
    scene_put(&scene, "A1=c3 grail=A1 A2=c3");
    scene_do(&scene, "step A1 b3; object 1; yield; step A2 d3; object 1; yield; uncover A2 A1; all pass");
    scene_expect(&scene, "phase grail");
    scene_expect(&scene, "rejected step A1 b3; step A2 d3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_stands_on_the_same_field_may_be_uncovered_R6_1),
        cmocka_unit_test(one_of_his_own_society_may_be_uncovered_R6_1),
        cmocka_unit_test(nobody_uncovers_himself_R6_1),
        cmocka_unit_test(after_a_step_it_is_the_field_of_arrival_that_counts_R6_1),
        cmocka_unit_test(nobody_is_uncovered_twice_R6_1_R6_3),
        cmocka_unit_test(nine_points_do_not_uncover_R6_2),
        cmocka_unit_test(the_announcement_shows_ten_points_R6_2),
        cmocka_unit_test(the_ten_points_stay_known_after_a_rejection_R6_2_R6_4),
        cmocka_unit_test(the_announcement_does_not_hide_a_higher_figure_R6_2),
        cmocka_unit_test(who_has_paid_down_to_nine_uncovers_no_more_R6_2_R6_4),
        cmocka_unit_test(all_influence_on_the_uncovered_becomes_public_and_is_lost_R6_3),
        cmocka_unit_test(a_figure_shown_on_the_uncovered_is_no_floor_any_more_R6_3),
        cmocka_unit_test(the_active_player_alone_pays_ten_points_R6_4),
        cmocka_unit_test(a_payment_lowers_what_is_known_by_ten_R6_4),
        cmocka_unit_test(nothing_is_paid_when_the_step_ends_the_game_R6_4),
        cmocka_unit_test(nothing_is_paid_when_setting_off_ends_the_game_R6_4),
        cmocka_unit_test(a_grail_set_free_may_be_taken_R6_5),
        cmocka_unit_test(a_grail_set_free_may_stay_on_the_field_R6_5),
        cmocka_unit_test(an_uncovering_in_place_does_not_pick_up_a_free_grail_R6_5),
        cmocka_unit_test(an_uncovering_in_place_does_not_put_the_grail_down_R6_5),
        cmocka_unit_test(a_third_initiate_keeps_the_grail_R6_5),
        cmocka_unit_test(the_choice_of_the_step_comes_before_the_uncovering_R6_5_R5_1),
        cmocka_unit_test(a_grail_lying_on_the_field_of_arrival_is_asked_about_once_R6_5_R5_2),
        cmocka_unit_test(an_uncovering_ends_the_move_R6_6),
        cmocka_unit_test(with_four_players_step_and_uncovering_take_two_turns_R6_7),
        cmocka_unit_test(two_or_three_players_may_uncover_without_a_step_Q4),
        cmocka_unit_test(the_second_example_of_the_rulebook_comes_out_as_told_R6_2_R6_3_R6_4),
        cmocka_unit_test(rejected_proposals_stay_as_they_were_made_until_the_turn_ends_R4_9_R6_5),
        cmocka_unit_test(with_four_players_too_rejected_proposals_stay_as_they_were_made_R4_9_R6_5),
    };
    return cmocka_run_group_tests_name("uncover", tests, NULL, NULL);
}
