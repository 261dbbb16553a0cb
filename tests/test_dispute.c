/* Proposals and disputes: RULES section 4, rulings Q2, Q5-Q7, Q10, Q13, Q14. */
#include "scene.h"

#include <stdio.h>

/* Proposing */

static void any_initiate_may_be_proposed_without_influence_R4_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    scene_offers(&scene, "assign; step T1 a2; step T1 b1; step T2 a2; step T2 b1; step A1 e2; step A1 d1; "
                         "step A2 e2; step A2 d1; step I1 e4; step I1 d5; step I2 e4; step I2 d5; "
                         "step R1 a4; step R1 b5; step R2 a4; step R2 b5");
}

static void a_step_goes_to_an_adjacent_field_R4_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "100 T1");
    scene_refuse(&scene, "step T1 b2", GRAL_FAULT_NOT_ADJACENT);
    scene_refuse(&scene, "step T1 a3", GRAL_FAULT_NOT_ADJACENT);
    scene_refuse(&scene, "step T1 a1", GRAL_FAULT_NOT_ADJACENT);
    scene_put(&scene, "T1=e2");
    scene_refuse(&scene, "step T1 a3", GRAL_FAULT_NOT_ADJACENT); /* no way round the edge */
}

static void any_number_of_initiates_share_a_field_R4_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    scene_put(&scene, "T1=c2 T2=c3 A1=c3 A2=c3 I1=c3 I2=c3 R1=c3 R2=c3 grail=R2");
    scene_do(&scene, "step T1 c3; pass");
    scene_expect(&scene, "pawns T1=c3 T2=c3 A1=c3 A2=c3 I1=c3 I2=c3 R1=c3 R2=c3");
}

static void an_uncovered_initiate_steps_no_more_R4_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1");
    scene_do(&scene, "uncover T1 T2; pass");
    scene_refuse(&scene, "step T2 a2", GRAL_FAULT_PAWN_GONE);
}

static void two_or_three_players_may_step_and_uncover_at_once_R4_2(void **unused)
{
    (void)unused;
    static const char *const tables[] = {"players=2", "players=3"};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        struct scene scene = scene_of(tables[index]);
        scene_open(&scene, "10 T1");
        scene_put(&scene, "A1=a2");
        scene_do(&scene, "step T1 a2 x A1");
        scene_expect(&scene, "proposal step T1 a2 x A1");
        scene_do(&scene, "all pass");
        scene_expect(&scene, "pawns T1=a2 T2=a1 A1=- A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    }
}

static void four_or_more_players_may_not_step_and_uncover_at_once_R4_2(void **unused)
{
    (void)unused;
    static const char *const tables[] = {"players=4", "players=12", "players=4 rules=original"};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        struct scene scene = scene_of(tables[index]);
        scene_open(&scene, "10 T1");
        scene_put(&scene, "A1=a2");
        scene_refuse(&scene, "step T1 a2 x A1", GRAL_FAULT_STEP_AND_UNCOVER);
    }
}

static void any_number_of_players_may_uncover_in_place_R4_2(void **unused)
{
    (void)unused;
    static const char *const tables[] = {"players=2", "players=3", "players=4", "players=12"};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        struct scene scene = scene_of(tables[index]);
        scene_open(&scene, "10 T1");
        scene_do(&scene, "uncover T1 T2");
        scene_expect(&scene, "proposal uncover T1 T2");
        scene_do(&scene, "all pass");
        scene_expect(&scene, "pawns T1=a1 T2=- A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    }
}

static void a_proposal_does_not_say_what_becomes_of_the_grail_R4_3_Q2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 T1", "3 T1");
    scene_put(&scene, "T1=b3 grail=T1");
    scene_do(&scene, "step T1 a3");
    scene_expect(&scene, "proposal step T1 a3");
    scene_do(&scene, "object 3; claim 3");
    scene_refuse(&scene, "keep", GRAL_FAULT_NO_GRAIL_CHOICE);
    scene_do(&scene, "pass");
    scene_expect(&scene, "phase grail");
    scene_expect(&scene, "proposal step T1 a3");
    scene_offers(&scene, "keep; drop; leave");
}

