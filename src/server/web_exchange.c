/* The life of an exchange, a request and its answer: one small machine of stages, which only this file moves on. Each
 * stage says who reads from the connection, what we wait for ourselves and how long it may last; whatever lws tells in
 * a stage that does not wait for it is not acted upon, so a request that was refused cannot be done after all.
 *
 * From the end of a request to the end of its answer nobody reads. lws would go on reading, or, where it does not,
 * keep asking whether it could and make the loop spin; told not to read, it does not write either. So it is told not
 * to, we wait for room ourselves (an epoll of our own, watched by the loop) and then have it write, and nothing else.
 *
 * Bytes that lws has read beyond a request wait in a buffer of its own, and it cannot take a request from there: 4.1
 * takes the head of one with a body for the body, without end; 4.3 leaves them lying, or counts them to the body. So
 * who sends on before the answer has come is answered, and the connection ends. The server says so in `Connection:
 * close` when it knows it in time. Who was refused may be sending still: our side is closed, and what comes is thrown
 * away for a while. Closed at once with bytes unread, the system would reset the connection, and the answer might be
 * lost. */
#include "server/web_inside.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READY_AT_ONCE = 64, /* connections served in one turn of the loop */
    PIECES_AT_ONCE = 4, /* written for one of them */
    WASTE = 1 << 16,    /* bytes thrown away at once */
};

struct web_exchange {
    web_peer *peer; /* NULL when it has gone */
    bool head_only;
};

static const struct {
    bool lws_reads;
    uint32_t watched; /* what our own epoll waits for */
    enum { NO_HURRY, PATIENCE, IDLE } clock;
} stages[] = {
    [EXCHANGE_HEAD] = {true, 0, IDLE},
    [EXCHANGE_BODY] = {true, 0, PATIENCE},
    [EXCHANGE_HANDLED] = {false, 0, NO_HURRY},
    [EXCHANGE_ANSWERING] = {false, EPOLLOUT, IDLE},
    [EXCHANGE_PARTING] = {false, EPOLLIN, PATIENCE},
};

/* --- from stage to stage --- */

static bool is_at(const web_peer *peer, enum exchange_stage stage)
{
    return peer->stage == PEER_HTTP && peer->exchange.stage == stage;
}

static int socket_of(const web_peer *peer)
{
    return lws_get_socket_fd(peer->wsi);
}

static void watch(web_peer *peer, uint32_t events)
{
    exchange *exchange = &peer->exchange;
    struct epoll_event wanted = {.events = events, .data.ptr = peer};
    if (events == exchange->watched)
        return;
    epoll_ctl(peer->web->ready,
              events == 0              ? EPOLL_CTL_DEL
              : exchange->watched == 0 ? EPOLL_CTL_ADD
                                       : EPOLL_CTL_MOD,
              socket_of(peer), &wanted);
    exchange->watched = events;
}

static void set_clock(web_peer *peer)
{
    const web_settings *settings = &peer->web->settings;
    const unsigned seconds[] = {[PATIENCE] = settings->patience_seconds, [IDLE] = settings->idle_seconds};
    peer_allow(peer, seconds[stages[peer->exchange.stage].clock]);
}

static void enter(web_peer *peer, enum exchange_stage stage)
{
    peer->exchange.stage = stage;
    set_clock(peer);
    peer_listen_to(peer, stages[stage].lws_reads);
    watch(peer, stages[stage].watched);
}

void exchange_end(web_peer *peer)
{
    watch(peer, 0);
    if (peer->exchange.handled != NULL)
        peer->exchange.handled->peer = NULL;
    peer->exchange.handled = NULL;
    if (peer->web->served == peer)
        peer->web->served = NULL;
}

/* --- the answer --- */

/* Whether more has come than lws has read: to be asked before the answer goes out, for after it the next request may
 * come. What lws has read too much, it tells only after the answer. */
