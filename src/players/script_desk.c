#include "script_desk.h"

#include "distance.h"
#include "tactics.h"

bool desk_is_ours(const desk *desk, unsigned pawn)
{
    return desk->sheet->influence[pawn] > 0;
}

bool desk_has_grail(const desk *desk, unsigned pawn)
{
    return pawn != GRAL_NO_PAWN && gral_on_board(desk->open, pawn) && tactics_has_grail(desk->open, pawn);
}

unsigned desk_goal_of(const desk *desk, unsigned pawn)
{
    return distance_goal(desk->game, desk->seat, pawn);
}

unsigned desk_way_to_go(const desk *desk, unsigned pawn)
{
    return distance_to_go(desk->game, desk->open, desk->seat, pawn, desk->open->pawn[pawn]);
}

/* The most that a seat can hold on an initiate, but for units that do not add up. */
static unsigned most_of(const desk *desk, unsigned seat, unsigned pawn)
{
    unsigned elsewhere = desk->open->paid[seat][pawn];
    for (unsigned other = 0; other < GRAL_PAWNS; other++)
        if (other != pawn)
            elsewhere += desk->open->known[seat][other] + desk->open->paid[seat][other];
    const unsigned sheet = gral_units_worth(desk->game->settings.units);
    return sheet > elsewhere ? sheet - elsewhere : 0;
}

/* What the strongest of the others is taken to hold: so many quarters of the way from what he has shown to the most. */
static unsigned rival(const desk *desk, unsigned pawn, unsigned quarters)
{
    unsigned strongest = 0;
    for (unsigned seat = 0; seat < desk->open->players; seat++) {
        const unsigned shown = gral_floor(desk->open, seat, pawn), most = most_of(desk, seat, pawn);
        const unsigned held = shown + (most > shown ? most - shown : 0) * quarters / 4;
        if (seat != desk->seat && held > strongest)
            strongest = held;
    }
    return strongest;
}

bool desk_leads(const desk *desk, unsigned pawn)
{
    return desk_is_ours(desk, pawn) && desk->sheet->influence[pawn] >= rival(desk, pawn, 1);
}

/* R8.2: in The Original influence does not win, only insists. */
bool desk_would_win(const desk *desk, unsigned pawn, unsigned field)
{
    if (desk->game->settings.rules == GRAL_ORIGINAL)
        return field == desk_goal_of(desk, pawn);
    return desk_leads(desk, pawn);
}

unsigned desk_nearly_home(const desk *desk, unsigned steps)
{
    unsigned nearest = GRAL_NO_PAWN, fewest = steps + 1;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (desk_has_grail(desk, pawn) && desk_way_to_go(desk, pawn) < fewest) {
            nearest = pawn;
            fewest = desk_way_to_go(desk, pawn);
        }
    return nearest;
}

unsigned desk_ranked(const desk *desk, unsigned before)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(desk->open, pawn) || !desk_is_ours(desk, pawn))
            continue;
        unsigned larger = 0;
        for (unsigned other = 0; other < GRAL_PAWNS; other++)
            larger += desk->sheet->influence[other] > desk->sheet->influence[pawn] ||
                      (desk->sheet->influence[other] == desk->sheet->influence[pawn] && other < pawn);
        if (larger == before)
            return pawn;
    }
    return GRAL_NO_PAWN;
}

static unsigned any_without_ours(const desk *desk)
{
    unsigned seen = 0, chosen = GRAL_NO_PAWN;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(desk->open, pawn) && !desk_is_ours(desk, pawn) &&
            gral_random_below(desk->random, ++seen) == 0)
            chosen = pawn;
    return chosen;
}

wish desk_wish_in_order(const desk *desk, const uint8_t *totals, unsigned count)
{
    for (unsigned rank = 0; rank < count; rank++) {
        unsigned pawn = desk_ranked(desk, rank);
        if (pawn == GRAL_NO_PAWN)
            pawn = any_without_ours(desk);
        if (pawn != GRAL_NO_PAWN && desk->sheet->influence[pawn] < totals[rank])
            return (wish){(uint8_t)pawn, totals[rank]};
    }
    return desk_no_wish;
}

aim desk_home_with(const desk *desk, unsigned pawn)
{
    if (pawn == GRAL_NO_PAWN)
        return desk_no_aim;
    return (aim){(uint8_t)pawn, (uint8_t)(desk_has_grail(desk, pawn) ? desk_goal_of(desk, pawn) : desk->open->grail)};
}

bool desk_proposal_wins_for_another(const desk *desk)
{
    const gral_action proposal = desk->open->proposal;
    return tactics_can_end(desk->game, desk->open, proposal) && !desk_would_win(desk, proposal.pawn, proposal.field);
}

bool desk_is_led_astray(const desk *desk, unsigned pawn)
{
    const gral_action proposal = desk->open->proposal;
    return pawn != GRAL_NO_PAWN && proposal.pawn == pawn && desk_has_grail(desk, pawn) &&
           !(proposal.verb == GRAL_STEP && proposal.field == desk_goal_of(desk, pawn));
}

/* "Enough" is half way between what the others have shown and the most they can hold, and one more. */
static unsigned stake(const desk *desk, unsigned pawn)
{
    return desk->trait[TRAIT_SPEND] == SPEND_ALL ? GRAL_POINTS_MAX : rival(desk, pawn, 2) + 1;
}

wish desk_pounce(const desk *desk, unsigned pawn)
{
    return pawn == GRAL_NO_PAWN ? desk_no_wish : (wish){(uint8_t)pawn, (uint8_t)stake(desk, pawn)};
}

wish desk_last_defence(const desk *desk)
{
    const unsigned near = desk_nearly_home(desk, 1);
    return near == GRAL_NO_PAWN ? desk_no_wish : (wish){(uint8_t)near, GRAL_POINTS_MAX};
}

bool desk_at_the_door(const desk *desk)
{
    return desk_nearly_home(desk, 1) != GRAL_NO_PAWN;
}
