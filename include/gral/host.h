/* A game of people who are elsewhere: a table with a host.
 *
 * The host does what a good host does at a real table. He lets people sit down and begins when all have. He asks
 * everybody at the same time and turns over no answer before the last is in (Q13): the opening, and the round of
 * objections. He follows the standing orders that a player left with him, keeps the clocks, hands the seat of
 * somebody absent to a computer player and gives it back, passes on what is said, and seals the sheets.
 *
 * He has no network, file, thread or clock. A game is its terms and its inputs, each with the time it came in;
 * the same terms and inputs make the same host, wherever and whenever: that is how a game is kept and resumed.
 * What may come in is asked with gral_host_check and done with gral_host_apply, so that it can be put safely on
 * disk in between. What comes by itself (a clock running out, the standing orders speaking, a computer player's
 * decision) is an input too: the host says when it is due, and whoever keeps him gives it.
 *
 * Everything a viewer may learn is handed out for that viewer: gral_host_view and _options about the game,
 * _happening about what was done and said. A viewer is a seat or GRAL_SPECTATOR. None of it, and no time at which
 * any of it comes up, depends on another seat's sheet or on which seats have answered (R10.2). Where there is a pace,
 * nobody sees how many have answered a round before it has passed, and the round does not close: so nobody can tell a
 * quick person from a standing order. */
#ifndef GRAL_HOST_H
#define GRAL_HOST_H

#include "gral/fair.h"
#include "gral/offer.h"
#include "gral/player.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- terms: what a table agrees on before anybody sits down --- */

/* How time is measured at a table. */
enum gral_clock_kind {
    GRAL_CLOCK_NONE,
    GRAL_CLOCK_MOVE, /* so much time for every decision */
    GRAL_CLOCK_BANK, /* so much for all decisions of one's own turns together, and more with each of them */
    GRAL_CLOCK_KINDS
};

/* The longest of all times at a table: a year, in milliseconds. */
#define GRAL_TIME_MAX (INT64_C(366) * 24 * 60 * 60 * 1000)

/* What one seat may say at a table, talk and offers together: else one could make it too long for the others to read.
 */
enum { GRAL_SAYINGS_MAX = 300 };

enum { GRAL_COMPUTER_TEXT_MAX = 48, GRAL_TALK_MAX = 500, GRAL_ACTIONS_MAX = GRAL_SEALED_MAX + 2, GRAL_ORDERS_MAX = 16 };

/* What a table agrees on. */
typedef struct gral_terms {
    gral_settings settings;                                  /* of the game itself */
    char game[GRAL_GAME_ID_MAX + 1];                         /* its id: letters, digits, - and _ */
    char computer[GRAL_PLAYERS_MAX][GRAL_COMPUTER_TEXT_MAX]; /* "thinker:level=3,as=fox"; empty for a person */
    uint64_t seed;                                           /* of the computer players; a secret */
    int64_t time, increment; /* milliseconds: for a decision, or the bank and what each decision adds to it */
    int64_t answer;          /* with a bank: for each round in which all answer at the same time. Time spent there is
                                not counted: who was slow would tell who had something to think about. Also the least
                                for a decision of one's own, when the bank is empty */
    int64_t opening;         /* for the opening; 0: as for any other round */
    uint32_t pace;           /* milliseconds before a computer player or a standing order speaks, always the same, and
                                before anybody sees how many have answered a round */
    uint8_t clock;           /* enum gral_clock_kind */
    bool listed, notepad, talk;            /* strangers find it; deductions are shown; people may talk */
    bool rated;                            /* what comes of it counts; the host does not care */
    bool room;                             /* its people sit around one screen; nor about that */
    char tournament[GRAL_GAME_ID_MAX + 1]; /* whose table it is; "" for none; nor about that */
} gral_terms;

/* One line of KEY=VALUE words: those of gral_settings_print, and game= seed= clock= time= increment= answer= opening=
 * pace= listed= notepad= talk= rated= room= tournament= seat1= … seat12=. Reading takes them in any order, each once,
 * and checks all of it. */
