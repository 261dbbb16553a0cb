/* Guessed sheets: they fit what is public, and nothing that fits is left out. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

enum { GUESSES = 20000, SHEETS_MAX = 512 };

static unsigned points_of(const gral_game *game, const gral_sheet *sheet)
{
    unsigned points = 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        points += (unsigned)(game->settings.units[kind] - sheet->units[kind]) * gral_unit_value[kind];
    return points;
}

/* On the board at least what was shown, and all points placed are held, paid or lost. */
static void expect_fit(const gral_game *game, const gral_open *open, unsigned seat, const gral_sheet *sheet)
{
    unsigned used = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        assert_true(sheet->influence[pawn] >= gral_floor(open, seat, pawn));
        used += sheet->influence[pawn] + open->paid[seat][pawn] + gral_lost(open, seat, pawn);
        if (!gral_on_board(open, pawn))
            assert_int_equal(sheet->influence[pawn], 0);
    }
    assert_int_equal(points_of(game, sheet), used);
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        assert_true(sheet->units[kind] <= game->settings.units[kind]);
}

static void a_refilled_state_looks_the_same_to_the_seat_and_fits_what_is_public(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= 24; seed++) {
        const gral_settings settings = gral_settings_for(2 + seed % 11);
        gral_game game;
        gral_state state, other;
        gral_game_make(&game, &settings);
        gral_start(&game, &state);
        gral_random random = gral_random_from(seed);
        for (unsigned action = 0; action < 1500 && state.open.phase != GRAL_OVER; action++) {
            const gral_view view = gral_view_of(&state, state.open.actor);
            assert_true(gral_view_refill(&game, &view, &random, &other));
            const gral_view again = gral_view_of(&other, state.open.actor);
            assert_memory_equal(&again, &view, sizeof view);
            for (unsigned seat = 0; seat < settings.players; seat++)
                expect_fit(&game, &state.open, seat, &other.sheet[seat]);
            gral_apply(&game, &state, gral_random_action(&game, &state, &random));
        }
    }
}

static void who_has_not_begun_his_opening_has_a_full_sheet(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    scene_do(&scene, "place 10 T1; done");
    gral_random random = gral_random_from(1);
    const gral_view view = gral_view_of(&scene.state, 1);
    unsigned different = 0;
    for (unsigned guess = 0; guess < 100; guess++) {
        gral_state other;
        assert_true(gral_view_refill(&scene.game, &view, &random, &other));
        assert_memory_equal(&other.sheet[2], &scene.state.sheet[2], sizeof(gral_sheet));
        different += memcmp(&other.sheet[0], &scene.state.sheet[0], sizeof(gral_sheet)) != 0;
    }
    assert_true(different > 90);
}

static void a_view_of_everything_is_filled_with_what_it_shows(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 board=3x1 pawns=T1,A1 units=2,1 grail=b1 limit=1");
    scene_open(&scene, "2 T1", "1 A1");
    scene_do(&scene, "step T1 b1; pass; leave");
    gral_random random = gral_random_from(1);
    const gral_view view = gral_view_of(&scene.state, 0);
    gral_state other;
    assert_true(gral_view_refill(&scene.game, &view, &random, &other));
    assert_memory_equal(&other, &scene.state, sizeof other);
}

/* --- against brute force --- */

struct sheets {
    gral_sheet sheet[SHEETS_MAX];
    bool seen[SHEETS_MAX];
    unsigned count;
};

static unsigned index_of(const struct sheets *sheets, const gral_sheet *sheet)
{
    unsigned index = 0;
    while (index < sheets->count && memcmp(&sheets->sheet[index], sheet, sizeof *sheet) != 0)
        index++;
    return index;
}

