#include "surmise.h"

#include "chances.h"

#include <string.h>

typedef struct limits {
    unsigned least, most;
} limits;

/* --- from steps to points --- */

static limits points_of(unsigned step)
{
    const unsigned next = step + 1 < NET_STEPS_OF_INFLUENCE ? net_step_from[step + 1] - 1u : GRAL_POINTS_MAX;
    return (limits){net_step_from[step], next};
}

static void even_out(float chance[GRAL_POINTS_MAX + 1])
{
    float sum = 0;
    for (unsigned points = 0; points <= GRAL_POINTS_MAX; points++)
        sum += chance[points];
    for (unsigned points = 0; points <= GRAL_POINTS_MAX; points++)
        chance[points] /= sum;
}

/* Every step's chance goes to those of its figures that are possible. A trace of it is everywhere, so that there is
 * something left where the net is sure of what cannot be. */
static void spread(const float step_chance[NET_STEPS_OF_INFLUENCE], limits limits, float chance[GRAL_POINTS_MAX + 1])
{
    const float trace = 1e-4f;
    memset(chance, 0, (GRAL_POINTS_MAX + 1) * sizeof *chance);
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++) {
        struct limits of = points_of(step);
        of.least = of.least > limits.least ? of.least : limits.least;
        of.most = of.most < limits.most ? of.most : limits.most;
        for (unsigned points = of.least; points <= of.most; points++)
            chance[points] = (step_chance[step] + trace) / (float)(of.most - of.least + 1);
    }
    even_out(chance);
}

static void be_sure(float chance[GRAL_POINTS_MAX + 1], unsigned points)
{
    memset(chance, 0, (GRAL_POINTS_MAX + 1) * sizeof *chance);
    chance[points] = 1;
}

/* --- forming it --- */

/* Points of a seat that nothing is known of. */
static unsigned unknown_of(const gral_game *game, const gral_open *open, unsigned seat)
{
    unsigned known = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        known += open->known[seat][pawn] + open->paid[seat][pawn];
    const unsigned all = gral_units_worth(game->settings.units);
    return all > known ? all - known : 0;
}

static void know(surmise *surmise, unsigned seat, const gral_sheet *sheet)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        be_sure(surmise->influence[seat][pawn], sheet->influence[pawn]);
    be_sure(surmise->reserve[seat], gral_units_worth(sheet->units));
}

/* What the net says of one player, in steps. */
typedef struct opinion {
    float influence[GRAL_PAWNS][NET_STEPS_OF_INFLUENCE];
    float reserve[NET_STEPS_OF_INFLUENCE];
} opinion;

static void suppose(surmise *surmise, const gral_game *game, const gral_open *open, unsigned seat,
                    const opinion *opinion)
{
    if (open->phase == GRAL_OPENING && seat > open->actor) {
        gral_sheet untouched = {0};
        memcpy(untouched.units, game->settings.units, sizeof untouched.units);
        know(surmise, seat, &untouched); /* he has not begun */
        return;
    }
    gral_bounds bounds[GRAL_PAWNS];
    gral_deduce(game, open, seat, bounds);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        spread(opinion->influence[pawn], (limits){bounds[pawn].least, bounds[pawn].most},
               surmise->influence[seat][pawn]);
    spread(opinion->reserve, (limits){0, unknown_of(game, open, seat)}, surmise->reserve[seat]);
}

static void take_opinion(const learned_thoughts *thoughts, unsigned other, opinion *opinion)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        chances_of_steps(thoughts->belief[other][pawn], opinion->influence[pawn]);
    chances_of_steps(thoughts->reserve[other], opinion->reserve);
}

void surmise_form(surmise *surmise, const gral_outlook *outlook, const learned_thoughts *thoughts)
{
    const unsigned players = outlook->open->players;
    surmise->seats = players;
    know(surmise, outlook->seat, outlook->sheet);
    for (unsigned other = 0; other + 1 < players; other++) {
        opinion opinion;
        take_opinion(thoughts, other, &opinion);
        suppose(surmise, outlook->game, outlook->open, (outlook->seat + 1 + other) % players, &opinion);
    }
}

/* --- from outside --- */

/* A sheet on which there is nothing but what was shown, near enough: the largest units are taken to be gone first. */
static gral_sheet public_sheet(const gral_game *game, const gral_open *open, unsigned seat)
{
    gral_sheet sheet = {.assigned_to = GRAL_NO_PAWN};
    memcpy(sheet.units, game->settings.units, sizeof sheet.units);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        sheet.influence[pawn] = (uint8_t)gral_floor(open, seat, pawn);
    unsigned gone = gral_units_worth(sheet.units) - unknown_of(game, open, seat);
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        while (sheet.units[kind] > 0 && gral_unit_value[kind] <= gone) {
            gone -= gral_unit_value[kind];
            sheet.units[kind]--;
        }
    return sheet;
}

