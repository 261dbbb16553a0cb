#include "learned.h"

#include <string.h>

enum { OTHERS_MAX = GRAL_PLAYERS_MAX - 1, WIDEST = NET_TRUNK, WIDEST_IN = NET_TRUNK_IN };

const char learned_mark[LEARNED_MARK_BYTES] = {'g', 'r', 'a', 'l', 'n', 'e', 't', '2'};

/* --- reading --- */

static size_t layer_size(const net_layer *layer)
{
    return sizeof(int32_t) * (1 + (size_t)layer->out) + sizeof(int16_t) * layer->in * layer->out;
}

size_t learned_size(void)
{
    size_t size = LEARNED_MARK_BYTES;
    for (unsigned name = 0; name < NET_LAYERS; name++)
        size += layer_size(&net_layer_of[name]);
    return size;
}

bool learned_read(learned_net *net, const void *bytes, size_t size)
{
    if (size != learned_size() || memcmp(bytes, learned_mark, LEARNED_MARK_BYTES) != 0)
        return false;
    const char *at = (const char *)bytes + LEARNED_MARK_BYTES;
    for (unsigned name = 0; name < NET_LAYERS; name++) {
        const net_layer *layer = &net_layer_of[name];
        const int32_t *head = (const void *)at;
        net->layer[name] = (learned_layer){
            .shift = head[0], .bias = head + 1, .weight = (const void *)(head + 1 + layer->out)};
        if (head[0] < 0 || head[0] > 15)
            return false;
        at += layer_size(layer);
    }
    return true;
}

/* --- layers --- */

/* Four sums, to which eight products are added at once: the same on every machine, since whole numbers are. */
#if defined __SSE2__
#include <emmintrin.h>
typedef __m128i four;

static inline four four_of(const int32_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline void four_store(int32_t *to, four sums)
{
    _mm_storeu_si128((__m128i *)(void *)to, sums);
}

static inline four four_add(four sums, int32_t pair, const int16_t *weight)
{
    const __m128i weights = _mm_loadu_si128((const __m128i *)(const void *)weight);
    return _mm_add_epi32(sums, _mm_madd_epi16(_mm_set1_epi32(pair), weights));
}
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
typedef v128_t four;

static inline four four_of(const int32_t *from)
{
    return wasm_v128_load(from);
}

static inline void four_store(int32_t *to, four sums)
{
    wasm_v128_store(to, sums);
}

static inline four four_add(four sums, int32_t pair, const int16_t *weight)
{
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(wasm_i32x4_splat(pair), wasm_v128_load(weight)));
}
#else
typedef struct four {
    int32_t sum[4];
} four;

static inline four four_of(const int32_t *from)
{
    return (four){{from[0], from[1], from[2], from[3]}};
}

static inline void four_store(int32_t *to, four sums)
{
    memcpy(to, sums.sum, sizeof sums.sum);
}

static inline four four_add(four sums, int32_t pair, const int16_t *weight)
{
    for (unsigned lane = 0; lane < 4; lane++)
        sums.sum[lane] += (int16_t)pair * weight[2 * lane] + (pair >> 16) * weight[2 * lane + 1];
    return sums;
}
#endif

static int32_t round_off(int32_t value, int32_t shift)
{
    return (value + (1 << shift >> 1)) >> shift;
}

/* Inputs two by two, without those that are both 0, which are most. */
typedef struct pairs {
    int32_t value[WIDEST_IN / 2];
    uint16_t index[WIDEST_IN / 2];
    unsigned count;
} pairs;

static void find_pairs(pairs *pairs, const int16_t *in, unsigned count)
{
    pairs->count = 0;
    for (unsigned index = 0; index < count / 2; index++) {
        const int32_t value = (int32_t)((uint16_t)in[2 * index] | (uint32_t)in[2 * index + 1] << 16);
        pairs->value[pairs->count] = value;
        pairs->index[pairs->count] = (uint16_t)index;
        pairs->count += value != 0;
    }
}

