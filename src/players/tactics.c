#include "tactics.h"

#include "distance.h"

enum { STEPS_MAX = 3 };

bool tactics_has_grail(const gral_open *open, unsigned pawn)
{
    return open->bearer == pawn || (open->bearer == GRAL_NO_PAWN && open->grail == open->pawn[pawn]);
}

static bool arrives_with_grail(const gral_open *open, gral_action step)
{
    return tactics_has_grail(open, step.pawn) || (open->bearer == GRAL_NO_PAWN && open->grail == step.field);
}

bool tactics_can_end(const gral_game *game, const gral_open *open, gral_action step)
{
    if (step.verb != GRAL_STEP)
        return false;
    const bool picks_up = open->bearer == GRAL_NO_PAWN && open->grail == open->pawn[step.pawn];
    return (arrives_with_grail(open, step) && game->arrival_ends[step.pawn] >> step.field & 1) ||
           (picks_up && game->pickup_ends[step.pawn] >> open->grail & 1);
}

/* The most that any other seat can hold on an initiate. */
static unsigned most_of_others(const gral_question *question, const gral_notepad *notepad, unsigned pawn)
{
    unsigned most = 0;
    for (unsigned seat = 0; seat < question->view->open.players; seat++)
        if (seat != question->view->seat && notepad->bounds[seat][pawn].most > most)
            most = notepad->bounds[seat][pawn].most;
    return most;
}

static unsigned held(const gral_question *question, unsigned pawn)
{
    return question->view->sheet[question->view->seat].influence[pawn];
}

bool tactics_surely_leads(const gral_question *question, unsigned pawn)
{
    gral_notepad notepad;
    gral_notepad_fill(question->game, question->view, &notepad);
    return most_of_others(question, &notepad, pawn) <= held(question, pawn);
}

/* Initiates with whom somebody else may come and uncover: he must be able to hold the price on one, and to insist
 * against us. */
static unsigned dangers(const gral_question *question, const gral_notepad *notepad)
{
    unsigned pawns = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const unsigned most = most_of_others(question, notepad, pawn);
        const bool dangerous = gral_on_board(&question->view->open, pawn) && most >= GRAL_UNCOVER_PRICE &&
                               most >= held(question, pawn);
        pawns |= (unsigned)dangerous << pawn;
    }
    return pawns;
}

/* Whether the bearer, having come to `field` with his step number `number` from now, gets home with nobody able to
 * reach him. All the others together have one turn each for every step of his, and the last of these turns must be
 * the uncovering. */
static bool is_safe_way(const gral_question *question, unsigned pawn, unsigned field, unsigned number, unsigned danger)
{
    const gral_game *game = question->game;
    const gral_open *open = &question->view->open;
    const unsigned home = game->home[pawn / 2];
    if (field == home)
        return true;
    const unsigned turns = (open->players - 1u) * number;
    const bool strikes_by_stepping =
        !game->one_pawn_per_assignment; /* both are the rules for two or three (R3.3, R4.2) */
    for (unsigned other = 0; other < GRAL_PAWNS; other++)
        if (other != pawn && danger >> other & 1 &&
            distance(open->pawn[other], field) <= (strikes_by_stepping ? turns : turns - 1))
            return false;
    for (unsigned direction = 0; direction < GRAL_DIRECTIONS; direction++) {
        const unsigned next = game->neighbour[field][direction];
        if (next != GRAL_NOWHERE && distance(next, home) < distance(field, home) &&
            is_safe_way(question, pawn, next, number + 1, danger))
            return true;
    }
    return false;
}

/* R7.3: in a tie the active player wins, so for the last step it is enough that nobody holds more. On the way others
 * have turns too; to stop them from leading him away we must hold more than they can (R4.6). */
static bool wins_standard(const gral_question *question, const float leads[GRAL_PAWNS], gral_action step)
{
    const float hardly_fails = 0.98f;
    if (tactics_can_end(question->game, &question->view->open, step))
        return tactics_surely_leads(question, step.pawn) || (leads != NULL && leads[step.pawn] >= hardly_fails);
    const unsigned left = distance(step.field, question->game->home[step.pawn / 2]);
    const gral_open *open = &question->view->open;
    const uint32_t limit = question->game->settings.limit;
    if (limit > 0 && open->turn + left * open->players > limit)
        return false; /* the game is drawn before he is there (R7.5) */
    if (!arrives_with_grail(&question->view->open, step) || left >= STEPS_MAX)
        return false;
    gral_notepad notepad;
    gral_notepad_fill(question->game, question->view, &notepad);
    return most_of_others(question, &notepad, step.pawn) < held(question, step.pawn) &&
           is_safe_way(question, step.pawn, step.field, 1, dangers(question, &notepad));
}

