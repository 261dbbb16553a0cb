#include "server/memory.h"

#include "server/log.h"

#include <stdlib.h>

static void *or_die(void *memory)
{
    if (memory == NULL) {
        log_line(LOG_ERROR, "memory", NULL);
        abort();
    }
    return memory;
}

void *memory_get(size_t bytes)
{
    return or_die(calloc(1, bytes));
}

void *memory_grow(void *memory, size_t bytes)
{
    return or_die(realloc(memory, bytes));
}

gral_span memory_print(gral_writer *write, const void *context)
{
    gral_span text = {0};
    text.bytes = or_die(gral_text_whole(write, context, &text.length));
    return text;
}
