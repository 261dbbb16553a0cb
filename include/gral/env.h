/* A training ground: many games side by side, seen and played through fixed arrays of numbers.
 *
 * An observation is made of what the seat may know and nothing else: its view (R10.1 and its own sheet), its options,
 * and a memory of what everybody has heard. Whatever is about an initiate is seen from the headquarters of its own
 * society: x grows along one side of the board, y along the other, so that turning the board, or swapping the two of
 * a society, only swaps rows of the observation. What is left of the 128 symmetries of the start is the mirror, and
 * `mirrored` swaps x and y. Directions in action numbers are seen in the same way.
 *
 * Nothing here allocates. A gral_ground is a plain value in the caller's memory; whoever wants a thousand games has an
 * array of a thousand. The same seed gives the same games. */
#ifndef GRAL_ENV_H
#define GRAL_ENV_H

#include "gral/record.h"
#include "gral/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- what everybody has heard --- */

/* What a seat has done about an initiate, counted. */
enum gral_habit {
    GRAL_HABIT_PROPOSED,
    GRAL_HABIT_LED_HOME, /* proposed that he carries the grail nearer home */
    GRAL_HABIT_OBJECTED,
    GRAL_HABIT_PASSED,
    GRAL_HABIT_LET_HOME, /* passed when he was to carry it nearer home */
    GRAL_HABIT_YIELDED,
    GRAL_HABIT_ANNOUNCED, /* announced an assignment while he bore the grail */
    GRAL_HABITS
};

/* Habits about no initiate in particular. */
enum gral_manner { GRAL_MANNER_PROPOSES, GRAL_MANNER_OBJECTS, GRAL_MANNER_PASSES, GRAL_MANNERS };

/* Counts are kept as they are observed, in hundredths up to 127, so that they need not be worked out at every decision.
 */
typedef struct gral_memory {
    uint32_t announced_turn[GRAL_PLAYERS_MAX];               /* the newest announcement; 0 for none */
    int8_t announced[GRAL_PLAYERS_MAX];                      /* 12 each; the opening is none */
    int8_t habit[GRAL_PLAYERS_MAX][GRAL_HABITS][GRAL_PAWNS]; /* 12 each time */
    int8_t manner[GRAL_PLAYERS_MAX][GRAL_MANNERS];           /* 4 each proposal and objection, 2 each pass */
    uint8_t bore;                                            /* bit p: initiate p has borne the grail */
    /* Of the assignment that is on, if its owner remembers; nobody else hears of it (R3.1). */
    uint8_t last_kind; /* of the unit placed last, 0 before the first */
    uint8_t last_pawn; /* where it went, or GRAL_NO_PAWN */
    bool everything;   /* a larger unit came after a smaller one: everything goes there */
} gral_memory;

/* Before anything was heard. */
gral_memory gral_memory_begin(void);

/* One more action that was heard, and what all knew before it. */
void gral_memory_hear(gral_memory *memory, const gral_game *game, const gral_open *before, gral_action action);

/* Leaves what everybody else remembers while an assignment is on. */
void gral_memory_forget_assignment(gral_memory *memory);

/* What somebody remembers who has heard all this from the start (gral_question). Where the actions do not lead to each
 * other, as in a position that was set up, it ends there. */
gral_memory gral_memory_of(const gral_game *game, const gral_entry *heard, size_t count);

/* --- actions as numbers --- */

/* Figures of a dispute are coarse: number k is the least legal figure from gral_figure[k] on, the last is everything
 * one holds. The least legal figure is always among them, and no figure is there twice. */
enum { GRAL_FIGURES = 15 };
extern const uint8_t gral_figure[GRAL_FIGURES]; /* from 1 up to everything */

/* | from | to  | action                                                                        |
 * |------|-----|-------------------------------------------------------------------------------|
 * |    0 |   6 | assign, done, pass, yield, keep, drop, leave                                  |
 * |    7 |  21 | object or claim, whichever it is: gral_figure                                 |
 * |   22 |  29 | place everything that is left on initiate 0 to 7, beginning with one unit     |
 * |   30 |  77 | place a unit of kind k (10, 5, 4, 3, 2, 1) on initiate p: 8 * k + p           |
 * |   78 | 109 | step of initiate p in direction d (+x, +y, -x, -y, seen from home): 4 * p + d |
 * |  110 | 173 | p uncovers t: 8 * p + t; with a step where t does not stand on p's field      |
 *
 * The units of an assignment are placed from the largest down, so that there is one way to each. Everything at once is
 * told from that by its order, since a player keeps nothing from one question to the next: the smallest unit first
 * (then he may think again), then the largest, and from there on he has no choice. */
