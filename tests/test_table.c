/* The table: seats, what they hear, computer players that act, taking back, saving and resuming. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

static gral_table *table_of(const char *settings, const gral_seat *seats)
{
    gral_table_setup setup = {.seed = 7, .date = "2026-11-15"};
    gral_error error;
    assert_true(gral_settings_parse(gral_span_of(settings), &setup.settings, &error));
    memcpy(setup.seat, seats, setup.settings.players * sizeof *seats);
    gral_table *table = gral_table_make(&setup, gral_player_make, &error);
    if (table == NULL)
        fail_msg("%s", error.message);
    return table;
}

#define table_with(settings, ...) table_of(settings, (const gral_seat[]){__VA_ARGS__})

static const gral_seat anna = {.name = "Anna"}, ben = {.name = "Ben"};
static const gral_seat computer = {.name = "random", .computer = true};

static unsigned say(gral_table *table, unsigned seat, const char *words)
{
    gral_error error;
    return gral_table_say(table, seat, gral_span_of(words), &error);
}

/* Actions "1: place 10 T1; 1: done", each of which must be done. */
static void play(gral_table *table, const char *course)
{
    while (*course != '\0') {
        const size_t length = strcspn(course, ";");
        gral_error error;
        const unsigned refusal = gral_table_say(table, (unsigned)(course[0] - '1'), (gral_span){course + 3, length - 3},
                                                &error);
        if (refusal != GRAL_LEGAL)
            fail_msg("%.*s: %s", (int)length, course, gral_refusal_text(refusal));
        course += length + strspn(course + length, "; ");
    }
}

static char *save_of(const gral_table *table)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_table_save(table, &measure);
    char *bytes = malloc(measure.length + 1);
    assert_non_null(bytes);
    gral_text text = gral_text_in(bytes, measure.length + 1);
    gral_table_save(table, &text);
    return bytes;
}

static void a_person_acts_only_when_it_is_his_turn(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    assert_int_equal(gral_table_actor(table), 0);
    assert_int_equal(say(table, 1, "done"), GRAL_REFUSED_TURN);
    assert_int_equal(say(table, GRAL_SPECTATOR, "done"), GRAL_REFUSED_TURN);
    assert_int_equal(say(table, 0, "dance"), GRAL_REFUSED_TEXT);
    assert_int_equal(say(table, 0, "pass"), GRAL_FAULT_NO_PROPOSAL);
    assert_int_equal(gral_table_step(table, NULL), GRAL_REFUSED_PERSON);
    assert_int_equal(gral_table_record(table)->count, 0);
    play(table, "1: done");
    assert_int_equal(gral_table_actor(table), 1);
    gral_table_free(table);
}

static void nobody_speaks_for_a_computer_player(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", computer, anna);
    assert_int_equal(say(table, 0, "done"), GRAL_REFUSED_COMPUTER);
    assert_int_equal(gral_table_step(table, NULL), GRAL_LEGAL);
    assert_int_equal(gral_table_take_back(table, 0), GRAL_REFUSED_COMPUTER);
    gral_table_free(table);
}

static void computer_players_finish_a_game_by_themselves(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=3 limit=200", computer, computer, computer);
    while (gral_table_actor(table) != GRAL_NOBODY)
        assert_int_equal(gral_table_step(table, NULL), GRAL_LEGAL);
    assert_int_equal(gral_table_step(table, NULL), GRAL_FAULT_OVER);
    const gral_view view = gral_table_view(table, GRAL_SPECTATOR);
    assert_int_equal(view.known, 7);
    gral_table_free(table);
}

/* A player that notes what it was asked. */
static gral_question noted;
static gral_view noted_view;
static gral_entry noted_heard[64];

static gral_action note(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)player, (void)clock;
    noted = *question;
    noted_view = *question->view;
    memcpy(noted_heard, question->heard, question->heard_count * sizeof *question->heard);
    return gral_safest_action(question->game, &question->view->open, question->options);
}

static void keep(gral_player *player)
{
    (void)player;
}

static const gral_player_kind noting_kind = {.name = "noting", .decide = note, .free = keep};

static gral_player *noting_player(gral_span text, gral_error *error)
{
    static gral_player player = {&noting_kind};
    (void)text, (void)error;
    return &player;
}

