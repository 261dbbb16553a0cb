/* What leaves this machine: mail over SMTP and messages to push services over HTTPS. libcurl does the talking, on a
 * thread of its own: nothing here ever makes the loop wait.
 *
 * Where push messages go is for strangers to say: only over HTTPS, only to the open internet (the address is looked at
 * when it is connected to, so that no name can mislead), and never on from there. Mail goes to one server only.
 *
 * When the other side is about to take a parcel, `going` is called first, and it goes only once post_go has said so:
 * until then whoever sends it can be sure that it has not arrived, from then on that it may have. */
#ifndef GRAL_SERVER_POST_H
#define GRAL_SERVER_POST_H

#include "server/ip_range.h"
#include "store/store.h"

#include <uv.h>

enum { POST_HEADERS_MAX = 8, POST_NETWORKS_MAX = 16, POST_ORIGIN_MAX = 300, POST_ADDRESS_MAX = 512 };

typedef struct post_settings {
    const char *smtp;                    /* "smtps://mail.example", "smtp://mail.example:587"; NULL for no mail */
    const char *user, *password;         /* NULL: without */
    const char *from;                    /* the bare address */
    const char *authorities;             /* PEM; NULL: those of the system */
    ip_range network[POST_NETWORKS_MAX]; /* that are allowed although they are not public, on any port */
    unsigned networks;
} post_settings;

enum post_result {
    POST_SENT,
    POST_UNSURE, /* it went, and nobody said whether it arrived */
    POST_LATER,  /* it did not, and may another time; in `wait` seconds at the earliest, if that is known */
    POST_NEVER,  /* it will not */
    POST_GONE,   /* nobody is there any more */
};

typedef struct parcel {
    enum store_way way;
    char *address;                  /* the mailbox, or the endpoint */
    char *header[POST_HEADERS_MAX]; /* of HTTP; NULL after the last */
    char *body;
    size_t length;
    void *owner;
    enum post_result result;
    unsigned wait;

    /* post.c */
    struct post *post;
    size_t at; /* so much of it has been read */
    enum { PARCEL_QUIET, PARCEL_ASKS, PARCEL_MAY_GO, PARCEL_MUST_STAY } going;
    void *easy, *lines;
    struct parcel *prev, *next;
} parcel;

typedef struct post_handlers {
    void (*going)(void *context, parcel *parcel); /* answer with post_go, now or later */
    void (*done)(void *context, parcel *parcel);  /* it has a result, and is the caller's again */
} post_handlers;

typedef struct post post;

/* The origin of an endpoint, or false when it is none that is written to: HTTPS, no user, not too long. */
bool post_origin(const char *endpoint, char origin[POST_ORIGIN_MAX]);

post *post_open(const post_settings *settings, uv_loop_t *loop, const post_handlers *handlers, void *context);
void post_send(post *post, parcel *parcel); /* which is post's until it is done */
void post_go(parcel *parcel, bool may);
/* Nothing new goes; what may have arrived gets a moment to say so, the rest comes back as POST_LATER. */
void post_stop(post *post);
/* When all parcels are done: then the loop runs once more, and post_free. */
void post_close(post *post);
void post_free(post *post);
void parcel_free(parcel *parcel);

#endif
