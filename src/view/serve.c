/* Placing units so that every demand is met.
 *
 * Units cannot be split, so serving can waste points: four initiates with 1 point shown use up the
 * ones, a fifth needs a 2. The search is exact. It serves one demand after the other and remembers
 * which rest of the units it failed with at which demand; with the waste of a whole search limited,
 * few rests are possible, and it nearly always succeeds with the first units it tries. */
#include "serve.h"

#include <string.h>

static bool serve(serving *serving, unsigned index, unsigned waste);

static unsigned rest_number(const serving *serving)
{
    unsigned number = 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        number = (UNITS_OF_A_KIND + 1) * number + serving->units[kind];
    return number;
}

static bool has_failed(const serving *serving, unsigned index, unsigned rest)
{
    return serving->any_failed && serving->failed[index][rest / 64] >> (rest % 64) & 1;
}

static void note_failure(serving *serving, unsigned index, unsigned rest)
{
    if (!serving->any_failed)
        memset(serving->failed, 0, sizeof serving->failed);
    serving->any_failed = true;
    serving->failed[index][rest / 64] |= UINT64_C(1) << (rest % 64);
}

/* Where to begin among `choices`. The search goes down from there, and then round. */
static unsigned first_choice(const serving *serving, unsigned choices)
{
    return serving->random != NULL ? gral_random_below(serving->random, choices) : choices - 1;
}

static unsigned next_choice(unsigned choice, unsigned choices)
{
    return choice > 0 ? choice - 1 : choices - 1;
}

/* Takes exactly `points`, kind by kind, then serves the rest. `left` is what the units from this kind
 * on are worth, without the small ones that must not be taken. */
static bool take(serving *serving, unsigned index, unsigned kind, unsigned points, unsigned left, unsigned waste)
{
    if (points == 0)
        return serve(serving, index + 1, waste);
    if (points > left)
        return false;
    const unsigned value = gral_unit_value[kind], had = serving->units[kind], after = left - had * value;
    const unsigned most = points / value < had ? points / value : had;
    const unsigned choices = most + 1;
    unsigned taken = first_choice(serving, choices);
    for (unsigned tried = 0; tried < choices; tried++, taken = next_choice(taken, choices)) {
        serving->units[kind] = (uint8_t)(had - taken);
        serving->share[index][kind] = (uint8_t)taken;
        const bool served = take(serving, index, kind + 1, points - taken * value, after, waste);
        serving->units[kind] = (uint8_t)had;
        if (served)
            return true;
    }
    serving->share[index][kind] = 0;
    return false;
}

static unsigned worth_more_than(const serving *serving, unsigned over)
{
    unsigned sum = 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS && gral_unit_value[kind] > over; kind++)
        sum += (unsigned)serving->units[kind] * gral_unit_value[kind];
    return sum;
}

/* Serves the demands from `index` on, wasting at most `waste`. A demand served with more than it asks
 * for needs every one of its units, so each of them is worth more than what is wasted on it. */
static bool serve(serving *serving, unsigned index, unsigned waste)
{
    if (index == serving->demands)
        return true;
    const unsigned rest = rest_number(serving);
    if (has_failed(serving, index, rest))
        return false;
    const demand demand = serving->demand[index];
    const unsigned largest = gral_unit_value[0];
    const unsigned choices = demand.exact ? 1 : waste < largest ? waste + 1 : largest;
    unsigned choice = first_choice(serving, choices);
    for (unsigned tried = 0; tried < choices; tried++, choice = next_choice(choice, choices)) {
        const unsigned over = choices - 1 - choice; /* from 0 on, where not at random */
        if (take(serving, index, 0, demand.points + over, worth_more_than(serving, over), waste - over))
            return true;
    }
    note_failure(serving, index, rest);
    return false;
}

bool serve_all(serving *serving, unsigned waste)
{
    serving->any_failed = false;
    return serve(serving, 0, waste);
}
