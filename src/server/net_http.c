/* Requests and their answers. A request reaches its handler when all of it is here, and has been checked for what
 * another site's page could make a browser do: browsers tell in Origin whose page it was. While the answer is on its
 * way the connection is not read from, so there is one request at a time. */
#include "net_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum { STUCK_MS = 1000 };

struct net_exchange {
    net_peer *peer; /* NULL when it has gone */
    bool head_only;
};

/* Linked as lws wants it; the reply of a handler gets the same ones. */
static const struct lws_protocol_vhost_options house[] = {
    {&house[1], NULL, "x-content-type-options:", "nosniff"},
    {&house[2], NULL, "referrer-policy:", "no-referrer"},
    {&house[3], NULL, "content-security-policy:",
     "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; style-src 'self'; "
     "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
    {&house[4], NULL, "cross-origin-opener-policy:", "same-origin"},
    {NULL, NULL, "cross-origin-resource-policy:", "same-origin"},
};

const struct lws_protocol_vhost_options *http_headers(void)
{
    return house;
}

/* --- what was asked --- */

static bool is(const char *text, const char *other)
{
    return strcmp(text, other) == 0;
}

/* A request in zero-terminated texts. They fit: lws has no more bytes of it, and each text adds a zero and, where
 * lws joins two headers of one name, nothing that lws has not counted. */
typedef struct asked {
    net_request request;
    const char *origin, *length, *transfer, *version, *forwarded_for;
    char bytes[2 * REQUEST_MAX];
    size_t used;
} asked;

static const char *copy_header(asked *asked, struct lws *wsi, enum lws_token_indexes token)
{
    char *text = asked->bytes + asked->used;
    const int length = lws_hdr_copy(wsi, text, (int)(sizeof asked->bytes - asked->used), token);
    if (length <= 0)
        return "";
    asked->used += strlen(text) + 1;
    return text;
}

/* For headers that lws has no token for; the name is in lower case, with its colon. */
static const char *copy_rare_header(asked *asked, struct lws *wsi, const char *name)
{
    char *text = asked->bytes + asked->used;
    const int room = (int)(sizeof asked->bytes - asked->used);
    const int length = lws_hdr_custom_copy(wsi, text, room, name, (int)strlen(name));
    if (length <= 0)
        return "";
    asked->used += (size_t)length + 1;
    return text;
}

/* lws has cut the query at each "&", and makes an empty one "/". */
static const char *copy_query(asked *asked, struct lws *wsi)
{
    char *text = asked->bytes + asked->used;
    size_t length = 0;
    for (int part = 0;; part++) {
        const size_t room = sizeof asked->bytes - asked->used - length;
        const int got = lws_hdr_copy_fragment(wsi, text + length + (part > 0), (int)room - 1, WSI_TOKEN_HTTP_URI_ARGS,
                                              part);
        if (got < 0)
            break;
        if (part > 0)
            text[length++] = '&';
        length += (size_t)got;
    }
    text[length] = '\0';
    asked->used += length + 1;
    return is(text, "/") ? "" : text;
}

static void read_request(asked *asked, net_peer *peer)
{
    static const struct {
        enum lws_token_indexes token;
        const char *name;
    } methods[] = {
        {WSI_TOKEN_GET_URI, "GET"},
        {WSI_TOKEN_HEAD_URI, "HEAD"},
        {WSI_TOKEN_POST_URI, "POST"},
        {WSI_TOKEN_DELETE_URI, "DELETE"},
    };
    struct lws *wsi = peer->wsi;
    asked->used = 0;
    asked->request = (net_request){.method = "", .path = "", .address = peer->address};
    for (size_t at = 0; at < sizeof methods / sizeof *methods; at++) {
        if (lws_hdr_total_length(wsi, methods[at].token) == 0)
            continue;
        asked->request.method = methods[at].name;
        asked->request.path = copy_header(asked, wsi, methods[at].token);
    }
    asked->request.query = copy_query(asked, wsi);
    asked->request.host = copy_header(asked, wsi, WSI_TOKEN_HOST);
    asked->request.cookie = copy_header(asked, wsi, WSI_TOKEN_HTTP_COOKIE);
    asked->request.authorization = copy_header(asked, wsi, WSI_TOKEN_HTTP_AUTHORIZATION);
    asked->request.accept_language = copy_header(asked, wsi, WSI_TOKEN_HTTP_ACCEPT_LANGUAGE);
    asked->request.accept_encoding = copy_header(asked, wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    asked->request.etag = copy_header(asked, wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    peer->secure = lws_is_ssl(wsi) != 0;
    asked->origin = copy_header(asked, wsi, WSI_TOKEN_ORIGIN);
    asked->length = copy_header(asked, wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    asked->version = copy_header(asked, wsi, WSI_TOKEN_VERSION);
    asked->transfer = copy_header(asked, wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING);
    if (peer->net->settings.behind_proxy) {
        const char *scheme = copy_rare_header(asked, wsi, "x-forwarded-proto:");
        const char *host = copy_rare_header(asked, wsi, "x-forwarded-host:");
        asked->forwarded_for = copy_header(asked, wsi, WSI_TOKEN_X_FORWARDED_FOR);
        peer->secure = is(scheme, "https") || (peer->secure && is(scheme, ""));
        asked->request.host = host[0] != '\0' ? host : asked->request.host;
    }
    asked->request.secure = peer->secure;
}

/* --- who asks --- */

/* The last hop is the one our proxy has seen; those before it are hearsay. */
static bool settle_forwarded(net_peer *peer, const asked *asked)
{
    if (!peer->net->settings.behind_proxy)
        return true;
    const char *comma = strrchr(asked->forwarded_for, ',');
    const char *hop = comma != NULL ? comma + 1 : asked->forwarded_for;
    hop += strspn(hop, " ");
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    if (uv_ip4_addr(hop, 0, &address.four) != 0 && uv_ip6_addr(hop, 0, &address.six) != 0)
        return true;
    return peer_settle(peer, &address.any);
}

static bool is_own_origin(const asked *asked)
{
    const char *scheme = asked->request.secure ? "https://" : "http://";
    return strncasecmp(asked->origin, scheme, strlen(scheme)) == 0 && asked->request.host[0] != '\0' &&
           strcasecmp(asked->origin + strlen(scheme), asked->request.host) == 0;
}

static bool is_listed_origin(const char *list, const char *origin)
{
    const size_t length = strlen(origin);
    for (const char *at = list != NULL ? list : ""; *at != '\0'; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (strcspn(at, " ") == length && strncasecmp(at, origin, length) == 0)
            return true;
    }
    return false;
}

/* Programs send no Origin, and have no cookies of somebody else's. */
static bool may_come_from_there(const net_peer *peer, const asked *asked)
{
    return asked->origin[0] == '\0' || is_own_origin(asked) || is_listed_origin(peer->net->origins, asked->origin);
}

/* --- answering --- */

static void put_header(gral_text *text, const char *name, const char *value)
{
    gral_text_add(text, name);
    gral_text_add(text, " ");
    gral_text_add(text, value);
    gral_text_add(text, "\r\n");
}

static bool has_header(const char *headers, const char *name)
{
    for (const char *line = headers; line != NULL && *line != '\0';) {
        if (strncasecmp(line, name, strlen(name)) == 0)
            return true;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return false;
}

static void put_head(gral_text *text, const net_peer *peer, const net_reply *reply)
{
    gral_text_add(text, "HTTP/1.1 ");
    gral_text_add_number(text, reply->status);
    gral_text_add(text, " \r\n");
    for (const struct lws_protocol_vhost_options *header = house; header != NULL; header = header->next)
        put_header(text, header->name, header->value);
    if (peer->secure)
        put_header(text, "strict-transport-security:", "max-age=31536000");
    if (!has_header(reply->headers, "cache-control:"))
        put_header(text, "cache-control:", "no-store");
    if (peer->last_request)
        put_header(text, "connection:", "close");
    if (reply->headers != NULL)
        gral_text_add(text, reply->headers);
    if (reply->status != 204 && reply->status != 304) {
        put_header(text, "content-type:", reply->type != NULL ? reply->type : "text/plain");
        gral_text_add(text, "content-length: ");
        gral_text_add_number(text, (uint32_t)reply->body.length);
        gral_text_add(text, "\r\n");
    }
    gral_text_add(text, "\r\n");
}

/* Queues head and body as one; false without memory. */
static bool queue_reply(net_peer *peer, const net_reply *reply, bool head_only)
{
    char nothing[1];
    gral_text measure = gral_text_in(nothing, sizeof nothing);
    put_head(&measure, peer, reply);
    const size_t body = head_only ? 0 : reply->body.length;
    char *bytes = (char *)peer_queue(peer, measure.length + body);
    if (bytes == NULL)
        return false;
    gral_text text = gral_text_in(bytes, measure.length + 1); /* a queue has room for this zero */
    put_head(&text, peer, reply);
    if (body > 0)
        memcpy(bytes + measure.length, reply->body.bytes, body);
    return true;
}

/* Turns it away; what else it sends on this connection is not looked at. */
static void refuse(net_peer *peer, unsigned status)
{
    static const struct {
        unsigned status;
        const char *headers;
    } more[] = {{405, "allow: GET, HEAD, POST, DELETE\r\n"}, {426, "sec-websocket-version: 13\r\n"}};
    net_reply reply = {.status = status};
    for (size_t at = 0; at < sizeof more / sizeof *more; at++)
        if (more[at].status == status)
            reply.headers = more[at].headers;
    peer->net->figures.refused++;
    peer->last_request = true;
    peer_allow(peer, peer->net->settings.patience_seconds);
    if (!queue_reply(peer, &reply, false))
        peer_kill(peer);
}

void net_answer(net_exchange *exchange, const net_reply *reply)
{
    net_peer *peer = exchange->peer;
    if (peer != NULL && peer->stage == PEER_HTTP) {
        peer->exchange = NULL;
        if (queue_reply(peer, reply, exchange->head_only)) {
            peer_allow(peer, peer->net->settings.idle_seconds);
            peer_listen_to(peer, true); /* lws does not write where it may not read */
            lws_callback_on_writable(peer->wsi);
        } else {
            peer_kill(peer);
        }
    }
    free(exchange);
}

void http_forget(net_peer *peer)
{
    if (peer->exchange != NULL)
        peer->exchange->peer = NULL;
    peer->exchange = NULL;
}

/* --- what lws tells --- */

/* How many bytes follow the head; false when nobody can know. */
static bool body_length(const asked *asked, unsigned long long *length)
{
    char *end;
    *length = 0;
    if (asked->length[0] == '\0')
        return !is(asked->request.method, "POST");
    errno = 0;
    *length = strtoull(asked->length, &end, 10);
    return strspn(asked->length, "0123456789") > 0 && *end == '\0' && errno == 0;
}

/* The status to refuse a request with, or 0. */
static unsigned fault_of(net_peer *peer, const asked *asked)
{
    const bool changes = !is(asked->request.method, "GET") && !is(asked->request.method, "HEAD");
    unsigned long long length;
    if (is(asked->request.method, ""))
        return 405;
    if (!is(asked->transfer, "") || !body_length(asked, &length)) /* lws understands no other way */
        return 411;
    if (length > peer->net->settings.message_max)
        return 413;
    if (!settle_forwarded(peer, asked))
        return 429;
    return changes && !may_come_from_there(peer, asked) ? 403 : 0;
}

static int hand_over(net_peer *peer, asked *asked)
{
    net_exchange *exchange = malloc(sizeof *exchange);
    if (exchange == NULL)
        return -1;
    *exchange = (net_exchange){peer, is(asked->request.method, "HEAD")};
    peer->exchange = exchange;
    peer->net->figures.requests++;
    peer_allow(peer, 0);
    peer_listen_to(peer, false);
    asked->request.body = (gral_span){peer->incoming, peer->incoming_length};
    peer->net->handlers.request(peer->net->context, exchange, &asked->request);
    peer_forget_heard(peer);
    return 0;
}

static bool is_busy(const net_peer *peer)
{
    return peer->exchange != NULL || peer->first != NULL;
}

int http_on_request(net_peer *peer)
{
    asked asked;
    unsigned long long length;
    if (is_busy(peer))
        return -1;
    read_request(&asked, peer);
    lws_set_timeout(peer->wsi, NO_PENDING_TIMEOUT, 0); /* ours counts */
    const unsigned fault = fault_of(peer, &asked);
    if (fault != 0) {
        refuse(peer, fault);
        lws_callback_on_writable(peer->wsi);
        return 0;
    }
    body_length(&asked, &length);
    if (length == 0 && !is(asked.request.method, "POST")) /* lws tells the end of an empty POST, but not of others */
        return hand_over(peer, &asked);
    peer_allow(peer, peer->net->settings.patience_seconds);
    return 0;
}

int http_on_body(net_peer *peer, const void *bytes, size_t length)
{
    peer->net->figures.bytes_in += length;
    return is_busy(peer) || peer_hear(peer, bytes, length) ? 0 : -1;
}

int http_on_body_end(net_peer *peer)
{
    asked asked;
    if (is_busy(peer)) /* refused; or lws, seeing the next request, tells of the end again */
        return 0;
    read_request(&asked, peer);
    return hand_over(peer, &asked);
}

int http_on_writeable(net_peer *peer)
{
    if (peer->first == NULL)
        return 0;
    if (!peer_write(peer))
        return -1;
    peer_allow(peer, peer->net->settings.idle_seconds);
    if (peer->first != NULL) {
        lws_callback_on_writable(peer->wsi);
        return 0;
    }
    return peer->last_request || lws_http_transaction_completed(peer->wsi) ? -1 : 0;
}

void http_check(net_peer *peer, uint64_t now)
{
    char byte;
    const uint64_t waiting = now + peer->net->settings.idle_seconds * UINT64_C(1000) - peer->deadline;
    const bool sending = peer->first != NULL || lws_partial_buffered(peer->wsi);
    if (sending && waiting >= STUCK_MS && recv(lws_get_socket_fd(peer->wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0)
        peer_kill(peer);
}

/* The status to refuse a WebSocket with, or 0. */
static unsigned upgrade_fault(net_peer *peer, const asked *asked)
{
    unsigned long long length;
    if (!is(asked->request.method, "GET"))
        return 405;
    if (!is(asked->transfer, "") || !body_length(asked, &length) || length > 0 ||
        lws_hdr_total_length(peer->wsi, WSI_TOKEN_KEY) == 0)
        return 400;
    if (!is(asked->version, "13"))
        return 426;
    if (!settle_forwarded(peer, asked))
        return 429;
    if (!may_come_from_there(peer, asked))
        return 403;
    return peer->net->handlers.opening(peer->net->context, peer, &asked->request);
}

int http_on_upgrade(net_peer *peer, const char *to)
{
    asked asked;
    if (strcasecmp(to, "websocket") != 0 || is_busy(peer))
        return -1;
    read_request(&asked, peer);
    const unsigned fault = upgrade_fault(peer, &asked);
    if (fault != 0) {
        refuse(peer, fault);
        return peer->first != NULL && peer_write(peer) ? 1 : -1;
    }
    peer->let_in = true;
    peer->net->figures.peers++;
    peer->stage = PEER_LET_IN;
    peer_allow(peer, peer->net->settings.patience_seconds);
    return 0;
}
