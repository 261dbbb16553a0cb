#include "echo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct echo server;

typedef struct later {
    uv_timer_t timer;
    web_exchange *exchange;
} later;

static void answer(web_exchange *exchange, unsigned status, const char *headers, gral_span body)
{
    web_answer(exchange, &(web_reply){.status = status, .type = "text/plain", .headers = headers, .body = body});
}

static void free_later(uv_handle_t *timer)
{
    free(timer->data);
}

static void answer_later(uv_timer_t *timer)
{
    later *waiting = timer->data;
    answer(waiting->exchange, 200, NULL, gral_span_of("at last"));
    uv_close((uv_handle_t *)timer, free_later);
}

static void on_request(void *context, web_exchange *exchange, const web_request *request)
{
    assert_ptr_equal(context, &server);
    if (strcmp(request->path, "/big") == 0) {
        web_answer(exchange, &(web_reply){.status = 200,
                                          .headers = "Cache-Control: max-age=60\r\n",
                                          .body = {server.big, BIG},
                                          .lasting = strcmp(request->query, "copied") != 0});
    } else if (strcmp(request->path, "/huge") == 0) {
        web_answer(exchange, &(web_reply){.status = 200, .body = {server.huge, HUGE_ONE}, .lasting = true});
    } else if (strcmp(request->path, "/later") == 0) {
        later *waiting = calloc(1, sizeof *waiting);
        assert_non_null(waiting);
        waiting->exchange = exchange;
        waiting->timer.data = waiting;
        uv_timer_init(&server.loop, &waiting->timer);
        uv_timer_start(&waiting->timer, answer_later, LATER_MS, 0);
    } else if (strcmp(request->path, "/body") == 0) {
        answer(exchange, 200, NULL, request->body);
    } else if (strcmp(request->path, "/nothing") == 0) {
        answer(exchange, 304, NULL, (gral_span){0});
    } else {
        char words[1024];
        snprintf(words, sizeof words, "%s %s?%s host=%s cookie=%s authorization=%s language=%s etag=%s from=%s %s",
                 request->method, request->path, request->query, request->host, request->cookie, request->authorization,
                 request->accept_language, request->etag, request->address, request->secure ? "secure" : "open");
        answer(exchange, 200, NULL, gral_span_of(words));
    }
}

static unsigned on_opening(void *context, web_peer *peer, const web_request *request)
{
    (void)context;
    web_peer_set(peer, strcmp(request->cookie, "name=anna") == 0 ? "anna" : "nobody");
    return strcmp(request->path, "/socket") == 0 ? 0 : 404;
}

static void on_opened(void *context, web_peer *peer)
{
    (void)context, (void)peer;
    server.opened++;
}

static void on_message(void *context, web_peer *peer, gral_span message)
{
    (void)context;
    assert_int_equal(message.bytes[message.length], '\0');
    if (strcmp(message.bytes, "who") == 0)
        web_send(peer, gral_span_of(web_peer_data(peer)));
    else if (strcmp(message.bytes, "flood") == 0)
        for (unsigned times = 0; times < 200; times++)
            web_send(peer, (gral_span){server.big, 60000});
    else if (strncmp(message.bytes, "story ", 6) == 0) {
        web_send(peer, (gral_span){server.big, strtoul(message.bytes + 6, NULL, 10)});
        web_send(peer, gral_span_of("the end"));
    } else if (strcmp(message.bytes, "bye") == 0) {
        web_send(peer, gral_span_of("first this"));
        web_drop(peer, 4001, "bye");
    } else
        web_send(peer, message);
}

static void on_closed(void *context, web_peer *peer)
{
    (void)context, (void)peer;
    server.closed++;
}

static void on_stop(uv_async_t *stop)
{
    server.figures = web_count(server.web);
    web_close(server.web, false);
    uv_close((uv_handle_t *)stop, NULL);
}

static void run(void *nothing)
{
    (void)nothing;
    static const web_handlers handlers = {
        .request = on_request, .opening = on_opening, .opened = on_opened, .message = on_message, .closed = on_closed};
    uv_loop_init(&server.loop);
    uv_async_init(&server.loop, &server.stop, on_stop);
    server.web = web_open(&server.settings, &handlers, &server, &server.loop, &server.error);
    if (server.web == NULL)
        uv_close((uv_handle_t *)&server.stop, NULL);
    else
        server.port = web_port(server.web);
    uv_sem_post(&server.ready);
    uv_run(&server.loop, UV_RUN_DEFAULT);
}

web_settings usual(void)
{
    return (web_settings){.address = "127.0.0.1",
                          .origins = "https://friend.test http://other.test:81",
                          .connections_max = 50,
                          .connections_per_address = 30,
                          .message_max = 20000,
                          .queue_max = 1 << 20,
                          .idle_seconds = 30,
                          .patience_seconds = 10};
}

void start(web_settings settings)
{
    server.settings = settings;
    server.opened = server.closed = 0;
    memset(server.big, 'g', BIG);
    uv_sem_init(&server.ready, 0);
    assert_int_equal(uv_thread_create(&server.thread, run, NULL), 0);
    uv_sem_wait(&server.ready);
    uv_sem_destroy(&server.ready);
}

void join(void)
{
    uv_thread_join(&server.thread);
    assert_int_equal(uv_loop_close(&server.loop), 0);
    assert_int_equal(server.opened, server.closed);
}

void stop(void)
{
    uv_async_send(&server.stop);
    join();
}
