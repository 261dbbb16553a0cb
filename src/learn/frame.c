#include "frame.h"

#define ROW(r) r, r, r, r, r
const uint8_t frame_column[32] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
const uint8_t frame_row[32] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4)};

enum { NORTH, EAST, SOUTH, WEST };

/* What is +x, +y, -x, -y to a society, without the mirror and with it. */
#define PLAIN(FRAME)                                                                                                   \
    [GRAL_TEMPLARS] = {FRAME(EAST, NORTH, WEST, SOUTH)}, [GRAL_ASSASSINS] = {FRAME(NORTH, WEST, SOUTH, EAST)},         \
    [GRAL_ILLUMINATES] = {FRAME(WEST, SOUTH, EAST, NORTH)}, [GRAL_ROSICRUCIANS] = {FRAME(SOUTH, EAST, NORTH, WEST)}
#define MIRRORED(FRAME)                                                                                                \
    [GRAL_TEMPLARS] = {FRAME(NORTH, EAST, SOUTH, WEST)}, [GRAL_ASSASSINS] = {FRAME(WEST, NORTH, EAST, SOUTH)},         \
    [GRAL_ILLUMINATES] = {FRAME(SOUTH, WEST, NORTH, EAST)}, [GRAL_ROSICRUCIANS] = {FRAME(EAST, SOUTH, WEST, NORTH)}

#define DIRECTIONS(a, b, c, d) a, b, c, d
const uint8_t frame_direction[2][GRAL_SOCIETIES][GRAL_DIRECTIONS] = {{PLAIN(DIRECTIONS)}, {MIRRORED(DIRECTIONS)}};

/* Bit a of the set becomes bit 0, and so on. */
#define SEEN(set, a, b, c, d) ((set) >> a & 1) | ((set) >> b & 1) << 1 | ((set) >> c & 1) << 2 | ((set) >> d & 1) << 3
#define SEEN_4(set, a, b, c, d)                                                                                        \
    SEEN(set, a, b, c, d), SEEN(set + 1, a, b, c, d), SEEN(set + 2, a, b, c, d), SEEN(set + 3, a, b, c, d)
#define SETS(a, b, c, d) SEEN_4(0, a, b, c, d), SEEN_4(4, a, b, c, d), SEEN_4(8, a, b, c, d), SEEN_4(12, a, b, c, d)
const uint8_t frame_seen_set[2][GRAL_SOCIETIES][1 << GRAL_DIRECTIONS] = {{PLAIN(SETS)}, {MIRRORED(SETS)}};
