#include "net.h"

#include "kernel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OTHERS_MAX = GRAL_PLAYERS_MAX - 1, SUM_PART = 4 };

static float random_unit(gral_random *random)
{
    return (float)(gral_random_next(random) >> 40) * (1.0f / 16777216.0f);
}

/* Uniform with the variance that keeps rectified sums as large as they were. */
void net_begin(net *weights, gral_random *random)
{
    memset(weights, 0, sizeof *weights);
    for (unsigned name = 0; name < NET_LAYERS; name++) {
        const net_layer *layer = &net_layer_of[name];
        const float reach = (layer->last ? 0.2f : 1.0f) * sqrtf(6.0f / layer->in);
        for (unsigned index = 0; index < (unsigned)layer->in * layer->out; index++)
            weights->weight[layer->at + index] = reach * (2 * random_unit(random) - 1);
    }
}

/* --- the truth --- */

net_secrets net_secrets_of(const gral_state *state, unsigned seat)
{
    net_secrets secrets = {0};
    const unsigned players = state->open.players;
    for (unsigned index = 0; index + 1 < players; index++) {
        const gral_sheet *sheet = &state->sheet[(seat + 1 + index) % players];
        memcpy(secrets.influence[index], sheet->influence, GRAL_PAWNS);
        secrets.reserve[index] = (uint8_t)gral_units_worth(sheet->units);
    }
    return secrets;
}

/* --- the work space --- */

/* Values, and gradients beside them. */
typedef struct rows {
    float *value, *slope;
} rows;

struct net_batch {
    size_t count, others;            /* observations, and rows of other players; eight times as many pairs */
    size_t other_row[NET_BATCH_MAX]; /* of each observation */
    uint8_t others_of[NET_BATCH_MAX];
    enum net_parts parts;
    rows pair_in, pair, pawn_in, pawn, other_in, other, trunk_in, trunk, trunk_2, head, head_trunk, pawn_out, table_out;
    rows belief, belief_pawn, belief_other, belief_trunk, belief_out, reserve, reserve_trunk, reserve_out;
    float *turned; /* a layer's weights, transposed */
    float *memory;
};

enum { PAIRS_MAX = NET_BATCH_MAX * OTHERS_MAX * GRAL_PAWNS, PAWNS_MAX = NET_BATCH_MAX * GRAL_PAWNS };

/* Lays out the rows in the memory that begins at `memory`, or only counts if that is NULL; returns how much it takes.
 */
static size_t lay_out(net_batch *batch, float *memory)
{
    const struct {
        rows *rows;
        size_t count, width;
    } all[] = {
        {&batch->pair_in, PAIRS_MAX, NET_PAIR_IN},
        {&batch->pair, PAIRS_MAX, NET_PAIR},
        {&batch->pawn_in, PAWNS_MAX, NET_PAWN_IN},
        {&batch->pawn, PAWNS_MAX, NET_PAWN},
        {&batch->other_in, NET_BATCH_MAX * OTHERS_MAX, NET_OTHER_IN},
        {&batch->other, NET_BATCH_MAX * OTHERS_MAX, NET_OTHER},
        {&batch->trunk_in, NET_BATCH_MAX, NET_TRUNK_IN},
        {&batch->trunk, NET_BATCH_MAX, NET_TRUNK},
        {&batch->trunk_2, NET_BATCH_MAX, NET_TRUNK},
        {&batch->head, PAWNS_MAX, NET_HEAD},
        {&batch->head_trunk, NET_BATCH_MAX, NET_HEAD},
        {&batch->pawn_out, PAWNS_MAX, NET_PAWN_OUT},
        {&batch->table_out, NET_BATCH_MAX, NET_TABLE_OUT},
        {&batch->belief, PAIRS_MAX, NET_BELIEF},
        {&batch->belief_pawn, PAWNS_MAX, NET_BELIEF},
        {&batch->belief_other, NET_BATCH_MAX * OTHERS_MAX, NET_BELIEF},
        {&batch->belief_trunk, NET_BATCH_MAX, NET_BELIEF},
        {&batch->belief_out, PAIRS_MAX, NET_STEPS_OF_INFLUENCE},
        {&batch->reserve, NET_BATCH_MAX * OTHERS_MAX, NET_BELIEF},
        {&batch->reserve_trunk, NET_BATCH_MAX, NET_BELIEF},
        {&batch->reserve_out, NET_BATCH_MAX * OTHERS_MAX, NET_STEPS_OF_INFLUENCE},
    };
    size_t at = 0;
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
        const size_t size = all[index].count * all[index].width;
        if (memory != NULL)
            *all[index].rows = (rows){memory + at, memory + at + size};
        at += 2 * size;
    }
    if (memory != NULL)
        batch->turned = memory + at;
    return at + NET_WEIGHTS;
}

