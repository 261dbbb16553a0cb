/* The training ground: numbers for actions, observations, and what they must not tell. */
#include "scene.h"

#include <string.h>

enum { STEPS = 3000 };

static const char *const table[] = {
    "players=2",
    "players=3",
    "players=4 limit=60",
    "players=8",
    "players=12 limit=90",
    "players=4 rules=original hq=RITA",
    "players=2 board=3x3 pawns=T1,T2,I1,A2 units=10,10,5,3,2,1",
};
enum { TABLES = sizeof table / sizeof *table };

typedef void visit(const gral_ground *ground, const gral_outlook *outlook, gral_random *random);

static unsigned draw_number(const gral_outlook *outlook, gral_random *random)
{
    const gral_numbers legal = gral_numbers_of(outlook);
    unsigned chosen = GRAL_NUMBER_NONE, found = 0;
    for (unsigned number = 0; number < GRAL_NUMBERS; number++)
        if (gral_numbers_has(&legal, number) && gral_random_below(random, ++found) == 0)
            chosen = number;
    return chosen;
}

/* Games of random numbers at every table; each decision is shown. */
static void visit_grounds(uint64_t seed, visit *visit)
{
    for (unsigned index = 0; index < TABLES; index++) {
        const struct scene scene = scene_of(table[index]);
        gral_random random = gral_random_from(seed + index);
        gral_ground ground;
        gral_ground_begin(&ground, &scene.game.settings, seed + 100 * index);
        ground.mirrored = (uint16_t)gral_random_next(&random);
        for (unsigned step = 0; step < STEPS; step++) {
            const gral_outlook outlook = gral_ground_outlook(&ground);
            visit(&ground, &outlook, &random);
            if (gral_ground_play(&ground, draw_number(&outlook, &random)).over)
                gral_ground_restart(&ground);
        }
    }
}

static void check_numbers(const gral_ground *ground, const gral_outlook *outlook, gral_random *random)
{
    (void)random;
    const gral_numbers legal = gral_numbers_of(outlook);
    gral_action seen[GRAL_NUMBERS];
    unsigned count = 0;
    for (unsigned number = 0; number < GRAL_NUMBERS; number++) {
        if (!gral_numbers_has(&legal, number))
            continue;
        const gral_action action = gral_number_action(outlook, number);
        assert_int_equal(gral_check(&ground->game, &ground->state, action), GRAL_LEGAL);
        const bool all = number >= GRAL_NUMBER_ALL && number < GRAL_NUMBER_PLACE;
        for (unsigned other = 0; other < count && !all; other++)
            assert_true(action.verb == GRAL_PLACE || !gral_same_action(action, seen[other]));
        seen[count++] = action;
        const unsigned back = gral_action_number(outlook, action);
        assert_true(back == number || (all && gral_same_action(gral_number_action(outlook, back), action)));
    }
    assert_true(count > 1);
}

static void every_number_that_may_be_played_is_a_legal_action_and_comes_back(void **unused)
{
    (void)unused;
    visit_grounds(1, check_numbers);
}

static void check_actions(const gral_ground *ground, const gral_outlook *outlook, gral_random *random)
{
    (void)random;
    const gral_numbers legal = gral_numbers_of(outlook);
    gral_action list[GRAL_LEGAL_MAX];
    const unsigned count = gral_legal_list(&ground->game, &ground->state, list);
    for (unsigned index = 0; index < count; index++) {
        const unsigned number = gral_action_number(outlook, list[index]);
        const bool out_of_order = list[index].verb == GRAL_PLACE && number == GRAL_NUMBER_NONE;
        assert_true(out_of_order || gral_numbers_has(&legal, number));
        if (list[index].verb == GRAL_OBJECT || list[index].verb == GRAL_CLAIM)
            assert_true(gral_number_action(outlook, number).points <= list[index].points);
        else if (!out_of_order)
            assert_true(gral_same_action(gral_number_action(outlook, number), list[index]));
    }
}

