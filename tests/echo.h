/* An echo server on the network of the server, run by a thread of its own. */
#ifndef GRAL_TESTS_ECHO_H
#define GRAL_TESTS_ECHO_H

#include "server/web.h"
#include "socket.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { BIG = 700 << 10, HUGE_ONE = 16 << 20, LATER_MS = 50 };

struct echo {
    uv_thread_t thread;
    uv_loop_t loop;
    uv_async_t stop;
    uv_sem_t ready;
    web *web;
    web_settings settings;
    gral_error error;
    web_figures figures;
    unsigned port, opened, closed;
    char big[BIG], huge[HUGE_ONE];
};

extern struct echo server;

web_settings usual(void);
void start(web_settings settings);
/* The thread has come to its end by itself: the loop is empty. */
void join(void);
void stop(void);

#endif