enum {
    GRAL_NUMBER_WORDS = 0,
    GRAL_NUMBER_FIGURE = 7,
    GRAL_NUMBER_ALL = GRAL_NUMBER_FIGURE + GRAL_FIGURES,
    GRAL_NUMBER_PLACE = GRAL_NUMBER_ALL + GRAL_PAWNS,
    GRAL_NUMBER_STEP = GRAL_NUMBER_PLACE + GRAL_UNIT_KINDS * (int)GRAL_PAWNS,
    GRAL_NUMBER_UNCOVER = GRAL_NUMBER_STEP + (int)GRAL_PAWNS * GRAL_DIRECTIONS,
    GRAL_NUMBERS = GRAL_NUMBER_UNCOVER + GRAL_PAWNS * GRAL_PAWNS,
    GRAL_NUMBER_NONE = 255,
};

enum { GRAL_NUMBER_SETS = (GRAL_NUMBERS + 63) / 64 };

/* A set of numbers: bit n % 64 of word n / 64. */
typedef struct gral_numbers {
    uint64_t word[GRAL_NUMBER_SETS]; /* bit n % 64 of word n / 64 */
} gral_numbers;

/* Whether the number is in the set. */
inline bool gral_numbers_has(const gral_numbers *numbers, unsigned number)
{
    return numbers->word[number / 64] >> (number % 64) & 1;
}

/* All that a seat knows when it must act, and how it looks at it. Of a state it points at what all know and at the
 * seat's own sheet: there is no way to any other. */
typedef struct gral_outlook {
    const gral_game *game;       /* what is played */
    const gral_open *open;       /* what all know */
    const gral_sheet *sheet;     /* the seat's own */
    const gral_options *options; /* what it may do */
    const gral_memory *memory;   /* what it has heard */
    uint8_t seat;                /* who looks */
    bool mirrored;               /* x and y are swapped */
    uint8_t hunger; /* what a draw is worth to it: 0 as much as a fair share of a win, 100 no more than a loss */
} gral_outlook;

/* The outlook of somebody who has a view of his own; it points into all four. Not mirrored, and a draw is worth a fair
 * share of a win, until the caller says otherwise. */
gral_outlook gral_outlook_of(const gral_game *game, const gral_view *view, const gral_options *options,
                             const gral_memory *memory);

/* The numbers that may be played. There is at least one as long as the game is not over. */
gral_numbers gral_numbers_of(const gral_outlook *outlook);

/* The action of a number that may be played. */
gral_action gral_number_action(const gral_outlook *outlook, unsigned number);

/* The number of a legal action; of a figure between two, the lower one. GRAL_NUMBER_NONE for a unit that breaks the
 * order. */
unsigned gral_action_number(const gral_outlook *outlook, gral_action action);

/* --- observations --- */

/* Everything is in hundredths, from -127 to 127: 100 is a whole sheet, and yes. The names say where something begins;
 * it goes on to the next. */
