/* Sheets that nobody has seen, made up at random so that they fit all that is public.
 *
 * What fits is said in notepad.c. A guess serves all demands in a random way; each unit that is not
 * needed for them goes to an initiate still in play or stays on the sheet. Since people favour some
 * initiates, every guess draws its own liking for each place: some sheets come out even, others heavy
 * on one. */
#include "serve.h"

#include <string.h>

enum { RESERVE = GRAL_PAWNS, PLACES };

typedef struct liking {
    unsigned upto[PLACES]; /* weights summed up */
} liking;

static liking draw_liking(const gral_open *open, gral_random *random)
{
    enum { DOUBLINGS = 6 };
    liking liking;
    unsigned sum = 0;
    for (unsigned place = 0; place < PLACES; place++) {
        if (place == RESERVE || gral_on_board(open, place))
            sum += 1u << gral_random_below(random, DOUBLINGS);
        liking.upto[place] = sum;
    }
    return liking;
}

static unsigned draw_place(const liking *liking, gral_random *random)
{
    const unsigned at = gral_random_below(random, liking->upto[RESERVE]);
    unsigned place = 0;
    while (liking->upto[place] <= at)
        place++;
    return place;
}

/* Takes the served units off the sheet and puts them where they belong. */
static void place_shares(const serving *serving, const gral_open *open, unsigned seat, gral_sheet *sheet)
{
    unsigned sum[GRAL_PAWNS] = {0};
    for (unsigned index = 0; index < serving->demands; index++)
        for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++) {
            const unsigned count = serving->share[index][kind];
            sheet->units[kind] -= (uint8_t)count;
            sum[serving->demand[index].pawn] += count * gral_unit_value[kind];
        }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(open, pawn))
            sheet->influence[pawn] = (uint8_t)(sum[pawn] - open->paid[seat][pawn]);
}

static void place_others(const gral_open *open, gral_random *random, gral_sheet *sheet)
{
    const liking liking = draw_liking(open, random);
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        for (unsigned unit = sheet->units[kind]; unit > 0; unit--) {
            const unsigned place = draw_place(&liking, random);
            if (place == RESERVE)
                continue;
            sheet->units[kind]--;
            sheet->influence[place] += gral_unit_value[kind];
        }
}

bool gral_guess_sheet(const gral_game *game, const gral_open *open, unsigned seat, gral_random *random,
                      gral_sheet *sheet)
{
    gral_sheet guess = {.assigned_to = GRAL_NO_PAWN};
    memcpy(guess.units, game->settings.units, sizeof guess.units);
    if (open->phase == GRAL_OPENING && seat > open->actor) {
        *sheet = guess; /* has not begun */
        return true;
    }

    serving serving;
    serving.random = random;
    serving.demands = 0;
    memset(serving.share, 0, sizeof serving.share);
    memcpy(serving.units, guess.units, sizeof serving.units);
    const unsigned points = gral_units_worth(guess.units);
    unsigned demanded = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        demanded += demand_on(open, seat, pawn).points;
        serve_add(&serving, demand_on(open, seat, pawn));
    }
    if (demanded > points || !serve_all(&serving, points - demanded))
        return false;
    place_shares(&serving, open, seat, &guess);
    place_others(open, random, &guess);
    *sheet = guess;
    return true;
}

bool gral_view_refill(const gral_game *game, const gral_view *view, gral_random *random, gral_state *state)
{
    gral_state filled = {.open = view->open};
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        filled.sheet[seat] = view->sheet[seat];
        if (seat >= view->open.players)
            filled.sheet[seat].assigned_to = GRAL_NO_PAWN; /* as in any state */
        else if (!(view->known >> seat & 1) && !gral_guess_sheet(game, &view->open, seat, random, &filled.sheet[seat]))
            return false;
    }
    *state = filled;
    return true;
}
