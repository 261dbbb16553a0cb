#include "perception.h"

enum { ALL = 100 };

/* --- memory --- */

static int part(int count, int hundredths)
{
    return count * hundredths / ALL;
}

static void forget(const perception *perception, unsigned seat, gral_open *open, gral_memory *memory)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        for (unsigned habit = 0; habit < GRAL_HABITS; habit++)
            memory->habit[seat][habit][pawn] = (int8_t)part(memory->habit[seat][habit][pawn], perception->habits);
        if (gral_on_board(open, pawn))
            open->known[seat][pawn] = (uint8_t)part(open->known[seat][pawn], perception->shown);
    }
    memory->announced[seat] = (int8_t)part(memory->announced[seat], perception->news);
    memory->announced_turn[seat] = perception->news > 0 ? memory->announced_turn[seat] : 0;
}

/* --- suspicion --- */

static int8_t yes(bool it_is)
{
    return it_is ? ALL : 0;
}

static int8_t within(int figure)
{
    return (int8_t)(figure < -INT8_MAX ? -INT8_MAX : figure > INT8_MAX ? INT8_MAX : figure);
}

static void suspect(gral_observation *seen, unsigned other, int hidden)
{
    int8_t *row = seen->other[other];
    row[GRAL_SEES_UNKNOWN] = (int8_t)hidden;
    row[GRAL_SEES_UNKNOWN + 1] = yes(hidden >= 30);
    row[GRAL_SEES_UNKNOWN + 2] = yes(hidden >= 60);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        int8_t *pair = seen->pair[other][pawn];
        if (seen->pawn[pawn][GRAL_SEES_ON_BOARD] == 0)
            continue;
        pair[GRAL_SEES_MOST] = within(pair[GRAL_SEES_FLOOR] + hidden);
        pair[GRAL_SEES_AHEAD_MOST] = within(seen->pawn[pawn][GRAL_SEES_MINE] - pair[GRAL_SEES_FLOOR] - hidden);
    }
}

static void compare_with_most(gral_observation *seen, unsigned pawn)
{
    int8_t *row = seen->pawn[pawn];
    int most = 0;
    if (row[GRAL_SEES_ON_BOARD] == 0)
        return;
    for (unsigned other = 0; other < seen->others; other++)
        most = seen->pair[other][pawn][GRAL_SEES_MOST] > most ? seen->pair[other][pawn][GRAL_SEES_MOST] : most;
    row[GRAL_SEES_LEAD + 1] = within(row[GRAL_SEES_MINE] - most);
    row[GRAL_SEES_LEAD + 2] = yes(row[GRAL_SEES_MINE] >= most);
    row[GRAL_SEES_LEAD + 3] = yes(row[GRAL_SEES_MINE] > most);
}

static void suspect_all(const perception *perception, gral_observation *seen)
{
    int most = 0, sum = 0;
    for (unsigned other = 0; other < seen->others; other++) {
        const int hidden = seen->other[other][GRAL_SEES_UNKNOWN] * perception->suspects / ALL;
        suspect(seen, other, hidden);
        most = hidden > most ? hidden : most;
        sum += hidden;
    }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        compare_with_most(seen, pawn);
    seen->table[GRAL_SEES_ALL_UNKNOWN] = (int8_t)most;
    seen->table[GRAL_SEES_ALL_UNKNOWN + 1] = (int8_t)(sum / seen->others);
}

/* --- sight --- */

/* A row of distances, the last for everything that is farther: what is beyond sight is there too. True: it was. */
static bool lose_sight(int8_t *distance, unsigned farther, unsigned sight)
{
    for (unsigned steps = sight + 1; steps < farther; steps++)
        if (distance[steps] != 0) {
            distance[steps] = 0;
            distance[farther] = ALL;
            return true;
        }
    return false;
}

static void overlook(const perception *perception, gral_observation *seen)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        int8_t *row = seen->pawn[pawn];
        lose_sight(row + GRAL_SEES_GRAIL_HOME, GRAL_SEES_WAY - GRAL_SEES_GRAIL_HOME - 1, perception->sight);
        if (lose_sight(row + GRAL_SEES_GRAIL_AWAY, GRAL_SEES_GRAIL_HOME - GRAL_SEES_GRAIL_AWAY - 1, perception->sight))
            row[GRAL_SEES_GRAIL_AT] = row[GRAL_SEES_GRAIL_AT + 1] = 0;
    }
}

void perception_observe(const perception *perception, const gral_outlook *outlook, gral_observation *seen)
{
    gral_open open = *outlook->open;
    gral_memory memory = *outlook->memory;
    gral_outlook blurred = *outlook;
    blurred.open = &open;
    blurred.memory = &memory;
    for (unsigned seat = 0; seat < open.players; seat++)
        if (seat != outlook->seat)
            forget(perception, seat, &open, &memory);
    gral_observe(&blurred, seen);
    if (perception->suspects < ALL)
        suspect_all(perception, seen);
    overlook(perception, seen);
}
