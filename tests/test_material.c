/* Material, players and the opening: RULES sections 1 and 2, rulings Q11 and Q12. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_step_joins_fields_that_share_a_side_R1_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    for (int from = 0; from < GRAL_FIELDS; from++)
        for (int to = 0; to < GRAL_FIELDS; to++) {
            const int distance = abs(from / 5 - to / 5) + abs(from % 5 - to % 5);
            scene.state.open.pawn[GRAL_T1] = (uint8_t)from;
            const gral_action step = gral_step(GRAL_T1, (unsigned)to, GRAL_NO_PAWN);
            assert_int_equal(gral_check(&scene.game, &scene.state, step),
                             distance == 1 ? GRAL_LEGAL : GRAL_FAULT_NOT_ADJACENT);
        }
}

static void a_corner_has_two_neighbours_an_edge_three_the_middle_four_R1_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 pawns=T1");
    scene_open(&scene, "");
    scene_offers(&scene, "assign; step T1 a2; step T1 b1");
    scene_put(&scene, "T1=e4");
    scene_offers(&scene, "assign; step T1 e5; step T1 e3; step T1 d4");
    scene_put(&scene, "T1=c3");
    scene_offers(&scene, "assign; step T1 c4; step T1 d3; step T1 c2; step T1 b3");
}

static void fields_are_named_from_a1_in_the_south_west_to_e5_in_the_north_east_R1_1(void **unused)
{
    (void)unused;
    for (unsigned field = 0; field < GRAL_FIELDS; field++) {
        const char expected[] = {(char)('a' + field % 5), (char)('1' + field / 5), '\0'};
        char name[4];
        gral_text text = gral_text_in(name, sizeof name);
        gral_field_print(&text, field);
        assert_string_equal(name, expected);
    }
    const char *const beyond[] = {"step T1 f1", "step T1 a6", "step T1 a0", "step T1 `1"};
    gral_action action;
    gral_error error;
    for (size_t index = 0; index < sizeof beyond / sizeof *beyond; index++)
        assert_false(gral_action_parse(gral_span_of(beyond[index]), &action, &error));
}

static void two_initiates_of_each_society_start_at_home_R1_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_expect(&scene, "pawns T1=a1 T2=a1 A1=e1 A2=e1 I1=e5 I2=e5 R1=a5 R2=a5");
}

static void every_initiate_has_the_name_of_the_running_text_R1_2_Q12(void **unused)
{
    (void)unused;
    static const struct {
        const char *id, *name;
    } expected[] = {
        {"T1", "Alberto Castellano"}, {"T2", "Jacques de Barruel"}, {"A1", "Hassan Al-Molk"},
        {"A2", "Mansur Al-Jallah"},   {"I1", "Johann von Fiore"},   {"I2", "Adam zu Weisenheym"},
        {"R1", "Frater Valentinus"},  {"R2", "Frater Maleficus"},
    };
    assert_int_equal(GRAL_PAWNS, sizeof expected / sizeof *expected);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        assert_string_equal(gral_pawn_id(pawn), expected[pawn].id);
        assert_string_equal(gral_pawn_name(pawn), expected[pawn].name);
    }
}

static void each_corner_is_the_headquarters_of_one_society_R1_3(void **unused)
{
    (void)unused;
    static const char *const beside[GRAL_SOCIETIES] = {"b1", "d1", "d5", "b5"};
    static const char *const corner[GRAL_SOCIETIES] = {"a1", "e1", "e5", "a5"};
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        for (unsigned society = 0; society < GRAL_SOCIETIES; society++) {
            const char *id = gral_pawn_id(pawn);
            char words[64];
            struct scene scene = scene_of("players=2");
            scene_open(&scene, "");
            snprintf(words, sizeof words, "%s=%s grail=%s", id, beside[society], id);
            scene_put(&scene, words);
            snprintf(words, sizeof words, "step %s %s; pass; keep", id, corner[society]);
            scene_do(&scene, words);
            scene_expect(&scene, pawn / 2 == society ? "phase over" : "phase turn");
        }
}

static void one_grail_lies_free_in_the_middle_R1_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_expect(&scene, "grail c3");
    assert_int_equal(scene.state.open.bearer, GRAL_NO_PAWN);
}

static void every_sheet_has_four_units_of_six_kinds_R1_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=12");
    for (unsigned seat = 1; seat <= 12; seat++) {
        char words[64];
        snprintf(words, sizeof words, "units %u 10=4 5=4 4=4 3=4 2=4 1=4", seat);
        scene_expect(&scene, words);
    }
    scene_do(&scene, "place 10 T1; place 10 T1; place 10 R2; place 10 T1");
    scene_refuse(&scene, "place 10 I1", GRAL_FAULT_NO_UNIT);
    assert_int_equal(gral_check(&scene.game, &scene.state, gral_place(6, GRAL_I1)), GRAL_FAULT_NO_UNIT);
    scene_expect(&scene, "units 1 10=0 5=4 4=4 3=4 2=4 1=4");
}

static void a_whole_sheet_is_worth_a_hundred_points_R1_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "100 A2");
    scene_expect(&scene, "influence 1 T1=0 T2=0 A1=0 A2=100 I1=0 I2=0 R1=0 R2=0");
    scene_expect(&scene, "units 1 10=0 5=0 4=0 3=0 2=0 1=0");
}

static void every_field_has_a_name_R1_5(void **unused)
{
    (void)unused;
    static const char *const expected[GRAL_FIELDS] = {
        "Tomar",    "Granada",    "Alexandria",        "Cairo",   "Alamut",         /* row 1 */
        "Toledo",   "Montserrat", "Antioch",           "Tortosa", "Damascus",       /* row 2 */
        "Santiago", "Avignon",    "Golgotha",          "Akkon",   "Masyaf",         /* row 3 */
        "Chartres", "Montségur",  "Rennes-le-Château", "Malta",   "Constantinople", /* row 4 */
        "Kassel",   "Rosslyn",    "Glastonbury",       "Prague",  "Ingolstadt",     /* row 5 */
    };
    for (unsigned field = 0; field < GRAL_FIELDS; field++)
        assert_string_equal(gral_field_name(field), expected[field]);
}