net_batch *net_batch_make(void)
{
    net_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return NULL;
    batch->memory = calloc(lay_out(batch, NULL), sizeof *batch->memory);
    if (batch->memory == NULL) {
        free(batch);
        return NULL;
    }
    lay_out(batch, batch->memory);
    return batch;
}

void net_batch_free(net_batch *batch)
{
    if (batch != NULL)
        free(batch->memory);
    free(batch);
}

size_t net_other_row(const net_batch *batch, size_t index)
{
    return batch->other_row[index];
}

net_rows net_outputs(net_batch *batch)
{
    return (net_rows){(void *)batch->pawn_out.value, (void *)batch->table_out.value, (void *)batch->belief_out.value,
                      (void *)batch->reserve_out.value};
}

net_rows net_gradients(net_batch *batch)
{
    return (net_rows){(void *)batch->pawn_out.slope, (void *)batch->table_out.slope, (void *)batch->belief_out.slope,
                      (void *)batch->reserve_out.slope};
}

/* --- input --- */

KERNEL_FOR_EACH_PROCESSOR
static void widen(float *to, const int8_t *from, size_t count)
{
    for (size_t index = 0; index < count; index++)
        to[index] = 0.01f * from[index];
}

static void read_pairs(net_batch *batch, size_t index, const net_input *input)
{
    const gral_observation *observation = input->observation;
    for (unsigned other = 0; other < observation->others; other++)
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            float *row = batch->pair_in.value + ((batch->other_row[index] + other) * GRAL_PAWNS + pawn) * NET_PAIR_IN;
            memset(row, 0, NET_PAIR_IN * sizeof *row);
            widen(row, observation->pair[other][pawn], GRAL_PAIR_SIGHTS);
            if (input->secrets == NULL)
                continue;
            const int his = input->secrets->influence[other][pawn];
            const int mine = observation->pawn[pawn][GRAL_SEES_MINE];
            row[GRAL_PAIR_SIGHTS] = 0.01f * (float)his;
            row[GRAL_PAIR_SIGHTS + 1] = his >= GRAL_UNCOVER_PRICE;
            row[GRAL_PAIR_SIGHTS + 2] = mine > his ? 1 : mine == his ? 0 : -1;
        }
}
static_assert((int)GRAL_PAIR_SIGHTS + (int)NET_SECRET_SIGHTS <= (int)NET_PAIR_IN, "room for secrets");
static_assert((int)GRAL_OTHER_SIGHTS + 1 <= (int)NET_OTHER_IN, "room for a reserve");

static void read_others(net_batch *batch, size_t index, const net_input *input)
{
    for (unsigned other = 0; other < input->observation->others; other++) {
        float *row = batch->other_in.value + (batch->other_row[index] + other) * NET_OTHER_IN;
        memset(row, 0, NET_OTHER_IN * sizeof *row);
        widen(row, input->observation->other[other], GRAL_OTHER_SIGHTS);
        if (input->secrets != NULL)
            row[GRAL_OTHER_SIGHTS] = 0.01f * (float)input->secrets->reserve[other];
    }
}

static void read_input(net_batch *batch, const net_input *input, size_t count)
{
    assert(count <= NET_BATCH_MAX);
    batch->count = count;
    batch->others = 0;
    for (size_t index = 0; index < count; index++) {
        const gral_observation *observation = input[index].observation;
        batch->other_row[index] = batch->others;
        batch->others_of[index] = observation->others;
        batch->others += observation->others;
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            widen(batch->pawn_in.value + (index * GRAL_PAWNS + pawn) * NET_PAWN_IN, observation->pawn[pawn],
                  GRAL_PAWN_SIGHTS);
        widen(batch->trunk_in.value + index * NET_TRUNK_IN, observation->table, GRAL_TABLE_SIGHTS);
        read_pairs(batch, index, &input[index]);
        read_others(batch, index, &input[index]);
    }
}

