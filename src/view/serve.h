/* Private to the module: which ways of placing units fit what is public about a player. */
#ifndef GRAL_VIEW_SERVE_H
#define GRAL_VIEW_SERVE_H

#include "gral/view.h"

enum {
    UNITS_OF_A_KIND = 4,
    RESTS = 15625, /* (4 + 1)^6 different rests of a sheet */
    REST_WORDS = (RESTS + 63) / 64,
};

/* So many points must lie on one initiate. */
typedef struct demand {
    uint8_t points;
    uint8_t pawn;
    bool exact; /* that much, no more */
} demand;

/* What is public about the seat's units on this initiate: lost and paid there, or shown and paid. */
static inline demand demand_on(const gral_open *open, unsigned seat, unsigned pawn)
{
    return (demand){.points = (uint8_t)(open->known[seat][pawn] + open->paid[seat][pawn]),
                    .pawn = (uint8_t)pawn,
                    .exact = !gral_on_board(open, pawn)};
}

/* A search. The caller sets the units, the demands (by serve_add), the random generator, and clears the
 * shares if they matter to him. */
typedef struct serving {
    demand demand[GRAL_PAWNS];
    unsigned demands;
    uint8_t units[GRAL_UNIT_KINDS];             /* the sheet */
    uint8_t share[GRAL_PAWNS][GRAL_UNIT_KINDS]; /* after success: the units for each demand */
    gral_random *random; /* NULL: the largest units first; else any way that serves may come up */
    bool any_failed;     /* only then `failed` means anything */
    uint64_t failed[GRAL_PAWNS][REST_WORDS];
} serving;

/* Exact demands first, then larger ones: what is hardest to serve fails soonest. A demand of nothing is none. */
static inline void serve_add(serving *serving, demand demand)
{
    if (demand.points == 0)
        return;
    unsigned place = serving->demands++;
    for (; place > 0; place--) {
        const struct demand before = serving->demand[place - 1];
        if (before.exact > demand.exact || (before.exact == demand.exact && before.points >= demand.points))
            break;
        serving->demand[place] = before;
    }
    serving->demand[place] = demand;
}

/* Whether all demands can be served with at most `waste` points more than they ask for. */
bool serve_all(serving *serving, unsigned waste);

#endif
