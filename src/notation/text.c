/* Text without the C library's streams: it must also work where there are none. */
#include "gral/notation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

gral_text gral_text_in(char *buffer, size_t capacity)
{
    assert(capacity > 0);
    buffer[0] = '\0';
    return (gral_text){buffer, 0, capacity};
}

void gral_text_add_bytes(gral_text *text, const char *bytes, size_t length)
{
    if (text->length < text->capacity - 1) {
        const size_t room = text->capacity - 1 - text->length;
        const size_t fits = length < room ? length : room;
        memcpy(text->bytes + text->length, bytes, fits);
        text->bytes[text->length + fits] = '\0';
    }
    text->length += length;
}

void gral_text_add(gral_text *text, const char *words)
{
    gral_text_add_bytes(text, words, strlen(words));
}

void gral_text_add_number(gral_text *text, uint64_t number)
{
    char digits[20];
    size_t first = sizeof digits;
    do
        digits[--first] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    gral_text_add_bytes(text, digits + first, sizeof digits - first);
}

char *gral_text_whole(gral_writer *write, const void *context, size_t *length)
{
    gral_text text = gral_text_in((char[1]){0}, 1);
    write(&text, context);
    const size_t capacity = text.length + 1;
    char *bytes = malloc(capacity);
    if (bytes == NULL)
        return NULL;
    text = gral_text_in(bytes, capacity);
    write(&text, context);
    *length = text.length;
    return bytes;
}

gral_span gral_span_of(const char *words)
{
    return (gral_span){words, strlen(words)};
}
