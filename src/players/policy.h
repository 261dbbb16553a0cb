/* A quick hand at the game: what a sensible player would do who looks at the board, at what has been shown and at his
 * own sheet, and at nothing else. It plays the `rules` player's moves, proposes what the thinking players look into,
 * and plays on for everybody in their simulations. */
#ifndef GRAL_PLAYERS_POLICY_H
#define GRAL_PLAYERS_POLICY_H

#include "gral/state.h"

/* What shifts the choice. */
typedef struct policy_traits {
    float warmth;  /* how far from the best action a choice may fall; 0 never */
    float reserve; /* points held back in the opening; 1 is middling */
} policy_traits;

extern const policy_traits policy_middling;

/* What a player expects the others to hold, where he has a better idea than what was shown. */
typedef struct policy_hunch {
    uint8_t expected[GRAL_PLAYERS_MAX][GRAL_PAWNS];
} policy_hunch;

/* What a seat makes of a position: for each initiate the chance, in its eyes, of holding the most on him. */
typedef struct policy_gaze {
    const gral_game *game;
    unsigned seat;
    float lead[GRAL_PAWNS];
} policy_gaze;

/* `hunch` may be NULL, here and below: then the others are taken to hold what they have shown and a fair share of what
 * they have not. */
policy_gaze policy_look(const gral_game *game, const gral_open *open, const gral_sheet *sheet, unsigned seat,
                        const policy_hunch *hunch);

/* How the position looks to the seat: from -1.5 for lost to 1.5 for won. */
float policy_value(const policy_gaze *gaze, const gral_open *open);

/* One action and what it seems to be worth to the actor, 0 for leaving things as they are. */
typedef struct policy_bid {
    gral_action action;
    float value;
} policy_bid;

enum { POLICY_BIDS_MAX = 96 };

/* All that the actor may sensibly do: every proposal and the announcement in a turn, the
 * cheapest figures in a dispute, every choice about the grail, units on each initiate. Returns their number. */
unsigned policy_weigh(const gral_game *game, const gral_open *open, const gral_sheet *sheet,
                      const policy_traits *traits, const policy_hunch *hunch, policy_bid bids[POLICY_BIDS_MAX]);

/* How likely somebody with this sheet is to do that here: a guess for reading others by what they do. */
float policy_propensity(const gral_game *game, const gral_open *open, const gral_sheet *sheet, gral_action action);

/* What the actor does; `sheet` is his own. Always legal. */
gral_action policy_act(const gral_game *game, const gral_open *open, const gral_sheet *sheet,
                       const policy_traits *traits, const policy_hunch *hunch, gral_random *random);

#endif
