/* Who sits where, and what people agree on beside the game: a draw, or a computer player for somebody who is away. */
#include "host_parts.h"

#include <string.h>

enum gral_host_refusal people_sits(const gral_host *host, unsigned seat)
{
    if (host->chair[seat].user != 0)
        return GRAL_ACCEPTED;
    return host->terms.computer[seat][0] != '\0' ? GRAL_HOST_COMPUTER : GRAL_HOST_EMPTY;
}

enum gral_host_refusal people_acts(const gral_host *host, unsigned seat)
{
    const enum gral_host_refusal refusal = people_sits(host, seat);
    return refusal == GRAL_ACCEPTED && host->chair[seat].computer ? GRAL_HOST_COMPUTER : refusal;
}

enum gral_host_refusal people_check_seated(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    return people_sits(host, input->seat);
}

enum gral_host_refusal people_check_acting(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    return people_acts(host, input->seat);
}

static bool is_person(const gral_host *host, unsigned seat)
{
    return people_acts(host, seat) == GRAL_ACCEPTED;
}

/* --- before the game --- */

enum gral_host_refusal people_check_sit(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    if (input->user == 0)
        return GRAL_HOST_EMPTY;
    if (host->chair[input->seat].user != 0)
        return GRAL_HOST_TAKEN;
    if (host->chair[input->seat].computer)
        return GRAL_HOST_COMPUTER;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (host->chair[seat].user == input->user)
            return GRAL_HOST_SEATED;
    for (unsigned index = 0; index < DISMISSED_REMEMBERED; index++)
        if (host->dismissed[index] == input->user)
            return GRAL_HOST_DISMISSED;
    return GRAL_ACCEPTED;
}

/* Of those who come again. Who comes for the first time is never one too many; that there are not too many of them is
 * the business of whoever gives out names. */
enum { SITTINGS_OF_ONE = 4, SITTINGS_MAX = 300 };

bool people_has_sat_enough(const gral_host *host, uint64_t user)
{
    unsigned times = 0;
    for (unsigned index = 0; index < SAT_REMEMBERED; index++)
        times += host->sat[index] == user;
    return times >= SITTINGS_OF_ONE || (times > 0 && host->sittings >= SITTINGS_MAX);
}

void people_begin_if_full(gral_host *host, int64_t time)
{
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (people_sits(host, seat) == GRAL_HOST_EMPTY)
            return;
    host->stage = GRAL_PLAYING;
    note_about(host, GRAL_HAPPENED_BEGIN, GRAL_NOBODY, GRAL_NOBODY);
    round_go_on(host, time);
}

/* The chair as nobody's, as it was when the table was laid; but getting up and sitting down does not let anybody say
 * more. */
static void clear_chair(gral_host *host, unsigned seat)
{
    const chair old = host->chair[seat];
    host->chair[seat] = (chair){.bank = old.bank, .said = old.said, .beside = old.beside};
}

void people_sit(gral_host *host, const gral_input *input, int64_t time)
{
    clear_chair(host, input->seat);
    host->chair[input->seat].user = input->user;
    host->sat[host->sittings++ % SAT_REMEMBERED] = input->user;
    host->chair[input->seat].sat = host->sittings;
    note_about(host, GRAL_HAPPENED_SIT, input->seat, GRAL_NOBODY);
    people_begin_if_full(host, time);
}

static void leave(gral_host *host, unsigned seat)
{
    clear_chair(host, seat);
    notes_forget_whispers(host, seat);
}

void people_rise(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    leave(host, input->seat);
    note_about(host, GRAL_HAPPENED_RISE, input->seat, GRAL_NOBODY);
}

/* --- whoever has sat here longest says who plays --- */

unsigned people_first(const gral_host *host)
{
    unsigned first = GRAL_NOBODY;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (host->chair[seat].user != 0 && (first == GRAL_NOBODY || host->chair[seat].sat < host->chair[first].sat))
            first = seat;
    return first;
}

static enum gral_host_refusal check_first(const gral_host *host, const gral_input *input)
{
    const enum gral_host_refusal refusal = people_sits(host, input->seat);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    if (input->seat != people_first(host))
        return GRAL_HOST_NOT_FIRST;
    return input->other >= host->terms.settings.players || input->other == input->seat ? GRAL_HOST_NO_SEAT
                                                                                       : GRAL_ACCEPTED;
}

enum gral_host_refusal people_check_fill(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = check_first(host, input);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    return people_sits(host, input->other) == GRAL_HOST_EMPTY ? GRAL_ACCEPTED : GRAL_HOST_TAKEN;
}

void people_fill(gral_host *host, const gral_input *input, int64_t time)
{
    gral_text text = gral_text_in(host->terms.computer[input->other], GRAL_COMPUTER_TEXT_MAX);
    gral_text_add_bytes(&text, input->words.bytes, input->words.length);
    host->chair[input->other].computer = true;
    note_about(host, GRAL_HAPPENED_SIT, input->other, GRAL_NOBODY);
    people_begin_if_full(host, time);
}

enum gral_host_refusal people_check_dismiss(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = check_first(host, input);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    return people_sits(host, input->other) == GRAL_HOST_EMPTY ? GRAL_HOST_EMPTY : GRAL_ACCEPTED;
}

void people_dismiss(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const uint64_t user = host->chair[input->other].user;
    if (user != 0)
        host->dismissed[host->dismissals++ % DISMISSED_REMEMBERED] = user;
    memset(host->terms.computer[input->other], 0, sizeof host->terms.computer[input->other]);
    leave(host, input->other);
    note_about(host, GRAL_HAPPENED_DISMISS, input->seat, input->other);
}