static gral_table *table_with_noting_player(void)
{
    gral_table_setup setup = {
        .settings = gral_settings_for(2), .seat = {anna, {.name = "noting", .computer = true}}, .seed = 5};
    gral_error error;
    gral_table *table = gral_table_make(&setup, noting_player, &error);
    assert_non_null(table);
    return table;
}

static void a_computer_player_is_asked_the_same_whatever_the_others_hide_R10_2(void **unused)
{
    (void)unused;
    static const char *const openings[] = {"1: done", "1: place 10 T1; 1: place 5 A2; 1: done"};
    uint64_t seed[2];
    gral_view view[2];
    gral_entry heard[2][3];
    memset(heard, 0, sizeof heard);
    for (unsigned game = 0; game < 2; game++) {
        gral_table *table = table_with_noting_player();
        play(table, openings[game]);
        assert_int_equal(gral_table_step(table, NULL), GRAL_LEGAL);
        play(table, "1: step T1 a2");
        assert_int_equal(gral_table_step(table, NULL), GRAL_LEGAL);
        assert_int_equal(noted.heard_count, 3);
        seed[game] = noted.seed;
        view[game] = noted_view;
        memcpy(heard[game], noted_heard, sizeof heard[game]);
        gral_table_free(table);
    }
    assert_true(seed[0] == seed[1]);
    assert_memory_equal(&view[0], &view[1], sizeof *view);
    assert_memory_equal(heard[0], heard[1], sizeof *heard);
}

static void a_seat_hears_its_own_placements_and_only_the_end_of_others_R3_1(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    play(table, "1: place 10 T1; 1: done; 2: place 5 A1; 2: place 4 A1; 2: done; 1: step T1 a2");
    assert_int_equal(gral_table_heard(table, 0), 4);
    assert_int_equal(gral_table_heard(table, 1), 5);
    assert_int_equal(gral_table_heard(table, GRAL_SPECTATOR), 3);
    const gral_event event = gral_table_event(table, 0, 2);
    assert_int_equal(event.seat, 1);
    assert_int_equal(event.action.verb, GRAL_DONE);
    assert_int_equal(event.before.phase, GRAL_OPENING);
    assert_int_equal(event.after.phase, GRAL_TURN);
    gral_table_free(table);
}

static void options_are_only_for_the_one_who_acts_R10_2(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    play(table, "1: place 10 T1; 1: done; 2: place 5 T1; 2: done; 1: step T1 a2");
    const gral_options mine = gral_table_options(table, 1), others = gral_table_options(table, 0);
    assert_int_equal(mine.points_verb, GRAL_OBJECT);
    assert_int_equal(mine.most, 5);
    assert_int_equal(gral_options_count(&others), 0);
    gral_table_free(table);
}

static void a_hint_is_for_the_one_who_acts_and_legal(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    gral_error error;
    gral_player *adviser = gral_player_make(gral_span_of("greedy"), &error);
    gral_explanation explanation;
    assert_int_equal(gral_table_hint(table, 1, adviser, NULL, &explanation), GRAL_REFUSED_TURN);
    assert_int_equal(gral_table_hint(table, 0, adviser, NULL, &explanation), GRAL_LEGAL);
    assert_true(explanation.thoughts > 0);
    assert_int_equal(gral_table_record(table)->count, 0);
    assert_int_equal(gral_table_do(table, 0, explanation.thought[0].action), GRAL_LEGAL);
    gral_player_free(adviser);
    gral_table_free(table);
}

static void a_placement_is_taken_back_even_if_others_look_R3_1(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    assert_int_equal(gral_table_take_back(table, 0), GRAL_REFUSED_BACK_NOTHING);
    play(table, "1: place 10 T1; 1: place 5 T1");
    gral_table_view(table, 1);
    assert_int_equal(gral_table_take_back(table, 1), GRAL_REFUSED_BACK_OTHER);
    assert_int_equal(gral_table_take_back(table, 0), GRAL_LEGAL);
    assert_int_equal(gral_table_view(table, 0).sheet[0].influence[GRAL_T1], 10);
    assert_int_equal(gral_table_take_back(table, 0), GRAL_LEGAL);
    assert_int_equal(gral_table_view(table, 0).sheet[0].units[0], 4);
    gral_table_free(table);
}

