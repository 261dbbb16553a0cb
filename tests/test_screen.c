/* `gral play` on a whole terminal: the real program in tmux, which presses the keys and reads the screen. Nothing
 * here depends on time: whatever is expected is waited for. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 3000, TRY_MS = 20 };

static char folder[64], screen[1 << 18];
static unsigned game; /* each has a tmux of its own: one that is ending would take the next one with it */

/* What the command prints is in `screen`; its status is returned. */
__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
    char command[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    screen[fread(screen, 1, sizeof screen - 1, pipe)] = '\0';
    return pclose(pipe);
}

static int in_tmux(const char *words)
{
    return shell("cd '%s' && LC_ALL=C.UTF-8 tmux -u -S ./socket%u -f /dev/null %s 2>&1", folder, game, words);
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = TRY_MS * 1000000L}, NULL);
}

static int new_folder(void **unused)
{
    (void)unused;
    strcpy(folder, "/tmp/gral-screen-XXXXXX");
    return mkdtemp(folder) == NULL;
}

/* It may stay a zombie: whoever inherits a program whose parent is gone, in a container, need not ask how it ended. */
static void wait_for_end(void)
{
    for (int tries = 0; shell("cd '%s' && grep -q '^State:.[^Z]' /proc/$(cat pid)/status 2>/dev/null", folder) == 0;
         tries++) {
        assert_true(tries < TRIES);
        wait_a_little();
    }
}

static void close_window(void)
{
    in_tmux("kill-server");
    game++;
}

/* The program first: no test but the one about it is to close the window on a running game. */
static void end_all(void)
{
    shell("cd '%s' && kill -TERM $(cat pid) 2>/dev/null", folder);
    wait_for_end();
    close_window();
}

static int remove_folder(void **unused)
{
    (void)unused;
    end_all();
    return shell("rm -rf '%s'", folder);
}

/* Starts `gral play WORDS` in a window of this size. Its process is in the file `pid`; when it has ended the window
 * says how. */
static void play_words(const char *environment, int columns, int lines, const char *words)
{
    assert_int_equal(shell("cd '%s' && rm -f game.gral && cat >start <<EOF\n"
                           "unset LANGUAGE\n"
                           "%s XDG_DATA_HOME=. sh -c 'echo \\$\\$ >pid; exec \"$GRAL\" play %s'\n"
                           "echo left with \\$?\n"
                           "exec sleep 1000\n"
                           "EOF\n",
                           folder, environment, words),
                     0);
    char command[64];
    snprintf(command, sizeof command, "new-session -d -x %d -y %d 'sh start'", columns, lines);
    assert_int_equal(in_tmux(command), 0);
}

static void play_on(const char *environment, int columns, int lines, const char *words)
{
    char all[512];
    snprintf(all, sizeof all, "--save game.gral %s", words);
    play_words(environment, columns, lines, all);
}

static void play(const char *words)
{
    play_on("TERM=screen", 80, 24, words);
}

static void press(const char *keys)
{
    char command[512];
    snprintf(command, sizeof command, "send-keys %s", keys);
    assert_int_equal(in_tmux(command), 0);
}

static void look(void)
{
    in_tmux("capture-pane -p");
}

static bool shows(const char *words)
{
    look();
    return strstr(screen, words) != NULL;
}

static void see(const char *words)
{
    for (int tries = 0; tries < TRIES; tries++) {
        if (shows(words))
            return;
        wait_a_little();
    }
    fail_msg("no '%s' in\n%s", words, screen);
}

static void see_not(const char *words)
{
    if (strstr(screen, words) != NULL)
        fail_msg("'%s' in\n%s", words, screen);
}

static unsigned lines_with_ink(void)
{
    unsigned count = 0;
    for (char *line = strtok(screen, "\n"); line != NULL; line = strtok(NULL, "\n"))
        count += line[strspn(line, " ")] != '\0';
    return count;
}

/* Line `y` of what was seen last, without the spaces after it. */
static const char *line_at(int y)
{
    static char line[1024];
    const char *at = screen;
    for (; y > 0 && (at = strchr(at, '\n')) != NULL; y--)
        at++;
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' '; length--)
        line[length - 1] = '\0';
    return line;
}

/* --- */

