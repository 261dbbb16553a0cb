/* The net that has learned, in whole numbers: the same on every machine, to the bit. Values are in 256ths. */
#ifndef GRAL_PLAYERS_NET_H
#define GRAL_PLAYERS_NET_H

#include "learn/shape.h"

enum { NET_ONE = 256, NET_VALUE_MAX = 32 * NET_ONE - 1 };

/* Inside the bytes it was read from. Inputs two by two; for each two all outputs, with a weight for either. */
typedef struct net_whole_layer {
    const int16_t *weight;
    const int32_t *bias;
    int32_t shift; /* weights are in 2^-shift */
} net_whole_layer;

typedef struct net_whole {
    net_whole_layer layer[NET_LAYERS];
} net_whole;

/* How many bytes a net takes: a mark, and for each layer its shift, biases and weights. */
enum { NET_MARK_BYTES = 8 };
extern const char net_mark[NET_MARK_BYTES];
size_t net_whole_size(void);

/* The bytes must be aligned to four and stay. False if they are no net of this shape. */
bool net_whole_read(net_whole *net, const void *bytes, size_t size);

/* What it thinks of an observation. */
typedef struct net_thoughts {
    int32_t pawn[GRAL_PAWNS][NET_PAWN_OUT];
    int32_t table[NET_TABLE_OUT];
    int32_t belief[GRAL_PLAYERS_MAX - 1][GRAL_PAWNS][NET_STEPS_OF_INFLUENCE];
    int32_t reserve[GRAL_PLAYERS_MAX - 1][NET_STEPS_OF_INFLUENCE];
} net_thoughts;

/* Beliefs only where they are asked for. */
void net_think(const net_whole *net, const gral_observation *observation, bool beliefs, net_thoughts *thoughts);

/* How much it wants to play a number, before it is made a chance. */
int32_t net_wish(const net_thoughts *thoughts, unsigned number);

/* The net that is in the program, and its bytes. */
extern const uint8_t net_learned_bytes[];
extern const size_t net_learned_size;
void net_learned(net_whole *net);

#endif
