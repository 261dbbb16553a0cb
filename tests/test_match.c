/* Matches as a user meets them, through the program; and the leak check, which needs a cheat to catch. */
#include "scene.h"

#include "cli/exec_player.h"
#include "cli/match.h"
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A script; $dir is a folder that is gone afterwards. */
static int run(const char *words)
{
    char script[4096];
    snprintf(script, sizeof script, "dir=$(mktemp -d); { %s\n}; status=$?; rm -rf \"$dir\"; exit $status", words);
    return shell(script);
}

static void expect_run(const char *words, int status, const char *expected)
{
    const int got = run(words);
    assert_string_equal(output, expected);
    assert_int_equal(got, status);
}

/* The number after "key": in the output, from the `nth` time on. */
static double figure(const char *key, unsigned nth)
{
    char words[64];
    snprintf(words, sizeof words, "\"%s\":", key);
    const char *at = output;
    for (unsigned time = 0; time <= nth; time++) {
        at = strstr(at, words);
        if (at == NULL)
            fail_msg("no %s in\n%s", words, output);
        at += strlen(words);
    }
    return strtod(at, NULL);
}

/* --- counting --- */

static void the_same_seed_gives_the_same_result_with_any_number_of_threads(void **unused)
{
    (void)unused;
    /* All but the times. */
    static const char words[] = "gral match --players 3 --games 40 --seed 5 --cap 60 --json random greedy --threads %s "
                                "| sed 's/\"[a-z0-9]*_ms\":[0-9.]*//g'";
    static char first[sizeof output];
    char line[512];
    snprintf(line, sizeof line, words, "1");
    assert_int_equal(run(line), 0);
    memcpy(first, output, sizeof first);
    snprintf(line, sizeof line, words, "7");
    expect_run(line, 0, first);
    assert_int_equal(run("gral match --players 3 --games 40 --seed 6 --cap 60 --json random greedy "
                         "| sed 's/\"[a-z0-9]*_ms\":[0-9.]*//g'"),
                     0);
    assert_string_not_equal(output, first);
}

static void the_json_has_the_promised_keys(void **unused)
{
    (void)unused;
    expect_run("gral match --games 2 --cap 5 random greedy --json | tr -d '0-9.'", 0,
               "{\"games\":,\"seats\":,\"seed\":,\"draws\":,\"capped\":,\"median_turns\":,\"interrupted\":false,"
               "\"players\":[{\"name\":\"random\",\"against\":\"greedy\",\"chance\":,\"games\":,\"wins\":,"
               "\"win_rate\":,\"lo\":,\"hi\":,\"decisions\":,\"median_ms\":,\"p_ms\":,\"faults\":},"
               "{\"name\":\"greedy\",\"against\":\"random\",\"chance\":,\"games\":,\"wins\":,"
               "\"win_rate\":,\"lo\":,\"hi\":,\"decisions\":,\"median_ms\":,\"p_ms\":,\"faults\":}]}\n");
}

static void every_game_is_won_drawn_or_capped(void **unused)
{
    (void)unused;
    assert_int_equal(run("gral match --games 60 --cap 400 --board 3x3 --json random random"), 0);
    assert_int_equal(figure("games", 0), 60);
    assert_int_equal(figure("wins", 0) + figure("wins", 1) + figure("draws", 0) + figure("capped", 0), 60);
    assert_true(figure("wins", 0) > 0);
    assert_int_equal(run("gral match --games 10 --limit 3 --json random random"), 0);
    assert_int_equal(figure("draws", 0), 10);
    assert_int_equal(figure("capped", 0), 0);
    assert_int_equal(run("gral match --games 10 --cap 3 --json random random"), 0);
    assert_int_equal(figure("draws", 0), 0);
    assert_int_equal(figure("capped", 0), 10);
    assert_int_equal(figure("median_turns", 0), 3);
}

static void a_player_against_itself_wins_half(void **unused)
{
    (void)unused;
    assert_int_equal(run("gral match --games 40 --board 3x3 --cap 0 --json random random"), 0);
    assert_int_equal(figure("wins", 0), 20);
    assert_int_equal(figure("wins", 1), 20);
}