/* R8.2: he who owns the headquarters wins; others must not be able to stop the step. */
static bool wins_original(const gral_question *question, gral_action step)
{
    const gral_view *view = question->view;
    if (!tactics_can_end(question->game, &view->open, step))
        return false;
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        if (question->game->home[society] == step.field && question->game->settings.owner[society] == view->seat)
            return view->open.phase == GRAL_GRAIL || tactics_surely_leads(question, step.pawn);
    return false;
}

bool tactics_wins(const gral_question *question, const float leads[GRAL_PAWNS], gral_action action)
{
    const gral_open *open = &question->view->open;
    gral_action step = action;
    if (open->phase == GRAL_GRAIL && open->stage != GRAL_FREED && action.verb == GRAL_KEEP)
        step = open->proposal;
    else if (open->phase != GRAL_TURN)
        return false;
    if (step.verb != GRAL_STEP || step.target != GRAL_NO_PAWN)
        return false;
    return question->game->settings.rules == GRAL_ORIGINAL ? wins_original(question, step)
                                                           : wins_standard(question, leads, step);
}

/* --- what is sure --- */

/* The bearer stands on the headquarters of him who is to uncover him: taking the grail then ends the game (R7.1). */
static bool strikes_home(const gral_question *question, gral_action proposal)
{
    const gral_open *open = &question->view->open;
    return proposal.target != GRAL_NO_PAWN && proposal.target == open->bearer &&
           question->game->pickup_ends[proposal.pawn] >> open->grail & 1;
}

/* The price is paid before the sheets are compared (R6.4). */
static bool strike_wins(const gral_question *question, gral_action proposal)
{
    if (!strikes_home(question, proposal) || held(question, proposal.pawn) < GRAL_UNCOVER_PRICE)
        return false;
    gral_notepad notepad;
    gral_notepad_fill(question->game, question->view, &notepad);
    return most_of_others(question, &notepad, proposal.pawn) + GRAL_UNCOVER_PRICE <= held(question, proposal.pawn);
}

/* In an answer: insisting on what wins; what was shown in the dispute changes nothing about who leads. */
static bool insists_on_win(const gral_question *question, gral_action action)
{
    const gral_open *open = &question->view->open;
    if (action.verb != GRAL_CLAIM)
        return false;
    if (question->game->settings.rules != GRAL_ORIGINAL && tactics_can_end(question->game, open, open->proposal))
        return tactics_surely_leads(question, open->proposal.pawn);
    return strike_wins(question, open->proposal);
}

static bool takes_what_wins(const gral_question *question, gral_action action)
{
    const gral_open *open = &question->view->open;
    return action.verb == GRAL_KEEP && open->stage == GRAL_FREED &&
           question->game->pickup_ends[open->proposal.pawn] >> open->grail & 1 &&
           tactics_surely_leads(question, open->proposal.pawn);
}

/* Somebody is known to hold more than this on an initiate. */
static bool is_beaten(const gral_question *question, unsigned pawn, unsigned points)
{
    for (unsigned seat = 0; seat < question->view->open.players; seat++)
        if (seat != question->view->seat && gral_floor(&question->view->open, seat, pawn) > points)
            return true;
    return false;
}

/* Keeping the grail ends the game, and somebody else has won it. */
static bool keeps_for_another(const gral_question *question)
{
    const gral_open *open = &question->view->open;
    const unsigned pawn = open->proposal.pawn;
    const uint32_t picked_up = question->game->pickup_ends[pawn] & UINT32_C(1) << open->grail;
    const bool ends = open->stage == GRAL_FREED ? picked_up != 0
                                                : tactics_can_end(question->game, open, open->proposal);
    if (question->game->settings.rules == GRAL_ORIGINAL) {
        for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
            if (question->game->home[society] == open->proposal.field)
                return ends && question->game->settings.owner[society] != question->view->seat;
        return false;
    }
    return ends && is_beaten(question, pawn, held(question, pawn));
}

