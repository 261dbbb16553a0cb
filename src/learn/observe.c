/* What a seat knows, as numbers. Everything comes from the outlook, which knows of one sheet only (R10.2).
 *
 * A sight is worked out for all eight initiates at once (eight.h), as a column; the columns are then turned into the
 * rows of the observation. What concerns one initiate, and what is rare, is written into its row afterwards. Nobody
 * who has left the board stands near anything or has anything on him: the columns begin with that, so that most sights
 * of him are 0 by themselves. */
#include "gral/env.h"

#include "eight.h"
#include "frame.h"

#include <assert.h>

enum { YES = 100, MOST = 127 };

static int8_t times(unsigned count, unsigned each)
{
    const unsigned product = count * each;
    return (int8_t)(product < MOST ? product : MOST);
}

static int8_t yes(bool it_is)
{
    return (int8_t)(it_is * YES);
}

/* A count of up to 7, 20 or 25 each: what is too much has become negative. */
static eight times_up_to_most(eight count, unsigned each)
{
    const eight product = eight_times(count, each);
    return eight_pick(product < 0, eight_all(MOST), product);
}

/* Where something is: columns in the lower half, rows in the upper one; seen from home, x and y. */
typedef sixteen place;

static place place_of(eight field)
{
    const eight row = -((field >= 5) + (field >= 10) + (field >= 15) + (field >= 20));
    return eight_beside(field - eight_times(row, GRAL_COLUMNS), row);
}

/* In both halves. */
static sixteen steps_between_places(place from, place to)
{
    return eight_add_halves(eight_apart(from, to));
}

/* What is worked out once for all rows. */
typedef struct scene {
    const gral_outlook *outlook;
    const gral_game *game;
    const gral_open *open;
    const gral_memory *memory;
    unsigned seat, others;
    bool original;
    int worth;       /* of a whole sheet, in points */
    sixteen here;    /* who is on the board, twice */
    eight influence; /* one's own */
    place place, home;
    int8_t reach;               /* how far away an initiate can uncover somebody */
    sixteen turned;             /* whose x runs along the rows, twice */
    eight top_floor, top_most;  /* the most that one of the others has shown, and may have */
    int most_unknown, unknowns; /* points of another that nothing is known of, and of all together */
} scene;

static sixteen turned_frames(bool mirrored)
{
    const sixteen turned = {0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1};
    return mirrored ? ~turned : turned;
}

/* R4.2: to the field he stands on, or one step farther. */
static int8_t reach_of(const gral_game *game)
{
    const uint32_t fields = game->strike[game->home[0]];
    return (fields & (fields - 1)) != 0;
}

static void set_scene(scene *scene, const gral_outlook *outlook)
{
    const gral_open *open = outlook->open;
    const eight field = eight_load(open->pawn), here = field != GRAL_NOWHERE;
    *scene = (struct scene){
        .outlook = outlook,
        .game = outlook->game,
        .open = open,
        .memory = outlook->memory,
        .seat = outlook->seat,
        .others = open->players - 1u,
        .original = outlook->game->settings.rules == GRAL_ORIGINAL,
        .worth = (int)gral_units_worth(outlook->game->settings.units),
        .here = eight_beside(here, here),
        .influence = eight_load(outlook->sheet->influence),
        .place = place_of(field),
        .home = place_of(eight_for_both(outlook->game->home)),
        .reach = reach_of(outlook->game),
        .turned = turned_frames(outlook->mirrored),
    };
}

static place seen_from_home(const scene *scene, place place)
{
    const sixteen away = eight_apart(place, scene->home);
    return eight_pick(scene->turned, eight_swap(away), away);
}

static unsigned owned_home(const gral_game *game, unsigned seat)
{
    unsigned society = 0;
    while (game->settings.owner[society] != seat)
        society++;
    return game->home[society];
}

/* --- another player --- */

/* Three numbers about announcements: how many, how fresh, none. */
static void see_news(const scene *scene, unsigned seat, int8_t *row)
{
    const uint32_t last = scene->memory->announced_turn[seat];
    const uint32_t rounds = (scene->open->turn - last) / scene->open->players;
    row[0] = scene->memory->announced[seat];
    row[1] = (int8_t)(last > 0 ? YES / (1 + rounds) : 0);
    row[2] = yes(last == 0);
}

/* Points of another seat, in all. */
typedef struct sums {
    int shown, lost, paid, unknown;
} sums;