/* --- dense layers --- */

enum after { LINEAR, RECTIFIED };

KERNEL_FOR_EACH_PROCESSOR
static void add_bias(float *to, size_t count, const float *bias, size_t width)
{
    for (size_t index = 0; index < count; index++)
        for (size_t column = 0; column < width; column++)
            to[index * width + column] += bias[column];
}

KERNEL_FOR_EACH_PROCESSOR
static void add_bias_and_rectify(float *to, size_t count, const float *bias, size_t width)
{
    for (size_t index = 0; index < count; index++)
        for (size_t column = 0; column < width; column++) {
            const float sum = to[index * width + column] + bias[column];
            to[index * width + column] = sum > 0 ? sum : 0;
        }
}

KERNEL_FOR_EACH_PROCESSOR
static void add_rows(float *to, const float *rows, size_t count, size_t width)
{
    for (size_t index = 0; index < count; index++)
        for (size_t column = 0; column < width; column++)
            to[column] += rows[index * width + column];
}

/* value = in · weights + bias */
static void dense(const net *weights, enum net_layer_name name, const float *in, float *out, size_t rows,
                  enum after after)
{
    const net_layer *layer = &net_layer_of[name];
    const float *weight = weights->weight + layer->at, *bias = weight + (size_t)layer->in * layer->out;
    kernel_multiply(out, layer->out, (kernel_left){in, layer->in, 1}, weight, layer->out, rows, layer->in, layer->out,
                    false);
    (after == RECTIFIED ? add_bias_and_rectify : add_bias)(out, rows, bias, layer->out);
}

KERNEL_FOR_EACH_PROCESSOR
static void rectify(float *value, size_t count)
{
    for (size_t index = 0; index < count; index++)
        value[index] = value[index] > 0 ? value[index] : 0;
}

KERNEL_FOR_EACH_PROCESSOR
static void rectify_back(const float *value, float *slope, size_t count)
{
    for (size_t index = 0; index < count; index++)
        slope[index] = value[index] > 0 ? slope[index] : 0;
}

KERNEL_FOR_EACH_PROCESSOR
static void turn(const float *weight, size_t in, size_t out, float *turned)
{
    for (size_t i = 0; i < in; i++)
        for (size_t o = 0; o < out; o++)
            turned[o * in + i] = weight[i * out + o];
}

/* From the slope of the output those of weights and bias, and of the input's columns from `from` on (where there are
 * any worth having); the latter added to what is there, or not. */
typedef struct wanted {
    float *slope;
    size_t from;
    bool add;
} wanted;

static void dense_back(const net *weights, net *gradient, net_batch *batch, enum net_layer_name name, const float *in,
                       const float *slope, size_t rows, wanted wanted)
{
    const net_layer *layer = &net_layer_of[name];
    const size_t width = layer->in, out = layer->out;
    float *weight = gradient->weight + layer->at, *bias = weight + width * out;
    kernel_multiply(weight, out, (kernel_left){in, 1, width}, slope, out, width, rows, out, true);
    add_rows(bias, slope, rows, out);
    if (wanted.slope == NULL)
        return;
    turn(weights->weight + layer->at, width, out, batch->turned);
    kernel_multiply(wanted.slope + wanted.from, width, (kernel_left){slope, out, 1}, batch->turned + wanted.from, width,
                    rows, out, width - wanted.from, wanted.add);
}

/* --- pooling --- */

/* `count` rows, `stride` apart, become their sum times `part` and their maximum, one after the other. */
KERNEL_FOR_EACH_PROCESSOR
static void pool(const float *restrict row, size_t count, size_t stride, size_t width, float part,
                 float *restrict pooled)
{
    for (size_t column = 0; column < width; column++) {
        pooled[column] = 0;
        pooled[width + column] = row[column];
    }
    for (size_t index = 0; index < count; index++)
        for (size_t column = 0; column < width; column++) {
            const float value = row[index * stride + column];
            pooled[column] += part * value;
            pooled[width + column] = value > pooled[width + column] ? value : pooled[width + column];
        }
}

