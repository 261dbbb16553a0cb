/* How long something took, counted in steps, as Prometheus wants it. */
#ifndef GRAL_SERVER_HISTOGRAM_H
#define GRAL_SERVER_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_STEPS = 11 };

static const double histogram_steps[HISTOGRAM_STEPS] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                        0.1,   0.25,   0.5,   1,    2.5};

typedef struct histogram {
    uint64_t count[HISTOGRAM_STEPS + 1]; /* up to each step and above the one before; above all of them */
    double sum;                          /* seconds */
} histogram;

static inline void histogram_note(histogram *histogram, double seconds)
{
    unsigned step = 0;
    while (step < HISTOGRAM_STEPS && seconds > histogram_steps[step])
        step++;
    histogram->count[step]++;
    histogram->sum += seconds;
}

#endif