/* Sixteen outputs at a time stay in registers. Whoever made the net has seen to it that the sums fit. */
static void dense(const learned_net *net, enum net_layer_name name, const int16_t *in, int32_t *out)
{
    const net_layer *shape = &net_layer_of[name];
    const learned_layer *layer = &net->layer[name];
    pairs pairs;
    find_pairs(&pairs, in, shape->in);
    for (unsigned column = 0; column < shape->out; column += 16) {
        const int32_t *bias = layer->bias + column;
        four sums[4] = {four_of(bias), four_of(bias + 4), four_of(bias + 8), four_of(bias + 12)};
        for (unsigned index = 0; index < pairs.count; index++) {
            const int16_t *weight = layer->weight + 2 * ((size_t)pairs.index[index] * shape->out + column);
            for (unsigned part = 0; part < 4; part++)
                sums[part] = four_add(sums[part], pairs.value[index], weight + 8 * part);
        }
        for (unsigned part = 0; part < 4; part++)
            four_store(out + column + 4 * part, sums[part]);
    }
    for (unsigned column = 0; column < shape->out; column++)
        out[column] = round_off(out[column], layer->shift);
}

static void rectify(const int32_t *from, int16_t *to, unsigned count)
{
    for (unsigned index = 0; index < count; index++) {
        const int32_t value = from[index] < LEARNED_VALUE_MAX ? from[index] : LEARNED_VALUE_MAX;
        to[index] = (int16_t)(value > 0 ? value : 0);
    }
}

static void rectified(const learned_net *net, enum net_layer_name name, const int16_t *in, int16_t *out)
{
    int32_t sum[WIDEST];
    dense(net, name, in, sum);
    rectify(sum, out, net_layer_of[name].out);
}

static void add(int32_t *to, const int32_t *more, unsigned count)
{
    for (unsigned index = 0; index < count; index++)
        to[index] += more[index];
}

/* From hundredths. */
static void widen(int16_t *to, const int8_t *from, unsigned count)
{
    for (unsigned index = 0; index < count; index++) {
        const int value = from[index] * LEARNED_ONE;
        to[index] = (int16_t)((value + (value > 0 ? 50 : -50)) / 100);
    }
}

/* `count` rows, `stride` apart, become their sum divided, and their maximum behind it. */
static void pool(const int16_t *row, unsigned count, unsigned stride, unsigned width, int divisor, int16_t *pooled)
{
    for (unsigned column = 0; column < width; column++) {
        int32_t sum = 0, most = 0;
        for (unsigned index = 0; index < count; index++) {
            const int32_t value = row[index * stride + column];
            sum += value;
            most = value > most ? value : most;
        }
        sum /= divisor;
        pooled[column] = (int16_t)(sum < LEARNED_VALUE_MAX ? sum : LEARNED_VALUE_MAX);
        pooled[width + column] = (int16_t)most;
    }
}

/* --- thinking --- */

typedef struct work {
    int16_t pair[OTHERS_MAX][GRAL_PAWNS][NET_PAIR];
    int16_t pawn[GRAL_PAWNS][NET_PAWN];
    int16_t other[OTHERS_MAX][NET_OTHER];
    int16_t trunk[NET_TRUNK];
} work;

static void think_of_pawns(const learned_net *net, const gral_observation *observation, work *work)
{
    const unsigned others = observation->others;
    for (unsigned other = 0; other < others; other++)
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            int16_t in[NET_PAIR_IN] = {0};
            widen(in, observation->pair[other][pawn], GRAL_PAIR_SIGHTS);
            rectified(net, NET_LAYER_PAIR, in, work->pair[other][pawn]);
        }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        int16_t in[NET_PAWN_IN];
        widen(in, observation->pawn[pawn], GRAL_PAWN_SIGHTS);
        pool(work->pair[0][pawn], others, GRAL_PAWNS * NET_PAIR, NET_PAIR, (int)others, in + GRAL_PAWN_SIGHTS);
        rectified(net, NET_LAYER_PAWN, in, work->pawn[pawn]);
    }
}

static void think_of_table(const learned_net *net, const gral_observation *observation, work *work)
{
    enum { SUM_PART = 4 };
    const unsigned others = observation->others;
    for (unsigned other = 0; other < others; other++) {
        int16_t in[NET_OTHER_IN] = {0};
        widen(in, observation->other[other], GRAL_OTHER_SIGHTS);
        rectified(net, NET_LAYER_OTHER, in, work->other[other]);
    }
    int16_t in[NET_TRUNK_IN], first[NET_TRUNK];
    widen(in, observation->table, GRAL_TABLE_SIGHTS);
    pool(work->pawn[0], GRAL_PAWNS, NET_PAWN, NET_PAWN, SUM_PART, in + GRAL_TABLE_SIGHTS);
    pool(work->other[0], others, NET_OTHER, NET_OTHER, (int)others, in + GRAL_TABLE_SIGHTS + 2 * NET_PAWN);
    rectified(net, NET_LAYER_TRUNK, in, first);
    rectified(net, NET_LAYER_TRUNK_2, first, work->trunk);
}

