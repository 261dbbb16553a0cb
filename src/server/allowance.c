#include "allowance.h"

#include "memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <utlist.h>

enum { BUCKETS_MAX = 65536 };

typedef struct bucket_of {
    uint64_t who; /* a hash of it, with a key that nobody knows: names and addresses are not kept */
    double tokens;
    uint64_t at;
    struct bucket_of *prev, *next; /* the one used longest ago first */
    UT_hash_handle hh;
} bucket_of;

struct allowance {
    double per_second, most;
    uint8_t key[crypto_shorthash_KEYBYTES];
    bucket_of *all, *by_use;
};

allowance *allowance_open(double per_second, double most)
{
    allowance *allowance = (struct allowance *)memory_get(sizeof *allowance);
    allowance->per_second = per_second;
    allowance->most = most;
    randombytes_buf(allowance->key, sizeof allowance->key);
    return allowance;
}

static void forget(allowance *allowance, bucket_of *bucket)
{
    DL_DELETE(allowance->by_use, bucket);
    HASH_DEL(allowance->all, bucket);
    free(bucket);
}

void allowance_close(allowance *allowance)
{
    while (allowance->by_use != NULL)
        forget(allowance, allowance->by_use);
    free(allowance);
}

static double tokens_at(const allowance *allowance, const bucket_of *bucket, uint64_t now)
{
    const double tokens = bucket->tokens + 1e-3 * (double)(now - bucket->at) * allowance->per_second;
    return tokens < allowance->most ? tokens : allowance->most;
}

static bucket_of *find(const allowance *allowance, gral_span who, uint64_t *hash)
{
    bucket_of *bucket;
    uint8_t bytes[crypto_shorthash_BYTES];
    crypto_shorthash(bytes, (const uint8_t *)who.bytes, who.length, allowance->key);
    memcpy(hash, bytes, sizeof *hash);
    HASH_FIND(hh, allowance->all, hash, sizeof *hash, bucket);
    return bucket;
}

/* Makes room for one more: whoever was longest away is most likely to have all of his back. */
static void make_room(allowance *allowance, uint64_t now)
{
    while (allowance->by_use != NULL && (HASH_COUNT(allowance->all) >= BUCKETS_MAX ||
                                         tokens_at(allowance, allowance->by_use, now) >= allowance->most))
        forget(allowance, allowance->by_use);
}

static bucket_of *find_or_make(allowance *allowance, gral_span who, uint64_t now)
{
    uint64_t hash;
    bucket_of *bucket = find(allowance, who, &hash);
    if (bucket != NULL) {
        DL_DELETE(allowance->by_use, bucket);
        bucket->tokens = tokens_at(allowance, bucket, now);
    } else {
        make_room(allowance, now);
        bucket = (struct bucket_of *)memory_get(sizeof *bucket);
        bucket->who = hash;
        bucket->tokens = allowance->most;
        HASH_ADD(hh, allowance->all, who, sizeof bucket->who, bucket);
    }
    bucket->at = now;
    DL_APPEND(allowance->by_use, bucket);
    return bucket;
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
    find_or_make(allowance, who, now)->tokens -= tokens;
}

void allowance_give_back(allowance *allowance, gral_span who, double tokens, uint64_t now)
{
    bucket_of *bucket = find_or_make(allowance, who, now);
    bucket->tokens += tokens;
    if (bucket->tokens >= allowance->most)
        forget(allowance, bucket);
}

double allowance_left(allowance *allowance, gral_span who, uint64_t now)
{
    uint64_t hash;
    const bucket_of *bucket = find(allowance, who, &hash);
    return bucket != NULL ? tokens_at(allowance, bucket, now) : allowance->most;
}

unsigned allowance_wait(allowance *allowance, gral_span who, double tokens, uint64_t now)
{
    const double missing = tokens - allowance_left(allowance, who, now);
    return missing > 0 ? (unsigned)(missing / allowance->per_second) + 1 : 0;
}
