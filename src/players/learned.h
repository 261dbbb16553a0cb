/* The net that has learned, in whole numbers: the same on every machine, to the bit. Values are in 256ths. */
#ifndef GRAL_PLAYERS_LEARNED_H
#define GRAL_PLAYERS_LEARNED_H

#include "learn/shape.h"

enum { LEARNED_ONE = 256, LEARNED_VALUE_MAX = 32 * LEARNED_ONE - 1 };

/* Inside the bytes it was read from. Inputs two by two; for each two all outputs, with a weight for either. */
typedef struct learned_layer {
    const int16_t *weight;
    const int32_t *bias;
    int32_t shift; /* weights are in 2^-shift */
} learned_layer;

typedef struct learned_net {
    learned_layer layer[NET_LAYERS];
} learned_net;

/* How many bytes a net takes: a mark, and for each layer its shift, biases and weights. */
enum { LEARNED_MARK_BYTES = 8 };
extern const char learned_mark[LEARNED_MARK_BYTES];
size_t learned_size(void);

/* The bytes must be aligned to four and stay. False if they are no net of this shape. */
bool learned_read(learned_net *net, const void *bytes, size_t size);

/* What it thinks of an observation. */
typedef struct learned_thoughts {
    int32_t pawn[GRAL_PAWNS][NET_PAWN_OUT];
    int32_t table[NET_TABLE_OUT];
    int32_t belief[GRAL_PLAYERS_MAX - 1][GRAL_PAWNS][NET_STEPS_OF_INFLUENCE];
    int32_t reserve[GRAL_PLAYERS_MAX - 1][NET_STEPS_OF_INFLUENCE];
} learned_thoughts;

/* Beliefs only where they are asked for. */
void learned_think(const learned_net *net, const gral_observation *observation, bool beliefs,
                   learned_thoughts *thoughts);

/* How much it wants to play a number, before it is made a chance. */
int32_t learned_wish(const learned_thoughts *thoughts, unsigned number);

/* The net that is in the program, and its bytes. */
extern const uint8_t learned_inside_bytes[];
extern const size_t learned_inside_size;
void learned_inside(learned_net *net);

/* A program for a browser has room for a net instead, of learned_size() bytes, NULL without memory: whoever starts to
 * think brings it there first. A table can be seen without it, and it is larger than all else that needs. */
void *learned_room(void);

#endif
