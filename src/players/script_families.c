#include "script_families.h"

#include "distance.h"

#include <assert.h>
#include <string.h>

/* --- for training --- */

/* Waiters place nothing and announce empty assignments until somebody else's initiate has the grail near home; then
 * they outbid everybody on him. Some lead initiates that nobody holds, so that there is something to pounce on. */

static wish waiter_wish(const desk *desk)
{
    return desk_pounce(desk, desk_nearly_home(desk, desk->trait[TRAIT_STEPS]));
}

static aim waiter_aim(const desk *desk)
{
    const unsigned near = desk_nearly_home(desk, desk->trait[TRAIT_STEPS]);
    if (near != GRAL_NO_PAWN)
        return desk_leads(desk, near) ? desk_home_with(desk, near) : desk_no_aim;
    if (gral_random_below(desk->random, 100) >= desk->trait[TRAIT_LURE])
        return desk_no_aim;
    unsigned lured = GRAL_NO_PAWN, fewest = UINT8_MAX;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(desk->open, pawn) && desk_way_to_go(desk, pawn) < fewest) {
            lured = pawn;
            fewest = desk_way_to_go(desk, pawn);
        }
    return desk_home_with(desk, lured);
}

static unsigned waiter_goes_to(const desk *desk)
{
    const unsigned pawn = desk->open->proposal.pawn;
    return desk_proposal_wins_for_another(desk) || desk_is_led_astray(desk, pawn) ? desk->sheet->influence[pawn] : 0;
}

/* The carrier has two favourites and the word of neither is out: it adds to them in secret before it moves one, and
 * keeps the rest of its sheet for the last steps. */

static wish carrier_opening(const desk *desk)
{
    const uint8_t halves[] = {desk->trait[TRAIT_FIRST] / 2, desk->trait[TRAIT_SECOND] / 2};
    return desk_wish_in_order(desk, halves, 2);
}

static unsigned carrier_favourite(const desk *desk)
{
    const unsigned first = desk_ranked(desk, 0), second = desk_ranked(desk, 1);
    if (second == GRAL_NO_PAWN || (first != GRAL_NO_PAWN && desk_leads(desk, first)))
        return first;
    return desk_leads(desk, second) ? second : first;
}

static wish carrier_wish(const desk *desk)
{
    const unsigned favourite = carrier_favourite(desk);
    if (desk_at_the_door(desk) && !desk_has_grail(desk, favourite))
        return desk_last_defence(desk);
    if (favourite != GRAL_NO_PAWN && favourite == desk_nearly_home(desk, desk->trait[TRAIT_STEPS]))
        return desk_pounce(desk, favourite);
    const uint8_t totals[] = {desk->trait[TRAIT_FIRST], desk->trait[TRAIT_SECOND]};
    return desk_wish_in_order(desk, totals, 2);
}

static aim favourites_aim(const desk *desk)
{
    return desk_home_with(desk, carrier_favourite(desk));
}

static unsigned favourites_goes_to(const desk *desk)
{
    const gral_action proposal = desk->open->proposal;
    const bool resists = desk_proposal_wins_for_another(desk) || desk_is_led_astray(desk, carrier_favourite(desk)) ||
                         proposal.target == carrier_favourite(desk);
    return resists ? desk->sheet->influence[proposal.pawn] : 0;
}

static bool strikes_with_favourite(const desk *desk, gral_action uncovering)
{
    return uncovering.pawn == carrier_favourite(desk) && uncovering.target == desk->open->bearer;
}

/* The uncoverer puts tens on several initiates, keeps one of them beside the bearer, strikes when the bearer is near
 * home, and carries on with what it has taken. */

static wish uncoverer_opening(const desk *desk)
{
    uint8_t tens[GRAL_PAWNS];
    memset(tens, desk->trait[TRAIT_POINTS], sizeof tens);
    return desk_wish_in_order(desk, tens, desk->trait[TRAIT_COUNT]);
}

