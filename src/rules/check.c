/* Why an action is not legal, clause by clause. legal.c says the same as masks, for speed; a test
 * holds the two against each other over whole games. */
#include "gral/state.h"

#include "translate.h"

#include <assert.h>

static const char *const fault_text[] = {
    [GRAL_LEGAL] = N_("there is no error"),
    [GRAL_FAULT_OVER] = N_("the game is over"),
    [GRAL_FAULT_NOT_PLACING] = N_(
        "you can place units only in the opening or after announcing an assignment (R2.2, R3.1)"),
    [GRAL_FAULT_NOT_PROPOSING] = N_("you can propose or assign only at the start of your turn or after a rejection "
                                    "(R3.1, R4.1, R4.9)"),
    [GRAL_FAULT_NO_PROPOSAL] = N_("there is no proposal for you to object to (R4.4)"),
    [GRAL_FAULT_NO_OBJECTION] = N_("there is no objection to answer (R4.5)"),
    [GRAL_FAULT_NO_GRAIL_CHOICE] = N_("there is nothing to decide about the grail now (R5.4)"),
    [GRAL_FAULT_NO_UNIT] = N_("you have no unit of that value left (R3.2)"),
    [GRAL_FAULT_PAWN_GONE] = N_("that initiate is not on the board (R6.3)"),
    [GRAL_FAULT_OTHER_PAWN] = N_(
        "with four or more players, all units of one assignment go to the same initiate (R3.3)"),
    [GRAL_FAULT_ASSIGN_AFTER_REJECTION] = N_("after a rejection you must propose something else (R4.9); you may assign "
                                             "only when every move has been rejected (R4.10)"),
    [GRAL_FAULT_NOT_ADJACENT] = N_("a move goes to an adjacent field (R4.1)"),
    [GRAL_FAULT_REJECTED] = N_("that was already rejected this turn (R4.9)"),
    [GRAL_FAULT_STEP_AND_UNCOVER] = N_("with four or more players, you may move or uncover in a turn, not both (R6.7)"),
    [GRAL_FAULT_UNCOVERS_ITSELF] = N_("an initiate can't uncover himself (R6.1)"),
    [GRAL_FAULT_TARGET_ELSEWHERE] = N_("the initiate to be uncovered is on another field (R6.1)"),
    [GRAL_FAULT_PRICE] = N_("uncovering takes 10 points on the acting initiate (R6.2)"),
    [GRAL_FAULT_MORE_THAN_HELD] = N_("you don't have that much influence on this initiate (R4.8)"),
    [GRAL_FAULT_NO_POINTS] = N_("an objection must reveal at least 1 point (R4.4)"),
    [GRAL_FAULT_OBJECTION_TOO_LOW] = N_("an objection must reveal more than the active player has revealed (R4.6)"),
    [GRAL_FAULT_CLAIM_TOO_LOW] = N_("to insist, you must reveal at least as much as the objection (R4.5)"),
    [GRAL_FAULT_NO_DROP] = N_("you can't put the grail down here: keep it or leave it (R5.2, R6.5, R7.2, R8.2)"),
    [GRAL_FAULT_NO_SUCH_ACTION] = N_("this action does not exist"),
};
static_assert(sizeof fault_text / sizeof *fault_text == GRAL_FAULTS, "a text for every fault");

static enum gral_fault check_place(const gral_state *state, gral_action action)
{
    const gral_sheet *sheet = &state->sheet[state->open.actor];
    if (state->open.phase != GRAL_OPENING && state->open.phase != GRAL_PLACING)
        return GRAL_FAULT_NOT_PLACING;
    if (action.pawn >= GRAL_PAWNS)
        return GRAL_FAULT_NO_SUCH_ACTION;
    if (!gral_on_board(&state->open, action.pawn))
        return GRAL_FAULT_PAWN_GONE;
    if (sheet->assigned_to != GRAL_NO_PAWN && sheet->assigned_to != action.pawn)
        return GRAL_FAULT_OTHER_PAWN;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        if (gral_unit_value[kind] == action.points)
            return sheet->units[kind] > 0 ? GRAL_LEGAL : GRAL_FAULT_NO_UNIT;
    return GRAL_FAULT_NO_UNIT;
}

static enum gral_fault check_assign(const gral_game *game, const gral_state *state)
{
    if (state->open.phase != GRAL_TURN)
        return GRAL_FAULT_NOT_PROPOSING;
    const gral_options options = gral_legal_options(game, state);
    return options.verbs != 0 ? GRAL_LEGAL : GRAL_FAULT_ASSIGN_AFTER_REJECTION;
}

