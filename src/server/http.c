/* What is served over plain HTTP: records, health, figures, and who people are. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/client.h"
#include "server/memory.h"
#include "server/papers.h"

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
    char bytes[32768];
    size_t length;
} page;

__attribute__((format(printf, 2, 3))) static void put(page *page, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(page->bytes + page->length, sizeof page->bytes - page->length, format, list);
    va_end(list);
    page->length += (size_t)written < sizeof page->bytes - page->length ? (size_t)written : 0;
}

static void put_head(page *page, const char *kind, const char *name, const char *help)
{
    put(page, "# HELP gral_%s %s\n# TYPE gral_%s %s\n", name, help, name, kind);
}

static void put_figure(page *page, const char *kind, const char *name, const char *help, double value)
{
    put_head(page, kind, name, help);
    put(page, "gral_%s %.15g\n", name, value);
}

static void put_histogram(page *page, const char *name, const char *help, const histogram *histogram)
{
    uint64_t count = 0;
    put_head(page, "histogram", name, help);
    for (unsigned step = 0; step < HISTOGRAM_STEPS; step++)
        put(page, "gral_%s_bucket{le=\"%g\"} %llu\n", name, histogram_steps[step],
            (unsigned long long)(count += histogram->count[step]));
    count += histogram->count[HISTOGRAM_STEPS];
    put(page, "gral_%s_bucket{le=\"+Inf\"} %llu\n", name, (unsigned long long)count);
    put(page, "gral_%s_sum %.6f\ngral_%s_count %llu\n", name, histogram->sum, name, (unsigned long long)count);
}

static unsigned count_kept(const server *server)
{
    unsigned count = 0;
    for (const table *table = server->tables; table != NULL; table = table->hh.next)
        count += table->host != NULL && gral_host_stage(table->host) != GRAL_ENDED && table_is_kept(table);
    return count;
}

/* On a server with one table its figures would tell when somebody gives a standing order or whispers: they are for
 * whoever could look into the database as well. Behind a proxy the address is the client's. */
static bool show_figures(server *server, web_exchange *exchange, const web_request *request)
{
    page page = {0};
    if (!source_is_this_machine(request->address))
        return false;
    const web_figures traffic = web_count(server->web);
    const commit_figures commit = commit_count(server->commit);
    const think_figures think = think_count(server->think);
    put_head(&page, "gauge", "info", "the version of the program");
    put(&page, "gral_info{version=\"%s\"} 1\n", GRAL_VERSION);
#define COUNTER(name, value, help) put_figure(&page, "counter", name "_total", help, (double)(value))
#define GAUGE(name, value, help)   put_figure(&page, "gauge", name, help, (double)(value))
    GAUGE("connections", traffic.peers, "open WebSockets");
    GAUGE("tables", server->table_count, "tables in memory");
    GAUGE("games_running", server->running_count, "games being played");
    GAUGE("people", HASH_COUNT(server->people), "people in memory: connected, at tables, or asked for lately");
    GAUGE("quick_games_waiting", meeting_waiting(server), "people who wait for a quick game");
    GAUGE("passwords_waiting", errands_waiting(server), "logins that wait for their password to be hashed");
    GAUGE("servers_other", peers_count(server), "other servers on the same database that live");
    GAUGE("games_kept", count_kept(server), "games for which this server does what comes by itself");
    GAUGE("leads", peers_world(server) > 0, "1 if this server does what only one may");
    GAUGE("storage_healthy", commit.healthy, "1 if the last write was stored");
    GAUGE("storage_waiting", commit.waiting, "writes that wait for the disk");
    GAUGE("thinking_waiting", think.waiting, "computer players that wait for a thread");
    GAUGE("thinking_running", think.running, "computer players that think now");
    COUNTER("connections_accepted", traffic.accepted, "connections that were opened");
    COUNTER("connections_refused", traffic.refused, "connections and requests that were turned away");
    COUNTER("connections_dropped_slow", traffic.dropped_slow, "connections closed because they read too slowly");
    COUNTER("requests", traffic.requests, "HTTP requests");
    COUNTER("messages_in", traffic.messages_in, "messages from clients");
    COUNTER("messages_out", traffic.messages_out, "messages to clients");
    COUNTER("bytes_in", traffic.bytes_in, "bytes from clients");
    COUNTER("bytes_out", traffic.bytes_out, "bytes to clients");
    COUNTER("socket_requests", server->figures.requests, "requests over WebSockets");
    COUNTER("inputs", server->figures.inputs, "things that happened at tables");
    COUNTER("inputs_refused", server->figures.refused, "things that were refused at tables");
    COUNTER("games_taken", server->figures.games_taken, "games taken over from servers that have died");
    COUNTER("conflicts", server->figures.conflicts, "times another server was quicker at a table");
    COUNTER("games_ended", server->figures.games_ended, "games that have ended");
    COUNTER("logins", server->figures.logins, "logins tried");
    COUNTER("logins_failed", server->figures.logins_failed, "logins with a wrong name or password");
    COUNTER("logins_refused", server->figures.logins_refused, "logins not tried because there were too many guesses");
    COUNTER("guests_cleared", server->figures.guests_cleared, "guests who did not come back");
    COUNTER("reports", server->figures.reports, "complaints about players");
    COUNTER("letters_sent", server->figures.letters_sent, "mails and push messages that were sent");
    COUNTER("letters_put_off", server->figures.letters_put_off, "mails and push messages that could not be sent yet");
    COUNTER("letters_given_up", server->figures.letters_given_up, "mails and push messages that were never sent");
    COUNTER("words_said", server->figures.words_said, "times that other servers were told what is not stored");
    COUNTER("words_bytes", server->figures.words_bytes, "bytes of that");
    COUNTER("commits", commit.groups, "transactions");
    COUNTER("commit_writes", commit.writes, "writes in them");
    COUNTER("commit_failures", commit.failures, "transactions that failed");
    COUNTER("decisions", think.decisions, "decisions of computer players");
    COUNTER("thinking_seconds", think.seconds, "time that computer players have thought");
#undef COUNTER
#undef GAUGE
    put_histogram(&page, "answer_seconds", "from what a player does at a table to the answer",
                  &server->figures.answers);
    put_histogram(&page, "take_over_seconds", "from the news that a server has died until its games go on here",
                  &server->figures.take_overs);
    put_histogram(&page, "commit_seconds", "time of a transaction", &commit.time);
    web_answer(exchange, &(web_reply){.status = 200,
                                      .type = "text/plain; version=0.0.4; charset=utf-8",
                                      .body = {page.bytes, page.length}});
    return true;
}