static unsigned field_called(const char *name)
{
    unsigned field = 0;
    while (field < GRAL_FIELDS && strcmp(gral_field_name(field), name) != 0)
        field++;
    return field;
}

static void fields_of_the_example_lie_side_by_side_R1_5(void **unused)
{
    (void)unused;
    static const char *const pair[][2] = {{"Tortosa", "Akkon"}, {"Masyaf", "Akkon"}, {"Malta", "Prague"}};
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    for (size_t index = 0; index < sizeof pair / sizeof *pair; index++) {
        scene.state.open.pawn[GRAL_T1] = (uint8_t)field_called(pair[index][0]);
        const gral_action step = gral_step(GRAL_T1, field_called(pair[index][1]), GRAL_NO_PAWN);
        assert_int_equal(gral_check(&scene.game, &scene.state, step), GRAL_LEGAL);
    }
}

static void two_to_twelve_may_play_R2_1_Q11(void **unused)
{
    (void)unused;
    for (unsigned players = 0; players <= 20; players++) {
        const gral_settings settings = gral_settings_for(players);
        gral_game game;
        assert_int_equal(gral_game_make(&game, &settings),
                         players >= 2 && players <= 12 ? GRAL_SETTINGS_OK : GRAL_BAD_PLAYERS);
    }
    gral_settings settings;
    gral_error error;
    assert_false(gral_settings_parse(gral_span_of("players=1"), &settings, &error));
    assert_false(gral_settings_parse(gral_span_of("players=13"), &settings, &error));
    assert_true(gral_settings_parse(gral_span_of("players=12"), &settings, &error));
}

static void any_player_may_be_the_first_R2_1(void **unused)
{
    (void)unused;
    for (unsigned first = 1; first <= 5; first++) {
        char words[32];
        snprintf(words, sizeof words, "players=5 first=%u", first);
        struct scene scene = scene_of(words);
        scene_open(&scene, "");
        snprintf(words, sizeof words, "active %u", first);
        scene_expect(&scene, words);
        scene_expect(&scene, "turn 1");
    }
    gral_settings settings;
    gral_error error;
    assert_false(gral_settings_parse(gral_span_of("players=5 first=6"), &settings, &error));
    assert_false(gral_settings_parse(gral_span_of("players=5 first=0"), &settings, &error));
}

static void without_a_choice_seat_1_is_the_first_player_R2_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=12");
    scene_open(&scene, "");
    scene_expect(&scene, "active 1");
}

static void in_the_opening_units_go_to_any_initiates_with_any_number_of_players_R2_2(void **unused)
{
    (void)unused;
    static const char *const tables[] = {"players=2", "players=3", "players=4", "players=12"};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        struct scene scene = scene_of(tables[index]);
        scene_do(&scene, "place 10 T1; place 5 A2; place 1 R2; place 1 T1; done");
        scene_expect(&scene, "phase opening");
        scene_expect(&scene, "actor 2");
        scene_expect(&scene, "influence 1 T1=11 T2=0 A1=0 A2=5 I1=0 I2=0 R1=0 R2=1");
    }
}

static void all_some_or_none_may_be_placed_in_the_opening_R2_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3 units=10,1 pawns=T1,R1");
    scene_offers(&scene, "done; place 10 T1; place 10 R1; place 1 T1; place 1 R1");
    scene_do(&scene, "place 10 T1; place 1 R1");
    scene_offers(&scene, "done");
    scene_do(&scene, "done; place 1 T1; done; done");
    scene_expect(&scene, "phase turn");
    scene_expect(&scene, "units 1 10=0 5=0 4=0 3=0 2=0 1=0");
    scene_expect(&scene, "units 2 10=1 5=0 4=0 3=0 2=0 1=0");
    scene_expect(&scene, "units 3 10=1 5=0 4=0 3=0 2=0 1=1");
}