static enum gral_fault check_uncovering(const gral_game *game, const gral_state *state, gral_action action,
                                        unsigned field)
{
    const gral_open *open = &state->open;
    if (action.target >= GRAL_PAWNS)
        return GRAL_FAULT_NO_SUCH_ACTION;
    if (action.target == action.pawn)
        return GRAL_FAULT_UNCOVERS_ITSELF;
    if (!gral_on_board(open, action.target))
        return GRAL_FAULT_PAWN_GONE;
    if (!(game->strike[open->pawn[action.pawn]] >> field & 1))
        return GRAL_FAULT_STEP_AND_UNCOVER;
    if (open->pawn[action.target] != field)
        return GRAL_FAULT_TARGET_ELSEWHERE;
    if (state->sheet[open->actor].influence[action.pawn] < GRAL_UNCOVER_PRICE)
        return GRAL_FAULT_PRICE;
    if (open->rejected_uncoverings[action.pawn] >> action.target & 1)
        return GRAL_FAULT_REJECTED;
    return GRAL_LEGAL;
}

static enum gral_fault check_proposal(const gral_game *game, const gral_state *state, gral_action action)
{
    const gral_open *open = &state->open;
    if (open->phase != GRAL_TURN)
        return GRAL_FAULT_NOT_PROPOSING;
    if (action.pawn >= GRAL_PAWNS)
        return GRAL_FAULT_NO_SUCH_ACTION;
    if (!gral_on_board(open, action.pawn))
        return GRAL_FAULT_PAWN_GONE;
    if (action.verb == GRAL_UNCOVER)
        return check_uncovering(game, state, action, open->pawn[action.pawn]);

    const uint8_t *neighbour = game->neighbour[open->pawn[action.pawn]];
    for (unsigned d = 0; d < GRAL_DIRECTIONS; d++) {
        if (neighbour[d] != action.field || action.field >= GRAL_FIELDS)
            continue;
        if (action.target != GRAL_NO_PAWN)
            return check_uncovering(game, state, action, action.field);
        return open->rejected_steps >> (GRAL_DIRECTIONS * action.pawn + d) & 1 ? GRAL_FAULT_REJECTED : GRAL_LEGAL;
    }
    return GRAL_FAULT_NOT_ADJACENT;
}

static enum gral_fault check_figure(const gral_state *state, gral_action action)
{
    const gral_open *open = &state->open;
    if (action.verb == GRAL_OBJECT) {
        if (open->phase != GRAL_OBJECTION)
            return GRAL_FAULT_NO_PROPOSAL;
        if (action.points == 0)
            return GRAL_FAULT_NO_POINTS;
        if (action.points <= open->claim)
            return GRAL_FAULT_OBJECTION_TOO_LOW;
    } else {
        if (open->phase != GRAL_ANSWER)
            return GRAL_FAULT_NO_OBJECTION;
        if (action.points < open->objection)
            return GRAL_FAULT_CLAIM_TOO_LOW;
    }
    const gral_sheet *sheet = &state->sheet[open->actor];
    return action.points <= sheet->influence[open->proposal.pawn] ? GRAL_LEGAL : GRAL_FAULT_MORE_THAN_HELD;
}

static enum gral_fault check_grail(const gral_game *game, const gral_state *state, gral_action action)
{
    if (state->open.phase != GRAL_GRAIL)
        return GRAL_FAULT_NO_GRAIL_CHOICE;
    const gral_options options = gral_legal_options(game, state);
    return options.verbs >> action.verb & 1 ? GRAL_LEGAL : GRAL_FAULT_NO_DROP;
}

enum gral_fault gral_check(const gral_game *game, const gral_state *state, gral_action action)
{
    const gral_open *open = &state->open;
    if (open->phase == GRAL_OVER)
        return GRAL_FAULT_OVER;
    switch ((enum gral_verb)action.verb) {
    case GRAL_PLACE:
        return check_place(state, action);
    case GRAL_DONE:
        return open->phase == GRAL_OPENING || open->phase == GRAL_PLACING ? GRAL_LEGAL : GRAL_FAULT_NOT_PLACING;
    case GRAL_ASSIGN:
        return check_assign(game, state);
    case GRAL_STEP:
    case GRAL_UNCOVER:
        return check_proposal(game, state, action);
    case GRAL_OBJECT:
    case GRAL_CLAIM:
        return check_figure(state, action);
    case GRAL_PASS:
        return open->phase == GRAL_OBJECTION ? GRAL_LEGAL : GRAL_FAULT_NO_PROPOSAL;
    case GRAL_YIELD:
        return open->phase == GRAL_ANSWER ? GRAL_LEGAL : GRAL_FAULT_NO_OBJECTION;
    case GRAL_KEEP:
    case GRAL_DROP:
    case GRAL_LEAVE:
        return check_grail(game, state, action);
    case GRAL_NOTHING:
    case GRAL_VERBS:
        break;
    }
    return GRAL_FAULT_NO_SUCH_ACTION;
}

const char *gral_fault_text(enum gral_fault fault)
{
    return fault_text[fault];
}
