/* The one product of matrices that all of learning is made of. */
#ifndef GRAL_LEARN_KERNEL_H
#define GRAL_LEARN_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h> /* has __GLIBC__ defined where that is the C library */

/* Before a function of plain loops: the compiler makes a version for each kind of processor, and the program takes the
 * best when it starts, which the C library must support. */
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__
#define KERNEL_FOR_EACH_PROCESSOR    __attribute__((target_clones("avx512f", "arch=x86-64-v3", "default")))
#define KERNEL_FOR_NARROW_PROCESSORS __attribute__((target_clones("arch=x86-64-v3", "default")))
#define KERNEL_FOR_WIDE_PROCESSORS   __attribute__((target("avx512f")))
#else
#define KERNEL_FOR_EACH_PROCESSOR
#define KERNEL_FOR_NARROW_PROCESSORS
#endif

/* A left factor is read with any strides, so that a transposed one costs nothing. */
typedef struct kernel_left {
    const float *at;
    size_t row, column; /* how far apart its rows and columns are */
} kernel_left;

/* Columns of the right factor and of the result come in groups of so many. */
enum { KERNEL_GROUP = 16 };

/* out (rows × columns, `out_row` apart) = or += left (rows × depth) · right (depth × columns, `right_row` apart).
 * `columns` is a multiple of KERNEL_GROUP; nothing need be aligned. */
void kernel_multiply(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row, size_t rows,
                     size_t depth, size_t columns, bool add);

/* Whether newer processors may round what they multiply (kernel_bfloat.h); they may unless somebody who needs every
 * digit says otherwise. */
void kernel_allow_rounding(bool allowed);

#endif
