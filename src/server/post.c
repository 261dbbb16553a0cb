#include "server/post.h"

#include "server/memory.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

enum {
    CONNECT_SECONDS = 10,
    TALK_SECONDS = 30,
    PARTING_MS = 3000, /* for what may have arrived, at the end */
    POLL_MS = 1000,
    HTTPS_PORT = 443,
    CONNECTIONS_TO_ONE = 4,
    ANSWER_MAX = 16384,
};

struct post {
    post_settings settings;
    post_handlers handlers;
    void *context;
    uv_thread_t thread;
    uv_async_t news;
    uv_mutex_t guard; /* of the rest */
    uv_cond_t answered;
    parcel *outgoing, *asking, *done; /* from one thread to the other */
    bool stopping, closing;
    uint64_t until; /* by uv_hrtime: then what may have arrived is given up, too */
    CURLM *multi;   /* the thread's own, from here on */
    parcel *active;
};

/* --- where it may go --- */

static bool part_of(CURLU *url, CURLUPart part, unsigned flags, char **text)
{
    return curl_url_get(url, part, text, flags) == CURLUE_OK;
}

bool post_origin(const char *endpoint, char origin[POST_ORIGIN_MAX])
{
    char *scheme = NULL, *host = NULL, *port = NULL, *user = NULL;
    CURLU *url = curl_url();
    bool right = url != NULL && strlen(endpoint) <= POST_ADDRESS_MAX && strpbrk(endpoint, "\"\\ ") == NULL &&
                 curl_url_set(url, CURLUPART_URL, endpoint, CURLU_DISALLOW_USER) == CURLUE_OK &&
                 part_of(url, CURLUPART_SCHEME, 0, &scheme) && part_of(url, CURLUPART_HOST, 0, &host) &&
                 strcmp(scheme, "https") == 0 && !part_of(url, CURLUPART_USER, 0, &user);
    if (right && part_of(url, CURLUPART_PORT, 0, &port) && strtol(port, NULL, 10) != HTTPS_PORT)
        right = snprintf(origin, POST_ORIGIN_MAX, "https://%s:%s", host, port) < POST_ORIGIN_MAX;
    else if (right)
        right = snprintf(origin, POST_ORIGIN_MAX, "https://%s", host) < POST_ORIGIN_MAX;
    for (const char *at = endpoint; right && *at != '\0'; at++)
        right = *at > ' ' && *at < 0x7f;
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_free(user);
    curl_url_cleanup(url);
    return right;
}

static bool read_address(const struct sockaddr *address, ip_range *range, unsigned *port)
{
    *range = (ip_range){.bits = 128};
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        range->bytes[10] = range->bytes[11] = 0xff;
        memcpy(range->bytes + 12, &four->sin_addr, 4);
        *port = ntohs(four->sin_port);
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        memcpy(range->bytes, &six->sin6_addr, 16);
        *port = ntohs(six->sin6_port);
    }
    return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

