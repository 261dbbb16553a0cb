/* An errand: what somebody asks over HTTP about who he is and how he is reached, from the request to the answer.
 * errand.c takes it on its way and owns it, errand_body.c reads it; accounts.c and ways.c say what is done at each
 * station. Inside of these only. */
#ifndef GRAL_SERVER_ERRAND_H
#define GRAL_SERVER_ERRAND_H

#include "server/guess.h"
#include "server/hashing.h"
#include "server/link_token.h"
#include "server/parts.h"
#include "server/post.h"

#include <jansson.h>
#include <sodium.h>

enum {
    PASSWORD_MIN = 8,
    PASSWORD_MAX = 200,
    LABEL_MAX = 60,
    TOKEN_DAYS = 365,   /* a token lasts so long at most */
    LOGIN_ID_BYTES = 8, /* of the hash of a session or token: its owner names it by them */
    LOGIN_ID_TEXT = 2 * LOGIN_ID_BYTES + 1,
    ERRAND_WRITES_MAX = 4
};

/* The members of a body. */
enum errand_member {
    BODY_NAME,
    BODY_PASSWORD,
    BODY_NEW_PASSWORD,
    BODY_LABEL,
    BODY_DAYS,
    BODY_MAIL,
    BODY_ENDPOINT,
    BODY_KEY,
    BODY_AUTH,
    BODY_LANGUAGE,
    BODY_EVENTS,
    BODY_DIGEST,
    BODY_TOKEN,
    BODY_MEMBERS
};
#define BODY(member) (1u << BODY_##member)

/* Why not. */
typedef struct denial {
    refusal why;
    unsigned status; /* of HTTP; 0: it is no denial */
    unsigned wait;   /* seconds, to be told; 0 for none */
} denial;

static const denial no_denial = {0};
extern const denial denied_who, denied_link;

static inline bool is_denied(denial denial)
{
    return denial.status != 0;
}

typedef struct errand errand;

/* How a request is served. */
typedef struct errand_kind {
    const char *method, *path;
    uint16_t body, optional;               /* the members that its body must have, and that it may have */
    bool login;                            /* the id of a session, a token or a way follows the path */
    bool link;                             /* the token of a link does */
    bool makes_name;                       /* which has a price of its own */
    bool identity;                         /* it is about the sender, who must be somebody */
    bool programs;                         /* he may be a program, which is for playing else */
    bool bounded;                          /* its password is a guess (guess.h) */
    void (*look)(errand *errand);          /* on the pool: beside who sends it; NULL for nothing more */
    void (*hash)(errand *errand);          /* on the pool, when its turn has come; NULL where nothing is hashed */
    denial (*decide)(errand *errand);      /* on the loop: adds writes, or refuses; NULL: there is nothing to decide */
    bool (*piece)(errand *errand);         /* on the pool, after that: what takes long, piece by piece; false when it is
                                              done, and `file` is the answer. Few at a time */
    const denial *conflict;                /* what it means when these cannot be written; NULL: it does not happen */
    void (*effect)(const errand *errand);  /* what is in memory follows what was written; NULL for nothing */
    void (*answer)(errand *errand, pen *); /* the body, once everything is written */
    bool ends_session, ends_device;        /* the cookies go */
} errand_kind;

struct errand {
    uv_work_t work;
    hashing_turn turn;
    server *server;
    web_exchange *exchange;
    const errand_kind *kind;
    origin from;
    char address[64]; /* kept for the log of failed logins, if that is wanted; else empty */
    bool has_session, by_token, has_device, secure;
    uint8_t session[STORE_SECRET_BYTES], device[STORE_SECRET_BYTES];
    char session_text[SECRET_TEXT], device_text[SECRET_TEXT]; /* for the cookies: what was given, then what is new */
    char name[NAME_BYTES_MAX], key[NAME_KEY_MAX], label[LABEL_MAX + 1];
    char password[PASSWORD_MAX + 1], new_password[PASSWORD_MAX + 1];
    unsigned days; /* 0: not said */
    char login[LOGIN_ID_TEXT];
    uint64_t since;                /* see session_ended_since */
    store_user self, other, owner; /* who sends it; whom the name means; whose device it is */
    bool known_device;
    bool right;  /* the password is */
    bool failed; /* the store could not be read */
    char hashed[crypto_pwhash_STRBYTES];
    uint64_t user;
    bool guest;
    bool sets_session, sets_device;
    char token[SECRET_TEXT];
    int64_t ends; /* it does */
    bool found;   /* the session or token that was named is his: */
    uint8_t ended[STORE_SECRET_BYTES];
    store_write write[ERRAND_WRITES_MAX];
    size_t write_count;
    pen list;                         /* in JSON */
    char where[POST_ADDRESS_MAX + 1]; /* an address or an endpoint */
    char keys[160];                   /* of a browser: its two words */
    char language[3];
    uint8_t events, digest;
    char link[LINK_TOKEN_TEXT];
    uint64_t letter; /* that the link is from, and its number */
    uint32_t letter_number;
    bool takes_long, goes_on;
    FILE *file; /* without a name; NULL for none */
    struct takeout *takeout;
};

/* accounts.c, on the pool: sessions, tokens or devices of the sender, into `list`. */
void accounts_list_logins(errand *errand, enum store_session session);

void accounts_hash(errand *errand, const char *password); /* into `hashed` */
store_write *errand_write(errand *errand, uint8_t kind);  /* one more, about `user`, now */
void errand_require_session(errand *errand); /* everything after it is written only if the session is still there */
void errand_answer_ok(errand *errand, pen *out);
bool errand_pays(const errand *errand, enum budget_kind kind); /* the sender does, and where he comes from */
/* Of a table of kinds, if one is meant. */
bool errand_request(server *server, web_exchange *exchange, const web_request *request, const errand_kind *kinds,
                    unsigned count);

/* errand_body.c: every member that the kind of the errand must have, and none that it may not. `body` is NULL where
 * there is none. */
denial errand_read_body(errand *errand, const json_t *body);

/* ways.c, on the pool: how the sender can be reached, into `list` */
void ways_list(errand *errand);

/* takeout.c: a piece of it; and what it was made with goes. */
bool takeout_go_on(errand *errand);
void takeout_end(errand *errand);

void errand_was_no_guess(const errand *errand);
void errand_was_wrong(errand *errand); /* the password */

#endif
