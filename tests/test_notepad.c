/* The notepad (R10.3): both bounds are exact. Small sheets are compared with every way there is to
 * fill them; full sheets with cases that can be worked out by hand. */
#include "scene.h"

#include <string.h>

enum { SMALL_UNITS_MAX = 7, RANDOM_SHEETS = 600 };

/* Knowledge about seat 0: on the board a floor, uncovered a loss, and payments. */
struct knowledge {
    gral_game game;
    gral_open open;
};

static struct knowledge knowledge_of(const char *settings)
{
    struct scene scene = scene_of(settings);
    return (struct knowledge){scene.game, scene.state.open};
}

static gral_bounds bounds_on(const struct knowledge *knowledge, unsigned pawn)
{
    gral_bounds row[GRAL_PAWNS];
    gral_deduce(&knowledge->game, &knowledge->open, 0, row);
    return row[pawn];
}

static void expect_bounds(const struct knowledge *knowledge, unsigned pawn, unsigned least, unsigned most)
{
    const gral_bounds bounds = bounds_on(knowledge, pawn);
    assert_int_equal(bounds.least, least);
    assert_int_equal(bounds.most, most);
}

static void nothing_shown_means_anything_is_possible_R10_3(void **unused)
{
    (void)unused;
    const struct knowledge knowledge = knowledge_of("players=2");
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        expect_bounds(&knowledge, pawn, 0, 100);
}

static void what_is_shown_on_one_is_missing_on_the_others_R10_3(void **unused)
{
    (void)unused;
    struct knowledge knowledge = knowledge_of("players=2");
    knowledge.open.known[0][GRAL_T1] = 37;
    expect_bounds(&knowledge, GRAL_T1, 37, 100);
    expect_bounds(&knowledge, GRAL_R2, 0, 63);
}

static void units_are_not_split_so_small_floors_can_waste_points_R10_3(void **unused)
{
    (void)unused;
    struct knowledge knowledge = knowledge_of("players=2");
    for (unsigned pawn = GRAL_T1; pawn < GRAL_R2; pawn++)
        knowledge.open.known[0][pawn] = 1;
    /* Seven initiates with 1 shown: four ones and three twos. */
    expect_bounds(&knowledge, GRAL_R2, 0, 90);
    /* Six others: four ones and two twos. */
    expect_bounds(&knowledge, GRAL_T1, 1, 92);
}

static void losses_use_up_units_for_good_R10_3(void **unused)
{
    (void)unused;
    struct knowledge knowledge = knowledge_of("players=2");
    for (unsigned pawn = GRAL_T1; pawn <= GRAL_A2; pawn++) {
        knowledge.open.pawn[pawn] = GRAL_NOWHERE;
        knowledge.open.known[0][pawn] = 1; /* four losses of 1: all ones are gone */
    }
    knowledge.open.known[0][GRAL_I1] = 1;
    expect_bounds(&knowledge, GRAL_I1, 2, 96);
    expect_bounds(&knowledge, GRAL_I2, 0, 94);
    expect_bounds(&knowledge, GRAL_T1, 0, 0);
}

static void payments_count_among_what_was_placed_R10_3_R6_4(void **unused)
{
    (void)unused;
    struct knowledge knowledge = knowledge_of("players=2");
    knowledge.open.paid[0][GRAL_T1] = 30;
    knowledge.open.known[0][GRAL_T1] = 5;
    expect_bounds(&knowledge, GRAL_T1, 5, 70);
    expect_bounds(&knowledge, GRAL_A1, 0, 65);
}

static void in_play_the_notepad_follows_claims_losses_and_payments_R10_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_open(&scene, "20 A2, 7 A1", "12 A1, 6 T1", "");
    scene_do(&scene, "uncover A2 A1; all pass");
    const gral_view view = gral_view_of(&scene.state, 1);
    gral_notepad notepad;
    gral_notepad_fill(&scene.game, &view, &notepad);
    assert_int_equal(notepad.bounds[0][GRAL_A2].least, 0); /* 10 shown, 10 paid */
    assert_int_equal(notepad.bounds[0][GRAL_A2].most, 83);
    assert_int_equal(notepad.bounds[0][GRAL_T1].most, 83);
    assert_int_equal(notepad.bounds[1][GRAL_T1].least, 6); /* his own */
    assert_int_equal(notepad.bounds[1][GRAL_T1].most, 6);
    assert_int_equal(notepad.bounds[2][GRAL_T1].most, 100);
}

/* --- brute force --- */

struct truth {
    gral_bounds row[GRAL_PAWNS];
    bool possible;
};

/* Every way to put the units, one after the other, on an initiate or nowhere. */
static void try_all(const struct knowledge *knowledge, const uint8_t *unit, unsigned left, unsigned sum[GRAL_PAWNS],
                    struct truth *truth)
{
    if (left > 0) {
        try_all(knowledge, unit + 1, left - 1, sum, truth);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            if (!(knowledge->game.settings.pawns >> pawn & 1))
                continue;
            sum[pawn] += *unit;
            try_all(knowledge, unit + 1, left - 1, sum, truth);
            sum[pawn] -= *unit;
        }
        return;
    }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const unsigned demand = knowledge->open.known[0][pawn] + knowledge->open.paid[0][pawn];
        if (gral_on_board(&knowledge->open, pawn) ? sum[pawn] < demand : sum[pawn] != demand)
            return;
    }
    truth->possible = true;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(&knowledge->open, pawn))
            continue;
        const uint8_t now = (uint8_t)(sum[pawn] - knowledge->open.paid[0][pawn]);
        if (now < truth->row[pawn].least)
            truth->row[pawn].least = now;
        if (now > truth->row[pawn].most)
            truth->row[pawn].most = now;
    }
}

