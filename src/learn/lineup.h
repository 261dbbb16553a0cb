/* Who sits where in a game of the arena and how it begins, drawn anew for each. */
#ifndef GRAL_LEARN_LINEUP_H
#define GRAL_LEARN_LINEUP_H

#include "arena.h"
#include "trial.h"

#include "players/scripts.h"

enum { NO_MOMENT = UINT32_MAX, FULL_HUNGER = 100 };

/* Those who do not learn: the lowest rungs of the ladder, then families of scripts. */
enum { LADDER = 5, RIVALS = LADDER + SCRIPT_FAMILIES, NO_RIVAL = RIVALS, TABLE_SIZES = 3 };

/* Who sits on a seat. */
typedef struct sitter {
    gral_player *script; /* NULL: a net */
    uint8_t net;
    bool learns;
    uint32_t last; /* its newest moment in the book, or NO_MOMENT */
} sitter;

typedef struct slot {
    gral_ground ground;
    gral_record record; /* for scripts that listen */
    gral_random chance;
    sitter sitter[GRAL_PLAYERS_MAX];
    gral_player *guest[GRAL_PLAYERS_MAX]; /* scripts of this game alone; or NULL */
    gral_player *guide[GRAL_PLAYERS_MAX]; /* scripts that say what a learner should try; or NULL */
    uint32_t guided_until;                /* the last turn of that */
    uint8_t company, opponent;
    uint8_t rival;                     /* what all its guests are, or NO_RIVAL */
    uint8_t wild;                      /* so many decisions of nets are still left to chance */
    uint16_t bold;                     /* bit k: seat k tries things out */
    trial_plan plan[GRAL_PLAYERS_MAX]; /* how a seat fills its sheet now */
    float coolness;                    /* of older selves: some are not quite themselves */
    bool over;                         /* when measuring: its only game has been played */
} slot;

/* The rungs, and how much is lost against each rival: what is hard comes up more often. */
typedef struct lineup {
    gral_player *ladder[LADDER];
    float lost[TABLE_SIZES][RIVALS];
} lineup;

bool lineup_make(lineup *lineup); /* false without memory; to be freed in any case */
void lineup_free(lineup *lineup);
void lineup_forget(lineup *lineup); /* what was hard */
void lineup_remember(lineup *lineup, const slot *slot, gral_ending ending);

gral_settings lineup_settings(unsigned slot); /* of a slot by its number: always the same */
sitter lineup_learner(void);
void lineup_send_home(slot *slot); /* who was there for one game alone */

/* Players, wishes and the beginning of the slot's next game. */
void lineup_next(lineup *lineup, slot *slot, const arena_plan *plan, const arena_nets *nets);

#endif
