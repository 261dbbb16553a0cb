/* Connections: who may connect, how long each may take, what waits to be sent to it. lws speaks HTTP, WebSocket and
 * TLS on sockets that are accepted here, because only here a limit can be kept before lws spends memory, and because
 * the reasons why a port cannot be had are told best by the one who asks for it.
 *
 * All clocks are one: once a second every connection is looked at. lws keeps timers in a sorted list, which would be
 * walked for each message of each of ten thousand players. */
#include "net_inside.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    TICK_MS = 1000,
    CLOSING_TICK_MS = 10,
    CLOSING_MS = 2000,     /* for peers to take leave */
    DESTROY_TURNS = 3,     /* of the loop until lws's handles are closed */
    FILES_BESIDES = 256,   /* open files that are not connections */
    FILES_USUAL = 1 << 16, /* lws keeps tables as long as the limit of open files, which may be a billion */
    PIECE = 16 << 10,      /* given to lws at once */
    RECEIVE_BYTES = 1024,  /* lws keeps so much for each WebSocket */
    BACKLOG = 1024,
};

/* --- what arrives and what waits --- */

bool peer_hear(net_peer *peer, const void *bytes, size_t length)
{
    const size_t most = peer->net->settings.message_max, needed = peer->incoming_length + length;
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

void peer_forget_heard(net_peer *peer)
{
    free(peer->incoming);
    peer->incoming = NULL;
    peer->incoming_length = peer->incoming_room = 0;
}

static size_t cost(size_t length)
{
    return sizeof(chunk) + LWS_PRE + length + 1;
}

unsigned char *peer_queue(net_peer *peer, size_t length)
{
    chunk *new = malloc(cost(length));
    if (new == NULL)
        return NULL;
    *new = (chunk){.length = length};
    *(peer->last != NULL ? &peer->last->next : &peer->first) = new;
    peer->last = new;
    peer->queued += cost(length);
    return new->bytes + LWS_PRE;
}

static void unqueue(net_peer *peer)
{
    chunk *gone = peer->first;
    peer->first = gone->next;
    if (peer->first == NULL)
        peer->last = NULL;
    peer->queued -= cost(gone->length);
    free(gone);
}

bool peer_write(net_peer *peer)
{
    chunk *head = peer->first;
    const size_t left = head->length - head->sent, length = left < PIECE ? left : PIECE;
    const int kind = peer->stage == PEER_HTTP ? LWS_WRITE_HTTP
                                              : lws_write_ws_flags(LWS_WRITE_TEXT, head->sent == 0, length == left);
    /* lws puts its frame header before the bytes: into the headroom, or over what has been sent. */
    if (lws_write(peer->wsi, head->bytes + LWS_PRE + head->sent, length, (enum lws_write_protocol)kind) < (int)length)
        return false;
    peer->net->figures.bytes_out += length;
    head->sent += length;
    if (length == left)
        unqueue(peer);
    return true;
}

void peer_listen_to(net_peer *peer, bool yes)
{
    if (peer->deaf != yes)
        return;
    peer->deaf = !yes;
    lws_rx_flow_control(peer->wsi, yes);
}

/* --- a connection's life --- */

void peer_allow(net_peer *peer, unsigned seconds)
{
    peer->deadline = seconds > 0 ? uv_now(peer->net->loop) + seconds * UINT64_C(1000) : 0;
}

void peer_kill(net_peer *peer)
{
    while (peer->first != NULL)
        unqueue(peer);
    peer->stage = PEER_DEAD;
    peer->deadline = 0;
    lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    lws_cancel_service(peer->net->lws); /* or lws would not look at its timers until something arrives */
}

/* Who owns an IPv6 address owns the 2^64 with the same beginning. */
static struct in6_addr home_of(const struct sockaddr *address)
{
    struct in6_addr home = {0};
    if (address->sa_family == AF_INET) {
        home.s6_addr[10] = home.s6_addr[11] = 0xff;
        memcpy(home.s6_addr + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
    } else {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
        memcpy(home.s6_addr, six, IN6_IS_ADDR_V4MAPPED(six) ? 16 : 8);
    }
    return home;
}

static net_peer **bucket_of(net *net, const struct in6_addr *home)
{
    uint32_t hash = 2166136261u;
    for (size_t at = 0; at < sizeof home->s6_addr; at++)
        hash = (hash ^ home->s6_addr[at]) * 16777619u;
    return &net->bucket[(hash ^ hash >> 16) % BUCKETS];
}

static bool has_room(net *net, const struct in6_addr *home)
{
    unsigned count = 0;
    for (const net_peer *peer = *bucket_of(net, home); peer != NULL; peer = peer->next)
        count += memcmp(&peer->home, home, sizeof *home) == 0;
    return count < net->settings.connections_per_address;
}

static void leave_bucket(net_peer *peer)
{
    *peer->link = peer->next;
    if (peer->next != NULL)
        peer->next->link = peer->link;
}

static void enter_bucket(net_peer *peer)
{
    peer->link = bucket_of(peer->net, &peer->home);
    peer->next = *peer->link;
    *peer->link = peer;
    if (peer->next != NULL)
        peer->next->link = &peer->next;
}

static void name_address(net_peer *peer, const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        uv_ip4_name((const struct sockaddr_in *)address, peer->address, sizeof peer->address);
    else
        uv_ip6_name((const struct sockaddr_in6 *)address, peer->address, sizeof peer->address);
    static const char mapped[] = "::ffff:";
    if (strncmp(peer->address, mapped, strlen(mapped)) == 0 && strchr(peer->address, '.') != NULL)
        memmove(peer->address, peer->address + strlen(mapped), strlen(peer->address + strlen(mapped)) + 1);
}

bool peer_settle(net_peer *peer, const struct sockaddr *address)
{
    const struct in6_addr home = home_of(address);
    name_address(peer, address);
    if (memcmp(&home, &peer->home, sizeof home) == 0)
        return true;
    if (!has_room(peer->net, &home))
        return false;
    leave_bucket(peer);
    peer->home = home;
    enter_bucket(peer);
    return true;
}

/* lws tells of the end once or twice, and not at all of a handshake that failed but by destroying it. */
static void peer_end(net_peer *peer)
{
    net *net = peer->net;
    lws_set_opaque_user_data(peer->wsi, NULL);
    leave_bucket(peer);
    net->connections--;
    http_forget(peer);
    peer->stage = PEER_DEAD;
    if (peer->let_in) {
        net->figures.peers--;
        net->handlers.closed(net->context, peer);
    }
    while (peer->first != NULL)
        unqueue(peer);
    peer_forget_heard(peer);
    free(peer->reason);
    free(peer);
}

__attribute__((format(printf, 2, 3))) static bool fail(gral_error *error, const char *format, ...)
{
    *error = (gral_error){0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

/* lws would not do: it starts without TLS when a file is missing, and renames files. */
static bool load_certificate(SSL_CTX *tls, const net_settings *settings, gral_error *error)
{
    const char *const paths[] = {settings->certificate, settings->key};
    for (unsigned at = 0; at < 2; at++) {
        if (paths[at] == NULL || access(paths[at], R_OK) != 0)
            return fail(error, "%s cannot be read: %s", paths[at] != NULL ? paths[at] : "the key of the certificate",
                        paths[at] != NULL ? strerror(errno) : "name its file as well");
    }
    if (SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) != 1 ||
        SSL_CTX_use_certificate_chain_file(tls, settings->certificate) != 1)
        return fail(error, "%s is no certificate in PEM form", settings->certificate);
    if (SSL_CTX_use_PrivateKey_file(tls, settings->key, SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(tls) != 1)
        return fail(error, "%s is not the key of %s in PEM form", settings->key, settings->certificate);
    return true;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *bytes, size_t length)
{
    net_peer *peer = wsi != NULL ? lws_get_opaque_user_data(wsi) : NULL;
    switch (why) {
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS: {
        const net *net = lws_context_user(lws_get_context(wsi));
        gral_error error;
        return load_certificate(user, &net->settings, &error) ? 0 : -1;
    }
    case LWS_CALLBACK_RAW_ADOPT: /* the method CONNECT would make it a bare socket */
        return -1;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return peer != NULL ? http_on_upgrade(peer, bytes) : -1;
    case LWS_CALLBACK_HTTP:
        return peer != NULL ? http_on_request(peer) : -1;
    case LWS_CALLBACK_HTTP_BODY:
        return peer != NULL ? http_on_body(peer, bytes, length) : -1;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return peer != NULL ? http_on_body_end(peer) : -1;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return peer != NULL ? http_on_writeable(peer) : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return peer != NULL ? socket_on_opened(peer) : -1;
    case LWS_CALLBACK_RECEIVE:
        return peer != NULL ? socket_on_bytes(peer, bytes, length) : -1;
    case LWS_CALLBACK_RECEIVE_PONG:
        if (peer != NULL)
            socket_on_life(peer);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return peer != NULL ? socket_on_writeable(peer) : -1;
    case LWS_CALLBACK_TIMER:
        return peer != NULL ? socket_on_timer(peer) : -1;
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_WSI_DESTROY:
        if (peer != NULL)
            peer_end(peer);
        return 0;
    default:
        return 0;
    }
}

/* --- listening --- */

static void take_connection(net *net, int socket, const struct sockaddr *address)
{
    const struct in6_addr home = home_of(address);
    net_peer *peer = NULL;
    /* A proxy's connections all come from one address: there the limit waits for the request. */
    const bool welcome = net->connections < net->settings.connections_max &&
                         (net->settings.behind_proxy || has_room(net, &home));
    if (welcome)
        peer = calloc(1, sizeof *peer);
    if (peer == NULL) {
        net->figures.refused++;
        close(socket);
        return;
    }
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    peer->wsi = lws_adopt_socket_vhost(net->vhost, socket);
    if (peer->wsi == NULL) { /* lws has closed it */
        free(peer);
        return;
    }
    lws_set_opaque_user_data(peer->wsi, peer);
    peer->net = net;
    peer->home = home;
    name_address(peer, address);
    enter_bucket(peer);
    net->connections++;
    net->figures.accepted++;
    peer_allow(peer, net->settings.patience_seconds);
}

static void on_connection(uv_poll_t *listener, int status, int events)
{
    (void)status, (void)events;
    net *net = listener->data;
    for (unsigned taken = 0; taken < BACKLOG; taken++) {
        struct sockaddr_storage address;
        socklen_t length = sizeof address;
        const int socket = accept4(net->socket, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket >= 0)
            take_connection(net, socket, (struct sockaddr *)&address);
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        else if (errno != EINTR && errno != ECONNABORTED) {
            uv_poll_stop(listener); /* no files left, say: the clock tries again */
            return;
        }
    }
}

static bool listen_at(net *net, const struct addrinfo *at, gral_error *error)
{
    const net_settings *settings = &net->settings;
    const char *where = settings->address != NULL ? settings->address : "every address";
    const int yes = 1, no = 0;
    net->socket = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (net->socket >= 0) {
        setsockopt(net->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (at->ai_family == AF_INET6)
            setsockopt(net->socket, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    }
    if (net->socket >= 0 && bind(net->socket, at->ai_addr, at->ai_addrlen) == 0 && listen(net->socket, BACKLOG) == 0) {
        struct sockaddr_storage bound = {0};
        socklen_t length = sizeof bound;
        getsockname(net->socket, (struct sockaddr *)&bound, &length);
        net->port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                                      : ((struct sockaddr_in *)&bound)->sin_port);
        return true;
    }
    const int why = errno;
    if (net->socket >= 0)
        close(net->socket);
    net->socket = -1;
    switch (why) {
    case EADDRINUSE:
        return fail(error, "port %u of %s is in use: stop the other program, or choose another port", settings->port,
                    where);
    case EADDRNOTAVAIL:
        return fail(error, "%s is not an address of this machine: choose one of its own, or none for all", where);
    case EACCES:
        return fail(error, "port %u needs root's rights: choose one above 1023, or let a proxy listen there",
                    settings->port);
    default:
        return fail(error, "cannot listen at port %u of %s: %s", settings->port, where, strerror(why));
    }
}

static bool start_listening(net *net, gral_error *error)
{
    char port[16];
    snprintf(port, sizeof port, "%u", net->settings.port);
    const struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    const int status = getaddrinfo(net->settings.address, port, &wish, &found);
    if (status != 0)
        return fail(error, "there is no address %s: %s", net->settings.address, gai_strerror(status));
    /* An IPv6 socket hears IPv4 as well; a machine without IPv6 has the other one. */
    bool listening = false;
    const int families[] = {AF_INET6, AF_INET};
    for (unsigned family = 0; family < 2 && !listening; family++) {
        for (const struct addrinfo *at = found; at != NULL && !listening; at = at->ai_next)
            if (at->ai_family == families[family])
                listening = listen_at(net, at, error);
    }
    freeaddrinfo(found);
    return listening;
}

/* --- opening --- */

static bool make_room_for_files(const net_settings *settings, gral_error *error)
{
    struct rlimit limit;
    const rlim_t needed = (rlim_t)settings->connections_max + FILES_BESIDES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return fail(error, "the limit of open files cannot be read: %s", strerror(errno));
    if (limit.rlim_max < needed)
        return fail(error,
                    "%u connections need %llu open files and the system allows %llu: raise it (ulimit -Hn) "
                    "or allow fewer connections",
                    settings->connections_max, (unsigned long long)needed, (unsigned long long)limit.rlim_max);
    if (limit.rlim_cur > FILES_USUAL)
        limit.rlim_cur = FILES_USUAL;
    if (limit.rlim_cur < needed)
        limit.rlim_cur = needed;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return fail(error, "the limit of open files cannot be raised: %s", strerror(errno));
    return true;
}

static bool check_certificate(const net_settings *settings, gral_error *error)
{
    if (settings->certificate == NULL)
        return true;
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    const bool good = tls != NULL ? load_certificate(tls, settings, error) : fail(error, "out of memory");
    SSL_CTX_free(tls);
    ERR_clear_error();
    return good;
}

static char complaint[120]; /* lws's first one; it has no way to pass anything along */

static void keep_complaint(int level, const char *line)
{
    (void)level;
    if (complaint[0] == '\0')
        snprintf(complaint, sizeof complaint, "%.*s", (int)strcspn(line, "\n"), line);
}

static const struct lws_protocols protocols[] = {
    {.name = "gral", .callback = on_event, .rx_buffer_size = RECEIVE_BYTES, .tx_packet_size = PIECE}, {0}};

static bool start_lws(net *net, gral_error *error)
{
    static const lws_retry_bo_t no_pings = {0}; /* ours are enough */
    const net_settings *settings = &net->settings;
    const uint64_t tls = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
    void *loops[] = {net->loop};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .headers = http_headers(),
        .options = LWS_SERVER_OPTION_LIBUV | (settings->certificate != NULL ? tls : 0),
        .user = net,
        .foreign_loops = loops,
        .alpn = "http/1.1",
        .max_http_header_data = REQUEST_MAX,
        .timeout_secs = settings->patience_seconds,
        .timeout_secs_ah_idle = settings->patience_seconds,
        .keepalive_timeout = (int)settings->idle_seconds,
        .retry_and_idle_policy = &no_pings,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
    };
    complaint[0] = '\0';
    lws_set_log_level(LLL_ERR, keep_complaint);
    net->lws = lws_create_context(&info);
    lws_set_log_level(0, keep_complaint);
    if (net->lws == NULL)
        return fail(error, "libwebsockets does not start; is libwebsockets-evlib-uv installed? (%s)", complaint);
    net->vhost = lws_get_vhost_by_name(net->lws, "default");
    return true;
}

static void on_clock(uv_timer_t *clock);

net *net_open(const net_settings *settings, const net_handlers *handlers, void *context, uv_loop_t *loop,
              gral_error *error)
{
    net *net = calloc(1, sizeof *net);
    if (net == NULL || (settings->origins != NULL && (net->origins = strdup(settings->origins)) == NULL)) {
        fail(error, "out of memory");
        free(net);
        return NULL;
    }
    net->settings = *settings;
    net->handlers = *handlers;
    net->context = context;
    net->loop = loop;
    net->socket = -1;
    if (!make_room_for_files(settings, error) || !check_certificate(settings, error) || !start_listening(net, error) ||
        !start_lws(net, error)) {
        if (net->socket >= 0)
            close(net->socket);
        free(net->origins);
        free(net);
        return NULL;
    }
    uv_poll_init(loop, &net->listener, net->socket);
    uv_timer_init(loop, &net->clock);
    net->listener.data = net->clock.data = net;
    uv_poll_start(&net->listener, UV_READABLE, on_connection);
    uv_timer_start(&net->clock, on_clock, TICK_MS, TICK_MS);
    return net;
}

unsigned net_port(const net *net)
{
    return net->port;
}

net_figures net_count(const net *net)
{
    return net->figures;
}

/* --- time and the end --- */

static void for_everybody(net *net, void (*act)(net_peer *peer, uint64_t now))
{
    const uint64_t now = uv_now(net->loop);
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        for (net_peer *peer = net->bucket[bucket], *next; peer != NULL; peer = next) {
            next = peer->next;
            act(peer, now);
        }
    }
}

static void check_time(net_peer *peer, uint64_t now)
{
    const bool late = peer->deadline > 0 && now >= peer->deadline;
    if (peer->stage == PEER_OPEN && late)
        net_drop(peer, LWS_CLOSE_STATUS_POLICY_VIOLATION, "a message must not take so long");
    else if (late)
        peer_kill(peer);
    else if (peer->stage == PEER_OPEN)
        socket_check(peer, now);
    else if (peer->stage == PEER_HTTP)
        http_check(peer, now);
}

static void take_leave(net_peer *peer, uint64_t now)
{
    (void)now;
    if (peer->stage == PEER_OPEN)
        net_drop(peer, LWS_CLOSE_STATUS_GOINGAWAY, "the server stops");
    else if (peer->stage < PEER_CLOSING)
        peer_kill(peer);
}

static void free_net(uv_handle_t *clock)
{
    net *net = clock->data;
    free(net->origins);
    free(net);
}

/* Everybody goes, or is late; then lws closes its handles, which takes turns of the loop, and only then its memory
 * may go. */
static void go_on_closing(net *net)
{
    if (net->closing_turns == 0 && net->connections > 0 && uv_now(net->loop) < net->closing_since + CLOSING_MS)
        return;
    const unsigned turn = net->closing_turns++;
    if (turn == 0 || turn == DESTROY_TURNS)
        lws_context_destroy(net->lws);
    if (turn == DESTROY_TURNS)
        uv_close((uv_handle_t *)&net->clock, free_net);
}

static void on_clock(uv_timer_t *clock)
{
    net *net = clock->data;
    if (net->closing_since > 0) {
        go_on_closing(net);
        return;
    }
    for_everybody(net, check_time);
    if (!uv_is_active((uv_handle_t *)&net->listener))
        uv_poll_start(&net->listener, UV_READABLE, on_connection);
}

void net_close(net *net)
{
    if (net->closing_since > 0)
        return;
    net->closing_since = uv_now(net->loop) | 1;
    uv_close((uv_handle_t *)&net->listener, NULL);
    close(net->socket);
    net->socket = -1;
    for_everybody(net, take_leave);
    uv_timer_start(&net->clock, on_clock, CLOSING_TICK_MS, CLOSING_TICK_MS);
}
