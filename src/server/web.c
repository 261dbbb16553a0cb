/* Connections: who may connect, how long each may take, what waits to be sent to it. lws speaks HTTP, WebSocket and
 * TLS on sockets that are accepted here, because only here a limit can be kept before lws spends memory, and because
 * the reasons why a port cannot be had are told best by the one who asks for it.
 *
 * All clocks are one: once a second every connection is looked at. lws keeps timers in a sorted list, which would be
 * walked for each message of each of ten thousand players. */
#include "server/web_inside.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TICK_MS = 1000,
    CLOSING_TICK_MS = 10,
    CLOSING_MS = 2000,    /* for peers to take leave */
    DESTROY_TURNS = 3,    /* of the loop until lws's handles are closed */
    RECEIVE_BYTES = 1024, /* lws keeps so much for each WebSocket */
};

/* --- a connection's life --- */

void peer_allow(web_peer *peer, unsigned seconds)
{
    peer->deadline = seconds > 0 ? uv_now(peer->web->loop) + seconds * UINT64_C(1000) : 0;
}

void peer_kill(web_peer *peer)
{
    while (peer->first != NULL)
        peer_unqueue(peer);
    exchange_end(peer);
    peer->stage = PEER_DEAD;
    peer->deadline = 0;
    lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    lws_cancel_service(peer->web->lws); /* or lws would not look at its timers until something arrives */
}

static void join(web_peer *peer)
{
    peer->link = &peer->web->peers;
    peer->next = *peer->link;
    *peer->link = peer;
    if (peer->next != NULL)
        peer->next->link = &peer->next;
}

static void leave(web_peer *peer)
{
    *peer->link = peer->next;
    if (peer->next != NULL)
        peer->next->link = peer->link;
}

static void write_address(const struct sockaddr *address, char text[ADDRESS_MAX])
{
    if (address->sa_family == AF_INET)
        uv_ip4_name((const struct sockaddr_in *)address, text, ADDRESS_MAX);
    else
        uv_ip6_name((const struct sockaddr_in6 *)address, text, ADDRESS_MAX);
    static const char mapped[] = "::ffff:";
    if (strncmp(text, mapped, strlen(mapped)) == 0 && strchr(text, '.') != NULL)
        memmove(text, text + strlen(mapped), strlen(text + strlen(mapped)) + 1);
}

bool peer_settle(web_peer *peer, const struct sockaddr *address)
{
    char before[ADDRESS_MAX];
    memcpy(before, peer->address, sizeof before);
    write_address(address, peer->address);
    if (peer->settled && strcmp(before, peer->address) == 0)
        return true;
    crowd_leave(peer->crowds);
    peer->settled = crowd_enter(peer->web, peer->address, true, peer->crowds);
    return peer->settled;
}

/* lws tells of the end once or twice, and not at all of a handshake that failed but by destroying it. */
static void peer_end(web_peer *peer)
{
    web *web = peer->web;
    lws_set_opaque_user_data(peer->wsi, NULL);
    leave(peer);
    socket_end(peer);
    crowd_leave(peer->crowds);
    web->connections--;
    exchange_end(peer);
    peer->stage = PEER_DEAD;
    if (peer->let_in) {
        web->figures.peers--;
        web->handlers.closed(web->context, peer);
    }
    while (peer->first != NULL)
        peer_unqueue(peer);
    peer_forget_heard(peer);
    free(peer->reason);
    free(peer);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *bytes, size_t length)
{
    if (why == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS) {
        web *web = lws_context_user(lws_get_context(wsi));
        gral_error error; /* it has been tried before */
        web->tls = user;
        return port_load_certificate(user, &web->settings, &error) ? 0 : -1;
    }
    web_peer *peer = wsi != NULL ? lws_get_opaque_user_data(wsi) : NULL;
    if (peer == NULL)
        return 0;
    switch (why) {
    case LWS_CALLBACK_RAW_ADOPT: /* the method CONNECT would make it a bare socket */
        return -1;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return exchange_on_upgrade(peer);
    case LWS_CALLBACK_HTTP:
        return exchange_on_request(peer);
    case LWS_CALLBACK_HTTP_BODY:
        return exchange_on_body(peer, bytes, length);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return exchange_on_writeable(peer);
    case LWS_CALLBACK_ESTABLISHED:
        return socket_on_opened(peer);
    case LWS_CALLBACK_RECEIVE:
        return socket_on_bytes(peer, bytes, length);
    case LWS_CALLBACK_RECEIVE_PONG:
        socket_on_life(peer);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return socket_on_writeable(peer);
    case LWS_CALLBACK_TIMER:
        return socket_on_timer(peer);
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_WSI_DESTROY:
        peer_end(peer);
        return 0;
    default:
        return 0;
    }
}

/* --- who connects --- */

