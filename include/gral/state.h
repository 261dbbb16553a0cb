/* The state of a game, what may be done in it, and doing it.
 *
 * A state is a plain value: copy it by assignment, keep it where you like; it has no pointers and
 * no heap and no padding, so that equal states are equal bytes. It falls into two parts, and the line between
 * them is the line of R10: `open` is what everybody may know (R10.1), `sheet` is what only its
 * owner knows until the end (R10.2). gral/view.h shows a seat the first and its own of the second. */
#ifndef GRAL_STATE_H
#define GRAL_STATE_H

#include "gral/game.h"
#include "gral/random.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be decided now. */
enum gral_phase {
    GRAL_OPENING,   /* the actor fills his sheet, before the first turn */
    GRAL_TURN,      /* the active player proposes or announces an assignment */
    GRAL_PLACING,   /* he has announced one and places units */
    GRAL_OBJECTION, /* the actor objects to the proposal or passes */
    GRAL_ANSWER,    /* the active player answers an objection */
    GRAL_GRAIL,     /* he decides about the grail */
    GRAL_OVER,
    GRAL_PHASES
};

/* Which choice GRAL_GRAIL is about. */
enum gral_stage {
    GRAL_NO_CHOICE,
    GRAL_DEPARTURE, /* it is with the initiate, or lies on the field he sets off from (R5.1) */
    GRAL_ARRIVAL,   /* it lies on the field of arrival (R5.2) */
    GRAL_FREED      /* the uncovered initiate carried it (R6.5) */
};

enum { GRAL_UNCOVER_PRICE = 10 };

/* What everybody knows. */
typedef struct gral_open {
    uint32_t turn;                            /* counted over all players from 1; 0 in the opening */
    uint32_t rejected_steps;                  /* this turn's, without uncovering: bit 4 * pawn + direction */
    uint8_t rejected_uncoverings[GRAL_PAWNS]; /* this turn's: bit t of an initiate: of target t. Nobody
                                      moves between two proposals of a turn, so the pair says whether
                                      and where to he was to step */
    uint8_t pawn[GRAL_PAWNS];                 /* the field of each, GRAL_NOWHERE when uncovered */
    gral_action proposal;                     /* GRAL_NOTHING when there is none */
    uint8_t phase;                            /* enum gral_phase */
    uint8_t stage : 3;                        /* enum gral_stage */
    uint8_t origin : 5;   /* where the acting initiate stood before his step was carried out, as long
                             as the turn goes on after it; else GRAL_NOWHERE */
    uint8_t actor;        /* who must act, GRAL_NOBODY when over */
    uint8_t active;       /* whose turn it is, GRAL_NOBODY in the opening */
    uint8_t grail;        /* the field it is on, carried or not */
    uint8_t bearer;       /* who carries it, or GRAL_NO_PAWN */
    uint8_t claim;        /* the active player's figure in this dispute */
    uint8_t objection;    /* the figure waiting for an answer, or 0 */
    uint8_t objector;     /* whose it is, or GRAL_NOBODY */
    uint8_t winner;       /* GRAL_NOBODY in a draw and before the end */
    uint8_t winning_pawn; /* who brought the grail home, or GRAL_NO_PAWN */
    uint8_t players;      /* 2 to 12 */
    uint8_t known[GRAL_PLAYERS_MAX][GRAL_PAWNS]; /* on the board: the floor; uncovered: what was lost */
    uint8_t paid[GRAL_PLAYERS_MAX][GRAL_PAWNS];  /* points paid from the influence on each */
} gral_open;

/* What one player has written, hidden from the others. */
typedef struct gral_sheet {
    uint8_t influence[GRAL_PAWNS];  /* points on each initiate */
    uint8_t units[GRAL_UNIT_KINDS]; /* not yet placed */
    uint8_t assigned_to;            /* the initiate of this assignment where it must be one (R3.3) */
} gral_sheet;

/* Everything: what all know, and all sheets. Whoever plays gets a gral_view of it. */
typedef struct gral_state {
    gral_open open;                     /* what all know */
    gral_sheet sheet[GRAL_PLAYERS_MAX]; /* what each player has written */
} gral_state;

/* Whether the initiate has not been uncovered. */
inline bool gral_on_board(const gral_open *open, unsigned pawn)
{
    return open->pawn[pawn] != GRAL_NOWHERE;
}

/* The highest figure known to all (R10.1), 0 on an uncovered initiate. */
inline unsigned gral_floor(const gral_open *open, unsigned seat, unsigned pawn)
{
    return gral_on_board(open, pawn) ? open->known[seat][pawn] : 0;
}

