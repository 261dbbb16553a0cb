/* Requests and messages, from and to clients that behave; over TLS too. */
#include "echo.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
        cmocka_unit_test(who_is_connected_at_the_end_is_told_so),
        cmocka_unit_test(over_tls_the_same_is_said_and_old_tls_is_refused),
        cmocka_unit_test(what_cannot_be_opened_says_why),
    };
    return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
