/* Private to the module: the board as an initiate sees it from its own headquarters, which is at x = 0, y = 0.
 *
 * A quarter turn that brings a1 to e1 brings T's x to A's x: so x runs along the columns for two societies and along
 * the rows for the other two, and the mirror swaps them. */
#ifndef GRAL_LEARN_FRAME_H
#define GRAL_LEARN_FRAME_H

#include "gral/game.h"

extern const uint8_t frame_column[32], frame_row[32]; /* of a field; 0 for GRAL_NOWHERE */

static inline unsigned apart(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

static inline unsigned steps_between(unsigned from, unsigned to)
{
    return apart(frame_column[from], frame_column[to]) + apart(frame_row[from], frame_row[to]);
}

static inline unsigned kind_of_unit(unsigned value)
{
    unsigned kind = 0;
    while (gral_unit_value[kind] != value)
        kind++;
    return kind;
}

/* The direction of the rules (north, east, south, west) that is +x, +y, -x, -y for a society; by `mirrored`. */
extern const uint8_t frame_direction[2][GRAL_SOCIETIES][GRAL_DIRECTIONS];

static inline unsigned frame_real(unsigned society, bool mirrored, unsigned seen)
{
    return frame_direction[mirrored][society][seen];
}

/* Directions of the rules as bits become those that a society sees: 0 to 3 for +x, +y, -x, -y. */
extern const uint8_t frame_seen_set[2][GRAL_SOCIETIES][1 << GRAL_DIRECTIONS];

static inline unsigned frame_seen_steps(unsigned society, bool mirrored, unsigned real)
{
    return frame_seen_set[mirrored][society][real];
}

#endif
