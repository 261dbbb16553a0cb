/* The browser client inside the program: the files that were built into it. */
#ifndef GRAL_SERVER_CLIENT_H
#define GRAL_SERVER_CLIENT_H

#include "gral/notation.h"

typedef struct client_file {
    const char *path; /* "/assets/app-1a2b.js"; the page itself is "/" */
    const char *type;
    const char *etag;
    bool for_ever;                 /* its name changes with its content */
    gral_span plain, gzip, brotli; /* packed by these; empty where that gains nothing */
} client_file;

/* NULL where there is no such file; a program that was built without the client has none. */
const client_file *client_find(const char *path);

#endif
