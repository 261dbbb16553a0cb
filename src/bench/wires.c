#include "wires.h"

#include "clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    OPENING_AT_ONCE = 200, /* a server has room for so many that it has not accepted yet */
    FILES_BESIDES = 64,
    EVENTS = 512,
    RECEIVE_BYTES = 1 << 18,
    OPENING_MS = 60000, /* for all of them */
    TURN_MS = 100,
};

enum stage { WIRE_NAMING, WIRE_UPGRADING, WIRE_OPEN };

typedef struct wire {
    int socket;
    unsigned port;
    uint8_t stage;
    char *rest; /* of a message that is not all here */
    size_t rest_length;
} wire;

struct wires {
    unsigned count, open;
    wires_ends ends;
    bool guests;
    int epoll;
    wires_heard *heard;
    void *context;
    wires_figures figures;
    gral_error *error; /* filled when something fails */
    bool failed;
    char *bytes; /* what has just come */
    wire wire[];
};

__attribute__((format(printf, 2, 3))) static void fail(wires *wires, const char *format, ...)
{
    if (wires->failed)
        return;
    wires->failed = true;
    *wires->error = (gral_error){0};
    va_list list;
    va_start(list, format);
    vsnprintf(wires->error->message, sizeof wires->error->message, format, list);
    va_end(list);
}

/* --- sockets --- */

static int connect_to(unsigned port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (handle < 0)
        return -1;
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(handle, (const struct sockaddr *)&address, sizeof address) == 0)
        return handle;
    close(handle);
    return -1;
}

