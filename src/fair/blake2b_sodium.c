#include "blake2b.h"

#include <assert.h>
#include <sodium.h>

static_assert(GRAL_SEAL_BYTES == crypto_generichash_BYTES, "the digest of 32 bytes is what libsodium recommends too");

void fair_blake2b(const void *bytes, size_t length, uint8_t digest[GRAL_SEAL_BYTES])
{
    crypto_generichash_blake2b(digest, GRAL_SEAL_BYTES, (const uint8_t *)bytes, length, NULL, 0);
}
