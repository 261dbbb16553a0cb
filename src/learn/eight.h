/* Private to the module: a number of each of the eight initiates, all of them worked on at once.
 *
 * The compiler makes one instruction of each operation on every processor we build for, and in WebAssembly. There is
 * room for a second number of each in the upper half, and where that is used the type is `sixteen`; where it is not,
 * anything may be there. A comparison gives all bits where it is true and none where it is not, so that `&` picks.
 * Bytes cannot be multiplied at once: what is to be multiplied is added up. */
#ifndef GRAL_LEARN_EIGHT_H
#define GRAL_LEARN_EIGHT_H

#include "gral/action.h"

#include <string.h>

typedef int8_t eight __attribute__((vector_size(16)));
typedef eight sixteen;
typedef uint8_t eight_unsigned __attribute__((vector_size(16)));

/* The same bytes, as pairs, fours and halves. */
typedef uint16_t eight_pairs __attribute__((vector_size(16)));
typedef uint32_t eight_fours __attribute__((vector_size(16)));
typedef uint64_t eight_halves __attribute__((vector_size(16)));

static inline uint64_t eight_word(const void *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline eight eight_load(const void *bytes)
{
    return (eight)(eight_halves){eight_word(bytes), 0};
}

static inline void eight_store(eight a, void *bytes)
{
    const uint64_t low = ((eight_halves)a)[0];
    memcpy(bytes, &low, sizeof low);
}

/* In both halves. */
static inline sixteen eight_all(int value)
{
    const uint64_t all = (uint8_t)value * UINT64_C(0x0101010101010101);
    return (eight)(eight_halves){all, all};
}

static inline sixteen eight_beside(eight lower, eight upper)
{
    return (sixteen)__builtin_shufflevector((eight_halves)lower, (eight_halves)upper, 0, 2);
}

static inline sixteen eight_swap(sixteen a)
{
    return (sixteen)__builtin_shufflevector((eight_halves)a, (eight_halves)a, 1, 0);
}

/* Lower and upper half together, in both halves. */
static inline sixteen eight_add_halves(sixteen a)
{
    return a + eight_swap(a);
}

static inline eight eight_pick(eight which, eight then, eight otherwise)
{
    return (then & which) | (otherwise & ~which);
}

static inline eight eight_larger(eight a, eight b)
{
    return eight_pick(a > b, a, b);
}

static inline eight eight_apart(eight a, eight b)
{
    const eight less = a - b, negative = less < 0;
    return (less ^ negative) - negative;
}

static inline eight eight_times(eight a, unsigned times)
{
    eight_unsigned sum = {0}, power = (eight_unsigned)a;
    for (; times > 0; times >>= 1, power += power)
        if (times & 1)
            sum += power;
    return (eight)sum;
}

/* Of each initiate what was the other's of his society. */
static inline eight eight_mates(eight a)
{
    const eight_pairs society = (eight_pairs)a;
    return (eight)(society << 8 | society >> 8);
}

/* Of each initiate what was that of one in another society, which is `apart` (1 to 3) bits away; a constant. */
#define eight_strangers(a, apart)                                                                                      \
    ((eight)__builtin_shufflevector((eight_pairs)(a), (eight_pairs)(a), 0 ^ (apart), 1 ^ (apart), 2 ^ (apart),         \
                                    3 ^ (apart), 4 ^ (apart), 5 ^ (apart), 6 ^ (apart), 7 ^ (apart)))

/* Two columns, number by number in turn. */
static inline eight_pairs eight_mix(eight a, eight b)
{
    return (eight_pairs)__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/* One number of each society, for both of it. */
static inline eight eight_for_both(const uint8_t society[GRAL_SOCIETIES])
{
    uint32_t four;
    memcpy(&four, society, sizeof four);
    const eight once = (eight)(eight_fours){four, 0, 0, 0};
    return (eight)eight_mix(once, once);
}

/* What all of them have together, as a number: eight bytes that are one word, and the sum of their pairs. */
static inline unsigned eight_sum(uint64_t bytes)
{
    const uint64_t every_other = UINT64_C(0x00ff00ff00ff00ff);
    const uint64_t pairs = (bytes & every_other) + (bytes >> 8 & every_other);
    return (unsigned)((pairs * UINT64_C(0x0001000100010001)) >> 48);
}

/* Eight numbers of each initiate, two initiates at a time. */
typedef struct eight_rows {
    eight_halves two[GRAL_PAWNS / 2];
} eight_rows;

/* Columns become rows: each is mixed with the next, then pairs with pairs, then fours with fours. */
static inline eight_rows eight_turned(const eight column[8])
{
    const eight_pairs a = eight_mix(column[0], column[1]), b = eight_mix(column[2], column[3]);
    const eight_pairs c = eight_mix(column[4], column[5]), d = eight_mix(column[6], column[7]);
    const eight_fours ab = (eight_fours)__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    const eight_fours cd = (eight_fours)__builtin_shufflevector(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
    const eight_fours ab_high = (eight_fours)__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    const eight_fours cd_high = (eight_fours)__builtin_shufflevector(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
    return (eight_rows){{
        (eight_halves)__builtin_shufflevector(ab, cd, 0, 4, 1, 5),
        (eight_halves)__builtin_shufflevector(ab, cd, 2, 6, 3, 7),
        (eight_halves)__builtin_shufflevector(ab_high, cd_high, 0, 4, 1, 5),
        (eight_halves)__builtin_shufflevector(ab_high, cd_high, 2, 6, 3, 7),
    }};
}

/* Sixteen columns become the beginning of eight rows of this length, each with one store. */
static inline void eight_turn(const eight column[16], int8_t *row, size_t length)
{
    const eight_rows left = eight_turned(column), right = eight_turned(column + 8);
    for (unsigned index = 0; index < GRAL_PAWNS / 2; index++) {
        const eight_halves even = __builtin_shufflevector(left.two[index], right.two[index], 0, 2);
        const eight_halves odd = __builtin_shufflevector(left.two[index], right.two[index], 1, 3);
        memcpy(row + 2 * index * length, &even, sizeof even);
        memcpy(row + (2 * index + 1) * length, &odd, sizeof odd);
    }
}

#endif