static void another_handling_of_the_grail_is_no_other_proposal_R4_3_R4_9_Q2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "3 T1");
    scene_put(&scene, "T1=b3 grail=T1");
    scene_do(&scene, "step T1 a3; object 1; yield");
    scene_refuse(&scene, "step T1 a3", GRAL_FAULT_REJECTED);
}

/* Objecting */

static void an_objection_shows_between_one_point_and_all_R4_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "50 T1", "12 T1", "1 T1");
    scene_do(&scene, "step T1 a2");
    scene_offers(&scene, "pass; object 1..12");
    scene_refuse(&scene, "object 13", GRAL_FAULT_MORE_THAN_HELD);
    scene_do(&scene, "pass");
    scene_offers(&scene, "pass; object 1..1");
}

static void influence_on_another_initiate_does_not_object_R4_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "60 T2, 40 A1");
    scene_do(&scene, "step T1 a2");
    scene_offers(&scene, "pass");
    scene_refuse(&scene, "object 1", GRAL_FAULT_MORE_THAN_HELD);
}

static void influence_on_the_one_to_be_uncovered_does_not_object_R4_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "10 T1", "90 T2, 4 T1", "100 T2");
    scene_do(&scene, "uncover T1 T2");
    scene_offers(&scene, "pass; object 1..4");
    scene_do(&scene, "pass");
    scene_offers(&scene, "pass");
}

static void there_is_no_protest_without_points_R4_4_Q5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "5 T1");
    scene_do(&scene, "step T1 a2");
    scene_refuse(&scene, "object 0", GRAL_FAULT_NO_POINTS);
    gral_action action;
    gral_error error;
    assert_false(gral_action_parse(gral_span_of("object"), &action, &error));
}

static void an_objection_is_known_before_it_is_answered_R4_4_Q5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 T1", "5 T1");
    scene_do(&scene, "step T1 a2; object 2");
    scene_sees(&scene, 1, "objection 2 by 2");
    scene_sees(&scene, 1, "floor 2 T1=2 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void only_others_object_R4_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 T1", "5 T1");
    scene_refuse(&scene, "object 1", GRAL_FAULT_NO_PROPOSAL);
    scene_refuse(&scene, "pass", GRAL_FAULT_NO_PROPOSAL);
    scene_do(&scene, "step T1 a2; pass"); /* the round does not come to seat 1 */
    scene_expect(&scene, "active 2");
}

/* Insisting */

static void to_insist_is_to_show_at_least_as_much_R4_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 T1");
    scene_do(&scene, "step T1 a2; object 8");
    scene_expect(&scene, "phase answer");
    scene_expect(&scene, "actor 1");
    scene_refuse(&scene, "claim 7", GRAL_FAULT_CLAIM_TOO_LOW);
    scene_refuse(&scene, "claim 16", GRAL_FAULT_MORE_THAN_HELD);
    scene_refuse(&scene, "pass", GRAL_FAULT_NO_PROPOSAL);
    scene_do(&scene, "claim 8");
    scene_expect(&scene, "claim 8");
    scene_expect(&scene, "objection -");
}

static void he_may_show_more_than_the_objection_R4_5_Q6(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 T1");
    scene_do(&scene, "step T1 a2; object 3");
    scene_offers(&scene, "yield; claim 3..15");
    scene_do(&scene, "claim 11");
    scene_offers(&scene, "pass; object 12..12");
}

static void he_who_shows_all_at_once_silences_the_table_R4_6_Q6(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "15 T1");
    scene_do(&scene, "step T1 a2; object 1; claim 15");
    scene_offers(&scene, "pass");
}

static void he_may_yield_though_he_could_insist_R4_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "15 T1", "12 T1");
    scene_do(&scene, "step T1 a2; object 12");
    scene_offers(&scene, "yield; claim 12..15");
    scene_do(&scene, "yield");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "actor 1");
    scene_expect(&scene, "turn 1");
    scene_expect(&scene, "rejected step T1 a2");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void he_who_holds_less_must_yield_R4_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "4 T1, 96 T2", "5 T1");
    scene_do(&scene, "step T1 a2; object 5");
    scene_offers(&scene, "yield");
    scene_refuse(&scene, "claim 5", GRAL_FAULT_MORE_THAN_HELD);
}

static void an_even_claim_stands_R4_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 T1", "5 T1");
    scene_do(&scene, "step T1 a2; object 5; claim 5; pass");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

/* Going on */