static void every_legal_action_has_a_number_but_units_out_of_order(void **unused)
{
    (void)unused;
    visit_grounds(2, check_actions);
}

static void figures_are_the_least_some_between_and_all_R4_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "37 T1", "22 T1");
    scene_do(&scene, "step T1 a2; object 4");
    const gral_ground ground = {.game = scene.game,
                                .state = scene.state,
                                .options = gral_legal_options(&scene.game, &scene.state),
                                .memory = gral_memory_begin()};
    const gral_outlook outlook = gral_ground_outlook(&ground);
    const gral_numbers legal = gral_numbers_of(&outlook);
    static const uint8_t expected[] = {4, 5, 8, 10, 12, 15, 20, 25, 30, 37};
    unsigned found = 0;
    for (unsigned number = GRAL_NUMBER_FIGURE; number < GRAL_NUMBER_ALL; number++)
        if (gral_numbers_has(&legal, number))
            assert_int_equal(gral_number_action(&outlook, number).points, expected[found++]);
    assert_int_equal(found, sizeof expected);
}

static void everything_goes_to_one_initiate_with_two_decisions_R3_2(void **unused)
{
    (void)unused;
    const gral_settings settings = gral_settings_for(2);
    gral_ground ground;
    gral_ground_begin(&ground, &settings, 1);
    gral_ground_play(&ground, GRAL_NUMBER_ALL + GRAL_R2);
    assert_int_equal(ground.state.sheet[0].influence[GRAL_R2], 1);
    gral_ground_play(&ground, GRAL_NUMBER_ALL + GRAL_R2);
    assert_int_equal(ground.state.sheet[0].influence[GRAL_R2], 100);
    assert_int_equal(ground.state.open.actor, 1);
}

static void who_acts_without_numbers_places_in_any_order_R3_2(void **unused)
{
    (void)unused;
    const gral_settings settings = gral_settings_for(2);
    gral_ground ground;
    gral_ground_begin(&ground, &settings, 1);
    gral_ground_act(&ground, gral_place(1, GRAL_T1));
    gral_ground_act(&ground, gral_place(10, GRAL_A2));
    assert_int_equal(ground.state.sheet[0].influence[GRAL_A2], 10);
    assert_int_equal(ground.state.open.actor, 0);
}

static void check_view(const gral_ground *ground, const gral_outlook *outlook, gral_random *random)
{
    (void)random;
    const gral_view view = gral_view_of(&ground->state, outlook->seat);
    gral_outlook from_view = gral_outlook_of(&ground->game, &view, &ground->options, &ground->memory);
    from_view.mirrored = outlook->mirrored;
    gral_observation first = {0}, second = {0};
    gral_observe(outlook, &first);
    gral_observe(&from_view, &second);
    assert_memory_equal(&first, &second, sizeof first);
}

static void a_view_is_enough_for_an_observation_R10_1(void **unused)
{
    (void)unused;
    visit_grounds(6, check_view);
}

static void check_leak(const gral_ground *ground, const gral_outlook *outlook, gral_random *random)
{
    gral_observation first = {0}, second = {0};
    gral_observe(outlook, &first);
    gral_ground other = *ground;
    const gral_view view = gral_view_of(&ground->state, outlook->seat);
    if (!gral_view_refill(&ground->game, &view, random, &other.state))
        return;
    const gral_outlook outlook_there = gral_ground_outlook(&other);
    gral_observe(&outlook_there, &second);
    assert_memory_equal(&first, &second, sizeof first);
    const gral_numbers here = gral_numbers_of(outlook), there = gral_numbers_of(&outlook_there);
    assert_memory_equal(&here, &there, sizeof here);
}

static void an_observation_does_not_change_with_what_others_hide_R10_2(void **unused)
{
    (void)unused;
    visit_grounds(3, check_leak);
}

static uint64_t digest;