static void a_whole_game_is_played_by_keys(void **unused)
{
    (void)unused;
    /* From where the cursor starts (c3) to T1, and the direction he goes: round the grail and home. */
    static const struct {
        const char *keys, *proposal;
        bool grail;
    } steps[] = {
        {"Left Left Down Down Enter Right Enter", "step T1 b1", false},
        {"Left Down Down Enter Right Enter", "step T1 c1", false},
        {"Down Down Enter Up Enter", "step T1 c2", false},
        {"Down Enter Up Enter", "step T1 c3", true},
        {"Enter Down Enter", "step T1 c2", true},
        {"Down Enter Down Enter", "step T1 c1", true},
        {"Down Down Enter Left Enter", "step T1 b1", true},
        {"Left Down Down Enter Left Enter", "step T1 a1", true},
    };
    static const char *const name[] = {"Ada", "Ben"};
    char words[64];
    play("--people Ada,Ben");
    see("Hand over to Ada");
    press("Enter");
    see("> place 10 T1");
    press("Enter 5 Enter");
    see("Ada places 5");
    press("u");
    see("was undone");
    press("d");
    see("Hand over to Ben");
    press("Enter");
    see("Opening: Ben");
    press("d");
    for (size_t turn = 0; turn < sizeof steps / sizeof *steps; turn++) {
        const char *active = name[turn % 2], *other = name[1 - turn % 2];
        if (turn == 0 || steps[turn - 1].grail) { /* else he has just passed and is there already */
            snprintf(words, sizeof words, "Hand over to %s", active);
            see(words);
            press("Enter");
        }
        snprintf(words, sizeof words, "Turn %zu: %s, propose", turn + 1, active);
        see(words);
        press(steps[turn].keys);
        snprintf(words, sizeof words, "Hand over to %s", other);
        see(words);
        press("Enter");
        see("do you object?");
        look();
        assert_non_null(strstr(line_at(16), steps[turn].proposal));
        press("p");
        if (!steps[turn].grail)
            continue;
        snprintf(words, sizeof words, "Hand over to %s", active);
        see(words);
        press("Enter");
        see("what happens to the grail?");
        press("k");
    }
    see("Ada wins.");
    see("T1 Alberto Castellano: 10 in the opening.");
    see("The record of the game is in game.gral");
    press("Enter");
    see("The game is over: Ada wins with T1.");
    press(": sheet Enter");
    see("T1 Alberto Castellano: 10 in the opening.");
    press("Enter Enter");
    see("The game is over: Ada wins with T1.");
    press("q");
    see("left with 0");
    see("The record of the game is in game.gral");
    assert_int_equal(shell("cd '%s' && \"$GRAL\" replay --check game.gral", folder), 0);
    assert_non_null(strstr(screen, "win 1 with T1"));
}

static void commands_are_typed_and_refusals_told(void **unused)
{
    (void)unused;
    play("--name Ada --against greedy --seed 1");
    see("Opening: Ada");
    press(": 'place 10 T1 5 T1' Enter");
    see("Ada places 5");
    press("d");
    see("Turn 1: Ada, propose");
    press(": 'step T1 c3' Enter");
    see("That didn't work:");
    press(": nonsense Enter");
    see("Unknown command.");
    press("T '1 a2'");
    see("> T1 a2");
    press("BSpace BSpace");
    see("> T1\n");
    press("Escape");
    see(">\n");
    press("?");
    see("Type a colon");
    press("q");
    see("Turn 1: Ada, propose");
    press("r");
    see("(R1)");
    press("q n");
    see("0-100");
    press("q h");
    see("Hint");
    press("q L");
    see("Ada has finished placing units.");
    press("q q");
    see("Press q again");
    press("n");
    see("Turn 1: Ada, propose");
    press("q q");
    see("left with 0");
    see("gral play --resume game.gral");
}