static wish uncoverer_wish(const desk *desk)
{
    const unsigned near = desk_nearly_home(desk, desk->trait[TRAIT_STEPS]);
    return near != GRAL_NO_PAWN && desk_is_ours(desk, near) ? desk_pounce(desk, near) : desk_no_wish;
}

static aim uncoverer_aim(const desk *desk)
{
    unsigned nearest = GRAL_NO_PAWN, fewest = UINT8_MAX;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(desk->open, pawn) || desk->sheet->influence[pawn] < GRAL_UNCOVER_PRICE)
            continue;
        const unsigned way = distance(desk->open->pawn[pawn], desk->open->grail);
        if (desk_has_grail(desk, pawn) || way < fewest) {
            nearest = pawn;
            fewest = desk_has_grail(desk, pawn) ? 0 : way;
        }
    }
    return desk_home_with(desk, nearest);
}

static bool uncoverer_strikes(const desk *desk, gral_action uncovering)
{
    const unsigned bearer = desk->open->bearer;
    return bearer != GRAL_NO_PAWN && uncovering.target == bearer && !desk_leads(desk, bearer) &&
           desk_way_to_go(desk, bearer) <= desk->trait[TRAIT_STEPS] + 1u;
}

/* The blocker holds a little on many and says no to everything, as cheaply as it can. */

static wish blocker_opening(const desk *desk)
{
    return uncoverer_opening(desk);
}

static wish blocker_wish(const desk *desk)
{
    return desk_pounce(desk, desk_nearly_home(desk, desk->trait[TRAIT_STEPS]));
}

static unsigned blocker_goes_to(const desk *desk)
{
    return desk->sheet->influence[desk->open->proposal.pawn];
}

/* The medley has its opening, its wishes, its aim, what it uncovers and what it resists from different ideas, so
 * that hundreds of players are one family. */

static wish medley_opening(const desk *desk)
{
    const uint8_t favourites[] = {2 * desk->trait[TRAIT_POINTS], desk->trait[TRAIT_POINTS]};
    uint8_t even[GRAL_PAWNS];
    memset(even, GRAL_POINTS_MAX / (1 + desk->trait[TRAIT_COUNT]), sizeof even);
    switch (desk->trait[TRAIT_OPENS]) {
    case 1:
        return desk_no_wish;
    case 2:
        return uncoverer_opening(desk);
    case 3:
        return desk_wish_in_order(desk, favourites, 2);
    default:
        return desk_wish_in_order(desk, even, 1 + desk->trait[TRAIT_COUNT]);
    }
}

/* Somebody beside the bearer who could rob him. */
static wish wish_for_a_striker(const desk *desk)
{
    const gral_open *open = desk->open;
    unsigned nearest = GRAL_NO_PAWN, fewest = UINT8_MAX;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS && open->bearer != GRAL_NO_PAWN; pawn++) {
        if (!gral_on_board(open, pawn) || pawn == open->bearer)
            continue;
        const unsigned way = 2 * distance(open->pawn[pawn], open->grail) + !desk_is_ours(desk, pawn);
        if (way < fewest) {
            nearest = pawn;
            fewest = way;
        }
    }
    return (wish){(uint8_t)nearest, desk->trait[TRAIT_POINTS]};
}

static wish medley_wish(const desk *desk)
{
    switch (desk->trait[TRAIT_WANTS]) {
    case 1:
        return waiter_wish(desk);
    case 2:
        return uncoverer_wish(desk);
    case 3:
        return desk_at_the_door(desk) ? desk_last_defence(desk) : wish_for_a_striker(desk);
    default:
        return desk_at_the_door(desk) ? desk_last_defence(desk) : medley_opening(desk);
    }
}

/* Whoever bears the grail is led towards home with a loaded initiate always on the field he comes to, who can rob him
 * as soon as others have spent their points on him. */
