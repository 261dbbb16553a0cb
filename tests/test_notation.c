/* Text forms of actions, settings and states, and what is said about text that is wrong. */
#include "scene.h"

#include <string.h>

static void expect_action_error(const char *words, unsigned column, const char *message)
{
    gral_action action = gral_say(GRAL_YIELD);
    gral_error error = {0};
    assert_false(gral_action_parse(gral_span_of(words), &action, &error));
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, column);
    assert_string_equal(error.message, message);
    assert_int_equal(action.verb, GRAL_YIELD); /* untouched */
}

static void an_action_that_is_wrong_is_refused_with_column_and_expectation(void **unused)
{
    (void)unused;
    expect_action_error("", 1,
                        "expected an action (place done assign step uncover object pass claim yield keep drop leave), "
                        "not the end");
    expect_action_error("Step T1 a2", 1,
                        "expected an action (place done assign step uncover object pass claim yield keep drop leave), "
                        "not 'Step'");
    expect_action_error("step", 5, "expected a space and what the verb is about, not the end");
    expect_action_error("step T3 a2", 6, "expected an initiate (T1 T2 A1 A2 I1 I2 R1 R2), not 'T3'");
    expect_action_error("step T1 f2", 9, "expected a field (a1 to e5), not 'f2'");
    expect_action_error("step T1  a2", 9, "expected a field (a1 to e5), not a space");
    expect_action_error("step T1 a2 T2", 11, "expected the end of the action, not a space");
    expect_action_error("step T1 a2 x Q1", 14, "expected an initiate (T1 T2 A1 A2 I1 I2 R1 R2), not 'Q1'");
    expect_action_error("place 6 T1", 7, "expected a unit (10 5 4 3 2 1), not '6'");
    expect_action_error("place 10", 9, "expected a space and an initiate, not the end");
    expect_action_error("object 101", 8, "expected a number of points (0 to 100), not '101'");
    expect_action_error("object 07", 8, "expected a number of points (0 to 100), not '07'");
    expect_action_error("claim -1", 7, "expected a number of points (0 to 100), not '-1'");
    expect_action_error("claim 99999999999999999999", 7,
                        "expected a number of points (0 to 100), not '99999999999999999999'");
    expect_action_error("pass ", 5, "expected the end of the action, not a space");
}

static void bytes_from_outside_are_made_harmless_in_a_message(void **unused)
{
    (void)unused;
    expect_action_error("step \x1b[31m\xff", 6, "expected an initiate (T1 T2 A1 A2 I1 I2 R1 R2), not '?[31m?'");
    gral_action action;
    gral_error error;
    assert_false(gral_action_parse((gral_span){"done\0", 5}, &action, &error));
    expect_action_error("step abcdefghijklmnopqrstuvwxyz", 6,
                        "expected an initiate (T1 T2 A1 A2 I1 I2 R1 R2), not 'abcdefghijklmnopqrstuvwx...'");
}

static void expect_settings(const char *words, const char *printed)
{
    gral_settings settings;
    gral_error error;
    char text_of[256];
    assert_true(gral_settings_parse(gral_span_of(words), &settings, &error));
    gral_text text = gral_text_in(text_of, sizeof text_of);
    gral_settings_print(&text, &settings);
    assert_string_equal(text_of, printed);
}

static void settings_are_read_in_any_order_and_written_in_one(void **unused)
{
    (void)unused;
    expect_settings("players=2", "players=2 rules=standard first=1 limit=0");
    expect_settings("limit=40 players=12 first=12", "players=12 rules=standard first=12 limit=40");
    expect_settings("rules=original players=4", "players=4 rules=original first=1 limit=0 hq=TAIR");
    expect_settings("players=4 rules=original hq=RIAT", "players=4 rules=original first=1 limit=0 hq=RIAT");
    expect_settings("players=2 board=3x1 pawns=T1,A1 units=2,1",
                    "players=2 rules=standard first=1 limit=0 board=3x1 pawns=T1,A1 units=2,1 grail=b1");
    expect_settings(
        "players=2 board=5x5 units=- grail=a1",
        "players=2 rules=standard first=1 limit=0 board=5x5 pawns=T1,T2,A1,A2,I1,I2,R1,R2 units=- grail=a1");
}

