/* A tile of 6 × 64 sums, or of 6 × 16 where registers are fewer and shorter, stays in registers while the depth goes
 * by. The order of additions does not depend on the processor, but for those that multiply in sixteen bits. */
#include "kernel_bfloat.h"

enum { TILE_ROWS = 6, TILE_GROUPS = 4, DEPTH_AT_ONCE = 512 };

#define INLINE static inline __attribute__((always_inline))

/* Compilers do well only with vectors as long as a register, so that there are strips of either length. */
#define DEFINE_STRIP(strip, tile, group, LENGTH, GROUPS_MOST)                                                          \
    typedef float group __attribute__((vector_size((LENGTH) * sizeof(float)), aligned(4), may_alias));                 \
                                                                                                                       \
    INLINE void tile(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row, size_t depth, \
                     bool add, const unsigned rows, const unsigned groups)                                             \
    {                                                                                                                  \
        group sum[TILE_ROWS][GROUPS_MOST];                                                                             \
        for (unsigned r = 0; r < rows; r++)                                                                            \
            for (unsigned g = 0; g < groups; g++)                                                                      \
                sum[r][g] = add ? *(const group *)(out + r * out_row + g * (LENGTH)) : (group){0};                     \
        for (size_t d = 0; d < depth; d++) {                                                                           \
            group factor[GROUPS_MOST];                                                                                 \
            for (unsigned g = 0; g < groups; g++)                                                                      \
                factor[g] = *(const group *)(right + d * right_row + g * (LENGTH));                                    \
            for (unsigned r = 0; r < rows; r++) {                                                                      \
                const float one = left.at[r * left.row + d * left.column];                                             \
                for (unsigned g = 0; g < groups; g++)                                                                  \
                    sum[r][g] += one * factor[g];                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        for (unsigned r = 0; r < rows; r++)                                                                            \
            for (unsigned g = 0; g < groups; g++)                                                                      \
                *(group *)(out + r * out_row + g * (LENGTH)) = sum[r][g];                                              \
    }                                                                                                                  \
                                                                                                                       \
    INLINE void strip(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row, size_t rows, \
                      size_t depth, bool add, const unsigned groups)                                                   \
    {                                                                                                                  \
        size_t r = 0;                                                                                                  \
        for (; r + TILE_ROWS <= rows; r += TILE_ROWS) {                                                                \
            const kernel_left from = {left.at + r * left.row, left.row, left.column};                                  \
            tile(out + r * out_row, out_row, from, right, right_row, depth, add, TILE_ROWS, groups);                   \
        }                                                                                                              \
        for (; r < rows; r++) {                                                                                        \
            const kernel_left from = {left.at + r * left.row, left.row, left.column};                                  \
            tile(out + r * out_row, out_row, from, right, right_row, depth, add, 1, groups);                           \
        }                                                                                                              \
    }

DEFINE_STRIP(strip_narrow, tile_narrow, eight, 8, 2)

typedef void slice(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row, size_t rows,
                   size_t depth, size_t columns, bool add);

KERNEL_FOR_NARROW_PROCESSORS
static void multiply_narrow(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row,
                            size_t rows, size_t depth, size_t columns, bool add)
{
    for (size_t c = 0; c < columns; c += KERNEL_GROUP)
        strip_narrow(out + c, out_row, left, right + c, right_row, rows, depth, add, 2);
}

#ifdef KERNEL_FOR_WIDE_PROCESSORS
DEFINE_STRIP(strip, tile, sixteen, KERNEL_GROUP, TILE_GROUPS)

KERNEL_FOR_WIDE_PROCESSORS
static void multiply_wide(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row,
                          size_t rows, size_t depth, size_t columns, bool add)
{
    size_t c = 0;
    for (; c + TILE_GROUPS * KERNEL_GROUP <= columns; c += TILE_GROUPS * KERNEL_GROUP)
        strip(out + c, out_row, left, right + c, right_row, rows, depth, add, TILE_GROUPS);
    for (; c + 2 * KERNEL_GROUP <= columns; c += 2 * KERNEL_GROUP)
        strip(out + c, out_row, left, right + c, right_row, rows, depth, add, 2);
    for (; c < columns; c += KERNEL_GROUP)
        strip(out + c, out_row, left, right + c, right_row, rows, depth, add, 1);
}

static slice *best_slice(void)
{
    return __builtin_cpu_supports("avx512f") ? multiply_wide : multiply_narrow;
}
#else
static slice *best_slice(void)
{
    return multiply_narrow;
}
#endif

static bool rounding_allowed = true;

void kernel_allow_rounding(bool allowed)
{
    rounding_allowed = allowed;
}

void kernel_multiply(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row, size_t rows,
                     size_t depth, size_t columns, bool add)
{
    if (rounding_allowed && kernel_bfloat_pays(rows, depth, columns)) {
        kernel_bfloat_multiply(out, out_row, left, right, right_row, rows, depth, columns, add);
        return;
    }
    slice *const multiply_slice = best_slice();
    for (size_t d = 0; d < depth; d += DEPTH_AT_ONCE) {
        const size_t part = depth - d < DEPTH_AT_ONCE ? depth - d : DEPTH_AT_ONCE;
        const kernel_left from = {left.at + d * left.column, left.row, left.column};
        multiply_slice(out, out_row, from, right + d * right_row, right_row, rows, part, columns, add || d > 0);
    }
}