/* A proxy's connections all come from one address: there the limits wait for the request. */
static web_peer *welcome(web *web, const struct sockaddr *address)
{
    web_peer *peer = web->connections < web->settings.connections_max ? calloc(1, sizeof *peer) : NULL;
    if (peer == NULL)
        return NULL;
    peer->web = web;
    write_address(address, peer->address);
    const bool limited = !web->settings.behind_proxy, paced = limited && web->settings.paced;
    if (crowd_enter(web, peer->address, limited, peer->crowds) && (!paced || crowd_pay(web, peer->crowds)))
        return peer;
    crowd_leave(peer->crowds);
    free(peer);
    return NULL;
}

static void take_connection(web *web, int socket, const struct sockaddr *address)
{
    web_peer *peer = welcome(web, address);
    if (peer == NULL) {
        web->figures.refused++;
        close(socket);
        return;
    }
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    peer->wsi = lws_adopt_socket_vhost(web->vhost, socket);
    if (peer->wsi == NULL) { /* lws has closed it */
        crowd_leave(peer->crowds);
        free(peer);
        return;
    }
    lws_set_opaque_user_data(peer->wsi, peer);
    join(peer);
    web->connections++;
    web->figures.accepted++;
    peer_allow(peer, web->settings.patience_seconds);
}

static void on_connection(uv_poll_t *listener, int status, int events)
{
    (void)status, (void)events;
    web *web = listener->data;
    for (unsigned taken = 0; taken < BACKLOG; taken++) {
        struct sockaddr_storage address;
        socklen_t length = sizeof address;
        const int socket = accept4(web->socket, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket >= 0)
            take_connection(web, socket, (struct sockaddr *)&address);
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        else if (errno != EINTR && errno != ECONNABORTED) {
            uv_poll_stop(listener); /* no files left, say: the clock tries again */
            return;
        }
    }
}

/* --- opening --- */

static char complaint[120]; /* lws's first one; it has no way to pass anything along */

static void keep_complaint(int level, const char *line)
{
    (void)level;
    if (complaint[0] == '\0')
        snprintf(complaint, sizeof complaint, "%.*s", (int)strcspn(line, "\n"), line);
}

static const struct lws_protocols protocols[] = {
    {.name = "gral", .callback = on_event, .rx_buffer_size = RECEIVE_BYTES, .tx_packet_size = PIECE + FRAME_HEADER},
    {0}};

static bool start_lws(web *web, gral_error *error)
{
    static const lws_retry_bo_t no_pings = {0}; /* ours are enough */
    const web_settings *settings = &web->settings;
    const uint64_t tls = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
    void *loops[] = {web->loop};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .headers = http_headers(),
        .options = LWS_SERVER_OPTION_LIBUV | (settings->certificate != NULL ? tls : 0),
        .user = web,
        .foreign_loops = loops,
        .alpn = "http/1.1",
        .max_http_header_data = REQUEST_MAX,
        .timeout_secs = settings->patience_seconds,
        .timeout_secs_ah_idle = settings->patience_seconds,
        .keepalive_timeout = (int)settings->idle_seconds,
        .retry_and_idle_policy = &no_pings,
        .gid = (__typeof__(info.gid))-1, /* who has started us; an int once, and unsigned in newer versions */
        .uid = (__typeof__(info.uid))-1,
    };
    complaint[0] = '\0';
    lws_set_log_level(LLL_ERR, keep_complaint);
    web->lws = lws_create_context(&info);
    lws_set_log_level(0, keep_complaint);
    if (web->lws == NULL)
        return port_fail(error, "libwebsockets does not start; is libwebsockets-evlib-uv installed? (%s)", complaint);
    web->vhost = lws_get_vhost_by_name(web->lws, "default");
    return true;
}

bool web_reload(web *web, const web_settings *settings, gral_error *error)
{
    if ((settings->certificate == NULL) != (web->settings.certificate == NULL))
        return port_fail(error, "TLS comes and goes only with a restart");
    char *origins = settings->origins != NULL ? strdup(settings->origins) : NULL;
    if ((settings->origins != NULL && origins == NULL) || !port_check_certificate(settings, error) ||
        (settings->certificate != NULL && !port_load_certificate(web->tls, settings, error))) {
        free(origins);
        return false;
    }
    free(web->origins);
    web->origins = origins;
    web->settings = *settings;
    return true;
}

static void on_clock(uv_timer_t *clock);

static void on_timers_done(uv_prepare_t *handle)
{
    socket_send_due(handle->data);
}

static void on_events_done(uv_check_t *handle)
{
    socket_send_due(handle->data);
}

static void close_files(web *web)
{
    int *const files[] = {&web->socket, &web->ready};
    for (unsigned at = 0; at < 2; at++) {
        if (*files[at] >= 0)
            close(*files[at]);
        *files[at] = -1;
    }
}

