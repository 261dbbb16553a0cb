/* The servers to be measured, each a process of its own as in real life. */
#include "clock.h"
#include "server.h"

#include <errno.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ECHO_BYTES_MAX = 256, ECHO_FILES = 16384 };

/* --- the echo --- */

typedef struct echo {
    size_t length;
    unsigned char bytes[LWS_PRE + ECHO_BYTES_MAX];
} echo;

static int on_echo(struct lws *wsi, enum lws_callback_reasons why, void *user, void *bytes, size_t length)
{
    echo *echo = user;
    if (why == LWS_CALLBACK_RECEIVE && length <= ECHO_BYTES_MAX) {
        memcpy(echo->bytes + LWS_PRE, bytes, length);
        echo->length = length;
        lws_callback_on_writable(wsi);
    } else if (why == LWS_CALLBACK_SERVER_WRITEABLE && echo->length > 0) {
        const int written = lws_write(wsi, echo->bytes + LWS_PRE, echo->length, LWS_WRITE_TEXT);
        echo->length = 0;
        return written < 0 ? -1 : 0;
    }
    return 0;
}

/* Tells its port through the pipe, and echoes until it is killed. */
static void run_echo(int out)
{
    static const struct lws_protocols protocols[] = {
        {.name = "echo", .callback = on_echo, .per_session_data_size = sizeof(echo), .rx_buffer_size = ECHO_BYTES_MAX},
        {0}};
    const struct rlimit files = {ECHO_FILES, ECHO_FILES};
    setrlimit(RLIMIT_NOFILE, &files); /* lws keeps tables as long as this */
    lws_set_log_level(LLL_ERR, NULL);
    const struct lws_context_creation_info info = {.port = 0,
                                                   .iface = "lo",
                                                   .protocols = protocols,
                                                   .options = LWS_SERVER_OPTION_LIBUV,
                                                   .gid = (__typeof__(info.gid))-1,
                                                   .uid = (__typeof__(info.uid))-1};
    struct lws_context *context = lws_create_context(&info);
    if (context == NULL)
        _exit(1);
    dprintf(out, "http://127.0.0.1:%d/\n", lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
    while (lws_service(context, 0) >= 0)
        continue;
    _exit(0);
}

/* --- the server --- */

static void run_serve(const char *database, unsigned connections)
{
    char count[16];
    snprintf(count, sizeof count, "%u", connections + 16);
    execl("/proc/self/exe", "gral", "serve", "--port", "0", "--rate", "0", "--connections", count,
          "--connections-per-address", count, "--database", database, "--log", "error", (char *)NULL);
    _exit(127);
}

/* --- both --- */

static bool fail(gral_error *error, const char *text)
{
    *error = (gral_error){0};
    snprintf(error->message, sizeof error->message, "%s", text);
    return false;
}

/* The child's first line has its address. */
static bool read_port(process *process, int in, gral_error *error)
{
    char line[256] = "";
    size_t length = 0;
    for (ssize_t came = 1; came > 0 && strchr(line, '\n') == NULL && length + 1 < sizeof line;) {
        came = read(in, line + length, sizeof line - 1 - length);
        length += came > 0 ? (size_t)came : 0;
        line[length] = '\0';
    }
    close(in);
    const char *address = strstr(line, "127.0.0.1:");
    if (address == NULL) {
        process_kill(process);
        return fail(error, "a server does not start");
    }
    process->port = (unsigned)strtoul(strchr(address, ':') + 1, NULL, 10);
    return true;
}

/* A child that tells its address at `out`, which becomes its standard output if the path of a database is given. */
static bool start(process *process, const char *database, unsigned connections, gral_error *error)
{
    int ends[2];
    const double began = clock_ms();
    if (pipe(ends) != 0 || (process->id = fork()) < 0)
        return fail(error, strerror(errno));
    if (process->id == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        if (database == NULL)
            run_echo(ends[1]);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[1]);
        run_serve(database, connections);
    }
    close(ends[1]);
    const bool right = read_port(process, ends[0], error);
    process->ready_ms = clock_ms() - began;
    return right;
}

bool process_echo(process *process, gral_error *error)
{
    return start(process, NULL, 0, error);
}

bool process_serve(process *process, const char *database, unsigned connections, gral_error *error)
{
    return start(process, database, connections, error);
}

wires_ends process_ends(const process *process)
{
    return (wires_ends){&process->port, 1, 1};
}

bool fleet_serve(fleet *fleet, const char *database, unsigned connections, gral_error *error)
{
    for (unsigned at = 0; at < fleet->count; at++) {
        if (!process_serve(&fleet->server[at], database, connections, error)) {
            fleet->count = at;
            fleet_kill(fleet);
            return false;
        }
        fleet->port[at] = fleet->server[at].port;
    }
    return true;
}

void fleet_kill(const fleet *fleet)
{
    for (unsigned at = 0; at < fleet->count; at++)
        process_kill(&fleet->server[at]);
}

double fleet_cpu_ms(const fleet *fleet)
{
    double sum = 0;
    for (unsigned at = 0; at < fleet->count; at++)
        sum += process_cpu_ms(&fleet->server[at]);
    return sum;
}

cores cores_now(void)
{
    FILE *file = fopen("/proc/stat", "r");
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0;
    if (file != NULL) {
        if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait, &irq, &soft) != 7)
            idle = 0;
        fclose(file);
    }
    const double tick_ms = 1e3 / (double)sysconf(_SC_CLK_TCK), busy = user + nice + system + irq + soft;
    return (cores){busy * tick_ms, (busy + idle + wait) * tick_ms};
}

void process_kill(const process *process)
{
    kill(process->id, SIGKILL);
    waitpid(process->id, NULL, 0);
}

double process_kib(const process *process)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)process->id);
    FILE *file = fopen(path, "r");
    double kib = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "VmRSS: %lf", &kib);
    if (file != NULL)
        fclose(file);
    return kib;
}

double process_cpu_ms(const process *process)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process->id);
    FILE *file = fopen(path, "r");
    unsigned long user = 0, system = 0;
    if (file != NULL && fgets(line, sizeof line, file) != NULL && strrchr(line, ')') != NULL)
        sscanf(strrchr(line, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    if (file != NULL)
        fclose(file);
    return 1e3 * (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

double metric_of(const char *page, const char *name)
{
    char line[128];
    const int length = snprintf(line, sizeof line, "\ngral_%s ", name);
    const char *found = strstr(page, line);
    return found != NULL ? strtod(found + length, NULL) : 0;
}
