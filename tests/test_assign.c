/* Assigning influence: RULES section 3, ruling Q3. */
#include "scene.h"

#include <string.h>

static void everybody_hears_the_announcement_and_nobody_the_units_R3_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "");
    scene_do(&scene, "assign; place 10 T1; place 5 A2");
    for (unsigned seat = 0; seat <= 3; seat++) {
        scene_sees(&scene, seat, "phase placing");
        scene_sees(&scene, seat, "active 1");
    }
    scene_sees(&scene, 1, "units 1 10=3 5=3 4=4 3=4 2=4 1=4");
    for (unsigned seat = 0; seat <= 3; seat += seat == 0 ? 2 : 1) {
        scene_sees(&scene, seat, "units 1 10=? 5=? 4=? 3=? 2=? 1=?");
        scene_sees(&scene, seat, "influence 1 T1=? T2=? A1=? A2=? I1=? I2=? R1=? R2=?");
        scene_sees(&scene, seat, "floor 1 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    }
}

static void an_assignment_of_nothing_looks_like_any_other_R3_1_Q3(void **unused)
{
    (void)unused;
    struct scene bluff = scene_of("players=2"), real = scene_of("players=2");
    scene_open(&bluff, "");
    scene_open(&real, "");
    scene_do(&bluff, "assign; done");
    scene_do(&real, "assign; place 10 T1; place 10 T1; place 1 R2; done");
    const gral_view of_bluff = gral_view_of(&bluff.state, 1), of_real = gral_view_of(&real.state, 1);
    assert_memory_equal(&of_bluff, &of_real, sizeof of_real);
}

static void an_assignment_is_announced_at_the_beginning_of_the_turn_only_R3_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 T1", "3 T1");
    scene_refuse(&scene, "place 1 T1", GRAL_FAULT_NOT_PLACING);
    scene_refuse(&scene, "done", GRAL_FAULT_NOT_PLACING);
    scene_do(&scene, "step T1 a2");
    scene_refuse(&scene, "assign", GRAL_FAULT_NOT_PROPOSING); /* seat 2 may not slip one in */
    scene_do(&scene, "object 1");
    scene_refuse(&scene, "assign", GRAL_FAULT_NOT_PROPOSING);
    scene_do(&scene, "yield");
    scene_refuse(&scene, "assign", GRAL_FAULT_ASSIGN_AFTER_REJECTION);
}

static void any_number_of_unused_units_may_be_placed_R3_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 units=10,2,2,1 pawns=T1,I1");
    scene_open(&scene, "2 T1");
    scene_do(&scene, "assign");
    scene_offers(&scene, "done; place 10 T1; place 10 I1; place 2 T1; place 2 I1; place 1 T1; place 1 I1");
    scene_do(&scene, "place 2 I1");
    scene_offers(&scene, "done; place 10 T1; place 10 I1; place 1 T1; place 1 I1");
    scene_do(&scene, "place 10 I1; place 1 T1");
    scene_offers(&scene, "done");
    scene_do(&scene, "done");
    scene_expect(&scene, "influence 1 T1=3 T2=0 A1=0 A2=0 I1=12 I2=0 R1=0 R2=0");
}

static void units_are_placed_whole_R3_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 units=10,5");
    scene_open(&scene, "");
    scene_do(&scene, "assign");
    scene_refuse(&scene, "place 3 T1", GRAL_FAULT_NO_UNIT);
    scene_refuse(&scene, "place 1 T1", GRAL_FAULT_NO_UNIT);
    assert_int_equal(gral_check(&scene.game, &scene.state, gral_place(15, GRAL_T1)), GRAL_FAULT_NO_UNIT);
    assert_int_equal(gral_check(&scene.game, &scene.state, gral_place(0, GRAL_T1)), GRAL_FAULT_NO_UNIT);
}

static void no_unit_goes_to_an_uncovered_initiate_R3_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_do(&scene, "uncover T1 T2; pass; assign");
    scene_refuse(&scene, "place 1 T2", GRAL_FAULT_PAWN_GONE);
    scene_do(&scene, "place 1 T1");
}

static void placing_nothing_is_legal_R3_2_Q3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    scene_do(&scene, "assign; done");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "units 1 10=4 5=4 4=4 3=4 2=4 1=4");
}

static void an_empty_sheet_may_assign_too_R3_2_Q3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "100 T1");
    scene_do(&scene, "assign");
    scene_offers(&scene, "done");
    scene_do(&scene, "done");
    scene_expect(&scene, "active 2");
}

