/* A bucket of tokens: it fills at a rate, holds so many, and whoever does something takes some. It may be overdrawn,
 * and then has to fill again first. Whoever has a bucket owns it and knows its rate; allowance.h keeps one for each of
 * many. */
#ifndef GRAL_SERVER_BUCKET_H
#define GRAL_SERVER_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bucket_rate {
    double per_second, most;
} bucket_rate;

typedef struct bucket {
    double tokens;
    uint64_t at; /* milliseconds, as all times here; one that was never used is full */
} bucket;

static inline double bucket_left(const bucket *bucket, bucket_rate rate, uint64_t now)
{
    const double tokens = bucket->tokens + 1e-3 * (double)(now - bucket->at) * rate.per_second;
    return bucket->at == 0 || tokens > rate.most ? rate.most : tokens;
}

/* Takes them in any case; a negative price gives some back. */
static inline void bucket_charge(bucket *bucket, bucket_rate rate, double price, uint64_t now)
{
    bucket->tokens = bucket_left(bucket, rate, now) - price;
    bucket->at = now;
}

/* False, and nothing is taken, if there is less left than that. */
static inline bool bucket_take(bucket *bucket, bucket_rate rate, double price, uint64_t now)
{
    if (bucket_left(bucket, rate, now) < price)
        return false;
    bucket_charge(bucket, rate, price, now);
    return true;
}

#endif
