/* What a player on a server decides, and from what; online_player.c does the rest. */
#ifndef ONLINE_CHOICE_H
#define ONLINE_CHOICE_H

#include <jansson.h>

/* What we know of the table; each part is as the server sent it last (docs/protocol.md). */
typedef struct choice_table {
    json_t *terms, *stage, *version, *view, *you;
} choice_table;

/* A game begins; the numbers are random. */
void choice_begin(const unsigned chance[2]);

/* We are asked: the list of actions, for the caller to free. */
json_t *choice_of(const choice_table *table);

/* A member that is a text, or "". */
const char *choice_text(const json_t *object, const char *key);

#endif
