/* A complete computer player for a game server, in C, with libwebsockets and jansson. Try it:
 *
 *     cc -o online_player online_player.c online_choice.c -lwebsockets -ljansson
 *     gral serve --port 8080
 *     ./online_player --server http://127.0.0.1:8080/ --name Ann --create 2
 *     ./online_player --server http://127.0.0.1:8080/ --name Bob --table ID
 *
 * docs/protocol.md describes every message. One request is under way at any time; it is kept until it is answered, so
 * that it can be sent again with the same id when the connection breaks: the server does it once. How it
 * plays is in online_choice.c: replace that for a player of your own. */
#include "online_choice.h"

#include <getopt.h>
#include <libwebsockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ID = 64, SECRET = 512, PLACES = 32, RETRY_MS = 200 };

static struct {
    char host[256];
    int port;
    bool secure;
    const char *name, *token, *table, *rules;
    int create, limit, games;
} options = {.host = "127.0.0.1", .port = 8080, .rules = "standard", .games = 1};

static char table_id[ID];
static choice_table table;

/* The request under way; it is answered when `text` is NULL. */
static struct {
    char *text, id[ID];
    void (*answered)(const json_t *answer);
    bool sent;
} request;

static struct {
    struct lws_context *context;
    struct lws *socket;     /* NULL while there is no connection */
    char secret[SECRET];    /* who we are, for a header */
    bool watching, greeted; /* on this connection */
    char *incoming;         /* a message that is not complete */
    size_t incoming_length;
    lws_sorted_usec_list_t retry;
    bool done, failed;
} client;

static int games_begun;
static void fail(const char *what, const char *why)
{
    fprintf(stderr, "online_player: %s: %s\n", what, why);
    client.failed = client.done = true;
    lws_cancel_service(client.context);
}

/* --- requests: what we do next depends on what was answered and pushed --- */

/* Takes the message; its members besides `id` are there already. */
static void send_request(json_t *message, void (*answered)(const json_t *answer))
{
    static unsigned long count;
    static unsigned long long run;
    if (run == 0) /* ids must not be those of an earlier run of this program */
        lws_get_random(client.context, &run, sizeof run);
    snprintf(request.id, sizeof request.id, "%llx-%lu", run, ++count);
    json_object_set_new(message, "id", json_string(request.id));
    free(request.text);
    request.text = json_dumps(message, JSON_COMPACT);
    request.answered = answered;
    request.sent = false;
    json_decref(message);
    if (client.socket != NULL)
        lws_callback_on_writable(client.socket);
}

static bool is_error(const json_t *answer, const char *word)
{
    return strcmp(choice_text(answer, "error"), word) == 0;
}

static void forget_table(void)
{
    json_decref(table.terms);
    json_decref(table.stage);
    json_decref(table.version);
    json_decref(table.view);
    json_decref(table.you);
    memset(&table, 0, sizeof table);
    table_id[0] = '\0';
}

static void go_to_table(const char *id)
{
    unsigned chance[2];
    forget_table();
    snprintf(table_id, sizeof table_id, "%s", id);
    client.watching = false;
    lws_get_random(client.context, chance, sizeof chance);
    choice_begin(chance);
    printf("game %d: http%s://%s:%d/t/%s\n", ++games_begun, options.secure ? "s" : "", options.host, options.port, id);
    fflush(stdout);
    lws_callback_on_writable(client.socket);
}

static void made(const json_t *answer)
{
    if (json_object_get(answer, "table") == NULL)
        fail("no table", choice_text(answer, "text"));
    else
        go_to_table(choice_text(answer, "table"));
}

static void sat(const json_t *answer)
{
    if (json_object_get(answer, "error") != NULL && !is_error(answer, "seated"))
        fail("no seat", choice_text(answer, "text"));
    else
        go_to_table(options.table);
}

static void acted(const json_t *answer)
{
    static const char *const overtaken[] = {"version", "turn", "answered",
                                            "over"}; /* the push tells us how it went on */
    if (json_object_get(answer, "error") == NULL)
        return;
    for (size_t index = 0; index < sizeof overtaken / sizeof *overtaken; index++)
        if (is_error(answer, overtaken[index]))
            return;
    fail("refused", choice_text(answer, "text"));
}

static void sit_down(void)
{
    if (options.create == 0) {
        send_request(json_pack("{ssss}", "do", "sit", "table", options.table), sat);
        return;
    }
    json_t *message = json_pack("{sssiss}", "do", "create", "players", options.create, "rules", options.rules);
    json_object_set_new(message, "pace", json_integer(0)); /* programs need not wait for each other */
    if (options.limit > 0)
        json_object_set_new(message, "limit", json_integer(options.limit));
    send_request(message, made);
}

static void act(void)
{
    send_request(
        json_pack("{sssssOso}", "do", "act", "table", table_id, "version", table.version, "actions", choice_of(&table)),
        acted);
    /* Until the next push we know nothing new. */
    json_object_set_new(table.you, "asked", json_false());
}

