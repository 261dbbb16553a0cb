/* The numbers. A newcomer has strength 25 and doubt 25/3, as is usual for this method; a game in which somebody of
 * twice the doubt of its noise wins moves both a little. */
#include "rating/rating.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double usual = 25, unknown = 25. / 3, noise = 25. / 6, /* of one game */
    unrest = 25. / 300, /* strength changes a little between any two games */
    least_left = 1e-4;  /* of a variance, after one game */

rating rating_of_newcomer(void)
{
    return (rating){usual, unknown};
}

static double square(double number)
{
    return number * number;
}

/* The sum over all who came out no better than this one: those who were still in the running when his place was given.
 */
static double running(const double weight[], const uint8_t place[], unsigned count, unsigned of)
{
    double sum = 0;
    for (unsigned other = 0; other < count; other++)
        sum += place[other] >= place[of] ? weight[other] : 0;
    return sum;
}

static unsigned tied_with(const uint8_t place[], unsigned count, unsigned of)
{
    unsigned tied = 0;
    for (unsigned other = 0; other < count; other++)
        tied += place[other] == place[of];
    return tied;
}

void rating_play(rating ratings[], const uint8_t place[], unsigned count)
{
    assert(count <= GRAL_PLAYERS_MAX);
    double variance[GRAL_PLAYERS_MAX], weight[GRAL_PLAYERS_MAX], all = 0;
    for (unsigned one = 0; one < count; one++) {
        variance[one] = square(ratings[one].doubt) + square(unrest);
        all += variance[one] + square(noise);
    }
    const double scale = sqrt(all);
    for (unsigned one = 0; one < count; one++)
        weight[one] = exp(ratings[one].strength / scale);
    rating after[GRAL_PLAYERS_MAX];
    for (unsigned one = 0; one < count; one++) {
        double surprise = 0, learned = 0;
        for (unsigned other = 0; other < count; other++) {
            if (place[other] > place[one])
                continue;
            const double expected = weight[one] / running(weight, place, count, other);
            const unsigned tied = tied_with(place, count, other);
            surprise += ((other == one) - expected) / tied;
            learned += expected * (1 - expected) / tied;
        }
        const double share = variance[one] / square(scale), left = 1 - sqrt(variance[one]) / scale * share * learned;
        after[one].strength = ratings[one].strength + variance[one] / scale * surprise;
        after[one].doubt = sqrt(variance[one] * fmax(left, least_left));
    }
    memcpy(ratings, after, count * sizeof *after);
}

/* In two years of silence somebody well known becomes nearly a stranger again. */
rating rating_after(rating before, int64_t milliseconds)
{
    static const double a_day = 0.09;
    const double days = milliseconds > 0 ? (double)milliseconds / 86400000 : 0;
    return (rating){before.strength,
                    fmax(before.doubt, sqrt(fmin(square(before.doubt) + a_day * days, square(unknown))))};
}

int rating_points(rating rating)
{
    return (int)lround(1500 + 40 * (rating.strength - usual));
}

int rating_margin(rating rating)
{
    return (int)lround(40 * 2 * rating.doubt);
}

double rating_rank(rating rating)
{
    return rating.strength - 2 * rating.doubt;
}

/* --- classes --- */

static const char *const class_name[] = {
    [RATING_TWO_LIVE] = "2-live",
    [RATING_FEW_LIVE] = "3-4-live",
    [RATING_MANY_LIVE] = "5+-live",
    [RATING_TWO_DAYS] = "2-days",
    [RATING_FEW_DAYS] = "3-4-days",
    [RATING_MANY_DAYS] = "5+-days",
    [RATING_TWO_COMPUTERS] = "2-computers",
    [RATING_FEW_COMPUTERS] = "3-4-computers",
    [RATING_MANY_COMPUTERS] = "5+-computers",
};
static_assert(sizeof class_name / sizeof *class_name == RATING_CLASSES, "a name for every class");

const char *rating_class_name(enum rating_class class)
{
    return class_name[class];
}

bool rating_class_find(gral_span name, enum rating_class *class)
{
    for (unsigned number = 0; number < RATING_CLASSES; number++) {
        *class = (enum rating_class)number;
        if (strlen(class_name[number]) == name.length && memcmp(class_name[number], name.bytes, name.length) == 0)
            return true;
    }
    return false;
}

/* What tools/levels measured, as strengths: a level that wins the share p of the decided games against the one below
 * it, half of the table each, is log(p / (1 - p)) times the scale of such a table stronger. Level 3 is in the middle.
 * Tables for five and more have those of four. */
rating rating_of_level(unsigned level, enum rating_class class)
{
    enum { LEVELS = 5 };
    static const double two[LEVELS] = {16.4, 21.9, 25, 27.8, 31.3}, more[LEVELS] = {9, 15.8, 25, 30.1, 34.6};
    assert(level >= 1 && level <= LEVELS);
    return (rating){(class == RATING_TWO_COMPUTERS ? two : more)[level - 1], 1};
}
