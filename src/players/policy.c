#include "policy.h"

#include "distance.h"

#include <string.h>

const policy_traits policy_middling = {.warmth = 0.002f, .reserve = 1};

/* What being so many steps from the end is worth. */
static const float nearness[] = {1.0000f, 0.7000f, 0.5250f, 0.3937f, 0.2953f, 0.2215f, 0.1661f, 0.1246f,
                                 0.0934f, 0.0701f, 0.0526f, 0.0394f, 0.0296f, 0.0222f, 0.0166f, 0.0125f,
                                 0.0094f, 0.0070f, 0.0053f, 0.0040f, 0.0030f, 0.0022f, 0.0017f, 0.0013f};

static const float won = 1.5f;         /* the end is worth more than any prospect of it */
static const float rest_counts = 0.1f; /* of initiates that are not the best of their side */

enum {
    FAR = sizeof nearness / sizeof *nearness - 1,
    UNCOVERING_STEPS = 3, /* what it takes, roughly, to free a grail that somebody carries */
    LOGISTIC_SPAN = 40,
    LOGISTIC_NEVER = 2 * LOGISTIC_SPAN + 1
};

/* 1 / (1 + e^-x/6) for x from -40 to 40, and a 0 at LOGISTIC_NEVER. */
static const float logistic[LOGISTIC_NEVER + 1] = {
    0.0013f, 0.0015f, 0.0018f, 0.0021f, 0.0025f, 0.0029f, 0.0035f, 0.0041f, 0.0048f, 0.0057f, 0.0067f, 0.0079f,
    0.0093f, 0.0110f, 0.0130f, 0.0153f, 0.0180f, 0.0211f, 0.0249f, 0.0293f, 0.0344f, 0.0404f, 0.0474f, 0.0556f,
    0.0650f, 0.0759f, 0.0884f, 0.1028f, 0.1192f, 0.1378f, 0.1589f, 0.1824f, 0.2086f, 0.2375f, 0.2689f, 0.3029f,
    0.3392f, 0.3775f, 0.4174f, 0.4584f, 0.5000f, 0.5416f, 0.5826f, 0.6225f, 0.6608f, 0.6971f, 0.7311f, 0.7625f,
    0.7914f, 0.8176f, 0.8411f, 0.8622f, 0.8808f, 0.8972f, 0.9116f, 0.9241f, 0.9350f, 0.9444f, 0.9526f, 0.9596f,
    0.9656f, 0.9707f, 0.9751f, 0.9789f, 0.9820f, 0.9847f, 0.9870f, 0.9890f, 0.9907f, 0.9921f, 0.9933f, 0.9943f,
    0.9952f, 0.9959f, 0.9965f, 0.9971f, 0.9975f, 0.9979f, 0.9982f, 0.9985f, 0.9987f};

static int logistic_place(int x)
{
    return (x < -LOGISTIC_SPAN ? -LOGISTIC_SPAN : x > LOGISTIC_SPAN ? LOGISTIC_SPAN : x) + LOGISTIC_SPAN;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Where things stand; all of a position that moves. */
typedef struct pieces {
    uint8_t pawn[GRAL_PAWNS];
    uint8_t grail, bearer;
} pieces;

/* How near an initiate is to a field that ends the game for the seat, and for somebody else, times the chance that it
 * would. */
typedef struct prospects {
    float ours, theirs;
} prospects;

static float random_unit(gral_random *random)
{
    return (float)(int32_t)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f);
}

static pieces pieces_of(const gral_open *open)
{
    pieces pieces = {.grail = open->grail, .bearer = open->bearer};
    memcpy(pieces.pawn, open->pawn, sizeof pieces.pawn);
    return pieces;
}

/* --- looking --- */

/* What the actor has before him. */
typedef struct seat_eyes {
    const gral_game *game;
    const gral_open *open;
    const gral_sheet *sheet;
    const policy_traits *traits;
    const policy_hunch *hunch;
    unsigned seat;
} seat_eyes;

