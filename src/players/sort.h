/* Sorting that leaves equals in their order. What qsort does with them differs between C libraries, and then the same
 * seed gives one game in the terminal and another in the browser. For short lists: it inserts. */
#ifndef GRAL_PLAYERS_SORT_H
#define GRAL_PLAYERS_SORT_H

#include <assert.h>
#include <string.h>

/* As qsort; an element has at most 64 bytes. */
static inline void sort_stably(void *list, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *first = (char *)list, moved[64];
    assert(size <= sizeof moved);
    for (size_t next = 1; next < count; next++) {
        size_t at = next;
        while (at > 0 && compare(first + next * size, first + (at - 1) * size) < 0)
            at--;
        memcpy(moved, first + next * size, size);
        memmove(first + (at + 1) * size, first + at * size, (next - at) * size);
        memcpy(first + at * size, moved, size);
    }
}

#endif