static bool may_connect(const post_settings *settings, const struct sockaddr *address)
{
    ip_range range;
    unsigned port;
    if (!read_address(address, &range, &port))
        return false;
    for (unsigned at = 0; at < settings->networks; at++)
        if (ip_range_has(&settings->network[at], &range))
            return true;
    return port == HTTPS_PORT && ip_range_is_public(&range);
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    const parcel *parcel = context;
    (void)purpose;
    if (parcel->way == STORE_PUSH && !may_connect(&parcel->post->settings, &address->addr))
        return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* --- what goes, and what comes back --- */

/* The loop is asked before the first byte. Meanwhile other parcels wait here, for as long as a write takes. */
static bool may_go(parcel *parcel)
{
    post *post = parcel->post;
    uv_mutex_lock(&post->guard);
    if (parcel->going == PARCEL_QUIET && !post->stopping) {
        parcel->going = PARCEL_ASKS;
        DL_DELETE(post->active, parcel);
        DL_APPEND(post->asking, parcel);
        uv_async_send(&post->news);
        while (parcel->going == PARCEL_ASKS)
            uv_cond_wait(&post->answered, &post->guard);
        DL_APPEND(post->active, parcel);
    }
    const bool may = parcel->going == PARCEL_MAY_GO;
    uv_mutex_unlock(&post->guard);
    return may;
}

static size_t read_body(char *bytes, size_t size, size_t count, void *context)
{
    parcel *parcel = context;
    const size_t room = size * count, left = parcel->length - parcel->at, length = left < room ? left : room;
    if (!may_go(parcel))
        return CURL_READFUNC_ABORT;
    memcpy(bytes, parcel->body + parcel->at, length);
    parcel->at += length;
    return length;
}

/* Where a connection that was kept turns out to be closed, libcurl begins again on another. */
static int seek_body(void *context, curl_off_t offset, int origin)
{
    parcel *parcel = context;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > parcel->length)
        return CURL_SEEKFUNC_FAIL;
    parcel->at = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static size_t ignore_answer(char *bytes, size_t size, size_t count, void *context)
{
    parcel *parcel = context;
    (void)bytes;
    parcel->wait += (unsigned)(size * count); /* until there is a result: so much was said */
    return parcel->wait > ANSWER_MAX ? 0 : size * count;
}

/* Also while libcurl waits for the last word of a mail server, which it does without looking at anything else. At the
 * end what cannot have arrived stays, the rest has a moment. */
static int is_over(void *context, curl_off_t down, curl_off_t got, curl_off_t up, curl_off_t sent)
{
    (void)down, (void)got, (void)up, (void)sent;
    const parcel *parcel = context;
    post *post = parcel->post;
    uv_mutex_lock(&post->guard);
    const bool over = post->stopping && (parcel->going != PARCEL_MAY_GO || uv_hrtime() >= post->until);
    uv_mutex_unlock(&post->guard);
    return over;
}

static enum post_result result_of_mail(const parcel *parcel, CURLcode code, long status)
{
    if (code == CURLE_OK)
        return POST_SENT;
    if (status >= 500 && code != CURLE_LOGIN_DENIED && code != CURLE_USE_SSL_FAILED)
        return POST_NEVER;
    const bool refused = status >= 400;
    return parcel->going == PARCEL_MAY_GO && parcel->at == parcel->length && !refused ? POST_UNSURE : POST_LATER;
}

static enum post_result result_of_push(const parcel *parcel, CURLcode code, long status)
{
    if (status >= 200 && status < 300)
        return POST_SENT;
    if (status == 404 || status == 410)
        return POST_GONE;
    if (status == 408 || status == 429 || status >= 500)
        return POST_LATER;
    if (status >= 300)
        return POST_NEVER;
    const bool went = parcel->going == PARCEL_MAY_GO && parcel->at == parcel->length;
    return went && code != CURLE_COULDNT_CONNECT ? POST_UNSURE : POST_LATER;
}

static void set_result(parcel *parcel, CURLcode code)
{
    long status = 0;
    curl_off_t wait = 0;
    curl_easy_getinfo(parcel->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(parcel->easy, CURLINFO_RETRY_AFTER, &wait);
    parcel->result = parcel->going == PARCEL_MUST_STAY ? POST_LATER
                     : parcel->way == STORE_MAIL       ? result_of_mail(parcel, code, status)
                                                       : result_of_push(parcel, code, status);
    parcel->wait = wait > 0 && wait < 86400 ? (unsigned)wait : 0;
}

/* --- one parcel, on the thread --- */

static void set_common(parcel *parcel)
{
    CURL *easy = parcel->easy;
    const post_settings *settings = &parcel->post->settings;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, parcel);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)TALK_SECONDS);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, parcel);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, read_body);
    curl_easy_setopt(easy, CURLOPT_READDATA, parcel);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek_body);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, parcel);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, is_over);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, parcel);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore_answer);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, parcel);
    if (settings->authorities != NULL)
        curl_easy_setopt(easy, CURLOPT_CAINFO, settings->authorities);
}

static void set_mail(parcel *parcel)
{
    CURL *easy = parcel->easy;
    const post_settings *settings = &parcel->post->settings;
    parcel->lines = curl_slist_append(NULL, parcel->address);
    curl_easy_setopt(easy, CURLOPT_URL, settings->smtp);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(easy, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
    if (settings->user != NULL) {
        curl_easy_setopt(easy, CURLOPT_USERNAME, settings->user);
        curl_easy_setopt(easy, CURLOPT_PASSWORD, settings->password);
    }
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, settings->from);
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, parcel->lines);
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)parcel->length);
}

static void set_push(parcel *parcel)
{
    CURL *easy = parcel->easy;
    struct curl_slist *lines = NULL;
    for (unsigned at = 0; at < POST_HEADERS_MAX && parcel->header[at] != NULL; at++)
        lines = curl_slist_append(lines, parcel->header[at]);
    parcel->lines = curl_slist_append(lines, "Expect:");
    curl_easy_setopt(easy, CURLOPT_URL, parcel->address);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)parcel->length);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, parcel->lines);
}

static void start(post *post, parcel *parcel)
{
    parcel->easy = curl_easy_init();
    set_common(parcel);
    if (parcel->way == STORE_MAIL)
        set_mail(parcel);
    else
        set_push(parcel);
    DL_APPEND(post->active, parcel);
    curl_multi_add_handle(post->multi, parcel->easy);
}

