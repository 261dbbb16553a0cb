/* What everybody can work out about a sheet he has not seen (R10.3).
 *
 * A player has put units on initiates: on an uncovered one exactly as many points as he lost there
 * and paid from there, on one still in play at least as many as he has shown and paid. Since the
 * opening lets him place anything anywhere (R2.2), the time at which something was shown adds
 * nothing: a distribution of the units over the initiates is possible if and only if it meets these
 * demands. So for one initiate
 *
 *   the most   is what is left of the sheet when all others are served with as little as possible;
 *   the least  is the smallest sum not below his own demand that still lets all others be served.
 *
 * Units cannot be split, so serving can waste points: four initiates with 1 point shown use up the
 * ones, a fifth needs a 2. The search below is exact. It serves one demand after the other and
 * remembers which rest of the units it failed with at which demand; with the waste of a whole search
 * limited, few rests are possible, and it nearly always succeeds with the first units it tries. */
#include "gral/view.h"

#include <assert.h>
#include <string.h>

enum {
    UNITS_OF_A_KIND = 4,
    RESTS = 15625, /* (4 + 1)^6 different rests of a sheet */
    REST_WORDS = (RESTS + 63) / 64,
};

typedef struct demand {
    uint8_t points;
    bool exact; /* that much, no more */
} demand;

typedef struct search {
    demand demand[GRAL_PAWNS];
    unsigned demands;
    uint8_t units[GRAL_UNIT_KINDS]; /* the rest */
    bool any_failed;                /* only then `failed` means anything */
    uint64_t failed[GRAL_PAWNS][REST_WORDS];
} search;

static bool serve(search *search, unsigned index, unsigned waste);

static unsigned rest_number(const search *search)
{
    unsigned number = 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        number = (UNITS_OF_A_KIND + 1) * number + search->units[kind];
    return number;
}

static bool has_failed(const search *search, unsigned index, unsigned rest)
{
    return search->any_failed && search->failed[index][rest / 64] >> (rest % 64) & 1;
}

static void note_failure(search *search, unsigned index, unsigned rest)
{
    if (!search->any_failed)
        memset(search->failed, 0, sizeof search->failed);
    search->any_failed = true;
    search->failed[index][rest / 64] |= UINT64_C(1) << (rest % 64);
}

/* Takes exactly `points` from the units worth more than `over`, kind by kind, then serves the rest. */
static bool take(search *search, unsigned index, unsigned kind, unsigned points, unsigned over, unsigned waste)
{
    if (points == 0)
        return serve(search, index + 1, waste);
    if (kind == GRAL_UNIT_KINDS || gral_unit_value[kind] <= over)
        return false;
    const unsigned value = gral_unit_value[kind], had = search->units[kind];
    unsigned taken = points / value < had ? points / value : had;
    for (;;) {
        search->units[kind] = (uint8_t)(had - taken);
        const bool served = take(search, index, kind + 1, points - taken * value, over, waste);
        search->units[kind] = (uint8_t)had;
        if (served || taken == 0)
            return served;
        taken--;
    }
}

/* Serves the demands from `index` on, wasting at most `waste`. A demand served with more than it asks
 * for needs every one of its units, so each of them is worth more than what is wasted on it. */
static bool serve(search *search, unsigned index, unsigned waste)
{
    if (index == search->demands)
        return true;
    const unsigned rest = rest_number(search);
    if (has_failed(search, index, rest))
        return false;
    const demand demand = search->demand[index];
    const unsigned largest = gral_unit_value[0];
    for (unsigned over = 0; over <= (demand.exact ? 0 : waste) && over < largest; over++)
        if (take(search, index, 0, demand.points + over, over, waste - over))
            return true;
    note_failure(search, index, rest);
    return false;
}

static bool can_serve(search *search, unsigned waste)
{
    search->any_failed = false;
    return serve(search, 0, waste);
}

/* Exact demands first, then larger ones: what is hardest to serve fails soonest. */
static void add_demand(search *search, demand demand)
{
    if (demand.points == 0)
        return;
    unsigned place = search->demands++;
    for (; place > 0; place--) {
        const struct demand before = search->demand[place - 1];
        if (before.exact > demand.exact || (before.exact == demand.exact && before.points >= demand.points))
            break;
        search->demand[place] = before;
    }
    search->demand[place] = demand;
}

void gral_deduce(const gral_game *game, const gral_open *open, unsigned seat, gral_bounds row[GRAL_PAWNS])
{
    const uint8_t *units = game->settings.units;
    unsigned sheet = 0, demanded = 0;
    demand demand_on[GRAL_PAWNS];
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        sheet += (unsigned)units[kind] * gral_unit_value[kind];
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        demand_on[pawn].points = (uint8_t)(open->known[seat][pawn] + open->paid[seat][pawn]);
        demand_on[pawn].exact = !gral_on_board(open, pawn);
        demanded += demand_on[pawn].points;
    }

    search search;
    memcpy(search.units, units, sizeof search.units);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        row[pawn] = (gral_bounds){0, 0};
        if (!gral_on_board(open, pawn))
            continue;
        const unsigned own = demand_on[pawn].points, paid = open->paid[seat][pawn];

        search.demands = 0;
        for (unsigned other = 0; other < GRAL_PAWNS; other++)
            if (other != pawn)
                add_demand(&search, demand_on[other]);
        unsigned waste = 0;
        while (!can_serve(&search, waste)) {
            assert(waste < sheet);
            waste++;
        }
        row[pawn].most = (uint8_t)(sheet - (demanded - own) - waste - paid);

        const unsigned others = search.demands;
        demand asked[GRAL_PAWNS];
        memcpy(asked, search.demand, sizeof asked);
        for (unsigned least = own;; least++) {
            assert(least <= row[pawn].most + paid);
            memcpy(search.demand, asked, sizeof asked);
            search.demands = others;
            add_demand(&search, (demand){(uint8_t)least, true});
            if (can_serve(&search, sheet - demanded - (least - own))) {
                row[pawn].least = (uint8_t)(least - paid);
                break;
            }
        }
    }
}

void gral_notepad_fill(const gral_game *game, const gral_view *view, gral_notepad *notepad)
{
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        if (view->known >> seat & 1) {
            for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
                const uint8_t influence = view->sheet[seat].influence[pawn];
                notepad->bounds[seat][pawn] = (gral_bounds){influence, influence};
            }
        } else {
            gral_deduce(game, &view->open, seat, notepad->bounds[seat]);
        }
    }
}
