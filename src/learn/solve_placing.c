#include "solve_parts.h"

#include <stdlib.h>
#include <string.h>

uint32_t solve_keep_sheet(solve_tree *tree, const gral_sheet *sheet)
{
    const uint32_t number = solve_keep(&tree->sheets, sheet, sizeof *sheet);
    return number < SOLVE_SHEETS_MAX ? number : SOLVE_NO_NUMBER;
}

uint32_t solve_keep_numbers(solve_kept *kept, const uint16_t *numbers, unsigned count)
{
    return solve_keep(kept, numbers, count * sizeof *numbers);
}

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void list_add(solve_sheet_list *list, uint32_t number, bool *failed)
{
    for (unsigned index = 0; index < list->count; index++)
        if (list->sheet[index] == number)
            return;
    if (number == SOLVE_NO_NUMBER || list->count == SOLVE_SHEETS_MAX)
        *failed = true;
    else
        list->sheet[list->count++] = (uint16_t)number;
}

/* Every sheet that the actor can make of his own by placing units, his own among them. */
static void spread(solve_tree *tree, const gral_state *state, solve_sheet_list *list, bool *failed)
{
    const unsigned before = list->count;
    list_add(list, solve_keep_sheet(tree, &state->sheet[state->open.actor]), failed);
    if (list->count == before || *failed)
        return; /* and everything that can be made of it is there too */
    gral_action legal[GRAL_LEGAL_MAX];
    const unsigned count = gral_legal_list(&tree->game, state, legal);
    for (unsigned index = 0; index < count; index++) {
        if (legal[index].verb != GRAL_PLACE)
            continue;
        gral_state next = *state;
        gral_apply(&tree->game, &next, legal[index]);
        spread(tree, &next, list, failed);
    }
}

/* Whether the actor may end his assignment with this sheet. */
static bool fits(const solve_tree *tree, const gral_state *state, unsigned number)
{
    const gral_sheet *sheet = &state->sheet[state->open.actor];
    if (state->open.phase != GRAL_OPENING)
        return !tree->terms.must_place || gral_units_worth(sheet->units) == 0 ||
               memcmp(sheet, solve_sheet(tree, number), sizeof *sheet) != 0;
    const unsigned left = gral_units_worth(solve_sheet(tree, number)->units);
    switch (tree->terms.opening[state->open.actor]) {
    case SOLVE_OPEN_EMPTY:
        return left == gral_units_worth(tree->game.settings.units);
    case SOLVE_OPEN_FULL:
        return left == 0;
    default:
        return true;
    }
}

/* What can be made of the sheet at one place of a set. */
static void placements(solve_tree *tree, const solve_spot *spot, uint16_t from, solve_sheet_list *made, bool *failed)
{
    gral_state state = spot->state;
    state.sheet[state.open.actor] = *solve_sheet(tree, from);
    solve_sheet_list all;
    all.count = 0;
    spread(tree, &state, &all, failed);
    made->count = 0;
    for (unsigned index = 0; index < all.count; index++)
        if (fits(tree, &state, all.sheet[index]))
            made->sheet[made->count++] = all.sheet[index];
    qsort(made->sheet, made->count, sizeof *made->sheet, by_number);
}

static uint16_t place_in(const solve_sheet_list *list, uint16_t number)
{
    const uint16_t *found = bsearch(&number, list->sheet, list->count, sizeof number, by_number);
    return (uint16_t)(found - list->sheet);
}

/* The set as it is copied, for sets move when others are kept. */
static void copy_set(const solve_tree *tree, uint32_t set, solve_sheet_list *list)
{
    const uint16_t *sheets = solve_set(tree, set, &list->count);
    memcpy(list->sheet, sheets, list->count * sizeof *sheets);
}

typedef struct pair_list {
    solve_placing head;
    uint16_t pair[][2];
} pair_list;

static uint32_t keep_placing(solve_tree *tree, const solve_spot *spot, const uint32_t key[2])
{
    solve_sheet_list from, to, made;
    bool failed = false;
    copy_set(tree, key[0], &from);
    to.count = 0;
    size_t pairs = 0;
    for (unsigned index = 0; index < from.count; index++) {
        placements(tree, spot, from.sheet[index], &made, &failed);
        pairs += made.count;
        for (unsigned sheet = 0; sheet < made.count; sheet++)
            list_add(&to, made.sheet[sheet], &failed);
    }
    qsort(to.sheet, to.count, sizeof *to.sheet, by_number);
    pair_list *list = failed ? NULL : calloc(1, sizeof *list + pairs * sizeof *list->pair);
    if (list == NULL)
        return SOLVE_NO_NUMBER;
    list->head = (solve_placing){.from = key[0],
                                 .onto = key[1],
                                 .to = solve_keep_numbers(&tree->sets, to.sheet, to.count),
                                 .count = (uint32_t)pairs};
    size_t at = 0;
    for (unsigned index = 0; index < from.count; index++) {
        placements(tree, spot, from.sheet[index], &made, &failed);
        for (unsigned sheet = 0; sheet < made.count; sheet++, at++) {
            list->pair[at][0] = (uint16_t)index;
            list->pair[at][1] = place_in(&to, made.sheet[sheet]);
        }
    }
    const uint32_t number = solve_keep(&tree->placings, list, sizeof *list + pairs * sizeof *list->pair);
    free(list);
    return number;
}

uint32_t solve_placing_of(solve_tree *tree, const solve_spot *spot)
{
    const gral_open *open = &spot->state.open;
    uint32_t onto = open->phase == GRAL_OPENING ? 1u << (GRAL_PAWNS + open->actor) : 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        onto |= (uint32_t)gral_on_board(open, pawn) << pawn;
    const uint32_t key[2] = {spot->set[open->actor], onto}, known = tree->placing_keys.count;
    const uint32_t number = solve_keep(&tree->placing_keys, key, sizeof key);
    return number < known ? number : keep_placing(tree, spot, key);
}
