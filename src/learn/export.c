#include "export.h"

#include "players/learned.h"

#include <math.h>
#include <string.h>

enum { SHIFT_MOST = 13, SHIFT_LEAST = 6 };

static const float *weights_of(const net *weights, const net_layer *layer)
{
    return weights->weight + layer->at;
}

/* The largest sum that an output can come to, in floating point, if every input is as large as it may be. */
static float largest_sum(const net *weights, const net_layer *layer)
{
    float most = 0;
    for (unsigned column = 0; column < layer->out; column++) {
        const float *bias = weights_of(weights, layer) + (size_t)layer->in * layer->out;
        float sum = fabsf(bias[column]);
        for (unsigned row = 0; row < layer->in; row++)
            sum += fabsf(weights_of(weights, layer)[(size_t)row * layer->out + column]) * LEARNED_VALUE_MAX /
                   LEARNED_ONE;
        most = fmaxf(most, sum);
    }
    return most;
}

static float largest_weight(const net *weights, const net_layer *layer)
{
    float most = 0;
    for (size_t index = 0; index < (size_t)layer->in * layer->out; index++)
        most = fmaxf(most, fabsf(weights_of(weights, layer)[index]));
    return most;
}

/* As fine as sums of 32 bits and weights of 16 allow. */
static int32_t shift_of(const net *weights, const net_layer *layer)
{
    int32_t shift = SHIFT_MOST;
    while (shift > 0 && (largest_sum(weights, layer) * LEARNED_ONE * (float)(1 << shift) > 2.0e9f ||
                         largest_weight(weights, layer) * (float)(1 << shift) > INT16_MAX))
        shift--;
    return shift;
}

static char *put(char *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

static char *put_layer(char *to, const net *weights, const net_layer *layer, int32_t shift)
{
    const float *weight = weights_of(weights, layer), *bias = weight + (size_t)layer->in * layer->out;
    to = put(to, &shift, sizeof shift);
    for (unsigned column = 0; column < layer->out; column++) {
        const int32_t value = (int32_t)lrintf(bias[column] * LEARNED_ONE * (float)(1 << shift));
        to = put(to, &value, sizeof value);
    }
    for (unsigned row = 0; row < layer->in; row += 2)
        for (unsigned column = 0; column < layer->out; column++)
            for (unsigned of_two = 0; of_two < 2; of_two++) {
                const float exact = weight[(size_t)(row + of_two) * layer->out + column];
                const int16_t value = (int16_t)lrintf(exact * (float)(1 << shift));
                to = put(to, &value, sizeof value);
            }
    return to;
}

bool export_net(const net *weights, void *bytes)
{
    char *to = put(bytes, learned_mark, LEARNED_MARK_BYTES);
    for (unsigned name = 0; name < NET_LAYERS; name++) {
        const int32_t shift = shift_of(weights, &net_layer_of[name]);
        if (shift < SHIFT_LEAST)
            return false;
        to = put_layer(to, weights, &net_layer_of[name], shift);
    }
    return true;
}

static void take_layer(net *weights, const net_layer *layer, const learned_layer *from)
{
    float *weight = weights->weight + layer->at, *bias = weight + (size_t)layer->in * layer->out;
    const float part = 1.0f / (float)(1 << from->shift);
    for (unsigned column = 0; column < layer->out; column++)
        bias[column] = part / LEARNED_ONE * (float)from->bias[column];
    for (unsigned row = 0; row < layer->in; row++)
        for (unsigned column = 0; column < layer->out; column++) {
            const size_t at = ((size_t)(row / 2) * layer->out + column) * 2 + row % 2;
            weight[(size_t)row * layer->out + column] = part * (float)from->weight[at];
        }
}

bool import_net(net *weights, const void *bytes, size_t size)
{
    learned_net whole;
    if (!learned_read(&whole, bytes, size))
        return false;
    for (unsigned name = 0; name < NET_LAYERS; name++)
        take_layer(weights, &net_layer_of[name], &whole.layer[name]);
    return true;
}
