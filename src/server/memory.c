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

gral_span memory_print(memory_writer *write, const void *context)
{
    gral_text text = gral_text_in((char[1]){0}, 1);
    write(&text, context);
    const size_t capacity = text.length + 1;
    char *bytes = memory_get(capacity);
    text = gral_text_in(bytes, capacity);
    write(&text, context);
    return (gral_span){bytes, text.length};
}
