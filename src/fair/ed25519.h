/* Signatures, from libsodium: a gral_ed25519 for the program. Like the hash no part of the module itself. */
#ifndef GRAL_FAIR_ED25519_H
#define GRAL_FAIR_ED25519_H

#include "gral/fair.h"

/* Any thread may call it; libsodium needs no sodium_init() for it. */
bool fair_ed25519(const gral_signer *signer, gral_span bytes, const gral_signature *signature);

#endif
