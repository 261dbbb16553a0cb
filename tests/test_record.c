/* Records: what is kept, what is refused, and the rulebook's own example. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("GRAL_TEST_DATA"), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *bytes = test_calloc(1, 1 << 16);
    assert_true(fread(bytes, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return bytes;
}

static gral_record parsed(const char *words)
{
    gral_record record = {0};
    gral_error error;
    if (!gral_record_parse(gral_span_of(words), &record, &error))
        fail_msg("line %u, column %u: %s", error.line, error.column, error.message);
    return record;
}

static void expect_printed(const char *words, const char *expected)
{
    gral_record record = parsed(words);
    char buffer[4096];
    gral_text text = gral_text_in(buffer, sizeof buffer);
    gral_record_print(&text, &record);
    assert_string_equal(buffer, expected);
    gral_record_free(&record);
}

static void expect_error(const char *words, unsigned line, unsigned column, const char *message)
{
    gral_record record = {.count = 77};
    gral_error error = {0};
    assert_false(gral_record_parse(gral_span_of(words), &record, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_int_equal(record.count, 77); /* untouched */
}

static void the_rulebooks_example_plays_as_told_R4_5_R6_3_R6_4_Q6(void **unused)
{
    (void)unused;
    char *words = read_file("records/example.gral");
    gral_record record = parsed(words);
    struct scene scene;
    /* Before the dispute. */
    size_t at = 0;
    while (!gral_same_action(record.entry[at].action, gral_object(1)))
        at++;
    gral_record_replay(&record, at, &scene.game, &scene.state);
    scene_expect(&scene, "pawns T1=d2 T2=a1 A1=e1 A2=e3 I1=e5 I2=d4 R1=a5 R2=a5");
    scene_expect(&scene, "influence 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "influence 2 T1=12 T2=0 A1=0 A2=5 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "proposal step T1 d3");
    scene_expect(&scene, "actor 2");
    /* Seat 1 could match the 12 but does not want to show more. */
    while (record.entry[at].action.verb != GRAL_YIELD)
        at++;
    gral_record_replay(&record, at, &scene.game, &scene.state);
    scene_expect(&scene, "claim 10");
    scene_expect(&scene, "objection 12 by 2");
    scene_offers(&scene, "yield; claim 12..15");
    /* After it seat 2 has shown 12, seat 1 only 10. */
    gral_record_replay(&record, at + 1, &scene.game, &scene.state);
    scene_expect(&scene, "rejected step T1 d3");
    scene_expect(&scene, "floor 1 T1=10 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "floor 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    /* The uncovering: seat 2 could object with 5, but seat 3 has shown 10. */
    gral_record_replay(&record, record.count - 1, &scene.game, &scene.state);
    scene_expect(&scene, "proposal step A2 d3 x T1");
    scene_expect(&scene, "floor 3 T1=0 T2=0 A1=0 A2=10 I1=0 I2=0 R1=0 R2=0");
    scene_offers(&scene, "pass; object 1..5");
    gral_record_replay(&record, record.count, &scene.game, &scene.state);
    scene_expect(&scene, "pawns T1=- T2=a1 A1=e1 A2=d3 I1=e5 I2=d5 R1=a5 R2=a5");
    scene_expect(&scene, "lost 1 T1=15 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "lost 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "lost 3 T1=0 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "paid 3 10");
    scene_expect(&scene, "influence 3 T1=0 T2=0 A1=0 A2=3 I1=0 I2=0 R1=0 R2=0");
    gral_record_free(&record);
    test_free(words);
}

static void with_four_players_the_example_needs_two_turns_R6_7_R4_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=4 first=4");
    scene_open(&scene, "15 T1", "12 T1, 5 A2", "13 A2", "");
    scene_do(&scene, "step T1 b1; all pass; step T1 c1; all pass; step T1 d1; all pass");
    scene_refuse(&scene, "step A2 d1 x T1", GRAL_FAULT_STEP_AND_UNCOVER);
    /* Seat 3 brings A2 there, and now seat 2 objects in vain; on his next turn he uncovers, paying alone. */
    scene_do(&scene, "step A2 d1; pass; pass; object 5; claim 5; all pass");
    scene_do(&scene, "step R1 a4; all pass; step R1 a5; all pass; step R1 a4; all pass");
    scene_expect(&scene, "actor 3");
    scene_do(&scene, "uncover A2 T1; all pass");
    scene_expect(&scene, "paid 3 10");
    scene_expect(&scene, "lost 2 T1=12 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=0");
}

static void settings_come_first_and_unknown_tags_are_kept(void **unused)
{
    (void)unused;
    expect_printed("[Event \"a \\\"quoted\\\" name; no comment\"]  ; a comment\r\n"
                   "[Players \"2\"]\r\n"
                   "[Player1 \"J\xc3\xbcrgen\"]\r\n"
                   "\r\n"
                   "; nothing yet\r\n"
                   "1: place 10 T1 ; hidden\r\n"
                   "\r\n"
                   "1: done",
                   "[Rules \"standard\"]\n"
                   "[Players \"2\"]\n"
                   "[First \"1\"]\n"
                   "[Limit \"0\"]\n"
                   "[Event \"a \\\"quoted\\\" name; no comment\"]\n"
                   "[Player1 \"J\xc3\xbcrgen\"]\n"
                   "[Result \"-\"]\n"
                   "\n"
                   "1: place 10 T1\n"
                   "1: done\n");
}

static void variants_are_tags_too(void **unused)
{
    (void)unused;
    expect_printed("[Hq \"RIAT\"]\n[Rules \"original\"]\n[Players \"4\"]\n",
                   "[Rules \"original\"]\n[Players \"4\"]\n[First \"1\"]\n[Limit \"0\"]\n[Hq \"RIAT\"]\n"
                   "[Result \"-\"]\n\n");
    expect_printed("[Players \"2\"]\n[Board \"3x1\"]\n[Pawns \"T1,A1\"]\n[Units \"2,1\"]\n[Limit \"1\"]\n"
                   "1: done\n2: done\n1: assign\n1: done\n",
                   "[Rules \"standard\"]\n[Players \"2\"]\n[First \"1\"]\n[Limit \"1\"]\n[Board \"3x1\"]\n"
                   "[Pawns \"T1,A1\"]\n[Units \"2,1\"]\n[Grail \"b1\"]\n[Result \"draw\"]\n\n"
                   "1: done\n2: done\n1: assign\n1: done\n");
}

static void a_tag_can_be_asked_for(void **unused)
{
    (void)unused;
    gral_record record = parsed("[Players \"2\"]\n[Player1 \"Ada\"]\n[Player10 \"\"]\n[Date \"2026-11-15\"]\n");
    gral_span value = gral_record_tag(&record, "Player1");
    assert_int_equal(value.length, 3);
    assert_memory_equal(value.bytes, "Ada", 3);
    value = gral_record_tag(&record, "Player10");
    assert_non_null(value.bytes);
    assert_int_equal(value.length, 0);
    assert_null(gral_record_tag(&record, "Player").bytes);
    assert_null(gral_record_tag(&record, "Round").bytes);
    gral_record_free(&record);
}

static void a_broken_record_is_refused_with_line_column_and_reason(void **unused)
{
    (void)unused;
    expect_error("", 1, 1, "the number of players is missing (players=2 to players=12)");
    expect_error("1: done\n", 1, 1, "the number of players is missing (players=2 to players=12)");
    expect_error("[Players \"2\"]\n[Players \"2\"]\n", 2, 11, "this appears twice");
    expect_error("[Players \"two\"]\n", 1, 11, "expected a number of players (2 to 12), not 'two'");
    expect_error("[Players 2]\n", 1, 10, "expected a value in double quotes, not '2]'");
    expect_error("[Players \"2]\n", 1, 13, "expected the closing quote, not the end");
    expect_error("[Players \"2\"\n", 1, 13, "expected ']', not the end");
    expect_error("[Players \"2\"] 1: done\n", 1, 15, "expected the end of the line or a comment after ';', not '1:'");
    expect_error("[] \n", 1, 2, "expected the name of a tag, not ']'");
    expect_error("[Players \"2\"]\n\n1: done\n[Event \"late\"]\n", 4, 1, "tags stand before the first action");
    expect_error("[Players \"2\"]\n\n  3: done\n", 3, 3, "it is seat 1 that acts here");
    expect_error("[Players \"2\"]\n\n1 done\n", 3, 2, "expected ': ' after the seat, not a space");
    expect_error("[Players \"2\"]\n\n1: dine\n", 3, 4,
                 "expected an action (place done assign step uncover object pass claim yield keep drop leave), not "
                 "'dine'");
    expect_error("[Players \"2\"]\n\n1: done\n2: done\n1: step T1 a3 ; too far\n", 5, 4,
                 "a move goes to an adjacent field (R4.1)");
    expect_error("[Players \"2\"]\nhello\n", 2, 1, "expected a tag, or an action like '1: step T1 a2', not 'hello'");
    expect_error("[Players \"2\"]\n[Event \"\x1b[31mred\"]\n", 2, 9,
                 "a record is UTF-8 text without control characters");
    expect_error("[Players \"2\"]\n; \xc0\xaf overlong\n", 2, 3, "a record is UTF-8 text without control characters");
    expect_error("[Players \"2\"]\n; \xed\xa0\x80 surrogate\n", 2, 3,
                 "a record is UTF-8 text without control characters");
    expect_error("[Players \"2\"]\n; cut \xe2\x82\n", 2, 7, "a record is UTF-8 text without control characters");
}

static void a_result_must_be_what_the_actions_lead_to(void **unused)
{
    (void)unused;
    expect_error("[Players \"2\"]\n[Result \"draw\"]\n\n1: done\n", 2, 10, "the actions lead to the result '-'");
    expect_error("[Players \"2\"]\n[Limit \"1\"]\n[Result \"win 1 with T1\"]\n\n"
                 "1: done\n2: done\n1: assign\n1: done\n",
                 3, 10, "the actions lead to the result 'draw'");
    expect_error("[Players \"2\"]\n[Limit \"1\"]\n\n1: done\n2: done\n1: assign\n1: done\n2: pass\n", 8, 4,
                 "the game is over");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rulebooks_example_plays_as_told_R4_5_R6_3_R6_4_Q6),
        cmocka_unit_test(with_four_players_the_example_needs_two_turns_R6_7_R4_2),
        cmocka_unit_test(settings_come_first_and_unknown_tags_are_kept),
        cmocka_unit_test(variants_are_tags_too),
        cmocka_unit_test(a_tag_can_be_asked_for),
        cmocka_unit_test(a_broken_record_is_refused_with_line_column_and_reason),
        cmocka_unit_test(a_result_must_be_what_the_actions_lead_to),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