/* The slopes are added. A maximum taken by several is the first one's. */
KERNEL_FOR_EACH_PROCESSOR
static void pool_back(const float *restrict row, float *restrict slope, size_t count, size_t stride, size_t width,
                      float part, const float *restrict pooled, const float *restrict pooled_slope)
{
    float left[NET_PAWN]; /* of the maximum's slope, to be given away */
    memcpy(left, pooled_slope + width, width * sizeof *left);
    for (size_t index = 0; index < count; index++) {
        const float *restrict here = row + index * stride;
        float *restrict to = slope + index * stride;
        for (size_t column = 0; column < width; column++) {
            const float given = here[column] == pooled[width + column] ? left[column] : 0.0f;
            to[column] += part * pooled_slope[column] + given;
            left[column] -= given;
        }
    }
}

/* The places of an observation's rows. */
typedef struct places {
    size_t others;
    float part; /* of a mean */
    size_t pair, pawn, other;
    size_t pawn_pool, other_pool; /* in the input of the trunk */
} places;

static places places_of(const net_batch *batch, size_t index)
{
    const size_t row = batch->other_row[index];
    return (places){
        .others = batch->others_of[index],
        .part = 1.0f / batch->others_of[index],
        .pair = row * GRAL_PAWNS * NET_PAIR,
        .pawn = index * GRAL_PAWNS,
        .other = row * NET_OTHER,
        .pawn_pool = index * NET_TRUNK_IN + GRAL_TABLE_SIGHTS,
        .other_pool = index * NET_TRUNK_IN + GRAL_TABLE_SIGHTS + 2 * NET_PAWN,
    };
}

static void pool_pairs(net_batch *batch, size_t index)
{
    const places at = places_of(batch, index);
    for (size_t pawn = 0; pawn < GRAL_PAWNS; pawn++)
        pool(batch->pair.value + at.pair + pawn * NET_PAIR, at.others, GRAL_PAWNS * NET_PAIR, NET_PAIR, at.part,
             batch->pawn_in.value + (at.pawn + pawn) * NET_PAWN_IN + GRAL_PAWN_SIGHTS);
}

static void pool_pairs_back(net_batch *batch, size_t index)
{
    const places at = places_of(batch, index);
    for (size_t pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const size_t pair = at.pair + pawn * NET_PAIR;
        const size_t pooled = (at.pawn + pawn) * NET_PAWN_IN + GRAL_PAWN_SIGHTS;
        pool_back(batch->pair.value + pair, batch->pair.slope + pair, at.others, GRAL_PAWNS * NET_PAIR, NET_PAIR,
                  at.part, batch->pawn_in.value + pooled, batch->pawn_in.slope + pooled);
    }
}

static void pool_rest(net_batch *batch, size_t index)
{
    const places at = places_of(batch, index);
    float *trunk = batch->trunk_in.value;
    pool(batch->pawn.value + at.pawn * NET_PAWN, GRAL_PAWNS, NET_PAWN, NET_PAWN, 1.0f / SUM_PART, trunk + at.pawn_pool);
    pool(batch->other.value + at.other, at.others, NET_OTHER, NET_OTHER, at.part, trunk + at.other_pool);
}

static void pool_rest_back(net_batch *batch, size_t index)
{
    const places at = places_of(batch, index);
    const float *trunk = batch->trunk_in.value, *slope = batch->trunk_in.slope;
    pool_back(batch->pawn.value + at.pawn * NET_PAWN, batch->pawn.slope + at.pawn * NET_PAWN, GRAL_PAWNS, NET_PAWN,
              NET_PAWN, 1.0f / SUM_PART, trunk + at.pawn_pool, slope + at.pawn_pool);
    pool_back(batch->other.value + at.other, batch->other.slope + at.other, at.others, NET_OTHER, NET_OTHER, at.part,
              trunk + at.other_pool, slope + at.other_pool);
}

/* Every one of `count` rows more by this one. */
KERNEL_FOR_EACH_PROCESSOR
static void spread(float *to, size_t count, size_t stride, const float *from, size_t width)
{
    for (size_t index = 0; index < count; index++)
        for (size_t column = 0; column < width; column++)
            to[index * stride + column] += from[column];
}

