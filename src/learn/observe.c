/* What a seat knows, as numbers. Everything comes from the view, the options and the memory of an outlook; a sheet that
 * is not the seat's own is never read (R10.2). */
#include "gral/env.h"

#include "frame.h"

#include <string.h>

enum { YES = 100, MOST = 127 };

static int8_t times(unsigned count, unsigned each)
{
    const unsigned product = count * each;
    return (int8_t)(product < MOST ? product : MOST);
}

static int8_t clamp(int value)
{
    return (int8_t)(value > MOST ? MOST : value < -MOST ? -MOST : value);
}

static int8_t yes(bool it_is)
{
    return it_is ? YES : 0;
}

/* What is worked out once for all rows. */
typedef struct scene {
    const gral_outlook *outlook;
    const gral_game *game;
    const gral_open *open;
    const gral_sheet *sheet;
    const gral_memory *memory;
    unsigned seat, others;
    uint8_t other[GRAL_PLAYERS_MAX]; /* their seats, clockwise */
    int unknown[GRAL_PLAYERS_MAX];   /* of each other: points that nothing is known of */
    int lost[GRAL_PLAYERS_MAX], paid[GRAL_PLAYERS_MAX], shown[GRAL_PLAYERS_MAX];
    int top_floor[GRAL_PAWNS]; /* the most that one of them has shown, and may have */
    int top_most[GRAL_PAWNS];
    uint32_t strike[GRAL_PAWNS];
} scene;

static void add_up(scene *scene, unsigned index)
{
    const gral_open *open = scene->open;
    const unsigned seat = scene->other[index];
    int shown = 0, lost = 0, paid = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const int known = open->known[seat][pawn], here = gral_on_board(open, pawn);
        shown += here ? known : 0;
        lost += here ? 0 : known;
        paid += open->paid[seat][pawn];
    }
    scene->shown[index] = shown;
    scene->lost[index] = lost;
    scene->paid[index] = paid;
    scene->unknown[index] = (int)gral_units_worth(scene->game->settings.units) - shown - lost - paid;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const int floor = (int)gral_floor(open, seat, pawn);
        if (floor > scene->top_floor[pawn])
            scene->top_floor[pawn] = floor;
        if (floor + scene->unknown[index] > scene->top_most[pawn])
            scene->top_most[pawn] = floor + scene->unknown[index];
    }
}

static void set_scene(scene *scene, const gral_outlook *outlook)
{
    const unsigned players = outlook->open->players;
    *scene = (struct scene){
        .outlook = outlook,
        .game = outlook->game,
        .open = outlook->open,
        .sheet = outlook->sheet,
        .memory = outlook->memory,
        .seat = outlook->seat,
        .others = players - 1,
    };
    for (unsigned index = 0; index < scene->others; index++) {
        const unsigned seat = outlook->seat + 1 + index;
        scene->other[index] = (uint8_t)(seat < players ? seat : seat - players);
        add_up(scene, index);
    }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        scene->strike[pawn] = outlook->game->strike[outlook->open->pawn[pawn]];
}

/* --- an initiate --- */

static void see_place(const scene *scene, unsigned pawn, int8_t *row)
{
    const gral_open *open = scene->open;
    const bool mirrored = scene->outlook->mirrored;
    const unsigned society = pawn / 2, home = scene->game->home[society];
    const frame_point here = frame_see(scene->game, society, mirrored, open->pawn[pawn]);
    const frame_point grail = frame_see(scene->game, society, mirrored, open->grail);
    const unsigned away = steps_between(open->pawn[pawn], open->grail), from_home = steps_between(open->grail, home);
    row[GRAL_SEES_FIELD + GRAL_COLUMNS * here.y + here.x] = YES;
    row[GRAL_SEES_ON_BOARD] = YES;
    row[GRAL_SEES_BEARER] = yes(open->bearer == pawn);
    row[GRAL_SEES_GRAIL_AT] = (int8_t)(25 * (grail.x - here.x));
    row[GRAL_SEES_GRAIL_AT + 1] = (int8_t)(25 * (grail.y - here.y));
    row[GRAL_SEES_GRAIL_AWAY + (away < 5 ? away : 5)] = YES;
    row[GRAL_SEES_GRAIL_HOME + (from_home < 4 ? from_home : 4)] = YES;
    row[GRAL_SEES_WAY] = times(away + from_home, 6);
}