/* With so many more points of our own on everybody. */
static policy_gaze look_with(const seat_eyes *eyes, int more)
{
    const gral_open *open = eyes->open;
    policy_gaze gaze = {.game = eyes->game, .seat = eyes->seat};
    int pawns = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        gaze.lead[pawn] = gral_on_board(open, pawn) ? 1.0f : 0.0f;
        pawns += gral_on_board(open, pawn);
    }
    const int all = (int)gral_units_worth(eyes->game->settings.units);
    for (unsigned other = 0; other < open->players; other++) {
        if (other == eyes->seat)
            continue;
        int unknown = all;
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            unknown -= open->known[other][pawn] + open->paid[other][pawn];
        const int share = eyes->hunch != NULL ? 0 : unknown * 6 / (10 * pawns); /* else divided once an initiate */
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            const int mine = eyes->sheet->influence[pawn] + more, known = open->known[other][pawn];
            int theirs = known + share;
            if (eyes->hunch != NULL)
                theirs = eyes->hunch->expected[other][pawn] > known ? eyes->hunch->expected[other][pawn] : known;
            gaze.lead[pawn] *= logistic[mine < known ? LOGISTIC_NEVER : logistic_place(2 * (mine - theirs))];
        }
    }
    return gaze;
}

policy_gaze policy_look(const gral_game *game, const gral_open *open, const gral_sheet *sheet, unsigned seat,
                        const policy_hunch *hunch)
{
    const seat_eyes eyes = {.game = game, .open = open, .sheet = sheet, .hunch = hunch, .seat = seat};
    return look_with(&eyes, 0);
}

/* --- judging --- */

/* Steps until this initiate can end the game on this field. */
static unsigned steps_to_end(const pieces *pieces, unsigned pawn, unsigned goal)
{
    const unsigned at = pieces->pawn[pawn];
    if (pieces->bearer == pawn)
        return distance(at, goal);
    unsigned steps = distance(at, pieces->grail) + distance(pieces->grail, goal);
    if (pieces->bearer != GRAL_NO_PAWN)
        steps += UNCOVERING_STEPS;
    return steps > 0 ? steps : 1;
}

static float nearness_of(const pieces *pieces, unsigned pawn, unsigned goal)
{
    const unsigned steps = steps_to_end(pieces, pawn, goal);
    return nearness[steps < FAR ? steps : FAR];
}

/* Anybody may lead him anywhere, and who holds the most on him may stop it. */
static void judge_in_the_original(const policy_gaze *gaze, const pieces *pieces, unsigned pawn, prospects *judged)
{
    const gral_game *game = gaze->game;
    const float lead = gaze->lead[pawn];
    judged->ours = judged->theirs = 0;
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++) {
        const float near = nearness_of(pieces, pawn, game->home[society]);
        if (game->settings.owner[society] == gaze->seat)
            judged->ours = near * (0.4f + 0.6f * lead);
        else
            judged->theirs = larger(judged->theirs, near * (1 - 0.6f * lead));
    }
}

/* Written where it is wanted: WebAssembly would pass it through memory as two floats and take it up again as one word,
 * for which a processor waits until both are really there. Thinking took a quarter longer. */
static inline __attribute__((always_inline)) void judge(const policy_gaze *gaze, const pieces *pieces, unsigned pawn,
                                                        prospects *judged)
{
    if (pieces->pawn[pawn] == GRAL_NOWHERE) {
        judged->ours = judged->theirs = 0;
    } else if (gaze->game->settings.rules == GRAL_ORIGINAL) {
        judge_in_the_original(gaze, pieces, pawn, judged);
    } else {
        const float near = nearness_of(pieces, pawn, gaze->game->home[pawn / 2]);
        judged->ours = gaze->lead[pawn] * near;
        judged->theirs = near - judged->ours;
    }
}

static void judge_all(const policy_gaze *gaze, const pieces *pieces, prospects all[GRAL_PAWNS])
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        judge(gaze, pieces, pawn, &all[pawn]);
}

/* The best of ours and of theirs, over all initiates. */
#ifdef __wasm_simd128__
/* A maximum of two floats is a branch there, often guessed wrong; one of four is not. Two initiates at a time. */
static prospects best_of(const prospects all[GRAL_PAWNS])
{
    typedef float four __attribute__((vector_size(16)));
    typedef int32_t four_masks __attribute__((vector_size(16)));
    four best = {0};
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn += 2) {
        const four two = {all[pawn].ours, all[pawn].theirs, all[pawn + 1].ours, all[pawn + 1].theirs};
        const four_masks above = best > two;
        best = (four)((above & (four_masks)best) | (~above & (four_masks)two));
    }
    return (prospects){larger(best[0], best[2]), larger(best[1], best[3])};
}
#else
static prospects best_of(const prospects all[GRAL_PAWNS])
{
    prospects best = {0, 0};
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        best.ours = larger(all[pawn].ours, best.ours);
        best.theirs = larger(all[pawn].theirs, best.theirs);
    }
    return best;
}
#endif