/* Every way to put the units on initiates or nowhere; `gone` is what lies on uncovered ones. */
static void collect(const gral_game *game, const gral_open *open, unsigned kind, unsigned unit, gral_sheet *sheet,
                    uint8_t gone[GRAL_PAWNS], struct sheets *sheets)
{
    if (kind == GRAL_UNIT_KINDS) {
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            if (gral_on_board(open, pawn) ? sheet->influence[pawn] < open->known[0][pawn]
                                          : gone[pawn] != open->known[0][pawn])
                return;
        if (index_of(sheets, sheet) == sheets->count) {
            assert_true(sheets->count < SHEETS_MAX);
            sheets->sheet[sheets->count++] = *sheet;
        }
        return;
    }
    if (unit == game->settings.units[kind]) {
        collect(game, open, kind + 1, 0, sheet, gone, sheets);
        return;
    }
    collect(game, open, kind, unit + 1, sheet, gone, sheets);
    sheet->units[kind]--;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        uint8_t *place = gral_on_board(open, pawn) ? &sheet->influence[pawn] : &gone[pawn];
        if (!(game->settings.pawns >> pawn & 1))
            continue;
        *place += gral_unit_value[kind];
        collect(game, open, kind, unit + 1, sheet, gone, sheets);
        *place -= gral_unit_value[kind];
    }
    sheet->units[kind]++;
}

static void expect_all_to_come_up(const gral_game *game, const gral_open *open)
{
    static struct sheets sheets;
    memset(&sheets, 0, sizeof sheets);
    gral_sheet sheet = {.assigned_to = GRAL_NO_PAWN};
    memcpy(sheet.units, game->settings.units, sizeof sheet.units);
    uint8_t gone[GRAL_PAWNS] = {0};
    collect(game, open, 0, 0, &sheet, gone, &sheets);
    gral_random random = gral_random_from(7);
    unsigned seen = 0;
    for (unsigned guess = 0; guess < GUESSES; guess++) {
        assert_true(gral_guess_sheet(game, open, 0, &random, &sheet));
        const unsigned index = index_of(&sheets, &sheet);
        assert_true(index < sheets.count);
        seen += !sheets.seen[index];
        sheets.seen[index] = true;
    }
    assert_int_equal(seen, sheets.count);
}

static void every_sheet_that_fits_comes_up_and_no_other(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 pawns=T1,T2,A1 units=5,2,2,1,1");
    scene.state.open.phase = GRAL_TURN;
    expect_all_to_come_up(&scene.game, &scene.state.open);
    scene.state.open.known[0][GRAL_T1] = 4;
    expect_all_to_come_up(&scene.game, &scene.state.open);
    scene.state.open.known[0][GRAL_A1] = 2;
    expect_all_to_come_up(&scene.game, &scene.state.open);
    scene.state.open.pawn[GRAL_T1] = GRAL_NOWHERE;
    expect_all_to_come_up(&scene.game, &scene.state.open);
    scene.state.open.known[0][GRAL_T1] = 7;
    scene.state.open.known[0][GRAL_A1] = 3; /* tight: 5 + 2 or 5 + 1 + 1 there, so 2 + 1 or 2 + 2 here */
    expect_all_to_come_up(&scene.game, &scene.state.open);
}

static void what_no_sheet_fits_is_refused(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2 pawns=T1,T2 units=10,10");
    scene.state.open.phase = GRAL_TURN;
    gral_random random = gral_random_from(1);
    gral_sheet sheet = {.assigned_to = 3};
    const gral_sheet before = sheet;
    scene.state.open.known[0][GRAL_T1] = 21;
    assert_false(gral_guess_sheet(&scene.game, &scene.state.open, 0, &random, &sheet));
    scene.state.open.known[0][GRAL_T1] = 5;
    scene.state.open.pawn[GRAL_T1] = GRAL_NOWHERE;
    assert_false(gral_guess_sheet(&scene.game, &scene.state.open, 0, &random, &sheet));
    assert_memory_equal(&sheet, &before, sizeof sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refilled_state_looks_the_same_to_the_seat_and_fits_what_is_public),
        cmocka_unit_test(who_has_not_begun_his_opening_has_a_full_sheet),
        cmocka_unit_test(a_view_of_everything_is_filled_with_what_it_shows),
        cmocka_unit_test(every_sheet_that_fits_comes_up_and_no_other),
        cmocka_unit_test(what_no_sheet_fits_is_refused),
    };
    return cmocka_run_group_tests_name("guess", tests, NULL, NULL);
}