static bool step_may_end(const scene *scene, unsigned pawn)
{
    const gral_open *open = scene->open;
    const gral_game *game = scene->game;
    const unsigned here = open->pawn[pawn];
    const bool has = open->bearer == pawn || (open->bearer == GRAL_NO_PAWN && open->grail == here);
    const bool takes = open->bearer == GRAL_NO_PAWN && steps_between(here, open->grail) == 1;
    uint32_t beside = 0;
    for (unsigned d = 0; d < GRAL_DIRECTIONS; d++)
        beside |= UINT32_C(1) << game->neighbour[here][d];
    return (has && (beside & game->arrival_ends[pawn] || game->pickup_ends[pawn] >> here & 1)) ||
           (takes && game->arrival_ends[pawn] >> open->grail & 1);
}

static void see_chances(const scene *scene, unsigned pawn, int8_t *row)
{
    const gral_open *open = scene->open;
    const bool strike = open->bearer != GRAL_NO_PAWN && open->bearer != pawn && scene->strike[pawn] >> open->grail & 1;
    row[GRAL_SEES_ENDS] = yes(step_may_end(scene, pawn));
    row[GRAL_SEES_STRIKE] = yes(strike);
    row[GRAL_SEES_STRIKE_ENDS] = yes(strike && scene->game->pickup_ends[pawn] >> open->grail & 1);
}

static void see_influence(const scene *scene, unsigned pawn, int8_t *row)
{
    static const uint8_t mark[] = {1, 5, 10, 15, 20, 30, 50};
    const gral_open *open = scene->open;
    const int mine = scene->sheet->influence[pawn], shown = (int)gral_floor(open, scene->seat, pawn);
    row[GRAL_SEES_MINE] = (int8_t)mine;
    for (unsigned index = 0; index < sizeof mark; index++)
        row[GRAL_SEES_MINE + 1 + index] = yes(mine >= mark[index]);
    row[GRAL_SEES_SHOWN] = (int8_t)shown;
    row[GRAL_SEES_HIDDEN] = (int8_t)(mine - shown);
    row[GRAL_SEES_LEAD] = clamp(mine - scene->top_floor[pawn]);
    row[GRAL_SEES_LEAD + 1] = clamp(mine - scene->top_most[pawn]);
    row[GRAL_SEES_LEAD + 2] = yes(mine >= scene->top_most[pawn]);
    row[GRAL_SEES_LEAD + 3] = yes(mine > scene->top_most[pawn]);
}

static void see_company(const scene *scene, unsigned pawn, int8_t *row)
{
    const gral_open *open = scene->open;
    const unsigned mate = pawn ^ 1;
    row[GRAL_SEES_MATE] = (int8_t)scene->sheet->influence[mate];
    row[GRAL_SEES_MATE + 1] = yes(gral_on_board(open, mate));
    row[GRAL_SEES_MATE + 2] = gral_on_board(open, mate)
                                  ? times(steps_between(open->pawn[mate], scene->game->home[pawn / 2]), 12)
                                  : 0;
    int my_reach = 0, their_reach = 0;
    unsigned together = 0, beside = 0;
    for (unsigned other = 0; other < GRAL_PAWNS; other++) {
        if (other == pawn || !gral_on_board(open, other))
            continue;
        const unsigned steps = steps_between(open->pawn[other], open->pawn[pawn]);
        together += steps == 0;
        beside += steps == 1;
        if (!(scene->strike[other] >> open->pawn[pawn] & 1))
            continue;
        const int mine = scene->sheet->influence[other];
        my_reach = mine > my_reach ? mine : my_reach;
        their_reach = scene->top_floor[other] > their_reach ? scene->top_floor[other] : their_reach;
    }
    row[GRAL_SEES_MY_REACH] = (int8_t)my_reach;
    row[GRAL_SEES_MY_REACH + 1] = yes(my_reach >= GRAL_UNCOVER_PRICE);
    row[GRAL_SEES_THEIR_REACH] = (int8_t)their_reach;
    row[GRAL_SEES_THEIR_REACH + 1] = yes(their_reach >= GRAL_UNCOVER_PRICE);
    row[GRAL_SEES_COMPANY] = times(together, 25);
    row[GRAL_SEES_COMPANY + 1] = times(beside, 20);
}

