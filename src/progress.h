/* A bar for whoever waits at a terminal. */
#ifndef GRAL_PROGRESS_H
#define GRAL_PROGRESS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char progress_bar[] = "##############################";

static inline void progress_clear(void)
{
    fprintf(stderr, "\r%*s\r", (int)strlen(progress_bar) + 30, "");
}

/* On standard error; it is gone when all is done. */
static inline void progress_show(unsigned done, unsigned all)
{
    const int width = (int)strlen(progress_bar), filled = (int)((uint64_t)done * (unsigned)width / all);
    fprintf(stderr, "\r[%.*s%*s] %u/%u", filled, progress_bar, width - filled, "", done, all);
    if (done == all)
        progress_clear();
}

#endif
