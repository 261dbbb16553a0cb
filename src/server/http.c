/* What is served over plain HTTP: records, health, figures, and who people are. */
#include "server/parts.h"

#include "server/client.h"
#include "server/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reply_text(web_exchange *exchange, unsigned status, const char *text)
{
    web_answer(exchange,
               &(web_reply){.status = status, .type = "text/plain; charset=utf-8", .body = gral_span_of(text)});
}

static void refuse_for_now(web_exchange *exchange, unsigned seconds)
{
    char headers[40];
    snprintf(headers, sizeof headers, "Retry-After: %u\r\n", seconds);
    web_answer(exchange, &(web_reply){.status = 429,
                                      .type = "text/plain; charset=utf-8",
                                      .headers = headers,
                                      .body = gral_span_of("too many requests; wait a little\n")});
}

/* --- figures, as Prometheus reads them --- */

typedef struct page {
    char bytes[8192];
    size_t length;
} page;

__attribute__((format(printf, 4, 5))) static void put_figure(page *page, const char *kind, const char *name,
                                                             const char *format, ...)
{
    char value[64];
    va_list list;
    va_start(list, format);
    vsnprintf(value, sizeof value, format, list);
    va_end(list);
    const int written = snprintf(page->bytes + page->length, sizeof page->bytes - page->length,
                                 "# TYPE gral_%s %s\ngral_%s %s\n", name, kind, name, value);
    page->length += (size_t)written < sizeof page->bytes - page->length ? (size_t)written : 0;
}

/* On a server with one table its figures would tell when somebody gives a standing order or whispers: they are for
 * whoever could look into the database as well. Behind a proxy the address is the client's. */
static bool is_this_machine(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 || strncmp(address, "::ffff:127.", 11) == 0;
}

static bool show_figures(server *server, web_exchange *exchange, const web_request *request)
{
    page page = {0};
    if (!is_this_machine(request->address))
        return false;
    const web_figures traffic = web_count(server->web);
    const commit_figures commit = commit_count(server->commit);
    const think_figures think = think_count(server->think);
#define COUNTER(name, value) put_figure(&page, "counter", name "_total", "%llu", (unsigned long long)(value))
#define GAUGE(name, value)   put_figure(&page, "gauge", name, "%u", (unsigned)(value))
    GAUGE("connections", traffic.peers);
    GAUGE("tables", server->table_count);
    GAUGE("games_running", server->running_count);
    GAUGE("people", HASH_COUNT(server->people));
    GAUGE("passwords_waiting", errands_waiting(server));
    GAUGE("storage_healthy", commit.healthy);
    GAUGE("storage_waiting", commit.waiting);
    GAUGE("thinking_waiting", think.waiting);
    GAUGE("thinking_running", think.running);
    COUNTER("connections_accepted", traffic.accepted);
    COUNTER("connections_refused", traffic.refused);
    COUNTER("connections_dropped_slow", traffic.dropped_slow);
    COUNTER("requests", traffic.requests);
    COUNTER("messages_in", traffic.messages_in);
    COUNTER("messages_out", traffic.messages_out);
    COUNTER("bytes_in", traffic.bytes_in);
    COUNTER("bytes_out", traffic.bytes_out);
    COUNTER("orders", server->figures.requests);
    COUNTER("inputs", server->figures.inputs);
    COUNTER("inputs_refused", server->figures.refused);
    COUNTER("games_ended", server->figures.games_ended);
    COUNTER("logins", server->figures.logins);
    COUNTER("logins_failed", server->figures.logins_failed);
    COUNTER("logins_refused", server->figures.logins_refused);
    COUNTER("guests_cleared", server->figures.guests_cleared);
    COUNTER("commits", commit.groups);
    COUNTER("commit_writes", commit.writes);
    COUNTER("commit_failures", commit.failures);
    COUNTER("decisions", think.decisions);
    put_figure(&page, "counter", "commit_seconds_total", "%.6f", commit.seconds);
    put_figure(&page, "counter", "thinking_seconds_total", "%.6f", think.seconds);
#undef COUNTER
#undef GAUGE
    web_answer(exchange, &(web_reply){.status = 200,
                                      .type = "text/plain; version=0.0.4; charset=utf-8",
                                      .body = {page.bytes, page.length}});
    return true;
}

