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
    expect_run("gral 2>&1", 2, "gral: COMMAND is missing (see gral --help)\n");
    expect_run("gral juggle 2>&1", 2, "gral: unknown command 'juggle' (see gral --help)\n");
    expect_run("gral help juggle 2>&1", 2, "gral: unknown command 'juggle' (see gral --help)\n");
    expect_run("gral --juggle 2>&1", 2, "gral: unknown option '--juggle' (see gral --help)\n");
    expect_run("gral --version now 2>&1", 2, "gral: unknown command 'now' (see gral --help)\n");
    expect_run("gral referee --fast 2>&1", 2, "gral referee: unknown option '--fast' (see gral referee --help)\n");
    expect_run("gral referee x 2>&1", 2, "gral referee: unexpected word 'x' (see gral referee --help)\n");
    expect_run("gral replay 2>&1", 2, "gral replay: FILE is missing (see gral replay --help)\n");
    expect_run("gral replay --at 2>&1", 2, "gral replay: --at needs a value: --at N (see gral replay --help)\n");
    expect_run("gral replay --at=-1 x 2>&1", 2, "gral replay: --at -1: must be a number (see gral replay --help)\n");
    expect_run("gral replay --as 13 x 2>&1", 2,
               "gral replay: --as 13: must be a seat (1 to 12), public or all (see gral replay --help)\n");
    expect_run("gral replay --check=yes x 2>&1", 2, "gral replay: --check takes no value (see gral replay --help)\n");
    expect_run("gral replay --as 4 $data/records/example.gral 2>&1", 2,
               "gral replay: the game has only 3 seats (see gral replay --help)\n");
    expect_run("gral bench 2>&1", 2,
               "gral bench: engine|env|players|server|thinking is missing (see gral bench --help)\n");
    expect_run("gral play -p 2>&1", 2, "gral play: unknown option '-p' (see gral play --help)\n");
}

static void a_value_out_of_range_is_refused_with_the_range(void **unused)
{
    (void)unused;
    expect_run("gral play --players 13 2>&1", 2, "gral play: --players 13: must be 2 to 12 (see gral play --help)\n");
    expect_run("gral match --players=1 2>&1", 2, "gral match: --players 1: must be 2 to 12 (see gral match --help)\n");
    expect_run("gral match --alpha nan x 2>&1", 2,
               "gral match: --alpha nan: must be 1e-06 to 0.4999 (see gral match --help)\n");
    expect_run("gral serve --port 65536 2>&1", 2,
               "gral serve: --port 65536: must be 0 to 65535 (see gral serve --help)\n");
    expect_run("gral serve --log loud 2>&1", 2,
               "gral serve: --log loud: must be error|warning|info|debug (see gral serve --help)\n");
    expect_run("gral bench server --connections 100,3 2>&1", 2,
               "gral bench: --connections 100,3: must be up to 8 numbers from 4 to 15000, as in 100,1000 (see gral "
               "bench --help)\n");
    expect_run("gral --lang xx play 2>&1", 2, "gral: --lang xx: must be en|de|fr|it (see gral --help)\n");
}

static void help_is_asked_for_in_three_ways_and_names_ranges_and_defaults(void **unused)
{
    (void)unused;
    assert_int_equal(shell("gral serve --help"), 0);
    static char first[sizeof output];
    memcpy(first, output, sizeof first);
    expect_in_output("65535; default: 8080)");
    expect_run("gral serve -h", 0, first);
    expect_run("gral help serve", 0, first);
    assert_int_equal(shell("gral --help"), 0);
    memcpy(first, output, sizeof first);
    expect_run("gral -h", 0, first);
    expect_run("gral help", 0, first);
    assert_int_equal(shell("gral --lang de play -h"), 0);
    expect_in_output("(2 bis 12)");
}

/* What a command line that ends with these words can become; the last is the beginning of one. */
static void completion_offers_commands_options_and_values(void **unused)
{
    (void)unused;
    expect_run("gral --complete re | cut -f1", 0, "replay\nreferee\n");
    expect_run("gral --complete --lang de re", 0,
               "replay\tshow a recorded game\nreferee\tjudge a game, driven by lines of text\n");
    expect_run("LC_ALL=C.UTF-8 LANGUAGE=de gral --complete help ser", 0, "serve\teinen Spielserver betreiben\n");
    expect_run("gral --complete play --pl | cut -f1", 0, "--players\n--plain\n");
    expect_run("gral --complete play --players ''", 0, "");
    expect_run("gral --complete play --rules o", 0, "original\t\n");
    expect_run("gral --complete replay --as ''", 0, "public\t\nall\t\n");
    expect_run("gral --complete play --name serve --rules o", 0, "original\t\n");
    expect_run("gral --complete bench e", 0, "engine\t\nenv\t\n");
    expect_run("gral --complete nonsense --he | cut -f1", 0, "--help\n");
    /* Names of files are the shell's business. */
    expect_run("gral --complete verify ''", 1, "");
    expect_run("gral --complete serve --database ''", 1, "");
    expect_run("gral --complete verify - | head -1 | cut -f1", 0, "--key\n");
}

