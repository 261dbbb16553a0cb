/* Seeded chance. A generator is a value that the caller owns and passes in, so that everything
 * random is repeatable from one number; nothing in the library has a seed of its own. */
#ifndef GRAL_RANDOM_H
#define GRAL_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A source of chance that is the same for the same seed, everywhere. Not for secrets. */
typedef struct gral_random {
    uint64_t state; /* what comes next depends on it alone */
} gral_random;

/* Begins at a seed. */
inline gral_random gral_random_from(uint64_t seed)
{
    const gral_random random = {seed};
    return random;
}

/* SplitMix64 (Steele, Lea, Flood 2014): one addition from step to step, so successive numbers
 * overlap in the processor. */
inline uint64_t gral_random_next(gral_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number below `bound`. Multiplying and shifting favours some numbers by at most bound / 2^32. */
inline uint32_t gral_random_below(gral_random *random, uint32_t bound)
{
    return (uint32_t)(((gral_random_next(random) >> 32) * bound) >> 32);
}

#ifdef __cplusplus
}
#endif

#endif
