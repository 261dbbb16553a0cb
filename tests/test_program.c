/* The program as a user meets it: the real binary, its words and its exit status. */
#include "scene.h"
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_run(const char *words, int status, const char *expected)
{
    assert_int_equal(shell(words), status);
    assert_string_equal(output, expected);
}

static void help_and_version_are_there(void **unused)
{
    (void)unused;
    expect_run("gral --version", 0, "gral " GRAL_VERSION "\n");
    assert_int_equal(shell("gral --help"), 0);
    static const char *const commands[] = {"referee", "replay", "bench"};
    for (size_t index = 0; index < sizeof commands / sizeof *commands; index++) {
        assert_int_equal(shell("gral --help"), 0);
        expect_in_output(commands[index]);
        char words[64];
        snprintf(words, sizeof words, "gral %s --help", commands[index]);
        assert_int_equal(shell(words), 0);
        snprintf(words, sizeof words, "Usage: gral %s", commands[index]);
        expect_in_output(words);
    }
}

static void bad_words_get_one_line_and_status_2(void **unused)
{
    (void)unused;
    expect_run("gral 2>&1", 2, "gral: a command is missing (gral --help lists the commands)\n");
    expect_run("gral juggle 2>&1", 2, "gral: unknown command 'juggle' (gral --help lists the commands)\n");
    expect_run("gral --juggle 2>&1", 2, "gral: unknown option '--juggle' (gral --help lists the commands)\n");
    expect_run("gral --version now 2>&1", 2, "gral: unexpected word 'now' (gral --help lists the commands)\n");
    expect_run("gral referee --fast 2>&1", 2,
               "gral referee: unknown option '--fast' (gral referee --help says more)\n");
    expect_run("gral referee x 2>&1", 2, "gral referee: unexpected word 'x' (gral referee --help says more)\n");
    expect_run("gral replay 2>&1", 2, "gral replay: expected one record (gral replay --help says more)\n");
    expect_run("gral replay --at 2>&1", 2, "gral replay: --at needs a value: --at N (gral replay --help says more)\n");
    expect_run("gral replay --at=-1 x 2>&1", 2,
               "gral replay: --at needs a number of actions, not '-1' (gral replay --help says more)\n");
    expect_run("gral replay --as 13 x 2>&1", 2,
               "gral replay: --as needs a seat from 1 to 12, public or all, not '13' (gral replay --help says more)\n");
    expect_run("gral replay --check=yes x 2>&1", 2,
               "gral replay: --check takes no value (gral replay --help says more)\n");
    expect_run("gral replay --as 4 $data/records/example.gral 2>&1", 2,
               "gral replay: the game has only 3 seats (gral replay --help says more)\n");
    expect_run("gral bench 2>&1", 2,
               "gral bench: expected what to measure: engine, env, players, server or thinking (gral bench --help says "
               "more)\n");
}

static void the_manual_names_every_command_and_option(void **unused)
{
    (void)unused;
    assert_int_equal(shell("gral --manual | man -l - 2>&1 | cat"), 0);
    static const char *const words[] = {"GRAL(1)", "gral referee", "gral replay", "--at N", "--json", "EXIT STATUS"};
    for (size_t index = 0; index < sizeof words / sizeof *words; index++)
        expect_in_output(words[index]);
}

static void the_referee_answers_through_pipes_and_ends_with_its_input(void **unused)
{
    (void)unused;
    expect_run("printf 'new players=2\\ndo pass\\ndo done\\n\\n# x\\nundo' | gral referee", 0,
               "ok\nerror: there is no proposal for you to object to (R4.4)\nok\nok\n");
    expect_run("gral referee </dev/null", 0, "");
    expect_run("{ head -c 10000 /dev/zero | tr '\\0' a; echo; echo new players=2; } | gral referee", 0,
               "error: the line is longer than 8192 bytes\nok\n");
    expect_run("head -c 100000 /dev/urandom | gral referee | grep -v '^error: ' | cat", 0, "");
}

