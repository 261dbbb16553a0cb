/* What a player can say: one action, packed into four bytes.
 *
 * The same thirteen verbs serve records, logs, the referee, computer players and the network;
 * gral/notation.h writes and reads them as text. */
#ifndef GRAL_ACTION_H
#define GRAL_ACTION_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* R1.2: the initiates in the order of every list; pawn / 2 is the society, an even one is tall. */
enum gral_pawn {
    GRAL_T1,
    GRAL_T2,
    GRAL_A1,
    GRAL_A2,
    GRAL_I1,
    GRAL_I2,
    GRAL_R1,
    GRAL_R2,
    GRAL_PAWNS,
    GRAL_NO_PAWN = 255
};

/* The societies, in the order of their initiates. */
enum gral_society { GRAL_TEMPLARS, GRAL_ASSASSINS, GRAL_ILLUMINATES, GRAL_ROSICRUCIANS, GRAL_SOCIETIES };

/* R1.1: field = 5 * row + column, whatever the size of the board, so that a name is always the
 * same field. An uncovered initiate stands nowhere. */
enum { GRAL_COLUMNS = 5, GRAL_ROWS = 5, GRAL_FIELDS = 25, GRAL_NOWHERE = 31, GRAL_DIRECTIONS = 4 };

/* R1.4: the denominations of a sheet, largest first. */
enum { GRAL_UNIT_KINDS = 6, GRAL_POINTS_MAX = 100 };
extern const uint8_t gral_unit_value[GRAL_UNIT_KINDS]; /* 10, 5, 4, 3, 2, 1 */

/* What so many units of each kind are worth together. */
inline unsigned gral_units_worth(const uint8_t units[GRAL_UNIT_KINDS])
{
    unsigned points = 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        points += (unsigned)units[kind] * gral_unit_value[kind];
    return points;
}

/* Seats count from 0 here and from 1 in every text. */
enum { GRAL_PLAYERS_MIN = 2, GRAL_PLAYERS_MAX = 12, GRAL_NOBODY = 255 };

/* What can be said; behind each, what it uses. */
enum gral_verb {
    GRAL_NOTHING,
    GRAL_PLACE,   /* points (one unit's value) on pawn */
    GRAL_DONE,    /* */
    GRAL_ASSIGN,  /* */
    GRAL_STEP,    /* pawn to field, uncovering target unless that is GRAL_NO_PAWN */
    GRAL_UNCOVER, /* pawn uncovers target where it stands */
    GRAL_OBJECT,  /* points */
    GRAL_PASS,    /* */
    GRAL_CLAIM,   /* points */
    GRAL_YIELD,   /* */
    GRAL_KEEP,    /* */
    GRAL_DROP,    /* */
    GRAL_LEAVE,   /* */
    GRAL_VERBS
};

/* What a verb does not use is GRAL_NO_PAWN in pawn and target, 0 in field and points; the makers
 * below see to that, so equal actions are equal bytes. */
typedef struct gral_action {
    uint8_t verb;   /* enum gral_verb */
    uint8_t pawn;   /* who acts, or on whom points are placed */
    uint8_t target; /* who is uncovered */
    union {
        uint8_t field;
        uint8_t points;
    };
} gral_action;

/* A verb that needs no more words: done, assign, pass, yield, keep, drop, leave. */
inline gral_action gral_say(enum gral_verb verb)
{
    const gral_action action = {(uint8_t)verb, GRAL_NO_PAWN, GRAL_NO_PAWN, {0}};
    return action;
}

/* Puts a unit of so many points on an initiate. */
inline gral_action gral_place(unsigned points, unsigned pawn)
{
    const gral_action action = {GRAL_PLACE, (uint8_t)pawn, GRAL_NO_PAWN, {(uint8_t)points}};
    return action;
}

/* An initiate steps to a field, and uncovers `target` from there unless that is GRAL_NO_PAWN. */
inline gral_action gral_step(unsigned pawn, unsigned field, unsigned target)
{
    const gral_action action = {GRAL_STEP, (uint8_t)pawn, (uint8_t)target, {(uint8_t)field}};
    return action;
}

/* An initiate uncovers another from where he stands. */
inline gral_action gral_uncover(unsigned pawn, unsigned target)
{
    const gral_action action = {GRAL_UNCOVER, (uint8_t)pawn, (uint8_t)target, {0}};
    return action;
}

/* An objection with so many points. */
inline gral_action gral_object(unsigned points)
{
    const gral_action action = {GRAL_OBJECT, GRAL_NO_PAWN, GRAL_NO_PAWN, {(uint8_t)points}};
    return action;
}

/* The answer to an objection: so many points in all. */
inline gral_action gral_claim(unsigned points)
{
    const gral_action action = {GRAL_CLAIM, GRAL_NO_PAWN, GRAL_NO_PAWN, {(uint8_t)points}};
    return action;
}

/* Whether both say the same. */
inline bool gral_same_action(gral_action a, gral_action b)
{
    return a.verb == b.verb && a.pawn == b.pawn && a.target == b.target && a.points == b.points;
}

#ifdef __cplusplus
}
#endif

#endif
