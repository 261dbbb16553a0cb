/* Fingerprints for tables and for comparing games. Murmur-like mixing, eight bytes at a time; a state
 * has no padding, so its bytes are all there is. */
#include "gral/state.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ (hash >> 32);
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = mix(hash, word);
    }
    uint64_t rest = size;
    memcpy((unsigned char *)&rest + 1, at, size < 7 ? size : 7);
    return mix(hash, rest);
}

uint64_t gral_hash_open(const gral_state *state)
{
    return hash_bytes(UINT64_C(0x9e3779b97f4a7c15), &state->open, sizeof state->open);
}

uint64_t gral_hash(const gral_state *state)
{
    return hash_bytes(gral_hash_open(state), state->sheet, state->open.players * sizeof *state->sheet);
}
