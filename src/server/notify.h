/* The service manager (systemd, or another with the same protocol) wants to know when the server is ready, and that its
 * loop is still turning: what hangs is started anew. Where there is none, nothing happens. */
#ifndef GRAL_SERVER_NOTIFY_H
#define GRAL_SERVER_NOTIFY_H

#include <uv.h>

typedef struct notify {
    uv_timer_t heartbeat; /* active only where somebody listens for it */
} notify;

void notify_start(notify *notify, uv_loop_t *loop);
void notify_ready(void);
void notify_stopping(void);
void notify_close(notify *notify);

#endif
