/* Computer players.
 *
 * A player is asked a question and says an action. The question holds what a person in that seat would
 * have: the view, what may be done, and everything the seat has heard so far; nothing else reaches a
 * player. Apart from its memory for working in, a player keeps nothing from one question to the next:
 * the same question, seed and number of simulations give the same action, whatever was asked before. What it offers to
 * the table depends on the question and the action alone, too. */
#ifndef GRAL_PLAYER_H
#define GRAL_PLAYER_H

#include "gral/offer.h"
#include "gral/record.h"
#include "gral/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a player is asked, with all that its seat may know. `seed` is for its chances: the same question gets the same
 * answer. */
typedef struct gral_question {
    const gral_game *game;          /* what is played */
    const gral_view *view;          /* of the seat that must act */
    const gral_options *options;    /* what it may do; empty only when the game is over */
    const gral_entry *heard;        /* all actions that gral_view_hears lets it hear, from the start */
    size_t heard_count;             /* how many they are */
    const gral_heard_offer *offers; /* all that the seat has heard or made itself, oldest first; NULL for none */
    size_t offer_count;             /* how many they are */
    uint64_t seed;                  /* of the player's chances */
} gral_question;

/* Milliseconds from any start, or NULL where there is no clock; then a budget in time is turned into a
 * number of simulations. */
typedef double gral_clock(void);

/* What a player thinks of the decision it was asked about. All of it comes from the seat's own view. */
typedef struct gral_thought {
    gral_action action; /* what could be done */
    float chance;       /* of winning the game after it, 0 to 1 */
    float weight;       /* how likely the player is to choose it, 0 to 1; all weights together are 1 */
} gral_thought;

/* Why an action is good; what is a fact, what is believed, and what would follow. */
enum gral_reason_kind {
    GRAL_REASON_WINS_NOW,       /* what-if: `pawn` ends the game at once, and we hold the most on him for sure */
    GRAL_REASON_MAY_WIN_NOW,    /* what-if: … and we hold the most on him with probability `chance` */
    GRAL_REASON_STOPS_WIN,      /* what-if: else `pawn` may end the game for `seat` next */
    GRAL_REASON_CARRIES_HOME,   /* what-if: brings `pawn` with the grail nearer home; `points` steps remain */
    GRAL_REASON_TOWARDS_GRAIL,  /* what-if: brings `pawn` nearer the grail; `points` steps remain */
    GRAL_REASON_SHOWN,          /* fact: `seat` has shown `points` on `pawn` */
    GRAL_REASON_HOLDS_AT_LEAST, /* belief: `seat` holds `points` or more on `pawn` with probability `chance` */
    GRAL_REASON_STRONGEST,      /* belief: we hold the most on `pawn` with probability `chance` */
    GRAL_REASON_UNCOVERS,       /* what-if: takes `pawn` out of the game; `seat` loses about `points` */
    GRAL_REASON_SAVES_SECRETS,  /* what-if: going on would show more than it is worth */
    GRAL_REASON_BUILDS,         /* what-if: more influence on `pawn`, in secret */
    GRAL_REASON_BLUFF,          /* what-if: nobody will know that nothing changed */
    GRAL_REASON_KEEPS_BACK,     /* what-if: `points` not placed yet can still go anywhere */
    GRAL_REASON_BETTER_THAN,    /* what-if: the next best action has only `chance` */
    GRAL_REASON_KINDS
};

/* One reason, with what it is about. */
typedef struct gral_reason {
    uint8_t kind;               /* enum gral_reason_kind */
    uint8_t seat, pawn, points; /* as its kind says */
    float chance;               /* 0 to 1 */
} gral_reason;

enum { GRAL_THOUGHTS_MAX = 16, GRAL_REASONS_MAX = 6, GRAL_PLAN_MAX = 4 * GRAL_UNIT_KINDS + 2 };

/* What a player thinks of its decision, and why. */
typedef struct gral_explanation {
    gral_thought thought[GRAL_THOUGHTS_MAX]; /* the best first */
    unsigned thoughts;                       /* how many there are */
    gral_reason reason[GRAL_REASONS_MAX];    /* for the first of them */
    unsigned reasons;                        /* how many there are */
    gral_action plan[GRAL_PLAN_MAX];         /* the whole assignment that the first of them begins, if that is known */
    unsigned planned;                        /* actions of the plan */
    uint32_t simulations;                    /* behind the chances; 0 for a player that does not simulate */
} gral_explanation;