static void a_silent_player_may_object_later_R4_6_Q7(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "5 T1", "9 T1", "3 T1");
    scene_do(&scene, "step T1 a2; pass; object 3; claim 3"); /* seat 2 stays silent, seat 3 objects */
    scene_expect(&scene, "actor 2");
    scene_offers(&scene, "pass; object 4..9");
    scene_do(&scene, "object 9");
    scene_offers(&scene, "yield"); /* seat 1 has shown 3 and holds 5 */
}

static void an_objection_must_exceed_the_claim_R4_6(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "9 T1", "9 T1");
    scene_do(&scene, "step T1 a2; object 2; claim 5");
    scene_refuse(&scene, "object 4", GRAL_FAULT_OBJECTION_TOO_LOW);
    scene_refuse(&scene, "object 5", GRAL_FAULT_OBJECTION_TOO_LOW);
    scene_offers(&scene, "pass; object 6..9");
}

static void the_dispute_goes_on_until_nobody_objects_R4_6(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "20 T1", "9 T1", "12 T1", "15 T1");
    scene_do(&scene, "step T1 a2; object 1; claim 1; pass; object 3; claim 5; pass; pass; object 15; claim 15");
    scene_expect(&scene, "phase objection");
    scene_expect(&scene, "actor 2");
    scene_do(&scene, "pass; pass");
    scene_expect(&scene, "phase objection");
    scene_expect(&scene, "actor 4");
    scene_do(&scene, "pass");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "claim 0");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void influence_of_several_players_is_never_added_up_R4_7(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "4 T1", "3 T1", "4 T1", "4 T1"); /* together they hold 11 */
    scene_do(&scene, "step T1 a2; object 3; claim 4");
    scene_offers(&scene, "pass");
    scene_do(&scene, "pass");
    scene_offers(&scene, "pass");
    scene_do(&scene, "pass; pass");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void nobody_supports_the_proposal_of_another_R4_7(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "2 T1", "3 T1", "90 T1");
    scene_do(&scene, "step T1 a2; object 3");
    scene_expect(&scene, "actor 1"); /* seat 3 is not asked */
    scene_offers(&scene, "yield");
}

static void a_figure_need_not_be_a_sum_of_units_R4_8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 units=10,10");
    scene_open(&scene, "20 T1", "10 T1");
    scene_do(&scene, "step T1 a2; object 7; claim 13; pass");
    scene_expect(&scene, "floor 1 T1=13 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "floor 2 T1=7 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void what_is_shown_stays_with_its_owner_R4_8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 T1");
    scene_do(&scene, "step T1 a2; object 10; claim 12; pass");
    scene_expect(&scene, "influence 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "paid 1 0");
}

static void what_is_shown_is_known_to_all_from_then_on_R4_8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "15 T1", "12 T1");
    scene_do(&scene, "step T1 a2; object 10; yield; step A1 e2; all pass");
    scene_do(&scene, "step T1 a2; all pass; step T1 a1; pass; object 3; yield"); /* a lower figure takes nothing back */
    for (unsigned seat = 0; seat <= 3; seat++)
        scene_sees(&scene, seat, "floor 2 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

/* Rejections */

static void a_rejected_proposal_is_not_made_again_in_the_turn_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "5 T1, 5 A1");
    scene_do(&scene, "step T1 a2; object 1; yield");
    scene_refuse(&scene, "step T1 a2", GRAL_FAULT_REJECTED);
    scene_do(&scene, "step A1 e2; object 1; yield");
    scene_refuse(&scene, "step T1 a2", GRAL_FAULT_REJECTED);
    scene_refuse(&scene, "step A1 e2", GRAL_FAULT_REJECTED);
    scene_expect(&scene, "rejected step A1 e2; step T1 a2");
}

static void another_field_or_initiate_is_another_proposal_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "5 T1");
    scene_do(&scene, "step T1 a2; object 1; yield; step T1 b1; object 1; yield");
    scene_do(&scene, "step T2 a2; pass");
    scene_expect(&scene, "pawns T1=a1 T2=a2 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "active 2");
}

