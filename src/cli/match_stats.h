/* The figures of a match: how sure a rate is, when a test may stop, how long decisions took. */
#ifndef GRAL_CLI_MATCH_STATS_H
#define GRAL_CLI_MATCH_STATS_H

#include <stdint.h>

/* The mean of what blocks scored, each from 0 to 1. Start from zero. */
typedef struct match_mean {
    double sum, squares;
    uint32_t count;
} match_mean;

void match_mean_add(match_mean *mean, double score);
double match_mean_of(const match_mean *mean);

/* 95 % for the mean. */
typedef struct match_interval {
    double low, high;
} match_interval;

match_interval match_interval_of(const match_mean *mean);

/* A sequential test of "the score is that of elo1" against "… of elo0". */
typedef struct match_sprt {
    double elo0, elo1, alpha, beta;
} match_sprt;

enum match_verdict { MATCH_UNDECIDED, MATCH_BETTER, MATCH_NOT_BETTER };

double match_sprt_lower(const match_sprt *sprt);
double match_sprt_upper(const match_sprt *sprt);
double match_sprt_llr(const match_sprt *sprt, const match_mean *mean);
enum match_verdict match_sprt_verdict(const match_sprt *sprt, const match_mean *mean);

/* Times of decisions in classes that are 3 % wide, so that any number of them takes the same room. Start from zero. */
enum { MATCH_TIME_CLASSES = 45 * 32 };
typedef struct match_times {
    uint64_t count[MATCH_TIME_CLASSES];
} match_times;

void match_times_add(match_times *times, double ms);
void match_times_merge(match_times *times, const match_times *others);

/* The time in ms that this part (0 to 1) of the decisions did not exceed; 0 without any. */
double match_times_quantile(const match_times *times, double part);

#endif