static bool is_called_this_machine(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (unsigned index = 0; index < sizeof names / sizeof *names; index++) {
        const size_t length = strlen(names[index]);
        if (strncasecmp(host, names[index], length) == 0 && (host[length] == ':' || host[length] == '\0'))
            return true;
    }
    return false;
}

/* Where the machines around find this server; for the page that is shown on it and cannot know. A tunnel comes from
 * this machine, too, but asks for another host. */
static bool tell_addresses(server *server, web_exchange *exchange, const web_request *request)
{
    if (!source_is_this_machine(request->address) || !is_called_this_machine(request->host))
        return false;
    web_address address[WEB_ADDRESSES_MAX];
    const unsigned count = web_addresses(server->web, address);
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_key(out, "addresses");
    pen_begin(out, '[');
    for (unsigned index = 0; index < count; index++)
        pen_words(out, address[index].url);
    pen_end(out, ']');
    pen_end(out, '}');
    web_answer(exchange, &(web_reply){.status = 200, .type = "application/json", .body = pen_span(out)});
    return true;
}

/* For load balancers: 200 as long as people are to be led here. */
static bool show_health(server *server, web_exchange *exchange, const web_request *request)
{
    (void)request;
    const bool healthy = commit_count(server->commit).healthy && !server->draining;
    char text[80];
    snprintf(text, sizeof text, "%s\n",
             healthy            ? "ok"
             : server->draining ? "this server is about to stop"
                                : "nothing can be stored");
    if (!peers_alone(server))
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n%u other servers\n",
                 peers_world(server) > 0 ? "leads" : "follows", peers_count(server));
    reply_text(exchange, healthy ? 200 : 503, text);
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

enum { LINK_MAX = 64 };

static bool is_plain(const char *word, size_t most)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const size_t length = strspn(word, plain);
    return length > 0 && length <= most && word[length] == '\0';
}

/* "/t/ID" and "/r/ID", the links that people pass on: a table and a replay. The client has its pages behind a '#', so
 * that any host can serve it. */
static bool is_short_link(const char *path)
{
    return (strncmp(path, "/t/", 3) == 0 || strncmp(path, "/r/", 3) == 0) && is_plain(path + 3, GRAL_GAME_ID_MAX);
}