static void a_record_is_shown_step_by_step(void **unused)
{
    (void)unused;
    assert_int_equal(shell("gral replay $data/records/example.gral"), 0);
    expect_in_output("     1   1: place 10 T1      Alberto Castellano\n");
    expect_in_output("\nturn 10, seat 1\n");
    expect_in_output("1: yield            rejected\n");
    expect_in_output("3: step A2 d3 x T1  Mansur Al-Jallah, Masyaf to Akkon, uncovers Alberto Castellano\n");
    expect_in_output("             Alberto Castellano leaves the game; lost by seat: 15 12 0\n");
    expect_in_output("  seat 3           -       0       0       3       0       0       0       0\n");
    assert_int_equal(shell("gral replay --at 0 $data/records/example.gral"), 0);
    expect_in_output("|T1 T2       |");
    assert_null(strstr(output, ": place"));
}

static void a_record_is_shown_with_the_eyes_of_one_seat_R10_2(void **unused)
{
    (void)unused;
    assert_int_equal(shell("gral replay --as 2 $data/records/example.gral"), 0);
    assert_null(strstr(output, "1: place"));
    assert_null(strstr(output, "3: place"));
    assert_null(strstr(output, "seat 3 placed"));
    expect_in_output("     1   1: done\n     2   2: place 10 T1");
    expect_in_output("  seat 1           -    0-85    0-85    0-85    0-85    0-85    0-85    0-85\n");
    expect_in_output("  seat 2           -       0       0       5       0       0       0       0\n");
    assert_int_equal(shell("gral replay --as public $data/records/example.gral"), 0);
    assert_null(strstr(output, ": place"));
    expect_in_output("     3   3: done\n");
}

static void a_broken_record_is_refused_with_line_and_reason(void **unused)
{
    (void)unused;
    expect_run("gral replay --check $data/records/example.gral", 0, "ok: 56 actions, 13 turns, result -\n");
    expect_run("cd $data/records && sed 's/1: yield/1: claim 99/' example.gral >/tmp/gral-broken-$$.gral; "
               "gral replay --check /tmp/gral-broken-$$.gral 2>&1 | sed 's/-broken-[0-9]*/-broken/'; "
               "rm /tmp/gral-broken-$$.gral",
               0,
               "gral replay: /tmp/gral-broken.gral: line 56, column 4: you don't have that much influence on "
               "this initiate (R4.8)\n");
    expect_run("gral replay /nowhere.gral 2>&1", 1, "gral replay: /nowhere.gral: No such file or directory\n");
    expect_run("gral replay --check /dev/zero 2>&1", 1, "gral replay: /dev/zero: not a file\n");
}

static void the_bench_prints_the_promised_json(void **unused)
{
    (void)unused;
    assert_int_equal(shell("gral bench engine --json | tr -d '0-9.'"), 0);
    assert_string_equal(output, "{\"state_bytes\":,\"copy_ns\":,\"rng_ns\":,\"players\":{"
                                "\"\":{\"rollout_ns\":,\"list_ns\":,\"actions_per_game\":},"
                                "\"\":{\"rollout_ns\":,\"list_ns\":,\"actions_per_game\":},"
                                "\"\":{\"rollout_ns\":,\"list_ns\":,\"actions_per_game\":},"
                                "\"\":{\"rollout_ns\":,\"list_ns\":,\"actions_per_game\":}}}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_and_version_are_there),
        cmocka_unit_test(bad_words_get_one_line_and_status_2),
        cmocka_unit_test(the_manual_names_every_command_and_option),
        cmocka_unit_test(the_referee_answers_through_pipes_and_ends_with_its_input),
        cmocka_unit_test(a_record_is_shown_step_by_step),
        cmocka_unit_test(a_record_is_shown_with_the_eyes_of_one_seat_R10_2),
        cmocka_unit_test(a_broken_record_is_refused_with_line_and_reason),
        cmocka_unit_test(the_bench_prints_the_promised_json),
    };
    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
