/* Terms, standing orders and inputs as text. */
#include "hosting.h"

#include <stdio.h>
#include <string.h>

static void terms_print_as_they_were_written(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "players=2 rules=standard first=1 limit=0 game=g seed=0 clock=none time=0 increment=0 answer=0 opening=0 "
        "pace=0 "
        "listed=no "
        "notepad=no talk=no",
        "players=4 rules=original first=3 limit=80 hq=RIAT game=Ab-9_z seed=18446744073709551615 clock=bank "
        "time=600000 increment=5000 answer=20000 opening=0 pace=1500 listed=yes notepad=yes talk=yes "
        "seat2=thinker:level=3,as=fox seat4=random",
        "players=12 rules=standard first=12 limit=0 game=g seed=7 clock=move time=31622400000 increment=0 answer=0 "
        "opening=0 "
        "pace=60000 listed=no notepad=yes talk=no seat12=rules",
        ("players=2 rules=standard first=1 limit=0 board=3x1 pawns=T1,A1 units=2,1 grail=b1 game=g seed=0 clock=none "
         "time=0 increment=0 answer=0 opening=0 pace=0 listed=no notepad=no talk=no"),
    };
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) {
        gral_terms terms;
        gral_error error;
        if (!gral_terms_parse(gral_span_of(texts[index]), &terms, &error))
            fail_msg("column %u: %s", error.column, error.message);
        char words[1024];
        gral_text text = gral_text_in(words, sizeof words);
        gral_terms_print(&text, &terms);
        assert_string_equal(words, texts[index]);
    }
}

static void terms_may_come_in_any_order_and_few_are_needed(void **unused)
{
    (void)unused;
    gral_terms terms;
    gral_error error;
    assert_true(gral_terms_parse(gral_span_of("seat1=greedy game=x talk=yes players=3"), &terms, &error));
    assert_int_equal(terms.settings.players, 3);
    assert_string_equal(terms.computer[0], "greedy");
    assert_true(terms.talk);
    assert_int_equal(terms.clock, GRAL_CLOCK_NONE);
}

typedef struct wrong {
    const char *words;
    unsigned column;
} wrong;

static void wrong_terms_are_refused_with_their_column(void **unused)
{
    (void)unused;
    static const wrong cases[] = {
        {"", 1},
        {"players=3", 1},
        {"players=1 game=g", 1},
        {"players=3 game=", 16},
        {"players=3 game=a.b", 16},
        {"players=3 game=abcdefghijklmnopqrstuvwxyz0123456", 16},
        {"players=3 game=g game=h", 18},
        {"players=3 game=g players=4", 26},
        {"players=3 game=g colour=red", 18},
        {"players=3 game=g seed=-1", 23},
        {"players=3 game=g seed=18446744073709551616", 23},
        {"players=3 game=g clock=sun", 24},
        {"players=3 game=g time=5", 1},
        {"players=3 game=g clock=move", 1},
        {"players=3 game=g clock=move time=5 answer=3", 1},
        {"players=3 game=g opening=5", 1},
        {"players=3 game=g clock=bank time=5", 1},
        {"players=3 game=g clock=move time=31622400001", 34},
        {"players=3 game=g pace=60001", 23},
        {"players=3 game=g talk=perhaps", 23},
        {"players=3 game=g seat0=random", 22},
        {"players=3 game=g seat13=random", 22},
        {"players=3 game=g seat4=random", 24},
        {"players=3 game=g seat2=random seat2=greedy", 31},
        {"players=3 game=g seat2=nobody", 24},
        {"players=3 game=g seat2=thinker:level=9", 32},
        {"players=3 game=g seat2=", 24},
        {"players=3  game=g", 11},
    };
    for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
        gral_terms terms;
        gral_error error = {0};
        if (gral_terms_parse(gral_span_of(cases[index].words), &terms, &error))
            fail_msg("'%s' was read", cases[index].words);
        if (error.column != cases[index].column || error.line != 1 || error.message[0] == '\0')
            fail_msg("'%s': %u:%u: %s", cases[index].words, error.line, error.column, error.message);
    }
}

#define SALT "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static void every_input_prints_as_it_was_written(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "sit 2 71234",
        "fill 1 3 thinker:level=3,as=renard",
        "fill 1 #1f 3 random",
        "dismiss 12 1",
        "sit 12 18446744073709551615",
        "rise 2 #1f",
        "do 2 #ffffffffffffffff salt=" SALT " place 10 T1; place 5 A2; done",
        "do 2 computer salt=" SALT " assign; done",
        "do 1 step T1 a2 x A1",
        "order 2 #1f pass turn",
        "order 2 pass proposal",
        "order 2 pass until T1",
        "order 2 pass until grail",
        "order 2 pass until uncover",
        "order 2 pass until objection",
        "order 2 pass until mine",
        "order 2 pass in 60",
        "cancel 2 #1f pass in 60",
        "order 2 object T1 d3 12",
        "cancel 2",
        "draw 2",
        "nodraw 2",
        "replace 2 4",
        "resign 2",
        "back 2",
        "talk 2: hello",
        "talk 2 #1f to=1,3: to=4 is not meant; #2: “so” | there",
        "offer 2 hold 10 T1",
        "offer 2 computer #1f to=1,3 pass A1",
        "mute 2 4",
        "unmute 2 4",
        "speak",
        "late",
        ("late salt=" SALT),
        "resume",
        "close",
    };
    bool seen[GRAL_INPUT_KINDS] = {false};
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) {
        gral_input input;
        gral_error error;
        if (!gral_input_parse(gral_span_of(texts[index]), &input, &error))
            fail_msg("'%s': column %u: %s", texts[index], error.column, error.message);
        char words[GRAL_INPUT_TEXT_MAX];
        gral_text text = gral_text_in(words, sizeof words);
        gral_input_print(&text, &input);
        assert_string_equal(words, texts[index]);
        seen[input.kind] = true;
    }
    for (unsigned kind = 0; kind < GRAL_INPUT_KINDS; kind++)
        assert_true(seen[kind]);
}