static void nobody_sees_what_another_places_in_the_opening_R2_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    const gral_view before = gral_view_of(&scene.state, 1);
    scene_do(&scene, "place 10 T1; place 10 T1; place 3 R2");
    const gral_view after = gral_view_of(&scene.state, 1);
    assert_memory_equal(&before, &after, sizeof before);
    scene_sees(&scene, 1, "influence 1 T1=20 T2=0 A1=0 A2=0 I1=0 I2=0 R1=0 R2=3");
    scene_sees(&scene, 2, "influence 1 T1=? T2=? A1=? A2=? I1=? I2=? R1=? R2=?");
}

static void no_turn_begins_before_all_have_opened_R2_2_R2_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3 first=2");
    scene_do(&scene, "done; done");
    scene_expect(&scene, "phase opening");
    scene_expect(&scene, "turn 0");
    scene_expect(&scene, "active 0");
    scene_refuse(&scene, "assign", GRAL_FAULT_NOT_PROPOSING);
    scene_refuse(&scene, "step T1 a2", GRAL_FAULT_NOT_PROPOSING);
    scene_do(&scene, "done");
    scene_expect(&scene, "phase turn");
    scene_refuse(&scene, "place 1 T1", GRAL_FAULT_NOT_PLACING);
    scene_refuse(&scene, "done", GRAL_FAULT_NOT_PLACING);
}

static void turns_go_round_clockwise_from_the_first_player_R2_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=12 first=11");
    scene_open(&scene, "");
    for (unsigned turn = 1; turn <= 30; turn++) {
        char words[32];
        snprintf(words, sizeof words, "turn %u", turn);
        scene_expect(&scene, words);
        snprintf(words, sizeof words, "active %u", (turn + 9) % 12 + 1);
        scene_expect(&scene, words);
        scene_do(&scene, turn % 2 == 0   ? "assign; done"
                         : turn % 4 == 1 ? "step T1 a2; all pass"
                                         : "step T1 a1; all pass");
    }
}

static void an_assignment_is_a_whole_turn_R2_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    scene_do(&scene, "assign; place 5 T1");
    scene_refuse(&scene, "step T1 a2", GRAL_FAULT_NOT_PROPOSING);
    scene_do(&scene, "done");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "actor 2");
}

static void a_proposal_carried_out_is_a_whole_turn_R2_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "");
    scene_do(&scene, "step T1 a2; pass");
    scene_expect(&scene, "active 2");
    scene_expect(&scene, "actor 2");
    scene_expect(&scene, "turn 2");
    scene_expect(&scene, "proposal -");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_joins_fields_that_share_a_side_R1_1),
        cmocka_unit_test(a_corner_has_two_neighbours_an_edge_three_the_middle_four_R1_1),
        cmocka_unit_test(fields_are_named_from_a1_in_the_south_west_to_e5_in_the_north_east_R1_1),
        cmocka_unit_test(two_initiates_of_each_society_start_at_home_R1_2),
        cmocka_unit_test(every_initiate_has_the_name_of_the_running_text_R1_2_Q12),
        cmocka_unit_test(each_corner_is_the_headquarters_of_one_society_R1_3),
        cmocka_unit_test(one_grail_lies_free_in_the_middle_R1_3),
        cmocka_unit_test(every_sheet_has_four_units_of_six_kinds_R1_4),
        cmocka_unit_test(a_whole_sheet_is_worth_a_hundred_points_R1_4),
        cmocka_unit_test(every_field_has_a_name_R1_5),
        cmocka_unit_test(fields_of_the_example_lie_side_by_side_R1_5),
        cmocka_unit_test(two_to_twelve_may_play_R2_1_Q11),
        cmocka_unit_test(any_player_may_be_the_first_R2_1),
        cmocka_unit_test(without_a_choice_seat_1_is_the_first_player_R2_1),
        cmocka_unit_test(in_the_opening_units_go_to_any_initiates_with_any_number_of_players_R2_2),
        cmocka_unit_test(all_some_or_none_may_be_placed_in_the_opening_R2_2),
        cmocka_unit_test(nobody_sees_what_another_places_in_the_opening_R2_2),
        cmocka_unit_test(no_turn_begins_before_all_have_opened_R2_2_R2_3),
        cmocka_unit_test(turns_go_round_clockwise_from_the_first_player_R2_3),
        cmocka_unit_test(an_assignment_is_a_whole_turn_R2_3),
        cmocka_unit_test(a_proposal_carried_out_is_a_whole_turn_R2_3),
    };
    return cmocka_run_group_tests_name("material", tests, NULL, NULL);
}
