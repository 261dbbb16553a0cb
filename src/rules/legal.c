/* What the acting player may do.
 *
 * The options of a state are worked out once, as masks and a range; counting, listing, picking one
 * and choosing at random all read those. Their common order: verbs that stand alone, placements,
 * steps, uncoverings, figures. */
#include "gral/state.h"

#include "bits.h"

#include <assert.h>

static uint16_t verb_bit(enum gral_verb verb)
{
    return (uint16_t)(1u << verb);
}

static unsigned pawns_on_board(const gral_open *open)
{
    unsigned pawns = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        pawns |= (unsigned)gral_on_board(open, pawn) << pawn;
    return pawns;
}

/* R4.1: every initiate to every adjacent field. */
static uint32_t all_steps(const gral_game *game, const gral_open *open)
{
    uint32_t steps = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        steps |= (uint32_t)game->exits[open->pawn[pawn]] << (GRAL_DIRECTIONS * pawn);
    return steps;
}

/* R6.1, R6.2, R4.2: whoever stands within reach of an initiate with enough influence. */
static uint64_t uncoverings(const gral_game *game, const gral_open *open, const gral_sheet *sheet)
{
    uint64_t all = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (sheet->influence[pawn] < GRAL_UNCOVER_PRICE)
            continue;
        const uint32_t strike = game->strike[open->pawn[pawn]];
        unsigned targets = 0;
        for (unsigned target = 0; target < GRAL_PAWNS; target++)
            targets |= (strike >> open->pawn[target] & 1) << target;
        targets &= ~(1u << pawn) & ~(unsigned)open->rejected_uncoverings[pawn];
        all |= (uint64_t)targets << (8 * pawn);
    }
    return all;
}

static bool any_uncovering_rejected(const gral_open *open)
{
    unsigned any = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        any |= open->rejected_uncoverings[pawn];
    return any != 0;
}

static inline __attribute__((always_inline)) gral_options turn_options(const gral_game *game, const gral_open *open,
                                                                       const gral_sheet *sheet)
{
    gral_options options = {0};
    options.steps = all_steps(game, open) & ~open->rejected_steps;
    options.uncoverings = uncoverings(game, open, sheet);
    /* R3.1 at the beginning of the turn; R4.9, R4.10 after a rejection. */
    if (options.steps == 0 || (open->rejected_steps == 0 && !any_uncovering_rejected(open)))
        options.verbs = verb_bit(GRAL_ASSIGN);
    return options;
}

static inline __attribute__((always_inline)) gral_options placing_options(const gral_open *open,
                                                                          const gral_sheet *sheet)
{
    gral_options options = {.verbs = verb_bit(GRAL_DONE)};
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        options.units |= (uint8_t)((sheet->units[kind] > 0) << kind);
    options.pawns = (uint8_t)pawns_on_board(open);
    if (sheet->assigned_to != GRAL_NO_PAWN)
        options.pawns &= (uint8_t)(1u << sheet->assigned_to);
    return options;
}

static inline __attribute__((always_inline)) gral_options figure_options(enum gral_verb refusal, enum gral_verb verb,
                                                                         unsigned least, unsigned most)
{
    gral_options options = {.verbs = verb_bit(refusal)};
    if (least <= most) {
        options.points_verb = (uint8_t)verb;
        options.least = (uint8_t)least;
        options.most = (uint8_t)most;
    }
    return options;
}

/* R5.1, R5.2, R6.5: he may always keep it or let it lie; putting it down after taking it along
 * exists only on the way, and not where keeping it would end the game (R7.2, R8.2). */
static inline __attribute__((always_inline)) gral_options grail_options(const gral_game *game, const gral_open *open)
{
    gral_options options = {.verbs = verb_bit(GRAL_KEEP) | verb_bit(GRAL_LEAVE)};
    const gral_action proposal = open->proposal;
    if (open->stage == GRAL_DEPARTURE && !(game->arrival_ends[proposal.pawn] >> proposal.field & 1) &&
        !(game->pickup_ends[proposal.pawn] >> open->grail & 1))
        options.verbs |= verb_bit(GRAL_DROP);
    return options;
}

/* R4.4, R4.6 */
static inline __attribute__((always_inline)) gral_options objection_options(const gral_open *open,
                                                                            const gral_sheet *sheet)
{
    return figure_options(GRAL_PASS, GRAL_OBJECT, open->claim + 1u, sheet->influence[open->proposal.pawn]);
}

/* R4.5 */
static inline __attribute__((always_inline)) gral_options answer_options(const gral_open *open, const gral_sheet *sheet)
{
    return figure_options(GRAL_YIELD, GRAL_CLAIM, open->objection, sheet->influence[open->proposal.pawn]);
}

gral_options gral_legal_options(const gral_game *game, const gral_state *state)
{
    const gral_open *open = &state->open;
    switch ((enum gral_phase)open->phase) {
    case GRAL_TURN:
        return turn_options(game, open, &state->sheet[open->actor]);
    case GRAL_OPENING:
    case GRAL_PLACING:
        return placing_options(open, &state->sheet[open->actor]);
    case GRAL_OBJECTION:
        return objection_options(open, &state->sheet[open->actor]);
    case GRAL_ANSWER:
        return answer_options(open, &state->sheet[open->actor]);
    case GRAL_GRAIL:
        return grail_options(game, open);
    case GRAL_OVER:
    case GRAL_PHASES:
        break;
    }
    return (gral_options){0};
}