static sums add_up(const scene *scene, unsigned seat)
{
    const uint64_t known = eight_word(scene->open->known[seat]), here = ((eight_halves)scene->here)[0];
    sums sums = {.shown = (int)eight_sum(known & here), .paid = (int)eight_sum(eight_word(scene->open->paid[seat]))};
    sums.lost = (int)eight_sum(known) - sums.shown;
    sums.unknown = scene->worth - sums.shown - sums.lost - sums.paid;
    return sums;
}

static void see_other(const scene *scene, unsigned index, unsigned seat, const sums *sums, int8_t *row)
{
    const gral_open *open = scene->open;
    row[GRAL_SEES_AFTER] = (int8_t)(8 * (index + 1));
    row[GRAL_SEES_NEXT] = yes(index == 0);
    row[GRAL_SEES_ACTIVE] = yes(seat == open->active);
    row[GRAL_SEES_OBJECTOR] = yes(seat == open->objector);
    see_news(scene, seat, row + GRAL_SEES_ANNOUNCED);
    row[GRAL_SEES_UNKNOWN] = (int8_t)sums->unknown;
    row[GRAL_SEES_UNKNOWN + 1] = yes(sums->unknown >= 30);
    row[GRAL_SEES_UNKNOWN + 2] = yes(sums->unknown >= 60);
    row[GRAL_SEES_LOST_ALL] = (int8_t)sums->lost;
    row[GRAL_SEES_PAID_ALL] = (int8_t)sums->paid;
    row[GRAL_SEES_SHOWN_ALL] = (int8_t)sums->shown;
    memcpy(row + GRAL_SEES_MANNERS, scene->memory->manner[seat], GRAL_MANNERS);
}

static void see_pairs(scene *scene, unsigned seat, const sums *sums, int8_t rows[GRAL_PAWNS][GRAL_PAIR_SIGHTS])
{
    const gral_open *open = scene->open;
    const eight known = eight_load(open->known[seat]), floor = known & scene->here;
    const eight most = (floor + (int8_t)sums->unknown) & scene->here;
    eight sight[GRAL_PAIR_SIGHTS];
    sight[GRAL_SEES_FLOOR] = floor;
    sight[GRAL_SEES_FLOOR + 1] = (floor >= 1) & YES;
    sight[GRAL_SEES_FLOOR + 2] = (floor >= 10) & YES;
    sight[GRAL_SEES_FLOOR + 3] = (floor >= 20) & YES;
    sight[GRAL_SEES_HIS_LOSS] = known & ~scene->here;
    sight[GRAL_SEES_HIS_PAY] = eight_load(open->paid[seat]);
    sight[GRAL_SEES_MOST] = most;
    for (unsigned habit = 0; habit < GRAL_HABITS; habit++)
        sight[GRAL_SEES_HABITS + habit] = eight_load(scene->memory->habit[seat][habit]);
    sight[GRAL_SEES_FIGURE] = eight_all(0);
    sight[GRAL_SEES_AHEAD] = (scene->influence - floor) & scene->here;
    sight[GRAL_SEES_AHEAD_MOST] = (scene->influence - most) & scene->here;
    sight[GRAL_SEES_HIS_GOAL] = eight_all(0);
    if (scene->original) {
        const place goal = place_of(eight_all((int)owned_home(scene->game, seat)));
        sight[GRAL_SEES_HIS_GOAL] = eight_times(steps_between_places(scene->place, goal), 12) & scene->here;
    }
    eight_turn(sight, rows[0], GRAL_PAIR_SIGHTS);
    const eight_pairs last = eight_mix(sight[16], sight[17]);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        memcpy(rows[pawn] + 16, &(const uint16_t){last[pawn]}, 2);
    scene->top_floor = eight_larger(scene->top_floor, floor);
    scene->top_most = eight_larger(scene->top_most, most);
}

static void see_others(scene *scene, gral_observation *observation)
{
    const unsigned players = scene->open->players;
    for (unsigned index = 0; index < scene->others; index++) {
        const unsigned after = scene->seat + 1 + index, seat = after < players ? after : after - players;
        const sums sums = add_up(scene, seat);
        see_other(scene, index, seat, &sums, observation->other[index]);
        see_pairs(scene, seat, &sums, observation->pair[index]);
        scene->unknowns += sums.unknown;
        scene->most_unknown = sums.unknown > scene->most_unknown ? sums.unknown : scene->most_unknown;
    }
}

