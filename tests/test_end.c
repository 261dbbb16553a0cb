/* The end, and the variant The Original: RULES sections 7 and 8, rulings Q8 and Q9. */
#include "scene.h"

#include <stdio.h>

/* When it ends */

static void carrying_the_grail_home_ends_the_game_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 A2");
    scene_put(&scene, "A2=e2 grail=A2");
    scene_do(&scene, "step A2 e1; pass; keep");
    scene_expect(&scene, "phase over");
    scene_expect(&scene, "result win 1 with A2");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "grail A2");
}

static void taking_the_grail_up_beside_home_and_carrying_it_in_ends_the_game_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 R1");
    scene_put(&scene, "R1=a4 grail=a4");
    scene_do(&scene, "step R1 a5; pass; keep");
    scene_expect(&scene, "result win 1 with R1");
}

static void taking_the_grail_up_at_home_on_arrival_ends_the_game_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 I1");
    scene_put(&scene, "I1=d5 grail=e5");
    scene_do(&scene, "step I1 e5; pass");
    scene_offers(&scene, "keep; leave");
    scene_do(&scene, "keep");
    scene_expect(&scene, "result win 1 with I1");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void letting_the_grail_lie_at_home_ends_nothing_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 I1");
    scene_put(&scene, "I1=d5 grail=e5");
    scene_do(&scene, "step I1 e5; pass; leave");
    scene_expect(&scene, "result -");
    scene_expect(&scene, "grail e5");
    scene_expect(&scene, "active 2");
}

static void taking_the_grail_up_at_home_when_setting_off_ends_the_game_there_R7_1_R7_2_Q9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 T2");
    scene_put(&scene, "grail=a1");
    scene_do(&scene, "step T2 a2; pass; keep");
    scene_expect(&scene, "result win 1 with T2");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5"); /* the step is not made */
    scene_expect(&scene, "grail T2");
}

static void standing_beside_a_grail_at_home_ends_nothing_by_itself_R7_1_Q9(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "5 T2");
    scene_put(&scene, "A1=a2 grail=A1");
    scene_do(&scene, "step A1 a1; pass; drop"); /* T1 and T2 are there already */
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "result -");
    scene_expect(&scene, "grail a1");
}

static void taking_a_freed_grail_at_home_ends_the_game_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "30 T1", "12 T1");
    scene_put(&scene, "A1=a1 grail=A1");
    scene_do(&scene, "uncover T1 A1; all pass");
    scene_offers(&scene, "keep; leave");
    scene_do(&scene, "keep");
    scene_expect(&scene, "result win 1 with T1");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=- A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void the_price_of_a_freed_grail_is_paid_before_the_end_R7_1_R7_3_R6_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1", "12 T1");
    scene_put(&scene, "T1=a2 A1=a1 grail=A1");
    scene_do(&scene, "step T1 a1 x A1; pass; keep");
    scene_expect(&scene, "paid 1 10");
    scene_expect(&scene, "result win 2 with T1"); /* 5 against 12 */
}

static void taking_a_freed_grail_elsewhere_ends_nothing_R7_1_R7_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "30 T1");
    scene_put(&scene, "T1=e1 grail=A1");
    scene_do(&scene, "uncover T1 A1; pass; keep"); /* on the Assassins' headquarters */
    scene_expect(&scene, "grail T1");
    scene_expect(&scene, "result -");
    scene_expect(&scene, "active 2");
}

/* `ends_with` what is proposed there. */
static void assert_ends_with(const char *pieces, const char *proposal, unsigned pawn)
{
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "20 T1", "20 A1");
    scene_put(&scene, pieces);
    assert_int_equal(gral_ends_with(&scene.game, &scene.state.open), GRAL_NO_PAWN);
    scene_do(&scene, proposal);
    assert_int_equal(gral_ends_with(&scene.game, &scene.state.open), pawn);
}

static void a_proposal_tells_whether_it_can_end_the_game_R7_1(void **unused)
{
    (void)unused;
    assert_ends_with("T1=b1 grail=T1", "step T1 a1", 0);
    assert_ends_with("T1=b1 grail=T1", "step T1 c1", GRAL_NO_PAWN);
    assert_ends_with("T1=b1 grail=A1", "step T1 a1", GRAL_NO_PAWN);
    assert_ends_with("T1=b1 grail=a1", "step T1 a1", 0);
    assert_ends_with("T1=a1 grail=a1", "step T1 b1", 0);
    assert_ends_with("T1=b1 grail=b1", "step T1 a1", 0);
    assert_ends_with("T1=a1 A1=a1 grail=A1", "uncover T1 A1", 0);
    assert_ends_with("T1=b1 A1=a1 grail=A1", "step T1 a1 x A1", 0);
    assert_ends_with("T1=b1 A1=b1 grail=A1", "uncover T1 A1", GRAL_NO_PAWN);
}