static void think_of_actions(const learned_net *net, const work *work, learned_thoughts *thoughts)
{
    int32_t common[NET_HEAD], sum[NET_HEAD];
    int16_t head[NET_HEAD];
    dense(net, NET_LAYER_TABLE_OUT, work->trunk, thoughts->table);
    dense(net, NET_LAYER_HEAD_TRUNK, work->trunk, common);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        dense(net, NET_LAYER_HEAD_PAWN, work->pawn[pawn], sum);
        add(sum, common, NET_HEAD);
        rectify(sum, head, NET_HEAD);
        dense(net, NET_LAYER_PAWN_OUT, head, thoughts->pawn[pawn]);
    }
}

static void think_of_others(const learned_net *net, const gral_observation *observation, const work *work,
                            learned_thoughts *thoughts)
{
    int32_t trunk[NET_BELIEF], of_pawn[GRAL_PAWNS][NET_BELIEF], sum[NET_BELIEF], of_other[NET_BELIEF];
    int16_t hidden[NET_BELIEF];
    dense(net, NET_LAYER_BELIEF_TRUNK, work->trunk, trunk);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        dense(net, NET_LAYER_BELIEF_PAWN, work->pawn[pawn], of_pawn[pawn]);
    for (unsigned other = 0; other < observation->others; other++) {
        dense(net, NET_LAYER_BELIEF_OTHER, work->other[other], of_other);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            dense(net, NET_LAYER_BELIEF_PAIR, work->pair[other][pawn], sum);
            add(sum, trunk, NET_BELIEF);
            add(sum, of_pawn[pawn], NET_BELIEF);
            add(sum, of_other, NET_BELIEF);
            rectify(sum, hidden, NET_BELIEF);
            dense(net, NET_LAYER_BELIEF_OUT, hidden, thoughts->belief[other][pawn]);
        }
        dense(net, NET_LAYER_RESERVE_OTHER, work->other[other], sum);
        dense(net, NET_LAYER_RESERVE_TRUNK, work->trunk, of_other);
        add(sum, of_other, NET_BELIEF);
        rectify(sum, hidden, NET_BELIEF);
        dense(net, NET_LAYER_RESERVE_OUT, hidden, thoughts->reserve[other]);
    }
}

void learned_think(const learned_net *net, const gral_observation *observation, bool beliefs,
                   learned_thoughts *thoughts)
{
    work work;
    think_of_pawns(net, observation, &work);
    think_of_table(net, observation, &work);
    think_of_actions(net, &work, thoughts);
    if (beliefs)
        think_of_others(net, observation, &work, thoughts);
}

static int16_t within(int32_t value)
{
    return (int16_t)(value > LEARNED_VALUE_MAX    ? LEARNED_VALUE_MAX
                     : value < -LEARNED_VALUE_MAX ? -LEARNED_VALUE_MAX
                                                  : value);
}

/* A quarter of the product of two vectors. */
static int32_t wish_to_uncover(const int32_t *query, const int32_t *key)
{
    int32_t sum = 0;
    for (unsigned at = 0; at < NET_VECTOR; at++)
        sum += within(query[at]) * within(key[at]) / (4 * LEARNED_ONE);
    return sum;
}

int32_t learned_wish(const learned_thoughts *thoughts, unsigned number)
{
    if (number >= GRAL_NUMBER_UNCOVER) {
        number -= GRAL_NUMBER_UNCOVER;
        return wish_to_uncover(thoughts->pawn[number / GRAL_PAWNS] + NET_OUT_QUERY,
                               thoughts->pawn[number % GRAL_PAWNS] + NET_OUT_KEY);
    }
    if (number >= GRAL_NUMBER_STEP) {
        number -= GRAL_NUMBER_STEP;
        return thoughts->pawn[number / GRAL_DIRECTIONS][NET_OUT_STEP + number % GRAL_DIRECTIONS];
    }
    if (number >= GRAL_NUMBER_PLACE) {
        number -= GRAL_NUMBER_PLACE;
        return thoughts->pawn[number % GRAL_PAWNS][NET_OUT_UNIT + number / GRAL_PAWNS];
    }
    if (number >= GRAL_NUMBER_ALL)
        return thoughts->pawn[number - GRAL_NUMBER_ALL][NET_OUT_ALL];
    return thoughts->table[NET_OUT_WORD + number];
}