/* The figure that somebody has named in the dispute that is open. */
static void see_figure(const scene *scene, unsigned seat, unsigned figure, gral_observation *observation)
{
    if (seat == scene->seat || seat == GRAL_NOBODY)
        return;
    const unsigned index = seat > scene->seat ? seat - scene->seat - 1 : seat + scene->others - scene->seat;
    observation->pair[index][scene->open->proposal.pawn][GRAL_SEES_FIGURE] = (int8_t)figure;
}

/* --- the initiates --- */

static void see_place(const scene *scene, eight *sight, place here, place grail)
{
    const gral_open *open = scene->open;
    const eight nowhere = ~scene->here, pawn = {0, 1, 2, 3, 4, 5, 6, 7};
    const eight away = steps_between_places(here, grail) | nowhere, from_home = eight_add_halves(grail) | nowhere;
    const sixteen grail_at = eight_times(grail - here, 25) & scene->here;
    sight[GRAL_SEES_ON_BOARD] = scene->here & YES;
    sight[GRAL_SEES_BEARER] = (pawn == (int8_t)open->bearer) & YES;
    sight[GRAL_SEES_GRAIL_AT] = grail_at;
    sight[GRAL_SEES_GRAIL_AT + 1] = eight_swap(grail_at);
    for (int8_t steps = 0; steps < 5; steps++)
        sight[GRAL_SEES_GRAIL_AWAY + steps] = (away == steps) & YES;
    sight[GRAL_SEES_GRAIL_AWAY + 5] = (away >= 5) & YES;
    for (int8_t steps = 0; steps < 4; steps++)
        sight[GRAL_SEES_GRAIL_HOME + steps] = (from_home == steps) & YES;
    sight[GRAL_SEES_GRAIL_HOME + 4] = (from_home >= 4) & YES;
    sight[GRAL_SEES_WAY] = eight_times(away + from_home, 6) & scene->here;
    sight[GRAL_SEES_STRIKE] = (away <= scene->reach) & (pawn != (int8_t)open->bearer) & scene->here &
                              yes(open->bearer != GRAL_NO_PAWN);
    sight[GRAL_SEES_STRIKE_ENDS] = sight[GRAL_SEES_ENDS] = eight_all(0);
}

static void see_influence(const scene *scene, eight *sight)
{
    static const int8_t mark[] = {1, 5, 10, 15, 20, 30, 50};
    const gral_open *open = scene->open;
    const eight mine = scene->influence, known = eight_load(open->known[scene->seat]), shown = known & scene->here;
    sight[GRAL_SEES_MINE] = mine;
    for (unsigned index = 0; index < sizeof mark; index++)
        sight[GRAL_SEES_MINE + 1 + index] = (mine >= mark[index]) & YES;
    sight[GRAL_SEES_SHOWN] = shown;
    sight[GRAL_SEES_HIDDEN] = mine - shown;
    sight[GRAL_SEES_LOST] = known & ~scene->here;
    sight[GRAL_SEES_PAID] = eight_load(open->paid[scene->seat]);
    sight[GRAL_SEES_LEAD] = mine - scene->top_floor;
    sight[GRAL_SEES_LEAD + 1] = mine - scene->top_most;
    sight[GRAL_SEES_LEAD + 2] = (mine >= scene->top_most) & scene->here & YES;
    sight[GRAL_SEES_LEAD + 3] = (mine > scene->top_most) & YES;
}

/* Of each initiate one of the others: where he is, and on him one's own influence and, in the upper half, the most that
 * others have shown. */
typedef struct fellow {
    place place;
    sixteen influence;
} fellow;

/* Who is with him or, in the upper half, beside him; and the most influence on one who can uncover him. */
typedef struct company {
    sixteen count;
    sixteen reach;
} company;

static void meet(const scene *scene, company *company, const fellow *fellow)
{
    const sixteen with_or_beside = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const sixteen steps = steps_between_places(scene->place, fellow->place);
    company->count -= steps == with_or_beside;
    company->reach = eight_larger(company->reach, fellow->influence & (steps <= scene->reach));
}

#define stranger_of(fellow, apart) eight_strangers((fellow).place, apart), eight_strangers((fellow).influence, apart)

