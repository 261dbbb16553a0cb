/* The ear of a server that shares its store with others: a thread of its own says that this server lives, hears what
 * others have written or say, and hands all of it to the loop in the order in which it came. */
#ifndef GRAL_SERVER_EAR_H
#define GRAL_SERVER_EAR_H

#include "store/store.h"

#include <uv.h>

enum { EAR_BEAT_MS = 500 };

typedef struct ear ear;

/* What is heard, on the loop. */
typedef struct ear_listener {
    void (*beat)(void *context, const store_beat *beat, uint64_t began); /* by uv_hrtime */
    void (*hint)(void *context, const store_hint *hint);
    void (*missed)(void *context);   /* there was too much */
    void (*outdated)(void *context); /* a newer program has changed the store */
} ear_listener;

ear *ear_open(uv_loop_t *loop, store *store, const ear_listener *listener, void *context);
void ear_leave(ear *ear);    /* the others are told that this server goes, */
bool ear_has_left(ear *ear); /* and then it hears no more */
void ear_stop(ear *ear);
void ear_close(ear *ear); /* after the loop */

#endif
