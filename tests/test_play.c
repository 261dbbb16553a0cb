/* `gral play` as people meet it: the real program, lines in and lines out. */
#include "scene.h"
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char before[1 << 20];
static char folder[64];

/* Runs a shell script in which "gral" is the program and the folder is a new one; its status is returned, its output
 * is in `output`. "play WORDS" is gral play with a line of input for each line it gets. */
static int run(const char *script)
{
    static char line[16384];
    snprintf(line, sizeof line,
             "cd '%s' && export XDG_DATA_HOME='%s' LC_ALL=C; unset LANGUAGE; "
             "say() { printf '%%s\\n' \"$@\"; }; { %s; } 2>&1",
             folder, folder, script);
    return shell(line);
}

static void expect_not(const char *words)
{
    if (strstr(output, words) != NULL)
        fail_msg("'%s' in\n%s", words, output);
}

static int new_folder(void **unused)
{
    (void)unused;
    strcpy(folder, "/tmp/gral-play-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **unused)
{
    (void)unused;
    char line[100];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}

/* T1 is led to the grail and home again by both players; Anna has the most influence on him. */
#define OPENING "'place 10 T1 5 T1' done 'place 3 R2' done "
#define WAY     "'t1 b1' pass 'T1 c1' pass 'step T1 c2' pass 'step  T1,c3' pass keep "
#define HOME    "'T1 c2' pass keep 'T1 c1' pass keep 'T1 b1' pass keep 'T1 a1' pass keep"
#define GAME    "say " OPENING WAY HOME

static void a_whole_game_is_played_and_told_in_four_languages(void **unused)
{
    (void)unused;
    static const struct {
        const char *code, *words[4];
    } language[] = {
        {"en", {"Anna places 10 influence points on T1", "takes the grail.", "Anna wins.", "(R4.4)"}},
        {"de",
         {"Anna setzt 10 Einflusspunkte auf T1", "nimmt den Gral.", "Anna gewinnt.", "Einspruch erheben könntest"}},
        {"fr", {"Anna place 10 points d'influence sur T1", "prend le Graal.", "Anna gagne.", "laquelle vous opposer"}},
        {"it", {"Anna assegna 10 punti influenza a T1", "prende il Graal.", "Anna vince.", "proposta a cui opporti"}},
    };
    for (size_t row = 0; row < sizeof language / sizeof *language; row++) {
        char script[2048];
        snprintf(script, sizeof script, "{ say 'object 3'; " GAME "; } | gral play --people Anna,Ben --lang %s",
                 language[row].code);
        assert_int_equal(run(script), 0);
        for (size_t word = 0; word < 4; word++)
            expect_in_output(language[row].words[word]);
    }
}

static void the_language_comes_from_the_environment_or_the_option(void **unused)
{
    (void)unused;
    static const char *const german[] = {"LC_ALL=C.UTF-8 LANGUAGE=de", "LC_ALL=de_DE.UTF-8",
                                         "LC_ALL= LC_MESSAGES= LANG=de_CH"};
    for (size_t row = 0; row < sizeof german / sizeof *german; row++) {
        char script[200];
        snprintf(script, sizeof script, "export %s; gral play </dev/null", german[row]);
        assert_int_equal(run(script), 0);
        expect_in_output("Die Jagd nach dem Gral.");
    }
    assert_int_equal(run("LANGUAGE=de LC_ALL=C \"$GRAL\" play </dev/null"), 0);
    expect_in_output("The hunt for the grail.");
    assert_int_equal(run("gral play --lang nl </dev/null"), 2);
    expect_in_output("--lang nl: must be en|de|fr|it");
}

static void fields_have_their_names_in_the_language_that_is_spoken_R1_5(void **unused)
{
    (void)unused;
    static const struct {
        const char *code, *name;
    } language[] = {{"en", "Golgotha c3"}, {"de", "Golgatha c3"}, {"fr", "Golgotha c3"}, {"it", "Golgota c3"}};
    for (size_t row = 0; row < sizeof language / sizeof *language; row++) {
        char script[100];
        snprintf(script, sizeof script, "say board | gral play --lang %s", language[row].code);
        assert_int_equal(run(script), 0);
        expect_in_output(language[row].name);
    }
    assert_int_equal(run("gral replay --lang de $data/records/example.gral"), 0);
    expect_in_output("Ingolstadt nach Prag");
}

static void at_the_end_all_sheets_are_told_with_their_turns_R10_4(void **unused)
{
    (void)unused;
    assert_int_equal(run("say " OPENING "assign 'place 4 T1' done " WAY "'T1 c2' pass keep quit "
                         "| gral play --people Anna,Ben --limit 6 --save game.gral --record end.gral"),
                     0);
    expect_in_output("The turn limit is reached: the game is a draw.\n");
    expect_in_output("The influence sheet of Anna:\n"
                     "  T1 Alberto Castellano: 10+5 in the opening, 4 in turn 1.\n");
    expect_in_output("The influence sheet of Ben:\n  R2 Frater Maleficus: 3 in the opening.\n");
    expect_in_output("The record of the game is in game.gral\n");
    assert_int_equal(run("cmp game.gral end.gral && gral replay --check end.gral"), 0);
    expect_in_output("6 turns, result draw");
}

static void uncovering_tells_what_everybody_loses_and_who_pays_R6_3_R6_4(void **unused)
{
    (void)unused;
    assert_int_equal(run("say 'place 10 T1 10 T1' done 'place 3 T2' done 'uncover t1 t2' pass "
                         "| gral play --people Anna,Ben"),
                     0);
    expect_in_output("This shows that Anna has at least 10 influence points on T1 Alberto Castellano.\n");
    expect_in_output("T2 Jacques de Barruel is uncovered and leaves the game.\n"
                     "Ben loses 3 influence points on T2 Jacques de Barruel.\n"
                     "Anna pays 10 influence points on T1 Alberto Castellano.\n");
}

static void a_dispute_is_told_blow_by_blow_R4_4_R4_5_R4_6(void **unused)
{
    (void)unused;
    assert_int_equal(run("say 'place 10 T1' done 'place 5 T1 1 T1' done 'T1 a2' 3 4 7 6 yield "
                         "| gral play --people Anna,Ben"),
                     0);
    expect_in_output("Ben, do you object to the proposal of Anna (step T1 a2)?\n"
                     "You can object with 1 to 6 points: object 1. Or: pass.\n");
    expect_in_output("Ben objects and reveals 3 influence points on T1 Alberto Castellano.\n");
    expect_in_output("You can insist with 3 to 10 points: claim 3. Or: yield.\n");
    expect_in_output("Anna insists and reveals 4 influence points on T1 Alberto Castellano.\n");
    expect_in_output("That didn't work: you don't have that much influence on this initiate (R4.8).\n");
    expect_in_output("Anna yields: the proposal is rejected.\n");
}

static void what_is_known_can_be_asked_for_at_any_time_R10_3(void **unused)
{
    (void)unused;
    assert_int_equal(run("say 'place 10 T1' sheet board map notepad legal hint rules help save log "
                         "| gral play --against greedy --name Zoë"),
                     0);
    expect_in_output("You hold 10 influence points on T1 Alberto Castellano.\nUnits not yet placed: 10 10 10 5");
    expect_in_output("R2 Frater Maleficus (Rosicrucians, short) is in Kassel a5.\n");
    expect_in_output("The grail is free in Golgotha c3.\n");
    expect_in_output("|*grail      |");
    expect_in_output("Zoë: T1 10, T2 0,");
    expect_in_output("greedy 2: T1 0 to 100,");
    expect_in_output("\nplace 1 R2\n");
    expect_in_output("Hint: ");
    expect_in_output("notepad: what can be deduced about everybody's influence\n");
    expect_in_output("The game is saved in /tmp/gral-play-");
}

static void words_may_be_short_but_must_be_clear(void **unused)
{
    (void)unused;
    assert_int_equal(run("say 'pl 10 t1' juggle s 'place 7 T1' 'step T1' 'PLACE 5 a2, 5 A2' she 'log x' "
                         "| gral play --against greedy"),
                     0);
    expect_in_output("Player 1 places 10 influence points on T1 Alberto Castellano.\n");
    expect_in_output("Unknown command. Type help to see what you can do.\n");
    expect_in_output("This could be one of several commands; type more of it.\n");
    expect_in_output("Write it like this: place 10 T1 5 A2\n");
    expect_in_output("Write it like this: step T1 a2, step T1 a2 x T2\n");
    expect_in_output("You hold 10 influence points on A2 Mansur Al-Jallah.\n");
    expect_in_output("Write it like this: log 10\n");
}

static void a_slip_in_placing_is_taken_back_and_nothing_else_R3_1(void **unused)
{
    (void)unused;
    assert_int_equal(run("say undo 'place 10 T1 5 T1' undo sheet done assign 'place 1 A1' undo undo 'T1 a2' "
                         "| gral play --against random --seed 1"),
                     0);
    expect_in_output("Only placements can be undone, until you type done.\n");
    expect_in_output("Your last action was undone.\n\nPlayer 1, place units for the opening");
    expect_in_output("You hold 10 influence points on T1 Alberto Castellano.\nUnits");
    expect_in_output("Your last action was undone.\n\nPlayer 1, it is your turn.\n"); /* the assignment, unheard */
    assert_int_equal(run("say 'place 10 T1' done undo 'place 5 A1' done 'T1 a2' undo pass undo "
                         "| gral play --people Anna,Ben"),
                     0);
    expect_not("taken back.\n");
    expect_in_output("Anna proposes: T1 Alberto Castellano moves from Tomar a1 to");
}

static void taking_back_is_on_disk_too(void **unused)
{
    (void)unused;
    assert_int_equal(run("say 'place 10 T1 5 A2' undo | gral play --save s.gral >/dev/null; cat s.gral"), 0);
    expect_in_output("\n1: place 10 T1\n");
    expect_not("5 A2");
}

static void nothing_of_a_hidden_sheet_reaches_the_others_output_R10_2(void **unused)
{
    (void)unused;
    /* The computer holds 5 and 4 on one initiate in one save and on another in the other; nobody else can tell. */
    static const char *const sheets[] = {"2: place 5 R1\\n2: place 4 R1\\n", "2: place 4 I2\\n2: place 5 A1\\n"};
    for (unsigned game = 0; game < 2; game++) {
        char script[2048];
        snprintf(
            script, sizeof script,
            "printf '[Players \"2\"]\\n[Player2 \"random\"]\\n[Player2Type \"program\"]\\n[Seed \"4\"]\\n\\n"
            "1: place 10 T1\\n1: done\\n%s2: done\\n' >save.gral; "
            "say board notepad sheet legal hint log 'T1 a2' board notepad legal hint log pass 'T1 a1' pass log undo "
            "| gral play --resume save.gral",
            sheets[game]);
        assert_int_equal(run(script), 0);
        expect_in_output("random 2 does not object.\n");
        if (game == 0)
            strcpy(before, output);
    }
    assert_string_equal(before, output);
}

static void the_next_person_sees_nothing_of_the_last_ones_sheet_R10_2(void **unused)
{
    (void)unused;
    static const char *const openings[] = {"'place 10 T1 5 T1' sheet", "'place 1 R2'"};
    for (unsigned game = 0; game < 2; game++) {
        char script[2048];
        snprintf(script, sizeof script,
                 "say %s done sheet notepad legal log hint done | gral play --people Anna,Ben --seed 1 --save s%u.gral "
                 "| sed -n '/Hand over to Ben/,/Hand over to Anna/p'",
                 openings[game], game);
        assert_int_equal(run(script), 0);
        expect_in_output("--- Hand over to Ben. ---\nAnna has finished placing units.\n");
        expect_not("Anna places");
        if (game == 0)
            strcpy(before, output);
    }
    assert_string_equal(before, output);
}

static void on_a_terminal_the_curtain_wipes_screen_and_scrollback_R10_2(void **unused)
{
    (void)unused;
    assert_int_equal(run("say '' 'place 10 T1' undo 'place 5 A1' done undo sheet | "
                         "script -qec \"$GRAL play --plain --people Anna,Ben --save s.gral\" /dev/null"),
                     0);
    expect_in_output("\033[H\033[2J\033[3J--- Hand over to Ben. ---");
    expect_in_output("Ben, press Enter when only you can see the screen.");
    expect_in_output("Your last action was undone."); /* before Anna has said done, and not at the curtain */
    expect_in_output("Anna places 5 influence points on A1 Hassan Al-Molk.");
    expect_in_output("You hold no influence on any initiate."); /* Ben */
}

static void with_one_person_there_is_no_curtain(void **unused)
{
    (void)unused;
    assert_int_equal(run("say done 'T1 a2' | gral play --against random --against random --seed 2"), 0);
    expect_not("Hand over");
}

/* Plays from a pipe until a placement is on disk, then kills the game in this way. */
#define KILLED(how)                                                                                                    \
    "mkfifo pipe; \"$GRAL\" play --against greedy --save s.gral <pipe >out & exec 3>pipe; "                            \
    "say 'place 10 T1' 'place 5 A1' >&3; until grep -q 'place 5 A1' s.gral 2>/dev/null; do sleep 0.01; done; "         \
    "kill -" how " $!; wait $!; exec 3>&-; rm pipe; cat out; say sheet 'place 4 A1' | gral play --resume s.gral"

static void a_killed_game_goes_on_where_it_was(void **unused)
{
    (void)unused;
    static const char *const scripts[] = {KILLED("KILL"), KILLED("TERM"), KILLED("HUP"), KILLED("INT")};
    for (size_t row = 0; row < sizeof scripts / sizeof *scripts; row++) {
        assert_int_equal(run(scripts[row]), 0);
        expect_in_output("You hold 5 influence points on A1 Hassan Al-Molk.\n");
        expect_in_output("Seat 2: greedy 2 (computer: greedy)\n");
        expect_in_output("Player 1 places 4 influence points on A1 Hassan Al-Molk.\n");
        const char *saved = strstr(output, "The game is saved. To resume it: gral play --resume s.gral\n");
        assert_non_null(saved);
        if (row > 0) /* asked to go, it says so; and once more at the end of the second game's input */
            assert_non_null(strstr(saved + 1, "The game is saved."));
        assert_int_equal(run("rm s.gral out"), 0);
    }
}

static void a_game_that_cannot_be_saved_says_so_and_goes_on(void **unused)
{
    (void)unused;
    assert_int_equal(run("mkfifo pipe; mkdir d; \"$GRAL\" play --against greedy --save d/s <pipe >out & exec 3>pipe; "
                         "say 'place 10 T1' >&3; until grep -q 'place 10' d/s 2>/dev/null; do sleep 0.01; done; "
                         "rm -r d; say 'place 5 A1' sheet >&3; exec 3>&-; wait $!; cat out"),
                     0);
    expect_in_output("The game could not be saved in d/s: No such file or directory\n");
    expect_in_output("You hold 5 influence points on A1 Hassan Al-Molk.\n");
}

static void nobody_is_told_of_a_record_that_is_not_there(void **unused)
{
    (void)unused;
    assert_int_equal(run("mkfifo pipe; mkdir d; \"$GRAL\" play --people Anna,Ben --limit 1 --save d/s <pipe >out & "
                         "exec 3>pipe; say done >&3; until grep -q '1: done' d/s 2>/dev/null; do sleep 0.01; done; "
                         "rm -r d; say done save 'T1 a2' pass >&3; exec 3>&-; wait $!; cat out"),
                     0);
    expect_in_output("The turn limit is reached: the game is a draw.\n");
    expect_in_output("Units not yet placed: 10 10 10 10 5 5 5 5 4 4 4 4 3 3 3 3 2 2 2 2 1 1 1 1.\n"
                     "The game could not be saved in d/s: No such file or directory\n");
    expect_not("The record of the game is in");
    const char *told = strstr(output, "The game is saved in d/s");
    assert_non_null(told); /* at first, and not again when it was asked for */
    assert_null(strstr(told + 1, "The game is saved in d/s"));
}

static void a_game_is_not_resumed_while_it_is_played(void **unused)
{
    (void)unused;
    assert_int_equal(run("mkfifo pipe; \"$GRAL\" play --against greedy --save s.gral <pipe >out & exec 3>pipe; "
                         "say 'place 10 T1' >&3; until grep -q 'place 10' s.gral 2>/dev/null; do sleep 0.01; done; "
                         "say 'place 4 R2' | gral play --resume s.gral; echo status $?; "
                         "ln -s s.gral link; say 'place 4 R2' | gral play --resume link; rm link; "
                         "say done | gral play --resume s.gral --save copy.gral >/dev/null && "
                         "say 'place 5 A1' >&3; exec 3>&-; wait $!; rm pipe out; "
                         "gral play --resume s.gral </dev/null; ls"),
                     0);
    expect_in_output("gral play: s.gral: this game is already being played\nstatus 1\n"
                     "gral play: link: this game is already being played\n");
    expect_in_output("Player 1 places 5 influence points on A1");
    expect_not("4 points");
    expect_in_output("\ncopy.gral\ns.gral\n"); /* and no lock stays */
}

static void saved_games_are_listed_and_the_last_unfinished_one_is_resumed(void **unused)
{
    (void)unused;
    assert_int_equal(run("gral play --saved && gral play --last"), 2);
    assert_string_equal(output, "No games are saved.\n"
                                "gral play: there is no unfinished game to resume (see gral play --help)\n");
    assert_int_equal(run("say 'place 10 T1' | gral play --name Ada --against thinker:level=1,as=owl >/dev/null; "
                         "touch -d '2 minutes ago' gral/*.gral; echo nonsense >gral/other.gral; " GAME
                         " | gral play --people Anna,Ben >/dev/null; gral play --saved; gral play --last </dev/null"),
                     0);
    expect_in_output("  Anna, Ben  (win 1 with T1)\n");
    expect_in_output("  Ada, Odile  (turn 0)\n");
    expect_in_output("Ada places 10 influence points on T1"); /* whose game goes on */
    expect_not("nonsense");
}

static void where_nothing_can_be_kept_nothing_is_played(void **unused)
{
    (void)unused;
    assert_int_equal(run("say done | gral play --against greedy --save s >/dev/null; mkdir s.lock; "
                         "gral play --resume s </dev/null"),
                     1);
    assert_string_equal(output, "gral play: s: Is a directory\n");
    assert_int_equal(run("gral play --resume s --save t </dev/null"), 0);
}

static void people_resume_behind_a_curtain_R10_2(void **unused)
{
    (void)unused;
    assert_int_equal(run("say done 'place 4 I2' | gral play --people Anna,Ben --save s >/dev/null; "
                         "gral play --resume s </dev/null"),
                     0);
    expect_in_output("--- Hand over to Ben. ---\nAnna has finished placing units.\nBen places 4 influence points");
}

static void games_are_kept_among_the_users_data_for_his_eyes_only(void **unused)
{
    (void)unused;
    assert_int_equal(run("umask 022; gral play </dev/null >/dev/null; gral play </dev/null >/dev/null; "
                         "stat -c %a gral/*.gral; env -u XDG_DATA_HOME HOME=$PWD/home \"$GRAL\" play </dev/null; "
                         "ls home/.local/share/gral"),
                     0);
    assert_memory_equal(output, "600\n600\n", 8);
    expect_in_output(".gral\n");
}

static void nothing_that_is_there_is_overwritten(void **unused)
{
    (void)unused;
    assert_int_equal(run("echo mine >s; gral play --save s </dev/null"), 1);
    expect_in_output("gral play: s: File exists\n");
    assert_int_equal(run("gral play --record s --save t </dev/null"), 1);
    assert_int_equal(run("say 'save s' 'save copy' | gral play --save t; cat s copy"), 0);
    expect_in_output("The game could not be saved in s: File exists\n");
    expect_in_output("A copy of the game was saved in copy\n");
    expect_in_output("mine\n[Rules \"standard\"]");
    assert_int_equal(run("gral play --save /nowhere/s </dev/null"), 1);
    expect_in_output("gral play: /nowhere/s: No such file or directory\n");
}

static void a_broken_save_gets_one_line_and_stays_as_it_is(void **unused)
{
    (void)unused;
    assert_int_equal(run("printf '[Players \"2\"]\\n\\n1: done\\n2: claim 3\\n' >s; cp s t; gral play --resume s"), 1);
    expect_in_output(
        "gral play: s: line 4, column 4: there is no objection to answer (R4.5) (the file is unchanged)\n");
    assert_int_equal(run("gral play --resume s --lang de"), 1);
    expect_in_output("gral play: s: Zeile 4, Spalte 4: es gibt keinen Einspruch zu beantworten (R4.5)");
    assert_int_equal(run("cmp s t && ls"), 0);
    assert_string_equal(output, "s\nt\n");
    assert_int_equal(run("head -c 3000 /dev/urandom >s; gral play --resume s"), 1);
    assert_int_equal(run("printf '[Players \"2\"]\\n[Player1 \"wizard\"]\\n[Player1Type \"program\"]\\n' >s; "
                         "gral play --resume s"),
                     1);
    expect_in_output("expected a player");
    assert_int_equal(run("gral play --resume nowhere"), 1);
    expect_in_output("gral play: nowhere: No such file or directory\n");
}

static void a_save_starts_no_program_unless_that_is_allowed(void **unused)
{
    (void)unused;
    assert_int_equal(run("printf '[Players \"2\"]\\n[Player1 \"exec:touch trap\"]\\n[Player1Type \"program\"]\\n' >s; "
                         "gral play --resume s </dev/null; ls"),
                     0);
    expect_in_output(
        "gral play: s: this game starts programs of its own (exec:); if you trust it, add --exec (the file");
    expect_not("trap");
    assert_int_equal(run("gral play --exec --resume s </dev/null; ls"), 0);
    expect_in_output("trap");
}

static void a_program_at_the_table_hears_all_it_may_up_to_the_end(void **unused)
{
    (void)unused;
    assert_int_equal(run("say done pass 'step A1 d1' >answers; "
                         "say 'exec 3<answers' 'while read -r line; do echo \"$line\" >>heard; case $line in "
                         "new*) echo ready;; go*) read -r answer <&3; echo \"$answer\";; quit) exit;; "
                         "esac; done' >program; "
                         "say 'place 10 T1' done 'T1 b1' pass "
                         "| gral play --against 'exec:sh program' --limit 2 >/dev/null; grep -e ^event -e ^over heard"),
                     0);
    assert_string_equal(output, "event 1 done\nevent 2 done\n"
                                "event 1 step T1 b1\nevent 2 pass\n"
                                "event 2 step A1 d1\nevent 1 pass\n"
                                "over draw\n");
}

static void a_resumed_save_is_not_rewritten_before_something_happens(void **unused)
{
    (void)unused;
    assert_int_equal(run("printf '; a comment\\n[Players \"2\"]\\n\\n1: done\\n' >s; cp s t; "
                         "gral play --resume s </dev/null && cmp s t"),
                     0);
}

static void a_finished_save_shows_its_end(void **unused)
{
    (void)unused;
    assert_int_equal(run(GAME " | gral play --people Anna,Ben --save s >/dev/null; gral play --resume s </dev/null"),
                     0);
    expect_in_output("The influence sheet of Anna:\n");
}

static void the_original_has_owners_R8_1(void **unused)
{
    (void)unused;
    assert_int_equal(run("say board | gral play --rules original --against random"), 0);
    expect_in_output("Headquarters of the Templars: Tomar a1, owned by Player 1.\n");
    expect_in_output("Headquarters of the Rosicrucians: Kassel a5, owned by ");
}

static void wrong_options_get_one_line_and_status_2(void **unused)
{
    (void)unused;
    static const struct {
        const char *words, *answer;
    } wrong[] = {
        {"--players 13", "--players 13: must be 2 to 12"},
        {"--players 1", "--players 1: must be 2 to 12"},
        {"--players 3 --first 4", "the first player must be one of the players (R2.1)"},
        {"--rules odd", "--rules odd: must be standard|original"},
        {"--rules original --players 5", "the game is for 2 to 12 players, The Original for 4 (R2.1, R8.1)"},
        {"--players 2 --against greedy --against greedy", "there are more people and computer players than seats"},
        {"--against wizard", "expected a player"},
        {"--people Anna,Ben,Anna", "two people have the same name"},
        {"--people Anna,\"$(printf 'B\\033en')\"", "a record is UTF-8 text without control characters"},
        {"--resume s --players 3", "a resumed game already has its players, rules and seed"},
        {"now", "unexpected word 'now'"},
    };
    for (size_t row = 0; row < sizeof wrong / sizeof *wrong; row++) {
        char script[300];
        snprintf(script, sizeof script, "gral play %s </dev/null", wrong[row].words);
        assert_int_equal(run(script), 2);
        expect_in_output(wrong[row].answer);
    }
    assert_int_equal(run("ls"), 0);
    assert_string_equal(output, "");
}

static void any_bytes_may_be_typed(void **unused)
{
    (void)unused;
    assert_int_equal(run("{ head -c 20000 /dev/urandom; head -c 10000 /dev/zero; printf '\\nplace 10 T1'; } "
                         "| gral play --against greedy >out; tail -n 3 out"),
                     0);
    expect_in_output("The game is saved.");
}

int main(void)
{
#define test_in_folder(name) cmocka_unit_test_setup_teardown(name, new_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        test_in_folder(a_whole_game_is_played_and_told_in_four_languages),
        test_in_folder(the_language_comes_from_the_environment_or_the_option),
        test_in_folder(fields_have_their_names_in_the_language_that_is_spoken_R1_5),
        test_in_folder(at_the_end_all_sheets_are_told_with_their_turns_R10_4),
        test_in_folder(uncovering_tells_what_everybody_loses_and_who_pays_R6_3_R6_4),
        test_in_folder(a_dispute_is_told_blow_by_blow_R4_4_R4_5_R4_6),
        test_in_folder(what_is_known_can_be_asked_for_at_any_time_R10_3),
        test_in_folder(words_may_be_short_but_must_be_clear),
        test_in_folder(a_slip_in_placing_is_taken_back_and_nothing_else_R3_1),
        test_in_folder(taking_back_is_on_disk_too),
        test_in_folder(nothing_of_a_hidden_sheet_reaches_the_others_output_R10_2),
        test_in_folder(the_next_person_sees_nothing_of_the_last_ones_sheet_R10_2),
        test_in_folder(on_a_terminal_the_curtain_wipes_screen_and_scrollback_R10_2),
        test_in_folder(with_one_person_there_is_no_curtain),
        test_in_folder(a_killed_game_goes_on_where_it_was),
        test_in_folder(a_game_that_cannot_be_saved_says_so_and_goes_on),
        test_in_folder(nobody_is_told_of_a_record_that_is_not_there),
        test_in_folder(a_game_is_not_resumed_while_it_is_played),
        test_in_folder(saved_games_are_listed_and_the_last_unfinished_one_is_resumed),
        test_in_folder(where_nothing_can_be_kept_nothing_is_played),
        test_in_folder(people_resume_behind_a_curtain_R10_2),
        test_in_folder(games_are_kept_among_the_users_data_for_his_eyes_only),
        test_in_folder(nothing_that_is_there_is_overwritten),
        test_in_folder(a_broken_save_gets_one_line_and_stays_as_it_is),
        test_in_folder(a_save_starts_no_program_unless_that_is_allowed),
        test_in_folder(a_program_at_the_table_hears_all_it_may_up_to_the_end),
        test_in_folder(a_resumed_save_is_not_rewritten_before_something_happens),
        test_in_folder(a_finished_save_shows_its_end),
        test_in_folder(the_original_has_owners_R8_1),
        test_in_folder(wrong_options_get_one_line_and_status_2),
        test_in_folder(any_bytes_may_be_typed),
    };
    return cmocka_run_group_tests_name("play", tests, NULL, NULL);
}