static company gather(const scene *scene)
{
    const fellow self = {scene->place, eight_beside(scene->influence, scene->top_floor)};
    const fellow mate = {eight_mates(self.place), eight_mates(self.influence)};
    const fellow fellow[] = {mate,
                             {stranger_of(self, 1)},
                             {stranger_of(self, 2)},
                             {stranger_of(self, 3)},
                             {stranger_of(mate, 1)},
                             {stranger_of(mate, 2)},
                             {stranger_of(mate, 3)}};
    static_assert(sizeof fellow / sizeof *fellow == GRAL_PAWNS - 1, "all others");
    company company = {0};
    for (unsigned index = 0; index < GRAL_PAWNS - 1; index++)
        meet(scene, &company, &fellow[index]);
    return company;
}

static void see_company(const scene *scene, eight *sight, place here)
{
    const company company = gather(scene);
    const eight mate_here = eight_mates(scene->here) & scene->here;
    const sixteen reach = company.reach & scene->here, enough = (reach >= GRAL_UNCOVER_PRICE) & YES;
    sight[GRAL_SEES_MATE] = eight_mates(scene->influence) & scene->here;
    sight[GRAL_SEES_MATE + 1] = mate_here & YES;
    sight[GRAL_SEES_MATE + 2] = eight_times(eight_mates(eight_add_halves(here)), 12) & mate_here;
    sight[GRAL_SEES_MY_REACH] = reach;
    sight[GRAL_SEES_MY_REACH + 1] = enough;
    sight[GRAL_SEES_THEIR_REACH] = eight_swap(reach);
    sight[GRAL_SEES_THEIR_REACH + 1] = eight_swap(enough);
    sight[GRAL_SEES_COMPANY] = times_up_to_most(company.count, 25) & scene->here;
    sight[GRAL_SEES_COMPANY + 1] = times_up_to_most(eight_swap(company.count), 20) & scene->here;
}

static void see_goal(const scene *scene, eight *sight, place here)
{
    sight[GRAL_SEES_GOAL] = sight[GRAL_SEES_GOAL + 1] = sight[GRAL_SEES_GOAL + 2] = eight_all(0);
    if (!scene->original)
        return;
    const place place = place_of(eight_all((int)owned_home(scene->game, scene->seat)));
    const sixteen goal_at = eight_times(seen_from_home(scene, place) - here, 25) & scene->here;
    sight[GRAL_SEES_GOAL] = goal_at;
    sight[GRAL_SEES_GOAL + 1] = eight_swap(goal_at);
}

static void see_memory(const scene *scene, eight *sight)
{
    const eight bit = {1, 2, 4, 8, 16, 32, 64, -128};
    for (unsigned habit = 0; habit <= GRAL_HABIT_PASSED; habit++)
        sight[GRAL_SEES_MY_HABITS + habit] = eight_load(scene->memory->habit[scene->seat][habit]);
    sight[GRAL_SEES_BORE] = ((bit & (int8_t)scene->memory->bore) != 0) & YES;
}

/* Four bits become four bytes. */
static void see_set(unsigned set, int8_t row[GRAL_DIRECTIONS])
{
    const uint32_t bytes = (set * UINT32_C(0x00204081) & UINT32_C(0x01010101)) * YES;
    memcpy(row, &bytes, sizeof bytes);
}

/* One of the 25 fields, and the steps that may be proposed. */
static void see_steps(const scene *scene, place here, int8_t rows[GRAL_PAWNS][GRAL_PAWN_SIGHTS])
{
    const gral_open *open = scene->open;
    uint8_t field[GRAL_PAWNS];
    eight_store((eight_times(eight_swap(here), GRAL_COLUMNS) + here) & scene->here, field);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const unsigned rejected = open->rejected_steps >> (GRAL_DIRECTIONS * pawn);
        const unsigned steps = scene->game->exits[open->pawn[pawn]] & ~rejected;
        memset(rows[pawn] + GRAL_SEES_FIELD, 0, GRAL_FIELDS);
        rows[pawn][GRAL_SEES_FIELD + field[pawn]] = yes(gral_on_board(open, pawn));
        see_set(frame_seen_steps(pawn / 2, scene->outlook->mirrored, steps), rows[pawn] + GRAL_SEES_STEPS);
    }
}

/* The columns that are turned, sixteen at a time; of the fields before them just one is not 0. */
enum { FIRST_TURNED = GRAL_SEES_FIELD + GRAL_FIELDS - 1 };