static void check_bystanders(const gral_ground *ground, const gral_outlook *outlook, gral_random *random)
{
    for (unsigned seat = 0; seat < ground->state.open.players; seat++) {
        gral_observation first = {0}, second = {0};
        const gral_numbers mine = gral_ground_observe(ground, seat, &first);
        if (seat == outlook->seat) {
            const gral_numbers expected = gral_numbers_of(outlook);
            gral_observe(outlook, &second);
            assert_memory_equal(&first, &second, sizeof first);
            assert_memory_equal(&mine, &expected, sizeof mine);
            continue;
        }
        const gral_numbers none = {0};
        assert_memory_equal(&mine, &none, sizeof mine);
        gral_ground other = *ground;
        const gral_view view = gral_view_of(&ground->state, seat);
        if (!gral_view_refill(&ground->game, &view, random, &other.state))
            continue;
        other.options = gral_legal_options(&other.game, &other.state);
        gral_memory_forget_assignment(&other.memory);
        gral_ground_observe(&other, seat, &second);
        assert_memory_equal(&first, &second, sizeof first);
    }
}

static void who_does_not_act_sees_nothing_of_what_others_hide_R3_1_R10_2(void **unused)
{
    (void)unused;
    visit_grounds(4, check_bystanders);
}

static void digest_bytes(const void *bytes, size_t count)
{
    for (size_t index = 0; index < count; index++)
        digest = (digest ^ ((const uint8_t *)bytes)[index]) * UINT64_C(1099511628211); /* FNV-1a */
}

static void digest_sight(const gral_ground *ground, const gral_outlook *outlook, gral_random *random)
{
    (void)ground;
    (void)random;
    gral_observation sight = {0};
    gral_observe(outlook, &sight);
    const gral_numbers legal = gral_numbers_of(outlook);
    digest_bytes(&sight, sizeof sight);
    digest_bytes(&legal, sizeof legal);
}

/* A net has learned from these bytes. If they change, it must learn anew. */
static void the_observations_of_known_games_stay_the_same_byte_for_byte(void **unused)
{
    (void)unused;
    digest = UINT64_C(14695981039346656037);
    visit_grounds(4, digest_sight);
    assert_int_equal(digest, UINT64_C(0xfa251716ec5afdc1));
}

/* --- the symmetries of the start --- */

/* Mirrored at the diagonal a1-e5, then turned by quarters, and tall and short swapped in some societies. */
typedef struct symmetry {
    bool mirror;
    unsigned quarters;
    unsigned swaps; /* bit s: of society s, before all else */
} symmetry;

static unsigned map_field(symmetry symmetry, unsigned field)
{
    if (field == GRAL_NOWHERE)
        return field;
    unsigned column = field % GRAL_COLUMNS, row = field / GRAL_COLUMNS;
    if (symmetry.mirror) {
        const unsigned swap = column;
        column = row;
        row = swap;
    }
    for (unsigned quarter = 0; quarter < symmetry.quarters; quarter++) {
        const unsigned was = column;
        column = GRAL_COLUMNS - 1 - row;
        row = was;
    }
    return GRAL_COLUMNS * row + column;
}

static unsigned map_pawn(symmetry symmetry, unsigned pawn)
{
    if (pawn >= GRAL_PAWNS)
        return pawn;
    const unsigned society = pawn / 2, swapped = symmetry.swaps >> society & 1;
    const unsigned mirrored = symmetry.mirror ? (GRAL_SOCIETIES - society) % GRAL_SOCIETIES : society;
    return 2 * ((mirrored + symmetry.quarters) % GRAL_SOCIETIES) + (pawn % 2 ^ swapped);
}

static gral_action map_action(symmetry symmetry, gral_action action)
{
    action.pawn = (uint8_t)map_pawn(symmetry, action.pawn);
    action.target = (uint8_t)map_pawn(symmetry, action.target);
    if (action.verb == GRAL_STEP)
        action.field = (uint8_t)map_field(symmetry, action.field);
    return action;
}