KERNEL_FOR_EACH_PROCESSOR
static void spread_back(const float *slope, size_t count, size_t stride, float *to, size_t width)
{
    memset(to, 0, width * sizeof *to);
    for (size_t index = 0; index < count; index++)
        for (size_t column = 0; column < width; column++)
            to[column] += slope[index * stride + column];
}

/* --- forth --- */

static void forward_heads(const net *weights, net_batch *batch)
{
    const size_t count = batch->count, pawns = count * GRAL_PAWNS;
    dense(weights, NET_LAYER_HEAD_TRUNK, batch->trunk_2.value, batch->head_trunk.value, count, LINEAR);
    dense(weights, NET_LAYER_HEAD_PAWN, batch->pawn.value, batch->head.value, pawns, LINEAR);
    for (size_t index = 0; index < count; index++)
        spread(batch->head.value + index * GRAL_PAWNS * NET_HEAD, GRAL_PAWNS, NET_HEAD,
               batch->head_trunk.value + index * NET_HEAD, NET_HEAD);
    rectify(batch->head.value, pawns * NET_HEAD);
    dense(weights, NET_LAYER_PAWN_OUT, batch->head.value, batch->pawn_out.value, pawns, LINEAR);
}

static void forward_beliefs(const net *weights, net_batch *batch)
{
    const size_t count = batch->count, pairs = batch->others * GRAL_PAWNS;
    dense(weights, NET_LAYER_BELIEF_TRUNK, batch->trunk_2.value, batch->belief_trunk.value, count, LINEAR);
    dense(weights, NET_LAYER_BELIEF_PAWN, batch->pawn.value, batch->belief_pawn.value, count * GRAL_PAWNS, LINEAR);
    dense(weights, NET_LAYER_BELIEF_OTHER, batch->other.value, batch->belief_other.value, batch->others, LINEAR);
    dense(weights, NET_LAYER_BELIEF_PAIR, batch->pair.value, batch->belief.value, pairs, LINEAR);
    dense(weights, NET_LAYER_RESERVE_TRUNK, batch->trunk_2.value, batch->reserve_trunk.value, count, LINEAR);
    dense(weights, NET_LAYER_RESERVE_OTHER, batch->other.value, batch->reserve.value, batch->others, LINEAR);
    for (size_t index = 0; index < count; index++) {
        const size_t row = batch->other_row[index], others = batch->others_of[index];
        float *belief = batch->belief.value + row * GRAL_PAWNS * NET_BELIEF;
        spread(belief, others * GRAL_PAWNS, NET_BELIEF, batch->belief_trunk.value + index * NET_BELIEF, NET_BELIEF);
        for (size_t pawn = 0; pawn < GRAL_PAWNS; pawn++)
            spread(belief + pawn * NET_BELIEF, others, GRAL_PAWNS * NET_BELIEF,
                   batch->belief_pawn.value + (index * GRAL_PAWNS + pawn) * NET_BELIEF, NET_BELIEF);
        for (size_t other = 0; other < others; other++)
            spread(belief + other * GRAL_PAWNS * NET_BELIEF, GRAL_PAWNS, NET_BELIEF,
                   batch->belief_other.value + (row + other) * NET_BELIEF, NET_BELIEF);
        spread(batch->reserve.value + row * NET_BELIEF, others, NET_BELIEF,
               batch->reserve_trunk.value + index * NET_BELIEF, NET_BELIEF);
    }
    rectify(batch->belief.value, pairs * NET_BELIEF);
    rectify(batch->reserve.value, batch->others * NET_BELIEF);
    dense(weights, NET_LAYER_BELIEF_OUT, batch->belief.value, batch->belief_out.value, pairs, LINEAR);
    dense(weights, NET_LAYER_RESERVE_OUT, batch->reserve.value, batch->reserve_out.value, batch->others, LINEAR);
}

