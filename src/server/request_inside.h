/* What request.c, which knows the kinds of requests, and request_members.c, which reads their members, know of each
 * other. */
#ifndef GRAL_SERVER_REQUEST_INSIDE_H
#define GRAL_SERVER_REQUEST_INSIDE_H

#include "server/request.h"

#include <jansson.h>

enum member {
    MEMBER_ID,
    MEMBER_DO,
    MEMBER_TABLE,
    MEMBER_SEAT,
    MEMBER_VERSION,
    MEMBER_HAVE,
    MEMBER_ON,
    MEMBER_ACTIONS,
    MEMBER_SALT,
    MEMBER_ORDER,
    MEMBER_OFFER,
    MEMBER_TEXT,
    MEMBER_TO,
    MEMBER_NAME,
    MEMBER_LEVEL,
    MEMBER_AS,
    MEMBER_PLAYERS,
    MEMBER_RULES,
    MEMBER_HQ,
    MEMBER_FIRST,
    MEMBER_LIMIT,
    MEMBER_COMPUTERS,
    MEMBER_CLOCK,
    MEMBER_PACE,
    MEMBER_LISTED,
    MEMBER_NOTEPAD,
    MEMBER_TALK,
    MEMBER_RATED,
    MEMBER_ROOM,
    MEMBER_CLASS,
    MEMBER_SIZE,
    MEMBER_DAYS,
    MEMBER_WAIT,
    MEMBER_BY,
    MEMBER_TOURNAMENT,
    MEMBER_TITLE,
    MEMBER_SYSTEM,
    MEMBER_ROUNDS,
    MEMBER_ROUND,
    MEMBER_PEOPLE,
    MEMBER_BEGINS,
    MEMBER_AFTER,
    MEMBER_PARTS, /* one for each part of a profile */
    MEMBERS = MEMBER_PARTS + PROFILE_PARTS
};

#define BIT(member) (UINT64_C(1) << (member))

enum { CHARACTER_MAX = 16 };

typedef struct reader {
    request *request;
    gral_settings_reader settings;
    gral_error *detail;
    int64_t level; /* of a computer player */
    char character[CHARACTER_MAX];
} reader;

/* Where a value goes and what it may be are for the readers that many members share. */
typedef struct request_member {
    const char *name;
    bool (*read)(reader *reader, const struct request_member *member, const json_t *value);
    size_t at;           /* in the request */
    int64_t least, most; /* of a string: the bytes there is room for */
    enum gral_key key;
    const char *wrong; /* what is said where the reader has said nothing */
} request_member;

extern const request_member request_members[MEMBERS];

bool request_fail(reader *reader, const char *text); /* returns false */
bool request_read_text(const json_t *value, char *text, size_t capacity);
bool request_is_plain(const char *text); /* as an id is */

/* What is true of the settings together, and of computers and seats; of a tournament; of a computer player. */
bool request_finish_terms(reader *reader);
bool request_finish_tournament(reader *reader);
bool request_finish_computer(reader *reader);

#endif