/* What became public and was lost with an uncovered initiate (R6.3). */
inline unsigned gral_lost(const gral_open *open, unsigned seat, unsigned pawn)
{
    return gral_on_board(open, pawn) ? 0 : open->known[seat][pawn];
}

/* Everything the actor may do, folded: masks for what can be listed, a range for points. */
typedef struct gral_options {
    uint64_t uncoverings; /* bit 8 * pawn + target */
    uint32_t steps;       /* bit 4 * pawn + direction */
    uint16_t verbs;       /* bit v: verb v, where it needs no more words */
    uint8_t units, pawns; /* place: any unit kind of one mask on any initiate of the other */
    uint8_t points_verb;  /* GRAL_OBJECT or GRAL_CLAIM, from `least` to `most`; else GRAL_NOTHING */
    uint8_t least, most;  /* points */
} gral_options;

/* No state offers more than a hundred figures and a refusal. */
enum { GRAL_LEGAL_MAX = GRAL_POINTS_MAX + 1 };

/* The state before the opening. Seat 0 acts first. */
void gral_start(const gral_game *game, gral_state *state);

/* What the actor may do now; empty when the game is over. */
gral_options gral_legal_options(const gral_game *game, const gral_state *state);

/* How many actions the options hold, and the one at `index`, in the order of gral_legal_list.
 * `open` is the public part of the state that the options come from. */
unsigned gral_options_count(const gral_options *options);
gral_action gral_options_pick(const gral_game *game, const gral_open *open, const gral_options *options,
                              unsigned index);

/* All legal actions, one by one, into the caller's list; their number is returned, 0 when over. */
unsigned gral_legal_list(const gral_game *game, const gral_state *state, gral_action list[GRAL_LEGAL_MAX]);

/* One of the legal actions, each as likely as any other. The game must not be over. */
gral_action gral_random_action(const gral_game *game, const gral_state *state, gral_random *random);

/* Why an action is not legal. */
enum gral_fault {
    GRAL_LEGAL,
    GRAL_FAULT_OVER,
    GRAL_FAULT_NOT_PLACING,
    GRAL_FAULT_NOT_PROPOSING,
    GRAL_FAULT_NO_PROPOSAL,
    GRAL_FAULT_NO_OBJECTION,
    GRAL_FAULT_NO_GRAIL_CHOICE,
    GRAL_FAULT_NO_UNIT,
    GRAL_FAULT_PAWN_GONE,
    GRAL_FAULT_OTHER_PAWN,
    GRAL_FAULT_ASSIGN_AFTER_REJECTION,
    GRAL_FAULT_NOT_ADJACENT,
    GRAL_FAULT_REJECTED,
    GRAL_FAULT_STEP_AND_UNCOVER,
    GRAL_FAULT_UNCOVERS_ITSELF,
    GRAL_FAULT_TARGET_ELSEWHERE,
    GRAL_FAULT_PRICE,
    GRAL_FAULT_MORE_THAN_HELD,
    GRAL_FAULT_NO_POINTS,
    GRAL_FAULT_OBJECTION_TOO_LOW,
    GRAL_FAULT_CLAIM_TOO_LOW,
    GRAL_FAULT_NO_DROP,
    GRAL_FAULT_NO_SUCH_ACTION,
    GRAL_FAULTS
};

/* Whether the actor may do this, and if not, why. Any bytes may be asked about. */
enum gral_fault gral_check(const gral_game *game, const gral_state *state, gral_action action);

/* The reason in words with the clause, as a sentence without a full stop. It tells the actor
 * nothing but what he knows. */
const char *gral_fault_text(enum gral_fault fault);

/* Does a legal action. An illegal one is a bug of the caller's (an assertion). */
void gral_apply(const gral_game *game, gral_state *state, gral_action action);

/* With whom the game ends if the proposal on the table is carried out and the active player then wants the grail; also
 * while he decides about it. GRAL_NO_PAWN if the game goes on anyway (R7.1, R8.2). */
unsigned gral_ends_with(const gral_game *game, const gral_open *open);

/* What gral_take_back needs; saves only what the action can touch. */
typedef struct gral_undo {
    gral_state before; /* of it only as much as is needed */
    bool whole;        /* whether that is all of it */
} gral_undo;

/* gral_apply, remembering enough to take it back. */
void gral_apply_with_undo(const gral_game *game, gral_state *state, gral_action action, gral_undo *undo);

/* The state as it was, byte for byte, before the newest action not yet taken back. */
void gral_take_back(gral_state *state, const gral_undo *undo);

/* Hashes of what everybody knows and of everything; equal on every little-endian machine. */
uint64_t gral_hash_open(const gral_state *state);
uint64_t gral_hash(const gral_state *state);

#ifdef __cplusplus
}
#endif

#endif
