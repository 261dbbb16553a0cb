#include "server/allowance.h"

#include "server/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <utlist.h>

enum { BUCKETS_MAX = 65536 };

typedef struct bucket_of {
    uint64_t who; /* a hash of it, with a key that nobody knows: names and addresses are not kept */
    bucket bucket;
    struct bucket_of *prev, *next; /* the one used longest ago first */
    UT_hash_handle hh;
} bucket_of;

struct allowance {
    bucket_rate rate;
    uint8_t key[crypto_shorthash_KEYBYTES];
    bucket_of *all, *by_use;
};

allowance *allowance_open(bucket_rate rate)
{
    allowance *allowance = memory_get(sizeof *allowance);
    allowance->rate = rate;
    randombytes_buf(allowance->key, sizeof allowance->key);
    return allowance;
}

void allowance_set_rate(allowance *allowance, bucket_rate rate)
{
    allowance->rate = rate;
}

static void forget(allowance *allowance, bucket_of *one)
{
    DL_DELETE(allowance->by_use, one);
    HASH_DEL(allowance->all, one);
    free(one);
}

void allowance_close(allowance *allowance)
{
    while (allowance->by_use != NULL)
        forget(allowance, allowance->by_use);
    free(allowance);
}

static bool is_full(const allowance *allowance, const bucket_of *one, uint64_t now)
{
    return bucket_left(&one->bucket, allowance->rate, now) >= allowance->rate.most;
}

static bucket_of *find(const allowance *allowance, gral_span who, uint64_t *hash)
{
    bucket_of *found;
    uint8_t bytes[crypto_shorthash_BYTES];
    crypto_shorthash(bytes, (const uint8_t *)who.bytes, who.length, allowance->key);
    memcpy(hash, bytes, sizeof *hash);
    HASH_FIND(hh, allowance->all, hash, sizeof *hash, found);
    return found;
}

/* Makes room for one more: whoever was longest away is most likely to have all of his back. */
static void make_room(allowance *allowance, uint64_t now)
{
    while (allowance->by_use != NULL &&
           (HASH_COUNT(allowance->all) >= BUCKETS_MAX || is_full(allowance, allowance->by_use, now)))
        forget(allowance, allowance->by_use);
}

static bucket_of *find_or_make(allowance *allowance, gral_span who, uint64_t now)
{
    uint64_t hash;
    bucket_of *one = find(allowance, who, &hash);
    if (one != NULL) {
        DL_DELETE(allowance->by_use, one);
    } else {
        make_room(allowance, now);
        one = memory_get(sizeof *one);
        one->who = hash;
        HASH_ADD(hh, allowance->all, who, sizeof one->who, one);
    }
    DL_APPEND(allowance->by_use, one);
    return one;
}

bool allowance_take(allowance *allowance, gral_span who, double tokens, uint64_t now)
{
    if (allowance_left(allowance, who, now) < tokens)
        return false;
    allowance_charge(allowance, who, tokens, now);
    return true;
}

void allowance_charge(allowance *allowance, gral_span who, double tokens, uint64_t now)
{
    bucket_charge(&find_or_make(allowance, who, now)->bucket, allowance->rate, tokens, now);
}

void allowance_give_back(allowance *allowance, gral_span who, double tokens, uint64_t now)
{
    bucket_of *one = find_or_make(allowance, who, now);
    bucket_charge(&one->bucket, allowance->rate, -tokens, now);
    if (is_full(allowance, one, now))
        forget(allowance, one);
}

double allowance_left(const allowance *allowance, gral_span who, uint64_t now)
{
    uint64_t hash;
    const bucket_of *found = find(allowance, who, &hash);
    return found != NULL ? bucket_left(&found->bucket, allowance->rate, now) : allowance->rate.most;
}

unsigned allowance_wait(const allowance *allowance, gral_span who, double tokens, uint64_t now)
{
    const double missing = tokens - allowance_left(allowance, who, now);
    return missing > 0 ? (unsigned)(missing / allowance->rate.per_second) + 1 : 0;
}
