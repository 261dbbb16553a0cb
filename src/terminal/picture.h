/* A position as plain text, for people: the board, the sheets that may be seen, the notepad. */
#ifndef GRAL_TERMINAL_PICTURE_H
#define GRAL_TERMINAL_PICTURE_H

#include "gral/record.h"
#include "gral/view.h"

#include <stdio.h>

void picture_board(FILE *out, const gral_game *game, const gral_open *open);
void picture_notepad(FILE *out, const gral_game *game, const gral_view *view);

/* The units that are left on each sheet the view knows. */
void picture_units(FILE *out, const gral_view *view);

/* R10.4: who placed which unit where in which turn. */
void picture_placements(FILE *out, const gral_view *view, const gral_placement *list, size_t count);

#endif