static aim escort_aim(const desk *desk)
{
    const gral_open *open = desk->open;
    const unsigned striker = desk_ranked(desk, 0), bearer = open->bearer;
    if (bearer == GRAL_NO_PAWN)
        return desk_home_with(desk, distance_nearest(open, ~0u, striker));
    if (striker == GRAL_NO_PAWN || striker == bearer)
        return desk_home_with(desk, striker);
    const unsigned goal = desk_goal_of(desk, bearer), here = open->pawn[bearer], there = open->pawn[striker];
    if (here == there)
        return (aim){(uint8_t)striker, (uint8_t)goal};
    if (distance(here, there) == 1 && distance(there, goal) < distance(here, goal))
        return (aim){(uint8_t)bearer, (uint8_t)there};
    return (aim){(uint8_t)striker, (uint8_t)here};
}

static aim medley_aim(const desk *desk)
{
    switch (desk->trait[TRAIT_LEADS]) {
    case 1:
        return waiter_aim(desk);
    case 2:
        return uncoverer_aim(desk);
    case 3:
        return favourites_aim(desk);
    case 4:
        return escort_aim(desk);
    default:
        return desk_home_with(desk, gral_random_below(desk->random, GRAL_PAWNS));
    }
}

static bool medley_strikes(const desk *desk, gral_action uncovering)
{
    const unsigned target = uncovering.target;
    switch (desk->trait[TRAIT_STRIKES]) {
    case 1:
        return false;
    case 2:
        return uncoverer_strikes(desk, uncovering);
    case 3:
        return strikes_with_favourite(desk, uncovering);
    default: /* whoever the next player has shown more on, too */
        return desk->open->bearer == target ? !desk_leads(desk, target)
                                            : gral_floor(desk->open, (desk->seat + 1) % desk->open->players, target) >
                                                  desk->sheet->influence[target];
    }
}

static unsigned medley_goes_to(const desk *desk)
{
    switch (desk->trait[TRAIT_RESISTS]) {
    case 1:
        return waiter_goes_to(desk);
    case 2:
        return blocker_goes_to(desk);
    case 3:
        return favourites_goes_to(desk);
    default:
        return desk_proposal_wins_for_another(desk) ? blocker_goes_to(desk) : blocker_goes_to(desk) / 2;
    }
}

/* --- held out --- */

/* The ambusher has a loaded member waiting on each of several headquarters. It leads whoever bears the grail onto one
 * that is not his own, uncovers him there and takes the grail up at home (R7.1). */

static bool lies_in_wait(const desk *desk, unsigned pawn)
{
    return gral_on_board(desk->open, pawn) && desk->open->pawn[pawn] == desk->game->home[pawn / 2] &&
           desk->sheet->influence[pawn] >= GRAL_UNCOVER_PRICE;
}

/* The trap nearest to the grail for whoever bears it. */
static unsigned ambusher_trap(const desk *desk)
{
    unsigned traps = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const bool other_society = desk->open->bearer == GRAL_NO_PAWN || desk->open->bearer / 2 != pawn / 2;
        traps |= (unsigned)(lies_in_wait(desk, pawn) && other_society) << pawn;
    }
    return distance_nearest(desk->open, traps, GRAL_NO_PAWN);
}

static wish ambusher_wish(const desk *desk)
{
    const unsigned trap = ambusher_trap(desk);
    if (desk_at_the_door(desk))
        return desk_last_defence(desk);
    if (trap == GRAL_NO_PAWN || desk->open->bearer == GRAL_NO_PAWN ||
        distance(desk->open->grail, desk->open->pawn[trap]) > desk->trait[TRAIT_STEPS])
        return desk_no_wish;
    return (wish){(uint8_t)trap, GRAL_POINTS_MAX};
}

