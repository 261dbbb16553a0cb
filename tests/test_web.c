/* An echo server on the network of the server, run by a thread of its own, and clients that behave and that do not. */
#include "server/web.h"
#include "socket.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { BIG = 700 << 10, HUGE_ONE = 16 << 20, LATER_MS = 50 };

static struct {
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
} server;

/* --- the server, in its thread --- */

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
    web_close(server.web);
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

static web_settings usual(void)
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

static void start(web_settings settings)
{
    server.settings = settings;
    server.opened = server.closed = 0;
    memset(server.big, 'g', BIG);
    uv_sem_init(&server.ready, 0);
    assert_int_equal(uv_thread_create(&server.thread, run, NULL), 0);
    uv_sem_wait(&server.ready);
    uv_sem_destroy(&server.ready);
}

/* The thread has come to its end by itself: the loop is empty. */
static void join(void)
{
    uv_thread_join(&server.thread);
    assert_int_equal(uv_loop_close(&server.loop), 0);
    assert_int_equal(server.opened, server.closed);
}

static void stop(void)
{
    uv_async_send(&server.stop);
    join();
}

/* --- claims --- */

static void a_request_reaches_its_handler_with_all_it_said(void **state)
{
    (void)state;
    start(usual());
    const socket_reply *reply = socket_ask(server.port, "GET", "/some/../some%2Fwhere?a=1&b=%32",
                                           "Cookie: name=anna\r\nAuthorization: Bearer x\r\nAccept-Language: de\r\n"
                                           "If-None-Match: \"7\"\r\n",
                                           NULL);
    assert_int_equal(reply->status, 200);
    assert_string_equal(reply->body, "GET /some/where?a=1&b=2 host=gral.test cookie=name=anna authorization=Bearer x "
                                     "language=de etag=\"7\" from=127.0.0.1 open");
    static const char *const without[] = {"/some", "/some?"};
    for (unsigned row = 0; row < 2; row++)
        assert_non_null(strstr(socket_ask(server.port, "GET", without[row], "", NULL)->body, "GET /some? host=gral"));
    stop();
}

static void every_reply_has_the_headers_that_protect_the_browser(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; "
        "style-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin",
    };
    static const struct {
        const char *method, *path, *more, *body;
        unsigned status;
    } cases[] = {
        {"GET", "/", "", NULL, 200},        {"HEAD", "/", "", NULL, 200},
        {"POST", "/body", "", "x", 200},    {"DELETE", "/", "", NULL, 200},
        {"GET", "/nothing", "", NULL, 304}, {"PUT", "/", "", "x", 405},
        {"OPTIONS", "/", "", NULL, 405},    {"POST", "/body", "Origin: http://evil.test\r\n", "x", 403},
        {"GET", "relative", "", NULL, 403}, /* lws's own reply */
    };
    start(usual());
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        const socket_reply *reply = socket_ask(server.port, cases[row].method, cases[row].path, cases[row].more,
                                               cases[row].body);
        assert_int_equal(reply->status, cases[row].status);
        for (size_t line = 0; line < sizeof lines / sizeof *lines; line++)
            socket_expect_header(reply, lines[line]);
    }
    socket_expect_header(socket_ask(server.port, "GET", "/", "", NULL), "Cache-Control: no-store");
    const socket_reply *cached = socket_ask(server.port, "GET", "/big", "", NULL);
    socket_expect_header(cached, "Cache-Control: max-age=60");
    assert_null(strcasestr(cached->head, "no-store"));
    stop();
}

static void a_big_body_arrives_whole(void **state)
{
    (void)state;
    start(usual());
    static const char *const paths[] = {"/big", "/big?copied"};
    for (unsigned row = 0; row < 2; row++) {
        const socket_reply *reply = socket_ask(server.port, "GET", paths[row], "", NULL);
        assert_int_equal(reply->length, BIG);
        assert_memory_equal(reply->body, server.big, BIG);
    }
    stop();
}

static void a_head_has_the_length_and_no_body(void **state)
{
    (void)state;
    start(usual());
    const int client = socket_to(server.port);
    socket_say(client, "HEAD /big HTTP/1.1\r\nHost: gral.test\r\nConnection: close\r\n\r\n");
    socket_expect_header(socket_hear_reply(client, true), "Content-Length: 716800");
    char byte;
    assert_int_equal(read(client, &byte, 1), 0);
    close(client);
    stop();
}

