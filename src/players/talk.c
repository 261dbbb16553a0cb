#include "talk.h"

#include "distance.h"
#include "tactics.h"

#include <string.h>

/* --- listening --- */

static const float credit_of_claims = 0.5f; /* on top of 1 */
static const float promises_kept = 0.5f;    /* how many of them, by people one trusts */
static const float pull_of_voice = 0.004f;  /* in chances of winning, for everybody who wants the same */
static const float pull_of_promise = 0.03f;
enum { VOICES_MAX = 3 };

/* A round of turns is as long as anybody remembers a promise or a wish. */
static uint32_t last_turn_of(const gral_open *open, const gral_heard_offer *heard)
{
    return heard->turn + open->players;
}

static bool is_about_game(const gral_open *open, const gral_heard_offer *heard)
{
    return heard->from < open->players && (heard->offer.kind != GRAL_OFFER_STOP || heard->offer.seat < open->players);
}

static bool is_answer(gral_offer offer)
{
    return offer.kind == GRAL_OFFER_AGREE || offer.kind == GRAL_OFFER_REFUSE;
}

/* What an answer is about: the newest offer before it that somebody else made. NULL for none. */
static const gral_heard_offer *subject_of(const gral_question *question, const gral_heard_offer *answer)
{
    for (const gral_heard_offer *heard = answer; heard-- > question->offers;)
        if (heard->from != answer->from && !is_answer(heard->offer) && is_about_game(&question->view->open, heard))
            return heard;
    return NULL;
}

/* A claim is false when the seat cannot have had so much, ever: points placed are never moved, only paid or lost with
 * an uncovered initiate (R3.4, R6.3, R6.4). */
static bool is_false(const gral_open *open, unsigned seat, const gral_bounds bounds[GRAL_PAWNS], gral_offer claim)
{
    const unsigned most = gral_on_board(open, claim.pawn) ? bounds[claim.pawn].most : open->known[seat][claim.pawn];
    return claim.points > most + open->paid[seat][claim.pawn];
}

static bool is_caught(const gral_question *question, unsigned seat)
{
    const gral_open *open = &question->view->open;
    gral_bounds bounds[GRAL_PAWNS];
    bool deduced = false;
    for (size_t index = 0; index < question->offer_count; index++) {
        const gral_heard_offer *heard = &question->offers[index];
        if (heard->from != seat || heard->offer.kind != GRAL_OFFER_HOLD)
            continue;
        if (!deduced)
            gral_deduce(question->game, open, seat, bounds);
        deduced = true;
        if (is_false(open, seat, bounds, heard->offer))
            return true;
    }
    return false;
}

/* Where a wish is counted, or NULL if the offer is none. */
static uint16_t *wish_of(talk *talk, gral_offer offer)
{
    switch ((enum gral_offer_kind)offer.kind) {
    case GRAL_OFFER_UNCOVER:
        return &talk->uncover[offer.pawn];
    case GRAL_OFFER_BRING:
        return &talk->bring[offer.pawn][offer.field];
    case GRAL_OFFER_STOP:
        return &talk->stop[offer.seat];
    default:
        return NULL;
    }
}

static void note(talk *talk, const gral_question *question, const gral_heard_offer *heard)
{
    const gral_open *open = &question->view->open;
    const uint32_t until = last_turn_of(open, heard);
    const unsigned from = heard->from;
    const gral_heard_offer *subject = is_answer(heard->offer) ? subject_of(question, heard) : heard;
    if (subject == NULL)
        return;
    const gral_offer offer = subject->offer;
    uint16_t *const wish = wish_of(talk, offer);
    if (heard->offer.kind == GRAL_OFFER_HOLD) {
        talk->claim[from].pawn = offer.pawn;
        talk->claim[from].points = offer.points;
    } else if (heard->offer.kind == GRAL_OFFER_PASS) {
        talk->passes_until[from][offer.pawn] = until;
    } else if (wish == NULL) {
        return; /* to agree to somebody's promise or claim promises nothing */
    } else if (heard->offer.kind == GRAL_OFFER_REFUSE) {
        *wish &= (uint16_t)(~(1u << from));
    } else {
        if (until >= open->turn)
            *wish |= (uint16_t)(1u << from);
        if (offer.kind == GRAL_OFFER_UNCOVER)
            talk->spares_until[from][offer.pawn] = until;
    }
}