static void names_make_lineups(void **unused)
{
    (void)unused;
    static char *names[] = {"A", "B", "C", "D"};
    static const struct {
        unsigned names, seats, lineups, rows, games;
    } cases[] = {
        {2, 2, 1, 2, 2},  /* as listed */
        {4, 4, 1, 4, 4},  /* as listed */
        {2, 4, 2, 2, 8},  /* one against many, both ways */
        {1, 3, 1, 1, 1},  /* all rotations are the same */
        {3, 2, 3, 6, 6},  /* every two */
        {3, 4, 6, 6, 24}, /* every two, both ways */
    };
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        match_plan plan;
        assert_true(match_plan_make(&plan, names, cases[row].names, cases[row].seats));
        assert_int_equal(plan.lineups, cases[row].lineups);
        assert_int_equal(plan.rows, cases[row].rows);
        assert_int_equal(plan.games, cases[row].games);
        match_plan_free(&plan);
    }
}

static void in_a_block_everybody_sits_once_on_every_seat(void **unused)
{
    (void)unused;
    static char *names[] = {"A", "B", "C", "D", "E"};
    match_plan plan;
    assert_true(match_plan_make(&plan, names, 5, 5));
    unsigned seen[5] = {0};
    for (unsigned rotation = 0; rotation < plan.lineup[0].rotations; rotation++)
        for (unsigned seat = 0; seat < 5; seat++)
            seen[match_name_on(&plan, &plan.lineup[0], rotation, seat)] |= 1u << seat;
    for (unsigned name = 0; name < 5; name++)
        assert_int_equal(seen[name], 31);
    match_plan_free(&plan);
}

/* --- figures --- */

static void the_interval_holds_the_rate_and_a_clean_sheet_is_not_certain(void **unused)
{
    (void)unused;
    match_mean all = {0}, half = {0};
    for (unsigned block = 0; block < 50; block++) {
        match_mean_add(&all, 1);
        match_mean_add(&half, block % 2);
    }
    assert_true(match_interval_of(&all).low > 0.9 && match_interval_of(&all).low < 0.99);
    assert_true(match_interval_of(&all).high == 1);
    assert_true(match_interval_of(&half).low > 0.35 && match_interval_of(&half).low < 0.38);
    assert_true(match_interval_of(&half).high > 0.62 && match_interval_of(&half).high < 0.65);
}

static void the_quantiles_of_times_are_right_to_two_percent(void **unused)
{
    (void)unused;
    static match_times times, more;
    for (unsigned ms = 1; ms <= 500; ms++) {
        match_times_add(&times, ms);
        match_times_add(&more, 500 + ms);
    }
    match_times_merge(&times, &more);
    assert_true(match_times_quantile(&times, 0.5) > 490 && match_times_quantile(&times, 0.5) < 510);
    assert_true(match_times_quantile(&times, 0.95) > 931 && match_times_quantile(&times, 0.95) < 969);
}

static void the_sequential_test_stops_when_it_knows(void **unused)
{
    (void)unused;
    assert_int_equal(run("gral match --sprt --json --threads 1 \"exec:$GRAL_PLAIN_PLAYER\" random"), 0);
    expect_in_output("\"verdict\":\"better\"");
    const double games = figure("games", 0);
    assert_true(games < 1000);
    assert_int_equal(run("gral match --sprt --json --threads 5 \"exec:$GRAL_PLAIN_PLAYER\" random"), 0);
    assert_int_equal(figure("games", 0), games);
    assert_int_equal(run("gral match --sprt random \"exec:$GRAL_PLAIN_PLAYER\""), 0);
    expect_in_output("no, random is not better than exec:");
    assert_int_equal(run("gral match --sprt --games 2 random random --board 3x3"), 0);
    expect_in_output("undecided whether random is better than random");
}

/* --- the program around it --- */

static void bad_words_get_one_line_and_status_2(void **unused)
{
    (void)unused;
    expect_run("gral match 2>&1", 2, "gral match: PLAYER... is missing (see gral match --help)\n");
    assert_int_equal(run("gral match random nobody 2>&1"), 2);
    expect_in_output("gral match: 'nobody', column 1: expected a player: random, greedy");
    expect_run("gral match random:7 2>&1", 2,
               "gral match: 'random:7', column 8: this player takes nothing after its name (see gral match --help)\n");
    expect_run("gral match exec:/nowhere 2>&1", 2,
               "gral match: 'exec:/nowhere', column 6: No such file or directory (see gral match --help)\n");
    expect_run("gral match random --players 13 2>&1", 2,
               "gral match: --players 13: must be 2 to 12 (see gral match --help)\n");
    expect_run("gral match random --games 0 2>&1", 2,
               "gral match: --games 0: must be 1 to 1000000 (see gral match --help)\n");
    expect_run(
        "gral match random --rules original --players 3 2>&1", 2,
        "gral match: the game is for 2 to 12 players, The Original for 4 (R2.1, R8.1) (see gral match --help)\n");
    expect_run("gral match random --sprt 2>&1", 2,
               "gral match: --sprt compares exactly two players (see gral match --help)\n");
}