static void many_requests_share_a_connection(void **state)
{
    (void)state;
    start(usual());
    const int client = socket_to(server.port);
    for (unsigned times = 0; times < 3; times++) {
        socket_say(client, "GET /big HTTP/1.1\r\nHost: gral.test\r\n\r\n");
        assert_int_equal(socket_hear_reply(client, false)->length, BIG);
        socket_say(client, "POST /body HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 5\r\n\r\nhel");
        socket_say(client, "lo");
        assert_string_equal(socket_hear_reply(client, false)->body, "hello");
        socket_say(client, "GET /later HTTP/1.1\r\nHost: gral.test\r\n\r\n");
        assert_string_equal(socket_hear_reply(client, false)->body, "at last");
    }
    close(client);
    stop();
    assert_int_equal(server.figures.requests, 9);
    assert_int_equal(server.figures.accepted, 1);
}

static void who_sends_on_before_the_answer_gets_this_one_and_no_other(void **state)
{
    (void)state;
    static const char *const first[] = {
        "GET / HTTP/1.1\r\nHost: gral.test\r\n\r\n",
        "GET /later HTTP/1.1\r\nHost: gral.test\r\n\r\n",
        "GET /big HTTP/1.1\r\nHost: gral.test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 3\r\n\r\nabc",
        "POST /body HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 5\r\n\r\nhello",
        "POST /body HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 0\r\n\r\n",
        "POST /later HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 5\r\n\r\nhello",
    };
    static const char *const then[] = {
        "G",
        "\r\n",
        "GET / HTTP/1.1\r\nHost: gral.test\r\n\r\n",
        "POST /body HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 5\r\n\r\n",
        "POST /body HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 5\r\n\r\nhello",
        "POST /body HTTP/1.1\r\nHost: gral.test\r\nContent-Length: 5\r\n\r\nhello and so on",
        "GET /socket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n",
    };
    enum { FIRST = sizeof first / sizeof *first, THEN = sizeof then / sizeof *then };
    start(usual());
    for (unsigned row = 0; row < FIRST * THEN; row++) {
        char both[1024];
        snprintf(both, sizeof both, "%s%s", first[row / THEN], then[row % THEN]);
        const int client = socket_to(server.port);
        socket_say(client, both);
        assert_int_equal(socket_hear_reply(client, false)->status, 200);
        char byte;
        assert_int_equal(read(client, &byte, 1), 0); /* an end, and no reset */
        close(client);
    }
    assert_int_equal(socket_ask(server.port, "GET", "/", "", NULL)->status, 200);
    stop();
    assert_int_equal(server.figures.requests, FIRST * THEN + 1);
}

static void what_is_refused_is_never_done(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "Origin: http://evil.test\r\nContent-Length: 5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: 5 \r\nContent-Length: 5\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: 00000000000000000000000000000000000000005\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 20001\r\n",
    };
    static const char *const bodies[] = {"", "hel", "hello", "hello, and more than was said",
                                         "5\r\nhello\r\n0\r\n\r\n"};
    enum { HEADS = sizeof heads / sizeof *heads, BODIES = sizeof bodies / sizeof *bodies };
    start(usual());
    for (unsigned row = 0; row < 2 * HEADS * BODIES; row++) {
        char all[1024];
        snprintf(all, sizeof all, "%s /body HTTP/1.1\r\nHost: gral.test\r\n%s\r\n%s", row % 2 == 0 ? "POST" : "DELETE",
                 heads[row / 2 / BODIES], bodies[row / 2 % BODIES]);
        const int client = socket_to(server.port);
        socket_say(client, all);
        const socket_reply *reply = socket_hear_reply(client, false);
        assert_true(reply->status == 403 || reply->status == 411 || reply->status == 413);
        socket_expect_header(reply, "Connection: close");
        shutdown(client, SHUT_WR);
        char byte;
        assert_int_equal(read(client, &byte, 1), 0);
        close(client);
    }
    stop();
    assert_int_equal(server.figures.requests, 0);
    assert_int_equal(server.figures.refused, 2 * HEADS * BODIES);
}

static void an_answer_to_somebody_who_has_gone_is_dropped(void **state)
{
    (void)state;
    start(usual());
    const int client = socket_to(server.port);
    socket_say(client, "GET /later HTTP/1.1\r\nHost: gral.test\r\n\r\n");
    close(client);
    assert_string_equal(socket_ask(server.port, "GET", "/later", "", NULL)->body, "at last");
    /* and one that waits while the server closes */
    const int other = socket_to(server.port);
    socket_say(other, "GET /later HTTP/1.1\r\nHost: gral.test\r\n\r\n");
    assert_int_equal(socket_ask(server.port, "GET", "/", "", NULL)->status, 200);
    stop();
    close(other);
}

