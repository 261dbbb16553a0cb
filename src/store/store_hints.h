/* What servers that share a database say to each other: payloads, texts of printable ASCII. Inside of src/store only.
 *
 * A payload is words with a space between two: who says it, and then hints, each a letter and what belongs to it. What
 * is not one of these letters ends the reading: a newer server may know more. */
#ifndef GRAL_STORE_HINTS_H
#define GRAL_STORE_HINTS_H

#include "store/store.h"

enum { STORE_PAYLOAD_MAX = 7900 }; /* PostgreSQL takes 7,999 bytes */

/* What is said of a write: one of store_hint_kind, with the members of the write that it names. */
enum store_hint_rule {
    STORE_RULE_MISSING, /* nobody has thought about it */
    STORE_RULE_SILENCE, /* nothing that others hold in memory */
    STORE_RULE_GAME,
    STORE_RULE_FRESH,  /* a game that is new */
    STORE_RULE_SEATS,  /* who sits in a game, or its stage */
    STORE_RULE_ASLEEP, /* it fell asleep, or woke */
    STORE_RULE_USER,
    STORE_RULE_TIE,
    STORE_RULE_MODERATION,
    STORE_RULE_TOURNAMENT,
    STORE_RULE_LETTERS
};
extern const uint8_t store_hint_rules[STORE_WRITE_KINDS];

/* The payloads that a group of writes, or a text of any length, is worth, one after the other. False if there is no
 * memory. */
typedef void store_each_payload(void *context, gral_span payload);
bool store_hints_of(const char *from, const store_write *writes, size_t count, store_each_payload *put, void *context);
void store_pieces_of(const char *from, gral_span text, store_each_payload *put, void *context);

/* A long text of which not all pieces have been heard yet. */
typedef struct store_pieces {
    char from[STORE_PEER_ID_MAX + 1];
    unsigned next;
    char *text;
    size_t length;
} store_pieces;

void store_forget_pieces(store_pieces *heard);

/* Reads a payload, unless it is one's own; it is of no more use afterwards. `heard` has the pieces before. */
void store_hear_payload(const char *self, char *payload, store_pieces *heard, store_each_hint *each, void *context);

/* The hint that somebody has gone, for words of SQL. */
#define STORE_GONE_LETTER "X"

#endif