static void tables_and_messages_are_translated_but_not_what_programs_read(void **unused)
{
    (void)unused;
    assert_int_equal(run("export LC_ALL=C.UTF-8 LANGUAGE=de; gral match --games 2 --cap 5 random greedy && "
                         "gral match --games 2 --cap 5 --json random greedy && "
                         "gral match --games 2 --cap 5 exec:/bin/false random 2>&1; "
                         "echo new players=13 | gral referee"),
                     0);
    expect_in_output("2 Spiele mit Zufallszahl 1 an einem Tisch für 2; unentschieden: ");
    expect_in_output("\nSpieler  gegen   Spiele  Siege  Siegquote ");
    expect_in_output("{\"games\":2,\"seats\":2,");
    expect_in_output("gral match: Spiel 1, Platz 1, exec:/bin/false: das Programm endete mit Status 1\n");
    expect_in_output("\nerror: column 13: expected ");
}

static void interrupting_prints_what_there_is(void **unused)
{
    (void)unused;
    assert_int_equal(run("\"$GRAL\" match --games 1000000 --cap 5 --records $dir --json random random >$dir/out & "
                         "until [ -e $dir/game-000100.gral ] || ! kill -0 $!; do sleep 0.01; done; "
                         "kill -INT $!; wait $!; status=$?; cat $dir/out; (exit $status)"),
                     130);
    expect_in_output("\"interrupted\":true");
    assert_true(figure("games", 0) > 0);
    assert_true(figure("games", 0) < 1000000);
}

static void a_record_that_cannot_be_written_ends_the_match_and_leaves_no_file(void **unused)
{
    (void)unused;
    assert_int_equal(run("(ulimit -f 0; trap '' XFSZ; gral match --games 2 --cap 5 --records $dir random random 2>&1); "
                         "status=$?; ls $dir; (exit $status)"),
                     1);
    expect_in_output(".gral: File too large\n");
    assert_null(strstr(output, "\ngame-"));
    assert_int_equal(run("mkdir $dir/game-000001.gral; gral match --games 2 --cap 5 --records $dir random random 2>&1"),
                     1);
    expect_in_output("gral match: ");
    expect_in_output("/game-000001.gral: Is a directory\n");
}

static void a_terminal_sees_how_far_it_is_and_then_only_the_result(void **unused)
{
    (void)unused;
    assert_int_equal(run("script -qec '\"$GRAL\" match --games 200 --cap 20 random random' /dev/null"), 0);
    const char *bar = strstr(output, "\r["), *result = strstr(output, "200 games");
    assert_non_null(bar);
    assert_non_null(strstr(bar, "/200"));
    assert_true(bar < result);
    assert_null(strstr(result, "\r["));
}

static void kept_games_are_valid_records_with_the_players_names(void **unused)
{
    (void)unused;
    assert_int_equal(run("gral match --players 3 --games 6 --cap 40 --records $dir random greedy >/dev/null && "
                         "for game in $dir/*; do gral replay --check $game || exit 1; done"),
                     0);
    unsigned lines = 0;
    for (const char *at = output; (at = strstr(at, "ok: ")) != NULL; at++)
        lines++;
    assert_int_equal(lines, 6);
    assert_int_equal(run("gral match --players 3 --games 6 --cap 40 --records $dir random 'exec:/bin/echo \"\\' "
                         ">/dev/null 2>&1; gral replay --check $dir/game-000002.gral && cat $dir/game-000002.gral"),
                     0);
    expect_in_output("[Player1 \"exec:/bin/echo \\\"\\\\\"]\n[Player1Type \"program\"]\n[Player2 \"random\"]\n");
    expect_in_output("[Game \"2\"]\n");
}

/* --- outside programs --- */