static void see_pawns(const scene *scene, int8_t rows[GRAL_PAWNS][GRAL_PAWN_SIGHTS])
{
    const place here = seen_from_home(scene, scene->place);
    const place grail = seen_from_home(scene, place_of(eight_all(scene->open->grail)));
    eight sight[GRAL_PAWN_SIGHTS];
    sight[FIRST_TURNED] = eight_all(0);
    for (unsigned index = GRAL_SEES_STEPS; index <= GRAL_SEES_REJECTED; index++)
        sight[index] = eight_all(0);
    see_place(scene, sight, here, grail);
    see_influence(scene, sight);
    see_company(scene, sight, here);
    see_memory(scene, sight);
    see_goal(scene, sight, here);
    for (unsigned index = FIRST_TURNED; index < GRAL_PAWN_SIGHTS; index += 16)
        eight_turn(sight + index, rows[0] + index, GRAL_PAWN_SIGHTS);
    see_steps(scene, here, rows);
}

/* R7.1, R7.2: how the grail can end the game soon. Far from all headquarters there is nothing to see. */
static void see_ends(const scene *scene, int8_t rows[GRAL_PAWNS][GRAL_PAWN_SIGHTS])
{
    const gral_open *open = scene->open;
    const gral_game *game = scene->game;
    const uint32_t at = UINT32_C(1) << open->grail;
    uint32_t beside = 0, ends = 0;
    for (unsigned direction = 0; direction < GRAL_DIRECTIONS; direction++)
        beside |= UINT32_C(1) << game->neighbour[open->grail][direction];
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        ends |= game->arrival_ends[pawn] | game->pickup_ends[pawn];
    if (!((at | beside) & ends))
        return;
    const bool lies = open->bearer == GRAL_NO_PAWN;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const bool has = open->bearer == pawn || (lies && open->pawn[pawn] == open->grail);
        const bool takes = lies && beside >> open->pawn[pawn] & 1 && gral_on_board(open, pawn);
        const bool ends_here = game->pickup_ends[pawn] & at;
        rows[pawn][GRAL_SEES_ENDS] = yes((has && (ends_here || beside & game->arrival_ends[pawn])) ||
                                         (takes && at & game->arrival_ends[pawn]));
        rows[pawn][GRAL_SEES_STRIKE_ENDS] = ends_here ? rows[pawn][GRAL_SEES_STRIKE] : 0;
    }
}

static const unsigned bits_in_set[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static void see_rejected(const scene *scene, int8_t rows[GRAL_PAWNS][GRAL_PAWN_SIGHTS], int8_t *table)
{
    const gral_open *open = scene->open;
    unsigned all = 0;
    if (open->rejected_steps == 0 && eight_word(open->rejected_uncoverings) == 0)
        return;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const unsigned steps = open->rejected_steps >> (GRAL_DIRECTIONS * pawn) & 0xf;
        const unsigned targets = open->rejected_uncoverings[pawn];
        const unsigned rejected = bits_in_set[steps] + bits_in_set[targets & 0xf] + bits_in_set[targets >> 4];
        rows[pawn][GRAL_SEES_REJECTED] = gral_on_board(open, pawn) ? times(rejected, 25) : 0;
        all += rejected;
    }
    table[GRAL_SEES_REJECTIONS] = times(all, 12);
}

/* Who is to act, on whom, and what was said about it. */
static void see_proposal(const scene *scene, gral_observation *observation)
{
    const gral_open *open = scene->open;
    const gral_action proposal = open->proposal;
    if (proposal.verb == GRAL_NOTHING)
        return;
    int8_t *row = observation->pawn[proposal.pawn], *table = observation->table;
    row[GRAL_SEES_ACTS] = YES;
    if (proposal.target != GRAL_NO_PAWN && gral_on_board(open, proposal.target))
        observation->pawn[proposal.target][GRAL_SEES_TARGET] = YES;
    for (unsigned seen = 0; seen < GRAL_DIRECTIONS; seen++) {
        const unsigned real = frame_real(proposal.pawn / 2, scene->outlook->mirrored, seen);
        const unsigned field = scene->game->neighbour[open->pawn[proposal.pawn]][real];
        row[GRAL_SEES_ACTS_TO + seen] = yes(proposal.verb == GRAL_STEP && field == proposal.field);
    }
    table[GRAL_SEES_AT_STAKE] = (int8_t)scene->outlook->sheet->influence[proposal.pawn];
    table[GRAL_SEES_PROPOSAL] = yes(proposal.verb == GRAL_STEP && proposal.target == GRAL_NO_PAWN);
    table[GRAL_SEES_PROPOSAL + 1] = yes(proposal.verb == GRAL_UNCOVER);
    table[GRAL_SEES_PROPOSAL + 2] = yes(proposal.verb == GRAL_STEP && proposal.target != GRAL_NO_PAWN);
    see_figure(scene, open->active, open->claim, observation);
    see_figure(scene, open->objector, open->objection, observation);
}