static void next_game(void)
{
    const char *result = choice_text(table.view, "result");
    printf("game %d: %s\n", games_begun, result[0] != '\0' ? result : "no result");
    fflush(stdout);
    if (games_begun < options.games) {
        send_request(json_pack("{ssss}", "do", "rematch", "table", table_id), made);
        json_decref(table.stage);
        table.stage = NULL;
        return;
    }
    client.done = true;
    lws_cancel_service(client.context);
}

/* Looks at the table and does what is to be done there. */
static void look(void)
{
    const char *stage = table.stage != NULL ? json_string_value(table.stage) : "";
    if (request.text != NULL)
        return;
    if (strcmp(stage, "over") == 0)
        next_game();
    else if (strcmp(stage, "playing") == 0 && json_is_true(json_object_get(table.you, "asked")))
        act();
}

/* --- messages --- */

static void take_part(const json_t *push, const char *key, json_t **part)
{
    json_t *news = json_object_get(push, key);
    if (news == NULL)
        return;
    json_decref(*part);
    *part = json_incref(news);
}

static void take_message(const char *text, size_t length)
{
    json_error_t error;
    json_t *message = json_loadb(text, length, 0, &error);
    if (message == NULL) {
        fail("not understood", error.text);
        return;
    }
    const char *push = choice_text(message, "push");
    if (strcmp(push, "hello") == 0) {
        client.greeted = true;
        if (table_id[0] == '\0' && request.text == NULL)
            sit_down();
        lws_callback_on_writable(client.socket);
    } else if (strcmp(push, "table") == 0 && strcmp(choice_text(message, "table"), table_id) == 0) {
        take_part(message, "terms", &table.terms);
        take_part(message, "stage", &table.stage);
        take_part(message, "version", &table.version);
        take_part(message, "view", &table.view);
        take_part(message, "you", &table.you);
    } else if (request.text != NULL && strcmp(choice_text(message, "re"), request.id) == 0) {
        free(request.text);
        request.text = NULL;
        request.answered(message);
    }
    json_decref(message);
    if (!client.done)
        look();
}

static int send_text(const char *text)
{
    const size_t length = strlen(text);
    unsigned char *room = malloc(LWS_PRE + length);
    if (room == NULL)
        return -1;
    memcpy(room + LWS_PRE, text, length);
    const int written = lws_write(client.socket, room + LWS_PRE, length, LWS_WRITE_TEXT);
    free(room);
    return written < (int)length ? -1 : 0;
}

/* One message whenever there is room: first the table is opened, then comes the request. */
static int send_something(void)
{
    if (!client.greeted)
        return 0;
    if (table_id[0] != '\0' && !client.watching) {
        char watch[2 * ID];
        client.watching = true;
        snprintf(watch, sizeof watch, "{\"id\":\"watch\",\"do\":\"watch\",\"table\":\"%s\"}", table_id);
        lws_callback_on_writable(client.socket);
        return send_text(watch);
    }
    if (request.text != NULL && !request.sent) {
        request.sent = true;
        return send_text(request.text);
    }
    return 0;
}

static void collect(const char *part, size_t length, bool last)
{
    char *whole = realloc(client.incoming, client.incoming_length + length);
    if (whole == NULL) {
        fail("message", "there is not enough memory");
        return;
    }
    memcpy(whole + client.incoming_length, part, length);
    client.incoming = whole;
    client.incoming_length += length;
    if (!last)
        return;
    const size_t all = client.incoming_length;
    client.incoming_length = 0;
    take_message(whole, all);
}

/* --- connecting --- */

static void connect_to_server(lws_sorted_usec_list_t *list);

static void add_header(struct lws *socket, void *at, size_t room, const char *name, const char *value)
{
    unsigned char **end = at;
    if (lws_add_http_header_by_name(socket, (const unsigned char *)name, (const unsigned char *)value,
                                    (int)strlen(value), end, *end + room) != 0)
        fail("header", "too long");
}

static int on_websocket(struct lws *socket, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    (void)user;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        add_header(socket, in, length, options.token != NULL ? "Authorization:" : "Cookie:", client.secret);
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        collect(in, length, lws_is_final_fragment(socket) && lws_remaining_packet_payload(socket) == 0);
        break;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return send_something();
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLIENT_CLOSED:
        client.socket = NULL;
        if (!client.done)
            lws_sul_schedule(client.context, 0, &client.retry, connect_to_server, RETRY_MS * LWS_US_PER_MS);
        break;
    default:
        break;
    }
    return client.done ? -1 : 0;
}