static void the_examples_play_whole_games_without_a_fault(void **unused)
{
    (void)unused;
    assert_int_equal(run("gral match --players 3 --games 6 --json \"exec:$GRAL_PLAIN_PLAYER\" "
                         "\"exec:python3 $GRAL_EXAMPLES/plain_player.py\" 2>&1"),
                     0);
    assert_int_equal(figure("games", 0), 6);
    assert_int_equal(figure("capped", 0), 0);
    assert_int_equal(figure("faults", 0), 0);
    assert_int_equal(figure("faults", 1), 0);
    assert_int_equal(run("gral match --games 20 --json \"exec:$GRAL_PLAIN_PLAYER\" random 2>&1"), 0);
    assert_true(figure("wins", 0) >= 18);
    assert_int_equal(run("gral match --games 4 --rules original --json \"exec:$GRAL_PLAIN_PLAYER\" random --cap 20 "
                         "2>&1"),
                     0);
    assert_int_equal(figure("faults", 0), 0);
}

/* A match against a shell script of these lines; its first words are "ready" already. A program that gives no legal
 * answer at all makes the match a failure, which is said. */
static void play_script(const char *script)
{
    char words[2048];
    snprintf(words, sizeof words,
             "printf '%%s\\n' 'read line; echo ready' '%s' >$dir/script; "
             "gral match --games 2 --cap 5 --time 40 --threads 1 --json \"exec:sh $dir/script\" random 2>&1",
             script);
    const int status = run(words);
    assert_int_equal(status, strstr(output, " never gave a legal answer\n") != NULL);
    assert_int_equal(figure("games", 0), 2);
    assert_true(figure("faults", 0) > 0);
    assert_int_equal(figure("faults", 1), 0);
    expect_in_output("gral match: game 1, seat 1, exec:sh ");
}

static void a_program_that_dies_is_reported_and_the_match_goes_on(void **unused)
{
    (void)unused;
    play_script("exit 3");
    expect_in_output(" never gave a legal answer\n");
    expect_in_output(": the program ended with status 3\n");
    expect_in_output(": the program failed 3 times in a row and will not be asked again\n");
    play_script("kill -SEGV $$");
    expect_in_output(": the program was ended by signal 11\n");
}

static void a_program_that_hangs_and_ignores_signals_is_reported_and_the_match_goes_on(void **unused)
{
    (void)unused;
    play_script("trap \"\" TERM INT HUP; while :; do sleep 1; done");
    expect_in_output(": no answer within 40 ms\n");
}

static void an_illegal_answer_is_reported_with_its_line_and_the_reason(void **unused)
{
    (void)unused;
    play_script("while read line; do case $line in go*) echo pass;; new*) echo ready;; esac; done");
    expect_in_output(": answered 'pass': there is no proposal for you to object to (R4.4)\n");
}

static void garbage_is_reported_without_what_a_terminal_would_obey(void **unused)
{
    (void)unused;
    play_script("while read line; do case $line in go*) printf \"\\033[2J\\n\";; new*) echo ready;; esac; done");
    expect_in_output(": answered '?[2J': column 1: ");
}

static void a_flood_is_not_taken_for_answers(void **unused)
{
    (void)unused;
    play_script("yes done");
    expect_in_output(": sent 'done' without being asked\n");
    play_script("read line; tr \"\\0\" a </dev/zero");
    expect_in_output(": sent a line longer than 4096 bytes\n");
}

static void a_program_hears_only_what_its_seat_may_hear(void **unused)
{
    (void)unused;
    assert_int_equal(run("printf '%s\\n' 'tee -a '$dir'/heard | \"$GRAL_PLAIN_PLAYER\"' >$dir/script; "
                         "gral match --games 1 --threads 1 \"exec:sh $dir/script\" random >/dev/null; cat $dir/heard"),
                     0);
    expect_in_output("new seat=1 players=2 rules=standard first=1 limit=0 seed=");
    expect_in_output("\nevent 1 place ");
    expect_in_output("\nevent 2 done\n");
    expect_in_output("\nunits 2 10=? 5=? 4=? 3=? 2=? 1=?\n");
    expect_in_output("\nlegal\n");
    expect_in_output("\nend\ngo 5000\n");
    expect_in_output("\nover win 1 with ");
    expect_in_output("\nquit\n");
    const char *second = strstr(output, "new seat=2");
    assert_non_null(second);
    for (const char *at = output; at < second && (at = strstr(at, "event 2 place")) != NULL; at++)
        assert_true(at > second);
}

/* --- the leak check --- */

/* Objects if and only if the others' sheets, which it has no business to see, have an odd unit count. */
static gral_action cheat(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)player, (void)clock;
    const match_asking *asking = (const match_asking *)((const char *)question->view - offsetof(match_asking, view));
    gral_random random = gral_random_from(question->seed);
    const unsigned other = question->view->seat == 0 ? 1 : 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        random.state += asking->state.sheet[other].units[kind];
    return gral_options_pick(question->game, &question->view->open, question->options,
                             gral_random_below(&random, gral_options_count(question->options)));
}