static void a_body_has_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        unsigned status;
    } cases[] = {
        {"POST /body HTTP/1.1\r\nContent-Length: 20001\r\n\r\n", 413},
        {"POST /body HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 411},
        {"POST /body HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 411},
        {"POST /body HTTP/1.1\r\n\r\n", 411},
        {"POST /body HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411},
        {"GET / HTTP/1.1\r\nContent-Length: 20001\r\n\r\n", 413},
        {"POST /body HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 200},
    };
    start(usual());
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        const int client = socket_to(server.port);
        socket_say(client, cases[row].lines);
        assert_int_equal(socket_hear_reply(client, false)->status, cases[row].status);
        close(client);
    }
    static char longest[20001];
    memset(longest, 'x', sizeof longest - 1);
    assert_string_equal(socket_ask(server.port, "POST", "/body", "", longest)->body, longest);
    stop();
}

static void a_message_comes_back(void **state)
{
    (void)state;
    start(usual());
    const int client = socket_open_well(server.port);
    socket_send_text(client, "hello");
    socket_expect_text(client, "hello");
    socket_send_text(client, "");
    socket_expect_text(client, "");
    static char longest[20001];
    memset(longest, 'x', sizeof longest - 1);
    socket_send_text(client, longest);
    socket_expect_text(client, longest);
    close(client);
    stop();
    assert_int_equal(server.figures.messages_in, 3);
    assert_int_equal(server.figures.messages_out, 3);
}

static void fragments_are_put_together(void **state)
{
    (void)state;
    start(usual());
    const int client = socket_open_well(server.port);
    socket_send(client, SOCKET_TEXT, "gr\xc3", 3, true); /* half an umlaut */
    socket_send(client, 0, "", 0, true);
    socket_send(client, SOCKET_FINAL | SOCKET_PING, "p", 1, true);
    socket_frame pong;
    assert_true(socket_hear(client, &pong));
    assert_int_equal(pong.opcode, SOCKET_PONG);
    socket_send(client, 0, "\xbc", 1, true);
    socket_send(client, SOCKET_FINAL, "n", 1, true);
    socket_expect_text(client, "grün");
    close(client);
    stop();
}

static void what_opening_learnt_stays_with_the_peer(void **state)
{
    (void)state;
    const socket_reply *reply;
    start(usual());
    const int client = socket_open(server.port, "/socket", "Cookie: name=anna\r\n", &reply);
    socket_send_text(client, "who");
    socket_expect_text(client, "anna");
    close(client);
    socket_open(server.port, "/elsewhere", "", &reply);
    assert_int_equal(reply->status, 404);
    stop();
    assert_int_equal(server.opened, 1);
}

static void no_other_site_may_use_the_browsers_cookies(void **state)
{
    (void)state;
    static const struct {
        const char *origin;
        bool allowed;
    } cases[] = {
        {"", true},
        {"Origin: http://gral.test\r\n", true},
        {"Origin: http://GRAL.test\r\n", true},
        {"Origin: https://friend.test\r\n", true},
        {"Origin: http://other.test:81\r\n", true},
        {"Origin: https://gral.test\r\n", false},
        {"Origin: http://gral.test:81\r\n", false},
        {"Origin: http://gral.test.evil.test\r\n", false},
        {"Origin: http://gral\r\n", false},
        {"Origin: https://friend.test http://other.test:81\r\n", false},
        {"Origin: friend.test\r\n", false},
        {"Origin: null\r\n", false},
        {"Origin: http://gral.test\r\nOrigin: http://evil.test\r\n", false},
        {"X-Forwarded-Host: evil.test\r\nOrigin: http://evil.test\r\n", false},
    };
    start(usual());
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        const socket_reply *reply;
        const int client = socket_open(server.port, "/socket", cases[row].origin, &reply);
        assert_int_equal(reply->status, cases[row].allowed ? 101 : 403);
        if (client >= 0)
            close(client);
        reply = socket_ask(server.port, "POST", "/body", cases[row].origin, "x");
        assert_int_equal(reply->status, cases[row].allowed ? 200 : 403);
        reply = socket_ask(server.port, "DELETE", "/", cases[row].origin, NULL);
        assert_int_equal(reply->status, cases[row].allowed ? 200 : 403);
        assert_int_equal(socket_ask(server.port, "GET", "/", cases[row].origin, NULL)->status, 200);
    }
    stop();
}

static void behind_a_proxy_its_word_counts(void **state)
{
    (void)state;
    web_settings settings = usual();
    settings.behind_proxy = true;
    settings.connections_per_address = 1;
    start(settings);
    const socket_reply *reply = socket_ask(
        server.port, "POST", "/",
        "X-Forwarded-Proto: https\r\nX-Forwarded-Host: play.test\r\nOrigin: https://play.test\r\n"
        "X-Forwarded-For: 1.2.3.4, 2001:db8::7\r\n",
        "");
    assert_int_equal(reply->status, 200);
    assert_non_null(strstr(reply->body, "host=play.test"));
    assert_non_null(strstr(reply->body, "from=2001:db8::7 secure"));
    socket_expect_header(reply, "Strict-Transport-Security: max-age=31536000");
    reply = socket_ask(server.port, "POST", "/", "X-Forwarded-Proto: https\r\nOrigin: http://gral.test\r\n", "");
    assert_int_equal(reply->status, 403);

    const int first = socket_open(server.port, "/socket", "X-Forwarded-For: 1.2.3.4\r\n", &reply);
    assert_int_equal(reply->status, 101);
    socket_open(server.port, "/socket", "X-Forwarded-For: 1.2.3.4\r\n", &reply);
    assert_int_equal(reply->status, 429);
    assert_int_equal(socket_ask(server.port, "GET", "/", "X-Forwarded-For: 1.2.3.4\r\n", NULL)->status, 429);
    assert_int_equal(socket_ask(server.port, "GET", "/", "X-Forwarded-For: 1.2.3.5\r\n", NULL)->status, 200);
    close(first);
    stop();
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    static char long_text[20002];
    memset(long_text, 'x', sizeof long_text - 1);
    const struct {
        unsigned first_byte, status;
        const char *payload;
        size_t length;
    } cases[] = {
        {SOCKET_FINAL | SOCKET_BINARY, 1003, "x", 1},
        {SOCKET_FINAL | SOCKET_TEXT, 1007, "\xff", 1},
        {SOCKET_FINAL | SOCKET_TEXT, 1007, "\xc0\x80", 2},
        {SOCKET_FINAL | SOCKET_TEXT, 1007, "\xed\xa0\x80", 3},
        {SOCKET_FINAL | SOCKET_TEXT, 1007, "gr\xc3", 3},
        {SOCKET_FINAL | SOCKET_TEXT, 1009, long_text, 20001},
        {SOCKET_TEXT, 1009, long_text, 20001},
        {SOCKET_FINAL | 3, 1002, "x", 1},
        {SOCKET_FINAL | 0x40 | SOCKET_TEXT, 1002, "x", 1},
        {SOCKET_FINAL, 1002, "x", 1},
    };
    start(usual());
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        const int client = socket_open_well(server.port);
        socket_send(client, cases[row].first_byte, cases[row].payload, cases[row].length, true);
        socket_expect_close(client, cases[row].status);
    }
    /* a character that an empty last fragment leaves unfinished */
    const int client = socket_open_well(server.port);
    socket_send(client, SOCKET_TEXT, "\xc3", 1, true);
    socket_send(client, SOCKET_FINAL, "", 0, true);
    socket_expect_close(client, 1007);
    stop();
    assert_int_equal(server.figures.messages_in, 0);
}

