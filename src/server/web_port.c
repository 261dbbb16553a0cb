/* What must be had of the system before anybody can connect: a port, files enough, a certificate. What cannot be had is
 * told in words that say what to do. */
#include "server/web_inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    FILES_BESIDES = 256,   /* open files that are not connections */
    FILES_USUAL = 1 << 16, /* lws keeps tables as long as the limit of open files, which may be a billion */
};

bool port_fail(gral_error *error, const char *format, ...)
{
    *error = (gral_error){0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

/* --- the port --- */

static bool listen_at(web *web, const struct addrinfo *at, gral_error *error)
{
    const web_settings *settings = &web->settings;
    const char *where = settings->address != NULL ? settings->address : "every address";
    const int yes = 1, no = 0;
    web->socket = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (web->socket >= 0) {
        setsockopt(web->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (at->ai_family == AF_INET6)
            setsockopt(web->socket, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    }
    if (web->socket >= 0 && bind(web->socket, at->ai_addr, at->ai_addrlen) == 0 && listen(web->socket, BACKLOG) == 0) {
        struct sockaddr_storage bound = {0};
        socklen_t length = sizeof bound;
        getsockname(web->socket, (struct sockaddr *)&bound, &length);
        web->port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                                      : ((struct sockaddr_in *)&bound)->sin_port);
        return true;
    }
    const int why = errno;
    if (web->socket >= 0)
        close(web->socket);
    web->socket = -1;
    switch (why) {
    case EADDRINUSE:
        return port_fail(error, "port %u of %s is in use: stop the other program, or choose another port",
                         settings->port, where);
    case EADDRNOTAVAIL:
        return port_fail(error, "%s is not an address of this machine: choose one of its own, or none for all", where);
    case EACCES:
        return port_fail(error, "port %u needs root's rights: choose one above 1023, or let a proxy listen there",
                         settings->port);
    default:
        return port_fail(error, "cannot listen at port %u of %s: %s", settings->port, where, strerror(why));
    }
}

bool port_listen(web *web, gral_error *error)
{
    char port[16];
    snprintf(port, sizeof port, "%u", web->settings.port);
    const struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    const int status = getaddrinfo(web->settings.address, port, &wish, &found);
    if (status != 0)
        return port_fail(error, "there is no address %s: %s", web->settings.address, gai_strerror(status));
    /* An IPv6 socket hears IPv4 as well; a machine without IPv6 has the other one. */
    bool listening = false;
    const int families[] = {AF_INET6, AF_INET};
    for (unsigned family = 0; family < 2 && !listening; family++) {
        for (const struct addrinfo *at = found; at != NULL && !listening; at = at->ai_next)
            if (at->ai_family == families[family])
                listening = listen_at(web, at, error);
    }
    freeaddrinfo(found);
    return listening;
}

/* --- where others find it --- */

/* Of two addresses the better one is first: that by which this machine would go out, which need not be possible; then
 * others of IPv4, which can be typed; those that machines give themselves when nobody gives them one. */
typedef struct found_address {
    unsigned rank;
    web_address address;
} found_address;

static bool is_for_this_machine_only(const struct sockaddr *at)
{
    if (at->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)at)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    const struct in6_addr *six = &((const struct sockaddr_in6 *)at)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == IN_LOOPBACKNET);
}

static bool is_every_address(const struct sockaddr *at)
{
    return at->sa_family == AF_INET ? ((const struct sockaddr_in *)at)->sin_addr.s_addr == INADDR_ANY
                                    : IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)at)->sin6_addr);
}

/* No packet is sent for it: the address is one of those for documents (RFC 5737). */
static in_addr_t way_out(void)
{
    struct sockaddr_in far = {.sin_family = AF_INET, .sin_port = htons(9)}, own = {0};
    socklen_t length = sizeof own;
    const int end = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    inet_pton(AF_INET, "192.0.2.1", &far.sin_addr);
    const bool known = connect(end, (const struct sockaddr *)&far, sizeof far) == 0 &&
                       getsockname(end, (struct sockaddr *)&own, &length) == 0;
    close(end);
    return known ? own.sin_addr.s_addr : INADDR_ANY;
}

static unsigned rank_of(const struct sockaddr *at)
{
    if (at->sa_family != AF_INET)
        return 3;
    const in_addr_t four = ((const struct sockaddr_in *)at)->sin_addr.s_addr;
    return four == way_out() ? 0 : ntohl(four) >> 16 == 0xa9fe ? 2 : 1;
}

