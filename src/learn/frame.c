#include "frame.h"

#define ROW(r) r, r, r, r, r
const uint8_t frame_column[32] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
const uint8_t frame_row[32] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4)};

enum { NORTH, EAST, SOUTH, WEST };

const uint8_t frame_direction[2][GRAL_SOCIETIES][GRAL_DIRECTIONS] = {
    {
        [GRAL_TEMPLARS] = {EAST, NORTH, WEST, SOUTH},
        [GRAL_ASSASSINS] = {NORTH, WEST, SOUTH, EAST},
        [GRAL_ILLUMINATES] = {WEST, SOUTH, EAST, NORTH},
        [GRAL_ROSICRUCIANS] = {SOUTH, EAST, NORTH, WEST},
    },
    {
        [GRAL_TEMPLARS] = {NORTH, EAST, SOUTH, WEST},
        [GRAL_ASSASSINS] = {WEST, NORTH, EAST, SOUTH},
        [GRAL_ILLUMINATES] = {SOUTH, WEST, NORTH, EAST},
        [GRAL_ROSICRUCIANS] = {EAST, SOUTH, WEST, NORTH},
    },
};