void gral_terms_print(gral_text *text, const gral_terms *terms);
bool gral_terms_parse(gral_span source, gral_terms *terms, gral_error *error);

/* --- standing orders --- */

/* What can be ordered beforehand; behind each, its text. */
enum gral_order_kind {
    GRAL_ORDER_PASS_PROPOSAL, /* "pass proposal": for this proposal, however far the dispute goes */
    GRAL_ORDER_PASS_TURN,     /* "pass turn": for the rest of this turn */
    GRAL_ORDER_PASS_PAWN,     /* "pass until T1": until T1 is to act or to be uncovered */
    GRAL_ORDER_PASS_GRAIL,   /* "pass until grail": until whoever is to act carries the grail or stands or arrives where
                                it lies, or until its bearer is to be uncovered */
    GRAL_ORDER_PASS_UNCOVER, /* "pass until uncover": until an uncovering is proposed */
    GRAL_ORDER_PASS_OBJECTION, /* "pass until objection": until anybody objects */
    GRAL_ORDER_PASS_MINE,      /* "pass until mine": until it is my own turn */
    GRAL_ORDER_OBJECT,  /* "object T1 d3 12": object with the least that suffices, up to 12 points, when T1 is to make a
                           step that brings it nearer d3 or onto it; pass if I hold less than that */
    GRAL_ORDER_PASS_IN, /* "pass in 8": in eight seconds, unless I answer the question that is asked now. Until then
                           nobody sees whether I have: so whoever has nothing to say, and lets it come to that, looks
                           like whoever has thought about it */
    GRAL_ORDER_KINDS
};

/* Objections are looked at before passes; an order that has come to its end is gone. Where no order speaks, the person
 * is asked. */
typedef struct gral_order {
    uint8_t kind; /* enum gral_order_kind */
    uint8_t pawn, field,
        points; /* GRAL_NO_PAWN and 0 where not used; of GRAL_ORDER_PASS_IN the seconds are in points */
} gral_order;

/* An order as text, and back. */
void gral_order_print(gral_text *text, gral_order order);
bool gral_order_parse(gral_span source, gral_order *order, gral_error *error);

/* --- inputs --- */

/* What can come in; behind each, its text. */
enum gral_input_kind {
    GRAL_INPUT_SIT,     /* "sit 2 71234": user 71234 takes seat 2; the game begins when every seat is taken */
    GRAL_INPUT_RISE,    /* "rise 2": and leaves it, before the game has begun */
    GRAL_INPUT_FILL,    /* "fill 1 3 thinker:level=3": the player who has sat here longest, on seat 1, puts a computer
                           player on the free seat 3 */
    GRAL_INPUT_DISMISS, /* "dismiss 1 3": and frees seat 3 again; whoever sat there may not come back */
    GRAL_INPUT_DO, /* "do 2 #1f… salt=ab… place 10 T1; done": actions of one seat, all or none of them. In a round they
                      are its hidden answer. Where they end an assignment or an opening there must be a salt. A computer
                      player's decision is "do 2 computer pass" */
    GRAL_INPUT_ORDER,   /* "order 2 #1f… pass turn" */
    GRAL_INPUT_CANCEL,  /* "cancel 2 #1f…": all standing orders of the seat, or one: "cancel 2 pass turn" */
    GRAL_INPUT_DRAW,    /* "draw 2": offers a draw or agrees to it. When all persons have who have not resigned, the
                           game is over; who was replaced must be back and agree. */
    GRAL_INPUT_NODRAW,  /* "nodraw 2": refuses it, for everybody */
    GRAL_INPUT_REPLACE, /* "replace 2 4": seat 2 votes to put a computer player on seat 4, while that is asked. More
                           than half of the other persons decide; votes fall when the round or decision is over */
    GRAL_INPUT_RESIGN,  /* "resign 2": gives the seat to a computer player, for good; the last person's ends the game */
    GRAL_INPUT_BACK,    /* "back 2": the person whose seat was handed over is there again */
    GRAL_INPUT_TALK,    /* "talk 2 to=1,3: words": to= is left out for everybody */
    GRAL_INPUT_OFFER,   /* "offer 2 to=1,3 hold 10 T1", "offer 2 computer pass T1" */
    GRAL_INPUT_MUTE,    /* "mute 2 4": seat 2 does not want to hear seat 4 from now on */
    GRAL_INPUT_UNMUTE,  /* "unmute 2 4" */
    GRAL_INPUT_SPEAK,   /* "speak": the standing orders answer, and everybody sees how many have answered. With a pace
                           it is due in every round in which all answer, one pace after it began */
    GRAL_INPUT_LATE,    /* "late salt=ab…": the clock has run out for the persons who have yet to act. They do the
                           safest legal action; who was late twice in a row is replaced until he is back. If that ends
                           an assignment or an opening there must be a salt, of which each seat gets its own */
    GRAL_INPUT_RESUME,  /* "resume": nobody could act since the last input; clocks begin anew where they stood then */
    GRAL_INPUT_CLOSE,   /* "close": the table is given up, because nobody has been there for long. A game that has begun
                           is abandoned; nobody has lost it who did not resign */
    GRAL_INPUT_KINDS
};

