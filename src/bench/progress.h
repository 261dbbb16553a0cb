/* A bar for whoever waits at a terminal. */
#ifndef GRAL_BENCH_PROGRESS_H
#define GRAL_BENCH_PROGRESS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* On standard error; it is gone when all is done. */
static inline void show_progress(unsigned done, unsigned all)
{
    static const char bar[] = "####################";
    const int width = (int)strlen(bar), filled = (int)((uint64_t)done * (unsigned)width / all);
    fprintf(stderr, "\r[%.*s%*s] %u of %u", filled, bar, width - filled, "", done, all);
    if (done == all)
        fprintf(stderr, "\r%*s\r", width + 20, "");
}

#endif