static void write_all(wires *wires, const wire *wire, const void *bytes, size_t length)
{
    if (send(wire->socket, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        fail(wires, "a connection takes nothing more: %s", strerror(errno));
}

/* --- opening --- */

/* A name that looks like no other: letters that nobody confuses. */
enum { NAMES = 11 * 11 * 11 * 11 * 11 * 11 };
static void name_guest(char name[8], unsigned number)
{
    static const char letters[] = "abdefghkpst";
    const unsigned base = sizeof letters - 1;
    size_t at = 0;
    name[at++] = 'B';
    for (unsigned digit = 0; digit < 6; digit++, number /= base)
        name[at++] = letters[number % base];
    name[at] = '\0';
}

static void ask_for_name(wires *wires, unsigned index)
{
    char name[8], request[256];
    static unsigned named; /* a database may know those of the load before, or of another bench */
    if (named == 0 && getrandom(&named, sizeof named, 0) != sizeof named)
        named = 1;
    name_guest(name, named++ % NAMES);
    const int length = snprintf(request, sizeof request,
                                "POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Type: application/json\r\n"
                                "Content-Length: %zu\r\n\r\n{\"name\":\"%s\"}",
                                wires->wire[index].port, strlen(name) + strlen("{\"name\":\"\"}"), name);
    write_all(wires, &wires->wire[index], request, (size_t)length);
    wires->wire[index].stage = WIRE_NAMING;
}

static void ask_for_upgrade(wires *wires, wire *wire, gral_span cookie)
{
    char request[512];
    const int length = snprintf(
        request, sizeof request,
        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "%s%.*s%s\r\n",
        wire->port, cookie.length > 0 ? "Cookie: " : "", (int)cookie.length, cookie.bytes,
        cookie.length > 0 ? "\r\n" : "");
    write_all(wires, wire, request, (size_t)length);
    wire->stage = WIRE_UPGRADING;
}

static void open_one(wires *wires, unsigned index)
{
    wire *wire = &wires->wire[index];
    wire->port = wires->ends.port[index / wires->ends.in_a_row % wires->ends.ports];
    wire->socket = connect_to(wire->port);
    if (wire->socket < 0) {
        fail(wires, "connection %u cannot be opened: %s", index + 1, strerror(errno));
        return;
    }
    fcntl(wire->socket, F_SETFL, O_NONBLOCK);
    epoll_ctl(wires->epoll, EPOLL_CTL_ADD, wire->socket, &(struct epoll_event){.events = EPOLLIN, .data.u32 = index});
    if (wires->guests)
        ask_for_name(wires, index);
    else
        ask_for_upgrade(wires, wire, (gral_span){"", 0});
}

/* The bytes of a whole answer, 0 while it is not all here. */
static size_t answer_length(gral_span bytes)
{
    const char *end = memmem(bytes.bytes, bytes.length, "\r\n\r\n", 4);
    if (end == NULL)
        return 0;
    const size_t head = (size_t)(end + 4 - bytes.bytes);
    static const char name[] = "content-length:";
    size_t body = 0;
    for (const char *at = bytes.bytes; at < end; at++)
        if (strncasecmp(at, name, sizeof name - 1) == 0)
            body = strtoul(at + sizeof name - 1, NULL, 10);
    return bytes.length >= head + body ? head + body : 0;
}

static void hear_name(wires *wires, wire *wire, gral_span answer)
{
    static const char before[] = "gral=";
    const char *cookie = memmem(answer.bytes, answer.length, before, sizeof before - 1);
    if (cookie == NULL) {
        fail(wires, "no guest could be made: %.60s", answer.bytes);
        return;
    }
    const size_t left = answer.length - (size_t)(cookie - answer.bytes);
    const char *end = memchr(cookie, ';', left);
    ask_for_upgrade(wires, wire, (gral_span){cookie, end != NULL ? (size_t)(end - cookie) : left});
}

static void hear_upgrade(wires *wires, wire *wire, gral_span answer)
{
    static const char switched[] = "HTTP/1.1 101";
    if (answer.length < sizeof switched || strncmp(answer.bytes, switched, sizeof switched - 1) != 0) {
        fail(wires, "a WebSocket was refused: %.12s", answer.bytes);
        return;
    }
    wire->stage = WIRE_OPEN;
    wires->open++;
}

/* --- frames --- */

enum { TEXT = 1, CLOSE = 8, PING = 9, PONG = 10, FINAL = 0x80, MASKED = 0x80 };

/* The mask is all zeros: legal, undone by the server like any other, and no work here. */
static void send_frame(wires *wires, unsigned index, unsigned kind, const char *bytes, size_t length)
{
    unsigned char frame[WIRES_MESSAGE_MAX + 8] = {(unsigned char)(FINAL | kind)};
    size_t at = 1;
    if (length < 126) {
        frame[at++] = (unsigned char)(MASKED | length);
    } else {
        frame[at++] = MASKED | 126;
        frame[at++] = (unsigned char)(length >> 8);
        frame[at++] = (unsigned char)length;
    }
    at += 4;
    memcpy(frame + at, bytes, length);
    write_all(wires, &wires->wire[index], frame, at + length);
}

void wires_send(wires *wires, unsigned wire, const char *text, size_t length)
{
    wires->figures.sent++;
    send_frame(wires, wire, TEXT, text, length);
}

/* The frame at the beginning: the bytes of all of it, 0 while it is not all here, and its content. */
static size_t read_frame(gral_span bytes, unsigned *kind, gral_span *content)
{
    const unsigned char *at = (const unsigned char *)bytes.bytes;
    if (bytes.length < 2)
        return 0;
    size_t head = 2, length = at[1] & 0x7f;
    if (length == 126) {
        head = 4;
        length = bytes.length < head ? 0 : (size_t)at[2] << 8 | at[3];
    }
    if (bytes.length < head + length)
        return 0;
    *kind = at[0] & 15;
    *content = (gral_span){bytes.bytes + head, length};
    return head + length;
}

static void hear_frame(wires *wires, unsigned index, unsigned kind, gral_span content)
{
    if (kind == PING) {
        send_frame(wires, index, PONG, content.bytes, content.length);
    } else if (kind == TEXT) {
        wires->figures.heard++;
        if (wires->heard != NULL)
            wires->heard(wires->context, wires, index, content);
    } else if (kind == CLOSE) {
        fail(wires, "the server has closed a connection");
    }
}

/* --- what comes --- */

/* Takes one answer or message from the bytes; 0 when there is no whole one. */
static size_t take_one(wires *wires, unsigned index, gral_span bytes)
{
    wire *wire = &wires->wire[index];
    if (wire->stage == WIRE_OPEN) {
        unsigned kind;
        gral_span content;
        const size_t length = read_frame(bytes, &kind, &content);
        if (length > 0)
            hear_frame(wires, index, kind, content);
        return length;
    }
    const size_t length = answer_length(bytes);
    if (length > 0 && wire->stage == WIRE_NAMING)
        hear_name(wires, wire, (gral_span){bytes.bytes, length});
    else if (length > 0)
        hear_upgrade(wires, wire, (gral_span){bytes.bytes, length});
    return length;
}

static void keep_rest(wires *wires, wire *wire, gral_span rest)
{
    free(wire->rest);
    wire->rest = NULL;
    wire->rest_length = rest.length;
    if (rest.length == 0)
        return;
    wire->rest = malloc(rest.length);
    if (wire->rest == NULL)
        fail(wires, "out of memory");
    else
        memcpy(wire->rest, rest.bytes, rest.length);
}

static void hear_wire(wires *wires, unsigned index)
{
    wire *wire = &wires->wire[index];
    if (wire->rest_length > 0)
        memcpy(wires->bytes, wire->rest, wire->rest_length);
    const ssize_t came = recv(wire->socket, wires->bytes + wire->rest_length, RECEIVE_BYTES - wire->rest_length,
                              MSG_DONTWAIT);
    if (came < 0 && errno == EAGAIN)
        return;
    if (came <= 0) {
        fail(wires, "connection %u was lost", index + 1);
        return;
    }
    gral_span left = {wires->bytes, wire->rest_length + (size_t)came};
    wires->bytes[left.length] = '\0';
    for (size_t taken; !wires->failed && (taken = take_one(wires, index, left)) > 0;)
        left = (gral_span){left.bytes + taken, left.length - taken};
    keep_rest(wires, wire, left);
}

bool wires_turn(wires *wires, int milliseconds, gral_error *error)
{
    struct epoll_event events[EVENTS];
    wires->error = error;
    const int count = epoll_wait(wires->epoll, events, EVENTS, milliseconds);
    for (int event = 0; event < count && !wires->failed; event++)
        hear_wire(wires, events[event].data.u32);
    return !wires->failed;
}

/* --- all of them --- */

static bool make_room_for_files(unsigned count, gral_error *error)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t needed = (rlim_t)count + FILES_BESIDES;
    if (limit.rlim_cur < needed)
        limit.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= needed)
        return true;
    *error = (gral_error){0};
    snprintf(error->message, sizeof error->message,
             "%u connections need more open files than the system allows (ulimit -Hn)", count);
    return false;
}

