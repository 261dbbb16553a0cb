/* The door of the host: which input may come when, and to whom it goes. Everything is decided by the terms and the
 * inputs with their times, so that the same ones make the same host again. */
#include "host_parts.h"
#include "translate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Who acts for a person whose seat was handed over. */
static const char substitute[] = "thinker:level=3";

static const char *const refusal_text[] = {
    [GRAL_HOST_REPEATED - GRAL_FAULTS] = N_("this has already been done"),
    [GRAL_HOST_NOT_BEGUN - GRAL_FAULTS] = N_("the game hasn't started yet"),
    [GRAL_HOST_BEGUN - GRAL_FAULTS] = N_("the game has already started"),
    [GRAL_HOST_ENDED - GRAL_FAULTS] = N_("the game is over"),
    [GRAL_HOST_NO_SEAT - GRAL_FAULTS] = N_("this seat does not exist"),
    [GRAL_HOST_TAKEN - GRAL_FAULTS] = N_("this seat is taken"),
    [GRAL_HOST_SEATED - GRAL_FAULTS] = N_("you are already sitting at this table"),
    [GRAL_HOST_DISMISSED - GRAL_FAULTS] = N_("you can't sit at this table"),
    [GRAL_HOST_NOT_FIRST - GRAL_FAULTS] = N_("only the host of the table can do that"),
    [GRAL_HOST_EMPTY - GRAL_FAULTS] = N_("this seat is empty"),
    [GRAL_HOST_TURN - GRAL_FAULTS] = N_("another player has to act first"),
    [GRAL_HOST_ANSWERED - GRAL_FAULTS] = N_("you have already answered"),
    [GRAL_HOST_COMPUTER - GRAL_FAULTS] = N_("a computer is in this seat"),
    [GRAL_HOST_PERSON - GRAL_FAULTS] = N_("a person is in this seat"),
    [GRAL_HOST_UNFINISHED - GRAL_FAULTS] = N_("all units must be placed at once, ending with 'done'"),
    [GRAL_HOST_AFTER - GRAL_FAULTS] = N_("nothing may come after the action that ends your part"),
    [GRAL_HOST_NO_SALT - GRAL_FAULTS] = N_("an assignment can't be sealed without a salt"),
    [GRAL_HOST_NOT_ASKED - GRAL_FAULTS] = N_("nobody is waiting for this player"),
    [GRAL_HOST_ORDER_ENDED - GRAL_FAULTS] = N_("what this order waits for has already happened"),
    [GRAL_HOST_NO_ORDERS - GRAL_FAULTS] = N_("you have too many standing orders"),
    [GRAL_HOST_NO_DRAW - GRAL_FAULTS] = N_("nobody has offered a draw"),
    [GRAL_HOST_TALK_OFF - GRAL_FAULTS] = N_("chat is off at this table"),
    [GRAL_HOST_TALK_EMPTY - GRAL_FAULTS] = N_("the message is empty or has no recipient"),
    [GRAL_HOST_TALK_TEXT - GRAL_FAULTS] = N_("a message can have at most 500 bytes of text without control characters"),
    [GRAL_HOST_TALK_MUCH - GRAL_FAULTS] = N_("you have reached the limit of 300 messages at this table"),
    [GRAL_HOST_MUCH - GRAL_FAULTS] = N_("that's enough for now; let the game continue first"),
    [GRAL_HOST_NOT_DUE - GRAL_FAULTS] = N_("nothing is due now"),
    [GRAL_HOST_MEMORY - GRAL_FAULTS] = N_("out of memory"),
};
static_assert(sizeof refusal_text / sizeof *refusal_text == GRAL_HOST_REFUSALS - GRAL_FAULTS, "a text for each");

const char *gral_host_refusal_text(enum gral_host_refusal refusal)
{
    return refusal < GRAL_HOST_REPEATED ? gral_fault_text((enum gral_fault)refusal)
                                        : refusal_text[refusal - GRAL_FAULTS];
}

/* --- which input may come when --- */

enum {
    WHEN_GATHERING = 1 << GRAL_GATHERING,
    WHEN_PLAYING = 1 << GRAL_PLAYING,
    WHEN_ENDED = 1 << GRAL_ENDED,
    ALWAYS = WHEN_GATHERING | WHEN_PLAYING | WHEN_ENDED
};