static void bash_completes(void **unused)
{
    (void)unused;
#define IN_BASH(words)                                                                                                 \
    "gral --completion bash | PATH=${GRAL%/*}:$PATH bash -c '. /dev/stdin; COMP_WORDS=(gral " words                    \
    "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { echo files; }; _gral; echo ${#COMPREPLY[@]} "               \
    "${COMPREPLY[@]}'"
    expect_run(IN_BASH("re"), 0, "2 replay referee\n");
    expect_run(IN_BASH("play --rules \"\""), 0, "2 standard original\n");
    expect_run(IN_BASH("play --players \"\""), 0, "0\n");
    expect_run(IN_BASH("verify \"\""), 0, "files\n0\n");
}

static void zsh_completes(void **unused)
{
    (void)unused;
#define IN_ZSH(typed)                                                                                                  \
    "gral --completion zsh | PATH=${GRAL%/*}:$PATH zsh -fc 'compdef() { : }; _describe() { print -rl -- $offers }; "   \
    "_files() { print files "                                                                                          \
    "}; "                                                                                                              \
    ". /dev/stdin; words=(gral " typed "); CURRENT=$#words; _gral; true'"
    expect_run(IN_ZSH("re"), 0, "replay:show a recorded game\nreferee:judge a game, driven by lines of text\n");
    expect_run(IN_ZSH("play --rules \"\""), 0, "standard:\noriginal:\n");
    expect_run(IN_ZSH("play --players \"\""), 0, "");
    expect_run(IN_ZSH("verify \"\""), 0, "files\n");
}

static void fish_completes(void **unused)
{
    (void)unused;
#define IN_FISH(typed)                                                                                                 \
    "PATH=${GRAL%/*}:$PATH HOME=/nonexistent fish --no-config -c 'gral --completion fish | source; complete -C "       \
    "\"gral " typed "\"'"
    expect_run(IN_FISH("re"), 0, "referee\tjudge a game, driven by lines of text\nreplay\tshow a recorded game\n");
    expect_run(IN_FISH("play --rules "), 0, "original\nstandard\n");
    expect_run("cd / && " IN_FISH("verify us"), 0, "usr/\n");
}

static void what_cannot_be_written_is_a_failure(void **unused)
{
    (void)unused;
    static const char *const runs[] = {
        "--help",
        "help --manual",
        "help play",
        "replay $data/records/example.gral",
        "replay --check $data/records/example.gral",
        "verify $data/records/example.gral",
        "match --games 2 --cap 5 random random",
        "match --games 2 --cap 5 --json random random",
        "referee",
    };
    for (size_t index = 0; index < sizeof runs / sizeof *runs; index++) {
        char words[200];
        snprintf(words, sizeof words, "echo new players=2 | gral %s 2>&1 >/dev/full", runs[index]);
        expect_run(words, 1, "gral: could not write to standard output\n");
    }
}

