/* The product of matrices with the tiles of newer x86 processors, which multiply in sixteen bits (bfloat16) and add in
 * thirty-two: five times as fast, and as good for learning. */
#ifndef GRAL_LEARN_KERNEL_AMX_H
#define GRAL_LEARN_KERNEL_AMX_H

#include "kernel.h"

/* Whether this machine has them and lets us use them; asked once, then remembered. */
bool kernel_amx_there(void);

/* As kernel_multiply, on one thread. */
void kernel_amx_multiply(float *out, size_t out_row, kernel_left left, const float *right, size_t right_row,
                         size_t rows, size_t depth, size_t columns, bool add);

#endif
