/* A game that is played here: who is asked, what each hears, drafts, computer players, saving and resuming. */
#include "scene.h"

#include "terminal/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin_of(play *play, const char *settings, const play_seat *seats)
{
    play_setup setup = {.seed = 7, .date = "2026-11-15"};
    gral_error error;
    assert_true(gral_settings_parse(gral_span_of(settings), &setup.settings, &error));
    memcpy(setup.seat, seats, setup.settings.players * sizeof *seats);
    *play = (struct play){0};
    if (!play_begin(play, &setup, gral_player_make, &error))
        fail_msg("%s", error.message);
}

#define begin_with(play, settings, ...) begin_of(play, settings, (const play_seat[]){__VA_ARGS__})

static const play_seat anna = {.name = "Anna"}, ben = {.name = "Ben"}, cleo = {.name = "Cleo"};
static const play_seat computer = {.name = "random", .computer = true};

static unsigned say(play *play, unsigned seat, const char *words)
{
    gral_action action;
    gral_error error;
    if (!gral_action_parse(gral_span_of(words), &action, &error))
        fail_msg("%s: %s", words, error.message);
    return play_do(play, seat, action);
}

/* Actions "1: place 10 T1; 1: done", each of which must be done. */
static void follow(play *play, const char *course)
{
    while (*course != '\0') {
        const size_t length = strcspn(course, ";");
        char words[64];
        snprintf(words, sizeof words, "%.*s", (int)length - 3, course + 3);
        const unsigned refusal = say(play, (unsigned)(course[0] - '1'), words);
        if (refusal != GRAL_LEGAL)
            fail_msg("%.*s: %s", (int)length, course, gral_host_refusal_text(refusal));
        course += length + strspn(course + length, "; ");
    }
}

static gral_view view_of(const play *play, unsigned viewer)
{
    gral_options options;
    return play_look(play, viewer, &options);
}

static char *save_of(const play *play)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_record_print(&measure, &play->record);
    char *bytes = malloc(measure.length + 1);
    assert_non_null(bytes);
    gral_text text = gral_text_in(bytes, measure.length + 1);
    gral_record_print(&text, &play->record);
    return bytes;
}

static void resume_from(play *play, const char *save)
{
    gral_error error;
    *play = (struct play){0};
    if (!play_resume(play, gral_span_of(save), gral_player_make, &error))
        fail_msg("%s", error.message);
}

/* All that the viewer can get. */
static void tell_all(play *play, unsigned viewer, gral_text *text)
{
    gral_options options;
    const gral_view view = play_look(play, viewer, &options);
    gral_view_print(text, play_game(play), &view);
    gral_options_print(text, play_game(play), &view.open, &options);
    for (size_t index = 0; index < play_heard(play, viewer); index++) {
        const event event = play_event(play, viewer, index);
        words_event(text, &play->names, &event);
    }
    assert_true(text->length < text->capacity);
}

/* --- who is asked --- */

static void a_person_acts_only_when_it_is_his_turn(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=2", anna, ben);
    assert_int_equal(play_actor(&play), 0);
    assert_int_equal(say(&play, 1, "done"), GRAL_HOST_TURN);
    assert_int_equal(say(&play, GRAL_SPECTATOR, "done"), GRAL_HOST_TURN);
    assert_int_equal(say(&play, 0, "pass"), GRAL_FAULT_NO_PROPOSAL);
    assert_int_equal(play_step(&play), GRAL_HOST_PERSON);
    assert_int_equal(play.record.count, 0);
    follow(&play, "1: place 10 T1");
    assert_int_equal(say(&play, 1, "done"), GRAL_HOST_TURN); /* nobody ends another one's draft */
    follow(&play, "1: done");
    assert_int_equal(play_actor(&play), 1);
    play_end(&play);
}

static void nobody_speaks_for_a_computer_player(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=2", computer, anna);
    assert_int_equal(say(&play, 0, "done"), GRAL_HOST_COMPUTER);
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    assert_false(play_take_back(&play));
    assert_int_equal(play_actor(&play), 1); /* the whole of what it does is one step */
    play_end(&play);
}

