/* The product of matrices on newer x86 processors, which multiply in sixteen bits (bfloat16) and add in thirty-two:
 * with tiles (AMX) five times as fast as in floating point, without twice, and as good for learning. */
#ifndef GRAL_LEARN_KERNEL_BFLOAT_H
#define GRAL_LEARN_KERNEL_BFLOAT_H

#include "kernel.h"

/* Whether this machine has that, and a product is large enough for it. */
bool kernel_bfloat_pays(size_t rows, size_t depth, size_t columns);

/* As kernel_multiply, on one thread. */
void kernel_bfloat_multiply(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row,
                            size_t rows, size_t depth, size_t columns, bool add);

#endif
