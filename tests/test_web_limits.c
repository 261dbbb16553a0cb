/* Clients that do not behave: who does not read, asks for ever, comes too often or talks rubbish is ended, and the
 * others are served. */
#include "echo.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("web_limits", tests, NULL, NULL);
}