static void add_opinions(const learned_net *net, const gral_question *question, const gral_memory *memory,
                         unsigned seat, opinion sum[GRAL_PLAYERS_MAX])
{
    const gral_options none = {0};
    const gral_open *open = &question->view->open;
    const gral_sheet sheet = public_sheet(question->game, open, seat);
    const gral_outlook outlook = {.game = question->game,
                                  .open = open,
                                  .sheet = &sheet,
                                  .options = &none,
                                  .memory = memory,
                                  .seat = (uint8_t)seat,
                                  .hunger = 100};
    gral_observation observation;
    learned_thoughts thoughts;
    gral_observe(&outlook, &observation);
    learned_think(net, &observation, true, &thoughts);
    for (unsigned other = 0; other < observation.others; other++) {
        opinion opinion, *of = &sum[(seat + 1 + other) % open->players];
        take_opinion(&thoughts, other, &opinion);
        for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++) {
            of->reserve[step] += opinion.reserve[step] / observation.others;
            for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
                of->influence[pawn][step] += opinion.influence[pawn][step] / observation.others;
        }
    }
}

/* The net only knows how to sit at the table. So everybody in turn is taken to hold what he has shown and nothing else,
 * and of each player it is believed what the others would believe of him then, on average. */
void surmise_outside(surmise *surmise, const learned_net *net, const gral_question *question)
{
    const gral_open *open = &question->view->open;
    gral_memory memory = gral_memory_of(question->game, question->heard, question->heard_count);
    memory.last_kind = 0; /* of an assignment that is on nobody knows but its owner */
    memory.last_pawn = GRAL_NO_PAWN;
    opinion sum[GRAL_PLAYERS_MAX] = {0};
    for (unsigned seat = 0; seat < open->players; seat++)
        add_opinions(net, question, &memory, seat, sum);
    surmise->seats = open->players;
    for (unsigned seat = 0; seat < open->players; seat++)
        suppose(surmise, question->game, open, seat, &sum[seat]);
}

void surmise_listen(surmise *surmise, const gral_open *open, const talk *talk)
{
    for (unsigned seat = 0; seat < surmise->seats; seat++) {
        if (seat == talk->seat || talk->claim[seat].points == 0)
            continue;
        const unsigned pawn = talk->claim[seat].pawn;
        float *chance = surmise->influence[seat][pawn];
        for (unsigned points = 0; points <= GRAL_POINTS_MAX; points++) {
            gral_sheet sheet = {0};
            sheet.influence[pawn] = (uint8_t)points;
            chance[points] *= talk_credit(talk, open, seat, &sheet);
        }
        even_out(chance);
    }
}

/* --- asking it --- */

float surmise_at_least(const surmise *surmise, unsigned seat, unsigned pawn, unsigned points)
{
    float sum = 0;
    for (unsigned figure = points; figure <= GRAL_POINTS_MAX; figure++)
        sum += surmise->influence[seat][pawn][figure];
    return sum < 1 ? sum : 1;
}

unsigned surmise_quantile(const surmise *surmise, unsigned seat, unsigned pawn, float chance)
{
    float sum = 0;
    for (unsigned points = GRAL_POINTS_MAX + 1; points-- > 0;) {
        sum += surmise->influence[seat][pawn][points];
        if (sum > chance)
            return points;
    }
    return 0;
}

float surmise_leads(const surmise *surmise, unsigned seat, unsigned pawn, bool wins_ties)
{
    float less[GRAL_PLAYERS_MAX] = {0}, sum = 0; /* how likely each other has less, or as much where that suffices */
    for (unsigned points = 0; points <= GRAL_POINTS_MAX; points++) {
        float product = surmise->influence[seat][pawn][points];
        for (unsigned other = 0; other < surmise->seats; other++) {
            if (other == seat)
                continue;
            const float exactly = surmise->influence[other][pawn][points];
            product *= less[other] + (wins_ties ? exactly : 0);
            less[other] += exactly;
        }
        sum += product;
    }
    return sum < 1 ? sum : 1;
}

/* --- for those who look back --- */

static const talk_manners careful = {.trust = 0.8f, .honesty = 0.8f, .chatter = 0};

void gral_believe(const gral_question *question, gral_beliefs *beliefs)
{
    const gral_view *view = question->view;
    talk talk;
    surmise surmise;
    learned_net net;
    learned_inside(&net);
    surmise_outside(&surmise, &net, question);
    talk_hear(&talk, question, &careful);
    surmise_listen(&surmise, &view->open, &talk);
    for (unsigned seat = 0; seat < surmise.seats; seat++)
        if (view->known >> seat & 1)
            know(&surmise, seat, &view->sheet[seat]);

    memset(beliefs, 0, sizeof *beliefs);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        for (unsigned seat = 0; seat < surmise.seats; seat++)
            beliefs->of[seat][pawn] = (gral_estimate){
                .low = (uint8_t)surmise_quantile(&surmise, seat, pawn, 0.9f),
                .middle = (uint8_t)surmise_quantile(&surmise, seat, pawn, 0.5f),
                .high = (uint8_t)surmise_quantile(&surmise, seat, pawn, 0.1f),
                .leads = (uint8_t)(100 * surmise_leads(&surmise, seat, pawn, false) + 0.5f),
            };
}