static void a_step_with_and_without_uncovering_are_two_proposals_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "10 T1", "20 T1");
    scene_put(&scene, "A1=a2 A2=a2");
    scene_do(&scene, "step T1 a2; object 20; yield; step T1 a2 x A1; object 20; yield");
    scene_refuse(&scene, "step T1 a2 x A1", GRAL_FAULT_REJECTED);
    scene_do(&scene, "step T1 a2 x A2; object 20; yield");
    scene_expect(&scene, "rejected step T1 a2; step T1 a2 x A1; step T1 a2 x A2");
    scene_refuse(&scene, "step T1 a2 x A2", GRAL_FAULT_REJECTED);
    scene_do(&scene, "uncover T1 T2; object 20; yield");
    scene_refuse(&scene, "uncover T1 T2", GRAL_FAULT_REJECTED);
}

static void the_rejection_of_a_step_and_uncovering_leaves_the_step_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1", "20 T1");
    scene_put(&scene, "A1=a2");
    scene_do(&scene, "step T1 a2 x A1; object 20; yield; step T1 a2; pass");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=a2 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void after_a_rejection_there_is_no_assigning_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "5 T1");
    scene_do(&scene, "step T1 a2; object 1; yield");
    scene_refuse(&scene, "assign", GRAL_FAULT_ASSIGN_AFTER_REJECTION);
    scene_offers(&scene,
                 "step T1 b1; step T2 a2; step T2 b1; step A1 e2; step A1 d1; step A2 e2; step A2 d1; "
                 "step I1 e4; step I1 d5; step I2 e4; step I2 d5; step R1 a4; step R1 b5; step R2 a4; step R2 b5");
}

static void a_rejected_uncovering_forbids_assigning_too_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "10 T1", "20 T1");
    scene_do(&scene, "uncover T1 T2; object 20; yield");
    scene_refuse(&scene, "assign", GRAL_FAULT_ASSIGN_AFTER_REJECTION);
}

static void a_rejection_is_forgotten_with_the_turn_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "10 T1", "5 T1");
    scene_do(&scene, "step T1 a2; object 1; yield; uncover T1 T2; object 1; yield");
    scene_expect(&scene, "rejected step T1 a2; uncover T1 T2");
    scene_do(&scene, "step A1 e2; pass");
    scene_expect(&scene, "rejected -");
    scene_do(&scene, "assign; done; step T1 a2; object 1; yield; uncover T1 T2");
    scene_expect(&scene, "proposal uncover T1 T2");
}

static void when_every_step_is_rejected_he_may_assign_R4_10(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 board=3x1 pawns=T1,A1 units=2,1 grail=b1");
    scene_open(&scene, "", "1 T1, 2 A1");
    scene_do(&scene, "step T1 b1; object 1; yield");
    scene_offers(&scene, "step A1 b1");
    scene_do(&scene, "step A1 b1; object 1; yield");
    scene_offers(&scene, "assign");
    scene_do(&scene, "assign; place 2 T1; done");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "influence 1 T1=2 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

/* Seat 1 proposes one step after the other, seat 2 objects to all of them; how many there were. */
static unsigned reject_every_step(struct scene *scene)
{
    for (unsigned rejected = 0;; rejected++) {
        gral_action list[GRAL_LEGAL_MAX];
        const unsigned count = gral_legal_list(&scene->game, &scene->state, list);
        unsigned index = 0;
        while (index < count && (list[index].verb != GRAL_STEP || list[index].target != GRAL_NO_PAWN))
            index++;
        if (index == count)
            return rejected;
        if (rejected > 0)
            scene_refuse(scene, "assign", GRAL_FAULT_ASSIGN_AFTER_REJECTION);
        gral_apply(&scene->game, &scene->state, list[index]);
        scene_do(scene, "object 1; yield");
    }
}

static void on_the_whole_board_it_takes_every_step_R4_10(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "10 T1, 10 T2, 10 A1, 10 A2, 5 I1, 5 I2, 5 R1, 5 R2");
    assert_int_equal(reject_every_step(&scene), 16); /* two from a corner */
    scene_offers(&scene, "assign");
}

static void in_the_middle_of_the_board_there_are_four_steps_each_R4_10(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "10 T1, 10 T2, 10 A1, 10 A2, 5 I1, 5 I2, 5 R1, 5 R2");
    scene_put(&scene, "T1=b2 T2=b3 A1=b4 A2=c2 I1=c3 I2=c4 R1=d2 R2=d4");
    assert_int_equal(reject_every_step(&scene), 32);
    scene_offers(&scene, "assign");
    scene_do(&scene, "assign; place 10 T1; place 10 T2; done");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "rejected -");
}