static aim ambusher_aim(const desk *desk)
{
    const unsigned trap = ambusher_trap(desk);
    if (trap == GRAL_NO_PAWN)
        return desk_no_aim;
    if (desk->open->bearer != GRAL_NO_PAWN)
        return (aim){desk->open->bearer, desk->open->pawn[trap]};
    unsigned others = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        others |= (unsigned)(!desk_is_ours(desk, pawn) && pawn / 2 != trap / 2) << pawn;
    const unsigned nearest = distance_nearest(desk->open, others, GRAL_NO_PAWN);
    if (nearest == GRAL_NO_PAWN)
        return desk_no_aim;
    const bool there = desk->open->pawn[nearest] == desk->open->grail;
    return (aim){(uint8_t)nearest, there ? desk->open->pawn[trap] : desk->open->grail};
}

static bool ambusher_strikes(const desk *desk, gral_action uncovering)
{
    if (uncovering.target != desk->open->bearer || desk_leads(desk, uncovering.target))
        return false;
    return desk->game->home[uncovering.pawn / 2] == desk->open->pawn[uncovering.target] || desk_at_the_door(desk);
}

/* The shadow follows the bearer: a little more on him every time the others lead him, and they do the walking. */

static unsigned times_led(const desk *desk, unsigned pawn)
{
    unsigned times = 0;
    for (size_t index = 0; index < desk->question->heard_count; index++) {
        const gral_entry *entry = &desk->question->heard[index];
        times += entry->seat != desk->seat && entry->action.verb == GRAL_STEP && entry->action.pawn == pawn;
    }
    return times;
}

static wish shadow_wish(const desk *desk)
{
    if (desk_at_the_door(desk))
        return desk_last_defence(desk);
    const unsigned bearer = desk->open->bearer;
    if (bearer == GRAL_NO_PAWN)
        return desk_no_wish;
    const unsigned total = times_led(desk, bearer) * desk->trait[TRAIT_POINTS];
    return (wish){(uint8_t)bearer, (uint8_t)(total < GRAL_POINTS_MAX ? total : GRAL_POINTS_MAX)};
}

static aim shadow_aim(const desk *desk)
{
    const unsigned near = desk_nearly_home(desk, desk->trait[TRAIT_STEPS]);
    return near != GRAL_NO_PAWN && desk_leads(desk, near) ? desk_home_with(desk, near) : desk_no_aim;
}

/* The sprinter bets nearly everything on one initiate before the first turn, runs, and shows all it has at once. */

static wish sprinter_opening(const desk *desk)
{
    return desk_wish_in_order(desk, &desk->trait[TRAIT_FIRST], 1);
}

static wish sprinter_wish(const desk *desk)
{
    const unsigned favourite = desk_ranked(desk, 0);
    return favourite == GRAL_NO_PAWN ? sprinter_opening(desk) : desk_pounce(desk, favourite);
}

/* The miser holds everything back for so many of its turns, then bets it on whoever is nearest to winning, and runs. */

static wish miser_wish(const desk *desk)
{
    if (desk_at_the_door(desk))
        return desk_last_defence(desk);
    if (desk->open->turn <= (uint32_t)desk->trait[TRAIT_TURNS] * desk->open->players)
        return desk_no_wish;
    const unsigned favourite = desk_ranked(desk, 0);
    return favourite != GRAL_NO_PAWN ? desk_pounce(desk, favourite)
                                     : desk_pounce(desk, desk_nearly_home(desk, UINT8_MAX - 1u));
}

/* Who has nobody yet, with nobody near the grail, leads somebody there. */
static aim miser_aim(const desk *desk)
{
    if (desk->open->turn <= (uint32_t)desk->trait[TRAIT_TURNS] * desk->open->players)
        return desk_no_aim;
    if (desk_ranked(desk, 0) != GRAL_NO_PAWN)
        return favourites_aim(desk);
    unsigned nearest = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (gral_on_board(desk->open, pawn) &&
            (!gral_on_board(desk->open, nearest) || desk_way_to_go(desk, pawn) < desk_way_to_go(desk, nearest)))
            nearest = pawn;
    return desk_home_with(desk, nearest);
}

/* The thief has a ten or more with one initiate of each society, robs the bearer wherever he is, and takes the grail
 * home with what it has kept. */

