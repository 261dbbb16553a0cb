/* A bucket of tokens: it fills at a rate, holds so many, and whoever does something takes some. */
#ifndef GRAL_SERVER_BUCKET_H
#define GRAL_SERVER_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bucket {
    double tokens;
    uint64_t at; /* milliseconds; one that was never used is full */
} bucket;

static inline void bucket_fill(bucket *bucket, uint64_t now, double per_second, double most)
{
    bucket->tokens += 1e-3 * (double)(now - bucket->at) * per_second;
    if (bucket->at == 0 || bucket->tokens > most)
        bucket->tokens = most;
    bucket->at = now;
}

/* False if it is empty. */
static inline bool bucket_take(bucket *bucket, uint64_t now, double per_second, double most)
{
    bucket_fill(bucket, now, per_second, most);
    if (bucket->tokens < 1)
        return false;
    bucket->tokens--;
    return true;
}

#endif