/* --- the table --- */

static void see_reserve(const scene *scene, int8_t *row)
{
    static_assert(GRAL_SEES_SMALLEST + 8 == GRAL_TABLE_SIGHTS, "eight of them end the row");
    const eight mark = {0, 1, 10, 20, 30, 50}, kind = {0, 1, 2, 3, 4, MOST, MOST, MOST};
    const gral_sheet *sheet = scene->outlook->sheet;
    const unsigned reserve = gral_units_worth(sheet->units);
    eight_store((eight_all((int)reserve) >= mark) & YES, row + GRAL_SEES_RESERVE);
    row[GRAL_SEES_RESERVE] = (int8_t)reserve;
    for (unsigned index = 0; index < GRAL_UNIT_KINDS; index++)
        row[GRAL_SEES_UNITS + index] = (int8_t)(25 * sheet->units[index]);
    eight_store((eight_all(scene->memory->last_kind) > kind) & YES, row + GRAL_SEES_SMALLEST);
}

static unsigned players_class(unsigned players)
{
    return players <= 4 ? players - 2 : players <= 6 ? 3 : players <= 8 ? 4 : 5;
}

static void see_table(const scene *scene, int8_t *row)
{
    const gral_open *open = scene->open;
    const gral_options *options = scene->outlook->options;
    const unsigned players = open->players, rounds = open->turn / players;
    const unsigned active = open->active != GRAL_NOBODY ? open->active : scene->game->settings.first;
    memset(row, 0, GRAL_TABLE_SIGHTS);
    row[GRAL_SEES_PHASE + (open->phase < GRAL_OVER ? open->phase : 0)] = YES;
    if (open->stage != GRAL_NO_CHOICE)
        row[GRAL_SEES_STAGE + open->stage - 1] = YES;
    row[GRAL_SEES_PLAYERS + players_class(players)] = YES;
    row[GRAL_SEES_ORIGINAL] = yes(scene->original);
    row[GRAL_SEES_MY_TURN] = yes(active == scene->seat);
    row[GRAL_SEES_TURNS_UNTIL] = times(scene->seat >= active ? scene->seat - active : scene->seat + players - active,
                                       8);
    see_reserve(scene, row);
    see_news(scene, scene->seat, row + GRAL_SEES_MY_NEWS);
    row[GRAL_SEES_GRAIL_FREE] = yes(open->bearer == GRAL_NO_PAWN);
    row[GRAL_SEES_CLAIM] = (int8_t)open->claim;
    row[GRAL_SEES_OBJECTION] = (int8_t)open->objection;
    row[GRAL_SEES_LEAST] = (int8_t)options->least;
    row[GRAL_SEES_LEAST + 1] = (int8_t)options->most;
    row[GRAL_SEES_MAY_ASSIGN] = yes(options->verbs >> GRAL_ASSIGN & 1);
    row[GRAL_SEES_ROUND] = times(rounds < 16 ? rounds : 16, 6);
    row[GRAL_SEES_HUNGER] = (int8_t)scene->outlook->hunger;
    row[GRAL_SEES_ALL_UNKNOWN] = (int8_t)scene->most_unknown;
    row[GRAL_SEES_ALL_UNKNOWN + 1] = (int8_t)(scene->unknowns / (int)scene->others);
}

void gral_observe(const gral_outlook *outlook, gral_observation *observation)
{
    scene scene;
    set_scene(&scene, outlook);
    observation->others = (uint8_t)scene.others;
    observation->seat = (uint8_t)scene.seat;
    see_others(&scene, observation);
    see_pawns(&scene, observation->pawn);
    see_table(&scene, observation->table);
    see_ends(&scene, observation->pawn);
    see_rejected(&scene, observation->pawn, observation->table);
    see_proposal(&scene, observation);
}
