/* The time, for whoever waits or measures. */
#ifndef GRAL_CLOCK_H
#define GRAL_CLOCK_H

#include <time.h>

/* Milliseconds from some start; never goes back. A gral_clock. */
static inline double clock_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

#endif
