/* What a request says, whether it may be done, and how an answer is written. A request has been checked for what
 * another site's page could make a browser do: browsers tell in Origin whose page it was. */
#include "server/web_inside.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LENGTH_DIGITS = 9 }; /* of a body */

/* Linked as lws wants it; the reply of a handler gets the same ones. */
static const struct lws_protocol_vhost_options house[] = {
    {&house[1], NULL, "cross-origin-opener-policy:", "same-origin"}, /* without TLS browsers complain of it */
    {&house[2], NULL, "x-content-type-options:", "nosniff"},
    {&house[3], NULL, "referrer-policy:", "no-referrer"},
    {&house[4], NULL, "content-security-policy:",
     "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; style-src 'self'; "
     "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
    {NULL, NULL, "cross-origin-resource-policy:", "same-origin"},
};

const struct lws_protocol_vhost_options *http_headers(void)
{
    return house;
}

/* --- what was asked --- */

static bool is(const char *text, const char *other)
{
    return strcmp(text, other) == 0;
}

static const char *copy_header(asked *asked, struct lws *wsi, enum lws_token_indexes token)
{
    char *text = asked->bytes + asked->used;
    const int length = lws_hdr_copy(wsi, text, (int)(sizeof asked->bytes - asked->used), token);
    if (length <= 0)
        return "";
    asked->used += strlen(text) + 1;
    return text;
}

/* For headers that lws has no token for; the name is in lower case, with its colon. */
static const char *copy_rare_header(asked *asked, struct lws *wsi, const char *name)
{
    char *text = asked->bytes + asked->used;
    const int room = (int)(sizeof asked->bytes - asked->used);
    const int length = lws_hdr_custom_copy(wsi, text, room, name, (int)strlen(name));
    if (length <= 0)
        return "";
    asked->used += (size_t)length + 1;
    return text;
}

/* lws has cut the query at each "&", and makes an empty one "/". */
static const char *copy_query(asked *asked, struct lws *wsi)
{
    char *text = asked->bytes + asked->used;
    size_t length = 0;
    for (int part = 0;; part++) {
        const size_t room = sizeof asked->bytes - asked->used - length;
        const int got = lws_hdr_copy_fragment(wsi, text + length + (part > 0), (int)room - 1, WSI_TOKEN_HTTP_URI_ARGS,
                                              part);
        if (got < 0)
            break;
        if (part > 0)
            text[length++] = '&';
        length += (size_t)got;
    }
    text[length] = '\0';
    asked->used += length + 1;
    return is(text, "/") ? "" : text;
}

/* All that lws knows; those that are not done here have no name. */
static const struct {
    enum lws_token_indexes token;
    const char *name;
} methods[] = {
    {WSI_TOKEN_GET_URI, "GET"},       {WSI_TOKEN_HEAD_URI, "HEAD"}, {WSI_TOKEN_POST_URI, "POST"},
    {WSI_TOKEN_DELETE_URI, "DELETE"}, {WSI_TOKEN_PUT_URI, ""},      {WSI_TOKEN_PATCH_URI, ""},
    {WSI_TOKEN_OPTIONS_URI, ""},
};

enum { METHODS = sizeof methods / sizeof *methods };

bool http_has_head(const web_peer *peer)
{
    for (unsigned at = 0; at < METHODS; at++)
        if (lws_hdr_total_length(peer->wsi, methods[at].token) > 0)
            return true;
    return false;
}

void http_read(asked *asked, web_peer *peer)
{
    struct lws *wsi = peer->wsi;
    asked->used = 0;
    asked->request = (web_request){.method = "", .path = "", .address = peer->address};
    for (unsigned at = 0; at < METHODS; at++) {
        if (lws_hdr_total_length(wsi, methods[at].token) == 0)
            continue;
        asked->request.method = methods[at].name;
        asked->request.path = copy_header(asked, wsi, methods[at].token);
    }
    asked->request.query = copy_query(asked, wsi);
    asked->request.host = copy_header(asked, wsi, WSI_TOKEN_HOST);
    asked->request.cookie = copy_header(asked, wsi, WSI_TOKEN_HTTP_COOKIE);
    asked->request.authorization = copy_header(asked, wsi, WSI_TOKEN_HTTP_AUTHORIZATION);
    asked->request.accept_language = copy_header(asked, wsi, WSI_TOKEN_HTTP_ACCEPT_LANGUAGE);
    asked->request.accept_encoding = copy_header(asked, wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    asked->request.etag = copy_header(asked, wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    peer->secure = lws_is_ssl(wsi) != 0;
    asked->origin = copy_header(asked, wsi, WSI_TOKEN_ORIGIN);
    asked->length = copy_header(asked, wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    asked->version = copy_header(asked, wsi, WSI_TOKEN_VERSION);
    asked->transfer = copy_header(asked, wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING);
    if (peer->web->settings.behind_proxy) {
        const char *scheme = copy_rare_header(asked, wsi, "x-forwarded-proto:");
        const char *host = copy_rare_header(asked, wsi, "x-forwarded-host:");
        asked->forwarded_for = copy_header(asked, wsi, WSI_TOKEN_X_FORWARDED_FOR);
        peer->secure = is(scheme, "https") || (peer->secure && is(scheme, ""));
        asked->request.host = host[0] != '\0' ? host : asked->request.host;
    }
    asked->request.secure = peer->secure;
}

/* --- who asks --- */

static const char blanks[] = " \t";

/* The last hop is the one our proxy has seen; those before it are hearsay. Whoever it calls something that is no
 * address is nobody we know: all of these share one, which is not this machine's. */
static bool settle_forwarded(web_peer *peer, const asked *asked)
{
    if (!peer->web->settings.behind_proxy || asked->forwarded_for[0] == '\0')
        return true;
    const char *comma = strrchr(asked->forwarded_for, ',');
    const char *word = comma != NULL ? comma + 1 : asked->forwarded_for;
    word += strspn(word, blanks);
    char hop[ADDRESS_MAX];
    gral_text text = gral_text_in(hop, sizeof hop);
    gral_text_add_bytes(&text, word, strcspn(word, blanks));
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    if (uv_ip4_addr(hop, 0, &address.four) != 0 && uv_ip6_addr(hop, 0, &address.six) != 0)
        uv_ip6_addr("::", 0, &address.six);
    return peer_settle(peer, &address.any);
}

static bool is_own_origin(const asked *asked)
{
    const char *scheme = asked->request.secure ? "https://" : "http://";
    return strncasecmp(asked->origin, scheme, strlen(scheme)) == 0 && asked->request.host[0] != '\0' &&
           strcasecmp(asked->origin + strlen(scheme), asked->request.host) == 0;
}

static bool is_listed_origin(const char *list, const char *origin)
{
    const size_t length = strlen(origin);
    for (const char *at = list != NULL ? list : ""; *at != '\0'; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (strcspn(at, " ") == length && strncasecmp(at, origin, length) == 0)
            return true;
    }
    return false;
}

/* Programs send no Origin, and have no cookies of somebody else's. */
static bool may_come_from_there(const web_peer *peer, const asked *asked)
{
    return asked->origin[0] == '\0' || is_own_origin(asked) || is_listed_origin(peer->web->origins, asked->origin);
}

/* --- answering --- */

static void put_header(gral_text *text, const char *name, const char *value)
{
    gral_text_add(text, name);
    gral_text_add(text, " ");
    gral_text_add(text, value);
    gral_text_add(text, "\r\n");
}

static bool has_header(const char *headers, const char *name)
{
    for (const char *line = headers; line != NULL && *line != '\0';) {
        if (strncasecmp(line, name, strlen(name)) == 0)
            return true;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return false;
}

static void put_head(gral_text *text, const web_peer *peer, const web_reply *reply)
{
    gral_text_add(text, "HTTP/1.1 ");
    gral_text_add_number(text, reply->status);
    gral_text_add(text, " \r\n");
    const bool trusted = peer->secure || source_is_this_machine(peer->address);
    for (const struct lws_protocol_vhost_options *header = trusted ? house : house[0].next; header != NULL;
         header = header->next)
        put_header(text, header->name, header->value);
    if (peer->secure)
        put_header(text, "strict-transport-security:", "max-age=31536000");
    if (!has_header(reply->headers, "cache-control:"))
        put_header(text, "cache-control:", "no-store");
    if (peer->exchange.last)
        put_header(text, "connection:", "close");
    if (reply->headers != NULL)
        gral_text_add(text, reply->headers);
    if (reply->status != 204 && reply->status != 304) {
        put_header(text, "content-type:", reply->type != NULL ? reply->type : "text/plain");
        gral_text_add(text, "content-length: ");
        gral_text_add_number(text, (uint32_t)reply->body.length);
        gral_text_add(text, "\r\n");
    }
    gral_text_add(text, "\r\n");
}

bool http_queue_reply(web_peer *peer, const web_reply *reply, bool head_only)
{
    char nothing[1];
    gral_text measure = gral_text_in(nothing, sizeof nothing);
    put_head(&measure, peer, reply);
    const size_t body = head_only ? 0 : reply->body.length, copied = reply->lasting ? 0 : body;
    char *bytes = (char *)peer_queue(peer, measure.length + copied);
    if (bytes == NULL)
        return false;
    gral_text text = gral_text_in(bytes, measure.length + 1); /* a queue has room for this zero */
    put_head(&text, peer, reply);
    if (copied > 0)
        memcpy(bytes + measure.length, reply->body.bytes, copied);
    return copied == body || peer_queue_lasting(peer, reply);
}

/* --- whether it may be done --- */

/* How many bytes follow the head; false when nobody can know. lws reads no longer numbers, and sees a number where none
 * is ("+5"). */
static bool read_length(asked *asked)
{
    const size_t digits = strspn(asked->length, "0123456789");
    asked->body_length = strtoul(asked->length, NULL, 10);
    if (asked->length[0] == '\0')
        return !is(asked->request.method, "POST");
    return digits > 0 && digits <= LENGTH_DIGITS && asked->length[digits] == '\0';
}

unsigned http_fault(web_peer *peer, asked *asked)
{
    const bool changes = !is(asked->request.method, "GET") && !is(asked->request.method, "HEAD");
    if (is(asked->request.method, ""))
        return 405;
    if (!is(asked->transfer, "") || !read_length(asked)) /* lws understands no other way */
        return 411;
    if (asked->body_length > peer->web->settings.message_max)
        return 413;
    if (!settle_forwarded(peer, asked))
        return 429;
    return changes && !may_come_from_there(peer, asked) ? 403 : 0;
}

unsigned http_upgrade_fault(web_peer *peer, asked *asked)
{
    if (!is(asked->request.method, "GET"))
        return 405;
    if (!is(asked->transfer, "") || !read_length(asked) || asked->body_length > 0 ||
        lws_hdr_total_length(peer->wsi, WSI_TOKEN_KEY) == 0)
        return 400;
    if (!is(asked->version, "13"))
        return 426;
    if (!settle_forwarded(peer, asked))
        return 429;
    if (!may_come_from_there(peer, asked))
        return 403;
    return peer->web->handlers.opening(peer->web->context, peer, &asked->request);
}
