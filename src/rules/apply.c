/* How the game goes on.
 *
 * A turn is an assignment or a proposal (R2.3). A proposal is disputed: the others are asked one
 * after the other from the active player's left; an objection is answered at once, and after a
 * claim all are asked again (R4.4-R4.6, Q13). When all have passed in a row it is carried out, in
 * this order: the choice about the grail for the step, the step, the end if there is one, the
 * uncovering, the choice about a grail it freed (R5-R7). */
#include "gral/state.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(gral_action) == 4, "an action is four bytes");
static_assert(sizeof(gral_open) == 40 + 2 * GRAL_PLAYERS_MAX * GRAL_PAWNS, "no padding in what all know");
static_assert(sizeof(gral_sheet) == GRAL_PAWNS + GRAL_UNIT_KINDS + 1, "no padding in a sheet");
static_assert(sizeof(gral_state) == sizeof(gral_open) + GRAL_PLAYERS_MAX * sizeof(gral_sheet), "none between");
static_assert(sizeof(gral_state) <= 512, "a state stays small");

static unsigned clockwise(const gral_open *open, unsigned seat)
{
    return seat + 1 == open->players ? 0 : seat + 1;
}

static void close_dispute(gral_open *open)
{
    open->proposal = gral_say(GRAL_NOTHING);
    open->claim = 0;
    open->objection = 0;
    open->objector = GRAL_NOBODY;
    open->stage = GRAL_NO_CHOICE;
    open->origin = GRAL_NOWHERE;
}

static void close_turn(gral_open *open)
{
    close_dispute(open);
    open->rejected_steps = 0;
    memset(open->rejected_uncoverings, 0, sizeof open->rejected_uncoverings);
}

static void end_game(gral_open *open, unsigned winner, unsigned pawn)
{
    close_turn(open);
    open->phase = GRAL_OVER;
    open->actor = GRAL_NOBODY;
    open->winner = (uint8_t)winner;
    open->winning_pawn = (uint8_t)pawn;
}

static void begin_turn(gral_open *open, unsigned seat)
{
    open->phase = GRAL_TURN;
    open->turn++;
    open->active = (uint8_t)seat;
    open->actor = (uint8_t)seat;
}

static void end_turn(const gral_game *game, gral_open *open)
{
    if (open->turn == game->settings.limit) { /* R7.5; no turn is numbered 0 */
        end_game(open, GRAL_NOBODY, GRAL_NO_PAWN);
        return;
    }
    close_turn(open);
    begin_turn(open, clockwise(open, open->active));
}

/* R7.3: the most influence wins, and in any tie for it the active player. */
static unsigned most_influential(const gral_state *state, unsigned pawn)
{
    unsigned winner = state->open.active, most = 0;
    for (unsigned seat = 0; seat < state->open.players; seat++) {
        const unsigned influence = state->sheet[seat].influence[pawn];
        if (influence > most) {
            most = influence;
            winner = seat;
        } else if (influence == most) {
            winner = state->open.active;
        }
    }
    return winner;
}

/* R8.2 */
static unsigned owner_of(const gral_game *game, unsigned field)
{
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        if (game->home[society] == field)
            return game->settings.owner[society];
    assert(!"not a headquarters");
    return GRAL_NOBODY;
}

static void end_with(const gral_game *game, gral_state *state, unsigned pawn)
{
    const unsigned winner = game->settings.rules == GRAL_ORIGINAL ? owner_of(game, state->open.pawn[pawn])
                                                                  : most_influential(state, pawn);
    end_game(&state->open, winner, pawn);
}

static void ask_about_grail(gral_open *open, enum gral_stage stage)
{
    open->phase = GRAL_GRAIL;
    open->stage = stage & 7;
    open->actor = open->active;
}

/* R6.3-R6.5 */
static void carry_out_uncovering(const gral_game *game, gral_state *state)
{
    gral_open *open = &state->open;
    const unsigned pawn = open->proposal.pawn, target = open->proposal.target, payer = open->active;

    for (unsigned seat = 0; seat < open->players; seat++) {
        open->known[seat][target] = state->sheet[seat].influence[target];
        state->sheet[seat].influence[target] = 0;
    }
    open->pawn[target] = GRAL_NOWHERE;
    state->sheet[payer].influence[pawn] -= GRAL_UNCOVER_PRICE;
    open->known[payer][pawn] -= GRAL_UNCOVER_PRICE; /* the announcement has shown as much (R6.2) */
    open->paid[payer][pawn] += GRAL_UNCOVER_PRICE;

    if (open->bearer != target) {
        end_turn(game, open);
        return;
    }
    open->bearer = GRAL_NO_PAWN;
    ask_about_grail(open, GRAL_FREED);
}