static void while_it_is_decided_about_the_grail_too_it_is_told_whether_that_can_end_the_game_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_put(&scene, "T1=b1 grail=T1");
    scene_open(&scene, "20 T1");
    scene_do(&scene, "step T1 a1; all pass");
    scene_expect(&scene, "phase grail");
    assert_int_equal(gral_ends_with(&scene.game, &scene.state.open), 0);
}

static void the_end_stops_everything_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "5 T1");
    scene_put(&scene, "T1=a2 grail=T1");
    scene_do(&scene, "step T1 a1; all pass; keep");
    scene_expect(&scene, "actor 0");
    scene_expect(&scene, "turn 1");
    scene_expect(&scene, "active 1");
    scene_expect(&scene, "proposal -");
    scene_expect(&scene, "claim 0");
    scene_expect(&scene, "rejected -");
    scene_offers(&scene, "");
    scene_refuse(&scene, "assign", GRAL_FAULT_OVER);
    scene_refuse(&scene, "step A1 e2", GRAL_FAULT_OVER);
    scene_refuse(&scene, "pass", GRAL_FAULT_OVER);
}

static void leaving_instead_of_ending_lets_the_uncovering_happen_R7_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 T1");
    scene_put(&scene, "A1=a2 grail=a1");
    scene_do(&scene, "step T1 a2 x A1; pass");
    scene_offers(&scene, "keep; leave");
    scene_do(&scene, "leave");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=- A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "paid 1 10");
    scene_expect(&scene, "result -");
}

static void there_is_no_putting_down_at_home_R7_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    scene_put(&scene, "T1=b1 grail=T1");
    scene_do(&scene, "step T1 a1; pass");
    scene_refuse(&scene, "drop", GRAL_FAULT_NO_DROP);
    scene_offers(&scene, "keep; leave");
}

/* Who wins */

/* Seat 1 brings the grail home with T1. */
static void bring_it_home(struct scene *scene)
{
    scene_put(scene, "T1=a2 grail=T1");
    scene_do(scene, "step T1 a1; all pass; keep");
}

static void the_most_influence_on_the_bearer_wins_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "10 T1", "12 T1", "11 T1, 80 T2");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 2 with T1"); /* though seat 1 moved him */
}

static void the_mover_wins_a_tie_he_is_part_of_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3 first=2");
    scene_open(&scene, "12 T1", "12 T1", "11 T1");
    bring_it_home(&scene); /* here seat 2 */
    scene_expect(&scene, "result win 2 with T1");
}

static void the_mover_wins_a_tie_of_others_R7_3_Q8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "", "12 T1", "12 T1", "11 T1");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 1 with T1");
}

static void the_mover_wins_a_tie_of_two_among_twelve_R7_3_Q8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=12 first=7");
    scene_open(&scene, "3 T1", "", "", "", "40 T1", "", "5 T1", "", "", "", "", "40 T1");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 7 with T1");
}

static void a_tie_below_the_most_does_not_matter_R7_3_Q8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4");
    scene_open(&scene, "12 T1", "12 T1", "13 T1", "12 T1");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 3 with T1");
}

static void the_mover_wins_when_nobody_has_influence_R7_3_Q8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 first=2");
    scene_open(&scene, "");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 2 with T1");
}

static void unplaced_units_do_not_count_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "1 T1, 99 A1");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 2 with T1"); /* seat 1 has a hundred points unplaced */
}

static void influence_that_was_paid_does_not_count_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "20 T1", "11 T1");
    scene_do(&scene, "uncover T1 T2; pass; assign; done");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 2 with T1"); /* 10 against 11 */
}

static void all_sheets_are_shown_in_the_end_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "10 T1", "12 A1", "1 R2");
    scene_sees(&scene, 3, "influence 2 T1=? T2=? A1=? A2=? I1=? I2=? R1=? R2=?");
    bring_it_home(&scene);
    for (unsigned seat = 0; seat <= 3; seat++) {
        scene_sees(&scene, seat, "influence 1 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "influence 2 T1=0 T2=0 A1=12 A2=0 I1=0 I2=0 R1=0 R2=0");
        scene_sees(&scene, seat, "units 3 10=4 5=4 4=4 3=4 2=4 1=3");
    }
}

