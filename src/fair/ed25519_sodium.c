#include "ed25519.h"

#include <assert.h>
#include <sodium.h>

static_assert(GRAL_SIGNER_BYTES == crypto_sign_PUBLICKEYBYTES && GRAL_SIGNATURE_BYTES == crypto_sign_BYTES,
              "Ed25519 has these lengths");

bool fair_ed25519(const gral_signer *signer, gral_span bytes, const gral_signature *signature)
{
    return crypto_sign_ed25519_verify_detached(signature->bytes, (const uint8_t *)bytes.bytes, bytes.length,
                                               signer->bytes) == 0;
}
