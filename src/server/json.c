#include "json.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static char *room(json *json, size_t bytes)
{
    if (json->length + bytes > json->capacity) {
        json->capacity = 2 * (json->length + bytes) + 512;
        json->bytes = (char *)memory_grow(json->bytes, json->capacity);
    }
    return json->bytes + json->length;
}

static void add(json *json, const char *bytes, size_t length)
{
    memcpy(room(json, length), bytes, length);
    json->length += length;
}

static void comma(json *json)
{
    if (json->length == 0)
        return;
    const char last = json->bytes[json->length - 1];
    if (last != '{' && last != '[' && last != ':')
        add(json, ",", 1);
}

void json_free(json *json)
{
    free(json->bytes);
    *json = (struct json){0};
}

void json_begin(json *json, char bracket)
{
    comma(json);
    add(json, &bracket, 1);
}

void json_end(json *json, char bracket)
{
    add(json, &bracket, 1);
}

void json_text(json *json, gral_span text)
{
    static const char digit[] = "0123456789abcdef";
    comma(json);
    char *at = room(json, 6 * text.length + 2);
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
    json->length = (size_t)(at - json->bytes);
}

void json_words(json *json, const char *text)
{
    json_text(json, gral_span_of(text));
}

void json_key(json *json, const char *name)
{
    json_words(json, name);
    add(json, ":", 1);
}

void json_number(json *json, int64_t number)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0)
        *--at = '-';
    json_raw(json, (gral_span){at, (size_t)(digits + sizeof digits - at)});
}

void json_bool(json *json, bool value)
{
    json_raw(json, gral_span_of(value ? "true" : "false"));
}

void json_null(json *json)
{
    json_raw(json, gral_span_of("null"));
}

void json_raw(json *json, gral_span value)
{
    comma(json);
    add(json, value.bytes, value.length);
}

void json_put_words(json *json, const char *name, const char *text)
{
    json_key(json, name);
    json_words(json, text);
}

void json_put_number(json *json, const char *name, int64_t number)
{
    json_key(json, name);
    json_number(json, number);
}

void json_put_bool(json *json, const char *name, bool value)
{
    json_key(json, name);
    json_bool(json, value);
}

void json_keep(json *json, gral_span text)
{
    add(json, text.bytes, text.length);
    add(json, "", 1);
}
