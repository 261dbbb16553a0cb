/* What must be had of the system before anybody can connect: a port, files enough, a certificate. What cannot be had is
 * told in words that say what to do. */
#include "server/web_inside.h"

#include <errno.h>
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
