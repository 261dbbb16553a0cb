/* Memory that is there or ends the program: a server that cannot answer any more is better started anew, and nothing
 * that was answered is lost by that. */
#ifndef GRAL_SERVER_MEMORY_H
#define GRAL_SERVER_MEMORY_H

#include "gral/notation.h"

#include <stddef.h>

void *memory_get(size_t bytes);                /* all zero */
void *memory_grow(void *memory, size_t bytes); /* like realloc */

/* The whole of it; the caller frees it. */
gral_span memory_print(gral_writer *write, const void *context);

#endif
