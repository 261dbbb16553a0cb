/* Messages to browsers: encrypted for the browser alone (RFC 8291, aes128gcm), with a token that tells the push service
 * who sends them (RFC 8292, VAPID). Only arithmetic: whoever calls supplies the chance and the time. */
#ifndef GRAL_SERVER_WEBPUSH_H
#define GRAL_SERVER_WEBPUSH_H

#include "gral/notation.h"

enum {
    WEBPUSH_POINT_BYTES = 65, /* a public key: P-256, not compressed */
    WEBPUSH_SECRET_BYTES = 32,
    WEBPUSH_AUTH_BYTES = 16,
    WEBPUSH_SALT_BYTES = 16,
    WEBPUSH_TEXT_MAX = 3000,                           /* what every push service takes */
    WEBPUSH_BODY_MAX = WEBPUSH_TEXT_MAX + 86 + 1 + 16, /* with head, end mark and seal */
    WEBPUSH_TOKEN_MAX = 1024
};

typedef struct webpush_pair {
    uint8_t secret[WEBPUSH_SECRET_BYTES];
    uint8_t point[WEBPUSH_POINT_BYTES];
} webpush_pair;

/* The pair of a secret; false when it is none. Nearly every 32 bytes are one. */
bool webpush_pair_of(const uint8_t secret[WEBPUSH_SECRET_BYTES], webpush_pair *pair);

/* A browser's keys, as it says them: two words of base64url. False when they cannot be. */
typedef struct webpush_browser {
    uint8_t point[WEBPUSH_POINT_BYTES];
    uint8_t auth[WEBPUSH_AUTH_BYTES];
} webpush_browser;
bool webpush_read_browser(const char *point, const char *auth, webpush_browser *browser);

/* What is posted to the push service. `own` and the salt must be new for every message. Returns its length, 0 when it
 * cannot be made. */
size_t webpush_encrypt(gral_span text, const webpush_browser *browser, const webpush_pair *own,
                       const uint8_t salt[WEBPUSH_SALT_BYTES], uint8_t body[WEBPUSH_BODY_MAX]);

/* The value of the header Authorization. `audience` is the origin of the push service, `contact` who can be asked,
 * "mailto:…" or "https:…". */
bool webpush_authorize(const webpush_pair *server, const char *audience, const char *contact, int64_t ends_seconds,
                       char text[WEBPUSH_TOKEN_MAX]);

#endif
