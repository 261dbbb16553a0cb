/* What the files of the host share: the host itself, and what each file does for the others.
 *
 * A host keeps little: the state, one note for each thing that happened, and for each seat what its person has left
 * with him. What a viewer may know is read off these when he asks. */
#ifndef GRAL_TABLE_HOST_PARTS_H
#define GRAL_TABLE_HOST_PARTS_H

#include "gral/host.h"

/* One pair of eyes a seat, and one for all who only watch. */
enum { SPECTATORS = GRAL_PLAYERS_MAX, EYES };

enum { TICKETS = 32, LATES_MAX = 2, SAT_REMEMBERED = 16, DISMISSED_REMEMBERED = 16 };

/* One thing that happened, in six bytes. */
typedef struct note {
    uint8_t kind; /* enum gral_happening_kind */
    uint8_t seat;
    union {
        gral_action action;
        uint8_t other;
        uint8_t end;
        uint16_t at[2]; /* of a seal or a saying: its place in the list, low half first */
    };
} note;

typedef struct sealed {
    gral_seal seal;
    gral_salt salt;
    uint32_t number;
} sealed;

typedef struct saying {
    int64_t time;
    size_t words;    /* where they begin in the host's words */
    uint16_t length; /* 0 for an offer */
    uint16_t to;     /* as it was said */
    uint16_t heard;  /* who really hears it; bit SPECTATORS for who only watches */
    gral_offer offer;
    uint32_t turn;
} saying;

/* A seat with what its person has left with the host. */
typedef struct chair {
    uint64_t user;
    int64_t bank;
    uint64_t ticket[TICKETS]; /* the newest ones, in a ring */
    gral_order order[GRAL_ORDERS_MAX];
    gral_action answer[GRAL_ACTIONS_MAX]; /* the hidden one of this round, if bit `seat` of host.answered is set */
    sealed sealed;                        /* of an answer that is an opening: its seal, shown when the round closes */
    uint32_t seals, newest_seal;          /* how many it has, and the place of the newest in the host's list */
    uint32_t sat;                         /* the how many-th sitting down it was */
    int64_t held;                         /* until then nobody sees whether it has answered; 0 for no such time */
    uint32_t beside;                      /* what was done from here beside the game, by whoever sat there */
    uint16_t replace, muted;
    uint16_t said; /* how much was said from here, by whoever sat there */
    uint8_t next_ticket, orders, answers;
    uint8_t lates; /* in a row */
    bool computer, resigned, draw;
} chair;

struct gral_host {
    gral_terms terms;
    gral_game game;
    gral_state state; /* without the hidden answers of the round that is going on */
    gral_blake2b *hash;
    int64_t time;       /* of the last input */
    int64_t began;      /* the decision or round that is going on */
    int64_t clock_from; /* since when its clock runs: later than that for somebody who has come back */
    note *note;
    size_t notes, note_room;
    sealed *seal;
    size_t seals, seal_room;
    saying *saying;
    size_t sayings, saying_room;
    char *words;
    size_t words_length, words_room;
    uint32_t heard[EYES]; /* how many of the notes each viewer hears */
    uint32_t version;
    uint64_t sat[SAT_REMEMBERED];             /* who has sat down lately, in a ring */
    uint32_t sittings;                        /* in all */
    uint64_t dismissed[DISMISSED_REMEMBERED]; /* who was asked to leave lately, in a ring */
    uint32_t dismissals;
    uint32_t draw_turn; /* in which the first of the draws that stand was offered */
    uint16_t answered;  /* bit k: seat k has answered in this round */
    uint8_t stage, end;
    bool spoken;   /* the pace of this round has passed: everybody sees how many have answered */
    chair chair[]; /* as many as players */
};

static inline uint16_t seat_bit(unsigned seat)
{
    return (uint16_t)(1u << seat);
}

/* A fault against the rules as the host says it. */
static inline enum gral_host_refusal refuse_for(enum gral_fault fault)
{
    return (enum gral_host_refusal)fault;
}

/* --- happenings.c --- */

/* Room for so many more of each; false without memory. */
bool notes_reserve(gral_host *host, size_t notes, size_t seals, size_t sayings, size_t words);

/* The lists of the one become those of the other, which had none; false without memory. */
bool notes_copy(gral_host *host, const gral_host *from);

/* Each needs room that was reserved. */
void note_action(gral_host *host, unsigned seat, gral_action action);
void note_about(gral_host *host, enum gral_happening_kind kind, unsigned seat, unsigned other);
void note_end(gral_host *host, enum gral_host_end end);
void note_seal(gral_host *host, unsigned seat, sealed sealed);
void note_saying(gral_host *host, enum gral_happening_kind kind, unsigned seat, const saying *saying, gral_span words);

/* The seat's next seal, of the placements among these actions. Nobody hears of it before it is noted. */
sealed seal_next(const gral_host *host, unsigned seat, const gral_action *action, unsigned count, gral_salt salt);

/* Whispers to this seat are not heard there any more: somebody else may sit down. */
void notes_forget_whispers(gral_host *host, unsigned seat);

bool note_is_heard(const gral_host *host, const note *note, unsigned viewer);
const saying *note_saying_of(const gral_host *host, const note *note);

/* --- terms.c --- */

/* The terms that a record has no other tags for, and everybody may know: clock= to talk=, not the seed. */
enum { TERMS_OPEN_MAX = 256 };
void terms_print_open(gral_text *text, const gral_terms *terms);