static void arrive(const gral_game *game, gral_state *state)
{
    gral_open *open = &state->open;
    const gral_action proposal = open->proposal;
    open->origin = open->pawn[proposal.pawn] & 31U;
    open->pawn[proposal.pawn] = proposal.field;
    if (open->bearer == proposal.pawn) {
        open->grail = proposal.field;
        if (game->arrival_ends[proposal.pawn] >> proposal.field & 1) {
            end_with(game, state, proposal.pawn); /* before the uncovering, which is not paid (R6.4) */
            return;
        }
    }
    if (proposal.target != GRAL_NO_PAWN)
        carry_out_uncovering(game, state);
    else
        end_turn(game, open);
}

static void carry_out(const gral_game *game, gral_state *state)
{
    gral_open *open = &state->open;
    const gral_action proposal = open->proposal;
    if (proposal.verb == GRAL_UNCOVER) {
        carry_out_uncovering(game, state);
        return;
    }
    if (open->bearer == proposal.pawn || (open->bearer == GRAL_NO_PAWN && open->grail == open->pawn[proposal.pawn]))
        ask_about_grail(open, GRAL_DEPARTURE);
    else if (open->bearer == GRAL_NO_PAWN && open->grail == proposal.field)
        ask_about_grail(open, GRAL_ARRIVAL);
    else
        arrive(game, state);
}

static void decide_grail(const gral_game *game, gral_state *state, enum gral_verb verb)
{
    gral_open *open = &state->open;
    const unsigned pawn = open->proposal.pawn;
    if (verb == GRAL_KEEP) {
        open->bearer = (uint8_t)pawn;
        /* R7.1, R7.2: taken up on his own headquarters, it ends the game there and then. Who arrives
         * is not there yet; arrive() sees to him. */
        if (open->stage != GRAL_ARRIVAL && game->pickup_ends[pawn] >> open->grail & 1) {
            end_with(game, state, pawn);
            return;
        }
    } else {
        open->bearer = GRAL_NO_PAWN;
        if (verb == GRAL_DROP)
            open->grail = open->proposal.field;
    }
    if (open->stage == GRAL_FREED)
        end_turn(game, open);
    else
        arrive(game, state);
}

static void propose(gral_open *open, gral_action proposal)
{
    open->proposal = proposal;
    if (proposal.target != GRAL_NO_PAWN && open->known[open->active][proposal.pawn] < GRAL_UNCOVER_PRICE)
        open->known[open->active][proposal.pawn] = GRAL_UNCOVER_PRICE; /* R6.2 */
    open->phase = GRAL_OBJECTION;
    open->actor = (uint8_t)clockwise(open, open->active);
}

/* R4.8 */
static void reveal(gral_open *open, unsigned points)
{
    uint8_t *known = &open->known[open->actor][open->proposal.pawn];
    if (*known < points)
        *known = (uint8_t)points;
}

/* R4.9 */
static void reject(const gral_game *game, gral_open *open)
{
    const gral_action proposal = open->proposal;
    if (proposal.target != GRAL_NO_PAWN) {
        open->rejected_uncoverings[proposal.pawn] |= (uint8_t)(1u << proposal.target);
    } else {
        const uint8_t *neighbour = game->neighbour[open->pawn[proposal.pawn]];
        unsigned d = 0;
        while (neighbour[d] != proposal.field)
            d++;
        open->rejected_steps |= 1u << (GRAL_DIRECTIONS * proposal.pawn + d);
    }
    close_dispute(open);
    open->phase = GRAL_TURN;
    open->actor = open->active;
}

static void place(const gral_game *game, gral_state *state, gral_action action)
{
    gral_sheet *sheet = &state->sheet[state->open.actor];
    unsigned kind = 0;
    while (gral_unit_value[kind] != action.points)
        kind++;
    sheet->units[kind]--;
    sheet->influence[action.pawn] += action.points;
    if (game->one_pawn_per_assignment && state->open.phase == GRAL_PLACING)
        sheet->assigned_to = action.pawn;
}