static void a_closed_peer_gets_first_what_was_sent_before(void **state)
{
    (void)state;
    start(usual());
    const int client = socket_open_well(server.port);
    socket_send_text(client, "bye");
    socket_expect_text(client, "first this");
    socket_expect_close(client, 4001);
    stop();
}

/* The bytes of the next message; 0 at the end of the connection. */
static size_t hear_length(int client)
{
    static socket_frame frame;
    size_t length = 0;
    do {
        if (!socket_hear(client, &frame))
            return 0;
        length += frame.length;
    } while (!frame.final);
    return length;
}

static void a_long_story_is_told_and_an_endless_one_is_not(void **state)
{
    (void)state;
    web_settings settings = usual();
    settings.queue_max = 64 << 10;
    start(settings);
    static const struct {
        unsigned bytes;
        bool told;
    } cases[] = {{60 << 10, true}, {100 << 10, true}, {510 << 10, true}, {520 << 10, false}, {BIG, false}};
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        char words[40];
        snprintf(words, sizeof words, "story %u", cases[row].bytes);
        const int client = socket_open_well(server.port);
        socket_send_text(client, words);
        usleep(20000); /* nobody reads: what the system does not take, waits */
        assert_int_equal(hear_length(client), cases[row].told ? cases[row].bytes : 0);
        if (cases[row].told)
            socket_expect_text(client, "the end");
        close(client);
    }
    stop();
    assert_int_equal(server.figures.dropped_slow, 2);
}

/* Kept small, so that what is sent must wait in the server. */
static int open_narrow(void)
{
    const socket_reply *reply;
    const int few = 4096, client = socket_open(server.port, "/socket", "", &reply);
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    return client;
}