static bool is_more_waiting(const web_peer *peer)
{
    char byte;
    const SSL *tls = lws_get_ssl(peer->wsi);
    return (tls != NULL && SSL_pending(tls) > 0) || recv(socket_of(peer), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void release(const web_reply *reply)
{
    if (reply->release != NULL)
        reply->release(reply->body);
}

static void answer(web_peer *peer, const web_reply *reply, bool head_only)
{
    peer->exchange.last = peer->exchange.last || is_more_waiting(peer);
    const bool queued = http_queue_reply(peer, reply, head_only);
    if (head_only || !queued)
        release(reply);
    if (queued)
        enter(peer, EXCHANGE_ANSWERING);
    else
        peer_kill(peer);
}

void web_answer(web_exchange *exchange, const web_reply *reply)
{
    web_peer *peer = exchange->peer;
    if (peer != NULL) {
        peer->exchange.handled = NULL;
        answer(peer, reply, exchange->head_only);
    } else {
        release(reply);
    }
    free(exchange);
}

/* The reply to what is turned away; nothing after it on this connection is looked at. */
static web_reply refusal_of(web_peer *peer, unsigned status)
{
    static const struct {
        unsigned status;
        const char *headers;
    } more[] = {{405, "allow: GET, HEAD, POST, DELETE\r\n"}, {426, "sec-websocket-version: 13\r\n"}};
    web_reply reply = {.status = status};
    for (size_t at = 0; at < sizeof more / sizeof *more; at++)
        if (more[at].status == status)
            reply.headers = more[at].headers;
    peer->web->figures.refused++;
    peer->exchange.last = true;
    return reply;
}

/* Has lws write, and not read. False when that was the end of the connection. */
static bool have_written(web_peer *peer)
{
    web *web = peer->web;
    struct lws_pollfd room = {.fd = socket_of(peer), .events = LWS_POLLOUT, .revents = LWS_POLLOUT};
    web->served = peer;
    peer_listen_to(peer, true);
    lws_service_fd(web->lws, &room);
    if (web->served == NULL)
        return false;
    web->served = NULL;
    peer_listen_to(peer, false);
    return true;
}

static void throw_away(web_peer *peer)
{
    static char waste[WASTE];
    const ssize_t got = recv(socket_of(peer), waste, sizeof waste, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        peer_kill(peer);
}

static void close_own_side(web_peer *peer)
{
    SSL *tls = lws_get_ssl(peer->wsi);
    if (tls != NULL)
        SSL_shutdown(tls);
    ERR_clear_error();
    shutdown(socket_of(peer), SHUT_WR);
}

/* After a request lws lets go of its table of headers, unless it has read more, when it empties the table for what
 * comes next, or still waits for a body, when it leaves it as it is. There is no other way to ask: copying an unknown
 * header, it empties the text only if there is a table. */
static bool has_lws_read_more(const web_peer *peer)
{
    char text[2] = "?";
    lws_hdr_custom_copy(peer->wsi, text, sizeof text, "?", 1);
    return text[0] == '\0' && !http_has_head(peer);
}

/* With bytes in its buffer lws would ask for room without end while it may not read: such a one cannot stay. */
static void finish(web_peer *peer)
{
    if (lws_http_transaction_completed(peer->wsi) != 0 || has_lws_read_more(peer)) {
        close_own_side(peer);
        throw_away(peer);
        peer_kill(peer);
    } else if (!peer->exchange.last) {
        enter(peer, EXCHANGE_HEAD);
    } else if (have_written(peer)) { /* for lws has asked for room again */
        close_own_side(peer);
        enter(peer, EXCHANGE_PARTING);
    }
}

static void go_on_answering(web_peer *peer)
{
    if (have_written(peer) && peer->first == NULL && !lws_partial_buffered(peer->wsi))
        finish(peer);
}

int exchange_on_writeable(web_peer *peer)
{
    if (!is_at(peer, EXCHANGE_ANSWERING))
        return 0;
    for (unsigned piece = 0; piece < PIECES_AT_ONCE && peer->first != NULL; piece++) {
        if (lws_partial_buffered(peer->wsi))
            return 0;
        if (!peer_write(peer))
            return -1;
        set_clock(peer);
    }
    return 0;
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    (void)status, (void)events;
    const web *web = poll->data;
    struct epoll_event event; /* one at a time: nobody can be gone who is still to come */
    for (unsigned turn = 0; turn < READY_AT_ONCE && epoll_wait(web->ready, &event, 1, 0) == 1; turn++) {
        web_peer *peer = event.data.ptr;
        if (is_at(peer, EXCHANGE_ANSWERING))
            go_on_answering(peer);
        else
            throw_away(peer);
    }
}

void exchange_open(web *web)
{
    uv_poll_init(web->loop, &web->ready_poll, web->ready);
    web->ready_poll.data = web;
    uv_poll_start(&web->ready_poll, UV_READABLE, on_ready);
}

void exchange_close(web *web)
{
    uv_close((uv_handle_t *)&web->ready_poll, NULL);
}

/* --- what lws tells --- */

static int hand_over(web_peer *peer, asked *asked)
{
    web_exchange *exchange = malloc(sizeof *exchange);
    if (exchange == NULL)
        return -1;
    *exchange = (web_exchange){peer, strcmp(asked->request.method, "HEAD") == 0};
    peer->exchange.handled = exchange;
    peer->web->figures.requests++;
    enter(peer, EXCHANGE_HANDLED);
    asked->request.body = (gral_span){peer->incoming, peer->incoming_length};
    peer->web->handlers.request(peer->web->context, exchange, &asked->request);
    peer_forget_heard(peer);
    return 0;
}

int exchange_on_request(web_peer *peer)
{
    asked asked;
    if (!is_at(peer, EXCHANGE_HEAD))
        return -1;
    http_read(&asked, peer);
    lws_set_timeout(peer->wsi, NO_PENDING_TIMEOUT, 0); /* ours counts */
    const unsigned fault = http_fault(peer, &asked);
    if (fault != 0) {
        const web_reply reply = refusal_of(peer, fault);
        answer(peer, &reply, false);
        return 0;
    }
    peer->exchange.body_left = asked.body_length;
    if (asked.body_length == 0)
        return hand_over(peer, &asked);
    enter(peer, EXCHANGE_BODY);
    return 0;
}

/* Where a body ends is counted here: lws may give more than there is, and tells the end not at all, once or twice. */
int exchange_on_body(web_peer *peer, const void *bytes, size_t length)
{
    asked asked;
    exchange *exchange = &peer->exchange;
    peer->web->figures.bytes_in += length;
    if (!is_at(peer, EXCHANGE_BODY))
        return 0;
    const size_t own = length < exchange->body_left ? length : exchange->body_left;
    exchange->last = exchange->last || own < length;
    exchange->body_left -= own;
    if (!peer_hear(peer, bytes, own))
        return -1;
    if (exchange->body_left > 0)
        return 0;
    http_read(&asked, peer);
    return hand_over(peer, &asked);
}

/* lws gives the word with its question; but if it does not know it, it has refused the request itself, and has freed
 * the word. */
static bool is_to_websocket(const web_peer *peer)
{
    char to[sizeof "websocket"];
    return lws_hdr_copy(peer->wsi, to, sizeof to, WSI_TOKEN_UPGRADE) > 0 && strcasecmp(to, "websocket") == 0;
}

/* A refusal goes out at once: lws does not come back to it. */
int exchange_on_upgrade(web_peer *peer)
{
    asked asked;
    if (!is_at(peer, EXCHANGE_HEAD) || !is_to_websocket(peer))
        return -1;
    http_read(&asked, peer);
    const unsigned fault = http_upgrade_fault(peer, &asked);
    if (fault != 0) {
        const web_reply reply = refusal_of(peer, fault);
        if (http_queue_reply(peer, &reply, false))
            peer_write(peer);
        return -1;
    }
    peer->let_in = true;
    peer->web->figures.peers++;
    peer->stage = PEER_LET_IN;
    peer_allow(peer, peer->web->settings.patience_seconds);
    return 0;
}