static wish thief_opening(const desk *desk)
{
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++) {
        const unsigned tall = 2 * society, both = desk->sheet->influence[tall] + desk->sheet->influence[tall + 1];
        if (both >= desk->trait[TRAIT_POINTS])
            continue;
        const bool the_tall_one = both > 0 ? desk_is_ours(desk, tall) : gral_random_below(desk->random, 2) == 0;
        return (wish){(uint8_t)(the_tall_one ? tall : tall + 1), desk->trait[TRAIT_POINTS]};
    }
    return desk_no_wish;
}

static wish thief_wish(const desk *desk)
{
    const unsigned near = desk_nearly_home(desk, desk->trait[TRAIT_STEPS]);
    return near != GRAL_NO_PAWN && desk_is_ours(desk, near) ? desk_pounce(desk, near) : desk_last_defence(desk);
}

static bool thief_strikes(const desk *desk, gral_action uncovering)
{
    return uncovering.target == desk->open->bearer && !desk_leads(desk, uncovering.target);
}

/* The spoiler does not wait for a bearer: whomever the others have led, it walks a loaded initiate to him and uncovers
 * him, before he has done anything for them. */

static wish spoiler_wish(const desk *desk)
{
    return desk_at_the_door(desk) ? desk_last_defence(desk) : uncoverer_opening(desk);
}

static bool is_spoiled(const desk *desk, unsigned pawn)
{
    return pawn != GRAL_NO_PAWN && gral_on_board(desk->open, pawn) && !desk_leads(desk, pawn) &&
           (pawn == desk->open->bearer || times_led(desk, pawn) > 0);
}

/* The one nearest to the grail. */
static unsigned spoilers_victim(const desk *desk)
{
    unsigned victims = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        victims |= (unsigned)is_spoiled(desk, pawn) << pawn;
    return distance_nearest(desk->open, victims, GRAL_NO_PAWN);
}

static aim spoiler_aim(const desk *desk)
{
    const unsigned victim = spoilers_victim(desk);
    unsigned nearest = GRAL_NO_PAWN, fewest = UINT8_MAX;
    if (victim == GRAL_NO_PAWN || desk_has_grail(desk, desk_ranked(desk, 0)))
        return favourites_aim(desk);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const bool loaded = gral_on_board(desk->open, pawn) && desk->sheet->influence[pawn] >= GRAL_UNCOVER_PRICE;
        if (!loaded || pawn == victim || distance(desk->open->pawn[pawn], desk->open->pawn[victim]) >= fewest)
            continue;
        nearest = pawn;
        fewest = distance(desk->open->pawn[pawn], desk->open->pawn[victim]);
    }
    return (aim){(uint8_t)nearest, desk->open->pawn[victim]};
}

static bool spoiler_strikes(const desk *desk, gral_action uncovering)
{
    return is_spoiled(desk, uncovering.target);
}

/* The creditor lets the others spend first: it leads on whomever they have shown the most, so that they show more, and
 * bets everything once they have shown and paid enough. */

static bool others_have_spent(const desk *desk)
{
    unsigned spent = 0;
    for (unsigned seat = 0; seat < desk->open->players; seat++)
        for (unsigned pawn = 0; pawn < GRAL_PAWNS && seat != desk->seat; pawn++)
            spent += desk->open->known[seat][pawn] + desk->open->paid[seat][pawn];
    return spent >= desk->trait[TRAIT_FIRST];
}

static wish creditor_wish(const desk *desk)
{
    const unsigned favourite = desk_ranked(desk, 0);
    if (desk_at_the_door(desk) || !others_have_spent(desk))
        return desk_last_defence(desk);
    return desk_pounce(desk, favourite != GRAL_NO_PAWN ? favourite : desk_nearly_home(desk, UINT8_MAX - 1u));
}

