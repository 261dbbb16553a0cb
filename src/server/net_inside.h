/* What the files of the network share; nobody else includes it. net.c has the connections, net_port.c what they
 * need of the system, net_crowd.c how many come from where, net_http.c what requests say, net_exchange.c how they are
 * answered, net_socket.c the WebSockets.
 */
#ifndef GRAL_SERVER_NET_INSIDE_H
#define GRAL_SERVER_NET_INSIDE_H

#include "server/net.h"
#include "server/source.h"

#include <libwebsockets.h>
#include <netinet/in.h>

enum {
    BACKLOG = 1024,     /* connections that wait to be accepted */
    BUCKETS = 1024,     /* a power of two */
    REQUEST_MAX = 4096, /* bytes of a request's line and headers together */
    ADDRESS_MAX = INET6_ADDRSTRLEN,
    REASON_MAX = 124, /* bytes of a reason in a close frame, with its zero */
};

enum peer_stage {
    PEER_HTTP,    /* asks and is answered */
    PEER_LET_IN,  /* `opening` said yes; the handshake is on its way */
    PEER_OPEN,    /* messages go both ways */
    PEER_CLOSING, /* goes as soon as its queue is out */
    PEER_DEAD,    /* nothing goes out any more */
};

typedef struct crowd crowd; /* all connections from one source */

/* Where the exchange of a request and its answer is; net_exchange.c has what each means. */
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
    uint32_t watched;      /* what it waits for in net->ready */
    size_t body_left;      /* bytes of the body that are to come */
    net_exchange *handled; /* what the handler has; NULL in any other stage */
} exchange;

typedef struct chunk {
    struct chunk *next;
    size_t length, sent;
    const char *lasting;   /* where the bytes are if they are not here */
    unsigned char bytes[]; /* LWS_PRE for lws, then `length`, then one for a zero */
} chunk;

/* A connection: first it asks over HTTP, then it may become a WebSocket. */
struct net_peer {
    net *net;
    struct lws *wsi;
    net_peer *next, **link;       /* the others */
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
    size_t queued;       /* bytes, with what it costs to keep them */
    unsigned status;     /* to close with */
    char *reason;
    void *data;
};

struct net {
    net_settings settings;
    char *origins;
    net_handlers handlers;
    void *context;
    uv_loop_t *loop;
    struct lws_context *lws;
    struct lws_vhost *vhost;
    int ready; /* an epoll of the connections that net_exchange.c waits for itself */
    uv_poll_t ready_poll;
    net_peer *served; /* by net_exchange.c in this moment; NULL when that was its end */
    uv_poll_t listener;
    int socket; /* that listens; -1 when closed */
    unsigned port;
    uv_timer_t clock;
    uint64_t closing_since; /* 0 while it serves */
    unsigned closing_turns;
    unsigned connections;
    size_t queued; /* by all peers */
    net_figures figures;
    net_peer *peers;
    crowd *crowds[BUCKETS];
    uint8_t crowd_key[16];
};

/* Forgets all clocks but this one. */
void peer_allow(net_peer *peer, unsigned seconds);
/* Ends it soon and rudely; what was queued is gone at once. */
void peer_kill(net_peer *peer);
/* Counts it for this address from now on. False when there are too many from there; then it is counted for none. */
bool peer_settle(net_peer *peer, const struct sockaddr *address);
/* Adds to what is arriving. False when it would be longer than a message may be, or there is no memory. */
bool peer_hear(net_peer *peer, const void *bytes, size_t length);
void peer_forget_heard(net_peer *peer);
/* A new chunk at the end of the queue, for the caller to fill with `length` bytes; NULL without memory. */
unsigned char *peer_queue(net_peer *peer, size_t length);
/* The same for bytes that outlive the connection; false without memory. */
bool peer_queue_lasting(net_peer *peer, gral_span bytes);
/* Whether it may have so much in its queue, which is not empty. The first message may be longer than all that may wait
 * behind it: somebody comes back and hears the whole story. When all queues together are long, each may be shorter. */
bool peer_may_wait(const net_peer *peer);
/* Sends the next piece of the queue, which is not empty. False when the connection is broken. */
bool peer_write(net_peer *peer);
/* Whether lws should read from it. */
void peer_listen_to(net_peer *peer, bool yes);

void crowd_open(net *net);
/* Counts one more for each source of the address. False, and nothing counted, when one of them has too many (if that is
 * `limited`) or there is no memory. */
bool crowd_enter(net *net, const char *address, bool limited, crowd *entered[SOURCE_LEVELS]);
/* Whether one more may come now: no source may have more in a second than it may have at all. Asked for new connections
 * only. */
bool crowd_pay(net *net, crowd *entered[SOURCE_LEVELS]);
void crowd_leave(crowd *entered[SOURCE_LEVELS]);
/* Forgets those that nobody is in and that have not come too fast, or all of them. */
void crowd_sweep(net *net, bool all);

/* Each is false with a message. */
__attribute__((format(printf, 2, 3))) bool port_fail(gral_error *error, const char *format, ...);
bool port_make_room(const net_settings *settings, gral_error *error);
bool port_check_certificate(const net_settings *settings, gral_error *error);
bool port_load_certificate(SSL_CTX *tls, const net_settings *settings, gral_error *error);
bool port_listen(net *net, gral_error *error);
bool port_open_ready(net *net, gral_error *error);

/* A request in zero-terminated texts. They fit: lws has no more bytes of it, and each text adds a zero and, where
 * lws joins two headers of one name, nothing that lws has not counted. */
typedef struct asked {
    net_request request;
    const char *origin, *length, *transfer, *version, *forwarded_for;
    size_t body_length; /* what http_fault makes of `length` */
    char bytes[2 * REQUEST_MAX];
    size_t used;
} asked;

void http_read(asked *asked, net_peer *peer);
/* Whether lws has the head of a request. */
bool http_has_head(const net_peer *peer);
/* The status to refuse it with, or 0; what opens a WebSocket is asked about with the second one. */
unsigned http_fault(net_peer *peer, asked *asked);
unsigned http_upgrade_fault(net_peer *peer, asked *asked);
/* False without memory. */
bool http_queue_reply(net_peer *peer, const net_reply *reply, bool head_only);
/* Headers that every reply has, as lws wants them for the replies it makes up itself. */
const struct lws_protocol_vhost_options *http_headers(void);

void exchange_open(net *net);
void exchange_close(net *net);
/* The peer is dead; whoever answers it later answers nobody. */
void exchange_end(net_peer *peer);
/* What lws tells; each returns what lws shall be told: 0 to go on. */
int exchange_on_request(net_peer *peer);
int exchange_on_body(net_peer *peer, const void *bytes, size_t length);
int exchange_on_writeable(net_peer *peer);
int exchange_on_upgrade(net_peer *peer);

void socket_on_life(net_peer *peer);
int socket_on_opened(net_peer *peer);
int socket_on_bytes(net_peer *peer, const void *bytes, size_t length);
int socket_on_writeable(net_peer *peer);
int socket_on_timer(const net_peer *peer);
void socket_check(net_peer *peer, uint64_t now);

#endif
