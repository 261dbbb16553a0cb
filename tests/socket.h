/* A client of bare sockets that may misbehave: HTTP requests, WebSocket frames, byte by byte if need be. Every wait has
 * an end, after which the test fails. */
#ifndef GRAL_TESTS_SOCKET_H
#define GRAL_TESTS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

enum { SOCKET_TEXT = 1, SOCKET_BINARY = 2, SOCKET_CLOSE = 8, SOCKET_PING = 9, SOCKET_PONG = 10, SOCKET_FINAL = 0x80 };

typedef struct socket_reply {
    unsigned status;
    char head[4096]; /* the status line and the headers */
    char body[1 << 20];
    size_t length;
} socket_reply;

typedef struct socket_frame {
    unsigned opcode, status; /* the status of a close frame */
    bool final;
    size_t length;
    char bytes[1 << 17]; /* ended by a zero */
} socket_frame;

int socket_to(unsigned port); /* on 127.0.0.1 */
void socket_put(int client, const void *bytes, size_t length);
void socket_say(int client, const char *words);

/* The next whole reply; to HEAD comes no body. */
const socket_reply *socket_hear_reply(int client, bool head_only);
/* One request on a connection of its own; `more` are further header lines, each ended by "\r\n". */
const socket_reply *socket_ask(unsigned port, const char *method, const char *path, const char *more, const char *body);
void socket_expect_header(const socket_reply *reply, const char *line);

/* A WebSocket at a path; the reply has status 101 when it is open, else the socket is closed. */
int socket_open(unsigned port, const char *path, const char *more, const socket_reply **reply);
int socket_open_well(unsigned port);
void socket_send(int client, unsigned first_byte, const char *payload, size_t length, bool masked);
void socket_send_text(int client, const char *text);
/* The next frame; false at the end of the connection. */
bool socket_hear(int client, socket_frame *frame);
/* The next message, put together, and without pings. */
void socket_expect_text(int client, const char *text);
void socket_expect_close(int client, unsigned status);
/* Reads until the other side ends the connection. */
void socket_expect_end(int client);

#endif