/* Something that comes in. What a kind does not use is zero, or GRAL_NOBODY in seats. */
typedef struct gral_input {
    uint8_t kind;                         /* enum gral_input_kind */
    uint8_t seat;                         /* whose input it is, or GRAL_NOBODY */
    uint8_t other;                        /* the seat it is about, or GRAL_NOBODY */
    uint8_t action_count;                 /* how many actions it brings */
    gral_action action[GRAL_ACTIONS_MAX]; /* in their order */
    bool computer;                        /* what a computer player decided or offers, not the person of the seat */
    bool salted;                          /* whether there is a salt */
    gral_salt salt;                       /* of the assignment that it ends */
    uint16_t to;                          /* seats that hear it; 0 for everybody */
    uint64_t user;                        /* who sits down; never 0 */
    uint64_t ticket;  /* of the sender's making, 0 for none: a second input of a seat with it is a repeat */
    gral_order order; /* a standing order to keep, or to cancel */
    bool one_order;   /* with GRAL_INPUT_CANCEL: not all of them */
    gral_offer offer; /* with GRAL_INPUT_OFFER */
    gral_span words;  /* talk, or a computer player's text; belongs to the caller */
} gral_input;

/* Longer than any input's text. */
enum { GRAL_INPUT_TEXT_MAX = 1024 };

/* An input as the text that is stored, and back; on an error nothing is changed. */
void gral_input_print(gral_text *text, const gral_input *input);
bool gral_input_parse(gral_span source, gral_input *input, gral_error *error);

/* --- the host --- */

/* A table with its game; it is made of its terms and changed by inputs alone. */
typedef struct gral_host gral_host;

/* NULL without memory. The terms must be what gral_terms_parse accepts. */
gral_host *gral_host_make(const gral_terms *terms, gral_blake2b *hash, int64_t time);
/* Another one that is the same, to try out what would be; NULL without memory. */
gral_host *gral_host_copy(const gral_host *host);
void gral_host_free(gral_host *host);

/* Why the host refuses an input. Numbers from 1 to GRAL_FAULTS are faults against the rules, as gral_check numbers
 * them. */