/* What ends nothing */

static void the_grail_on_foreign_headquarters_ends_nothing_R7_4(void **unused)
{
    (void)unused;
    static const char *const choice[] = {"keep", "drop"};
    static const char *const grail[] = {"grail T1", "grail e5"};
    for (size_t index = 0; index < 2; index++) {
        struct scene scene = scene_of("players=2");
        scene_open(&scene, "50 T1, 50 I1");
        scene_put(&scene, "T1=e4 grail=T1");
        scene_do(&scene, "step T1 e5; pass");
        scene_do(&scene, choice[index]);
        scene_expect(&scene, "result -");
        scene_expect(&scene, "active 2");
        scene_expect(&scene, grail[index]);
    }
}

static void taking_the_grail_up_on_foreign_headquarters_ends_nothing_R7_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "50 T1");
    scene_put(&scene, "T1=e4 grail=e5");
    scene_do(&scene, "step T1 e5; pass; keep");
    scene_expect(&scene, "result -");
    scene_expect(&scene, "grail T1");
}

/* The limit */

static void by_default_there_is_no_limit_R7_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    for (unsigned turn = 0; turn < 5000; turn++)
        scene_do(&scene, "assign; done");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "turn 5001");
    assert_int_equal(scene.game.settings.limit, 0);
}

static void an_assignment_reaches_the_limit_R7_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 limit=3");
    scene_open(&scene, "5 T1");
    scene_do(&scene, "step T1 a2; pass; step T1 a1; pass; assign; place 1 T1");
    scene_expect(&scene, "result -");
    scene_do(&scene, "done");
    scene_expect(&scene, "phase over");
    scene_expect(&scene, "result draw");
    scene_expect(&scene, "turn 3");
    scene_expect(&scene, "active 1");
    scene_expect(&scene, "actor 0");
}

static void a_step_reaches_the_limit_R7_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3 limit=2");
    scene_open(&scene, "5 T1");
    scene_do(&scene, "assign; done; step T1 a2; pass");
    scene_expect(&scene, "result -");
    scene_do(&scene, "pass");
    scene_expect(&scene, "result draw");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
    scene_expect(&scene, "proposal -");
}

static void an_uncovering_reaches_the_limit_R7_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 limit=1");
    scene_open(&scene, "10 T1");
    scene_do(&scene, "uncover T1 T2; pass");
    scene_expect(&scene, "result draw");
    scene_expect(&scene, "paid 1 10");
}

static void the_limit_waits_for_the_choice_about_the_grail_R7_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 limit=1");
    scene_open(&scene, "");
    scene_put(&scene, "T1=c3");
    scene_do(&scene, "step T1 c4; pass");
    scene_expect(&scene, "phase grail");
    scene_do(&scene, "drop");
    scene_expect(&scene, "result draw");
    scene_expect(&scene, "grail c4");
}

static void a_win_in_the_last_turn_is_a_win_R7_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 limit=1");
    scene_open(&scene, "", "1 T1");
    bring_it_home(&scene);
    scene_expect(&scene, "result win 2 with T1");
}

static void a_rejection_is_no_turn_R7_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 limit=1");
    scene_open(&scene, "", "1 T1");
    scene_do(&scene, "step T1 a2; object 1; yield; step T1 b1; object 1; yield");
    scene_expect(&scene, "result -");
    scene_expect(&scene, "turn 1");
}

static void a_draw_shows_all_sheets_R7_5_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 limit=1");
    scene_open(&scene, "", "7 T1");
    scene_do(&scene, "assign; done");
    scene_sees(&scene, 1, "influence 2 T1=7 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

/* The Original */

static void the_original_is_for_exactly_four_R8_1(void **unused)
{
    (void)unused;
    for (unsigned players = 2; players <= 12; players++) {
        gral_settings settings = gral_settings_for(players);
        settings.rules = GRAL_ORIGINAL;
        gral_game game;
        assert_int_equal(gral_game_make(&game, &settings), players == 4 ? GRAL_SETTINGS_OK : GRAL_BAD_PLAYERS);
    }
}

static void the_original_has_the_rules_for_four_R8_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 rules=original");
    scene_open(&scene, "10 T1");
    scene_put(&scene, "A1=a2");
    scene_refuse(&scene, "step T1 a2 x A1", GRAL_FAULT_STEP_AND_UNCOVER);
    scene_do(&scene, "uncover T1 T2; all pass; assign; place 1 A1");
    scene_refuse(&scene, "place 1 I1", GRAL_FAULT_OTHER_PAWN);
}

