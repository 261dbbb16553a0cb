/* Decisions: one seat's, or a round in which all are asked at the same time and nobody's answer is turned over before
 * the last is in (Q13): the opening, and every round of objections.
 *
 * The engine asks one seat after the other. So the state waits at the beginning of the round while the answers come
 * in, in any order; then they are played in the engine's order, up to the first objection. Answers behind it are
 * nobody's business any more: they are thrown away untold. */
#include "host_parts.h"

#include <assert.h>
#include <string.h>

bool round_is_hidden(const gral_host *host)
{
    return host->state.open.phase == GRAL_OPENING || host->state.open.phase == GRAL_OBJECTION;
}

uint16_t round_asked(const gral_host *host)
{
    const gral_open *open = &host->state.open;
    if (host->stage != GRAL_PLAYING)
        return 0;
    const uint16_t all = (uint16_t)((1u << open->players) - 1);
    switch ((enum gral_phase)open->phase) {
    case GRAL_OPENING:
        return all;
    case GRAL_OBJECTION:
        return all & (uint16_t)~seat_bit(open->active);
    default:
        return seat_bit(open->actor);
    }
}

uint16_t round_awaited(const gral_host *host, bool computer)
{
    uint16_t awaited = round_asked(host) & (uint16_t)~host->answered;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (host->chair[seat].computer != computer)
            awaited &= (uint16_t)~seat_bit(seat);
    return awaited;
}

gral_state round_probe(const gral_host *host, unsigned seat)
{
    gral_state state = host->state;
    if (round_is_hidden(host))
        while (state.open.actor != seat)
            gral_apply(&host->game, &state, gral_say(state.open.phase == GRAL_OPENING ? GRAL_DONE : GRAL_PASS));
    return state;
}

/* --- what a seat may say --- */

/* After these the same seat goes on. */
static bool goes_on(gral_action action)
{
    return action.verb == GRAL_ASSIGN || action.verb == GRAL_PLACE;
}

static enum gral_host_refusal check_actions(const gral_host *host, const gral_input *input)
{
    gral_state probe = round_probe(host, input->seat);
    for (unsigned index = 0; index < input->action_count; index++) {
        const gral_action action = input->action[index];
        if (index > 0 && !goes_on(input->action[index - 1]))
            return GRAL_HOST_AFTER;
        const enum gral_fault fault = gral_check(&host->game, &probe, action);
        if (fault != GRAL_LEGAL)
            return refuse_for(fault);
        if (goes_on(action))
            gral_apply(&host->game, &probe, action);
    }
    return GRAL_ACCEPTED;
}

enum gral_host_refusal round_check_do(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    if (!(round_asked(host) >> input->seat & 1))
        return GRAL_HOST_TURN;
    if (host->chair[input->seat].computer != input->computer)
        return input->computer ? GRAL_HOST_PERSON : GRAL_HOST_COMPUTER;
    if (host->answered >> input->seat & 1)
        return GRAL_HOST_ANSWERED;
    if (input->action_count == 0)
        return refuse_for(GRAL_FAULT_NO_SUCH_ACTION);
    if (input->action_count > GRAL_ACTIONS_MAX)
        return GRAL_HOST_AFTER;
    const enum gral_host_refusal refusal = check_actions(host, input);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    const gral_action last = input->action[input->action_count - 1];
    if (last.verb == GRAL_PLACE)
        return GRAL_HOST_UNFINISHED;
    return last.verb == GRAL_DONE && !input->salted ? GRAL_HOST_NO_SALT : GRAL_ACCEPTED;
}

/* --- doing it --- */

void round_act(gral_host *host, const gral_action *action, unsigned count, gral_salt salt)
{
    const unsigned seat = host->state.open.actor;
    const bool opening = host->state.open.phase == GRAL_OPENING; /* its seal was made when it came in */
    for (unsigned index = 0; index < count; index++) {
        const uint32_t turn = host->state.open.turn;
        assert(host->state.open.actor == seat);
        gral_apply(&host->game, &host->state, action[index]);
        note_action(host, seat, action[index]);
        if (action[index].verb == GRAL_DONE)
            note_seal(host, seat, opening ? host->chair[seat].sealed : seal_next(host, seat, action, count, salt));
        orders_follow(host, action[index], turn);
        if (host->state.open.turn != turn)
            people_follow_turn(host);
    }
}

void round_go_on(gral_host *host, int64_t time)
{
    host->began = host->clock_from = time;
    host->spoken = false;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        host->chair[seat].held = 0;
    people_forget_votes(host);
    if (host->state.open.phase == GRAL_OVER)
        note_end(host, GRAL_END_GAME);
}

