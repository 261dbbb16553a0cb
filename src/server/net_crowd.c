/* How many connections there are from each source: an address, and the networks around it that one person may own. */
#include "net_inside.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct crowd {
    crowd *next; /* in its bucket */
    source source;
    unsigned count;
};

/* Keyed, or somebody with many addresses could choose those that share a bucket. */
static crowd **place_of(net *net, const source *source)
{
    uint8_t hash[crypto_shorthash_BYTES];
    uint32_t bucket;
    _Static_assert(sizeof net->crowd_key == crypto_shorthash_KEYBYTES, "the key of a short hash");
    crypto_shorthash(hash, source->bytes, sizeof source->bytes, net->crowd_key);
    memcpy(&bucket, hash, sizeof bucket);
    crowd **place = &net->crowds[(bucket ^ source->bits) % BUCKETS];
    while (*place != NULL && !source_is(&(*place)->source, source))
        place = &(*place)->next;
    return place;
}

void crowd_open(net *net)
{
    randombytes_buf(net->crowd_key, sizeof net->crowd_key);
}

static bool enter_one(net *net, const source *source, crowd **entered)
{
    crowd **place = place_of(net, source);
    if (*place == NULL && (*place = calloc(1, sizeof **place)) != NULL)
        (*place)->source = *source;
    *entered = *place;
    if (*entered != NULL)
        (*entered)->count++;
    return *entered != NULL;
}

static bool is_full(const net *net, const crowd *crowd)
{
    return crowd->count > (uint64_t)net->settings.connections_per_address * source_share(&crowd->source);
}

bool crowd_enter(net *net, const char *address, bool limited, crowd *entered[SOURCE_LEVELS])
{
    source sources[SOURCE_LEVELS];
    const unsigned levels = source_list(address, sources);
    bool welcome = true;
    for (unsigned level = 0; level < levels && welcome; level++)
        welcome = enter_one(net, &sources[level], &entered[level]) && !(limited && is_full(net, entered[level]));
    if (!welcome)
        crowd_leave(net, entered);
    return welcome;
}

void crowd_leave(net *net, crowd *entered[SOURCE_LEVELS])
{
    for (unsigned level = 0; level < SOURCE_LEVELS; level++) {
        crowd *left = entered[level];
        entered[level] = NULL;
        if (left == NULL || --left->count > 0)
            continue;
        *place_of(net, &left->source) = left->next;
        free(left);
    }
}