static void when_all_queues_are_long_each_may_be_shorter(void **state)
{
    (void)state;
    enum { SLOW = 60 };
    int slow[SLOW];
    web_settings settings = usual();
    settings.queue_max = 16 << 10;
    settings.connections_max = settings.connections_per_address = 4 * SLOW;
    start(settings);
    for (unsigned at = 0; at < SLOW; at++) {
        slow[at] = open_narrow();
        for (unsigned times = 0; times < 30; times++)
            socket_send_text(slow[at], "story 120000");
    }
    const int good = socket_open_well(server.port);
    socket_send_text(good, "hello");
    socket_expect_text(good, "hello");
    for (unsigned at = 0; at < SLOW; at++)
        close(slow[at]);
    socket_send_text(good, "hello");
    socket_expect_text(good, "hello");
    close(good);
    stop();
    assert_true(server.figures.dropped_slow > 0);
}

static void who_does_not_read_is_cut_off_and_the_others_are_served(void **state)
{
    (void)state;
    start(usual());
    const int deaf = socket_open_well(server.port), good = socket_open_well(server.port);
    socket_send_text(deaf, "flood"); /* 12 MB, and 1 MB may wait */
    socket_send_text(good, "hello");
    socket_expect_text(good, "hello");
    socket_expect_end(deaf);
    close(good);
    stop();
    assert_int_equal(server.figures.dropped_slow, 1);
}

enum { QUESTIONS = 3000, QUESTION_BYTES = 10000 };
static char question[QUESTION_BYTES + 1];

static void ask_on(void *client)
{
    for (unsigned times = 0; times < QUESTIONS; times++)
        socket_send_text(*(const int *)client, question);
}

static void who_asks_without_reading_is_not_listened_to(void **state)
{
    (void)state;
    start(usual());
    int client = socket_open_well(server.port);
    memset(question, 'w', QUESTION_BYTES);
    /* 30 MB of answers, where 1 MB may wait: read on, the server would have to cut it off. */
    uv_thread_t talker;
    uv_thread_create(&talker, ask_on, &client);
    usleep(300000);
    for (unsigned times = 0; times < QUESTIONS; times++)
        socket_expect_text(client, question);
    uv_thread_join(&talker);
    close(client);
    stop();
    assert_int_equal(server.figures.dropped_slow, 0);
}

