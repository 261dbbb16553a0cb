/* Writes JSON. Commas come by themselves: a value that follows another gets one. Reading is the library's (jansson); a
 * small writer is twenty times as quick as its, and every message to every watcher goes through it. */
#ifndef GRAL_TELL_PEN_H
#define GRAL_TELL_PEN_H

#include "gral/notation.h"

typedef struct pen {
    char *bytes;
    size_t length, capacity;
} pen;

void pen_free(pen *pen);
static inline void pen_clear(pen *pen)
{
    pen->length = 0;
}
static inline gral_span pen_span(const pen *pen)
{
    return (gral_span){pen->bytes, pen->length};
}

void pen_begin(pen *pen, char bracket); /* '{' or '[' */
void pen_end(pen *pen, char bracket);   /* '}' or ']' */
void pen_key(pen *pen, const char *name);
void pen_text(pen *pen, gral_span text); /* valid UTF-8; what HTML might obey is escaped too */
void pen_words(pen *pen, const char *text);
void pen_number(pen *pen, int64_t number);
void pen_bool(pen *pen, bool value);
void pen_null(pen *pen);
void pen_raw(pen *pen, gral_span value); /* a value that is JSON already */

/* Appends bytes as they are; and with a zero byte behind them: a list of texts. */
void pen_add(pen *pen, gral_span bytes);
void pen_keep(pen *pen, gral_span text);

/* A key and its value. */
void pen_put_words(pen *pen, const char *name, const char *text);
void pen_put_number(pen *pen, const char *name, int64_t number);
void pen_put_bool(pen *pen, const char *name, bool value);

#endif