/* The best of ours against the best of theirs. Were all counted alike, one would rather push the others about than go
 * ahead. */
static float value_of(const prospects all[GRAL_PAWNS])
{
    const prospects best = best_of(all);
    float rest = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        rest += all[pawn].ours - all[pawn].theirs;
    return best.ours - best.theirs + rest_counts * rest;
}

static float value_of_pieces(const policy_gaze *gaze, const pieces *pieces)
{
    prospects all[GRAL_PAWNS];
    judge_all(gaze, pieces, all);
    return value_of(all);
}

float policy_value(const policy_gaze *gaze, const gral_open *open)
{
    const pieces pieces = pieces_of(open);
    return value_of_pieces(gaze, &pieces);
}

static float value_of_end(const policy_gaze *gaze, unsigned pawn, unsigned field)
{
    const gral_game *game = gaze->game;
    if (game->settings.rules != GRAL_ORIGINAL)
        return won * (2 * gaze->lead[pawn] - 1);
    unsigned society = 0;
    while (game->home[society] != field)
        society++;
    return game->settings.owner[society] == gaze->seat ? won : -won;
}

/* Which choices about the grail a step will bring, as a mask of verbs; 0 for none. */
static unsigned grail_verbs(const gral_game *game, const pieces *pieces, gral_action step)
{
    const unsigned from = pieces->pawn[step.pawn];
    if (pieces->bearer == step.pawn || (pieces->bearer == GRAL_NO_PAWN && pieces->grail == from)) {
        const bool ends = game->arrival_ends[step.pawn] >> step.field & 1 || game->pickup_ends[step.pawn] >> from & 1;
        return 1u << GRAL_KEEP | 1u << GRAL_LEAVE | (ends ? 0 : 1u << GRAL_DROP);
    }
    if (pieces->bearer == GRAL_NO_PAWN && pieces->grail == step.field)
        return 1u << GRAL_KEEP | 1u << GRAL_LEAVE;
    return 0;
}

static float value_of_step(const policy_gaze *gaze, const pieces *before, gral_action step, enum gral_verb verb)
{
    const gral_game *game = gaze->game;
    const unsigned pawn = step.pawn, from = before->pawn[pawn];
    pieces after = *before;
    after.pawn[pawn] = step.field;
    if (verb == GRAL_KEEP) {
        if (before->grail == from && before->bearer != pawn && game->pickup_ends[pawn] >> from & 1)
            return value_of_end(gaze, pawn, from);
        if (game->arrival_ends[pawn] >> step.field & 1)
            return value_of_end(gaze, pawn, step.field);
        after.bearer = (uint8_t)pawn;
        after.grail = step.field;
    } else if (verb != GRAL_NOTHING) {
        after.bearer = GRAL_NO_PAWN;
        if (verb == GRAL_DROP)
            after.grail = step.field;
    }
    return value_of_pieces(gaze, &after);
}

static float value_of_freed(const policy_gaze *gaze, const pieces *before, unsigned pawn, enum gral_verb verb)
{
    pieces after = *before;
    after.bearer = verb == GRAL_KEEP ? (uint8_t)pawn : GRAL_NO_PAWN;
    if (verb == GRAL_KEEP && gaze->game->pickup_ends[pawn] >> after.grail & 1)
        return value_of_end(gaze, pawn, after.grail);
    return value_of_pieces(gaze, &after);
}

/* `sign` is 1 when the seat itself moves and -1 when somebody else does, who then chooses what is worst for it. */
static float value_after(const policy_gaze *gaze, const pieces *before, gral_action proposal, float sign)
{
    if (proposal.target != GRAL_NO_PAWN) {
        pieces after = *before;
        if (proposal.verb == GRAL_STEP)
            after.pawn[proposal.pawn] = proposal.field;
        after.pawn[proposal.target] = GRAL_NOWHERE;
        if (before->bearer != proposal.target)
            return value_of_pieces(gaze, &after);
        return sign * larger(sign * value_of_freed(gaze, &after, proposal.pawn, GRAL_KEEP),
                             sign * value_of_freed(gaze, &after, proposal.pawn, GRAL_LEAVE));
    }
    const unsigned verbs = grail_verbs(gaze->game, before, proposal);
    if (verbs == 0)
        return value_of_step(gaze, before, proposal, GRAL_NOTHING);
    float best = -1e9f;
    for (unsigned verb = GRAL_KEEP; verb <= GRAL_LEAVE; verb++)
        if (verbs >> verb & 1)
            best = larger(best, sign * value_of_step(gaze, before, proposal, (enum gral_verb)verb));
    return sign * best;
}

