/* What a client sends, read and checked: after this it is a request of plain values within their limits. Kinds and
 * members are tables, so that what is accepted can be seen at one glance; docs/protocol.md says what they mean. */
#ifndef GRAL_SERVER_REQUEST_H
#define GRAL_SERVER_REQUEST_H

#include "server/pairing.h"
#include "server/profile.h"
#include "server/ties.h"
#include "server/tournament.h"

#include "gral/host.h"

#include "translate.h"

enum request_kind {
    REQUEST_PING,
    REQUEST_LOOK,
    REQUEST_LOBBY,
    REQUEST_CREATE,
    REQUEST_WATCH,
    REQUEST_UNWATCH,
    REQUEST_SIT,
    REQUEST_RISE,
    REQUEST_FILL,
    REQUEST_DISMISS,
    REQUEST_ACT,
    REQUEST_ORDER,
    REQUEST_CANCEL,
    REQUEST_DRAW,
    REQUEST_NODRAW,
    REQUEST_REPLACE,
    REQUEST_RESIGN,
    REQUEST_BACK,
    REQUEST_REMATCH,
    REQUEST_CODE,
    REQUEST_TALK,
    REQUEST_OFFER,
    REQUEST_MUTE,
    REQUEST_UNMUTE,
    REQUEST_STATS,
    REQUEST_RATINGS,
    REQUEST_RANKING,
    REQUEST_GAMES,
    REQUEST_SHOW,
    REQUEST_REPORT,
    REQUEST_QUICK,
    REQUEST_UNQUICK,
    REQUEST_TERMS,
    REQUEST_FRIENDS,
    REQUEST_BEFRIEND,
    REQUEST_UNFRIEND,
    REQUEST_BLOCK,
    REQUEST_UNBLOCK,
    REQUEST_INVITE,
    REQUEST_DECLINE,
    REQUEST_SEEN,
    REQUEST_TOURNAMENTS,
    REQUEST_TOURNAMENT,
    REQUEST_ANNOUNCE,
    REQUEST_JOIN,
    REQUEST_LEAVE,
    REQUEST_KINDS
};

enum { REQUEST_ID_MAX = 40, REQUEST_NAME_MAX = 200 };

/* Why something is refused: a word for programs, and a sentence that is also the key of its translation. */
typedef struct refusal {
    const char *code, *text;
} refusal;

typedef struct request {
    enum request_kind kind;
    char id[REQUEST_ID_MAX + 1]; /* "" where there is none */
    char table[GRAL_GAME_ID_MAX + 1];
    char name[REQUEST_NAME_MAX + 1];
    uint64_t given; /* bit m: member m was there */
    unsigned seat;  /* from 0; GRAL_NOBODY where none was named */
    uint32_t version, have;
    bool on;
    uint8_t rating_class; /* enum rating_class */
    enum pairing_size size;
    uint8_t seen;                 /* enum tie_seen */
    uint8_t shown[PROFILE_PARTS]; /* enum tie_seen; TIE_SEENS where nothing is said of it */
    bool days;
    uint32_t wait;    /* seconds until computer players come; 0: never */
    gral_input input; /* action, salt, to, order, offer and words, as far as this kind has them */
    char words[GRAL_TALK_MAX + 1];
    gral_terms terms; /* without id and seed */
    bool first_by_chance;
    char tournament[GRAL_GAME_ID_MAX + 1];
    tournament_terms announced; /* without maker and seed */
    uint64_t ticket;            /* the same for the same bytes, never 0 */
} request;

/* True, or false and why. What could be read of the id is in the request in both cases. `text` must last as long as the
 * refusal does; `detail` holds the sentence where it is made for the occasion. */
bool request_read(gral_span text, request *request, refusal *why, gral_error *detail);

#endif