static void done(const gral_game *game, gral_state *state)
{
    gral_open *open = &state->open;
    state->sheet[open->actor].assigned_to = GRAL_NO_PAWN;
    if (open->phase == GRAL_PLACING)
        end_turn(game, open);
    else if (open->actor + 1 < open->players)
        open->actor++;
    else
        begin_turn(open, game->settings.first);
}

void gral_start(const gral_game *game, gral_state *state)
{
    const gral_settings *settings = &game->settings;
    *state = (gral_state){
        .open =
            {
                .phase = GRAL_OPENING,
                .actor = 0,
                .active = GRAL_NOBODY,
                .grail = settings->grail,
                .bearer = GRAL_NO_PAWN,
                .winner = GRAL_NOBODY,
                .winning_pawn = GRAL_NO_PAWN,
                .players = settings->players,
            },
    };
    close_turn(&state->open);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        state->open.pawn[pawn] = settings->pawns >> pawn & 1 ? game->home[pawn / 2] : GRAL_NOWHERE;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        if (seat < settings->players)
            memcpy(state->sheet[seat].units, settings->units, sizeof settings->units);
        state->sheet[seat].assigned_to = GRAL_NO_PAWN;
    }
}

void gral_apply(const gral_game *game, gral_state *state, gral_action action)
{
    assert(gral_check(game, state, action) == GRAL_LEGAL);
    gral_open *open = &state->open;
    switch ((enum gral_verb)action.verb) {
    case GRAL_PLACE:
        place(game, state, action);
        break;
    case GRAL_DONE:
        done(game, state);
        break;
    case GRAL_ASSIGN:
        open->phase = GRAL_PLACING;
        break;
    case GRAL_STEP:
    case GRAL_UNCOVER:
        propose(open, action);
        break;
    case GRAL_OBJECT:
        reveal(open, action.points);
        open->objection = action.points;
        open->objector = open->actor;
        open->phase = GRAL_ANSWER;
        open->actor = open->active;
        break;
    case GRAL_PASS:
        open->actor = (uint8_t)clockwise(open, open->actor);
        if (open->actor == open->active)
            carry_out(game, state);
        break;
    case GRAL_CLAIM:
        reveal(open, action.points);
        open->claim = action.points;
        open->objection = 0;
        open->objector = GRAL_NOBODY;
        open->phase = GRAL_OBJECTION;
        open->actor = (uint8_t)clockwise(open, open->active);
        break;
    case GRAL_YIELD:
        reject(game, open);
        break;
    case GRAL_KEEP:
    case GRAL_DROP:
    case GRAL_LEAVE:
        decide_grail(game, state, (enum gral_verb)action.verb);
        break;
    case GRAL_NOTHING:
    case GRAL_VERBS:
        break;
    }
}

/* Who wins then depends on the sheets, which are not needed for this. */
unsigned gral_ends_with(const gral_game *game, const gral_open *open)
{
    gral_state state = {.open = *open};
    if (open->phase == GRAL_OBJECTION || open->phase == GRAL_ANSWER)
        carry_out(game, &state);
    while (state.open.phase == GRAL_GRAIL)
        decide_grail(game, &state, GRAL_KEEP);
    return state.open.winning_pawn;
}

/* Only an uncovering touches more than the first part of `open` and the actor's own rows. */
void gral_apply_with_undo(const gral_game *game, gral_state *state, gral_action action, gral_undo *undo)
{
    const gral_open *open = &state->open;
    const unsigned actor = open->actor;
    undo->whole = open->proposal.target != GRAL_NO_PAWN || action.target != GRAL_NO_PAWN;
    if (undo->whole) {
        undo->before = *state;
    } else {
        memcpy(&undo->before.open, open, offsetof(gral_open, known));
        memcpy(undo->before.open.known[actor], open->known[actor], sizeof open->known[actor]);
        undo->before.sheet[actor] = state->sheet[actor];
    }
    gral_apply(game, state, action);
}

void gral_take_back(gral_state *state, const gral_undo *undo)
{
    if (undo->whole) {
        *state = undo->before;
        return;
    }
    const unsigned actor = undo->before.open.actor;
    memcpy(&state->open, &undo->before.open, offsetof(gral_open, known));
    memcpy(state->open.known[actor], undo->before.open.known[actor], sizeof state->open.known[actor]);
    state->sheet[actor] = undo->before.sheet[actor];
}
