#include "server/budget.h"

#include "server/allowance.h"
#include "server/memory.h"

#include <stdlib.h>

struct budget {
    double rate;
    allowance *networks[BUDGET_KINDS];
};

/* What one person and one address may spend; those of work are times the rate. Behind one address there may be a
 * school. */
static const bucket_rate persons[BUDGET_KINDS] = {
    [BUDGET_WORK] = {1, 10},          [BUDGET_NAMES] = {1. / 28800, 3}, /* another name of his own */
    [BUDGET_TABLES] = {1. / 20, 60},  [BUDGET_EXPORTS] = {1. / 3600, 2},
    [BUDGET_REPORTS] = {1. / 600, 5}, [BUDGET_INVITATIONS] = {1. / 10, 30},
    [BUDGET_ENTRIES] = {1. / 10, 30}, [BUDGET_MAILS] = {1. / 1200, 5},
};

static const bucket_rate addresses[BUDGET_KINDS] = {
    [BUDGET_WORK] = {10, 100},        [BUDGET_STRANGERS] = {2, 20},      [BUDGET_NAMES] = {1. / 20, 60},
    [BUDGET_TABLES] = {1. / 10, 200}, [BUDGET_EXPORTS] = {1. / 360, 20}, [BUDGET_REPORTS] = {1. / 1200, 20},
    [BUDGET_INVITATIONS] = {1, 300},  [BUDGET_ENTRIES] = {1. / 60, 60},  [BUDGET_MAILS] = {1. / 120, 20},
};

static bucket_rate scaled(double by, unsigned kind, bucket_rate rate)
{
    return kind <= BUDGET_STRANGERS ? (bucket_rate){rate.per_second * by, rate.most * by} : rate;
}

budget *budget_open(unsigned rate)
{
    budget *budget = memory_get(sizeof *budget);
    budget->rate = rate;
    for (unsigned kind = 0; kind < BUDGET_KINDS; kind++)
        budget->networks[kind] = allowance_open(scaled(rate, kind, addresses[kind]));
    return budget;
}

void budget_set_rate(budget *budget, unsigned rate)
{
    budget->rate = rate;
    for (unsigned kind = 0; kind < BUDGET_KINDS; kind++)
        allowance_set_rate(budget->networks[kind], scaled(rate, kind, addresses[kind]));
}

void budget_close(budget *budget)
{
    for (unsigned kind = 0; kind < BUDGET_KINDS; kind++)
        allowance_close(budget->networks[kind]);
    free(budget);
}

static gral_span name_of(const source *source)
{
    return (gral_span){(const char *)source, sizeof *source};
}

/* A larger network has the same bucket, and pays less for the same. */
static double part_of(const source *source, double price)
{
    return price / source_weight(source);
}

static bool has_own(const payer *payer, enum budget_kind kind)
{
    return payer->own != NULL && persons[kind].most > 0;
}

static bool has_something_left(const budget *budget, enum budget_kind kind, const payer *payer, uint64_t now)
{
    if (has_own(payer, kind) && bucket_left(&payer->own[kind], scaled(budget->rate, kind, persons[kind]), now) < 1)
        return false;
    for (unsigned level = 0; level < payer->from.count; level++) {
        const source *source = &payer->from.source[level];
        if (allowance_left(budget->networks[kind], name_of(source), now) < part_of(source, 1))
            return false;
    }
    return true;
}

void budget_charge(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now)
{
    if (budget->rate == 0)
        return;
    if (has_own(payer, kind))
        bucket_charge(&payer->own[kind], scaled(budget->rate, kind, persons[kind]), price, now);
    for (unsigned level = 0; level < payer->from.count; level++) {
        const source *source = &payer->from.source[level];
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
    for (unsigned level = 0; level < payer->from.count; level++) {
        const source *source = &payer->from.source[level];
        const unsigned wait = allowance_wait(budget->networks[kind], name_of(source), part_of(source, 1), now);
        longest = wait > longest ? wait : longest;
    }
    return longest;
}