void round_answer(gral_host *host, unsigned seat, const gral_action *action, unsigned count, gral_salt salt)
{
    chair *chair = &host->chair[seat];
    memcpy(chair->answer, action, count * sizeof *action);
    chair->answers = (uint8_t)count;
    if (host->state.open.phase == GRAL_OPENING)
        chair->sealed = seal_next(host, seat, action, count, salt);
    host->answered |= seat_bit(seat);
}

bool round_is_shown(const gral_host *host)
{
    return host->terms.pace == 0 || host->spoken;
}

bool gral_host_holds_answers(const gral_host *host)
{
    return host->stage == GRAL_PLAYING && round_is_hidden(host) && !round_is_shown(host);
}

/* An objection of the only one who is asked is told at once: it will be known, and that it came soon says no more. */
static bool is_held(const gral_host *host, unsigned seat)
{
    const chair *chair = &host->chair[seat];
    const bool alone = round_asked(host) == seat_bit(seat);
    return chair->held != 0 && !(alone && host->answered >> seat & 1 && chair->answer[0].verb == GRAL_OBJECT);
}

int64_t round_held(const gral_host *host)
{
    int64_t held = 0;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (is_held(host, seat) && host->chair[seat].held > held)
            held = host->chair[seat].held;
    return held;
}

void round_close_if_full(gral_host *host, int64_t time)
{
    if (host->answered != round_asked(host) || !round_is_shown(host) || round_held(host) > time)
        return;
    const uint8_t phase = host->state.open.phase;
    while (host->state.open.phase == phase) {
        const chair *chair = &host->chair[host->state.open.actor];
        round_act(host, chair->answer, chair->answers, chair->sealed.salt);
    }
    host->answered = 0;
    round_go_on(host, time);
}

void round_do(gral_host *host, const gral_input *input, int64_t time)
{
    if (!input->computer)
        host->chair[input->seat].lates = 0;
    if (round_is_hidden(host)) {
        round_answer(host, input->seat, input->action, input->action_count, input->salt);
        round_close_if_full(host, time);
        return;
    }
    round_act(host, input->action, input->action_count, input->salt);
    if (goes_on(input->action[input->action_count - 1])) { /* an assignment was announced: the clock runs on */
        people_forget_votes(host);
        return;
    }
    clock_stop(host, input->seat, time);
    round_go_on(host, time);
}

/* --- what one viewer may know --- */

/* An end beside the rules as a view shows it: over, with all sheets on the table (R10.4). */
static void show_end(gral_open *open)
{
    open->phase = GRAL_OVER;
    open->actor = GRAL_NOBODY;
    open->proposal = gral_say(GRAL_NOTHING);
    open->claim = open->objection = 0;
    open->objector = GRAL_NOBODY;
    open->stage = GRAL_NO_CHOICE;
    open->origin = GRAL_NOWHERE;
    open->rejected_steps = 0;
    memset(open->rejected_uncoverings, 0, sizeof open->rejected_uncoverings);
}

/* Everybody sees the table as it was when the round began. Only one's own answer is added, on one's own sheet. */
gral_view gral_host_view(const gral_host *host, unsigned viewer)
{
    if (host->end == GRAL_END_AGREED || host->end == GRAL_END_ABANDONED) {
        gral_state shown = host->state;
        show_end(&shown.open);
        return gral_view_of(&shown, viewer);
    }
    gral_view view = gral_view_of(&host->state, viewer);
    if (viewer == GRAL_SPECTATOR || host->state.open.phase != GRAL_OPENING || !(host->answered >> viewer & 1))
        return view;
    gral_state probe = round_probe(host, viewer);
    for (unsigned index = 0; index < host->chair[viewer].answers; index++)
        gral_apply(&host->game, &probe, host->chair[viewer].answer[index]);
    view.sheet[viewer] = probe.sheet[viewer];
    return view;
}

/* Others hear of it when the round closes: before, a seal would say who has answered (Q13). */
bool gral_host_sealed(const gral_host *host, unsigned seat, gral_seal *seal)
{
    if (host->stage != GRAL_PLAYING || host->state.open.phase != GRAL_OPENING || !(host->answered >> seat & 1))
        return false;
    *seal = host->chair[seat].sealed.seal;
    return true;
}

gral_options gral_host_options(const gral_host *host, unsigned seat)
{
    if (seat >= host->terms.settings.players || !((round_asked(host) & ~host->answered) >> seat & 1))
        return (gral_options){0};
    const gral_state probe = round_probe(host, seat);
    return gral_legal_options(&host->game, &probe);
}

void gral_host_draft(const gral_host *host, unsigned seat, const gral_action *action, unsigned count, gral_view *view,
                     gral_options *options)
{
    gral_state probe = round_probe(host, seat);
    for (unsigned index = 0; index < count; index++)
        gral_apply(&host->game, &probe, action[index]);
    *view = gral_view_of(&probe, seat);
    *options = gral_legal_options(&host->game, &probe);
}
