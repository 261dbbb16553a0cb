/* The unit of variance is the block: games with one seed are not independent, blocks are. A clean sheet of few blocks
 * must not look certain, so wherever a variance is needed one block of 0 and one of 1 are counted along; for many
 * blocks they make no difference (Agresti and Coull do the same for single games). */
#include "match_stats.h"

#include <math.h>

void match_mean_add(match_mean *mean, double score)
{
    mean->sum += score;
    mean->squares += score * score;
    mean->count++;
}

double match_mean_of(const match_mean *mean)
{
    return mean->count > 0 ? mean->sum / mean->count : 0;
}

static match_mean with_doubt(const match_mean *mean)
{
    match_mean doubted = *mean;
    match_mean_add(&doubted, 0);
    match_mean_add(&doubted, 1);
    return doubted;
}

static double variance(const match_mean *mean)
{
    const double middle = match_mean_of(mean);
    return mean->squares / mean->count - middle * middle;
}

match_interval match_interval_of(const match_mean *mean)
{
    const match_mean doubted = with_doubt(mean);
    const double middle = match_mean_of(&doubted);
    const double reach = 1.96 * sqrt(variance(&doubted) / doubted.count);
    return (match_interval){fmax(0, middle - reach), fmin(1, middle + reach)};
}

static double score_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

double match_sprt_lower(const match_sprt *sprt)
{
    return log(sprt->beta / (1 - sprt->alpha));
}

double match_sprt_upper(const match_sprt *sprt)
{
    return log((1 - sprt->beta) / sprt->alpha);
}

/* The generalised test that fishtest uses: the scores of blocks as normal, with the variance they show. */
double match_sprt_llr(const match_sprt *sprt, const match_mean *mean)
{
    const match_mean doubted = with_doubt(mean);
    const double score0 = score_of_elo(sprt->elo0), score1 = score_of_elo(sprt->elo1);
    return mean->count * (score1 - score0) * (2 * match_mean_of(mean) - score0 - score1) / (2 * variance(&doubted));
}

enum match_verdict match_sprt_verdict(const match_sprt *sprt, const match_mean *mean)
{
    const double llr = match_sprt_llr(sprt, mean);
    return llr >= match_sprt_upper(sprt)   ? MATCH_BETTER
           : llr <= match_sprt_lower(sprt) ? MATCH_NOT_BETTER
                                           : MATCH_UNDECIDED;
}

/* 32 classes between a power of two and the next, from nanoseconds on. */
enum { CLASS_BITS = 5, CLASSES = 1 << CLASS_BITS };

static unsigned class_of(uint64_t ns)
{
    unsigned power = 0;
    while (ns >> power >= 2 * CLASSES)
        power++;
    const uint64_t class = power * CLASSES + (ns >> power);
    return class < MATCH_TIME_CLASSES ? (unsigned)class : MATCH_TIME_CLASSES - 1;
}

static double middle_of(unsigned class)
{
    const unsigned power = class < 2 * CLASSES ? 0 : class / CLASSES - 1;
    return (class - power * CLASSES + 0.5) * (double)(UINT64_C(1) << power);
}

void match_times_add(match_times *times, double ms)
{
    times->count[class_of((uint64_t)(1e6 * fmax(0, ms)))]++;
}

void match_times_merge(match_times *times, const match_times *others)
{
    for (unsigned class = 0; class < MATCH_TIME_CLASSES; class ++)
        times->count[class] += others->count[class];
}

double match_times_quantile(const match_times *times, double part)
{
    uint64_t all = 0, seen = 0;
    for (unsigned class = 0; class < MATCH_TIME_CLASSES; class ++)
        all += times->count[class];
    for (unsigned class = 0; class < MATCH_TIME_CLASSES; class ++) {
        seen += times->count[class];
        if (seen > 0 && (double)seen >= part * (double)all)
            return 1e-6 * middle_of(class);
    }
    return 0;
}