web *web_open(const web_settings *settings, const web_handlers *handlers, void *context, uv_loop_t *loop,
              gral_error *error)
{
    web *web = calloc(1, sizeof *web);
    if (web == NULL || (settings->origins != NULL && (web->origins = strdup(settings->origins)) == NULL)) {
        port_fail(error, "out of memory");
        free(web);
        return NULL;
    }
    web->settings = *settings;
    web->handlers = *handlers;
    web->context = context;
    web->loop = loop;
    web->socket = web->ready = -1;
    web->packet = malloc(LWS_PRE + FRAME_HEADER + PIECE);
    if (web->packet == NULL)
        port_fail(error, "out of memory");
    if (web->packet == NULL || !port_make_room(settings, error) || !port_check_certificate(settings, error) ||
        !port_listen(web, error) || !port_open_ready(web, error) || !start_lws(web, error)) {
        close_files(web);
        free(web->packet);
        free(web->origins);
        free(web);
        return NULL;
    }
    crowd_open(web);
    exchange_open(web);
    uv_poll_init(loop, &web->listener, web->socket);
    uv_timer_init(loop, &web->clock);
    uv_prepare_init(loop, &web->after_timers);
    uv_check_init(loop, &web->after_events);
    web->listener.data = web->clock.data = web->after_timers.data = web->after_events.data = web;
    uv_prepare_start(&web->after_timers, on_timers_done);
    uv_check_start(&web->after_events, on_events_done);
    uv_poll_start(&web->listener, UV_READABLE, on_connection);
    uv_timer_start(&web->clock, on_clock, TICK_MS, TICK_MS);
    return web;
}

unsigned web_port(const web *web)
{
    return web->port;
}

web_figures web_count(const web *web)
{
    return web->figures;
}

/* --- time and the end --- */

static void for_everybody(web *web, void (*act)(web_peer *peer, uint64_t now))
{
    const uint64_t now = uv_now(web->loop);
    for (web_peer *peer = web->peers, *next; peer != NULL; peer = next) {
        next = peer->next;
        act(peer, now);
    }
}

static void check_time(web_peer *peer, uint64_t now)
{
    const bool late = peer->deadline > 0 && now >= peer->deadline;
    if (peer->stage == PEER_OPEN && late)
        web_drop(peer, LWS_CLOSE_STATUS_POLICY_VIOLATION, "a message must not take so long");
    else if (late)
        peer_kill(peer);
    else if (peer->stage == PEER_OPEN)
        socket_check(peer, now);
}

enum { CLOSE_STATUS_RESTART = 1012 }; /* as registered with IANA; lws has no name for it */

static void take_leave(web_peer *peer, uint64_t now)
{
    (void)now;
    if (peer->stage == PEER_OPEN)
        web_drop(peer, peer->web->elsewhere ? CLOSE_STATUS_RESTART : LWS_CLOSE_STATUS_GOINGAWAY, "the server stops");
    else if (peer->stage < PEER_CLOSING)
        peer_kill(peer);
}

static void free_net(uv_handle_t *clock)
{
    web *web = clock->data;
    crowd_sweep(web, true);
    free(web->packet);
    free(web->origins);
    free(web);
}

/* Everybody goes, or is late; then lws closes its handles, which takes turns of the loop, and only then its memory
 * may go. */
static void go_on_closing(web *web)
{
    if (web->closing_turns == 0 && web->connections > 0 && uv_now(web->loop) < web->closing_since + CLOSING_MS)
        return;
    const unsigned turn = web->closing_turns++;
    if (turn == 0 || turn == DESTROY_TURNS)
        lws_context_destroy(web->lws);
    if (turn == 0) {
        uv_close((uv_handle_t *)&web->after_timers, NULL);
        uv_close((uv_handle_t *)&web->after_events, NULL);
    }
    if (turn == DESTROY_TURNS)
        uv_close((uv_handle_t *)&web->clock, free_net);
}

static void on_clock(uv_timer_t *clock)
{
    web *web = clock->data;
    if (web->closing_since > 0) {
        go_on_closing(web);
        return;
    }
    for_everybody(web, check_time);
    crowd_sweep(web, false);
    if (!uv_is_active((uv_handle_t *)&web->listener))
        uv_poll_start(&web->listener, UV_READABLE, on_connection);
}

void web_close(web *web, bool elsewhere)
{
    if (web->closing_since > 0)
        return;
    web->elsewhere = elsewhere;
    web->closing_since = uv_now(web->loop) | 1;
    uv_close((uv_handle_t *)&web->listener, NULL);
    exchange_close(web);
    for_everybody(web, take_leave);
    close_files(web);
    uv_timer_start(&web->clock, on_clock, CLOSING_TICK_MS, CLOSING_TICK_MS);
}