enum gral_host_refusal {
    GRAL_ACCEPTED = GRAL_LEGAL,
    GRAL_HOST_REPEATED = GRAL_FAULTS, /* this ticket was used: it is done already, do not do it again */
    GRAL_HOST_NOT_BEGUN,
    GRAL_HOST_BEGUN,
    GRAL_HOST_ENDED,
    GRAL_HOST_NO_SEAT,     /* there is no such seat */
    GRAL_HOST_TAKEN,       /* somebody sits there */
    GRAL_HOST_SEATED,      /* he sits at this table already */
    GRAL_HOST_DISMISSED,   /* he was asked to leave */
    GRAL_HOST_NOT_FIRST,   /* somebody has sat here longer: it is for him to say who plays */
    GRAL_HOST_EMPTY,       /* nobody sits there */
    GRAL_HOST_TURN,        /* this seat is not asked now */
    GRAL_HOST_ANSWERED,    /* it has answered already; the others have not yet */
    GRAL_HOST_COMPUTER,    /* a computer player sits there */
    GRAL_HOST_PERSON,      /* a person sits there */
    GRAL_HOST_UNFINISHED,  /* units are placed in one piece, with `done` at its end */
    GRAL_HOST_AFTER,       /* there is an action after the one that ends what the seat may do now */
    GRAL_HOST_NO_SALT,     /* an assignment cannot be sealed without a salt */
    GRAL_HOST_NOT_ASKED,   /* nobody waits for this seat: there is no reason to replace him */
    GRAL_HOST_NO_ORDERS,   /* too many standing orders */
    GRAL_HOST_ORDER_ENDED, /* what the order waits for is there already */
    GRAL_HOST_NO_DRAW,     /* no draw is offered */
    GRAL_HOST_TALK_OFF,    /* the table has turned talk off */
    GRAL_HOST_TALK_EMPTY,  /* nothing was said, or to nobody who is there */
    GRAL_HOST_TALK_TEXT,   /* it is longer than GRAL_TALK_MAX bytes, or no plain text */
    GRAL_HOST_TALK_MUCH,   /* this seat has said GRAL_SAYINGS_MAX things */
    GRAL_HOST_MUCH,        /* this seat, or this person, has done enough here beside the game; see gral_host_excess */
    GRAL_HOST_NOT_DUE,     /* nothing is due that comes by itself */
    GRAL_HOST_MEMORY,
    GRAL_HOST_REFUSALS
};

/* In words, a sentence without a full stop; the key of its translation. It tells the sender nothing he may not know. */
const char *gral_host_refusal_text(enum gral_host_refusal refusal);

/* Whether the input may come in at this time, which is never before the one of the last input. Changes nothing. */
enum gral_host_refusal gral_host_check(const gral_host *host, const gral_input *input, int64_t time);

/* GRAL_HOST_MUCH for an input that is legal but would make the table's history longer than its game: what seats may do
 * beside the game is bounded by how far the game has come, and how often somebody sits down by a number. Else
 * GRAL_ACCEPTED. Apart from gral_host_check, so that a game is resumed whatever was allowed when it was played. */
enum gral_host_refusal gral_host_excess(const gral_host *host, const gral_input *input);

/* Does what gral_host_check found legal. Only GRAL_HOST_MEMORY can go wrong then, and nothing has changed. */
enum gral_host_refusal gral_host_apply(gral_host *host, const gral_input *input, int64_t time);

/* --- what everybody may know --- */

/* How far a table is: people sit down, they play, it is over. */
enum gral_host_stage { GRAL_GATHERING, GRAL_PLAYING, GRAL_ENDED };

/* How it ended. */
enum gral_host_end {
    GRAL_END_NONE,
    GRAL_END_GAME,      /* by the rules; the view has the result */
    GRAL_END_AGREED,    /* a draw by agreement */
    GRAL_END_ABANDONED, /* the last person has resigned, or nobody came any more: who has resigned has lost */
    GRAL_END_CLOSED     /* never begun */
};

/* What the table agreed on; valid as long as the host. */
const gral_terms *gral_host_terms(const gral_host *host);
int64_t gral_host_time(const gral_host *host); /* of the last input */
/* Whether answers that come in now stay hidden and close nothing, because the pace has not passed: then it makes no
 * difference in which order those of different seats come in. */
bool gral_host_holds_answers(const gral_host *host);
const gral_game *gral_host_game(const gral_host *host);
enum gral_host_stage gral_host_stage(const gral_host *host);
enum gral_host_end gral_host_end(const gral_host *host);

/* Counts what everybody has heard seats do in the game. Whoever acts says which version he has seen. Placements and
 * hidden answers do not count. */
uint32_t gral_host_version(const gral_host *host);

/* A seat. `user` is 0 where nobody sat down: a computer player's from the start. */
typedef struct gral_host_seat {
    uint64_t user;      /* who sat down */
    bool computer;      /* a computer player acts here now */
    bool resigned;      /* and will to the end */
    bool draw;          /* offers a draw or agrees to it */
    bool first;         /* has sat here longest, and says who plays, until the game begins */
    uint16_t replace;   /* the seats it votes to replace */
    int64_t bank;       /* with GRAL_CLOCK_BANK: what was left when its clock last stopped */
    const char *player; /* the computer player's text, or that of the one who would take over */
} gral_host_seat;

