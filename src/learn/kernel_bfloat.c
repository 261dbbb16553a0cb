/* syscall */
#define _DEFAULT_SOURCE
#include "kernel_bfloat.h"

#if defined __x86_64__ && defined __linux__ && !defined __clang__

#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A tile has 16 rows of 64 bytes: 16 sums, or 32 factors in bfloat16. Factors are packed first: the left ones row by
 * row, the right ones with two rows side by side, as the instruction wants them. */
enum {
    SIDE = 16,
    DEPTH = 32,
    TILE_WORDS = SIDE * SIDE,
    DEPTH_AT_ONCE = 512,
    ROWS_AT_ONCE = 512,
    COLUMNS_MAX = 256,
    STEPS_MAX = DEPTH_AT_ONCE / DEPTH,
};

#define FOR_TILES __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512bf16")))
#define FOR_PAIRS __attribute__((target("avx512f,avx512bw,avx512bf16")))

static _Alignas(64) uint32_t packed_left[ROWS_AT_ONCE / SIDE * STEPS_MAX * TILE_WORDS];
static _Alignas(64) uint32_t packed_right[COLUMNS_MAX / SIDE * STEPS_MAX * TILE_WORDS];

/* The system has to be asked for the tiles' room. */
static bool has_tiles(void)
{
    static int has = -1;
    if (has < 0) {
        enum { ASK_FOR_STATE = 0x1023, TILE_DATA = 18 };
        has = syscall(SYS_arch_prctl, ASK_FOR_STATE, TILE_DATA) == 0;
    }
    return has;
}

bool kernel_bfloat_pays(size_t rows, size_t depth, size_t columns)
{
    return rows >= SIDE && depth >= DEPTH && __builtin_cpu_supports("avx512bf16") &&
           __builtin_cpu_supports("avx512bw") && (columns > SIDE || has_tiles());
}

