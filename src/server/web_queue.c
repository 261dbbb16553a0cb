/* What arrives on a connection until it is whole, and what waits there to be sent. */
#include "server/web_inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    STORY_MAX = 8,    /* times the usual, for one long message */
    QUEUES_MAX = 256, /* times the usual, for all queues together; then each has */
    QUEUES_MANY = 16, /* so many times less */
};

bool peer_hear(web_peer *peer, const void *bytes, size_t length)
{
    const size_t most = peer->web->settings.message_max, needed = peer->incoming_length + length;
    if (needed > most)
        return false;
    if (needed >= peer->incoming_room) {
        const size_t room = needed * 2 < most ? needed * 2 + 1 : most + 1;
        char *bigger = realloc(peer->incoming, room);
        if (bigger == NULL)
            return false;
        peer->incoming = bigger;
        peer->incoming_room = room;
    }
    if (length > 0)
        memcpy(peer->incoming + peer->incoming_length, bytes, length);
    peer->incoming_length = needed;
    peer->incoming[needed] = '\0';
    return true;
}

void peer_forget_heard(web_peer *peer)
{
    free(peer->incoming);
    peer->incoming = NULL;
    peer->incoming_length = peer->incoming_room = 0;
}

static size_t room_for(size_t length)
{
    return sizeof(chunk) + LWS_PRE + length + 1;
}

static size_t cost(const chunk *chunk)
{
    return room_for(chunk->lasting != NULL ? 0 : chunk->length);
}

static chunk *add_chunk(web_peer *peer, size_t length, const char *lasting)
{
    chunk *new = malloc(room_for(lasting != NULL ? 0 : length));
    if (new == NULL)
        return NULL;
    *new = (chunk){.length = length, .lasting = lasting};
    *(peer->last != NULL ? &peer->last->next : &peer->first) = new;
    peer->last = new;
    peer->queued += cost(new);
    peer->web->queued += cost(new);
    return new;
}

unsigned char *peer_queue(web_peer *peer, size_t length)
{
    chunk *new = add_chunk(peer, length, NULL);
    return new != NULL ? new->bytes + LWS_PRE : NULL;
}

bool peer_queue_lasting(web_peer *peer, const web_reply *reply)
{
    chunk *new = add_chunk(peer, reply->body.length, reply->body.bytes);
    if (new != NULL)
        new->release = reply->release;
    return new != NULL;
}

void peer_unqueue(web_peer *peer)
{
    chunk *gone = peer->first;
    peer->first = gone->next;
    if (peer->first == NULL)
        peer->last = NULL;
    peer->queued -= cost(gone);
    peer->web->queued -= cost(gone);
    if (gone->release != NULL)
        gone->release((gral_span){gone->lasting, gone->length});
    free(gone);
}

bool peer_may_wait(const web_peer *peer)
{
    const size_t usual = peer->web->settings.queue_max;
    const size_t most = peer->web->queued > QUEUES_MAX * usual ? usual / QUEUES_MANY : usual;
    const size_t first = cost(peer->first);
    return peer->queued - (first > most ? first : 0) <= most && first <= STORY_MAX * most;
}

static bool hand_over(web_peer *peer, unsigned char *bytes, size_t length)
{
    /* Not a frame, for lws: what it says of HTTP is that the bytes go out as they are. */
    return lws_write(peer->wsi, bytes, length, LWS_WRITE_HTTP) >= (int)length;
}

static void mark_sent(web_peer *peer, size_t length)
{
    chunk *head = peer->first;
    peer->web->figures.bytes_out += length;
    head->sent += length;
    if (head->sent == head->length)
        peer_unqueue(peer);
}

static bool write_bytes(web_peer *peer)
{
    chunk *head = peer->first;
    const size_t left = head->length - head->sent, length = left < PIECE ? left : PIECE;
    unsigned char *bytes = head->lasting != NULL ? (unsigned char *)head->lasting : head->bytes + LWS_PRE;
    if (!hand_over(peer, bytes + head->sent, length))
        return false;
    mark_sent(peer, length);
    return true;
}

/* The header of a frame, RFC 6455, section 5.2; the length of a piece fits into two bytes. */
static size_t put_frame_header(unsigned char *at, bool first, bool last, size_t length)
{
    enum { CONTINUATION = 0, TEXT = 1, FINAL = 0x80, IN_ONE_BYTE = 126 };
    size_t used = 0;
    at[used++] = (unsigned char)((first ? TEXT : CONTINUATION) | (last ? FINAL : 0));
    at[used++] = (unsigned char)(length < IN_ONE_BYTE ? length : IN_ONE_BYTE);
    if (length >= IN_ONE_BYTE) {
        at[used++] = (unsigned char)(length >> 8);
        at[used++] = (unsigned char)length;
    }
    return used;
}

/* Frames are made here and not by lws, because it sends each by itself: whoever is told several things at once gets
 * them with one call of the system. */
static bool write_frames(web_peer *peer)
{
    unsigned char *packet = peer->web->packet + LWS_PRE;
    size_t filled = 0;
    while (peer->first != NULL) {
        const chunk *head = peer->first;
        const size_t left = head->length - head->sent, length = left < PIECE ? left : PIECE;
        if (filled > 0 && filled + FRAME_HEADER + length > PIECE + FRAME_HEADER)
            break;
        filled += put_frame_header(packet + filled, head->sent == 0, length == left, length);
        memcpy(packet + filled, head->bytes + LWS_PRE + head->sent, length);
        filled += length;
        mark_sent(peer, length);
    }
    return hand_over(peer, packet, filled);
}

bool peer_write(web_peer *peer)
{
    return peer->stage == PEER_HTTP ? write_bytes(peer) : write_frames(peer);
}

void peer_listen_to(web_peer *peer, bool yes)
{
    if (peer->deaf != yes)
        return;
    peer->deaf = !yes;
    lws_rx_flow_control(peer->wsi, yes);
}
