/* What a seat may know (R10.1, R10.2), and what can be deduced from it (R10.3).
 *
 * gral_view_of is the only place that decides about secrets. It starts from nothing and adds what
 * is public and what is the seat's own; snapshots, logs, replays, hints and computer players all
 * get their knowledge from here. */
#ifndef GRAL_VIEW_H
#define GRAL_VIEW_H

#include "gral/notation.h"
#include "gral/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In place of a seat: somebody who only watches. */
enum { GRAL_SPECTATOR = 254 };

/* The state as one seat may know it, or somebody who only watches. */
typedef struct gral_view {
    gral_open open;                     /* what all know */
    gral_sheet sheet[GRAL_PLAYERS_MAX]; /* all zero where it is not known */
    uint16_t known;                     /* bit k: seat k's sheet is in the view */
    uint8_t seat;                       /* whose view it is, or GRAL_SPECTATOR */
    uint8_t nothing;                    /* instead of padding, so that equal views are equal bytes */
} gral_view;

/* The only way from a state to what may be known of it (R10). */
gral_view gral_view_of(const gral_state *state, unsigned seat);

/* Whether the viewer may hear that a seat did this; of an assignment the others hear only that it
 * was announced and ended (R3.1). */
bool gral_view_hears(unsigned viewer, unsigned seat, gral_action action);

/* The lines of the referee's `view`. */
void gral_view_print(gral_text *text, const gral_game *game, const gral_view *view);

/* The least and the most influence that a player can have on an initiate. */
typedef struct gral_bounds {
    uint8_t least, most; /* points */
} gral_bounds;

/* What everybody can deduce about one player: exact, both bounds are taken by some sheet that fits
 * all that is public. */
void gral_deduce(const gral_game *game, const gral_open *open, unsigned seat, gral_bounds row[GRAL_PAWNS]);

/* The rulebook's notepad for a view: deduced, or known where the view has the sheet. */
typedef struct gral_notepad {
    gral_bounds bounds[GRAL_PLAYERS_MAX][GRAL_PAWNS]; /* of each player on each initiate */
} gral_notepad;

/* Everybody's bounds, as this viewer can know them (R10.3). */
void gral_notepad_fill(const gral_game *game, const gral_view *view, gral_notepad *notepad);

/* A sheet of this seat, made up at random, that fits all that is public; every sheet that fits may
 * come up. False, and nothing changed, if none does, which no game leads to. Takes about a microsecond. */
bool gral_guess_sheet(const gral_game *game, const gral_open *open, unsigned seat, gral_random *random,
                      gral_sheet *sheet);

/* A whole state that has this view: the sheets in the view as they are, the others guessed. False, and
 * nothing changed, if a seat has no sheet that fits. */
bool gral_view_refill(const gral_game *game, const gral_view *view, gral_random *random, gral_state *state);

#ifdef __cplusplus
}
#endif

#endif