static void add_address(const web *web, found_address found[WEB_ADDRESSES_MAX], unsigned *count,
                        const struct sockaddr *at)
{
    const bool six = at->sa_family == AF_INET6;
    char host[INET6_ADDRSTRLEN];
    const void *bytes = six ? (const void *)&((const struct sockaddr_in6 *)at)->sin6_addr
                            : (const void *)&((const struct sockaddr_in *)at)->sin_addr;
    if (*count == WEB_ADDRESSES_MAX || inet_ntop(at->sa_family, bytes, host, sizeof host) == NULL)
        return;
    const unsigned rank = rank_of(at);
    unsigned place = (*count)++;
    for (; place > 0 && found[place - 1].rank > rank; place--)
        found[place] = found[place - 1];
    found[place].rank = rank;
    snprintf(found[place].address.url, sizeof found[place].address.url, "%s://%s%s%s:%u/",
             web->settings.certificate != NULL ? "https" : "http", six ? "[" : "", host, six ? "]" : "", web->port);
}

/* It is up, it is no tunnel, and a browser can name it: addresses of IPv6 that hold for one wire only have a zone. */
static bool is_of_a_network(const struct ifaddrs *at, sa_family_t family)
{
    if (at->ifa_addr == NULL || (at->ifa_flags & IFF_UP) == 0 || (at->ifa_flags & IFF_RUNNING) == 0 ||
        (at->ifa_flags & (IFF_LOOPBACK | IFF_POINTOPOINT)) != 0)
        return false;
    return at->ifa_addr->sa_family == AF_INET ||
           (at->ifa_addr->sa_family == AF_INET6 && family == AF_INET6 &&
            !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)at->ifa_addr)->sin6_addr));
}

unsigned web_addresses(const web *web, web_address address[WEB_ADDRESSES_MAX])
{
    found_address found[WEB_ADDRESSES_MAX];
    unsigned count = 0;
    struct sockaddr_storage own = {0};
    socklen_t length = sizeof own;
    struct ifaddrs *all = NULL;
    const struct sockaddr *bound = (const struct sockaddr *)&own;
    if (getsockname(web->socket, (struct sockaddr *)&own, &length) != 0 || is_for_this_machine_only(bound))
        return 0;
    if (!is_every_address(bound))
        add_address(web, found, &count, bound);
    else if (getifaddrs(&all) == 0) {
        for (const struct ifaddrs *at = all; at != NULL; at = at->ifa_next)
            if (is_of_a_network(at, bound->sa_family))
                add_address(web, found, &count, at->ifa_addr);
        freeifaddrs(all);
    }
    for (unsigned index = 0; index < count; index++)
        address[index] = found[index].address;
    return count;
}

/* --- files --- */

bool port_open_ready(web *web, gral_error *error)
{
    web->ready = epoll_create1(EPOLL_CLOEXEC);
    return web->ready >= 0 || port_fail(error, "connections cannot be waited for: %s", strerror(errno));
}

bool port_make_room(const web_settings *settings, gral_error *error)
{
    struct rlimit limit;
    const rlim_t needed = (rlim_t)settings->connections_max + FILES_BESIDES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return port_fail(error, "the limit of open files cannot be read: %s", strerror(errno));
    if (limit.rlim_max < needed)
        return port_fail(error,
                         "%u connections need %llu open files and the system allows %llu: raise it (ulimit -Hn) "
                         "or allow fewer connections",
                         settings->connections_max, (unsigned long long)needed, (unsigned long long)limit.rlim_max);
    if (limit.rlim_cur > FILES_USUAL)
        limit.rlim_cur = FILES_USUAL;
    if (limit.rlim_cur < needed)
        limit.rlim_cur = needed;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return port_fail(error, "the limit of open files cannot be raised: %s", strerror(errno));
    return true;
}

/* lws would not do: it starts without TLS when a file is missing, and renames files. */
bool port_load_certificate(SSL_CTX *tls, const web_settings *settings, gral_error *error)
{
    const char *const paths[] = {settings->certificate, settings->key};
    for (unsigned at = 0; at < 2; at++) {
        if (paths[at] == NULL || access(paths[at], R_OK) != 0)
            return port_fail(error, "%s cannot be read: %s",
                             paths[at] != NULL ? paths[at] : "the key of the certificate",
                             paths[at] != NULL ? strerror(errno) : "name its file as well");
    }
    /* Nobody needs to negotiate again, and sessions are kept by who comes back. */
    SSL_CTX_set_options(tls, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
    if (SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) != 1 ||
        SSL_CTX_use_certificate_chain_file(tls, settings->certificate) != 1)
        return port_fail(error, "%s is no certificate in PEM form", settings->certificate);
    if (SSL_CTX_use_PrivateKey_file(tls, settings->key, SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(tls) != 1)
        return port_fail(error, "%s is not the key of %s in PEM form", settings->key, settings->certificate);
    return true;
}

bool port_check_certificate(const web_settings *settings, gral_error *error)
{
    if (settings->certificate == NULL)
        return true;
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    const bool good = tls != NULL ? port_load_certificate(tls, settings, error) : port_fail(error, "out of memory");
    SSL_CTX_free(tls);
    ERR_clear_error();
    return good;
}