static unsigned map_number(symmetry symmetry, unsigned number)
{
    if (number < GRAL_NUMBER_ALL)
        return number;
    if (number < GRAL_NUMBER_STEP) /* everything and single units have the initiate in the same place */
        return number - (number - GRAL_NUMBER_ALL) % GRAL_PAWNS +
               map_pawn(symmetry, (number - GRAL_NUMBER_ALL) % GRAL_PAWNS);
    if (number < GRAL_NUMBER_UNCOVER) {
        number -= GRAL_NUMBER_STEP;
        return GRAL_NUMBER_STEP + GRAL_DIRECTIONS * map_pawn(symmetry, number / GRAL_DIRECTIONS) +
               number % GRAL_DIRECTIONS;
    }
    number -= GRAL_NUMBER_UNCOVER;
    return GRAL_NUMBER_UNCOVER + GRAL_PAWNS * map_pawn(symmetry, number / GRAL_PAWNS) +
           map_pawn(symmetry, number % GRAL_PAWNS);
}

/* The observation of one game is that of the other with rows in another order; so are the legal numbers. */
static void check_same_sight(const gral_ground *here, const gral_ground *there, symmetry symmetry)
{
    const gral_outlook outlook = gral_ground_outlook(here);
    const gral_outlook outlook_there = gral_ground_outlook(there);
    gral_observation sight = {0}, sight_there = {0}, moved = {0};
    gral_observe(&outlook, &sight);
    gral_observe(&outlook_there, &sight_there);
    moved = sight;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const unsigned to = map_pawn(symmetry, pawn);
        memcpy(moved.pawn[to], sight.pawn[pawn], sizeof moved.pawn[to]);
        for (unsigned other = 0; other < sight.others; other++)
            memcpy(moved.pair[other][to], sight.pair[other][pawn], sizeof moved.pair[other][to]);
    }
    assert_memory_equal(&moved, &sight_there, sizeof moved);
    const gral_numbers legal = gral_numbers_of(&outlook), legal_there = gral_numbers_of(&outlook_there);
    for (unsigned number = 0; number < GRAL_NUMBERS; number++)
        assert_int_equal(gral_numbers_has(&legal, number),
                         gral_numbers_has(&legal_there, map_number(symmetry, number)));
}

static void check_symmetry(symmetry symmetry, unsigned players)
{
    enum { DECISIONS = 400 };
    const gral_settings settings = gral_settings_for(players);
    gral_ground here, there;
    gral_ground_begin(&here, &settings, 5);
    gral_ground_begin(&there, &settings, 5);
    there.mirrored = symmetry.mirror ? UINT16_MAX : 0;
    gral_random random = gral_random_from(symmetry.swaps);
    for (unsigned step = 0; step < DECISIONS; step++) {
        check_same_sight(&here, &there, symmetry);
        const gral_outlook outlook = gral_ground_outlook(&here);
        const gral_action action = gral_number_action(&outlook, draw_number(&outlook, &random));
        const gral_ending end = gral_ground_act(&here, action);
        gral_ground_act(&there, map_action(symmetry, action));
        if (end.over)
            return;
    }
}

static void all_128_symmetries_of_the_start_only_swap_rows(void **unused)
{
    (void)unused;
    for (unsigned index = 0; index < 128; index++) {
        const symmetry symmetry = {index & 1, index >> 1 & 3, index >> 3};
        check_symmetry(symmetry, 2 + index % 3);
    }
}

/* --- memory --- */