static void all_are_asked_clockwise_up_to_the_first_objection_Q13(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=4 first=2", anna, ben, cleo, computer);
    follow(&play, "1: place 5 T1; 1: done; 2: place 10 T1; 2: done; 3: place 5 T1; 3: done");
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    follow(&play, "2: step T1 a2");
    assert_int_equal(play_actor(&play), 2);
    assert_int_equal(say(&play, 0, "pass"), GRAL_HOST_TURN);
    follow(&play, "3: object 2"); /* nobody behind Cleo is asked … */
    assert_int_equal(play_actor(&play), 1);
    follow(&play, "2: claim 3; 3: pass"); /* … until the round begins anew */
    assert_int_equal(play_actor(&play), 3);
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    const gral_view view = view_of(&play, GRAL_SPECTATOR);
    assert_int_equal(play_actor(&play), view.open.objection > 0 ? 1 : 0);
    play_end(&play);
}

static void computer_players_finish_a_game_by_themselves(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=3 limit=200", computer, computer, computer);
    while (play_actor(&play) != GRAL_NOBODY)
        assert_int_equal(play_step(&play), GRAL_LEGAL);
    assert_int_equal(play_step(&play), GRAL_HOST_ENDED);
    assert_int_equal(say(&play, 0, "pass"), GRAL_HOST_ENDED);
    assert_int_equal(view_of(&play, GRAL_SPECTATOR).known, 7);
    play_end(&play);
}

/* --- what each may know --- */

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

static void note_end(gral_player *player, const gral_question *end)
{
    (void)player;
    noted = *end;
    noted_view = *end->view;
}

static void keep(gral_player *player)
{
    (void)player;
}

static const gral_player_kind noting_kind = {.name = "noting", .decide = note, .over = note_end, .free = keep};

static gral_player *noting_player(gral_span text, gral_error *error)
{
    static gral_player player = {&noting_kind};
    (void)text, (void)error;
    return &player;
}

static void begin_with_noting_player(play *play, uint32_t limit)
{
    play_setup setup = {
        .settings = gral_settings_for(2), .seat = {anna, {.name = "noting", .computer = true}}, .seed = 5};
    setup.settings.limit = limit;
    gral_error error;
    *play = (struct play){0};
    assert_true(play_begin(play, &setup, noting_player, &error));
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
        play play;
        begin_with_noting_player(&play, 0);
        follow(&play, openings[game]);
        assert_int_equal(play_step(&play), GRAL_LEGAL);
        follow(&play, "1: step T1 a2");
        assert_int_equal(play_step(&play), GRAL_LEGAL);
        assert_int_equal(noted.heard_count, 3);
        seed[game] = noted.seed;
        view[game] = noted_view;
        memcpy(heard[game], noted_heard, sizeof heard[game]);
        play_end(&play);
    }
    assert_true(seed[0] == seed[1]);
    assert_memory_equal(&view[0], &view[1], sizeof *view);
    assert_memory_equal(heard[0], heard[1], sizeof *heard);
}

static void a_computer_player_is_told_the_end(void **unused)
{
    (void)unused;
    play play;
    begin_with_noting_player(&play, 1);
    follow(&play, "1: done");
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    follow(&play, "1: step T1 a2");
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    assert_int_equal(noted_view.open.phase, GRAL_OVER);
    assert_int_equal(noted.heard_count, 4);
    play_end(&play);
}

static void a_seat_hears_its_own_placements_and_only_the_end_of_others_R3_1(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=2", anna, ben);
    follow(&play, "1: place 10 T1; 1: done; 2: place 5 A1; 2: place 4 A1; 2: done; 1: step T1 a2");
    assert_int_equal(play_heard(&play, 0), 4);
    assert_int_equal(play_heard(&play, 1), 5);
    assert_int_equal(play_heard(&play, GRAL_SPECTATOR), 3);
    const event event = play_event(&play, 0, 2);
    assert_int_equal(event.seat, 1);
    assert_int_equal(event.action.verb, GRAL_DONE);
    assert_int_equal(event.before.phase, GRAL_OPENING);
    assert_int_equal(event.after.phase, GRAL_TURN);
    play_end(&play);
}