static void a_word_is_taken_back_until_somebody_else_looks(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    play(table, "1: done; 2: done; 1: step T1 a2");
    assert_int_equal(gral_table_take_back(table, 0), GRAL_LEGAL);
    assert_int_equal(gral_table_view(table, 0).open.phase, GRAL_TURN);
    play(table, "1: step T1 b1");
    gral_table_view(table, GRAL_SPECTATOR);
    assert_int_equal(gral_table_take_back(table, 0), GRAL_REFUSED_BACK_HEARD);
    play(table, "2: pass");
    assert_int_equal(gral_table_take_back(table, 0), GRAL_REFUSED_BACK_OTHER);
    assert_int_equal(gral_table_take_back(table, 1), GRAL_LEGAL);
    assert_int_equal(gral_table_view(table, 1).open.phase, GRAL_OBJECTION);
    gral_table_free(table);
}

static void an_announced_assignment_is_taken_back_only_unheard_R3_1(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    play(table, "1: done; 2: done; 1: assign; 1: place 1 T1");
    assert_int_equal(gral_table_take_back(table, 0), GRAL_LEGAL);
    assert_int_equal(gral_table_take_back(table, 0), GRAL_LEGAL);
    assert_int_equal(gral_table_view(table, 0).open.phase, GRAL_TURN);
    play(table, "1: assign; 1: place 1 T1");
    gral_table_view(table, 1);
    assert_int_equal(gral_table_take_back(table, 0), GRAL_LEGAL);              /* the placement is secret … */
    assert_int_equal(gral_table_take_back(table, 0), GRAL_REFUSED_BACK_HEARD); /* … the announcement is not */
    gral_table_free(table);
}

static void what_has_shown_influence_is_never_taken_back_R4_8(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    play(table, "1: place 10 T1; 1: place 10 T1; 1: done; 2: place 5 T1; 2: done");
    play(table, "1: uncover T1 T2");
    assert_int_equal(gral_table_take_back(table, 0), GRAL_REFUSED_BACK_SHOWN);
    play(table, "2: object 1");
    assert_int_equal(gral_table_take_back(table, 1), GRAL_REFUSED_BACK_SHOWN);
    play(table, "1: claim 2");
    assert_int_equal(gral_table_take_back(table, 0), GRAL_REFUSED_BACK_SHOWN);
    play(table, "2: pass"); /* T2 is uncovered: everybody's influence on him is on the table */
    assert_int_equal(gral_table_take_back(table, 1), GRAL_REFUSED_BACK_SHOWN);
    gral_table_free(table);
}

static void the_end_of_the_game_is_never_taken_back_R7_3(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2 limit=1", anna, ben);
    play(table, "1: done; 2: done; 1: step T1 a2; 2: pass");
    assert_int_equal(gral_table_actor(table), GRAL_NOBODY);
    assert_int_equal(gral_table_take_back(table, 1), GRAL_REFUSED_BACK_SHOWN);
    gral_table_free(table);
}

static void a_save_resumes_with_names_players_and_chance(void **unused)
{
    (void)unused;
    const gral_seat odd = {.name = "O\"Neil \\ Zoë"};
    gral_table *table = table_with("players=3 first=2", odd, computer, ben);
    play(table, "1: place 10 T1; 1: done");
    while (gral_table_actor(table) == 1)
        assert_int_equal(gral_table_step(table, NULL), GRAL_LEGAL);
    play(table, "3: done");

    char *save = save_of(table);
    gral_error error;
    gral_table *again = gral_table_resume(gral_span_of(save), gral_player_make, &error);
    assert_non_null(again);
    assert_string_equal(gral_table_seat(again, 0).name, odd.name);
    assert_false(gral_table_seat(again, 0).computer);
    assert_string_equal(gral_table_seat(again, 1).name, "random");
    assert_true(gral_table_seat(again, 1).computer);
    while (gral_table_actor(table) == 1) { /* the same seed: the same decisions */
        assert_int_equal(gral_table_step(table, NULL), GRAL_LEGAL);
        assert_int_equal(gral_table_step(again, NULL), GRAL_LEGAL);
    }
    char *first = save_of(table), *second = save_of(again);
    assert_string_equal(first, second);
    free(first);
    free(second);
    free(save);
    gral_table_free(table);
    gral_table_free(again);
}