static void with_two_or_three_players_units_go_to_several_initiates_R3_3(void **unused)
{
    (void)unused;
    static const char *const tables[] = {"players=2", "players=3"};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        struct scene scene = scene_of(tables[index]);
        scene_open(&scene, "");
        scene_do(&scene, "assign; place 10 T1; place 5 A2; place 4 T1; place 1 R2; done");
        scene_expect(&scene, "influence 1 T1=14 T2=0 A1=0 A2=5 I1=0 I2=0 R1=0 R2=1");
    }
}

static void with_four_or_more_players_units_go_to_one_initiate_R3_3(void **unused)
{
    (void)unused;
    static const char *const tables[] = {"players=4", "players=5", "players=12", "players=4 rules=original"};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        struct scene scene = scene_of(tables[index]);
        scene_open(&scene, "");
        scene_do(&scene, "assign; place 10 A2");
        scene_refuse(&scene, "place 5 T1", GRAL_FAULT_OTHER_PAWN);
        scene_refuse(&scene, "place 5 A1", GRAL_FAULT_OTHER_PAWN);
        scene_offers(&scene, "done; place 10 A2; place 5 A2; place 4 A2; place 3 A2; place 2 A2; place 1 A2");
        scene_do(&scene, "place 5 A2; done");
        scene_expect(&scene, "influence 1 T1=0 T2=0 A1=0 A2=15 I1=0 I2=0 R1=0 R2=0");
    }
}

static void each_assignment_chooses_its_initiate_anew_R3_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "");
    scene_do(&scene, "assign; place 10 A2; done; assign; place 1 T1; done; assign; done; assign; done");
    scene_do(&scene, "assign; place 10 R1; done");
    scene_expect(&scene, "influence 1 T1=0 T2=0 A1=0 A2=10 I1=0 I2=0 R1=10 R2=0");
    scene_expect(&scene, "influence 2 T1=1 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void a_placed_unit_is_used_up_R3_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 units=10,5 pawns=T1,A1");
    scene_open(&scene, "10 T1");
    scene_do(&scene, "assign");
    scene_refuse(&scene, "place 10 A1", GRAL_FAULT_NO_UNIT);
    scene_offers(&scene, "done; place 5 T1; place 5 A1");
    scene_do(&scene, "place 5 A1; done; assign; done; assign");
    scene_offers(&scene, "done");
}

static void neither_payment_nor_loss_gives_units_back_R3_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1, 3 T2", "20 T2");
    scene_do(&scene, "uncover T1 T2; pass");
    scene_expect(&scene, "influence 1 T1=5 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 2 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "units 1 10=3 5=3 4=4 3=3 2=4 1=4");
    scene_expect(&scene, "units 2 10=2 5=4 4=4 3=4 2=4 1=4");
}

static void influence_is_what_was_placed_less_what_was_paid_R3_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "16 T1");
    scene_do(&scene, "assign; place 5 T1; place 4 T1; done; assign; done");
    scene_expect(&scene, "influence 1 T1=25 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_do(&scene, "uncover T1 T2; pass; assign; done");
    scene_expect(&scene, "influence 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_do(&scene, "assign; place 4 T1; place 2 A1; done");
    scene_expect(&scene, "influence 1 T1=19 T2=0 A1=2 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void influence_belongs_to_one_player_R3_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "10 T1", "7 T1", "1 T1");
    scene_expect(&scene, "influence 1 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 2 T1=7 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 3 T1=1 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_hears_the_announcement_and_nobody_the_units_R3_1),
        cmocka_unit_test(an_assignment_of_nothing_looks_like_any_other_R3_1_Q3),
        cmocka_unit_test(an_assignment_is_announced_at_the_beginning_of_the_turn_only_R3_1),
        cmocka_unit_test(any_number_of_unused_units_may_be_placed_R3_2),
        cmocka_unit_test(units_are_placed_whole_R3_2),
        cmocka_unit_test(no_unit_goes_to_an_uncovered_initiate_R3_2),
        cmocka_unit_test(placing_nothing_is_legal_R3_2_Q3),
        cmocka_unit_test(an_empty_sheet_may_assign_too_R3_2_Q3),
        cmocka_unit_test(with_two_or_three_players_units_go_to_several_initiates_R3_3),
        cmocka_unit_test(with_four_or_more_players_units_go_to_one_initiate_R3_3),
        cmocka_unit_test(each_assignment_chooses_its_initiate_anew_R3_3),
        cmocka_unit_test(a_placed_unit_is_used_up_R3_4),
        cmocka_unit_test(neither_payment_nor_loss_gives_units_back_R3_4),
        cmocka_unit_test(influence_is_what_was_placed_less_what_was_paid_R3_5),
        cmocka_unit_test(influence_belongs_to_one_player_R3_5),
    };
    return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
