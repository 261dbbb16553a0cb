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
static bool wins_standard(const gral_question *question, const belief *belief, gral_action step)
{
    const float hardly_fails = 0.98f;
    const unsigned enough = 48;
    if (tactics_can_end(question->game, &question->view->open, step))
        return tactics_surely_leads(question, step.pawn) ||
               (belief->guesses >= enough && belief_leads(belief, step.pawn, true) >= hardly_fails);
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

bool tactics_wins(const gral_question *question, const belief *belief, gral_action action)
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
                                                           : wins_standard(question, belief, step);
}
