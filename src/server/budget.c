#include "budget.h"

#include "allowance.h"
#include "memory.h"

#include <stdlib.h>

struct budget {
    double rate;
    allowance *networks[BUDGET_KINDS];
};

/* What one person and one address may spend a second, and hold; those of work are times the rate. Behind one address
 * there may be a school. */
typedef struct terms {
    double per_second, most;
} terms;

static const terms persons[BUDGET_KINDS] = {
    [BUDGET_WORK] = {1, 10},
    [BUDGET_TABLES] = {1. / 20, 60},
};

static const terms addresses[BUDGET_KINDS] = {
    [BUDGET_WORK] = {10, 100},
    [BUDGET_STRANGERS] = {2, 20},
    [BUDGET_NAMES] = {1. / 20, 60},
    [BUDGET_TABLES] = {1. / 10, 200},
};

static terms scaled(double rate, unsigned kind, terms terms)
{
    const double by = kind <= BUDGET_STRANGERS ? rate : 1;
    return (struct terms){terms.per_second * by, terms.most * by};
}

budget *budget_open(unsigned rate)
{
    budget *budget = (struct budget *)memory_get(sizeof *budget);
    budget->rate = rate;
    for (unsigned kind = 0; kind < BUDGET_KINDS; kind++) {
        const terms terms = scaled(rate, kind, addresses[kind]);
        budget->networks[kind] = allowance_open(terms.per_second, terms.most);
    }
    return budget;
}

void budget_close(budget *budget)
{
    for (unsigned kind = 0; kind < BUDGET_KINDS; kind++)
        allowance_close(budget->networks[kind]);
    free(budget);
}

void payer_of_address(payer *payer, const char *address)
{
    payer->sources = source_list(address, payer->source);
}

static gral_span name_of(const source *source)
{
    return (gral_span){(const char *)source, sizeof *source};
}

/* His own bucket of this kind, filled up to now; NULL where he has none. */
static bucket *own_bucket(const budget *budget, enum budget_kind kind, const payer *payer, uint64_t now)
{
    const terms terms = scaled(budget->rate, kind, persons[kind]);
    if (payer->own == NULL || terms.most == 0)
        return NULL;
    bucket_fill(&payer->own[kind], now, terms.per_second, terms.most);
    return &payer->own[kind];
}

/* A larger network has the same bucket, and pays less for the same. */
static double part_of(const source *source, double price)
{
    return price / source_share(source);
}

static bool has_something_left(budget *budget, enum budget_kind kind, const payer *payer, uint64_t now)
{
    const bucket *own = own_bucket(budget, kind, payer, now);
    if (own != NULL && own->tokens < 1)
        return false;
    for (unsigned level = 0; level < payer->sources; level++) {
        const source *source = &payer->source[level];
        if (allowance_left(budget->networks[kind], name_of(source), now) < part_of(source, 1))
            return false;
    }
    return true;
}

void budget_charge(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now)
{
    if (budget->rate == 0)
        return;
    bucket *own = own_bucket(budget, kind, payer, now);
    if (own != NULL)
        own->tokens -= price;
    for (unsigned level = 0; level < payer->sources; level++) {
        const source *source = &payer->source[level];
        allowance_charge(budget->networks[kind], name_of(source), part_of(source, price), now);
    }
}

bool budget_take(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now)
{
    if (budget->rate > 0 && !has_something_left(budget, kind, payer, now))
        return false;
    budget_charge(budget, kind, payer, price, now);
    return true;
}

unsigned budget_wait(budget *budget, enum budget_kind kind, const payer *payer, uint64_t now)
{
    unsigned longest = 0;
    for (unsigned level = 0; level < payer->sources; level++) {
        const source *source = &payer->source[level];
        const unsigned wait = allowance_wait(budget->networks[kind], name_of(source), part_of(source, 1), now);
        longest = wait > longest ? wait : longest;
    }
    return longest;
}
