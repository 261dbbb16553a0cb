/* Writes JSON. Commas come by themselves: a value that follows another gets one. Reading is the library's (jansson); a
 * small writer is twenty times as quick as its, and every message to every watcher goes through it. */
#ifndef GRAL_SERVER_JSON_H
#define GRAL_SERVER_JSON_H

#include "gral/notation.h"

typedef struct json {
    char *bytes;
    size_t length, capacity;
} json;

void json_free(json *json);
static inline void json_clear(json *json)
{
    json->length = 0;
}
static inline gral_span json_span(const json *json)
{
    return (gral_span){json->bytes, json->length};
}

void json_begin(json *json, char bracket); /* '{' or '[' */
void json_end(json *json, char bracket);   /* '}' or ']' */
void json_key(json *json, const char *name);
void json_text(json *json, gral_span text); /* valid UTF-8; what HTML might obey is escaped too */
void json_words(json *json, const char *text);
void json_number(json *json, int64_t number);
void json_bool(json *json, bool value);
void json_null(json *json);
void json_raw(json *json, gral_span value); /* a value that is JSON already */

/* Appends bytes and a zero byte: a list of texts. */
void json_keep(json *json, gral_span text);

/* A key and its value. */
void json_put_words(json *json, const char *name, const char *text);
void json_put_number(json *json, const char *name, int64_t number);
void json_put_bool(json *json, const char *name, bool value);

#endif
