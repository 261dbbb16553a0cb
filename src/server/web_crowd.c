/* How many connections there are from each source, and how fast they come: an address, and the networks around it that
 * one person may own. A connection costs work before it has said anything, most of all with TLS; so a source may open
 * no more in a second than it may have. */
#include "server/bucket.h"
#include "server/web_inside.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct crowd {
    crowd *next; /* in its bucket */
    source source;
    unsigned count;
    bucket bucket; /* of new connections; full after a second without one */
};

enum { FULL_AFTER_MS = 1000 };

/* Keyed, or somebody with many addresses could choose those that share a bucket. */
static crowd **place_of(web *web, const source *source)
{
    uint8_t hash[crypto_shorthash_BYTES];
    uint32_t bucket;
    _Static_assert(sizeof web->crowd_key == crypto_shorthash_KEYBYTES, "the key of a short hash");
    crypto_shorthash(hash, source->bytes, sizeof source->bytes, web->crowd_key);
    memcpy(&bucket, hash, sizeof bucket);
    crowd **place = &web->crowds[(bucket ^ source->bits) % BUCKETS];
    while (*place != NULL && !source_is(&(*place)->source, source))
        place = &(*place)->next;
    return place;
}

void crowd_open(web *web)
{
    randombytes_buf(web->crowd_key, sizeof web->crowd_key);
}

static bool enter_one(web *web, const source *source, crowd **entered)
{
    crowd **place = place_of(web, source);
    if (*place == NULL && (*place = calloc(1, sizeof **place)) != NULL)
        (*place)->source = *source;
    *entered = *place;
    if (*entered != NULL)
        (*entered)->count++;
    return *entered != NULL;
}

static uint64_t most_of(const web *web, const crowd *crowd)
{
    return (uint64_t)web->settings.connections_per_address * source_weight(&crowd->source);
}

bool crowd_enter(web *web, const char *address, bool limited, crowd *entered[SOURCE_LEVELS])
{
    const origin from = origin_of(address);
    bool welcome = true;
    for (unsigned level = 0; level < from.count && welcome; level++)
        welcome = enter_one(web, &from.source[level], &entered[level]) &&
                  (!limited || entered[level]->count <= most_of(web, entered[level]));
    if (!welcome)
        crowd_leave(entered);
    return welcome;
}

bool crowd_pay(web *web, crowd *entered[SOURCE_LEVELS])
{
    for (unsigned level = 0; level < SOURCE_LEVELS && entered[level] != NULL; level++) {
        const double most = (double)most_of(web, entered[level]);
        if (!bucket_take(&entered[level]->bucket, (bucket_rate){most, most}, 1, uv_now(web->loop)))
            return false;
    }
    return true;
}

void crowd_leave(crowd *entered[SOURCE_LEVELS])
{
    for (unsigned level = 0; level < SOURCE_LEVELS; level++) {
        if (entered[level] != NULL)
            entered[level]->count--;
        entered[level] = NULL;
    }
}

void crowd_sweep(web *web, bool all)
{
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        for (crowd **place = &web->crowds[bucket]; *place != NULL;) {
            crowd *here = *place;
            if (!all && (here->count > 0 || uv_now(web->loop) < here->bucket.at + FULL_AFTER_MS)) {
                place = &here->next;
                continue;
            }
            *place = here->next;
            free(here);
        }
    }
}
