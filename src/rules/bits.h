/* Sets of small numbers as bits. Written out because the oldest processors we run on, and
 * WebAssembly without a library, have no instruction for counting them all at once. */
#ifndef GRAL_RULES_BITS_H
#define GRAL_RULES_BITS_H

#include <stdint.h>

static inline unsigned bits_lowest(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

/* Every byte becomes the number of bits in it. */
static inline uint64_t bits_in_bytes(uint64_t set)
{
    set -= (set >> 1) & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + ((set >> 2) & UINT64_C(0x3333333333333333));
    return (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

static inline unsigned bits_count(uint64_t set)
{
    return (unsigned)((bits_in_bytes(set) * UINT64_C(0x0101010101010101)) >> 56);
}

/* The place of the bit with `index` lower ones before it; the set must have it. */
static inline unsigned bits_select(uint64_t set, unsigned index)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t high = UINT64_C(0x8080808080808080);
    /* Byte i of `up_to` counts the bits up to and including byte i; 64 fits, so no carry. */
    const uint64_t up_to = bits_in_bytes(set) * ones;
    const uint64_t whole = (((index * ones) | high) - up_to) & high; /* bytes with up_to <= index */
    const unsigned byte = (unsigned)(((whole >> 7) * ones) >> 56);
    unsigned rest = index - (unsigned)((up_to << 8) >> (8 * byte) & 0xff);
    set >>= 8 * byte;
    while (rest-- > 0)
        set &= set - 1;
    return 8 * byte + bits_lowest(set);
}

#endif