/* --- handing a seat over, and taking it back --- */

static void forget_votes_against(gral_host *host, unsigned target)
{
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        host->chair[seat].replace &= (uint16_t)~seat_bit(target);
}

void people_forget_votes(gral_host *host)
{
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        host->chair[seat].replace = 0;
}

void people_hand_over(gral_host *host, unsigned seat)
{
    chair *chair = &host->chair[seat];
    if (chair->computer)
        return;
    chair->computer = true;
    chair->draw = false;
    chair->replace = 0;
    chair->lates = 0;
    forget_votes_against(host, seat);
    note_about(host, GRAL_HAPPENED_HANDED, seat, GRAL_NOBODY);
}

enum gral_host_refusal people_check_resign(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = people_sits(host, input->seat);
    return refusal == GRAL_ACCEPTED && host->chair[input->seat].resigned ? GRAL_HOST_COMPUTER : refusal;
}

/* Whether this person has a say in how the game ends, present or not. */
static bool has_a_stake(const chair *chair)
{
    return chair->user != 0 && !chair->resigned;
}

static bool all_have_resigned(const gral_host *host)
{
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (has_a_stake(&host->chair[seat]))
            return false;
    return true;
}

/* The end beside the rules: answers that were not turned over never are. */
static void break_off(gral_host *host, enum gral_host_end end)
{
    host->answered = 0;
    note_end(host, end);
}

void people_close(gral_host *host, const gral_input *input, int64_t time)
{
    (void)input, (void)time;
    break_off(host, host->stage == GRAL_PLAYING ? GRAL_END_ABANDONED : GRAL_END_CLOSED);
}

void people_resign(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    host->chair[input->seat].resigned = true;
    host->chair[input->seat].orders = 0;
    people_hand_over(host, input->seat);
    if (all_have_resigned(host))
        break_off(host, GRAL_END_ABANDONED);
}

enum gral_host_refusal people_check_back(const gral_host *host, const gral_input *input, int64_t time)
{
    const enum gral_host_refusal refusal = people_check_resign(host, input, time);
    return refusal == GRAL_ACCEPTED && !host->chair[input->seat].computer ? GRAL_HOST_PERSON : refusal;
}

/* Whether any person but this one is asked. */
static bool others_are_asked(const gral_host *host, unsigned but)
{
    const uint16_t asked = round_asked(host) & (uint16_t)~seat_bit(but);
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (asked >> seat & 1 && is_person(host, seat))
            return true;
    return false;
}

/* Whoever is asked when he comes back has his whole time, unless others would have it too. It does not matter whether
 * the computer player has answered for him already, for that would show (R10.2). */
void people_back(gral_host *host, const gral_input *input, int64_t time)
{
    host->chair[input->seat].computer = false;
    if (round_asked(host) >> input->seat & 1 && !others_are_asked(host, input->seat))
        host->clock_from = time;
    note_about(host, GRAL_HAPPENED_BACK, input->seat, GRAL_NOBODY);
}

enum gral_host_refusal people_check_replace(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = people_acts(host, input->seat);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    if (input->other >= host->terms.settings.players || input->other == input->seat)
        return GRAL_HOST_NO_SEAT;
    const enum gral_host_refusal other = people_acts(host, input->other);
    if (other != GRAL_ACCEPTED)
        return other;
    return round_asked(host) >> input->other & 1 ? GRAL_ACCEPTED : GRAL_HOST_NOT_ASKED;
}

static bool most_want_to_replace(const gral_host *host, unsigned target)
{
    unsigned others = 0, votes = 0;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (seat != target && is_person(host, seat)) {
            others++;
            votes += host->chair[seat].replace >> target & 1;
        }
    return 2 * votes > others;
}

void people_replace(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    chair *chair = &host->chair[input->seat];
    if (!(chair->replace >> input->other & 1))
        note_about(host, GRAL_HAPPENED_REPLACE, input->seat, input->other);
    chair->replace |= seat_bit(input->other);
    if (most_want_to_replace(host, input->other))
        people_hand_over(host, input->other);
}

/* --- a draw by agreement --- */

static bool draw_is_offered(const gral_host *host)
{
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (host->chair[seat].draw)
            return true;
    return false;
}

static void forget_draw(gral_host *host)
{
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        host->chair[seat].draw = false;
}

static bool all_want_a_draw(const gral_host *host)
{
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (has_a_stake(&host->chair[seat]) && !host->chair[seat].draw)
            return false;
    return true;
}

void people_follow_turn(gral_host *host)
{
    if (draw_is_offered(host) && host->state.open.turn - host->draw_turn >= host->terms.settings.players)
        forget_draw(host);
}

void people_draw(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    chair *chair = &host->chair[input->seat];
    if (!draw_is_offered(host))
        host->draw_turn = host->state.open.turn;
    if (!chair->draw)
        note_about(host, GRAL_HAPPENED_DRAW, input->seat, GRAL_NOBODY);
    chair->draw = true;
    if (all_want_a_draw(host))
        break_off(host, GRAL_END_AGREED);
}

enum gral_host_refusal people_check_nodraw(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = people_acts(host, input->seat);
    return refusal == GRAL_ACCEPTED && !draw_is_offered(host) ? GRAL_HOST_NO_DRAW : refusal;
}

void people_nodraw(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    forget_draw(host);
    note_about(host, GRAL_HAPPENED_NODRAW, input->seat, GRAL_NOBODY);
}
