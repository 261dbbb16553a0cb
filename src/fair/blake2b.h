/* The hash of seals and checks, from libsodium: a gral_blake2b for the program and the server. A library of its own,
 * so that the module itself, and with it the engine in a browser, needs nobody's cryptography. */
#ifndef GRAL_FAIR_BLAKE2B_H
#define GRAL_FAIR_BLAKE2B_H

#include "gral/fair.h"

/* BLAKE2b with 32 bytes and no key. Any thread may call it; libsodium needs no sodium_init() for it. */
void fair_blake2b(const void *bytes, size_t length, uint8_t digest[GRAL_SEAL_BYTES]);

#endif