static void finish(post *post, parcel *parcel, CURLcode code)
{
    set_result(parcel, code);
    curl_multi_remove_handle(post->multi, parcel->easy);
    curl_easy_cleanup(parcel->easy);
    curl_slist_free_all(parcel->lines);
    parcel->easy = parcel->lines = NULL;
    DL_DELETE(post->active, parcel);
    uv_mutex_lock(&post->guard);
    DL_APPEND(post->done, parcel);
    uv_mutex_unlock(&post->guard);
    uv_async_send(&post->news);
}

/* --- the thread --- */

static void finish_ended(post *post)
{
    int left;
    const CURLMsg *message;
    while ((message = curl_multi_info_read(post->multi, &left)) != NULL) {
        char *parcel = NULL;
        const CURLcode code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &parcel);
        finish(post, (struct parcel *)parcel, code);
    }
}

static parcel *take_outgoing(post *post, bool *stopping, bool *closing)
{
    uv_mutex_lock(&post->guard);
    parcel *taken = post->outgoing;
    post->outgoing = NULL;
    *stopping = post->stopping;
    *closing = post->closing;
    uv_mutex_unlock(&post->guard);
    return taken;
}

static void talk(void *context)
{
    post *post = context;
    bool stopping = false, closing = false;
    while (!closing) {
        parcel *taken = take_outgoing(post, &stopping, &closing);
        while (taken != NULL) {
            parcel *parcel = taken;
            DL_DELETE(taken, parcel);
            start(post, parcel);
        }
        int running;
        curl_multi_perform(post->multi, &running);
        finish_ended(post);
        if (!closing)
            curl_multi_poll(post->multi, NULL, 0, stopping ? 50 : POLL_MS, NULL);
    }
    curl_multi_cleanup(post->multi);
}

/* --- on the loop --- */

static void hear(uv_async_t *async)
{
    post *post = async->data;
    uv_mutex_lock(&post->guard);
    parcel *asking = post->asking, *done = post->done;
    post->asking = post->done = NULL;
    uv_mutex_unlock(&post->guard);
    while (asking != NULL) {
        parcel *parcel = asking;
        DL_DELETE(asking, parcel);
        post->handlers.going(post->context, parcel);
    }
    while (done != NULL) {
        parcel *parcel = done;
        DL_DELETE(done, parcel);
        post->handlers.done(post->context, parcel);
    }
}

void post_go(parcel *parcel, bool may)
{
    post *post = parcel->post;
    uv_mutex_lock(&post->guard);
    parcel->going = may ? PARCEL_MAY_GO : PARCEL_MUST_STAY;
    uv_cond_signal(&post->answered);
    uv_mutex_unlock(&post->guard);
}

void post_send(post *post, parcel *parcel)
{
    parcel->post = post;
    uv_mutex_lock(&post->guard);
    DL_APPEND(post->outgoing, parcel);
    uv_mutex_unlock(&post->guard);
    curl_multi_wakeup(post->multi);
}

post *post_open(const post_settings *settings, uv_loop_t *loop, const post_handlers *handlers, void *context)
{
    post *post = memory_get(sizeof *post);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    post->settings = *settings;
    post->handlers = *handlers;
    post->context = context;
    post->multi = curl_multi_init();
    curl_multi_setopt(post->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)CONNECTIONS_TO_ONE);
    uv_mutex_init(&post->guard);
    uv_cond_init(&post->answered);
    uv_async_init(loop, &post->news, hear);
    post->news.data = post;
    uv_thread_create(&post->thread, talk, post);
    return post;
}

void post_stop(post *post)
{
    uv_mutex_lock(&post->guard);
    post->stopping = true;
    post->until = uv_hrtime() + PARTING_MS * UINT64_C(1000000);
    uv_mutex_unlock(&post->guard);
    curl_multi_wakeup(post->multi);
}

void post_close(post *post)
{
    uv_mutex_lock(&post->guard);
    post->closing = true;
    uv_mutex_unlock(&post->guard);
    curl_multi_wakeup(post->multi);
    uv_thread_join(&post->thread);
    uv_close((uv_handle_t *)&post->news, NULL);
}

void post_free(post *post)
{
    uv_cond_destroy(&post->answered);
    uv_mutex_destroy(&post->guard);
    free(post);
}

void parcel_free(parcel *parcel)
{
    for (unsigned at = 0; at < POST_HEADERS_MAX; at++)
        free(parcel->header[at]);
    free(parcel->address);
    free(parcel->body);
    free(parcel);
}
