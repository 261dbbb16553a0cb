/* The line between what is public and what is secret. gral_open holds nothing but R10.1, so a view
 * is that, and one sheet; at the end all sheets are shown (R7.3, R10.4). */
#include "gral/view.h"

#include <assert.h>

static_assert(sizeof(gral_view) == sizeof(gral_open) + GRAL_PLAYERS_MAX * sizeof(gral_sheet) + 4,
              "a view has no padding, which would be bytes from anywhere");

gral_view gral_view_of(const gral_state *state, unsigned seat)
{
    gral_view view = {.open = state->open, .seat = (uint8_t)seat};
    for (unsigned other = 0; other < state->open.players; other++)
        if (other == seat || state->open.phase == GRAL_OVER) {
            view.sheet[other] = state->sheet[other];
            view.known |= (uint16_t)(1u << other);
        }
    return view;
}

bool gral_view_hears(unsigned viewer, unsigned seat, gral_action action)
{
    return action.verb != GRAL_PLACE || viewer == seat;
}

void gral_view_print(gral_text *text, const gral_game *game, const gral_view *view)
{
    gral_state_print(text, game, &view->open, view->sheet, view->known);
}
