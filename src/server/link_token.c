#include "server/link_token.h"

#include <sodium.h>
#include <string.h>

enum {
    ID_BYTES = 8,
    NUMBER_BYTES = 4,
    SEAL_BYTES = 16,
    TOKEN_BYTES = ID_BYTES + NUMBER_BYTES + SEAL_BYTES,
    BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING
};

static void seal(const uint8_t *key, enum link_purpose purpose, uint8_t bytes[TOKEN_BYTES])
{
    const uint8_t first = (uint8_t)purpose;
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, LINK_KEY_BYTES, SEAL_BYTES);
    crypto_generichash_update(&state, &first, 1);
    crypto_generichash_update(&state, bytes, TOKEN_BYTES - SEAL_BYTES);
    crypto_generichash_final(&state, bytes + TOKEN_BYTES - SEAL_BYTES, SEAL_BYTES);
}

void link_token_make(const uint8_t *key, enum link_purpose purpose, uint64_t id, uint32_t number,
                     char text[LINK_TOKEN_TEXT])
{
    uint8_t bytes[TOKEN_BYTES];
    memcpy(bytes, &id, ID_BYTES);
    memcpy(bytes + ID_BYTES, &number, NUMBER_BYTES);
    seal(key, purpose, bytes);
    sodium_bin2base64(text, LINK_TOKEN_TEXT, bytes, sizeof bytes, BASE64);
}

bool link_token_read(const uint8_t *key, enum link_purpose purpose, const char *text, uint64_t *id, uint32_t *number)
{
    uint8_t given[TOKEN_BYTES], right[TOKEN_BYTES];
    size_t length;
    if (sodium_base642bin(given, sizeof given, text, strlen(text), NULL, &length, NULL, BASE64) != 0 ||
        length != sizeof given)
        return false;
    memcpy(right, given, sizeof right);
    seal(key, purpose, right);
    memcpy(id, given, ID_BYTES);
    memcpy(number, given + ID_BYTES, NUMBER_BYTES);
    return sodium_memcmp(given, right, sizeof right) == 0;
}
