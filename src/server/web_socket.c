/* WebSockets. A message reaches its handler when all of it is here; what is sent goes out when this turn of the loop
 * has done its work, all of it together, or waits in the peer's queue until it can. A peer that does not read is first
 * not listened to any more, so that it cannot ask for ever more answers, and then cut off. */
#include "server/web_inside.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ustring.h>
#include <utlist.h>

static bool is_utf8(const char *bytes, size_t length)
{
    UErrorCode status = U_ZERO_ERROR;
    u_strFromUTF8(NULL, 0, NULL, bytes, (int32_t)length, &status);
    return status != U_INVALID_CHAR_FOUND;
}

/* Ends it with a reason; for what lws is told. */
static int close_now(const web_peer *peer, enum lws_close_status status, const char *reason)
{
    lws_close_reason(peer->wsi, status, (unsigned char *)reason, reason != NULL ? strlen(reason) : 0);
    return -1;
}

void socket_on_life(web_peer *peer)
{
    peer->heard = uv_now(peer->web->loop);
    peer->pinged = false;
}

int socket_on_opened(web_peer *peer)
{
    if (peer->stage != PEER_LET_IN)
        return -1;
    peer->stage = PEER_OPEN;
    socket_on_life(peer);
    peer_allow(peer, 0);
    peer->web->handlers.opened(peer->web->context, peer);
    return 0;
}

int socket_on_bytes(web_peer *peer, const void *bytes, size_t length)
{
    web *web = peer->web;
    if (peer->stage != PEER_OPEN)
        return 0;
    socket_on_life(peer);
    web->figures.bytes_in += length;
    if (lws_frame_is_binary(peer->wsi))
        return close_now(peer, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
    if (!peer_hear(peer, bytes, length))
        return close_now(peer, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "too long");
    if (lws_remaining_packet_payload(peer->wsi) > 0 || !lws_is_final_fragment(peer->wsi)) {
        if (peer->deadline == 0)
            peer_allow(peer, web->settings.patience_seconds);
        return 0;
    }
    if (!is_utf8(peer->incoming, peer->incoming_length))
        return close_now(peer, LWS_CLOSE_STATUS_INVALID_PAYLOAD, "not UTF-8");
    peer_allow(peer, 0);
    web->figures.messages_in++;
    web->handlers.message(web->context, peer, (gral_span){peer->incoming, peer->incoming_length});
    peer_forget_heard(peer);
    return 0;
}

/* Asking lws to be told when there is room is dear: libuv takes the socket out of epoll and puts it back, twice. */
static void wait_for_room(const web_peer *peer)
{
    if (peer->first != NULL || peer->stage == PEER_CLOSING)
        lws_callback_on_writable(peer->wsi);
}

int socket_on_writeable(web_peer *peer)
{
    if (peer->stage == PEER_DEAD)
        return -1;
    if (peer->ping_due) {
        unsigned char ping[LWS_PRE + 1] = {0}; /* lws does not tell of an empty pong */
        peer->ping_due = false;
        wait_for_room(peer);
        return lws_write(peer->wsi, ping + LWS_PRE, 1, LWS_WRITE_PING) < 0 ? -1 : 0;
    }
    if (peer->first == NULL && peer->stage == PEER_CLOSING)
        lws_set_timer_usecs(peer->wsi, 1);
    if (peer->first == NULL)
        return 0;
    do {
        if (!peer_write(peer))
            return -1;
    } while (peer->first != NULL && !lws_send_pipe_choked(peer->wsi));
    if (peer->queued <= peer->web->settings.queue_max / 2)
        peer_listen_to(peer, true);
    wait_for_room(peer);
    return 0;
}

/* Debian's lws, closing with libuv what a writeable callback wants closed, does it twice, and the second time without
 * a close frame; from a timer it does it once. */
int socket_on_timer(const web_peer *peer)
{
    return close_now(peer, (enum lws_close_status)peer->status, peer->reason);
}

void socket_check(web_peer *peer, uint64_t now)
{
    const uint64_t silence = now - peer->heard, idle = peer->web->settings.idle_seconds * UINT64_C(1000);
    if (silence >= 2 * idle && peer->pinged) {
        peer_kill(peer);
    } else if (silence >= idle && !peer->pinged) {
        peer->pinged = peer->ping_due = true;
        lws_callback_on_writable(peer->wsi);
    }
}

/* Nearly always there is room, and nothing before it. What the socket does not take of it, lws keeps. */
static void send_now(web_peer *peer)
{
    const bool free = peer->first != NULL && !peer->ping_due && !lws_partial_buffered(peer->wsi);
    if (free && !peer_write(peer)) {
        peer_kill(peer);
        return;
    }
    if (peer->queued > peer->web->settings.queue_max / 2)
        peer_listen_to(peer, false);
    wait_for_room(peer);
}

static void send_due(web_peer *peer)
{
    socket_end(peer);
    if (peer->stage == PEER_OPEN)
        send_now(peer);
}

/* More than this does not wait for the end of the turn. */
enum { TOGETHER_MAX = 16 << 10 };

void web_send(web_peer *peer, gral_span message)
{
    web *web = peer->web;
    if (peer->due && message.length > TOGETHER_MAX)
        send_due(peer); /* a whole story may be long only where nothing waits before it */
    if (peer->stage != PEER_OPEN)
        return;
    unsigned char *bytes = peer_queue(peer, message.length);
    if (bytes == NULL || !peer_may_wait(peer)) {
        web->figures.dropped_slow++;
        peer_kill(peer);
        return;
    }
    memcpy(bytes, message.bytes, message.length);
    web->figures.messages_out++;
    if (peer->queued > TOGETHER_MAX) {
        send_now(peer);
    } else if (!peer->due) {
        peer->due = true;
        DL_APPEND2(web->due, peer, prev_due, next_due);
    }
}

void socket_end(web_peer *peer)
{
    if (peer->due)
        DL_DELETE2(peer->web->due, peer, prev_due, next_due);
    peer->due = false;
}

void socket_send_due(web *web)
{
    while (web->due != NULL)
        send_due(web->due);
}

void web_drop(web_peer *peer, unsigned status, const char *reason)
{
    if (peer->stage != PEER_OPEN)
        return;
    peer->stage = PEER_CLOSING;
    peer->status = status;
    peer->reason = strndup(reason, REASON_MAX - 1);
    peer_allow(peer, peer->web->settings.patience_seconds);
    lws_callback_on_writable(peer->wsi);
}

void web_peer_set(web_peer *peer, void *data)
{
    peer->data = data;
}

void *web_peer_data(const web_peer *peer)
{
    return peer->data;
}