static void lead_to(web_exchange *exchange, const char *page)
{
    char header[32 + LINK_MAX];
    snprintf(header, sizeof header, "Location: /#%s\r\n", page);
    web_answer(exchange, &(web_reply){.status = 302, .type = "text/plain; charset=utf-8", .headers = header});
}

/* "/KRLMB", what stands on the screen in a room. Whoever has mistyped it is told so by the client, in his language. */
static bool follow_code(server *server, web_exchange *exchange, const web_request *request)
{
    if (!room_is_code(request->path + 1))
        return false;
    const char *table = room_find(server, request->path + 1);
    char page[4 + GRAL_GAME_ID_MAX];
    snprintf(page, sizeof page, "/t/%s", table != NULL ? table : request->path + 1);
    lead_to(exchange, page);
    return true;
}

static bool follow_short_link(server *server, web_exchange *exchange, const web_request *request)
{
    (void)server;
    if (!is_short_link(request->path))
        return false;
    lead_to(exchange, request->path);
    return true;
}

/* "/api/stop/TOKEN" is in the head of mails, for programs that POST to it. Others show it to people as a link: looking
 * at it stops nothing, and leads to the page that does. */
static bool follow_stop_link(server *server, web_exchange *exchange, const web_request *request)
{
    (void)server;
    static const char before[] = "/api/stop/";
    const char *token = request->path + (sizeof before - 1);
    char page[16 + LINK_MAX];
    if (strncmp(request->path, before, sizeof before - 1) != 0 || !is_plain(token, LINK_MAX))
        return false;
    snprintf(page, sizeof page, "/stop/%s", token);
    lead_to(exchange, page);
    return true;
}

/* Whether a list like "gzip, br;q=0.9" has this. Weights are not looked at: nobody lists what he cannot read. */
static bool accepts(const char *list, const char *encoding)
{
    const size_t length = strlen(encoding);
    for (const char *name = list; *name != '\0'; name += strcspn(name, ","), name += strspn(name, ", \t"))
        if (strcspn(name, ",; \t") == length && strncmp(name, encoding, length) == 0)
            return true;
    return false;
}

static bool send_file(server *server, web_exchange *exchange, const web_request *request)
{
    const client_file *file = client_find(request->path);
    if (file == NULL)
        file = papers_find(server->papers, request->path);
    if (file == NULL)
        return false;
    const bool brotli = file->brotli.length > 0 && accepts(request->accept_encoding, "br");
    const bool gzip = !brotli && file->gzip.length > 0 && accepts(request->accept_encoding, "gzip");
    const bool known = strcmp(request->etag, file->etag) == 0;
    char headers[256];
    snprintf(headers, sizeof headers, "Cache-Control: %s\r\nETag: %s\r\nVary: Accept-Encoding\r\n%s",
             file->for_ever ? "public, max-age=31536000, immutable" : "no-cache", file->etag,
             known    ? ""
             : brotli ? "Content-Encoding: br\r\n"
             : gzip   ? "Content-Encoding: gzip\r\n"
                      : "");
    web_answer(exchange, &(web_reply){.status = known ? 304 : 200,
                                      .type = file->type,
                                      .headers = headers,
                                      .lasting = true,
                                      .body = known    ? (gral_span){0}
                                              : brotli ? file->brotli
                                              : gzip   ? file->gzip
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

enum { PRICE_OF_CODE = 100 }; /* or somebody could try them all */

/* What a request costs whoever it comes from, by how its path begins. */
static double price_of(const char *path)
{
    static const struct {
        const char *beginning;
        double price;
    } prices[] = {{"/r/", 20}, {"/api/", 2}, {"", 0.5}};
    unsigned index = 0;
    if (room_is_code(path + 1))
        return PRICE_OF_CODE;
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
    {"/healthz", show_health}, {"/metrics", show_figures}, {"/keys", send_keys}, {NULL, find_record},
    {NULL, follow_short_link}, {NULL, send_file},          {NULL, follow_code},  {"/api/addresses", tell_addresses},
    {NULL, follow_stop_link},  {"/", show_front_page},
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
    if (moderation_bars(server, request->address)) {
        reply_text(exchange, 403, "this network is barred\n");
        return;
    }
    if (!is_paid_for(server, exchange, request))
        return;
    if (!accounts_request(server, exchange, request) && !ways_request(server, exchange, request) &&
        !show_page(server, exchange, request))
        reply_text(exchange, 404, "there is nothing here\n");
}