/* Passing lets somebody win whom nobody could keep us from stopping: the active player cannot hold as much. */
static bool lets_another_win(const gral_question *question)
{
    const gral_open *open = &question->view->open;
    const unsigned pawn = open->proposal.pawn;
    if (question->options->points_verb != GRAL_OBJECT || question->game->settings.rules == GRAL_ORIGINAL ||
        !(tactics_can_end(question->game, open, open->proposal) || strikes_home(question, open->proposal)) ||
        !is_beaten(question, pawn, held(question, pawn)))
        return false;
    gral_notepad notepad;
    gral_notepad_fill(question->game, question->view, &notepad);
    return notepad.bounds[open->active][pawn].most < held(question, pawn);
}

/* The only initiate with whom somebody else may end the game next, being known to hold more on him than we do, so that
 * no objection of ours would help. GRAL_NO_PAWN for none, or several. */
static unsigned threat_of(const gral_question *question)
{
    const gral_open *open = &question->view->open;
    unsigned threat = GRAL_NO_PAWN;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(open, pawn) || !is_beaten(question, pawn, held(question, pawn)))
            continue;
        bool ends = false;
        for (unsigned direction = 0; direction < GRAL_DIRECTIONS; direction++) {
            const unsigned next = question->game->neighbour[open->pawn[pawn]][direction];
            ends |= next != GRAL_NOWHERE && tactics_can_end(question->game, open, gral_step(pawn, next, GRAL_NO_PAWN));
        }
        if (!ends)
            continue;
        if (threat != GRAL_NO_PAWN)
            return GRAL_NO_PAWN;
        threat = pawn;
    }
    return threat;
}

/* With all we have left we could hold more than is known of the others. */
static bool can_catch_up(const gral_question *question, unsigned pawn)
{
    const gral_sheet *sheet = &question->view->sheet[question->view->seat];
    return !is_beaten(question, pawn, held(question, pawn) + gral_units_worth(sheet->units));
}

/* Where he stands then, no step of his ends the game. */
static bool leads_away(const gral_question *question, gral_action step)
{
    for (unsigned direction = 0; direction < GRAL_DIRECTIONS; direction++) {
        const unsigned next = question->game->neighbour[step.field][direction];
        if (next != GRAL_NOWHERE && question->game->arrival_ends[step.pawn] >> next & 1)
            return false;
    }
    return true;
}

static bool averts(const gral_question *question, gral_action action, unsigned threat)
{
    const gral_open *open = &question->view->open;
    if (action.verb == GRAL_ASSIGN)
        return can_catch_up(question, threat);
    if (action.target == threat)
        return true;
    if (action.verb != GRAL_STEP)
        return false;
    if (action.pawn == threat)
        return leads_away(question, action);
    const bool ends = tactics_can_end(question->game, open, action) &&
                      !is_beaten(question, action.pawn, held(question, action.pawn));
    const bool takes = open->bearer == GRAL_NO_PAWN &&
                       (open->grail == action.field || open->grail == open->pawn[action.pawn]);
    return ends || takes;
}

static bool leaves_threat(const gral_question *question, gral_action action)
{
    const gral_open *open = &question->view->open;
    if (question->game->settings.rules == GRAL_ORIGINAL)
        return false;
    const unsigned threat = threat_of(question);
    if (threat == GRAL_NO_PAWN)
        return false;
    if (open->phase == GRAL_TURN)
        return !averts(question, action, threat);
    if (!can_catch_up(question, threat) || !is_beaten(question, threat, held(question, threat)))
        return false;
    return action.verb == GRAL_DONE || action.pawn != threat;
}

enum tactics_verdict tactics_judge(const gral_question *question, gral_action action)
{
    switch ((enum gral_phase)question->view->open.phase) {
    case GRAL_TURN:
        if (tactics_wins(question, NULL, action) || strike_wins(question, action))
            return TACTICS_WINS;
        return leaves_threat(question, action) ? TACTICS_LOSES : TACTICS_OPEN;
    case GRAL_PLACING:
        return leaves_threat(question, action) ? TACTICS_LOSES : TACTICS_OPEN;
    case GRAL_OBJECTION:
        return action.verb == GRAL_PASS && lets_another_win(question) ? TACTICS_LOSES : TACTICS_OPEN;
    case GRAL_ANSWER:
        return insists_on_win(question, action) ? TACTICS_WINS : TACTICS_OPEN;
    case GRAL_GRAIL:
        if (tactics_wins(question, NULL, action) || takes_what_wins(question, action))
            return TACTICS_WINS;
        return action.verb == GRAL_KEEP && keeps_for_another(question) ? TACTICS_LOSES : TACTICS_OPEN;
    default:
        return TACTICS_OPEN;
    }
}