/* Who sits there, and how it stands with him. */
gral_host_seat gral_host_seat_at(const gral_host *host, unsigned seat);

/* How many are asked now and how many have answered: 1 and 0 when it is one seat's decision. With a pace, `answered` is
 * 0 until it has passed. */
typedef struct gral_round {
    uint8_t asked, answered; /* seats */
    bool hidden;             /* all answer at the same time; else it is the actor of the view who must act */
    int64_t deadline;        /* for the persons among them, whether they have answered or not; 0 for none */
    int64_t given; /* how long they have until then in all, the time they could not use not counted; 0 for none */
} gral_round;

/* What is asked now. */
gral_round gral_host_round(const gral_host *host);

/* --- what one viewer may know --- */

/* For a seat that has answered in a round of openings, its own sheet is as it will be. */
gral_view gral_host_view(const gral_host *host, unsigned viewer);

/* The seal of the opening that this seat has ended while others have not, for its owner alone: made when he said done,
 * and the one that everybody hears of when the round closes. False if there is none. */
bool gral_host_sealed(const gral_host *host, unsigned seat, gral_seal *seal);

/* What this seat may say now; nothing when it is not asked or has answered. */
gral_options gral_host_options(const gral_host *host, unsigned seat);

/* The same for a seat that is asked and has said some of it, but not to the host yet: what it will know and may say
 * after an assignment in the making, from `assign` or the first placement on. gral_host_check must have found each of
 * these actions legal, or GRAL_HOST_UNFINISHED. In the view it is this seat's turn to answer, also where all are asked
 * at the same time. */
void gral_host_draft(const gral_host *host, unsigned seat, const gral_action *action, unsigned count, gral_view *view,
                     gral_options *options);

/* A seat's own standing orders. */
unsigned gral_host_orders(const gral_host *host, unsigned seat, gral_order order[GRAL_ORDERS_MAX]);
uint16_t gral_host_muted(const gral_host *host, unsigned seat);

/* What can be heard at a table. */
enum gral_happening_kind {
    GRAL_HAPPENED_ACTION, /* `seat` did `action` */
    GRAL_HAPPENED_SEAL,   /* `seat`'s assignment `number` has this seal */
    GRAL_HAPPENED_SIT,
    GRAL_HAPPENED_RISE,
    GRAL_HAPPENED_DISMISS, /* `seat` asked the player on `other` to leave, or took a computer player away */
    GRAL_HAPPENED_BEGIN,
    GRAL_HAPPENED_LATE,    /* the clock of `seat`, whose turn it was, ran out; never told of a hidden answer */
    GRAL_HAPPENED_HANDED,  /* a computer player acts for `seat` from now on: resigned, voted or late */
    GRAL_HAPPENED_BACK,    /* the person acts again */
    GRAL_HAPPENED_REPLACE, /* `seat` votes to replace `other` */
    GRAL_HAPPENED_DRAW,
    GRAL_HAPPENED_NODRAW,
    GRAL_HAPPENED_TALK,  /* `words` */
    GRAL_HAPPENED_OFFER, /* `offer` */
    GRAL_HAPPENED_END,   /* `end` */
    GRAL_HAPPENED_KINDS
};

/* Something that was heard. What a kind does not use is zero. */
typedef struct gral_happening {
    uint8_t kind;        /* enum gral_happening_kind */
    uint8_t seat, other; /* who did it, and to whom */
    uint8_t end;         /* enum gral_host_end */
    gral_action action;  /* what he did */
    gral_offer offer;    /* what he offers */
    uint16_t to;         /* of talk and offers: the seats it was said to; 0 for everybody */
    uint32_t number;     /* of an assignment, as in its seal */
    gral_seal seal;      /* of an assignment that has ended */
    int64_t time;        /* of talk and offers; else 0 */
    gral_span words;     /* the host's; valid until the next input */
} gral_happening;