static void options_are_only_for_the_one_who_acts_R10_2(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=2", anna, ben);
    follow(&play, "1: place 10 T1; 1: done; 2: place 5 T1; 2: done; 1: step T1 a2");
    gral_options mine, others, watching;
    play_look(&play, 1, &mine);
    play_look(&play, 0, &others);
    play_look(&play, GRAL_SPECTATOR, &watching);
    assert_int_equal(mine.points_verb, GRAL_OBJECT);
    assert_int_equal(mine.most, 5);
    assert_int_equal(gral_options_count(&others), 0);
    assert_int_equal(gral_options_count(&watching), 0);
    play_end(&play);
}

static void a_draft_shows_on_its_owners_sheet_and_nowhere_else_R3_1_R10_2(void **unused)
{
    (void)unused;
    static const char *const drafts[] = {"", "1: assign; 1: place 10 T1; 1: place 5 T1"};
    static char told[2][4][1 << 15];
    for (unsigned game = 0; game < 2; game++) {
        play play;
        begin_with(&play, "players=3", anna, ben, computer);
        follow(&play, "1: done; 2: done");
        assert_int_equal(play_step(&play), GRAL_LEGAL);
        follow(&play, drafts[game]);
        assert_int_equal(view_of(&play, 0).sheet[0].influence[GRAL_T1], game == 0 ? 0 : 15);
        for (unsigned viewer = 0; viewer < 4; viewer++) {
            gral_text text = gral_text_in(told[game][viewer], sizeof told[game][viewer]);
            tell_all(&play, viewer < 3 ? viewer : GRAL_SPECTATOR, &text);
        }
        play_end(&play);
    }
    assert_string_not_equal(told[0][0], told[1][0]);
    for (unsigned viewer = 1; viewer < 4; viewer++)
        assert_string_equal(told[0][viewer], told[1][viewer]);
}

static void a_hint_is_for_the_one_who_acts_and_legal_after_his_draft(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=2", anna, ben);
    gral_error error;
    play.adviser = gral_player_make(gral_span_of("greedy"), &error);
    gral_explanation explanation;
    assert_int_equal(play_hint(&play, 1, NULL, &explanation), GRAL_HOST_TURN);
    for (unsigned units = 0; units < 4; units++) /* all tens: no hint may name another one */
        follow(&play, "1: place 10 R2");
    assert_int_equal(play_hint(&play, 0, NULL, &explanation), GRAL_LEGAL);
    assert_true(explanation.thoughts > 0);
    assert_int_equal(play.record.count, 4);
    assert_int_equal(play_do(&play, 0, explanation.thought[0].action), GRAL_LEGAL);
    play_end(&play);
}

/* --- taking back --- */

static void placements_are_taken_back_until_done_R3_1(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=2", anna, ben);
    assert_false(play_take_back(&play));
    follow(&play, "1: place 10 T1; 1: place 5 T1");
    assert_true(play_take_back(&play));
    assert_int_equal(view_of(&play, 0).sheet[0].influence[GRAL_T1], 10);
    assert_true(play_take_back(&play));
    assert_int_equal(view_of(&play, 0).sheet[0].units[0], 4);
    assert_false(play_take_back(&play));
    follow(&play, "1: place 4 A1; 1: done");
    assert_false(play_take_back(&play));
    assert_int_equal(view_of(&play, 0).sheet[0].influence[GRAL_A1], 4);
    play_end(&play);
}

static void an_assignment_is_taken_back_whole_and_something_else_is_done_R3_1(void **unused)
{
    (void)unused;
    play play;
    begin_with(&play, "players=2", anna, ben);
    follow(&play, "1: done; 2: done; 1: assign; 1: place 1 T1");
    assert_int_equal(play_event(&play, 0, 3).action.verb, GRAL_PLACE);
    assert_true(play_take_back(&play));
    assert_true(play_take_back(&play));
    assert_int_equal(view_of(&play, 0).open.phase, GRAL_TURN);
    assert_int_equal(view_of(&play, 0).sheet[0].influence[GRAL_T1], 0);
    follow(&play, "1: step T1 a2");
    const event event = play_event(&play, 1, 2);
    assert_int_equal(event.action.verb, GRAL_STEP);
    assert_int_equal(event.after.phase, GRAL_OBJECTION);
    play_end(&play);
}

