/* The net as it is trained. A critic is a net of the same shape that is also shown what others hide (net_secrets); of
 * it only the value is used, and only in training. */
#ifndef GRAL_LEARN_NET_H
#define GRAL_LEARN_NET_H

#include "shape.h"

typedef struct net {
    float weight[NET_WEIGHTS];
} net;

void net_begin(net *weights, gral_random *random);

/* What the other players hide, for critics and as the truth for beliefs. Rows as in an observation. */
typedef struct net_secrets {
    uint8_t influence[GRAL_PLAYERS_MAX - 1][GRAL_PAWNS];
    uint8_t reserve[GRAL_PLAYERS_MAX - 1];
} net_secrets;

net_secrets net_secrets_of(const gral_state *state, unsigned seat);

/* Work space for some observations at once: everything on the way, forth and back. */
enum { NET_BATCH_MAX = 128 }; /* more would not fit into a processor's memory of its own */
typedef struct net_batch net_batch;
net_batch *net_batch_make(void);
void net_batch_free(net_batch *batch);

/* What to look at. */
typedef struct net_input {
    const gral_observation *observation;
    const net_secrets *secrets; /* NULL for anybody but a critic */
} net_input;

enum net_parts { NET_VALUE_ONLY, NET_POLICY, NET_POLICY_AND_BELIEF };

/* Forth. Outputs stay in the batch until the next time. */
void net_forward(const net *weights, net_batch *batch, const net_input *input, size_t count, enum net_parts parts);

/* Back: the caller has filled the gradients of all outputs that he asked for; those of the weights are added to
 * `gradient`. */
void net_backward(const net *weights, net_batch *batch, net *gradient);

/* Outputs and their gradients. Of pairs, in the order of observations, players, initiates. */
typedef struct net_rows {
    float (*pawn)[GRAL_PAWNS][NET_PAWN_OUT];
    float (*table)[NET_TABLE_OUT];
    float (*belief)[GRAL_PAWNS][NET_STEPS_OF_INFLUENCE]; /* from net_other_row on */
    float (*reserve)[NET_STEPS_OF_INFLUENCE];
} net_rows;

net_rows net_outputs(net_batch *batch);
net_rows net_gradients(net_batch *batch);

/* The first row of an observation's other players. */
size_t net_other_row(const net_batch *batch, size_t index);

#endif
