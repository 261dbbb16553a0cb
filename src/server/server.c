/* Starting, stopping, and what belongs to no other file: connections come and go here. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/log.h"
#include "server/memory.h"
#include "server/papers.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <utlist.h>

enum {
    PRICE_OF_CONNECTION = 2,
    EARLY_MAX = 65536,
    STOP_POLL_MS = 10,
};

static int64_t own_clock(void)
{
    return (int64_t)(uv_hrtime() / 1000000);
}

int64_t server_now(const server *server)
{
    return server->epoch + own_clock();
}

static int64_t time_of_day(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return 1000ll * time.tv_sec + time.tv_nsec / 1000000;
}

/* --- connections --- */

static unsigned opening(void *context, web_peer *peer, const web_request *request)
{
    server *server = context;
    if (strcmp(request->path, "/ws") != 0)
        return 404;
    if (moderation_bars(server, request->address))
        return 403;
    conn *conn = memory_get(sizeof *conn);
    conn->server = server;
    conn->from = origin_of(request->address);
    if (!conn_pays(conn, BUDGET_WORK, PRICE_OF_CONNECTION)) {
        free(conn);
        return 429;
    }
    conn->held = 1;
    session_remember(conn, request);
    web_peer_set(peer, conn);
    return 0;
}

static void opened(void *context, web_peer *peer)
{
    server *server = context;
    conn *conn = web_peer_data(peer);
    conn->peer = peer;
    DL_APPEND(server->conns, conn);
    session_identify(conn);
}

static void message_came(void *context, web_peer *peer, gral_span message)
{
    (void)context;
    conn *conn = web_peer_data(peer);
    if (memchr(message.bytes, '\0', message.length) != NULL || conn->early.length > EARLY_MAX) {
        web_drop(peer, 1008, "this is no message");
        return;
    }
    if (conn->server->stopping)
        return;
    if (conn->known)
        requests_take(conn, message);
    else
        pen_keep(&conn->early, message);
}

static void closed(void *context, web_peer *peer)
{
    server *server = context;
    conn *conn = web_peer_data(peer);
    if (conn == NULL)
        return;
    if (conn->peer != NULL)
        DL_DELETE(server->conns, conn);
    conn->peer = NULL;
    while (conn->watches != NULL)
        watch_end(conn->watches);
    meeting_leave(conn);
    session_leave(conn);
    conn_release(conn);
}

static const web_handlers handlers = {
    .request = http_request, .opening = opening, .opened = opened, .message = message_came, .closed = closed};

/* --- stopping --- */

/* What has been promised is written first; then other servers take over, the network is told goodbye, and the loop runs
 * dry. Whoever comes back to another server finds all he was answered, and sends again what he was not. */
static void wind_up(uv_timer_t *timer)
{
    server *server = timer->data;
    if (commit_busy(server->commit) || errands_busy(server) || admin_busy(server))
        return;
    if (!server->left)
        peers_leave(server);
    server->left = true;
    if (peers_busy(server))
        return;
    if (peers_count(server) > 0 && server->web != NULL) { /* nobody waits for letters and thoughts that end here */
        web_close(server->web, true);
        server->web = NULL;
    }
    if (ratings_busy(server) || herald_busy(server) || slumber_busy(server) || anew_busy(server) ||
        think_count(server->think).running > 0)
        return;
    peers_stop(server);
    uv_timer_stop(timer);
    uv_close((uv_handle_t *)timer, NULL);
    uv_close((uv_handle_t *)&server->on_term, NULL);
    uv_close((uv_handle_t *)&server->on_int, NULL);
    uv_close((uv_handle_t *)&server->on_hup, NULL);
    admin_stop(server);
    lobby_stop(server);
    here_stop(server);
    anew_stop(server);
    meeting_stop(server);
    tournaments_stop(server);
    notify_close(&server->notify);
    tables_rest(server);
    expiry_stop(server);
    clearing_stop(server);
    herald_end(server);
    slumber_end(server);
    follow_stop(server);
    slow_stop(server);
    commit_close(server->commit);
    if (server->web != NULL)
        web_close(server->web, false);
}

static void stop_now(server *server)
{
    server->stopping = true;
    think_stop(server->think);
    errands_stop(server);
    ratings_stop(server);
    herald_stop(server);
    slumber_stop(server);
    uv_timer_start(&server->stop_timer, wind_up, 0, STOP_POLL_MS);
}

static void drained(uv_timer_t *timer)
{
    stop_now(timer->data);
}

/* Where there are other servers, whoever leads people here has a moment to notice that this one goes; a second signal
 * ends it. */
static void stop(uv_signal_t *signal, int number)
{
    server *server = signal->data;
    const bool noticed = server->draining || server->web == NULL || peers_count(server) == 0;
    if (server->stopping)
        return;
    log_line(LOG_INFO, "stopping", "signal=%d others=%u", number, peers_count(server));
    server->draining = true;
    notify_stopping();
    if (!noticed && server->settings.drain_seconds > 0)
        uv_timer_start(&server->stop_timer, drained, 1000ull * server->settings.drain_seconds, 0);
    else
        stop_now(server);
}

void server_give_up(server *server)
{
    if (server->outdated)
        return;
    server->outdated = true;
    log_line(LOG_ERROR, "outdated", "why=\"a newer gral has changed the database\" others=%u", peers_count(server));
    if (!server->stopping)
        stop_now(server);
}

/* --- keys --- */

/* A server that comes may have made a new one, and signs with it from now on; so does this one. */
static void read_keys(uv_work_t *work)
{
    server *server = work->data;
    server->signing = signing_again(server->signing, server->store);
}

