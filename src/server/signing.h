/* The server's own signature, under every record that it gives out (docs/fair.md).
 *
 * The key is made when a database is first used, and kept there. A newer key is signed by the one before it, whose
 * secret is then forgotten; the public parts of all keys stay, and are published. Everything is read at the start, so
 * that signing never waits for the store. Another server on the same store may have made a newer one: then all of it is
 * read again. */
#ifndef GRAL_SERVER_SIGNING_H
#define GRAL_SERVER_SIGNING_H

#include "store/store.h"

#include "gral/fair.h"

typedef struct signing signing;

/* The keys in the store; a first one is made if there is none, and a newer one if `renew`. `time` is now, in
 * milliseconds. NULL on an error. Needs sodium_init(). */
signing *signing_open(store *store, bool renew, int64_t time, gral_error *error);
/* The keys as they are now, or `before` where there is no newer one or they cannot be read; `before` stays what it was
 * until the newer one is closed, and ends with it. On any thread. */
signing *signing_again(signing *before, store *store);
void signing_close(signing *signing); /* NULL is nothing to close */

const gral_signer *signing_signer(const signing *signing);
gral_signature signing_sign(const signing *signing, gral_span bytes);

/* The list of all keys, as it is published; valid until it is closed. */
gral_span signing_list(const signing *signing);

#endif