/* --- host_round.c --- */

/* Whether everybody is asked at the same time now, and who is asked. */
bool round_is_hidden(const gral_host *host);
uint16_t round_asked(const gral_host *host);

/* Of the seats that are asked and have not answered, those for which a computer player acts, or a person. */
uint16_t round_awaited(const gral_host *host, bool computer);

/* The state as it will be when this seat is asked in its turn, if those before it do nothing of note. */
gral_state round_probe(const gral_host *host, unsigned seat);

enum gral_host_refusal round_check_do(const gral_host *host, const gral_input *input, int64_t time);
void round_do(gral_host *host, const gral_input *input, int64_t time);

/* A hidden answer of a seat that has given none. */
void round_answer(gral_host *host, unsigned seat, const gral_action *action, unsigned count, gral_salt salt);

/* Whether everybody may see how many have answered. Before a pace has passed nobody does, and nothing closes: a quick
 * person, a standing order and a computer player look the same (Q13). */
bool round_is_shown(const gral_host *host);

/* The time when the round may close, as far as it is known now: 0 if nobody's answer is held. */
int64_t round_held(const gral_host *host);

/* Plays the answers if the last is in and they may be seen. */
void round_close_if_full(gral_host *host, int64_t time);

/* The actor's own actions; the clock is the caller's business. */
void round_act(gral_host *host, const gral_action *action, unsigned count, gral_salt salt);

/* Whoever is asked next has the time from now on; or the game is over. */
void round_go_on(gral_host *host, int64_t time);

/* --- order.c --- */

enum gral_host_refusal order_check(const gral_host *host, const gral_input *input, int64_t time);
void order_keep(gral_host *host, const gral_input *input, int64_t time);
void order_cancel(gral_host *host, const gral_input *input, int64_t time);

/* When a seat's standing orders speak in the round that is going on, and what they answer; NEVER if they leave it to
 * the person. */
#define NEVER INT64_MAX
int64_t orders_answer(const gral_host *host, unsigned seat, gral_action *answer);

/* Drops the orders that an action has brought to their end. `turn` is the one in which it was done. */
void orders_follow(gral_host *host, gral_action action, uint32_t turn);

/* --- host_clock.c --- */

/* This time, or the end of the decision or round that is going on if its clock is sooner. */
int64_t clock_not_after(const gral_host *host, int64_t time);

/* The clock of a person who has just decided stops. */
void clock_stop(gral_host *host, unsigned seat, int64_t time);

enum gral_host_refusal clock_check_speak(const gral_host *host, const gral_input *input, int64_t time);
void clock_speak(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal clock_check_late(const gral_host *host, const gral_input *input, int64_t time);
void clock_late(gral_host *host, const gral_input *input, int64_t time);
void clock_resume(gral_host *host, const gral_input *input, int64_t time);

/* --- host_people.c --- */

/* GRAL_ACCEPTED if a person sits there, or acts there. */
enum gral_host_refusal people_sits(const gral_host *host, unsigned seat);
enum gral_host_refusal people_acts(const gral_host *host, unsigned seat);

void people_begin_if_full(gral_host *host, int64_t time);
void people_hand_over(gral_host *host, unsigned seat);

/* Nobody waits any more: the votes to replace fall. */
void people_forget_votes(gral_host *host);

/* Drops a draw that was offered too many turns ago. */
void people_follow_turn(gral_host *host);

enum gral_host_refusal people_check_sit(const gral_host *host, const gral_input *input, int64_t time);
void people_sit(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal people_check_seated(const gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal people_check_acting(const gral_host *host, const gral_input *input, int64_t time);
void people_rise(gral_host *host, const gral_input *input, int64_t time);
unsigned people_first(const gral_host *host); /* who has sat here longest; GRAL_NOBODY where nobody sits */
enum gral_host_refusal people_check_fill(const gral_host *host, const gral_input *input, int64_t time);
void people_fill(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal people_check_dismiss(const gral_host *host, const gral_input *input, int64_t time);
void people_dismiss(gral_host *host, const gral_input *input, int64_t time);
void people_draw(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal people_check_nodraw(const gral_host *host, const gral_input *input, int64_t time);
void people_nodraw(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal people_check_replace(const gral_host *host, const gral_input *input, int64_t time);
void people_replace(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal people_check_resign(const gral_host *host, const gral_input *input, int64_t time);
void people_resign(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal people_check_back(const gral_host *host, const gral_input *input, int64_t time);
void people_back(gral_host *host, const gral_input *input, int64_t time);
/* Getting up and sitting down again must not go on for ever. */
bool people_has_sat_enough(const gral_host *host, uint64_t user);
void people_close(gral_host *host, const gral_input *input, int64_t time);

/* --- host_speech.c --- */

enum gral_host_refusal speech_check_talk(const gral_host *host, const gral_input *input, int64_t time);
void speech_talk(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal speech_check_offer(const gral_host *host, const gral_input *input, int64_t time);
void speech_offer(gral_host *host, const gral_input *input, int64_t time);
enum gral_host_refusal speech_check_mute(const gral_host *host, const gral_input *input, int64_t time);
void speech_mute(gral_host *host, const gral_input *input, int64_t time);
void speech_unmute(gral_host *host, const gral_input *input, int64_t time);

/* Between 1 and GRAL_TALK_MAX bytes of UTF-8 without control characters. */
bool speech_is_plain(gral_span words);

#endif
