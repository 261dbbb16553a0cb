/* Inside the making of a tree: what its parts ask of each other. */
#ifndef GRAL_LEARN_SOLVE_PARTS_H
#define GRAL_LEARN_SOLVE_PARTS_H

#include "solve_tree.h"

/* --- solve_placing.c --- */

enum { SOLVE_SHEETS_MAX = 4096 };

typedef struct solve_sheet_list {
    uint16_t sheet[SOLVE_SHEETS_MAX];
    unsigned count;
} solve_sheet_list;

/* The number of a sheet, or of a list of numbers; SOLVE_NO_NUMBER when there is no room for it. */
uint32_t solve_keep_sheet(solve_tree *tree, const gral_sheet *sheet);
uint32_t solve_keep_numbers(solve_kept *kept, const uint16_t *numbers, unsigned count);

/* What the actor can make of his sheets here, in the opening or after he has announced an assignment. */
uint32_t solve_placing_of(solve_tree *tree, const solve_spot *spot);

/* --- solve_said.c --- */

/* Whether the actor can say this with the sheet that he has in the state. */
bool solve_can_say(const solve_tree *tree, const gral_state *state, gral_action action);

/* --- solve_drawn.c --- */

/* Whether the limit comes before anybody can be home with the grail. */
bool solve_must_be_drawn(const solve_tree *tree, const gral_open *open);

#endif
