#include "solve_kept.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024, ALIGNMENT = 8 };

static uint32_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ size;
    for (size_t at = 0; at < size; at++)
        hash = (hash ^ bytes[at]) * UINT64_C(0x100000001b3);
    return (uint32_t)(hash ^ hash >> 32);
}

/* Where the thing is, or the free slot where it would be. */
static uint32_t slot_of(const solve_kept *kept, const uint8_t *bytes, size_t size)
{
    uint32_t at = hash_of(bytes, size) & (kept->slots - 1);
    while (kept->slot[at] != 0) {
        size_t other_size;
        const void *other = solve_kept_at(kept, kept->slot[at] - 1, &other_size);
        if (other_size == size && memcmp(other, bytes, size) == 0)
            break;
        at = (at + 1) & (kept->slots - 1);
    }
    return at;
}

static bool have_slots(solve_kept *kept)
{
    if (2 * kept->count < kept->slots)
        return true;
    const uint32_t slots = kept->slots == 0 ? FIRST_ROOM : 2 * kept->slots;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL)
        return false;
    free(kept->slot);
    kept->slot = slot;
    kept->slots = slots;
    for (uint32_t number = 0; number < kept->count; number++) {
        size_t size;
        const void *bytes = solve_kept_at(kept, number, &size);
        kept->slot[slot_of(kept, bytes, size)] = number + 1;
    }
    return true;
}

static bool have_room(solve_kept *kept, size_t size)
{
    if (kept->count + 2 > kept->start_room) {
        const uint32_t room = 2 * kept->start_room + FIRST_ROOM;
        size_t *start = realloc(kept->start, 2 * room * sizeof *start);
        if (start == NULL)
            return false;
        kept->start = start;
        kept->start_room = room;
    }
    if (kept->used + size + ALIGNMENT > kept->room) {
        const size_t room = 2 * (kept->room + size) + FIRST_ROOM;
        uint8_t *bytes = realloc(kept->bytes, room);
        if (bytes == NULL)
            return false;
        kept->bytes = bytes;
        kept->room = room;
    }
    return true;
}

/* Two numbers a thing: where it starts and how long it is, for they are aligned. */
const void *solve_kept_at(const solve_kept *kept, uint32_t number, size_t *size)
{
    *size = kept->start[2 * (size_t)number + 1];
    return kept->bytes + kept->start[2 * (size_t)number];
}

uint32_t solve_keep(solve_kept *kept, const void *bytes, size_t size)
{
    if (!have_slots(kept))
        return SOLVE_NO_NUMBER;
    const uint32_t slot = slot_of(kept, bytes, size);
    if (kept->slot[slot] != 0)
        return kept->slot[slot] - 1;
    if (!have_room(kept, size))
        return SOLVE_NO_NUMBER;
    kept->start[2 * (size_t)kept->count] = kept->used;
    kept->start[2 * (size_t)kept->count + 1] = size;
    memcpy(kept->bytes + kept->used, bytes, size);
    kept->used += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    kept->slot[slot] = ++kept->count;
    return kept->count - 1;
}

size_t solve_kept_memory(const solve_kept *kept)
{
    return kept->room + 2 * kept->start_room * sizeof *kept->start + kept->slots * sizeof *kept->slot;
}

void solve_kept_free(solve_kept *kept)
{
    free(kept->bytes);
    free(kept->start);
    free(kept->slot);
    *kept = (solve_kept){0};
}