static void an_uncovered_initiate_has_no_step_to_reject_R4_10(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 board=3x1 pawns=T1,T2 units=10,10 grail=c1");
    scene_open(&scene, "20 T1");
    scene_do(&scene, "uncover T1 T2; pass; step T1 b1; object 1; yield");
    scene_offers(&scene, "assign");
}

static void uncoverings_do_not_count_and_stay_possible_R4_10_Q10(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "10 T1", "20 T1, 10 T2, 10 A1, 5 A2, 5 I1, 5 I2, 5 R1, 4 R2");
    assert_int_equal(reject_every_step(&scene), 16);
    scene_offers(&scene, "assign; uncover T1 T2");
    scene_do(&scene, "uncover T1 T2; object 20; yield");
    scene_offers(&scene, "assign");
}

static void a_rejected_step_and_uncovering_is_not_the_step_R4_10_Q10(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 board=2x1 pawns=T1,A1 units=10,10,5 grail=a1");
    scene_open(&scene, "10 T1", "20 T1, 5 A1");
    scene_do(&scene, "step A1 a1; object 1; yield; step T1 b1 x A1; object 20; yield");
    scene_refuse(&scene, "assign", GRAL_FAULT_ASSIGN_AFTER_REJECTION);
    scene_offers(&scene, "step T1 b1");
    scene_do(&scene, "step T1 b1; object 20; yield");
    scene_offers(&scene, "assign");
}

/* Who is asked */

static void the_others_are_asked_clockwise_once_each_Q13(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=12 first=10");
    scene_open(&scene, "");
    scene_do(&scene, "step T1 a2");
    for (unsigned asked = 0; asked < 11; asked++) {
        char words[32];
        snprintf(words, sizeof words, "actor %u", (10 + asked) % 12 + 1);
        scene_expect(&scene, words);
        scene_offers(&scene, "pass"); /* also who cannot object */
        scene_do(&scene, "pass");
    }
    scene_expect(&scene, "active 11");
}

static void an_objection_is_answered_at_once_and_the_round_starts_anew_Q13(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 first=3");
    scene_open(&scene, "5 T1", "9 T1", "9 T1", "1 T1");
    scene_do(&scene, "step T1 a2");
    scene_expect(&scene, "actor 4");
    scene_do(&scene, "pass");
    scene_expect(&scene, "actor 1");
    scene_do(&scene, "object 2");
    scene_expect(&scene, "actor 3"); /* before seat 2 is asked */
    scene_expect(&scene, "phase answer");
    scene_do(&scene, "claim 2");
    scene_expect(&scene, "actor 4");
    scene_do(&scene, "pass");
    scene_expect(&scene, "actor 1");
}

static void a_dispute_starts_from_nothing_shown_Q14(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 T1");
    scene_do(&scene, "step T1 a2; object 5; claim 11; object 12; yield; step T1 b1");
    scene_expect(&scene, "claim 0");
    scene_offers(&scene, "pass; object 1..12");
    scene_do(&scene, "object 1");
    scene_offers(&scene, "yield; claim 1..15");
}

