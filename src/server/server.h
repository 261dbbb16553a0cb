/* The whole server: the door of this room. */
#ifndef GRAL_SERVER_H
#define GRAL_SERVER_H

#include "net.h"

typedef struct server_settings {
    net_settings net;
    const char *database;        /* as store_open takes it */
    unsigned rate;               /* messages a second from one connection, and ten times that at once; 0 for no limit */
    unsigned tables_per_user;    /* open or played at the same time */
    unsigned computers_per_user; /* at his tables that are not over */
    unsigned tables_max;         /* in all */
    unsigned absent_seconds;     /* before the others may vote somebody out */
    unsigned thinkers;           /* threads for computer players */
} server_settings;

/* Serves until SIGTERM or SIGINT. `ready` is called once when everything is up, with the port. True if all went well;
 * else the error says why it could not start. */
bool server_run(const server_settings *settings, void (*ready)(unsigned port), gral_error *error);

#endif
