/* What the script players look at before they act, and the few things that they all know how to want. */
#ifndef GRAL_PLAYERS_SCRIPT_DESK_H
#define GRAL_PLAYERS_SCRIPT_DESK_H

#include "kinds.h"

typedef struct desk {
    const gral_game *game;
    const gral_open *open;
    const gral_sheet *sheet; /* its own */
    const gral_options *options;
    const gral_question *question;
    const uint8_t *trait;
    gral_random *random;
    unsigned seat;
} desk;

/* A total that the script wants to hold on an initiate now; nobody, for none. */
typedef struct wish {
    uint8_t pawn, total;
} wish;

/* Somebody to be led somewhere; nobody, for none. */
typedef struct aim {
    uint8_t pawn, field;
} aim;

static const wish desk_no_wish = {GRAL_NO_PAWN, 0};
static const aim desk_no_aim = {GRAL_NO_PAWN, GRAL_NOWHERE};

enum spend { SPEND_ALL = 1, SPEND_ENOUGH };

bool desk_is_ours(const desk *desk, unsigned pawn);

/* Whether he carries it or stands where it lies free. Nobody may be asked about too. */
bool desk_has_grail(const desk *desk, unsigned pawn);

/* Where he would win with it. */
unsigned desk_goal_of(const desk *desk, unsigned pawn);

/* How many steps he has before him until then. */
unsigned desk_way_to_go(const desk *desk, unsigned pawn);

/* Whether our influence seems to be the most, and there is any. */
bool desk_leads(const desk *desk, unsigned pawn);

/* Whether the game, ended by this initiate on this field, is taken to be won. */
bool desk_would_win(const desk *desk, unsigned pawn, unsigned field);

/* Who has the grail at most so many steps from where it wins, the nearest if several stand where it lies; or nobody. */
unsigned desk_nearly_home(const desk *desk, unsigned steps);

/* The initiate on the board with our largest sum but for `before` of them, or nobody; those without any do not count.
 */
unsigned desk_ranked(const desk *desk, unsigned before);

/* The first of these totals, largest first, that is not reached yet. A player keeps nothing between two questions, so
 * his sheet must tell him which initiates he has chosen. */
wish desk_wish_in_order(const desk *desk, const uint8_t *totals, unsigned count);

/* To the grail, and home with it; nobody may be led too. */
aim desk_home_with(const desk *desk, unsigned pawn);

/* About the proposal that is disputed. */
bool desk_proposal_wins_for_another(const desk *desk);
bool desk_is_led_astray(const desk *desk, unsigned pawn);

/* To outbid everybody on an initiate, with all or with what seems to be enough; nobody may be meant. */
wish desk_pounce(const desk *desk, unsigned pawn);

/* What everybody with points left does who sees the end coming: he outbids the others on the bearer at the door. */
wish desk_last_defence(const desk *desk);
bool desk_at_the_door(const desk *desk);

#endif
