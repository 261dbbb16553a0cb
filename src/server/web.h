/* The network: HTTP and WebSocket, as the rest of the server wants to see them. One thread, one libuv loop; nothing
 * here blocks. Whatever comes from outside has been bounded in size, time and number when it gets past this file. */
#ifndef GRAL_SERVER_WEB_H
#define GRAL_SERVER_WEB_H

#include "gral/notation.h"

#include <uv.h>

typedef struct web web;
typedef struct web_peer web_peer;         /* one WebSocket */
typedef struct web_exchange web_exchange; /* one HTTP request that waits for its answer */

typedef struct web_settings {
    const char *address;     /* to listen on: "127.0.0.1", "::", a name of this machine; NULL for all */
    unsigned port;           /* 0: any free one, see web_port */
    const char *certificate; /* PEM files; NULL without TLS */
    const char *key;
    const char *origins; /* further origins that may open WebSockets and POST, separated by blanks; the server's own
                            Host always may */
    bool behind_proxy;   /* the client's address and scheme are in X-Forwarded-For and -Proto */
    unsigned connections_max, connections_per_address;
    bool paced;                /* nobody may open more in a second than he may have */
    unsigned message_max;      /* bytes of one incoming message or POST body */
    unsigned queue_max;        /* bytes waiting for one slow reader before it is cut off; a single message may have 8
                                  times as many, and all queues together 256 times before each has less */
    unsigned idle_seconds;     /* ping after so long in silence; gone after twice that */
    unsigned patience_seconds; /* for a request or a message to be complete once it has begun */
} web_settings;

/* What a request said. Everything is a zero-terminated text, "" when it was not there, valid during the call. The path
 * and the query have their %-signs resolved. */
typedef struct web_request {
    const char *method, *path, *query, *host, *cookie, *authorization, *accept_language, *accept_encoding, *etag;
    const char *address; /* of the client */
    bool secure;         /* it came over TLS, here or at the proxy */
    gral_span body;
} web_request;

typedef struct web_reply {
    unsigned status;
    const char *type;                /* content type */
    const char *headers;             /* further header lines, each ended by "\r\n"; NULL for none */
    gral_span body;                  /* copied, unless */
    bool lasting;                    /* it outlives the server, as a file of the program does; or until */
    void (*release)(gral_span body); /* is called, once, when a lasting body is not needed any more; NULL for nothing */
} web_reply;

typedef struct web_handlers {
    /* Answer with web_answer, now or later; `exchange` is valid until it is answered. */
    void (*request)(void *context, web_exchange *exchange, const web_request *request);
    /* A WebSocket wants to open at `path`. 0 to let it, or the HTTP status to refuse with. What is set with
     * web_peer_set now stays with it. */
    unsigned (*opening)(void *context, web_peer *peer, const web_request *request);
    void (*opened)(void *context, web_peer *peer);
    /* One whole message; it ends with a zero byte that is not counted. */
    void (*message)(void *context, web_peer *peer, gral_span message);
    /* Once for each that `opening` let in, also when it never got as far as `opened`. */
    void (*closed)(void *context, web_peer *peer);
} web_handlers;

/* Listens, or NULL and a message that says what to do. The loop and the handlers' context are the caller's and outlive
 * it. The process's limit of open files becomes what the connections need. */
web *web_open(const web_settings *settings, const web_handlers *handlers, void *context, uv_loop_t *loop,
              gral_error *error);
unsigned web_port(const web *web);

/* Where other machines reach it, as things are now: the one that is most likely to be in the same network as a phone
 * comes first. None where it listens to this machine only. */
enum { WEB_ADDRESSES_MAX = 8 };
typedef struct web_address {
    char url[80]; /* "http://192.168.1.5:8080/" */
} web_address;
unsigned web_addresses(const web *web, web_address address[WEB_ADDRESSES_MAX]);

/* From now on these settings count, and the certificate as it is now; whoever is connected stays. False and a message
 * where the certificate is of no use, or TLS would have to come or go: then nothing has changed. Address, port, the
 * proxy and the number of connections stay what they are. */
bool web_reload(web *web, const web_settings *settings, gral_error *error);

/* Stops listening and closes every peer, with status 1012 where it can go on `elsewhere` at once, else 1001; then the
 * caller runs the loop until it is empty, which takes no more than a few seconds. `web` is freed on the way. */
void web_close(web *web, bool elsewhere);

/* Queues a text message for an open peer; the bytes are copied. A peer that reads too slowly is closed; what is sent
 * to one that is closing goes nowhere. */
void web_send(web_peer *peer, gral_span message);
/* Closes it after what is queued has gone out. */
void web_drop(web_peer *peer, unsigned status, const char *reason);
void web_peer_set(web_peer *peer, void *data);
void *web_peer_data(const web_peer *peer);

/* The exchange is over; if the client has gone in the meantime, nothing is sent. */
void web_answer(web_exchange *exchange, const web_reply *reply);

typedef struct web_figures {
    uint64_t accepted, refused, messages_in, messages_out, bytes_in, bytes_out, dropped_slow, requests;
    unsigned peers;
} web_figures;

web_figures web_count(const web *web);

#endif