static unsigned figures(const gral_options *options)
{
    return options->points_verb == GRAL_NOTHING ? 0 : options->most - options->least + 1u;
}

__attribute__((always_inline)) static inline unsigned count_options(const gral_options *options)
{
    return bits_count(options->verbs) + bits_count(options->units) * bits_count(options->pawns) +
           bits_count(options->steps) + bits_count(options->uncoverings) + figures(options);
}

static gral_action step_of_bit(const gral_game *game, const gral_open *open, unsigned bit)
{
    const unsigned pawn = bit / GRAL_DIRECTIONS;
    return gral_step(pawn, game->neighbour[open->pawn[pawn]][bit % GRAL_DIRECTIONS], GRAL_NO_PAWN);
}

static gral_action uncovering_of_bit(const gral_open *open, unsigned bit)
{
    const unsigned pawn = bit / GRAL_PAWNS % GRAL_PAWNS, target = bit % GRAL_PAWNS;
    if (open->pawn[pawn] == open->pawn[target])
        return gral_uncover(pawn, target);
    return gral_step(pawn, open->pawn[target], target);
}

static gral_action figure_at(const gral_options *options, unsigned index)
{
    const unsigned points = options->least + index;
    return options->points_verb == GRAL_OBJECT ? gral_object(points) : gral_claim(points);
}

__attribute__((always_inline)) static inline gral_action pick_option(const gral_game *game, const gral_open *open,
                                                                     const gral_options *options, unsigned index)
{
    const unsigned verbs = bits_count(options->verbs);
    if (index < verbs)
        return gral_say((enum gral_verb)bits_select(options->verbs, index));
    index -= verbs;
    if (options->points_verb != GRAL_NOTHING)
        return figure_at(options, index);
    if (options->units != 0) {
        const unsigned pawns = bits_count(options->pawns);
        const unsigned kind = bits_select(options->units, index / pawns);
        return gral_place(gral_unit_value[kind], bits_select(options->pawns, index % pawns));
    }
    const unsigned steps = bits_count(options->steps);
    if (index < steps)
        return step_of_bit(game, open, bits_select(options->steps, index));
    return uncovering_of_bit(open, bits_select(options->uncoverings, index - steps));
}

unsigned gral_options_count(const gral_options *options)
{
    return count_options(options);
}

gral_action gral_options_pick(const gral_game *game, const gral_open *open, const gral_options *options, unsigned index)
{
    return pick_option(game, open, options, index);
}

unsigned gral_legal_list(const gral_game *game, const gral_state *state, gral_action list[GRAL_LEGAL_MAX])
{
    const gral_options options = gral_legal_options(game, state);
    const gral_open *open = &state->open;
    unsigned count = 0;
    for (uint64_t left = options.verbs; left != 0; left &= left - 1)
        list[count++] = gral_say((enum gral_verb)bits_lowest(left));
    for (uint64_t kinds = options.units; kinds != 0; kinds &= kinds - 1)
        for (uint64_t pawns = options.pawns; pawns != 0; pawns &= pawns - 1)
            list[count++] = gral_place(gral_unit_value[bits_lowest(kinds)], bits_lowest(pawns));
    for (uint64_t left = options.steps; left != 0; left &= left - 1)
        list[count++] = step_of_bit(game, open, bits_lowest(left));
    for (uint64_t left = options.uncoverings; left != 0; left &= left - 1)
        list[count++] = uncovering_of_bit(open, bits_lowest(left));
    for (unsigned index = 0; index < figures(&options); index++)
        list[count++] = figure_at(&options, index);
    return count;
}

__attribute__((always_inline)) static inline gral_action draw(const gral_game *game, const gral_open *open,
                                                              gral_options options, gral_random *random)
{
    return pick_option(game, open, &options, gral_random_below(random, count_options(&options)));
}

/* The cases of gral_legal_options once more, so that the compiler sees in each which masks are empty
 * and leaves out their counting: twice as fast. */
gral_action gral_random_action(const gral_game *game, const gral_state *state, gral_random *random)
{
    const gral_open *open = &state->open;
    const gral_sheet *sheet = &state->sheet[open->actor];
    switch ((enum gral_phase)open->phase) {
    case GRAL_TURN:
        return draw(game, open, turn_options(game, open, sheet), random);
    case GRAL_OPENING:
    case GRAL_PLACING:
        return draw(game, open, placing_options(open, sheet), random);
    case GRAL_OBJECTION:
        return draw(game, open, objection_options(open, sheet), random);
    case GRAL_ANSWER:
        return draw(game, open, answer_options(open, sheet), random);
    case GRAL_GRAIL:
        return draw(game, open, grail_options(game, open), random);
    case GRAL_OVER:
    case GRAL_PHASES:
        break;
    }
    assert(!"a game that is over has no action");
    return gral_say(GRAL_NOTHING);
}
