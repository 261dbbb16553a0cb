/* What everybody can work out about a sheet he has not seen (R10.3).
 *
 * A player has put units on initiates: on an uncovered one exactly as many points as he lost there
 * and paid from there, on one still in play at least as many as he has shown and paid. Since the
 * opening lets him place anything anywhere (R2.2), the time at which something was shown adds
 * nothing: a distribution of the units over the initiates is possible if and only if it meets these
 * demands. So for one initiate
 *
 *   the most   is what is left of the sheet when all others are served with as little as possible;
 *   the least  is the smallest sum not below his own demand that still lets all others be served.
 *
 * serve.c finds out what can be served. */
#include "serve.h"

#include <assert.h>
#include <string.h>

void gral_deduce(const gral_game *game, const gral_open *open, unsigned seat, gral_bounds row[GRAL_PAWNS])
{
    const uint8_t *units = game->settings.units;
    const unsigned sheet = gral_units_worth(units);
    unsigned demanded = 0;
    demand public[GRAL_PAWNS];
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        public[pawn] = demand_on(open, seat, pawn);
        demanded += public[pawn].points;
    }

    serving serving;
    serving.random = NULL;
    memcpy(serving.units, units, sizeof serving.units);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        row[pawn] = (gral_bounds){0, 0};
        if (!gral_on_board(open, pawn))
            continue;
        const unsigned own = public[pawn].points, paid = open->paid[seat][pawn];

        serving.demands = 0;
        for (unsigned other = 0; other < GRAL_PAWNS; other++)
            if (other != pawn)
                serve_add(&serving, public[other]);
        unsigned waste = 0;
        while (!serve_all(&serving, waste)) {
            assert(waste < sheet);
            waste++;
        }
        row[pawn].most = (uint8_t)(sheet - (demanded - own) - waste - paid);

        const unsigned others = serving.demands;
        demand asked[GRAL_PAWNS];
        memcpy(asked, serving.demand, sizeof asked);
        for (unsigned least = own;; least++) {
            assert(least <= row[pawn].most + paid);
            memcpy(serving.demand, asked, sizeof asked);
            serving.demands = others;
            serve_add(&serving, (demand){.points = (uint8_t)least, .exact = true});
            if (serve_all(&serving, sheet - demanded - (least - own))) {
                row[pawn].least = (uint8_t)(least - paid);
                break;
            }
        }
    }
}

void gral_notepad_fill(const gral_game *game, const gral_view *view, gral_notepad *notepad)
{
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        if (view->known >> seat & 1) {
            for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
                const uint8_t influence = view->sheet[seat].influence[pawn];
                notepad->bounds[seat][pawn] = (gral_bounds){influence, influence};
            }
        } else {
            gral_deduce(game, &view->open, seat, notepad->bounds[seat]);
        }
    }
}