/* A computer player of any kind. */
typedef struct gral_player gral_player;

/* One kind of player. Whoever implements one has a struct that begins with gral_player. */
typedef struct gral_player_kind {
    const char *name;    /* as a text names it */
    const char *summary; /* what it is, for people */
    /* A legal action. */
    gral_action (*decide)(gral_player *player, const gral_question *question, gral_clock *clock);
    /* May be NULL: then there is nothing but the decision to tell. */
    void (*explain)(gral_player *player, const gral_question *question, gral_clock *clock,
                    gral_explanation *explanation);
    /* Whether the player wants to offer something to the whole table with the action it has just decided on. May be
     * NULL: it never talks. */
    bool (*offer)(gral_player *player, const gral_question *question, gral_action decided, gral_offer *offer);
    /* The game is over, or is not played on: the whole of what the seat heard, its last view, and no options.
     * There is nothing to answer. May be NULL. */
    void (*over)(gral_player *player, const gral_question *end);
    /* Frees all that it has, and itself. */
    void (*free)(gral_player *player);
} gral_player_kind;

struct gral_player {
    const gral_player_kind *kind; /* what it can */
};

/* The player that a text names, "NAME[:ARG[,ARG…]]", e.g. "rules", "ismcts:1000", "thinker:100ms",
 * "thinker:level=3,as=renard". NULL when the text is wrong (`error` says where and why) or there is no
 * memory. The caller frees it. */
gral_player *gral_player_make(gral_span text, gral_error *error);
void gral_player_free(gral_player *player);

/* Whether a text names a player; if not, `error` says where and why. */
bool gral_player_check(gral_span text, gral_error *error);

/* How long such a player may think about one decision, in milliseconds, by its text alone. Whoever has people wait for
 * it, on a server or in a browser, takes it to have needed all of this: what it really needed could tell what it holds
 * (R10.2). */
uint32_t gral_player_time(gral_span text);

/* The name of the character that such a text gives its player, as people read it in every language: "Renard". NULL for
 * a player without one. */
const char *gral_player_called(gral_span text);

/* What stands after `as=` for each character that has a name; NULL past the last. */
const char *gral_character_key(unsigned index);

/* Its level, 1 to 5; 0 for a text without one. */
unsigned gral_player_level(gral_span text);

/* What the player does; always one of the options. */
gral_action gral_player_decide(gral_player *player, const gral_question *question, gral_clock *clock);
/* Tells it that the game is over (gral_player_kind). */
inline void gral_player_over(gral_player *player, const gral_question *end)
{
    if (player->kind->over != NULL)
        player->kind->over(player, end);
}
/* Whether it wants to offer something with that action, and what. */
inline bool gral_player_offer(gral_player *player, const gral_question *question, gral_action decided,
                              gral_offer *offer)
{
    return player->kind->offer != NULL && player->kind->offer(player, question, decided, offer);
}
/* What it thinks of the question; of a player that tells nothing, only the decision. */
void gral_player_explain(gral_player *player, const gral_question *question, gral_clock *clock,
                         gral_explanation *explanation);

/* What may be believed of one player's influence on one initiate: figures that he exceeds nine times in ten, as often
 * as not, and once in ten; and how likely it is, in hundredths, that he holds more than everybody else. */
typedef struct gral_estimate {
    uint8_t low, middle, high, leads; /* in points, the last in hundredths */
} gral_estimate;

/* Of every player and every initiate. */
typedef struct gral_beliefs {
    gral_estimate of[GRAL_PLAYERS_MAX][GRAL_PAWNS]; /* of each player and each initiate */
} gral_beliefs;

/* What a careful player in the seat of the view, or a spectator, may believe, by the reckoning of the net that plays
 * the thinker. Sheets in the view are believed as they are, but say nothing about the others', so all who have heard
 * the same believe the same of everybody else. `options` may be NULL, and nothing is left to chance. */
void gral_believe(const gral_question *question, gral_beliefs *beliefs);

/* Passes, yields, ends, leaves; else the first legal action: what is done for somebody who does not answer. It
 * never shows or spends anything. */
gral_action gral_safest_action(const gral_game *game, const gral_open *open, const gral_options *options);

/* The names for a help text, with what they are; NULL past the last. */
const gral_player_kind *gral_player_kind_at(unsigned index);

#ifdef __cplusplus
}
#endif

#endif