static bool show_health(server *server, web_exchange *exchange, const web_request *request)
{
    (void)request;
    const bool healthy = commit_count(server->commit).healthy;
    reply_text(exchange, healthy ? 200 : 503, healthy ? "ok\n" : "nothing can be stored\n");
    return true;
}

/* --- records --- */

/* A game may be long, and its record is made on the loop: besides the price of the request it costs one unit for so
 * many inputs. It is taken before the record is made, so of many that were asked for at once most are refused. */
enum { INPUTS_FOR_A_UNIT = 32 };

typedef struct wanted {
    server *server;
    web_exchange *exchange;
    payer payer;
} wanted;

static void send_record(const wanted *wanted, table *table)
{
    budget *budget = wanted->server->budget;
    const uint64_t now = uv_now(&wanted->server->loop);
    if (!budget_take(budget, BUDGET_WORK, &wanted->payer, (double)table->count / INPUTS_FOR_A_UNIT, now)) {
        refuse_for_now(wanted->exchange, budget_wait(budget, BUDGET_WORK, &wanted->payer, now));
        return;
    }
    size_t length;
    char *record = table_record(table, &length);
    web_answer(wanted->exchange,
               &(web_reply){.status = 200, .type = "text/plain; charset=utf-8", .body = {record, length}});
    free(record);
}

static void record_found(void *context, table *table)
{
    wanted *wanted = context;
    if (table == NULL || gral_host_stage(table->host) == GRAL_GATHERING ||
        gral_host_end(table->host) == GRAL_END_CLOSED) {
        reply_text(wanted->exchange, 404, "there is no record of such a game\n");
    } else {
        send_record(wanted, table);
        table_release(table);
    }
    free(wanted);
}

/* "/r/ID.gral" */
static bool record_id(const char *path, char id[GRAL_GAME_ID_MAX + 1])
{
    static const char before[] = "/r/", after[] = ".gral";
    const size_t length = strlen(path);
    if (strncmp(path, before, sizeof before - 1) != 0 || length < sizeof before + sizeof after ||
        strcmp(path + length - (sizeof after - 1), after) != 0)
        return false;
    const size_t id_length = length - (sizeof before - 1) - (sizeof after - 1);
    if (id_length > GRAL_GAME_ID_MAX)
        return false;
    memcpy(id, path + sizeof before - 1, id_length);
    id[id_length] = '\0';
    return true;
}

static bool find_record(server *server, web_exchange *exchange, const web_request *request)
{
    char id[GRAL_GAME_ID_MAX + 1];
    if (!record_id(request->path, id))
        return false;
    wanted *wanted = memory_get(sizeof *wanted);
    *wanted = (struct wanted){.server = server, .exchange = exchange};
    wanted->payer.from = origin_of(request->address);
    tables_find(server, id, record_found, wanted);
    return true;
}

/* Every key that has signed records. */
static bool send_keys(server *server, web_exchange *exchange, const web_request *request)
{
    (void)request;
    web_answer(exchange,
               &(web_reply){.status = 200, .type = "text/plain; charset=utf-8", .body = signing_list(server->signing)});
    return true;
}

/* --- the client --- */

/* "/t/ID" and "/r/ID", the links that people pass on: a table and a replay. The client has its pages behind a '#', so
 * that any host can serve it. */
static bool is_short_link(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (strncmp(path, "/t/", 3) != 0 && strncmp(path, "/r/", 3) != 0)
        return false;
    const size_t length = strspn(path + 3, plain);
    return length > 0 && length <= GRAL_GAME_ID_MAX && path[3 + length] == '\0';
}

