/* What comes by itself. Clocks run for persons only. In a round there is one deadline for all, and the time until then
 * is charged to nobody: who was slow would tell who had something to think about (R10.2). Standing orders and computer
 * players speak at a fixed pace for the same reason, and before it nobody sees who of the persons was quick. */
#include "host_parts.h"

#include <string.h>

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t paced(const gral_host *host)
{
    return host->began + host->terms.pace;
}

/* When the persons who are asked must have decided, or 0. It does not depend on who has. A round lasts a pace, however
 * short the clock: else its end would tell whether the last answer was in before. */
static int64_t deadline(const gral_host *host)
{
    const gral_terms *terms = &host->terms;
    const uint16_t asked = round_asked(host);
    bool person = false;
    for (unsigned seat = 0; seat < terms->settings.players; seat++)
        person = person || (asked >> seat & 1 && !host->chair[seat].computer);
    if (!person || terms->clock == GRAL_CLOCK_NONE)
        return 0;
    const int64_t usual = terms->clock == GRAL_CLOCK_MOVE ? terms->time : terms->answer;
    const int64_t given = host->state.open.phase == GRAL_OPENING && terms->opening != 0 ? terms->opening : usual;
    if (round_is_hidden(host))
        return later(host->clock_from + given, paced(host));
    if (terms->clock == GRAL_CLOCK_MOVE)
        return host->clock_from + given;
    return host->clock_from + later(host->chair[host->state.open.actor].bank, given);
}

int64_t clock_not_after(const gral_host *host, int64_t time)
{
    const int64_t until = deadline(host);
    return until != 0 && until < time ? until : time;
}

/* Whether everybody may know that this seat has answered. */
static bool is_seen(const gral_host *host, unsigned seat)
{
    return round_is_shown(host) && host->chair[seat].held <= host->time;
}

gral_round gral_host_round(const gral_host *host)
{
    gral_round round = {.deadline = deadline(host)};
    round.given = round.deadline != 0 ? round.deadline - host->clock_from : 0;
    const uint16_t asked = round_asked(host);
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++) {
        round.asked = (uint8_t)(round.asked + (asked >> seat & 1));
        round.answered = (uint8_t)(round.answered + (host->answered >> seat & 1 && is_seen(host, seat)));
    }
    round.hidden = asked != 0 && round_is_hidden(host);
    return round;
}

void clock_stop(gral_host *host, unsigned seat, int64_t time)
{
    chair *chair = &host->chair[seat];
    if (host->terms.clock != GRAL_CLOCK_BANK || chair->computer)
        return;
    const int64_t spent = time - host->clock_from;
    chair->bank = (spent < chair->bank ? chair->bank - spent : 0) + host->terms.increment;
}

/* --- the standing orders speak --- */

/* When the next of them speaks, or an answer may be seen that was held; NEVER for neither. Where there is a pace every
 * round has its time for that, whether there are orders or not. Orders that are given later speak at once, as their
 * owner could. */
static int64_t speaking_time(const gral_host *host)
{
    if (round_asked(host) == 0 || !round_is_hidden(host))
        return NEVER;
    if (!round_is_shown(host))
        return paced(host);
    if (host->answered == round_asked(host))
        return round_held(host);
    const uint16_t awaited = round_awaited(host, false);
    int64_t first = NEVER;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++) {
        gral_action answer;
        const int64_t time = awaited >> seat & 1                                  ? orders_answer(host, seat, &answer)
                             : host->answered >> seat & 1 && !is_seen(host, seat) ? host->chair[seat].held
                                                                                  : NEVER;
        first = time < first ? time : first;
    }
    return first == NEVER ? NEVER : later(first, paced(host));
}

enum gral_host_refusal clock_check_speak(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)input;
    return time >= speaking_time(host) ? GRAL_ACCEPTED : GRAL_HOST_NOT_DUE;
}

/* Those whose time has come. */
static void let_orders_speak(gral_host *host, int64_t time)
{
    const uint16_t awaited = round_awaited(host, false);
    gral_action answer;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (awaited >> seat & 1 && orders_answer(host, seat, &answer) <= time)
            round_answer(host, seat, &answer, 1, (gral_salt){0});
    host->spoken = true;
}

