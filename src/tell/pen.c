#include "pen.h"

#include <stdlib.h>
#include <string.h>

static char *room(pen *pen, size_t bytes)
{
    if (pen->length + bytes > pen->capacity) {
        pen->capacity = 2 * (pen->length + bytes) + 512;
        pen->bytes = realloc(pen->bytes, pen->capacity);
        if (pen->bytes == NULL)
            abort(); /* nothing was told, and what was promised is on disk: better to begin anew */
    }
    return pen->bytes + pen->length;
}

static void add(pen *pen, const char *bytes, size_t length)
{
    memcpy(room(pen, length), bytes, length);
    pen->length += length;
}

static void comma(pen *pen)
{
    if (pen->length == 0)
        return;
    const char last = pen->bytes[pen->length - 1];
    if (last != '{' && last != '[' && last != ':')
        add(pen, ",", 1);
}

void pen_free(pen *pen)
{
    free(pen->bytes);
    *pen = (struct pen){0};
}

void pen_begin(pen *pen, char bracket)
{
    comma(pen);
    add(pen, &bracket, 1);
}

void pen_end(pen *pen, char bracket)
{
    add(pen, &bracket, 1);
}

void pen_text(pen *pen, gral_span text)
{
    static const char digit[] = "0123456789abcdef";
    comma(pen);
    char *at = room(pen, 6 * text.length + 2);
    *at++ = '"';
    for (size_t index = 0; index < text.length; index++) {
        const unsigned char byte = (unsigned char)text.bytes[index];
        if (byte == '"' || byte == '\\') {
            *at++ = '\\';
            *at++ = (char)byte;
        } else if (byte < ' ' || byte == '<' || byte == '>' || byte == '&' || byte == 0x7f) {
            memcpy(at, "\\u00", 4);
            at[4] = digit[byte >> 4];
            at[5] = digit[byte & 15];
            at += 6;
        } else {
            *at++ = (char)byte;
        }
    }
    *at++ = '"';
    pen->length = (size_t)(at - pen->bytes);
}

void pen_words(pen *pen, const char *text)
{
    pen_text(pen, gral_span_of(text));
}

void pen_key(pen *pen, const char *name)
{
    pen_words(pen, name);
    add(pen, ":", 1);
}

void pen_number(pen *pen, int64_t number)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0)
        *--at = '-';
    pen_raw(pen, (gral_span){at, (size_t)(digits + sizeof digits - at)});
}

void pen_bool(pen *pen, bool value)
{
    pen_raw(pen, gral_span_of(value ? "true" : "false"));
}

void pen_null(pen *pen)
{
    pen_raw(pen, gral_span_of("null"));
}

void pen_raw(pen *pen, gral_span value)
{
    comma(pen);
    add(pen, value.bytes, value.length);
}

void pen_put_words(pen *pen, const char *name, const char *text)
{
    pen_key(pen, name);
    pen_words(pen, text);
}

void pen_put_number(pen *pen, const char *name, int64_t number)
{
    pen_key(pen, name);
    pen_number(pen, number);
}

void pen_put_bool(pen *pen, const char *name, bool value)
{
    pen_key(pen, name);
    pen_bool(pen, value);
}

void pen_add(pen *pen, gral_span bytes)
{
    add(pen, bytes.bytes, bytes.length);
}

void pen_keep(pen *pen, gral_span text)
{
    add(pen, text.bytes, text.length);
    add(pen, "", 1);
}