static void after_resuming_only_placements_are_taken_back(void **unused)
{
    (void)unused;
    gral_table *table = table_with("players=2", anna, ben);
    play(table, "1: done; 2: done; 1: assign; 1: place 3 R2");
    char *save = save_of(table);
    gral_error error;
    gral_table *again = gral_table_resume(gral_span_of(save), gral_player_make, &error);
    assert_non_null(again);
    assert_int_equal(gral_table_take_back(again, 0), GRAL_LEGAL);
    assert_int_equal(gral_table_take_back(again, 0), GRAL_REFUSED_BACK_HEARD);
    free(save);
    gral_table_free(table);
    gral_table_free(again);
}

static void a_bare_record_resumes_with_people(void **unused)
{
    (void)unused;
    gral_error error;
    gral_table *table = gral_table_resume(gral_span_of("[Players \"2\"]\n\n1: done\n"), gral_player_make, &error);
    assert_non_null(table);
    assert_false(gral_table_seat(table, 1).computer);
    assert_string_equal(gral_table_seat(table, 1).name, "");
    assert_int_equal(gral_table_actor(table), 1);
    gral_table_free(table);
}

static void what_cannot_be_is_refused_with_a_reason(void **unused)
{
    (void)unused;
    static const struct {
        const char *save, *message;
        uint32_t line;
    } broken[] = {
        {"[Players \"2\"]\n\n1: done\n2: step T1 a2\n", NULL, 4},
        {"[Players \"2\"]\n[Player1Type \"ghost\"]\n\n", "a player's type is neither human nor program", 0},
        {"[Players \"2\"]\n[Player2 \"wizard\"]\n[Player2Type \"program\"]\n\n", NULL, 0},
        {"", NULL, 0},
        {"\x01", NULL, 1},
    };
    for (size_t row = 0; row < sizeof broken / sizeof *broken; row++) {
        gral_error error = {0};
        assert_null(gral_table_resume(gral_span_of(broken[row].save), gral_player_make, &error));
        assert_true(error.message[0] != '\0');
        if (broken[row].message != NULL)
            assert_string_equal(error.message, broken[row].message);
        if (broken[row].line > 0)
            assert_int_equal(error.line, broken[row].line);
    }
    gral_table_setup setup = {.settings = gral_settings_for(2), .seat = {{.name = "bell\a"}, anna}};
    gral_error error;
    assert_null(gral_table_make(&setup, gral_player_make, &error));
    setup.settings.players = 13;
    assert_null(gral_table_make(&setup, gral_player_make, &error));
    assert_string_equal(error.message, gral_settings_fault_text(GRAL_BAD_PLAYERS));
    char endless[4096];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    setup = (gral_table_setup){.settings = gral_settings_for(12), .seat = {{.name = endless}}};
    for (unsigned seat = 1; seat < 12; seat++)
        setup.seat[seat].name = seat % 2 ? endless : "";
    assert_null(gral_table_make(&setup, gral_player_make, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_acts_only_when_it_is_his_turn),
        cmocka_unit_test(nobody_speaks_for_a_computer_player),
        cmocka_unit_test(computer_players_finish_a_game_by_themselves),
        cmocka_unit_test(a_computer_player_is_asked_the_same_whatever_the_others_hide_R10_2),
        cmocka_unit_test(a_seat_hears_its_own_placements_and_only_the_end_of_others_R3_1),
        cmocka_unit_test(options_are_only_for_the_one_who_acts_R10_2),
        cmocka_unit_test(a_hint_is_for_the_one_who_acts_and_legal),
        cmocka_unit_test(a_placement_is_taken_back_even_if_others_look_R3_1),
        cmocka_unit_test(a_word_is_taken_back_until_somebody_else_looks),
        cmocka_unit_test(an_announced_assignment_is_taken_back_only_unheard_R3_1),
        cmocka_unit_test(what_has_shown_influence_is_never_taken_back_R4_8),
        cmocka_unit_test(the_end_of_the_game_is_never_taken_back_R7_3),
        cmocka_unit_test(a_save_resumes_with_names_players_and_chance),
        cmocka_unit_test(after_resuming_only_placements_are_taken_back),
        cmocka_unit_test(a_bare_record_resumes_with_people),
        cmocka_unit_test(what_cannot_be_is_refused_with_a_reason),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