static void each_player_owns_one_headquarters_R8_1(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"players=4 rules=original hq=TTIR", "players=4 rules=original hq=TAI",
                                        "players=4 rules=original hq=TAIRT", "players=4 rules=original hq=TAIX"};
    gral_settings settings;
    gral_error error;
    for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++)
        assert_false(gral_settings_parse(gral_span_of(wrong[index]), &settings, &error));
    assert_true(gral_settings_parse(gral_span_of("players=4 rules=original hq=RIAT"), &settings, &error));
}

static void the_owner_of_the_headquarters_wins_whoever_brings_the_grail_R8_2(void **unused)
{
    (void)unused;
    static const char *const beside[] = {"b1", "d1", "d5", "b5"};
    static const char *const corner[] = {"a1", "e1", "e5", "a5"};
    static const struct {
        const char *settings;
        unsigned owner[4];
    } table[] = {
        {"players=4 rules=original", {1, 2, 3, 4}},
        {"players=4 rules=original hq=RIAT", {4, 3, 2, 1}},
        {"players=4 rules=original hq=ARTI first=4", {3, 1, 4, 2}},
    };
    for (size_t index = 0; index < sizeof table / sizeof *table; index++)
        for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
            for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
                const char *id = gral_pawn_id(pawn);
                char words[64];
                struct scene scene = scene_of(table[index].settings);
                scene_open(&scene, "");
                snprintf(words, sizeof words, "%s=%s grail=%s", id, beside[society], id);
                scene_put(&scene, words);
                snprintf(words, sizeof words, "step %s %s; all pass; keep", id, corner[society]);
                scene_do(&scene, words);
                snprintf(words, sizeof words, "result win %u with %s", table[index].owner[society], id);
                scene_expect(&scene, words);
            }
}

static void influence_does_not_matter_in_the_original_R8_2_R8_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 rules=original");
    scene_open(&scene, "100 T1", "", "90 T1", "90 T1");
    scene_put(&scene, "T1=d1 grail=T1");
    scene_do(&scene, "step T1 e1; all pass; keep");
    scene_expect(&scene, "result win 2 with T1");
}

static void a_tie_does_not_matter_in_the_original_R8_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 rules=original");
    scene_open(&scene, "10 A1", "10 A1", "10 A1", "10 A1");
    scene_put(&scene, "A1=b5 grail=A1");
    scene_do(&scene, "step A1 a5; all pass; keep"); /* seat 1 moves him, to seat 4's headquarters */
    scene_expect(&scene, "result win 4 with A1");
}

static void no_headquarters_takes_a_grail_put_down_in_the_original_R8_2(void **unused)
{
    (void)unused;
    static const struct {
        const char *pieces, *step;
    } arrivals[] = {
        {"T1=b1 grail=T1", "step T1 a1; all pass"},
        {"T1=d1 grail=T1", "step T1 e1; all pass"},
        {"T1=d5 grail=T1", "step T1 e5; all pass"},
        {"T1=b5 grail=b5", "step T1 a5; all pass"},
    };
    for (size_t index = 0; index < sizeof arrivals / sizeof *arrivals; index++) {
        struct scene scene = scene_of("players=4 rules=original");
        scene_open(&scene, "");
        scene_put(&scene, arrivals[index].pieces);
        scene_do(&scene, arrivals[index].step);
        scene_offers(&scene, "keep; leave");
        scene_refuse(&scene, "drop", GRAL_FAULT_NO_DROP);
        scene_do(&scene, "leave");
        scene_expect(&scene, "result -");
    }
}

static void elsewhere_the_grail_may_be_put_down_in_the_original_R8_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 rules=original");
    scene_open(&scene, "");
    scene_put(&scene, "T1=c3");
    scene_do(&scene, "step T1 c4; all pass");
    scene_offers(&scene, "keep; drop; leave");
}