/* The value after a proposal was carried out, with the choice about the grail that suits him who moves. */
static float value_carried_out(const policy_gaze *gaze, const gral_open *open, gral_action proposal)
{
    const pieces pieces = pieces_of(open);
    return value_after(gaze, &pieces, proposal, open->active == gaze->seat ? 1.0f : -1.0f);
}

/* --- the turn --- */

typedef struct bids {
    policy_bid *list;
    unsigned count;
} bids;

static void bid(bids *bids, gral_action action, float value)
{
    bids->list[bids->count++] = (policy_bid){action, value};
}

/* What some twenty points more on the initiate that needs them most would bring. */
static float value_of_assigning(const seat_eyes *eyes, const prospects all[GRAL_PAWNS], const pieces *pieces)
{
    const unsigned left = gral_units_worth(eyes->sheet->units);
    if (left == 0)
        return 0;
    const policy_gaze then = look_with(eyes, left < 20 ? (int)left : 20);
    const float now = value_of(all);
    float best = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        prospects one[GRAL_PAWNS];
        memcpy(one, all, sizeof one);
        judge(&then, pieces, pawn, &one[pawn]);
        best = larger(best, value_of(one) - now);
    }
    return best;
}

static bool nothing_rejected(const gral_open *open)
{
    static const uint8_t none[GRAL_PAWNS];
    return open->rejected_steps == 0 && memcmp(open->rejected_uncoverings, none, sizeof none) == 0;
}

static void weigh_uncoverings(const policy_gaze *gaze, const gral_open *open, const pieces *before, float now,
                              unsigned pawn, bids *bids)
{
    const unsigned from = open->pawn[pawn];
    const float price = 0.06f + 0.05f * gaze->lead[pawn];
    for (unsigned target = 0; target < GRAL_PAWNS; target++) {
        if (target == pawn || !(gaze->game->strike[from] >> open->pawn[target] & 1) ||
            open->rejected_uncoverings[pawn] >> target & 1)
            continue;
        const gral_action uncovering = open->pawn[target] == from ? gral_uncover(pawn, target)
                                                                  : gral_step(pawn, open->pawn[target], target);
        bid(bids, uncovering, value_after(gaze, before, uncovering, 1) - now - price);
    }
}

static void weigh_turn(const seat_eyes *eyes, bids *bids)
{
    const gral_open *open = eyes->open;
    const gral_sheet *sheet = eyes->sheet;
    const policy_gaze gaze = look_with(eyes, 0);
    const pieces before = pieces_of(open);
    prospects all[GRAL_PAWNS];
    judge_all(&gaze, &before, all);
    const float now = value_of(all);
    unsigned any_step = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(open, pawn))
            continue;
        const unsigned from = open->pawn[pawn];
        const unsigned steps = eyes->game->exits[from] & ~(open->rejected_steps >> (GRAL_DIRECTIONS * pawn) & 0xf);
        any_step |= steps;
        for (unsigned direction = 0; direction < GRAL_DIRECTIONS; direction++) {
            if (!(steps >> direction & 1))
                continue;
            const gral_action step = gral_step(pawn, eyes->game->neighbour[from][direction], GRAL_NO_PAWN);
            if (grail_verbs(eyes->game, &before, step) != 0) {
                bid(bids, step, value_after(&gaze, &before, step, 1) - now);
                continue;
            }
            pieces after = before; /* nobody else's prospects change */
            after.pawn[pawn] = step.field;
            const prospects had = all[pawn];
            judge(&gaze, &after, pawn, &all[pawn]);
            bid(bids, step, value_of(all) - now);
            all[pawn] = had;
        }
        if (sheet->influence[pawn] >= GRAL_UNCOVER_PRICE)
            weigh_uncoverings(&gaze, open, &before, now, pawn, bids);
    }
    if (any_step == 0 || nothing_rejected(open))
        bid(bids, gral_say(GRAL_ASSIGN), 0.7f * value_of_assigning(eyes, all, &before) - 0.03f);
}

