/* An allowance for each of many: a bucket of tokens for whoever comes, found by what he is known by. Nobody shares a
 * bucket with somebody else, so nobody can use up another's. A bucket that is full again is forgotten; of too many the
 * one that was used longest ago. */
#ifndef GRAL_SERVER_ALLOWANCE_H
#define GRAL_SERVER_ALLOWANCE_H

#include "server/bucket.h"

#include "gral/notation.h"

typedef struct allowance allowance;

/* Everybody has a bucket with this rate. */
allowance *allowance_open(bucket_rate rate);
void allowance_set_rate(allowance *allowance, bucket_rate rate);
void allowance_close(allowance *allowance);

/* `now` is in milliseconds and never goes back. False, and nothing is taken, if there is less left than that. */
bool allowance_take(allowance *allowance, gral_span who, double tokens, uint64_t now);
/* Takes it in any case: there may be less than nothing left. */
void allowance_charge(allowance *allowance, gral_span who, double tokens, uint64_t now);
/* What was taken was not used. */
void allowance_give_back(allowance *allowance, gral_span who, double tokens, uint64_t now);
double allowance_left(const allowance *allowance, gral_span who, uint64_t now);
/* Seconds, rounded up, until so many are there. */
unsigned allowance_wait(const allowance *allowance, gral_span who, double tokens, uint64_t now);

#endif