static void keys_were_read(uv_work_t *work, int status)
{
    (void)status;
    work->data = NULL;
}

void server_read_keys(server *server)
{
    if (server->keys.data != NULL || server->stopping)
        return;
    server->keys.data = server;
    uv_queue_work(&server->loop, &server->keys, read_keys, keys_were_read);
}

/* --- other settings --- */

static web_settings network_of(const server_settings *settings)
{
    web_settings network = settings->web;
    network.paced = settings->rate > 0;
    return network;
}

static void reload(uv_signal_t *signal, int number)
{
    (void)number;
    server *server = signal->data;
    gral_error error;
    if (server->stopping || server->web == NULL)
        return;
    const server_settings *settings = server->reload(&error);
    const web_settings network = network_of(settings != NULL ? settings : &server->settings);
    if (settings == NULL || !web_reload(server->web, &network, &error)) {
        log_line(LOG_ERROR, "reload-failed", "why=\"%s\"", error.message);
        return;
    }
    server->settings = *settings;
    budget_set_rate(server->budget, settings->rate);
    log_line(LOG_INFO, "reloaded", NULL);
}

/* --- starting --- */

static void start_timers(server *server)
{
    uv_signal_init(&server->loop, &server->on_term);
    uv_signal_init(&server->loop, &server->on_int);
    uv_timer_init(&server->loop, &server->stop_timer);
    uv_signal_init(&server->loop, &server->on_hup);
    server->on_term.data = server->on_int.data = server->on_hup.data = server->stop_timer.data = server;
    lobby_start(server);
    here_open(server);
    crowds_open(server);
    room_open(server);
    create_open(server);
    anew_open(server);
    notify_start(&server->notify, &server->loop);
    static const peers_listener keys = {.repeat = server_read_keys};
    peers_listen(server, PEERS_KEYS, &keys);
    uv_signal_start(&server->on_term, stop, SIGTERM);
    uv_signal_start(&server->on_int, stop, SIGINT);
    uv_signal_start(&server->on_hup, reload, SIGHUP);
}

static bool fail(gral_error *error, const char *text)
{
    *error = (gral_error){0};
    gral_text message = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&message, text);
    return false;
}

bool server_run(const server_settings *settings,
                void (*ready)(unsigned port, const web_address others[], unsigned count),
                const server_settings *(*reload_settings)(gral_error *error), gral_error *error)
{
    if (sodium_init() < 0)
        return fail(error, "libsodium cannot start: there is no source of chance");
    setenv("UV_THREADPOOL_SIZE", "5", 1); /* read by libuv when its pool is first used */

    signal(SIGPIPE, SIG_IGN); /* somebody hung up, a file may grow no further: errors like others, not the end */
    signal(SIGXFSZ, SIG_IGN);

    server *server = memory_get(sizeof *server);
    server->settings = *settings;
    server->reload = reload_settings;
    server->epoch = time_of_day() - own_clock();
    server->store = store_open(settings->database, false, error);
    if (server->store == NULL) {
        free(server);
        return false;
    }
    server->signing = signing_open(server->store, settings->new_key, server_now(server), error);
    if (server->signing == NULL) {
        server->store->kind->close(server->store);
        free(server);
        return false;
    }
    server->papers = papers_open(settings->print);
    uv_loop_init(&server->loop);
    start_timers(server);
    server->commit = commit_open(server->store, &server->loop,
                                 &(commit_handlers){.gather = tables_write, .rest = tables_tell}, server);
    const bool lives = peers_open(server, error);
    server->budget = budget_open(settings->rate);
    server->think = think_open(&server->loop, settings->thinkers);
    errands_open(server);
    expiry_open(server);
    clearing_open(server);
    slumber_open(server);
    follow_open(server);
    slow_open(server);
    ratings_open(server);
    meeting_open(server);
    admin_open(server);
    const bool orderly = tournaments_open(server, error) && moderation_open(server, error) &&
                         company_open(server, error);
    bool right = herald_open(server, error) && lives && orderly && tables_load_all(server, error);
    const web_settings network = network_of(settings);
    server->web = right ? web_open(&network, &handlers, server, &server->loop, error) : NULL;
    right = server->web != NULL;
    if (right) {
        log_line(LOG_INFO, "listening", "port=%u", web_port(server->web));
        web_address others[WEB_ADDRESSES_MAX];
        const unsigned count = web_addresses(server->web, others);
        ready(web_port(server->web), others, count);
        notify_ready();
    } else {
        stop(&server->on_term, 0);
    }
    uv_run(&server->loop, UV_RUN_DEFAULT);
    if (server->outdated)
        right = fail(error, "a newer gral has changed the database: this one cannot go on with it");

    tables_forget_all(server);
    think_close(server->think);
    uv_run(&server->loop, UV_RUN_DEFAULT);
    uv_loop_close(&server->loop);
    commit_free(server->commit);
    errands_close(server);
    expiry_close(server);
    clearing_close(server);
    ratings_close(server);
    meeting_close(server);
    tournaments_close(server);
    herald_close(server);
    slumber_close(server);
    follow_close(server);
    slow_close(server);
    admin_close(server);
    moderation_close(server);
    company_close(server);
    anew_close(server);
    crowds_close(server);
    room_close(server);
    peers_close(server);
    budget_close(server->budget);
    person_forget_all(server);
    signing_close(server->signing);
    papers_close(server->papers);
    server->store->kind->close(server->store);
    pen_free(&server->out);
    pen_free(&server->view);
    free(server);
    if (right)
        log_line(LOG_INFO, "stopped", NULL);
    return right;
}