static const struct {
    uint8_t when;
    bool by_host; /* of no seat */
    bool beside;  /* the game; see excess */
    enum gral_host_refusal (*check)(const gral_host *host, const gral_input *input,
                                    int64_t time); /* NULL: always legal */
    void (*apply)(gral_host *host, const gral_input *input, int64_t time);
} kinds[] = {
    [GRAL_INPUT_SIT] = {WHEN_GATHERING, false, false, people_check_sit, people_sit},
    [GRAL_INPUT_RISE] = {WHEN_GATHERING, false, false, people_check_seated, people_rise},
    [GRAL_INPUT_FILL] = {WHEN_GATHERING, false, true, people_check_fill, people_fill},
    [GRAL_INPUT_DISMISS] = {WHEN_GATHERING, false, true, people_check_dismiss, people_dismiss},
    [GRAL_INPUT_DO] = {WHEN_PLAYING, false, false, round_check_do, round_do},
    [GRAL_INPUT_ORDER] = {WHEN_PLAYING, false, true, order_check, order_keep},
    [GRAL_INPUT_CANCEL] = {WHEN_PLAYING, false, true, people_check_acting, order_cancel},
    [GRAL_INPUT_DRAW] = {WHEN_PLAYING, false, true, people_check_acting, people_draw},
    [GRAL_INPUT_NODRAW] = {WHEN_PLAYING, false, true, people_check_nodraw, people_nodraw},
    [GRAL_INPUT_REPLACE] = {WHEN_PLAYING, false, true, people_check_replace, people_replace},
    [GRAL_INPUT_RESIGN] = {WHEN_PLAYING, false, false, people_check_resign, people_resign},
    [GRAL_INPUT_BACK] = {WHEN_PLAYING, false, true, people_check_back, people_back},
    [GRAL_INPUT_TALK] = {ALWAYS, false, false, speech_check_talk, speech_talk},
    [GRAL_INPUT_OFFER] = {ALWAYS, false, false, speech_check_offer, speech_offer},
    [GRAL_INPUT_MUTE] = {ALWAYS, false, true, speech_check_mute, speech_mute},
    [GRAL_INPUT_UNMUTE] = {ALWAYS, false, true, speech_check_mute, speech_unmute},
    [GRAL_INPUT_SPEAK] = {WHEN_PLAYING, true, false, clock_check_speak, clock_speak},
    [GRAL_INPUT_LATE] = {WHEN_PLAYING, true, false, clock_check_late, clock_late},
    [GRAL_INPUT_RESUME] = {WHEN_PLAYING, true, false, NULL, clock_resume},
    [GRAL_INPUT_CLOSE] = {WHEN_GATHERING | WHEN_PLAYING, true, false, NULL, people_close},
};
static_assert(sizeof kinds / sizeof *kinds == GRAL_INPUT_KINDS, "a row for every kind");

static const enum gral_host_refusal wrong_stage[] = {
    [GRAL_GATHERING] = GRAL_HOST_NOT_BEGUN, [GRAL_PLAYING] = GRAL_HOST_BEGUN, [GRAL_ENDED] = GRAL_HOST_ENDED};

/* A new person's tickets have nothing to do with those of somebody who sat there before. */
static bool is_repeated(const gral_host *host, const gral_input *input)
{
    const chair *chair = &host->chair[input->seat];
    if (input->ticket == 0 || (input->kind == GRAL_INPUT_SIT && chair->user != input->user))
        return false;
    for (unsigned index = 0; index < TICKETS; index++)
        if (chair->ticket[index] == input->ticket)
            return true;
    return false;
}

/* Clocks outside may be set back; here time only goes on. */
static int64_t not_before(const gral_host *host, int64_t time)
{
    return time > host->time ? time : host->time;
}

enum gral_host_refusal gral_host_check(const gral_host *host, const gral_input *input, int64_t time)
{
    if (input->kind >= GRAL_INPUT_KINDS)
        return refuse_for(GRAL_FAULT_NO_SUCH_ACTION);
    if (!kinds[input->kind].by_host) {
        if (input->seat >= host->terms.settings.players)
            return GRAL_HOST_NO_SEAT;
        if (is_repeated(host, input))
            return GRAL_HOST_REPEATED;
    }
    if (!(kinds[input->kind].when >> host->stage & 1))
        return wrong_stage[host->stage];
    return kinds[input->kind].check != NULL ? kinds[input->kind].check(host, input, not_before(host, time))
                                            : GRAL_ACCEPTED;
}

/* Talk and offers have a bound of their own, GRAL_SAYINGS_MAX. */
enum { BESIDE_AT_ONCE = 60, BESIDE_A_VERSION = 2 };

