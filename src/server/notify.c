/* A datagram to the socket that $NOTIFY_SOCKET names, as sd_notify(3) describes it. */
#include "server/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void tell(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (path == NULL || (path[0] != '/' && path[0] != '@') || strlen(path) >= sizeof address.sun_path)
        return;
    memcpy(address.sun_path, path, strlen(path));
    if (path[0] == '@') /* a name that is in no file system begins with a zero */
        address.sun_path[0] = '\0';
    const int end = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (end < 0)
        return;
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    (void)!sendto(end, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address, length);
    close(end);
}

static void beat(uv_timer_t *timer)
{
    (void)timer;
    tell("WATCHDOG=1");
}

/* Twice in the time after which it is missed. */
static uint64_t beat_ms(void)
{
    const char *microseconds = getenv("WATCHDOG_USEC"), *whose = getenv("WATCHDOG_PID");
    if (microseconds == NULL || (whose != NULL && strtol(whose, NULL, 10) != getpid()))
        return 0;
    return strtoull(microseconds, NULL, 10) / 2000;
}

void notify_start(notify *notify, uv_loop_t *loop)
{
    const uint64_t every = beat_ms();
    uv_timer_init(loop, &notify->heartbeat);
    if (every > 0)
        uv_timer_start(&notify->heartbeat, beat, 0, every);
}

void notify_ready(void)
{
    tell("READY=1");
}

void notify_stopping(void)
{
    tell("STOPPING=1");
}

void notify_close(notify *notify)
{
    uv_close((uv_handle_t *)&notify->heartbeat, NULL);
}