static struct knowledge random_knowledge(gral_random *random, uint8_t unit[SMALL_UNITS_MAX], unsigned *units)
{
    gral_settings settings = gral_settings_for(2);
    memset(settings.units, 0, sizeof settings.units);
    settings.pawns = 0;
    while (settings.pawns == 0)
        settings.pawns = (uint8_t)(gral_random_next(random) & gral_random_next(random) & 0x7f);
    *units = gral_random_below(random, SMALL_UNITS_MAX + 1);
    for (unsigned index = 0; index < *units;) {
        const unsigned kind = gral_random_below(random, GRAL_UNIT_KINDS);
        if (settings.units[kind] == 4)
            continue;
        settings.units[kind]++;
        unit[index++] = gral_unit_value[kind];
    }
    struct knowledge knowledge;
    gral_state state;
    assert_int_equal(gral_game_make(&knowledge.game, &settings), GRAL_SETTINGS_OK);
    gral_start(&knowledge.game, &state);
    knowledge.open = state.open;

    /* A real sheet, of which a part is shown, paid or lost: so something is always possible. */
    unsigned sum[GRAL_PAWNS] = {0};
    for (unsigned index = 0; index < *units; index++) {
        const unsigned pawn = gral_random_below(random, GRAL_PAWNS);
        if (settings.pawns >> pawn & 1)
            sum[pawn] += unit[index];
    }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!(settings.pawns >> pawn & 1))
            continue;
        if (sum[pawn] >= 10 && gral_random_below(random, 3) == 0) {
            knowledge.open.paid[0][pawn] = 10;
            sum[pawn] -= 10;
        }
        if (gral_random_below(random, 3) == 0) {
            knowledge.open.pawn[pawn] = GRAL_NOWHERE;
            knowledge.open.known[0][pawn] = (uint8_t)sum[pawn];
        } else if (gral_random_below(random, 2) == 0) {
            knowledge.open.known[0][pawn] = (uint8_t)gral_random_below(random, sum[pawn] + 1);
        }
    }
    return knowledge;
}

static void both_bounds_agree_with_every_possible_sheet_R10_3(void **unused)
{
    (void)unused;
    gral_random random = gral_random_from(2007);
    for (unsigned round = 0; round < RANDOM_SHEETS; round++) {
        uint8_t unit[SMALL_UNITS_MAX];
        unsigned units;
        const struct knowledge knowledge = random_knowledge(&random, unit, &units);
        unsigned sum[GRAL_PAWNS] = {0};
        struct truth truth = {.possible = false};
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            truth.row[pawn].least = gral_on_board(&knowledge.open, pawn) ? 255 : 0;
        try_all(&knowledge, unit, units, sum, &truth);
        assert_true(truth.possible);
        gral_bounds row[GRAL_PAWNS];
        gral_deduce(&knowledge.game, &knowledge.open, 0, row);
        assert_memory_equal(row, truth.row, sizeof row);
    }
}

static void the_truth_is_always_within_the_bounds_R10_3(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= 12; seed++) {
        const gral_settings settings = gral_settings_for(2 + seed % 11);
        gral_game game;
        gral_state state;
        gral_game_make(&game, &settings);
        gral_start(&game, &state);
        gral_random random = gral_random_from(seed);
        for (unsigned action = 0; action < 3000 && state.open.phase != GRAL_OVER; action++) {
            gral_apply(&game, &state, gral_random_action(&game, &state, &random));
            if (action % 16 != 0)
                continue;
            const gral_view view = gral_view_of(&state, GRAL_SPECTATOR);
            gral_notepad notepad;
            gral_notepad_fill(&game, &view, &notepad);
            for (unsigned seat = 0; seat < settings.players; seat++)
                for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
                    const unsigned influence = state.sheet[seat].influence[pawn];
                    const gral_bounds bounds = notepad.bounds[seat][pawn];
                    assert_in_range(influence, bounds.least, bounds.most);
                }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_shown_means_anything_is_possible_R10_3),
        cmocka_unit_test(what_is_shown_on_one_is_missing_on_the_others_R10_3),
        cmocka_unit_test(units_are_not_split_so_small_floors_can_waste_points_R10_3),
        cmocka_unit_test(losses_use_up_units_for_good_R10_3),
        cmocka_unit_test(payments_count_among_what_was_placed_R10_3_R6_4),
        cmocka_unit_test(in_play_the_notepad_follows_claims_losses_and_payments_R10_3),
        cmocka_unit_test(both_bounds_agree_with_every_possible_sheet_R10_3),
        cmocka_unit_test(the_truth_is_always_within_the_bounds_R10_3),
    };
    return cmocka_run_group_tests_name("notepad", tests, NULL, NULL);
}