static void what_was_said_is_never_taken_back_R4_8_R7_3(void **unused)
{
    (void)unused;
    static const char *const course[] = {"1: uncover T1 T2", "2: object 1",   "1: claim 2",
                                         "2: pass",          "2: step A1 d1", "1: pass"};
    play play;
    begin_with(&play, "players=2 limit=2", anna, ben);
    follow(&play, "1: place 10 T1; 1: place 10 T1; 1: done; 2: place 5 T1; 2: done");
    for (size_t index = 0; index < sizeof course / sizeof *course; index++) {
        follow(&play, course[index]);
        assert_false(play_is_drafting(&play));
        assert_false(play_take_back(&play));
    }
    assert_int_equal(play_actor(&play), GRAL_NOBODY);
    play_end(&play);
}

/* --- saving and resuming --- */

static void a_save_resumes_with_names_players_and_chance(void **unused)
{
    (void)unused;
    const play_seat odd = {.name = "O\"Neil \\ Zoë"};
    play play, again;
    begin_with(&play, "players=3 first=2", odd, computer, ben);
    follow(&play, "1: place 10 T1; 1: done");
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    follow(&play, "3: done");

    char *save = save_of(&play);
    resume_from(&again, save);
    assert_string_equal(again.name[0], odd.name);
    assert_null(again.player[0]);
    assert_string_equal(again.name[1], "random");
    assert_non_null(again.player[1]);
    assert_int_equal(play_actor(&play), 1); /* the same seed: the same decisions */
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    assert_int_equal(play_step(&again), GRAL_LEGAL);
    char *first = save_of(&play), *second = save_of(&again);
    assert_string_equal(first, second);
    free(first);
    free(second);
    free(save);
    play_end(&play);
    play_end(&again);
}

/* A save after every action of a game in which all comes up: everybody goes on knowing what he knew. */
static void whoever_resumes_at_any_time_knows_what_he_knew(void **unused)
{
    (void)unused;
    static char told[2][1 << 17];
    play play;
    begin_with(&play, "players=4 limit=20", anna, computer, computer, ben);
    gral_random random = gral_random_from(11);
    for (unsigned actor; (actor = play_actor(&play)) != GRAL_NOBODY;) {
        char *save = save_of(&play);
        struct play again;
        resume_from(&again, save);
        assert_int_equal(play_actor(&again), actor);
        assert_int_equal(play_is_drafting(&again), play_is_drafting(&play));
        for (unsigned viewer = 0; viewer <= 4; viewer++) {
            gral_text text[2];
            for (unsigned which = 0; which < 2; which++) {
                text[which] = gral_text_in(told[which], sizeof told[which]);
                tell_all(which == 0 ? &play : &again, viewer < 4 ? viewer : GRAL_SPECTATOR, &text[which]);
            }
            assert_string_equal(told[0], told[1]);
        }
        play_end(&again);
        free(save);
        if (play.player[actor] != NULL) {
            assert_int_equal(play_step(&play), GRAL_LEGAL);
            continue;
        }
        gral_options options;
        const gral_view view = play_look(&play, actor, &options);
        assert_int_equal(view.open.actor, actor);
        const unsigned choice = gral_random_below(&random, gral_options_count(&options));
        const gral_action action = gral_options_pick(play_game(&play), &view.open, &options, choice);
        assert_int_equal(play_do(&play, actor, action), GRAL_LEGAL);
    }
    play_end(&play);
}

static void a_draft_is_saved_and_can_still_be_taken_back(void **unused)
{
    (void)unused;
    play play, again;
    begin_with(&play, "players=2", anna, ben);
    follow(&play, "1: done; 2: done; 1: assign; 1: place 3 R2");
    char *save = save_of(&play);
    resume_from(&again, save);
    assert_int_equal(view_of(&again, 0).sheet[0].influence[GRAL_R2], 3);
    assert_true(play_take_back(&again));
    assert_true(play_take_back(&again));
    assert_false(play_take_back(&again));
    free(save);
    play_end(&play);
    play_end(&again);
}

