/* What people say at the table, to all or to some. Who hears it is decided when it is said. */
#include "host_parts.h"

#include "notation/scan.h"

bool speech_is_plain(gral_span words)
{
    if (words.length == 0 || words.length > GRAL_TALK_MAX)
        return false;
    for (size_t at = 0; at < words.length;) {
        const size_t length = scan_plain(words.bytes + at, words.length - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

static bool is_taken(const gral_host *host, unsigned seat)
{
    return people_sits(host, seat) != GRAL_HOST_EMPTY;
}

static enum gral_host_refusal check_audience(const gral_host *host, const gral_input *input)
{
    if (!host->terms.talk)
        return GRAL_HOST_TALK_OFF;
    if (host->chair[input->seat].said >= GRAL_SAYINGS_MAX)
        return GRAL_HOST_TALK_MUCH;
    if (input->to >> host->terms.settings.players != 0)
        return GRAL_HOST_NO_SEAT;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (input->to >> seat & 1 && seat != input->seat && is_taken(host, seat))
            return GRAL_ACCEPTED;
    return input->to == 0 ? GRAL_ACCEPTED : GRAL_HOST_TALK_EMPTY;
}

enum gral_host_refusal speech_check_talk(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = people_sits(host, input->seat);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    const enum gral_host_refusal audience = check_audience(host, input);
    if (audience != GRAL_ACCEPTED)
        return audience;
    if (input->words.length == 0)
        return GRAL_HOST_TALK_EMPTY;
    return speech_is_plain(input->words) ? GRAL_ACCEPTED : GRAL_HOST_TALK_TEXT;
}

/* A computer player speaks for the seat it acts on; a person always may for the seat he sits on. */
enum gral_host_refusal speech_check_offer(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = people_sits(host, input->seat);
    if (input->computer && !host->chair[input->seat].computer)
        return refusal == GRAL_ACCEPTED ? GRAL_HOST_PERSON : refusal;
    if (!input->computer && refusal != GRAL_ACCEPTED)
        return refusal;
    if (input->offer.kind >= GRAL_OFFER_KINDS)
        return refuse_for(GRAL_FAULT_NO_SUCH_ACTION);
    if (input->offer.kind == GRAL_OFFER_STOP && input->offer.seat >= host->terms.settings.players)
        return GRAL_HOST_NO_SEAT;
    return check_audience(host, input);
}

/* What is said to everybody is also heard by who takes a seat later; a whisper is not. */
static uint16_t hearers(const gral_host *host, const gral_input *input)
{
    uint16_t heard = input->to == 0 ? (uint16_t)((1u << EYES) - 1) : input->to;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        if (host->chair[seat].muted >> input->seat & 1 || (input->to != 0 && !is_taken(host, seat)))
            heard &= (uint16_t)~seat_bit(seat);
    return heard | seat_bit(input->seat);
}

void speech_talk(gral_host *host, const gral_input *input, int64_t time)
{
    const saying said = {.time = time, .to = input->to, .heard = hearers(host, input), .turn = host->state.open.turn};
    note_saying(host, GRAL_HAPPENED_TALK, input->seat, &said, input->words);
}

void speech_offer(gral_host *host, const gral_input *input, int64_t time)
{
    const saying said = {.time = time,
                         .to = input->to,
                         .heard = hearers(host, input),
                         .offer = input->offer,
                         .turn = host->state.open.turn};
    note_saying(host, GRAL_HAPPENED_OFFER, input->seat, &said, (gral_span){NULL, 0});
}

enum gral_host_refusal speech_check_mute(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const enum gral_host_refusal refusal = people_sits(host, input->seat);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    return input->other >= host->terms.settings.players || input->other == input->seat ? GRAL_HOST_NO_SEAT
                                                                                       : GRAL_ACCEPTED;
}

void speech_mute(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    host->chair[input->seat].muted |= seat_bit(input->other);
}

void speech_unmute(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    host->chair[input->seat].muted &= (uint16_t)~seat_bit(input->other);
}

uint16_t gral_host_muted(const gral_host *host, unsigned seat)
{
    return host->chair[seat].muted;
}
