/* Actions as numbers and back. */
#include "gral/env.h"

#include "frame.h"

#include <assert.h>

const uint8_t gral_figure[GRAL_FIGURES] = {1, 2, 3, 5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70, UINT8_MAX};
enum { FIGURE_ALL = GRAL_FIGURES - 1 };

static const uint8_t word[] = {GRAL_ASSIGN, GRAL_DONE, GRAL_PASS, GRAL_YIELD, GRAL_KEEP, GRAL_DROP, GRAL_LEAVE};
enum { WORDS = sizeof word };
static_assert(sizeof word == GRAL_NUMBER_FIGURE, "words come before figures");
static_assert(GRAL_NUMBERS == 174 && GRAL_NUMBERS < GRAL_NUMBER_NONE, "the table of gral/env.h");

extern inline bool gral_numbers_has(const gral_numbers *numbers, unsigned number); /* for those who link */

static void add(gral_numbers *numbers, unsigned number)
{
    numbers->word[number / 64] |= UINT64_C(1) << (number % 64);
}

static void add_many(gral_numbers *numbers, unsigned from, uint64_t bits)
{
    const unsigned shift = from % 64;
    numbers->word[from / 64] |= bits << shift;
    if (shift > 0 && from / 64 + 1 < GRAL_NUMBER_SETS)
        numbers->word[from / 64 + 1] |= bits >> (64 - shift);
}

/* --- figures --- */

/* The number that stands for the least legal figure: the last that is not above it. */
static unsigned lowest_figure(const gral_options *options)
{
    unsigned index = 0;
    while (index + 1 < FIGURE_ALL && gral_figure[index + 1] <= options->least)
        index++;
    return index;
}

static unsigned figure_points(const gral_options *options, unsigned index)
{
    if (index == FIGURE_ALL)
        return options->most;
    return gral_figure[index] > options->least ? gral_figure[index] : options->least;
}

static void add_figures(gral_numbers *numbers, const gral_options *options)
{
    unsigned index = lowest_figure(options), points = 0;
    for (; index < FIGURE_ALL && figure_points(options, index) <= options->most; index++) {
        add(numbers, GRAL_NUMBER_FIGURE + index);
        points = figure_points(options, index);
    }
    if (points < options->most)
        add(numbers, GRAL_NUMBER_FIGURE + FIGURE_ALL);
}

static unsigned figure_number(const gral_options *options, unsigned points)
{
    unsigned index = lowest_figure(options);
    while (index + 1 < FIGURE_ALL && gral_figure[index + 1] <= points)
        index++;
    const bool all = points == options->most && figure_points(options, index) < points;
    return GRAL_NUMBER_FIGURE + (all ? FIGURE_ALL : index);
}

/* --- units --- */

static unsigned largest_kind(uint8_t kinds)
{
    return (unsigned)__builtin_ctz(kinds);
}

static unsigned smallest_kind(uint8_t kinds)
{
    return 31 - (unsigned)__builtin_clz(kinds);
}

static bool several(uint8_t set)
{
    return (set & (set - 1)) != 0;
}

/* Everything at once can begin an assignment, or go on after its smallest unit: it must not be the same as the next
 * unit in order. */
static uint8_t pawns_for_all(const gral_outlook *outlook)
{
    const gral_options *options = outlook->options;
    const gral_memory *memory = outlook->memory;
    if (memory->last_pawn == GRAL_NO_PAWN)
        return several(options->units) ? options->pawns : 0;
    if (largest_kind(options->units) >= memory->last_kind)
        return 0;
    return (uint8_t)(options->pawns & 1U << memory->last_pawn);
}

static void add_units(gral_numbers *numbers, const gral_outlook *outlook)
{
    const gral_options *options = outlook->options;
    const gral_memory *memory = outlook->memory;
    for (unsigned kind = memory->last_kind; kind < GRAL_UNIT_KINDS; kind++)
        if (options->units >> kind & 1)
            add_many(numbers, GRAL_NUMBER_PLACE + GRAL_PAWNS * kind, options->pawns);
    add_many(numbers, GRAL_NUMBER_ALL, pawns_for_all(outlook));
}

/* He has said that everything goes there. */
static void add_rest(gral_numbers *numbers, const gral_outlook *outlook)
{
    const unsigned kind = largest_kind(outlook->options->units);
    add(numbers, GRAL_NUMBER_PLACE + GRAL_PAWNS * kind + outlook->memory->last_pawn);
}

static gral_action all_action(const gral_outlook *outlook, unsigned pawn)
{
    const uint8_t kinds = outlook->options->units;
    const bool begun = outlook->memory->last_pawn != GRAL_NO_PAWN;
    return gral_place(gral_unit_value[begun ? largest_kind(kinds) : smallest_kind(kinds)], pawn);
}

