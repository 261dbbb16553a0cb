/* What a client sends, read and checked: after this a message is plain values within their limits. Orders and members
 * are tables, so that what is accepted can be seen at one glance; docs/protocol.md says what they mean. */
#ifndef GRAL_SERVER_MESSAGE_H
#define GRAL_SERVER_MESSAGE_H

#include "gral/host.h"

enum order {
    ORDER_LOBBY,
    ORDER_CREATE,
    ORDER_WATCH,
    ORDER_UNWATCH,
    ORDER_SIT,
    ORDER_RISE,
    ORDER_ACT,
    ORDER_ORDER,
    ORDER_CANCEL,
    ORDER_DRAW,
    ORDER_NODRAW,
    ORDER_REPLACE,
    ORDER_RESIGN,
    ORDER_BACK,
    ORDER_REMATCH,
    ORDER_TALK,
    ORDER_OFFER,
    ORDER_MUTE,
    ORDER_UNMUTE,
    ORDER_STATS,
    ORDERS
};

enum { MESSAGE_ID_MAX = 40, MESSAGE_NAME_MAX = 200 };

#define N_(words) words /* translated by whoever shows it */

/* Why something is refused: a word for programs, and a sentence that is also the key of its translation. */
typedef struct refusal {
    const char *code, *text;
} refusal;

typedef struct message {
    enum order order;
    char id[MESSAGE_ID_MAX + 1]; /* "" where there is none */
    char table[GRAL_GAME_ID_MAX + 1];
    char name[MESSAGE_NAME_MAX + 1];
    uint32_t given; /* bit m: member m was there */
    unsigned seat;  /* from 0; GRAL_NOBODY where none was named */
    uint32_t version, have;
    bool on;
    gral_input input; /* action, salt, to, order, offer and words, as far as the order has them */
    char words[GRAL_TALK_MAX + 1];
    gral_terms terms; /* without id and seed */
    bool first_by_chance;
    uint64_t ticket; /* the same for the same bytes, never 0 */
} message;

/* True, or false and why. What could be read of the id is in the message in both cases. `text` must last as long as the
 * refusal does; `detail` holds the sentence where it is made for the occasion. */
bool message_read(gral_span text, message *message, refusal *why, gral_error *detail);

#endif
