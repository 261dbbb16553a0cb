/* What is public and what is secret: RULES section 10, and the views built from it. */
#include "scene.h"

#include <string.h>

static void everything_public_is_in_every_view_R10_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "15 T1", "12 T1, 15 A2", "10 A2, 3 T2");
    scene_do(&scene, "step T1 a2; object 3; claim 4; object 12; yield");
    for (unsigned seat = 0; seat <= 3; seat++) {
        scene_sees(&scene, seat, "rejected step T1 a2");
        scene_sees(&scene, seat, "floor 1 T1=4 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "floor 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    }
    scene_do(&scene, "step I1 e4; all pass; uncover A2 A1; all pass");
    for (unsigned seat = 0; seat <= 3; seat++) {
        scene_sees(&scene, seat, "pawns T1=a1 T2=a1 A1=- A2=e1 I1=e4 I2=e5 R1=a5 R2=a5");
        scene_sees(&scene, seat, "floor 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "lost 2 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "paid 2 10");
    }
}

static void the_floor_is_the_highest_figure_shown_and_a_payment_lowers_it_R10_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "25 T1", "20 T1");
    scene_do(&scene, "step T1 a2; object 13; claim 22; pass");
    scene_expect(&scene, "floor 1 T1=22 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_do(&scene, "step T1 a1; pass"); /* seat 2's turn, nobody objects */
    scene_do(&scene, "uncover T1 T2; object 1; claim 1; pass");
    scene_expect(&scene, "floor 1 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void a_view_has_its_own_sheet_and_no_other_R10_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 A2");
    scene_sees(&scene, 1, "influence 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_sees(&scene, 1, "influence 2 T1=? T2=? A1=? A2=? I1=? I2=? R1=? R2=?");
    scene_sees(&scene, 1, "units 1 10=3 5=3 4=4 3=4 2=4 1=4");
    scene_sees(&scene, 1, "units 2 10=? 5=? 4=? 3=? 2=? 1=?");
    scene_sees(&scene, 2, "influence 1 T1=? T2=? A1=? A2=? I1=? I2=? R1=? R2=?");
    scene_sees(&scene, 2, "influence 2 T1=0 T2=0 A1=0 A2=12 I1=0 I2=0 R1=0 R2=0");
    scene_sees(&scene, 0, "influence 1 T1=? T2=? A1=? A2=? I1=? I2=? R1=? R2=?");
    scene_sees(&scene, 0, "units 2 10=? 5=? 4=? 3=? 2=? 1=?");
}

static void a_view_holds_no_byte_of_a_sheet_it_may_not_know_R10_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "15 T1", "12 A2", "33 R1");
    const gral_view view = gral_view_of(&scene.state, 1);
    const gral_sheet nothing = {0};
    assert_memory_equal(&view.sheet[0], &nothing, sizeof nothing);
    assert_memory_equal(&view.sheet[2], &nothing, sizeof nothing);
    assert_int_equal(view.known, 1u << 1);
    assert_int_equal(gral_view_of(&scene.state, GRAL_SPECTATOR).known, 0);
}

static void placing_changes_nothing_for_the_others_R10_2_R3_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "", "", "", "");
    scene_do(&scene, "assign");
    const gral_view other = gral_view_of(&scene.state, 2), watcher = gral_view_of(&scene.state, GRAL_SPECTATOR);
    scene_do(&scene, "place 10 T1; place 1 T1");
    const gral_view other_after = gral_view_of(&scene.state, 2);
    const gral_view watcher_after = gral_view_of(&scene.state, GRAL_SPECTATOR);
    assert_memory_equal(&other, &other_after, sizeof other);
    assert_memory_equal(&watcher, &watcher_after, sizeof watcher);
}

static void of_an_assignment_the_others_hear_only_beginning_and_end_R10_2_R3_1(void **unused)
{
    (void)unused;
    const gral_action placed = gral_place(10, GRAL_T1);
    assert_true(gral_view_hears(1, 1, placed));
    assert_false(gral_view_hears(0, 1, placed));
    assert_false(gral_view_hears(GRAL_SPECTATOR, 1, placed));
    assert_true(gral_view_hears(0, 1, gral_say(GRAL_ASSIGN)));
    assert_true(gral_view_hears(GRAL_SPECTATOR, 1, gral_say(GRAL_DONE)));
    assert_true(gral_view_hears(0, 1, gral_object(7)));
}

static void at_the_end_all_sheets_are_shown_R10_4_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 board=3x1 pawns=T1,A1 units=2,1 grail=b1 limit=1");
    scene_open(&scene, "2 T1", "1 A1");
    scene_sees(&scene, 1, "influence 2 T1=? T2=? A1=? A2=? I1=? I2=? R1=? R2=?");
    scene_do(&scene, "step T1 b1; pass; leave");
    scene_expect(&scene, "result draw");
    scene_sees(&scene, 1, "influence 2 T1=0 T2=0 A1=1 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_sees(&scene, 0, "units 1 10=0 5=0 4=0 3=0 2=0 1=1");
}

static void a_record_tells_the_turn_in_which_each_unit_was_placed_R10_4(void **unused)
{
    (void)unused;
    static const char words[] = "[Players \"2\"]\n\n1: place 10 T1\n1: done\n2: done\n1: step T1 a2\n2: pass\n"
                                "2: assign\n2: place 5 A1\n2: place 4 R2\n2: done\n";
    gral_record record;
    gral_error error;
    assert_true(gral_record_parse(gral_span_of(words), &record, &error));
    gral_placement list[GRAL_PLACEMENTS_MAX];
    assert_int_equal(gral_record_placements(&record, record.count, list), 3);
    assert_int_equal(list[0].turn, 0);
    assert_int_equal(list[0].seat, 0);
    assert_int_equal(list[0].pawn, GRAL_T1);
    assert_int_equal(list[0].points, 10);
    assert_int_equal(list[1].turn, 2);
    assert_int_equal(list[1].seat, 1);
    assert_int_equal(list[2].pawn, GRAL_R2);
    assert_int_equal(list[2].points, 4);
    assert_int_equal(gral_record_placements(&record, 7, list), 2);
    gral_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_public_is_in_every_view_R10_1),
        cmocka_unit_test(the_floor_is_the_highest_figure_shown_and_a_payment_lowers_it_R10_1),
        cmocka_unit_test(a_view_has_its_own_sheet_and_no_other_R10_2),
        cmocka_unit_test(a_view_holds_no_byte_of_a_sheet_it_may_not_know_R10_2),
        cmocka_unit_test(placing_changes_nothing_for_the_others_R10_2_R3_1),
        cmocka_unit_test(of_an_assignment_the_others_hear_only_beginning_and_end_R10_2_R3_1),
        cmocka_unit_test(at_the_end_all_sheets_are_shown_R10_4_R7_3),
        cmocka_unit_test(a_record_tells_the_turn_in_which_each_unit_was_placed_R10_4),
    };
    return cmocka_run_group_tests_name("secrets", tests, NULL, NULL);
}