void clock_speak(gral_host *host, const gral_input *input, int64_t time)
{
    (void)input;
    let_orders_speak(host, time);
    round_close_if_full(host, time);
}

/* --- a clock has run out --- */

/* What is done for somebody who does not answer: the safest action, and an assignment's end if it begins one. */
static unsigned safest_actions(const gral_host *host, unsigned seat, gral_action action[2])
{
    const gral_state probe = round_probe(host, seat);
    const gral_options options = gral_legal_options(&host->game, &probe);
    action[0] = gral_safest_action(&host->game, &probe.open, &options);
    action[1] = gral_say(GRAL_DONE);
    return action[0].verb == GRAL_ASSIGN ? 2 : 1;
}

enum gral_host_refusal clock_check_late(const gral_host *host, const gral_input *input, int64_t time)
{
    const uint16_t late = round_awaited(host, false);
    const int64_t until = deadline(host);
    if (late == 0 || until == 0 || time < until)
        return GRAL_HOST_NOT_DUE;
    for (unsigned seat = 0; seat < host->terms.settings.players && !input->salted; seat++) {
        gral_action action[2];
        if (late >> seat & 1 && action[safest_actions(host, seat, action) - 1].verb == GRAL_DONE)
            return GRAL_HOST_NO_SALT;
    }
    return GRAL_ACCEPTED;
}

/* Each seat's own, so that two seals never share a salt. */
static gral_salt salt_of_seat(const gral_host *host, gral_salt salt, unsigned seat)
{
    uint8_t bytes[GRAL_SALT_BYTES + 1];
    memcpy(bytes, salt.bytes, GRAL_SALT_BYTES);
    bytes[GRAL_SALT_BYTES] = (uint8_t)(seat + 1);
    host->hash(bytes, sizeof bytes, salt.bytes);
    return salt;
}

void clock_late(gral_host *host, const gral_input *input, int64_t time)
{
    const bool hidden = round_is_hidden(host);
    if (hidden) { /* nothing is held any longer */
        let_orders_speak(host, NEVER - 1);
        for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
            host->chair[seat].held = 0;
    }
    const uint16_t late = round_awaited(host, false);
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++) {
        if (!(late >> seat & 1))
            continue;
        gral_action action[2];
        const unsigned count = safest_actions(host, seat, action);
        const gral_salt salt = salt_of_seat(host, input->salt, seat);
        host->chair[seat].lates++;
        if (hidden) {
            round_answer(host, seat, action, count, salt);
            continue;
        }
        note_about(host, GRAL_HAPPENED_LATE, seat, GRAL_NOBODY);
        round_act(host, action, count, salt);
        clock_stop(host, seat, time);
        round_go_on(host, time);
    }
    if (hidden)
        round_close_if_full(host, time);
    for (unsigned seat = 0; seat < host->terms.settings.players && host->stage == GRAL_PLAYING; seat++)
        if (late >> seat & 1 && host->chair[seat].lates >= LATES_MAX)
            people_hand_over(host, seat);
}

void clock_resume(gral_host *host, const gral_input *input, int64_t time)
{
    (void)input;
    const int64_t gap = time - host->time;
    host->began += gap;
    host->clock_from += gap;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        host->chair[seat].held += host->chair[seat].held != 0 ? gap : 0;
}

/* --- when --- */

bool gral_host_due(const gral_host *host, uint8_t *kind, int64_t *time)
{
    const int64_t speaking = speaking_time(host);
    const int64_t until = round_awaited(host, false) != 0 ? deadline(host) : 0;
    const int64_t late = until != 0 ? until : NEVER;
    *kind = speaking <= late ? GRAL_INPUT_SPEAK : GRAL_INPUT_LATE;
    *time = speaking <= late ? speaking : late;
    return *time != NEVER;
}

uint16_t gral_host_waiting(const gral_host *host)
{
    return round_awaited(host, false);
}

uint16_t gral_host_thinking(const gral_host *host)
{
    return round_awaited(host, true);
}

int64_t gral_host_tell_time(const gral_host *host, int64_t ready)
{
    const int64_t pace = host->terms.pace;
    if (pace == 0)
        return ready;
    const int64_t taken = ready > host->began ? ready - host->began : 0;
    const int64_t paces = taken > pace ? (taken + pace - 1) / pace : 1;
    return host->began + paces * pace;
}