static double processor_seconds(void)
{
    uv_rusage_t used;
    uv_getrusage(&used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static size_t read_to_end(int client)
{
    static char bytes[1 << 16];
    size_t length = 0;
    for (ssize_t got; (got = read(client, bytes, sizeof bytes)) > 0;)
        length += (size_t)got;
    close(client);
    return length;
}

static void an_answer_that_waits_for_its_reader_keeps_nobody_busy_and_arrives_whole(void **state)
{
    (void)state;
    static const char *const behind[] = {"", "G", "GET / HTTP/1.1\r\nHost: gral.test\r\n\r\n"};
    start(usual());
    for (unsigned row = 0; row < 6; row++) {
        const int client = socket_to(server.port);
        socket_say(client, "GET /huge HTTP/1.1\r\nHost: gral.test\r\nConnection: close\r\n\r\n");
        if (row % 2 == 0)
            usleep(100000); /* the rest comes while the answer is on its way */
        socket_say(client, behind[row / 2]);
        const double before = processor_seconds();
        usleep(500000);
        assert_true(processor_seconds() - before < 0.25);
        assert_in_range(read_to_end(client), HUGE_ONE, HUGE_ONE + 2000);
    }
    stop();
    assert_int_equal(server.figures.requests, 6);
}

static void who_asks_for_pages_without_reading_keeps_nobody_busy_and_is_ended(void **state)
{
    (void)state;
    enum { PAGES = 2000 }; /* more requests than lws reads ahead */
    web_settings settings = usual();
    settings.idle_seconds = 2;
    start(settings);
    const int client = socket_to(server.port);
    for (unsigned times = 0; times < PAGES; times++)
        socket_say(client, "GET /big HTTP/1.1\r\nHost: gral.test\r\n\r\n");
    const double before = processor_seconds();
    usleep(4000000);
    assert_true(processor_seconds() - before < 0.5);
    socket_expect_end(client);
    stop();
    assert_true(server.figures.bytes_out < (uint64_t)PAGES * BIG);
}

static void who_takes_too_long_is_ended(void **state)
{
    (void)state;
    static const char *const beginnings[] = {
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: gral",
        "POST /body HTTP/1.1\r\nContent-Length: 10\r\n\r\nhal",
    };
    web_settings settings = usual();
    settings.patience_seconds = 1;
    start(settings);
    for (size_t row = 0; row < sizeof beginnings / sizeof *beginnings; row++) {
        const int client = socket_to(server.port);
        socket_say(client, beginnings[row]);
        socket_expect_end(client);
    }
    const int dribbler = socket_open_well(server.port);
    socket_send(dribbler, SOCKET_TEXT, "a", 1, true);
    for (unsigned times = 0; times < 5; times++) {
        usleep(100000);
        socket_send(dribbler, 0, "b", 1, true);
    }
    socket_expect_close(dribbler, 1008);
    /* Silence between messages is no offence. */
    const int quiet = socket_open_well(server.port);
    usleep(2500000);
    socket_send_text(quiet, "still here");
    socket_expect_text(quiet, "still here");
    close(quiet);
    stop();
}

static void who_gives_no_sign_of_life_is_ended(void **state)
{
    (void)state;
    web_settings settings = usual();
    settings.idle_seconds = 1;
    start(settings);
    const int dead = socket_open_well(server.port), alive = socket_open_well(server.port);
    socket_frame frame;
    for (unsigned times = 0; times < 3; times++) {
        assert_true(socket_hear(alive, &frame));
        assert_int_equal(frame.opcode, SOCKET_PING);
        socket_send(alive, SOCKET_FINAL | SOCKET_PONG, frame.bytes, frame.length, true);
    }
    socket_expect_end(dead);
    socket_send_text(alive, "hello");
    socket_expect_text(alive, "hello");
    close(alive);
    stop();
}

static void an_address_has_so_many_connections_and_no_more(void **state)
{
    (void)state;
    web_settings settings = usual();
    settings.connections_per_address = 2;
    start(settings);
    const int first = socket_open_well(server.port), half_open = socket_to(server.port);
    socket_expect_end(socket_to(server.port));
    close(half_open);
    socket_send_text(first, "hello");
    socket_expect_text(first, "hello");
    close(first);
    stop();
    assert_int_equal(server.figures.refused, 1);

    settings.connections_per_address = 10;
    settings.connections_max = 1;
    start(settings);
    const int only = socket_open_well(server.port);
    socket_expect_end(socket_to(server.port));
    close(only);
    stop();
}

static void an_address_may_not_open_connections_faster_than_it_may_have_them(void **state)
{
    (void)state;
    enum { AT_ONCE = 20, TRIES = 400 };
    web_settings settings = usual();
    settings.connections_per_address = AT_ONCE;
    settings.paced = true;
    start(settings);
    /* One after the other, for a moment: each is gone before the next one comes. */
    unsigned answered = 0;
    const uint64_t begin = uv_hrtime();
    for (unsigned times = 0; times < TRIES; times++) {
        char byte;
        const int client = socket_to(server.port);
        socket_say(client, "GET /nothing HTTP/1.1\r\nHost: gral.test\r\nConnection: close\r\n\r\n");
        answered += read(client, &byte, 1) == 1;
        socket_expect_end(client);
    }
    const double seconds = (double)(uv_hrtime() - begin) / 1e9;
    assert_in_range(answered, AT_ONCE, (unsigned)(AT_ONCE * (seconds + 1)) + 1);
    /* And there is no grudge. */
    usleep(200000);
    assert_int_equal(socket_ask(server.port, "GET", "/", "", NULL)->status, 200);
    stop();
    assert_int_equal(server.figures.accepted, answered + 1);
}

/* How many WebSockets come in from addresses that differ in one number, of two digits. */
static unsigned come_in(const char *before, const char *after, unsigned count, int opened[])
{
    unsigned in = 0;
    for (unsigned number = 10; number < 10 + count; number++) {
        char line[100];
        snprintf(line, sizeof line, "X-Forwarded-For: %s%u%s\r\n", before, number, after);
        const socket_reply *reply;
        const int client = socket_open(server.port, "/socket", line, &reply);
        assert_int_equal(reply->status, client >= 0 ? 101 : 429);
        if (client >= 0)
            opened[in++] = client;
    }
    return in;
}

static void who_owns_a_network_does_not_have_each_address_of_it_counted_alone(void **state)
{
    (void)state;
    enum { MANY = 40 };
    int opened[MANY];
    static const struct {
        const char *before, *after;
        unsigned allowed;
    } cases[] = {
        {"2001:db8:1:2::", "", 1},    /* one /64 */
        {"2001:db8:1:3", "::1", 4},   /* 40 of one /56 */
        {"2001:db8:2:", "00::1", 16}, /* 40 /56 of one /48 */
        {"2001:db8:1", "::1", MANY},  /* 40 /48 */
        {"192.0.2.", "", 8},          {"192.0.", ".7", MANY},
    };
    web_settings settings = usual();
    settings.behind_proxy = true;
    settings.connections_per_address = 1;
    settings.connections_max = 500;
    start(settings);
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        assert_int_equal(come_in(cases[row].before, cases[row].after, MANY, opened), cases[row].allowed);
        for (unsigned number = 0; number < cases[row].allowed; number++)
            close(opened[number]);
    }
    stop();
}

static void rubbish_is_hung_up_on(void **state)
{
    (void)state;
    static char endless[1 << 16];
    memset(endless, 'x', sizeof endless - 1);
    static const char *const cases[] = {
        "\x16\x03\x01\x02\x01\x01",
        "BREW /coffee HTTP/1.1\r\n\r\n",
        "\r\n\r\n",
        endless,
        "CONNECT gral.test:80 HTTP/1.1\r\nHost: gral.test\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: gral.test\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AAA\r\n\r\n",
    };
    web_settings settings = usual();
    settings.patience_seconds = 1;
    start(settings);
    for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
        const int client = socket_to(server.port);
        socket_say(client, cases[row]);
        socket_expect_end(client);
    }
    assert_int_equal(socket_ask(server.port, "GET", "/", "", NULL)->status, 200);
    stop();
    assert_int_equal(server.figures.requests, 1);
}