static void every_page_opens_at_its_word_and_turns(void **unused)
{
    (void)unused;
    play("--name Ada --against greedy --seed 1");
    see("Opening: Ada");
    press("Tab");
    see("> place 10 T2");
    press("1 Space 2 Space");
    see("Ada places 2");
    press(": 'place 10 T2 10 T2 10 T2 10 T2 5 T2 5 T2 5 T2 5 T2 4 T2 4 T2' Enter");
    see("T2  71");
    press(": 'place 4 T2 4 T2 3 T2 3 T2 3 T2 3 T2 2 T2 2 T2 2 T2 1 T2' Enter");
    see("T2  98");
    press("d");
    see("Turn 1: Ada, propose");
    press("L");
    see("What has happened so far");
    see(" Turn 1: Ada.");
    press("Home");
    see("so far\n Ada places 1 ");
    see_not(" Turn 1: Ada.");
    press("Down");
    see("\n Ada places 2");
    press("Up NPage");
    see(" Turn 1: Ada.");
    press("PPage");
    see("so far\n Ada places 1 ");
    press("Space");
    see(" Turn 1: Ada.");
    press("Home End q : board Enter");
    see("The board");
    press("q : sheet Enter");
    see("Your influence sheet");
    press("q : legal Enter");
    see("Everything you can do now");
    press("q : undo Enter");
    see("Only placements can be undone");
    press(": l Enter");
    see("one of several commands");
    press(": place Enter");
    see("Write it like this: place 10 T1");
    press(": nonsense C-u save Enter");
    see("game.gral");
    press(": 'save copy.gral' Enter");
    see("A copy of the game was saved in copy.gral");
    press(": 'save no/where.gral' Enter");
    see("could not be saved in no/where.gral: No such file or directory");
    assert_int_equal(shell("cd '%s' && \"$GRAL\" replay --check copy.gral", folder), 0);
}

static void who_stands_together_is_chosen_one_by_one(void **unused)
{
    (void)unused;
    play("--name Ada --against random --seed 1");
    see("Opening: Ada");
    press("d");
    see("Turn 1: Ada, propose");
    press("Left Left Down Down Tab");
    see("> T1");
    press("Tab");
    see("> T2");
    press("x Escape");
    see(">\n");
}

static bool ends_a_sentence(const char *line)
{
    static const char *const ends[] = {".", "?", "…"};
    const size_t length = strlen(line);
    for (size_t index = 0; index < sizeof ends / sizeof *ends; index++)
        if (length >= strlen(ends[index]) && strcmp(line + length - strlen(ends[index]), ends[index]) == 0)
            return true;
    return false;
}

/* What is too long is cut off at the edge; so a whole sentence has its end. */
static bool lines_are_whole(bool dispute)
{
    look();
    for (int y = 16; dispute && y < 18; y++)
        if (!ends_a_sentence(line_at(y)))
            return false;
    return ends_a_sentence(line_at(21)) && strstr(line_at(22), "?:") != NULL && strstr(line_at(22), "q:") != NULL;
}

static void expect_whole_lines(bool dispute)
{
    for (int tries = 0; !lines_are_whole(dispute); tries++) {
        if (tries == TRIES)
            fail_msg("something is cut off in\n%s", screen);
        wait_a_little();
    }
}

static void four_players_fit_on_80_by_24_in_every_language(void **unused)
{
    (void)unused;
    static const struct {
        const char *code, *hand_over, *opening, *turn;
    } language[] = {
        {"en", "Hand over", "Opening:", "Turn 1:"},
        {"de", "Übergabe", "Eröffnung:", "Zug 1:"},
        {"fr", "Passez", "Ouverture", "Tour 1"},
        {"it", "Passare", "Apertura:", "Turno 1:"},
    };
    for (size_t row = 0; row < sizeof language / sizeof *language; row++) {
        char words[200];
        snprintf(words, sizeof words, "--people Bartholomäus-Maximilian,Theodora-Wilhelmina,Ada,Ben --lang %s",
                 language[row].code);
        play(words);
        for (unsigned seat = 0; seat < 4; seat++) {
            see(language[row].hand_over);
            press("Enter");
            see(language[row].opening);
            expect_whole_lines(false);
            for (unsigned unit = 0; unit < 4; unit++)
                press("Enter 5 Enter 4 Enter 3 Enter 2 Enter 1 Enter 0");
            see(" 100 ");
            press("d");
        }
        see(language[row].hand_over);
        press("Enter");
        see(language[row].turn);
        expect_whole_lines(false);
        press("Left Left Down Down Enter Up");
        see("> step T1 a2");
        press("Enter");
        for (unsigned figure = 98; figure < 100; figure++) {
            see(language[row].hand_over);
            press("Enter");
            see("step T1 a2");
            expect_whole_lines(true);
            snprintf(words, sizeof words, "%u Enter", figure);
            press(words);
            see(language[row].hand_over);
            press("Enter");
            see("c:");
            expect_whole_lines(true);
            press("c");
        }
        press("Enter y y");
        end_all();
    }
}

static void twelve_players_have_a_notepad_on_one_page(void **unused)
{
    (void)unused;
    play("--name Ada --players 12 --against random --against random --against random --against random --against random "
         "--against random --against random --against random --against random --against random --against random");
    see("Opening: Ada");
    see("+ 8 more (n: all)");
    press("n");
    see("random 12");
    assert_non_null(strstr(screen, "\n Ada "));
    press("Enter");
    see("Opening: Ada");
}