static void repeating_a_known_figure_costs_nothing_Q14(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 T1");
    scene_do(&scene, "step T1 a2; object 10; claim 11; pass; step T1 a1; object 11; claim 11; pass");
    scene_expect(&scene, "floor 1 T1=11 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "floor 2 T1=11 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void the_first_example_of_the_rulebook_comes_out_as_told_R4_5_R4_6_R4_9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "15 T1", "12 T1, 5 A2", "10 A2");
    scene_put(&scene, "T1=d2 A2=e3 I2=d4");
    scene_do(&scene,
             "step T1 d3; object 1; claim 1; object 2; claim 2; object 5; claim 5; object 10; claim 10; object 12");
    scene_offers(&scene, "yield; claim 12..15");
    scene_do(&scene, "yield; step I2 d5; all pass");
    scene_expect(&scene, "pawns T1=d2 T2=a1 A1=e1 A2=e3 I1=e5 I2=d5 R1=a5 R2=a5");
    scene_expect(&scene, "floor 1 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "floor 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "active 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_initiate_may_be_proposed_without_influence_R4_1),
        cmocka_unit_test(a_step_goes_to_an_adjacent_field_R4_1),
        cmocka_unit_test(any_number_of_initiates_share_a_field_R4_1),
        cmocka_unit_test(an_uncovered_initiate_steps_no_more_R4_1),
        cmocka_unit_test(two_or_three_players_may_step_and_uncover_at_once_R4_2),
        cmocka_unit_test(four_or_more_players_may_not_step_and_uncover_at_once_R4_2),
        cmocka_unit_test(any_number_of_players_may_uncover_in_place_R4_2),
        cmocka_unit_test(a_proposal_does_not_say_what_becomes_of_the_grail_R4_3_Q2),
        cmocka_unit_test(another_handling_of_the_grail_is_no_other_proposal_R4_3_R4_9_Q2),
        cmocka_unit_test(an_objection_shows_between_one_point_and_all_R4_4),
        cmocka_unit_test(influence_on_another_initiate_does_not_object_R4_4),
        cmocka_unit_test(influence_on_the_one_to_be_uncovered_does_not_object_R4_4),
        cmocka_unit_test(there_is_no_protest_without_points_R4_4_Q5),
        cmocka_unit_test(an_objection_is_known_before_it_is_answered_R4_4_Q5),
        cmocka_unit_test(only_others_object_R4_4),
        cmocka_unit_test(to_insist_is_to_show_at_least_as_much_R4_5),
        cmocka_unit_test(he_may_show_more_than_the_objection_R4_5_Q6),
        cmocka_unit_test(he_who_shows_all_at_once_silences_the_table_R4_6_Q6),
        cmocka_unit_test(he_may_yield_though_he_could_insist_R4_5),
        cmocka_unit_test(he_who_holds_less_must_yield_R4_5),
        cmocka_unit_test(an_even_claim_stands_R4_5),
        cmocka_unit_test(a_silent_player_may_object_later_R4_6_Q7),
        cmocka_unit_test(an_objection_must_exceed_the_claim_R4_6),
        cmocka_unit_test(the_dispute_goes_on_until_nobody_objects_R4_6),
        cmocka_unit_test(influence_of_several_players_is_never_added_up_R4_7),
        cmocka_unit_test(nobody_supports_the_proposal_of_another_R4_7),
        cmocka_unit_test(a_figure_need_not_be_a_sum_of_units_R4_8),
        cmocka_unit_test(what_is_shown_stays_with_its_owner_R4_8),
        cmocka_unit_test(what_is_shown_is_known_to_all_from_then_on_R4_8),
        cmocka_unit_test(a_rejected_proposal_is_not_made_again_in_the_turn_R4_9),
        cmocka_unit_test(another_field_or_initiate_is_another_proposal_R4_9),
        cmocka_unit_test(a_step_with_and_without_uncovering_are_two_proposals_R4_9),
        cmocka_unit_test(the_rejection_of_a_step_and_uncovering_leaves_the_step_R4_9),
        cmocka_unit_test(after_a_rejection_there_is_no_assigning_R4_9),
        cmocka_unit_test(a_rejected_uncovering_forbids_assigning_too_R4_9),
        cmocka_unit_test(a_rejection_is_forgotten_with_the_turn_R4_9),
        cmocka_unit_test(when_every_step_is_rejected_he_may_assign_R4_10),
        cmocka_unit_test(on_the_whole_board_it_takes_every_step_R4_10),
        cmocka_unit_test(in_the_middle_of_the_board_there_are_four_steps_each_R4_10),
        cmocka_unit_test(an_uncovered_initiate_has_no_step_to_reject_R4_10),
        cmocka_unit_test(uncoverings_do_not_count_and_stay_possible_R4_10_Q10),
        cmocka_unit_test(a_rejected_step_and_uncovering_is_not_the_step_R4_10_Q10),
        cmocka_unit_test(the_others_are_asked_clockwise_once_each_Q13),
        cmocka_unit_test(an_objection_is_answered_at_once_and_the_round_starts_anew_Q13),
        cmocka_unit_test(a_dispute_starts_from_nothing_shown_Q14),
        cmocka_unit_test(repeating_a_known_figure_costs_nothing_Q14),
        cmocka_unit_test(the_first_example_of_the_rulebook_comes_out_as_told_R4_5_R4_6_R4_9),
    };
    return cmocka_run_group_tests_name("dispute", tests, NULL, NULL);
}