void net_forward(const net *weights, net_batch *batch, const net_input *input, size_t count, enum net_parts parts)
{
    read_input(batch, input, count);
    batch->parts = parts;
    const size_t pairs = batch->others * GRAL_PAWNS, pawns = count * GRAL_PAWNS;
    dense(weights, NET_LAYER_PAIR, batch->pair_in.value, batch->pair.value, pairs, RECTIFIED);
    for (size_t index = 0; index < count; index++)
        pool_pairs(batch, index);
    dense(weights, NET_LAYER_PAWN, batch->pawn_in.value, batch->pawn.value, pawns, RECTIFIED);
    dense(weights, NET_LAYER_OTHER, batch->other_in.value, batch->other.value, batch->others, RECTIFIED);
    for (size_t index = 0; index < count; index++)
        pool_rest(batch, index);
    dense(weights, NET_LAYER_TRUNK, batch->trunk_in.value, batch->trunk.value, count, RECTIFIED);
    dense(weights, NET_LAYER_TRUNK_2, batch->trunk.value, batch->trunk_2.value, count, RECTIFIED);
    dense(weights, NET_LAYER_TABLE_OUT, batch->trunk_2.value, batch->table_out.value, count, LINEAR);
    if (parts != NET_VALUE_ONLY)
        forward_heads(weights, batch);
    if (parts == NET_POLICY_AND_BELIEF)
        forward_beliefs(weights, batch);
}

/* --- back --- */

static void backward_heads(const net *weights, net_batch *batch, net *gradient)
{
    const size_t count = batch->count, pawns = count * GRAL_PAWNS;
    dense_back(weights, gradient, batch, NET_LAYER_PAWN_OUT, batch->head.value, batch->pawn_out.slope, pawns,
               (wanted){batch->head.slope, 0, false});
    rectify_back(batch->head.value, batch->head.slope, pawns * NET_HEAD);
    for (size_t index = 0; index < count; index++)
        spread_back(batch->head.slope + index * GRAL_PAWNS * NET_HEAD, GRAL_PAWNS, NET_HEAD,
                    batch->head_trunk.slope + index * NET_HEAD, NET_HEAD);
    dense_back(weights, gradient, batch, NET_LAYER_HEAD_PAWN, batch->pawn.value, batch->head.slope, pawns,
               (wanted){batch->pawn.slope, 0, true});
    dense_back(weights, gradient, batch, NET_LAYER_HEAD_TRUNK, batch->trunk_2.value, batch->head_trunk.slope, count,
               (wanted){batch->trunk_2.slope, 0, true});
}

static void backward_belief_rows(net_batch *batch, size_t index)
{
    const size_t row = batch->other_row[index], others = batch->others_of[index];
    const float *belief = batch->belief.slope + row * GRAL_PAWNS * NET_BELIEF;
    spread_back(belief, others * GRAL_PAWNS, NET_BELIEF, batch->belief_trunk.slope + index * NET_BELIEF, NET_BELIEF);
    for (size_t pawn = 0; pawn < GRAL_PAWNS; pawn++)
        spread_back(belief + pawn * NET_BELIEF, others, GRAL_PAWNS * NET_BELIEF,
                    batch->belief_pawn.slope + (index * GRAL_PAWNS + pawn) * NET_BELIEF, NET_BELIEF);
    for (size_t other = 0; other < others; other++)
        spread_back(belief + other * GRAL_PAWNS * NET_BELIEF, GRAL_PAWNS, NET_BELIEF,
                    batch->belief_other.slope + (row + other) * NET_BELIEF, NET_BELIEF);
    spread_back(batch->reserve.slope + row * NET_BELIEF, others, NET_BELIEF,
                batch->reserve_trunk.slope + index * NET_BELIEF, NET_BELIEF);
}

