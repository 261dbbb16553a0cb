#include "budget.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

typedef struct network {
    source source;
    bucket bucket[BUDGET_KINDS];
    UT_hash_handle hh;
} network;

/* Beyond so many networks at the same time, the others share one. */
enum { NETWORKS_MAX = 65536 };

struct budget {
    double rate;
    network *networks;
    network others;
};

/* What one person and one address may spend a second, and hold; those of work are times the rate. Behind one address
 * there may be a school. */
static const struct allowance {
    double per_second, most;
} persons[BUDGET_KINDS] =
    {
        [BUDGET_WORK] = {1, 10},
        [BUDGET_STRANGERS] = {1, 10},
        [BUDGET_NAMES] = {1. / 20, 30},
        [BUDGET_TABLES] = {1. / 20, 60},
},
  addresses[BUDGET_KINDS] = {
      [BUDGET_WORK] = {10, 100},
      [BUDGET_STRANGERS] = {2, 20},
      [BUDGET_NAMES] = {1. / 20, 60},
      [BUDGET_TABLES] = {1. / 10, 200},
};

budget *budget_open(unsigned rate)
{
    budget *budget = (struct budget *)memory_get(sizeof *budget);
    budget->rate = rate;
    return budget;
}

void budget_close(budget *budget)
{
    network *network, *next;
    HASH_ITER(hh, budget->networks, network, next)
    {
        HASH_DEL(budget->networks, network);
        free(network);
    }
    free(budget);
}

void payer_of_address(payer *payer, const char *address)
{
    payer->sources = source_list(address, payer->source);
}

static network *network_of(budget *budget, const source *source)
{
    network *network;
    HASH_FIND(hh, budget->networks, source, sizeof *source, network);
    if (network != NULL)
        return network;
    if (HASH_COUNT(budget->networks) >= NETWORKS_MAX)
        return &budget->others;
    network = (struct network *)memory_get(sizeof *network);
    network->source = *source;
    HASH_ADD(hh, budget->networks, source, sizeof network->source, network);
    return network;
}

static struct allowance scaled(const budget *budget, enum budget_kind kind, struct allowance allowance, double share)
{
    const double by = share * (kind <= BUDGET_STRANGERS ? budget->rate : 1);
    return (struct allowance){allowance.per_second * by, allowance.most * by};
}

/* All that pay for something, each filled up to now. */
static unsigned purses(budget *budget, enum budget_kind kind, const payer *payer, uint64_t now,
                       bucket *purse[1 + SOURCE_LEVELS])
{
    unsigned count = 0;
    if (payer->own != NULL) {
        const struct allowance own = scaled(budget, kind, persons[kind], 1);
        bucket_fill(&payer->own[kind], now, own.per_second, own.most);
        purse[count++] = &payer->own[kind];
    }
    for (unsigned level = 0; level < payer->sources; level++) {
        const source *source = &payer->source[level];
        const struct allowance all = scaled(budget, kind, addresses[kind], source_share(source));
        bucket *bucket = &network_of(budget, source)->bucket[kind];
        bucket_fill(bucket, now, all.per_second, all.most);
        purse[count++] = bucket;
    }
    return count;
}

bool budget_take(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now)
{
    bucket *purse[1 + SOURCE_LEVELS];
    if (budget->rate == 0)
        return true;
    const unsigned count = purses(budget, kind, payer, now, purse);
    for (unsigned index = 0; index < count; index++)
        if (purse[index]->tokens < 1)
            return false;
    for (unsigned index = 0; index < count; index++)
        purse[index]->tokens -= price;
    return true;
}

void budget_charge(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now)
{
    bucket *purse[1 + SOURCE_LEVELS];
    if (budget->rate == 0)
        return;
    const unsigned count = purses(budget, kind, payer, now, purse);
    for (unsigned index = 0; index < count; index++)
        purse[index]->tokens -= price;
}

static bool is_as_new(const budget *budget, network *network, uint64_t now)
{
    for (unsigned kind = 0; kind < BUDGET_KINDS; kind++) {
        const struct allowance all = scaled(budget, (enum budget_kind)kind, addresses[kind],
                                            source_share(&network->source));
        bucket *bucket = &network->bucket[kind];
        if (bucket->at != 0)
            bucket_fill(bucket, now, all.per_second, all.most);
        if (bucket->at != 0 && bucket->tokens < all.most)
            return false;
    }
    return true;
}

void budget_sweep(budget *budget, uint64_t now)
{
    network *network, *next;
    HASH_ITER(hh, budget->networks, network, next)
    {
        if (!is_as_new(budget, network, now))
            continue;
        HASH_DEL(budget->networks, network);
        free(network);
    }
}