static aim creditor_aim(const desk *desk)
{
    unsigned shown = GRAL_NO_PAWN, most = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        for (unsigned seat = 0; seat < desk->open->players; seat++)
            if (gral_on_board(desk->open, pawn) && seat != desk->seat && gral_floor(desk->open, seat, pawn) > most) {
                most = gral_floor(desk->open, seat, pawn);
                shown = pawn;
            }
    if (desk_ranked(desk, 0) != GRAL_NO_PAWN)
        return favourites_aim(desk);
    if (shown == GRAL_NO_PAWN)
        shown = distance_nearest(desk->open, ~0u, GRAL_NO_PAWN);
    return desk_nearly_home(desk, 2) == GRAL_NO_PAWN ? desk_home_with(desk, shown) : desk_no_aim;
}

/* The mirror does with one member of a society what the others do with the other one: it walks him after his fellow and
 * adds to him as often as they announce, so that he stands by when the fellow has the grail. */

static unsigned times_announced(const desk *desk)
{
    unsigned times = 0;
    for (size_t index = 0; index < desk->question->heard_count; index++) {
        const gral_entry *entry = &desk->question->heard[index];
        times += entry->seat != desk->seat && entry->action.verb == GRAL_ASSIGN;
    }
    return times;
}

/* The fellow of whom the others led last. */
static unsigned mirrored(const desk *desk)
{
    for (size_t index = desk->question->heard_count; index-- > 0;) {
        const gral_entry *entry = &desk->question->heard[index];
        if (entry->seat == desk->seat || entry->action.verb != GRAL_STEP)
            continue;
        const unsigned fellow = entry->action.pawn ^ 1u;
        return gral_on_board(desk->open, fellow) ? fellow : GRAL_NO_PAWN;
    }
    return GRAL_NO_PAWN;
}

static wish mirror_wish(const desk *desk)
{
    enum { MOST = 60 };
    const unsigned near = desk_nearly_home(desk, desk->trait[TRAIT_STEPS]);
    if (near != GRAL_NO_PAWN && desk_is_ours(desk, near))
        return desk_pounce(desk, near);
    const unsigned total = times_announced(desk) * desk->trait[TRAIT_POINTS];
    return desk_at_the_door(desk) ? desk_last_defence(desk)
                                  : (wish){(uint8_t)mirrored(desk), (uint8_t)(total < MOST ? total : MOST)};
}

static aim mirror_aim(const desk *desk)
{
    const unsigned fellow = mirrored(desk);
    if (fellow == GRAL_NO_PAWN || desk_has_grail(desk, fellow))
        return desk_home_with(desk, fellow);
    return (aim){(uint8_t)fellow, desk->open->grail};
}

/* --- all of them --- */