void talk_hear(talk *talk, const gral_question *question, const talk_manners *manners)
{
    memset(talk, 0, sizeof *talk);
    talk->manners = manners;
    talk->seat = question->view->seat;
    if (question->offer_count == 0)
        return;
    for (unsigned seat = 0; seat < question->view->open.players; seat++)
        if (seat != talk->seat && is_caught(question, seat))
            talk->caught |= (uint16_t)(1u << seat);
    for (size_t index = 0; index < question->offer_count; index++) {
        const gral_heard_offer *heard = &question->offers[index];
        if (is_about_game(&question->view->open, heard) && !(talk->caught >> heard->from & 1))
            note(talk, question, heard);
    }
}

float talk_credit(const talk *talk, const gral_open *open, unsigned seat, const gral_sheet *sheet)
{
    const unsigned pawn = talk->claim[seat].pawn, points = talk->claim[seat].points;
    if (points == 0 || !gral_on_board(open, pawn))
        return 1;
    /* He may have paid a part of it since. */
    const bool fits = (unsigned)sheet->influence[pawn] + open->paid[seat][pawn] >= points;
    return fits ? 1 + credit_of_claims * talk->manners->trust : 1;
}

/* Whether the actor has promised not to object to this proposal. */
static bool has_promised(const talk *talk, const gral_open *open)
{
    const gral_action proposal = open->proposal;
    const unsigned target = proposal.target;
    return talk->passes_until[open->actor][proposal.pawn] >= open->turn ||
           (target != GRAL_NO_PAWN && talk->spares_until[open->actor][target] >= open->turn);
}

static bool happens(float chance, gral_random *random)
{
    return (float)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f) < chance;
}

bool talk_keeps_quiet(const talk *talk, const gral_open *open, gral_random *random)
{
    return open->phase == GRAL_OBJECTION && open->actor != talk->seat && has_promised(talk, open) &&
           happens(promises_kept * talk->manners->trust, random);
}

/* How many others want it. */
static float voices(const talk *talk, uint16_t seats)
{
    unsigned count = 0;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        count += seat != talk->seat && seats >> seat & 1;
    return (float)(count < VOICES_MAX ? count : VOICES_MAX);
}

/* The seat that has shown the most on an initiate, or GRAL_NOBODY. */
static unsigned public_leader(const gral_open *open, unsigned pawn)
{
    unsigned leader = GRAL_NOBODY, most = 0;
    for (unsigned seat = 0; seat < open->players; seat++)
        if (gral_floor(open, seat, pawn) > most) {
            most = gral_floor(open, seat, pawn);
            leader = seat;
        }
    return leader;
}

/* How many call for stopping this seat; with two players that is the game itself, and no news. */
static float voices_against(const talk *talk, const gral_open *open, unsigned seat)
{
    return open->players > 2 && seat != GRAL_NOBODY ? voices(talk, talk->stop[seat]) : 0;
}

static float voices_for_step(const talk *talk, const gral_open *open, gral_action step)
{
    float most = 0;
    for (unsigned goal = 0; goal < GRAL_FIELDS; goal++) {
        if (talk->bring[step.pawn][goal] == 0 || distance(step.field, goal) >= distance(open->pawn[step.pawn], goal))
            continue;
        const float count = voices(talk, talk->bring[step.pawn][goal]);
        most = count > most ? count : most;
    }
    return most;
}

/* How many others have promised to let this initiate act. */
static float voices_for_acting(const talk *talk, const gral_open *open, unsigned pawn)
{
    uint16_t seats = 0;
    for (unsigned seat = 0; seat < open->players; seat++)
        seats |= (uint16_t)((talk->passes_until[seat][pawn] >= open->turn) << seat);
    return voices(talk, seats);
}

float talk_leaning(const talk *talk, const gral_open *open, gral_action action)
{
    float count = 0, promised = 0;
    if (action.verb == GRAL_OBJECT) {
        count = voices_against(talk, open, open->active);
        promised = has_promised(talk, open) ? talk->manners->honesty : 0;
    } else if (action.target != GRAL_NO_PAWN) {
        count = voices(talk, talk->uncover[action.target]) +
                voices_against(talk, open, public_leader(open, action.target)) +
                voices_for_acting(talk, open, action.pawn);
    } else if (action.verb == GRAL_STEP) {
        count = voices_for_step(talk, open, action) + voices_for_acting(talk, open, action.pawn);
    }
    return pull_of_voice * talk->manners->trust * count - pull_of_promise * promised;
}

/* --- speaking --- */

enum { ROUNDS_OF_SILENCE = 3, ROUNDS_UNTIL_REPEATED = 9, NEAR_HOME = 2, CLAIM_WORTH_MAKING = 10 };

static gral_offer offer_of(enum gral_offer_kind kind, unsigned pawn)
{
    return (gral_offer){.kind = (uint8_t)kind, .pawn = (uint8_t)pawn, .seat = GRAL_NOBODY, .points = 0};
}