static void the_longest_inputs_fit(void **unused)
{
    (void)unused;
    gral_input longest = {.kind = GRAL_INPUT_DO, .seat = 11, .computer = true, .ticket = UINT64_MAX, .salted = true};
    for (unsigned index = 0; index < GRAL_ACTIONS_MAX; index++)
        longest.action[index] = gral_step(GRAL_T1, 24, GRAL_A1);
    longest.action_count = GRAL_ACTIONS_MAX;
    char words[GRAL_INPUT_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    gral_input_print(&text, &longest);
    assert_true(text.length < GRAL_INPUT_TEXT_MAX);

    char speech[GRAL_TALK_MAX];
    memset(speech, 'x', sizeof speech);
    longest = (gral_input){
        .kind = GRAL_INPUT_TALK, .seat = 11, .ticket = UINT64_MAX, .to = 0xfff, .words = {speech, sizeof speech}};
    text = gral_text_in(words, sizeof words);
    gral_input_print(&text, &longest);
    assert_true(text.length < GRAL_INPUT_TEXT_MAX);
    gral_input again;
    gral_error error;
    assert_true(gral_input_parse((gral_span){words, text.length}, &again, &error));
    assert_int_equal(again.words.length, GRAL_TALK_MAX);
}

static void wrong_inputs_are_refused_with_their_column(void **unused)
{
    (void)unused;
    static const wrong cases[] = {
        {"", 1},
        {"dance", 1},
        {"sit", 4},
        {"sit 0 5", 5},
        {"sit 13 5", 5},
        {"sit 2", 6},
        {"fill 1 3", 9},
        {"fill 1 3 nobody", 10},
        {"dismiss 1", 10},
        {"sit 2 0", 7},
        {"sit 2 007", 7},
        {"sit 2 5 ", 8},
        {"do 2", 5},
        {"do 2 ", 6},
        {"do 2 dance", 6},
        {"do 2 #0 pass", 7},
        {"do 2 #1F pass", 7},
        {"do 2 #11111111111111111 pass", 7},
        {"do 2 salt=12 done", 11},
        {"do 2 #1 computer pass", 9},
        {"do 2 pass;pass", 10},
        {"do 2 pass; ", 12},
        {"do 2 place 10 T1; place 6 T1; done", 25},
        {"order 2 sleep", 9},
        {"order 2 pass until T9", 20},
        {"order 2 object T1 d9 12", 19},
        {"order 2 object T1 d3 0", 22},
        {"order 2 object T1 d3 101", 22},
        {"order 2 object T1 d3 12 ", 24},
        {"order 2 pass in 0", 17},
        {"order 2 pass in 61", 17},
        {"replace 2", 10},
        {"talk 2 hello", 7},
        {"talk 2: ", 9},
        {"talk 2: a\tb", 9},
        {"talk 2: \xff", 9},
        {"talk 2 to=: hello", 11},
        {"talk 2 to=1,1: hello", 13},
        {"offer 2 to=1 sing", 14},
        {"speak 2", 6},
        {"late 2", 5},
    };
    for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
        gral_input input;
        gral_error error = {0};
        if (gral_input_parse(gral_span_of(cases[index].words), &input, &error))
            fail_msg("'%s' was read", cases[index].words);
        if (error.column != cases[index].column || error.line != 1 || error.message[0] == '\0')
            fail_msg("'%s': %u:%u: %s", cases[index].words, error.line, error.column, error.message);
    }
}

static void talk_of_more_than_500_bytes_is_refused(void **unused)
{
    (void)unused;
    char words[GRAL_TALK_MAX + 16];
    memset(words, 'x', sizeof words);
    memcpy(words, "talk 2: ", 8);
    gral_input input;
    gral_error error;
    assert_true(gral_input_parse((gral_span){words, 8 + GRAL_TALK_MAX}, &input, &error));
    assert_false(gral_input_parse((gral_span){words, 9 + GRAL_TALK_MAX}, &input, &error));
}

static void every_refusal_has_words(void **unused)
{
    (void)unused;
    for (unsigned refusal = 1; refusal < GRAL_HOST_REFUSALS; refusal++) {
        const char *words = gral_host_refusal_text(refusal);
        assert_non_null(words);
        assert_true(strlen(words) > 10 && words[strlen(words) - 1] != '.');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_print_as_they_were_written),
        cmocka_unit_test(terms_may_come_in_any_order_and_few_are_needed),
        cmocka_unit_test(wrong_terms_are_refused_with_their_column),
        cmocka_unit_test(every_input_prints_as_it_was_written),
        cmocka_unit_test(the_longest_inputs_fit),
        cmocka_unit_test(wrong_inputs_are_refused_with_their_column),
        cmocka_unit_test(talk_of_more_than_500_bytes_is_refused),
        cmocka_unit_test(every_refusal_has_words),
    };
    return cmocka_run_group_tests_name("host text", tests, NULL, NULL);
}