static unsigned bits_in(unsigned set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static void see_proposals(const scene *scene, unsigned pawn, int8_t *row)
{
    const gral_open *open = scene->open;
    const gral_game *game = scene->game;
    const bool mirrored = scene->outlook->mirrored;
    const unsigned rejected = open->rejected_steps >> (GRAL_DIRECTIONS * pawn) & 0xf;
    const unsigned steps = game->exits[open->pawn[pawn]] & ~rejected;
    const bool acts = open->proposal.verb != GRAL_NOTHING && open->proposal.pawn == pawn;
    for (unsigned seen = 0; seen < GRAL_DIRECTIONS; seen++) {
        const unsigned real = frame_real(pawn / 2, mirrored, seen);
        row[GRAL_SEES_STEPS + seen] = yes(steps >> real & 1);
        row[GRAL_SEES_ACTS_TO + seen] = yes(acts && open->proposal.verb == GRAL_STEP &&
                                            game->neighbour[open->pawn[pawn]][real] == open->proposal.field);
    }
    row[GRAL_SEES_ACTS] = yes(acts);
    row[GRAL_SEES_TARGET] = yes(open->proposal.verb != GRAL_NOTHING && open->proposal.target == pawn);
    row[GRAL_SEES_REJECTED] = times(bits_in(rejected) + bits_in(open->rejected_uncoverings[pawn]), 25);
}

static void see_goal(const scene *scene, unsigned pawn, int8_t *row)
{
    if (scene->game->settings.rules != GRAL_ORIGINAL)
        return;
    unsigned society = 0;
    while (scene->game->settings.owner[society] != scene->seat)
        society++;
    const bool mirrored = scene->outlook->mirrored;
    const frame_point here = frame_see(scene->game, pawn / 2, mirrored, scene->open->pawn[pawn]);
    const frame_point goal = frame_see(scene->game, pawn / 2, mirrored, scene->game->home[society]);
    row[GRAL_SEES_GOAL] = (int8_t)(25 * (goal.x - here.x));
    row[GRAL_SEES_GOAL + 1] = (int8_t)(25 * (goal.y - here.y));
}

static void see_pawn(const scene *scene, unsigned pawn, int8_t *row)
{
    static const uint8_t habit[] = {GRAL_HABIT_PROPOSED, GRAL_HABIT_LED_HOME, GRAL_HABIT_OBJECTED, GRAL_HABIT_PASSED};
    const gral_open *open = scene->open;
    memset(row, 0, GRAL_PAWN_SIGHTS);
    row[GRAL_SEES_LOST] = (int8_t)gral_lost(open, scene->seat, pawn);
    row[GRAL_SEES_PAID] = (int8_t)open->paid[scene->seat][pawn];
    row[GRAL_SEES_BORE] = yes(scene->memory->bore >> pawn & 1);
    for (unsigned index = 0; index < sizeof habit; index++)
        row[GRAL_SEES_MY_HABITS + index] = times(scene->memory->habit[scene->seat][habit[index]][pawn], 12);
    if (!gral_on_board(open, pawn))
        return;
    see_place(scene, pawn, row);
    see_chances(scene, pawn, row);
    see_influence(scene, pawn, row);
    see_company(scene, pawn, row);
    see_proposals(scene, pawn, row);
    see_goal(scene, pawn, row);
}

/* --- another player --- */

static unsigned owned_home(const gral_game *game, unsigned seat)
{
    unsigned society = 0;
    while (game->settings.owner[society] != seat)
        society++;
    return game->home[society];
}

static int figure_in_dispute(const gral_open *open, unsigned seat, unsigned pawn)
{
    if (open->proposal.verb == GRAL_NOTHING || open->proposal.pawn != pawn)
        return 0;
    return seat == open->active ? open->claim : seat == open->objector ? open->objection : 0;
}

static void see_pair(const scene *scene, unsigned index, unsigned pawn, int8_t *row)
{
    const gral_open *open = scene->open;
    const unsigned seat = scene->other[index];
    const int floor = (int)gral_floor(open, seat, pawn), mine = scene->sheet->influence[pawn];
    const bool here = gral_on_board(open, pawn);
    const int most = here ? floor + scene->unknown[index] : 0;
    row[GRAL_SEES_FLOOR] = (int8_t)floor;
    row[GRAL_SEES_FLOOR + 1] = yes(floor >= 1);
    row[GRAL_SEES_FLOOR + 2] = yes(floor >= 10);
    row[GRAL_SEES_FLOOR + 3] = yes(floor >= 20);
    row[GRAL_SEES_HIS_LOSS] = (int8_t)gral_lost(open, seat, pawn);
    row[GRAL_SEES_HIS_PAY] = (int8_t)open->paid[seat][pawn];
    row[GRAL_SEES_MOST] = clamp(most);
    for (unsigned habit = 0; habit < GRAL_HABITS; habit++)
        row[GRAL_SEES_HABITS + habit] = times(scene->memory->habit[seat][habit][pawn], 12);
    row[GRAL_SEES_FIGURE] = (int8_t)figure_in_dispute(open, seat, pawn);
    row[GRAL_SEES_AHEAD] = here ? clamp(mine - floor) : 0;
    row[GRAL_SEES_AHEAD_MOST] = here ? clamp(mine - most) : 0;
    row[GRAL_SEES_HIS_GOAL] = here && scene->game->settings.rules == GRAL_ORIGINAL
                                  ? times(steps_between(open->pawn[pawn], owned_home(scene->game, seat)), 12)
                                  : 0;
}

/* Three numbers about announcements: how many, how fresh, none. */
static void see_news(const scene *scene, unsigned seat, int8_t *row)
{
    const uint32_t last = scene->memory->announced_turn[seat];
    const uint32_t rounds = (scene->open->turn - last) / scene->open->players;
    row[0] = times(scene->memory->announced[seat], 12);
    row[1] = last > 0 ? (int8_t)(YES / (1 + rounds)) : 0;
    row[2] = yes(last == 0);
}

static unsigned habit_sum(const gral_memory *memory, unsigned seat, enum gral_habit habit)
{
    unsigned sum = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        sum += memory->habit[seat][habit][pawn];
    return sum;
}

static void see_other(const scene *scene, unsigned index, int8_t *row)
{
    const gral_open *open = scene->open;
    const gral_memory *memory = scene->memory;
    const unsigned seat = scene->other[index];
    row[GRAL_SEES_AFTER] = times(index + 1, 8);
    row[GRAL_SEES_NEXT] = yes(index == 0);
    row[GRAL_SEES_ACTIVE] = yes(seat == open->active);
    row[GRAL_SEES_OBJECTOR] = yes(seat == open->objector);
    see_news(scene, seat, row + GRAL_SEES_ANNOUNCED);
    row[GRAL_SEES_UNKNOWN] = clamp(scene->unknown[index]);
    row[GRAL_SEES_UNKNOWN + 1] = yes(scene->unknown[index] >= 30);
    row[GRAL_SEES_UNKNOWN + 2] = yes(scene->unknown[index] >= 60);
    row[GRAL_SEES_LOST_ALL] = clamp(scene->lost[index]);
    row[GRAL_SEES_PAID_ALL] = clamp(scene->paid[index]);
    row[GRAL_SEES_SHOWN_ALL] = clamp(scene->shown[index]);
    row[GRAL_SEES_PROPOSED_ALL] = times(habit_sum(memory, seat, GRAL_HABIT_PROPOSED), 4);
    row[GRAL_SEES_OBJECTED_ALL] = times(habit_sum(memory, seat, GRAL_HABIT_OBJECTED), 4);
    row[GRAL_SEES_PASSED_ALL] = times(habit_sum(memory, seat, GRAL_HABIT_PASSED), 2);
}

/* --- the table --- */

static void see_reserve(const scene *scene, int8_t *row)
{
    static const uint8_t mark[] = {1, 10, 20, 30, 50};
    const unsigned reserve = gral_units_worth(scene->sheet->units);
    row[GRAL_SEES_RESERVE] = (int8_t)reserve;
    for (unsigned index = 0; index < sizeof mark; index++)
        row[GRAL_SEES_RESERVE + 1 + index] = yes(reserve >= mark[index]);
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        row[GRAL_SEES_UNITS + kind] = times(scene->sheet->units[kind], 25);
    for (unsigned kind = 0; kind + 1 < GRAL_UNIT_KINDS; kind++)
        row[GRAL_SEES_SMALLEST + kind] = yes(scene->memory->last_pawn != GRAL_NO_PAWN &&
                                             scene->memory->last_kind > kind);
}

static unsigned players_class(unsigned players)
{
    return players <= 4 ? players - 2 : players <= 6 ? 3 : players <= 8 ? 4 : 5;
}

static void see_dispute(const scene *scene, int8_t *row)
{
    const gral_open *open = scene->open;
    const gral_action proposal = open->proposal;
    row[GRAL_SEES_CLAIM] = (int8_t)open->claim;
    row[GRAL_SEES_OBJECTION] = (int8_t)open->objection;
    row[GRAL_SEES_LEAST] = (int8_t)scene->outlook->options->least;
    row[GRAL_SEES_LEAST + 1] = (int8_t)scene->outlook->options->most;
    row[GRAL_SEES_AT_STAKE] = proposal.verb != GRAL_NOTHING ? (int8_t)scene->sheet->influence[proposal.pawn] : 0;
    row[GRAL_SEES_PROPOSAL] = yes(proposal.verb == GRAL_STEP && proposal.target == GRAL_NO_PAWN);
    row[GRAL_SEES_PROPOSAL + 1] = yes(proposal.verb == GRAL_UNCOVER);
    row[GRAL_SEES_PROPOSAL + 2] = yes(proposal.verb == GRAL_STEP && proposal.target != GRAL_NO_PAWN);
    unsigned rejections = bits_in(open->rejected_steps);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        rejections += bits_in(open->rejected_uncoverings[pawn]);
    row[GRAL_SEES_REJECTIONS] = times(rejections, 12);
}

static void see_unknown(const scene *scene, int8_t *row)
{
    int most = 0, sum = 0;
    for (unsigned index = 0; index < scene->others; index++) {
        most = scene->unknown[index] > most ? scene->unknown[index] : most;
        sum += scene->unknown[index];
    }
    row[GRAL_SEES_ALL_UNKNOWN] = clamp(most);
    row[GRAL_SEES_ALL_UNKNOWN + 1] = clamp(sum / (int)scene->others);
}

static void see_table(const scene *scene, int8_t *row)
{
    const gral_open *open = scene->open;
    const unsigned players = open->players;
    const bool begun = open->active != GRAL_NOBODY;
    const unsigned active = begun ? open->active : scene->game->settings.first;
    memset(row, 0, GRAL_TABLE_SIGHTS);
    row[GRAL_SEES_PHASE + (open->phase < GRAL_OVER ? open->phase : 0)] = YES;
    if (open->stage != GRAL_NO_CHOICE)
        row[GRAL_SEES_STAGE + open->stage - 1] = YES;
    row[GRAL_SEES_PLAYERS + players_class(players)] = YES;
    row[GRAL_SEES_ORIGINAL] = yes(scene->game->settings.rules == GRAL_ORIGINAL);
    row[GRAL_SEES_MY_TURN] = yes(active == scene->seat);
    row[GRAL_SEES_TURNS_UNTIL] = times((scene->seat + players - active) % players, 8);
    see_reserve(scene, row);
    see_news(scene, scene->seat, row + GRAL_SEES_MY_NEWS);
    row[GRAL_SEES_GRAIL_FREE] = yes(open->bearer == GRAL_NO_PAWN);
    see_dispute(scene, row);
    row[GRAL_SEES_MAY_ASSIGN] = yes(scene->outlook->options->verbs >> GRAL_ASSIGN & 1);
    row[GRAL_SEES_ROUND] = times(open->turn / players < 16 ? open->turn / players : 16, 6);
    row[GRAL_SEES_HUNGER] = (int8_t)scene->outlook->hunger;
    see_unknown(scene, row);
}

void gral_observe(const gral_outlook *outlook, gral_observation *observation)
{
    scene scene;
    set_scene(&scene, outlook);
    observation->others = (uint8_t)scene.others;
    observation->seat = (uint8_t)scene.seat;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        see_pawn(&scene, pawn, observation->pawn[pawn]);
    see_table(&scene, observation->table);
    for (unsigned index = 0; index < scene.others; index++) {
        see_other(&scene, index, observation->other[index]);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            see_pair(&scene, index, pawn, observation->pair[index][pawn]);
    }
}
