/* Bytes from outside, line by line, with nothing forgiven: a CR is a byte like any other, and a last line without its
 * end is told apart. */
#ifndef GRAL_FAIR_LINES_H
#define GRAL_FAIR_LINES_H

#include "gral/notation.h"

#include <string.h>

typedef struct line {
    gral_span bytes; /* without the '\n' */
    uint32_t number; /* from 1 */
    bool ended;      /* there was a '\n' */
} line;

/* The line after this one, taken from the rest of the text; false when nothing is left. Begin with a line of zeros. */
static inline bool line_next(line *line, gral_span *rest)
{
    if (rest->length == 0)
        return false;
    const char *end = (const char *)memchr(rest->bytes, '\n', rest->length);
    line->ended = end != NULL;
    line->bytes = (gral_span){rest->bytes, line->ended ? (size_t)(end - rest->bytes) : rest->length};
    line->number++;
    const size_t taken = line->bytes.length + line->ended;
    *rest = (gral_span){rest->bytes + taken, rest->length - taken};
    return true;
}

static inline bool line_starts(gral_span bytes, const char *words)
{
    const size_t length = strlen(words);
    return bytes.length >= length && memcmp(bytes.bytes, words, length) == 0;
}

#endif