static void what_was_heard_is_remembered_alike_R3_1_R10_1(void **unused)
{
    (void)unused;
    for (unsigned index = 0; index < TABLES; index++) {
        const struct scene scene = scene_of(table[index]);
        gral_random random = gral_random_from(index);
        gral_record record = gral_record_begin(&scene.game.settings);
        gral_ground ground;
        gral_ground_begin(&ground, &scene.game.settings, index);
        ground.record = &record;
        gral_ground_restart(&ground);
        static gral_entry heard[STEPS * 4];
        for (unsigned step = 0; step < 500; step++) {
            const unsigned seat = ground.state.open.actor;
            size_t count = 0;
            for (size_t at = 0; at < record.count; at++)
                if (gral_view_hears(seat, record.entry[at].seat, record.entry[at].action))
                    heard[count++] = record.entry[at];
            const gral_memory memory = gral_memory_of(&ground.game, heard, count);
            assert_memory_equal(&memory, &ground.memory, sizeof memory);
            const gral_outlook outlook = gral_ground_outlook(&ground);
            if (gral_ground_play(&ground, draw_number(&outlook, &random)).over)
                break;
        }
        gral_record_free(&record);
    }
}

/* --- games --- */

static void the_same_seed_gives_the_same_games(void **unused)
{
    (void)unused;
    enum { GAMES = 3 };
    const gral_settings settings = gral_settings_for(3);
    gral_ground ground[GAMES], again[GAMES];
    for (unsigned index = 0; index < GAMES; index++) {
        gral_ground_begin(&ground[index], &settings, index);
        gral_ground_begin(&again[index], &settings, index);
    }
    gral_random random = gral_random_from(1);
    for (unsigned step = 0; step < STEPS; step++) {
        uint8_t number[GAMES];
        for (unsigned index = 0; index < GAMES; index++) {
            const gral_outlook outlook = gral_ground_outlook(&ground[index]);
            number[index] = (uint8_t)draw_number(&outlook, &random);
        }
        gral_observation sight[GAMES] = {0}, sight_again[GAMES] = {0};
        gral_numbers legal[GAMES];
        gral_ending ending[GAMES];
        gral_grounds_step(ground, GAMES, number, sight, legal, ending);
        gral_grounds_step(again, GAMES, number, sight_again, legal, ending);
        assert_memory_equal(sight, sight_again, sizeof sight);
        assert_memory_equal(ground[0].state.open.pawn, again[0].state.open.pawn, GRAL_PAWNS);
    }
}

static void a_limit_is_drawn_and_not_seen_R7_5(void **unused)
{
    (void)unused;
    const gral_settings settings = gral_settings_for(2);
    gral_ground ground;
    gral_ground_begin(&ground, &settings, 7);
    ground.limit_least = 30;
    ground.limit_most = 50;
    for (unsigned game = 0; game < 20; game++) {
        gral_ground_restart(&ground);
        assert_in_range(ground.game.settings.limit, 60, 100);
        gral_observation sight = {0}, without = {0};
        const gral_outlook outlook = gral_ground_outlook(&ground);
        gral_observe(&outlook, &sight);
        ground.game.settings.limit = 0;
        gral_observe(&outlook, &without);
        assert_memory_equal(&sight, &without, sizeof sight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_that_may_be_played_is_a_legal_action_and_comes_back),
        cmocka_unit_test(every_legal_action_has_a_number_but_units_out_of_order),
        cmocka_unit_test(figures_are_the_least_some_between_and_all_R4_4),
        cmocka_unit_test(everything_goes_to_one_initiate_with_two_decisions_R3_2),
        cmocka_unit_test(who_acts_without_numbers_places_in_any_order_R3_2),
        cmocka_unit_test(a_view_is_enough_for_an_observation_R10_1),
        cmocka_unit_test(an_observation_does_not_change_with_what_others_hide_R10_2),
        cmocka_unit_test(who_does_not_act_sees_nothing_of_what_others_hide_R3_1_R10_2),
        cmocka_unit_test(the_observations_of_known_games_stay_the_same_byte_for_byte),
        cmocka_unit_test(all_128_symmetries_of_the_start_only_swap_rows),
        cmocka_unit_test(what_was_heard_is_remembered_alike_R3_1_R10_1),
        cmocka_unit_test(the_same_seed_gives_the_same_games),
        cmocka_unit_test(a_limit_is_drawn_and_not_seen_R7_5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