static void who_wants_to_speak_something_else_is_hung_up_on(void **state)
{
    (void)state;
    static const char *const others[] = {"tls", "h2c", "websocket2", "w", "websocket, tls"};
    start(usual());
    for (unsigned row = 0; row < 2 * sizeof others / sizeof *others; row++) {
        char request[200];
        snprintf(request, sizeof request, "GET /socket HTTP/1.1\r\nUpgrade: %s\r\nConnection: Upgrade\r\n\r\n",
                 others[row / 2]);
        const int client = socket_to(server.port);
        if (row % 2 == 0) { /* lws has forgotten the request by the time it asks about it */
            socket_say(client, "GET / HTTP/1.1\r\nHost: gral.test\r\n\r\n");
            assert_int_equal(socket_hear_reply(client, false)->status, 200);
        }
        socket_say(client, request);
        socket_expect_end(client);
    }
    stop();
    assert_int_equal(server.opened, 0);
}

static void who_is_connected_at_the_end_is_told_so(void **state)
{
    (void)state;
    start(usual());
    const int client = socket_open_well(server.port), half_open = socket_to(server.port);
    socket_send_text(client, "hello");
    socket_expect_text(client, "hello");
    uv_async_send(&server.stop);
    socket_expect_close(client, 1001);
    socket_expect_end(half_open);
    join();
    assert_int_equal(server.figures.peers, 1);
    assert_int_equal(server.closed, 1);
}

/* A key and a certificate for it, by nobody in particular. */
static void make_certificate(const char *certificate_path, const char *key_path)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    assert_true(key != NULL && certificate != NULL);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               (const unsigned char *)"gral.test", -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
    FILE *file = fopen(certificate_path, "w");
    assert_true(file != NULL && PEM_write_X509(file, certificate));
    fclose(file);
    file = fopen(key_path, "w");
    assert_true(file != NULL && PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL));
    fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

/* Whether a client that knows no newer TLS than `newest` gets what it asks for. */
static bool is_answered_over_tls(int newest, char *reply, size_t room)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_security_level(context, 0);
    SSL_CTX_set_max_proto_version(context, newest);
    SSL *tls = SSL_new(context);
    const int client = socket_to(server.port);
    SSL_set_fd(tls, client);
    static const char request[] = "GET /big HTTP/1.1\r\nHost: gral.test\r\nConnection: close\r\n\r\n";
    const bool connected = SSL_connect(tls) == 1 && SSL_write(tls, request, (int)strlen(request)) > 0;
    size_t length = 0;
    for (int got;
         connected && length + 1 < room && (got = SSL_read(tls, reply + length, (int)(room - length - 1))) > 0;)
        length += (size_t)got;
    reply[length] = '\0';
    SSL_free(tls);
    SSL_CTX_free(context);
    close(client);
    return connected;
}

static void over_tls_the_same_is_said_and_old_tls_is_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/gral-web-XXXXXX", certificate[64], key[64];
    assert_non_null(mkdtemp(folder));
    snprintf(certificate, sizeof certificate, "%s/certificate.pem", folder);
    snprintf(key, sizeof key, "%s/key.pem", folder);
    make_certificate(certificate, key);
    web_settings settings = usual();
    settings.certificate = certificate;
    settings.key = key;
    start(settings);
    static char reply[2 * BIG];
    assert_false(is_answered_over_tls(TLS1_1_VERSION, reply, sizeof reply));
    for (int newest = TLS1_2_VERSION; newest <= TLS1_3_VERSION; newest++) {
        assert_true(is_answered_over_tls(newest, reply, sizeof reply));
        assert_non_null(strstr(reply, "strict-transport-security: max-age=31536000\r\n"));
        const char *body = strstr(reply, "\r\n\r\n");
        assert_non_null(body);
        assert_int_equal(strspn(body + 4, "g"), BIG);
    }
    /* Plain words at the door of TLS are none of ours. */
    const int plain = socket_to(server.port);
    socket_say(plain, "GET / HTTP/1.1\r\n\r\n");
    socket_expect_end(plain);
    stop();

    uv_loop_t loop;
    gral_error error;
    uv_loop_init(&loop);
    settings.key = certificate;
    assert_null(web_open(&settings, &(web_handlers){0}, NULL, &loop, &error));
    assert_non_null(strstr(error.message, "certificate.pem is not the key of "));
    assert_int_equal(uv_loop_close(&loop), 0);
    unlink(certificate);
    unlink(key);
    rmdir(folder);
}