static void a_window_that_is_too_small_says_so_and_loses_nothing(void **unused)
{
    (void)unused;
    play("--name Ada --against random");
    see("Opening: Ada");
    press("Enter");
    see("Ada places 10");
    in_tmux("resize-window -x 60 -y 20");
    see("60 × 20");
    press("d q q");
    in_tmux("resize-window -x 20 -y 3");
    see("Enlarge");
    in_tmux("resize-window -x 130 -y 40");
    see("c3 Golgotha─");
    see("Opening: Ada");
    in_tmux("resize-window -x 80 -y 24");
    see("c3───");
    see("Ada places 10");
    see("Opening: Ada");
}

static void the_curtain_leaves_nothing_of_what_was_seen_R10_2(void **unused)
{
    (void)unused;
    play("--people Ada,Ben");
    see("Ada, press Enter");
    assert_int_equal(lines_with_ink(), 2);
    press("Enter");
    see("Opening: Ada");
    press("Down Down 4 Enter d");
    see("Ben, press Enter");
    in_tmux("capture-pane -p -S -");
    see_not("Ada");
    assert_int_equal(lines_with_ink(), 2);
    press("x Space");
    press("Enter");
    see("> place 10 T1"); /* nor where Ada's cursor was */
    see_not("A1   4");
    see_not("Ada places");
    press("q q");
    see("left with 0");
    in_tmux("capture-pane -p -S -");
    see_not("0-100");
}

static void a_signal_or_a_lost_terminal_ends_the_game_saved(void **unused)
{
    (void)unused;
    static const char *const signals[] = {"TERM", "INT", "HUP", NULL}; /* NULL: the window is closed */
    for (size_t way = 0; way < sizeof signals / sizeof *signals; way++) {
        /* The search for leaks at the end of a program hangs when the end of its session comes in between. */
        play_on(signals[way] != NULL ? "TERM=screen" : "TERM=screen ASAN_OPTIONS=detect_leaks=0", 80, 24,
                "--name Ada --against random");
        see("Opening: Ada");
        press("Enter");
        see("Ada places 10");
        if (signals[way] != NULL) {
            shell("cd '%s' && kill -%s $(cat pid)", folder, signals[way]);
            see("left with 0");
            see("gral play --resume game.gral");
        }
        close_window();
        wait_for_end();
        assert_int_equal(shell("cd '%s' && grep -q '1: place 10 T1' game.gral", folder), 0);
    }
}

static void every_terminal_will_do(void **unused)
{
    (void)unused;
    static const char *const terminal[] = {"TERM=xterm", "TERM=xterm-256color", "TERM=tmux", "TERM=linux",
                                           "TERM=vt100"};
    for (size_t index = 0; index < sizeof terminal / sizeof *terminal; index++) {
        play_on(terminal[index], 80, 24, "--name Ada --against random");
        see("Opening: Ada");
        assert_non_null(strstr(screen, "[T1 T2    ]"));
        press("q q");
        see("left with 0");
        end_all();
    }
    play_on("TERM=dumb", 80, 24, "--name Ada --against random");
    see("Ada, place units for the opening");
    see_not("[T1");
}

/* The button goes down and up at a cell, as terminals tell it. */
static void click(int x, int y)
{
    char command[96];
    x += 33, y += 33;
    snprintf(command, sizeof command, "send-keys -H 1b 5b 4d 20 %x %x 1b 5b 4d 23 %x %x", x, y, x, y);
    assert_int_equal(in_tmux(command), 0);
}

static void click_on_key(const char *words)
{
    look();
    const char *line = line_at(22), *found = strstr(line, words);
    assert_non_null(found);
    click((int)(found - line), 22);
}

static void a_mouse_places_proposes_and_presses_keys(void **unused)
{
    (void)unused;
    play("--people Ada,Ben");
    see("Hand over to Ada");
    press("Enter");
    see("> place 10 T1");
    click(57, 1);
    see("> place 5 T1");
    click(54, 6);
    see("> place 5 A1");
    click(54, 6);
    see("Ada places 5");
    click_on_key("d:");
    see("Hand over to Ben");
    press("Enter d");
    see("Hand over to Ada");
    press("Enter");
    see("Turn 1: Ada, propose");
    click(3, 13);
    see("> T1");
    click(13, 13);
    see("Hand over to Ben");
    press("Enter");
    see("do you object?");
    click_on_key("p:");
    see("Turn 2: Ben, propose");
}