enum gral_host_refusal gral_host_excess(const gral_host *host, const gral_input *input)
{
    if (input->kind == GRAL_INPUT_SIT)
        return people_has_sat_enough(host, input->user) ? GRAL_HOST_MUCH : GRAL_ACCEPTED;
    const bool counts = input->kind < GRAL_INPUT_KINDS && kinds[input->kind].beside &&
                        input->seat < host->terms.settings.players;
    const uint32_t allowed = BESIDE_AT_ONCE + BESIDE_A_VERSION * host->version;
    return counts && host->chair[input->seat].beside >= allowed ? GRAL_HOST_MUCH : GRAL_ACCEPTED;
}

/* Room for all that can come of it: the answers of a round, an action for everybody who is late, a seal for each,
 * and a few words about each seat. */
static bool reserve_room(gral_host *host, const gral_input *input)
{
    const size_t players = host->terms.settings.players;
    size_t notes = 2 * players + 4u + input->action_count;
    for (unsigned seat = 0; seat < players; seat++)
        notes += host->answered >> seat & 1 ? host->chair[seat].answers + 1u : 2;
    const bool says = input->kind == GRAL_INPUT_TALK || input->kind == GRAL_INPUT_OFFER;
    return notes_reserve(host, notes, host->state.open.phase == GRAL_OPENING ? players : 1, says ? 1 : 0,
                         input->kind == GRAL_INPUT_TALK ? input->words.length : 0);
}

enum gral_host_refusal gral_host_apply(gral_host *host, const gral_input *input, int64_t time)
{
    assert(gral_host_check(host, input, time) == GRAL_ACCEPTED);
    if (!reserve_room(host, input))
        return GRAL_HOST_MEMORY;
    time = not_before(host, time);
    kinds[input->kind].apply(host, input, time);
    host->time = time;
    if (kinds[input->kind].beside)
        host->chair[input->seat].beside++;
    if (!kinds[input->kind].by_host && input->ticket != 0) {
        chair *chair = &host->chair[input->seat];
        chair->ticket[chair->next_ticket] = input->ticket;
        chair->next_ticket = (uint8_t)((chair->next_ticket + 1) % TICKETS);
    }
    return GRAL_ACCEPTED;
}

/* --- making --- */

gral_host *gral_host_make(const gral_terms *terms, gral_blake2b *hash, int64_t time)
{
    const unsigned players = terms->settings.players;
    gral_host *host = calloc(1, sizeof *host + players * sizeof host->chair[0]);
    if (host == NULL)
        return NULL;
    host->terms = *terms;
    host->hash = hash;
    host->time = time;
    host->end = GRAL_END_NONE;
    gral_game_make(&host->game, &terms->settings);
    gral_start(&host->game, &host->state);
    for (unsigned seat = 0; seat < players; seat++) {
        host->chair[seat].computer = terms->computer[seat][0] != '\0';
        host->chair[seat].bank = terms->clock == GRAL_CLOCK_BANK ? terms->time : 0;
    }
    if (!notes_reserve(host, 1, 0, 0, 0)) {
        gral_host_free(host);
        return NULL;
    }
    people_begin_if_full(host, time);
    return host;
}

gral_host *gral_host_copy(const gral_host *host)
{
    const size_t size = sizeof *host + host->terms.settings.players * sizeof host->chair[0];
    gral_host *copy = malloc(size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, host, size);
    if (notes_copy(copy, host))
        return copy;
    gral_host_free(copy);
    return NULL;
}

void gral_host_free(gral_host *host)
{
    if (host == NULL)
        return;
    free(host->note);
    free(host->seal);
    free(host->saying);
    free(host->words);
    free(host);
}

/* --- what everybody may know --- */

const gral_terms *gral_host_terms(const gral_host *host)
{
    return &host->terms;
}

int64_t gral_host_time(const gral_host *host)
{
    return host->time;
}

const gral_game *gral_host_game(const gral_host *host)
{
    return &host->game;
}

enum gral_host_stage gral_host_stage(const gral_host *host)
{
    return (enum gral_host_stage)host->stage;
}

enum gral_host_end gral_host_end(const gral_host *host)
{
    return (enum gral_host_end)host->end;
}

uint32_t gral_host_version(const gral_host *host)
{
    return host->version;
}

gral_host_seat gral_host_seat_at(const gral_host *host, unsigned seat)
{
    const chair *chair = &host->chair[seat];
    const char *own = host->terms.computer[seat];
    return (gral_host_seat){
        .user = chair->user,
        .computer = chair->computer,
        .resigned = chair->resigned,
        .draw = chair->draw,
        .first = host->stage == GRAL_GATHERING && seat == people_first(host),
        .replace = chair->replace,
        .bank = chair->bank,
        .player = own[0] != '\0' ? own : substitute,
    };
}
