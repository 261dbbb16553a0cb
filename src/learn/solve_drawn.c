#include "solve_parts.h"

static unsigned apart(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

static unsigned steps_between(unsigned from, unsigned to)
{
    return apart(from % GRAL_COLUMNS, to % GRAL_COLUMNS) + apart(from / GRAL_COLUMNS, to / GRAL_COLUMNS);
}

/* How many steps away from the grail the nearest of the others is. */
static unsigned nearest_other(const gral_open *open, unsigned pawn)
{
    unsigned fewest = UINT8_MAX;
    for (unsigned other = 0; other < GRAL_PAWNS; other++)
        if (other != pawn && gral_on_board(open, other) && steps_between(open->pawn[other], open->grail) < fewest)
            fewest = steps_between(open->pawn[other], open->grail);
    return fewest;
}

/* The fewest turns after which this initiate can be home with the grail, for a turn moves one of them one field. He
 * fetches it himself; or somebody else brings it to a field where he comes for it, or where he stands: then it takes a
 * turn more, to take it up. */
static unsigned turns_needed_by(const gral_game *game, const gral_open *open, unsigned pawn)
{
    const unsigned home = game->home[pawn / 2], from = open->pawn[pawn], grail = open->grail;
    unsigned fewest = steps_between(from, grail) + steps_between(grail, home);
    if (open->bearer == pawn)
        return fewest;
    const unsigned first = open->bearer != GRAL_NO_PAWN ? 0 : nearest_other(open, pawn);
    for (unsigned field = 0; field < GRAL_FIELDS; field++) {
        const unsigned brought = first + steps_between(grail, field) + steps_between(from, field) +
                                 steps_between(field, home) + (from == field);
        if (game->exits[field] != 0 && brought < fewest)
            fewest = brought;
    }
    return fewest;
}

static unsigned turns_needed(const gral_game *game, const gral_open *open)
{
    unsigned fewest = UINT8_MAX;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(open, pawn)) {
            const unsigned turns = turns_needed_by(game, open, pawn);
            fewest = turns < fewest ? turns : fewest;
        }
    return fewest > 0 ? fewest : 1;
}

bool solve_must_be_drawn(const solve_tree *tree, const gral_open *open)
{
    const uint32_t left = tree->game.settings.limit + (open->phase != GRAL_PLACING) - open->turn;
    return turns_needed(&tree->game, open) > left;
}