static bool same_offer(gral_offer a, gral_offer b)
{
    return a.kind == b.kind && a.pawn == b.pawn && a.seat == b.seat && a.points == b.points;
}

static bool has_just_spoken(const gral_question *question)
{
    const gral_view *view = question->view;
    for (size_t index = question->offer_count; index-- > 0;)
        if (question->offers[index].from == view->seat)
            return question->offers[index].turn + ROUNDS_OF_SILENCE * view->open.players > view->open.turn;
    return false;
}

/* What was whispered has no part in what is said aloud, or the others could tell that there was a whisper. */
static bool is_said_aloud(const gral_heard_offer *heard)
{
    return heard->to == 0;
}

/* Whether this has been said lately, by anybody. */
static bool is_stale(const gral_question *question, gral_offer offer)
{
    const gral_open *open = &question->view->open;
    for (size_t index = 0; index < question->offer_count; index++) {
        const gral_heard_offer *heard = &question->offers[index];
        if (is_said_aloud(heard) && same_offer(heard->offer, offer) &&
            heard->turn + ROUNDS_UNTIL_REPEATED * open->players > open->turn)
            return true;
    }
    return false;
}

static bool says_first_word(const gral_open *open)
{
    static const uint8_t none[GRAL_PAWNS];
    return open->phase == GRAL_TURN && open->rejected_steps == 0 &&
           memcmp(open->rejected_uncoverings, none, sizeof none) == 0;
}

/* Somebody else, as far as can be seen, is about to win. */
typedef struct threat {
    uint8_t pawn;  /* with whom; GRAL_NO_PAWN when nobody is */
    uint8_t seat;  /* who, or GRAL_NOBODY where nobody has shown anything */
    uint8_t steps; /* until then */
} threat;

static unsigned winner_at(const gral_game *game, const gral_open *open, unsigned pawn, unsigned society)
{
    return game->settings.rules == GRAL_ORIGINAL ? game->settings.owner[society] : public_leader(open, pawn);
}

/* Whether the seat itself may be the one who wins there: on an initiate on whom it holds as much as anybody has shown
 * it does not cry for help. */
static bool may_be_ours(const gral_question *question, unsigned pawn, unsigned winner)
{
    const gral_view *view = question->view;
    const unsigned own = view->sheet[view->seat].influence[pawn];
    if (winner == view->seat)
        return true;
    if (question->game->settings.rules == GRAL_ORIGINAL)
        return false;
    return own > 0 && (winner == GRAL_NOBODY || own >= gral_floor(&view->open, winner, pawn));
}

static threat nearest_threat(const gral_question *question)
{
    const gral_game *game = question->game;
    const gral_open *open = &question->view->open;
    threat nearest = {.pawn = GRAL_NO_PAWN, .seat = GRAL_NOBODY, .steps = NEAR_HOME + 1};
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(open, pawn) || !tactics_has_grail(open, pawn))
            continue;
        for (unsigned society = 0; society < GRAL_SOCIETIES; society++) {
            const unsigned home = game->home[society], steps = distance(open->pawn[pawn], home);
            const unsigned winner = winner_at(game, open, pawn, society);
            if ((game->arrival_ends[pawn] >> home & 1) && steps < nearest.steps && !may_be_ours(question, pawn, winner))
                nearest = (threat){(uint8_t)pawn, (uint8_t)winner, (uint8_t)steps};
        }
    }
    return nearest;
}

/* Who could be used against an initiate: the one nearest to him, and of these the one on whom others have shown the
 * most. GRAL_NO_PAWN for none near. */
static unsigned helper_against(const gral_question *question, const threat *threat)
{
    const gral_open *open = &question->view->open;
    unsigned helper = GRAL_NO_PAWN, best = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (pawn == threat->pawn || !gral_on_board(open, pawn))
            continue;
        const unsigned apart = distance(open->pawn[pawn], open->pawn[threat->pawn]);
        if (apart > NEAR_HOME)
            continue;
        unsigned shown = 0;
        for (unsigned seat = 0; seat < open->players; seat++)
            if (seat != threat->seat && gral_floor(open, seat, pawn) > shown)
                shown = gral_floor(open, seat, pawn);
        const unsigned worth = (NEAR_HOME + 1 - apart) * (GRAL_POINTS_MAX + 1) + shown;
        if (worth > best) {
            best = worth;
            helper = pawn;
        }
    }
    return helper;
}

/* With three and more the others can be asked to stop somebody: by name, by uncovering, with a helper who may strike
 * at once, or with one who must come first. */