static void backward_beliefs(const net *weights, net_batch *batch, net *gradient)
{
    const size_t count = batch->count, pairs = batch->others * GRAL_PAWNS;
    dense_back(weights, gradient, batch, NET_LAYER_BELIEF_OUT, batch->belief.value, batch->belief_out.slope, pairs,
               (wanted){batch->belief.slope, 0, false});
    dense_back(weights, gradient, batch, NET_LAYER_RESERVE_OUT, batch->reserve.value, batch->reserve_out.slope,
               batch->others, (wanted){batch->reserve.slope, 0, false});
    rectify_back(batch->belief.value, batch->belief.slope, pairs * NET_BELIEF);
    rectify_back(batch->reserve.value, batch->reserve.slope, batch->others * NET_BELIEF);
    for (size_t index = 0; index < count; index++)
        backward_belief_rows(batch, index);
    dense_back(weights, gradient, batch, NET_LAYER_BELIEF_TRUNK, batch->trunk_2.value, batch->belief_trunk.slope, count,
               (wanted){batch->trunk_2.slope, 0, true});
    dense_back(weights, gradient, batch, NET_LAYER_BELIEF_PAWN, batch->pawn.value, batch->belief_pawn.slope,
               count * GRAL_PAWNS, (wanted){batch->pawn.slope, 0, true});
    dense_back(weights, gradient, batch, NET_LAYER_BELIEF_OTHER, batch->other.value, batch->belief_other.slope,
               batch->others, (wanted){batch->other.slope, 0, true});
    dense_back(weights, gradient, batch, NET_LAYER_BELIEF_PAIR, batch->pair.value, batch->belief.slope, pairs,
               (wanted){batch->pair.slope, 0, true});
    dense_back(weights, gradient, batch, NET_LAYER_RESERVE_TRUNK, batch->trunk_2.value, batch->reserve_trunk.slope,
               count, (wanted){batch->trunk_2.slope, 0, true});
    dense_back(weights, gradient, batch, NET_LAYER_RESERVE_OTHER, batch->other.value, batch->reserve.slope,
               batch->others, (wanted){batch->other.slope, 0, true});
}

static void clear_slopes(net_batch *batch)
{
    memset(batch->pair.slope, 0, batch->others * GRAL_PAWNS * NET_PAIR * sizeof(float));
    memset(batch->pawn.slope, 0, batch->count * GRAL_PAWNS * NET_PAWN * sizeof(float));
    memset(batch->other.slope, 0, batch->others * NET_OTHER * sizeof(float));
}

void net_backward(const net *weights, net_batch *batch, net *gradient)
{
    const size_t count = batch->count, pairs = batch->others * GRAL_PAWNS, pawns = count * GRAL_PAWNS;
    clear_slopes(batch);
    dense_back(weights, gradient, batch, NET_LAYER_TABLE_OUT, batch->trunk_2.value, batch->table_out.slope, count,
               (wanted){batch->trunk_2.slope, 0, false});
    if (batch->parts != NET_VALUE_ONLY)
        backward_heads(weights, batch, gradient);
    if (batch->parts == NET_POLICY_AND_BELIEF)
        backward_beliefs(weights, batch, gradient);
    rectify_back(batch->trunk_2.value, batch->trunk_2.slope, count * NET_TRUNK);
    dense_back(weights, gradient, batch, NET_LAYER_TRUNK_2, batch->trunk.value, batch->trunk_2.slope, count,
               (wanted){batch->trunk.slope, 0, false});
    rectify_back(batch->trunk.value, batch->trunk.slope, count * NET_TRUNK);
    dense_back(weights, gradient, batch, NET_LAYER_TRUNK, batch->trunk_in.value, batch->trunk.slope, count,
               (wanted){batch->trunk_in.slope, GRAL_TABLE_SIGHTS, false});
    for (size_t index = 0; index < count; index++)
        pool_rest_back(batch, index);
    rectify_back(batch->other.value, batch->other.slope, batch->others * NET_OTHER);
    dense_back(weights, gradient, batch, NET_LAYER_OTHER, batch->other_in.value, batch->other.slope, batch->others,
               (wanted){0});
    rectify_back(batch->pawn.value, batch->pawn.slope, pawns * NET_PAWN);
    dense_back(weights, gradient, batch, NET_LAYER_PAWN, batch->pawn_in.value, batch->pawn.slope, pawns,
               (wanted){batch->pawn_in.slope, GRAL_PAWN_SIGHTS, false});
    for (size_t index = 0; index < count; index++)
        pool_pairs_back(batch, index);
    rectify_back(batch->pair.value, batch->pair.slope, pairs * NET_PAIR);
    dense_back(weights, gradient, batch, NET_LAYER_PAIR, batch->pair_in.value, batch->pair.slope, pairs, (wanted){0});
}