enum gral_pawn_sight {
    GRAL_SEES_FIELD = 0,       /* 25: 5 * y + x */
    GRAL_SEES_ON_BOARD = 25,   /* */
    GRAL_SEES_BEARER,          /* */
    GRAL_SEES_GRAIL_AT,        /* 2: how far it is along x and y, a quarter each field */
    GRAL_SEES_GRAIL_AWAY = 29, /* 6: its distance is 0, 1, 2, 3, 4, more */
    GRAL_SEES_GRAIL_HOME = 35, /* 5: from the grail to his home it is 0, 1, 2, 3, more */
    GRAL_SEES_WAY = 40,        /* steps to the grail and home with it, 6 each */
    GRAL_SEES_ENDS,            /* his step may end the game */
    GRAL_SEES_STRIKE_ENDS,     /* uncovering the bearer ends it */
    GRAL_SEES_STRIKE,          /* the bearer, another one, is within his reach */
    GRAL_SEES_MINE,            /* 8: one's influence; then whether it is at least 1, 5, 10, 15, 20, 30, 50 */
    GRAL_SEES_SHOWN = 52,      /* what all know of it */
    GRAL_SEES_HIDDEN,          /* what they do not */
    GRAL_SEES_LOST,            /* */
    GRAL_SEES_PAID,            /* */
    GRAL_SEES_MATE, /* 3: one's influence on the other of his society, whether he is there, how far from home */
    GRAL_SEES_MY_REACH = 59,    /* 2: one's most influence on somebody who could uncover him; whether it suffices */
    GRAL_SEES_THEIR_REACH = 61, /* 2: the same of what others have shown */
    GRAL_SEES_COMPANY = 63,     /* 2: how many stand with him, and beside him */
    GRAL_SEES_STEPS = 65,       /* 4: may be proposed, seen from home */
    GRAL_SEES_ACTS = 69,        /* he is to act */
    GRAL_SEES_TARGET,           /* he is to be uncovered */
    GRAL_SEES_ACTS_TO,          /* 4: where he is to step */
    GRAL_SEES_REJECTED = 75,    /* proposals of this turn */
    GRAL_SEES_MY_HABITS,        /* 4: proposed, led home, objected, passed */
    GRAL_SEES_BORE = 80,        /* he has borne the grail */
    GRAL_SEES_LEAD,             /* 4: one's influence less the most that others have shown, may have; and whether it is
                                   at least as much as they may have; more */
    GRAL_SEES_GOAL = 85,        /* 2: The Original: where one's own headquarters are */
    GRAL_PAWN_SIGHTS = 88
};

/* Of another player and an initiate. */
enum gral_pair_sight {
    GRAL_SEES_FLOOR = 0,    /* 4: what he has shown; whether it is at least 1, 10, 20 */
    GRAL_SEES_HIS_LOSS = 4, /* */
    GRAL_SEES_HIS_PAY,      /* */
    GRAL_SEES_MOST,         /* what he could hold: shown and all that is not known of */
    GRAL_SEES_HABITS,       /* 7: as in gral_habit, 12 each time */
    GRAL_SEES_FIGURE = 14,  /* his figure in the dispute that is open */
    GRAL_SEES_AHEAD,        /* one's own influence less what he has shown */
    GRAL_SEES_AHEAD_MOST,   /* … less what he could hold */
    GRAL_SEES_HIS_GOAL,     /* The Original: steps from the initiate to his headquarters */
    GRAL_PAIR_SIGHTS = 18
};

/* Of another player. */
enum gral_other_sight {
    GRAL_SEES_AFTER = 0,     /* how many turns after one's own his comes, 8 each */
    GRAL_SEES_NEXT,          /* his is next */
    GRAL_SEES_ACTIVE,        /* */
    GRAL_SEES_OBJECTOR,      /* */
    GRAL_SEES_ANNOUNCED,     /* 3: assignments, 12 each; how fresh the newest is; that there was none */
    GRAL_SEES_UNKNOWN = 7,   /* 3: points that nothing is known of; whether there are 30, 60 */
    GRAL_SEES_LOST_ALL = 10, /* */
    GRAL_SEES_PAID_ALL,      /* */
    GRAL_SEES_SHOWN_ALL,     /* */
    GRAL_SEES_MANNERS,       /* 3: as in gral_manner */
    GRAL_OTHER_SIGHTS = 16
};

/* Of the table and oneself. */
enum gral_table_sight {
    GRAL_SEES_PHASE = 0,       /* 6 */
    GRAL_SEES_STAGE = 6,       /* 3 */
    GRAL_SEES_PLAYERS = 9,     /* 6: 2, 3, 4, 5 or 6, 7 or 8, more */
    GRAL_SEES_ORIGINAL = 15,   /* */
    GRAL_SEES_MY_TURN,         /* */
    GRAL_SEES_TURNS_UNTIL,     /* until one's own, 8 each */
    GRAL_SEES_RESERVE,         /* 6: units not placed, in points; whether 1, 10, 20, 30, 50 */
    GRAL_SEES_UNITS = 24,      /* 6: a quarter each unit */
    GRAL_SEES_MY_NEWS = 30,    /* 3: one's own announcements, like those of others */
    GRAL_SEES_GRAIL_FREE = 33, /* */
    GRAL_SEES_CLAIM,           /* */
    GRAL_SEES_OBJECTION,       /* */
    GRAL_SEES_AT_STAKE,        /* one's influence on the one who is to act */
    GRAL_SEES_LEAST,           /* 2: figures that may be named */
    GRAL_SEES_PROPOSAL = 39,   /* 3: a step, an uncovering in place, both */
    GRAL_SEES_REJECTIONS = 42, /* this turn, 12 each */
    GRAL_SEES_MAY_ASSIGN,      /* */
    GRAL_SEES_ROUND,           /* of turns, 6 each, up to 16: nobody is told when the game will be stopped */
    GRAL_SEES_HUNGER,          /* */
    GRAL_SEES_ALL_UNKNOWN,     /* 2: the most of others, and the mean */
    GRAL_SEES_SMALLEST = 48,   /* 5: placing: units of 10, 5, 4, 3, 2 may not be placed any more */
    GRAL_TABLE_SIGHTS = 56
};

