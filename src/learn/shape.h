/* The shape of the net: what gral-learn trains in floating point and the player that has learned uses in whole numbers.
 *
 *     pair (another player, an initiate) -> 16, mean and maximum over the players, beside
 *     initiate                           -> 64, sum and maximum over the initiates, beside
 *     another player                     -> 32, mean and maximum, and the table
 *     trunk                              -> 128 -> 128
 *     per initiate, with the trunk       -> 64 -> six units, everything, four directions, two vectors whose product
 *                                                 says who uncovers whom
 *     of the trunk                       -> words, figures, value
 *     pair, initiate, player, trunk      -> 32 -> what the player holds there; without the initiate, his reserve */
#ifndef GRAL_LEARN_SHAPE_H
#define GRAL_LEARN_SHAPE_H

#include "gral/env.h"

enum {
    NET_SECRET_SIGHTS = 3, /* of a pair, for a critic */
    NET_PAIR_IN = 24,
    NET_PAIR = 16,
    NET_PAWN_IN = GRAL_PAWN_SIGHTS + 2 * NET_PAIR,
    NET_PAWN = 64,
    NET_OTHER_IN = 24,
    NET_OTHER = 32,
    NET_TRUNK_IN = GRAL_TABLE_SIGHTS + 2 * NET_PAWN + 2 * NET_OTHER,
    NET_TRUNK = 128,
    NET_HEAD = 64,
    NET_BELIEF = 32,
    NET_STEPS_OF_INFLUENCE = 16,
};

/* Where things are in the outputs for an initiate and for the table. */
enum { NET_OUT_UNIT = 0, NET_OUT_ALL = 6, NET_OUT_STEP = 7, NET_OUT_QUERY = 16, NET_OUT_KEY = 32, NET_PAWN_OUT = 48 };
enum { NET_VECTOR = NET_OUT_KEY - NET_OUT_QUERY };
enum { NET_OUT_WORD = 0, NET_OUT_FIGURE = 7, NET_OUT_VALUE = 22, NET_TABLE_OUT = 32 };

enum net_layer_name {
    NET_LAYER_PAIR,
    NET_LAYER_PAWN,
    NET_LAYER_OTHER,
    NET_LAYER_TRUNK,
    NET_LAYER_TRUNK_2,
    NET_LAYER_HEAD_PAWN,
    NET_LAYER_HEAD_TRUNK,
    NET_LAYER_PAWN_OUT,
    NET_LAYER_TABLE_OUT,
    NET_LAYER_BELIEF_PAIR,
    NET_LAYER_BELIEF_PAWN,
    NET_LAYER_BELIEF_OTHER,
    NET_LAYER_BELIEF_TRUNK,
    NET_LAYER_BELIEF_OUT,
    NET_LAYER_RESERVE_OTHER,
    NET_LAYER_RESERVE_TRUNK,
    NET_LAYER_RESERVE_OUT,
    NET_LAYERS
};

/* A layer's weights are in × out, then a bias for each output. */
typedef struct net_layer {
    const char *name;
    uint16_t in, out;
    uint32_t at; /* in the weights of a net */
    bool last;   /* nothing is rectified after it: begins near zero */
} net_layer;
extern const net_layer net_layer_of[NET_LAYERS];

enum { NET_WEIGHTS = 91040 };

/* The least points of each step of influence, or of a reserve; the step that so many points are on. */
extern const uint8_t net_step_from[NET_STEPS_OF_INFLUENCE];
unsigned net_step_of(unsigned points);

#endif