static void the_manual_leads_to_every_command_whose_page_names_every_option(void **unused)
{
    (void)unused;
    static const struct {
        const char *page, *words[6];
    } rows[] = {
        {"", {"GRAL(1)", "gral - play, judge", "gral-referee(1)", "gral-help(1)", "--completion", "EXIT STATUS"}},
        {"replay",
         {"GRAL-REPLAY(1)", "gral-replay - show a recorded game", "gral replay [OPTIONS] FILE", "--at N", "--lang",
          "gral(1)"}},
        {"serve",
         {"GRAL-SERVE(1)", "--behind-proxy", "(0 to 65535; default: 8080)", "OPTIONS", "gral-admin(1)", "--help"}},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        char run[100];
        snprintf(run, sizeof run, "gral help --manual %s | MANWIDTH=200 man --warnings -l - 2>&1 | cat",
                 rows[row].page);
        assert_int_equal(shell(run), 0);
        for (size_t index = 0; index < 6; index++)
            expect_in_output(rows[row].words[index]);
        assert_null(strstr(output, "warning:"));
    }
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

static void what_is_not_there_or_too_large_is_named(void **unused)
{
    (void)unused;
    expect_run("unset HOME XDG_DATA_HOME; gral backup copy 2>&1", 1,
               "gral backup: there is no place for gral.db: HOME is not set\n");
    expect_run("unset HOME XDG_DATA_HOME; gral admin people 2>&1", 1,
               "gral admin: there is no place for gral.db: HOME is not set\n");
    expect_run("gral admin --database memory people 2>&1", 2,
               "gral admin: a server with this database has no socket (see gral admin --help)\n");
    expect_run("gral ratings --database /nowhere.db 2>&1", 1, "gral ratings: /nowhere.db: No such file or directory\n");
    expect_run("cd $(mktemp -d) && truncate -s 65M large && gral replay large 2>&1; rm large", 0,
               "gral replay: large: larger than 64 MiB\n");
}

static void a_file_that_cannot_be_written_is_named_and_leaves_nothing_behind(void **unused)
{
    (void)unused;
    expect_run("cd $(mktemp -d) && mkdir there && printf 'new players=2\\nsave there\\n' | gral referee; ls", 0,
               "ok\nerror: there: Is a directory\nthere\n");
    assert_int_equal(shell("printf 'new players=2\\nsave %04200d\\n' 0 | gral referee"), 0);
    expect_in_output("error: the name of the file is too long\n");
    expect_run(
        "cd $(mktemp -d) && ulimit -f 0 && trap '' XFSZ && printf 'new players=2\\nsave there\\n' | gral referee; ls",
        0, "ok\nerror: there: File too large\n");
}

static void the_server_opens_a_browser_at_the_address_it_prints(void **unused)
{
    (void)unused;
    expect_run("folder=$(mktemp -d) && cd $folder && cat >xdg-open <<'END'\n"
               "#!/bin/sh\n"
               "echo \"gral serve: $1\" >seen.new && mv seen.new seen\n"
               "END\n"
               "chmod +x xdg-open\n"
               "DISPLAY=:7 PATH=$folder:$PATH \"$GRAL\" serve --open --port 0 --database memory >said 2>/dev/null &\n"
               "while [ ! -f seen ]; do kill -0 $! || exit 1; sleep 0.05; done\n"
               "kill $! && wait $!; cmp said seen && grep -c http:// seen; rm -r $folder",
               0, "1\n");
}

static void whoever_just_wants_to_play_gets_a_free_port(void **unused)
{
    (void)unused;
    expect_run("folder=$(mktemp -d) && cd $folder && unset DISPLAY WAYLAND_DISPLAY\n"
               "for one in 1 2; do\n"
               "\"$GRAL\" serve --open --database memory >said$one 2>/dev/null &\n"
               "while [ ! -s said$one ]; do kill -0 $! || exit 1; sleep 0.05; done\n"
               "pids=\"$pids $!\"; done\n"
               "kill $pids && wait; cat said1 said2 | sort -u | grep -c http://; rm -r $folder",
               0, "2\n");
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
        cmocka_unit_test(a_value_out_of_range_is_refused_with_the_range),
        cmocka_unit_test(help_is_asked_for_in_three_ways_and_names_ranges_and_defaults),
        cmocka_unit_test(completion_offers_commands_options_and_values),
        cmocka_unit_test(bash_completes),
        cmocka_unit_test(zsh_completes),
        cmocka_unit_test(fish_completes),
        cmocka_unit_test(what_cannot_be_written_is_a_failure),
        cmocka_unit_test(the_manual_leads_to_every_command_whose_page_names_every_option),
        cmocka_unit_test(the_referee_answers_through_pipes_and_ends_with_its_input),
        cmocka_unit_test(a_record_is_shown_step_by_step),
        cmocka_unit_test(a_record_is_shown_with_the_eyes_of_one_seat_R10_2),
        cmocka_unit_test(a_broken_record_is_refused_with_line_and_reason),
        cmocka_unit_test(what_is_not_there_or_too_large_is_named),
        cmocka_unit_test(a_file_that_cannot_be_written_is_named_and_leaves_nothing_behind),
        cmocka_unit_test(the_server_opens_a_browser_at_the_address_it_prints),
        cmocka_unit_test(whoever_just_wants_to_play_gets_a_free_port),
        cmocka_unit_test(the_bench_prints_the_promised_json),
    };
    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