/* Remembers how often it was asked. */
static gral_action remember(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)player, (void)clock;
    static unsigned asked;
    return gral_options_pick(question->game, &question->view->open, question->options,
                             asked++ % gral_options_count(question->options));
}

static void no_fault(void *context, unsigned seat, const char *what)
{
    (void)context, (void)seat;
    fail_msg("%s", what);
}

static enum match_ending play_with(gral_player *player)
{
    const gral_settings settings = gral_settings_for(2);
    gral_game game;
    gral_game_make(&game, &settings);
    atomic_bool stop = false;
    const match_job job = {.game = &game,
                           .cap = 50,
                           .seed = 1,
                           .player = {player, player},
                           .twin = {player, player},
                           .stop = &stop,
                           .fault = no_fault};
    match_desk desk = match_desk_begin(&settings);
    const match_result result = match_play(&desk, &job);
    if (result.ending == MATCH_LEAKED) {
        assert_false(gral_same_action(desk.leak.first, desk.leak.second));
        assert_int_equal(desk.leak.action, desk.played.count + 1);
    }
    match_desk_free(&desk);
    return (enum match_ending)result.ending;
}

static void the_leak_check_catches_who_looks_at_hidden_sheets(void **unused)
{
    (void)unused;
    static const gral_player_kind cheating = {.name = "cheat", .decide = cheat};
    gral_player player = {&cheating};
    assert_int_equal(play_with(&player), MATCH_LEAKED);
}

static void the_leak_check_catches_who_remembers_what_was_asked_before(void **unused)
{
    (void)unused;
    static const gral_player_kind remembering = {.name = "remember", .decide = remember};
    gral_player player = {&remembering};
    assert_int_equal(play_with(&player), MATCH_LEAKED);
}

static void honest_players_pass_the_leak_check(void **unused)
{
    (void)unused;
    for (unsigned players = 2; players <= 4; players++) {
        char words[128];
        snprintf(words, sizeof words, "gral match --leak-check --players %u --games 6 --cap 60 --json random greedy",
                 players);
        assert_int_equal(run(words), 0);
        assert_true(figure("leak_checked", 0) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_result_with_any_number_of_threads),
        cmocka_unit_test(the_json_has_the_promised_keys),
        cmocka_unit_test(every_game_is_won_drawn_or_capped),
        cmocka_unit_test(a_player_against_itself_wins_half),
        cmocka_unit_test(names_make_lineups),
        cmocka_unit_test(in_a_block_everybody_sits_once_on_every_seat),
        cmocka_unit_test(the_interval_holds_the_rate_and_a_clean_sheet_is_not_certain),
        cmocka_unit_test(the_quantiles_of_times_are_right_to_two_percent),
        cmocka_unit_test(the_sequential_test_stops_when_it_knows),
        cmocka_unit_test(bad_words_get_one_line_and_status_2),
        cmocka_unit_test(tables_and_messages_are_translated_but_not_what_programs_read),
        cmocka_unit_test(interrupting_prints_what_there_is),
        cmocka_unit_test(a_record_that_cannot_be_written_ends_the_match_and_leaves_no_file),
        cmocka_unit_test(a_terminal_sees_how_far_it_is_and_then_only_the_result),
        cmocka_unit_test(kept_games_are_valid_records_with_the_players_names),
        cmocka_unit_test(the_examples_play_whole_games_without_a_fault),
        cmocka_unit_test(a_program_that_dies_is_reported_and_the_match_goes_on),
        cmocka_unit_test(a_program_that_hangs_and_ignores_signals_is_reported_and_the_match_goes_on),
        cmocka_unit_test(an_illegal_answer_is_reported_with_its_line_and_the_reason),
        cmocka_unit_test(garbage_is_reported_without_what_a_terminal_would_obey),
        cmocka_unit_test(a_flood_is_not_taken_for_answers),
        cmocka_unit_test(a_program_hears_only_what_its_seat_may_hear),
        cmocka_unit_test(the_leak_check_catches_who_looks_at_hidden_sheets),
        cmocka_unit_test(the_leak_check_catches_who_remembers_what_was_asked_before),
        cmocka_unit_test(honest_players_pass_the_leak_check),
    };
    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