wires *wires_open(wires_ends ends, unsigned count, bool guests, void (*step)(unsigned done, unsigned all),
                  gral_error *error)
{
    if (!make_room_for_files(count, error))
        return NULL;
    wires *wires = calloc(1, sizeof *wires + count * sizeof *wires->wire);
    if (wires != NULL)
        wires->bytes = malloc(RECEIVE_BYTES + 1);
    if (wires == NULL || wires->bytes == NULL) {
        free(wires);
        *error = (gral_error){.message = "out of memory"};
        return NULL;
    }
    for (unsigned index = 0; index < count; index++)
        wires->wire[index].socket = -1;
    wires->ends = ends;
    wires->guests = guests;
    wires->count = count;
    wires->error = error;
    wires->epoll = epoll_create1(EPOLL_CLOEXEC);
    const double end = clock_ms() + OPENING_MS;
    for (unsigned begun = 0, told = 0; wires->open < count && !wires->failed;) {
        while (begun < count && begun < wires->open + OPENING_AT_ONCE && !wires->failed)
            open_one(wires, begun++);
        wires_turn(wires, TURN_MS, error);
        if (clock_ms() > end)
            fail(wires, "the server does not answer");
        if (step != NULL && wires->open / 100 != told / 100)
            step(told = wires->open, count);
    }
    if (!wires->failed)
        return wires;
    wires_close(wires);
    return NULL;
}

void wires_close(wires *wires)
{
    for (unsigned index = 0; index < wires->count; index++) {
        free(wires->wire[index].rest);
        if (wires->wire[index].socket >= 0)
            close(wires->wire[index].socket);
    }
    close(wires->epoll);
    free(wires->bytes);
    free(wires);
}

void wires_hear(wires *wires, wires_heard *heard, void *context)
{
    wires->heard = heard;
    wires->context = context;
}

wires_figures wires_count(const wires *wires)
{
    return wires->figures;
}

char *wires_get(unsigned port, const char *path)
{
    enum { ANSWER_MAX = 1 << 16 };
    const int handle = connect_to(port);
    char *answer = malloc(ANSWER_MAX), *body = NULL;
    if (handle >= 0 && answer != NULL) {
        size_t length = (size_t)snprintf(
            answer, ANSWER_MAX, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n", path, port);
        ssize_t came = send(handle, answer, length, MSG_NOSIGNAL);
        for (length = 0; came > 0 && length < ANSWER_MAX - 1; length += (size_t)came)
            if ((came = recv(handle, answer + length, ANSWER_MAX - 1 - length, 0)) <= 0)
                break;
        answer[length] = '\0';
        const char *end = strstr(answer, "\r\n\r\n");
        if (end != NULL)
            body = strdup(end + 4);
    }
    if (handle >= 0)
        close(handle);
    free(answer);
    return body;
}
