/* Carrying out a step, and the grail: RULES section 5, ruling Q1, and what R7.2 takes from the choices. */
#include "scene.h"

static struct scene with(const char *pieces)
{
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    scene_put(&scene, pieces);
    return scene;
}

static void a_bearer_arrives_with_the_grail_R5_1(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=b3 grail=T1");
    scene_do(&scene, "step T1 b4; pass");
    scene_offers(&scene, "keep; drop; leave");
    scene_do(&scene, "keep");
    scene_expect(&scene, "grail T1");
    scene_expect(&scene, "pawns T1=b4 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    assert_int_equal(scene.state.open.grail, scene.state.open.pawn[GRAL_T1]);
}

static void a_bearer_puts_the_grail_down_where_he_arrives_R5_1(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=b3 grail=T1");
    scene_do(&scene, "step T1 b4; pass; drop");
    scene_expect(&scene, "grail b4");
    scene_expect(&scene, "pawns T1=b4 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void a_bearer_leaves_the_grail_where_he_comes_from_R5_1(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=b3 grail=T1");
    scene_do(&scene, "step T1 b4; pass; leave");
    scene_expect(&scene, "grail b3");
    scene_expect(&scene, "pawns T1=b4 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void the_grail_may_be_taken_where_he_sets_off_R5_1_Q1(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=c3 grail=c3");
    scene_do(&scene, "step T1 c4; pass");
    scene_offers(&scene, "keep; drop; leave");
    scene_do(&scene, "keep");
    scene_expect(&scene, "grail T1");
    scene_expect(&scene, "pawns T1=c4 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void the_grail_may_be_shifted_by_one_who_does_not_keep_it_R5_1_Q1(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=c3 grail=c3");
    scene_do(&scene, "step T1 c4; pass; drop");
    scene_expect(&scene, "grail c4");
}

static void the_grail_may_go_on_lying_where_he_sets_off_R5_1_Q1(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=c3 grail=c3");
    scene_do(&scene, "step T1 c4; pass; leave");
    scene_expect(&scene, "grail c3");
}

static void the_grail_may_be_taken_on_the_field_of_arrival_R5_2(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=c2 grail=c3");
    scene_do(&scene, "step T1 c3; pass");
    scene_offers(&scene, "keep; leave");
    scene_refuse(&scene, "drop", GRAL_FAULT_NO_DROP);
    scene_do(&scene, "keep");
    scene_expect(&scene, "grail T1");
    scene_expect(&scene, "pawns T1=c3 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void the_grail_may_go_on_lying_on_the_field_of_arrival_R5_2(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=c2 grail=c3");
    scene_do(&scene, "step T1 c3; pass; leave");
    scene_expect(&scene, "grail c3");
    scene_expect(&scene, "pawns T1=c3 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void what_was_put_down_another_may_take_R5_1_R5_2(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=b3 A1=c4 grail=T1");
    scene_do(&scene, "step T1 b4; pass; drop; step A1 b4; pass; keep");
    scene_expect(&scene, "grail A1");
}

static void nobody_takes_the_grail_from_a_bearer_he_meets_R5_3(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=c2 A1=c3 grail=A1");
    scene_do(&scene, "step T1 c3; pass");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "grail A1");
}

static void nobody_takes_the_grail_from_a_bearer_he_leaves_R5_3(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=c3 T2=c3 grail=T2"); /* not even of his own society */
    scene_do(&scene, "step T1 c4; pass");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "grail T2");
    scene_expect(&scene, "pawns T1=c4 T2=c3 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void the_choice_comes_after_the_proposal_is_accepted_R5_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3 first=2");
    scene_open(&scene, "60 T1", "2 T1", "1 T1");
    scene_put(&scene, "T1=b3 grail=T1");
    scene_refuse(&scene, "keep", GRAL_FAULT_NO_GRAIL_CHOICE);
    scene_do(&scene, "step T1 b4; object 1; claim 2");
    scene_refuse(&scene, "drop", GRAL_FAULT_NO_GRAIL_CHOICE);
    scene_do(&scene, "pass; pass");
    scene_expect(&scene, "phase grail");
    scene_expect(&scene, "actor 2"); /* the active player, though another holds more */
    scene_expect(&scene, "pawns T1=b3 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_refuse(&scene, "step T1 b2", GRAL_FAULT_NOT_PROPOSING);
    scene_do(&scene, "leave");
    scene_expect(&scene, "active 3");
}

static void a_rejected_step_leaves_the_grail_alone_R5_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "1 T1");
    scene_put(&scene, "T1=b3 grail=b3");
    scene_do(&scene, "step T1 b4; object 1; yield");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "grail b3");
}

static void where_there_is_nothing_to_choose_nothing_is_asked_R5_4(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=b2 grail=c3");
    scene_do(&scene, "step T1 b3; pass"); /* beside the grail */
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "grail c3");
}

