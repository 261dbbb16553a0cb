#include "distance.h"

#define APART(a, b)  ((a) > (b) ? (a) - (b) : (b) - (a))
#define STEPS(a, b)  (APART((a) % GRAL_COLUMNS, (b) % GRAL_COLUMNS) + APART((a) / GRAL_COLUMNS, (b) / GRAL_COLUMNS))
#define TO_ROW(a, b) STEPS(a, b), STEPS(a, b + 1), STEPS(a, b + 2), STEPS(a, b + 3), STEPS(a, b + 4)
#define FROM(a)      TO_ROW(a, 0), TO_ROW(a, 5), TO_ROW(a, 10), TO_ROW(a, 15), TO_ROW(a, 20)
#define FROM_ROW(a)                                                                                                    \
    [a] = {FROM(a)}, [a + 1] = {FROM(a + 1)}, [a + 2] = {FROM(a + 2)}, [a + 3] = {FROM(a + 3)}, [a + 4] = {FROM(a + 4)}

const uint8_t distance_table[GRAL_FIELDS][GRAL_FIELDS] = {FROM_ROW(0), FROM_ROW(5), FROM_ROW(10), FROM_ROW(15),
                                                          FROM_ROW(20)};

unsigned distance_goal(const gral_game *game, unsigned seat, unsigned pawn)
{
    if (game->settings.rules != GRAL_ORIGINAL)
        return game->home[pawn / 2];
    unsigned society = 0;
    while (game->settings.owner[society] != seat)
        society++;
    return game->home[society];
}

unsigned distance_to_go(const gral_game *game, const gral_open *open, unsigned seat, unsigned pawn, unsigned field)
{
    const unsigned goal = distance_goal(game, seat, pawn);
    return open->bearer == pawn ? distance(field, goal) : distance(field, open->grail) + distance(open->grail, goal);
}

unsigned distance_nearest(const gral_open *open, unsigned pawns, unsigned but)
{
    unsigned nearest = GRAL_NO_PAWN, fewest = UINT8_MAX;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (pawns >> pawn & 1 && pawn != but && gral_on_board(open, pawn) &&
            distance(open->pawn[pawn], open->grail) < fewest) {
            nearest = pawn;
            fewest = distance(open->pawn[pawn], open->grail);
        }
    return nearest;
}