static bool call_for_help(const gral_question *question, gral_action decided, gral_random *random, gral_offer *offer)
{
    const gral_open *open = &question->view->open;
    const threat threat = nearest_threat(question);
    if (open->players < 3 || threat.pawn == GRAL_NO_PAWN || decided.pawn == threat.pawn)
        return false;
    gral_offer list[3];
    unsigned count = 0;
    if (threat.seat != GRAL_NOBODY)
        list[count++] = (gral_offer){.kind = GRAL_OFFER_STOP, .pawn = GRAL_NO_PAWN, .seat = threat.seat, .points = 0};
    const unsigned helper = helper_against(question, &threat), field = open->pawn[threat.pawn];
    if (decided.target != threat.pawn) { /* else he is being uncovered already */
        list[count++] = offer_of(GRAL_OFFER_UNCOVER, threat.pawn);
        if (helper != GRAL_NO_PAWN && helper != decided.pawn) {
            const bool strikes = question->game->strike[open->pawn[helper]] >> field & 1;
            list[count] = offer_of(strikes ? GRAL_OFFER_PASS : GRAL_OFFER_BRING, helper);
            list[count++].field = strikes ? 0 : (uint8_t)field;
        }
    }
    if (count == 0)
        return false;
    *offer = list[gral_random_below(random, count)];
    return true;
}

/* A word before a proposal that matters, to keep others from objecting: what they know of anyway, or a round figure
 * above it that has nothing to do with the sheet but that nobody can prove wrong. */
static bool claim_points(const talk *talk, const gral_question *question, gral_action decided, gral_random *random,
                         gral_offer *offer)
{
    const gral_open *open = &question->view->open;
    const unsigned pawn = decided.pawn;
    if (pawn == GRAL_NO_PAWN || !(tactics_has_grail(open, pawn) || decided.target != GRAL_NO_PAWN ||
                                  (decided.verb == GRAL_STEP && decided.field == open->grail)))
        return false;
    unsigned points = gral_floor(open, talk->seat, pawn);
    if (!happens(talk->manners->honesty, random)) {
        gral_bounds bounds[GRAL_PAWNS];
        gral_deduce(question->game, open, talk->seat, bounds);
        const unsigned more = points + 5 + 5 * gral_random_below(random, 3);
        points = more - more % 5 <= bounds[pawn].most ? more - more % 5 : points;
    }
    if (points < CLAIM_WORTH_MAKING)
        return false;
    *offer = offer_of(GRAL_OFFER_HOLD, pawn);
    offer->points = (uint8_t)points;
    return true;
}

/* Agrees to stopping whoever is about to win, refuses to be stopped, or to lose an initiate on whom it has shown the
 * most. */
static bool answer(const talk *talk, const gral_question *question, gral_offer *offer)
{
    const gral_open *open = &question->view->open;
    const gral_heard_offer *heard = NULL;
    for (size_t index = question->offer_count; index-- > 0 && heard == NULL;)
        if (question->offers[index].from != talk->seat && is_said_aloud(&question->offers[index]) &&
            !is_answer(question->offers[index].offer))
            heard = &question->offers[index];
    if (heard == NULL || last_turn_of(open, heard) < open->turn)
        return false;
    const threat threat = nearest_threat(question);
    const gral_offer theirs = heard->offer;
    const bool against_us = (theirs.kind == GRAL_OFFER_STOP && theirs.seat == talk->seat) ||
                            (theirs.kind == GRAL_OFFER_UNCOVER && public_leader(open, theirs.pawn) == talk->seat);
    const bool with_us = threat.pawn != GRAL_NO_PAWN &&
                         ((theirs.kind == GRAL_OFFER_STOP && theirs.seat == threat.seat) ||
                          (theirs.kind == GRAL_OFFER_UNCOVER && theirs.pawn == threat.pawn) ||
                          (theirs.kind == GRAL_OFFER_BRING && theirs.field == open->pawn[threat.pawn]));
    if (!against_us && !with_us)
        return false;
    *offer = offer_of(against_us ? GRAL_OFFER_REFUSE : GRAL_OFFER_AGREE, GRAL_NO_PAWN);
    return true;
}

bool talk_offer(const talk *talk, const gral_question *question, gral_action decided, gral_offer *offer)
{
    if (!says_first_word(&question->view->open) || has_just_spoken(question))
        return false;
    gral_random random = gral_random_from(~question->seed); /* not the luck of the decision */
    if (!happens(talk->manners->chatter, &random))
        return false;
    gral_offer said;
    if (answer(talk, question, &said)) {
        *offer = said;
        return true;
    }
    if ((!call_for_help(question, decided, &random, &said) && !claim_points(talk, question, decided, &random, &said)) ||
        is_stale(question, said))
        return false;
    *offer = said;
    return true;
}