typedef struct tile_shape {
    uint8_t palette, start_row, unused[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tile_shape;

FOR_TILES static void shape_tiles(void)
{
    tile_shape shape = {.palette = 1};
    for (unsigned tile = 0; tile < 8; tile++) {
        shape.row_bytes[tile] = 64;
        shape.rows[tile] = SIDE;
    }
    _tile_loadconfig(&shape);
}

/* --- packing --- */

/* Two rows of sixteen as pairs: the first is the lower half of each. */
FOR_PAIRS static inline __m512i side_by_side(__m512 low, __m512 high)
{
    static const _Alignas(64) uint16_t order[DEPTH] = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                                       8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    return _mm512_permutexvar_epi16(_mm512_load_si512(order), (__m512i)_mm512_cvtne2ps_pbh(high, low));
}

static inline __mmask16 first(size_t count)
{
    return (__mmask16)(count >= SIDE ? 0xffff : (1u << count) - 1);
}

/* A tile of left factors whose columns lie beside each other. */
FOR_PAIRS static void pack_rows(uint32_t *tile, const float *from, size_t row, size_t rows, size_t depth)
{
    const __mmask16 low = first(depth), high = first(depth > SIDE ? depth - SIDE : 0);
    for (size_t r = 0; r < SIDE; r++, from += row) {
        const __mmask16 there = r < rows ? 0xffff : 0;
        const __m512 begin = _mm512_maskz_loadu_ps(low & there, from);
        const __m512 end = _mm512_maskz_loadu_ps(high & there, from + SIDE);
        _mm512_store_si512(tile + r * SIDE, (__m512i)_mm512_cvtne2ps_pbh(end, begin));
    }
}

/* The same of a transposed one, whose rows lie beside each other. */
FOR_PAIRS static void pack_columns(uint32_t *tile, const float *from, size_t column, size_t rows, size_t depth)
{
    _Alignas(64) uint32_t turned[SIDE][SIDE];
    const __m512i down = _mm512_slli_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                           4); /* one row each */
    for (size_t pair = 0; pair < SIDE; pair++, from += 2 * column) {
        const __mmask16 low = 2 * pair < depth ? first(rows) : 0, high = 2 * pair + 1 < depth ? first(rows) : 0;
        _mm512_store_si512(turned[pair],
                           side_by_side(_mm512_maskz_loadu_ps(low, from), _mm512_maskz_loadu_ps(high, from + column)));
    }
    for (size_t r = 0; r < SIDE; r++)
        _mm512_store_si512(tile + r * SIDE, _mm512_i32gather_epi32(down, &turned[0][r], sizeof(uint32_t)));
}

FOR_PAIRS static void pack_right(const float *right, size_t right_row, size_t depth, size_t columns, size_t steps)
{
    for (size_t c = 0; c < columns; c += SIDE)
        for (size_t d = 0; d < steps * DEPTH; d += 2) {
            const float *from = right + d * right_row + c;
            const __m512 low = _mm512_maskz_loadu_ps(d < depth ? 0xffff : 0, from);
            const __m512 high = _mm512_maskz_loadu_ps(d + 1 < depth ? 0xffff : 0, from + right_row);
            _mm512_store_si512(packed_right + (c / SIDE * steps * DEPTH / 2 + d / 2) * SIDE, side_by_side(low, high));
        }
}

static void pack_left(kernel_left left, size_t rows, size_t depth, size_t steps)
{
    for (size_t r = 0; r < rows; r += SIDE)
        for (size_t step = 0; step < steps; step++) {
            uint32_t *tile = packed_left + (r / SIDE * steps + step) * TILE_WORDS;
            const float *from = left.at + r * left.row + step * DEPTH * left.column;
            const size_t tall = rows - r < SIDE ? rows - r : SIDE, rest = depth - step * DEPTH;
            const size_t deep = rest < DEPTH ? rest : DEPTH;
            if (left.column == 1)
                pack_rows(tile, from, left.row, tall, deep);
            else
                pack_columns(tile, from, left.column, tall, deep);
        }
}

/* --- multiplying with tiles --- */

/* Two by two tiles of sums, in the caller's memory. */
FOR_TILES static void multiply_four(float *out, size_t out_row, const uint32_t *left, const uint32_t *right,
                                    size_t steps, bool add)
{
    const size_t bytes = out_row * sizeof *out, next = steps * TILE_WORDS;
    if (add) {
        _tile_loadd(0, out, bytes);
        _tile_loadd(1, out + SIDE, bytes);
        _tile_loadd(2, out + SIDE * out_row, bytes);
        _tile_loadd(3, out + SIDE * out_row + SIDE, bytes);
    } else {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    for (size_t step = 0; step < steps; step++) {
        _tile_loadd(4, left + step * TILE_WORDS, 64);
        _tile_loadd(5, left + next + step * TILE_WORDS, 64);
        _tile_loadd(6, right + step * TILE_WORDS, 64);
        _tile_loadd(7, right + next + step * TILE_WORDS, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, out, bytes);
    _tile_stored(1, out + SIDE, bytes);
    _tile_stored(2, out + SIDE * out_row, bytes);
    _tile_stored(3, out + SIDE * out_row + SIDE, bytes);
}

FOR_TILES static void multiply_one(float *out, size_t out_row, const uint32_t *left, const uint32_t *right,
                                   size_t steps, bool add)
{
    if (add)
        _tile_loadd(0, out, out_row * sizeof *out);
    else
        _tile_zero(0);
    for (size_t step = 0; step < steps; step++) {
        _tile_loadd(4, left + step * TILE_WORDS, 64);
        _tile_loadd(6, right + step * TILE_WORDS, 64);
        _tile_dpbf16ps(0, 4, 6);
    }
    _tile_stored(0, out, out_row * sizeof *out);
}

/* The last rows, fewer than a tile has. */
static void multiply_rest(float *out, size_t out_row, size_t rows, const uint32_t *left, const uint32_t *right,
                          size_t steps, bool add)
{
    float sums[SIDE][SIDE] = {{0}};
    for (size_t r = 0; r < rows && add; r++)
        memcpy(sums[r], out + r * out_row, sizeof sums[r]);
    multiply_one(sums[0], SIDE, left, right, steps, true);
    for (size_t r = 0; r < rows; r++)
        memcpy(out + r * out_row, sums[r], sizeof sums[r]);
}

static void multiply_tiles(float *out, size_t out_row, size_t rows, size_t columns, size_t steps, bool add)
{
    for (size_t r = 0; r < rows;) {
        const uint32_t *left = packed_left + r / SIDE * steps * TILE_WORDS;
        const bool two_rows = rows - r >= 2 * SIDE;
        for (size_t c = 0; c < columns;) {
            const uint32_t *right = packed_right + c / SIDE * steps * TILE_WORDS;
            float *to = out + r * out_row + c;
            const bool four = two_rows && columns - c >= 2 * SIDE;
            if (four)
                multiply_four(to, out_row, left, right, steps, add);
            else if (two_rows) {
                multiply_one(to, out_row, left, right, steps, add);
                multiply_one(to + SIDE * out_row, out_row, left + steps * TILE_WORDS, right, steps, add);
            } else if (rows - r >= SIDE)
                multiply_one(to, out_row, left, right, steps, add);
            else
                multiply_rest(to, out_row, rows - r, left, right, steps, add);
            c += four ? 2 * SIDE : SIDE;
        }
        r += two_rows ? 2 * SIDE : SIDE;
    }
}

/* --- multiplying without tiles --- */

enum { ROWS_OF_PAIRS = 8 };

/* So many rows of one tile by one or two groups of columns; the sums stay in registers while the pairs go by. */
FOR_PAIRS static inline __attribute__((always_inline)) void multiply_strip(float *out, size_t out_row,
                                                                           const uint32_t *left, const uint32_t *right,
                                                                           size_t pairs, size_t steps, bool add,
                                                                           const unsigned rows, const unsigned groups)
{
    __m512 sum[ROWS_OF_PAIRS][2];
    for (unsigned r = 0; r < rows; r++)
        for (unsigned g = 0; g < groups; g++)
            sum[r][g] = add ? _mm512_loadu_ps(out + r * out_row + g * SIDE) : _mm512_setzero_ps();
    for (size_t pair = 0; pair < pairs; pair++) {
        const uint32_t *factor = left + pair / SIDE * TILE_WORDS + pair % SIDE;
        __m512bh with[2];
        for (unsigned g = 0; g < groups; g++)
            with[g] = (__m512bh)_mm512_load_si512(right + g * steps * TILE_WORDS + pair * SIDE);
        for (unsigned r = 0; r < rows; r++) {
            const __m512bh one = (__m512bh)_mm512_set1_epi32((int)factor[r * SIDE]);
            for (unsigned g = 0; g < groups; g++)
                sum[r][g] = _mm512_dpbf16_ps(sum[r][g], one, with[g]);
        }
    }
    for (unsigned r = 0; r < rows; r++)
        for (unsigned g = 0; g < groups; g++)
            _mm512_storeu_ps(out + r * out_row + g * SIDE, sum[r][g]);
}

FOR_PAIRS static void multiply_pairs(float *out, size_t out_row, size_t rows, size_t columns, size_t pairs,
                                     size_t steps, bool add)
{
    for (size_t r = 0; r < rows;) {
        const uint32_t *left = packed_left + r / SIDE * steps * TILE_WORDS + r % SIDE * SIDE;
        const bool many = rows - r >= ROWS_OF_PAIRS;
        for (size_t c = 0; c < columns;) {
            const uint32_t *right = packed_right + c / SIDE * steps * TILE_WORDS;
            float *to = out + r * out_row + c;
            const bool two = columns - c >= 2 * SIDE;
            if (many && two)
                multiply_strip(to, out_row, left, right, pairs, steps, add, ROWS_OF_PAIRS, 2);
            else if (many)
                multiply_strip(to, out_row, left, right, pairs, steps, add, ROWS_OF_PAIRS, 1);
            else
                multiply_strip(to, out_row, left, right, pairs, steps, add, 1, two ? 2 : 1);
            c += two ? 2 * SIDE : SIDE;
        }
        r += many ? ROWS_OF_PAIRS : 1;
    }
}

/* --- either --- */

FOR_TILES static void release_tiles(void)
{
    _tile_release();
}

void kernel_bfloat_multiply(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row,
                            size_t rows, size_t depth, size_t columns, bool add)
{
    const bool tiles = has_tiles();
    if (tiles)
        shape_tiles();
    for (size_t d = 0; d < depth; d += DEPTH_AT_ONCE) {
        const size_t deep = depth - d < DEPTH_AT_ONCE ? depth - d : DEPTH_AT_ONCE;
        const size_t steps = (deep + DEPTH - 1) / DEPTH;
        pack_right(right + d * right_row, right_row, deep, columns, steps);
        for (size_t r = 0; r < rows; r += ROWS_AT_ONCE) {
            const size_t tall = rows - r < ROWS_AT_ONCE ? rows - r : ROWS_AT_ONCE;
            const kernel_left from = {left.at + r * left.row + d * left.column, left.row, left.column};
            pack_left(from, tall, deep, steps);
            if (tiles)
                multiply_tiles(out + r * out_row, out_row, tall, columns, steps, add || d > 0);
            else
                multiply_pairs(out + r * out_row, out_row, tall, columns, (deep + 1) / 2, steps, add || d > 0);
        }
    }
    if (tiles)
        release_tiles();
}

#else

bool kernel_bfloat_pays(size_t rows, size_t depth, size_t columns)
{
    (void)rows, (void)depth, (void)columns;
    return false;
}

void kernel_bfloat_multiply(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row,
                            size_t rows, size_t depth, size_t columns, bool add)
{
    (void)out, (void)out_row, (void)left, (void)right, (void)right_row, (void)rows, (void)depth, (void)columns;
    (void)add;
}

#endif
