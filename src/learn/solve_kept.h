/* Things of which there are few different ones, kept once each and known by a number: sheets, sets of sheets, ways from
 * one set to another. Numbers count from 0 in the order of first appearance. */
#ifndef GRAL_LEARN_SOLVE_KEPT_H
#define GRAL_LEARN_SOLVE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct solve_kept {
    uint8_t *bytes;
    size_t used, room;
    size_t *start; /* of thing n at 2 n, and its size after it */
    uint32_t count, start_room;
    uint32_t *slot; /* number + 1, or 0 */
    uint32_t slots; /* a power of two */
} solve_kept;

enum { SOLVE_NO_NUMBER = UINT32_MAX };

/* The number of a thing, kept from now on; SOLVE_NO_NUMBER without memory. Keeping something may move all things. */
uint32_t solve_keep(solve_kept *kept, const void *bytes, size_t size);

/* A thing and its size in bytes. */
const void *solve_kept_at(const solve_kept *kept, uint32_t number, size_t *size);
size_t solve_kept_memory(const solve_kept *kept);
void solve_kept_free(solve_kept *kept);

#endif