static void what_cannot_be_opened_says_why(void **state)
{
    (void)state;
    char own_port[64];
    start(usual());
    web_settings settings = usual();
    settings.port = server.port;
    snprintf(own_port, sizeof own_port, "port %u of 127.0.0.1 is in use", server.port);
    uv_loop_t loop;
    uv_loop_init(&loop);
    gral_error error;
    assert_null(web_open(&settings, &(web_handlers){0}, NULL, &loop, &error));
    assert_non_null(strstr(error.message, own_port));
    settings.address = "192.0.2.1";
    assert_null(web_open(&settings, &(web_handlers){0}, NULL, &loop, &error));
    assert_non_null(strstr(error.message, "192.0.2.1 is not an address of this machine"));
    settings = usual();
    settings.connections_max = 2000000000;
    assert_null(web_open(&settings, &(web_handlers){0}, NULL, &loop, &error));
    assert_non_null(strstr(error.message, "2000000000 connections need"));
    settings = usual();
    settings.certificate = settings.key = "/nowhere.pem";
    assert_null(web_open(&settings, &(web_handlers){0}, NULL, &loop, &error));
    assert_string_equal(error.message, "/nowhere.pem cannot be read: No such file or directory");
    settings.certificate = settings.key = "/proc/self/exe";
    assert_null(web_open(&settings, &(web_handlers){0}, NULL, &loop, &error));
    assert_string_equal(error.message, "/proc/self/exe is no certificate in PEM form");
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_reaches_its_handler_with_all_it_said),
        cmocka_unit_test(every_reply_has_the_headers_that_protect_the_browser),
        cmocka_unit_test(a_big_body_arrives_whole),
        cmocka_unit_test(a_head_has_the_length_and_no_body),
        cmocka_unit_test(many_requests_share_a_connection),
        cmocka_unit_test(who_sends_on_before_the_answer_gets_this_one_and_no_other),
        cmocka_unit_test(what_is_refused_is_never_done),
        cmocka_unit_test(an_answer_to_somebody_who_has_gone_is_dropped),
        cmocka_unit_test(a_body_has_bounds),
        cmocka_unit_test(a_message_comes_back),
        cmocka_unit_test(fragments_are_put_together),
        cmocka_unit_test(what_opening_learnt_stays_with_the_peer),
        cmocka_unit_test(no_other_site_may_use_the_browsers_cookies),
        cmocka_unit_test(behind_a_proxy_its_word_counts),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(a_closed_peer_gets_first_what_was_sent_before),
        cmocka_unit_test(a_long_story_is_told_and_an_endless_one_is_not),
        cmocka_unit_test(when_all_queues_are_long_each_may_be_shorter),
        cmocka_unit_test(who_does_not_read_is_cut_off_and_the_others_are_served),
        cmocka_unit_test(who_asks_without_reading_is_not_listened_to),
        cmocka_unit_test(an_answer_that_waits_for_its_reader_keeps_nobody_busy_and_arrives_whole),
        cmocka_unit_test(who_asks_for_pages_without_reading_keeps_nobody_busy_and_is_ended),
        cmocka_unit_test(who_takes_too_long_is_ended),
        cmocka_unit_test(who_gives_no_sign_of_life_is_ended),
        cmocka_unit_test(an_address_has_so_many_connections_and_no_more),
        cmocka_unit_test(an_address_may_not_open_connections_faster_than_it_may_have_them),
        cmocka_unit_test(who_owns_a_network_does_not_have_each_address_of_it_counted_alone),
        cmocka_unit_test(rubbish_is_hung_up_on),
        cmocka_unit_test(who_wants_to_speak_something_else_is_hung_up_on),
        cmocka_unit_test(who_is_connected_at_the_end_is_told_so),
        cmocka_unit_test(over_tls_the_same_is_said_and_old_tls_is_refused),
        cmocka_unit_test(what_cannot_be_opened_says_why),
    };
    return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