/* Coming as a guest: one request, whose answer sets a cookie. */
static int on_http(struct lws *socket, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    static char body[SECRET];
    (void)user;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: {
        json_t *who = json_pack("{ss}", "name", options.name);
        const size_t size = json_dumpb(who, body, sizeof body - 1, JSON_COMPACT);
        char digits[16];
        json_decref(who);
        body[size] = '\0';
        snprintf(digits, sizeof digits, "%zu", size);
        add_header(socket, in, length, "Content-Type:", "application/json");
        add_header(socket, in, length, "Content-Length:", digits);
        lws_client_http_body_pending(socket, 1);
        lws_callback_on_writable(socket);
        break;
    }
    case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE: {
        unsigned char room[LWS_PRE + SECRET];
        const size_t size = strlen(body);
        memcpy(room + LWS_PRE, body, size);
        lws_client_http_body_pending(socket, 0);
        return lws_write(socket, room + LWS_PRE, size, LWS_WRITE_HTTP_FINAL) < (int)size ? -1 : 0;
    }
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        if (lws_http_client_http_response(socket) != 200 ||
            lws_hdr_copy(socket, client.secret, sizeof client.secret, WSI_TOKEN_HTTP_SET_COOKIE) <= 0)
            fail(options.name, "the server does not want this guest");
        client.secret[strcspn(client.secret, ";")] = '\0';
        break;
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: { /* what it says we know already */
        char room[LWS_PRE + SECRET], *at = room + LWS_PRE;
        int size = SECRET;
        return lws_http_client_read(socket, &at, &size);
    }
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        if (!client.done)
            lws_sul_schedule(client.context, 0, &client.retry, connect_to_server, 1);
        break;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        fail("no connection", in != NULL ? in : "");
        break;
    default:
        break;
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_http},
    {.name = "gral", .callback = on_websocket},
    {.name = NULL},
};

static void open_connection(const char *method, const char *path, const char *protocol, struct lws **socket)
{
    const struct lws_client_connect_info info = {
        .context = client.context,
        .address = options.host,
        .host = options.host,
        .port = options.port,
        .path = path,
        .method = method,
        .local_protocol_name = protocol,
        .ssl_connection = options.secure ? LCCSCF_USE_SSL : 0,
        .pwsi = socket,
    };
    if (lws_client_connect_via_info(&info) == NULL && method == NULL)
        lws_sul_schedule(client.context, 0, &client.retry, connect_to_server, RETRY_MS * LWS_US_PER_MS);
}

static void connect_to_server(lws_sorted_usec_list_t *list)
{
    (void)list;
    client.watching = client.greeted = request.sent = false;
    client.incoming_length = 0;
    open_connection(NULL, "/ws", "gral", &client.socket);
}

/* --- the command line --- */

static void read_server(char *url)
{
    const char *scheme, *host, *path;
    if (lws_parse_uri(url, &scheme, &host, &options.port, &path) != 0)
        return;
    snprintf(options.host, sizeof options.host, "%s", host);
    options.secure = strcmp(scheme, "https") == 0;
}

static bool read_options(int count, char *words[])
{
    static const struct option known[] = {
        {"server", required_argument, NULL, 's'},
        {"name", required_argument, NULL, 'n'},
        {"token", required_argument, NULL, 't'},
        {"table", required_argument, NULL, 'a'},
        {"create", required_argument, NULL, 'c'},
        {"rules", required_argument, NULL, 'r'},
        {"limit", required_argument, NULL, 'l'},
        {"games", required_argument, NULL, 'g'},
        {NULL, 0, NULL, 0},
    };
    for (int letter; (letter = getopt_long(count, words, "", known, NULL)) != -1;)
        switch (letter) {
        case 's':
            read_server(optarg);
            break;
        case 'n':
            options.name = optarg;
            break;
        case 't':
            options.token = optarg;
            break;
        case 'a':
            options.table = optarg;
            break;
        case 'c':
            options.create = atoi(optarg);
            break;
        case 'r':
            options.rules = optarg;
            break;
        case 'l':
            options.limit = atoi(optarg);
            break;
        case 'g':
            options.games = atoi(optarg);
            break;
        default:
            return false;
        }
    return (options.name == NULL) != (options.token == NULL) && (options.table == NULL) != (options.create == 0);
}

int main(int count, char *words[])
{
    if (!read_options(count, words)) {
        fputs("usage: online_player --server URL (--name NAME | --token TOKEN) (--table ID | --create PLAYERS)\n"
              "                     [--rules standard|original] [--limit TURNS] [--games N]\n",
              stderr);
        return 2;
    }
    lws_set_log_level(LLL_ERR, NULL);
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options = options.secure ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0,
    };
    client.context = lws_create_context(&info);
    if (client.context == NULL)
        return 1;
    if (options.token != NULL) {
        snprintf(client.secret, sizeof client.secret, "Bearer %s", options.token);
        connect_to_server(NULL);
    } else {
        open_connection("POST", "/api/guest", "http", NULL);
    }
    while (!client.done && lws_service(client.context, 0) >= 0) {
    }
    lws_context_destroy(client.context);
    forget_table();
    free(request.text);
    free(client.incoming);
    return client.failed || !client.done;
}
