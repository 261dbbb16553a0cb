#include "socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_MS = 60000 };

int socket_to(unsigned port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(client >= 0);
    assert_int_equal(connect(client, (const struct sockaddr *)&address, sizeof address), 0);
    return client;
}

void socket_put(int client, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        const ssize_t sent = send(client, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return; /* the other side has ended it, as the test will see */
        at += sent;
        length -= (size_t)sent;
    }
}

void socket_say(int client, const char *words)
{
    socket_put(client, words, strlen(words));
}

/* False at the end of the connection. */
static bool get(int client, void *bytes, size_t length)
{
    char *at = bytes;
    while (length > 0) {
        struct pollfd wait = {.fd = client, .events = POLLIN};
        assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
        const ssize_t got = recv(client, at, length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

const socket_reply *socket_hear_reply(int client, bool head_only)
{
    static socket_reply reply;
    size_t length = 0;
    reply = (socket_reply){0};
    while (length < 4 || memcmp(reply.head + length - 4, "\r\n\r\n", 4) != 0) {
        assert_true(length + 1 < sizeof reply.head);
        assert_true(get(client, reply.head + length++, 1));
    }
    if (sscanf(reply.head, "HTTP/1.%*u %u", &reply.status) != 1)
        fail_msg("this is no reply: %s", reply.head);
    const char *line = strcasestr(reply.head, "\r\ncontent-length: ");
    if (line == NULL || head_only)
        return &reply;
    reply.length = strtoul(strchr(line, ':') + 1, NULL, 10);
    assert_true(reply.length < sizeof reply.body);
    assert_true(get(client, reply.body, reply.length));
    return &reply;
}

const socket_reply *socket_ask(unsigned port, const char *method, const char *path, const char *more, const char *body)
{
    char head[2048], length[64] = "";
    const int client = socket_to(port);
    if (body != NULL)
        snprintf(length, sizeof length, "Content-Length: %zu\r\n", strlen(body));
    snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: gral.test\r\n%s%s\r\n", method, path, more, length);
    socket_say(client, head);
    if (body != NULL)
        socket_say(client, body);
    const socket_reply *reply = socket_hear_reply(client, strcmp(method, "HEAD") == 0);
    close(client);
    return reply;
}

void socket_expect_header(const socket_reply *reply, const char *line)
{
    char whole[512];
    snprintf(whole, sizeof whole, "\r\n%s\r\n", line);
    if (strcasestr(reply->head, whole) == NULL)
        fail_msg("no \"%s\" in\n%s", line, reply->head);
}

int socket_open(unsigned port, const char *path, const char *more, const socket_reply **reply)
{
    char head[2048];
    const int client = socket_to(port);
    snprintf(head, sizeof head,
             "GET %s HTTP/1.1\r\nHost: gral.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
             path, more);
    socket_say(client, head);
    *reply = socket_hear_reply(client, false);
    if ((*reply)->status == 101)
        return client;
    close(client);
    return -1;
}

int socket_open_well(unsigned port)
{
    const socket_reply *reply;
    const int client = socket_open(port, "/socket", "", &reply);
    assert_int_equal(reply->status, 101);
    socket_expect_header(reply, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    return client;
}

void socket_send(int client, unsigned first_byte, const char *payload, size_t length, bool masked)
{
    static const unsigned char key[4] = {0x12, 0x00, 0xff, 0x5a};
    unsigned char head[14] = {(unsigned char)first_byte, masked ? 0x80 : 0};
    size_t used = 2;
    if (length < 126) {
        head[1] |= (unsigned char)length;
    } else if (length < 1 << 16) {
        head[1] |= 126;
        head[used++] = (unsigned char)(length >> 8);
        head[used++] = (unsigned char)length;
    } else {
        head[1] |= 127;
        for (int shift = 56; shift >= 0; shift -= 8)
            head[used++] = (unsigned char)((uint64_t)length >> shift);
    }
    if (masked) {
        memcpy(head + used, key, sizeof key);
        used += sizeof key;
    }
    char *bytes = malloc(used + length);
    assert_non_null(bytes);
    memcpy(bytes, head, used);
    for (size_t at = 0; at < length; at++)
        bytes[used + at] = (char)(payload[at] ^ (masked ? key[at % 4] : 0));
    socket_put(client, bytes, used + length);
    free(bytes);
}

void socket_send_text(int client, const char *text)
{
    socket_send(client, SOCKET_FINAL | SOCKET_TEXT, text, strlen(text), true);
}

bool socket_hear(int client, socket_frame *frame)
{
    unsigned char head[2], more[8];
    if (!get(client, head, 2))
        return false;
    assert_int_equal(head[1] & 0x80, 0); /* a server does not mask */
    frame->final = (head[0] & 0x80) != 0;
    frame->opcode = head[0] & 0x0f;
    frame->length = head[1];
    frame->status = 0;
    const size_t bytes = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0;
    if (bytes > 0) {
        frame->length = 0;
        assert_true(get(client, more, bytes));
        for (size_t at = 0; at < bytes; at++)
            frame->length = frame->length << 8 | more[at];
    }
    assert_true(frame->length < sizeof frame->bytes);
    assert_true(get(client, frame->bytes, frame->length));
    frame->bytes[frame->length] = '\0';
    if (frame->opcode == SOCKET_CLOSE && frame->length >= 2)
        frame->status = (unsigned)(unsigned char)frame->bytes[0] << 8 | (unsigned char)frame->bytes[1];
    return true;
}

static socket_frame frame;

void socket_expect_text(int client, const char *text)
{
    size_t at = 0;
    do {
        assert_true(socket_hear(client, &frame));
        assert_true(frame.opcode <= SOCKET_TEXT || frame.opcode == SOCKET_PING);
        if (frame.opcode == SOCKET_PING)
            continue;
        assert_true(strncmp(text + at, frame.bytes, frame.length) == 0);
        at += frame.length;
    } while (frame.opcode == SOCKET_PING || !frame.final);
    assert_int_equal(text[at], '\0');
}

void socket_expect_close(int client, unsigned status)
{
    do
        assert_true(socket_hear(client, &frame));
    while (frame.opcode != SOCKET_CLOSE);
    assert_int_equal(frame.status, status);
    socket_send(client, SOCKET_FINAL | SOCKET_CLOSE, frame.bytes, frame.length, true);
    socket_expect_end(client);
}

void socket_expect_end(int client)
{
    char byte;
    while (get(client, &byte, 1))
        ;
    close(client);
}