/* Only a game that starts with the grail there can have it lying on a headquarters. */
static void taking_the_grail_up_at_home_ends_nothing_in_the_original_R8_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 rules=original grail=a1");
    scene_open(&scene, "10 T1");
    scene_do(&scene, "step T1 a2; all pass");
    scene_offers(&scene, "keep; drop; leave");
    scene_do(&scene, "keep");
    scene_expect(&scene, "result -");
    scene_expect(&scene, "grail T1");
    scene_expect(&scene, "pawns T1=a2 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carrying_the_grail_home_ends_the_game_R7_1),
        cmocka_unit_test(taking_the_grail_up_beside_home_and_carrying_it_in_ends_the_game_R7_1),
        cmocka_unit_test(taking_the_grail_up_at_home_on_arrival_ends_the_game_R7_1),
        cmocka_unit_test(letting_the_grail_lie_at_home_ends_nothing_R7_1),
        cmocka_unit_test(taking_the_grail_up_at_home_when_setting_off_ends_the_game_there_R7_1_R7_2_Q9),
        cmocka_unit_test(standing_beside_a_grail_at_home_ends_nothing_by_itself_R7_1_Q9),
        cmocka_unit_test(taking_a_freed_grail_at_home_ends_the_game_R7_1),
        cmocka_unit_test(the_price_of_a_freed_grail_is_paid_before_the_end_R7_1_R7_3_R6_4),
        cmocka_unit_test(taking_a_freed_grail_elsewhere_ends_nothing_R7_1_R7_4),
        cmocka_unit_test(a_proposal_tells_whether_it_can_end_the_game_R7_1),
        cmocka_unit_test(while_it_is_decided_about_the_grail_too_it_is_told_whether_that_can_end_the_game_R7_1),
        cmocka_unit_test(the_end_stops_everything_R7_1),
        cmocka_unit_test(leaving_instead_of_ending_lets_the_uncovering_happen_R7_2),
        cmocka_unit_test(there_is_no_putting_down_at_home_R7_2),
        cmocka_unit_test(the_most_influence_on_the_bearer_wins_R7_3),
        cmocka_unit_test(the_mover_wins_a_tie_he_is_part_of_R7_3),
        cmocka_unit_test(the_mover_wins_a_tie_of_others_R7_3_Q8),
        cmocka_unit_test(the_mover_wins_a_tie_of_two_among_twelve_R7_3_Q8),
        cmocka_unit_test(a_tie_below_the_most_does_not_matter_R7_3_Q8),
        cmocka_unit_test(the_mover_wins_when_nobody_has_influence_R7_3_Q8),
        cmocka_unit_test(unplaced_units_do_not_count_R7_3),
        cmocka_unit_test(influence_that_was_paid_does_not_count_R7_3),
        cmocka_unit_test(all_sheets_are_shown_in_the_end_R7_3),
        cmocka_unit_test(the_grail_on_foreign_headquarters_ends_nothing_R7_4),
        cmocka_unit_test(taking_the_grail_up_on_foreign_headquarters_ends_nothing_R7_4),
        cmocka_unit_test(by_default_there_is_no_limit_R7_5),
        cmocka_unit_test(an_assignment_reaches_the_limit_R7_5),
        cmocka_unit_test(a_step_reaches_the_limit_R7_5),
        cmocka_unit_test(an_uncovering_reaches_the_limit_R7_5),
        cmocka_unit_test(the_limit_waits_for_the_choice_about_the_grail_R7_5),
        cmocka_unit_test(a_win_in_the_last_turn_is_a_win_R7_5),
        cmocka_unit_test(a_rejection_is_no_turn_R7_5),
        cmocka_unit_test(a_draw_shows_all_sheets_R7_5_R7_3),
        cmocka_unit_test(the_original_is_for_exactly_four_R8_1),
        cmocka_unit_test(the_original_has_the_rules_for_four_R8_1),
        cmocka_unit_test(each_player_owns_one_headquarters_R8_1),
        cmocka_unit_test(the_owner_of_the_headquarters_wins_whoever_brings_the_grail_R8_2),
        cmocka_unit_test(influence_does_not_matter_in_the_original_R8_2_R8_3),
        cmocka_unit_test(a_tie_does_not_matter_in_the_original_R8_3),
        cmocka_unit_test(no_headquarters_takes_a_grail_put_down_in_the_original_R8_2),
        cmocka_unit_test(elsewhere_the_grail_may_be_put_down_in_the_original_R8_2),
        cmocka_unit_test(taking_the_grail_up_at_home_ends_nothing_in_the_original_R8_3),
    };
    return cmocka_run_group_tests_name("end", tests, NULL, NULL);
}