static void nobody_puts_the_grail_down_on_his_own_headquarters_R7_2(void **unused)
{
    (void)unused;
    static const struct {
        const char *pieces, *step;
    } arrivals[] = {
        {"T2=a2 grail=T2", "step T2 a1; pass"}, {"A1=d1 grail=A1", "step A1 e1; pass"},
        {"I2=e4 grail=I2", "step I2 e5; pass"}, {"R1=b5 grail=R1", "step R1 a5; pass"},
        {"R1=b5 grail=b5", "step R1 a5; pass"}, /* taken up beside them */
    };
    for (size_t index = 0; index < sizeof arrivals / sizeof *arrivals; index++) {
        struct scene scene = with(arrivals[index].pieces);
        scene_do(&scene, arrivals[index].step);
        scene_offers(&scene, "keep; leave");
        scene_refuse(&scene, "drop", GRAL_FAULT_NO_DROP);
    }
}

static void he_may_leave_the_grail_beside_his_own_headquarters_R5_1_R7_2(void **unused)
{
    (void)unused;
    struct scene scene = with("T1=a2 grail=T1");
    scene_do(&scene, "step T1 a1; pass; leave");
    scene_expect(&scene, "grail a2");
    scene_expect(&scene, "result -");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void on_foreign_headquarters_all_choices_remain_R5_1_R7_2_R7_4(void **unused)
{
    (void)unused;
    struct scene scene = with("A1=a2 grail=A1");
    scene_do(&scene, "step A1 a1; pass");
    scene_offers(&scene, "keep; drop; leave");
    scene_do(&scene, "drop");
    scene_expect(&scene, "grail a1");
    scene_expect(&scene, "result -");
}

static void who_sets_off_from_his_own_headquarters_keeps_or_leaves_R7_2(void **unused)
{
    (void)unused;
    struct scene scene = with("grail=a1");
    scene_do(&scene, "step T1 a2; pass");
    scene_offers(&scene, "keep; leave");
    scene_refuse(&scene, "drop", GRAL_FAULT_NO_DROP);
    scene_do(&scene, "leave");
    scene_expect(&scene, "grail a1");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "result -");
}

static void who_sets_off_from_foreign_headquarters_has_all_choices_R5_1_R7_2_R7_4(void **unused)
{
    (void)unused;
    struct scene scene = with("A1=a1 grail=a1");
    scene_do(&scene, "step A1 b1; pass");
    scene_offers(&scene, "keep; drop; leave");
    scene_do(&scene, "keep");
    scene_expect(&scene, "grail A1");
    scene_expect(&scene, "result -");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bearer_arrives_with_the_grail_R5_1),
        cmocka_unit_test(a_bearer_puts_the_grail_down_where_he_arrives_R5_1),
        cmocka_unit_test(a_bearer_leaves_the_grail_where_he_comes_from_R5_1),
        cmocka_unit_test(the_grail_may_be_taken_where_he_sets_off_R5_1_Q1),
        cmocka_unit_test(the_grail_may_be_shifted_by_one_who_does_not_keep_it_R5_1_Q1),
        cmocka_unit_test(the_grail_may_go_on_lying_where_he_sets_off_R5_1_Q1),
        cmocka_unit_test(the_grail_may_be_taken_on_the_field_of_arrival_R5_2),
        cmocka_unit_test(the_grail_may_go_on_lying_on_the_field_of_arrival_R5_2),
        cmocka_unit_test(what_was_put_down_another_may_take_R5_1_R5_2),
        cmocka_unit_test(nobody_takes_the_grail_from_a_bearer_he_meets_R5_3),
        cmocka_unit_test(nobody_takes_the_grail_from_a_bearer_he_leaves_R5_3),
        cmocka_unit_test(the_choice_comes_after_the_proposal_is_accepted_R5_4),
        cmocka_unit_test(a_rejected_step_leaves_the_grail_alone_R5_4),
        cmocka_unit_test(where_there_is_nothing_to_choose_nothing_is_asked_R5_4),
        cmocka_unit_test(nobody_puts_the_grail_down_on_his_own_headquarters_R7_2),
        cmocka_unit_test(he_may_leave_the_grail_beside_his_own_headquarters_R5_1_R7_2),
        cmocka_unit_test(on_foreign_headquarters_all_choices_remain_R5_1_R7_2_R7_4),
        cmocka_unit_test(who_sets_off_from_his_own_headquarters_keeps_or_leaves_R7_2),
        cmocka_unit_test(who_sets_off_from_foreign_headquarters_has_all_choices_R5_1_R7_2_R7_4),
    };
    return cmocka_run_group_tests_name("grail", tests, NULL, NULL);
}