static void the_last_move_is_marked_where_it_began_and_where_it_ended(void **unused)
{
    (void)unused;
    play("--people Ada,Ben");
    see("Hand over to Ada");
    press("Enter d");
    see("Hand over to Ben");
    press("Enter d");
    see("Hand over to Ada");
    press("Enter T '1 b1' Enter");
    see("Hand over to Ben");
    press("Enter");
    see("do you object?");
    see_not("t1");
    press("p");
    see("T2 t1");
    in_tmux("capture-pane -p -e");
    assert_non_null(strstr(screen, ";4m\033[31mT1")); /* underlined, in the colour of his society */
}

static void a_hint_is_taken_by_a_key(void **unused)
{
    (void)unused;
    play("--name Ada --against rules --seed 1");
    see("Opening: Ada");
    press("d");
    see("Turn 1: Ada, propose");
    press("h");
    see("y: do this.");
    press("y");
    see("Ada "); /* whatever it was, it is in the log */
    see_not("y: do this.");
}

/* The grail is one step from home, where the other holds a lot: what is advised is an assignment of many units. */
static void a_hint_of_many_units_says_and_does_all_of_them(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cp \"$GRAL_TEST_DATA/records/before-a-hint.gral\" '%s/kept.gral'", folder), 0);
    play_words("TERM=screen", 80, 24, "--resume kept.gral");
    see("Ada, place units; d when you are done.");
    press("h");
    see("y: do this.");
    see(", done");
    const char *hint = strstr(screen, "Hint: place ");
    assert_non_null(hint);
    unsigned advised = 0; /* initiates, one for each unit */
    for (const char *at = hint; at < strstr(screen, ", done"); at++)
        advised += strncmp(at, " I2", 3) == 0;
    assert_true(advised > 1);
    press("y");
    /* What others do then may push the words away before they are seen; what is kept stays. */
    assert_int_equal(
        shell("for try in $(seq 600); do tac '%s/kept.gral' | sed '/1: assign/q' | grep -q '^1: done$' && exit 0;"
              " sleep 0.1; done; exit 1",
              folder),
        0);
    shell("tac '%s/kept.gral' | sed '/1: assign/q' | grep -c '^1: place [0-9]* I2$'", folder);
    assert_int_equal(atoi(screen), advised);
}

static void keys_pressed_while_computers_think_are_kept(void **unused)
{
    (void)unused;
    play("--name Ada --against rollout:400ms --seed 1");
    see("Opening: Ada");
    press("d L");
    see("What has happened so far");
}

static void a_large_window_has_large_fields(void **unused)
{
    (void)unused;
    play_on("TERM=screen", 200, 60, "--name Ada --against random");
    see("Opening: Ada");
    assert_non_null(strstr(line_at(7), "a4 Chartres"));
    assert_non_null(strstr(line_at(28), "e1 Alamut"));
}

static void colours_are_left_out_when_they_are_not_wanted(void **unused)
{
    (void)unused;
    static const struct {
        const char *environment;
        bool coloured;
    } cases[] = {{"TERM=screen NO_COLOR=", true}, {"TERM=screen NO_COLOR=1", false}};
    for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
        play_on(cases[index].environment, 80, 24, "--name Ada --against random");
        see("Opening: Ada");
        in_tmux("capture-pane -p -e");
        assert_int_equal(strstr(screen, "\033[31m") != NULL, cases[index].coloured);
        end_all();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_whole_game_is_played_by_keys, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(commands_are_typed_and_refusals_told, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(every_page_opens_at_its_word_and_turns, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(who_stands_together_is_chosen_one_by_one, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(four_players_fit_on_80_by_24_in_every_language, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(twelve_players_have_a_notepad_on_one_page, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_window_that_is_too_small_says_so_and_loses_nothing, new_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_curtain_leaves_nothing_of_what_was_seen_R10_2, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_signal_or_a_lost_terminal_ends_the_game_saved, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(every_terminal_will_do, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_mouse_places_proposes_and_presses_keys, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_last_move_is_marked_where_it_began_and_where_it_ended, new_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_hint_is_taken_by_a_key, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_hint_of_many_units_says_and_does_all_of_them, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keys_pressed_while_computers_think_are_kept, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_large_window_has_large_fields, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(colours_are_left_out_when_they_are_not_wanted, new_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