static void what_a_computer_player_has_not_finished_it_decides_anew(void **unused)
{
    (void)unused;
    play play;
    resume_from(&play, "[Players \"2\"]\n[Player1 \"random\"]\n[Player1Type \"program\"]\n\n1: place 10 T1\n");
    assert_int_equal(play.record.count, 0);
    assert_int_equal(play_step(&play), GRAL_LEGAL);
    assert_int_equal(play_actor(&play), 1);
    play_end(&play);
}

static void a_bare_record_resumes_with_people(void **unused)
{
    (void)unused;
    play play;
    resume_from(&play, "[Players \"2\"]\n\n1: done\n");
    assert_null(play.player[1]);
    assert_string_equal(play.name[1], "");
    assert_string_equal(play.names.seat[1], "Player 2");
    assert_int_equal(play_actor(&play), 1);
    play_end(&play);
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
        play play = {0};
        assert_false(play_resume(&play, gral_span_of(broken[row].save), gral_player_make, &error));
        assert_true(error.message[0] != '\0');
        if (broken[row].message != NULL)
            assert_string_equal(error.message, broken[row].message);
        if (broken[row].line > 0)
            assert_int_equal(error.line, broken[row].line);
        play_end(&play);
    }
}

static void refuse_setup(const play_setup *setup, const char *message)
{
    gral_error error;
    play play = {0};
    assert_false(play_begin(&play, setup, gral_player_make, &error));
    if (message != NULL)
        assert_string_equal(error.message, message);
    play_end(&play);
}

static void names_and_settings_are_checked_before_a_game_begins(void **unused)
{
    (void)unused;
    play_setup setup = {.settings = gral_settings_for(2), .seat = {{.name = "bell\a"}, anna}};
    refuse_setup(&setup, NULL);
    setup.settings.players = 13;
    refuse_setup(&setup, gral_settings_fault_text(GRAL_BAD_PLAYERS));
    char endless[4096];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    setup = (play_setup){.settings = gral_settings_for(12), .seat = {{.name = endless}}};
    for (unsigned seat = 1; seat < 12; seat++)
        setup.seat[seat].name = seat % 2 ? endless : "";
    refuse_setup(&setup, "a player's name is longer than 200 bytes");
    endless[201] = '\0';
    setup = (play_setup){.settings = gral_settings_for(2), .seat = {{.name = endless}, anna}};
    refuse_setup(&setup, "a player's name is longer than 200 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_acts_only_when_it_is_his_turn),
        cmocka_unit_test(nobody_speaks_for_a_computer_player),
        cmocka_unit_test(all_are_asked_clockwise_up_to_the_first_objection_Q13),
        cmocka_unit_test(computer_players_finish_a_game_by_themselves),
        cmocka_unit_test(a_computer_player_is_asked_the_same_whatever_the_others_hide_R10_2),
        cmocka_unit_test(a_computer_player_is_told_the_end),
        cmocka_unit_test(a_seat_hears_its_own_placements_and_only_the_end_of_others_R3_1),
        cmocka_unit_test(options_are_only_for_the_one_who_acts_R10_2),
        cmocka_unit_test(a_draft_shows_on_its_owners_sheet_and_nowhere_else_R3_1_R10_2),
        cmocka_unit_test(a_hint_is_for_the_one_who_acts_and_legal_after_his_draft),
        cmocka_unit_test(placements_are_taken_back_until_done_R3_1),
        cmocka_unit_test(an_assignment_is_taken_back_whole_and_something_else_is_done_R3_1),
        cmocka_unit_test(what_was_said_is_never_taken_back_R4_8_R7_3),
        cmocka_unit_test(a_save_resumes_with_names_players_and_chance),
        cmocka_unit_test(whoever_resumes_at_any_time_knows_what_he_knew),
        cmocka_unit_test(a_draft_is_saved_and_can_still_be_taken_back),
        cmocka_unit_test(what_a_computer_player_has_not_finished_it_decides_anew),
        cmocka_unit_test(a_bare_record_resumes_with_people),
        cmocka_unit_test(what_cannot_be_is_refused_with_a_reason),
        cmocka_unit_test(names_and_settings_are_checked_before_a_game_begins),
    };
    return cmocka_run_group_tests_name("local", tests, NULL, NULL);
}