static void expect_settings_error(const char *words, unsigned column, const char *message)
{
    gral_settings settings = gral_settings_for(7);
    gral_error error = {0};
    assert_false(gral_settings_parse(gral_span_of(words), &settings, &error));
    assert_int_equal(error.column, column);
    assert_string_equal(error.message, message);
    assert_int_equal(settings.players, 7); /* untouched */
}

static void settings_that_are_wrong_are_refused_with_column_and_reason(void **unused)
{
    (void)unused;
    expect_settings_error("", 1, "the number of players is missing (players=2 to players=12)");
    expect_settings_error("players=1", 1, "the game is for 2 to 12 players, The Original for 4 (R2.1, R8.1)");
    expect_settings_error("players=13", 9, "expected a number of players (2 to 12), not '13'");
    expect_settings_error("players=2 players=3", 19, "this appears twice");
    expect_settings_error("players=2 seats=3", 11,
                          "expected a setting (players= rules= first= limit= hq= board= pawns= units= grail=), not "
                          "'seats=3'");
    expect_settings_error("players=2 rules=house", 17, "expected standard or original, not 'house'");
    expect_settings_error("players=3 rules=original", 1,
                          "the game is for 2 to 12 players, The Original for 4 (R2.1, R8.1)");
    expect_settings_error("players=2 first=3", 1, "the first player must be one of the players (R2.1)");
    expect_settings_error("players=2 first=0", 17, "players are numbered from 1");
    expect_settings_error("players=4 hq=TAIR", 1, "headquarters have owners only with rules=original (R8.1)");
    expect_settings_error("players=4 rules=original hq=TAIT", 32,
                          "expected the societies of players 1 to 4, each letter of TAIR once, not 'T'");
    expect_settings_error("players=2 limit=4000000000", 17,
                          "expected a number of turns (0 for no limit), not '4000000000'");
    expect_settings_error("players=2 board=6x1", 17, "expected columns and rows like 5x5, not '6x1'");
    expect_settings_error("players=2 board=1x1", 1,
                          "the board has 1 to 5 columns and 1 to 5 rows, and at least two fields");
    expect_settings_error("players=2 board=2x2 grail=c1", 1, "the grail starts on a field of the board");
    expect_settings_error("players=2 units=7", 17, "units are 10, 5, 4, 3, 2 and 1");
    expect_settings_error("players=2 units=1,1,1,1,1", 25, "a sheet has at most four units of each kind");
    expect_settings_error("players=2 pawns=T1,T1", 20, "this initiate is named twice");
}

static void a_text_that_does_not_fit_is_cut_and_counted(void **unused)
{
    (void)unused;
    char small[8];
    gral_text text = gral_text_in(small, sizeof small);
    gral_text_add(&text, "step ");
    gral_text_add_number(&text, 4294967295u);
    assert_string_equal(small, "step 42");
    assert_int_equal(text.length, 15);
}

static void names_are_those_of_the_box_R1_2_R1_5_Q12(void **unused)
{
    (void)unused;
    assert_string_equal(gral_pawn_name(GRAL_A2), "Mansur Al-Jallah");
    assert_string_equal(gral_pawn_name(GRAL_I2), "Adam zu Weisenheym");
    assert_string_equal(gral_field_name(13), "Akkon");
    assert_string_equal(gral_field_name(12), "Golgotha");
    assert_string_equal(gral_field_name(24), "Ingolstadt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_action_that_is_wrong_is_refused_with_column_and_expectation),
        cmocka_unit_test(bytes_from_outside_are_made_harmless_in_a_message),
        cmocka_unit_test(settings_are_read_in_any_order_and_written_in_one),
        cmocka_unit_test(settings_that_are_wrong_are_refused_with_column_and_reason),
        cmocka_unit_test(a_text_that_does_not_fit_is_cut_and_counted),
        cmocka_unit_test(names_are_those_of_the_box_R1_2_R1_5_Q12),
    };
    return cmocka_run_group_tests_name("notation", tests, NULL, NULL);
}
