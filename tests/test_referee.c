/* The referee's protocol: the recorded games of an independent implementation, and bad input. */
#include "scene.h"

#include "cli/referee.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char answer_bytes[REFEREE_ANSWER_MAX];

static const char *answer(referee *referee, const char *line)
{
    gral_text text = gral_text_in(answer_bytes, sizeof answer_bytes);
    referee_answer(referee, gral_span_of(line), &text);
    assert_true(text.length < sizeof answer_bytes);
    return answer_bytes;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of an answer before its "ok", sorted, as the recorded games have the legal actions. */
static void sort_lines(char *lines)
{
    enum { LINES_MAX = 256 };
    char copy[REFEREE_ANSWER_MAX], *line[LINES_MAX];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", lines);
    for (char *word = strtok(copy, "\n"); word != NULL && strcmp(word, "ok") != 0; word = strtok(NULL, "\n"))
        line[count++] = word;
    qsort(line, count, sizeof *line, compare_words);
    gral_text text = gral_text_in(lines, REFEREE_ANSWER_MAX);
    for (size_t index = 0; index < count; index++) {
        gral_text_add(&text, line[index]);
        gral_text_add(&text, "\n");
    }
    gral_text_add(&text, "ok\n");
}

static void follow_game(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    referee referee = referee_begin(&no_files);
    char line[512];
    const char *expected = "";
    unsigned number = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        if (line[0] == '>') {
            assert_string_equal(expected, "");
            line[strcspn(line, "\n")] = '\0';
            expected = answer(&referee, line + 2);
            if (strcmp(line, "> legal") == 0)
                sort_lines(answer_bytes);
        } else {
            const size_t length = strlen(line + 2);
            if (strncmp(expected, line + 2, length) != 0)
                fail_msg("%s:%u: expected %s but %.60s", path, number, line + 2, expected);
            expected += length;
        }
    }
    assert_string_equal(expected, "");
    fclose(file);
    referee_end(&referee);
}

static void the_referee_agrees_with_every_recorded_game(void **unused)
{
    (void)unused;
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/vectors", getenv("GRAL_TEST_DATA"));
    DIR *games = opendir(folder);
    assert_non_null(games);
    unsigned count = 0;
    for (struct dirent *game; (game = readdir(games)) != NULL;) {
        if (strstr(game->d_name, ".txt") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, game->d_name);
        follow_game(path);
        count++;
    }
    closedir(games);
    assert_int_equal(count, 24);
}

static void bad_commands_are_answered_and_change_nothing(void **unused)
{
    (void)unused;
    static const struct {
        const char *line, *answer;
    } bad[] = {
        {"hello", "error: expected a command (new legal do state view undo save load)\n"},
        {" legal", "error: expected a command (new legal do state view undo save load)\n"},
        {"legal now", "error: nothing may follow this command\n"},
        {"new players=0", "error: column 5: the game is for 2 to 12 players, The Original for 4 (R2.1, R8.1)\n"},
        {"new  players=2",
         "error: column 5: expected a setting (players= rules= first= limit= hq= board= pawns= units= "
         "grail=), not a space\n"},
        {"do", "error: column 4: expected an action (place done assign step uncover object pass claim yield keep drop "
               "leave), not the end\n"},
        {"do pass", "error: there is no proposal for you to object to (R4.4)\n"},
        {"do step T1 a2", "error: you can propose or assign only at the start of your turn or after a rejection (R3.1, "
                          "R4.1, R4.9)\n"},
        {"view", "error: column 6: expected the number of a player\n"},
        {"view 0", "error: column 6: expected the number of a player\n"},
        {"view 4", "error: column 6: expected the number of a player\n"},
        {"view 1 2", "error: column 6: expected the number of a player\n"},
        {"save", "error: the name of the file is missing\n"},
        {"save game.gral", "error: game.gral: there is no disk here\n"},
        {"save \x1b]0;x\x07", "error: the name of the file has a control character\n"},
        {"load /x", "error: /x: there is no disk here\n"},
    };
    referee referee = referee_begin(&no_files);
    assert_string_equal(answer(&referee, "legal"), "error: there is no game: start one with 'new players=N'\n");
    assert_string_equal(answer(&referee, "undo"), "error: there is no game: start one with 'new players=N'\n");
    assert_string_equal(answer(&referee, "new players=3"), "ok\n");
    assert_string_equal(answer(&referee, "undo"), "error: there is nothing to take back\n");
    assert_string_equal(answer(&referee, "do place 10 T1"), "ok\n");
    const gral_state before = referee.state;
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        assert_string_equal(answer(&referee, bad[index].line), bad[index].answer);
        assert_memory_equal(&before, &referee.state, sizeof before);
        assert_int_equal(referee.record.count, 1);
    }
    referee_end(&referee);
}