/* --- disputes --- */

/* Points that nobody knew of are dear; figures already known cost nothing (Q14). */
static float price_of_showing(const gral_open *open, unsigned points)
{
    const unsigned known = open->known[open->actor][open->proposal.pawn];
    return points <= known ? 0 : 0.01f + 0.002f * (float)(points - known);
}

/* The least that suffices, or all that is known anyway. */
static unsigned cheapest_figure(const gral_open *open, unsigned least)
{
    const unsigned known = open->known[open->actor][open->proposal.pawn];
    return known > least ? known : least;
}

static void weigh_objection(const seat_eyes *eyes, bids *bids)
{
    const gral_open *open = eyes->open;
    const gral_sheet *sheet = eyes->sheet;
    const unsigned pawn = open->proposal.pawn, held = sheet->influence[pawn], least = open->claim + 1u;
    bid(bids, gral_say(GRAL_PASS), 0);
    /* He who has shown as much as we hold will insist. */
    if (held < least || open->known[open->active][pawn] >= held)
        return;
    const policy_gaze gaze = look_with(eyes, 0);
    const float loss = policy_value(&gaze, open) - value_carried_out(&gaze, open, open->proposal);
    const unsigned figure = cheapest_figure(open, least);
    bid(bids, gral_object(figure), loss - 0.02f - price_of_showing(open, figure));
}

static void weigh_answer(const seat_eyes *eyes, bids *bids)
{
    const gral_open *open = eyes->open;
    const gral_sheet *sheet = eyes->sheet;
    bid(bids, gral_say(GRAL_YIELD), 0);
    if (sheet->influence[open->proposal.pawn] < open->objection)
        return;
    const policy_gaze gaze = look_with(eyes, 0);
    const float gain = value_carried_out(&gaze, open, open->proposal) - policy_value(&gaze, open);
    const unsigned figure = cheapest_figure(open, open->objection);
    bid(bids, gral_claim(figure), gain - price_of_showing(open, figure));
}

static void weigh_grail(const seat_eyes *eyes, bids *bids)
{
    const gral_open *open = eyes->open;
    const policy_gaze gaze = look_with(eyes, 0);
    const pieces before = pieces_of(open);
    const bool freed = open->stage == GRAL_FREED;
    const unsigned verbs = freed ? 1u << GRAL_KEEP | 1u << GRAL_LEAVE
                                 : grail_verbs(eyes->game, &before, open->proposal);
    for (unsigned verb = GRAL_KEEP; verb <= GRAL_LEAVE; verb++)
        if (verbs >> verb & 1)
            bid(bids, gral_say((enum gral_verb)verb),
                freed ? value_of_freed(&gaze, &before, open->proposal.pawn, (enum gral_verb)verb)
                      : value_of_step(&gaze, &before, open->proposal, (enum gral_verb)verb));
}

/* --- the sheet --- */

static unsigned largest_unit(const gral_sheet *sheet)
{
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        if (sheet->units[kind] > 0)
            return gral_unit_value[kind];
    return 0;
}

/* A few favourites, different every time, for the rich get richer up to a point; and half is held back, since he who
 * places last knows most. */
static gral_action fill_sheet(const gral_open *open, const gral_sheet *sheet, const policy_traits *traits,
                              gral_random *random)
{
    enum { ENOUGH = 30 };
    unsigned placed = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        placed += sheet->influence[pawn];
    const unsigned unit = largest_unit(sheet), all = placed + gral_units_worth(sheet->units);
    const float target = (float)all * (1 - 0.5f * traits->reserve);
    if (unit == 0 || (float)placed + (float)unit / 2 > target)
        return gral_say(GRAL_DONE);
    float weight[GRAL_PAWNS], sum = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const float rich = sheet->influence[pawn] < ENOUGH ? 4.0f + (float)sheet->influence[pawn] : 1.0f;
        weight[pawn] = gral_on_board(open, pawn) ? rich : 0;
        sum += weight[pawn];
    }
    float at = random_unit(random) * sum;
    unsigned chosen = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS && at >= 0; pawn++)
        if (weight[pawn] > 0) {
            chosen = pawn;
            at -= weight[pawn];
        }
    return gral_place(unit, chosen);
}