/* How many the viewer has heard of, and each of them in order. Of another seat's assignment he hears what
 * gral_view_hears says. Muted seats are not heard talking. The numbers only grow, and depend on nothing the viewer may
 * not know; but when somebody leaves a seat before the game has begun, what was whispered to him is gone with him. */
size_t gral_host_happenings(const gral_host *host, unsigned viewer);
gral_happening gral_host_happening(const gral_host *host, unsigned viewer, size_t index);

/* Many of them one after the other, from the number `from` on; valid until the next input. Each costs the same, however
 * many there are. `gral_host_hear` is false when there are no more. */
typedef struct gral_hearing {
    const gral_host *host; /* whose game it is */
    unsigned viewer;       /* who hears */
    size_t place, left;    /* where it is, and how many are to come */
} gral_hearing;

/* Begins to listen, and hears the next of them. */
gral_hearing gral_host_hearing(const gral_host *host, unsigned viewer, size_t from);
bool gral_host_hear(gral_hearing *hearing, gral_happening *happening);

/* The record for everybody: while the game goes on, as a spectator hears it, with the tag View "public" and the seals;
 * once it is over, all of it, with the salts. `names` has one for each seat; `date` may be NULL. With GRAL_END_AGREED
 * it has the tag Termination "agreed". No checks are in it: gral_checks_add makes them. Length as always with
 * gral_text. */
void gral_host_record(const gral_host *host, const char *const names[], const char *date, gral_text *text);

/* --- what comes by itself --- */

/* The next input that will be due by itself if nothing else comes before: GRAL_INPUT_SPEAK or _LATE and when; false if
 * there is none. */
bool gral_host_due(const gral_host *host, uint8_t *kind, int64_t *time);

/* Persons whose decision is wanted now. Only they may hear of it: in a round it tells who has answered. */
uint16_t gral_host_waiting(const gral_host *host);

/* Computer players: seats whose decision is wanted now. */
uint16_t gral_host_thinking(const gral_host *host);

/* A decision that was ready at `ready` may come in at this time: the decision's beginning and as many whole paces as
 * are needed, at least one. Without a pace: at once. So that the time tells nothing of what a player holds, `ready`
 * must not depend on it: whoever asks takes it from the players' levels, however soon they have decided. */
int64_t gral_host_tell_time(const gral_host *host, int64_t ready);

/* A computer player's question, in memory of its own, so that it can be thought about on another thread. */
typedef struct gral_task {
    gral_game game;                      /* what is played */
    gral_view view;                      /* of the seat */
    gral_entry *heard;                   /* with room for GRAL_ACTIONS_MAX more */
    size_t heard_count;                  /* how many actions it has heard */
    gral_heard_offer *offers;            /* what has been offered */
    size_t offer_count;                  /* how often */
    uint64_t seed;                       /* as in gral_question */
    uint32_t version;                    /* of the host when it was made */
    uint8_t seat;                        /* who must decide */
    bool may_talk;                       /* whether it may offer something with it */
    char player[GRAL_COMPUTER_TEXT_MAX]; /* its text, for gral_player_make */
} gral_task;

/* False without memory. The caller frees it. */
bool gral_host_task(const gral_host *host, unsigned seat, gral_task *task);
void gral_task_free(gral_task *task);

/* The whole of what the seat does now: one action, or an assignment from `assign` or its first placement to `done`. It
 * is made from the view alone. Returns how many actions; `offer` gets what the player wants to say with it, `offers`
 * whether it does. Needs no host: it runs on any thread. */
unsigned gral_task_think(gral_task *task, gral_player *player, gral_clock *clock, gral_action action[GRAL_ACTIONS_MAX],
                         gral_offer *offer, bool *offers);

/* What the player thinks of the seat's first decision: advice for the person who sits there. The seat must be asked. */
void gral_task_explain(const gral_task *task, gral_player *player, gral_clock *clock, gral_explanation *explanation);

/* Tells the player that the game is over, with all that the seat has heard. */
void gral_task_over(const gral_task *task, gral_player *player);

#ifdef __cplusplus
}
#endif

#endif
