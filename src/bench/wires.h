/* Thousands of WebSockets to a server on this machine, on one thread.
 *
 * The sockets are bare, with epoll and frames made by hand. A client library would take as much time a message as the
 * server does, and the client's core would be the limit of what can be measured. What it leaves out is what a bench
 * does not meet: long messages in pieces, sockets that do not take a small message at once. */
#ifndef GRAL_BENCH_WIRES_H
#define GRAL_BENCH_WIRES_H

#include "gral/notation.h"

typedef struct wires wires;

/* A whole message has come. It may send. */
typedef void wires_heard(void *context, wires *wires, unsigned wire, gral_span message);

/* Where they go: so many in a row to the first port, as many to the second, and so on, and again to the first. */
typedef struct wires_ends {
    const unsigned *port;
    unsigned ports, in_a_row;
} wires_ends;

/* Opens so many; as guests with names of their own where `guests` is true, each made on its connection first. The
 * server may greet it. `step`, which may be NULL, is told how many are open. NULL on an error. */
wires *wires_open(wires_ends ends, unsigned count, bool guests, void (*step)(unsigned done, unsigned all),
                  gral_error *error);
void wires_close(wires *wires);

void wires_hear(wires *wires, wires_heard *heard, void *context);

/* A text message of at most WIRES_MESSAGE_MAX bytes. */
enum { WIRES_MESSAGE_MAX = 1024 };
void wires_send(wires *wires, unsigned wire, const char *text, size_t length);

/* Waits up to so many milliseconds for something to come, and hears it. False when a connection was lost, once the
 * error says why. */
bool wires_turn(wires *wires, int milliseconds, gral_error *error);

typedef struct wires_figures {
    uint64_t sent, heard; /* messages */
} wires_figures;
wires_figures wires_count(const wires *wires);

/* What the server answers to one plain request, without its head; the caller frees it. NULL when it does not. */
char *wires_get(unsigned port, const char *path);

#endif