static void empty_lines_and_comments_have_no_answer(void **unused)
{
    (void)unused;
    referee referee = referee_begin(&no_files);
    assert_string_equal(answer(&referee, ""), "");
    assert_string_equal(answer(&referee, "\r"), "");
    assert_string_equal(answer(&referee, "# new players=2"), "");
    assert_string_equal(answer(&referee, "new players=2\r"), "ok\n");
    referee_end(&referee);
}

static void undo_goes_back_to_the_start(void **unused)
{
    (void)unused;
    referee referee = referee_begin(&no_files);
    answer(&referee, "new players=4");
    const gral_state start = referee.state;
    gral_random random = gral_random_from(3);
    for (unsigned action = 0; action < 500; action++) {
        char line[64] = "do ";
        gral_text text = gral_text_in(line + 3, sizeof line - 3);
        gral_action_print(&text, gral_random_action(&referee.game, &referee.state, &random));
        assert_string_equal(answer(&referee, line), "ok\n");
    }
    for (unsigned action = 0; action < 500; action++)
        assert_string_equal(answer(&referee, "undo"), "ok\n");
    assert_memory_equal(&start, &referee.state, sizeof start);
    assert_string_equal(answer(&referee, "undo"), "error: there is nothing to take back\n");
    referee_end(&referee);
}

static void a_saved_game_is_loaded_as_it_was(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/gral-test-XXXXXX", line[128];
    assert_non_null(mkdtemp(folder));
    referee referee = referee_begin(&disk_files);
    answer(&referee, "new players=2 first=2");
    answer(&referee, "do place 10 T1");
    answer(&referee, "do done");
    const gral_state before = referee.state;
    snprintf(line, sizeof line, "save %s/a game.gral", folder);
    assert_string_equal(answer(&referee, line), "ok\n");
    answer(&referee, "new players=5");
    snprintf(line, sizeof line, "load %s/a game.gral", folder);
    assert_string_equal(answer(&referee, line), "ok\n");
    assert_memory_equal(&before, &referee.state, sizeof before);

    /* A broken file is refused, and the game goes on. */
    FILE *file = fopen(line + strlen("load "), "a");
    assert_non_null(file);
    fputs("1: done\n", file);
    fclose(file);
    assert_string_equal(answer(&referee, line), "error: line 9, column 1: it is seat 2 that acts here\n");
    assert_memory_equal(&before, &referee.state, sizeof before);
    assert_string_equal(answer(&referee, "do done"), "ok\n");

    unlink(line + strlen("load "));
    snprintf(line, sizeof line, "save %s/none/x", folder);
    assert_non_null(strstr(answer(&referee, line), "No such file or directory"));
    assert_int_equal(rmdir(folder), 0); /* nothing else was left behind */
    referee_end(&referee);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_referee_agrees_with_every_recorded_game),
        cmocka_unit_test(bad_commands_are_answered_and_change_nothing),
        cmocka_unit_test(empty_lines_and_comments_have_no_answer),
        cmocka_unit_test(undo_goes_back_to_the_start),
        cmocka_unit_test(a_saved_game_is_loaded_as_it_was),
    };
    return cmocka_run_group_tests_name("referee", tests, NULL, NULL);
}