static bool follow_short_link(server *server, web_exchange *exchange, const web_request *request)
{
    (void)server;
    char header[64];
    if (!is_short_link(request->path))
        return false;
    snprintf(header, sizeof header, "Location: /#%s\r\n", request->path);
    web_answer(exchange, &(web_reply){.status = 302, .type = "text/plain; charset=utf-8", .headers = header});
    return true;
}

static bool send_file(server *server, web_exchange *exchange, const web_request *request)
{
    (void)server;
    const client_file *file = client_find(request->path);
    if (file == NULL)
        return false;
    const bool packed = file->packed.length > 0 && strstr(request->accept_encoding, "gzip") != NULL;
    const bool known = strcmp(request->etag, file->etag) == 0;
    char headers[256];
    snprintf(headers, sizeof headers, "Cache-Control: %s\r\nETag: %s\r\nVary: Accept-Encoding\r\n%s",
             file->for_ever ? "public, max-age=31536000, immutable" : "no-cache", file->etag,
             packed && !known ? "Content-Encoding: gzip\r\n" : "");
    web_answer(exchange, &(web_reply){.status = known ? 304 : 200,
                                      .type = file->type,
                                      .headers = headers,
                                      .lasting = true,
                                      .body = known    ? (gral_span){0}
                                              : packed ? file->packed
                                                       : file->plain});
    return true;
}

static const char front_page[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>gral</title>\n"
    "<h1>gral " GRAL_VERSION
    "</h1>\n<p>This server was built without the browser client. The game is spoken over WebSocket at "
    "<code>/ws</code>; the record of a game is at <code>/r/ID.gral</code>.</p>\n</html>\n";

static bool show_front_page(server *server, web_exchange *exchange, const web_request *request)
{
    (void)server, (void)request;
    web_answer(exchange,
               &(web_reply){.status = 200, .type = "text/html; charset=utf-8", .body = gral_span_of(front_page)});
    return true;
}

/* --- all of it --- */

/* What a request costs whoever it comes from, by how its path begins. */
static double price_of(const char *path)
{
    static const struct {
        const char *beginning;
        double price;
    } prices[] = {{"/r/", 20}, {"/api/", 2}, {"", 0.5}};
    unsigned index = 0;
    while (strncmp(path, prices[index].beginning, strlen(prices[index].beginning)) != 0)
        index++;
    return prices[index].price;
}

/* False: it was refused. */
static bool is_paid_for(server *server, web_exchange *exchange, const web_request *request)
{
    const payer payer = {.from = origin_of(request->address)};
    const uint64_t now = uv_now(&server->loop);
    if (budget_take(server->budget, BUDGET_WORK, &payer, price_of(request->path), now))
        return true;
    refuse_for_now(exchange, budget_wait(server->budget, BUDGET_WORK, &payer, now));
    return false;
}

/* What can be got, in the order in which it is looked for. */
static const struct {
    const char *path;                                                                 /* NULL: it knows its own */
    bool (*show)(server *server, web_exchange *exchange, const web_request *request); /* false: it is not here */
} pages[] = {
    {"/healthz", show_health}, {"/metrics", show_figures}, {"/keys", send_keys},   {NULL, find_record},
    {NULL, follow_short_link}, {NULL, send_file},          {"/", show_front_page},
};

static bool show_page(server *server, web_exchange *exchange, const web_request *request)
{
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        return false;
    for (unsigned index = 0; index < sizeof pages / sizeof *pages; index++)
        if ((pages[index].path == NULL || strcmp(pages[index].path, request->path) == 0) &&
            pages[index].show(server, exchange, request))
            return true;
    return false;
}

void http_request(void *context, web_exchange *exchange, const web_request *request)
{
    server *server = context;
    if (!is_paid_for(server, exchange, request))
        return;
    if (!accounts_request(server, exchange, request) && !show_page(server, exchange, request))
        reply_text(exchange, 404, "there is nothing here\n");
}