static unsigned unit_number(const gral_outlook *outlook, gral_action action)
{
    const unsigned number = GRAL_NUMBER_PLACE + GRAL_PAWNS * kind_of_unit(action.points) + action.pawn;
    const gral_numbers legal = gral_numbers_of(outlook);
    if (gral_numbers_has(&legal, number))
        return number;
    const unsigned all = GRAL_NUMBER_ALL + action.pawn;
    if (gral_numbers_has(&legal, all) && gral_same_action(all_action(outlook, action.pawn), action))
        return all;
    return GRAL_NUMBER_NONE;
}

/* --- steps --- */

static void add_steps(gral_numbers *numbers, const gral_outlook *outlook)
{
    const uint32_t steps = outlook->options->steps;
    uint32_t seen = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const unsigned shift = GRAL_DIRECTIONS * pawn;
        seen |= (uint32_t)frame_seen_steps(pawn / 2, outlook->mirrored, steps >> shift & 0xf) << shift;
    }
    add_many(numbers, GRAL_NUMBER_STEP, seen);
}

static gral_action step_action(const gral_outlook *outlook, unsigned pawn, unsigned seen)
{
    const unsigned real = frame_real(pawn / 2, outlook->mirrored, seen);
    return gral_step(pawn, outlook->game->neighbour[outlook->open->pawn[pawn]][real], GRAL_NO_PAWN);
}

static unsigned step_number(const gral_outlook *outlook, gral_action action)
{
    unsigned seen = 0;
    while (step_action(outlook, action.pawn, seen).field != action.field)
        seen++;
    return GRAL_NUMBER_STEP + (unsigned)GRAL_DIRECTIONS * action.pawn + seen;
}

static gral_action uncovering_action(const gral_open *open, unsigned pawn, unsigned target)
{
    if (open->pawn[pawn] == open->pawn[target])
        return gral_uncover(pawn, target);
    return gral_step(pawn, open->pawn[target], target);
}

/* --- all together --- */

gral_numbers gral_numbers_of(const gral_outlook *outlook)
{
    const gral_options *options = outlook->options;
    gral_numbers numbers = {0};
    if (options->units != 0 && outlook->memory->everything) {
        add_rest(&numbers, outlook);
        return numbers;
    }
    for (unsigned index = 0; index < WORDS; index++)
        if (options->verbs >> word[index] & 1)
            add(&numbers, index);
    if (options->points_verb != GRAL_NOTHING)
        add_figures(&numbers, options);
    if (options->units != 0)
        add_units(&numbers, outlook);
    if (options->steps != 0)
        add_steps(&numbers, outlook);
    if (options->uncoverings != 0)
        add_many(&numbers, GRAL_NUMBER_UNCOVER, options->uncoverings);
    return numbers;
}

gral_action gral_number_action(const gral_outlook *outlook, unsigned number)
{
    assert(number < GRAL_NUMBERS);
    const gral_options *options = outlook->options;
    if (number >= GRAL_NUMBER_UNCOVER) {
        number -= GRAL_NUMBER_UNCOVER;
        return uncovering_action(outlook->open, number / GRAL_PAWNS, number % GRAL_PAWNS);
    }
    if (number >= GRAL_NUMBER_STEP) {
        number -= GRAL_NUMBER_STEP;
        return step_action(outlook, number / GRAL_DIRECTIONS, number % GRAL_DIRECTIONS);
    }
    if (number >= GRAL_NUMBER_PLACE) {
        number -= GRAL_NUMBER_PLACE;
        return gral_place(gral_unit_value[number / GRAL_PAWNS], number % GRAL_PAWNS);
    }
    if (number >= GRAL_NUMBER_ALL)
        return all_action(outlook, number - GRAL_NUMBER_ALL);
    if (number >= GRAL_NUMBER_FIGURE) {
        const unsigned points = figure_points(options, number - GRAL_NUMBER_FIGURE);
        return options->points_verb == GRAL_OBJECT ? gral_object(points) : gral_claim(points);
    }
    return gral_say((enum gral_verb)word[number]);
}

unsigned gral_action_number(const gral_outlook *outlook, gral_action action)
{
    switch ((enum gral_verb)action.verb) {
    case GRAL_PLACE:
        return unit_number(outlook, action);
    case GRAL_OBJECT:
    case GRAL_CLAIM:
        return figure_number(outlook->options, action.points);
    case GRAL_STEP:
        if (action.target == GRAL_NO_PAWN)
            return step_number(outlook, action);
        return GRAL_NUMBER_UNCOVER + (unsigned)GRAL_PAWNS * action.pawn + action.target;
    case GRAL_UNCOVER:
        return GRAL_NUMBER_UNCOVER + (unsigned)GRAL_PAWNS * action.pawn + action.target;
    default:
        break;
    }
    unsigned index = 0;
    while (word[index] != action.verb)
        index++;
    return index;
}
