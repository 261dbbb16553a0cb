/* What the files of the network share; nobody else includes it. web.c has the connections, web_port.c what they
 * need of the system, web_queue.c what arrives and waits there, web_crowd.c how many come from where, web_http.c what
 * requests say, web_exchange.c how they are answered, web_socket.c the WebSockets.
 */
#ifndef GRAL_SERVER_WEB_INSIDE_H
#define GRAL_SERVER_WEB_INSIDE_H

#include "server/source.h"
#include "server/web.h"

#include <libwebsockets.h>
#include <netinet/in.h>

enum {
    BACKLOG = 1024,     /* connections that wait to be accepted */
    BUCKETS = 1024,     /* a power of two */
    REQUEST_MAX = 4096, /* bytes of a request's line and headers together */
    ADDRESS_MAX = INET6_ADDRSTRLEN,
    REASON_MAX = 124, /* bytes of a reason in a close frame, with its zero */
    PIECE = 16 << 10, /* given to lws at once */
    FRAME_HEADER = 4, /* before a piece */
};

enum peer_stage {
    PEER_HTTP,    /* asks and is answered */
    PEER_LET_IN,  /* `opening` said yes; the handshake is on its way */
    PEER_OPEN,    /* messages go both ways */
    PEER_CLOSING, /* goes as soon as its queue is out */
    PEER_DEAD,    /* nothing goes out any more */
};

typedef struct crowd crowd; /* all connections from one source */

/* Where the exchange of a request and its answer is; web_exchange.c has what each means. */
enum exchange_stage {
    EXCHANGE_HEAD,      /* a head is waited for, or arriving */
    EXCHANGE_BODY,      /* its body is arriving */
    EXCHANGE_HANDLED,   /* its handler has it */
    EXCHANGE_ANSWERING, /* the answer goes out */
    EXCHANGE_PARTING,   /* the last answer is out; what still comes is thrown away */
};

typedef struct exchange {
    enum exchange_stage stage;
    bool last;             /* the connection ends with the answer */
    uint32_t watched;      /* what it waits for in web->ready */
    size_t body_left;      /* bytes of the body that are to come */
    web_exchange *handled; /* what the handler has; NULL in any other stage */
} exchange;

typedef struct chunk {
    struct chunk *next;
    size_t length, sent;
    const char *lasting;              /* where the bytes are if they are not here */
    void (*release)(gral_span bytes); /* of those, see web_reply */
    unsigned char bytes[];            /* LWS_PRE for lws, then `length`, then one for a zero */
} chunk;

/* A connection: first it asks over HTTP, then it may become a WebSocket. */
struct web_peer {
    web *web;
    struct lws *wsi;
    web_peer *next, **link;       /* the others */
    crowd *crowds[SOURCE_LEVELS]; /* that it is counted in */
    char address[ADDRESS_MAX];
    enum peer_stage stage;
    bool settled;                /* counted for who the proxy says it is */
    bool let_in;                 /* `closed` will be told of its end */
    bool ping_due, pinged, deaf; /* to be asked, was asked for a sign of life; told lws to read no more from it */
    bool secure;                 /* the last request came over TLS, here or at the proxy */
    uint64_t heard;              /* when it last said something */
    uint64_t deadline;           /* when it must be done with what it is at; 0 for no hurry */
    exchange exchange;
    char *incoming; /* the message or body that is arriving */
    size_t incoming_length, incoming_room;
    chunk *first, *last; /* waiting to go out */
    bool due;            /* there is something new in it */
    web_peer *prev_due, *next_due;
    size_t queued;   /* bytes, with what it costs to keep them */
    unsigned status; /* to close with */
    char *reason;
    void *data;
};

struct web {
    web_settings settings;
    char *origins;
    web_handlers handlers;
    void *context;
    uv_loop_t *loop;
    struct lws_context *lws;
    struct lws_vhost *vhost;
    SSL_CTX *tls; /* NULL without */
    int ready;    /* an epoll of the connections that web_exchange.c waits for itself */
    uv_poll_t ready_poll;
    web_peer *served; /* by web_exchange.c in this moment; NULL when that was its end */
    uv_poll_t listener;
    int socket; /* that listens; -1 when closed */
    unsigned port;
    uv_prepare_t after_timers;
    uv_check_t after_events;
    web_peer *due; /* to be sent something at the end of this turn of the loop */
    unsigned char *packet;
    uv_timer_t clock;
    uint64_t closing_since; /* 0 while it serves */
    bool elsewhere;         /* whoever is closed is told to go on there */
    unsigned closing_turns;
    unsigned connections;
    size_t queued; /* by all peers */
    web_figures figures;
    web_peer *peers;
    crowd *crowds[BUCKETS];
    uint8_t crowd_key[16];
};