/* Units for the initiate to whom they bring most, until they bring little. */
static void weigh_units(const seat_eyes *eyes, bids *bids)
{
    const gral_open *open = eyes->open;
    const gral_sheet *sheet = eyes->sheet;
    const unsigned unit = largest_unit(sheet);
    bid(bids, gral_say(GRAL_DONE), 0.004f + 0.01f * eyes->traits->reserve);
    if (unit == 0)
        return;
    const policy_gaze now = look_with(eyes, 0);
    const policy_gaze then = look_with(eyes, (int)unit);
    const pieces pieces = pieces_of(open);
    prospects all[GRAL_PAWNS];
    judge_all(&now, &pieces, all);
    const float before = value_of(all);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(open, pawn) || (sheet->assigned_to != GRAL_NO_PAWN && sheet->assigned_to != pawn))
            continue;
        const prospects had = all[pawn];
        judge(&then, &pieces, pawn, &all[pawn]);
        bid(bids, gral_place(unit, pawn), value_of(all) - before);
        all[pawn] = had;
    }
}

/* --- all together --- */

unsigned policy_weigh(const gral_game *game, const gral_open *open, const gral_sheet *sheet,
                      const policy_traits *traits, const policy_hunch *hunch, policy_bid list[POLICY_BIDS_MAX])
{
    static void (*const weigh[GRAL_PHASES])(const seat_eyes *eyes, bids *bids) = {
        [GRAL_OPENING] = weigh_units,       [GRAL_TURN] = weigh_turn,     [GRAL_PLACING] = weigh_units,
        [GRAL_OBJECTION] = weigh_objection, [GRAL_ANSWER] = weigh_answer, [GRAL_GRAIL] = weigh_grail,
    };
    const seat_eyes eyes = {game, open, sheet, traits, hunch, open->actor};
    bids bids = {list, 0};
    weigh[open->phase](&eyes, &bids);
    return bids.count;
}

/* How much luck counts in a phase, as a part of the warmth. */
static const float luck_of_phase[GRAL_PHASES] = {
    [GRAL_TURN] = 3, [GRAL_PLACING] = 0.75f, [GRAL_OBJECTION] = 2, [GRAL_ANSWER] = 2, [GRAL_GRAIL] = 1.5f,
};

gral_action policy_act(const gral_game *game, const gral_open *open, const gral_sheet *sheet,
                       const policy_traits *traits, const policy_hunch *hunch, gral_random *random)
{
    if (open->phase == GRAL_OPENING)
        return fill_sheet(open, sheet, traits, random);
    policy_bid list[POLICY_BIDS_MAX];
    const unsigned count = policy_weigh(game, open, sheet, traits, hunch, list);
    const float luck = traits->warmth * luck_of_phase[open->phase];
    gral_action best = list[0].action;
    float best_value = -1e9f;
    for (unsigned index = 0; index < count; index++) {
        float value = list[index].value;
        if (luck > 0 && count > 1) /* the sum of two draws: a slope to both sides */
            value += luck * (random_unit(random) + random_unit(random) - 1);
        if (value > best_value) {
            best_value = value;
            best = list[index].action;
        }
    }
    return best;
}

/* e^x for x <= 0, near enough. */
static float decay(float x)
{
    if (x < -20)
        return 0;
    float power = 1 + x / 256;
    for (unsigned doubling = 0; doubling < 8; doubling++)
        power *= power;
    return power;
}

/* The worth of an action decides how often it is done, but people err and bluff: a part of it is plain chance. */
float policy_propensity(const gral_game *game, const gral_open *open, const gral_sheet *sheet, gral_action action)
{
    const float sharpness = 25, chance = 0.25f;
    policy_bid list[POLICY_BIDS_MAX];
    const unsigned count = policy_weigh(game, open, sheet, &policy_middling, NULL, list);
    float best = -1e9f, sum = 0, mine = 0;
    for (unsigned index = 0; index < count; index++)
        best = larger(best, list[index].value);
    for (unsigned index = 0; index < count; index++) {
        const float weight = decay(sharpness * (list[index].value - best));
        sum += weight;
        const gral_action other = list[index].action;
        const bool figure = action.verb == GRAL_OBJECT || action.verb == GRAL_CLAIM;
        if (figure ? other.verb == action.verb : gral_same_action(other, action))
            mine = weight;
    }
    return chance / (float)count + (1 - chance) * mine / sum;
}