const script_family script_families[] = {
    {
        .use = SCRIPT_FOR_TRAINING, /* waiter */
        .trait = {[TRAIT_STEPS] = {1, 3, 1},
                  [TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ALL},
                  [TRAIT_LURE] = {0, 60, 0}},
        .wish = waiter_wish,
        .aim = waiter_aim,
        .goes_to = waiter_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* carrier */
        .trait = {[TRAIT_STEPS] = {1, 3, 1},
                  [TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ENOUGH},
                  [TRAIT_FIRST] = {20, 60, 40},
                  [TRAIT_SECOND] = {10, 30, 20}},
        .opening = carrier_opening,
        .wish = carrier_wish,
        .aim = favourites_aim,
        .strikes = strikes_with_favourite,
        .goes_to = favourites_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* uncoverer */
        .trait = {[TRAIT_STEPS] = {1, 3, 2},
                  [TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ALL},
                  [TRAIT_COUNT] = {1, 4, 3},
                  [TRAIT_POINTS] = {10, 24, 15}},
        .opening = uncoverer_opening,
        .wish = uncoverer_wish,
        .aim = uncoverer_aim,
        .strikes = uncoverer_strikes,
        .goes_to = waiter_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* blocker */
        .trait = {[TRAIT_STEPS] = {1, 3, 1},
                  [TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ALL},
                  [TRAIT_COUNT] = {3, 8, 8},
                  [TRAIT_POINTS] = {1, 12, 6}},
        .opening = blocker_opening,
        .wish = blocker_wish,
        .aim = waiter_aim,
        .goes_to = blocker_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* medley */
        .trait = {[TRAIT_STEPS] = {1, 3, 2},
                  [TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ALL},
                  [TRAIT_COUNT] = {1, 4, 3},
                  [TRAIT_POINTS] = {10, 30, 15},
                  [TRAIT_OPENS] = {1, 4, 3},
                  [TRAIT_WANTS] = {1, 4, 3},
                  [TRAIT_LEADS] = {1, 5, 3},
                  [TRAIT_STRIKES] = {1, 4, 2},
                  [TRAIT_RESISTS] = {1, 4, 4}},
        .opening = medley_opening,
        .wish = medley_wish,
        .aim = medley_aim,
        .strikes = medley_strikes,
        .goes_to = medley_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* ambusher */
        .trait = {[TRAIT_STEPS] = {1, 3, 1}, [TRAIT_COUNT] = {2, 4, 3}, [TRAIT_POINTS] = {10, 20, 15}},
        .opening = uncoverer_opening,
        .wish = ambusher_wish,
        .aim = ambusher_aim,
        .strikes = ambusher_strikes,
        .goes_to = waiter_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* shadow */
        .trait = {[TRAIT_STEPS] = {1, 3, 2}, [TRAIT_POINTS] = {2, 10, 5}},
        .wish = shadow_wish,
        .aim = shadow_aim,
        .goes_to = waiter_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* sprinter */
        .loud = true,
        .trait = {[TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ENOUGH}, [TRAIT_FIRST] = {50, 100, 80}},
        .opening = sprinter_opening,
        .wish = sprinter_wish,
        .aim = favourites_aim,
        .strikes = strikes_with_favourite,
        .goes_to = favourites_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* miser */
        .trait = {[TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ALL}, [TRAIT_TURNS] = {3, 30, 8}},
        .wish = miser_wish,
        .aim = miser_aim,
        .strikes = strikes_with_favourite,
        .goes_to = favourites_goes_to,
    },
    {
        .use = SCRIPT_FOR_TRAINING, /* thief */
        .trait = {[TRAIT_STEPS] = {1, 3, 2},
                  [TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ENOUGH},
                  [TRAIT_POINTS] = {10, 20, 10}},
        .opening = thief_opening,
        .wish = thief_wish,
        .aim = uncoverer_aim,
        .strikes = thief_strikes,
        .goes_to = waiter_goes_to,
    },
    {
        .use = SCRIPT_HELD_OUT, /* spoiler */
        .trait = {[TRAIT_COUNT] = {1, 4, 2}, [TRAIT_POINTS] = {10, 30, 20}},
        .opening = uncoverer_opening,
        .wish = spoiler_wish,
        .aim = spoiler_aim,
        .strikes = spoiler_strikes,
        .goes_to = waiter_goes_to,
    },
    {
        .use = SCRIPT_HELD_OUT, /* creditor */
        .trait = {[TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ALL}, [TRAIT_FIRST] = {5, 60, 20}},
        .wish = creditor_wish,
        .aim = creditor_aim,
        .strikes = strikes_with_favourite,
        .goes_to = favourites_goes_to,
    },
    {
        .use = SCRIPT_HELD_OUT, /* mirror */
        .trait = {[TRAIT_STEPS] = {1, 3, 2},
                  [TRAIT_SPEND] = {SPEND_ALL, SPEND_ENOUGH, SPEND_ALL},
                  [TRAIT_POINTS] = {5, 20, 10}},
        .wish = mirror_wish,
        .aim = mirror_aim,
        .strikes = thief_strikes,
        .goes_to = waiter_goes_to,
    },
};
static_assert(sizeof script_families / sizeof *script_families == SCRIPT_FAMILIES, "an idea for every name");