/* Forgets all clocks but this one. */
void peer_allow(web_peer *peer, unsigned seconds);
/* Ends it soon and rudely; what was queued is gone at once. */
void peer_kill(web_peer *peer);
/* Counts it for this address from now on. False when there are too many from there; then it is counted for none. */
bool peer_settle(web_peer *peer, const struct sockaddr *address);
/* Adds to what is arriving. False when it would be longer than a message may be, or there is no memory. */
bool peer_hear(web_peer *peer, const void *bytes, size_t length);
void peer_forget_heard(web_peer *peer);
/* A new chunk at the end of the queue, for the caller to fill with `length` bytes; NULL without memory. */
unsigned char *peer_queue(web_peer *peer, size_t length);
/* The same for bytes that outlive the connection; false without memory. */
bool peer_queue_lasting(web_peer *peer, const web_reply *reply);
/* Whether it may have so much in its queue, which is not empty. The first message may be longer than all that may wait
 * behind it: somebody comes back and hears the whole story. When all queues together are long, each may be shorter. */
bool peer_may_wait(const web_peer *peer);
/* Drops the first chunk of the queue, which is not empty. */
void peer_unqueue(web_peer *peer);
/* Sends as much of the queue, which is not empty, as goes out at once. False when the connection is broken. */
bool peer_write(web_peer *peer);
/* Whether lws should read from it. */
void peer_listen_to(web_peer *peer, bool yes);

void crowd_open(web *web);
/* Counts one more for each source of the address. False, and nothing counted, when one of them has too many (if that is
 * `limited`) or there is no memory. */
bool crowd_enter(web *web, const char *address, bool limited, crowd *entered[SOURCE_LEVELS]);
/* Whether one more may come now: no source may have more in a second than it may have at all. Asked for new connections
 * only. */
bool crowd_pay(web *web, crowd *entered[SOURCE_LEVELS]);
void crowd_leave(crowd *entered[SOURCE_LEVELS]);
/* Forgets those that nobody is in and that have not come too fast, or all of them. */
void crowd_sweep(web *web, bool all);

/* Each is false with a message. */
__attribute__((format(printf, 2, 3))) bool port_fail(gral_error *error, const char *format, ...);
bool port_make_room(const web_settings *settings, gral_error *error);
bool port_check_certificate(const web_settings *settings, gral_error *error);
bool port_load_certificate(SSL_CTX *tls, const web_settings *settings, gral_error *error);
bool port_listen(web *web, gral_error *error);
bool port_open_ready(web *web, gral_error *error);

/* A request in zero-terminated texts. They fit: lws has no more bytes of it, and each text adds a zero and, where
 * lws joins two headers of one name, nothing that lws has not counted. */
typedef struct asked {
    web_request request;
    const char *origin, *length, *transfer, *version, *forwarded_for;
    size_t body_length; /* what http_fault makes of `length` */
    char bytes[2 * REQUEST_MAX];
    size_t used;
} asked;

void http_read(asked *asked, web_peer *peer);
/* Whether lws has the head of a request. */
bool http_has_head(const web_peer *peer);
/* The status to refuse it with, or 0; what opens a WebSocket is asked about with the second one. */
unsigned http_fault(web_peer *peer, asked *asked);
unsigned http_upgrade_fault(web_peer *peer, asked *asked);
/* False without memory. */
bool http_queue_reply(web_peer *peer, const web_reply *reply, bool head_only);
/* Headers that every reply has, as lws wants them for the replies it makes up itself. */
const struct lws_protocol_vhost_options *http_headers(void);

void exchange_open(web *web);
void exchange_close(web *web);
/* The peer is dead; whoever answers it later answers nobody. */
void exchange_end(web_peer *peer);
/* What lws tells; each returns what lws shall be told: 0 to go on. */
int exchange_on_request(web_peer *peer);
int exchange_on_body(web_peer *peer, const void *bytes, size_t length);
int exchange_on_writeable(web_peer *peer);
int exchange_on_upgrade(web_peer *peer);

/* Sends what was said to WebSockets in this turn of the loop. */
void socket_send_due(web *web);
void socket_end(web_peer *peer); /* it goes */
void socket_on_life(web_peer *peer);
int socket_on_opened(web_peer *peer);
int socket_on_bytes(web_peer *peer, const void *bytes, size_t length);
int socket_on_writeable(web_peer *peer);
int socket_on_timer(const web_peer *peer);
void socket_check(web_peer *peer, uint64_t now);

#endif