/* An observation. Rows of `pair` and `other` are the players after the seat, clockwise; those from `others` on are 0.
 */
typedef struct gral_observation {
    int8_t pawn[GRAL_PAWNS][GRAL_PAWN_SIGHTS];                       /* enum gral_pawn_sight */
    int8_t table[GRAL_TABLE_SIGHTS];                                 /* enum gral_table_sight */
    int8_t other[GRAL_PLAYERS_MAX - 1][GRAL_OTHER_SIGHTS];           /* enum gral_other_sight */
    int8_t pair[GRAL_PLAYERS_MAX - 1][GRAL_PAWNS][GRAL_PAIR_SIGHTS]; /* enum gral_pair_sight */
    uint8_t others;                                                  /* how many other players there are */
    uint8_t seat;                                                    /* who looks */
} gral_observation;

/* Only the rows of those who are there are written; begin with zeros. */
void gral_observe(const gral_outlook *outlook, gral_observation *observation);

/* --- games --- */

/* One game after another. `next` are the settings from the next beginning on; who begins, and a limit of turns where it
 * is drawn, are chosen anew each time. */
typedef struct gral_ground {
    gral_game game;                   /* of the game that is on */
    gral_state state;                 /* where it stands */
    gral_options options;             /* of the state; whoever sets that himself sets these too */
    gral_memory memory;               /* what everybody has heard of it */
    gral_settings next;               /* of the games after it */
    uint32_t limit_least, limit_most; /* turns a player, hidden from all (R7.5); 0 for the limit of `next` */
    gral_random random;               /* who begins, and hidden limits, are drawn from it */
    gral_record *record;              /* NULL, or where all actions of the game that is on are added */
    uint8_t hunger[GRAL_PLAYERS_MAX]; /* of each seat (gral_outlook) */
    uint16_t mirrored;                /* bit k: as seat k sees it */
} gral_ground;

/* How a game ended. */
typedef struct gral_ending {
    bool over;       /* else the rest says how far it is */
    uint8_t winner;  /* GRAL_NOBODY in a draw */
    uint8_t players; /* who were in it */
    uint32_t turns;  /* of all players together */
} gral_ending;

/* A first game. The settings must be right (gral_game_make). `hunger` and `mirrored` are the caller's: 0 here. */
void gral_ground_begin(gral_ground *ground, const gral_settings *settings, uint64_t seed);

/* The next game, whether or not this one is over. */
void gral_ground_restart(gral_ground *ground);

/* Whose decision it is, and what he knows. It points into the ground. */
gral_outlook gral_ground_outlook(const gral_ground *ground);

/* What a seat sees now, and the numbers it may play: none unless the decision is its own. Of an assignment that is on,
 * nobody but its owner sees anything (R3.1). */
gral_numbers gral_ground_observe(const gral_ground *ground, unsigned seat, gral_observation *observation);

/* Plays a number, or any legal action, and everything after it that leaves no choice. When that ends the game, the
 * ending is told; restarting is the caller's, so that he can look at the end first. */
gral_ending gral_ground_play(gral_ground *ground, unsigned number);
gral_ending gral_ground_act(gral_ground *ground, gral_action action);

/* Many at once: plays numbers[i] in game i, restarts what is over, and fills observation and legal numbers for whoever
 * is to act then. */
void gral_grounds_step(gral_ground *ground, unsigned count, const uint8_t *numbers, gral_observation *observation,
                       gral_numbers *legal, gral_ending *ending);

#ifdef __cplusplus
}
#endif

#endif
